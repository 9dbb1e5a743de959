"""The packs that come with elision: every proof of every row, and disguises of all that rows find."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

import pytest

from elision.languages.base import COMMON
from elision.rules import Pack, Rules, pack_names, read_pack
from elision.rules.automaton import Automaton
from elision.rules.by_re2 import Sieve
from elision.rules.engine import Match, pieces
from elision.rules.proofs import counts, failures, marked
from elision.rules.row import NOT, try_row
from elision.text.fold import fold

LEAST = {"de": 600, "en": 600, "es": 600, "nl": 600, "pt": 600, "zh": 400, "fr": 600, "it": 350}
FULL = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x30, 0x3A)})  # digits, twice as wide
DISGUISES: dict[str, Callable[[str], str]] = {
    "full-width digits": lambda text: text.translate(FULL),
    "zero-width spaces": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: text[:1] + "".join(f"\u00ad{c}" if c.isalnum() else c for c in text[1:]),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "no-break hyphens": lambda text: text.replace("-", "\u2011"),
    "direction marks": lambda text: f"\u202b{text}\u202c",
    "loose accents": lambda text: unicodedata.normalize("NFD", text),
    "look-alikes": lambda text: " ".join(
        word.translate(str.maketrans("aeopcxyAEOPCXTHKMB", "аеорсхуАЕОРСХТНКМВ")) for word in text.split(" ")
    ),
}


@cache
def pack(name: str) -> Pack:
    return read_pack(name)


@cache
def rules(name: str) -> Rules:
    return Rules(pack(name))


@pytest.mark.parametrize("name", [*pack_names(), COMMON])
def test_every_proof_holds(name: str) -> None:
    assert [f"{failure.row}: {failure.proof!r}: {failure.said}" for failure in failures(pack(name))] == []


@pytest.mark.parametrize("name", [*pack_names(), COMMON])
def test_every_pattern_can_be_compiled(name: str) -> None:
    for row in pack(name).rows:
        try_row(row)


@pytest.mark.parametrize("name", pack_names())
def test_packs_prove_enough(name: str) -> None:
    hits, misses = counts(pack(name))
    assert min(hits, misses) >= LEAST[name]
    texts = [proof for row in pack(name).rows for proof in (*row.hits, *row.misses)] + list(pack(name).clean)
    assert len(set(texts)) > 0.9 * len(texts)  # other phrases, not the same again


@pytest.mark.slow
@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("name", pack_names())
def test_disguises_cost_at_most_one_point(name: str, disguise: str) -> None:
    """What rows find plain they find in disguise, at the disguised identifier's own offsets."""
    plain = hidden = 0
    for row in pack(name).rows:
        if row.label == NOT:
            continue
        for proof in row.hits:
            text, ((start, end), *_) = marked(proof)
            if not _covers(rules(name), text, start, end):
                continue
            plain += 1
            before, inside = text[:start], DISGUISES[disguise](text[start:end])
            hidden += _covers(rules(name), before + inside + text[end:], start, start + len(inside))
    assert plain > 300
    assert hidden >= 0.99 * plain


@pytest.mark.slow
@pytest.mark.parametrize("name", pack_names())
def test_groups_are_where_re2_has_them(name: str) -> None:
    """Large patterns are matched step by step; that must find what the whole pattern finds."""
    for row in pack(name).rows:
        whole = Automaton(row.source, row.id)
        for proof in (*row.hits, *row.misses):
            raw = fold(marked(proof)[0]).text.encode()
            for text in (raw, raw + b"\n" + raw, raw + b" " + raw, b"a " + raw + b"."):
                at = 0
                while match := whole.search(text, at):
                    assert row.regex.search(text, at) == match, (row.id, proof)
                    at = max(match[1][1], at + 1)
                assert row.regex.search(text, at) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", pack_names())
def test_the_sieve_keeps_no_row_from_what_it_matches(name: str) -> None:
    rows, sieve = pack(name).rows, Sieve(pack(name).rows)
    texts = {marked(proof)[0] for row in rows for proof in (*row.hits, *row.misses)} | set(pack(name).clean)
    plain = [piece for text in sorted(texts) for _, piece in pieces(fold(text).text)]
    raws = [raw for piece in plain for raw in (piece.encode(), piece.upper().encode(), f"x\n{piece}\n\ny".encode())]
    for row, let in zip(rows, sieve(raws), strict=True):
        through = set(let)
        assert [raw for at, raw in enumerate(raws) if at not in through and row.regex.occurs(raw)] == [], row.id


def _covers(found: Rules, text: str, start: int, end: int) -> bool:
    covered = {at for span in found.spans(text) for at in range(span.start, span.end)}
    return all(at in covered or not text[at].isalnum() for at in range(start, end))


def test_what_did_not_count_says_why() -> None:
    matches = [match for match in rules("en").judged("Foley catheter, seen 45/45/2020 by nobody") if match.why_not]
    assert all(isinstance(match, Match) and match.why_not for match in matches)
