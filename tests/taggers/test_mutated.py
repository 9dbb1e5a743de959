"""Models that somebody changed, under a manifest that fits: each is refused, or it works; nothing else happens."""

from __future__ import annotations

import copy
import json
import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from elision.detect.rule_gate import RuleGate
from elision.document import Document
from elision.errors import ElisionError, ModelError
from elision.models import store
from elision.pipeline import Deidentifier
from elision.rules import Rules, Sure
from elision.taggers.linear.kind import load
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from tests.taggers.made_notes import made_notes

MUTANTS = int(os.environ.get("ELISION_MUTANTS", "100"))
NOTES = ["Seen by Dr. Roe on 3 May.\nPatient: Jane Winter, Elm ward", "", "x" * 300, "李明 12:30: a@b.org"]
KINDS: dict[str, dict[str, Any]] = {
    "chain": {"patterns": {"day": ("[0-9]{1,2} [A-Z][a-z]{1,9}",)}, "lexicons": {"wards": ("Elm", "Oak ward")}},
    "softmax": {"loss": "softmax", "unit": "note", "vectors": 4},
    "viterbi": {"decoding": "viterbi"},
}
FEATURES = ("lower[-1..1]", "shape[0]", "key[0] lower[0]", "lexicon-wards[0]", "pattern-day[0]", "gap[0]", "suffix2[0]")


@pytest.fixture(scope="module", params=KINDS)
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> store.Stored:
    more = KINDS[request.param]
    lines = [line for line in FEATURES if "-" not in line.partition("[")[0] or "patterns" in more]
    folder = tmp_path_factory.mktemp("model") / "model"
    settings = Settings(features=tuple(lines), language="en", epochs=2, least=1, **more)
    fit(settings, made_notes(30)).save(folder)
    return store.load(folder)


def mutant(model: store.Stored, rng: Random) -> store.Stored:
    """The model with one to three changes to its card, its lists and its numbers."""
    card = json.loads(json.dumps(dict(model.card)))
    lists = {name: list(words) for name, words in model.vocabulary.items()}
    arrays = {name: np.array(array) for name, array in model.arrays.items()}
    for _ in range(rng.randint(1, 3)):
        what = rng.randrange(4)
        if what < 2:
            changed(card if what or not isinstance(card.get("settings"), dict) else card["settings"], rng)
        elif what == 2:
            changed(lists, rng)
            lists = {name: words for name, words in lists.items() if isinstance(words, list)}
            lists = {name: [word for word in words if isinstance(word, str)] for name, words in lists.items()}
        else:
            name = rng.choice([*arrays])
            with np.errstate(all="ignore"):
                arrays[name] = np.ascontiguousarray(other_numbers(arrays[name], rng))
    return store.Stored(model.kind, card, lists, arrays)


ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1, 1e308, 0.5, 10**18, "", "O", "B-NAME", "I-NAME", "lower[0]", "(", "\\pL+", "a|", [], ["O"],
    ["O", "O"], ["a", "a"], {}, {"a": []}, {"day": ["("]}, {"day": ["a*"]}, "en", "zh", "note", "line", "posterior",
    "hinge", "he2015", "x" * 1000, "\0", "key[0]", "pos[0]", "rule[0]", "group-512[9]", ["lower[8]"], "lower[-9]",
    "vector-8[0]",
)  # fmt: skip


def changed(value: Any, rng: Random) -> None:
    """Change something somewhere in a value of JSON."""
    while True:
        keys = list(range(len(value))) if isinstance(value, list) else list(value)
        if not keys:
            return
        key = rng.choice(keys)
        inner = value[key]
        if isinstance(inner, list | dict) and inner and rng.random() < 0.7:
            value = inner
            continue
        how = rng.randrange(4)
        if how == 0:
            del value[key]
        elif how == 1 and isinstance(value, list):
            value.insert(key, rng.choice(value))
        elif how == 2 and isinstance(inner, str) and inner:
            at = rng.randrange(len(inner))
            value[key] = inner[:at] + rng.choice("a0[-|](\\ I") + inner[at + 1 :]
        else:
            value[key] = copy.deepcopy(rng.choice(ODD))
        return


def other_numbers(array: np.ndarray[Any, Any], rng: Random) -> np.ndarray[Any, Any]:
    how = rng.randrange(5)
    if how == 0 and array.size:
        flat = array.reshape(-1).copy()
        bounds = np.iinfo(array.dtype) if array.dtype.kind in "iu" else np.finfo(array.dtype)
        flat[rng.randrange(flat.size)] = rng.choice([bounds.min, bounds.max, 0, 1])
        return flat.reshape(array.shape)
    if how == 1 and array.dtype.kind == "f" and array.size:
        flat = array.reshape(-1).copy()
        flat[rng.randrange(flat.size)] = rng.choice([np.nan, np.inf, -np.inf, 1e-40])
        return flat.reshape(array.shape)
    if how == 2:
        return array[: rng.randrange(len(array) + 1)] if array.ndim else array
    if how == 3:
        return array.astype(rng.choice(["<f4", "<f8", "<i4", "|u1", "<u8", "<u2", "<f2"]))
    return array.reshape(-1) if rng.random() < 0.5 else np.concatenate((array, array[:1]))


def mutants(model: store.Stored) -> Iterator[tuple[int, Path]]:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(MUTANTS):
            try:
                made = mutant(model, Random(f"{number}"))
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    store.save(Path(folder) / "model", made, overwrite=True)
            except (ElisionError, ValueError, OverflowError):  # no model that could be written
                continue
            yield number, Path(folder) / "model"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_changed_model_is_refused_or_works(saved: store.Stored) -> None:
    worked = 0
    for number, folder in mutants(saved):
        try:
            tagger = load(folder)
        except ModelError:
            continue
        except Exception as error:
            pytest.fail(f"mutant {number}: {type(error).__name__} at load")
        try:
            found = tagger.spans(NOTES)
            detectors = (
                [RuleGate(Sure(Rules("en"), 0.8), tagger)] if tagger.settings.decoding == "posterior" else [tagger]
            )
            Deidentifier(detectors)([Document(text, f"{at}") for at, text in enumerate(NOTES)])
        except ModelError:
            continue
        except Exception as error:
            pytest.fail(f"mutant {number}: {type(error).__name__} in use: {error}")
        worked += 1
        for text, spans in zip(NOTES, found, strict=True):
            assert all(0 <= span.start < span.end <= len(text) and 0 <= span.score <= 1 for span in spans), number
    assert worked > 0


@pytest.mark.parametrize("what", ["key", "lower", "no tags"])
def test_a_model_that_lacks_what_its_features_look_at_is_refused(
    saved: store.Stored, tmp_path: Path, what: str
) -> None:
    card, lists, arrays = dict(saved.card), dict(saved.vocabulary), dict(saved.arrays)
    if what == "no tags":
        empty = {
            "names": arrays["names"][:0],
            "weights": arrays["weights"][:0],
            "counts": arrays["counts"] * np.uint8(0),
        }
        card["tags"], arrays = [], {**arrays, **empty, "turns": np.zeros((1, 0), np.float32)}
    else:
        del lists[what]
    store.save(tmp_path / "model", store.Stored(saved.kind, card, lists, arrays))
    with pytest.raises(ModelError, match="not a model that this elision wrote"):
        load(tmp_path / "model")
