"""`elision audit`: from what a run wrote to a report, as a user does it, and where it refuses."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from elision.cli import app
from elision.document import Document, Span
from elision.evaluate.audit.sample import read_plan
from elision.formats import read, write
from elision.review.store import Store
from tests.review.made import adjudicate, approve
from tests.test_pages import EVIL, Page

SECRET = "Quillfeather"
KINDS = ("letter", "report", "nursing")


def audit(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


def refused(*arguments: object) -> str:
    done = audit(*arguments)
    assert done.exit_code
    assert SECRET not in f"{done.output} {done.exception}"
    return str(done.exception)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """What a run wrote, as a table with the kind of each note; the name of one doctor was missed throughout."""
    rows = [
        {"id": f"note-{at}", "kind": KINDS[at % 3], "note": f"[NAME] was seen by {SECRET} {at} times. {'Well. ' * at}"}
        for at in range(30)
    ]
    file = tmp_path / "clean.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture
def sample(out: Path) -> Path:
    folder = out.parent / "audit"
    done = audit("sample", out, "--notes", 12, "--out", folder, "--seed", 3, "--by", "kind", "--design", "stratified")
    assert done.exit_code == 0, done.exception
    return folder


def marked(folder: Path, *missed: int, label: str = "NAME") -> Path:
    """The table, filled in: in the notes with these numbers the name was missed."""
    table = folder / "marks.csv"
    head, *rows = table.read_text().splitlines()
    done = [
        f"{row.partition(',')[0]},{label},{SECRET}" if at in missed else f"{row.partition(',')[0]},none,"
        for at, row in enumerate(rows, start=1)
    ]
    table.write_text("\n".join([head, *done]) + "\n")
    return table


def test_a_plan_in_plain_words() -> None:
    done = audit("plan", "--at-most-leaking", "2%")
    assert "at most 2.0 % of the notes leak" in done.output
    assert "read 149 notes" in done.output
    assert "The readers see all that was missed" in done.output
    found = json.loads(audit("plan", "--at-most-missed", "0.1", "--most", "5", "--json").output)
    assert found["plans"][0]["notes"] == 149


def test_a_plan_for_a_run_compares_the_designs(out: Path) -> None:
    found = json.loads(audit("plan", out, "--at-most-leaking", "20%", "--by", "kind", "--json").stdout)
    assert [one["design"] for one in found["plans"]] == ["simple", "stratified", "weighted"]
    assert [group["name"] for group in found["plans"][1]["groups"]] == sorted(KINDS)
    assert found["notes"] == 30
    more = json.loads(
        audit("plan", out, "--at-most-leaking", "20%", "--expect-leaking", "5%", "--power", "80%", "--json").stdout
    )
    assert more["plans"][0]["notes"] > found["plans"][0]["notes"]


def test_a_sample_is_its_owners_and_says_nothing_of_why_a_note_was_drawn(sample: Path) -> None:
    assert stat.S_IMODE(sample.stat().st_mode) == 0o700
    for path in sample.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
    plan = read_plan(sample)
    assert [(one.name, one.notes, one.read) for one in plan.strata] == [(kind, 10, 4) for kind in sorted(KINDS)]
    assert (sample / "notes" / "001.txt").exists()
    assert SECRET not in (sample / "plan.json").read_text()


def test_a_report_tells_figures_on_the_terminal_and_words_only_on_the_page(sample: Path, tmp_path: Path) -> None:
    marked(sample, 2, 5)
    html = tmp_path / "a.html"
    asked = ("report", sample, "--html", html, "--at-most-leaking", "60%")
    done, figures = audit(*asked), audit(*asked, "--force", "--json").stdout
    assert done.exit_code == 0, done.exception
    assert "In 2 of 12 notes" in done.output
    assert "is shown" in done.output
    assert SECRET not in done.output
    assert SECRET not in figures
    page = html.read_text()
    assert page.count(SECRET) == 2
    assert "This report quotes the notes" in page
    assert "script" not in Page(page).tags
    assert stat.S_IMODE(html.stat().st_mode) == 0o600
    found = json.loads(figures)
    assert found["result"]["leaking"] == 2
    assert found["result"]["share"]["value"] == pytest.approx(1 / 6)
    assert [part["name"] for part in found["labels"]] == ["NAME"]
    assert sum(part["leaking"] for part in found["strata"]) == 2
    assert {receipt["note"] for receipt in found["receipts"]} <= {f"note-{at}" for at in range(30)}


def test_a_promise_that_is_not_shown_ends_with_status_1(sample: Path) -> None:
    marked(sample, 2)
    done = audit("report", sample, "--at-most-leaking", "5%", "--at-most-missed", "0.01")
    assert done.exit_code == 1
    assert done.output.count("is NOT shown") == 2
    surer = audit("report", sample, "--confidence", "99%")
    assert "99 % interval" in surer.output


def test_a_tools_marks_and_a_second_reader(sample: Path, tmp_path: Path) -> None:
    notes = list(read(sample / "notes", "brat"))
    spans = [Span(at := note.text.index(SECRET), at + len(SECRET), "NAME") for note in notes]
    write(
        [note.with_spans([spans[at]] if at < 8 else []) for at, note in enumerate(notes)], tmp_path / "1.jsonl", "jsonl"
    )
    write(
        [note.with_spans([spans[at]] if at > 0 else []) for at, note in enumerate(notes)], tmp_path / "2.jsonl", "jsonl"
    )
    both = ("--marks", tmp_path / "1.jsonl", "--marks", tmp_path / "2.jsonl")
    assert "reader 1: 4 of 12 notes have no mark" in refused("report", sample, *both)
    asked = ("report", sample, *both, "--all-read", "--format", "jsonl")
    done = audit(*asked)
    assert done.exit_code == 0, done.exception
    found = json.loads(audit(*asked, "--json").stdout)["capture_recapture"]
    assert (found["first"], found["second"], found["both"]) == (8, 11, 7)
    assert found["unseen"] == pytest.approx(9 * 12 / 8 - 1 - 12)
    assert "independently" in done.output
    twice = refused("report", sample, "--marks", tmp_path / "1.jsonl", "--marks", tmp_path / "1.jsonl", "--all-read")
    assert "is the same twice" in twice


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1,NAME,Quillfeather\n1,NAME,Quillfeather", ":3: these words do not stand in the note, or not so often"),
        ("001,NAME,", ":2: has a label but no words"),
        ("001,none,Quillfeather", ":2: says none and has words"),
        ("001,none,\n001,NAME,Quillfeather", "note 001 has both none and words"),
        ("Quillfeather,none,", ":2: this note is not in the sample"),
        ("001,none,", "reader 1: 11 of 12 notes have no mark"),
    ],
)
def test_a_table_that_cannot_be_right(sample: Path, rows: str, message: str) -> None:
    (sample / "marks.csv").write_text(f"note,label,words\n{rows}\n")
    assert message in refused("report", sample)


def test_a_table_of_a_spreadsheet(sample: Path) -> None:
    table = marked(sample, 1)
    rows = [line.lstrip("0").replace(",", ";") for line in table.read_text().splitlines()]
    table.write_text("\ufeff" + "\r\n".join(rows), "utf-8")
    assert "In 1 of 12 notes" in audit("report", sample).output


def test_what_was_swapped_is_refused(sample: Path) -> None:
    marked(sample)
    note, plan = sample / "notes" / "004.txt", sample / "plan.json"
    kept, right = note.read_text(), plan.read_text()
    note.write_text("Nothing to see here.")
    assert "1 notes have another text than was drawn (004)" in refused("report", sample)
    note.write_text(kept)
    for old, new in (('"notes": 10', '"notes": 9'), ('"seed": 3', '"seed": 4'), ('"design"', '"desing"'), ("{", "")):
        plan.write_text(right.replace(old, new, 1))
        assert "was changed since the sample was drawn" in refused("report", sample)
    plan.write_text(right.replace('"audit": 1', '"audit": 2'))
    assert "no plan of this version" in refused("report", sample)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--notes", "31"), "31 notes cannot be read of 30"),
        (("--notes", "5", "--design", "clever"), "there are simple, stratified, weighted"),
        (("--notes", "5", "--design", "stratified", "--by", "kinds"), "no such column"),
        (("--notes", "5", "--to", "paper"), "no format 'paper'"),
    ],
)
def test_samples_that_cannot_be_drawn(out: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in refused("sample", out, "--out", out.parent / "new", *arguments)
    assert not (out.parent / "new").exists()


def test_nothing_is_written_over(out: Path, sample: Path) -> None:
    before = {path: path.read_bytes() for path in sample.rglob("*") if path.is_file()}
    assert "never written over" in refused("sample", out, "--notes", 5, "--out", sample)
    assert {path: path.read_bytes() for path in sample.rglob("*") if path.is_file()} == before
    marked(sample)
    assert "is read by the command" in refused("report", sample, "--html", sample / "marks.csv", "--force")


@dataclass(frozen=True)
class Ran:
    out: Path
    key: Path


@pytest.fixture
def ran(tmp_path: Path) -> Ran:
    notes = tmp_path / "in"
    notes.mkdir()
    for at in range(8):
        (notes / f"{at}.txt").write_text(
            f"Seen on {at + 1} May 2001 by Dr. {SECRET}. She was well and went home. {EVIL}"
        )
    key = tmp_path / "project.key"
    runner = CliRunner()
    assert runner.invoke(app, ["key", "new", str(key)]).exit_code == 0
    common = ["--language", "en", "--effort", "rules", "--key", str(key), "--workers", "1", "--progress", "none"]
    for name, policy in (("clean", "tag"), ("like", "surrogate")):
        done = runner.invoke(app, ["run", str(notes), "-o", str(tmp_path / name), "--policy", policy, *common])
        assert done.exit_code == 0, done.exception
    return Ran(tmp_path / "clean", key)


def test_a_sample_of_a_run_has_its_receipts_and_a_signature(ran: Ran, tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    done = audit("sample", f"{ran.out}.run", "--notes", 5, "--out", folder, "--key", ran.key, "--design", "weighted")
    assert done.exit_code == 0, done.exception
    marked(folder)
    done = audit("report", folder, "--key", ran.key, "--json", "--html", tmp_path / "a.html")
    assert done.exit_code == 0, done.exception
    found = json.loads(done.stdout)
    assert found["plan"]["signature_checked"]
    assert found["run"]["verified"]
    assert found["run"]["key"] == found["plan"]["key"] != ""
    assert all(one["receipt"] for one in found["receipts"])
    other = tmp_path / "other.key"
    CliRunner().invoke(app, ["key", "new", str(other)])
    assert "was not signed with this key" in refused("report", folder, "--key", other)
    assert "were not signed with this key" in refused(
        "sample", ran.out, "--notes", 8, "--out", tmp_path / "b", "--key", other
    )
    for note in ran.out.glob("*.txt"):
        note.write_text(note.read_text() + "?")
    assert "was changed after its receipt" in refused(
        "sample", ran.out, "--notes", 8, "--out", tmp_path / "b", "--key", ran.key
    )


def test_stand_ins_are_no_sample_for_readers_who_cannot_tell_them(ran: Ran, tmp_path: Path) -> None:
    like = ran.out.with_name("like")
    assert "put stand-ins for" in refused("sample", like, "--notes", 4, "--out", tmp_path / "a")
    assert audit("sample", like, "--notes", 4, "--out", tmp_path / "a", "--stand-ins").exit_code == 0


def test_what_stands_on_the_page_is_text(tmp_path: Path) -> None:
    notes = [Document(f"{EVIL} {SECRET} \u202e {at}", f"n{at}") for at in range(4)]
    write(notes, tmp_path / "in.jsonl", "jsonl")
    folder = tmp_path / "audit"
    assert audit("sample", tmp_path / "in.jsonl", "--text", "text", "--notes", 4, "--out", folder).exit_code == 0
    marked(folder, 1, label=EVIL.replace(",", ""))
    done = audit("report", folder, "--html", tmp_path / "a.html")
    assert done.exit_code == 0, done.exception
    page = (tmp_path / "a.html").read_text()
    assert "<script" not in page
    assert "\u202e" not in page


def test_groups_by_folder_and_by_length(tmp_path: Path) -> None:
    notes = [Document("Well. " * (at + 1), f"ward-{at % 2}/{at}") for at in range(12)]
    write(notes, tmp_path / "in.jsonl", "jsonl")
    for by, names in (("folder", ["ward-0", "ward-1"]), ("length", ["short", "middle", "long"])):
        folder = tmp_path / by
        done = audit(
            "sample", tmp_path / "in.jsonl", "--format", "jsonl", "--text", "text", "--id", "id", "--notes", 6, "--out",
            folder, "--design", "stratified", "--by", by, "--to", "jsonl", "--most", 3,
        )  # fmt: skip
        assert done.exit_code == 0, done.exception
        plan = read_plan(folder)
        assert [one.name.partition(" ")[0] for one in plan.strata] == names
        assert plan.most == 3
        assert {note.note for note in plan.notes} <= {note.id for note in notes}
        assert (folder / "notes.jsonl").exists()


def test_many_missed_in_a_note_are_told(tmp_path: Path) -> None:
    write([Document("a b " * 9, str(at)) for at in range(4)], tmp_path / "in.jsonl", "jsonl")
    done = audit("sample", tmp_path / "in.jsonl", "--text", "text", "--notes", 2, "--out", tmp_path / "a", "--most", 5)
    assert done.exit_code == 0, done.exception
    rows = ["note,label,words", "002,none,", *["001,INITIALS,a"] * 6]
    (tmp_path / "a" / "marks.csv").write_text("\n".join(rows))
    assert "1 note had more than 5 missed" in audit("report", tmp_path / "a").output


@pytest.mark.parametrize("share", ["2", "-1%", "two", "100%", "nan"])
def test_shares_that_are_none(share: str) -> None:
    assert "is no share; for 2 % say 2% or 0.02" in refused("plan", "--at-most-leaking", share)


@pytest.fixture
def in_review(out: Path) -> Path:
    """A sample whose notes lie in a review, too."""
    folder = out.parent / "audit"
    done = audit("sample", out, "--notes", 12, "--out", folder, "--seed", 3, "--review")
    assert done.exit_code == 0, done.exception
    assert f"elision review open {folder / 'review'}" in done.stderr
    return folder


def read_by(folder: Path, reviewer: str, missed: Collection[int], *, left: int = 0) -> None:
    """A reader marks the name in the notes with these numbers, and approves all but the last `left`."""
    with Store.open(folder / "review", make=False) as store:
        notes = list(store.notes())
    assert not any(note.spans for note in notes)
    marked = [
        note.with_spans([Span(begin := note.text.index(SECRET), begin + len(SECRET), "NAME")] if at in missed else [])
        for at, note in enumerate(notes, start=1)
    ]
    approve(folder / "review", reviewer, marked[: len(marked) - left])


def test_a_sample_is_marked_in_a_review_and_its_approved_notes_are_read(in_review: Path) -> None:
    read_by(in_review, "nurse", {2, 5})
    done = audit("report", in_review)
    assert done.exit_code == 0, done.exception
    assert "In 2 of 12 notes" in done.output
    assert "reader 1 is nurse" in done.output
    assert SECRET not in done.output


def test_two_reviewers_tell_what_both_missed(in_review: Path) -> None:
    read_by(in_review, "nurse", set(range(1, 10)))
    read_by(in_review, "doctor", set(range(2, 12)))
    read_by(in_review, "student", set())
    both = json.loads(audit("report", in_review, "--reviewer", "nurse", "--reviewer", "doctor", "--json").stdout)
    assert [both["capture_recapture"][name] for name in ("first", "second", "both")] == [9, 10, 8]
    assert both["result"]["leaking"] == 11
    one = json.loads(audit("report", in_review, "--reviewer", "student", "--json").stdout)
    assert one["result"]["leaking"] == 0
    assert "choose with --reviewer: doctor, nurse, student" in refused("report", in_review)
    assert "has reviewed nothing here" in refused("report", in_review, "--reviewer", "nobody")
    assert "give one of the two" in refused("report", in_review, "--reviewer", "nurse", "--marks", "x.csv")


def test_the_verdict_of_an_adjudicator_counts_and_without_one_all_that_anybody_marked(in_review: Path) -> None:
    read_by(in_review, "nurse", {1, 2, 3, 9})
    read_by(in_review, "doctor", {3, 4, 5, 9})  # they differ on 1, 2, 4 and 5
    with Store.open(in_review / "review", make=False) as store:
        notes = list(store.notes())
    name = [Span(begin := note.text.index(SECRET), begin + len(SECRET), "NAME") for note in notes]
    settled = {1: [name[0]], 2: [], 6: [name[5]], 9: []}  # right; refused; what neither saw; what both saw, refused
    adjudicate(in_review / "review", [notes[at - 1].with_spans(spans) for at, spans in settled.items()])
    page = in_review / "audit.html"
    done = audit("report", in_review, "--html", page)
    assert done.exit_code == 0, done.exception
    assert "In 5 of 12 notes" in done.output  # 1, 3, 4, 5, 6
    assert "4 notes had been adjudicated: there the adjudicator's marks count." in done.output
    assert "2 notes had been marked differently by the readers, and nobody adjudicated" in done.output
    assert "the adjudicator alone" in page.read_text()
    told = json.loads(audit("report", in_review, "--json").stdout)
    assert (told["notes"]["adjudicated"], told["notes"]["marked_differently"]) == (4, 2)
    assert {row["name"] for row in told["receipts"] if row["missed"]} == {notes[at].id for at in (0, 2, 3, 4, 5)}
    # what was refused is no identifier that the readers caught: the doctor 3, 4 and 5, the nurse 1 and 3
    assert [told["capture_recapture"][one] for one in ("first", "second", "both")] == [3, 2, 1]


def test_readers_who_agree_and_one_reader_leave_nothing_to_settle(in_review: Path) -> None:
    read_by(in_review, "nurse", {2})
    assert "differently" not in audit("report", in_review).output
    read_by(in_review, "doctor", {2})
    told = audit("report", in_review).output
    assert "differently" not in told
    assert "adjudicated" not in told


def test_a_note_that_a_reviewer_has_not_approved_was_not_read(in_review: Path) -> None:
    read_by(in_review, "nurse", {2}, left=1)
    assert "1 of 12 notes have no mark" in refused("report", in_review)


def test_before_anybody_approved_in_the_review_the_table_counts(in_review: Path) -> None:
    marked(in_review, 2, 5, 7)
    assert "In 3 of 12 notes" in audit("report", in_review).output


def test_a_review_with_another_text_than_was_drawn_is_refused(in_review: Path) -> None:
    read_by(in_review, "nurse", {2})
    with sqlite3.connect(in_review / "review" / "review.sqlite") as database:
        database.execute("UPDATE notes SET text = text || ' more' WHERE position = 3")
    database.close()
    assert "1 notes have another text than was drawn" in refused("report", in_review)
