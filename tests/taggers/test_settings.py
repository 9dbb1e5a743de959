"""Settings: what cannot be is refused with its name, and a model gets back what it kept."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ModelError
from elision.taggers.linear.settings import DECODINGS, LOSSES, REAL, UNITS, WHOLE, Settings
from elision.taggers.presets import PRESETS
from tests.strategies import fewer, texts

PLAIN = Settings(features=("lower[0]",))
SECRET = "Quetzalcoatl"
NONE = (None, object(), ["1"], {"a": 1})

BAD: list[tuple[str, Any, str]] = [
    *((name, "best", f"{name} 'best': choose one of ") for name in ("cut", "unit", "loss", "decoding", "trainer")),
    *((name, least - 1, f"{name} {least - 1}: must be at least {least}") for name, least in WHOLE.items()),
    *((name, "7", f"{name} '7': must be a whole number") for name in WHOLE),
    *((name, 2.0, f"{name} 2.0: must be a whole number") for name in WHOLE),
    *((name, True, f"{name} True: must be a whole number") for name in WHOLE),
    *((name, value, f"{name} ") for name in WHOLE for value in NONE),
    *((name, -0.1, f"{name} -0.1: must be at least {REAL[name]}") for name in REAL),
    *((name, math.nan, f"{name} nan: must be at least {REAL[name]}") for name in REAL),
    *((name, math.inf, f"{name} inf: must be at least {REAL[name]}, and finite") for name in REAL),
    *((name, "0.5", f"{name} '0.5': must be a number") for name in (*REAL, "dial")),
    *((name, False, f"{name} False: must be a number") for name in (*REAL, "dial")),
    *((name, value, f"{name} ") for name in (*REAL, "dial") for value in NONE),
    ("rate", 0.0, "rate 0.0: must be at least 1e-06"),
    ("dropout", 0.95, "dropout 0.95: must be at least 0 and less than .95"),
    *(("dial", value, f"dial {value}: must be more than 0") for value in (0.0, -1.0, math.nan, math.inf, 1e7)),
    *((name, 3, f"{name}: must be a string, not of type int") for name in ("language", "vector_file")),
    *((name, SECRET, f"{name}: must be lists of strings by their names") for name in ("lexicons", "patterns")),
    *((name, {"a": SECRET}, f"{name} a: must be a list of strings") for name in ("lexicons", "patterns")),
    *((name, {"a": (SECRET, 1)}, f"{name} a: must be a list of strings") for name in ("lexicons", "patterns")),
    *((name, {1: (SECRET,)}, f"a name of {name}: must be a string") for name in ("lexicons", "patterns")),
    ("features", "lower[0]", "features: must be a list of strings"),
    ("features", (1,), "features: must be a list of strings"),
    ("features", (), "features: there are none; name at least one"),
    ("options", ("c1",), "options: must be values by their names"),
    ("options", {"c1": None}, "options c1: must be a number or a string"),
    ("options", {1: 1}, "a name of options: must be a string"),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD, ids=[f"{name}-{at}" for at, (name, *_) in enumerate(BAD)])
def test_a_value_that_cannot_be_is_refused_by_its_name(name: str, value: Any, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        replace(PLAIN, **{name: value})
    assert str(caught.value).startswith(message)
    assert SECRET not in str(caught.value)  # lexicons may be words of notes
    with pytest.raises(ModelError):
        Settings.from_json({**PLAIN.as_json(), name: value})


def test_every_setting_is_tried() -> None:
    assert {name for name, *_ in BAD} == {each.name for each in fields(Settings)}


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(ModelError, match="choose one"):
        replace(PLAIN, vectors=50, vector_file="vectors.txt")
    with pytest.raises(ModelError, match=r"dial 0\.3: has no effect on decoding 'viterbi'"):
        replace(PLAIN, decoding="viterbi", dial=0.3)
    assert replace(PLAIN, decoding="viterbi", dial=1.0).dial == 1


def test_a_caller_can_change_nothing_afterwards() -> None:
    features, words, options = ["lower[0]"], ["Roe"], {"c2": 1.0}
    lexicons: dict[str, tuple[str, ...]] = {"names": ("Roe",)}
    given: dict[str, Any] = {"features": features, "patterns": {"p": words}, "lexicons": lexicons, "options": options}
    settings = Settings(**given)
    before = json.dumps(settings.as_json())
    features.append("shape[0]")
    words.append("Lund")
    lexicons["more"] = ()
    options["c1"] = 2.0
    assert json.dumps(settings.as_json()) == before
    same: dict[str, Any] = {"patterns": {"p": ("Roe",)}, "lexicons": {"names": ("Roe",)}, "options": {"c2": 1}}
    assert settings == Settings(features=("lower[0]",), **same)


def test_numbers_of_numpy_are_kept_as_plain_ones() -> None:
    """A grid of `numpy.arange` gives such, and a model must still be saved at the end."""
    grid: dict[str, Any] = {"epochs": np.int64(3), "seed": np.uint8(1), "rate": np.float32(0.5), "l2": 1, "dial": 1}
    settings = replace(PLAIN, **grid)
    assert json.loads(json.dumps(settings.as_json())) == json.loads(
        json.dumps(replace(PLAIN, epochs=3, seed=1, rate=0.5, l2=1.0).as_json())
    )
    assert (type(settings.epochs), type(settings.l2), type(settings.dial)) == (int, float, float)


def numbers_from(least: float, most: float) -> st.SearchStrategy[float]:
    return st.floats(least, most, allow_subnormal=False)


lists = st.dictionaries(texts, st.lists(texts, max_size=3).map(tuple), max_size=3)
parts: Mapping[str, st.SearchStrategy[Any]] = {
    "features": st.lists(texts, min_size=1, max_size=4).map(tuple),  # which there are is told when they are looked for
    "language": st.sampled_from(["", "en", "es", "zh"]),
    "cut": st.sampled_from(["fine", "he2015", "he2015-plain"]),
    "unit": st.sampled_from(UNITS),
    "loss": st.sampled_from(LOSSES),
    "trainer": st.sampled_from(["online", "crfsuite"]),
    "options": st.dictionaries(texts, st.one_of(st.floats(allow_nan=False), st.integers(), texts, st.booleans())),
    "rate": numbers_from(1e-6, 1e9),
    "dropout": numbers_from(0, 0.9499),
    **{name: st.integers(least, least + 1000) for name, least in WHOLE.items() if name != "vectors"},
    **{name: numbers_from(0, 1e9) for name in ("l1", "l2", "megabytes")},
    "lexicons": lists,
    "patterns": lists,
}
coupled = st.one_of(
    st.fixed_dictionaries({"decoding": st.sampled_from(DECODINGS), "vectors": st.integers(0, 300)}),
    st.fixed_dictionaries(
        {
            "decoding": st.sampled_from([each for each in DECODINGS if each != "viterbi"]),
            "dial": numbers_from(1e-9, 1e6),
            "vector_file": texts.filter(lambda name: "/" not in name and name != "."),
        }
    ),
)


@fewer
@given(st.fixed_dictionaries({}, optional=parts), coupled)
def test_as_json_and_from_json_are_inverses(some: dict[str, Any], more: dict[str, Any]) -> None:
    settings = Settings(**{"features": ("lower[0]",), **some, **more})
    through_a_file = json.loads(json.dumps(settings.as_json()))
    assert Settings.from_json(through_a_file) == settings
    assert Settings.from_json(settings.as_json()) == settings


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_back(name: str) -> None:
    settings = PRESETS[name]()
    assert type(settings).from_json(json.loads(json.dumps(settings.as_json()))) == settings


def test_where_a_file_of_vectors_lay_is_not_kept() -> None:
    kept = replace(PLAIN, vector_file="/home/roe/vectors.txt").as_json()
    assert kept["vector_file"] == "vectors.txt"


def test_what_a_model_leaves_out_is_as_by_default() -> None:
    assert Settings.from_json({"features": ["lower[0]"]}) == PLAIN


def test_settings_of_a_newer_version_are_refused() -> None:
    newer = {**PLAIN.as_json(), "warmth": 3, "angle": "up"}
    with pytest.raises(ModelError, match="settings that this elision does not know: angle, warmth"):
        Settings.from_json(newer)
    with pytest.raises(ModelError, match="no features"):
        Settings.from_json({"epochs": 3})
