"""Parts of speech: the models that come with elision, learning one, and what other taggers see of it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ModelError
from elision.languages import base
from elision.languages.base import folder
from elision.models import store
from elision.taggers.batch import LONGEST, Batch, gather
from elision.taggers.linear.pos import spoken
from elision.taggers.linear.pos import tagger as pos
from elision.taggers.linear.pos.tagger import PosTagger, pos_place, settings_for, shipped
from elision.taggers.linear.pos.treebank import UPOS, Sentence, read_treebank, word_accuracy
from elision.taggers.linear.settings import Settings
from tests.models.model_folders import bytes_in
from tests.notes import CORPORA
from tests.strategies import ALPHABET

UD = CORPORA / "ud"
ROOT = Path(__file__).parents[3]


def sentence(marked: str, space: str = " ") -> Sentence:
    """A sentence from words with their parts of speech: `She/PRON sings/VERB`."""
    text, words = "", []
    for item in marked.split():
        form, _, tag = item.rpartition("/")
        text += space if text else ""
        words.append((len(text), len(text) + len(form), tag))
        text += form
    return Sentence(text, tuple(words))


def tagged(tagger: PosTagger, texts: list[str]) -> list[str]:
    """Each text as its tokens with their parts of speech."""
    batch = gather(texts, tagger.settings.language)
    shown = [f"{form}/{tag}" for form, tag in zip(batch.tokens.texts(batch.text), tagger.tags(batch), strict=True)]
    edges = batch.notes.tolist()
    return [" ".join(shown[first:after]) for first, after in pairwise(edges)]


# -- the models that come with elision

PLAIN = {
    "en": [
        "The/DET old/ADJ nurse/NOUN saw/VERB a/DET patient/NOUN yesterday/NOUN ./PUNCT",
        "She/PRON has/VERB three/NUM children/NOUN and/CCONJ two/NUM dogs/NOUN ./PUNCT",
        "They/PRON went/VERB to/ADP London/PROPN with/ADP the/DET doctor/NOUN ./PUNCT",
    ],
    "es": [
        "La/DET enfermera/NOUN vive/VERB en/ADP una/DET casa/NOUN grande/ADJ ./PUNCT",
        "El/DET paciente/NOUN tiene/VERB tres/NUM hijos/NOUN y/CCONJ dos/NUM perros/NOUN ./PUNCT",
        "Ellos/PRON llegaron/VERB a/ADP Madrid/PROPN con/ADP el/DET médico/NOUN ./PUNCT",
    ],
    "nl": [
        "De/DET oude/ADJ man/NOUN woont/VERB in/ADP een/DET klein/ADJ huis/NOUN ./PUNCT",
        "Zij/PRON heeft/VERB drie/NUM kinderen/NOUN ./PUNCT",
        "Hij/PRON ging/VERB met/ADP de/DET arts/NOUN naar/ADP Utrecht/PROPN ./PUNCT",
    ],
    "zh": [
        "我/PRON 们/PRON 有/VERB 三/NUM 个/NOUN 孩/NOUN 子/NOUN 。/PUNCT",
        "这/PRON 是/AUX 北/PROPN 京/PROPN 。/PUNCT",
    ],
}


@pytest.mark.parametrize("language", PLAIN)
def test_plain_sentences(language: str) -> None:
    space = "" if language == "zh" else " "
    texts = [sentence(marked, space).text for marked in PLAIN[language]]
    assert tagged(shipped(language), texts) == PLAIN[language]


@pytest.mark.parametrize("language", spoken())
def test_a_shipped_model_is_small_and_says_whose_it_is(language: str) -> None:
    assert store.size(folder(language, "pos")) <= 500_000
    card = shipped(language).card
    assert card["language"] == language
    assert "CC BY-SA 4.0" in card["licence"]
    assert card["scores"]
    assert card["settings"]["least"] >= 3
    notice = " ".join((ROOT / "NOTICE").read_text("utf-8").split())
    for treebank in card["treebanks"]:
        assert treebank.replace("_", " ") in card["licence"]
        assert treebank in notice


@pytest.mark.parametrize("language", ["es-MX", "es_ES", "ES"])
def test_a_country_makes_no_difference(language: str) -> None:
    assert shipped(language) is shipped("es")


@pytest.mark.parametrize("language", ["", "sv", "english"])
def test_other_languages_are_refused(language: str) -> None:
    with pytest.raises(ModelError, match="en, es, nl, zh"):
        shipped(language)
    with pytest.raises(ModelError, match="en, es, nl, zh"):
        pos_place(language)


FLOORS = {  # a little less than what experiments/train_pos.py printed
    "en_ewt": 0.912,
    "es_gsd": 0.935,
    "es_pud": 0.912,
    "nl_alpino": 0.918,
    "nl_lassysmall": 0.924,
    "zh_gsdsimp": 0.775,
}


@pytest.mark.skipif(not UD.is_dir(), reason="the Universal Dependencies treebanks are not beside the project")
@pytest.mark.parametrize("name", FLOORS)
def test_accuracy_on_text_that_was_not_learnt_from(name: str) -> None:
    language = name[:2]
    known = list(read_treebank(UD / f"{name}-ud-test.conllu"))
    tagger = shipped(language)
    batch = gather([one.text for one in known], language)
    tags, edges = tagger.tags(batch), batch.notes.tolist()
    accuracy = word_accuracy(
        (one, batch.tokens_of(at), tags[edges[at] : edges[at + 1]]) for at, one in enumerate(known)
    )
    assert accuracy >= FLOORS[name]
    assert accuracy == pytest.approx(tagger.card["scores"][f"{name}-test"]["words"], abs=0.001)


# -- tagging

TEXTS = st.lists(
    st.one_of(st.text(ALPHABET, max_size=30), st.sampled_from(["", "\n", "Dr. Roe\nseen", "李明 住院"])), max_size=4
)


@given(TEXTS, st.sampled_from(list(spoken())))
def test_notes_of_a_batch_do_not_see_each_other(texts: list[str], language: str) -> None:
    tagger = shipped(language)
    batch = gather(texts, language)
    tags = tagger.tags(batch)
    assert len(tags) == len(batch)
    assert set(tags) <= set(UPOS)
    assert tags == [tag for text in texts for tag in tagger.tags(gather([text], language))]


@pytest.mark.parametrize("texts", [[], [""], ["", ""], [" \n "]])
def test_no_words_no_tags(texts: list[str]) -> None:
    assert shipped("en").tags(gather(texts)) == []
    codes, names = pos_place("en")(gather(texts))
    assert len(codes) == 0
    assert tuple(names) == UPOS


def test_a_long_line_is_tagged_whole() -> None:
    batch = gather(["the nurse sings " * 5000])
    tags = shipped("en").tags(batch)
    assert len(tags) == 15_000
    odd = [at for at, tag in enumerate(tags) if tag != tags[3 + at % 3]]
    assert all(min(at % LONGEST, -at % LONGEST, len(tags) - at) <= 6 for at in odd)  # where it is cut, at most


def test_the_place_gives_a_code_for_each_token_of_several_notes() -> None:
    texts = ["The nurse saw a patient.", "", "She has two dogs.\nThey went to London."]
    batch = gather(texts)
    codes, names = pos_place("en")(batch)
    assert codes.dtype == np.int32
    found = [names[code] for code in codes.tolist()]
    assert found == shipped("en").tags(batch)
    first = batch.notes.tolist()[2]
    assert found[:3] == ["DET", "NOUN", "VERB"]
    assert found[first : first + 5] == ["PRON", "VERB", "NUM", "NOUN", "PUNCT"]


def test_the_coarser_place_has_the_first_letters() -> None:
    batch = gather(["The nurse saw Mary in London, and she has two old dogs."])
    fine, fine_names = pos_place("en")(batch)
    coarse, names = pos_place("en", letters=2)(batch)
    assert [names[code] for code in coarse.tolist()] == [fine_names[code][:2] for code in fine.tolist()]
    assert len(names) == len(set(names)) < len(UPOS)


def test_a_batch_is_tagged_once_for_all_its_places(monkeypatch: pytest.MonkeyPatch) -> None:
    tagged_batches: list[Batch] = []
    codes = PosTagger.codes

    def counted(self: PosTagger, batch: Batch) -> object:
        tagged_batches.append(batch)
        return codes(self, batch)

    monkeypatch.setattr(PosTagger, "codes", counted)
    batch, other = gather(["The nurse sings."]), gather(["The doctor sings."])
    places = [pos_place("en"), pos_place("en", letters=2), pos_place("en-GB")]
    for place in places:
        place(batch)
    assert tagged_batches == [batch]
    places[0](other)
    pos_place("nl")(batch)
    assert tagged_batches == [batch, other, batch]


# -- learning

SMALL = [
    sentence(f"{article}/DET {noun}/NOUN {verb}/VERB {name}/PROPN ./PUNCT")
    for article, noun, verb, name in [
        ("The", "nurse", "saw", "Anna"),
        ("A", "doctor", "called", "Tom"),
        ("The", "doctor", "saw", "Tom"),
        ("A", "nurse", "called", "Anna"),
    ]
] * 3
CHINESE = [
    sentence(marked, "")
    for marked in ("护士/NOUN 住在/VERB 河边/NOUN 。/PUNCT", "医生/NOUN 住在/VERB 城里/NOUN 。/PUNCT")
] * 4


def learnt(language: str = "en", seed: int = 0) -> PosTagger:
    few = replace(settings_for(language), seeds=2, epochs=6, seed=seed)
    return pos.fit(few, CHINESE if language == "zh" else SMALL)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_learnt_is_known(language: str) -> None:
    known = CHINESE if language == "zh" else SMALL
    tagger = learnt(language)
    batch = gather([one.text for one in known], language)
    tags, edges = tagger.tags(batch), batch.notes.tolist()
    assert (
        word_accuracy((one, batch.tokens_of(at), tags[edges[at] : edges[at + 1]]) for at, one in enumerate(known)) == 1
    )
    assert tagger.card["training"]["sentences"] == len(known)
    assert tagger.card["training"]["tokens"] == len(batch)


def test_chinese_tags_are_one_a_character() -> None:
    assert tagged(learnt("zh"), ["护士住在城里。"]) == ["护/NOUN 士/NOUN 住/VERB 在/VERB 城/NOUN 里/NOUN 。/PUNCT"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_saved_model_tags_alike_and_is_saved_alike(language: str, tmp_path: Path) -> None:
    tagger = learnt(language)
    size = tagger.save(tmp_path / "a")
    assert size == store.size(tmp_path / "a")
    again = pos.load(tmp_path / "a")
    again.save(tmp_path / "b")
    assert bytes_in(tmp_path / "a") == bytes_in(tmp_path / "b")
    assert again.settings == tagger.settings
    batch = gather(["Tom saw the old doctor.", "护士住在河边。"], language)
    assert again.tags(batch) == tagger.tags(batch)


def test_a_seed_decides_all(tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        learnt(seed=seed).save(tmp_path / name)
    assert bytes_in(tmp_path / "a") == bytes_in(tmp_path / "b")
    assert bytes_in(tmp_path / "a")["weights.safetensors"] != bytes_in(tmp_path / "c")["weights.safetensors"]


def test_words_of_few_sentences_are_not_kept() -> None:
    rare = sentence("The/DET nurse/NOUN called/VERB Zenobia/PROPN Zenobia/PROPN ./PUNCT")
    few = replace(settings_for("en"), seeds=1, epochs=2, l1=0.0)
    for times, kept in ((2, False), (3, True)):
        values = pos.fit(few, [*SMALL, *[rare] * times]).decoder.linear.values
        assert ("Zenobia" in values["form"]) == kept
        assert ("zenobia" in values["lower"]) == kept
        assert ("zenob" in values["prefix5"]) == kept


@pytest.mark.parametrize("known", [[], [Sentence("", ())]])
def test_nothing_to_learn_from(known: list[Sentence]) -> None:
    with pytest.raises(ModelError, match="no sentences"):
        pos.fit(settings_for("en"), known)


# -- folders that are no model of parts of speech


def test_models_of_another_kind_are_refused(tmp_path: Path) -> None:
    learnt().save(tmp_path / "pos")
    model = store.load(tmp_path / "pos")
    store.save(tmp_path / "other", replace(model, kind="linear"))
    with pytest.raises(ModelError, match="kind linear where pos is needed"):
        pos.load(tmp_path / "other")
    with pytest.raises(ModelError, match=r"no manifest\.json"):
        pos.load(tmp_path)


@pytest.mark.parametrize(
    ("change", "because"),
    [
        ({"tags": None}, "not a model that this elision wrote"),
        ({"tags": ["DET", "NAME"]}, "not a model that this elision wrote"),
        ({"tags": ["DET", "NOUN"]}, "not a model that this elision wrote"),
        ({"tags": ["X"] * 300}, "300 tags"),
        ({"settings": {}}, "settings that cannot be"),
        ({"settings": Settings(features=("shape[-2]",)).as_json()}, "not a model that this elision wrote"),
        ({"settings": {"features": ["colour[0]"]}}, "not a model that this elision wrote"),
    ],
    ids=["no tags", "no part of speech", "too few", "too many", "no settings", "other features", "unknown features"],
)
def test_a_card_that_does_not_fit_the_weights_is_refused(
    change: dict[str, object], because: str, tmp_path: Path
) -> None:
    learnt().save(tmp_path / "a")
    model = store.load(tmp_path / "a")
    store.save(tmp_path / "b", replace(model, card={**model.card, **change}))
    with pytest.raises(ModelError, match=re.escape(f"{tmp_path / 'b'}: ") + because):
        pos.load(tmp_path / "b")


def test_a_missing_model_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(base, "HERE", tmp_path)
    pos._load.cache_clear()
    with pytest.raises(ModelError, match="nl"):
        shipped("nl")
    monkeypatch.undo()
    assert shipped("nl").card["language"] == "nl"
