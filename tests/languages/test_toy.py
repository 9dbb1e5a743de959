"""A language is a folder: one with a few rules, in a folder of one's own, takes notes through all that elision does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.errors import ElisionError, LabelError, RuleError
from elision.keys import Key
from elision.languages import detection
from elision.languages.base import MORE, Language, language, languages, served, shipped
from elision.languages.telling import NOT_SUPPORTED, tell
from elision.languages.telling.deciding import advice, check_codes, decide
from elision.pipeline import Deidentifier
from elision.policy import policy_names
from elision.rules import Rules, Sure, pack_names, read_pack
from elision.run.fingerprints import fingerprints
from elision.texts import deidentify
from tests.test_cli import elision

RULES = """
[words]
title = ["Zorq", "Zorqa"]

[[rule]]
name = "titled"
label = "NAME_PATIENT"
before = '{title} '
pattern = '[A-Z][a-z]{1,20}'
case = "exact"
hits = ["Zorqa [Blimquat] krum"]
misses = ["zorqa blimquat"]

[[rule]]
name = "day"
label = "DATE"
pattern = '(?:3[01]|[12]\\d|0?[1-9]) blorn (?:19|20)\\d\\d'
hits = ["krum [3 blorn 2021]"]
"""
NOTE = "Ze Zorqa Blimquat krum 3 blorn 2021. Vu Blimquat brim zol a.quill@example.com."
ORIGINALS = ("Blimquat", "2021", "quill")


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "languages" / "xx"
    (folder / "rules").mkdir(parents=True)
    (folder / "language.toml").write_text('name = "Toy"\ncalled = "toyish"\n')
    (folder / "rules" / "names.toml").write_text(RULES)
    monkeypatch.setenv(MORE, str(folder.parent))
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    Key(bytes(range(32))).write(tmp_path / "project.key")
    return tmp_path / "project.key"


def test_it_is_there_beside_the_others(toy: Path) -> None:
    assert list(languages()) == [*shipped(), "xx"]
    assert language("xx-XA").name == "Toy"
    assert pack_names() == (*shipped(), "xx")


def test_its_pack_has_what_all_packs_share(toy: Path) -> None:
    pack = read_pack("xx")
    assert pack.name == "xx"
    assert {row.id.partition("/")[0] for row in pack.rows} > {"xx"}


def test_its_rows_count_whatever_their_score_as_those_of_ones_own_do(toy: Path) -> None:
    assert not Sure(Rules("xx"), 1.0).ours
    assert Sure(Rules("es"), 1.0).ours


def test_a_text_goes_through(toy: Path) -> None:
    assert deidentify(NOTE, language="xx") == "Ze Zorqa [NAME] krum [DATE]. Vu [NAME] brim zol [EMAIL]."


@pytest.mark.parametrize("policy", policy_names())
def test_a_note_goes_through_every_policy(policy: str, toy: Path, key: Path) -> None:
    run = Deidentifier(detectors_for("xx"), policy=policy, key=key)
    first, second = run([Document(NOTE, "1", "p", "xx"), Document(NOTE, "2", "p", "xx")])
    assert first.document
    assert second.document
    assert "Blimquat" not in first.document.text
    assert "quill" not in first.document.text
    if policy in ("surrogate", "research"):
        assert second.document.text == first.document.text
        assert "[NAME]" not in first.document.text


def test_the_command_takes_it_when_it_is_named(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    done = elision("deidentify", tmp_path / "note.txt", "--language", "xx")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Ze Zorqa [NAME] krum [DATE]. Vu [NAME] brim zol [EMAIL]."


@pytest.mark.parametrize("stated", [True, False])
def test_a_table_goes_through(stated: bool, toy: Path, tmp_path: Path, key: Path) -> None:
    """The language is said for all notes, or by a column."""
    rows = [{"id": str(at), "patient": "p", "text": NOTE, "language": "toyish"} for at in range(3)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    how = () if stated else ("--language", "xx")
    done = elision("run", tmp_path / "notes.jsonl", "-o", tmp_path / "out.jsonl", "-P", "surrogate", "--key", key, *how)
    assert done.returncode == 0, done.stderr
    out = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(out) == 3
    assert not [original for row in out for original in ORIGINALS if original in row["text"]]


def test_its_proofs_are_run(toy: Path) -> None:
    done = elision("rules", "test", "xx")
    assert done.returncode == 0, done.stderr
    assert "xx: " in done.stdout


def test_words_of_its_own_count_in_all_notes(toy: Path) -> None:
    (toy / "detect.toml").write_text('streets = "zorq"\nmonths = ["ein", "zwo", "blorn"]\nbirth = ["blim.*"]\n')
    code = (
        "from elision.detect import dates, lists; "
        "print('zorq' in lists.STREETS, dates.MONTHS['blorn'], dates._BIRTH.search('blimmed') is not None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "3", "True"]


# -- which notes go to it


def test_no_note_goes_to_it_that_nobody_says_is_in_it(toy: Path) -> None:
    assert tell(NOTE).language != "xx"
    assert decide(NOTE).language != "xx"
    assert decide("El paciente acude por tos y fiebre desde hace tres días, sin otros síntomas.").language == "es"


@pytest.mark.parametrize("line", ['called = "toyish dutch"', 'called = "nl"', "omop = 4182503"])
def test_it_takes_no_name_of_another(line: str, toy: Path) -> None:
    (toy / "language.toml").write_text(line)
    with pytest.raises(RuleError, match="already") as told:
        decide("Jansen, kamer 12.", stated="Dutch")
    assert str(told.value).startswith(str(toy / "language.toml"))


def test_what_it_says_is_part_of_what_a_run_agrees_on(toy: Path) -> None:
    def agreed() -> dict[str, str]:
        return fingerprints("tag", "", (), ())

    before = agreed()
    (toy / "rules" / "names.toml").write_text(RULES + "\n# more\n")
    after = agreed()
    assert after != before
    (toy / "detect.toml").write_text('streets = "zorq"\n')
    assert agreed() != after


def test_a_record_may_say_it(toy: Path) -> None:
    told = decide(NOTE, stated="toyish")
    assert told.language == "xx"
    assert decide("Patienten klagar sedan igår över starka smärtor i vänster ben och kan inte längre gå. "
                  "Vid undersökningen syns en tydlig svullnad, pulsen är lätt att känna. Vi rekommenderar "
                  "inläggning på avdelningen och ett ultraljud av kärlen.", stated="xx").why.startswith(
        NOT_SUPPORTED
    )  # fmt: skip


def test_it_serves_what_tells_nothing_if_it_is_the_default(toy: Path) -> None:
    assert decide("brim zol", default="xx").language == "xx"


def test_a_language_that_is_told_and_not_ours_is_served_where_it_is_the_default_and_there(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swedish = "Patienten Erika Roe klagar sedan igår över smärtor i vänster knä och har ingen feber."
    assert decide(swedish, default="en").why == f"{NOT_SUPPORTED}: sv?"
    toy.rename(toy.parent / "sv")
    monkeypatch.setenv(MORE, f"{toy.parent}/")  # languages are read once for each such setting
    assert decide(swedish).why == f"{NOT_SUPPORTED}: sv?"
    assert decide(swedish, default="sv").language == "sv"
    assert decide(swedish, stated="sv").language == "sv"


def test_without_the_folder_there_is_no_such_language() -> None:
    with pytest.raises(LabelError, match=f"no language 'xx'; say one of {', '.join(served())}"):
        check_codes("xx")
    with pytest.raises(RuleError, match="no such language"):
        language("xx")


# -- folders that are none


def fails() -> str:
    with pytest.raises(ElisionError) as told:
        read_pack("xx")
    return str(told.value)


def test_toml_that_is_none_is_told_by_its_file(toy: Path) -> None:
    (toy / "language.toml").write_text("name = Toy")
    assert fails().startswith(f"{toy / 'language.toml'}: is no TOML")


@pytest.mark.parametrize("line", ["name = 3", 'omop = "x"', 'spaced = "no"', "called = [1]"])
def test_values_of_another_kind_are_told(line: str, toy: Path) -> None:
    (toy / "language.toml").write_text(line)
    assert fails().startswith(f"{toy / 'language.toml'}: {line.partition(' ')[0]} must be ")


def test_a_file_that_is_not_utf_8_is_told(toy: Path) -> None:
    (toy / "language.toml").write_bytes(b'name = "\xff"')
    assert fails() == f"{toy / 'language.toml'}: is not UTF-8"


def test_rules_that_do_not_compile_are_told_by_file_and_row(toy: Path) -> None:
    (toy / "rules" / "names.toml").write_text("[[rule]]\nname = 'x'\nlabel = 'DATE'\npattern = '[a-'\n")
    assert fails().startswith(f"{toy / 'rules' / 'names.toml'}, rule 1 (x)")


@pytest.mark.parametrize("name", ["My language", "XX", "x", "xx-YY"])
def test_a_name_that_is_no_code_is_told(name: str, toy: Path) -> None:
    folder = toy.rename(toy.parent / name)
    assert fails().startswith(f"{folder}: {name!r} is no code of a language")


def test_a_language_that_is_there_already_is_told(toy: Path) -> None:
    folder = toy.rename(toy.parent / "es")
    assert fails().startswith(f"{folder}: es is there already")


def test_a_folder_without_rules_is_told(toy: Path) -> None:
    (toy / "rules" / "names.toml").rename(toy / "rules" / "names.txt")
    assert fails() == f"{toy / 'rules'}: no file of rules (.toml) in this folder"


def test_a_place_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MORE, str(tmp_path / "none"))
    assert fails() == f"{tmp_path / 'none'}: no such folder; {MORE} names folders of languages"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("streets = 3", ": streets is a list of words"),
        ("streets = [3]", ": streets is a list of words"),
        ("streets = zorq", ": is no TOML"),
        ('usual = "jansen"', ": usual is not for added languages"),
        ('dropped = "jansen"', ": dropped is not for added languages"),
        ('birth = "(a"', ", birth: '(a' is no pattern"),
    ],
)
def test_words_that_are_none_are_told(line: str, why: str, toy: Path) -> None:
    (toy / "detect.toml").write_text(line)
    with pytest.raises(RuleError) as told:
        detection.any_of(line.partition(" ")[0])
    assert str(told.value).startswith(f"{toy / 'detect.toml'}{why}")


def test_the_command_tells_it_without_a_traceback(toy: Path, tmp_path: Path) -> None:
    (toy / "language.toml").write_text("name = Toy")
    (tmp_path / "note.txt").write_text(NOTE)
    done = elision("deidentify", tmp_path / "note.txt", "--language", "xx")
    assert done.returncode != 0
    assert f"{toy / 'language.toml'}: is no TOML" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_language_of_ours_waits_for_its_model(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    has = Language.has
    monkeypatch.setattr(Language, "has", lambda self, *parts: self.code != "nl" and has(self, *parts))
    assert decide("krum", stated="nl").why == f"{NOT_SUPPORTED}: nl"
    assert decide(NOTE, stated="xx").language == "xx"
    *most, last = served()
    assert "nl" not in (*most, last)
    with pytest.raises(LabelError, match=f"no language 'nl'; say one of {', '.join((*most, last))}"):
        check_codes("nl")
    assert f"{', '.join(most)} and {last}" in advice(NOT_SUPPORTED)
    assert read_pack("nl").rows  # its rules can be tried
