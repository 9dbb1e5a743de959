"""Chinese tokens joined to words."""

from __future__ import annotations

import pytest

from elision.papers.chinese_words import tokenize_words
from elision.text.tokens import tokenize


def test_chinese_by_word() -> None:
    pytest.importorskip("jieba", reason="the extra zh is not installed")
    text = "患者在北京协和医院住院123天。"
    words = tokenize_words(text).texts(text)
    assert "医院" in "".join(words)
    assert "患者" in words
    assert "123" in words
    assert len(words) < len(tokenize(text))
    assert "".join(words) == text
