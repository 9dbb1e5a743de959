"""What the papers publish of their neural systems and of what they compare these with: `data/papers/*.toml`."""

from __future__ import annotations

from typing import NamedTuple

from elision.papers.studies.published import published as printed


class Published(NamedTuple):
    """Figures as printed; "" where the paper has none."""

    on: str  # the corpus of the paper
    precision: str = ""
    recall: str = ""
    f1: str = ""


# Which corpus of ours stands for which of the papers', and which system of ours for which of theirs.
STANDS_FOR = {"i2b2-2006-like": "i2b2 2006", "i2b2-2014-like": "i2b2 2014", "zh-maternity": "Chinese records"}
CALLED = {"i2b2-2006-like": "i2b2-2006", "i2b2-2014-like": "i2b2-2014", "zh-maternity": "chinese"}  # in the files
CRF = "liu2015"
ZHAO = {"rules": "rules", "CRF": CRF, "Bi-LSTM": "bi-lstm", "Bi-GRU": "bi-gru", "TS-GRU": "ts-gru"}
TRIENES = {"rules": "rules", "CRF": CRF, "BiLSTM-CRF": "bilstm-crf"}
LEVELS = ("entity", "token")
FIGURES = ("precision", "recall", "F1")


def published() -> dict[tuple[str, str, str], Published]:
    """By corpus, system and level."""
    found = {}
    for corpus, on in STANDS_FOR.items():
        for name, system in ZHAO.items():
            if row := printed("ts-rnn", "table3").get(f"{CALLED[corpus]}, {name}"):
                found[corpus, system, "binary token"] = Published(on, *(_figure(row.get(each)) for each in FIGURES))
        for level in LEVELS:
            if row := printed("ts-rnn", "table2").get(CALLED[corpus]):
                found[corpus, "ts-gru", level] = Published(on, f1=_figure(row[level]))
    for name, system in ZHAO.items():
        row = printed("ts-rnn", "table4")[name]
        for level in LEVELS:
            figures = (_figure(row[f"{level} {each}"]) for each in FIGURES)
            found["zh-maternity", system, level] = Published(STANDS_FOR["zh-maternity"], *figures)
    for name, system in TRIENES.items():
        f1 = printed("trienes2020", "table5")[f"dutch, {name}"]["F1"]
        found["dutch", system, "entity"] = Published("Dutch notes (NUT)", f1=_figure(f1))
    return found


def _figure(number: float | None) -> str:
    return "" if number is None else f"{number:.4f}"
