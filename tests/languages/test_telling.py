"""Notes tell their language, also those that are in none of ours: these are held."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from typer.testing import CliRunner

import elision
from elision.cli import app
from elision.detect.base import as_detector
from elision.detect.defaults import beside, detectors_for
from elision.document import Document, Span
from elision.errors import HeldError, LabelError, RuleError
from elision.evidence.receipts import Receipt
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.languages.base import served
from elision.languages.telling import LANGUAGES, Told, tell
from elision.languages.telling.deciding import decide, is_language, language_code
from elision.pipeline import Deidentifier
from elision.rules import Rules
from elision.run.engine import Engine, clean, cleaned_rows
from elision.run.how import How
from tests.strategies import texts

NOTES = sorted((Path(__file__).parents[2] / "examples" / "notes" / "gold").glob("*/*.txt"))
CASES = [
    tuple(line.replace("\\n", "\n").split("\t"))
    for line in (Path(__file__).parents[1] / "cases" / "languages.tsv").read_text("utf-8").splitlines()
]
SWEDISH = "Patienten Erika Roe klagar sedan igår över smärtor i vänster knä och har ingen feber."
DUTCH = "Mevrouw Roe heeft sinds gisteren pijn in de linkerknie en heeft geen koorts."
ENGLISH = "The patient was seen by Dr. Roe on 3 May 2001 and was well."


def as_case(told: Told) -> str:
    """How the table of cases writes what was told."""
    if told.language:
        return "+".join((told.language, *told.also))
    return f"{told.guess.rstrip('?')}?" if told.guess else "-"


@pytest.mark.parametrize(("expected", "text"), CASES, ids=[f"{case[0]} {case[1][:30]}" for case in CASES])
def test_what_a_text_tells(expected: str, text: str) -> None:
    assert as_case(tell(text)) == expected


@pytest.mark.parametrize("note", NOTES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_example_notes(note: Path) -> None:
    assert tell(note.read_text("utf-8")).language == note.parent.name


@pytest.mark.parametrize("text", ["", " \n-- ", "12/3 140/90", "37,2 ℃; 98 %", "（1）、2。"])
def test_text_without_words_is_not_held(text: str) -> None:
    assert tell(text).wordless
    assert decide(text).language == "en"
    assert decide(text, default="nl").language == "nl"


@given(texts)
def test_any_text_is_told_or_held(text: str) -> None:
    told = tell(text)
    assert told.language in ("", *LANGUAGES)
    assert bool(told.problem) != bool(told.language or told.wordless)
    assert 0 <= told.sure <= 1


HOSTILE: dict[str, Callable[[int], str]] = {
    "letters": lambda size: "".join(chr(97 + (at * at + at // 7) % 26) if at % 6 else " " for at in range(size)),
    "one letter": lambda size: "a" * size,
    "NUL": lambda size: "\0" * size,
    "emoji": lambda size: "\U0001f600" * size,
    "all letters": lambda size: "".join(chr(0x250 + at % 40_000) for at in range(size)),
    "kana": lambda size: "の漢\n" * (size // 3),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_held_in_linear_time(name: str) -> None:
    tell("warm")
    took = []
    for size in (100_000, 1_000_000):
        text = HOSTILE[name](size)
        times = []
        for _ in range(3):
            begin = time.process_time()
            assert tell(text).problem
            times.append(time.process_time() - begin)
        took.append(min(times))
    assert took[1] < 60 * max(took[0], 0.02), took


# -- what a record states

STATED = [
    ("en", "en"), ("EN-us", "en"), ("eng", "en"), ("Spanish", "es"), ("es_MX", "es"), ("español", "es"),
    ("4182503", "nl"), ("zh-Hant-TW", "zh"), ("de", "de"), ("de-DE", "de"), ("German", "de"), ("por", "pt"),
    ("4182504", "de"), ("4182507", "it"), ("4181536", "pt"), ("Tedesco", "de"), ("fr_CA", "fr"),
    ("ja", "ja"), ("xx", "xx"), ("4180190", "fr"), ("Klingon words", "?"), ("4182511999", "?"), ("Jane Roe", "?"),
    ("", ""), (None, ""), (" ", ""), ("und", ""), ("unknown", ""), ("0", ""),
]  # fmt: skip


@pytest.mark.parametrize(("said", "code"), STATED)
def test_codes(said: object, code: str) -> None:
    assert language_code(said) == code


def test_what_is_a_language() -> None:
    assert [said for said in ("de-DE", "Dutch", "xx", "Jane Roe", "") if is_language(said)] == ["de-DE", "Dutch"]


@pytest.mark.parametrize(
    ("text", "options", "language", "why"),
    [
        (ENGLISH, {"stated": "en-GB"}, "en-GB", ""),
        (ENGLISH, {"stated": "sv"}, "", "language-not-supported: sv"),
        (ENGLISH, {"stated": "sv-SE"}, "", "language-not-supported: sv"),
        (ENGLISH, {"stated": "xx"}, "", "language-not-supported: xx"),
        (ENGLISH, {"stated": "xx", "language": "en"}, "en", ""),
        (ENGLISH, {"stated": "xx", "default": "en"}, "", "language-not-supported: xx"),
        (ENGLISH, {"stated": ""}, "en", ""),
        (SWEDISH, {"stated": "nl"}, "", "language-not-supported: sv?"),
        (SWEDISH, {"stated": "nl", "language": "nl"}, "nl", ""),
        (SWEDISH, {"default": "en"}, "", "language-not-supported: sv?"),
        (DUTCH, {"stated": "nl"}, "nl", ""),
        ("Roe, knie", {"stated": "nl"}, "nl", ""),
        ("Roe, knie", {}, "", "language-not-told"),
        ("Roe, knie", {"default": "nl"}, "nl", ""),
        ("Roe, knie", {"around": f"Roe, knie\n{DUTCH}"}, "nl", ""),
        (SWEDISH, {"around": f"{SWEDISH}\n{DUTCH}\n{DUTCH}"}, "", "language-not-supported: sv?"),
    ],
)
def test_what_is_decided(text: str, options: dict[str, Any], language: str, why: str) -> None:
    decided = decide(text, **options)
    assert (decided.language, decided.why) == (language, why)


def test_text_in_another_of_our_languages_than_stated_is_looked_at_in_both() -> None:
    decided = decide(ENGLISH, stated="nl")
    assert (decided.language, decided.also) == ("nl", ("en",))


# -- through the doors


def test_a_run_holds_rows_and_no_more() -> None:
    said = ["en", "sv", "sv-SE", "Swedish", "dan", "xx", "", "nl"]
    rows = {"note": [ENGLISH] * 6 + [SWEDISH, SWEDISH], "id": list("abcdefgh"), "said": said}
    columns = Columns(("note",), "id", language="said")
    (out,) = clean([pa.RecordBatch.from_pydict(rows)], How(columns, effort="rules"))
    found = [Receipt.read(receipts[0]) for receipts in out["elision_receipts"].to_pylist()]
    assert [one.why for one in found] == [
        "", *["language-not-supported: sv"] * 3, "language-not-supported: da", "language-not-supported: xx",
        *["language-not-supported: sv?"] * 2,
    ]  # fmt: skip
    assert [text is None for text in out["note"].to_pylist()] == [False, *[True] * 7]
    assert (found[0].language, found[0].language_sure) == ("en", 1)


def test_chinese_names_amid_english_are_found() -> None:
    text = "Brought in by her daughter 林淑芬 after a fall at home, the hip is painful and she cannot walk."
    assert elision.deidentify(text) == text.replace("林淑芬", "[NAME]")
    rows = pa.RecordBatch.from_pydict({"note": [text]})
    (out,) = clean([rows], How(Columns(("note",))))
    assert out["note"].to_pylist() == [text.replace("林淑芬", "[NAME]")]
    receipt = Receipt.read(out["elision_receipts"].to_pylist()[0][0])
    assert (receipt.language, receipt.language_sure > 0.9) == ("en+zh", True)


def test_the_english_pack_leaves_chinese_characters_to_the_chinese_one() -> None:
    text = "病人 Jane Roe 陳女士。 Seen 陳 on May 3"
    document = Document(text, language="zh", also=("en",))
    finds = ("病人 Jane Roe 陳女士", "陳", "陳 on May 3")
    spans = tuple(Span(text.index(find), text.index(find) + len(find), "NAME") for find in finds)

    def english(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [spans for _ in documents]

    (found,) = beside("zh-TW", [as_detector(english)])[0].detect([document])
    assert [document.text_of(span).strip() for span in found] == ["Jane Roe", "on May 3"]
    assert beside("en", [as_detector(english)])[0].detect([document]) == [spans]


def test_terse_english_is_not_spanish() -> None:
    text = "72 y.o. male, presented with chest pain. Wife Jane Roe, lives at 12 Oak Street."
    assert "Roe" not in elision.deidentify(text)


def test_the_command_line_holds_what_is_not_ours(tmp_path: Path) -> None:
    Key.new().write(tmp_path / "k")
    note, out, receipt = (tmp_path / name for name in ("note.txt", "out.txt", "receipt.jsonl"))
    note.write_text(SWEDISH, "utf-8")
    arguments = ["deidentify", str(note), "-o", str(out), "--key", str(tmp_path / "k"), "--receipt", str(receipt)]
    done = CliRunner().invoke(app, [*arguments, "--default-language", "nl"])
    assert isinstance(done.exception, HeldError)
    *most, last = served()
    ours = f"elision works on {', '.join(most)} and {last}"
    assert f"language-not-supported: sv?; nothing was written; {ours}" in str(done.exception)
    assert "Roe" not in str(done.exception)
    assert not out.exists()
    (held, _) = map(json.loads, receipt.read_text().splitlines())
    assert (held["status"], held["why"]) == ("held", "language-not-supported: sv?")
    done = CliRunner().invoke(app, [*arguments, "--language", "nl", "--force"])
    assert not done.exception
    assert out.exists()


def test_a_default_that_is_none_of_ours_serves_nothing() -> None:
    """Also where nobody has looked at the code before."""
    assert decide(SWEDISH, default="sv").why == "language-not-supported: sv?"
    with pytest.raises(LabelError, match="no language 'sv'"):
        Engine(How(Columns(texts=("text",)), default_language="sv"))
    with pytest.raises(LabelError, match="no language 'sv'"):
        next(cleaned_rows([], How(Columns(texts=("text",)), default_language="sv"), Deidentifier([Rules("en")])), None)


def test_a_folder_that_is_called_like_a_language_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sv").mkdir()
    (tmp_path / "sv" / "own.toml").write_text(
        '[[rule]]\nname = "x"\nlabel = "OTHER"\npattern = "zed9"\nhits = ["[zed9]"]\nmisses = ["zed"]\n'
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuleError, match="no such language"):
        detectors_for("sv")
