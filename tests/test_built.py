"""An extension that does not build is left out, and Python does the same more slowly: nobody would notice."""

from __future__ import annotations

import shutil

import pytest

from elision import loops
from elision.linear import forms, kernels
from elision.rules import compiled


@pytest.mark.skipif(loops.PLAIN, reason="Python is asked for")
@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang", "cl"))), reason="there is no compiler")
@pytest.mark.parametrize("module", [loops, forms, kernels, compiled], ids=lambda module: module.__name__)
def test_where_there_is_a_compiler_all_is_compiled(module: object) -> None:
    assert vars(module)["COMPILED"]
