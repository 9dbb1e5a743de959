"""What an HL7 v2 message says about its patient."""

from __future__ import annotations

from collections.abc import Iterator

from elision.formats.hl7_message import Message, unescape


def ids(message: Message) -> tuple[str, str]:
    """MSH-10, the control id, and the first of PID-3, the patient's id."""
    msh, pid, marks = message.fields("MSH"), message.fields("PID"), message.marks
    patient = pid[3].split(marks.repetition)[0].split(marks.component)[0] if len(pid) > 3 else ""
    return unescape(msh[10], marks) if len(msh) > 10 else "", unescape(patient, marks)


def known(message: Message) -> dict[str, tuple[str, ...]]:
    """What PID states about the patient: ids, names, the birth date, parts of the address, phones, the SSN.

    The parts of an address are values of their own, since notes seldom repeat a whole one; state and country are left
    out, as they name no one and are everywhere.
    """
    marks, pid = message.marks, message.fields("PID")
    found: dict[str, dict[str, None]] = {}

    def add(kind: str, raw: str) -> None:
        value = unescape(raw, marks).strip()
        if value not in ("", '""'):  # "" between quotes is HL7's word for "delete this"
            found.setdefault(kind, {})[value] = None

    def repetitions(number: int) -> Iterator[list[str]]:
        for raw in pid[number].split(marks.repetition) if len(pid) > number else ():
            parts = raw.split(marks.component)
            yield parts + [""] * (12 - len(parts))

    for number in (3, 2, 4):
        for parts in repetitions(number):
            add("id", parts[0])
    for parts in repetitions(5):
        family = parts[0].split(marks.subcomponent)[0]
        add("name", " ".join(filter(None, (parts[1], parts[2], family))))
    for parts in repetitions(7):
        add("birth_date", _iso(parts[0]))
    for parts in repetitions(11):
        for part in (parts[0].split(marks.subcomponent)[0], parts[1], parts[2], parts[4]):
            add("address", part)
    for number in (13, 14):
        for parts in repetitions(number):
            add("phone", parts[0] or parts[11] or " ".join(filter(None, (parts[4], parts[5], parts[6]))))
            add("email", parts[3])
    for parts in repetitions(19):
        add("ssn", parts[0])
    return {kind: tuple(values) for kind, values in found.items()}


def _iso(date: str) -> str:
    day = date[:8]
    return f"{day[:4]}-{day[4:6]}-{day[6:]}" if len(day) == 8 and day.isdecimal() else date
