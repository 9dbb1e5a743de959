"""The presets: each learns what is obvious, and each switch changes what its name says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from elision.errors import ModelError
from elision.languages.base import folder
from elision.papers.he2015_tokens import CUTS
from elision.papers.presets import (
    HE_ORTHOGRAPHIC,
    ZUCCON_BEST,
    ZUCCON_FAMILIES,
    cotik2019_crf,
    cotik2019_window,
    dictionaries_from,
    he2015,
    liu2015,
    zuccon2013,
)
from elision.papers.searching import random_search
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.linear.attributes import RUN_PLACES
from elision.taggers.linear.features import templates
from elision.taggers.linear.presets import elision_best, elision_fast
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.presets import presets
from tests.notes import note
from tests.taggers.invented import UNSEEN, notes

NO_POS = tuple(family for family in ZUCCON_FAMILIES if family != "pos")
# Few notes need less regularisation than many.
LEARNING: dict[str, Callable[[], Settings]] = {
    "he2015": partial(he2015, documents=notes(), pos=False),
    "he2015 unofficial1": partial(he2015, run="unofficial1", documents=notes(), pos=False),
    "he2015 official": partial(he2015, run="official", pos=False),
    "cotik2019-crf": partial(cotik2019_crf, "en", pos=False),
    "cotik2019-window": partial(cotik2019_window, "en", pos=False, options={"C": 4.0}),
    "cotik2019-window with vectors": partial(cotik2019_window, "en", pos=False, vectors=True, options={"C": 4.0}),
    "zuccon2013": partial(zuccon2013, families=NO_POS),
    "zuccon2013, best": partial(zuccon2013, families=ZUCCON_BEST),
    "liu2015": partial(liu2015, "en", pos=False),
    "elision-fast": partial(elision_fast, "en"),
    "elision-best": partial(elision_best, "en"),
    "elision-fast, with rules": partial(elision_fast, "en", rules=True),
}


def attributes_at(settings: Settings) -> set[tuple[str, int]]:
    """Which attributes the features of these settings look at, and where."""
    return {term for template in templates(settings.features) for term in template.terms}


def names(settings: Settings) -> set[str]:
    return {name for name, _ in attributes_at(settings)}


@pytest.mark.parametrize("name", LEARNING)
def test_a_preset_learns_what_is_obvious(name: str) -> None:
    if LEARNING[name]().trainer == "crfsuite":
        pytest.importorskip("pycrfsuite", reason="the extra crfsuite is not installed")
    tagger = fit(LEARNING[name](), notes())
    (found,) = tagger.detect([UNSEEN])
    there = {(span.start, span.end, span.label) for span in UNSEEN.spans}
    assert {(span.start, span.end, span.label) for span in found} & there == there


def test_every_paper_has_a_preset_and_every_preset_can_be_made() -> None:
    papers = {"he2015", "cotik2019-crf", "cotik2019-window", "zuccon2013", "liu2015"}
    neural = {"ts-gru", "bi-gru", "bi-lstm", "bilstm-crf"}
    assert set(presets()) == papers | neural | {"elision-fast", "elision-best", "encoder"}
    kinds: dict[str, Any] = {**dict.fromkeys(neural, NeuralSettings), "encoder": EncoderSettings}
    for name, preset in presets().items():
        kind = kinds.get(name, Settings)
        assert isinstance(preset(), kind)
        assert preset("nl").language == "nl"
        assert preset(seed=4).seed == 4
        assert kind.from_json(preset().as_json()) == preset()


@pytest.mark.skipif(not folder("en", "pos").exists(), reason="the models of parts of speech are not built")
@pytest.mark.parametrize("preset", [he2015, cotik2019_crf, cotik2019_window, zuccon2013, liu2015])
def test_the_papers_look_at_parts_of_speech(preset: Callable[..., Settings]) -> None:
    settings = preset("en")
    assert "pos" in names(settings)
    if settings.trainer == "crfsuite":
        pytest.importorskip("pycrfsuite", reason="the extra crfsuite is not installed")
    tagger = fit(settings, notes())
    assert {"NOUN", "VERB"} <= set(tagger.linear.values["pos"])
    (found,) = tagger.detect([UNSEEN])
    assert len(found) >= len(UNSEEN.spans) - 1


# -- He 2015


@pytest.mark.parametrize(
    ("group", "there", "gone"),
    [
        ("lexical", {"lower", "prefix4", "suffix4", "pos"}, {"shape", "in-state"}),
        ("orthographic", set(HE_ORTHOGRAPHIC), {"lower", "in-state"}),
        ("dictionary", {"in-state", "in-street", "in-country", "in-date"}, {"lower", "shape"}),
    ],
)
def test_he_has_three_groups(group: str, there: set[str], gone: set[str]) -> None:
    settings = he2015(groups=(group,))
    assert there <= names(settings)
    assert not gone & names(settings)
    assert bool(settings.lexicons) == (group == "dictionary")
    assert there <= names(he2015())


def test_he_has_eleven_features_of_spelling_and_all_look_two_tokens_to_either_side() -> None:
    assert len(HE_ORTHOGRAPHIC) == 11
    everywhere = {(name, at) for name in names(he2015()) for at in range(-2, 3)}
    assert attributes_at(he2015()) == everywhere
    assert {at for _, at in attributes_at(he2015(window=1))} == {-1, 0, 1}


def test_he_run_1_looks_at_neighbours_as_words_only() -> None:
    run1 = attributes_at(he2015(run="unofficial1"))
    assert {name for name, at in run1 if at} == {"lower", "prefix4", "suffix4", "pos"}
    assert {name for name, at in run1 if not at} == names(he2015())


def test_he_official_run_is_that_of_section_3_2() -> None:
    run = he2015(run="official")
    around = {(name, at) for name in ("form", "pos") for at in range(-2, 3)}
    here = {(name, 0) for name in ("length", "some-digit", "some-letter", "title", "some-punctuation")}
    assert attributes_at(run) == around | here
    assert run.cut == "he2015-official"


@pytest.mark.parametrize(("steps", "cut"), CUTS.items())
@pytest.mark.parametrize("run", ["unofficial2", "official"])
def test_he_preprocessing_is_a_switch(run: str, steps: str, cut: str) -> None:
    assert he2015(run=run, preprocessing=steps).cut == cut
    assert he2015(run=run, preprocessing=steps).features == he2015(run=run).features
    assert he2015().cut == "he2015"


def test_he_reads_sentences_and_other_sequences_where_they_are_asked_for() -> None:
    assert he2015().unit == "sentence"
    assert he2015(unit="line").unit == "line"


def test_he_cities_are_an_option() -> None:
    documents = [note("Lives in [CITY Quietwater], [STATE Ohio]")]
    assert "city" not in he2015(documents=documents).lexicons
    settings = he2015(documents=documents, cities=True)
    assert {"quietwater", "Los Angeles"} <= set(settings.lexicons["city"])
    assert names(settings) - names(he2015()) == {"in-city"}


def test_he_dictionaries_hold_words_of_the_notes_in_small_letters() -> None:
    marked = note("Lives in [LOCATION_STREET 4 Elm Street], [STATE New York], [CITY Troy]; seen [DATE 3 May].")
    found = dictionaries_from([marked, note("Came on [DATE 5 May]", id="2")])
    assert found == {
        "street": ("4", "elm", "street"),
        "state": ("new", "york"),
        "country": (),
        "date": ("3", "5", "may"),
    }
    assert dictionaries_from([marked, note("On [DATE 5 May]", id="2")], least=2)["date"] == ("may",)
    assert dictionaries_from([marked], {"town": ("CITY",)}) == {"town": ("troy",)}
    lexicons = he2015(documents=[marked]).lexicons
    assert "elm" in lexicons["street"]
    assert {"Ohio", "york"} <= set(lexicons["state"])
    assert he2015(dictionaries={"river": ("Thames",)}).lexicons == {"river": ("Thames",)}
    assert "in-river" in names(he2015(dictionaries={"river": ("Thames",)}))


# -- Cotik 2019


def test_cotik_crf_looks_at_the_words_beside_or_at_all_of_them() -> None:
    own = {("lower", 0), ("prefix3", 0), ("suffix4", 0), ("upper", 0), ("digits", 0), ("pos", 0), ("pos2", 0)}
    universal = partial(cotik2019_crf, tags="universal")
    assert attributes_at(universal()) == own | {("lower", -1), ("lower", 1)}
    assert attributes_at(universal(neighbours="all")) == {(n, at) for n, _ in own for at in (-1, 0, 1)}
    assert names(universal()) - names(cotik2019_crf(pos=False)) == {"pos", "pos2"}
    assert cotik2019_crf().options == {}


@pytest.mark.parametrize("preset", [cotik2019_crf, cotik2019_window])
def test_cotik_reads_the_class_of_a_word_beside_its_tag(preset: Callable[..., Settings]) -> None:
    settings = preset()
    more = set(settings.features) - set(preset(tags="universal").features)
    assert {"pos[0] in-da[0]", "pos[0] in-pr[0]"} <= more
    assert not any("pos2" in feature for feature in settings.features)
    assert "el" in settings.lexicons["da"]
    assert not preset(pos=False).lexicons
    with pytest.raises(ModelError, match="tags 'penn': choose one of eagles, universal"):
        preset(tags="penn")


@pytest.mark.skipif(not folder("es", "pos").exists(), reason="the models of parts of speech are not built")
def test_a_tag_with_a_class_is_there_for_words_of_the_class_alone() -> None:
    read = [note(f"[X La] paciente {verb} en [X el] hospital y su casa.", verb) for verb in ("duerme", "come", "lee")]
    whole = cotik2019_window(epochs=30)
    settings = replace(whole, features=("pos[0] in-da[0]",), lexicons={"da": whole.lexicons["da"]})
    (found,) = fit(settings, [replace(each, language="es") for each in read]).detect([note("Los niños y su casa.")])
    assert [(span.start, span.end) for span in found] == [(0, 3)]


def test_cotik_window_is_an_svm_over_four_tokens() -> None:
    settings = cotik2019_window(tags="universal")
    attributes = ("lower", "prefix2", "suffix2", "pos", "upper", "digits")
    assert attributes_at(settings) == {(name, at) for name in attributes for at in (-2, -1, 0, 1)}
    assert (settings.loss, settings.decoding, settings.vectors) == ("hinge", "each", 0)
    assert cotik2019_window(vectors=True).vectors == 50


# -- Zuccon 2013

FAMILIES: dict[str, set[str]] = {
    "names": {"lexicon-titles", "elsewhere", "beside-titles"},
    "short-words": {"short"},
    "position": {"sentence-place"},
    "pos": {"pos"},
    "patterns": {f"pattern-{name}" for name in ("date", "phone", "id", "age", "postcode", "title")},
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_of_zuccon_brings_its_features(family: str) -> None:
    others = tuple(name for name in ZUCCON_FAMILIES if name != family)
    assert names(zuccon2013(families=("basic", family))) - names(zuccon2013(families="basic")) == FAMILIES[family]
    assert not FAMILIES[family] & names(zuccon2013(families=others))
    assert bool(zuccon2013(families=others).patterns) == (family != "patterns")
    assert bool(zuccon2013(families=others).lexicons) == (family != "names")


def test_zuccon_has_eight_families_and_its_best_run_differs_in_the_parts_of_speech_only() -> None:
    assert len(ZUCCON_FAMILIES) == 8
    best, all_ = zuccon2013(families=ZUCCON_BEST), zuccon2013()
    assert set(all_.features) - set(best.features) == {"pos[-1..1]"}
    assert set(best.features) < set(all_.features)
    assert (best.lexicons, best.patterns) == (all_.lexicons, all_.patterns)


@pytest.mark.parametrize(("ngrams", "name", "most"), [("set", "run", RUN_PLACES), ("numbered", "gram", 8)])
def test_short_grams_stand_in_place_of_the_long_ones(ngrams: str, name: str, most: int) -> None:
    assert {f"{name}6-{n}" for n in range(1, most + 1)} <= names(zuccon2013(families="basic", ngrams=ngrams))
    short = names(zuccon2013(families=("basic", "short-grams"), ngrams=ngrams))
    assert {each for each in short if each.startswith(("gram", "run"))} == {f"{name}3-{n}" for n in range(1, most + 1)}


def test_disjunctions_do_not_tell_places_apart() -> None:
    more = set(templates(zuccon2013(families=("basic", "disjunctive")).features))
    less = set(templates(zuccon2013(families="basic").features))
    assert {(t.terms[0][0], t.terms[0][1], t.terms[-1][1], t.any_of) for t in more - less} == {
        (name, first, last, True) for name in ("form", "brief") for first, last in ((-4, -1), (1, 4))
    }


# -- Liu 2015


def test_liu_has_the_features_of_the_table() -> None:
    settings = liu2015()
    lines = templates(settings.features)
    for name in ("form", "pos"):
        mine = [t for t in lines if {n for n, _ in t.terms} == {name}]
        assert [len(t.terms) for t in mine] == [1] * 5 + [2] * 4 + [3] * 3
        assert {at for t in mine for _, at in t.terms} == {-2, -1, 0, 1, 2}
    assert {(("form", at), ("pos", at)) for at in (-1, 0, 1)} <= {t.terms for t in lines}
    affixes = {f"{side}{size}" for side in ("prefix", "suffix") for size in range(1, 6)}
    flags = {
        "upper",
        "title",
        "inner-upper",
        "some-digit",
        "digits",
        "some-punctuation",
        "roman",
        "shape",
        "brief",
        "ascii",
    }
    sentence = {"sentence-length", "sentence-end", "sentence-brackets", "heading"}
    assert names(settings) == affixes | flags | sentence | {"form", "pos", "listed"}
    assert names(liu2015(pos=False)) == names(settings) - {"pos"}


@pytest.mark.parametrize(("entities", "name"), [("lists", {"listed"}), ("rules", {"rule"}), ("none", set())])
def test_liu_reads_entities_by_lists_or_rules_or_not(entities: str, name: set[str]) -> None:
    settings = liu2015(entities=entities, pos=False)
    assert names(settings) - names(liu2015(entities="none", pos=False)) == name
    assert {at for each, at in attributes_at(settings) if each in name} == (set(range(-2, 3)) if name else set())


def test_liu_has_an_elastic_net_and_learns_as_long_as_its_authors_let_it() -> None:
    options = {"c1": 0.3, "c2": 2.0, "max_iterations": 7, "feature.possible_transitions": True}
    assert liu2015(c1=0.3, c2=2.0, iterations=7).options == options
    assert liu2015().options == {**options, "c1": 0.1, "c2": 0.1, "max_iterations": 100}


def test_random_search_draws_from_the_powers_of_ten_and_repeats_itself() -> None:
    pytest.importorskip("pycrfsuite", reason="the extra crfsuite is not installed")
    told: list[int] = []
    how = partial(random_search, notes(), [UNSEEN], preset=partial(liu2015, pos=False), trials=4, seed=3)
    trials = how(progress=lambda number, _: told.append(number))
    assert told == [0, 1, 2, 3]
    assert [trial.f1 for trial in trials] == sorted((trial.f1 for trial in trials), reverse=True)
    assert all(1e-4 <= value <= 10 for trial in trials for value in (trial.c1, trial.c2))
    assert len({trial.c1 for trial in trials}) == len({trial.c2 for trial in trials}) == 4
    assert how() == trials


# -- what cannot be


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (partial(he2015, groups=("lexical", "magical")), "group magical: there are lexical"),
        (partial(he2015, run="third"), "run 'third': choose"),
        (partial(he2015, preprocessing="some"), "preprocessing 'some': choose one of all, official, tokens, none"),
        (partial(zuccon2013, families=()), "no family chosen"),
        (partial(zuccon2013, ngrams="some"), "ngrams 'some': choose one of set, numbered"),
        (partial(cotik2019_crf, neighbours="some"), "neighbours 'some'"),
        (partial(liu2015, entities="spacy"), "entities 'spacy': choose one of lists, rules, none"),
        (partial(liu2015, seasons=3), "no setting seasons"),
    ],
)
def test_a_switch_that_is_not_there_is_an_error(made: Callable[[], Settings], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        made()
