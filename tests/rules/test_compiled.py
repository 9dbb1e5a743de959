"""Rows by compiled automata and by RE2: the same hits for every pack, pattern and text, whatever is left for it.

Patterns are drawn from all that rows may be written in, and texts from the same characters and all that is awkward.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import accumulate
from pathlib import Path

import pytest
import re2
from hypothesis import example, given
from hypothesis import strategies as st

from elision.errors import RuleError
from elision.rules import compiled
from elision.rules.by_re2 import CHECK, COUNTS, ByRE2, Hit, Piece
from elision.rules.compiled import Compiled, finder
from elision.rules.engine import Rules, pieces
from elision.rules.proofs import marked
from elision.rules.row import Row, row_of

Problem = tuple[list[Row], list[str]]

needs_compiler = pytest.mark.skipif(not compiled.COMPILED, reason="the compiled rows are not built")
NOTES = Path(__file__).parents[2] / "examples" / "notes"
PACKS = ("en", "es", "nl", "zh")
MANY = "it was seen on 3/5/2020 and 4/6/2021, é病 12-34 by Dr Roe; a9 aa9 "

# Few letters at a time, so that patterns and texts meet: those of one case, of three cases, of two widths in UTF-8.
LETTERS = ("aAb", "kK\u212a1", "sSſß", "éÉñÑ-", "iIİı", "病人a ", "09_.a", "\u00adaé", "σςΣµμ", "ǅǆǄb")
LATE = "\u0390\u03b0\u1fd3\u1fe3"  # which are one only since Unicode 15.1
AWKWARD = "\n\r\t 😀\ud800\udfff\u0301\u00a0\0"
ESCAPES = (
    r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", r"\pL", r"\p{Lu}", r"\P{L}", r"\p{Han}", r"\PN", r"\x27", r"\x{41}",
    r"\x{17f}", r"\.", r"\-", r"\t", r"\n",
)  # fmt: skip
IN_CLASSES = (*ESCAPES, "a-z", "A-Z", "0-9", "à-ÿ", r"\x{3a0}-\x{3ff}", "一-龥", r"\x00-\x20", "ſ-\u212a", "-")
PLACES = ("^", "$", r"\b", r"\B", r"\A", r"\z")
TIMES = ("?", "{1}", "{2}", "{0,1}", "{0,2}", "{1,3}", "{2,3}", "{0}", "{0,9}", "{1,20}", "{01}", "{,2}")
LAZY = ("", "", "?")
CHECKS: tuple[Callable[[str], bool] | None, ...] = (None, None, lambda text: len(text) % 2 == 0)


def row(pattern: str, **more: str | bool) -> Row:
    return row_of({"name": "r", "label": "DATE", "pattern": pattern, **more}, "a rule", "p", {})


def laid(texts: Sequence[str]) -> list[Piece]:
    """Pieces of one long text."""
    return list(zip(accumulate((len(text) + 1 for text in texts), initial=0), texts, strict=False))


def told(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Rows as a failure should show them."""
    return [(row.source, *(getattr(part, "pattern", "") for part in (row.not_before, row.not_after))) for row in rows]


def same(rows: Sequence[Row], texts: Sequence[str]) -> list[list[Hit]]:
    """What is found; both find it, also if they are asked for what counts only."""
    ours, theirs, parts = Compiled(rows), ByRE2(rows), laid(texts)
    found = theirs.find(parts)
    assert ours.find(parts) == found, told(rows)
    counting = [[hit for hit in hits if hit[3] == COUNTS] for hits in found]
    assert ours.find(parts, counting=True) == theirs.find(parts, counting=True) == counting, told(rows)
    return found


# ---- packs


@cache
def rules(pack: str) -> Rules:
    return Rules(pack)


def proofs(pack: str) -> list[str]:
    rows = rules(pack).rows
    clean = [text for each in rules(pack).packs for text in each.clean]
    return [marked(hit)[0] for row in rows for hit in row.hits] + [miss for row in rows for miss in row.misses] + clean


@needs_compiler
@pytest.mark.parametrize("pack", PACKS)
def test_no_row_of_a_pack_is_left_for_re2(pack: str) -> None:
    assert Compiled(rules(pack).rows).left == []


@needs_compiler
@pytest.mark.parametrize("pack", PACKS)
def test_in_the_proofs_of_a_pack_both_find_the_same(pack: str) -> None:
    found = same(rules(pack).rows, proofs(pack)[::20])
    assert len({number for hits in found for number, *_ in hits}) > len(rules(pack).rows) / 10


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("pack", PACKS)
def test_in_example_notes_both_find_the_same(pack: str) -> None:
    notes = sorted((NOTES / "gold" / pack).rglob("*.txt"))[::3]
    assert notes
    same(rules(pack).rows, [piece for note in notes for _, piece in pieces(note.read_text("utf-8"))])


# ---- any pattern, any text


def atoms_of(letters: str) -> st.SearchStrategy[str]:
    letter = st.sampled_from(letters).map(lambda c: rf"\{c}" if c in ".-" else c)
    held = st.lists(letter | st.sampled_from(IN_CLASSES), min_size=1, max_size=4).map("".join)
    classes = st.builds("[{}{}]".format, st.sampled_from(("", "^")), held)
    return letter | letter | classes | st.sampled_from((*ESCAPES, ".", *PLACES))


def patterns_of(letters: str) -> st.SearchStrategy[str]:
    """Patterns without a group."""

    def longer(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        counted = st.builds("(?:{}){}{}".format, inner, st.sampled_from(TIMES), st.sampled_from(LAZY))
        chosen = st.lists(inner | st.just(""), min_size=2, max_size=4).map(lambda parts: f"(?:{'|'.join(parts)})")
        flagged = st.builds("(?{}:{})".format, st.sampled_from(("i", "-i", "-m", "i-m")), inner)
        return counted | chosen | flagged | st.lists(inner, min_size=2, max_size=4).map("".join)

    atoms = atoms_of(letters)
    counted = st.builds("{}{}{}".format, atoms, st.sampled_from(TIMES), st.sampled_from(LAZY))
    return st.recursive(atoms | counted, longer, max_leaves=6)


def _made(pattern: str, case: str, edges: bool, before: str, after: str) -> Row | None:
    """A row, or None if RE2 refuses it."""
    try:
        made = row(pattern, case=case, edges=edges, unless_before=before, unless_after=after)
        for automaton in (made.regex, made.not_before, made.not_after):
            if automaton is not None:
                automaton.compile()
    except RuleError:
        return None
    return made


@cache
def rows_of(letters: str) -> st.SearchStrategy[Row]:
    """Rows with a group or none, in brackets that may repeat, and with what must not stand around."""
    inner = patterns_of(letters)
    some, times = inner | st.just(""), st.sampled_from(("", *TIMES))
    grouped = st.builds("{}({}){}".format, some, some, some)
    deeper = st.builds("{}(?:{}({}){}{}|{}){}{}".format, some, some, some, times, some, some, times, some)
    whole = inner | grouped | deeper
    rows = st.builds(_made, whole, st.sampled_from(("any", "exact")), st.booleans(), some, some)
    checked = st.tuples(rows, st.sampled_from(CHECKS)).map(lambda pair: pair[0] and replace(pair[0], check=pair[1]))
    return checked.filter(bool).map(lambda row: row or NEVER)


NEVER = row("[^\\x{0}-\\x{10ffff}]")


@cache
def problems_of(letters: str) -> st.SearchStrategy[Problem]:
    """A few rows over a few letters, and texts of them."""
    texts = st.text(st.sampled_from(3 * letters + AWKWARD), max_size=24)
    return st.tuples(st.lists(rows_of(letters), min_size=1, max_size=3), st.lists(texts, min_size=1, max_size=4))


problems = st.sampled_from(LETTERS).flatmap(problems_of)


@needs_compiler
@given(problems)
@example(([row(".")], ["\ud800"]))
@example(([row("a(?i){2}", edges=False)], ["aa"]))
@example(([row("a{01}")], ["a{01} a"]))
def test_any_row_finds_in_any_text_what_re2_finds(problem: Problem) -> None:
    same(*problem)


@needs_compiler
@pytest.mark.parametrize("case", ["any", "exact"])
def test_which_match_is_preferred_is_the_same(case: str) -> None:
    patterns = [
        "(?:|a)(a{0,2}?)a", "(?:a|ab)(?:c|bcd)(d{0,9})", "(a|ab){1,3}", "(?:(a)|b){2}", "(?:a|(b)|){3}c?", "(a?){2}b",
        "(?:(a{0,2})b?){2}", "(?:a?)??(a)", r"(?:\b(a|)|b){2}", "(?:^|b)(a{1,2}?)(?:$|b)", "x{0}(a)", "(a){0}b", "()a",
    ]  # fmt: skip
    texts = ["", "a", "b", "ab", "aab", "abcd", "abcbcd", "aa ab\nba\n\nb", "AaBb\r\nbaab", "abcdd abab"]
    same([row(pattern, case=case, edges=False) for pattern in patterns], texts)


@needs_compiler
@pytest.mark.parametrize("most", [1, 4_000])
def test_automata_that_are_begun_anew_find_the_same(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(rules("es").rows)[::4]
    parts = laid(proofs("es")[::40])
    wanted = Compiled(rows).find(parts)
    monkeypatch.setattr(compiled, "MOST_OF_ALL", most)
    monkeypatch.setattr(compiled, "MOST_OF_ONE", most)
    assert Compiled(rows).find(parts) == wanted
    same([row(r"(?:\pL{1,9} ){0,3}(\d{1,2})"), row(".{0,9}é", edges=False)], [MANY * 3])


# ---- characters


def cased(low: int, high: int) -> list[str]:
    """Letters that have another case."""
    letters = map(chr, (code for code in range(low, high) if not 0xD800 <= code < 0xE000))
    return [letter for letter in letters if {letter} != {letter.lower(), letter.upper(), letter.casefold()}]


def folded_alike(letters: Sequence[str]) -> None:
    text = " ".join([*map(chr, range(0x600)), *cased(0x600, 0x20000)])
    same([row(rf"\x{{{ord(letter):x}}}", edges=False) for letter in letters], [text])


@needs_compiler
@pytest.mark.parametrize("low", range(0, 0x600, 0x200))
def test_a_letter_in_any_case_is_the_same_letters(low: int) -> None:
    folded_alike([chr(code) for code in range(low, low + 0x200) if chr(code) not in LATE])


@needs_compiler
def test_a_letter_from_afar_in_any_case_is_the_same_letters() -> None:
    near = [letter for letter in cased(0x600, 0xD800) if letter not in LATE]
    folded_alike(near[::5] + cased(0x10400, 0x10C00)[::5])


@needs_compiler
@pytest.mark.parametrize("letter", [*LATE, "\ufb05", "\uff21", "\U00010c80", "\U00016e40"])
def test_a_letter_that_is_looked_at_by_re2_alone_in_any_case_is_the_same_letters(letter: str) -> None:
    folded_alike([letter])


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("name", ["L", "Lu", "Ll", "Nd", "Han"])
def test_a_named_class_holds_the_same_characters(name: str) -> None:
    codes = [*range(0x32400), *range(0xE0000, 0xE0200), *range(0x10FF00, 0x110000)]
    patterns = [rf"\p{{{name}}}{{1,9}}", rf"[^\p{{{name}}}a-y]{{1,9}}"]
    same([row(pattern, case="exact", edges=False) for pattern in patterns], ["".join(map(chr, codes))])


@needs_compiler
@pytest.mark.parametrize("name", ["M", "Cf", "Co", "Cs"])
def test_a_named_class_of_characters_from_afar_holds_the_same(name: str) -> None:
    text = "".join(map(chr, (*range(0x600, 0x700), 0xD800, 0xE000, 0xE0001, 0xE0100, 0xF0000, 0x10FFFD)))
    same([row(rf"\p{{{name}}}", edges=False), row(rf"\P{{{name}}}", edges=False)], [text])


# ---- what is left for RE2


@needs_compiler
def test_flags_hold_for_a_group_of_a_large_pattern() -> None:
    same([row(r"(?-i)[^b]{1,60}(b{1,3})x", edges=False)], ["ébbx\nébBX"])


@needs_compiler
@pytest.mark.parametrize(
    "pattern",
    [
        r"(?s)a.", r"\Qa.b\E", "[[:alpha:]]9", "[[:^alpha:]]9", r"\C9", "(?P<name>a9)", "(?<name>a9)", "(?U)a{1,2}",
        r"\p{^L}9", r"\p{Greek}|\pN", "(?i)a(?i){1,2}", "[a-\\x{7a}[:digit:]]{2}", r"\a|9", r"\07|9",
    ],
)  # fmt: skip
def test_what_is_not_read_is_left_for_re2_and_found_in_its_turn(pattern: str) -> None:
    rows = [row(one, edges=False) for one in ("a", pattern, r"\d", pattern, "a.b")]
    assert Compiled(rows).left in ([1, 3], [])
    found = same(rows, ["a9 a.b", "", "a\n9 αa.b aa99 \a"])
    assert {1, 3} <= {number for hits in found for number, *_ in hits}
    assert all(hits == sorted(hits) for hits in found)


@needs_compiler
def test_most_of_what_is_not_read_is_known_as_such() -> None:
    patterns = [r"(?s)a.", r"\Qa.b\E", "[[:alpha:]]", r"\C", "(?P<name>a)", "(?U)a", r"\p{^L}", "a(?i){2}", r"\a"]
    assert Compiled([row(pattern) for pattern in ["a", *patterns, "b"]]).left == list(range(1, len(patterns) + 1))


@needs_compiler
@pytest.mark.parametrize("where", ["unless_before", "unless_after"])
def test_a_row_is_left_for_re2_for_what_must_not_stand_around_it(where: str) -> None:
    rows = [row("b"), row("a", edges=False, **{where: "[[:digit:]]"}), row("a", edges=False, **{where: "[0-9]"})]
    assert Compiled(rows).left == [1]
    same(rows, ["1a a1 a b", "a", "1", "a\n1\na"])


@needs_compiler
@pytest.mark.parametrize(
    "pattern",
    ["|{2}", "a{2}{3}", "a{1001}", "a{99999}", "a{3,2}", r"\x{}", "(?-:a)", "(?-)a", "(?i){2}", "[b-a]", r"\8"],
)
def test_what_re2_refuses_is_not_read(pattern: str) -> None:
    assert _made(pattern, "any", True, "", "") is None
    with pytest.raises((RuleError, re2.error)):
        Compiled([row(pattern)]).find([(0, "a{2}")])


@needs_compiler
@pytest.mark.parametrize("pattern", ["[a-x[:digit:]]", r"[^a-x\a]", r"[a-x\p{^L}]", r"(?:[a-f])\a", r"[\pL\07-9]"])
def test_a_set_that_is_not_read_to_its_end_changes_no_other(pattern: str) -> None:
    rows = [row(one, edges=False) for one in (pattern, "[0-4]", r"\pL-", "y")]
    assert Compiled(rows).left == [0]
    same(rows, ["a9 y 07 b-\a f\a7", "az-9"])


@needs_compiler
def test_choices_that_share_a_long_beginning_are_read() -> None:
    long = 30_000 * "x"
    assert len(same([row(f"{long}|{long}y|b", edges=False)], ["b" + long[:99]])[0]) == 1


def test_without_the_compiled_rows_re2_finds_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "COMPILED", False)
    rows = [row(r"\d{1,2}/\d{1,2}/\d{4}"), row("Dr (Roe)")]
    found = finder(rows)
    assert isinstance(found, ByRE2)
    assert found.find([(5, MANY[:30])]) == [[(0, 20, 28, COUNTS)]]
    assert found.find(laid([MANY]), counting=True) == [[(0, 15, 23, 0), (0, 28, 36, 0), (1, 53, 56, 0)]]


@needs_compiler
def test_with_the_compiled_rows_they_find_all() -> None:
    assert isinstance(finder([row("a")]), Compiled)
    assert Compiled([]).find(laid(["a", ""])) == [[], []]


# ---- checks


def _refuse(text: str) -> bool:
    raise ArithmeticError(f"no check of {text}")


@needs_compiler
def test_the_error_of_a_check_comes_through_and_rows_go_on() -> None:
    rows = [row("a"), replace(row("b"), check=_refuse), row("c")]
    found = Compiled(rows)
    for _ in range(3):
        with pytest.raises(ArithmeticError, match="no check of b"):
            found.find(laid(["a", "a b c"]))
        assert found.find(laid(["a c"])) == [[(0, 0, 1, COUNTS), (2, 2, 3, COUNTS)]]


@needs_compiler
@pytest.mark.parametrize("most", [1, 1 << 20])
def test_a_check_may_look_for_the_same_rows(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MOST_OF_ALL", most)
    monkeypatch.setattr(compiled, "MOST_OF_ONE", most)

    def inner(text: str) -> bool:
        return text[1:] == "" or len(found.find([(0, text[1:])])[0]) % 2 == 0

    patterns = (r"[ab]{1,5}", r"b(?:a|b){0,4}c?", r"\pL{2}")
    rows = [replace(row(one, edges=False, unless_after="c"), check=inner) for one in patterns]
    found: Compiled | ByRE2 = Compiled(rows)
    ours = found.find(laid(["abba baab", "bbbbbbc"]))
    found = ByRE2(rows)
    assert ours == found.find(laid(["abba baab", "bbbbbbc"]))
    assert {why for hits in ours for *_, why in hits} >= {COUNTS, CHECK}


@needs_compiler
def test_threads_that_share_rows_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MOST_OF_ALL", 100_000)
    monkeypatch.setattr(compiled, "MOST_OF_ONE", 2_000)
    rows, parts = rules("en").rows[:150], laid(proofs("en")[::16])
    wanted, shared = Compiled(rows).find(parts), Compiled(rows)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == wanted for found in pool.map(shared.find, [parts] * 8))
