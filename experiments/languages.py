"""What comes with elision for telling languages: make the file, and measure it.

    pip install wordfreq==3.1.1 opencc-python-reimplemented==0.1.7
    python experiments/languages.py make [--out FOLDER] [--half]
    python experiments/languages.py score [--fragments FOLDER ...] [--first] [--corpora FOLDER]

`make` needs no text but the notes by hand of our languages (`notes/*-train.jsonl`, without what is marked in them). How
frequent a word is in a language comes from `wordfreq`, of languages that it lacks from `languages/words.toml`, by hand,
as do words of the ward for all. A word that notes have more often than the language at large is so in others too,
also in one of ours whose own notes lack it: their frequency of it grows by the same factor. Words in no list are told
by groups of letters, which a softmax regression weighs.
--half learns from every other note, so that limits can be chosen on the others.

`score` prints the table of docs/languages.md (`language_scores.py`). Other languages are measured on fragments that
people wrote for it, `languages/<code>.txt`, one a line: nothing is learnt from them, limits were chosen by the first
half of each (--first), and the second half gives the figures.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.languages.telling.telling import TOKEN
from elision.languages.telling.words import BUCKETS, FOLDER, HAN, KIND, PAIRS, UNIT, groups_of, pairs_of
from elision.models import store
from experiments.handwritten import handwritten, noted

HERE = Path(__file__).parent
LISTED = {"hr": "sh", "tl": "fil"}  # what wordfreq calls them
LATIN = (
    *("en", "es", "nl", "de", "fr", "pt", "it", "ca", "gl", "eu", "ro", "da", "sv", "nb", "is", "fi", "et", "lv", "lt"),
    *("pl", "cs", "sk", "sl", "hr", "hu", "fy", "af", "tr", "vi", "id", "tl", "sw", "so", "ht", "sq", "cy", "mt", "ga"),
    *("lb", "oc", "nds"),
)
OURS = tuple(language for language in noted() if language in LATIN)
# Of the most frequent words; German has more than others, as it writes them together.
KEPT = {**dict.fromkeys(OURS, 12_000), "de": 24_000}
OTHERS = 2_000
LEARNT = 15_000  # words of a language from which letters learn
EVEN, UNKNOWN = 3e-7, 1e-6  # what a word that is in no list may have; the latter where the list is short
WARD = 1.5e-4  # how frequent words of the ward are taken to be
NOTES = 0.4  # of a language are notes
MOST_FACTOR = 30.0
BRIEF, RARE = 4, 1e-5  # letters of words that are likely abbreviations, where they are so rare
COMMON = 2e-4  # a share that few names have
FAR = 2 * UNIT  # from a word's least number: others are kept
BARE = 0.25  # of a word's frequency it has without its accents
# Languages of which there are few words here: the share of words that they have in common with others, the share of
# words of the ward, and with which.
NEAR: dict[str, tuple[float, float, tuple[str, ...]]] = {
    "gl": (0.1, 0.35, ("es", "pt")),
    "fy": (0.12, 0.35, ("nl",)),
    "af": (0.5, 0.35, ("nl",)),
    "oc": (0.1, 0.1, ("ca", "fr")),
    "lb": (0.1, 0.1, ("de",)),
    "nds": (0.1, 0.1, ("de",)),
}
RESPELT = {  # into Galician
    "es": (("ciones$", "cións"), ("ones$", "óns"), ("(?<=[aeo])les$", "is"), ("j|g(?=[eiéí])", "x"), ("ue", "o"),
           ("ie", "e"), ("y$", "i")),
    "pt": (("ções$", "cións"), ("ção$", "ción"), ("ões$", "óns"), ("ão$", "ón"), ("ss", "s"), ("ç", "z"), ("nh", "ñ"),
           ("lh", "ll"), ("j|g(?=[eiéí])", "x"), ("m$", "n"), ("[ãâ]", "á"), ("ê", "e"), ("ô", "o")),
}  # fmt: skip
STEP, ROUNDS, BATCH, RIDGE, SEED = 0.5, 6, 8192, 1e-6, 1

Table = dict[str, float]


def frequencies(half: bool) -> dict[str, Table]:
    """How frequent each word is, by language."""
    from wordfreq import get_frequency_dict

    by_hand = tomllib.loads((HERE / "languages" / "words.toml").read_text("utf-8"))
    found: dict[str, Table] = {}
    for language in LATIN:
        table: Table = {}
        if language in by_hand["small"]:
            for rank, word in enumerate(by_hand["small"][language].split()):
                _put(table, word, 0.08 / (rank + 2))
        else:
            for word, share in get_frequency_dict(LISTED.get(language, language), "best").items():
                if share > 1e-7:
                    _put(table, word, share)
        if language == "id":
            for word, share in get_frequency_dict("ms", "best").items():
                table[word] = max(table.get(word, 0.0), share)
        found[language] = table
    in_notes: dict[str, Counter[str]] = {language: _in_notes(language, half) for language in OURS}
    flat = _international(in_notes, found) | set(by_hand["international"]["words"].split())
    factors: Table = {}  # by which words are more frequent in notes
    for language, counted in in_notes.items():
        for word, share in counted.items():
            before = found[language].get(word, 0.0)
            if NOTES * share > before and word not in flat:
                factors[word] = max(factors.get(word, 1.0), min(MOST_FACTOR, NOTES * share / max(before, EVEN)))
                found[language][word] = NOTES * share
    for language, (share_, ward, near) in NEAR.items():
        for word, share in _like(found, factors, share_, ward, *near).items():
            found[language][word] = max(found[language].get(word, 0.0), share)
    for language, table in found.items():
        if language not in NEAR:
            for word in factors.keys() & table.keys():
                if len(word) > 3 and word not in in_notes.get(language, ()):
                    table[word] *= factors[word]
        for word in by_hand["ward"].get(language, "").split():
            if len(word) > 2:
                table[word.lower()] = max(table.get(word.lower(), 0.0), WARD)
        for word, share in list(table.items()):
            bare = _bare(word)
            if bare != word and len(word) > 2:
                table[bare] = max(table.get(bare, 0.0), BARE * share)
    for table in found.values():
        for word in flat:
            table[word] = 1e-4
    return found


def _international(in_notes: Mapping[str, Counter[str]], found: Mapping[str, Table]) -> set[str]:
    """Words of notes that say nothing: short ones that are rare at large, abbreviations in capitals, and what is rare
    at large and in notes of more than a third of our languages."""
    counts = Counter(word for table in in_notes.values() for word in table)
    flat = {
        word
        for word, count in counts.items()
        if count * 3 > len(OURS) and all(found[each].get(word, 0) < 3e-5 for each in OURS)
    }
    for language in OURS:
        forms: Counter[str] = Counter()
        for note in handwritten(language):
            forms.update(TOKEN.findall(note.text))
        for word in in_notes[language]:
            if len(word) <= BRIEF and word.isalpha() and found[language].get(word, 0.0) < RARE:
                flat.add(word)
            if len(word) <= 5 and forms[word] < 0.4 * (forms[word] + forms[word.upper()]):
                flat.add(word)
    return flat


def _like(found: Mapping[str, Table], factors: Table, share: float, ward: float, *near: str) -> Table:
    """The words that a language of which little is known shares with those next to it, as written there, or as it
    would write them."""
    made: Table = {}
    for other in near:
        for word, theirs in found[other].items():
            if theirs < 5e-4 or word in factors:
                part = ward if word in factors and len(word) > 4 else share
                made[word] = max(made.get(word, 0.0), part * theirs)
            respelt = word
            for old, new in RESPELT.get(other, ()):
                respelt = re.sub(old, new, respelt)
            if respelt != word and theirs < 2e-3:
                made[respelt] = max(made.get(respelt, 0.0), 0.3 * theirs)
    return made


def _put(table: Table, word: str, share: float) -> None:
    """A word, in the pieces that we cut."""
    for piece in TOKEN.findall(word):
        if piece[0].isalpha():
            table[piece.lower()] = table.get(piece.lower(), 0.0) + share


def _bare(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _in_notes(language: str, half: bool) -> Counter[str]:
    """The share of words in notes by hand, of those that three have, without what is marked."""
    counts: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    for at, note in enumerate(handwritten(language)):
        if half and at % 2:
            continue
        text, end = "", 0
        for span in note.spans:
            text, end = text + note.text[end : span.start] + "\n", span.end
        words = [word.lower() for word in TOKEN.findall(text + note.text[end:]) if word[0].isalpha()]
        counts.update(words)
        notes.update(set(words))
    total = sum(counts.values())
    shares: Counter[str] = Counter()
    shares.update({word: count / total for word, count in counts.items() if notes[word] >= 3})
    return shares


def listed(tables: Mapping[str, Table], short: frozenset[str]) -> dict[str, npt.NDArray[np.generic]]:
    """The arrays of the words that are kept."""
    kept: dict[str, None] = {}
    for language, table in tables.items():
        for word in sorted(table, key=lambda word: (-table[word], word))[: KEPT.get(language, OTHERS)]:
            kept.setdefault(word)
    by_key: dict[int, str] = {}
    for word in kept:
        by_key.setdefault(crc32(word.encode()), word)
    floor = np.array([UNKNOWN if language in short else EVEN for language in LATIN])
    floors, sizes, columns, values, common = [], [], [], [], []
    for key in sorted(by_key):
        shares = np.array([tables[language].get(by_key[key], 0.0) for language in LATIN]) + floor
        common.append(shares.max() >= COMMON)
        nats = np.rint(np.log(shares / shares.mean()) * UNIT).clip(-5 * UNIT, 127).astype(int)
        least = int(np.percentile(nats, 30))
        entries = [(at, each) for at, each in enumerate(nats.tolist()) if each - least > FAR]
        left = [each for each in nats.tolist() if each - least <= FAR]
        floors.append(round(sum(left) / len(left)))
        columns += [at for at, _ in entries]
        values += [each for _, each in entries]
        sizes.append(len(entries))
    return {
        "words": np.array(sorted(by_key), np.uint32),
        "floors": np.array(floors, np.int8),
        "common": np.array(common, np.uint8),
        "sizes": np.array(sizes, np.uint8),
        "columns": np.array(columns, np.uint8),
        "values": np.array(values, np.int8),
    }


def by_letters(tables: Mapping[str, Table]) -> tuple[npt.NDArray[np.int8], float]:
    """What groups of letters say, as whole numbers, and their scale."""
    words, classes, weights = [], [], []
    for number, language in enumerate(LATIN):
        table = tables[language]
        theirs = [word for word in sorted(table, key=lambda word: (-table[word], word)) if word.isalpha()][:LEARNT]
        share = np.array([table[word] for word in theirs]) ** 0.3
        words += theirs
        classes += [number] * len(theirs)
        weights += (share / share.sum() * LEARNT).tolist()
    random = np.random.default_rng(SEED)
    held = np.array([crc32(word.encode()) % 20 == 0 for word in words])
    buckets, edges = groups_of(words)
    features = csr_matrix((np.ones(len(buckets), np.float32), buckets, edges), (len(words), 1 << BUCKETS))
    truth, heavy = np.array(classes), np.minimum(np.array(weights, np.float32), 20)
    table_ = np.zeros((1 << BUCKETS, len(LATIN)), np.float32)
    seen = np.full((1 << BUCKETS, 1), 1e-8, np.float32)
    train = np.flatnonzero(~held)
    for turn in range(ROUNDS):
        mixed = random.permutation(train)
        for first in range(0, len(train), BATCH):
            at = mixed[first : first + BATCH]
            rows = features[at]
            logits = rows @ table_
            logits -= logits.max(1, keepdims=True)
            wrong = np.exp(logits)
            wrong /= wrong.sum(1, keepdims=True)
            wrong[np.arange(len(at)), truth[at]] -= 1
            wrong *= heavy[at][:, None]
            slope = np.asarray(rows.T @ wrong) / len(at) + RIDGE * table_
            seen += (slope**2).mean(1, keepdims=True)
            table_ -= STEP * slope / np.sqrt(seen) * (1 - turn / ROUNDS)
        logits = features[held] @ table_
        print(f"letters, round {turn + 1}: {np.mean(logits.argmax(1) == truth[held]):.3f} of words put aside")
    scale = float(np.abs(table_).max() / 127)
    return np.rint(table_ / scale).astype(np.int8), scale


def han() -> dict[str, npt.NDArray[np.int8]]:
    """How much likelier Chinese characters, and two of them in a row, are in Chinese than in Japanese."""
    from opencc import OpenCC
    from wordfreq import get_frequency_dict

    shares: dict[str, dict[str, float]] = {"zh": defaultdict(float), "ja": defaultdict(float)}
    pure = {
        language: {
            word: share
            for word, share in get_frequency_dict(language, "best").items()
            if all("\u3400" <= c <= "\u9fff" for c in word)
        }
        for language in shares
    }
    shares["ja"].update(pure["ja"])
    for way, part in (("", 0.5), ("s2t", 0.2), ("s2tw", 0.3)):
        text = "\n".join(pure["zh"])
        forms = (OpenCC(way).convert(text) if way else text).split("\n")
        for form, usual in zip(forms, pure["zh"].values(), strict=True):
            shares["zh"][form] += usual * part
    one = {language: np.full(HAN[1] - HAN[0], 1e-6) for language in shares}
    two = {language: np.full(1 << PAIRS, 1e-6) for language in shares}
    for language, counts in shares.items():
        for word, share in counts.items():
            np.add.at(one[language], [ord(c) - HAN[0] for c in word if ord(c) < HAN[1]], share)
            if share > 5e-7:
                np.add.at(two[language], pairs_of(word), share)
    return {
        name: np.rint(np.log(each["zh"] / each["ja"]) * UNIT).clip(-5 * UNIT, 5 * UNIT).astype(np.int8)
        for name, each in (("han", one), ("pairs", two))
    }


def make(given: argparse.Namespace) -> None:
    tables = frequencies(given.half)
    by_hand = tomllib.loads((HERE / "languages" / "words.toml").read_text("utf-8"))
    arrays = listed(tables, frozenset(by_hand["small"]))
    arrays["groups"], scale = by_letters(tables)
    arrays |= han()
    card: dict[str, Any] = {
        "scale": scale,
        "made": {"seed": SEED, "wordfreq": version("wordfreq"), "opencc": version("opencc-python-reimplemented")},
        "licence": "frequencies of words: wordfreq (R. Speer, data CC BY-SA 4.0); this file is under the same licence",
    }
    size = store.save(given.out, store.Stored(KIND, card, {"languages": LATIN}, arrays), overwrite=True)
    print(f"{len(arrays['words']):,} words, {len(arrays['values']):,} numbers, {size / 1e6:.2f} MB in {given.out}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "score"))
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--fragments", type=Path, nargs="+", default=[HERE / "languages"])
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--corpora", type=Path, default=HERE.parents[1] / "shared" / "corpora")
    given = parser.parse_args()
    if given.what == "make":
        make(given)
    else:
        from experiments.language_scores import score

        score(given.fragments, given.corpora, first=given.first)


if __name__ == "__main__":
    main()
