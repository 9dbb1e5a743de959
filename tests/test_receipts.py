"""Receipts: what they say and never say, and that whatever is changed afterwards is found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import elision
from elision.document import Document
from elision.errors import ReceiptError
from elision.evidence import verify as checking
from elision.evidence.receipts import Receipt, Seen, Total, canonical, write_receipts
from elision.evidence.verify import Finding, verify
from elision.keys import Key
from elision.policy import Policy, Rule

GOLDEN = Path(__file__).parent / "golden" / "receipts" / "run.jsonl"
KEY = Key(bytes(range(32)))
OTHER = Key(bytes(32))
POLICY = Policy("ours", "what the hospital agreed on", {"*": Rule("tag")}, digest="d" * 64)
SEEN = (Seen("rules:en", "3"), Seen("KnownValues"))

BEFORE = [
    Document("Jane Roe, seen 3 May.", "ward/1", patient="p1", language="en", sure=0.98),
    Document("Nothing here.", "ward/2"), Document("Too long a note", "ward/3"),
    Document("李明，男", "ward/4", language="zh", also=("en",)),
]  # fmt: skip
AFTER = [
    replace(BEFORE[0], text="[NAME], seen [DATE]."), BEFORE[1], None, replace(BEFORE[3], text="[NAME]，男"),
]  # fmt: skip


def receipts(key: Key | None = KEY) -> list[Receipt]:
    first, second, third, fourth = zip(BEFORE, AFTER, strict=True)
    spans = {"NAME_PATIENT": {"tag": 1}, "DATE": {"tag": 1}}
    return [
        Receipt.of(*first, policy=POLICY, key=key, detectors=SEEN, spans=spans, warnings={"no-stand-in": 1}, dial=0.95),
        Receipt.of(*second, policy=POLICY, key=key, detectors=SEEN, dial=0.95),
        Receipt.of(*third, policy=POLICY, key=key, detectors=SEEN, why="rules:en: TimeoutError", dial=0.95),
        Receipt.of(*fourth, policy=POLICY, key=key, detectors=SEEN, spans={"NAME_PATIENT": {"tag": 1}}, dial=0.95),
    ]


def outputs() -> list[Document]:
    return [document for document in AFTER if document is not None]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    file = tmp_path / "receipts.jsonl"
    write_receipts(file, receipts(), KEY)
    return file


def found(findings: Sequence[Finding]) -> dict[str, str]:
    """What is wrong, by note."""
    return {finding.note: finding.what for finding in findings if not finding.ok}


def test_the_golden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elision, "__version__", "0.0.0")
    write_receipts(tmp_path / "run.jsonl", receipts(), KEY)
    assert (tmp_path / "run.jsonl").read_bytes() == GOLDEN.read_bytes()


def test_a_later_version_verifies_the_golden_file() -> None:
    findings = verify(GOLDEN, outputs(), KEY)
    assert not found(findings)
    assert [(finding.note, finding.what, finding.line) for finding in findings] == [
        ("ward/1", checking.OK, 1), ("ward/2", checking.OK, 2), ("ward/4", checking.OK, 4),
        ("ward/3", checking.OK_HELD, 3),
    ]  # fmt: skip


def test_a_receipt_says_what_was_done_and_no_word_of_the_note() -> None:
    done, _, held, _ = receipts()
    assert done.seen == (Seen("rules:en", "3", 21), Seen("KnownValues", "", 21))
    assert (done.status, done.characters, done.policy, done.policy_digest) == ("done", 21, "ours", "d" * 64)
    assert done.key == KEY.id
    assert (held.status, held.why, held.output) == ("held", "rules:en: TimeoutError", "")
    assert {seen.characters for seen in held.seen} == {0}
    for line in (receipt.line() for receipt in receipts()):
        for word in ("Jane", "Roe", "seen 3", "May", "long", "Nothing", "\\u674e"):
            assert word not in line


def test_hashes_are_keyed_and_tell_the_sides_apart() -> None:
    mine, theirs = receipts(), receipts(OTHER)
    hashes = [hash for one in (*mine, *theirs) for hash in (one.input, one.output) if hash]
    assert len(set(hashes)) == len(hashes) == 14
    assert [(one.input, one.output) for one in receipts()] == [(one.input, one.output) for one in mine]


def test_without_a_key_there_are_no_hashes_and_nothing_to_verify(tmp_path: Path) -> None:
    assert all(not (one.input or one.output or one.signature or one.key) for one in receipts(None))
    write_receipts(tmp_path / "r.jsonl", receipts(None), None)
    with pytest.raises(ReceiptError, match=r"r.jsonl:1: this receipt was made without a key"):
        verify(tmp_path / "r.jsonl", outputs(), KEY)


def test_the_summary_adds_up(run: Path) -> None:
    summary = json.loads(run.read_text().splitlines()[-1])
    assert {name: summary[name] for name in ("notes", "done", "held", "characters", "first", "last")} == {
        "notes": 4, "done": 3, "held": 1, "characters": 53, "first": "ward/1", "last": "ward/4",
    }  # fmt: skip
    assert summary["spans"] == {"DATE": {"tag": 1}, "NAME_PATIENT": {"tag": 2}}
    assert summary["warnings"] == {"no-stand-in": 1}
    assert write_receipts(run, [], KEY)["notes"] == 0
    assert found(verify(run, [], KEY)) == {}


def test_lines_as_notes_go_by_are_the_file(run: Path) -> None:
    total = Total(KEY)
    lines = [total.add(receipt) for receipt in receipts()]
    assert "\n".join((*lines, canonical(total.summary()), "")) == run.read_text()


def test_notes_that_do_not_agree(run: Path) -> None:
    first, second, fourth = outputs()
    assert found(verify(run, outputs(), KEY)) == {}
    assert found(verify(run, [replace(first, text=first.text + " "), second, fourth], KEY)) == {
        "ward/1": checking.CHANGED
    }
    assert found(verify(run, [replace(first, text=second.text), second, fourth], KEY)) == {"ward/1": checking.CHANGED}
    assert found(verify(run, [replace(second, id="ward/1"), replace(first, id="ward/2"), fourth], KEY)) == {
        "ward/1": checking.CHANGED, "ward/2": checking.CHANGED,
    }  # fmt: skip
    assert found(verify(run, [first, fourth], KEY)) == {"ward/2": checking.MISSING}
    assert found(verify(run, [*outputs(), BEFORE[2]], KEY)) == {"ward/3": checking.PRESENT}
    assert found(verify(run, [*outputs(), Document("x", "ward/9")], KEY)) == {"ward/9": checking.EXTRA}
    assert found(verify(run, [*outputs(), first], KEY)) == {"ward/1": checking.EXTRA}


CHANGES: list[tuple[str, Any]] = [
    ("note", "ward/9"), ("status", "held"), ("why", "x"), ("elision", "9.9"), ("input", "0" * 64), ("output", "0" * 64),
    ("characters", 20), ("language", "nl"), ("language_sure", 1.0),
    ("seen", []), ("seen", [{"name": "rules:en", "version": "4", "characters": 21}]), ("spans", {}),
    ("spans", {"DATE": {"keep": 1}}), ("dial", None), ("dial", 0.5), ("policy", "theirs"), ("policy_digest", "e" * 64),
    ("options", {"years": "keep"}),
    ("lists", "y"), ("warnings", {}), ("signature", "0" * 64), ("signature", "é"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_changed_field_is_found(run: Path, name: str, value: object) -> None:
    lines = run.read_text().splitlines()
    run.write_text("\n".join((canonical({**json.loads(lines[0]), name: value}), *lines[1:], "")))
    wrong = found(verify(run, outputs(), KEY))
    assert wrong["ward/9" if name == "note" else "ward/1"] == checking.ALTERED
    assert wrong[""] == checking.UNFIT


def test_every_field_is_tried() -> None:
    assert {field.name for field in fields(Receipt)} == {name for name, _ in CHANGES} | {"key"}


def test_a_receipt_signed_with_another_key_is_an_error(run: Path) -> None:
    with pytest.raises(ReceiptError, match=r":1: was not signed with this key"):
        verify(run, outputs(), OTHER)


def test_a_forged_file_does_not_pass(tmp_path: Path) -> None:
    forged = [replace(one, key=KEY.id) for one in receipts(OTHER)]
    write_receipts(tmp_path / "r.jsonl", forged, OTHER)
    wrong = found(verify(tmp_path / "r.jsonl", outputs(), KEY))
    assert [wrong[f"ward/{number}"] for number in (1, 2, 3, 4)] == [checking.ALTERED] * 4
    assert wrong[""] == checking.UNFIT


def test_lines_lost_added_moved_or_doubled_are_found(run: Path) -> None:
    lines = run.read_text().splitlines()

    def wrong(kept: list[str]) -> dict[str, str]:
        run.write_text("\n".join((*kept, "")))
        return found(verify(run, outputs(), KEY))

    assert wrong(lines[:-1]) == {"": checking.NO_SUMMARY}
    assert wrong([*lines[:1], *lines[2:]]) == {"": checking.UNFIT, "ward/2": checking.EXTRA}
    assert wrong([lines[1], lines[0], *lines[2:]]) == {"": checking.UNFIT}
    assert wrong([*lines[:2], lines[0], *lines[2:]]) == {"ward/1": checking.TWICE, "": checking.UNFIT}
    assert wrong([*lines, lines[0]])[""] == checking.UNFIT
    assert wrong([*lines, lines[-1]])[""] == checking.UNFIT
    assert wrong([]) == {"": checking.NO_SUMMARY, **{document.id: checking.EXTRA for document in outputs()}}


@given(st.data())
def test_any_byte_changed_is_found(tmp_path: Path, data: st.DataObject) -> None:
    raw = bytearray(GOLDEN.read_bytes())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != raw[at]))
    file = tmp_path / "changed.jsonl"
    try:
        file.write_bytes(bytes(raw))
        wrong = found(verify(file, outputs(), KEY))
    except ReceiptError:
        return
    finally:
        file.unlink()
    assert wrong


ODD = [
    ("{", "not valid JSON"), ("[]", "a JSON object"), ("{}", "no receipt of this version"),
    ('{"a": 1, "a": 2}', "twice"),
    ("\x00", "not valid JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "said"), ODD)
def test_what_is_no_receipt_is_an_error_with_its_line(run: Path, line: str, said: str) -> None:
    run.write_text(run.read_text() + line + "\n")
    lines = run.read_text().splitlines()
    run.write_text("\n".join((lines[0], line, *lines[1:])))
    with pytest.raises(ReceiptError, match=rf"receipts.jsonl:2: .*{said}"):
        verify(run, outputs(), KEY)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("note", 1), ("status", "lost"), ("characters", -1), ("characters", True), ("characters", "1"), ("seen", {}),
        ("seen", [{"name": "x"}]), ("seen", [{"name": 1, "version": "", "characters": 0}]), ("spans", {"DATE": 1}),
        ("spans", {"DATE": {"tag": -1}}), ("dial", "x"), ("dial", True), ("warnings", []), ("warnings", {"x": None}),
    ],
)  # fmt: skip
def test_a_field_of_another_kind_is_an_error(name: str, value: object) -> None:
    row = {**receipts()[0].row(), name: value}
    with pytest.raises(ReceiptError, match=name):
        Receipt.read(json.dumps(row))


words = st.text(max_size=12)
counts = st.dictionaries(words, st.integers(0, 10**12), max_size=3)


@given(
    st.builds(
        Receipt,
        note=words, status=st.sampled_from(["done", "held"]), why=words, elision=words, input=words, output=words,
        characters=st.integers(0, 10**12), seen=st.lists(st.builds(Seen, words, words, st.integers(0, 9))).map(tuple),
        spans=st.dictionaries(words, counts, max_size=3), dial=st.none() | st.floats(0, 1), policy=words,
        policy_digest=words, key=words, lists=words, warnings=counts, signature=words,
    )
)  # fmt: skip
def test_what_is_written_is_read(receipt: Receipt) -> None:
    line = receipt.line()
    assert Receipt.read(line) == receipt
    assert "\n" not in line
    assert line.isascii()


@pytest.mark.parametrize("more", ["\n", " \n", "\t\r\n"])
@pytest.mark.parametrize("at", [0, 2, 4, 5])
def test_a_line_without_anything_is_an_alteration(more: str, at: int, run: Path) -> None:
    lines = run.read_text().splitlines(keepends=True)
    assert len(lines) == 5
    run.write_text("".join((*lines[:at], more, *lines[at:])), newline="")
    wrong = [finding for finding in verify(run, outputs(), KEY) if not finding.ok]
    assert [(finding.what, finding.line) for finding in wrong] == [(checking.UNFIT, at + 1)]


def test_a_byte_order_mark_is_an_alteration(run: Path) -> None:
    run.write_bytes(b"\xef\xbb\xbf" + run.read_bytes())
    with pytest.raises(ReceiptError):
        verify(run, outputs(), KEY)
