"""brat: the golden samples, what else an .ann file may hold, and what is refused with which words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import FORMATS, Reading, Remarks, guess, read, write
from elision.formats.standoff import parse, print_lines
from tests.notes import CORPORA, GOLDEN, note
from tests.strategies import documents

SAMPLE = GOLDEN / "formats" / "brat"
CANONICAL = json.loads((GOLDEN / "formats" / "canonical.json").read_text("utf-8"))
TEXT = "Seen by Dr. Jane\nRoe on 3 May, Dr. Poe too."


def of(*lines: str, text: str = TEXT, lenient: bool = False) -> tuple[Document, Remarks]:
    """A note with these lines in its .ann."""
    how = Reading(lenient=lenient)
    spans, info = parse("".join(f"{line}\n" for line in lines), text, "a.ann", how)
    return Document(text, "a", spans=spans, info=info), how.remarks


def test_the_golden_sample(tmp_path: Path) -> None:
    (document,) = read(SAMPLE)
    assert document.text == CANONICAL["text"]
    assert [(s.start, s.end, s.label) for s in document.spans] == [
        (s["start"], s["end"], s["label"]) for s in CANONICAL["spans"]
    ]
    assert [dict(s.info) for s in document.spans] == [
        {}, {"note": "checked twice", "attr:Confidence": "High"}, {}, {}, {}
    ]  # fmt: skip
    assert not document.info
    assert write([document], tmp_path, "brat").lines() == []
    for name in ("doc.txt", "doc.ann"):
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes()
    assert (tmp_path / "annotation.conf").read_text("utf-8") == (
        "[entities]\nDATE\nPATIENT\nMEDICALRECORD\nCITY\nDOCTOR\n[relations]\n[events]\n"
        "[attributes]\nConfidence\tArg:<ENTITY>, Value:High\n"
    )


@pytest.mark.parametrize("file", ["doc.txt", "doc.ann"])
def test_one_file_of_the_pair_will_do(file: str) -> None:
    assert guess(SAMPLE / file)[0].name == "brat"
    assert list(read(SAMPLE / file, "brat")) == list(read(SAMPLE, "brat"))


@pytest.mark.parametrize("folder", sorted((GOLDEN / "meddocan").glob("case_*/*/brat")), ids=lambda p: str(p)[-24:])
def test_the_golden_meddocan_cases_read(folder: Path) -> None:
    documents = list(read(folder, "brat", Reading(lenient="case_16" in str(folder))))
    assert [d.id for d in documents] == sorted(f.stem for f in folder.glob("*.ann"))
    lines = [line for f in folder.glob("*.ann") for line in f.read_text("utf-8").splitlines()]
    assert sum(len(d.spans) for d in documents) == sum(line.startswith("T") and "\t" in line for line in lines)


def test_case_16_line_by_line() -> None:
    folder = GOLDEN / "meddocan" / "case_16" / "system" / "brat"
    with pytest.raises(FormatError, match=r"syn-b\.ann:13: a span needs an id, .*; --lenient skips such lines"):
        list(read(folder, "brat"))
    how = Reading(lenient=True)
    (document,) = read(folder, "brat", how)
    assert len(document.spans) == 26
    assert document.spans[0].info == {"note": "nota", "id": "T1"}  # the relation counts on the id
    assert document.spans[1].info == {"attr:Confidence": "High", "id": "T2"}
    assert document.info == {"brat": "R1\tRel Arg1:T1 Arg2:T2\n*\tEquiv T1 T2\nE1\tEvento:T3"}
    assert how.remarks.counts == {"skipped: an unusable line": 1}
    assert print_lines(document, Remarks())[:2] == [
        "T1\tNOMBRE_SUJETO_ASISTENCIA 29 35\tAitana",
        "T2\tNOMBRE_SUJETO_ASISTENCIA 48 62\tFerrándiz Olmo",
    ]


@pytest.mark.parametrize(("split", "notes", "spans"), [("train", 500, 11_333), ("dev", 250, 5_801)])
def test_the_meddocan_corpus_reads(split: str, notes: int, spans: int, tmp_path: Path) -> None:
    folder = CORPORA / "meddocan" / split
    if not folder.exists():
        pytest.skip("the MEDDOCAN corpus is not here (CC BY 4.0, a public download)")
    how = Reading()
    documents = list(read(folder, how=how))
    assert (len(documents), sum(len(d.spans) for d in documents)) == (notes, spans)
    assert how.remarks.lines() == []
    assert {key for d in documents for span in d.spans for key in span.info} <= {"id"}
    for name in ("brat", "meddocan-xml", "nedap"):
        assert write(documents, tmp_path / name, name).lines() == []
        assert list(read(tmp_path / name, name)) == documents


READS: list[tuple[str, list[tuple[int, int, str, dict[str, str]]]]] = [
    ("T1\tDATE 24 29\t3 May", [(24, 29, "DATE", {})]),
    ("T1\tDATE 24 29\t3 May\r", [(24, 29, "DATE", {})]),  # a line of a CRLF file
    ("T1 DATE 24 29 3 May", [(24, 29, "DATE", {})]),  # blanks for tabs
    ("T7\tDATE 24 29\t3 May", [(24, 29, "DATE", {"id": "T7"})]),
    ("T1\tNAME 8 16;17 20\tDr. Jane Roe", [(8, 20, "NAME", {})]),  # over a line break
    ("T1\tNAME 8 20\tDr. Jane Roe", [(8, 20, "NAME", {})]),
    ("T1\tNAME 7 20\t Dr. Jane Roe", [(7, 20, "NAME", {})]),
    ("T1\tNAME 8 11;31 34\tDr. Dr.", [(8, 34, "NAME", {"fragments": "8 11;31 34"})]),
    ("T1\tNAME 17 20;12 16\tRoe Jane", [(12, 20, "NAME", {"fragments": "17 20;12 16"})]),
    ("T1\tNAME 8 16;12 20\tDr. Jane Jane Roe", [(8, 20, "NAME", {"fragments": "8 16;12 20"})]),
    ("T1\tX 43 43\t", [(43, 43, "X", {})]),
    ("T1\tX 43 43", [(43, 43, "X", {})]),
    ("T1\tX 8 11", [(8, 11, "X", {})]),  # no text to check by, which is remarked
    ("\n  \nT1\tX 8 11\tDr.\n\n", [(8, 11, "X", {})]),
    ("\ufeffT1\tX 8 11\tDr.", [(8, 11, "X", {})]),
]


@pytest.mark.parametrize(("line", "expected"), READS)
def test_span_lines(line: str, expected: list[tuple[int, int, str, dict[str, str]]]) -> None:
    document, _ = of(line)
    assert [(s.start, s.end, s.label, dict(s.info)) for s in document.spans] == expected
    again, _ = of(*print_lines(document, Remarks()))
    assert again == document


def test_what_is_remarked_when_reading() -> None:
    _, remarks = of("T1\tNAME 8 11;31 34\tDr. Dr.", "T2\tX 8 11", "T3\tNAME 8 16;17 20\tDr. Jane Roe")
    assert remarks.lines() == [
        "a span in fragments, read as one span with the gaps in it: 1 (first in a.ann:1: T1 8 11;31 34)",
        "a span without its text, so its offsets could not be checked: 1 (first in a.ann:2: T2 8 11)",
    ]


BAD = [
    ("T1\tNAME 8 12\tJane", "a.ann:1: T1 8 12: another text stands there; do text and offsets belong together"),
    ("T1\tNAME 12 16;17 20\tJane Poe", "a.ann:1: T1 12 16;17 20: another text stands there"),
    ("T1\tNAME 40 99\ttoo.", "a.ann:1: T1 40 99: beyond the text, which has 43 characters"),
    ("T1\tNAME 16 12\tJane", "a.ann:1: T1 16 12: a start after its end"),
    ("T1\tNAME 12\tJane", "a.ann:1: a span needs an id, a label, offsets and its text, with tabs between"),
    ("T1\tNAME -1 3\tJane", "a.ann:1: a span needs"),
    (f"T1\tNAME 1 {'9' * 5000}\tJane", "a.ann:1: a span needs"),
    ("T99 Jane", "a.ann:1: a span needs"),
    ("T1\tX 8 11\tDr.\nJane Roe", "a.ann:2: not a line of a brat .ann file (T1, A1, R1, E1, #1, *)"),
    ("A Jane", "a.ann:1: not a line of a brat .ann file"),
]


@pytest.mark.parametrize(("lines", "said"), BAD)
def test_unusable_lines_are_errors_or_remarks(lines: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        of(lines)
    assert said in str(caught.value)
    assert str(caught.value).endswith("; --lenient skips such lines")
    assert "Jane" not in str(caught.value)
    document, remarks = of(lines, "T1\tNAME 12 16\tJane", lenient=True)
    assert document.spans[-1] == Span(12, 16, "NAME")
    assert remarks.counts == {"skipped: an unusable line": 1}


HINTS: list[tuple[str, str, str, str]] = [
    ("😀 Jane Roe", "3 11", "Jane Roe", "UTF-16 units"),
    ("José Jane Roe", "6 14", "Jane Roe", "UTF-8 bytes"),
    ("on\r\n3 May", "3 8", "3 May", "a CRLF line break counted once"),
    ("on\n3 May", "4 9", "3 May", "every line break counted twice"),
    ("\ufeffJane Roe", "0 8", "Jane Roe", "the byte-order mark"),
    ("Jane Roe, Jane Poe", "1 9", "Jane Roe", "is the encoding right (--encoding)?"),
]


@pytest.mark.parametrize(("text", "offsets", "surface", "hint"), HINTS)
def test_the_error_says_what_the_offsets_may_count(text: str, offsets: str, surface: str, hint: str) -> None:
    with pytest.raises(FormatError) as caught:
        of(f"T1\tNAME {offsets}\t{surface}", text=text)
    assert hint in str(caught.value)


ROUND_TRIPS: list[tuple[str, ...]] = [
    ("T1\tX 8 11\tDr.", "#1\tAnnotatorNotes T1\tchecked twice", "#2\tAnnotatorNotes T1\t by P. Poe"),
    ("T1\tX 8 11\tDr.", "#1\tAnnotatorNotes T1\t"),
    ("T1\tX 8 11\tDr.", "A1\tCertain T1", "A2\tConfidence T1 very high"),
    ("T1\tX 8 11\tDr.", "T2\tX 12 16\tJane", "R1\tNear Arg1:T1 Arg2:T2"),
    ("T1\tX 8 11\tDr.", "T3\tX 12 16\tJane", "T2\tX 12 16\tJane", "E1\tX:T3 Theme:T1", "A1\tNegated E1"),
    ("T1\tX 8 11\tDr.", "A1\tConfidence T1 High", "#1\tAnnotatorNotes A1\twhy so?", "#2\tAnnotatorNotes T1\tso"),
    ("T1\tX 8 11\tDr.", "A1\tConfidence T1 High", "A2\tConfidence T1 Low"),
    ("T1\tX 8 11\tDr.", "N1\tReference T1 Wikipedia:4711\tDr.", "*\tEquiv T1 T2", "#1\tOther T1\tword"),
]


@pytest.mark.parametrize("lines", ROUND_TRIPS)
def test_no_line_is_lost(lines: tuple[str, ...]) -> None:
    document, _ = of(*lines)
    printed = print_lines(document, Remarks())
    assert sorted(printed) == sorted(lines)
    assert of(*printed)[0] == document


def test_relations_still_name_their_spans_when_others_go() -> None:
    document, _ = of("T1\tX 8 11\tDr.", "T2\tX 12 16\tJane", "T3\tY 17 20\tRoe", "R1\tNear Arg1:T2 Arg2:T3")
    fewer = document.with_spans(document.spans[1:])
    remarks = Remarks()
    assert print_lines(fewer, remarks)[:2] == ["T2\tX 12 16\tJane", "T3\tY 17 20\tRoe"]
    assert not remarks.counts
    print_lines(document.with_spans(document.spans[:2]), remarks)
    assert remarks.lines() == ["lines about a span that is not there (any more): 1 (first in note a)"]


def test_ids_are_unique_whatever_the_spans_bring() -> None:
    spans = [Span(8, 11, "X", info={"id": id} if id else {}) for id in ("T2", "", "T2", "P7", "T9")]
    printed = print_lines(Document(TEXT, "a", spans=tuple(spans)), remarks := Remarks())
    assert [line.split("\t")[0] for line in printed] == ["T2", "T6", "T3", "T4", "T9"]
    assert sum(remarks.counts.values()) == 2


def test_infos_from_elsewhere_do_not_break_the_file() -> None:
    info = {"note": "one\rtwo", "attr:a b": "1", "attr:C": "x\ny", "fragments": "1 2;3 4"}
    document = Document(
        TEXT, "a", spans=(Span(8, 20, "X", info=info),), info={"brat": "T1\tX 0 1\tS\nR1\tNear Arg1:T1"}
    )
    printed = print_lines(document, remarks := Remarks())
    assert printed == [
        "T1\tX 8 16;17 20\tDr. Jane Roe", "#1\tAnnotatorNotes T1\tone two", "A1\tC T1 x y", "R1\tNear Arg1:T1"
    ]  # fmt: skip
    assert list(remarks.counts.values()) == [1, 1, 2, 1]


@given(data=st.data())
def test_notes_attributes_ids_and_fragments_come_back(data: st.DataObject) -> None:
    document = data.draw(documents(FORMATS["brat"], "a"))
    word = st.text("aé😀0:;T1 \t", max_size=6)
    spans = []
    for position, span in enumerate(document.spans, 1):
        info = data.draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "note": st.lists(word, min_size=1, max_size=3).map("\n".join),
                    "attr:Sure": word,
                    "attr:É": word,
                },
            )
        )
        if data.draw(st.booleans()):
            info["id"] = f"T{position + 100}"
        spans.append(replace(span, info=info))
    document = document.with_spans(spans)
    again, _ = of(*print_lines(document, remarks := Remarks()), text=document.text)
    assert again == document
    assert not remarks.counts


@given(st.lists(st.text("TA1#*R\t 08;:X\r\ufeff\u2028é", max_size=16), max_size=6))
def test_lenient_reading_never_stops(lines: list[str]) -> None:
    of(*lines, lenient=True)


def test_texts_may_come_from_elsewhere(tmp_path: Path) -> None:
    ann = tmp_path / "ward" / "a.ann"
    ann.parent.mkdir()
    ann.write_text("T1\tNAME 12 16\tJane\n", "utf-8")
    with pytest.raises(FormatError, match=r"a\.ann: there is no a\.txt beside it; give the notes' texts as well"):
        list(read(tmp_path, "brat"))
    (document,) = read(tmp_path, "brat", Reading(texts={"ward/a": TEXT}))
    assert document == Document(TEXT, "ward/a", spans=(Span(12, 16, "NAME"),))


def test_a_text_alone_is_a_note_without_spans(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    how = Reading()
    assert list(read(tmp_path, "brat", how)) == [Document(TEXT, "a")]
    assert how.remarks.lines() == ["a text without .ann, read as a note without spans: 1 (first in note a)"]


def _encoded(encoding: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / "a.txt").write_bytes("Seen by José Roe".encode(encoding))
        (folder / "a.ann").write_bytes("T1\tNAME 8 16\tJosé Roe\n".encode(encoding))

    return make


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_encoded("cp1252"), "a.txt: byte 11 is not utf-8; if the file has another encoding, say so"),
        (_encoded("utf-16"), "a.txt: is text in UTF-16; say --encoding utf-16, or convert it to UTF-8 first"),
        (lambda folder: None, "no file here ends in .txt or .ann; is this the right folder?"),
        (lambda folder: (folder / "a.txt").write_bytes(b"x" * 2000), "is more than the limit"),
    ],
)
def test_bad_files(tmp_path: Path, make: Callable[[Path], object], said: str) -> None:
    make(tmp_path)
    with pytest.raises(FormatError) as caught:
        list(read(tmp_path, "brat", Reading(max_bytes=1000)))
    assert said in str(caught.value)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "latin-1"])
def test_other_encodings_read_when_named(tmp_path: Path, encoding: str) -> None:
    _encoded(encoding)(tmp_path)
    (document,) = read(tmp_path, "brat", Reading(encoding=encoding))
    assert document == Document("Seen by José Roe", "a", spans=(Span(8, 16, "NAME"),))


def test_what_brat_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be a file name"):
        write([note("Dr. [NAME Roe]", "../x")], tmp_path / "out", "brat")
    with pytest.raises(CannotHoldError, match="a label that is empty or has white space"):
        write([Document("Dr. Roe", "a", spans=(Span(4, 7, "A NAME"),))], tmp_path / "out", "brat")
    remarks = write([Document("Roe", "a", spans=(Span(0, 3, "NAME", 0.5, "rules"),))], tmp_path / "out", "brat")
    assert set(remarks.counts) == {"brat does not hold span scores", "brat does not hold span sources"}


def test_the_configuration_names_all_that_is_in_use(tmp_path: Path) -> None:
    document, _ = of(
        "T1\tNAME 8 11\tDr.", "T2\tVisit 0 4\tSeen", "A1\tSure T1", "A2\tLevel T1 low", "A3\tLevel T2 high",
        "R1\tNear Arg1:T1 Arg2:T2", "E1\tVisit:T2 Who:T1 Who2:T2",
    )  # fmt: skip
    write([document], tmp_path, "brat")
    assert (tmp_path / "annotation.conf").read_text("utf-8").splitlines() == [
        "[entities]", "NAME", "[relations]", "Near\tArg1:<ENTITY>, Arg2:<ENTITY>", "[events]", "Visit\tWho:<ENTITY>",
        "[attributes]", "Sure\tArg:<ENTITY>", "Level\tArg:<ENTITY>, Value:low|high",
    ]  # fmt: skip
