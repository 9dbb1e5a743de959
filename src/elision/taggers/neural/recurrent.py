"""Recurrent layers at work, in numpy. What they are learnt with is `cells`, and both give the same numbers.

A layer is asked for many sequences at once, side by side: an array of steps x rows x numbers. Rows that are shorter
than the longest are padded behind their end, where nobody looks. A row comes out the same whatever stands in the
others, as long as there are as many rows; so callers always give as many (`rows.together`), since what multiplies
matrices may add up in another order for another number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

ROWS = 32  # sequences side by side


def sigmoid(values: Floats) -> Floats:
    """1 / (1 + exp(-x)), in place; by way of tanh, which cannot overflow."""
    values *= np.float32(0.5)
    np.tanh(values, out=values)
    values *= np.float32(0.5)
    values += np.float32(0.5)
    return values


def lstm(inputs: Floats, turning: Floats, start: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats]:
    """The state after each step, and the cell after the last: with them, `start`, a longer sequence goes on.

    `inputs` are weighed already, with the bias: for each of the gates in, forget and out, then for the candidate, as
    many numbers as a state has; `turning` weighs the state before for the same four.
    """
    steps, rows, width = inputs.shape
    size = width // 4
    states, gates = np.empty((steps, rows, size), np.float32), np.empty((rows, width), np.float32)
    fresh = np.empty((rows, size), np.float32)
    state, cell = start or (np.zeros((rows, size), np.float32), np.zeros((rows, size), np.float32))
    cell = cell.copy()
    for step in range(steps):
        np.matmul(state, turning, out=gates)
        gates += inputs[step]
        np.tanh(gates[:, 3 * size :], out=fresh)
        opened = sigmoid(gates[:, : 3 * size])
        fresh *= opened[:, :size]
        cell *= opened[:, size : 2 * size]
        cell += fresh
        state = np.tanh(cell, out=states[step])
        state *= opened[:, 2 * size :]
    return states, cell


def gru(inputs: Floats, turning: Floats, candidate: Floats, start: Floats | None = None) -> Floats:
    """The state after each step, with equations 1 to 3 of TS-RNN.

    `inputs` are weighed already, with the bias, for the gates r and z and for the candidate; `turning` weighs the state
    before for r and z, `candidate` what r lets through of it.
    """
    steps, rows, width = inputs.shape
    size = width // 3
    states = np.empty((steps, rows, size), np.float32)
    gates, fresh = np.empty((rows, 2 * size), np.float32), np.empty((rows, size), np.float32)
    state = start
    for step in range(steps):
        if state is None:  # nothing stands before, so that there is nothing to weigh
            update = sigmoid(np.ascontiguousarray(inputs[step, :, size : 2 * size]))
            np.tanh(inputs[step, :, 2 * size :], out=fresh)
            state = np.multiply(update, fresh, out=states[step])
            continue
        np.matmul(state, turning, out=gates)
        gates += inputs[step, :, : 2 * size]
        sigmoid(gates)
        np.multiply(gates[:, :size], state, out=fresh)
        fresh = fresh @ candidate
        fresh += inputs[step, :, 2 * size :]
        np.tanh(fresh, out=fresh)
        fresh -= state
        fresh *= gates[:, size:]
        state = np.add(state, fresh, out=states[step])
    return states
