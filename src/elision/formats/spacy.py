"""spaCy's training data: JSON Lines with offsets, and the binary DocBin that `spacy train` reads.

A DocBin has tokens. elision cuts them so that every span can be held exactly; all white space is in them. `doc.ents` is
what spaCy's named entity recogniser can learn from: disjoint, along whole tokens, without white space at the edges.
Where the note's own spans differ from that, they stand beside it in `doc.spans["sc"]`, and are read from there.
"""

from __future__ import annotations

import gc
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.bio import grow
from elision.document import Document, Span, first_overlap
from elision.errors import FormatError, MissingExtraError
from elision.formats.atomic import write_bytes, write_jsonl
from elision.formats.files import files_below, id_of, read_bytes
from elision.formats.format import MEGABYTE, Format, Holds, Reading, Remarks, Sample
from elision.formats.json_files import keys_of_lines, shape
from elision.formats.rows import (
    JsonObject,
    identifier,
    mapping,
    need,
    notes_below,
    placed,
    string,
    text_in,
    things,
    whole_string,
)

if TYPE_CHECKING:
    from elision.text.tokens import Tokens

GROUP = "sc"  # where spaCy's span categoriser looks for spans that may overlap
OURS = "elision"  # our key in Doc.user_data
INFLATION = 64  # how much larger than the limit for a file a DocBin may become when it is unpacked

# --- JSON Lines ----------------------------------------------------------------------------------------------------


def read_lines(path: Path, how: Reading) -> Iterator[Document]:
    for where, place, row in notes_below(path, how, ".jsonl"):
        meta = mapping(row, "meta", where)
        if row.get("spans") is None:
            need(row, "entities", where)
        groups = mapping(row, "spans", where)
        triples = [*things(row, "entities", where), *chain(*(things(groups, key, where) for key in groups))]
        with placed(where):
            document = Document(
                text_in(row, where),
                identifier(row, "id", where, identifier(meta, "id", where, place)),
                identifier(meta, "patient", where, ""),
                string(meta, "language", where, ""),
                tuple(_span(triple, f"{where}: span {number}") for number, triple in enumerate(triples, 1)),
            )
        yield document


def _span(triple: object, where: str) -> Span:
    if not isinstance(triple, list) or len(triple) < 3 or type(triple[0]) is not int or type(triple[1]) is not int:
        raise FormatError(f"{where}: expected [start, end, label]")
    return Span(triple[0], triple[1], whole_string(triple[2], f"{where}: the label"))


def write_lines(documents: Iterable[Document], path: Path, _: Remarks) -> None:
    write_jsonl(path, map(_row, documents))


def _row(document: Document) -> JsonObject:
    triples = [[span.start, span.end, span.label] for span in document.spans]
    # spaCy refuses a note whose entities overlap; as a group of spans they may.
    spans: JsonObject = {"spans": {GROUP: triples}} if first_overlap(document.spans) else {"entities": triples}
    meta = {key: value for key in ("patient", "language") if (value := getattr(document, key))}
    return {"text": document.text, **spans, "meta": {"id": document.id, **meta}}


def sniff_lines(sample: Sample) -> str:
    keys, paths = keys_of_lines(sample.head), shape(sample.head)
    if "text" not in keys or keys & {"tokens", "relations"}:
        return ""
    if "entities[][]" in paths or f"spans.{GROUP}[][]" in paths:
        return "lines with text and [start, end, label]"
    empty = "entities[]" in paths and not any(path.startswith("entities[].") for path in paths)
    return "lines with text and empty entities" if empty and keys <= {"id", "text", "entities", "meta"} else ""


# --- DocBin --------------------------------------------------------------------------------------------------------


def _spacy() -> Any:
    try:
        import spacy.tokens
        import spacy.vocab
    except ImportError:
        raise MissingExtraError("the format docbin", "spacy") from None
    return spacy


def read_docbin(path: Path, how: Reading) -> Iterator[Document]:
    for file in files_below(path, ".spacy"):
        for number, (text, ours, spans, guessed) in enumerate(_contents(file, how), 1):
            where = f"{file}, document {number}"
            if guessed:
                how.remarks.add("text rebuilt from tokens; the white space between them is a guess", where)
            with placed(where):
                document = Document(
                    text,
                    identifier(ours, "id", where, f"{id_of(file, path)}-{number}"),
                    identifier(ours, "patient", where, ""),
                    string(ours, "language", where, ""),
                    spans,
                )
            yield document


def _contents(file: Path, how: Reading) -> Iterator[tuple[str, JsonObject, tuple[Span, ...], bool]]:
    """Text, our data, spans of each doc, and whether its text is a guess. A DocBin is msgpack and arrays: no code."""
    spacy = _spacy()
    data = read_bytes(file, how)
    _check_packing(data, file, INFLATION * how.max_bytes)
    collecting = gc.isenabled()
    try:
        for doc in spacy.tokens.DocBin().from_bytes(data).get_docs(spacy.vocab.Vocab()):
            ours = doc.user_data.get(OURS)
            row = ours if isinstance(ours, dict) else {}
            yield doc.text, row, tuple(_spans_of(doc, exact=bool(row))), doc.has_unknown_spaces
    # A damaged DocBin fails wherever its arrays, hashes or msgpack do not fit, with any kind of error, and in words
    # that may quote the note.
    except Exception as error:
        raise FormatError(f"{file}: a damaged DocBin ({type(error).__name__}); write it again") from None
    finally:
        if collecting:
            gc.enable()  # the msgpack reader switches it off, and leaves it off when it fails


def _check_packing(data: bytes, file: Path, limit: int) -> None:
    """Refuse what is not whole, and what unpacks to more than any honest file does."""
    unpacker, size, rest = zlib.decompressobj(), 0, data
    try:
        while rest and not unpacker.eof:
            size += len(unpacker.decompress(rest, 1 << 20))
            rest = unpacker.unconsumed_tail
            if size > limit:
                raise FormatError(
                    f"{file}: unpacks to more than {limit / MEGABYTE:,.0f} MB (--max-mb raises the limit)"
                )
    except zlib.error:
        raise FormatError(f"{file}: not a DocBin (.spacy file)") from None
    if not unpacker.eof:
        raise FormatError(f"{file}: the DocBin breaks off; copy or write it again")


def _spans_of(doc: Any, *, exact: bool) -> Iterator[Span]:
    """The spans of a doc. Of ours, the group is all if there is one; of others, groups and entities add up."""
    groups = [Span(span.start_char, span.end_char, span.label_) for group in doc.spans.values() for span in group]
    yield from groups
    if groups and exact:
        return
    seen = set(groups)
    for entity in doc.ents:
        span = Span(entity.start_char, entity.end_char, entity.label_)
        if span not in seen:
            yield span


def write_docbin(documents: Iterable[Document], path: Path, _: Remarks) -> None:
    spacy = _spacy()
    packed = spacy.tokens.DocBin(attrs=["ENT_IOB", "ENT_TYPE"], store_user_data=True)
    vocab = spacy.vocab.Vocab()
    for document in documents:
        packed.add(_doc(document, vocab))
    write_bytes(path, packed.to_bytes())


def _doc(document: Document, vocab: Any) -> Any:
    from elision.text.tokens import tokenize  # with numpy

    spacy = _spacy()
    tokens = tokenize(document.text, document.language)
    words, spaces = words_of(document, tokens)
    doc = spacy.tokens.Doc(vocab, words=words, spaces=spaces)
    firsts = {token.idx: token.i for token in doc}
    lasts = {token.idx + len(token): token.i + 1 for token in doc}

    def along(spans: Iterable[Span]) -> list[Any]:
        return [spacy.tokens.Span(doc, firsts[span.start], lasts[span.end], label=span.label) for span in spans]

    entities = [span for span in grow(document.spans, tokens)[0] if span.label]
    doc.set_ents(along(entities), default="outside")
    if tuple(entities) != document.spans:
        doc.spans[GROUP] = along(document.spans)
    doc.user_data[OURS] = {"id": document.id, "patient": document.patient, "language": document.language}
    return doc


def words_of(document: Document, tokens: Tokens) -> tuple[list[str], list[bool]]:
    """Words and whether a blank follows each, as spaCy has them: together they are the text, and spans can be cut."""
    text, spans = document.text, document.spans
    begins, stops = {span.start for span in spans}, {span.end for span in spans}
    words: list[str] = []
    spaces: list[bool] = []
    for start, end in pairwise(sorted({0, len(text), *tokens.starts.tolist(), *tokens.ends.tolist(), *begins, *stops})):
        # A blank after a word goes with the word, unless a span begins at the blank or ends behind it.
        joins = text[start] == " " and start not in begins and start + 1 not in stops
        if joins and words and not spaces[-1] and not words[-1].isspace():
            spaces[-1] = True
            if start + 1 == end:
                continue
            words.append(text[start + 1 : end])
        else:
            words.append(text[start:end])
        spaces.append(False)
    return words, spaces


def sniff_docbin(sample: Sample) -> str:
    packed = sample.count(".spacy")
    return f"{packed} .spacy file{'s' if packed > 1 else ''}" if packed and sample.head.startswith("x") else ""


FORMATS = (
    Format(
        "spacy-jsonl",
        "spaCy JSONL with entities as [start, end, label]",
        ".jsonl",
        False,
        Holds(patient=True, language=True),
        read_lines,
        write_lines,
        sniff_lines,
        table=True,
    ),
    Format(
        "docbin",
        "spaCy DocBin, for spacy train",
        ".spacy",
        False,
        Holds(patient=True, language=True, order=False, empty_spans=False),
        read_docbin,
        write_docbin,
        sniff_docbin,
        extra="spacy",
    ),
)
