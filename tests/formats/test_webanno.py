"""WebAnno TSV 3.3: every text and every span, written so that INCEpTION reads the same, and what it writes."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import FORMATS, Reading, guess, read, write
from elision.formats.catalogue import sample
from elision.formats.webanno import escape_text, escape_value, print_tsv
from elision.formats.webanno_rows import split_stacked, unescape_text, unescape_value
from tests.formats.canonical import SAMPLES, canonical
from tests.notes import note
from tests.strategies import documents, texts

GOLDEN_FILE = SAMPLES / "webanno_tsv3.tsv"
HEAD = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.PHI|kind\n\n\n"


def put(folder: Path, content: str, name: str = "n.tsv") -> Path:
    (folder / name).write_bytes(content.encode())
    return folder / name


def edges(document: Document) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label) for span in document.spans]


def test_the_golden_sample_says_what_the_canonical_document_says() -> None:
    assert guess(GOLDEN_FILE)[0].name == "webanno-tsv"
    how = Reading()
    assert list(read(GOLDEN_FILE, how=how)) == [canonical("webanno_tsv3")]
    assert how.remarks.counts == {}


def test_no_other_golden_sample_is_taken_for_webanno() -> None:
    claimed = {file.name for file in SAMPLES.iterdir() if FORMATS["webanno-tsv"].sniff(sample(file))}
    assert claimed == {GOLDEN_FILE.name}


def test_what_is_written(tmp_path: Path) -> None:
    write([note("😀 by [NAME Jane\n Roe] \\o/", "ward/7")], tmp_path, "webanno-tsv")
    assert (tmp_path / "ward" / "7.tsv").read_text("utf-8") == HEAD + (
        "#Text=😀 by Jane\n#Text= \n1-1\t0-2\t😀\t_\t\n1-2\t3-5\tby\t_\t\n1-3\t6-10\tJane\tNAME[1]\t\n\n"
        "#Sentence.break=none\n#Text=Roe \\\\o/\n2-1\t12-15\tRoe\tNAME[1]\t\n2-2\t16-17\t\\\t_\t\n"
        "2-3\t17-18\to\t_\t\n2-4\t18-19\t/\t_\t\n"
    )


def test_spans_that_cut_tokens_stack_touch_white_space_or_are_empty() -> None:
    spans = (Span(0, 0, "E"), Span(0, 2, "A"), Span(1, 5, "B"), Span(1, 5, "B"), Span(3, 4, "W"), Span(6, 7, "*"))
    assert print_tsv(Document("abc def\n", "1", spans=spans)) == HEAD + (
        "#Text=abc def\n"
        "1-1\t0-3\tabc\t_\t\n1-1.1\t0-2\tab\tA\t\n1-1.2\t0-0\t\tE\t\n1-1.3\t1-3\tbc\tB[1]|B[2]\t\n"
        "1-2\t3-4\t \tB[1]|B[2]|W[3]\t\n"
        "1-3\t4-7\tdef\t_\t\n1-3.1\t4-5\td\tB[1]|B[2]\t\n1-3.2\t6-7\tf\t\\*\t\n"
    )


@given(data=st.data())
def test_the_file_alone_is_exact(data: st.DataObject) -> None:
    """Unlike the test for all formats, this one gives the reader no text to look things up in."""
    document = data.draw(documents(FORMATS["webanno-tsv"], "n"))
    how = Reading()
    with tempfile.TemporaryDirectory() as folder:
        write([document], folder, "webanno-tsv")
        assert list(read(folder, "webanno-tsv", how)) == [document]
    assert how.remarks.counts == {}


def as_inception_reads(tsv: str) -> str:
    """The text that INCEpTION makes of a file: sentences end in a line break, and the next offset decides on it."""
    text, waiting = "", ""
    lines = re.split(r"\r\n|\r|\n", tsv)
    for line in lines[2:]:
        if line.startswith("#Text="):
            waiting += unescape_text(line.removeprefix("#Text=")) + "\n"
        elif line and not line.startswith("#") and waiting:
            begin = int(line.split("\t")[1].split("-")[0])
            size = len(text.encode("utf-16-le")) // 2
            if size > begin:
                assert size == begin + 1
                assert text.endswith("\n")
                text = text[:-1]
            text += " " * (begin - size) + waiting
            waiting = ""
    assert not waiting
    return text


@given(data=st.data())
def test_inception_reads_the_same_text(data: st.DataObject) -> None:
    document = data.draw(documents(FORMATS["webanno-tsv"], "n"))
    tsv = print_tsv(document)
    assert as_inception_reads(tsv) in (document.text, document.text + "\n")
    assert not document.text or not tsv.endswith("\n\n")  # INCEpTION stops at a blank line after the last row


@given(text=texts)
def test_escapes_are_undone(text: str) -> None:
    assert unescape_text(escape_text(text)) == text
    assert unescape_value(escape_value(text)) == text
    assert "\n" not in escape_text(text) + escape_value(text)


@given(values=st.lists(texts, min_size=1))
def test_stacked_values_come_apart_again(values: list[str]) -> None:
    cell = "|".join(escape_value(value) for value in values)
    assert [unescape_value(value) for value in split_stacked(cell)] == values


STACKED = HEAD + (
    "#Sentence.id=s1\n#Text=aaaaaa bbbbbb cccccc\n"
    "1-1\t0-6\taaaaaa\t2a[1]|2\\_b[2]|1\\[3\\][5]\t\n"
    "1-1.1\t3-6\taaa\t9a[7]\t\n"
    "1-2\t7-13\tbbbbbb\t2a[1]|2\\_b[2]|9a[7]\t\n"
    "1-2.1\t7-7\t\t*\t\n"
    "1-2.2\t9-13\tbbbb\t5a[17]|5a[18]\t\n"
    "1-3\t14-20\tcccccc\t_\t\n"
    "1-3.1\t14-17\tccc\t9a[7]\t\n"
    "\n#Text=d\n2-1\t21-22\td\ta\\|b\t\n"
)


def test_stacked_and_sub_token_spans_as_inception_writes_them(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, STACKED))
    assert document.text == "aaaaaa bbbbbb cccccc\nd\n"
    assert edges(document) == [
        (0, 6, "1[3]"),
        (0, 13, "2a"),
        (0, 13, "2_b"),
        (3, 17, "9a"),
        (7, 7, ""),
        (9, 13, "5a"),
        (9, 13, "5a"),
        (21, 22, "a|b"),
    ]


def test_crlf_and_a_byte_order_mark(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, "\ufeff" + STACKED.replace("\n", "\r\n")))
    assert document.text == "aaaaaa bbbbbb cccccc\nd\n"
    assert len(document.spans) == 8


LAYERS = """#FORMAT=WebAnno TSV 3.2
#T_SP=custom.Name|ROLE_custom.Name:Kin_custom.NameKinLink|uima.tcas.Annotation|certainty|value
#T_CH=coref.Link|referenceType|referenceRelation
#T_RL=dep.Dependency|kind|BT_pos.POS


#Text=Dr Roe
1-1\t0-2\tDr\t_\t_\t_\t_\tpr[1]\tco->1-1\tx\t1-2\t
1-2\t3-6\tRoe\tkin;kin\t1-1;1-1\tsure|*\tDOCTOR[1]|NAME[2]\t_\t_\t_\t_\t
"""


def test_another_layer_with_more_features_beside_relations_chains_and_slots(tmp_path: Path) -> None:
    how = Reading()
    (document,) = read(put(tmp_path, LAYERS), how=how)
    assert [(*edge, dict(span.info)) for edge, span in zip(edges(document), document.spans, strict=True)] == [
        (3, 6, "DOCTOR", {"feature:certainty": "sure"}),
        (3, 6, "NAME", {}),
    ]
    assert document.info == {"layer": "custom.Name|value"}
    assert how.remarks.counts.keys() == {f"WebAnno {what} not read" for what in ("slots", "chains", "relations")}
    written = print_tsv(document)
    assert "#T_SP=custom.Name|value|certainty\n" in written
    assert "\tDOCTOR[1]|NAME[2]\tsure[1]|*[2]\t\n" in written
    write([document], tmp_path / "again", "webanno-tsv")
    assert list(read(tmp_path / "again")) == [document]


def test_a_layer_without_features_and_a_file_without_layers(tmp_path: Path) -> None:
    bare = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.PHI|\n\n\n#Text=a b\n1-1\t0-1\ta\t*[1]\t\n1-2\t2-3\tb\t*[1]\t\n"
    none = "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=a b\n1-1\t0-1\ta\t\n1-2\t2-3\tb\t\n"
    put(tmp_path, bare, "bare.tsv")
    put(tmp_path, none, "none.tsv")
    assert [edges(document) for document in read(tmp_path)] == [[(0, 3, "")], []]


GAP = HEAD + "#Text=a\n1-1\t2-3\ta\tX\t\n\n#Text=b\n2-1\t6-7\tb\t_\t\n"


def test_white_space_that_the_file_does_not_have_is_remarked_or_taken_from_the_text(tmp_path: Path) -> None:
    file, how = put(tmp_path, GAP), Reading()
    (document,) = read(file, how=how)
    assert document.text == "  a\n  b\n"
    assert list(how.remarks.counts) == [
        "white space between WebAnno sentences, which the file does not have, read as blanks"
    ]
    how = Reading(texts={"n": "\r\na\n\t\nb"})
    (document,) = read(file, how=how)
    assert (document.text, edges(document)) == ("\r\na\n\t\nb", [(2, 3, "X")])
    assert how.remarks.counts == {}


def test_offsets_in_code_points_are_told_apart(tmp_path: Path) -> None:
    how = Reading()
    file = put(tmp_path, HEAD + "#Text=😀 a\n1-1\t0-1\t😀\t_\t\n1-2\t2-3\ta\tX\t\n\n#Text=b\n2-1\t4-5\tb\tY\t\n")
    (document,) = read(file, how=how)
    assert (document.text, edges(document)) == ("😀 a\nb\n", [(2, 3, "X"), (4, 5, "Y")])
    assert list(how.remarks.counts) == ["WebAnno offsets counted in code points, not in UTF-16 units"]


BAD = [
    ("another file", "a\tb\n", r"n.tsv: the first line is not #FORMAT=WebAnno TSV 3.3"),
    ("an older version", HEAD.replace("3.3", "3.1"), r"WebAnno TSV 3\.1 escapes texts in another way"),
    ("two layers", HEAD.replace("\n\n", "\n#T_SP=a.B|value\n", 1), "layer of spans: webanno.custom.PHI, a.B; export"),
    ("no label", HEAD.replace("kind", "b|c"), "none of the features b, c is one of kind, value, label"),
    ("a column missing", HEAD + "#Text=ab\n1-1\t0-2\tab\t\n", "n.tsv:6: 0 columns where the header names 1"),
    ("a column more", HEAD + "#Text=ab\n1-1\t0-2\tab\t_\t_\t\n", "n.tsv:6: 2 columns where the header names 1"),
    ("no offsets", HEAD + "#Text=secret\nsecret\n", "n.tsv:6: expected #Text= or a row"),
    ("no #Text", HEAD + "1-1\t0-2\tab\t_\t\n", "n.tsv:5: expected #Text= or a row"),
    ("no tokens", HEAD + "#Text=secret\n", "n.tsv:5: a sentence without tokens"),
    ("backwards", HEAD + "#Text=a b\n1-1\t0-1\ta\t_\t\n1-2\t0-1\ta\t_\t\n", "n.tsv:7: the offsets 0–1 do not ascend"),
    ("beyond the text", HEAD + "#Text=a\n1-1\t0-9\ta\t_\t\n", "n.tsv:6: the offsets 0–9 do not ascend, or leave"),
    ("another token", HEAD + "#Text=a secret\n1-1\t0-1\ta\t_\t\n1-2\t2-5\tb\t_\t\n", "n.tsv:7: the token is not"),
    ("half a character", HEAD + "#Text=😀a\n1-1\t1-3\ta\t_\t\n", "n.tsv:6"),
    ("a sub-token outside", HEAD + "#Text=a b\n1-1\t0-1\ta\t_\t\n1-1.1\t2-3\tb\tX\t\n", "n.tsv:7: the offsets 2–3"),
    ("a far offset", HEAD + "#Text=a\n1-1\t99999999999-99999999999\ta\t_\t\n", "n.tsv:6: the offset does not follow"),
    ("sentences overlap", GAP.replace("6-7", "2-3"), "n.tsv:9: the offset does not follow on the sentence before"),
    (
        "two labels",
        HEAD + "#Text=a b\n1-1\t0-1\ta\tX[1]\t\n1-2\t2-3\tb\tY[1]\t\n",
        "n.tsv:7: the span with the number 1",
    ),
]


@pytest.mark.parametrize(("content", "message"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_files(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        list(read(put(tmp_path, content), "webanno-tsv"))
    assert "secret" not in str(caught.value)


def test_a_given_text_that_is_another_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"n\.tsv:6: the token is not what the text has at 2–3") as caught:
        list(read(put(tmp_path, GAP), "webanno-tsv", Reading(texts={"n": "secret secret"})))
    assert "secret" not in str(caught.value)


REFUSED = [
    Document("", "1", spans=(Span(0, 0, "X"),)),
    Document("a", "1", info={"layer": "no feature"}),
    Document("a", "1", spans=(Span(0, 1, "X", info={"feature:a|b": "c"}),)),
]


@pytest.mark.parametrize("document", REFUSED)
def test_what_cannot_be_held_is_refused(document: Document, tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match="note 1: "):
        write([document], tmp_path, "webanno-tsv")
