"""Recognisers of other programs: what they give is checked, and what cannot be holds the note."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import HeldError, LabelError
from elision.integrations.foreign import Find, Foreign, from_gliner, from_huggingface, from_spacy
from elision.pipeline import Deidentifier

TEXT = "😀 Jane Roe came.\r\n张伟 too."
PIECES = st.lists(st.sampled_from(["😀", "👩‍⚕️", "\r\n", "张伟", "Roe", "é", " ", ".", "\u200b"]), max_size=12).map(
    "".join
)


class Pipeline:
    """As Hugging Face's: callable, with dictionaries."""

    def __init__(self, found: Iterable[Any]) -> None:
        self.found = found

    def __call__(self, text: str) -> Iterable[Any]:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


class Gliner:
    def __init__(self, *found: dict[str, Any], longest: int = 384) -> None:
        self.found = found
        self.config = type("Config", (), {"max_len": longest})()

    def predict_entities(self, text: str, labels: list[str], threshold: float) -> tuple[dict[str, Any], ...]:
        return self.found


def group(start: Any, end: Any, label: Any = "PER", score: Any = 0.9) -> dict[str, Any]:
    return {"start": start, "end": end, "entity_group": label, "score": score}


Odd = type("Jane Roe", (Exception,), {})


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (ValueError("Jane Roe"), "failed (ValueError)"),
        (Odd("Jane Roe"), "failed"),
        ([group(2, 999)], "span-beyond-text"),
        ([group(-8, 3)], "empty-or-turned-round"),
        ([group(5, 2)], "empty-or-turned-round"),
        ([group(5, 5)], "empty-or-turned-round"),
        ([group(None, None)], "wrong-type"),
        ([group(True, 5)], "wrong-type"),
        ([group(2.0, 5)], "wrong-type"),
        ([group(2, 5, None)], "wrong-type"),
        ([group(2, 5, score="high")], "wrong-type"),
        ([group(2, 5, score=float("nan"))], "no-score"),
        ([group(2, 5, score=-1)], "no-score"),
        ([{"start": 2, "end": 5, "entity": "PER"}], "failed (KeyError)"),
        (["Jane Roe"], "failed (TypeError)"),
        (None, "failed (TypeError)"),
    ],
)
def test_a_hostile_recogniser_holds_the_note_and_quotes_nothing(found: Any, why: str) -> None:
    detector = from_huggingface(Pipeline(found), name="theirs")
    (cleaned,) = Deidentifier([detector])([Document(TEXT, language="en")])
    assert cleaned.document is None
    assert cleaned.receipt.why == f"theirs: {why}"
    with pytest.raises(HeldError) as told:
        detector.detect([Document(TEXT, language="en")])
    assert str(told.value) == f"theirs: {why}"


def test_one_bad_note_holds_no_other() -> None:
    def find(document: Document) -> list[Find]:
        return [Find(0, 3, "PER") if document.id == "good" else Find(0, 99, "PER")]

    notes = [Document("Roe came.", name, language="en") for name in ("good", "bad", "good")]
    done = Deidentifier([Foreign(find, name="theirs")])(notes)
    assert [one.document is None for one in done] == [False, True, False]


def test_overlapping_finds_are_covered_whole() -> None:
    detector = from_huggingface(Pipeline([group(2, 10), group(7, 15, "LOC", 0.4), group(2, 10, "ORG")]))
    (cleaned,) = Deidentifier([detector])([Document(TEXT, language="en")])
    assert cleaned.before
    hidden = {at for span in cleaned.before.spans for at in range(span.start, span.end)}
    assert hidden >= {*range(2, 10), *range(11, 15)}


def test_offsets_of_bytes_or_utf_16_hold_the_note() -> None:
    begin = len("😀 ".encode("utf-16-le")) // 2
    found = {"start": begin, "end": begin + 8, "label": "person", "text": "Jane Roe", "score": 0.9}
    detector = from_gliner(Gliner(found), {"person": "NAME_OTHER"}, name="theirs")
    (cleaned,) = Deidentifier([detector])([Document(TEXT, language="en")])
    assert cleaned.receipt.why == "theirs: offsets-of-another-text"


def test_what_a_model_would_not_read_holds_the_note() -> None:
    detector = from_gliner(Gliner(longest=3), {"person": "NAME_OTHER"}, name="theirs")
    (cleaned,) = Deidentifier([detector])([Document("One two three four.", language="en")])
    assert cleaned.receipt.why == "theirs: too-long-for-model"

    class Tokenizer:
        model_max_length = 3

        def __call__(self, text: str, **_: Any) -> dict[str, list[str]]:
            return {"input_ids": text.split()}

    pipeline = Pipeline([])
    pipeline.tokenizer = Tokenizer()  # type: ignore[attr-defined]
    (cleaned,) = Deidentifier([from_huggingface(pipeline, name="theirs")])(
        [Document("One two three 4.", language="en")]
    )
    assert cleaned.receipt.why == "theirs: too-long-for-model"
    pipeline._preprocess_params = {"tokenizer_params": {"stride": 1}}  # type: ignore[attr-defined]
    assert from_huggingface(pipeline).detect([Document("One two three four.")]) == [()]


def test_labels_go_by_a_table_and_unknown_ones_are_told_and_covered() -> None:
    found = [group(2, 6, "PER"), group(7, 10, "PET"), group(11, 15, "DRUG"), group(18, 20, "money")]
    detector = from_huggingface(Pipeline(found), labels={"drug": ""}, name="theirs")
    with pytest.warns(UserWarning, match=r"theirs: no label of ours for 'PET': its finds are covered as OTHER"):
        (spans,) = detector.detect([Document(TEXT)])
    assert [(span.start, span.label) for span in spans] == [(2, "NAME_OTHER"), (7, "OTHER")]
    assert detector.unmapped == {"PET"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        detector.detect([Document(TEXT)])  # once is enough
    with pytest.raises(LabelError, match="no label 'NAEM' of ours"):
        from_huggingface(Pipeline([]), labels={"PER": "NAEM"})


def test_a_label_that_may_be_text_is_not_quoted() -> None:
    with pytest.warns(UserWarning, match="of a strange name") as told:
        from_huggingface(Pipeline([group(2, 6, "Jane Roe")])).detect([Document(TEXT)])
    assert "Roe" not in str(told[0].message)


@cache
def _blank() -> Any:
    return pytest.importorskip("spacy").blank("en")


@pytest.mark.slow
@given(PIECES, PIECES, PIECES)
def test_offsets_of_spacy_are_ours(before: str, name: str, after: str) -> None:
    nlp = _blank()

    def found(text: str) -> Any:
        doc = nlp(text)
        span = doc.char_span(len(before), len(before + name), "PERSON", alignment_mode="expand")
        doc.ents = [span] if span is not None and len(span) else []
        return doc

    text = before + name + after
    (spans,) = from_spacy(found).detect([Document(text)])
    assert [(span.start, span.end) for span in spans] == [(one.start_char, one.end_char) for one in found(text).ents]


def test_spacy_tells_its_version() -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Jane Roe"}])
    detector = from_spacy(nlp)
    assert detector.name == "spacy:en_pipeline"
    assert detector.version.startswith("spacy 3")
    assert detector.detect([Document(TEXT)]) == [(Span(2, 10, "NAME_OTHER", 1.0, detector.name),)]


def test_one_call_at_a_time_goes_to_it() -> None:
    inside, most = [0], [0]

    def find(document: Document) -> list[Find]:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        sum(range(10_000))
        inside[0] -= 1
        return [Find(0, 3, "PER")]

    detector = Foreign(find, name="theirs")
    threads = [Thread(target=detector.detect, args=([Document("Roe")] * 20,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
