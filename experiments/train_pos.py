"""Train the part-of-speech models that come with elision, score them on test parts, and write them.

    python experiments/train_pos.py [TREEBANKS] [--out FOLDER] [--language es ...] [--seed 0] [--crfsuite]

TREEBANKS holds the dev and test parts of the Universal Dependencies treebanks named below, as CoNLL-U files (default:
../shared/corpora/ud). Each model learns from the dev parts alone. Features and pace were chosen with every fifth block
of 25 dev sentences held out; the test parts were looked at only after that. A word is right if the token in which it
begins has its part of speech. `joined`: five sentences to a line, as notes have them. With --crfsuite (extra
`crfsuite`), CRFsuite learns from the same sentences with customary features, rare ones included, for comparison.
"""

from __future__ import annotations

import argparse
import platform
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import elision
from elision.languages import base
from elision.taggers import kernels
from elision.taggers.batch import gather
from elision.taggers.linear.pos import spoken
from elision.taggers.linear.pos.tagger import PosTagger, fit, settings_for
from elision.taggers.linear.pos.treebank import Sentence, read_treebank, tags_of, word_accuracy
from elision.text.tokens import tokenize

HERE = Path(__file__).resolve().parent
TREEBANKS = {"en": ("ewt",), "es": ("gsd",), "nl": ("alpino", "lassysmall"), "zh": ("gsdsimp",)}
TESTS = {"en": ("ewt",), "es": ("gsd", "pud"), "nl": ("alpino", "lassysmall"), "zh": ("gsdsimp",)}
NAMES = {"ewt": "EWT", "gsd": "GSD", "pud": "PUD", "alpino": "Alpino", "lassysmall": "LassySmall", "gsdsimp": "GSDSimp"}
LANGUAGES = {"en": "English", "es": "Spanish", "nl": "Dutch", "zh": "Chinese"}


def sentences(folder: Path, language: str, name: str, part: str) -> list[Sentence]:
    return list(read_treebank(folder / f"{language}_{name}-ud-{part}.conllu"))


def joined(known: Sequence[Sentence], size: int = 5) -> list[Sentence]:
    """Runs of sentences as one, a blank between them."""
    runs = []
    for first in range(0, len(known), size):
        text, words = "", []
        for one in known[first : first + size]:
            text += " " if text else ""
            words += [(start + len(text), end + len(text), tag) for start, end, tag in one.words]
            text += one.text
        runs.append(Sentence(text, tuple(words)))
    return runs


def score(tagger: PosTagger, known: Sequence[Sentence]) -> dict[str, float]:
    """Accuracy for each word, for each of our tokens, and for each word of running text."""
    found = []
    for text in (known, joined(known)):
        batch = gather([one.text for one in text], tagger.settings.language)
        tags = tagger.tags(batch)
        edges = batch.notes.tolist()
        found.append([(one, batch.tokens_of(at), tags[edges[at] : edges[at + 1]]) for at, one in enumerate(text)])
    pairs = [(a, b) for one, tokens, tags in found[0] for a, b in zip(tags_of(one, tokens), tags, strict=True)]
    return {
        "words": round(word_accuracy(found[0]), 4),
        "tokens": round(sum(a == b for a, b in pairs) / len(pairs), 4),
        "joined": round(word_accuracy(found[1]), 4),
    }


def customary(words: Sequence[str]) -> list[list[str]]:
    """What tutorials give CRFsuite: the word, its beginnings and endings, its look, two words to either side."""
    padded = ["<", "<", *(word.lower() for word in words), ">", ">"]
    rows = []
    for at, word in enumerate(words):
        low = word.lower()
        row = ["bias", f"form={word}", f"title={word.istitle()}", f"upper={word.isupper()}", f"digit={word.isdigit()}"]
        row += [f"{offset}={padded[at + 2 + offset]}" for offset in range(-2, 3)]
        row += [f"prefix{size}={low[:size]}" for size in range(1, 5)]
        row += [f"suffix{size}={low[-size:]}" for size in range(1, 5)]
        rows.append(row)
    return rows


def crfsuite_words(learnt: Sequence[Sentence], tests: dict[str, list[Sentence]], language: str) -> dict[str, float]:
    """Accuracy for each word with CRFsuite."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.1, "c2": 0.1, "max_iterations": 60})
    for one in learnt:
        tokens = tokenize(one.text, language)
        trainer.append(customary(tokens.texts(one.text)), tags_of(one, tokens))
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/model")
        tagger = pycrfsuite.Tagger()
        tagger.open(f"{folder}/model")
        for name, known in tests.items():
            cut = [(one, tokenize(one.text, language)) for one in known]
            tagged = [(one, tokens, tagger.tag(customary(tokens.texts(one.text)))) for one, tokens in cut]
            found[name] = round(word_accuracy(tagged), 4)
    return found


def licence(language: str) -> str:
    names = " and ".join(f"UD {LANGUAGES[language]}-{NAMES[name]}" for name in TREEBANKS[language])
    return (
        f"weights learnt from the development part of {names} (Universal Dependencies, "
        "https://universaldependencies.org); CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0/"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Train and score the part-of-speech models.")
    parser.add_argument("treebanks", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "ud")
    parser.add_argument("--out", type=Path, default=base.HERE)
    parser.add_argument("--language", nargs="+", choices=spoken(), default=spoken())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--crfsuite", action="store_true", help="compare with CRFsuite; half a minute a language")
    chosen = parser.parse_args(arguments)
    print(
        f"elision {elision.__version__}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"kernels {'compiled' if kernels.COMPILED else 'numpy'}, seed {chosen.seed}"
    )
    for language in chosen.language:
        learnt = [one for name in TREEBANKS[language] for one in sentences(chosen.treebanks, language, name, "dev")]
        begin = time.perf_counter()
        tagger = fit(replace(settings_for(language), seed=chosen.seed), learnt)
        took = time.perf_counter() - begin
        tests = {
            f"{language}_{name}-test": sentences(chosen.treebanks, language, name, "test") for name in TESTS[language]
        }
        scores = {name: score(tagger, known) for name, known in tests.items()}
        card = {
            **tagger.card,
            "treebanks": [f"UD_{LANGUAGES[language]}-{NAMES[name]}" for name in TREEBANKS[language]],
            "licence": licence(language),
            "scores": scores,
        }
        tagger = replace(tagger, card=card)
        size = tagger.save(chosen.out / language / "pos", overwrite=True)
        words = tagger.card["training"]["words"]
        print(f"{language}: {words:,} words, {took:.1f} s, {size / 1000:.0f} kB")
        theirs = crfsuite_words(learnt, tests, language) if chosen.crfsuite else {}
        for name, found in scores.items():
            found |= {"crfsuite": theirs[name]} if theirs else {}
            print(f"  {name:20}", "  ".join(f"{what} {share:.4f}" for what, share in found.items()))


if __name__ == "__main__":
    main()
