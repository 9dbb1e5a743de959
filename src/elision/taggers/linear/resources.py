"""Attributes that come with a model: its lexicons, its patterns, its parts of speech, its groups of like words.

lexicon-NAME   B or I: the token stands in a phrase of the lexicon, the longest there is
in-NAME        the token, in small letters, is a word of the lexicon's phrases (He 2015)
beside-NAME    the form stands beside a phrase of the lexicon, here or anywhere else in its note
pattern-NAME   B or I: the token stands in what one of the patterns matches
pos, pos2      the part of speech, and its first two letters
rule           B-LABEL or I-LABEL: a rule of the language's pack covers the token; NOT: a row holds it for no identifier
group-SIZE     the group of like words in which the token is, of so many (`elision.languages.groups`)
listed         what public lists have the token as: a given name, a surname, a place, or several of these
word-...       what is known of the word in which a Chinese character stands (`elision.languages.cutting`)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from elision.errors import ModelError, RuleError
from elision.labels import canonical
from elision.languages.base import code_of
from elision.languages.cutting import word_places
from elision.languages.groups import cut, lists, shipped
from elision.taggers.batch import Batch, Tokenize
from elision.taggers.cutters import cutter
from elision.taggers.linear.attributes import FORM
from elision.taggers.linear.context_features import PLACES, Coded, Place
from elision.taggers.linear.patterns import pattern_place
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.word_groups import LISTED, OF_WORDS, looked_at

if TYPE_CHECKING:
    from elision.rules import Rules

Phrases = dict[str, list[tuple[str, ...]]]  # from the first word to the phrases that begin with it, longest first


def forms_of(settings: Settings) -> Mapping[str, FORM]:
    """The attributes of the form that these settings bring with them."""
    names = looked_at(settings)
    forms: dict[str, FORM] = {}
    if LISTED in names:
        (size,) = lists().numbers
        forms[LISTED] = lists().of(size)
    if wanted := sorted(name for name in names if name.startswith("group-")):
        groups = shipped(settings.language)
        if unknown := [name for name in wanted if name.removeprefix("group-") not in map(str, groups.numbers)]:
            there = ", ".join(f"group-{size}" for size in groups.numbers)
            raise ModelError(f"features look at {unknown[0][:40]!r}; of groups there are {there}")
        forms |= {name: groups.of(int(name.removeprefix("group-"))) for name in wanted}
    return forms


def places_of(settings: Settings) -> Mapping[str, Place]:
    """The places that these settings bring with them; only what some feature looks at is made."""
    wanted = looked_at(settings)
    cut, language = cutter(settings.cut), settings.language
    places: dict[str, Place] = {}
    for name, phrases in settings.lexicons.items():
        if f"lexicon-{name}" in wanted:
            places[f"lexicon-{name}"] = _phrase_place(phrases_of(phrases, language, cut))
        if f"in-{name}" in wanted:
            places[f"in-{name}"] = _member_place(phrases_of(phrases, language, cut))
        if f"beside-{name}" in wanted:
            places[f"beside-{name}"] = _beside_place(phrases_of(phrases, language, cut))
    for name, patterns in settings.patterns.items():
        place = pattern_place(name, patterns)  # all are checked, looked at or not
        if f"pattern-{name}" in wanted:
            places[f"pattern-{name}"] = place
    for name, letters in (("pos", 0), ("pos2", 2)):
        if name in wanted:
            from elision.taggers.linear.pos.tagger import pos_place

            places[name] = pos_place(language, letters)
    if "rule" in wanted:
        places["rule"] = _rule_place(language)
    if cut_into := sorted(name for name in wanted - set(places) - set(PLACES) if name.startswith(OF_WORDS)):
        places |= _places_of_words(language, cut_into)
    for name in sorted(wanted - set(places)):
        kind, _, which = name.partition("-")
        if kind in ("lexicon", "in", "beside", "pattern") and which:
            there = settings.patterns if kind == "pattern" else settings.lexicons
            raise ModelError(
                f"features look at {name!r}, and the settings have no {'pattern' if kind == 'pattern' else 'lexicon'} "
                f"{which!r}; they have: {', '.join(sorted(there)) or 'none'}"
            )
    return places


def refuse_unused(settings: Settings) -> None:
    """Refuse lists and patterns that no feature looks at: whoever gives them thinks that they count."""
    wanted = looked_at(settings)
    for kind, given, ways in (
        ("lexicon", settings.lexicons, ("lexicon", "in", "beside")),
        ("pattern", settings.patterns, ("pattern",)),
    ):
        for name in given:
            if wanted.isdisjoint(f"{way}-{name}" for way in ways):
                such = f"{ways[0]}-{name[:40]}[-1..1]"
                raise ModelError(
                    f"{kind} {name[:40]!r}: no feature looks at it; add one, such as {such}, or leave the {kind} out"
                )


def _places_of_words(language: str, wanted: Sequence[str]) -> Mapping[str, Place]:
    if code_of(language) not in cut():
        raise ModelError(f"features look at {wanted[0][:40]!r}, and text is cut into words in {', '.join(cut())} only")
    there = word_places(shipped(language))
    if unknown := [name for name in wanted if name not in there]:
        raise ModelError(f"features look at {unknown[0][:40]!r}; of words there are {', '.join(there)}")
    return {name: there[name] for name in wanted}


def _rule_place(language: str) -> Place:
    from elision.rules.row import NOT

    rules = _rules_of(code_of(language))
    values = ("", *(f"{begin}-{label}" for label in sorted(canonical()) for begin in "BI"), NOT)
    number = {value: at for at, value in enumerate(values)}

    def place(batch: Batch) -> Coded:
        codes = np.zeros(len(batch), np.int32)
        edges = batch.edges.tolist()
        texts = [batch.text[first : after - 1] for first, after in pairwise(edges)]
        looked = rules.looked_at(texts)

        def tokens_of(stretches: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
            begins, stops = np.array(stretches, np.int32).reshape(-1, 2).T
            firsts = np.searchsorted(batch.tokens.ends, begins, side="right").tolist()
            return zip(firsts, np.searchsorted(batch.tokens.starts, stops, side="left").tolist(), strict=True)

        by_note = list(zip(edges, looked, strict=False))
        harmless = [(edge + start, edge + end) for edge, told in by_note for start, end in told.harmless]
        for first, after in tokens_of(harmless):
            codes[first:after] = number[NOT]
        spans = [(edge + span.start, edge + span.end) for edge, told in by_note for span in told.spans]
        labels = (span.label for _, told in by_note for span in told.spans)
        for (first, after), label in zip(tokens_of(spans), labels, strict=True):
            codes[first:after] = number[f"I-{label}"]
            codes[first : min(first + 1, after)] = number[f"B-{label}"]
        return codes, values

    return place


def _rules_of(language: str) -> Rules:
    from elision.rules import pack_names, shipped_rules

    if language not in pack_names():
        said = f"language {language!r}" if language else "no language was named"
        raise RuleError(f"{said}: there are rules for {', '.join(pack_names())}; choose one, or leave rules out")
    return shipped_rules(language)


def phrases_of(phrases: Sequence[str], language: str, cut: Tokenize) -> Phrases:
    """Phrases as tokens in small letters.

    The tokeniser looks at capitals, so a phrase is cut as it stands, in small letters and in capitals: a note may
    have it in any of these.
    """
    ways = list(dict.fromkeys(way for phrase in phrases for way in (phrase, phrase.lower(), phrase.upper())))
    text = "\n".join(way.replace("\n", " ") for way in ways)
    tokens = cut(text, language)
    edges = np.cumsum([len(way) + 1 for way in ways])
    line = np.searchsorted(edges, tokens.starts, side="right")
    words = [word.lower() for word in tokens.texts(text)]
    found: dict[str, dict[tuple[str, ...], None]] = {}
    cuts = np.flatnonzero(np.diff(line, prepend=-1, append=-1)).tolist()
    for first, after in pairwise(cuts):
        found.setdefault(words[first], {})[tuple(words[first:after])] = None
    return {first: sorted(known, key=lambda phrase: (-len(phrase), phrase)) for first, known in found.items()}


def _phrase_place(known: Phrases) -> Place:
    def place(batch: Batch) -> Coded:
        codes = np.zeros(len(batch), np.int32)
        types, forms = batch.kinds
        lower = [form.lower() for form in forms]
        begins = np.array([word in known for word in lower], np.bool_)
        ends = batch.notes[1:].tolist()
        at = np.flatnonzero(begins[types]) if forms else np.zeros(0, np.int64)
        kinds = types.tolist() if len(at) else []
        done = 0
        for first, note in zip(at.tolist(), batch.note_of[at].tolist(), strict=True):
            if first < done:
                continue
            for phrase in known[lower[kinds[first]]]:
                after = first + len(phrase)
                if after <= ends[note] and all(lower[kinds[first + k]] == word for k, word in enumerate(phrase)):
                    codes[first:after] = 2
                    codes[first] = 1
                    done = after
                    break
        return codes, ["", "B", "I"]

    return place


def _beside_place(known: Phrases) -> Place:
    """Whether any occurrence of a capitalised form in its note stands on a line beside one of the phrases."""
    within = _phrase_place(known)

    def place(batch: Batch) -> Coded:
        types, forms = batch.kinds
        capital = np.array([form[0].isupper() for form in forms], np.bool_)
        titles = within(batch)[0] > 0
        beside = np.zeros(len(batch), np.bool_)
        beside[1:] |= titles[:-1] & (batch.line_of[1:] == batch.line_of[:-1])
        beside[:-1] |= titles[1:] & (batch.line_of[1:] == batch.line_of[:-1])
        if not forms:
            return np.zeros(0, np.int32), ["", "beside"]
        beside &= capital[types] & ~titles
        form_in_note = batch.note_of.astype(np.int64) * len(forms) + types
        return np.isin(form_in_note, form_in_note[beside]).astype(np.int32), ["", "beside"]

    return place


def _member_place(known: Phrases) -> Place:
    words = {word for phrases in known.values() for phrase in phrases for word in phrase}

    def place(batch: Batch) -> Coded:
        types, forms = batch.kinds
        inside = np.array([form.lower() in words for form in forms], np.int32)
        return (inside[types] if forms else np.zeros(0, np.int32)), ["", "in"]

    return place
