"""Attributes that come with a model: phrases, members, patterns; attributes of the sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import ElisionError, ModelError, RuleError
from elision.papers.lists import PATTERNS
from elision.taggers.batch import Batch, gather
from elision.taggers.cutters import cutter
from elision.taggers.linear.attributes import form
from elision.taggers.linear.context_features import PLACES, Place
from elision.taggers.linear.patterns import compiled_safely
from elision.taggers.linear.presets import PATTERNS as OURS
from elision.taggers.linear.resources import places_of, refuse_unused
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from tests.strategies import ALPHABET


def place(feature: str, cut: str = "fine", **how: Any) -> Place:
    """The one place that a feature brings."""
    settings = Settings(features=(f"{feature}[0]",), cut=cut, **how)
    return places_of(settings)[feature]


def marked(batch: Batch, place: Place) -> str:
    """The tokens that have a value, each with it."""
    codes, names = place(batch)
    words = batch.tokens.texts(batch.text)
    return " ".join(f"{word}/{names[code]}" for word, code in zip(words, codes.tolist(), strict=True) if names[code])


# -- lexicons


@pytest.mark.parametrize("features", [("lexicon-a[0]", "pattern-b[0]"), ("in-a[0]", "pattern-b[-1]")])
def test_a_lexicon_or_pattern_that_no_feature_looks_at_is_refused(features: tuple[str, ...]) -> None:
    given = Settings(features=features, lexicons={"a": ("Roe",)}, patterns={"b": ("x",)})
    refuse_unused(given)
    for feature, what in zip(features, ("pattern 'b'", "lexicon 'a'"), strict=True):
        with pytest.raises(ModelError, match=f"{what}: no feature looks at it"):
            refuse_unused(Settings(features=(feature,), lexicons=given.lexicons, patterns=given.patterns))
    with pytest.raises(ModelError, match="no feature looks at it"):
        fit(Settings(features=("lower[0]",), patterns={"b": ("x",)}), [Document("Roe", spans=(Span(0, 3, "NAME"),))])


@pytest.mark.parametrize(
    ("phrases", "text", "expected"),
    [
        (("New York", "York"), "in New York and York.", "New/B York/I York/B"),
        (("New York", "New York City"), "NEW YORK CITY, new york", "NEW/B YORK/I CITY/I new/B york/I"),
        (("New York", "York Hall"), "New York Hall", "New/B York/I"),
        (("New York City", "York"), "New York", "York/B"),
        (("McDonald",), "McDonald MCDONALD mcdonald", "Mc/B Donald/I MCDONALD/B mcdonald/B"),
        (("St. Mary's",), "at St. Mary's ward", "St/B ./I Mary/I '/I s/I"),
        (("Roe Doe",), "Roe\nDoe", "Roe/B Doe/I"),
        (("Roe",), "Roe Roe", "Roe/B Roe/B"),
        (("", "  ", "Roe"), "a Roe", "Roe/B"),
        ((), "Roe", ""),
        (("Roe",), "", ""),
    ],
)
def test_a_lexicon_marks_its_longest_phrases(phrases: tuple[str, ...], text: str, expected: str) -> None:
    assert marked(gather([text]), place("lexicon-x", lexicons={"x": phrases})) == expected


def test_no_phrase_reaches_over_two_notes() -> None:
    batch = gather(["lives in New", "York has it", "New York"])
    assert marked(batch, place("lexicon-x", lexicons={"x": ("New York",)})) == "New/B York/I"


def test_a_lexicon_is_cut_as_the_notes_are() -> None:
    text = "in Troy-North, and Troy"
    how: dict[str, Any] = {"lexicons": {"x": ("Troy-North",)}}
    assert (
        marked(gather([text], cut=cutter("he2015-plain")), place("lexicon-x", "he2015-plain", **how)) == "Troy-North/B"
    )
    assert marked(gather([text]), place("lexicon-x", **how)) == "Troy/B -/I North/I"


def test_a_dictionary_knows_words_in_small_letters_and_no_phrases() -> None:
    member = place("in-city", lexicons={"city": ("Los Angeles", "Troy")})
    assert marked(gather(["los TROY in Angeles; Los Alamos"]), member) == "los/in TROY/in Angeles/in Los/in"
    assert marked(gather([""]), member) == ""


@given(
    st.lists(st.text(st.sampled_from("abA "), max_size=6), max_size=5), st.text(st.sampled_from("abA \n"), max_size=30)
)
def test_a_lexicon_finds_what_a_plain_search_finds(phrases: list[str], text: str) -> None:
    """Against a search that tries every phrase at every token."""
    batch = gather([text])
    words = [word.lower() for word in batch.tokens.texts(batch.text)]
    ways = [way for phrase in phrases for way in (phrase, phrase.lower(), phrase.upper())]
    known = [[word.lower() for word in gather([way]).tokens.texts(way)] for way in ways]
    expected, at = [], 0
    while at < len(words):
        size = max((len(phrase) for phrase in known if phrase and words[at : at + len(phrase)] == phrase), default=0)
        expected += [1, *[2] * (size - 1)] if size else [0]
        at += size or 1
    codes, names = place("lexicon-x", lexicons={"x": tuple(phrases)})(batch)
    assert codes.tolist() == expected
    assert names == ["", "B", "I"]


# -- patterns


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("date", "on 12/31/2020 and", "12/B //I 31/I //I 2020/I"),
        ("date", "on 31/12/2020 and", "31/B //I 12/I //I 2020/I"),
        ("date", "on 3 May 2020.", "3/B May/I 2020/I"),
        ("date", "on May 3rd, 2020.", "May/B 3/I rd/I ,/I 2020/I"),
        ("date", "on 2020-12-31", "2020/B -/I 12/I -/I 31/I"),
        ("date", "in Mayfair, 45/99/2", ""),
        ("phone", "call (555) 010-4321 now", "(/B 555/I )/I 010/I -/I 4321/I"),
        ("phone", "call 02 5550 4321 now", "02/B 5550/I 4321/I"),
        ("phone", "call 0491 570 006", "0491/B 570/I 006/I"),
        ("phone", "120 over 80", ""),
        ("id", "MRN 7001000 seen", "MRN/B 7001000/I"),
        ("id", "SSN 123-45-6789", "123/B -/I 45/I -/I 6789/I"),
        ("age", "a 45-year-old man", "45/B -/I year/I -/I old/I"),
        ("age", "45 yo, aged 90", "45/B yo/I aged/B 90/I"),
        ("postcode", "Boston, MA 02115", "MA/B 02115/I"),
        ("postcode", "Eveleigh NSW 2015", "NSW/B 2015/I"),
        ("title", "seen by Dr. Roe and Mr Poe", "Dr/B ./I Roe/I Mr/B Poe/I"),
    ],
)
def test_the_patterns_of_the_presets(name: str, text: str, expected: str) -> None:
    assert marked(gather([text]), place(f"pattern-{name}", patterns=PATTERNS)) == expected


def test_a_pattern_sees_one_line_at_a_time_and_marks_whole_tokens() -> None:
    patterns = {"x": (r"b\sc", r"^d", r"oe\b")}
    assert marked(gather(["b\nc b c", "d Roe d\r\nd"]), place("pattern-x", patterns=patterns)) == (
        "b/B c/I d/B Roe/B d/B"
    )


def test_of_two_matches_the_first_and_then_the_longer_holds() -> None:
    batch = gather(["1 2 3 4 5"])
    assert marked(batch, place("pattern-x", patterns={"x": ("2 3", "3 4 5", "2 3 4")})) == "2/B 3/I 4/I"


REFUSED = [
    (r"(a+)+b", "without a bound"),
    (r"\d*", "without a bound"),
    (r"a{2,}", "without a bound"),
    (r"(?:a|.)+?", "without a bound"),
    (r"a{0,200000}", "invalid repetition size"),
    (r"(?:a{1,100}){1,100}b", "invalid repetition size"),
    (r"\pL{1,900}\pL{1,900}\pL{1,90}", "too large"),
    (r"(?=a)b", "no look-around"),
    (r"(a)\1", "no references back"),
    (r"(a", "no regular expression"),
    ("\ud800", "no regular expression"),
]


@pytest.mark.parametrize(("pattern", "said"), REFUSED)
def test_a_pattern_that_could_be_slow_is_refused(pattern: str, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        places_of(Settings(features=("lower[0]",), patterns={"x": (pattern,)}))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"[]+*]\[", "*["),
        (r"[^]]", "a"),
        (r"[\]+]", "+"),
        (r"[[:alpha:]+]\b", "a"),
        (r"a{x}", "a{x}"),
        (r"\x41\x{42}", "AB"),
        (r"a\+\*", "a+*"),
        (r"(?:ab){2,3}?", "abab"),
        (r"(?i)roe|doe", "DOE"),
        (r"(?P<who>Roe)", "Roe"),
        (r"\p{Lu}\pL", "Éa"),
        (r"", ""),
    ],
)
def test_a_pattern_that_cannot_be_slow_is_taken(pattern: str, text: str) -> None:
    assert compiled_safely(pattern, "x").search(text.encode())


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("numbers-date", "el 22-3-10, 4/8/2004", "22/B -/I 3/I -/I 10/I 4/B //I 8/I //I 2004/I"),
        ("numbers-date", "于2020年1月2日入院", "2020/B 年/I 1/I 月/I 2/I 日/I"),
        ("numbers-date", "tensión 120/80, 3/5, 1.2.3.4.5", ""),
        ("month", "en Junio y MAYO, mayor", "Junio/B MAYO/B"),
        ("month-and-year", "(agosto 2001), sep-04, in May 2020", "agosto/B 2001/I sep/B -/I 04/I May/B 2020/I"),
        ("phone", "tel. 901 598 663, 670.97.10.26", "901/B 598/I 663/I 670/B ./I 97/I ./I 10/I ./I 26/I"),
        ("age", "de 5 meses, dos meses, 3 weken, 65岁", "5/B meses/I dos/B meses/I 3/B weken/I 65/B 岁/I"),
    ],
)
def test_our_own_patterns(name: str, text: str, expected: str) -> None:
    assert marked(gather([text]), place(f"pattern-{name}", patterns=OURS)) == expected


def test_what_rules_of_the_language_find_is_an_attribute() -> None:
    texts = ["Ingresó el 3 de mayo de 2020.", "", "Tfno: 912 345 678"]
    settings = Settings(features=("rule[0]",), language="es-ES")
    batch = gather(texts, "es")
    assert marked(batch, places_of(settings)["rule"]) == (
        "3/B-DATE de/I-DATE mayo/I-DATE de/I-DATE 2020/I-DATE 912/B-PHONE 345/I-PHONE 678/I-PHONE"
    )


def test_what_rules_hold_for_no_identifier_is_an_attribute_unless_a_rule_finds_one_there() -> None:
    batch = gather(["", "Foley catheter by Dr. Roe", "Apgar 9, Eliquis. Mrs. Foley"], "en")
    assert marked(batch, places_of(Settings(features=("rule[0]",), language="en"))["rule"]) == (
        "Foley/NOT catheter/NOT Roe/B-NAME_CLINICIAN Apgar/NOT Eliquis/NOT Foley/B-NAME_PATIENT"
    )


@pytest.mark.parametrize("language", ["tlh", ""])
def test_rules_are_wanted_of_a_language_that_has_some(language: str) -> None:
    with pytest.raises(RuleError, match=r"there are rules for .*en, es, .*zh"):
        places_of(Settings(features=("rule[0]",), language=language))


@given(st.lists(st.text(st.sampled_from(ALPHABET + "1/\n\r"), max_size=30), min_size=1, max_size=4))
def test_matches_do_not_depend_on_the_other_notes_of_a_batch(texts: list[str]) -> None:
    found = place("pattern-x", patterns={"x": (r"[^a]{2,9}", r"\s{1,3}1", r"^1", r"é$")})
    together, _ = found(gather(texts))
    assert together.tolist() == [code for text in texts for code in found(gather([text]))[0].tolist()]


def test_a_note_in_one_line_does_not_make_patterns_slow() -> None:
    """What goes back and tries again without a bound would take days here."""
    batch = gather(["1" * 20_000 + "-" * 20_000 + "Dr " * 20_000 + "May " * 20_000 + "1 " * 20_000 + "12/31/2020"])
    assert marked(batch, place("pattern-date", patterns=PATTERNS)).endswith("12/B //I 31/I //I 2020/I")
    for name in PATTERNS:
        codes, _ = place(f"pattern-{name}", patterns=PATTERNS)(batch)
        assert len(codes) == len(batch)


@given(st.text(st.sampled_from(ALPHABET), max_size=60))
def test_places_have_a_code_for_every_token_of_any_text(text: str) -> None:
    settings = Settings(
        features=("lexicon-x[0]", "in-x[0]", "pattern-date[0]"), lexicons={"x": ("Z é", "李")}, patterns=PATTERNS
    )
    sentences = {name: place for name, place in PLACES.items() if name.startswith("sentence-")}
    assert len(sentences) == 4
    for cut in ("fine", "he2015"):
        batch = gather([text, "", text], cut=cutter(cut))
        for one in (*places_of(settings).values(), *sentences.values()):
            codes, names = one(batch)
            assert codes.dtype == np.int32
            assert len(codes) == len(batch)
            assert all(0 <= code < len(names) for code in codes.tolist())


# -- what is not there


@pytest.mark.parametrize("feature", ["lexicon-towns", "in-towns", "pattern-towns"])
def test_a_resource_that_is_not_there_is_an_error(feature: str) -> None:
    settings = Settings(features=(f"{feature}[0]",), lexicons={"names": ("Roe",)}, patterns={"dates": ("1",)})
    with pytest.raises(ModelError, match=r"'towns'; they have: (names|dates)"):
        places_of(settings)


def test_only_what_is_looked_at_is_made() -> None:
    settings = Settings(features=("in-a[0]",), lexicons={"a": ("x",), "b": ("y",)}, patterns=PATTERNS)
    assert set(places_of(settings)) == {"in-a"}


def test_all_occurrences_of_a_form_are_looked_at_for_a_title() -> None:
    how: dict[str, Any] = {"lexicons": {"x": ("Dr.",)}}
    texts = ["Roe came.\nSeen by Dr. Roe\nLund, with Roe", "Roe again, and Lund"]
    where = place("beside-x", "fine", **how)
    batch = gather(texts, cut=cutter("fine"))
    codes, names = where(batch)
    told = [word for word, code in zip(batch.tokens.texts(batch.text), codes.tolist(), strict=True) if names[code]]
    assert told == ["Roe", "Roe", "Roe"]  # not Lund on the next line, and none of the other note
    assert len(where(gather([""], cut=cutter("fine")))[0]) == 0


# -- sentences


def of_sentences(name: str, text: str, cut: str = "fine") -> list[str]:
    batch = gather([text], cut=cutter(cut))
    codes, names = PLACES[f"sentence-{name}"](batch)
    return [names[code] for code in codes.tolist()]


def test_a_sentence_ends_with_its_line_or_before_a_capital() -> None:
    assert of_sentences("place", "No fever. No cough\nClear") == ["0", "1", "2", "0", "1", "0"]
    assert of_sentences("place", "The leg. He is well.") == [*"012", *"0123"]
    assert of_sentences("place", "Well? Yes! He is") == [*"01", *"01", *"01"]
    assert of_sentences("place", "at 3.5 mg. of it") == ["0", "1", "2", "3", "4", "5", "6", "7"]
    assert of_sentences("place", "a " * 25)[-1] == "20"


def test_an_abbreviation_ends_no_sentence() -> None:
    for cut in ("fine", "he2015"):
        assert of_sentences("place", "by Dr. Roe", cut)[-1] != "0"
        assert of_sentences("place", "by doctor. Roe", cut)[-1] == "0"


def test_what_is_told_of_a_sentence() -> None:
    assert of_sentences("length", "One\nOne two three\n" + "x " * 70) == ["1", *["2"] * 3, *["64"] * 70]
    assert of_sentences("end", "Well. Ill") == ["1", "1", "0"]
    assert of_sentences("brackets", "a (b)\na) b(\n(a\na]") == [*"0000", *"1111", "1", "1", "1", "1"]


# -- attributes of the form that the papers need


@pytest.mark.parametrize(
    ("name", "token", "value"),
    [
        ("gram3-1", "Roe", "<ro"),
        ("gram3-3", "Roe", "oe>"),
        ("gram3-4", "Roe", ""),
        ("gram6-1", "Roe", "<roe>"),
        ("gram6-2", "Roe", ""),
        ("gram6-2", "Brandt", "brandt"),
        ("gram6-3", "Brandt", "randt>"),
        ("roman", "XIV", "1"),
        ("roman", "IIII", "0"),
        ("roman", "", "0"),
        ("roman", "Ivo", "0"),
        ("inner-upper", "McRoe", "1"),
        ("inner-upper", "Roe", "0"),
        ("short", "Roe", "roe"),
        ("short", "Ivor", ""),
    ],
)
def test_attributes_of_the_form(name: str, token: str, value: str) -> None:
    function = form(name)
    assert function is not None
    assert function(token) == value


def test_an_attribute_that_is_not_there_is_an_error() -> None:
    from elision.taggers.linear.columns import Attributes
    from elision.taggers.linear.features import templates

    with pytest.raises(ElisionError, match="gram0-1"):
        Attributes(templates(["gram0-1[0]"]), {})
