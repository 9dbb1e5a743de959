from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from elision.document import first_overlap
from elision.errors import SynthError
from elision.labels import canonical
from elision.languages.synth_data import language_named
from elision.synth import profiles
from elision.synth.expand import Expander
from elision.synth.generate import BLOCK, Maker, shares_of
from elision.synth.noise import QUIET, Noise
from elision.synth.profiles import Profile, profile_names, read_profile
from elision.synth.reading import parse
from elision.synth.tilt import Counts, Tilt
from tests.synth.small import cast, setting, write

LETTER = """note = {head}\\n{line*2-6|\\n}\\n{foot}
head = Patient: <patient:full> | <dob> <mrn> | {=<hospital>/<clinic>}
line =
  | 2: Seen by <doctor:title_last> at <n:1-999999>. | {visit} | Well, <n:1-9> tablets.
  | Aged <age:number>, <n:1-999999>. | {line}\\n{line}
visit = Seen on <date:recent>. | Seen on <date:past> and <date:past>.
foot = <doctor:sign> | {foot?.2} <phone>
page = Name: <patient:caps_full>
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of small English grammars in the place of ours."""
    (tmp_path / "en").mkdir()
    write(
        tmp_path / "en", letter=LETTER, other="countries GB\nnote = Dear <patient:title_last>, come on <date:future>.",
        held_out_card="note = <patient:last> <date:visit,numeric>\\n<doctor:last>", shared_words="x = a",
        inject="note = a",
    )  # fmt: skip
    monkeypatch.setattr(profiles, "language_folder", lambda code, _: tmp_path / code)
    return tmp_path


US = Profile("small", "en", countries=("US",), notes_per_patient=(2, 5))


def test_a_note_is_the_same_whatever_is_made_before(folder: Path) -> None:
    maker = Maker(US, seed=5)
    notes = list(maker.notes(range(150)))
    assert list(Maker(US, seed=5).notes(range(100, 120))) == notes[100:120]
    assert Maker(US, seed=5).note(149) == notes[149]
    assert Maker(US, seed=6).note(3).text != notes[3].text


def test_notes_are_well_made(folder: Path) -> None:
    loud = Profile(
        "loud", "en", noise=Noise(copied=0.5, wrapped=0.5, paged=1, hasty=1, typos=0.05, glued=0.05), ocr=0.5
    )
    for profile in (US, loud):
        for note in Maker(profile, 1).notes(range(150)):
            assert note.text.strip()
            assert first_overlap(note.spans) is None
            for span in note.spans:
                assert span.label in canonical()
                piece = note.text_of(span)
                assert piece
                assert piece == piece.strip()


def test_notes_stream(folder: Path) -> None:
    first = list(islice(Maker(US, 1).notes(iter(range(10**12))), 3))
    assert [note.id for note in first] == ["small-train-000000", "small-train-000001", "small-train-000002"]


def test_patients_have_several_notes(folder: Path) -> None:
    notes = list(Maker(US, 1).notes(range(3 * BLOCK)))
    by: dict[str, list[int]] = {}
    for number, note in enumerate(notes):
        by.setdefault(note.patient, []).append(number)
    sizes = [len(numbers) for numbers in by.values()]
    assert max(sizes) == 5
    assert sum(size < 2 for size in sizes) <= 3  # the last one of a block may be cut short
    assert all(numbers == list(range(numbers[0], numbers[-1] + 1)) for numbers in by.values())


def test_sides_have_their_grammars(folder: Path) -> None:
    assert all("Dear" in note.text or len(note.text) > 20 for note in Maker(US, 1).notes(range(20)))
    held = list(Maker(US, 1, "held_out").notes(range(20)))
    assert all(note.text.count("\n") == 1 for note in held if "held" in note.id)
    both = Maker(US, 1, "both")
    assert sorted(way.grammar.name for way in both.ways["US"][0]) == ["held_out_card", "letter"]


def test_a_country_has_its_grammars(folder: Path) -> None:
    names = {code: [way.grammar.name for way in ways[0]] for code, ways in Maker(Profile("p", "en"), 1).ways.items()}
    assert names == {"US": ["letter"], "AU": ["letter"], "GB": ["letter", "other"]}


def test_a_grammar_is_for_its_patients(folder: Path) -> None:
    write(folder / "en", birth="patients f 15-49\nnote = <patient:first> gave birth.")
    maker = Maker(Profile("p", "en", {"birth": 5.0, "letter": 1.0}, noise=QUIET), 1)
    births = [note for note in maker.notes(range(150)) if "gave birth" in note.text]
    assert births
    assert {span.info["gender"] for note in births for span in note.spans} == {"f"}


def test_a_profile_without_its_grammar_takes_what_there_is(folder: Path) -> None:
    maker = Maker(Profile("p", "en", {"letter": 1.0}), 1, "held_out")
    assert [way.grammar.name for way in maker.ways["US"][0]] == ["held_out_card"]


def test_grammars_are_weighed_by_name_and_pattern(folder: Path) -> None:
    profile = Profile("p", "en", {"*": 0.5, "let*": 3.0, "other": 0.0})
    found = profiles.grammar_files(profile, "both")
    assert {path.stem: weight for path, weight in found.items()} == {"letter": 3.0, "held_out_card": 0.5}
    with pytest.raises(SynthError, match=r"none in .* is called lettre"):
        Maker(Profile("p", "en", {"lettre": 1.0}), 1)


def test_whole_notes_are_drawn_like_grammars_by_their_number_and_patients(folder: Path) -> None:
    (folder / "en" / "letters.notes").write_text("==== f\nShe is well. <dob>\n====\nA visit. <dob>\n" * 8, "utf-8")
    notes = list(Maker(Profile("p", "en", {"letters": 1.0, "letter": 1.0}, noise=QUIET), 1).notes(range(400)))
    of = [note.text.startswith(("She is well. ", "A visit. ")) for note in notes]
    assert 0.5 < sum(of) / 400 < 0.75  # 16 of them, as two grammars; half of them are not for men
    women = [note for note in notes if note.text.startswith("She is well. ")]
    assert 20 < len(women) < 200


def test_a_language_without_grammars_is_told(folder: Path) -> None:
    with pytest.raises(SynthError, match="no grammar for the side train"):
        Maker(Profile("p", "nl"), 1)


def test_expected_counts_are_those_that_come() -> None:
    grammar, language = parse(LETTER), language_named("en")
    counts = Counts(grammar, language, ("DATE", "NAME_CLINICIAN", "AGE"))
    _, symbols = counts.expected(counts.base)
    expected = symbols[counts.start]
    expander, of = Expander(grammar), setting()
    seen = np.zeros(4)
    for number in range(1500):
        for span in expander.expand(cast(number, of=of))[1]:
            seen[counts.labels.index(span.label) if span.label in counts.labels else 3] += 1
    assert np.allclose(seen / seen.sum(), expected / expected.sum(), atol=0.03)


def test_weights_are_tilted_to_the_rates_asked_for() -> None:
    grammar, language = parse(LETTER), language_named("en")
    for share in (0.1, 0.4):
        goal = {"DATE": share, "NAME_CLINICIAN": 0.3, "AGE": 0.1}
        weights = Tilt(grammar, language, tuple(goal)).towards(goal)
        assert set(weights) == set(grammar.symbols)
        expander, of = Expander(grammar, weights), setting()
        labels = [span.label for number in range(800) for span in expander.expand(cast(number, of=of))[1]]
        for label, asked in goal.items():
            assert labels.count(label) / len(labels) == pytest.approx(asked, abs=0.05)


def test_a_label_that_no_grammar_has_changes_little() -> None:
    weights = Tilt(parse("note = a <mrn> | b"), language_named("en"), ("FAX",)).towards({"FAX": 0.5})
    assert all(weight > 0 for row in weights.values() for weight in row)
    bare = Tilt(parse("note = a | 3: b"), language_named("en"), ("FAX",))
    assert bare.towards({"FAX": 0.5}) == {"note": (1.0, 3.0)}


def test_shares_are_counted(folder: Path) -> None:
    shares = shares_of(Maker(US, 1).notes(range(100)))
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


@pytest.mark.parametrize("name", profile_names())
def test_our_profiles_can_be_read(name: str) -> None:
    profile = read_profile(name)
    assert profile.language in ("en", "es", "nl", "zh")
    assert sum(profile.labels.values()) <= 1.0001


@pytest.mark.slow
@pytest.mark.parametrize("side", ["train", "held_out"])
@pytest.mark.parametrize("name", profile_names())
def test_our_profiles_make_notes(name: str, side: str) -> None:
    for note in Maker(read_profile(name), 2, side).notes(range(60)):
        assert first_overlap(note.spans) is None
        for span in note.spans:
            assert span.label in canonical()
            assert note.text_of(span) == note.text_of(span).strip() != ""


BAD = [
    ("", "says no language"), ('language = "fr"', "no notes can be made in this language"), ('language = "en"\nx = 1',
    "no such key x"),
    ('language = "en"\ncountries = ["FR"]', "no country FR"), ('language = "en"\n[labels]\nNOBODY = 0.1', "NOBODY"),
    ('language = "en"\n[labels]\nDATE = 2', "DATE = 2"), ('language = "en"\n[noise]\ntypos = 3', "typos = 3"),
    ('language = "en"\n[noise]\nx = 3', "x"), ('language = "en"\nnotes_per_patient = [3, 2]', "the fewer first"),
    ('language = "en"\nyears = [2020, 2010]', "the lesser first"), ("language = ", "is no TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_bad_profile_is_told(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p.toml").write_text(text, "utf-8")
    with pytest.raises(SynthError, match=message):
        read_profile(str(tmp_path / "p.toml"))


def test_an_unknown_profile_is_told() -> None:
    with pytest.raises(SynthError, match=r"no such profile; there are .*i2b2-2014-like"):
        read_profile("nothing")


def test_quiet_is_no_noise() -> None:
    assert Profile("p", "en", noise=QUIET).noise == QUIET
