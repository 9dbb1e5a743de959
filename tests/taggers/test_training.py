"""Learning: what cannot be learnt from is refused with what to do, and what was learnt is on the card."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elision.document import Document, Span, covered
from elision.errors import ElisionError, LabelError, ModelError
from elision.models import store
from elision.taggers.corpus import fingerprint, groups_of, strict_f1
from elision.taggers.cutters import batch_of
from elision.taggers.linear.kind import load
from elision.taggers.linear.learning import sequences
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from tests.notes import note
from tests.taggers.invented import UNSEEN, notes
from tests.taggers.made_notes import made_notes
from tests.taggers.planted import SETTINGS as PLANTED_SETTINGS
from tests.taggers.planted import notes as planted_notes

PLAIN = Settings(features=("lower[-1..1]", "shape[0]"), epochs=4, least=1)
WINDOW = replace(PLAIN, loss="softmax", decoding="each")
SECRET = "Quetzalcoatl"
WORDS = f"{SECRET} came on Monday and went home"


def spanned(*edges: tuple[int, int, str], text: str = WORDS, id: str = "n1") -> Document:
    return Document(text, id, spans=tuple(Span(start, end, label) for start, end, label in edges))


GOOD = spanned((0, 12, "NAME"))

# -- what is refused

REFUSED: dict[str, tuple[Sequence[Document], type[ElisionError], str]] = {
    "no notes": ([], ModelError, "no notes to learn from; is this the right folder?"),
    "no words": (
        [spanned((0, 1, "NAME"), text=" \n\t"), Document("")],
        ModelError,
        "the notes to learn from hold no words; is this the right folder?",
    ),
    "no spans": (
        [Document(WORDS), Document("")],
        LabelError,
        "none of the 2 notes has a span to learn from; was the format guessed right",
    ),
    "a span over a blank": (
        [spanned((12, 13, "NAME"))],
        LabelError,
        "no span holds a word, so there is nothing to learn; are the offsets those of these texts?",
    ),
    "an empty span": ([spanned((3, 3, "NAME"))], LabelError, "no span holds a word"),
    "all one span": (
        [spanned((0, len(WORDS), "NAME"))],
        LabelError,
        "every word of the notes is inside a span; there is nothing to tell spans from",
    ),
    "no label": ([GOOD, spanned((13, 17, ""), id="n2")], LabelError, "note n2: a span without a label; give it one"),
    "no id": ([GOOD, spanned((13, 17, ""), id="")], LabelError, "a note without an id: a span without a label"),
    "disagreement": (
        [GOOD, spanned((0, 17, "NAME"), (13, 20, "DATE"), id="n2")],
        LabelError,
        "note n2: spans 0–17 (NAME) and 13–20 (DATE) overlap and disagree; merge() them first",
    ),
    "the same place twice": (
        [spanned((0, 12, "NAME"), (0, 12, "ID"))],
        LabelError,
        "note n1: spans 0–12 (ID) and 0–12 (NAME) overlap and disagree",
    ),
    "disagreement behind agreement": (
        [spanned((0, 12, "NAME"), (0, 7, "NAME"), (13, 27, "DATE"), (21, 27, "ID"))],
        LabelError,
        "note n1: spans 13–27 (DATE) and 21–27 (ID) overlap and disagree",
    ),
    "disagreement inside agreement": (
        [spanned((0, 27, "NAME"), (5, 20, "NAME"), (13, 17, "ID"))],
        LabelError,
        "note n1: spans 0–27 (NAME) and 13–17 (ID) overlap and disagree",
    ),
    "disagreement over an empty one": (
        [spanned((0, 12, "NAME"), (4, 4, "ID"))],
        LabelError,
        "note n1: spans 0–12 (NAME) and 4–4 (ID) overlap and disagree",
    ),
    "too many labels": (
        [spanned((0, 12, f"L{number}"), id=f"n{number}") for number in range(130)],
        LabelError,
        "261 tags; a model holds at most 248: map the labels to fewer first",
    ),
}


@pytest.mark.parametrize("settings", [PLAIN, WINDOW], ids=["chain", "window"])
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_learnt_from(name: str, settings: Settings) -> None:
    documents, kind, message = REFUSED[name]
    with pytest.raises(kind) as caught:
        fit(settings, documents)
    assert str(caught.value).startswith(message)
    assert not any(word in str(caught.value) for word in WORDS.split() if len(word) > 4)


def test_too_few_notes_for_any_feature() -> None:
    """A model without features finds nothing, and would not say so."""
    with pytest.raises(ModelError, match=r"no feature occurs in 3 notes or patients; give more notes, or a lower"):
        fit(replace(PLAIN, least=3), made_notes(2))
    one_patient = [replace(document, patient="p") for document in made_notes(9)]
    with pytest.raises(ModelError, match="no feature occurs in 3 notes or patients"):
        fit(replace(PLAIN, least=3), one_patient)


@pytest.mark.parametrize(
    ("strict", "said"),
    [
        (replace(PLAIN, l1=1e9), "no feature kept a weight; give more notes, or set a lower l1"),
        (replace(PLAIN, megabytes=1e-6), "no weight would be left"),
    ],
)
def test_nothing_left_of_what_was_learnt(strict: Settings, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        fit(strict, made_notes(8))


def test_learning_that_runs_away() -> None:
    with pytest.raises(ModelError, match=r"learning ran away: .* set a lower rate"):
        fit(replace(PLAIN, rate=1e20), made_notes(8))


@pytest.mark.parametrize(
    ("features", "said"),
    [
        (("lower[0",), "write it as lower[0]"),
        (("colour[0]",), "'colour', which is no attribute; there are: "),
        (("lower[-9]",), "an offset may be at most 8"),
        (("lexicon-names[0]",), "the settings have no lexicon 'names'; they have: none"),
        (("pattern-date[0]",), "the settings have no pattern 'date'; they have: none"),
    ],
)
def test_features_that_there_are_not(features: tuple[str, ...], said: str) -> None:
    with pytest.raises(ElisionError, match=re.escape(said)):
        fit(replace(PLAIN, features=features), made_notes(4))


# -- what is learnt


def test_one_label_is_enough() -> None:
    documents = [note(f"Seen by Dr. [PHI {name}] today.", name) for name in ("Roe", "Lund", "Vale", "Marsh", "Corr")]
    tagger = fit(PLAIN, documents)
    assert tagger.labels == ("PHI",)
    (found,) = tagger.spans(["Seen by Dr. Hart today."])
    assert [(span.start, span.end, span.label) for span in found] == [(12, 16, "PHI")]


@pytest.mark.parametrize("label", ["O", "B-NAME", "I-O", "a b", "名前", "{}", "x" * 300])
@pytest.mark.parametrize("settings", [PLAIN, WINDOW], ids=["chain", "window"])
def test_any_label_is_a_label(label: str, settings: Settings, tmp_path: Path) -> None:
    documents = [Document(f"Seen by Dr. {name}, the I", spans=(Span(12, 15, label),)) for name in ("Roe", "Poe", "Doe")]
    fit(settings, documents).save(tmp_path / "m")
    tagger = load(tmp_path / "m")
    assert tagger.labels == (label,)
    assert [(s.start, s.end, s.label) for s in tagger.spans(["Seen by Dr. Roe, the I"])[0]] == [(12, 15, label)]


@pytest.mark.parametrize(
    ("edges", "pieces"),
    [
        ([(8, 20), (12, 15)], [(8, 20)]),  # one inside the other is one span
        ([(8, 20), (8, 20)], [(8, 20)]),
        ([(8, 11), (9, 9)], [(8, 11)]),
        ([(8, 15), (12, 20)], [(8, 15), (16, 20)]),  # one over the end of another: the rest is a span of its own
    ],
)
def test_spans_of_one_label_may_overlap_and_all_that_they_cover_is_learnt(
    edges: list[tuple[int, int]], pieces: list[tuple[int, int]]
) -> None:
    text = "Seen by Dr. Roe Hart on the ward."
    documents = [spanned(*((a, b, "NAME") for a, b in edges), text=text, id=f"n{at}") for at in range(5)]
    tagger = fit(replace(PLAIN, epochs=20), documents)
    assert tagger.card["training"]["spans"] == 5 * len(pieces)
    (found,) = tagger.spans([text])
    assert [(span.start, span.end) for span in found] == pieces
    words = {at for a, b in covered(documents[0].spans) for at in range(a, b) if text[at] != " "}
    assert {at for a, b in covered(found) for at in range(a, b) if text[at] != " "} == words


def test_a_span_that_cuts_a_word_teaches_the_whole_word() -> None:
    documents = [spanned((9, 11, "NAME"), text="Nurse of Dr Roeland here", id=f"n{at}") for at in range(4)]
    documents += [spanned((13, 15, "NAME"), text="Nurse of Dr Roeland here", id=f"m{at}") for at in range(4)]
    learnt = fit(PLAIN, documents)
    assert learnt.card["training"]["spans"] == 8
    assert all(a in (9, 12) and b in (11, 19) for a, b in covered(learnt.spans([documents[0].text])[0]))


def test_lines_are_sequences_unless_spans_run_over_them() -> None:
    within = [note(f"Dr. [NAME Roe]\nNurse [NAME {name}] here", name) for name in ("Lund", "Vale", "Corr")]
    assert fit(PLAIN, within).unit == "line"
    over = [note(f"Dr. [NAME Roe\n{name}] here", name) for name in ("Lund", "Vale", "Corr")]
    tagger = fit(replace(PLAIN, epochs=12), over)
    assert tagger.unit == "note"
    (found,) = tagger.spans(["Dr. Roe\nVale here"])
    assert [(span.start, span.end) for span in found] == [(4, 12)]
    by_line = fit(replace(PLAIN, unit="line", epochs=12), over)  # then each line has a piece of its own
    assert by_line.unit == "line"
    assert covered(by_line.spans(["Dr. Roe\nVale here"])[0]) == [(4, 7), (8, 12)]


def test_a_sequence_may_be_a_sentence(tmp_path: Path) -> None:
    batch = batch_of(PLAIN, ["Seen well. Home with Dr. Roe\nnow", "Fine. Be it"])
    firsts = sequences(batch, "sentence")[:, 0].tolist()
    assert [batch.tokens.texts(batch.text)[first] for first in firsts] == ["Seen", "Home", "now", "Fine", "Be"]
    tagger = fit(
        replace(PLAIN, unit="sentence"),
        [note(f"Well. Dr. [NAME {name}] here", name) for name in ["Roe", "Lund", "Vale"]],
    )
    assert tagger.unit == "sentence"
    tagger.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.detect([note("Well. Dr. Roe here")]) == tagger.detect([note("Well. Dr. Roe here")])


def test_rare_words_are_counted_by_patient() -> None:
    a, b, c, d = (Document("x", patient=patient) for patient in ("p", "", "p", ""))
    assert groups_of([a, b, c, d]).tolist() == [0, 1, 0, 2]
    assert groups_of([Document("x", patient="1"), Document("x"), Document("x")]).tolist() == [0, 1, 2]
    tagger = fit(replace(PLANTED_SETTINGS, least=2), planted_notes(12, patients=True))
    assert "quetzalcoatl" not in tagger.linear.values["lower"]  # three times, and of one patient


def test_the_order_of_notes_names_no_other_model_and_ids_none_at_all(tmp_path: Path) -> None:
    documents = made_notes(8)
    renamed = [replace(document, id=f"x{at}") for at, document in enumerate(documents)]
    assert fingerprint(renamed) == fingerprint(documents[::-1]) == fingerprint(documents)
    assert fingerprint(documents[1:]) != fingerprint(documents)
    assert fingerprint([documents[0].with_spans(()), *documents[1:]]) != fingerprint(documents)
    turned = [document.with_spans(document.spans[::-1]) for document in documents]
    assert fingerprint(turned) == fingerprint(documents)
    for name, learnt in (("a", documents), ("b", renamed), ("c", turned)):
        fit(PLAIN, learnt).save(tmp_path / name)
    assert len({store.fingerprint(tmp_path / name) for name in "abc"}) == 1


# -- the card, dev and the one who watches


def test_the_card_says_what_was_learnt_from() -> None:
    documents = [replace(document, patient=f"p{at // 2}" if at < 6 else "") for at, document in enumerate(notes(9))]
    tagger = fit(PLAIN, documents)
    counts = {"DATE": 18, "ID": 9, "NAME": 18, "PHONE": 9, "STATE": 9, "STREET": 9}
    assert tagger.card["labels"] == counts
    training = tagger.card["training"]
    assert (training["notes"], training["patients"], training["spans"]) == (9, 3, sum(counts.values()))
    assert training["tokens"] == len(tagger.batch([document.text for document in documents]))
    assert training["fingerprint"] == fingerprint(documents)
    features = tagger.card["features"]
    assert 0 < features["kept"] <= features["learnt"]
    assert "dev" not in tagger.card


@pytest.mark.parametrize("seeds", [1, 3])
def test_one_can_watch_and_it_changes_nothing(seeds: int, tmp_path: Path) -> None:
    settings = replace(PLAIN, seeds=seeds, features=("lower[-1..1]", "shape[0] lower[1]"))
    told: list[tuple[int, int, float, float | None]] = []
    dev = made_notes(6, seed=1)
    watched = fit(settings, made_notes(12), dev, lambda *row: told.append(row))
    assert {row[:2] for row in told} == {(seed, epoch) for seed in range(seeds) for epoch in range(4)}
    assert len(told) == 4 * seeds
    assert all((strict is not None) == (seed == 0) for seed, _, _, strict in told)
    for seed in range(seeds):
        losses = [loss for number, _, loss, _ in sorted(told, key=lambda row: row[:2]) if number == seed]
        assert losses[-1] < losses[0]
    if seeds == 1:
        last = max(row[:2] for row in told)
        (reached,) = [strict for seed, epoch, _, strict in told if (seed, epoch) == last]
        assert reached == pytest.approx(strict_f1(dev, watched.detect(dev)), abs=0.02)  # before weights were rounded
    fit(settings, made_notes(12), dev).save(tmp_path / "unwatched")
    watched.save(tmp_path / "watched")
    assert store.fingerprint(tmp_path / "watched") == store.fingerprint(tmp_path / "unwatched")


def test_dev_notes_change_scores_only() -> None:
    plain = fit(PLAIN, made_notes(12))
    dev = made_notes(60, seed=1)
    calibrated = fit(PLAIN, made_notes(12), dev)
    assert calibrated.calibration != plain.calibration
    one, other = plain.detect(dev), calibrated.detect(dev)
    assert [[(s.start, s.end, s.label) for s in spans] for spans in one] == [
        [(s.start, s.end, s.label) for s in spans] for spans in other
    ]
    assert one != other
    card = calibrated.card["dev"]
    assert (card["notes"], card["fingerprint"]) == (60, fingerprint(dev))
    assert card["strict_f1"] == pytest.approx(strict_f1(dev, other), abs=1e-6)
    assert card["calibration_error"] <= card["calibration_error_before"]


def test_dev_notes_without_spans_or_words_do_no_harm() -> None:
    tagger = fit(PLAIN, made_notes(8), [Document(""), Document("no fever")])
    assert tagger.card["dev"]["strict_f1"] == 0
    assert tagger.card["dev"]["notes"] == 2


def test_notes_without_words_or_spans_among_others_do_no_harm() -> None:
    tagger = fit(replace(PLAIN, epochs=8), [Document(""), *notes(12), Document(" \n"), Document("No fever")])
    (found,) = tagger.detect([UNSEEN])
    wanted = {(span.start, span.end, span.label) for span in UNSEEN.spans}
    assert len({(span.start, span.end, span.label) for span in found} & wanted) >= len(wanted) - 2


def test_weights_are_what_a_folder_holds() -> None:
    """Rounded when learnt, not when saved: a model tags alike before and after."""
    weights = fit(PLAIN, made_notes(8)).linear.weights
    for each in (weights.dense, weights.weights, weights.turns):
        assert np.array_equal(each.astype(np.float16).astype(np.float32), each)


def test_strict_f1() -> None:
    gold = [note("[NAME Roe] on [DATE 3 May]"), note("none")]
    assert strict_f1(gold, [gold[0].spans, ()]) == 1
    assert strict_f1(gold, [gold[0].spans[:1], ()]) == pytest.approx(2 / 3)
    assert strict_f1(gold, [(Span(0, 3, "DATE"),), ()]) == 0
    assert strict_f1(gold, [(replace(gold[0].spans[0], score=0.1, source="crf"),), ()]) == pytest.approx(2 / 3)
    assert strict_f1([note("none")], [()]) == 0
    with pytest.raises(ValueError, match="shorter"):
        strict_f1(gold, [()])
