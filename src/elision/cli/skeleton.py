"""`elision skeleton`."""

from __future__ import annotations

import json as json_
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elision.cli.common import Encoding, MaxMegabytes, progress, read_all, reading, say
from elision.cli.tables import print_table
from elision.document import Document
from elision.errors import ModelError
from elision.text.characters import printable

if TYPE_CHECKING:
    from elision.taggers.batch import Tokenize
    from elision.taggers.neural.skeleton import Skeleton
    from elision.taggers.neural.skeleton_corpora import Comparison, Corpus, Listed

R = 0.25  # of the paper's first corpus
LEAST = 3


def skeleton(
    note: Annotated[Path, typer.Argument(metavar="NOTE", help="A note, or a corpus of notes, in any format.")],
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="TRAIN", help="The notes that words are counted in; else those of NOTE itself."),
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(metavar="OTHER", help="Compare the skeletons of two corpora, NOTE and OTHER.")
    ] = None,
    r: Annotated[float, typer.Option("-r", metavar="R", help="About the share of the vocabulary that stays.")] = R,
    at_least: Annotated[
        bool,
        typer.Option("--at-least/--more-than", help="Words stay that stand t times or more, or more than t times."),
    ] = True,
    words: Annotated[
        bool, typer.Option("--words", help="Cut Chinese into words, not characters (needs elision[zh]).")
    ] = False,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="With --words: the language; else the one that the notes tell.")
    ] = "",
    least: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="With --compare: list what K patients have, or notes.  [default: 3; of two single notes 1]",
            min=1,
        ),
    ] = None,
    most: Annotated[int, typer.Option(metavar="N", help="With --compare: how many of each are listed.", min=0)] = 15,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of the notes; else it is guessed.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
) -> None:
    """Show the text skeleton of a note: its frequent words stay, all others are <UNK>.

    The neural tagger of Zhao 2018 reads this skeleton beside the note. A word stays if it stands t times or more in the
    corpus. Equation 4 of the paper makes t of R, so that about this share of the vocabulary stays. Each digit is DIGIT.

    --compare shows how alike the forms of two corpora are: their thresholds, how much of the text stays, and the most
    frequent words and lines of their skeletons.

    What this prints is text of notes: keep it as you keep them. A skeleton is not de-identified. With a small corpus or
    a small t, names stay in it. --compare lists no word and no line that fewer than K patients have, and a name
    that many notes have is listed all the same.

    Example:

        elision skeleton note.txt --corpus train/ -r 0.14

        elision skeleton hospital-a/ --compare hospital-b/ --least 10
    """
    from elision.taggers.neural.skeleton import READINGS, factor_of

    factor_of(r)
    if compare and corpus:
        raise ModelError(
            "--compare and --corpus: with --compare, NOTE is the first of the two corpora; leave --corpus out"
        )
    how = READINGS[0] if at_least else READINGS[1]
    notes = _read(note, format, encoding, max_mb)
    other = compare or corpus
    others = _read(other, format, encoding, max_mb) if other else notes
    cut = _cutter([*notes, *others], words, language)
    if compare:
        from elision.taggers.neural.skeleton_corpora import compare as compared

        k = least or (LEAST if max(len(notes), len(others)) > 1 else 1)
        first, second = _corpus(note, notes, cut, r, how), _corpus(compare, others, cut, r, how)
        _tell_comparison(compared(first, second, least=k, most=most), (str(note), str(compare)), json)
    else:
        if len(others) == 1 and not corpus:
            say("words are counted in this note alone; give notes like it with --corpus for the skeleton of their form")
        _tell_notes(notes, _corpus(corpus or note, others, cut, r, how), cut, r, json)


def _read(path: Path, format: str, encoding: str, max_mb: float) -> list[Document]:
    return read_all(path, format, reading(encoding, max_mb), "given")[1]


def _cutter(documents: Sequence[Document], words: bool, language: str) -> Tokenize:
    """The tokeniser: ours, or with `words` the segmenter of the language that most notes are in."""
    from elision.languages.telling import tell
    from elision.taggers.cutters import cutter, words_of

    if words and not language:
        told = Counter(note.language or tell(note.text).language for note in documents)
        language = told.most_common(1)[0][0] if told else ""
    return cutter(words_of(language) if words else "fine")


def _corpus(path: Path, documents: list[Document], cut: Tokenize, r: float, how: str) -> Corpus:
    from elision.taggers.neural.skeleton import skeleton as skeleton_of
    from elision.taggers.neural.skeleton_corpora import corpus_of, count_words

    counted = count_words(documents, cut, lambda notes: progress(notes, "notes counted"))
    if not counted.total:
        raise ModelError(f"{path}: there is no word in these notes; a skeleton needs some")
    kept = skeleton_of(counted.counts, r, how)
    return corpus_of(documents, cut, counted, kept, lambda notes: progress(notes, "skeletons made"))


def _tell_notes(notes: Sequence[Document], corpus: Corpus, cut: Tokenize, r: float, json: bool) -> None:
    """Each note line by line: as it is, and its skeleton below."""
    kept = corpus.skeleton
    facts = {
        "r": r,
        "threshold": kept.threshold,
        "reading": kept.reading,
        "vocabulary": len(corpus.words.counts),
        "words": len(kept.words),
    }
    if json:
        told = [{"id": note.id, "lines": [*map(_pair, *_lines(note, cut, kept))]} for note in notes]
        typer.echo(json_.dumps({**facts, "notes": told}, ensure_ascii=False, indent=2))
        return
    times = f"{kept.threshold:,} times or more" if kept.reading == "at-least" else f"more than {kept.threshold:,} times"
    say(f"{facts['words']:,} of {facts['vocabulary']:,} words stay: those that stand {times}")
    for note in notes:
        if len(notes) > 1:
            typer.echo(f"{printable(note.name)}\n")
        for original, shown in zip(*_lines(note, cut, kept), strict=True):
            typer.echo(f"Original: {printable(original)}\nSkeleton: {printable(shown)}\n")


def _lines(note: Document, cut: Tokenize, kept: Skeleton) -> tuple[list[str], list[str]]:
    """The lines of a note that are not blank, and the same lines of its skeleton: no token runs over a line's end."""
    from elision.taggers.neural.skeleton_corpora import skeleton_of

    originals, skeletons = (text.split("\n") for text in (note.text, skeleton_of(note, cut, kept)))
    pairs = [pair for pair in zip(originals, skeletons, strict=True) if pair[0].strip()]
    return [one.rstrip() for one, _ in pairs], [other.rstrip() for _, other in pairs]


def _pair(original: str, shown: str) -> dict[str, str]:
    return {"original": original, "skeleton": shown}


def _tell_comparison(found: Comparison, names: tuple[str, str], json: bool) -> None:
    if json:
        typer.echo(json_.dumps({"of": names, **asdict(found)}, ensure_ascii=False, indent=2))
        return
    one, other = found.first, found.second
    rows = [
        ("notes", f"{one.notes:,}", f"{other.notes:,}"),
        ("patients (a note without one counts as one)", f"{one.patients:,}", f"{other.patients:,}"),
        ("tokens", f"{one.tokens:,}", f"{other.tokens:,}"),
        ("vocabulary", f"{one.vocabulary:,}", f"{other.vocabulary:,}"),
        ("threshold t", f"{one.threshold:,}", f"{other.threshold:,}"),
        ("words of the skeleton", f"{one.skeleton:,}", f"{other.skeleton:,}"),
        (f"of these in fewer than {found.least}, not listed", f"{one.not_listed:,}", f"{other.not_listed:,}"),
        ("tokens that stay", f"{one.kept:.1%}", f"{other.kept:.1%}"),
        ("tokens that the other's skeleton keeps", f"{one.kept_by_the_other:.1%}", f"{other.kept_by_the_other:.1%}"),
        ("words of both skeletons, of those of either", f"{found.jaccard:.1%}", ""),
    ]
    print_table(("", *names), rows)
    for what, listed in (("words", found.words), ("lines", found.lines)):
        _tell_listed(what, listed, names)


def _tell_listed(what: str, listed: Listed, names: tuple[str, str]) -> None:
    """What both have and what one has, with how many there are in a thousand."""
    per = f"in 1,000 {'tokens' if what == 'words' else what}"
    if listed.both:
        typer.echo("")
        rows = [(text, f"{one:.2f}", f"{other:.2f}") for text, one, other in listed.both]
        print_table((f"{what} of both", *(f"{name}, {per}" for name in names)), rows)
    for name, alone in zip(names, (listed.first, listed.second), strict=True):
        if alone:
            typer.echo("")
            print_table((f"{what} of {name} only", per), [(text, f"{rate:.2f}") for text, rate in alone])
