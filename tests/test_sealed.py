"""Texts for a language model, and its answers: what goes out, what comes back, and what cannot be told."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import Any

import pytest

import elision
from elision.errors import HeldError, ListError
from elision.keys import Key
from elision.policy import Policy

KEY = Key(bytes(range(32)))
TEXT = "Dr. Jane Quillfeather saw her on 3 May 2001. Dr. Quillfeather called on 03/05/2001. MRN: 4711-0815."
PLACEHOLDER = re.compile(r"\[[A-Z_]+_\d+[a-z]?-[2-9B-Z]{5}\]")
FAST: dict[str, Any] = {"effort": "rules", "language": "en"}


def test_a_text_goes_out_sealed_and_its_answer_is_opened() -> None:
    with elision.sealed(TEXT, key=KEY, **FAST) as (safe, reopen):
        assert not re.search(r"Quillfeather|2001|4711", safe)
        assert len(set(PLACEHOLDER.findall(safe))) == 5
        assert reopen(safe) == TEXT
        name = PLACEHOLDER.findall(safe)[0]
        assert reopen(f"Dear {name.lower()},") == "Dear Jane Quillfeather,"
        assert "".join(reopen.stream([safe[:30], safe[30:41], safe[41:]])) == TEXT


def test_texts_of_a_chat_share_one_mapping() -> None:
    messages = ["You write letters.", TEXT, "", "Thanks! Is Dr. Quillfeather in?"]
    with elision.sealed(messages, key=KEY, **FAST) as (safe, reopen):
        assert (safe[0], safe[2]) == (messages[0], "")
        assert "Quillfeather" not in safe[3]
        (name,) = PLACEHOLDER.findall(safe[3])
        assert name in safe[1]
        assert [reopen(one) for one in safe] == messages


def test_a_short_text_is_read_in_the_language_of_the_others() -> None:
    with pytest.raises(HeldError, match="text 1 is held: language-not-told; say --language"):
        elision.sealed("Quillfeather?", effort="rules")
    with elision.sealed([TEXT, "Quillfeather?"], effort="rules") as (safe, _):
        assert "Quillfeather" not in safe[1]


def test_nothing_remains_of_what_another_text_names() -> None:
    """What is found in one message, and overlooked in another, goes there, too."""
    with elision.sealed([TEXT, "the number 4711-0815 was wrong"], **FAST) as (safe, _):
        assert "4711" not in safe[1]


def test_the_same_texts_and_key_make_the_same_placeholders_and_no_others_do() -> None:
    def made(text: str, key: Key | None) -> set[str]:
        with elision.sealed(text, key=key, **FAST) as (safe, _):
            return set(PLACEHOLDER.findall(safe))

    assert made(TEXT, KEY) == made(TEXT, KEY)
    others = (made(TEXT, Key.new()), made(TEXT, None), made(TEXT, None), made(f"{TEXT} Fever.", KEY))
    assert len(set.union(made(TEXT, KEY), *others)) == 5 * len(made(TEXT, KEY))


def test_a_placeholder_of_another_patient_stays_closed() -> None:
    with (
        elision.sealed("Seen by Dr. Quillfeather.", key=KEY, **FAST) as (one, reopen),
        elision.sealed("Seen by Dr. Marchbanks.", key=KEY, **FAST) as (other, _),
    ):
        assert reopen(f"{one} {other}") == f"Seen by Dr. Quillfeather. {other}"
        assert reopen.closed == ("NAME_1",)


def test_what_somebody_types_as_a_placeholder_is_sealed_itself() -> None:
    typed = "Ask [NAME_1-7KQ4M] and [NAME_1] about Dr. Quillfeather. [sealed:abc]"
    with elision.sealed(typed, key=KEY, **FAST) as (safe, reopen):
        assert "7KQ4M" not in safe
        assert "[NAME_2-" in safe  # [NAME_1] is the text's own
        assert reopen(safe) == typed
        assert reopen("[NAME_1-7KQ4M]") == "[NAME_1-7KQ4M]"


def test_lists_and_known_values_count_here_too(tmp_path: Path) -> None:
    key = tmp_path / "project.key"
    KEY.write(key)
    said = {"known": {"name": "Mei Quirke"}, "allow": ["Quillfeather"], "deny": ["Falcon"], **FAST}
    with elision.sealed("Quirke saw Dr. Quillfeather in Falcon.", key=key, **said) as (safe, reopen):
        assert PLACEHOLDER.sub("*", safe) == "* saw Dr. Quillfeather in *."
        assert reopen(safe).startswith("Quirke")
    with pytest.raises(ListError):
        elision.sealed(TEXT, allow=["?"], **FAST)


def test_the_mapping_is_shown_nowhere_and_ends_with_the_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = elision.sealed(TEXT, key=KEY, **FAST)
    assert "Quillfeather" not in repr(made)
    with made as (safe, reopen):
        assert "Quillfeather" not in repr(reopen)
    with pytest.raises(elision.ElisionError, match="inside the `with` block"):
        reopen(safe)
    with pytest.raises(ValueError, match="no answer"), elision.sealed(TEXT, **FAST) as (_, other):
        raise ValueError("no answer")
    assert repr(other) == "<Reopen: over>"
    gc.collect()
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("texts", ["", [], [""], ["", " \n"]])
def test_texts_without_a_word_pass(texts: Any) -> None:
    with elision.sealed(texts) as (safe, reopen):
        assert safe == texts
        assert reopen("Fine.") == "Fine."


def test_what_is_no_text_is_refused() -> None:
    wrong: Any
    for wrong in ([3], [{"content": TEXT}], 3):
        with pytest.raises(TypeError):
            elision.sealed(wrong)
    with pytest.raises(TypeError, match="polcy"):
        elision.sealed(TEXT, polcy="tag")  # type: ignore[call-overload]


def test_a_policy_that_seals_is_shipped() -> None:
    policy = Policy.named("seal")
    assert policy.keyed
    assert {rule.do for rule in policy.rules.values()} == {"seal"}
    assert elision.deidentify("Seen by Dr. Quillfeather.", policy="seal", key=KEY, **FAST).startswith("Seen by Dr. [se")


def test_the_page_about_models_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELISION_EFFORT", "fast")
    page = Path(__file__).parents[1] / "docs" / "llm.md"
    exec("\n".join(re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)), {})
    first, second, third = capsys.readouterr().out.splitlines()
    assert PLACEHOLDER.sub("*", first) == "Dr. * saw her on *. The fever is gone."
    assert second == "Dr. Jane Quillfeather saw her on 3 May 2001. The fever is gone."
    assert third == "Write to Dr. Quillfeather, and thank her for the visit."
