from __future__ import annotations

from pathlib import Path

import pytest

from elision.errors import SynthError
from elision.synth.expand import Expander
from elision.synth.grammar import Alternative, Patients, Ref, Repeat, Slot
from elision.synth.reading import parse, read_grammar, read_grammars
from tests.synth.small import cast, expanded, write

READ = [
    ("note = a b", ("a b",)),
    ("note = # a comment\n  | a  # another", ("a",)),
    ("note =\n  | a\n    b", ("a b",)),  # a broken line
    (r"note = a\nb\tc\\d\{e\}\<f>\#", ("a\nb\tc\\d{e}<f>#",)),
    ("note = 3 < 4, <5", ("3 < 4, <5",)),
    ("note = a|b", ("a|b",)),
    ("note = {x}, {x*2-3|, }\nx = a", (Ref("x"), ", ", Repeat("x", 2, 3, ", "))),
    (r"note = {x*2|\n- }" + "\nx = a", (Repeat("x", 2, 2, "\n- "),)),
    ("note = <patient:full> <mrn> <date:visit,short>", (Slot("patient", ("full",)), " ", Slot("mrn", ("",)), " ",
    Slot("date", ("visit", "short")))),
    ("note = <hospital,2,caps>", (Slot("hospital", ("2", "caps")),)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parts"), READ)
def test_an_alternative_is_read(text: str, parts: tuple[object, ...]) -> None:
    assert parse(text).symbols["note"][0].parts == parts


def test_alternatives_have_weights() -> None:
    rows = parse("note = a | 2.5: b | .5: c | 0: d\n  | 1: 3: e").symbols["note"]
    assert [(row.weight, row.parts) for row in rows] == [
        (1.0, ("a",)), (2.5, ("b",)), (0.5, ("c",)), (0.0, ("d",)), (1.0, ("3: e",)),
    ]  # fmt: skip


def test_choices_and_chances_are_symbols_of_their_own() -> None:
    grammar = parse("note = {=a/{x} <mrn>/} {x?.3}\nx = b")
    first, _, second = grammar.symbols["note"][0].parts
    assert isinstance(first, Ref)
    assert isinstance(second, Ref)
    assert [row.parts for row in grammar.symbols[first.symbol]] == [("a",), (Ref("x"), " ", Slot("mrn", ("",))), ()]
    assert [(row.weight, row.parts) for row in grammar.symbols[second.symbol]] == [(0.3, (Ref("x"),)), (0.7, ())]


WRONG = [
    ("x = a", "no symbol note"),
    ("note = {x}", "grammar:1: there is no symbol x"),
    ("note = a\n\nnote = b", "grammar:3: symbol note stands there before"),
    ("note =\n  | {note} a", "never ends"),
    ("note = {x}\nx = {y} | {y}\ny = {x}", "never ends"),
    ("note = {x", "grammar:1: a brace"),
    ("note = a}", "closing brace"),
    ("note = {=a/b", "without end"),
    ("note = <patient full>", "a slot without end"),
    ("note = {x?2}\nx = a", "a chance lies between 0 and 1"),
    ("note = {x*3-2}\nx = a", "the fewer first"),
    ("note =", "has no alternative"),
    ("note = 0: a", "weight 0"),
    ("  | a", "before any symbol"),
    ("Note: a", "neither a symbol"),
    ("include other.grammar", "only a file can include"),
    ("note = a\\", "ends in a backslash"),
    ("note = <mark:NAME_PATIENT,x>", "there is no symbol x"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SynthError, match=message.replace("(", r"\(")):
        parse(text)


def test_grammars_share_symbols(tmp_path: Path) -> None:
    write(tmp_path, a="include b.grammar\ninclude c.grammar\nnote = {x}{y}", b="include c.grammar\nx = 1", c="y = 2")
    assert Expander(read_grammar(tmp_path / "a.grammar")).expand(cast())[0] == "12"


def test_held_out_grammars_share_nothing_with_others(tmp_path: Path) -> None:
    write(tmp_path, held_out_a="include b.grammar\nnote = {x}", b="x = 1")
    with pytest.raises(SynthError, match=r"held_out_a.grammar:1: held-out grammars include none"):
        read_grammar(tmp_path / "held_out_a.grammar")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SynthError, match=r"no\.grammar: cannot be read"):
        read_grammar(tmp_path / "no.grammar")
    (tmp_path / "latin.grammar").write_bytes(b"note = \xe9")
    with pytest.raises(SynthError, match="not UTF-8"):
        read_grammar(tmp_path / "latin.grammar")


def test_a_grammar_names_its_countries(tmp_path: Path) -> None:
    write(tmp_path, a="countries AU GB\ninclude b.grammar\nnote = {x}", b="countries US\nx = 1")
    assert read_grammar(tmp_path / "a.grammar").countries == {"AU", "GB"}


@pytest.mark.parametrize(
    ("line", "patients"),
    [("patients f", ("f", 0, 150)), ("patients 0-17", ("", 0, 17)), ("patients m 50-90", ("m", 50, 90))],
)
def test_a_grammar_names_its_patients(line: str, patients: tuple[str, int, int]) -> None:
    assert parse(f"{line}\nnote = a").patients == patients
    assert parse("note = a").patients is None


def test_depths_count_the_steps_to_the_end() -> None:
    assert parse("note = {x} | {y}\nx = {y} a\ny = b | {note}").depths == {"note": 2, "x": 2, "y": 1}


def test_recursion_ends() -> None:
    text = expanded("note = {x}\nx = 1: a | 50: b{x}")
    assert set(text) == {"a", "b"}
    assert len(text) < 80
    explosive = "note = {x}\nx = 1: . | 9: {x}{x}{x}{x}"
    assert len(expanded(explosive)) < 1_000_000


GAPS = [
    ("note = a {x?0} b\nx = 1", "a b"),
    ("note = {x?0} b\nx = 1", "b"),
    ("note = a ({x?0} b)\nx = 1", "a (b)"),
    ("note = a {x} b\nx = |", "a b"),
    ("note = a {x?1} b\nx = 1", "a 1 b"),
    ("note = a  b", "a  b"),
    ("note = {x*3|, }\nx = a", "a"),  # none twice
    (r"note = {x*2-2|\n}" + "\nx = a | b", "b\na"),
    ("note = <mark:PROFESSION,x>\nx = welder, <city>", None),
]


@pytest.mark.parametrize(("grammar", "text"), GAPS)
def test_what_is_left_out_leaves_no_second_blank(grammar: str, text: str | None) -> None:
    found = expanded(grammar)
    if text is None:
        assert found.startswith("[PROFESSION welder, ")
        assert found.count("[") == 1
    elif "x = a | b" in grammar:
        assert sorted(found.split("\n")) == ["a", "b"]
    else:
        assert found == text


def test_weights_are_kept() -> None:
    grammar = "note = {x*200|}\nx = 1: <n:1-9999999>a | 9: <n:1-9999999>b"
    text = expanded(grammar)
    assert 0.02 < text.count("a") / (text.count("a") + text.count("b")) < 0.2


def test_an_alternative_can_be_compared() -> None:
    assert Alternative(1.0, ("a",), "f:1") == parse("note = a", "f").symbols["note"][0]


def test_whole_notes_stand_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "written.notes"
    path.write_text(
        "==== AU GB f 20-50\n  Dear {=Ann/Bea},\n\n\t1 | 2  # not a comment\n====\n2: second <dob>\n", "utf-8"
    )
    first, second = read_grammars(path)
    assert (first.name, first.patients) == ("written-2", Patients("f", 20, 50))
    assert set(first.countries) == {"AU", "GB"}
    assert (second.name, second.patients, second.countries) == ("written-6", None, frozenset())
    assert {Expander(first).expand(cast(number))[0] for number in range(20)} == {
        f"Dear {name},\n\n\t1 | 2  # not a comment" for name in ("Ann", "Bea")
    }
    text, spans = Expander(second).expand(cast())
    assert text.startswith("2: second ")
    assert [span.label for span in spans] == ["DATE_BIRTH"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a note\n====\nanother", r"written\.notes:1: notes begin behind a line ===="),
        ("====\n\n====\nanother", r"written\.notes:2: an empty note"),
        (
            "====\na\n==== women\nanother",
            r"written\.notes:2: an empty note, or a line ==== with something else than countries",
        ),
        ("====\na\n====\nb\n{x}", r"written\.notes:4: there is no symbol x"),
    ],
)
def test_what_is_wrong_with_whole_notes_is_said_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "written.notes").write_text(text, "utf-8")
    with pytest.raises(SynthError, match=message):
        read_grammars(tmp_path / "written.notes")
