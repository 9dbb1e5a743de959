"""A row of a product is the same to the bit whatever stands beside it, on any processor."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.taggers import rows as module
from elision.taggers.rows import by_window, product


@given(st.integers(0, 999), st.integers(1, 100), st.sampled_from([(8, 24), (150, 300), (256, 48)]), st.booleans())
def test_a_row_is_the_same_alone_and_among_others(seed: int, count: int, shape: tuple[int, int], few: bool) -> None:
    random = np.random.default_rng(seed)
    many, weights = random.standard_normal((count, shape[0]), np.float32), random.standard_normal(shape, np.float32)
    with pytest.MonkeyPatch.context() as patch:
        if few:
            patch.setattr(module, "alike", lambda: False)
        found = product(many, weights)
        assert np.allclose(found, many @ weights, rtol=1e-3, atol=1e-3)
        at = int(random.integers(count))
        assert np.array_equal(product(many[at : at + 1], weights)[0], found[at])
        assert np.array_equal(product(many[::-1], weights)[::-1], found)


@pytest.mark.parametrize("shape", [(0, 4, 3), (5, 0, 3), (0, 0, 3)])
def test_nothing_can_be_multiplied(shape: tuple[int, int, int]) -> None:
    count, inputs, outputs = shape
    found = product(np.zeros((count, inputs), np.float32), np.zeros((inputs, outputs), np.float32))
    assert found.shape == (count, outputs)
    assert not found.any()


@given(st.integers(0, 999), st.integers(1, 8), st.sampled_from([32, 64]), st.booleans())
def test_a_window_is_the_same_alone_and_among_others(seed: int, windows: int, places: int, few: bool) -> None:
    random = np.random.default_rng(seed)
    many = random.standard_normal((windows * places, 48), np.float32)
    matrix = random.standard_normal((48, 64), np.float32)
    with pytest.MonkeyPatch.context() as patch:
        if few:
            patch.setattr(module, "alike", lambda: False)
        found = by_window(many, matrix, windows)
        assert np.allclose(found, many @ matrix, rtol=1e-3, atol=1e-3)
        if not module.alike():
            last = many[-places:]
            assert np.array_equal(by_window(last, matrix, 1), found[-places:])


ROUTINES = ["Haswell", "SkylakeX", "Nehalem"]
TRY = """
import numpy as np
from elision.taggers.rows import product, together
many, weights = (np.random.default_rng(0).standard_normal(shape, np.float32) for shape in ((130, 150), (150, 300)))
found = product(many, weights)
for at in range(130):
    assert np.array_equal(product(many[at:at + 1], weights)[0], found[at]), at
print(together(128))
"""


@pytest.mark.parametrize("routines", ROUTINES)
def test_what_multiplies_matrices_is_tried_before_it_is_trusted(routines: str) -> None:
    said = {**os.environ, "OPENBLAS_CORETYPE": routines, "OPENBLAS_NUM_THREADS": "1"}
    ran = subprocess.run([sys.executable, "-c", TRY], env=said, capture_output=True, text=True, check=False)
    if ran.returncode < 0:
        pytest.skip(f"this processor cannot run the routines for {routines}")
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) in (module.FEW, 128)
