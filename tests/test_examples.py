"""The example notes are what examples/README.md says: read back, consistent, and nobody's."""

from __future__ import annotations

import csv
import re
import shlex
import unicodedata
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.document import Document, Span, first_overlap
from elision.formats import guess, read
from elision.labels import canonical, mapping, tag_set
from tests.check_digits import (
    bsn,
    curp,
    dni,
    iban,
    luhn,
    nhs,
    resident_id,
    spanish_account,
    spanish_social_security,
    taiwan_id,
)

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
GOLD, SYSTEM = EXAMPLES / "notes" / "gold", EXAMPLES / "notes" / "system"
README = (EXAMPLES / "README.md").read_text("utf-8")
LANGUAGES = ("en", "es", "nl", "zh")
IDS = sorted(file.relative_to(GOLD).with_suffix("").as_posix() for file in GOLD.rglob("*.txt"))
LINE = re.compile(r"T(\d+)\t([A-Z_]+) (\d+ \d+(?:;\d+ \d+)*)\t([^\t]+)")


def notes(folder: Path) -> dict[str, Document]:
    return {note.id: note for note in read(folder, "brat")}


@pytest.fixture(scope="module")
def gold() -> dict[str, Document]:
    return notes(GOLD)


@pytest.fixture(scope="module")
def system() -> dict[str, Document]:
    return notes(SYSTEM)


def values(gold: dict[str, Document], *labels: str) -> list[str]:
    """What stands in the notes under these labels, full-width characters made narrow."""
    return [
        unicodedata.normalize("NFKC", note.text_of(span))
        for note in gold.values()
        for span in note.spans
        if span.label in labels
    ]


def test_both_sides_hold_the_same_notes(gold: dict[str, Document], system: dict[str, Document]) -> None:
    assert sorted(gold) == sorted(system) == IDS
    assert {id: note.text for id, note in gold.items()} == {id: note.text for id, note in system.items()}
    for folder in (GOLD, SYSTEM):
        names = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        assert names == {id + suffix for id in IDS for suffix in (".txt", ".ann")}


def test_a_folder_of_them_is_guessed_as_brat() -> None:
    assert guess(GOLD)[0].name == guess(SYSTEM / "en")[0].name == "brat"


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("folder", [GOLD, SYSTEM], ids=["gold", "system"])
def test_files_say_what_the_spans_say(folder: Path, id: str) -> None:
    text = (folder / f"{id}.txt").read_bytes().decode()
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text
    for number, line in enumerate((folder / f"{id}.ann").read_bytes().decode().splitlines(), 1):
        match = LINE.fullmatch(line)
        assert match
        pieces = [tuple(map(int, piece.split())) for piece in match[3].split(";")]
        assert int(match[1]) == number
        assert " ".join(text[a:b] for a, b in pieces) == match[4]


def test_spans_are_sound(gold: dict[str, Document], system: dict[str, Document]) -> None:
    for note in (*gold.values(), *system.values()):
        assert note.spans
        assert first_overlap(note.spans) is None
        assert list(note.spans) == sorted(note.spans, key=lambda span: span.start)
        for span in note.spans:
            assert span.label in canonical()
            assert note.text_of(span) == note.text_of(span).strip() != ""


def test_one_gold_span_crosses_a_line_break(gold: dict[str, Document]) -> None:
    crossing = [
        (id, note.text_of(span)) for id, note in gold.items() for span in note.spans if "\n" in note.text_of(span)
    ]
    assert crossing == [("en/discharge-summary", "Harlow Falls\nCommunity Hospital")]


def test_every_label_occurs(gold: dict[str, Document]) -> None:
    labels = {language: set[str]() for language in LANGUAGES}
    for id, note in gold.items():
        labels[id.split("/")[0]] |= {span.label for span in note.spans}
    assert set.union(*labels.values()) == set(canonical())
    assert [language for language in LANGUAGES if labels[language] & {"SEX", "FAMILY_RELATION"}] == ["es"]
    assert [language for language in LANGUAGES if "ADDRESS" in labels[language]] == ["zh"]


def test_notes_are_of_the_length_of_notes(gold: dict[str, Document]) -> None:
    """In words; a Chinese word has about a character and a half, so 200 characters are some 130 words."""
    for id, note in gold.items():
        size = len(re.findall("[\u4e00-\u9fff]", note.text)) / 1.5 if id.startswith("zh/") else len(note.text.split())
        assert 80 <= size <= 350, id


def test_the_list_names_every_note() -> None:
    with (EXAMPLES / "notes" / "notes.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["id", "language", "patient", "kind"]
    assert sorted(row["id"] for row in rows) == IDS
    assert all(row["language"] == row["id"].split("/")[0] and row["kind"] for row in rows)
    patients = [row["patient"] for row in rows]
    twice = {patient for patient in patients if patients.count(patient) == 2}
    assert sorted(patient.split("-")[0] for patient in twice) == list(LANGUAGES)
    assert all(patients.count(patient) == 1 for patient in set(patients) - twice)


def test_brat_configuration_lists_the_labels() -> None:
    lines = (EXAMPLES / "notes" / "annotation.conf").read_text("utf-8").splitlines()
    entities = lines[lines.index("[entities]") + 1 : lines.index("[relations]")]
    assert [line for line in entities if line] == list(canonical())


def strict_f1(gold: list[Document], system: list[Document]) -> float:
    pairs = [({(s.start, s.end, s.label) for s in g.spans}, {(s.start, s.end, s.label) for s in p.spans})
             for g, p in zip(gold, system, strict=True)]  # fmt: skip
    return 2 * sum(len(g & p) for g, p in pairs) / sum(len(g) + len(p) for g, p in pairs)


def test_scores_are_those_of_the_readme(gold: dict[str, Document], system: dict[str, Document]) -> None:
    for language in LANGUAGES:
        ids = [id for id in IDS if id.startswith(language + "/")]
        f1 = strict_f1([gold[id] for id in ids], [system[id] for id in ids])
        spans = sum(len(gold[id].spans) for id in ids)
        row = next(line for line in README.splitlines() if line.startswith(f"| `{language}` |"))
        assert row.endswith(f"| {spans} | {f1:.3f} |".replace("0.", "."))
    assert f"{len(IDS)} notes, {sum(len(note.spans) for note in gold.values())} spans" in README


def errors(gold: Document, system: Document) -> set[str]:
    """The kinds of error in a note, by how a wrong span lies to those that ought to be there."""
    kinds: set[str] = set()
    for span in system.spans:
        near = [right for right in gold.spans if right.overlaps(span)]
        if not near:
            kinds.add("spurious")
        elif len(near) > 1:
            kinds.add("joined")
        elif (span.start, span.end) == (near[0].start, near[0].end):
            kinds |= {"type"} if span.label != near[0].label else set()
        else:
            kinds.add("short" if len(span) < len(near[0]) else "long")
            kinds |= {"short and type"} if span.label != near[0].label else set()
    for right in gold.spans:
        kinds |= {0: {"missing"}, 1: set[str](), 2: {"split"}}[sum(right.overlaps(span) for span in system.spans)]
    return kinds


def test_the_errors_are_sorted_rightly() -> None:
    right = Document("Dr Ann Roe-Poe, 3 May, Ayr", "n", spans=(Span(3, 14, "NAME_CLINICIAN"), Span(16, 21, "DATE")))
    assert errors(right, right) == set()
    assert errors(right, right.with_spans([Span(0, 14, "NAME_CLINICIAN")])) == {"long", "missing"}
    assert errors(right, right.with_spans([Span(3, 6, "AGE"), Span(7, 14, "AGE"), Span(16, 21, "AGE")])) == {
        "short", "short and type", "split", "type",
    }  # fmt: skip
    assert errors(right, right.with_spans([Span(3, 21, "DATE"), Span(23, 26, "CITY")])) == {"joined", "spurious"}


def test_every_kind_of_error_is_there_and_one_note_is_perfect(
    gold: dict[str, Document], system: dict[str, Document]
) -> None:
    kinds = {id: errors(gold[id], system[id]) for id in IDS}
    assert set.union(*kinds.values()) == {
        "missing", "spurious", "type", "short", "short and type", "long", "split", "joined",
    }  # fmt: skip
    assert not kinds["en/chest-ct"]
    for language in LANGUAGES:
        found = set.union(*(kinds[id] for id in IDS if id.startswith(language + "/")))
        assert found >= {"missing", "spurious", "type", "short", "long"}, language


CHECKED: list[tuple[str, str, str, Callable[[str], bool]]] = [
    ("nl", "NATIONAL_ID", r"9999\d{5}", bsn),
    ("es", "NATIONAL_ID", r"\d{8}[A-Z]|[XYZ]\d{7}[A-Z]", dni),
    ("es", "NATIONAL_ID", r"\d{12}", spanish_social_security),
    ("es", "NATIONAL_ID", r"[A-Z]{4}\d{6}[A-Z]{6}\d\d", curp),
    ("es", "NATIONAL_ID", r"\d{11}", luhn),
    ("zh", "NATIONAL_ID", r"3399\d{13}[\dX]", resident_id),
    ("zh", "NATIONAL_ID", r"[A-Z]\d{9}", taiwan_id),
    ("en", "MEDICAL_RECORD", r"999\d{7}", nhs),
    ("en", "ACCOUNT", r"\d{16}", luhn),
    ("zh", "ACCOUNT", r"\d{16}", luhn),
    ("nl", "ACCOUNT", r"NL\d\dFICT\d{10}", iban),
    ("es", "ACCOUNT", r"ES\d\d9999\d{16}", spanish_account),
]


@pytest.mark.parametrize(
    ("language", "label", "shape", "check"), CHECKED, ids=[f"{c[0]}-{c[3].__name__}" for c in CHECKED]
)
def test_check_digits_are_right(
    gold: dict[str, Document], language: str, label: str, shape: str, check: Callable[[str], bool]
) -> None:
    here = {id: note for id, note in gold.items() if id.startswith(language + "/")}
    numbers = [re.sub(r"\W", "", value) for value in values(here, label)]
    numbers = [number for number in numbers if re.fullmatch(shape, number)]
    assert numbers
    for number in numbers:
        assert check(number)
        others = {number[:-1] + digit for digit in "0123456789"} - {number}
        assert not all(check(other) for other in others)  # the check says no to something


def test_identity_numbers_agree_with_their_notes(gold: dict[str, Document]) -> None:
    """A Chinese resident id says the birth date and, by an even or odd digit, the sex."""
    note = gold["zh/ruyuan-jilu"]
    (number,) = values({note.id: note}, "NATIONAL_ID")
    (birth,) = values({note.id: note}, "DATE_BIRTH")
    assert number[6:14] == "{:0>4}{:0>2}{:0>2}".format(*re.findall(r"\d+", birth))
    assert int(number[16]) % 2 == 0
    assert "性别：女" in note.text


# Kept for fiction, then not in use as far as known; pagers last.
PHONES = re.compile(
    r"\d{3}55501\d\d|0255500\d{3}|0491570156|01632960\d{3}|07700900\d{3}"
    r"|(?:989|775)\d{6}|9990\d{6}|05690\d{5}|067\d{7}|154\d{8}|0586\d{8}|040\d{7}|\d{4,6}"
)


def test_nobody_can_be_reached(gold: dict[str, Document]) -> None:
    assert [phone for phone in values(gold, "PHONE", "FAX") if not PHONES.fullmatch(re.sub(r"\D", "", phone))] == []
    for address in values(gold, "EMAIL", "URL"):
        assert re.search(r"\.example(?:/|$)", address)
    documentation = [ip_network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")]
    for address in values(gold, "IP"):
        assert any(ip_address(address) in net for net in documentation)


def test_the_tag_set_has_a_place_for_every_label(gold: dict[str, Document]) -> None:
    ours = tag_set(str(EXAMPLES / "our-hospital.toml"))
    ways = mapping(tag_set("canonical"), ours)
    assert set(ways) == set(canonical())
    assert ways["NAME_PATIENT"].lossy == ""
    assert ways["CITY"].lossy != ""
    assert set(mapping(ours, tag_set("meddocan"))) == set(ours.tags)


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(compile(code, "examples/README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "adm <DATE> from <CARE_FACILITY>" in printed
    assert "Larkspur" not in printed


COMMANDS = [
    line.removeprefix("#").strip()
    for line in (README + (EXAMPLES / "our-hospital.toml").read_text("utf-8")).splitlines()
    if re.match(r"(?:#\s+)?elision ", line)
]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(EXAMPLES, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(command)[1:]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    for argument in arguments:
        if argument.startswith("demo/"):
            assert (tmp_path / argument).exists()


def test_there_are_commands() -> None:
    assert {command.split()[1] for command in COMMANDS} == {"convert", "labels", "score"}
