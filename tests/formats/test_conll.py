"""CoNLL-2003 files: exact with their file of offsets, aligned with a text, or rebuilt with a remark."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import FORMATS, Reading, Remarks, guess, read, write
from elision.formats.aligned import align, plain_tag, rebuild
from elision.formats.catalogue import sample
from elision.formats.format import fit
from elision.text.tokens import tokenize, tokens_at
from tests.formats.canonical import SAMPLES, canonical
from tests.notes import note
from tests.strategies import documents, texts

GOLDEN_FILE = SAMPLES / "conll2003.bio"
ROE = note("Seen by Dr. [NAME Jane Roe]\non [DATE 3 May].", "ward/7")


def put(folder: Path, content: str, name: str = "notes.bio") -> Path:
    (folder / name).write_bytes(content.encode())
    return folder / name


def labelled(document: Document) -> list[tuple[str, str]]:
    return [(document.text_of(span), span.label) for span in document.spans]


def test_the_golden_sample_alone_has_the_tokens_and_labels() -> None:
    assert guess(GOLDEN_FILE)[0].name == "conll"
    how = Reading()
    (document,) = read(GOLDEN_FILE, how=how)
    assert labelled(document) == [
        ("2069 - 04 - 07", "DATE"),
        *((text.replace("\n", " "), label) for text, label in labelled(canonical())[1:]),
    ]
    assert document.text.split("\n")[-1] == "Seen by Dr. O'Neil ."
    assert list(how.remarks.counts) == ["text rebuilt from tokens; the white space between them is a guess"]


def test_the_golden_sample_with_its_text_is_exact() -> None:
    truth = canonical("conll2003-1")
    how = Reading(texts={truth.id: truth.text})
    assert list(read(GOLDEN_FILE, "conll", how)) == [truth]
    assert how.remarks.counts == {}


def test_no_other_golden_sample_is_taken_for_conll() -> None:
    claimed = {file.name for file in SAMPLES.iterdir() if FORMATS["conll"].sniff(sample(file))}
    assert claimed == {"conll2003.bio"}


def test_what_is_written(tmp_path: Path) -> None:
    file = tmp_path / "notes.bio"
    write([ROE], file, "conll")
    assert file.read_text("utf-8") == (
        "-DOCSTART- -X- -X- O\n\n"
        "Seen -X- O O\nby -X- O O\nDr -X- O O\n. -X- O O\nJane -X- O B-NAME\nRoe -X- O I-NAME\n\n"
        "on -X- O O\n3 -X- O B-DATE\nMay -X- O I-DATE\n. -X- O O\n\n"
    )
    assert json.loads((tmp_path / "notes.bio.offsets.jsonl").read_text("utf-8")) == {
        "id": "ward/7",
        "text": "Seen by Dr. Jane Roe\non 3 May.",
        "starts": [0, 5, 8, 10, 12, 17, 21, 24, 26, 29],
        "ends": [4, 7, 10, 11, 16, 20, 23, 25, 29, 30],
    }


def test_several_notes_with_all_that_the_side_file_holds(tmp_path: Path) -> None:
    notes = [
        ROE,
        Document("", "empty"),
        Document(" \r\n\u2028", "blank", patient="p 2", language="zh"),
        Document("a\x85b\u2028c\x0bd\0e\x1cf", "separators", spans=(Span(0, 1, "X"), Span(6, 9, "Y"))),
        Document("李明 住院", "zh", language="zh", spans=(Span(0, 2, "NAME"),)),
    ]
    write(notes, tmp_path / "notes.bio", "conll")
    assert list(read(tmp_path / "notes.bio")) == notes
    assert list(read(tmp_path)) == notes


def test_the_stored_offsets_count_and_not_a_new_tokenisation(tmp_path: Path) -> None:
    file = put(tmp_path, "-DOCSTART- -X- -X- O\n\nO'Neil -X- O B-NAME\n")
    put(tmp_path, '{"id":"1","text":"  O\'Neil  ","starts":[2],"ends":[8]}\n', "notes.bio.offsets.jsonl")
    (document,) = read(file)
    assert document == Document("  O'Neil  ", "1", spans=(Span(2, 8, "NAME"),))


SCHEMES = {
    "BIO": "O B-A I-A B-A B-B O",
    "IOB1": "O I-A I-A B-A I-B O",
    "BIOES": "O B-A E-A S-A S-B O",
    "BILOU": "O B-A L-A U-A U-B O",
    "BMES": "O B-A M-A S-A S-B O",
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("blank", [" ", "\t", "  "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_two_columns_of_any_scheme(scheme: str, blank: str, end: str, tmp_path: Path) -> None:
    lines = [blank.join(pair) for pair in zip("uvwxyz", SCHEMES[scheme].split(), strict=True)]
    file = put(tmp_path, "\ufeff" + end.join(lines) + end, "notes.conll")
    assert guess(file)[0].name == "conll"
    (document,) = read(file, how=Reading(texts={"notes-1": "uv w xyz"}))
    assert document.id == "notes-1"
    assert labelled(document) == [("v w", "A"), ("x", "A"), ("y", "B")]


def test_labels_with_hyphens_and_tokens_that_look_like_tags() -> None:
    assert plain_tag("L-NAME-OF-CLINICIAN") == "I-NAME-OF-CLINICIAN"
    assert [plain_tag(tag) for tag in ("O", "", "B", "B-", "X-NAME", "NAME", "-", "o")] == ["O", *[""] * 7]


def test_documents_without_docstart_and_blank_lines_in_a_row(tmp_path: Path) -> None:
    file = put(tmp_path, "\n\na O\nb O\n\n\n\nc B-X\n\n")
    assert [document.text for document in read(file, "conll")] == ["a b\nc"]


def test_a_folder_of_files(tmp_path: Path) -> None:
    for name in ("b.bio", "a.conll"):
        put(tmp_path, "-DOCSTART- O\n\nx B-X\n\n-DOCSTART- O\n\ny O\n", name)
    assert [document.id for document in read(tmp_path, "conll")] == ["a-1", "a-2", "b-1", "b-2"]


def test_alignment_passes_over_what_tokenisers_drop_and_knows_treebank_brackets() -> None:
    text = "(\ufeffa\u200b “b” ) c\n"
    tokens = tokens_at(align(["-LRB-", "a", "``", "b", "''", "-RRB-", "c"], text, "here"))
    assert tokens.texts(text) == ["(", "a", "“", "b", "”", ")", "c"]


@given(text=texts)
def test_alignment_finds_our_own_tokens_again(text: str) -> None:
    tokens = tokenize(text)
    again = tokens_at(align(tokens.texts(text), text, "here"))
    assert again.starts.tolist() == tokens.starts.tolist()
    assert again.ends.tolist() == tokens.ends.tolist()


@given(text=texts)
def test_a_rebuilt_text_has_the_same_tokens(text: str) -> None:
    tokens = tokenize(text).texts(text)
    rebuilt, edges = rebuild(tokens, {1})
    assert tokens_at(edges).texts(rebuilt) == tokens


@given(data=st.data())
def test_without_the_side_file_the_text_makes_it_exact(data: st.DataObject) -> None:
    document = fit(data.draw(documents(FORMATS["conll"], "notes-1")), FORMATS["conll"], Remarks())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "notes.bio"
        write([document], file, "conll")
        file.with_name("notes.bio.offsets.jsonl").unlink()
        (again,) = read(file, "conll", Reading(texts={"notes-1": document.text}))
    assert (again.text, again.spans) == (document.text, document.spans)


def test_spans_go_along_tokens_and_what_that_changes_is_reported(tmp_path: Path) -> None:
    spans = (Span(0, 2, "CUT"), Span(3, 6, "EDGES"), Span(6, 7, "BLANK"), Span(8, 8, "EMPTY"))
    kept = write([Document("abc d  ef", "1", spans=spans)], tmp_path / "out.bio", "conll")
    (document,) = read(tmp_path / "out.bio")
    assert document.spans == (Span(0, 3, "CUT"), Span(4, 5, "EDGES"))
    assert kept.counts == {
        "conll does not hold spans that cut a token (they grew to it)": 1,
        "conll does not hold white space at the edges of spans": 1,
        "conll does not hold spans without a token of their own": 1,
        "conll does not hold empty spans": 1,
    }


@pytest.mark.parametrize("spans", [(Span(0, 3, "A"), Span(2, 5, "B")), (Span(0, 3, "A B"),), (Span(0, 3, ""),)])
def test_what_cannot_be_held_is_refused_and_nothing_is_written(spans: tuple[Span, ...], tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match="note 1"):
        write([Document("abc d", "1", spans=spans)], tmp_path / "out.bio", "conll")
    assert list(tmp_path.iterdir()) == []


BAD = [
    ("one column", "a -X- O O\nb\n", r"notes.bio:2: 1 columns where 4 columns like the lines before"),
    ("one column first", "secret\n", r"notes.bio:1: 1 columns where a token and its tag"),
    ("a column more", "a O\n\nse cret O\n", r"notes.bio:3: 3 columns where 2"),
    ("no tag", "a O\nb secret\n", r"notes.bio:2: the last column is not a tag"),
    ("tag without label", "a B-\n", r"notes.bio:1: the last column is not a tag"),
]


@pytest.mark.parametrize(("content", "message"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_lines(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        list(read(put(tmp_path, content), "conll"))
    assert "secret" not in str(caught.value)


TEXTS = [
    ("another text", "abc secret", "document 1: token 2 is not in the text at offset 4"),
    ("a shorter text", "abc", "document 1: token 2 is not in the text at offset 3"),
    ("a longer text", "abc def secret", "document 1: the text goes on at offset 8 after the last token"),
]


@pytest.mark.parametrize(("text", "message"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_a_text_that_the_tokens_do_not_come_from(text: str, message: str, tmp_path: Path) -> None:
    file = put(tmp_path, "abc O\ndef O\n")
    with pytest.raises(FormatError, match=message) as caught:
        list(read(file, "conll", Reading(texts={"notes-1": text})))
    assert "secret" not in str(caught.value)


SIDES = [
    ("offsets backwards", '{"text":"ab","starts":[1,0],"ends":[2,1]}', "offsets.jsonl:1: the offsets of token 2"),
    ("an empty token", '{"text":"ab","starts":[0,1],"ends":[1,1]}', "offsets.jsonl:1: the offsets of token 2"),
    ("not whole", '{"text":"ab","starts":[0,1],"ends":[1,2.0]}', "must hold whole numbers"),
    ("no ends", '{"text":"ab","starts":[0,1]}', "two lists of the same length"),
    ("no text", '{"starts":[0,1],"ends":[1,2]}', "field 'text' is missing"),
    ("too few", '{"text":"ab","starts":[0],"ends":[1]}', "2 tokens but offsets for 1"),
    ("another token", '{"text":"ax","starts":[0,1],"ends":[1,2]}', "token 2 is not what the text has at 1–2"),
    ("beyond the text", '{"text":"a","starts":[0,1],"ends":[1,2]}', "token 2 is not what the text has at 1–2"),
    ("too few lines", "", "not as many lines"),
    ("too many lines", '{"text":"ab","starts":[0,1],"ends":[1,2]}\n' * 2, "not as many lines"),
]


@pytest.mark.parametrize(("side", "message"), [row[1:] for row in SIDES], ids=[row[0] for row in SIDES])
def test_a_side_file_that_does_not_belong(side: str, message: str, tmp_path: Path) -> None:
    file = put(tmp_path, "a O\nb O\n")
    put(tmp_path, side, "notes.bio.offsets.jsonl")
    with pytest.raises(FormatError, match=message):
        list(read(file, "conll"))
