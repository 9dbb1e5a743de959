"""Features as they are declared: what a line means, and what it must not be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ElisionError
from elision.taggers.batch import GAP
from elision.taggers.linear.columns import MOST_OF_THREE, Attributes
from elision.taggers.linear.features import Template, templates
from elision.taggers.linear.model import joint_rows
from tests.strategies import fewer


def alone(name: str, *offsets: int) -> list[Template]:
    return [Template(((name, offset),)) for offset in offsets]


MEANT = [
    ("lower[0]", alone("lower", 0)),
    ("lower[-8]", alone("lower", -8)),
    ("lower[-2..2]", alone("lower", -2, -1, 0, 1, 2)),
    ("lower[3..3]", alone("lower", 3)),
    ("lower{-4..-1}", [Template((("lower", -4), ("lower", -3), ("lower", -2), ("lower", -1)), any_of=True)]),
    ("lower{1..1}", [Template((("lower", 1),), any_of=True)]),
    ("lower[-1] lower[0]", [Template((("lower", -1), ("lower", 0)))]),
    ("key[0] shape[1] gap[-1]", [Template((("key", 0), ("shape", 1), ("gap", -1)))]),
    ("  key[0]\tshape[1] ", [Template((("key", 0), ("shape", 1)))]),
    ("gram3-12[0]", alone("gram3-12", 0)),
    ("in-first_names:es[0]", alone("in-first_names:es", 0)),
]


@pytest.mark.parametrize(("line", "meant"), MEANT, ids=[row[0] for row in MEANT])
def test_what_a_line_means(line: str, meant: list[Template]) -> None:
    assert templates([line]) == tuple(meant)


def test_each_template_once_in_the_order_of_the_lines() -> None:
    assert templates(["shape[0]", "lower[0..1]", "lower[1..2]", "shape[0]"]) == (
        *alone("shape", 0),
        *alone("lower", 0, 1, 2),
    )
    assert templates([]) == ()


@pytest.mark.parametrize(
    ("line", "alone"), [("lower[0]", True), ("lower{-2..2}", True), ("lower{1..1}", True), ("a[0] b[0]", False)]
)
def test_alone(line: str, alone: bool) -> None:
    (template,) = templates([line])
    assert template.alone is alone


WRITE = r"write it as lower\[0\], lower\[-2\.\.2\], lower\{-4\.\.-1\} or lower\[-1\] lower\[0\]$"
THREE = "at most three attributes go together, each at one offset$"
WINDOW = r"a window runs from the lower offset to the higher, as in -2\.\.2$"
REFUSED = [
    *((line, WRITE) for line in ("", "  ", "lower", "lower[]", "lower[0", "lower[0]]", "lower[0] ,", "lower{0}")),
    *((line, WRITE) for line in ("lower[1.5]", "lower[+1]", "lower[0...2]", "lower[0}", "Lower[0]", "7[0]", "é[0]")),
    *((line, WRITE) for line in ("lower [0]", "lower[-1]lower[0]", "lower[0 ..2]", "lower[--1]")),
    *((line, f"at most {GAP}$") for line in (f"lower[{GAP + 1}]", f"lower[0..{GAP + 1}]", f"lower{{-{GAP + 1}..0}}")),
    ("lower[99999999999999999999]", f"at most {GAP}$"),
    ("a[0] b[9]", f"at most {GAP}$"),
    ("lower[2..-2]", WINDOW),
    ("lower{0..-1}", WINDOW),
    ("a[0] b[0] c[0] d[0]", THREE),
    ("a[0..1] b[0]", THREE),
    ("a[0] b{0..1}", THREE),
]


@pytest.mark.parametrize(("line", "said"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_no_feature(line: str, said: str) -> None:
    with pytest.raises(ElisionError, match=said) as caught:
        templates(["lower[0]", line])
    assert str(caught.value).startswith(f"feature {line!r}: ")


def test_a_long_line_is_not_repeated_whole() -> None:
    with pytest.raises(ElisionError) as caught:
        templates(["x" * 10_000])
    assert len(str(caught.value)) < 200


def written(template: Template) -> str:
    if template.any_of:
        return f"{template.terms[0][0]}{{{template.terms[0][1]}..{template.terms[-1][1]}}}"
    return " ".join(f"{name}[{offset}]" for name, offset in template.terms)


names = st.sampled_from(["lower", "key", "x", "gram3-12", "in-first_names:es", "a--", "z9_"])
terms = st.tuples(names, st.integers(-GAP, GAP))


@st.composite
def windows(draw: st.DrawFn) -> Template:
    name, (first, last) = draw(names), sorted((draw(st.integers(-GAP, GAP)), draw(st.integers(-GAP, GAP))))
    return Template(tuple((name, offset) for offset in range(first, last + 1)), any_of=True)


@given(st.lists(st.lists(terms, min_size=1, max_size=3).map(lambda found: Template(tuple(found))) | windows()))
@fewer
def test_templates_that_are_written_read_back_as_the_same(declared: list[Template]) -> None:
    assert templates(map(written, declared)) == tuple(dict.fromkeys(declared))


def test_so_many_that_the_number_of_a_conjunction_of_three_has_no_room() -> None:
    many = [f"gram{size}-{number}[0]" for size in range(1, 9) for number in range(1, 100)]
    many += [f"gram{size}-{number}[1]" for size in range(1, 9) for number in range(1, 100)]
    three, two = "lower[-1] lower[0] lower[1]", "lower[0] lower[1]"
    for lines in ([*many[: MOST_OF_THREE - 1], three, *many[MOST_OF_THREE:]], [*many, two]):
        declared = templates(lines)
        assert joint_rows(declared, Attributes(declared))[0, 6] == lines.index(lines[-1] if two in lines else three) + 1
    declared = templates([*many[:MOST_OF_THREE], three])
    with pytest.raises(ElisionError, match=f"must be among the first {MOST_OF_THREE}; name it further up"):
        joint_rows(declared, Attributes(declared))
