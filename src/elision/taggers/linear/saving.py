"""A linear tagger as a folder; `loading` is the way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from elision.models import store
from elision.taggers.linear.arrays import arrays_of
from elision.taggers.linear.resources import groups_version
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.word_groups import stored_groups

if TYPE_CHECKING:
    from elision.taggers.linear.tagger import LinearTagger


def save(tagger: LinearTagger, folder: Path, *, overwrite: bool) -> int:
    card = {
        **tagger.card,
        "settings": tagger.settings.as_json(),
        "tags": list(tagger.chain.tags),
        "unit": tagger.unit,
        "calibration": [tagger.calibration.slope, tagger.calibration.shift],
        "word_groups": groups_version(tagger.settings),
    }
    words, numbers = stored_groups(tagger.word_groups)
    vocabulary, arrays = {**tagger.linear.values, **words}, {**arrays_of(tagger.linear), **numbers}
    return store.save(folder, store.Stored(Settings.kind, card, vocabulary, arrays), overwrite=overwrite)
