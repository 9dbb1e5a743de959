"""Chinese tokens joined to words: alone and among others alike, and as a switch of any preset."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elision.document import Document
from elision.errors import MissingExtraError, ModelError
from elision.papers.presets import he2015
from elision.taggers import store
from elision.taggers.base import Tagger
from elision.taggers.batch import gather
from elision.taggers.linear.settings import Settings
from elision.taggers.presets import preset, presets
from elision.text.tokens import tokenize
from tests.notes import note
from tests.strategies import ALPHABET, fewer

pytest.importorskip("jieba", reason="the extra zh is not installed")

from elision.papers.chinese_words import _segmenter, tokenize_words

CHINESE = "患者在北京协和医院住院就诊上海市人民李明的了。，一二㐀𠀀〇々"
chinese = st.text(alphabet=st.sampled_from(CHINESE * 3 + ALPHABET), max_size=30)
WARDS = ("内科", "外科", "儿科", "妇产科", "急诊科")
NOTES = [
    note(f"患者[NAME 李明{'国华'[at % 2]}]于[DATE 3月{at + 1}日]入住{WARDS[at % 5]}，主诉头痛。", id=f"n{at}")
    for at in range(12)
]


def test_chinese_by_word() -> None:
    text = "患者在北京协和医院住院123天。"
    words = tokenize_words(text).texts(text)
    assert "医院" in "".join(words)
    assert "患者" in words
    assert "123" in words
    assert len(words) < len(tokenize(text))
    assert "".join(words) == text


@given(chinese)
@example("")
@example("\ud800患者\x00")
def test_words_are_made_of_whole_tokens(text: str) -> None:
    words, tokens = tokenize_words(text), tokenize(text)
    assert {*words.starts.tolist()} <= {*tokens.starts.tolist()}
    assert {*words.ends.tolist()} <= {*tokens.ends.tolist()}
    assert "".join(words.texts(text)) == "".join(tokens.texts(text))


@given(st.lists(chinese, max_size=6))
@example(["患者在北京", "协和医院", "", "\r", "住\r\n院", "北", "京"])
def test_a_text_is_cut_the_same_alone_and_among_others(texts: list[str]) -> None:
    batch = gather(texts, "zh", tokenize_words)
    for at, text in enumerate(texts):
        there, alone = batch.tokens_of(at), tokenize_words(text)
        assert np.array_equal(there.starts, alone.starts)
        assert np.array_equal(there.ends, alone.ends)


@pytest.mark.slow
def test_every_preset_can_cut_into_words() -> None:
    for name in presets():
        assert preset(name, language="zh", words=True).cut == "zh-words"
        assert preset(name, language="zh_Hans", words=True).cut == "zh-words"
        assert preset(name, language="zh", words=False) == preset(name, language="zh")


@pytest.mark.parametrize("language", ["en", "nl-BE", ""])
def test_a_language_without_a_segmenter_is_told(language: str) -> None:
    with pytest.raises(ModelError, match=r"^words: .* has no segmenter into words \(there are: zh\); say the language"):
        preset("elision-fast", language=language, words=True)


def test_two_ways_to_cut_are_refused() -> None:
    with pytest.raises(ModelError, match="words and cut: both say how texts are cut"):
        preset("elision-fast", language="zh", words=True, cut="fine")


@cache
def learnt() -> Tagger:
    settings = preset("elision-fast", language="zh", words=True, groups=True)
    return store.fit(replace(settings, epochs=3, seeds=1, least=1), NOTES)


@fewer
@given(st.lists(chinese, max_size=3))
def test_a_tagger_of_words_finds_the_same_alone_and_among_others(texts: list[str]) -> None:
    tagger = learnt()
    documents = [*NOTES[:3], *(Document(text.encode("utf-8", "ignore").decode()) for text in texts)]
    together = tagger.detect(documents)
    assert any(together)
    assert together == [tagger.detect([document])[0] for document in documents]


def test_dictionaries_of_spans_hold_words() -> None:
    notes = [note("住在[STREET 人民公园]东门。")]
    found: Settings = he2015("zh", documents=notes, words=True, pos=False)
    assert {"人民", "公园"} & {*found.lexicons["street"]} or "人民公园" in found.lexicons["street"]


def test_without_jieba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'elision\[zh\]'"):
        _segmenter.__wrapped__()
