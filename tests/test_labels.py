"""The canonical labels, the tag sets, and the ways between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from elision.errors import LabelError
from elision.labels import (
    canonical,
    guess_tag_set,
    map_labels,
    mapping,
    mapping_named,
    nearest,
    parent,
    tag_set,
    tag_set_names,
)
from tests.notes import note

SETS = tag_set_names()


def test_the_canonical_labels() -> None:
    labels = canonical()
    assert {label.parent for label in labels.values()} == {
        "NAME", "LOCATION", "FACILITY", "DATE", "AGE", "CONTACT", "ID", "PROFESSION", "DEMOGRAPHIC", "OTHER",
    }  # fmt: skip
    # Safe Harbor's items A to R; Q, photographs, has no text
    assert {label.safe_harbor for label in labels.values()} - {""} == set("ABCDEFGHIJKLMNOPR")
    assert parent("NAME_RELATIVE") == "NAME"
    assert parent("SOMETHING_ELSE") == "SOMETHING_ELSE"


@pytest.mark.parametrize(
    ("label", "known", "found"),
    [
        ("ADDRESS", ["ADDRESS", "LOCATION_OTHER"], "ADDRESS"),
        ("ADDRESS", ["CITY", "LOCATION_OTHER"], "LOCATION_OTHER"),
        ("BIOMETRIC", ["ID_OTHER"], "ID_OTHER"),
        ("ADDRESS", ["CITY"], ""),
        ("SEX", ["OTHER", "DEMOGRAPHIC_OTHER"], ""),
        ("STATE", ["LOCATION_OTHER"], ""),
        ("PLAATS", ["LOCATION_OTHER"], ""),
        ("", ["OTHER"], ""),
    ],
)
def test_the_nearest_label_that_is_known(label: str, known: list[str], found: str) -> None:
    assert nearest(label, known) == found


@pytest.mark.parametrize("name", SETS)
def test_every_tag_comes_back_or_says_what_it_loses(name: str) -> None:
    tags = tag_set(name)
    there, back = mapping(tags, tag_set("canonical")), mapping(tag_set("canonical"), tags)
    assert set(there) == set(tags.tags)
    for tag, way in there.items():
        if not way.lossy:
            again = back[way.label]
            assert again.label == tag or tags.tags[tag].label == tags.tags[again.label].label


@pytest.mark.parametrize("name", SETS)
def test_canonical_labels_that_do_not_come_back_are_marked_lossy(name: str) -> None:
    tags = tag_set(name)
    for label, way in mapping(tag_set("canonical"), tags).items():
        assert bool(way.lossy) == (tags.tags[way.label].label != label)


@pytest.mark.parametrize("name", ["i2b2-2014", "meddocan", "nut"])
def test_the_papers_sets_have_a_place_for_every_label(name: str) -> None:
    assert set(mapping(tag_set("canonical"), tag_set(name))) == set(canonical())


def test_sizes_of_the_official_sets() -> None:
    sizes = {"i2b2-2006": 8, "i2b2-2014": 31, "meddocan": 29, "nut": 16, "deduce": 12, "physionet": 11}
    assert {name: len(tag_set(name).tags) for name in sizes} == sizes
    hipaa = {tag.name for tag in tag_set("i2b2-2014").tags.values() if tag.hipaa}
    assert "IDNUM" not in hipaa
    assert len(hipaa) == 18


def test_labels_are_taken_over() -> None:
    document = note("[PATIENT Jane Roe] of [CITY Hull]")
    ways = mapping(tag_set("i2b2-2014"), tag_set("meddocan"))
    assert [span.label for span in map_labels(document, ways).spans] == ["NOMBRE_SUJETO_ASISTENCIA", "TERRITORIO"]
    assert ways["CITY"].lossy.startswith("CITY becomes TERRITORIO")
    assert not ways["PATIENT"].lossy


def test_ways_by_name() -> None:
    assert mapping_named("meddocan:canonical") == mapping_named(":canonical", "meddocan")
    for names in ("meddocan", ":canonical", "meddocan:"):
        with pytest.raises(LabelError, match="does not name two tag sets"):
            mapping_named(names)


def test_an_unknown_label_is_an_error_with_a_hint_and_never_dropped() -> None:
    ways = mapping(tag_set("i2b2-2014"), tag_set("canonical"))
    with pytest.raises(LabelError, match=r"note note-1: span 0–8: .* 'PATEINT' \(did you mean PATIENT\?\)"):
        map_labels(note("[PATEINT Jane Roe]"), ways)


@pytest.mark.parametrize(
    ("labels", "name"),
    [
        (["PATIENT", "MEDICALRECORD"], "i2b2-2014"),
        (["NOMBRE_SUJETO_ASISTENCIA", "HOSPITAL"], "meddocan"),
        (["Care_Institute"], "nut"),
        (["persoon", "datum"], "deduce"),
        (["NAME_CLINICIAN"], "canonical"),
        (["US_SSN"], "presidio"),
        (["DATE"], None),
        (["NONSENSE"], None),
        ([], None),
    ],
)
def test_guessing_the_tag_set(labels: list[str], name: str | None) -> None:
    found = guess_tag_set(labels)
    assert (found.name if found else None) == name


def test_a_users_own_set_needs_no_code(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('[tags]\nPAT = "NAME_PATIENT"\nPLAATS = { label = "LOCATION_OTHER", lossy = "all places" }\n')
    ours = tag_set(str(file))
    ways = mapping(ours, tag_set("i2b2-2014"))
    assert ways["PAT"].label == "PATIENT"
    assert ways["PLAATS"].lossy == "all places"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tags = 3", r"needs a table \[tags\]"),
        ("[tags", "not valid TOML"),
        ('[tags]\nPAT = "NAME_PATEINT"', r"no canonical label 'NAME_PATEINT' \(did you mean NAME_PATIENT\?\)"),
        ('[tags]\nPAT = { lable = "NAME_PATIENT" }', "not lable"),
        ('[tags]\nPAT = "NAME_PATIENT"\n[back]\nNAME_OTHER = "PTA"', r"no tag 'PTA' \(did you mean PAT\?\)"),
        ('[tags]\nPAT = "NAME_PATIENT"\n[back]\nNONE = "PAT"', "no canonical label 'NONE'"),
        ("[tags]\nPAT = 7", "tag PAT: write a canonical label"),
        ("[tags]\nPAT = { label = 5 }", "tag PAT: label must be a string"),
        ('[tags]\nPAT = { label = ["a"] }', "tag PAT: label must be a string"),
        ('[tags]\nPAT = { label = "NAME_PATIENT", hipaa = "no" }', "tag PAT: hipaa must be true or false"),
        ('[tags]\nPAT = { label = "NAME_PATIENT", group = 5 }', "tag PAT: group must be a string"),
        ('[tags]\nPAT = { label = "NAME_PATIENT", lossy = 3 }', "tag PAT: lossy must be a string"),
        ('back = 5\n[tags]\nPAT = "NAME_PATIENT"', "back must be a table"),
        ('name = 5\n[tags]\nPAT = "NAME_PATIENT"', "name must be a string"),
        ('title = 5\n[tags]\nPAT = "NAME_PATIENT"', "title must be a string"),
        ('[tags]\nPAT = "NAME_PATIENT"\n[back]\nAGE = ["PAT"]', r"\[back\]: AGE must be a string"),
    ],
)
def test_a_set_that_is_wrong_says_where(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(text)
    with pytest.raises(LabelError, match=message):
        tag_set(str(file))


def test_no_such_set(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match=r"no tag set 'medocan' \(did you mean meddocan\?\)"):
        tag_set("medocan")
    with pytest.raises(LabelError, match="cannot read the tag set"):
        tag_set(str(tmp_path / "none.toml"))
