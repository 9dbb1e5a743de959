"""NAME=VALUE: what each preset lets one choose, values of the right type, and what is said of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.cli.choices import chosen, of_preset, of_settings, reader_of, told
from elision.document import Document
from elision.errors import ModelError
from elision.taggers.linear.settings import Settings
from elision.taggers.presets import preset, preset_function, presets

READ: list[tuple[Any, str, Any]] = [
    (int, "7", 7),
    (int, " -3 ", -3),
    (float, ".14", 0.14),
    (float, "1e-4", 0.0001),
    (float, "2", 2.0),
    (str, "official", "official"),
    (str, "", ""),
    (str, "a=b", "a=b"),
    *((bool, word, True) for word in ("true", "True", "yes", "on", "1")),
    *((bool, word, False) for word in ("false", "NO", "off", "0")),
    (tuple[str, ...], "basic, names", ("basic", "names")),
    (Iterable[str], "basic", ("basic",)),
    (Sequence[str], "", ()),
    (tuple, "a,b", ("a", "b")),
    (tuple[int, ...], "3,5", (3, 5)),
    (tuple[int, ...] | None, "3", (3,)),
    (int | None, "none", None),
    (int | None, "4", 4),
    (int | str, "4", 4),
    (int | str, "all", "all"),
    (Literal["chunk", "middle"], "middle", "middle"),
    (Path, "a/b", Path("a/b")),
]
REFUSED: list[tuple[Any, str, str]] = [
    (int, "2.5", "must be a whole number"),
    (int, "", "must be a whole number"),
    (int, "9" * 5000, "must be a whole number"),
    (float, "much", "must be a number"),
    (float, "nan", "must be a number"),
    (float, "-inf", "must be a number"),
    (bool, "2", "must be true or false"),
    (bool, "", "must be true or false"),
    (tuple[str, ...], "a,,b", "must be a list with commas, each a word"),
    (tuple[int, ...], "3,x", "must be a list with commas, each a whole number"),
    (int | None, "x", "must be a whole number or none"),
    (Literal["chunk", "middle"], "begin", "must be one of chunk, middle"),
]


@pytest.mark.parametrize(("hint", "text", "value"), READ, ids=[f"{hint} {text}" for hint, text, _ in READ])
def test_a_value_is_read_as_what_its_name_needs(hint: Any, text: str, value: Any) -> None:
    found = chosen([f"x={text}"], {"x": hint}, "a preset")["x"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(("hint", "text", "message"), REFUSED, ids=[f"{m} {t[:9]}" for _, t, m in REFUSED])
def test_a_value_of_another_type_is_refused_with_what_is_needed(hint: Any, text: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        chosen([f"x={text}"], {"x": hint}, "a preset")
    assert str(caught.value).startswith("--set x=")
    assert str(caught.value).endswith(message)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("hint", [Mapping[str, int], Iterable[Document], dict, Document, object, int | Document, Any])
def test_what_is_no_value_or_list_cannot_be_set(hint: Any) -> None:
    assert reader_of(hint) is None
    with pytest.raises(ModelError, match=r"--set x: is no single value or list; it can be set in Python"):
        chosen(["x=1"], {"x": hint}, "a preset")


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        (
            ["windw=7"],
            "--set windw: he2015 has nothing of this name (did you mean window?); there are: cities, cut, decoding, ",
        ),
        (["quite_another=7"], "--set quite_another: he2015 has nothing of this name; there are: cities, cut, "),
        (["window"], "--set window: give a name and a value, such as --set seeds=2"),
        (["=7"], "--set =7: give a name and a value"),
        ([""], "--set : give a name and a value"),
        (["window=1", "window=2"], "--set window: is given twice; give one value"),
        (["documents=1"], "--set documents: is no single value or list"),
        (["lexicons=1"], "--set lexicons: is no single value or list"),
        (["x" * 3000 + "=1"], f"--set {'x' * 40}…: he2015 has nothing of this name"),
    ],
)
def test_a_name_that_is_none_is_answered_with_those_that_there_are(given_: list[str], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        chosen(given_, of_preset(preset_function("he2015")), "he2015")
    assert str(caught.value).startswith(message)


HE = of_preset(preset_function("he2015"))


@given(st.lists(st.text()))
def test_whatever_is_given_is_read_or_refused(texts: list[str]) -> None:
    try:
        chosen(texts, HE, "he2015")
    except ModelError:
        return
    assert all("=" in text for text in texts)


def test_every_preset_has_its_options_all_settings_and_words() -> None:
    for name in presets():
        there = of_preset(preset_function(name))
        assert {each.name for each in fields(preset(name))} | {"words"} <= {*there}
        assert {"documents", "more"}.isdisjoint(there) or name == "he2015"
    assert of_preset(preset_function("elision-fast"))["groups"] is bool
    assert of_preset(preset_function("he2015"))["groups"] == Iterable[str]
    assert of_preset(preset_function("liu2015"))["c1"] is float


def test_what_was_chosen_makes_the_preset() -> None:
    there = of_preset(preset_function("zuccon2013"))
    found = chosen(["families=basic,position", "dropout=.1", "min-x=1", "words=no"], {**there, "min_x": int}, "")
    assert found.pop("min_x") == 1
    made = preset("zuccon2013", **found)
    assert made.dropout == 0.1
    assert made.features[-1] == "sentence-place[0]"


@dataclass(frozen=True)
class Other:
    """Settings of another kind, which can not be cut otherwise."""

    language: str = ""
    window: int = 7


def other(r: float = 0.25, *, reading="at-least", vectors: Path | None = None, **more: Any) -> Other:  # type: ignore[no-untyped-def]
    return Other(**more)


def foreign(size: "Unknown" = 3, name: "Unknown" = "a") -> "Unknown":  # type: ignore[name-defined]  # noqa: F821, UP037
    return size, name


def test_presets_of_other_kinds_and_packages_are_understood() -> None:
    found = of_preset(other)
    assert found == {"language": str, "window": int, "r": float, "reading": str, "vectors": Path | None}
    assert of_preset(foreign) == {"size": int, "name": str}  # its types are seen by a type checker only
    assert of_settings(Other) == {"language": str, "window": int}


def test_a_card_tells_what_was_set_but_not_where_files_lie() -> None:
    values = {
        "vector_file": "/home/somebody/v.txt",
        "vectors": Path("/home/somebody/v.txt"),
        "families": ("basic",),
        "words": True,
    }
    settings = Settings(features=("lower[0]",), vector_file="/home/somebody/v.txt")
    shown = told({name: values[name] for name in ("vector_file", "families", "words")}, settings)
    assert shown == {"vector_file": "v.txt", "families": ["basic"], "words": True}
    assert told({"vectors": values["vectors"]}, Other()) == {"vectors": "v.txt"}
    assert told({"vectors": values["vectors"]}, settings) == {"vectors": "v.txt"}
