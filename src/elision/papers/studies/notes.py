"""The notes of a study: made ones, or a user's own, in parts to train on and to test on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from elision.document import Document
from elision.errors import FormatError, LabelError, ScoreError
from elision.evaluate.splits import hold_out, train_fraction
from elision.labels import Mapped, TagSet, guess_tag_set, mapping, tag_set
from elision.languages.base import code_of
from elision.languages.telling import tell
from elision.papers.studies.study import ALL, DEV, TEST, TRAIN, Corpus, Part, Study, corpora_of
from elision.synth.generate import BLOCK, Maker
from elision.synth.profiles import read_profile

SHARES = (0.7, 0.3)  # of notes that come without parts: to train on, to test on
PATIENTS = 4  # at least, of made notes: a system that lists no names learns nothing from one or two
TOLD = 60  # notes of which the language is told
PARTS = {TRAIN: ("train",), DEV: ("dev", "valid"), TEST: ("test",)}

Split = Mapping[str, tuple[Document, ...]]  # train, test and all


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """The notes of all corpora that are needed, and a sentence about each."""

    parts: Mapping[str, Split]
    about: tuple[str, ...]
    seed: int = 0

    def of(self, part: Part) -> tuple[Document, ...]:
        found = tuple(note for corpus in corpora_of(part) for note in self.parts[corpus][part.part])
        return found if part.share >= 1 else train_fraction(found, part.share, self.seed)


def made(corpus: Corpus, seed: int, *, quick: bool) -> tuple[Split, str]:
    """Made notes: training and test notes are of one place and of different patients."""
    how = corpus.made
    profile = read_profile(how.profile)
    if how.grammars:
        profile = replace(profile, name=corpus.name, grammars=dict(how.grammars))  # and so with other ids
    count, tested = how.quick if quick else how.notes
    if how.per_patient:
        most = min(how.per_patient, max(1, count // PATIENTS))
        profile = replace(profile, notes_per_patient=(most, most))
    maker = Maker(profile, seed)
    first = -(-count // BLOCK) * BLOCK  # patients are dealt out by the block, so another block has other patients
    ways = mapping(tag_set("canonical"), tag_set(corpus.labels))
    train, test = (
        tuple(_labelled(maker.notes(numbers), ways, corpus)) for numbers in (range(count), range(first, first + tested))
    )
    about = (
        f"{corpus.name}: {count:,} made notes to train on and {tested:,} to test on, in the place of {corpus.means} "
        f"(elision synth {how.profile}, seed {seed})"
    )
    return _split(train, test), about


def given(corpus: Corpus, path: Path, read: Callable[[Path], tuple[str, list[Document]]], seed: int) -> Split:
    """A user's notes. `read` gives the tag set of a format's labels and the notes at a path."""
    paths = parts_at(path)
    for part in () if ALL in paths else (TRAIN, corpus.test):
        if part not in paths:
            why = f" ({corpus.means} is measured on its dev part, never on its test part)" if part == DEV else ""
            raise FormatError(
                f"--data {path}: has {' and '.join(paths)}, and no part {part}{why}; name a file or folder in it "
                f"{part}, or give one file of notes, which is split"
            )
    wanted = {part: each for part, each in paths.items() if part in (ALL, TRAIN, corpus.test)}
    found = {part: _checked(corpus, path, [read(one) for one in each]) for part, each in wanted.items()}
    if ALL not in found:
        return _split(found[TRAIN], found[corpus.test])
    notes = found[ALL]
    if len({note.patient or f"{at} {note.id}" for at, note in enumerate(notes)}) < len(SHARES):
        raise ScoreError(
            f"--data {path}: all of it is of one patient, and a system needs some to train on and others to test on; "
            "give more notes"
        )
    return _split(*hold_out(notes, SHARES, seed))


def parts_at(path: Path) -> dict[str, list[Path]]:
    """The files or folders of each part, told by names that begin with train, dev or test; else all is one part."""
    if not path.exists():
        raise FormatError(f"--data {path}: there is no such file or folder")
    found: dict[str, list[Path]] = {}
    for each in sorted(path.iterdir()) if path.is_dir() else ():
        if part := part_named(each.name):
            found.setdefault(part, []).append(each)
    return found if TRAIN in found and len(found) > 1 else {ALL: [path]}


def part_named(name: str) -> str:
    """The part that a name speaks of, such as testing-PHI-Gold-fixed; "" for none, or for two."""
    words = re.findall("[a-z]+", name.lower())
    told = {part for part, starts in PARTS.items() if any(word.startswith(starts) for word in words)}
    return told.pop() if len(told) == 1 and not name.startswith(".") else ""


def fewer(split: Split, corpus: Corpus, seed: int) -> Split:
    """As many of the notes as --quick takes."""
    train, test = (
        train_fraction(split[part], min(1.0, most / len(split[part])), seed)
        for part, most in zip((TRAIN, TEST), corpus.made.quick, strict=True)
    )
    return _split(train, test)


def notes_of(
    study: Study,
    corpora: Sequence[Corpus],
    data: Mapping[str, Path],
    read: Callable[[Path], tuple[str, list[Document]]],
    seed: int,
    *,
    quick: bool,
) -> Notes:
    """All notes of these corpora: those that were given, and then made ones in the place of the others."""
    parts, about = {}, []
    for corpus in sorted(corpora, key=lambda corpus: corpus.name not in data):  # what may be refused comes first
        if corpus.name in data:
            split = given(corpus, data[corpus.name], read, seed)
            split = fewer(split, corpus, seed) if quick else split
            about.append(
                f"{corpus.name}: {len(split[TRAIN]):,} notes to train on and {len(split[TEST]):,} to test on, "
                f"from {data[corpus.name]}"
            )
        else:
            split, told = made(corpus, seed, quick=quick)
            about.append(told)
        parts[corpus.name] = split
        for part in (TRAIN, TEST):
            if not any(note.spans for note in split[part]):
                raise LabelError(
                    f"{corpus.name}: no {part} note has a span that {study.name} looks for; are the annotations there?"
                )
    return Notes(parts, tuple(about), seed)


def _split(train: Sequence[Document], test: Sequence[Document]) -> Split:
    return {TRAIN: tuple(train), TEST: tuple(test), ALL: (*train, *test)}


def _checked(corpus: Corpus, path: Path, read: Sequence[tuple[str, list[Document]]]) -> list[Document]:
    """Notes in the language and with the labels of the paper; ids are made different where several files share them."""
    documents = [document for _, notes in read for document in notes]
    _refuse_language(corpus, path, documents)
    usual = next((name for name, _ in read if name), "")
    ways = _ways(corpus, path, {span.label for document in documents for span in document.spans}, usual)
    documents = [replace(document, language=corpus.language) for document in documents]
    twice = {id for id, count in Counter(document.id for document in documents).items() if count > 1}
    named = (replace(d, id=f"{d.id}-{at}") if d.id in twice else d for at, d in enumerate(documents))
    return list(_labelled(named, ways, corpus))


def _refuse_language(corpus: Corpus, path: Path, documents: Sequence[Document]) -> None:
    told = Counter(code_of(note.language) or tell(note.text).language for note in documents[:TOLD])
    most = told.most_common(1)[0][0]
    if most and most != corpus.language:
        raise FormatError(
            f"--data {path}: most notes are in {most}, and the paper's system is for {corpus.language}; "
            f"give notes in {corpus.language}"
        )


def _ways(corpus: Corpus, path: Path, seen: set[str], usual: str) -> dict[str, Mapped]:
    """From the labels of a user's notes to those of the paper's tables."""
    goal = tag_set(corpus.labels)
    if not seen:
        raise LabelError(f"--data {path}: no note has a span; are the annotations beside the texts?")
    if seen <= set(goal.tags):
        return {label: Mapped(label) for label in seen}
    sources: list[TagSet | None] = [tag_set(usual) if usual else None, guess_tag_set(seen)]
    for source in sources:
        if source and seen <= set(source.tags):
            return mapping(source, goal)
    unknown = sorted(seen - set(goal.tags))
    raise LabelError(
        f"--data {path}: label {unknown[0]!r} is none of {goal.name}'s, which the paper's tables have; map your labels "
        f"first, such as with elision convert --labels canonical:{goal.name}"
    )


def _labelled(documents: Iterable[Document], ways: Mapping[str, Mapped], corpus: Corpus) -> Iterable[Document]:
    """Notes with the labels of the paper's corpus; spans of which it knows nothing are left out."""
    return (
        document.with_spans(
            replace(span, label=ways[span.label].label, info={})
            for span in document.spans
            if span.label in ways and ways[span.label].label not in corpus.without
        )
        for document in documents
    )
