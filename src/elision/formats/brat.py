"""brat standoff: a .txt file with the text and an .ann file with the spans, side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from elision.document import Document
from elision.errors import FormatError
from elision.formats.atomic import write_text
from elision.formats.files import file_for, files_below, id_of, leaving_out, read_note, read_text
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.standoff import nedap_evidence, parse, print_lines

HOLDS = Holds(
    info=frozenset({"brat"}),
    span_info=frozenset({"id", "note", "attr:*", "fragments"}),
    bare_labels=True,
)


ROLE_END = re.compile(r"[0-9]*:.*")  # an event may have several of a role: Theme:T1 Theme2:T4
Names = dict[str, dict[str, dict[str, None]]]  # section of annotation.conf -> name -> its roles or values


def pairs(path: Path) -> Iterator[tuple[str, Path, Path]]:
    """The id, .txt and .ann of every note at or below a path; one of the files may be missing."""
    files: dict[str, dict[str, Path]] = {}
    for file in files_below(path, ".txt", ".ann"):
        files.setdefault(id_of(file, path), {})[file.suffix.lower()] = file
    root = path.parent if path.is_file() else path
    for id, found in files.items():
        yield id, found.get(".txt", root / f"{id}.txt"), found.get(".ann", root / f"{id}.ann")


def read_pair(id: str, txt: Path, ann: Path, how: Reading) -> Document:
    """A note from its two files; the text may come from `how.texts` where there is no .txt."""
    if txt.exists():
        text = read_note(txt, how)
    elif id in how.texts:
        text = how.texts[id]
    else:
        raise FormatError(f"{ann}: there is no {txt.name} beside it; give the notes' texts as well (--texts)")
    if not ann.exists():
        how.remarks.add("a text without .ann, read as a note without spans", f"note {id}")
        return Document(text, id)
    spans, info = parse(read_text(ann, how), text, str(ann), how)
    return Document(text, id, spans=spans, info=info) if info else Document(text, id, spans=spans)


def read(path: Path, how: Reading) -> Iterator[Document]:
    for id, txt, ann in pairs(path):
        with leaving_out(txt, path, how):
            yield read_pair(id, txt, ann, how)


def write_pair(document: Document, root: Path, remarks: Remarks) -> list[str]:
    """Write a note's two files; gives back the lines of its .ann."""
    lines = print_lines(document, remarks)
    write_text(file_for(root, document.id, ".txt"), document.text)
    write_text(file_for(root, document.id, ".ann"), "".join(f"{line}\n" for line in lines))
    return lines


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    names: Names = {"entities": {}, "relations": {}, "events": {}, "attributes": {}}
    for document in documents:
        _note_names(write_pair(document, path, remarks), names)
    write_text(path / "annotation.conf", _configuration(names))


def _note_names(lines: list[str], names: Names) -> None:
    """Add the names in these lines to those in use: labels, relations and events with their roles, attributes."""
    for line in lines:
        columns = line.split("\t")
        words = columns[1].split(" ") if len(columns) > 1 else [""]
        name, more = words[0].split(":")[0], words[1:]
        match line[0]:
            case "T":
                names["entities"][words[0]] = {}
            case "R":
                names["relations"].setdefault(name, {}).update((word.split(":")[0], None) for word in more)
            case "E":
                names["events"].setdefault(name, {}).update((ROLE_END.sub("", word), None) for word in more)
            case "A" | "M" if more:
                names["attributes"].setdefault(words[0], {}).update({" ".join(more[1:]): None} if more[1:] else {})


def _configuration(names: Names) -> str:
    """The annotation.conf without which brat does not show the names in use."""
    sections: dict[str, list[str]] = {
        "entities": [label for label in names["entities"] if label not in names["events"]],
        **{
            section: [
                f"{name}\t{', '.join(f'{role}:<ENTITY>' for role in roles)}" for name, roles in names[section].items()
            ]
            for section in ("relations", "events")
        },
        "attributes": [
            f"{name}\tArg:<ENTITY>" + (f", Value:{'|'.join(values)}" if values else "")
            for name, values in names["attributes"].items()
        ],
    }
    return "".join(f"[{section}]\n" + "".join(f"{line}\n" for line in lines) for section, lines in sections.items())


def sniff(sample: Sample) -> str:
    if sample.path.is_file():
        twin = {".txt": ".ann", ".ann": ".txt"}.get(sample.path.suffix, "")
        if sample.path.suffix == ".ann":
            return "an .ann file"
        return f"a {twin} file beside it" if twin and sample.path.with_suffix(twin).exists() else ""
    return ".ann files" if sample.count(".ann") and not nedap_evidence(sample) else ""


FORMATS = (
    Format(
        "brat",
        "brat standoff (.txt and .ann)",
        suffix=".ann",
        folder=True,
        holds=HOLDS,
        read=read,
        write=write,
        sniff=sniff,
        reads=(".txt", ".conf"),
    ),
)
