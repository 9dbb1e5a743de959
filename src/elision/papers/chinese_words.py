"""Chinese words, by jieba (extra `zh`).

Our tokens are characters by default; words serve the systems that were built on them (TS-RNN). jieba is
the segmenter that most Chinese pipelines use; its dictionary is loaded here without its cache, which
would put a marshalled file into the temporary folder and trust whatever lies there.
"""

from __future__ import annotations

import logging
import warnings
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np

from elision.errors import MissingExtraError
from elision.text.classes import HAN, classes, codes_of
from elision.text.tokens import Tokens, tokenize


@cache
def _segmenter() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes and pkg_resources in jieba's own source
            import jieba
    except ImportError:
        raise MissingExtraError("Chinese word segmentation", "zh") from None
    jieba.setLogLevel(logging.WARNING)
    segmenter = jieba.Tokenizer()
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter


def tokenize_words(text: str, language: str = "") -> Tokens:
    """Tokens, with Chinese characters joined to words."""
    tokens, kinds = tokenize(text, language), classes(codes_of(text))
    inside = np.zeros(len(kinds) + 1, np.bool_)
    inside[1:-1] = (kinds[1:] == HAN) & (kinds[:-1] == HAN)
    inside[np.array(word_edges(text), np.intp)] = False
    return Tokens(tokens.starts[~inside[tokens.starts]], tokens.ends[~inside[tokens.ends]])


def word_edges(text: str) -> list[int]:
    """Offsets at which words begin, and the text's end."""
    return [0, *accumulate(map(len, _segmenter().cut(text)))]
