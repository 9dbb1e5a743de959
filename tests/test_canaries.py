"""No word of a note in what commands say: 200 planted words through damaged files and every way to be refused.

What `elision run` leaves behind is looked at in `tests/run/test_canaries.py`. All is logged that anybody would log.
"""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from elision import pipeline
from elision.cli import main
from elision.document import Document, Span
from elision.formats import FORMATS, write
from elision.keys import Key
from elision.replace import settling
from tests.run.test_canaries import NUMBER, leaked, word

DAMAGES = 6  # of each format
PER_NOTE = 20


def notes() -> list[Document]:
    """Ten notes with all the words, half of them marked as names."""
    made = []
    for at in range(0, NUMBER, PER_NOTE):
        text, spans = "", []
        for each in range(at, at + PER_NOTE):
            text += "Seen by Dr. "
            if each % 2:
                spans.append(Span(len(text), len(text) + len(word(each)), "NAME_CLINICIAN"))
            text += f"{word(each)} on 3 May 2001 & was <well>.\n"
        made.append(Document(text, f"n{at}", patient="p1", language="en", spans=tuple(spans)))
    return made


def told(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, *words: object) -> tuple[int, str]:
    """What a command says in this process, by any way, and its exit status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["elision", *map(str, words)])
        logging.captureWarnings(True)
        with pytest.raises(SystemExit) as ended, caplog.at_level(logging.DEBUG):
            main()
        logging.captureWarnings(False)
    said = capfd.readouterr()
    code = ended.value.code
    return code if isinstance(code, int) else 0, said.out + said.err + caplog.text


def damaged(raw: bytes, rng: random.Random) -> bytes:
    """A file cut short, a byte of it changed, lost or doubled, two parts of it exchanged."""
    at = rng.randrange(1, max(2, len(raw)))
    match rng.randrange(6):
        case 0:
            return raw[:at]
        case 1:
            return raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]
        case 2:
            return raw[:at] + raw[at + 1 :]
        case 3:
            return raw[:at] + raw[at - 1 :]
        case 4:
            return raw[at:]
    return raw[at:] + raw[:at]


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    format = FORMATS[name]
    source = tmp_path / ("in" if format.folder else f"in{format.suffix}")
    write(notes(), source, format)
    files = [path for path in ([source] if source.is_file() else sorted(source.rglob("*"))) if path.is_file()]
    whole = {file: file.read_bytes() for file in files}
    assert leaked(b"".join(whole.values())) or name in ("docbin", "fhir")  # in another code
    rng = random.Random(name)
    refused = 0
    for turn in range(DAMAGES):
        file = rng.choice(files)
        file.write_bytes(damaged(whole[file], rng))
        out = tmp_path / f"out{turn}.jsonl"
        code, said = told(capfd, caplog, "convert", source, out, "--format", name, "--to", "jsonl")
        assert leaked(said.encode()) == set(), said
        refused += code != 0
        code, said = told(capfd, caplog, "inspect", source)
        assert leaked(said.encode()) == set(), said
        file.write_bytes(whole[file])
    assert refused or name in ("text", "brat", "nedap", "omop", "hl7v2", "conll")  # to which nearly all is welcome


def _fails(*_: object, **__: object) -> Any:
    raise ValueError(f"could not read {[document.text for document in notes()]}")


TEXT = "".join(document.text for document in notes())
KEYED = ("--key", "project.key")
ONE = ("--language", "en", "--effort", "rules", "-o", "out.txt")
WAYS: list[tuple[str, Sequence[str]]] = [
    ("held for a label", ("deidentify", "in.txt", *ONE, "--policy", "no-rule.toml", *KEYED, "--receipt", "r.jsonl")),
    ("held for its length", ("deidentify", "in.txt", *ONE, "--max-mb", "0.001")),
    ("no language", ("deidentify", "odd.txt")),
    ("another language", ("deidentify", "in.txt", "--language", "xx")),
    ("another encoding", ("deidentify", "latin.txt", *ONE)),
    ("a folder in the way", ("deidentify", "in.txt", *ONE, "-o", "folder")),
    ("no such model", ("deidentify", "in.txt", *ONE, "--model", "folder")),
    ("a note for a policy", ("deidentify", "in.txt", *ONE, "--policy", "note.toml")),
    ("a note for rules", ("deidentify", "in.txt", *ONE, "--rules", "note.toml")),
    ("a note for a key", ("deidentify", "in.txt", *ONE, "--key", "note.key")),
    ("damaged seals", ("unseal", "sealed.txt", *KEYED)),
    ("seals of another key", ("unseal", "whole-seal.txt", "--key", "other.key")),
    ("a note for receipts", ("verify", "in.txt", "in.txt", *KEYED)),
    ("a note for columns", ("run", "in.jsonl", "-o", "out.jsonl", "--columns", "note.toml")),
    ("a note for a model", ("model", "show", "in.txt")),
    ("texts that differ", ("score", "in.jsonl", "other.jsonl")),
    ("a note for a tag set", ("convert", "in.jsonl", "o.jsonl", "--labels", "note.toml")),
]


@pytest.mark.parametrize(("what", "words"), WAYS, ids=[what for what, _ in WAYS])
def test_what_is_refused(
    what: str,
    words: Sequence[str],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text(TEXT)
    Path("odd.txt").write_text("".join(f"{word(at)} 5 " for at in range(NUMBER)))
    Path("latin.txt").write_bytes(TEXT.encode() + "señor".encode("cp1252"))
    Path("folder").mkdir()
    Path("folder", "in.txt").write_text(TEXT)
    Path("no-rule.toml").write_text('[labels]\nAGE = "tag"\n')
    Path("note.toml").write_text(TEXT)
    Path("note.key").write_text(TEXT)
    Path("note.key").chmod(0o600)
    Path("sealed.txt").write_text(f"{TEXT}[sealed:{word(1)}] [sealed:{'A' * 60}] {word(2)}")
    for name in ("project.key", "other.key"):
        Key.new().write(name)
    from elision.evidence.seal import seal

    secret = Key.read("project.key").secret("seal")
    Path("whole-seal.txt").write_text(f"{TEXT}{seal(word(3), secret, note='n', label='ID')}")
    write(notes(), Path("in.jsonl"), "jsonl")
    write([Document(one.text.upper(), one.id, spans=one.spans) for one in notes()], Path("other.jsonl"), "jsonl")
    code, said = told(capfd, caplog, *words)
    assert code != 0, said
    assert leaked(said.encode()) == set(), said
    for file in (path for path in tmp_path.iterdir() if path.name in ("r.jsonl", "out.jsonl.run", "o.jsonl")):
        assert leaked(file.read_bytes()) == set()


@pytest.mark.parametrize("where", ["merge", "rewrite", "problems", "replacements", "remembered", "Deidentifier"])
def test_what_nobody_expected(
    where: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settling if where == "merge" else pipeline, where, _fails)
    (tmp_path / "in.txt").write_text(TEXT)
    code, said = told(capfd, caplog, "deidentify", tmp_path / "in.txt", "--language", "en", "--effort", "rules")
    assert code != 0
    assert leaked(said.encode()) == set(), said
    assert "ValueError" in said
