"""Tokens and tags: exact offsets whatever the characters, and inverses."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.bio import Growth, decode, encode, grow
from elision.document import Span, covered, first_overlap
from elision.errors import LabelError
from elision.formats import read
from elision.papers.he2015_tokens import GlueRule, glue_rules, tokenize_he2015, unglue
from elision.text.tokens import Tokens, tokenize
from tests.notes import CORPORA, note
from tests.strategies import spans_in, texts

EXAMPLES = [rule.example for rule in glue_rules()]
CASES = [
    ("glued words and numbers", "MartínezNºCol 52 añosingresó", "Martínez Nº Col 52 añosingresó"),
    ("capitals before a word", "ALMarital", "AL Marital"),
    ("a date glued to a word", "PEND01/26/2098", "PEND 01 / 26 / 2098"),
    ("names", "McDonald, O'Neil", "Mc Donald , O ' Neil"),
    ("Spanish ordinals", "C/ Álamo 3, 2ºB", "C / Álamo 3 , 2 º B"),
    ("Dutch", "'s-Gravenhage, 06-12345678", "' s - Gravenhage , 06 - 12345678"),
    ("Chinese", "患者李明，住院号００123", "患 者 李 明 ， 住 院 号 ００123"),
    ("decomposed accents stay in their word", "Nu\u0301n\u0303ez", "Nu\u0301n\u0303ez"),
    ("a zero-width space inside a word", "Ja\u200bne Roe\u200b", "Ja\u200bne Roe \u200b"),
    ("byte-order mark, CRLF, NUL", "\ufeffDatos\r\n\0x", "\ufeff Datos \0 x"),
    ("astral", "x😀𝒳y", "x 😀 𝒳y"),
    ("a telephone number glued to digits", "47798497-045-1949", "47798 497 - 045 - 1949"),
    ("underscore", "note_17", "note _ 17"),
]


@pytest.mark.parametrize(("text", "tokens"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_tokens(text: str, tokens: str) -> None:
    assert tokenize(text).texts(text) == tokens.split(" ")


@pytest.mark.parametrize("rule", glue_rules(), ids=lambda rule: rule.example)
def test_the_rules_of_he_2015(rule: GlueRule) -> None:
    at = rule.cut(rule.example)
    assert (rule.example[:at], rule.example[at:]) == rule.parts


def test_there_are_nine_rules_and_the_default_tokeniser_cuts_wherever_they_do() -> None:
    assert len(glue_rules()) == 9
    for rule in glue_rules():
        assert rule.cut(rule.example) in tokenize(rule.example).starts.tolist()


def recursively(token: str) -> list[str]:
    for rule in glue_rules():
        if at := rule.cut(token):
            return [*recursively(token[:at]), *recursively(token[at:])]
    return [token]


@given(st.text(st.sampled_from("AAaabz1234/-.,"), max_size=60) | st.lists(st.sampled_from(EXAMPLES)).map("".join))
def test_ungluing_cuts_the_parts_in_turn(token: str) -> None:
    assert unglue(token) == recursively(token)


def test_he_2015_takes_words_of_any_length() -> None:
    before = time.process_time()
    assert len(tokenize_he2015("Aa1" * 60_000)) == 60_000
    assert len(tokenize_he2015("(" * 100_000 + "x" + ")" * 100_000)) == 200_001
    assert time.process_time() - before < 10


@pytest.mark.parametrize(
    ("token", "parts"),
    [
        ("Ph:497-045-1949", ["Ph:", "497-045-1949"]),
        ("497-045-1949", ["497-045-1949"]),
        ("DOB:01/26/2098", ["DOB:", "01/26/2098"]),
        ("101/26/2098", ["1", "01/26/2098"]),
        ("497-045-1949497-045-1949", ["497-045-1949", "497-045-1949"]),
    ],
)
def test_rules_1_and_6_ask_for_nothing_before_what_they_match(token: str, parts: list[str]) -> None:
    assert unglue(token) == parts


def _check(tokens: Tokens, text: str) -> None:
    starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
    assert all(start < end for start, end in zip(starts, ends, strict=True))
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    solid = [i for i, character in enumerate(text) if not character.isspace()]
    assert [i for start, end in zip(starts, ends, strict=True) for i in range(start, end)] == solid


@given(st.one_of(texts, st.text(max_size=40)))
def test_every_solid_character_is_in_exactly_one_token(text: str) -> None:
    _check(tokenize(text), text)
    _check(tokenize_he2015(text), text)


@given(texts, texts)
def test_what_stands_after_a_blank_does_not_change_what_stands_before(a: str, b: str) -> None:
    both = tokenize(a + " " + b)
    assert both.texts(a + " " + b) == tokenize(a).texts(a) + tokenize(b).texts(b)


def test_a_span_that_cuts_a_token_grows_to_it() -> None:
    document = note("ingresó con [AGE 52 años]ingresó")
    grown, growth = grow(document.spans, tokenize(document.text))
    assert [document.text[span.start : span.end] for span in grown] == ["52 añosingresó"]
    assert growth == Growth(spans=1, characters=7)


def test_two_spans_on_one_token_keep_it_covered() -> None:
    tokens = tokenize("RoeSmith".lower())
    grown, growth = grow([Span(0, 3, "NAME_PATIENT"), Span(3, 8, "NAME_CLINICIAN")], tokens)
    assert [(span.start, span.end) for span in grown] == [(0, 8)]
    assert growth == Growth(spans=2, characters=8, lost=1)


@given(st.data())
def test_growing_covers_every_solid_character_and_lies_along_tokens(data: st.DataObject) -> None:
    text = data.draw(texts)
    spans = data.draw(spans_in(text, empty=True))
    tokens = tokenize(text)
    grown, growth = grow(spans, tokens)
    before = {i for a, b in covered(spans) for i in range(a, b) if not text[i].isspace()}
    after = {i for a, b in covered(grown) for i in range(a, b)}
    assert before <= after
    assert all(span.start in tokens.starts and span.end in tokens.ends for span in grown)
    assert grow(grown, tokens) == (grown, Growth())
    if growth == Growth() and first_overlap(spans) is None:  # a cut between overlapping spans may fall on white space
        assert covered(spans) == covered(grown)


@given(st.data())
def test_tags_and_spans_are_inverses(data: st.DataObject) -> None:
    text = data.draw(texts)
    tokens = tokenize(text)
    aligned, _ = grow(data.draw(spans_in(text, disjoint=True)), tokens)
    tags = encode(aligned, tokens)
    assert decode(tags, tokens) == aligned
    assert encode(decode(tags, tokens), tokens) == tags


@given(st.data())
def test_any_tags_can_be_decoded(data: st.DataObject) -> None:
    text = data.draw(texts)
    tokens = tokenize(text)
    choice = st.sampled_from(["O", "B-A", "I-A", "I-B"])
    tags = data.draw(st.lists(choice, min_size=len(tokens), max_size=len(tokens)))
    spans = decode(tags, tokens)
    tagged = {int(s) for s, tag in zip(tokens.starts, tags, strict=True) if tag != "O"}
    assert tagged == {int(s) for s in tokens.starts if any(a.start <= s < a.end for a in spans)}


def test_tags_that_mean_nothing_are_refused() -> None:
    token = Tokens(np.array([0], np.int32), np.array([1], np.int32))
    with pytest.raises(LabelError, match="2 tags for 1 tokens"):
        decode(["O", "O"], token)
    for tag in ("S-X", "B-", "X", ""):
        with pytest.raises(LabelError, match="token at 0–1 has no BIO tag"):
            decode([tag], token)
    with pytest.raises(LabelError, match="without a label"):
        encode([Span(0, 1, "")], token)


@pytest.mark.skipif(not (CORPORA / "meddocan").is_dir(), reason="the MEDDOCAN corpus is not beside the project")
def test_hardly_any_span_of_meddocan_cuts_a_token() -> None:
    spans = grown = 0
    for split in ("train", "dev"):
        for document in read(CORPORA / "meddocan" / split, "brat"):
            spans += len(document.spans)
            grown += grow(document.spans, tokenize(document.text, "es"))[1].spans
    assert spans == 17_134
    assert grown / spans <= 0.0005


def test_a_large_note_takes_time_in_proportion() -> None:
    text = "Seen by Dr. Roe on 3 May. " * 200_000
    assert len(tokenize(text)) == len(re.findall(r"\w+|[.]", text))
