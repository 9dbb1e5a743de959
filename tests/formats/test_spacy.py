"""spaCy: JSON Lines with offsets, and DocBins that spaCy itself can read and learn from."""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span, first_overlap
from elision.errors import DocumentError, FormatError, MissingExtraError
from elision.formats import FORMATS, Reading, guess, read, write
from elision.formats.catalogue import sample
from tests.formats.canonical import SAMPLES, canonical
from tests.notes import note
from tests.strategies import documents

NOTES = [
    note("Seen by [NAME Jane Roe] on [DATE 3 May].", "ward/7"),
    Document("", "empty"),
    Document("  \r\n a\0\u200b😀  b ", "odd", patient="p 2", language="zh", spans=(Span(3, 9, "X"), Span(9, 12, "Y"))),
    Document("abc def", "over", spans=(Span(0, 7, "A"), Span(1, 5, "B"), Span(1, 5, "B"), Span(2, 4, ""))),
]


def jsonl(folder: Path, *rows: object) -> Path:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder / "rows.jsonl"


def docs(file: Path) -> list[Any]:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    return list(DocBin().from_disk(file).get_docs(Vocab()))


def packed(file: Path, *docs: Any, **how: Any) -> Path:
    from spacy.tokens import DocBin

    DocBin(docs=docs, **how).to_disk(file)
    return file


@pytest.mark.parametrize(("name", "file"), [("spacy-jsonl", "spacy_train.jsonl"), ("docbin", "spacy.spacy")])
def test_the_golden_samples_say_what_the_canonical_document_says(name: str, file: str) -> None:
    assert guess(SAMPLES / file)[0].name == name
    how = Reading()
    (document,) = read(SAMPLES / file, how=how)
    assert document == canonical(document.id)
    assert how.remarks.counts == {}
    assert {file.name for file in SAMPLES.iterdir() if FORMATS[name].sniff(sample(file))} == {file}


@pytest.mark.parametrize("name", ["spacy-jsonl", "docbin"])
def test_several_notes(name: str, tmp_path: Path) -> None:
    file = tmp_path / ("out" + FORMATS[name].suffix)
    kept = write(NOTES, file, name)
    assert kept.counts == {}
    for path in (tmp_path, file):
        assert guess(path)[0].name == name
        assert list(read(path)) == NOTES


# --- JSON Lines ----------------------------------------------------------------------------------------------------


def test_what_is_written(tmp_path: Path) -> None:
    write(NOTES[2:], tmp_path / "out.jsonl", "spacy-jsonl")
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()] == [
        {
            "text": NOTES[2].text,
            "entities": [[3, 9, "X"], [9, 12, "Y"]],
            "meta": {"id": "odd", "patient": "p 2", "language": "zh"},
        },
        {
            "text": "abc def",
            "spans": {"sc": [[0, 7, "A"], [1, 5, "B"], [1, 5, "B"], [2, 4, ""]]},
            "meta": {"id": "over"},
        },
    ]


def test_rows_of_others(tmp_path: Path) -> None:
    file = jsonl(
        tmp_path,
        {"text": "abc", "entities": [[0, 1, "A"], [1, 3, "B", "Q42"]], "cats": {}},
        {"id": 7, "text": "abc", "entities": [[0, 1, "A"]], "spans": {"x": [[1, 2, "B"]], "y": [[0, 1, "A"]]}},
        {"text": "abc", "entities": None, "spans": {}},
    )
    found = [(d.id, [(s.start, s.end, s.label) for s in d.spans]) for d in read(file, "spacy-jsonl")]
    assert found == [
        ("1", [(0, 1, "A"), (1, 3, "B")]),
        ("7", [(0, 1, "A"), (1, 2, "B"), (0, 1, "A")]),
        ("3", []),
    ]


BAD: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    ("no entities", {"text": "secret"}, FormatError, "rows.jsonl:1: field 'entities' is missing"),
    ("no text", {"entities": []}, FormatError, "rows.jsonl:1: field 'text' is missing"),
    ("an object", {"text": "a", "entities": [{"start": 0}]}, FormatError, "rows.jsonl:1: span 1: expected"),
    ("too short", {"text": "a", "entities": [[0, 1]]}, FormatError, "rows.jsonl:1: span 1: expected"),
    ("true", {"text": "a", "entities": [[False, True, "A"]]}, FormatError, "rows.jsonl:1: span 1: expected"),
    ("no label", {"text": "a", "entities": [[0, 1, None]]}, FormatError, "span 1: the label must be a string"),
    ("backwards", {"text": "ab", "entities": [[1, 0, "A"]]}, DocumentError, "rows.jsonl:1: span 1–0: "),
    ("outside", {"text": "ab", "entities": [[1, 3, "A"]]}, DocumentError, "rows.jsonl:1: note 1: span 1–3"),
    ("a list of objects", {"text": "a", "spans": [{"start": 0}]}, FormatError, "'spans' must be an object"),
]


@pytest.mark.parametrize(("row", "error", "message"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_rows(row: dict[str, Any], error: type[Exception], message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message) as caught:
        list(read(jsonl(tmp_path, row), "spacy-jsonl"))
    assert "secret" not in str(caught.value)


def test_spacy_takes_the_rows(tmp_path: Path) -> None:
    import spacy
    from spacy.training import Example

    write([NOTES[0], NOTES[3]], tmp_path / "out.jsonl", "spacy-jsonl")
    plain, over = (json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    nlp = spacy.blank("en")
    doc = Example.from_dict(nlp.make_doc(plain["text"]), {"entities": plain["entities"]}).reference
    assert [(entity.text, entity.label_) for entity in doc.ents] == [("Jane Roe", "NAME"), ("3 May", "DATE")]
    whole = {"spans": {"sc": over["spans"]["sc"][:1]}}  # the others cut tokens of spaCy's own
    doc = Example.from_dict(nlp.make_doc(over["text"]), whole).reference
    assert [(span.text, span.label_) for span in doc.spans["sc"]] == [("abc def", "A")]


# --- DocBin --------------------------------------------------------------------------------------------------------


@given(data=st.data())
def test_spacy_sees_the_text_and_entities_to_learn_from(data: st.DataObject) -> None:
    document = data.draw(documents(FORMATS["docbin"], "1"))
    with tempfile.TemporaryDirectory() as folder:
        write([document], Path(folder) / "out.spacy", "docbin")
        (doc,) = docs(Path(folder) / "out.spacy")
    assert doc.text == document.text
    entities = [Span(entity.start_char, entity.end_char, entity.label_) for entity in doc.ents]
    assert first_overlap(entities) is None
    assert all(entity.text == entity.text.strip() for entity in doc.ents)
    assert all(token.ent_iob_ in "BIO" for token in doc)  # "" would say that nobody looked
    held = [(span.start_char, span.end_char, span.label_) for span in doc.spans.get("sc", ())]
    if held:
        assert held == [(span.start, span.end, span.label) for span in document.spans]
    else:
        assert tuple(entities) == document.spans


def test_how_a_doc_is_made(tmp_path: Path) -> None:
    spans = (Span(0, 2, "CUT"), Span(3, 6, "WHITE"), Span(7, 11, "FINE"))
    write([Document("abc d  e f \n", "7", patient="p", spans=spans)], tmp_path / "out.spacy", "docbin")
    (doc,) = docs(tmp_path / "out.spacy")
    assert [token.text_with_ws for token in doc] == ["ab", "c", " ", "d", " ", " ", "e ", "f", " ", "\n"]
    assert [(entity.text, entity.label_) for entity in doc.ents] == [("abc", "CUT"), ("d", "WHITE"), ("e f", "FINE")]
    assert [(span.text_with_ws, span.label_) for span in doc.spans["sc"]] == [
        ("ab", "CUT"), (" d ", "WHITE"), ("e f ", "FINE"),
    ]  # fmt: skip
    assert doc.user_data == {"elision": {"id": "7", "patient": "p", "language": ""}}


def test_docs_of_others(tmp_path: Path) -> None:
    from spacy.tokens import Doc
    from spacy.tokens import Span as Part
    from spacy.vocab import Vocab

    vocab = Vocab()
    doc = Doc(vocab, words=["Jane", "Roe", "left"], spaces=[True, True, False])
    doc.ents = [Part(doc, 0, 2, label="NAME")]
    doc.spans["mine"] = [Part(doc, 0, 2, label="NAME"), Part(doc, 1, 3, label="X")]
    doc.user_data["elision"] = "something else"
    unspaced = Doc(vocab, words=["a", "b"])
    packed(tmp_path / "train.spacy", doc, unspaced, store_user_data=True)
    how = Reading()
    first, second = read(tmp_path / "train.spacy", how=how)
    assert (first.id, first.text) == ("train-1", "Jane Roe left")
    assert [(span.start, span.end, span.label) for span in first.spans] == [(0, 8, "NAME"), (5, 13, "X")]
    assert (second.id, second.text) == ("train-2", "a b ")
    assert list(how.remarks.counts) == ["text rebuilt from tokens; the white space between them is a guess"]


def test_a_folder_of_docbins(tmp_path: Path) -> None:
    data = (SAMPLES / "spacy.spacy").read_bytes()
    for name in ("dev.spacy", "train.spacy"):
        (tmp_path / name).write_bytes(data)
    assert [document.id for document in read(tmp_path)] == ["dev-1", "train-1"]


GOLDEN_DATA = (SAMPLES / "spacy.spacy").read_bytes()
UNPACKED = zlib.decompress(GOLDEN_DATA)
CATS = b"\xa4cats\x91\x80"  # the key "cats" and a list with one empty object
DAMAGED = [
    ("empty", b"", "the DocBin breaks off"),
    ("truncated", GOLDEN_DATA[:200], "the DocBin breaks off"),
    ("cut at its end", GOLDEN_DATA[:-1], "the DocBin breaks off"),
    ("not zlib", b"secret", "not a DocBin"),
    ("a bit turned", GOLDEN_DATA[:300] + bytes([GOLDEN_DATA[300] ^ 1]) + GOLDEN_DATA[301:], "DocBin"),
    ("not msgpack", zlib.compress(b"\xc1secret"), "a damaged DocBin"),
    ("msgpack cut", zlib.compress(UNPACKED[:-20]), "a damaged DocBin"),
    ("another msgpack", zlib.compress(b"\x81\xa6secret\x01"), "a damaged DocBin"),
    ("a string missing", zlib.compress(UNPACKED.replace(b"PATIENT", b"PATIENX")), "a damaged DocBin"),
]


@pytest.mark.parametrize(("data", "message"), [row[1:] for row in DAMAGED], ids=[row[0] for row in DAMAGED])
def test_damaged_docbins(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.spacy").write_bytes(data)
    with pytest.raises(FormatError, match=message) as caught:
        list(read(tmp_path / "x.spacy", "docbin"))
    assert "secret" not in str(caught.value)
    assert gc.isenabled()


def test_a_docbin_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.spacy").write_bytes(zlib.compress(bytes(10_000_000)))
    with pytest.raises(FormatError, match="unpacks to more than 6 MB"):
        list(read(tmp_path / "x.spacy", "docbin", Reading(max_bytes=100_000)))


def test_an_array_of_objects_is_not_unpickled(tmp_path: Path) -> None:
    """The msgpack of a DocBin may hold numpy arrays; one of Python objects would have to be unpickled."""
    array = (
        b"\x85\xc4\x02nd\xc3\xc4\x04type\xa2|O\xc4\x04kind\xc4\x00\xc4\x05shape\x91\x01"
        b"\xc4\x04data\xc4\x19cbuiltins\nprint\n(S'x'\ntR."
    )
    assert UNPACKED.count(CATS) == 1
    (tmp_path / "x.spacy").write_bytes(zlib.compress(UNPACKED.replace(CATS, CATS[:5] + array)))
    with pytest.raises(FormatError, match="a damaged DocBin"):
        list(read(tmp_path / "x.spacy", "docbin"))


@pytest.mark.parametrize("read_it", [True, False])
def test_without_spacy_the_extra_is_named(read_it: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy.tokens", None)
    with pytest.raises(MissingExtraError, match=r"elision\[spacy\]"):
        list(read(SAMPLES / "spacy.spacy", "docbin")) if read_it else write(NOTES, tmp_path / "out.spacy", "docbin")


def test_a_blank_at_an_edge_of_a_span_is_a_token_of_its_own() -> None:
    from elision.formats.spacy import words_of
    from elision.text.tokens import tokenize

    text = "a b c d"
    document = Document(text, spans=(Span(1, 3, "X"), Span(4, 6, "Y")))
    assert words_of(document, tokenize(text)) == (
        ["a", " ", "b", "c", " ", "d"],
        [False, False, True, False, False, False],
    )
