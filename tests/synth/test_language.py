"""The languages in which notes can be made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from elision.errors import SynthError
from elision.languages.base import MORE, language
from elision.languages.synth_data import is_made, language_named, languages_made
from elision.synth.profiles import read_profile

pytestmark = pytest.mark.slow  # processes, trainings: minutes together


def test_a_language_tells_what_its_notes_are_made_of() -> None:
    assert languages_made() == ("en", "es", "nl", "zh")
    for code in languages_made():
        found = language_named(code)
        assert found.code == code
        assert found is language(code).synth
        assert next(iter(found.mixture)) == code
        assert {read_profile(name).language for name in found.mixture} == {code}
        assert sum(found.mixture.values()) == pytest.approx(1)


def test_a_language_of_rules_alone_makes_no_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xx" / "rules").mkdir(parents=True)
    (tmp_path / "xx" / "rules" / "rules.toml").write_text("", "utf-8")
    (tmp_path / "xx" / "synth_notes.py").write_text("SYNTH_NOTES = 1", "utf-8")  # no code of others is run
    monkeypatch.setenv(MORE, str(tmp_path))
    assert language("xx").synth is None
    assert not is_made("xx")
    assert "xx" not in languages_made()
    with pytest.raises(SynthError, match="xx: no notes can be made in this language; there are en, es, nl, zh"):
        language_named("xx")


WITHOUT_FAKER = """
import sys
sys.modules["faker"] = None
from elision.languages.synth_data import languages_made
from elision.synth.learning import made
assert all(made(code, 10) for code in languages_made())
"""


def test_notes_are_made_without_faker() -> None:
    """Its lists are frozen in ours: another version of it must change no note."""
    subprocess.run([sys.executable, "-c", WITHOUT_FAKER], check=True)
