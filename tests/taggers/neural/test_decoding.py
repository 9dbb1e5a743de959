"""From what a network says of tokens to tags: the threshold, and which tag may follow which."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from elision.papers.neural_presets import bilstm_crf, ts_gru
from elision.taggers.cutters import batch_of
from elision.taggers.neural import kind
from tests.taggers.made_notes import made_notes

NOTES = made_notes(12)
SMALL: dict[str, Any] = {"language": "en", "hidden": 4, "embedding": 4, "epochs": 1}


def test_the_dial_is_heeded() -> None:
    tagger = kind.fit(ts_gru(**SMALL), NOTES)
    few, many = (sum(map(len, tagger.dialled(dial).detect(NOTES))) for dial in (1e6, 1e-6))
    assert few == 0 < many


def test_an_inside_that_the_network_is_sure_of_needs_a_begin_all_the_same() -> None:
    tagger = kind.fit(bilstm_crf(**SMALL), NOTES)
    sure = np.array([30.0 * tag.startswith("I-") for tag in tagger.chain.tags], np.float32)
    arrays = {**tagger.network.arrays, "output.bias": tagger.network.arrays["output.bias"] + sure}
    tagger = replace(tagger, network=replace(tagger.network, arrays=arrays))
    batch = batch_of(tagger.settings, [NOTES[0].text])
    tags = [tagger.chain.tags[tag] for tag in tagger.tags(batch)[0].tolist()]
    assert any(tag.startswith("I-") for tag in tags)
    assert not tagger.chain.allowed[tagger.chain.outside, np.flatnonzero(sure)].any()
    for before, tag in zip(["O", *tags], tags, strict=False):
        assert not tag.startswith("I-") or before[2:] == tag[2:]
