"""What every tagger keeps to, whatever its preset: the same notes give the same spans, and spans are always sound."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elision.bio import decode
from elision.document import Document, Span, covered
from elision.errors import ModelError
from elision.models import store
from elision.papers.presets import cotik2019_crf, cotik2019_window, he2015, liu2015, zuccon2013
from elision.taggers import batch as batches
from elision.taggers.base import tag
from elision.taggers.batch import cut_long, edges_of
from elision.taggers.chain import Chain
from elision.taggers.cutters import batch_of, cutter
from elision.taggers.linear import model as linear_model
from elision.taggers.linear.context_features import PLACES
from elision.taggers.linear.kind import load
from elision.taggers.linear.presets import elision_best, elision_fast
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.token_features import FormNumbers
from elision.taggers.linear.training import fit
from elision.text.tokens import tokens_at
from tests.strategies import ALPHABET, fewer
from tests.taggers import planted
from tests.taggers.invented import UNSEEN, notes
from tests.taggers.made_notes import made_notes

LEARN = notes(12)
SHORT: dict[str, Any] = {"pos": False, "options": {"max_iterations": 30}}
PRESETS: dict[str, Callable[..., Settings]] = {
    "elision-fast": partial(elision_fast, "en", epochs=4, seeds=2),
    "elision-best": partial(elision_best, "en", epochs=4, seeds=2),
    "he2015": partial(he2015, documents=LEARN, **SHORT),
    "cotik2019-crf": partial(cotik2019_crf, "en", **SHORT),
    "cotik2019-window": partial(cotik2019_window, "en", pos=False, epochs=4),
    "zuccon2013": partial(zuccon2013, families=("basic", "names", "patterns", "position"), options=SHORT["options"]),
    "liu2015": partial(liu2015, "en", **SHORT),
}
ONLINE = [name for name, make in PRESETS.items() if make().trainer == "online"]
PLAIN = Settings(features=("lower[-1..1]", "shape[-1..1]"), epochs=3, least=1)

# All places and many forms, learnt from texts that hurt without regularisation: whatever depends on what stands beside
# a note in a batch shows in the scores.
WIDE = Settings(
    features=(
        "form[-1..1]", "plain[-2..2]", "shape[-1..1]", "prefix3[0]", "form{-4..-1}", "gap[0] key[0]",
        "elsewhere[0] lower[-1]", "pos[-1..1]", "pattern-p[0]", "lexicon-l[0]", "in-l[0]",
        *(f"{name}[-2..2]" for name in PLACES),
    ),
    language="en", least=1, epochs=3, l1=0.0, dropout=0.0, vectors=4,
    patterns={"p": (r"\b[A-Z]\w{1,4}\b", r"^\w{1,3}", r"\W$")}, lexicons={"l": ("Roe", "Ana 12", "Dr. Roe")},
)  # fmt: skip
WORDS = (
    "Dr.", "Roe", "name:", "a.b@c", "Fecha:", "12/3/2020", "Ana", "\r", "\r\n", "\n\n", "  ", "(", "李明", "e\u0301",
    "47798497-045-1949", "Title. And", "3 May", "\x1c", "\x0b", "MA 02115", "Dr. Roe", "Ana 12",
)  # fmt: skip
hurting = st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(ALPHABET), st.sampled_from(" \n")), max_size=30)
texts_that_hurt = hurting.map("".join)

HARD = {
    "empty": "",
    "a space": " ",
    "blanks": " \t\n \u00a0\u2003\r\n ",
    "a line's end": "\n",
    "a lone CR": "Patient: Anna Roe\rSeen by Dr. Poe\r",
    "CRLF": "Patient: Anna Roe\r\nSeen by Dr. Poe on 3 May 2001\r\n\r\n",
    "NUL": "Patient: Anna\0Roe\0\nSeen by Dr. \0 on 3 May 2001\0",
    "astral": "𝒳😀 Patient: 𝒳nna Roe 😀 seen 3 May 2001 😀\n😀",
    "marks": "\u0301 Patient:\u0301 A\u0301nna\u200b Roe\u00ad\ufeff",
    "one letter": "A",
    "one token": "Roe",
    "one sign": ".",
    "no letters": "... 12/3/2001 -- 555-004-4321 ((",
    "a long word": "Patient: " + "Anna" * 500,
    "all one kind": "Anna Roe " * 60,
    "Chinese": "患者:李明,2001年5月3日入院。",
}


@cache
def learnt(name: str) -> LinearTagger:
    """A tagger of this preset, or the wide one; nobody changes it."""
    if name == "wide":
        return fit(WIDE, _hurting_notes())
    if PRESETS[name]().trainer == "crfsuite":
        pytest.importorskip("pycrfsuite", reason="the extra crfsuite is not installed")
    return fit(PRESETS[name](), LEARN)


def _hurting_notes() -> list[Document]:
    rng = np.random.default_rng(5)
    made = []
    for number in range(60):
        text = "".join(rng.choice([*WORDS, " ", "\n", *ALPHABET]) for _ in range(rng.integers(4, 40)))
        edges = sorted(rng.choice(len(text) + 1, 4, replace=False).tolist())
        spans = [Span(a, b, str(rng.choice(["A", "B", "C"]))) for a, b in (edges[:2], edges[2:])]
        made.append(Document(text, str(number), spans=tuple(spans)))
    return made


def some_texts() -> list[str]:
    return [*HARD.values(), UNSEEN.text, *(note.text for note in made_notes(6))]


def assert_sound(tagger: LinearTagger, text: str, spans: Sequence[Span]) -> None:
    """Sorted, disjoint, within the text, on the edges of tokens, with a label that the model has."""
    tokens = cutter(tagger.settings.cut)(text, tagger.settings.language)
    starts, ends = set(tokens.starts.tolist()), set(tokens.ends.tolist())
    at = 0
    for span in spans:
        assert at <= span.start < span.end <= len(text)
        assert span.start in starts
        assert span.end in ends
        assert span.label in tagger.labels
        assert 0 <= span.score <= 1
        assert span.source in ("crf", "window")
        at = span.end


# -- fit, save, load


@pytest.mark.parametrize("name", PRESETS)
def test_what_was_learnt(name: str) -> None:
    tagger = learnt(name)
    assert tagger.settings == PRESETS[name]()
    assert tagger.labels == ("DATE", "ID", "NAME", "PHONE", "STATE", "STREET")
    assert tagger.detect([UNSEEN])[0], "or nothing was learnt, and the tests below say nothing"


def test_fit_takes_what_can_be_read_once() -> None:
    tagger = fit(PLAIN, iter(LEARN), dev=iter(made_notes(6)))
    assert tagger.card["training"]["notes"] == 12
    assert tagger.card["dev"]["notes"] == 6


@pytest.mark.parametrize("name", [*PRESETS, "wide"])
def test_a_reloaded_model_tags_exactly_alike(name: str, tmp_path: Path) -> None:
    tagger = learnt(name)
    tagger.save(tmp_path / "a")
    again = load(tmp_path / "a")
    assert again.settings == tagger.settings
    assert again.labels == tagger.labels
    texts = some_texts()
    assert again.spans(texts) == tagger.spans(texts)  # scores included
    batch = tagger.batch([UNSEEN.text])
    rows = tagger.posteriors(batch)
    assert np.array_equal(again.posteriors(batch), rows)
    assert rows.shape == (len(batch), len(tagger.chain.tags))
    again.save(tmp_path / "b")
    assert store.fingerprint(tmp_path / "b") == store.fingerprint(tmp_path / "a")


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_seed_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    learnt(name).save(tmp_path / "a")
    settings = PRESETS[name]()
    fit(settings, LEARN).save(tmp_path / "b")
    assert store.fingerprint(tmp_path / "a") == store.fingerprint(tmp_path / "b")
    fit(replace(settings, seed=settings.seed + 1), LEARN).save(tmp_path / "c")
    one, other = store.load(tmp_path / "a").arrays, store.load(tmp_path / "c").arrays
    same = all(np.array_equal(one[key], other[key]) for key in one)
    assert same == (name not in ONLINE)  # CRFsuite's L-BFGS draws nothing by chance


PRINT = """
import sys
from pathlib import Path
from elision.models import store
from elision.taggers.linear.training import fit
from tests.taggers.test_tagger import LEARN, ONLINE, PRESETS, WIDE, _hurting_notes
for name in ONLINE + sys.argv[2:]:
    fit(PRESETS[name](), LEARN).save(Path(sys.argv[1]) / name)
    print(name, store.fingerprint(Path(sys.argv[1]) / name))
fit(WIDE, _hurting_notes()).save(Path(sys.argv[1]) / "wide")
print("wide", store.fingerprint(Path(sys.argv[1]) / "wide"))
"""


@pytest.mark.slow
def test_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    """Python shuffles its sets from process to process."""
    try:
        import pycrfsuite  # noqa: F401 # only whether it is there
    except ImportError:
        more = []
    else:
        more = ["he2015", "zuccon2013"]
    said = set()
    for seed in "12":
        place = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(
            [sys.executable, "-c", PRINT, tmp_path / seed, *more],
            env={**os.environ, **place}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        said.add(done.stdout)
    assert len(said) == 1
    learnt("wide").save(tmp_path / "here")
    assert f"wide {store.fingerprint(tmp_path / 'here')}" in said.pop()


# -- alike whatever stands beside a note


@pytest.mark.slow
@pytest.mark.parametrize("most", [linear_model.MOST_TABLE_BYTES, 1])
@pytest.mark.parametrize("name", [*PRESETS, "wide"])
def test_alone_together_in_any_order_and_from_six_threads(
    name: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt(name).save(tmp_path / "m")
    monkeypatch.setattr(linear_model, "MOST_TABLE_BYTES", most)  # 1: tables are begun anew with every batch
    tagger = load(tmp_path / "m")
    texts = some_texts()
    alone = [tagger.spans([text])[0] for text in texts]
    assert tagger.spans(texts) == alone
    assert tagger.spans(texts[::-1]) == alone[::-1]
    assert tagger.spans([text for text in texts for _ in range(2)]) == [spans for spans in alone for _ in range(2)]
    assert tagger.detect([Document(text) for text in texts]) == alone

    fresh = load(tmp_path / "m")
    together = threading.Barrier(6)

    def work(thread: int) -> bool:
        order = np.random.default_rng(thread).permutation(len(texts)).tolist()
        together.wait()
        one_by_one = all(fresh.spans([texts[at]])[0] == alone[at] for at in order)
        return one_by_one and fresh.spans([texts[at] for at in order]) == [alone[at] for at in order]

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


@fewer
@given(st.lists(texts_that_hurt, max_size=4))
@example(["Roe\r", "\nAna", "", "\r", "Dr."])
@example(["\u0301", "a\u0301", "\u0301b"])
def test_spans_are_sound_and_do_not_depend_on_the_batch(texts: list[str]) -> None:
    tagger = learnt("wide")
    alone = [tagger.spans([text])[0] for text in texts]
    assert tagger.spans(texts) == alone
    for text, spans in zip(texts, alone, strict=True):
        assert_sound(tagger, text, spans)


def test_a_score_does_not_depend_on_what_stands_before_it() -> None:
    """To the last bit, not only to the digits that are kept: many small numbers before it could swallow its own."""
    chain = Chain(["O", "B-A", "I-A"])
    rng = np.random.default_rng(3)
    tags = np.array([1, 2, 2, 0], np.uint8)
    share = rng.random(4).astype(np.float32)
    (alone,) = chain.spans(tags, share, np.array([0, 4], np.int32)).score
    before = np.tile(tags, 25_000), np.full(100_000, 1e-9, np.float32)
    notes_of = np.array([0, 100_000, 100_004], np.int32)
    found = chain.spans(np.append(before[0], tags), np.append(before[1], share), notes_of)
    assert found.score[-1] == pytest.approx(alone, rel=1e-15)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (r"\ARoe", r"has \A; write ^ or $"),
        (r"Roe\z", r"has \z; write ^ or $"),
        (r"\Q[\ERoe", r"has \Q; write"),
        (r"(?-m)^Roe", "patterns see one line at a time"),
        (r"(?i-sm:^Roe)", "patterns see one line at a time"),
    ],
)
def test_a_pattern_cannot_ask_for_the_ends_of_the_text(pattern: str, said: str) -> None:
    """They would be those of the batch."""
    with pytest.raises(ModelError) as caught:
        fit(replace(PLAIN, features=("pattern-p[0]",), patterns={"p": (pattern,)}), LEARN)
    assert said in str(caught.value)


@pytest.mark.parametrize("pattern", [r"(?i)roe", r"(?s-i:Roe)", r"[(?\-m]", r"\(\?-m", r"\\A"])
def test_patterns_that_only_look_like_that_are_fine(pattern: str) -> None:
    fit(replace(PLAIN, features=("lower[0]", "pattern-p[0]"), patterns={"p": (pattern,)}), LEARN)


@pytest.mark.parametrize("moved", [-300, 2**63 - 1])
def test_counts_that_would_lead_out_of_the_weights_are_refused(tmp_path: Path, moved: int) -> None:
    """Kernels go where the counts lead, and do not look whether that lies within. Their sum is as it should be."""
    learnt("elision-fast").save(tmp_path / "m")
    model = store.load(tmp_path / "m", ("linear",))
    forged = model.arrays["counts"].astype(np.int64)
    forged[:2] += np.array([moved, -moved])
    store.save(tmp_path / "forged", replace(model, arrays={**model.arrays, "counts": forged}))
    with pytest.raises(ModelError, match="not a model that this elision wrote"):
        load(tmp_path / "forged")


def test_a_word_that_could_not_be_looked_at_is_not_taken_for_one_that_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt("elision-fast").save(tmp_path / "m")
    tagger = load(tmp_path / "m")
    with monkeypatch.context() as broken:
        broken.setattr(FormNumbers, "__call__", lambda *_: (_ for _ in ()).throw(MemoryError))
        with pytest.raises(MemoryError):
            tagger.detect([UNSEEN])
    assert tagger.detect([UNSEEN]) == learnt("elision-fast").detect([UNSEEN])


# -- sound spans whatever the text


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
@pytest.mark.parametrize("name", [*PRESETS, "wide"])
def test_hard_texts(name: str, text: str) -> None:
    tagger = learnt(name)
    (found,) = tagger.spans([text])
    assert_sound(tagger, text, found)
    if not text.strip():
        assert not found
    (document,) = tag(tagger, [Document(text, "x", patient="p", spans=())])
    assert (document.text, document.id, document.patient, document.spans) == (text, "x", "p", found)


def test_one_text_is_not_taken_for_a_list_of_letters() -> None:
    with pytest.raises(ModelError, match="one text where a list of texts is needed"):
        learnt("elision-fast").spans(UNSEEN.text)


def test_a_note_of_300_000_characters_in_one_line() -> None:
    tagger = learnt("elision-fast")
    piece = "Seen by Dr. Poe on 3 May 2001, phone 555-001-4037. No fever. "
    text = (piece * (300_000 // len(piece) + 1))[:300_000]
    (found,) = tagger.spans([text])
    assert_sound(tagger, text, found)
    assert len(text.split()) > 10 * batches.LONGEST
    per_piece = len(found) / (300_000 / len(piece))
    assert per_piece == pytest.approx(len(tagger.spans([piece * 3])[0]) / 3, rel=0.5)


@pytest.mark.parametrize("longest", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("name", [*PRESETS, "wide"])
def test_spans_over_a_cut_are_sound(name: str, longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tagger = learnt(name)  # before: it is kept for other tests, and would be learnt from the cut sequences
    monkeypatch.setattr(batches, "LONGEST", longest)
    texts = [UNSEEN.text, HARD["all one kind"], HARD["Chinese"], "Patient: " + "Anna Maria Luisa Roe Poe " * 4]
    for text, spans in zip(texts, tagger.spans(texts), strict=True):
        assert_sound(tagger, text, spans)
    batch = tagger.batch(texts)
    tags = tagger.tags(batch)[0]
    if tagger.settings.loss == "chain" and tagger.settings.trainer == "online":  # no I begins a sequence
        firsts = cut_long(batch, tagger.unit)[:, 0]
        assert not any(tagger.chain.tags[tag].startswith("I-") for tag in tags[firsts].tolist())


@fewer
@given(st.lists(texts_that_hurt, max_size=3), st.integers(1, 9), st.sampled_from(["line", "sentence", "note"]))
def test_long_sequences_are_cut_where_lines_begin(texts: list[str], longest: int, unit: str) -> None:
    batch = batch_of(PLAIN, texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "LONGEST", longest)
        bounds = cut_long(batch, unit)
    assert [place for first, after in bounds.tolist() for place in range(first, after)] == list(range(len(batch)))
    lines, edges = set(batch.line_starts.tolist()), set(edges_of(batch, unit).tolist())
    assert edges - {len(batch)} <= set(bounds[:, 0].tolist())
    for first, after in bounds.tolist():
        assert 0 < after - first <= longest
        if after not in edges and after not in lines:  # nowhere better
            assert after - first == longest
            assert not lines & set(range(first + 1, after))


# -- a stream


def test_words_of_notes_are_forgotten_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The forms of a batch are known by heart, up to a bound; long ones count by their letters."""
    learnt("elision-fast").save(tmp_path / "m")
    tagger = load(tmp_path / "m")
    monkeypatch.setattr(linear_model, "MOST_TABLE_BYTES", 50_000)
    for number in range(60):
        tagger.spans([chr(ord("a") + number % 26) * (5_000 + number)])
    kept = tagger.linear._known.numbers
    assert sum(map(len, kept)) < 50_000 + 2 * 5_060
    short = [" ".join(chr(ord("a") + (at + k) % 26) * (1 + at % 7) + str(at) for k in range(9)) for at in range(200)]
    for text in short:
        tagger.spans([text])
    assert len(tagger.linear._known.numbers) * 4 * len(tagger.linear.offsets) * tagger.linear.width < 2 * 50_000


# -- dial and decoding

WAYS = [(loss, decoding) for loss in ("chain", "softmax", "hinge") for decoding in ("posterior", "each")]
DIALS = (1.0, 0.5, 0.1, 0.01, 1e-4, 1e-6)


@pytest.mark.parametrize(("loss", "decoding"), WAYS)
def test_a_dial_below_1_covers_no_less(loss: str, decoding: str) -> None:
    weak = replace(PLAIN, features=("shape[-1..1]", "lower[-1]"), epochs=2, loss=loss, decoding=decoding)
    tagger = fit(weak, [*made_notes(20), *planted.notes(10)])
    texts = [note.text for note in [*made_notes(12, seed=1), *planted.notes(8, seed=3)]]
    seen: list[list[set[int]]] = []
    for dial in DIALS:
        found = tagger.dialled(dial).spans(texts)
        for text, spans in zip(texts, found, strict=True):
            assert_sound(tagger, text, spans)
        seen.append([{at for a, b in covered(spans) for at in range(a, b)} for spans in found])
    totals = [sum(map(len, covers)) for covers in seen]
    assert min(totals) == totals[0]
    assert totals[-1] > totals[0]
    if decoding == "each":  # token by token; posterior may give up a token for two others
        assert all(less <= more for one, other in pairwise(seen) for less, more in zip(one, other, strict=True))


def test_a_dial_above_1_covers_no_more() -> None:
    tagger = fit(replace(PLAIN, epochs=2), made_notes(20))
    texts = [note.text for note in made_notes(20, seed=1)]
    plain = sum(b - a for spans in tagger.spans(texts) for a, b in covered(spans))
    assert sum(b - a for spans in tagger.dialled(1e5).spans(texts) for a, b in covered(spans)) < plain


def test_the_best_path_and_the_best_tags_agree_where_all_is_clear() -> None:
    tagger = fit(replace(PLAIN, epochs=12), LEARN)
    by_posterior = tagger.detect(LEARN)
    by_path = replace(tagger, settings=replace(tagger.settings, decoding="viterbi")).detect(LEARN)
    assert [[(s.start, s.end, s.label) for s in spans] for spans in by_path] == [
        [(s.start, s.end, s.label) for s in spans] for spans in by_posterior
    ]
    assert {span.score for spans in by_path for span in spans} == {1.0}  # it has no other
    assert all(0 < span.score < 1 for spans in by_posterior for span in spans)
    assert {span.source for spans in by_path for span in spans} == {"crf"}
    assert {span.source for spans in learnt("cotik2019-window").detect(LEARN) for span in spans} == {"window"}


@fewer
@given(
    st.lists(st.lists(st.sampled_from(["O", "B-A", "I-A", "B-B", "I-B"]), max_size=6), max_size=3).filter(any),
    st.booleans(),
)
def test_spans_of_a_window_classifier_are_those_of_bio(rows: list[list[str]], free: bool) -> None:
    """An I that follows no tag of its label begins a span, and none reaches over two notes."""
    chain = Chain(["O", "B-A", "B-B", "I-A", "I-B"], free=free)
    tags = np.array([chain.tags.index(tag) for row in rows for tag in row], np.uint8)
    edges = np.cumsum([0, *map(len, rows)])
    found = chain.spans(tags, np.ones(len(tags), np.float32), edges.astype(np.int32))
    expected = [
        (span.start + before, span.end + before, span.label)
        for row, before in zip(rows, edges.tolist(), strict=False)
        for span in decode(row, tokens_at([(at, at + 1) for at in range(len(row))]))
    ]
    names = [chain.names[label] for label in found.label.tolist()]
    assert list(zip(found.first.tolist(), found.after.tolist(), names, strict=True)) == expected
