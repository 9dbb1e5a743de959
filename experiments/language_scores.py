"""How well languages are told: `experiments/languages.py score`."""

from __future__ import annotations

import csv
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.languages.telling import LANGUAGES, tell
from elision.text.characters import HAN_SIGN
from experiments.handwritten import UNSEEN, handwritten

HERE = Path(__file__).parent
SHORT = 140  # characters of a fragment that is one line
NOTES = 100  # short ones of a language, and as many long ones


def score(folders: Sequence[Path], corpora: Path, *, first: bool) -> None:
    head = [f"{length}: {what}" for length in ("short", "long") for what in ("named", "not named", "came out")]
    print(f"| language | {' | '.join(head)} |\n|---|---|---|---|---|---|---|")
    wrong = total = 0
    fragments = {file.stem: file for folder in folders for file in folder.glob("*.txt")}
    for file in sorted(file for language, file in fragments.items() if language not in LANGUAGES):
        cells = []
        for notes in notes_of(file, first=first):
            counts = Counter(_outcome(note) for note in notes)
            cells += [f"{100 * counts[each] / len(notes):.0f} %" for each in ("right", "held", "wrong")]
            wrong, total = wrong + counts["wrong"], total + len(notes)
        print(f"| {file.stem} | {' | '.join(cells)} |")
    print(f"\n{wrong} of {total:,} notes went to a pack\n")
    print("| languages | notes | all packs or withheld | one pack of two |\n|---|---|---|---|")
    mixed: dict[str, Counter[str]] = {}
    for file in sorted(file for folder in folders for file in folder.glob("*.jsonl")):
        lines = [json.loads(line) for line in _lines(file)]
        for row in _half(lines, first=first):
            told = tell(row["text"])
            right = {told.language, *told.also} >= set(row["languages"]) or not told.language
            mixed.setdefault(" and ".join(row["languages"]), Counter())["right" if right else "part"] += 1
    for name, outcomes in sorted(mixed.items()):
        print(f"| {name} | {outcomes.total()} | {outcomes['right']} | {outcomes['part']} |")
    print("\n| language | text | notes | told | withheld | taken for another of ours |\n|---|---|---|---|---|---|")
    for name, language, texts in ours(corpora, fragments, first=first):
        found = [tell(text) for text in texts]
        well = sum(language in (told.language, *told.also) for told in found)
        held = sum(bool(told.problem) for told in found)
        share = [f"{100 * count / len(found):.2f} %" for count in (well, held, len(found) - well - held)]
        print(f"| {language} | {name} | {len(found):,} | {' | '.join(share)} |")


def _outcome(note: str) -> str:
    told = tell(note)
    return "wrong" if told.language else "right" if told.guess else "held"


def _half(lines: Sequence[Any], *, first: bool) -> Sequence[Any]:
    middle = len(lines) // 2
    return lines[:middle] if first else lines[middle:]


def notes_of(file: Path, *, first: bool) -> tuple[list[str], list[str]]:
    """Short notes, of a line or two, and long ones, of paragraphs and lines, from half of the fragments of a file."""
    lines = [line.strip() for line in file.read_text("utf-8").splitlines() if line.strip()]
    short = _half([line for line in lines if len(line) < SHORT], first=first)
    paragraphs = _half([line for line in lines if len(line) >= SHORT], first=first)
    random_ = random.Random(file.stem)
    brief = list(short[:NOTES])
    brief += ["\n".join(random_.sample(short, 2)) for _ in range(NOTES - len(brief))]
    long = []
    for _ in range(NOTES):
        parts = random_.sample(paragraphs, random_.randint(1, min(3, len(paragraphs))))
        parts += random_.sample(short, random_.randint(2, 5))
        random_.shuffle(parts)
        long.append("\n".join(parts))
    return brief, long


def ours(corpora: Path, fragments: Mapping[str, Path], *, first: bool) -> Iterator[tuple[str, str, list[str]]]:
    """Texts of our languages: where they are from, their language, and the texts."""
    for language in LANGUAGES:
        notes = [note.text for note in handwritten(language)]
        yield "hand-written notes, training set", language, notes
        unseen = [note.text for split in UNSEEN for note in handwritten(language, split)]
        yield "hand-written notes, test set", language, unseen
        random_ = random.Random(language)
        lines = [line for text in unseen for line in text.splitlines() if _is_line(line, language)]
        yield "single lines of the test set, four words or more", language, random_.sample(lines, min(2000, len(lines)))
        if language in fragments:
            short, long = notes_of(fragments[language], first=first)
            yield "fragments, short", language, short
            yield "fragments, long", language, long
    yield from _corpora(corpora)


def _is_line(line: str, language: str) -> bool:
    """Whether a line has four words, or in Chinese six characters."""
    return len(HAN_SIGN.findall(line)) > 5 if language == "zh" else len(line.split()) > 3


def _corpora(corpora: Path) -> Iterator[tuple[str, str, list[str]]]:
    def table(name: str, column: str) -> list[str]:
        with (corpora / name).open(encoding="utf-8", newline="") as stream:
            return [row[column] for row in csv.DictReader(stream)]

    yield "aci-bench, notes", "en", table("aci-bench/train.csv", "note")
    yield "aci-bench, dialogues", "en", table("aci-bench/train.csv", "dialogue")
    yield "MTS-Dialog, dialogues", "en", table("mts-dialog/MTS-Dialog-TrainingSet.csv", "dialogue")
    yield (
        "primock57",
        "en",
        [json.loads(file.read_text("utf-8"))["note"] for file in (corpora / "primock57/notes").glob("*.json")],
    )
    yield "E3C", "en", [json.loads(line)["text"] for line in _lines(corpora / "e3c-en/notes.jsonl")]
    yield "MEDDOCAN, train and dev", "es", [file.read_text("utf-8") for file in (corpora / "meddocan").rglob("*.txt")]
    for language in LANGUAGES:
        sentences = [
            line.removeprefix("# text = ")
            for file in sorted((corpora / "ud").glob(f"{language}_*.conllu"))
            for line in _lines(file)
            if line.startswith("# text = ")
        ]
        if sentences:
            yield "Universal Dependencies, ten sentences each", language, list(_tens(sentences))


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


def _tens(sentences: Sequence[str]) -> Iterable[str]:
    return ("\n".join(sentences[first : first + 10]) for first in range(0, len(sentences), 10))
