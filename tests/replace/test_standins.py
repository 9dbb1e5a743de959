"""The lists of stand-ins: ours alone, and one more name changes its share of the stand-ins and no other."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from elision.keys import Key
from elision.languages.base import HERE, MORE
from elision.replace import names
from elision.replace.choices import Choices, Scope, weights
from elision.replace.name_lists import KINDS, SURNAME, letters_of, pools
from elision.replace.phones import phone
from elision.replace.places import place
from elision.replace.standins import FOLDER, _fingerprint, base, choices, fingerprint, known, known_words
from elision.replace.words import LETTERS, pick, plain
from experiments.standins import INVENTED, changed, chosen, lists, numbers_of
from tests.replace.test_places import LABELS

SECRET = Key(b"a key for tests, and only for them").secret("names")
NUMBERS = numbers_of(10_000)
LISTS = list(lists())
FILES = sorted(HERE.glob(f"*/{FOLDER}/*.txt"))


@pytest.mark.parametrize(("name", "parts"), LISTS, ids=[name for name, _ in LISTS])
def test_one_entry_more_changes_its_share_and_nothing_else(name: str, parts: list[Choices]) -> None:
    for part in parts:
        share, strays = changed(part, NUMBERS)
        expected = 1 / (len(part) + 1)
        assert not strays
        assert abs(share - expected) < 5 * (expected / len(NUMBERS)) ** 0.5, len(part)


def test_one_surname_more_changes_its_share_of_names_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Scope(SECRET, "p1", "en")
    words = [f"Tq{LETTERS[at // 676]}{LETTERS[at // 26 % 26]}x{LETTERS[at % 26]}" for at in range(10_000)]
    before = [names.name(word, here) for word in words]
    letter = letters_of(here)["t"]
    invented = f"{letter.upper()}vorzel"
    more = {kind: dict(rows) for kind, rows in pools("en").items()}
    more[SURNAME][letter] = Choices((*more[SURNAME][letter], invented))
    monkeypatch.setattr(names, "pools", lambda _: more)
    after = [names.name(word, here) for word in words]
    moved = [new for old, new in zip(before, after, strict=True) if old != new]
    assert set(moved) == {invented}
    expected = len(words) / len(more[SURNAME][letter])
    assert abs(len(moved) - expected) < 5 * expected**0.5


def test_entries_are_chosen_alike_often_in_an_order_of_their_own() -> None:
    listed = Choices(f"name {at}" for at in range(100))
    counts = Counter(chosen(listed, NUMBERS).tolist())
    assert sum((counts[at] - 100) ** 2 / 100 for at in range(100)) < 165  # 99 degrees of freedom: 1 in 30,000
    for number in NUMBERS[:50]:
        ranked = list(listed.ranked(int(number)))
        assert sorted(ranked) == list(listed)
        heavy = dict(zip(listed, weights(listed.numbers, number), strict=True))
        assert ranked == sorted(listed, key=lambda entry: -int(heavy[entry]))
        assert ranked == list(Choices(reversed(listed)).ranked(int(number)))
    second = Counter(list(listed.ranked(int(number)))[1] for number in NUMBERS[:2_000])
    assert len(second) == 100


def test_what_does_not_fit_gives_way_to_the_next_heaviest() -> None:
    listed, here = choices("nl", "towns-NL"), Scope(SECRET, "p1", "nl")
    first, second = list(listed.ranked(here.number("town", "utrecht")))[:2]
    assert pick(listed, here, lambda _: True, "town", "utrecht") == first
    assert pick(listed, here, lambda entry: entry != first, "town", "utrecht") == second
    taboo = Scope(SECRET, "p1", "nl", lambda entry: entry == first)
    assert pick(listed, taboo, lambda _: True, "town", "utrecht") == second
    assert pick(Choices(()), here, lambda _: True, "town", "utrecht") is None


@pytest.mark.parametrize("path", FILES, ids=["/".join(path.parts[-3::2]) for path in FILES])
def test_a_list_says_where_it_comes_from_and_has_each_entry_once(path: Path) -> None:
    first, *lines = path.read_text("utf-8").splitlines()
    assert first.startswith("# ")
    assert " Origin: " in first
    assert len(set(lines)) == len(lines) > 0
    bare = [line.removeprefix("-").removeprefix("+") for line in lines]
    assert all(word == word.strip() and plain(word) for word in bare)


@pytest.mark.parametrize("code", ["common", "de", "en", "es", "nl", "pt", "fr", "it"])
def test_a_name_is_of_one_kind(code: str) -> None:
    counts = Counter(plain(name) for kind in KINDS for name in known(code, kind))
    assert max(counts.values()) == 1
    for kind in KINDS:
        assert all(plain(name)[0] in LETTERS for name in choices(code, kind))


READS = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from elision.keys import Key
from elision.labels import canonical
from elision.replace import contact, names, places
from elision.replace.choices import Scope
secret = Key(bytes(32)).secret("names")
texts = ["Jane Roe", "Leeds", "Ohio", "France", "12 High Street, Leeds", "baker", "accountant", "Irish"]
texts += ["jroe12", "Kerkstraat 1"]
texts += ["李小明", "陳美麗", "北京市海淀区中山路12号", "教师", "汉族", "美国", "上海市第一人民医院"]
texts += ["Royal Hospital", "jane@roe.org"]
for language in ("en", "es", "nl", "zh", "zh-TW", "sv", "de", "fr", "it", "pt"):
    scope = Scope(secret, "p", language)
    for text in texts:
        for label in canonical():
            names.name(text, scope, label), places.place(text, scope, label), contact.contact(text, scope, label)
lists = [path for path in opened if "/languages/" in path]
print(sum("/standins/" in path for path in lists), [path for path in lists if "/rules/" in path])
print([name for name in sys.modules if name.partition(".")[0] == "faker"])
"""


def test_no_list_is_read_from_the_rules_or_from_faker() -> None:
    done = subprocess.run([sys.executable, "-c", READS], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    many, _, rules = first.partition(" ")
    assert int(many) > 50
    assert (rules, second) == ("[]", "[]")


LETTER_SHARES = "".join(f"{letter} = 1\n" for letter in LETTERS)


def toy(folder: Path, *surnames: str) -> Path:
    """A language of its own: a rule, and perhaps surnames."""
    (folder / "qq" / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "qq" / "rules" / "names.toml").write_text("")
    if surnames:
        (folder / "qq" / FOLDER).mkdir(exist_ok=True)
        (folder / "qq" / FOLDER / "surname.txt").write_text("\n".join(surnames))
        (folder / "qq" / FOLDER / "letters.toml").write_text(LETTER_SHARES)
    return folder


def test_a_language_without_lists_has_those_that_all_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (base("qq"), base("sv"), base("es-MX"), base("")) == ("en", "en", "es", "en")
    monkeypatch.setenv(MORE, str(toy(tmp_path)))
    assert (base("qq"), base("sv")) == ("common", "en")
    moved = names.name("Zorgvlietsma", Scope(SECRET, "p1", "qq"))
    assert moved in choices("common", SURNAME)
    _forget()


def _forget() -> None:
    """Other tests have no such language."""
    from elision.replace.standins import _found

    _found.cache_clear()


def test_the_fingerprint_notices_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = fingerprint()
    assert len(ours) == 64
    monkeypatch.setenv(MORE, str(toy(tmp_path, "Abc", "Abd")))
    _fingerprint.cache_clear()
    one = fingerprint()
    toy(tmp_path, "Abc", "Abe")
    _fingerprint.cache_clear()
    assert len({ours, one, fingerprint()}) == 3
    monkeypatch.delenv(MORE)
    assert fingerprint() == ours


def test_marks_say_what_is_known_and_what_stands_in() -> None:
    assert "Bath" not in choices("en", "towns-GB")
    assert "bath" in known_words("en", "towns-GB")
    assert "Leeds" in choices("en", "towns-GB")
    borrowed = next(iter(set(choices("en", "either")) - set(known("en", "either"))))
    assert plain(borrowed) not in known_words("en", "either")
    assert INVENTED not in known("en", SURNAME)
    assert not np.any(choices("zh", "none").numbers)


def test_a_language_without_any_knowledge_gives_names_of_all_or_a_label(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MORE, str(toy(tmp_path)))
    here = Scope(SECRET, "p1", "qq")
    for label in (*LABELS, "ZIP"):
        for text in ("Zorgvlietsma", "Zorgdorp 12", "1234 AB Zorgdorp", "zorger"):
            moved = place(text, here, label)
            assert moved is None or plain(moved) != plain(text)
    assert place("Zorgdorp", here, "CITY") is None
    assert phone("0201234567", here) not in (None, "0201234567")
    _forget()
