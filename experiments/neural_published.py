"""What the papers publish of their neural systems and of what they compare these with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Published(NamedTuple):
    """Figures as printed; "" where the paper has none."""

    on: str  # the corpus of the paper
    precision: str = ""
    recall: str = ""
    f1: str = ""


# Which corpus of ours stands for which of the papers', and which system of ours for which of theirs.
STANDS_FOR = {"i2b2-2006-like": "i2b2 2006", "i2b2-2014-like": "i2b2 2014", "zh-maternity": "Chinese records"}
CRF = "liu2015"
ZHAO = {"rules": "rules", "CRF": CRF, "Bi-LSTM": "bi-lstm", "Bi-GRU": "bi-gru", "TS-GRU": "ts-gru"}
# Zhao 2018: Table 2, and Table 4 at the levels of entities and tokens; Table 3, binary tokens.
ENTITIES_AND_TOKENS = """
TS-GRU   i2b2-2006-like -     -     .9452 -     -     .9540
TS-GRU   i2b2-2014-like -     -     .9344 -     -     .9401
rules    zh-maternity   .8747 .9276 .9003 .8802 .9478 .9128
CRF      zh-maternity   .9815 .8972 .9375 .9669 .9236 .9448
Bi-LSTM  zh-maternity   .9701 .9235 .9462 .9545 .9027 .9279
Bi-GRU   zh-maternity   .9665 .9470 .9567 .9592 .9270 .9428
TS-GRU   zh-maternity   .9778 .9502 .9638 .9777 .9447 .9609
"""
BINARY = """
CRF      i2b2-2006-like .9640 .9371 .9504
Bi-LSTM  i2b2-2006-like .9723 .9656 .9689
Bi-GRU   i2b2-2006-like .9871 .9664 .9766
TS-GRU   i2b2-2006-like .9903 .9855 .9879
CRF      i2b2-2014-like .9842 .9663 .9752
Bi-LSTM  i2b2-2014-like .9878 .9389 .9627
Bi-GRU   i2b2-2014-like .9750 .9704 .9727
TS-GRU   i2b2-2014-like .9889 .9723 .9805
CRF      zh-maternity   .9863 .9705 .9783
Bi-LSTM  zh-maternity   .9908 .9584 .9743
Bi-GRU   zh-maternity   .9898 .9624 .9759
TS-GRU   zh-maternity   .9875 .9719 .9797
"""
# Trienes 2020, Dutch notes (NUT), entities; F1 from the page of its software.
DUTCH = {"bilstm-crf": "0.8990", CRF: "0.8511", "rules": "0.6649"}


def published() -> dict[tuple[str, str, str], Published]:
    """By corpus, system and level."""
    found = {
        (corpus, ZHAO[system], level): Published(STANDS_FOR[corpus], *numbers)
        for system, corpus, level, numbers in _rows()
    }
    found |= {("dutch", system, "entity"): Published("Dutch notes (NUT)", f1=f1) for system, f1 in DUTCH.items()}
    return found


def _rows() -> Iterator[tuple[str, str, str, list[str]]]:
    for line in ENTITIES_AND_TOKENS.strip().splitlines():
        system, corpus, *numbers = line.split()
        yield system, corpus, "entity", _plain(numbers[:3])
        yield system, corpus, "token", _plain(numbers[3:])
    for line in BINARY.strip().splitlines():
        system, corpus, *numbers = line.split()
        yield system, corpus, "binary token", _plain(numbers)


def _plain(numbers: list[str]) -> list[str]:
    return [number.replace("-", "").replace(".", "0.", 1) for number in numbers]
