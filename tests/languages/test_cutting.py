"""Chinese text is cut into the words that are the likeliest together, and models learn from these."""

from __future__ import annotations

from math import log
from types import ModuleType
from zlib import crc32

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elision.errors import ModelError
from elision.languages import groups as word_groups
from elision.languages.cutting import word_places, words_of
from elision.languages.groups import PER_NAT, SIZES, Groups, shipped
from elision.taggers.batch import Batch, gather
from elision.taggers.linear.presets import elision_best, elision_fast
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from elision.taggers.linear.word_groups import groups_version
from elision.text import native, native_plain
from tests.notes import note

SEEN = {"患者": 90, "就诊": 40, "上海": 50, "上海市": 20, "市": 30, "海市": 1, "于": 60, "李": 30, "者就": 1, "𠀀王": 2}
CHARACTERS = "".join(dict.fromkeys("".join(SEEN))) + "明"


def lexicon(seen: dict[str, int]) -> Groups:
    """A lexicon in which each word is its own group."""
    words = sorted(seen, key=lambda word: crc32(word.encode()))
    total = sum(seen.values())
    return Groups(
        np.array([crc32(word.encode()) for word in words], np.uint32),
        {4: (np.arange(len(words)) % 4).astype(np.uint8)},
        np.array([round(-log(seen[word] / total) * PER_NAT) for word in words], np.uint16),
    )


SMALL = lexicon(SEEN)


def implementations() -> list[ModuleType]:
    if not native.COMPILED:
        return [native_plain]
    from elision.text import _native

    return [native_plain, _native]


def cut_by(by: ModuleType, batch: Batch, groups: Groups) -> tuple[list[int], list[int]]:
    firsts, which = np.full(len(batch), 7, np.int32), np.full(len(batch), 7, np.int32)
    by.words(
        batch.codes, batch.tokens.starts, batch.tokens.ends, batch.classes, groups.words, groups.buckets, groups.costs,
        groups.dearest, firsts, which,
    )  # fmt: skip
    return firsts.tolist(), which.tolist()


def cut(text: str, groups: Groups = SMALL) -> list[str]:
    """The words of a text, those that are not known in brackets."""
    batch = gather([text], "zh")
    words = words_of(batch, groups)
    pieces = []
    for at in np.flatnonzero((words.sizes > 0) & (words.at == 0)).tolist():
        piece = batch.text[batch.tokens.starts[at] : batch.tokens.ends[at + words.sizes[at] - 1]]
        pieces.append(piece if words.places[0][at] >= 0 else f"({piece})")
    return pieces


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("患者就诊", ["患者", "就诊"]),
        ("患者李明于上海市就诊", ["患者", "李", "(明)", "于", "上海市", "就诊"]),
        ("上海 市", ["上海", "市"]),
        ("Dr 李 12床", ["李", "(床)"]),
        ("𠀀王", ["𠀀王"]),
        ("", []),
    ],
)
def test_the_words_of_a_text(text: str, words: list[str]) -> None:
    assert cut(text) == words


def every_way(text: str, left: int) -> list[list[str]]:
    """All ways to cut a text into words that are known, or single characters."""
    if not text:
        return [[]]
    ways = []
    for size in range(1, min(left, len(text)) + 1):
        if size == 1 or text[:size] in SEEN:
            ways += [[text[:size], *rest] for rest in every_way(text[size:], left)]
    return ways


@given(st.text(st.sampled_from(CHARACTERS), min_size=1, max_size=9))
@example("上海市就诊")
def test_no_other_way_costs_less(text: str) -> None:
    cost = dict(zip(sorted(SEEN, key=lambda word: crc32(word.encode())), SMALL.costs.tolist(), strict=True))
    dearest = max(cost.values())
    ours = sum(cost.get(word.strip("()"), dearest) for word in cut(text))
    assert ours == min(sum(cost.get(word, dearest) for word in way) for way in every_way(text, 8))


@given(st.lists(st.text(st.sampled_from(CHARACTERS + " ,A1\n，々\u200b\ud800"), max_size=40), max_size=3))
@example(["患者李明于上海市就诊", "𠀀王，上海"])
def test_compiled_and_plain_cut_the_same_words(notes: list[str]) -> None:
    batch = gather(notes, "zh")
    for groups in (SMALL, shipped("zh")):
        first, *others = (cut_by(by, batch, groups) for by in implementations())
        assert all(other == first for other in others)


def test_attributes_of_words() -> None:
    batch = gather(["患者李明于上海市就诊", "市 A"], "zh")
    said = {
        name: [meanings[code] for code in codes.tolist()]
        for name, (codes, meanings) in ((name, place(batch)) for name, place in word_places(SMALL).items())
    }
    group = dict(zip(sorted(SEEN, key=lambda word: crc32(word.encode())), map(str, SMALL.numbers[4]), strict=True))
    words = ["患者", "患者", "李", "明", "于", *["上海市"] * 3, "就诊", "就诊", "市", ""]
    assert said["word-place"] == ["2.0", "2.1", "1.0", "1.0", "1.0", "3.0", "3.1", "3.2", "2.0", "2.1", "1.0", ""]
    assert said["word-rarity"][2:5] == ["1.1", "1.?", "1.1"]
    assert said["word-rarity"][-1] == ""
    assert said["word-4"] == [group.get(word, "?" if word else "") for word in words]
    assert said["before-4"][:4] == ["", "", group["患者"], group["李"]]
    assert said["behind-4"][:4] == [group["李"], group["李"], "?", group["于"]]
    assert said["behind-4"][8:] == ["", "", "", ""]  # nothing of another note, and nothing of other letters
    assert said["before-4"][10:] == ["", ""]


@pytest.mark.parametrize("language", word_groups.cut())
def test_what_comes_with_elision_cuts_as_one_would(language: str) -> None:
    groups = shipped(language)
    assert len(groups.costs) == len(groups.words)
    assert cut("患者因腹痛到医院就诊", groups) == ["患者", "因", "腹痛", "到", "医院", "就诊"]
    assert cut("病人因腹痛到醫院檢查", groups) == ["病人", "因", "腹痛", "到", "醫院", "檢查"]
    assert "护士" in cut("责任护士陈晓岚查房", groups)
    assert "陈晓岚" not in cut("责任护士陈晓岚查房", groups)


def test_what_is_learnt_of_words_holds_for_those_like_them() -> None:
    groups = shipped("zh").of(SIZES[0])
    assert groups("医院") == groups("诊所") != groups("太阳")
    notes = [note(f"到[CITY {city}]{done}", f"{at}") for at, (city, done) in enumerate(
        (city, done) for city in ("上海", "南京", "杭州", "武汉") for done in ("手术", "复查", "化疗")
    )]  # fmt: skip
    settings = Settings(features=("word-128[0]", "word-place[0]"), language="zh", least=2, epochs=20, dropout=0.1)
    text = "去天津复诊"
    tagger = fit(settings, notes)
    assert [text[span.start : span.end] for span in tagger.spans([text])[0]] == ["天津"]


def test_words_are_refused_where_text_has_blanks() -> None:
    settings = Settings(features=("word-place[0]",), language="nl", least=1)
    with pytest.raises(ModelError, match="text is cut into words in zh only"):
        fit(settings, [note("[NAME Roe] came")])
    settings = Settings(features=("word-7[0]",), language="zh", least=1)
    with pytest.raises(ModelError, match="features look at 'word-7'; of words there are word-place, word-rarity"):
        fit(settings, [note("[NAME 李明] 来诊")])


@pytest.mark.skipif(not native.COMPILED, reason="the compiled loops are not built")
def test_lists_of_words_that_do_not_fit_are_refused() -> None:
    from elision.text import _native

    batch = gather(["李明"], "zh")
    out = np.zeros(2, np.int32)
    tokens = (batch.codes, batch.tokens.starts, batch.tokens.ends, batch.classes)
    _native.words(*tokens, SMALL.words, SMALL.buckets + len(SMALL.words), SMALL.costs, 9, out, which := out.copy())
    assert which.tolist() == [-1, -1]  # nothing is looked up beyond the list
    with pytest.raises(ValueError, match="at least"):
        _native.words(*tokens, SMALL.words, SMALL.buckets, SMALL.costs[:-1], 9, out, out.copy())
    with pytest.raises(ValueError, match="at least"):
        _native.words(*tokens, SMALL.words, SMALL.buckets[:-1], SMALL.costs, 9, out, out.copy())


def test_a_model_says_which_words_it_was_learnt_with() -> None:
    assert groups_version(elision_fast("zh", groups=True)) == shipped("zh").version
    assert groups_version(elision_fast("zh")) == ""
    assert groups_version(elision_best("sv")) == ""
