"""The taggers of the papers, with their ablations as switches. Nothing is hidden here.

Each function gives the `Settings` of a linear tagger. Where a paper is silent, the docstring says what we chose.
Common to them:

- A window sees the neighbours on the line before and behind. Sequences are lines (where no spans run over them), and
  sentences in He 2015; `unit` sets another one.
- Parts of speech are ours, with the tags of Universal Dependencies; `pos=False` does without.
- The papers drop no rare features, so `least` is 1 by default, and the model lists words that stand in one note only:
  perhaps a patient's name. A model that leaves the house wants `least=3` or more.

The papers' systems of lists and patterns learn nothing: they are in `baselines`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import ModelError
from elision.papers import lists
from elision.papers.he2015_tokens import CUTS
from elision.papers.liu2015 import liu2015
from elision.taggers.cutters import cutter, words_of
from elision.taggers.linear.attributes import RUN_PLACES
from elision.taggers.linear.settings import Settings
from elision.taggers.settings import settings_with

__all__ = ["cotik2019_crf", "cotik2019_window", "dictionaries_from", "he2015", "liu2015", "zuccon2013"]

# -- He 2015 -------------------------------------------------------------------------------------------------

HE_LEXICAL = ("lower", "prefix4", "suffix4", "pos")
HE_ORTHOGRAPHIC = (
    "shape", "length", "some-letter", "some-upper", "title", "upper", "some-digit", "digits", "some-punctuation",
    "letters-digits", "digits-punctuation",
)  # fmt: skip
HE_GROUPS = ("lexical", "orthographic", "dictionary")
HE_DICTIONARIES: Mapping[str, tuple[str, ...]] = {
    "state": ("STATE", "PROVINCE"),
    "street": ("STREET", "CALLE", "ADDRESS"),
    "country": ("COUNTRY", "PAIS"),
    "date": ("DATE", "FECHAS"),
}
HE_CITIES: Mapping[str, tuple[str, ...]] = {"city": ("CITY",)}


def he2015(
    language: str = "en",
    *,
    run: str = "unofficial2",
    preprocessing: str = "",
    cities: bool = False,
    groups: Iterable[str] = HE_GROUPS,
    window: int = 2,
    dictionaries: Mapping[str, Sequence[str]] | None = None,
    documents: Iterable[Document] = (),
    pos: bool = True,
    **more: Any,
) -> Settings:
    """WI-deId: a CRF over the paper's Table 2, by default its best run, "unofficial2", in a window of two.

    "unofficial1" looks at spelling and dictionaries of the token itself only. "official" has the shorter list of
    section 3.2. A sequence is a sentence: it ends with its line or at a full stop. `preprocessing` is one of:

    - all: tokens like OpenNLP's, the nine rules for glued tokens, and punctuation cut off; the two unofficial runs
    - official: the same without the nine rules, which the official run had not
    - tokens: tokens like OpenNLP's alone; none: white space alone. The paper removes "the preprocessing module"

    Dictionaries hold words, not phrases: by default our small lists and, of the training `documents`, the words inside
    spans of states, streets, countries and dates. The text names a dictionary of cities, too, and Table 2 has none;
    `cities` adds it. CRF++ is replaced by CRFsuite with c2 = .5, which is its default objective (C = 1); a feature
    counts for the labels that it was seen with, where CRF++ takes all (CRFsuite's option feature.possible_states).
    Words shorter than four letters have no prefix and no suffix.
    """
    groups = _known(groups, HE_GROUPS, "group")
    steps = preprocessing or ("official" if run == "official" else "all")
    if steps not in CUTS:
        raise ModelError(f"preprocessing {steps!r}: choose one of {', '.join(CUTS)}")
    if dictionaries is None:
        dictionaries = _dictionaries(documents, cities, words_of(language) if more.get("words") else CUTS[steps], more)
    words = HE_LEXICAL if pos else HE_LEXICAL[:-1]
    around, here = f"[-{window}..{window}]", "[0]"
    if run == "official":
        features = [f"{name}{around}" for name in ("form", "pos")[: 1 + pos]]
        features += [f"{name}[0]" for name in ("length", "some-digit", "some-letter", "title", "some-punctuation")]
        dictionaries = {}
    elif run in ("unofficial1", "unofficial2"):
        other = around if run == "unofficial2" else here
        inside = [f"in-{name}" for name in dictionaries]
        parts = {"lexical": (words, around), "orthographic": (HE_ORTHOGRAPHIC, other), "dictionary": (inside, other)}
        features = [f"{name}{place}" for group in groups for names, place in (parts[group],) for name in names]
        dictionaries = dictionaries if "dictionary" in groups else {}
    else:
        raise ModelError(f"run {run!r}: choose one of unofficial2, unofficial1, official")
    resources = {
        "cut": CUTS[steps],
        "unit": "sentence",
        "lexicons": {name: tuple(words) for name, words in dictionaries.items()},
    }
    return settings_with(_papers(features, language, {"c2": 0.5}), resources, more)


def _dictionaries(
    documents: Iterable[Document], cities: bool, cut: str, more: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Words of the notes and of our lists together."""
    labels = {**HE_DICTIONARIES, **(HE_CITIES if cities else {})}
    ours = {**lists.PLACES_AND_DATES, "city": lists.CITIES}
    learnt = dictionaries_from(documents, labels, cut=cut, least=more.get("least", 1))
    return {name: (*words, *ours.get(name, ())) for name, words in learnt.items()}


def dictionaries_from(
    documents: Iterable[Document],
    labels: Mapping[str, Sequence[str]] = HE_DICTIONARIES,
    *,
    cut: str = "he2015",
    least: int = 1,
) -> dict[str, tuple[str, ...]]:
    """The words in small letters of the spans with these labels, if they stand in at least so many notes.

    Labels may be longer than named: STREET stands for LOCATION_STREET, too. The words go into the model as they are.
    """
    notes_with: dict[str, dict[str, int]] = {name: {} for name in labels}
    tokenizer = cutter(cut)
    for document in documents:
        for name, wanted in labels.items():
            found: set[str] = set()
            for span in document.spans:
                if any(span.label == label or span.label.endswith(("_" + label, "-" + label)) for label in wanted):
                    words = document.text[span.start : span.end]
                    found.update(word.lower() for word in tokenizer(words, document.language).texts(words))
            for word in found:
                notes_with[name][word] = notes_with[name].get(word, 0) + 1
    return {name: tuple(sorted(w for w, count in seen.items() if count >= least)) for name, seen in notes_with.items()}


# -- Cotik 2019 ----------------------------------------------------------------------------------------------


TAGS = ("eagles", "universal")


def _tagged(tags: str, places: Iterable[int], *, reduced: bool = False) -> tuple[list[str], dict[str, Any]]:
    """Features of parts of speech at these places, and the lists that they need.

    Our tagger knows the 17 universal tags. They are as fine as the first two letters of an EAGLES tag: NOUN and PROPN
    are NC and NP, ADJ, ADP and ADV are AQ, SP and RG. So with "eagles" they stand for the reduced tag, and together
    with the class of a word in our lists (articles, possessives, relative pronouns …) for the tag itself. On MEDDOCAN
    dev both choices measured alike: F1 .815 of the window, .857 of the CRF after 60 iterations.
    """
    if tags not in TAGS:
        raise ModelError(f"tags {tags!r}: choose one of {', '.join(TAGS)}")
    names = ("pos", "pos2") if reduced and tags == "universal" else ("pos",)
    features = [f"{name}[{at}]" for name in names for at in places]
    if tags == "universal":
        return features, {}
    finer = [f"pos[{at}] in-{name}[{at}]" for name in lists.EAGLES for at in places]
    return [*features, *finer], {"lexicons": lists.EAGLES}


def cotik2019_crf(
    language: str = "es", *, neighbours: str = "word", pos: bool = True, tags: str = "eagles", **more: Any
) -> Settings:
    """The CRF of Cotik 2019 with CRFsuite's defaults (L-BFGS, c2 = 1).

    "One word before and one word after were considered": as words by default, with all their features as "all".
    The paper has 85 tags of EAGLES, and beside each its first two letters. `tags` "eagles" comes close to both (see
    `_tagged`); "universal" has the 17 universal tags and their first two letters, which say little: PR is a pronoun or
    a proper noun. The paper names no tokeniser: this and the window have our fine tokens.
    """
    if neighbours not in ("word", "all"):
        raise ModelError(f"neighbours {neighbours!r}: choose one of word, all")
    names = ("prefix3", "suffix4", "upper", "digits")
    places = (0,) if neighbours == "word" else (-1, 0, 1)
    tagged, resources = _tagged(tags, places, reduced=True) if pos else ([], {})
    features = ["lower[-1..1]", *(f"{name}[{at}]" for name in names for at in places), *tagged]
    return settings_with(_papers(features, language, {}), resources, more)


def cotik2019_window(
    language: str = "es", *, vectors: bool | Path = False, pos: bool = True, tags: str = "eagles", **more: Any
) -> Settings:
    """The window classifier of Cotik 2019: every token by itself, a linear SVM over the tokens -2 to +1.

    The SVM is like scikit-learn's LinearSVC, which the paper has; `options` has its C, 1 by default. `vectors` adds the
    numbers of the vector of each of these words: of a file such as fastText's .vec, of a folder of `elision pretrain`,
    or "true" for 50 numbers learnt from the training notes. The paper has 300 of the middle word, learnt from
    Wikipedia; all four words measured better (F1 .737 against .725 on 125 notes of MEDDOCAN's dev part, after 80).
    `tags` is as in the CRF. An I that follows no tag of its label becomes a B when spans are made.
    """
    names = ("lower", "prefix2", "suffix2", "upper", "digits")
    tagged, resources = _tagged(tags, range(-2, 2)) if pos else ([], {})
    svm = Settings(
        features=(*(f"{name}[-2..1]" for name in names), *tagged),
        language=language,
        loss="hinge",
        decoding="each",
        trainer="svm",
        dropout=0.0,
        least=1,
        vectors=50 if vectors is True else 0,
        vector_file=str(vectors) if not isinstance(vectors, bool) else "",
    )
    return settings_with(svm, resources, more)


# -- Zuccon 2013 ---------------------------------------------------------------------------------------------

GRAMS = {"basic": 6, "short-grams": 3}
MOST_GRAMS = 8  # runs of letters of a token that are looked at by their number
NGRAMS = {"set": "run", "numbered": "gram"}
ZUCCON_FAMILIES = ("basic", "names", "disjunctive", "short-grams", "short-words", "position", "pos", "patterns")
ZUCCON_BEST = tuple(family for family in ZUCCON_FAMILIES if family != "pos")


def zuccon2013(
    language: str = "en", *, families: Iterable[str] = ZUCCON_FAMILIES, ngrams: str = "set", **more: Any
) -> Settings:
    """The CRF of Zuccon 2013 with its eight families of features; the paper's best run has all but "pos".

    - basic: the word, shapes of it and its neighbours, runs of six letters; "short-grams": runs of three in their place
    - names: titles such as Dr before or behind, where else in the note the word stands, and whether it stands beside a
      title anywhere in the note
    - disjunctive: words and shapes among the four before, and among the four behind, whichever place
    - short-words: neighbouring words of up to three letters together
    - position: the place in the sentence
    - pos: parts of speech
    - patterns: what our regular expressions for dates, telephones, ids, ages, postcodes and titles match

    Runs of letters are of `<word>`, all of them and with their capitals, wherever in the word they stand (but for
    about one in thirty, which the word's other runs keep from its place); with `ngrams` "numbered", the first
    eight in small letters, told apart by their number. The paper's family "position" has the place in the
    identifier, too. A tagger does not know that place before it has tagged, so it can be no feature of a token;
    the tags B and I are all of it that a CRF can learn. The paper does not say how its CRF is regularised; we take
    CRFsuite's defaults.
    """
    families = _known(families, ZUCCON_FAMILIES, "family")
    if ngrams not in NGRAMS:
        raise ModelError(f"ngrams {ngrams!r}: choose one of {', '.join(NGRAMS)}")
    size = GRAMS["short-grams" if "short-grams" in families else "basic"]
    most = RUN_PLACES if ngrams == "set" else MOST_GRAMS
    grams = [f"{NGRAMS[ngrams]}{size}-{number}[0]" for number in range(1, most + 1)]
    parts: dict[str, Sequence[str]] = {
        "basic": ("form[0]", "shape[-1..1]", "brief[-1..1]", "title[0]", "upper[0]", *grams),
        "names": ("lexicon-titles[-2..1]", "elsewhere[0]", "beside-titles[0]"),
        "disjunctive": ("form{-4..-1}", "form{1..4}", "brief{-4..-1}", "brief{1..4}"),
        "short-grams": () if "basic" in families else grams,
        "short-words": ("short[-1] short[0]", "short[0] short[1]", "short[-1] short[0] short[1]"),
        "position": ("sentence-place[0]",),
        "pos": ("pos[-1..1]",),
        "patterns": tuple(f"pattern-{name}[-1..1]" for name in lists.PATTERNS),
    }
    features = [feature for family in families for feature in parts[family]]
    resources = {
        "lexicons": {"titles": lists.TITLES} if "names" in families else {},
        "patterns": lists.PATTERNS if "patterns" in families else {},
    }
    return settings_with(_papers(features, language, {}), resources, more)


def _papers(features: Iterable[str], language: str, options: Mapping[str, float]) -> Settings:
    """A CRF that CRFsuite learns from all features, and the best path."""
    return Settings(
        features=tuple(features), language=language, trainer="crfsuite", options=options, decoding="viterbi", least=1
    )


def _known(wanted: Iterable[str], known: Sequence[str], what: str) -> tuple[str, ...]:
    """What is wanted, in the order of what is known."""
    chosen = {wanted} if isinstance(wanted, str) else set(wanted)
    if unknown := sorted(chosen - set(known)):
        raise ModelError(f"{what} {', '.join(unknown)}: there are {', '.join(known)}")
    if not chosen:
        raise ModelError(f"no {what} chosen; there are {', '.join(known)}")
    return tuple(name for name in known if name in chosen)
