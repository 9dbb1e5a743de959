"""A nedap corpus: splits, the table of surrogates, and what nedap's own reader skips."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import FormatError
from elision.formats import FORMATS, Reading, guess, read, write
from elision.formats.standoff import TABLE
from tests.notes import GOLDEN, note
from tests.strategies import documents

SAMPLE = GOLDEN / "formats" / "nedap_corpus"
HEADER = "doc_id,ann_id,text,start,end,tag,surrogate,manual_surrogate,checked\n"


def test_the_golden_sample(tmp_path: Path) -> None:
    assert guess(SAMPLE)[0].name == "nedap"
    how = Reading()
    sample = list(read(SAMPLE, how=how))
    assert how.remarks.lines() == []
    assert [(d.id, [d.text_of(s) for s in d.spans]) for d in sample] == [
        ("dev/example-2", ["De Wilgenhof", "4 april 2018"]),
        ("test/example-3", ["A. Bos", "AB", "Dorpsweg 9, 8899 ZZ Nergenshuizen"]),
        ("train/example-1", ["Roelie Zandstra", "81 jaar", "06-00000033"]),
    ]
    assert sample[1].spans[2].info == {"surrogate": "Laan 1, 9999 AA Verzonnen"}
    write(sample, tmp_path, "nedap")
    written = {f.relative_to(tmp_path) for f in tmp_path.rglob("*") if f.is_file()}
    assert written == {f.relative_to(SAMPLE) for f in SAMPLE.rglob("*") if f.is_file()}
    for file in written - {Path(TABLE)}:
        assert (tmp_path / file).read_bytes() == (SAMPLE / file).read_bytes()
    assert sorted((tmp_path / TABLE).read_text("utf-8").splitlines()) == sorted(
        (SAMPLE / TABLE).read_text("utf-8").splitlines()
    )


@pytest.mark.parametrize("case", sorted((GOLDEN / "nedap").glob("case_*")), ids=lambda p: p.name)
def test_the_golden_cases_read(case: Path) -> None:
    gold = list(read(case / "gold", "nedap"))
    assert list(read(case / "gold", "brat")) == gold
    texts = {d.id: d.text for d in gold}
    for folder in sorted(case.glob("system*")):
        system = list(read(folder, "nedap", Reading(texts=texts)))
        lines = [line for f in folder.glob("*.ann") for line in f.read_text("utf-8").splitlines()]
        assert sum(len(d.spans) for d in system) == sum(line.startswith("T") for line in lines)


def test_a_span_in_fragments_is_kept_and_marked() -> None:
    case = GOLDEN / "nedap" / "case_06"
    how = Reading(texts={d.id: d.text for d in read(case / "gold", "nedap")})
    spans = [span for document in read(case / "system", "nedap", how) for span in document.spans]
    assert len(spans) == 26
    assert [span.info["fragments"] for span in spans if "fragments" in span.info] == ["12 18;22 27"]
    assert how.remarks.counts == {"a span in fragments, read as one span with the gaps in it": 1}


def test_guessing_tells_it_from_other_corpora_in_splits(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "without", ignore=shutil.ignore_patterns("*.csv"))
    assert guess(tmp_path / "without")[0].name == "nedap"
    write([note("Dr. [NAME_CLINICIAN Roe]", "train/a")], tmp_path / "other labels", "nedap")
    assert guess(tmp_path / "other labels")[0].name == "brat"
    assert guess(SAMPLE / "train")[0].name == "brat"


def test_ids_with_and_without_a_split(tmp_path: Path) -> None:
    span = Span(0, 3, "Name", info={"surrogate": "Poe"})
    ids = ["dev/a", "note-1", "train/a", "train/b", "train/deep/c", "x", "x/x"]
    documents = [Document("Roe", id, spans=(span,)) for id in ids]
    write(documents, tmp_path, "nedap")
    assert sorted(read(tmp_path, "nedap"), key=lambda d: d.id) == documents
    rows = (tmp_path / TABLE).read_text("utf-8").splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["dev/a", "note-1", "train/a", "b", "c", "x", "x/x"]


def test_rows_go_to_the_note_that_is_called_so(tmp_path: Path) -> None:
    span = Span(0, 3, "Name")
    with_row = replace(span, info={"surrogate": "", "manual_surrogate": 'P. "Poe", jr.\nII', "checked": "True"})
    documents = [Document("Roe", "train/x", spans=(span,)), Document("Roe", "x", spans=(with_row, span))]
    write(documents, tmp_path, "nedap")
    assert list(read(tmp_path, "nedap")) == documents


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("a,T9,Roe,0,3,Name,Poe,,False\n", f"{TABLE}:2: note train/a has no span T9; --lenient skips such rows"),
        ("a,T1,Roe,1,3,Name,Poe,,False\n", "2: T1 of note train/a: the table's start is not the .ann file's (0)"),
        ("a,T1,Roe,0,3,ID,Poe,,False\n", "the table's tag is not the .ann file's (Name)"),
        ("a,T1,Doe,0,3,Name,Poe,,False\n", "T1 of note train/a: another text stands at 0–3"),
    ],
)  # fmt: skip
def test_a_table_that_says_otherwise(tmp_path: Path, rows: str, said: str) -> None:
    document = Document("Roe", "train/a", spans=(Span(0, 3, "Name"),))
    write([document], tmp_path, "nedap")
    assert not (tmp_path / TABLE).exists()
    (tmp_path / TABLE).write_text(HEADER + rows, "utf-8")
    with pytest.raises(FormatError) as caught:
        list(read(tmp_path, "nedap"))
    assert said in str(caught.value)
    assert not {"Roe", "Poe", "Doe"} & set(str(caught.value).split())
    how = Reading(lenient=True)
    assert list(read(tmp_path, "nedap", how)) == [document]
    assert how.remarks.counts == {"skipped: an unusable row": 1}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("doc_id,ann_id,text\n", "the first line lacks the column start and end and tag"),
        ("", "the first line lacks the column doc_id"),
        (HEADER + "a,T1,Roe\n", f"{TABLE}:2: 3 cells where the first line has 9"),
        (HEADER + '"a,T1\n', "not valid CSV"),
        (HEADER + "b,T1,Roe,0,3,Name,Poe,,False\n", "more than one note is called b; write the split too: dev/b"),
    ],
)
def test_bad_tables(tmp_path: Path, table: str, said: str) -> None:
    write([Document("Roe", id, spans=(Span(0, 3, "Name"),)) for id in ("dev/b", "train/b")], tmp_path, "nedap")
    (tmp_path / TABLE).write_text(table, "utf-8")
    with pytest.raises(FormatError) as caught:
        list(read(tmp_path, "nedap"))
    assert said in str(caught.value)


def test_rows_of_notes_that_are_not_there_are_remarked(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "part", ignore=shutil.ignore_patterns("test"))
    how = Reading()
    assert len(list(read(tmp_path / "part", "nedap", how))) == 2
    assert how.remarks.counts == {"rows for notes that are not in the corpus": 3}


@pytest.mark.slow
@settings(max_examples=200)
@given(data=st.data())
def test_surrogates_come_back(data: st.DataObject) -> None:
    ids = data.draw(st.lists(st.sampled_from(["train/a", "dev/a", "a", "b", "test/b", "T1"]), unique=True, min_size=1))
    word = st.text('é😀",;\n\r a\0', max_size=5)
    corpus = []
    for id in ids:
        document = data.draw(documents(FORMATS["nedap"], id))
        infos = st.fixed_dictionaries(
            {"surrogate": word},
            optional={"manual_surrogate": word.filter(bool), "checked": st.sampled_from(["True", "no"])},
        )
        spans = [replace(s, info=data.draw(st.one_of(st.just({}), infos))) for s in document.spans]
        corpus.append(document.with_spans(spans))
    with tempfile.TemporaryDirectory() as folder:
        write(corpus, Path(folder) / "out", "nedap")
        again = sorted(read(Path(folder) / "out", "nedap"), key=lambda d: d.id)
    assert again == sorted(corpus, key=lambda d: d.id)
