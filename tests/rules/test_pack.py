"""Packs: files of rules with their words, and what is said of those that cannot be used."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import pytest

from elision.errors import RuleError
from elision.rules import pack, pack_names, read_pack
from elision.rules.proofs import counts, failures

OURS = """
[words]
town = ["Elmham", "New Elmham", "Vésale"]
ward = "wards.txt"
[parts]
number = '\\d{1,3}'
place = '{number} {town}'
[[rule]]
name = "place"
label = "CITY"
pattern = 'from {place}'
hits = ["came [from 3 New  Elmham]", "[FROM 12 VESALE]"]
misses = ["from Elmham", "from 1234 Elmham"]
[[rule]]
name = "ward"
label = "DEPARTMENT"
pattern = 'ward ({ward})'
case = "exact"
score = 0.5
hits = ["on ward [4B]"]
[[rule]]
name = "not-a-ward"
label = "NOT"
pattern = 'ward 4B rules'
score = 0.6
hits = ["[ward 4B rules]"]
[[clean]]
texts = ["ward 4B rules apply"]
"""


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    (tmp_path / "wards.txt").write_text("# our wards\n4B\nNorth 1\n", "utf-8")
    (tmp_path / "ours.toml").write_text(OURS, "utf-8")
    return tmp_path / "ours.toml"


def test_a_file_of_rules_with_words_parts_and_proofs(ours: Path) -> None:
    pack = read_pack(ours)
    assert [row.id for row in pack.rows] == ["ours/place", "ours/ward", "ours/not-a-ward"]
    assert list(failures(pack)) == []
    assert counts(pack) == (4, 3)


def test_a_folder_shares_its_words(tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text("[words]\nmonth = ['May']\n", "utf-8")
    (tmp_path / "a.toml").write_text("[[rule]]\nname='m'\nlabel='DATE'\npattern='{month}'\nhits=['[May]']\n", "utf-8")
    pack = read_pack(tmp_path)
    assert [row.id for row in pack.rows] == [f"{tmp_path.name}/a/m"]
    assert list(failures(pack)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("came [from 3", "came [from 3 x"), "finds nothing"),
        (("came [from 3 New  Elmham]", "came from 3 New Elmham"), r"marks what is found in \[ \]"),
        (('"from Elmham"', '"from 1 Elmham"'), "finds 'from 1 Elmham'"),
        (('hits = ["on ward [4B]"]', ""), "has no hits"),
        (("score = 0.6", "score = 0.4"), "something is found, by ours/ward"),
        (('hits = ["on ward [4B]"]', 'hits = ["ward [4B] rules"]'), "not by the pack"),
    ],
)
def test_proofs_that_fail(ours: Path, change: tuple[str, str], said: str) -> None:
    ours.write_text(OURS.replace(*change), "utf-8")
    assert [failure for failure in failures(read_pack(ours)) if re.search(said, failure.said)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("[words]", "[words"), r"ours\.toml: is no TOML"),
        (("[words]", "[wordz]"), r"no such table wordz; there are clean, parts, rule, words"),
        (('"wards.txt"', '"gone.txt"'), r"words ward: .*gone\.txt cannot be read"),
        (('"wards.txt"', '"../wards.txt"'), "lies elsewhere"),
        (('"Elmham", ', '"Elmham", "Elmham", '), "words town: word 2 stands there before"),
        (('"Elmham", ', '" Elmham", '), "word 1 is empty or has blanks"),
        (('"Elmham", ', '"", '), "word 1 is empty or has blanks"),
        (('["Elmham", "New Elmham", "Vésale"]', "[]"), "a list of words"),
        (("town = ", "Town = "), "names are of small letters"),
        (("{number} {town}", "({number}) {town}"), "part place: may have no group"),
        (("{number} {town}", "{where} {town}"), r"no words or part \{where\}"),
        (('name = "ward"', 'name = "place"'), "several rules are called ours/place"),
        (("[[clean]]", "[clean]"), r"\[\[clean\]\] is a list of tables"),
        (('texts = ["ward', 'text = ["ward'), "clean 1: holds texts"),
    ],
)
def test_a_pack_that_cannot_be_used_names_file_and_row(ours: Path, change: tuple[str, str], said: str) -> None:
    ours.write_text(OURS.replace(*change), "utf-8")
    with pytest.raises(RuleError, match=said):
        read_pack(ours)


def test_packs_files_and_folders_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="tlh: there is no such pack, file or folder; packs are "):
        read_pack("tlh")
    with pytest.raises(RuleError, match="no file of rules"):
        read_pack(tmp_path)
    with pytest.raises(RuleError, match=r"gone\.toml: cannot be read"):
        read_pack(tmp_path / "gone.toml")
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9")
    with pytest.raises(RuleError, match=r"latin\.toml: is not UTF-8"):
        read_pack(tmp_path / "latin.toml")


def test_a_language_with_its_country_has_the_pack_of_the_language() -> None:
    for name in pack_names():
        assert [row.id for row in read_pack(f"{name}-XX").rows] == [row.id for row in read_pack(name).rows]


def test_the_example_of_the_documentation_holds(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")
    (code,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "ours.toml").write_text(code, "utf-8")
    (tmp_path / "nurses.txt").write_text("Joy Vale\n", "utf-8")
    pack = read_pack(tmp_path / "ours.toml")
    assert list(failures(pack)) == []
    assert len(pack.rows) == 2


def test_a_folder_that_is_called_like_a_language_is_not_taken_for_its_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").mkdir()
    monkeypatch.chdir(tmp_path)
    assert read_pack("en").rows
    with pytest.raises(RuleError, match="no file of rules"):
        read_pack("./en")


RULE = '[[rule]]\nname = "r{}"\nlabel = "DATE"\npattern = \'{}\'\n'
DOUBLED = "".join(f"p{at} = '{{p{at - 1}}}{{p{at - 1}}}{{p{at - 1}}}{{p{at - 1}}}'\n" for at in range(1, 20))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "".join(RULE.format(at, rf"q{at}\pL{{0,600}}x") for at in range(20)),
            r"rule \d+ \(r\d+\): up to here, .* steps",
        ),
        ("[parts]\np0 = 'abcdefghij'\n" + DOUBLED, r"part p8: with its words, has more than 500,000 characters"),
        ("".join(RULE.format(at, "x") for at in range(501)), "rule 501: up to here, more than 500 rules"),
        ("#" * (9 << 20), "larger than 8 MB"),
        ('[words]\nw = "words.txt"\n', "larger than 8 MB"),
    ],
    ids=["large repeats", "parts in parts", "many rules", "a large file", "a large file of words"],
)
def test_rules_that_would_take_too_much_memory_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.setattr(pack, "MOST_ROWS", pack.MOST_ROWS // 10)
    monkeypatch.setattr(pack, "MOST_STEPS", pack.MOST_STEPS // 10)
    (tmp_path / "ours.toml").write_text(text)
    (tmp_path / "words.txt").write_text("a\n" * (5 << 20))
    tracemalloc.start()
    with pytest.raises(RuleError, match=said) as error:
        read_pack(tmp_path / "ours.toml")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert str(tmp_path / "ours.toml") in str(error.value) or "words.txt" in str(error.value)
    assert most < 200 << 20
