"""An extension that does not build is left out, and Python does the same more slowly: nobody would notice."""

from __future__ import annotations

import shutil

import pytest

from elision.rules import compiled
from elision.taggers import kernels
from elision.taggers.linear import token_features
from elision.text import native


@pytest.mark.skipif(native.PLAIN, reason="Python is asked for")
@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang", "cl"))), reason="there is no compiler")
@pytest.mark.parametrize("module", [native, token_features, kernels, compiled], ids=lambda module: module.__name__)
def test_where_there_is_a_compiler_all_is_compiled(module: object) -> None:
    assert vars(module)["COMPILED"]
