"""Neural taggers: torch and numpy agree, learning goes on from where it stopped, damaged folders are refused."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from elision.bio import decode
from elision.document import Document, Span
from elision.errors import MissingExtraError, ModelError
from elision.models import store as folders
from elision.papers.neural_presets import bi_gru, bi_lstm, bilstm_crf, ts_gru
from elision.taggers import store
from elision.taggers.corpus import fingerprint
from elision.taggers.cutters import batch_of
from elision.taggers.neural import kind, training
from elision.taggers.neural.inputs import inputs_of
from elision.taggers.neural.lessons import lessons_of
from elision.taggers.neural.modules import Corpus, Module, chain_loss, known_of
from elision.taggers.neural.network import strings_of
from elision.taggers.neural.reading import reading_of
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.tagger import NeuralTagger
from elision.taggers.threshold import LOWEST
from tests.taggers.made_notes import made_notes
from tests.taggers.neural.made_models import random_pretrained

NOTES, UNSEEN = made_notes(16), made_notes(6, seed=1)
SMALL: dict[str, Any] = {"language": "en", "hidden": 6, "embedding": 8, "epochs": 2, "seed": 3}
KINDS: dict[str, NeuralSettings] = {
    "ts-gru": ts_gru(**SMALL, r=0.3),
    "bi-gru": bi_gru(**SMALL),
    "bi-lstm": bi_lstm(**SMALL, reading="chunks"),
    "joined": ts_gru(**SMALL, r=0.3, reading="joined", window=3, gaps=True, characters="cnn"),
    "whole": bi_gru(**SMALL, reading="whole", unit="note", locked=True),
    "bilstm-crf": bilstm_crf(**SMALL, unit="line"),
    "even window": bi_lstm(**SMALL, window=4, digits="kept"),
}


PRETRAINED = "with a pretrained folder"
NAMES = (*KINDS, PRETRAINED)


@cache
def learnt(name: str) -> NeuralTagger:
    if name != PRETRAINED:
        return kind.fit(KINDS[name], NOTES)
    with TemporaryDirectory() as folder:
        random_pretrained().save(Path(folder) / "pre")
        return kind.fit(bilstm_crf(**SMALL, pretrained=f"{folder}/pre"), NOTES)


@pytest.mark.parametrize(("over_a_line", "unit"), [(0, "line"), (1, "line"), (2, "note")])
def test_a_few_spans_over_the_ends_of_lines_do_not_make_sequences_of_whole_notes(over_a_line: int, unit: str) -> None:
    spans = [Span(8, 16 if at < over_a_line else 12, "NAME") for at in range(30)]
    notes = [Document("Seen by\nJane\nRoe today.", f"n{at}", spans=(span,)) for at, span in enumerate(spans)]
    assert lessons_of(bilstm_crf(**SMALL), notes).unit == unit


def scores_of_torch(tagger: NeuralTagger, texts: list[str]) -> Any:
    """What torch says of each token, sequence by sequence."""
    batch = batch_of(tagger.settings, texts)
    inputs = inputs_of(tagger.settings, batch)
    reading = reading_of(tagger.settings, batch, inputs, tagger.unit)
    gold = np.zeros(len(inputs.form_of), np.int32)
    strings = strings_of(tagger.network.pretrained, batch, inputs).astype(np.float16)
    count = len(tagger.chain.tags)
    module = Module(tagger.settings, tagger.network.arrays, tagger.chain.allowed[:, :count])
    known = known_of(inputs, tagger.network.words)
    found = np.zeros((len(inputs.form_of), count), np.float32)
    with torch.no_grad():
        for chosen in np.arange(len(reading))[:, None]:
            index, scores = module.scores(Corpus(inputs, reading, strings, gold), known, chosen, None)
            if reading.targets is not None:
                found[reading.targets[chosen]] = scores.numpy()
            else:
                found[index[:, 0]] = scores[:, 0].numpy()
    return batch, found[inputs.place_of]


@pytest.mark.parametrize("name", NAMES)
def test_torch_and_numpy_agree(name: str) -> None:
    """The model as it was learnt and as it tags: the same scores, and so the same tags."""
    tagger = learnt(name)
    texts = [note.text for note in UNSEEN]
    batch, theirs = scores_of_torch(tagger, texts)
    ours = tagger.network.scores(batch, tagger.unit, tagger.chain.width)[:, : theirs.shape[1]]
    close = 1e-4 if tagger.network.pretrained is None else 1e-2  # strings are learnt from in half precision
    assert np.abs(ours - theirs).max() < close
    assert (ours.argmax(axis=1) == theirs.argmax(axis=1)).all()
    assert np.ptp(ours, axis=0).max() > 0.1, "all tokens look the same, and the test says nothing"


def test_a_model_holds_what_it_was_pretrained_with(tmp_path: Path) -> None:
    tagger = learnt(PRETRAINED)
    before = random_pretrained()
    assert tagger.settings.embedding == before.size
    tagger.save(tmp_path / "model")
    again = store.load(tmp_path / "model")
    assert isinstance(again, NeuralTagger)
    assert again.settings.pretrained == "pre"
    kept = again.network.pretrained
    assert kept is not None
    assert kept.words == ()
    assert (kept.forward.turning == before.forward.turning).all()
    assert again.detect(UNSEEN) == tagger.detect(UNSEEN)
    text = UNSEEN[0].text
    scores = [one.network.scores(batch_of(one.settings, [text]), one.unit, one.chain.width) for one in (tagger, again)]
    assert (scores[0] == scores[1]).all()
    assert {*before.words} <= {*tagger.network.words["text"]}


@pytest.mark.parametrize("name", KINDS)
def test_learning_goes_on_where_it_stopped(name: str, tmp_path: Path) -> None:
    settings = replace(KINDS[name], epochs=3)
    whole = kind.fit(settings, NOTES)

    def stop(seed: int, epoch: int, loss: float, score: float | None) -> None:
        if epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kind.fit(settings, NOTES, watch=stop, checkpoints=tmp_path / "stand")
    seen: list[int] = []
    again = kind.fit(settings, NOTES, watch=lambda _, epoch, *__: seen.append(epoch), checkpoints=tmp_path / "stand")
    assert seen == [2]
    assert whole.network.arrays.keys() == again.network.arrays.keys()
    for key, array in whole.network.arrays.items():
        assert (array == again.network.arrays[key]).all(), key
    assert again.card == whole.card
    with pytest.raises(ModelError, match="is a checkpoint of another learning, as these differ: notes"):
        kind.fit(settings, NOTES[1:], checkpoints=tmp_path / "stand")
    with pytest.raises(ModelError, match="as these differ: hidden"):
        kind.fit(replace(settings, hidden=7), NOTES, checkpoints=tmp_path / "stand")


def test_the_same_seed_gives_the_same_model_and_another_one_another() -> None:
    one = kind.fit(KINDS["bi-gru"], NOTES)
    other = kind.fit(replace(KINDS["bi-gru"], seed=4), NOTES)
    arrays = learnt("bi-gru").network.arrays
    assert all((array == arrays[name]).all() for name, array in one.network.arrays.items())
    assert not (other.network.arrays["text.forward.turning"] == arrays["text.forward.turning"]).all()


def test_notes_put_aside_are_among_those_that_the_card_names() -> None:
    for name in ("ts-gru", "bilstm-crf"):
        training = learnt(name).card["training"]
        assert (training["fingerprint"], training["notes"]) == (fingerprint(NOTES), len(NOTES))
        assert training["spans"] == sum(len(note.spans) for note in NOTES)
    assert learnt("ts-gru").card["network"]["put_aside"]["notes"] > 0


def test_it_learns() -> None:
    better = kind.fit(replace(KINDS["bi-gru"], hidden=32, embedding=32, epochs=12, rate=0.01), made_notes(60), UNSEEN)
    assert better.card["dev"]["strict_f1"] > 0.6
    assert better.card["network"]["losses"][-1] < better.card["network"]["losses"][0] / 2


@pytest.mark.parametrize("name", ["ts-gru", "bilstm-crf", "joined", PRETRAINED])
def test_learning_goes_on_from_a_model_with_new_words_and_labels(name: str) -> None:
    start = learnt(name)
    text = "Zyxwv Qrstu came by. Zyxwv Qrstu left."
    more = [Document(text, f"n{at}", spans=(Span(0, 11, "ROBOT"), Span(21, 32, "ROBOT"))) for at in range(4)]
    settings = replace(start.settings, epochs=1, rate=1e-9, validation=0.0, optimiser="sgd")
    tagger = kind.fit(settings, more, start=start, again=NOTES[:2])
    assert {"ROBOT", *start.labels} == set(tagger.labels)
    assert "Zyxwv".lower() in {word.lower() for word in tagger.network.words["text"]}
    assert tagger.card["start"]["training"] == start.card["training"]
    before, after = (each.detect(UNSEEN) for each in (start, tagger))
    places = [[(span.start, span.end, span.label) for span in spans] for spans in before]
    found = [[(s.start, s.end, s.label) for s in spans if s.label != "ROBOT"] for spans in after]
    alike = sum(len(set(one) & set(other)) for one, other in zip(places, found, strict=True))
    assert alike >= 0.5 * sum(map(len, places))
    with pytest.raises(ModelError, match="hidden: must be as in the model from which learning goes on"):
        kind.fit(replace(settings, hidden=7), more, start=start)


def test_learning_goes_on_from_a_neural_model_only() -> None:
    from elision.taggers.linear.presets import elision_fast

    linear = store.fit(elision_fast("en", epochs=1, seeds=1), NOTES)
    with pytest.raises(ModelError, match="from a neural model only"):
        kind.fit(KINDS["bi-gru"], NOTES, start=linear)
    with pytest.raises(ModelError, match="keep no checkpoints"):
        store.fit(elision_fast("en"), NOTES, checkpoints=Path("stand"))


# -- how a note is read


@pytest.mark.parametrize("window", [1, 2, 3, 7])
def test_the_window_is_all_that_is_seen(window: int) -> None:
    """A word changes what is said of the tokens whose window it is in, and of no other."""
    tagger = learnt("bi-gru")
    tagger = replace(tagger, settings=replace(tagger.settings, window=window))
    network = replace(tagger.network, settings=tagger.settings)
    words = ["aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii", "jj", "kk"]
    other = [*words[:5], "Dr", *words[6:]]
    one, two = (
        network.scores(batch_of(tagger.settings, [" ".join(each)]), tagger.unit, tagger.chain.width)
        for each in (words, other)
    )
    changed = np.flatnonzero((one != two).any(axis=1)).tolist()
    assert changed == list(range(5 - (window - 1) // 2, 5 + window // 2 + 1))


@given(st.lists(st.text(st.sampled_from("a1. \n\r\u674e"), max_size=30), max_size=4), st.booleans(), st.integers(1, 5))
def test_every_position_is_read_once_and_none_of_another_note(texts: list[str], returns: bool, window: int) -> None:
    for name in ("middle", "chunks", "whole"):
        settings = NeuralSettings(reading=name, returns=returns, window=window)
        batch = batch_of(settings, texts)
        inputs = inputs_of(settings, batch)
        reading = reading_of(settings, batch, inputs, "note")
        assert (np.diff(inputs.place_of) > 0).all()
        broken = sum(max(0, len([line for line in text.splitlines() if line.strip()]) - 1) for text in texts)
        if "\r" not in "".join(texts):
            assert len(inputs.form_of) - 1 == len(batch) + broken * returns
        count = len(reading)
        if not count:
            continue
        for backward in (False, True):
            index = reading.steps(np.arange(count), backward=backward)
            inside = (index == reading.outside) | ((index >= reading.notes[:, 0]) & (index < reading.notes[:, 1]))
            assert inside.all()
            if name == "middle":
                assert index[-1].tolist() == inputs.place_of.tolist()
            else:
                read = np.sort(index[index != reading.outside])
                assert read.tolist() == sorted({*read.tolist()})
                assert set(inputs.place_of.tolist()) <= set(read.tolist())


def test_digits_are_digit_and_lines_are_joined() -> None:
    settings = ts_gru("en")
    inputs = inputs_of(settings, batch_of(settings, ["Seen 46\n\nBCH"]))
    forms = [*inputs.forms, "outside"]
    assert [forms[form] for form in inputs.form_of.tolist()] == ["Seen", "DIGITDIGIT", "#RETURN", "BCH", "outside"]


def test_words_of_one_note_are_unknown_and_the_skeleton_has_fewer() -> None:
    words = lessons_of(KINDS["ts-gru"], NOTES).network.words
    everyone = {
        form for note in NOTES for form in inputs_of(KINDS["ts-gru"], batch_of(KINDS["ts-gru"], [note.text])).forms
    }
    assert set(words["text"]) < everyone
    assert set(words["skeleton"]) < set(words["text"])
    assert "#RETURN" in words["skeleton"]


def test_the_convolution_knows_capitals_and_digits_though_words_do_not() -> None:
    tagger = learnt("bilstm-crf")
    assert {"D", "r", "1"} <= set(tagger.network.words["characters"])
    one, two = (
        tagger.network.scores(batch_of(tagger.settings, [text]), tagger.unit, tagger.chain.width)
        for text in ("seen by Rae 1", "seen by rae 2")
    )
    assert (one != two).any()
    rare = [Document("Zebra ŷ seen", "z", spans=(Span(0, 5, "NAME"),)), *NOTES]
    assert "ŷ" not in lessons_of(KINDS["bilstm-crf"], rare).network.words["characters"]


# -- the chain


@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 1 << 30))
def test_the_loss_of_a_chain_is_what_all_paths_add_up_to(steps: int, tags: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, turns = rng.normal(size=(steps, tags)), rng.normal(size=(tags + 1, tags))
    gold = rng.integers(tags, size=steps)
    paths = np.stack(np.meshgrid(*[np.arange(tags)] * steps, indexing="ij"), axis=-1).reshape(-1, steps)

    def worth(path: Any) -> float:
        start = turns[-1, path[0]] + sum(scores[at, tag] for at, tag in enumerate(path))
        return float(start + sum(turns[a, b] for a, b in pairwise(path)))

    wanted = np.log(sum(np.exp(worth(path)) for path in paths)) - worth(gold)
    padded = np.concatenate((scores, rng.normal(size=(2, tags))))  # behind its end, nobody looks
    found = chain_loss(
        torch.tensor(padded[:, None]), torch.tensor(np.append(gold, [0, 0])[:, None]),
        torch.tensor(np.arange(steps + 2)[:, None] < steps), torch.tensor(turns),
    )  # fmt: skip
    assert float(found) == pytest.approx(wanted, abs=1e-6)


def test_an_inside_without_a_begin_never_comes_out_of_a_crf() -> None:
    tagger = learnt("bilstm-crf").dialled(LOWEST)
    for note in UNSEEN:
        batch = batch_of(tagger.settings, [note.text])
        tags = [tagger.chain.tags[tag] for tag in tagger.tags(batch)[0].tolist()]
        for before, tag in zip(["O", *tags], tags, strict=False):
            assert not tag.startswith("I-") or before[2:] == tag[2:]
        assert [(s.start, s.end, s.label) for s in decode(tags, batch.tokens)] == [
            (span.start, span.end, span.label) for span in tagger.detect([note])[0]
        ]


# -- folders


def _card(stored: folders.Stored, **changes: Any) -> folders.Stored:
    return replace(stored, card={**stored.card, "settings": {**stored.card["settings"], **changes}})


DAMAGE: dict[str, tuple[Any, str]] = {
    "other shape": (lambda s: replace(s, arrays={**s.arrays, "output.bias": s.arrays["output.bias"][1:]}), "of shape"),
    "NaN": (lambda s: replace(s, arrays={**s.arrays, "output.bias": s.arrays["output.bias"] * np.float32("nan")}),
            "finite numbers"),
    "missing": (lambda s: replace(s, arrays={n: a for n, a in s.arrays.items() if n != "text.words"}), "are missing"),
    "one more": (lambda s: replace(s, arrays={**s.arrays, "more": np.zeros(1, np.float32)}), "nobody asks for them"),
    "float64": (lambda s: replace(s, arrays={n: a.astype(np.float64) for n, a in s.arrays.items()}), "float64"),
    "other settings": (lambda s: _card(s, hidden=7), "train it again"),
    "unknown setting": (lambda s: _card(s, wings=2), "does not know: wings"),
    "impossible setting": (lambda s: _card(s, cell="rnn"), "choose one of gru, lstm"),
    "no tags": (lambda s: replace(s, card={n: v for n, v in s.card.items() if n != "tags"}), "KeyError"),
    "words missing": (lambda s: replace(s, vocabulary={}), "train it again"),
    "another unit": (lambda s: replace(s, card={**s.card, "unit": "page"}), "ValueError"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE)
def test_a_folder_that_cannot_be_is_refused(name: str, tmp_path: Path) -> None:
    learnt("ts-gru").save(tmp_path / "good")
    change, told = DAMAGE[name]
    folders.save(tmp_path / "bad", change(folders.load(tmp_path / "good")))
    with pytest.raises(ModelError, match=told):
        store.load(tmp_path / "bad")


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    learnt("bi-gru").save(tmp_path / "model")
    weights = tmp_path / "model" / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-9])
    with pytest.raises(ModelError, match=r"weights\.safetensors"):
        store.load(tmp_path / "model")


# -- without torch, and when learning goes wrong


def test_tagging_needs_no_torch(tmp_path: Path) -> None:
    learnt("bilstm-crf").save(tmp_path / "model")
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from pathlib import Path; from elision.taggers import store; from elision.document import Document\n"
        f"print(len(store.load(Path({str(tmp_path / 'model')!r})).detect([Document('Dr. Roe came.')])))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "1\n"


def test_learning_without_torch_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"elision\[train\]"):
        kind.fit(KINDS["bi-gru"], NOTES)


def test_learning_that_runs_away_is_told() -> None:
    with pytest.raises(ModelError, match="set a lower rate"):
        kind.fit(replace(KINDS["bilstm-crf"], rate=1e30, clip=0.0), NOTES)


def test_too_little_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> float:
        raise RuntimeError("[enforce fail at alloc_cpu.cpp:113] DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(training.Learner, "epoch", fail)
    with pytest.raises(ModelError, match="memory does not suffice; set a smaller batch"):
        kind.fit(KINDS["bi-gru"], NOTES)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"window": 0}, "window 0: must be at least 1"),
        ({"hidden": 1.5}, "hidden: must be a whole number"),
        ({"rate": float("nan")}, "rate: must be a finite number"),
        ({"dropout": 1.0}, "dropout 1.0: must be at least 0 and below 0.95"),
        ({"cell": "rnn"}, "cell 'rnn': choose one of gru, lstm"),
        ({"locked": 1}, "locked: must be true or false"),
        ({"output": "crf"}, "a CRF needs whole sequences"),
        ({"seeds": 3}, "a neural tagger is learnt from one seed"),
        ({"cut": "fast"}, "cut 'fast': choose one of fine"),
        ({"dial": 0.0}, "dial 0.0: must be more than 0"),
        ({"wings": 2}, "there is no setting wings"),
    ],
)
def test_settings_that_cannot_be_are_refused(chosen: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        ts_gru("en", **chosen)


def test_a_pretrained_folder_that_is_not_there_is_told() -> None:
    with pytest.raises(ModelError, match="no such folder; `elision pretrain NOTES --out` makes one"):
        kind.fit(bilstm_crf(**SMALL, pretrained="nowhere"), NOTES)
