"""HL7 v2: text fields joined to one note, and brought back into their fields."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import Reading, guess, read, write
from elision.formats.hl7_message import DEFAULT, Delimiters, escape, unescape
from elision.rewrite import rewrite
from tests.notes import GOLDEN
from tests.strategies import texts

SAMPLE = GOLDEN / "formats" / "hl7_oru.hl7"
CANONICAL = json.loads((GOLDEN / "formats" / "canonical.json").read_text("utf-8"))
MSH = r"MSH|^~\&|LAB|HOSP|||2069||ORU^R01|7|P|2.5.1"
PID = (
    "PID|1|EXT9|4711^^^HOSP^MR~99-1^^^REG||Roe&van&Roe^Jane^Q^^Dr~Doe^Jane||19620407|F||"
    r"|12 Elm \T\ Oak St^Flat 3^Springfield^IL^62704^USA||555-0100^PRN^PH^jane@example.org|^^^^^555^0199"
    "|||||123-45-6789"
)


def message(*segments: str, end: str = "\r") -> str:
    return "".join(segment + end for segment in (MSH, *segments))


def put(folder: Path, content: str | bytes, name: str = "in.hl7") -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def back(documents: list[Document], folder: Path) -> bytes:
    write(documents, folder / "out.hl7", "hl7v2")
    return (folder / "out.hl7").read_bytes()


def test_the_golden_message_says_what_the_canonical_document_says() -> None:
    assert guess(SAMPLE)[0].name == "hl7v2"
    how = Reading()
    (document,) = read(SAMPLE, "hl7v2", how)
    first, second = document.joints
    assert (first, document.text[: second - 1]) == (0, CANONICAL["text"])
    assert document.text[second - 1 :] == "\nCalled Dr. O'Neil & left message"
    assert (document.id, document.patient) == ("1", "3438810")
    assert document.known == {"id": ("3438810",), "name": ("JOSE NUÑEZ",)}
    assert how.remarks.lines() == []


def test_a_message_comes_back_byte_for_byte(tmp_path: Path) -> None:
    remarks = write(read(SAMPLE), tmp_path / "out.hl7", "hl7v2")
    assert (tmp_path / "out.hl7").read_bytes() == SAMPLE.read_bytes()
    assert remarks.lines() == []


OBX = "OBX|1|TX|1^N^LN||"

CONTAINERS = [
    message(PID, OBX + r"a\.br\b||||||F", "NTE|1|L|c"),
    message(OBX + "a", end="\n"),
    message(OBX + "a", end="\r\n"),
    message(OBX + "a", end="\r")[:-1],
    message(OBX + "a\nb\n\nc", "NTE|1|L|d"),
    message(OBX + r"\H\bold\N\ \.sp+2\ C:\temp\x \X0A\\XE282AC\ ^&|||"),
    message(OBX + "a~b~~c", "NTE|1|L", "NTE|2|L|", 'NTE|3|L|""'),
    message("PV1|1|I|ward"),
    message(OBX + "a", end="\r\n\r\n"),
    "\ufeff" + message(OBX + "a"),
    "\x0b" + message(OBX + "a") + "\x1c\r\x0b" + message(OBX + "b").replace("|7|P", "|8|P") + "\x1c\r",
    "FHS|^~\\&|x\rBHS|^~\\&|MSH\r" + message(OBX + "a") + message(OBX + "b").replace("|7|P", "|8|P") + "BTS|2\rFTS|1\r",
    message(OBX + "trailing blanks  "),
    message(OBX + "a").replace("|7|P", "||P") + message(OBX + "b").replace("|7|P", "||P"),
    r"MSH#*!/+#LAB#HOSP###2069##ORU*R01#7#P#2.5.1" + "\rOBX#1#TX#1*N*LN##a/.br/b/T/c|^!d\r",
    "MSH|^~\\&#|LAB|HOSP|||2069||ORU^R01|7|P|2.7\rOBX|1|FT|1||a#b\r",
    MSH + "||||||8859/1\rNTE|1|L|José\r",
]  # fmt: skip


@pytest.mark.parametrize("content", CONTAINERS)
def test_containers_come_back_byte_for_byte(tmp_path: Path, content: str) -> None:
    data = content.encode("latin-1" if "8859/1" in content else "utf-8")
    documents = list(read(put(tmp_path, data), "hl7v2"))
    assert back(documents, tmp_path) == data
    assert list(read(tmp_path / "out.hl7", "hl7v2")) == [
        replace(document, id=document.id.replace("in/", "out/")) for document in documents
    ]


@pytest.mark.parametrize(
    ("content", "texts", "joints"),
    [
        (CONTAINERS[0], ["a\nb\nc"], [(0, 4)]),
        (CONTAINERS[4], ["a\nb\n\nc\nd"], [(0, 7)]),
        (CONTAINERS[5], ["\\H\\bold\\N\\ \\.sp+2\\ C:\\temp\\x \n€ ^&"], [()]),
        (CONTAINERS[6], ['a\nb\n\nc\n\n""'], [(0, 2, 4, 5, 7, 8)]),
        (CONTAINERS[7], [""], [()]),
        (CONTAINERS[10], ["a", "b"], [(), ()]),
        (CONTAINERS[11], ["a", "b"], [(), ()]),
        (CONTAINERS[12], ["trailing blanks  "], [()]),
        (CONTAINERS[14], ["a\nb+c|^", "d"], [(0, 8)]),
        (CONTAINERS[15], ["a#b"], [()]),
        (CONTAINERS[16], ["José"], [()]),
    ],
)
def test_text_fields_are_unescaped_and_joined(
    tmp_path: Path, content: str, texts: list[str], joints: list[tuple[int, ...]]
) -> None:
    data = content.encode("latin-1" if "8859/1" in content else "utf-8")
    documents = list(read(put(tmp_path, data), "hl7v2"))
    assert [document.joints for document in documents] == joints
    assert "\n".join(document.text for document in documents) == "\n".join(texts)


def test_messages_are_named_by_control_id_or_else_by_number(tmp_path: Path) -> None:
    put(tmp_path, CONTAINERS[13])
    put(tmp_path, message(OBX + "a"), "b.er7")
    assert [document.id for document in read(tmp_path, "hl7v2")] == ["7", "in/1", "in/2"]


def test_what_pid_states_about_the_patient_is_known(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, message(PID, OBX + "a")))
    assert document.patient == "4711"
    assert document.known == {
        "id": ("4711", "99-1", "EXT9"),
        "name": ("Jane Q Roe", "Jane Doe"),
        "birth_date": ("1962-04-07",),
        "address": ("12 Elm & Oak St", "Flat 3", "Springfield", "62704"),
        "phone": ("555-0100", "555 0199"),
        "email": ("jane@example.org",),
        "ssn": ("123-45-6789",),
    }


def replaced(document: Document, *changes: tuple[str, str]) -> Document:
    """The document with each first occurrence of some words replaced by others."""
    spans = []
    for words, _ in changes:
        start = document.text.index(words)
        spans.append(Span(start, start + len(words), "NAME"))
    return rewrite(document.with_spans(spans), [new for _, new in changes])


def test_replaced_text_goes_back_into_its_fields_and_all_else_stays(tmp_path: Path) -> None:
    (document,) = read(SAMPLE)
    changed = replaced(document, ("José Núñez", "Ann | Bo & ~\\^ Co"), ("O'Neil & left", "X\r\ny"), ("San\nSeb", "Rio"))
    lines, before = back([changed], tmp_path).decode().split("\r"), SAMPLE.read_text("utf-8").split("\n")
    assert lines[:3] == before[:3]
    assert r"Mr. Ann \F\ Bo \T\ \R\\E\\S\ Co (MRN 343 88 10) \T\ wife <Rioastián>.\.br\Seen by Dr. O'Neil." in lines[3]
    assert lines[3].endswith("||||||F")
    assert lines[4] == before[4].replace(r"O'Neil \T\ left", r"X\X0D\\.br\y")
    (again,) = read(tmp_path / "out.hl7")
    assert (again.text, again.joints) == (changed.text, changed.joints)


def test_a_span_that_straddles_a_joint_goes_into_the_field_in_which_it_begins(tmp_path: Path) -> None:
    content = message("OBX|1|TX|1||Seen by Jane", "OBX|2|TX|1||Mary", "OBX|3|TX|1||Roe today", "NTE|1|L|end")
    (document,) = read(put(tmp_path, content))
    changed = replaced(document, ("Jane\nMary\nRoe", "Ann Poe"))
    assert back([changed], tmp_path).decode() == message(
        "OBX|1|TX|1||Seen by Ann Poe", "OBX|2|TX|1||", "OBX|3|TX|1|| today", "NTE|1|L|end"
    )


def test_formatting_stays_formatting_where_a_field_changes(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, message(OBX + r"\H\Roe\N\ said \E\H\E\ \.sp2\ twice")))
    assert document.text == r"\H\Roe\N\ said \H\ \.sp2\ twice"
    written = back([replaced(document, ("Roe", "Poe"))], tmp_path).decode()
    assert written == message(OBX + r"\H\Poe\N\ said \H\ \.sp2\ twice")


def test_formatting_gives_way_where_it_would_change_the_text(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, message(OBX + r"\H\Roe")))
    changed = replaced(document, ("Roe", "F\\"))
    back([changed], tmp_path)
    assert [again.text for again in read(tmp_path / "out.hl7")] == [changed.text]


def test_repetitions_stay_repetitions(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, message(OBX + "Jane Roe~Roe, Jane~end|||", "NTE|1|L|x~y")))
    assert back([replaced(document, ("Roe, Jane", "A~B"))], tmp_path).decode() == message(
        OBX + r"Jane Roe~A\R\B~end|||", "NTE|1|L|x~y"
    )


def test_a_text_that_no_longer_fits_the_charset_makes_the_message_utf8(tmp_path: Path) -> None:
    data = (MSH + "||||||8859/1~ASCII\rNTE|1|L|José\r").encode("latin-1")
    (document,) = read(put(tmp_path, data))
    remarks = write([replaced(document, ("José", "李明"))], tmp_path / "out.hl7", "hl7v2")
    assert (tmp_path / "out.hl7").read_bytes().decode() == MSH + "||||||UNICODE UTF-8\rNTE|1|L|李明\r"
    assert "the text no longer fits iso8859-1; the message is UTF-8 now, and MSH-18 says so" in remarks.counts


def test_an_encoding_that_the_reader_is_told_comes_before_msh_18(tmp_path: Path) -> None:
    data = (MSH + "||||||ASCII\rNTE|1|L|“José”\r").encode("cp1252")
    file = put(tmp_path, data)
    with pytest.raises(FormatError, match=r"byte 63 is not ascii.*--encoding cp1252"):
        list(read(file))
    (document,) = read(file, "hl7v2", Reading(encoding="cp1252"))
    assert document.text == "“José”"
    assert document.info["container:hl7-encoding"] == "cp1252"
    assert back([document], tmp_path) == data
    with pytest.raises(FormatError, match="not an encoding that Python knows"):
        list(read(file, "hl7v2", Reading(encoding="klingon")))


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ("", "utf-8"),
        ("UNICODE UTF-8", "utf-8"),
        ("8859/15", "iso8859-15"),
        ("ASCII", "ascii"),
        ("GB 18030-2000", "gb18030"),
        ("BIG-5", "big5"),
        ("WINDOWS-1252", "cp1252"),
        ("UTF-8", "utf-8"),
    ],
)
def test_charsets_are_called_by_their_hl7_names(tmp_path: Path, stated: str, name: str) -> None:
    text = {"ascii": "x", "gb18030": "李明", "big5": "李明", "utf-8": "李明"}.get(name, "é€" if "15" in name else "é“")
    data = f"{MSH}||||||{stated}\rNTE|1|L|{text}\r".encode(name)
    (document,) = read(put(tmp_path, data))
    assert document.text == text
    assert back([document], tmp_path) == data


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    content = message(
        "OBX|1|ED|1||^AP^PDF^Base64^JVBERi0x",
        "OBX|2|NM|1||4.2",
        "OBX|3|CWE|1||1^x",
        "OBX|4|CWE|1||1^y",
        "OBX|5||1||plain",
        "OBX|6|jane|1||z",
        "OBX|7|ED|1||",
        "OBX|8|TX",
    )
    how = Reading()
    (document,) = read(put(tmp_path, content), "hl7v2", how)
    assert document.text == "plain"
    assert how.remarks.counts == {
        "OBX of type ED is not read as text": 1,
        "OBX of type CWE is not read as text": 2,
        "OBX of type an unknown type is not read as text": 1,
    }


def test_line_breaks_inside_a_field_are_reported(tmp_path: Path) -> None:
    how = Reading()
    (document,) = read(put(tmp_path, message(OBX + "one\ntwo")), "hl7v2", how)
    assert document.text == "one\ntwo"
    assert list(how.remarks.counts) == ["line breaks inside a field, which HL7 does not allow, are read as text"]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "does not begin with MSH"),
        (b"PID|1||4711\rMSH|^~\\&|\r", "does not begin with MSH"),
        (b"Dear Dr. Roe,\rMSH|^~\\&|\r", "does not begin with MSH"),
        (b"MSHx", "does not begin with MSH"),
        (b"MSH||x\rNTE|1|L|Roe\r", "MSH-2 must state the delimiters"),
        (b"MSH|^^|x\rNTE|1|L|Roe\r", "MSH-2 must state the delimiters"),
        (b"MSH|abc|x\rNTE|1|L|Roe\r", "MSH-2 must state the delimiters"),
        (b"MSH|^~\\&||||||||7|P|2||||||KLINGON\rNTE|1|L|Roe\r", "states a charset"),
        (b"MSH|^~\\&||||||||7|P|2||||||<Roe>\rNTE|1|L|Roe\r", "states a charset"),
        (b"MSH|^~\\&||||||||7|P|2||||||UTF-16\rNTE|1|L|Roe\r", "HL7 in utf-16 is not read"),
        (b"MSH|^~\\&||||||||7|P|2\rNTE|1|L|Roe \xff\r", "is not utf-8"),
    ],
)
def test_bad_files_are_refused_without_their_text(tmp_path: Path, data: bytes, error: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(put(tmp_path, data), "hl7v2"))
    assert error in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_a_message_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    file = put(tmp_path, message(OBX + "x" * 3_000_000))
    with pytest.raises(FormatError, match="--max-mb"):
        list(read(file, "hl7v2", Reading(max_bytes=1_000_000)))


def test_a_large_file_is_read_message_by_message(tmp_path: Path) -> None:
    one = message(OBX + "x" * 700)
    data = "".join(one.replace("|7|P", f"|{number}|P") for number in range(3_000))
    documents = list(read(put(tmp_path, data), "hl7v2", Reading(max_bytes=1_500_000)))
    assert [document.id for document in documents] == [str(number) for number in range(3_000)]
    assert back(documents, tmp_path) == data.encode()


@pytest.mark.parametrize("content", ["~" * 300_000, "\n" * 300_000 + "x", "\\" * 300_000, "\r" * 300_000 + "x"])
def test_hostile_text_takes_linear_time(tmp_path: Path, content: str) -> None:
    start = time.monotonic()
    (document,) = read(put(tmp_path, message(OBX + content)), "hl7v2")
    back([rewrite(document.with_spans([Span(0, 1, "X")]), ["y"])], tmp_path)
    assert time.monotonic() - start < 10


def test_hostile_headers_take_linear_time(tmp_path: Path) -> None:
    start = time.monotonic()
    with pytest.raises(FormatError, match="does not begin with MSH"):
        list(read(put(tmp_path, b"BHS|\r" * 200_000), "hl7v2"))
    assert time.monotonic() - start < 10


def test_a_note_from_elsewhere_becomes_a_message_and_comes_back(tmp_path: Path) -> None:
    document = Document("a|b^c&d~e\\f\r\n\tg\0 😀\nh", "x|1\r\n", patient="p^2")
    assert back([document], tmp_path).decode() == (
        "MSH|^~\\&|elision||||||ORU^R01^ORU_R01|x\\F\\1\\X0D\\\\.br\\|P|2.5.1||||||UNICODE UTF-8\r"
        "PID|1||p\\S\\2\r"
        "OBR|1|||34109-9^Note^LN\r"
        "OBX|1|FT|34109-9^Note^LN||a\\F\\b\\S\\c\\T\\d\\R\\e\\E\\f\\X0D\\\\.br\\\tg\\X00\\ 😀\\.br\\h||||||F\r"
    )
    assert list(read(tmp_path / "out.hl7")) == [document]


def test_joints_are_held_as_fields_if_line_breaks_are_there(tmp_path: Path) -> None:
    held = Document("one\ntwo\n\nthree", "1", joints=(0, 4, 9))
    not_held = Document("one two", "2", joints=(0, 4))
    remarks = write([held, not_held], tmp_path / "out.hl7", "hl7v2")
    assert list(read(tmp_path / "out.hl7")) == [held, replace(not_held, joints=())]
    assert remarks.counts == {"joints that do not follow line breaks are not held": 1}


def test_known_values_without_a_message_are_reported_and_with_one_are_not(tmp_path: Path) -> None:
    known = Document("a", "1", known={"name": ("Jane Roe", "Roe")})
    assert write([known], tmp_path / "out.hl7", "hl7v2").counts == {"hl7v2 does not hold known values": 2}
    (document,) = read(SAMPLE)
    assert write([document], tmp_path / "out.hl7", "hl7v2").counts == {}


def test_ids_that_were_changed_do_not_go_into_a_message_that_has_its_own(tmp_path: Path) -> None:
    (document,) = read(SAMPLE)
    remarks = write([replace(document, id="new", patient="new")], tmp_path / "out.hl7", "hl7v2")
    assert set(remarks.counts) == {"the message keeps its own message id", "the message keeps its own patient id"}


@pytest.mark.parametrize(
    "change",
    [
        {"joints": ()},
        {"joints": (0, 5, 9)},
        {"joints": (3, 9)},
        {"info": {"container:hl7": "PID|1\r"}},
    ],
)
def test_a_text_that_does_not_match_its_message_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    (document,) = read(SAMPLE)
    broken = replace(document, text=document.text + "!", **change)  # type: ignore[arg-type]
    with pytest.raises(CannotHoldError):
        write([broken], tmp_path / "out.hl7", "hl7v2")


@given(texts, st.sampled_from([DEFAULT, Delimiters("#", "*", "!", "/", "+"), Delimiters("|", "^", "~", "=", ":")]))
def test_escaping_and_unescaping_are_inverses(text: str, marks: Delimiters) -> None:
    raw = escape(text, marks)
    assert unescape(raw, marks) == text
    assert not set("\r\n\0") & set(raw)
    assert not {marks.field, marks.component, marks.repetition, marks.subcomponent} & set(raw)


@given(st.lists(texts, min_size=1, max_size=4), st.data())
def test_changed_pieces_come_back_from_their_fields(tmp_path: Path, pieces: list[str], data: st.DataObject) -> None:
    content = message(*(f"OBX|{n}|FT|1||{escape(piece, DEFAULT)}|||" for n, piece in enumerate(pieces, 1)))
    (document,) = read(put(tmp_path, content), "hl7v2")
    edges = sorted(data.draw(st.sets(st.integers(0, len(document.text)), max_size=6)))
    spans = [Span(a, b, "X") for a, b in zip(edges[::2], edges[1::2], strict=False)]
    changed = rewrite(document.with_spans(spans), [data.draw(texts) for _ in spans])
    back([changed], tmp_path)
    (again,) = read(tmp_path / "out.hl7", "hl7v2")
    # A line break comes back at every joint, also where a replacement took the one that was there in.
    ends = (*changed.joints[1:], len(changed.text))
    parts = [changed.text[a:b] for a, b in zip(changed.joints or (0,), ends, strict=True)]
    assert again.text == "\n".join([*(part.removesuffix("\n") for part in parts[:-1]), parts[-1]])
