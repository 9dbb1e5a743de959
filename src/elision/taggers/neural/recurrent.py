"""Recurrent layers at work, in numpy. What they are learnt with is `cells`, and both give the same numbers.

A layer is asked for many sequences at once, side by side: an array of steps x rows x numbers. Rows that are shorter
than the longest are padded behind their end, where nobody looks. A row comes out the same whatever stands in the
others, as long as there are as many rows; so callers always give as many, since the routines of linear algebra may add
up in another order for another number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

ROWS = 32  # sequences side by side


def sigmoid(values: Floats) -> Floats:
    """1 / (1 + exp(-x)), in place."""
    np.negative(values, out=values)
    np.clip(values, None, 80.0, out=values)  # beyond it exp is infinite, which is right but warned of
    np.exp(values, out=values)
    values += np.float32(1)
    return np.reciprocal(values, out=values)


def lstm(inputs: Floats, turning: Floats, start: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats]:
    """The state after each step, and the cell after the last: with them, `start`, a longer sequence goes on.

    `inputs` are weighed already, with the bias: for each of the gates in, forget and out, then for the candidate, as
    many numbers as a state has; `turning` weighs the state before for the same four.
    """
    steps, rows, width = inputs.shape
    size = width // 4
    states = np.empty((steps, rows, size), np.float32)
    state, cell = start or (np.zeros((rows, size), np.float32), np.zeros((rows, size), np.float32))
    for step in range(steps):
        gates = inputs[step] + state @ turning
        opened = sigmoid(np.ascontiguousarray(gates[:, : 3 * size]))
        cell = opened[:, size : 2 * size] * cell + opened[:, :size] * np.tanh(gates[:, 3 * size :])
        state = np.multiply(opened[:, 2 * size :], np.tanh(cell), out=states[step])
    return states, cell


def gru(inputs: Floats, turning: Floats, candidate: Floats, start: Floats | None = None) -> Floats:
    """The state after each step, with equations 1 to 3 of TS-RNN.

    `inputs` are weighed already, with the bias, for the gates r and z and for the candidate; `turning` weighs the state
    before for r and z, `candidate` what r lets through of it.
    """
    steps, rows, width = inputs.shape
    size = width // 3
    states = np.empty((steps, rows, size), np.float32)
    state = np.zeros((rows, size), np.float32) if start is None else start
    for step in range(steps):
        if step or start is not None:
            gates = sigmoid(inputs[step, :, : 2 * size] + state @ turning)
            fresh = np.tanh(inputs[step, :, 2 * size :] + (gates[:, :size] * state) @ candidate)
            update = gates[:, size:]
        else:  # nothing stands before, so that there is nothing to weigh
            update = sigmoid(np.ascontiguousarray(inputs[step, :, size : 2 * size]))
            fresh = np.tanh(inputs[step, :, 2 * size :])
        state = np.add(state, update * (fresh - state), out=states[step])
    return states
