"""Policies: what the shipped ones say of every label, and what is wrong with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from elision.errors import PolicyError
from elision.labels import canonical
from elision.policy import OPERATORS, Policy, parse, policy_names


@pytest.mark.parametrize("name", policy_names())
def test_a_shipped_policy_has_a_rule_for_every_label(name: str) -> None:
    policy = Policy.named(name)
    assert policy.title
    assert policy.name == name
    assert {policy.rule(label).do for label in canonical()} <= set(OPERATORS)


def test_the_policies_that_the_handbook_names_are_there() -> None:
    named = {"tag", "mask", "redact", "surrogate", "safe-harbor", "limited-data-set", "research", "gdpr-pseudonymous"}
    named |= {"trienes2020", "seal"}
    assert named == set(policy_names())


@pytest.mark.parametrize("label", [name for name, label in canonical().items() if label.safe_harbor])
def test_safe_harbor_lets_no_item_stay(label: str) -> None:
    assert Policy.named("safe-harbor").rule(label).do in ("tag", "generalise")


def test_the_limit_for_ages_is_89_where_none_is_said() -> None:
    assert parse('[labels]\nAGE = "generalise"', "test.toml").rule("AGE").over == 89
    assert {Policy.named(name).rule("AGE").over for name in policy_names()} == {89}


def test_a_limited_data_set_keeps_dates_towns_and_postcodes_and_no_direct_identifier() -> None:
    policy = Policy.named("limited-data-set")
    kept = {label for label in canonical() if policy.rule(label).do == "keep"}
    assert {"DATE", "DATE_BIRTH", "AGE", "CITY", "STATE", "ZIP"} <= kept
    assert not kept & {"NAME_PATIENT", "NAME_RELATIVE", "STREET", "ADDRESS", "PHONE", "EMAIL", "MEDICAL_RECORD"}


def test_the_closest_rule_wins() -> None:
    policy = parse('[labels]\n"*" = "mask"\nNAME = "tag"\nNAME_CLINICIAN = "keep"', "p.toml")
    assert [policy.rule(name).do for name in ("NAME_CLINICIAN", "NAME_PATIENT", "CITY")] == ["keep", "tag", "mask"]
    assert not policy.keyed
    assert parse('[labels]\nNAME = "hash"', "p.toml").keyed


def test_the_digest_tells_rules_apart_and_nothing_else() -> None:
    one, same = (parse(f'title = "{title}"\n[labels]\nNAME = "tag"', "p.toml") for title in "ab")
    assert one.digest == same.digest
    assert one.digest != parse('weeks = true\n[labels]\nNAME = "tag"', "p.toml").digest
    assert one.digest != parse('[labels]\nNAME = "mask"', "p.toml").digest


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "needs a table [labels]"),
        ("[labels]", "needs a table [labels]"),
        ("labels = [", "not valid TOML"),
        ('[labels]\nNAM = "tag"', "NAM: no such label (did you mean NAME?)"),
        ('[labels]\nNAME = "shif"', "NAME: say what to do, one of keep, tag"),
        ('[labels]\nNAME = "shift"', "NAME: shift is for DATE only"),
        ('[labels]\n"*" = "generalise"', "*: generalise is for AGE, DATE, ZIP only"),
        ('[labels]\nNAME = 3', "NAME: say what to do"),
        ('[labels]\nNAME = { do = "mask", text = "x" }', "NAME: mask has no text"),
        ('[labels]\nNAME = { do = "tag", text = 3 }', "NAME: text must be str"),
        ('[labels]\nAGE = { do = "generalise", over = true }', "AGE: over must be int"),
        ('wekks = true\n[labels]\nNAME = "tag"', "no such option wekks"),
        ('weeks = "yes"\n[labels]\nNAME = "tag"', "weeks must be true or false"),
        ('clinicians = "never"\n[labels]\nNAME = "tag"', "clinicians is patient or everywhere"),
        ('[labels]\nHOSPITAL = "shuffle"', 'HOSPITAL: shuffle needs among = "FILE"'),
        ('[labels]\nHOSPITAL = { do = "shuffle", among = "none.txt" }', 'shuffle needs among = "FILE"'),
        ('[labels]\nCITY = { do = "shuffle", among = "x" }', "CITY: shuffle is for CARE_FACILITY, DEPARTMENT"),
        ('[labels]\nAGE = { do = "generalise", cap = 89 }', "AGE: cap must be bool"),
        ('title = 3\n[labels]\nNAME = "tag"', "title must be a string"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text: str, says: str) -> None:
    with pytest.raises(PolicyError) as caught:
        parse(text, "ours.toml")
    assert str(caught.value).startswith("ours.toml: ")
    assert says in str(caught.value)


SECRET = "Quetzalcoatl House"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "has 0 names; give 2 to 100,000"),
        (f"{SECRET}\n\n {SECRET}\n".encode(), "has 1 names"),
        (SECRET.encode("utf-16"), "is not UTF-8 text"),
    ],
)
def test_a_list_to_shuffle_that_is_none_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_bytes(content)
    (tmp_path / "ours.toml").write_text('[labels]\nHOSPITAL = { do = "shuffle", among = "names.txt" }\n', "utf-8")
    with pytest.raises(PolicyError, match=says) as caught:
        Policy.named(tmp_path / "ours.toml")
    assert SECRET not in str(caught.value)


def test_a_list_to_shuffle_lies_beside_the_policy_and_counts_for_its_digest(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('[labels]\nHOSPITAL = { do = "shuffle", among = "names.txt" }\n', "utf-8")
    digests = set()
    for names in ("Vale Clinic\nSt Brannoc\n", "Vale Clinic\n\nSt  Brannoc", f"Vale Clinic\n{SECRET}\n"):
        (tmp_path / "names.txt").write_text(names, "utf-8")
        policy = Policy.named(file)
        digests.add(policy.digest)
        assert policy.keyed
        assert SECRET not in repr(policy)
    assert len(digests) == 2


def test_labels_without_a_rule(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('[labels]\nNAME = "tag"\n', "utf-8")
    policy = Policy.named(file)
    with pytest.raises(PolicyError, match="no rule for label CITY; add one for CITY, LOCATION or \\*"):
        policy.rule("CITY")
    with pytest.raises(PolicyError, match="label 'FECHAS' is none of ours"):
        policy.rule("FECHAS")


@pytest.mark.parametrize(
    ("name", "says"), [("safe-harbour", "did you mean safe-harbor"), ("none.toml", "cannot read the policy")]
)
def test_a_policy_that_is_not_there(name: str, says: str) -> None:
    with pytest.raises(PolicyError, match=says):
        Policy.named(name)
