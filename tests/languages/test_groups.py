"""The groups of like words that come with elision: what they hold, how a word is found, what a tagger has of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ModelError
from elision.languages.groups import LISTS, SIZES, Groups, checksum, folder_of, grouped, lists, shipped
from elision.models import store
from elision.taggers.linear.kind import load
from elision.taggers.linear.presets import LISTED, elision_best, elision_fast
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from tests.notes import note

ROOT = Path(__file__).resolve().parents[2]
KNOWN = ("roe", "lamp", "Ångström", "münchen")
SMALL = Groups(
    np.array(sorted(map(checksum, KNOWN)), np.uint32),
    {4: np.arange(4, dtype=np.uint8), 512: np.array([0, 511, 300, 7], np.uint16)},
)
EMPTY = {("zh", 512): 11, ("zh", 2048): 57}  # groups that k-means left without words, as many have the same vector
LIKE = {  # pairs of like words, and one that is unlike both
    "en": [("monday", "thursday", "kidney"), ("garcia", "martinez", "slowly"), ("aspirin", "ibuprofen", "uncle")],
    "es": [("sevilla", "córdoba", "hígado"), ("aspirina", "insulina", "quizás"), ("ibuprofeno", "penicilina", "tío")],
    "zh": [("上海", "北京", "慢慢"), ("护士", "医生", "昨天"), ("张", "李", "咳嗽")],
    "nl": [("maandag", "donderdag", "lever"), ("jansen", "pietersen", "vaak"), ("penicilline", "ibuprofen", "tante")],
}


@given(st.sampled_from(KNOWN), st.sampled_from((str.lower, str.upper, str.title, str)))
def test_a_word_is_found_in_any_case(word: str, case: Callable[[str], str]) -> None:
    at = int(np.searchsorted(SMALL.words, checksum(word)))
    assert SMALL.of(4)(case(word)) == str(at)
    assert SMALL.of(512)(case(word)) == str(SMALL.numbers[512][at])


@given(st.text())
def test_other_words_have_no_group(word: str) -> None:
    if word.lower() not in [known.lower() for known in KNOWN]:
        assert SMALL.of(4)(word) == ""
    assert Groups(np.zeros(0, np.uint32), {4: np.zeros(0, np.uint8)}).of(4)(word) == ""


def test_what_is_written_is_read(tmp_path: Path) -> None:
    SMALL.save(tmp_path / "groups", {"language": "en"})
    again = Groups.load(tmp_path / "groups")
    assert again.words.tolist() == SMALL.words.tolist()
    assert {size: each.tolist() for size, each in again.numbers.items()} == {
        size: each.tolist() for size, each in SMALL.numbers.items()
    }


@pytest.mark.parametrize("language", grouped())
def test_those_that_come_with_elision_are_sound(language: str) -> None:
    groups = shipped(language)
    assert tuple(sorted(groups.numbers)) == SIZES
    assert (np.diff(groups.words.astype(np.int64)) > 0).all()
    assert len(groups.words) > 150_000
    for size, numbers in groups.numbers.items():
        assert len(numbers) == len(groups.words)
        empty = EMPTY.get((language, size), 0)
        assert len(np.unique(numbers)) + empty == size == int(numbers.max()) + 1
    assert {path.name for path in folder_of(language).iterdir()} == {
        "manifest.json", "model.json", "vocabulary.json", "weights.safetensors"
    }  # fmt: skip
    assert "multilingual-e5-small" in (ROOT / "NOTICE").read_text("utf-8")


@pytest.mark.parametrize("language", grouped())
def test_like_words_lie_together(language: str) -> None:
    group = shipped(language).of(SIZES[0])
    together = [group(one) == group(like) != "" for one, like, _ in LIKE[language]]
    apart = [group(one) != group(unlike) != "" for one, _, unlike in LIKE[language]]
    assert sum(together) >= 2
    assert all(apart)


@pytest.mark.parametrize("language", grouped())
def test_strange_words_are_seldom_taken_for_others(language: str) -> None:
    group, rng = shipped(language).of(SIZES[0]), random.Random(0)
    strange = ("".join(rng.choices("bcdfghjklmnpqrstvwxz", k=14)) for _ in range(20_000))
    assert sum(group(word) != "" for word in strange) < 10  # one is expected


def test_a_country_makes_no_difference_and_other_languages_are_refused() -> None:
    assert shipped("es-MX") is shipped("es")
    for language in ("", "sv"):
        with pytest.raises(ModelError, match="en, es, nl, zh"):
            shipped(language)
    with pytest.raises(ModelError, match="groups of words are known for en, es, nl, zh"):
        fit(elision_fast("sv", groups=True), [note("[NAME Roe] vient")])


def test_a_size_that_is_not_there_is_refused() -> None:
    settings = Settings(features=("group-7[0]",), language="en", least=1)
    with pytest.raises(ModelError, match="there are group-128, group-512, group-2048"):
        fit(settings, [note("[NAME Roe] came")])


def test_what_is_learnt_of_words_holds_for_those_like_them(tmp_path: Path) -> None:
    seen, other = ("garcia", "lopez", "sanchez", "rodriguez"), ("aspirin", "penicillin", "insulin", "caffeine")
    notes = [note(f"{thing} [NAME {name}]\n[NAME {name}] {thing}", f"{at}") for at, (name, thing) in
             enumerate((name, thing) for name in seen for thing in other)]  # fmt: skip
    settings = Settings(features=("group-128[0]", "group-512[0]"), language="en", least=2, epochs=20, dropout=0.1)
    tagger = fit(settings, notes)
    text = "ibuprofen martinez morphine hernandez"
    assert [text[span.start : span.end] for span in tagger.spans([text])[0]] == ["martinez", "hernandez"]
    tagger.save(tmp_path / "model")
    assert load(tmp_path / "model").spans([text]) == tagger.spans([text])
    blind = fit(replace(settings, features=("lower[0]", "brief[0]")), notes)
    assert [text[span.start : span.end] for span in blind.spans([text])[0]] != ["martinez", "hernandez"]


def test_a_model_learnt_with_other_groups_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(features=("group-128[0]", "lower[0]"), language="en", least=1)
    fit(settings, [note("[NAME Roe] came")]).save(tmp_path / "model")
    load(tmp_path / "model")
    other = replace(shipped("en"), version="f" * 64)
    monkeypatch.setattr("elision.taggers.linear.word_groups.shipped", lambda _: other)
    with pytest.raises(ModelError, match="other groups of words than this elision has; train it again"):
        load(tmp_path / "model")


def test_public_lists_tell_what_a_word_is() -> None:
    (size,) = lists().numbers
    listed, kinds = lists().of(size), store.load(folder_of(LISTS), ("groups",)).card["kinds"]
    assert len(kinds) == size == len(set(kinds)) == int(lists().numbers[size].max()) + 1
    assert (np.diff(lists().words.astype(np.int64)) > 0).all()
    assert len(lists().words) > 300_000
    told = {word: kinds[int(listed(word))] for word in ("ROSA", "Müller", "muller", "Keroka", "Rotterdam", "Deborah")}
    assert told == {"ROSA": "GSp", "Müller": "St", "muller": "St", "Keroka": "p", "Rotterdam": "P", "Deborah": "G"}
    assert {listed(word) for word in ("spleen", "Qxwzrkt", "12", "北京", "")} == {""}
    assert "GeoNames" in (ROOT / "NOTICE").read_text("utf-8")


def test_what_is_learnt_of_listed_words_holds_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    towns, others = ("Utrecht", "Bristol", "Toledo", "Zaragoza"), ("Kidney", "Lung", "Spleen", "Liver")
    notes = [note(f"{other} [CITY {town}]\n[CITY {town}] {other}", f"{at}") for at, (town, other) in
             enumerate((town, other) for town in towns for other in others)]  # fmt: skip
    settings = Settings(features=("listed[0]",), language="sv", least=2, epochs=20, dropout=0.1)
    fit(settings, notes).save(tmp_path / "model")
    tagger, text = load(tmp_path / "model"), "Femur Rotterdam Muscle Lisbon"
    assert [text[span.start : span.end] for span in tagger.spans([text])[0]] == ["Rotterdam", "Lisbon"]
    monkeypatch.setattr("elision.taggers.linear.word_groups.lists", lambda: replace(lists(), version="f" * 64))
    with pytest.raises(ModelError, match="other groups of words than this elision has; train it again"):
        load(tmp_path / "model")


@pytest.mark.parametrize("preset", [elision_fast, elision_best])
def test_presets_look_at_all_sizes_of_a_word_and_its_neighbours(preset: Callable[..., Settings]) -> None:
    more = set(preset("en", groups=True).features) - set(preset("en").features)
    assert more == {f"group-{size}[-1..1]" for size in SIZES}


def test_the_small_preset_looks_at_public_lists_if_asked() -> None:
    assert set(elision_fast("en", listed=True).features) - set(elision_fast("en").features) == set(LISTED)
