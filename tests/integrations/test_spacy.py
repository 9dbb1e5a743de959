"""elision in spaCy's pipelines."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

spacy = pytest.importorskip("spacy")

from elision.document import Document, Span  # noqa: E402
from elision.errors import HeldError, LabelError, PolicyError  # noqa: E402
from elision.integrations.spacy import NAME, ElisionPipe, _along, _disjoint  # noqa: E402
from elision.pipeline import Cleaned  # noqa: E402

NOTE = "😀 Seen by Dr. Jane Roe on 3 May 2001.\r\nNo fever."
DUTCH = "Mevrouw J. de Vries werd op 3 mei 2001 door dokter Bakker gezien."
PIECES = st.lists(
    st.sampled_from(["😀", "👩‍⚕️", "\r\n", "张伟", "Roe", "é", "  ", ".", "-", "don't", "\u200b"]),
    min_size=1,
    max_size=12,
).map("".join)


def pipeline(code: str = "en", **config: Any) -> Any:
    nlp = spacy.blank(code)
    nlp.add_pipe("elision", config={"effort": "fast", **config})
    return nlp


def test_what_is_found_stands_in_the_doc() -> None:
    doc = pipeline()(NOTE)
    assert [(one.text, one.label_) for one in doc.ents] == [("Jane Roe", "NAME_CLINICIAN"), ("3 May 2001", "DATE")]
    assert [one.text for one in doc.spans[NAME]] == ["Jane Roe", "3 May 2001"]
    scores = doc.spans[NAME].attrs["scores"]
    assert len(scores) == 2
    assert all(0 < score <= 1 for score in scores)
    assert doc._.elision_clean == "😀 Seen by Dr. [NAME] on [DATE].\r\nNo fever."


def test_entities_of_others_stay_where_they_are_free() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(
        [{"label": "SYMPTOM", "pattern": "fever"}, {"label": "PERSON", "pattern": "Roe"}]
    )
    nlp.add_pipe("elision", config={"effort": "fast"})
    assert [one.label_ for one in nlp(NOTE).ents] == ["NAME_CLINICIAN", "DATE", "SYMPTOM"]
    assert [one.label_ for one in pipeline(ents=False)(NOTE).ents] == []


def test_many_at_a_time_and_in_processes_are_the_same() -> None:
    nlp, texts = pipeline(), [NOTE, "No fever.", "", NOTE.replace("Jane", "Ann")] * 2
    alone = [[one.text for one in nlp(text).ents] for text in texts]
    assert [[one.text for one in doc.ents] for doc in nlp.pipe(texts, batch_size=3)] == alone
    docs = list(nlp.pipe(texts, n_process=2))
    assert [[one.text for one in doc.ents] for doc in docs] == alone
    assert docs[0].spans[NAME].attrs["scores"] == nlp(NOTE).spans[NAME].attrs["scores"]


def test_a_pipeline_of_many_languages_lets_each_text_tell_its_own() -> None:
    nlp = pipeline("xx")
    english, dutch = nlp.pipe([NOTE, DUTCH])
    assert "Jane Roe" in [one.text for one in english.ents]
    assert any("Vries" in one.text for one in dutch.ents)
    assert any("Vries" in one.text for one in pipeline(language="nl")(DUTCH).ents)


def test_it_is_saved_and_read_again(tmp_path: Path) -> None:
    nlp = pipeline(policy="mask")
    nlp.to_disk(tmp_path / "pipeline")
    said = nlp(NOTE)._.elision_clean
    assert "*" in said
    assert spacy.load(tmp_path / "pipeline")(NOTE)._.elision_clean == said
    assert spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())(NOTE)._.elision_clean == said
    again = pickle.loads(pickle.dumps(nlp.get_pipe("elision")))
    assert again(spacy.blank("en")(NOTE))._.elision_clean == said


def test_a_text_that_is_held_is_an_error_or_left_out() -> None:
    nlp = pipeline("xx")
    swedish = "Patienten kom till mottagningen och hade ont i magen sedan flera dagar tillbaka."
    with pytest.raises(HeldError, match="the text is held"):
        nlp(swedish)
    seen: list[Any] = []
    nlp.set_error_handler(lambda name, proc, docs, error: seen.append(error))
    assert [doc.text for doc in nlp.pipe([NOTE, swedish])] == [NOTE]
    assert isinstance(seen[0], HeldError)
    with pytest.raises(ValueError, match="E005"):  # no unmarked text comes out of one call, either
        nlp(swedish)


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(LabelError, match="language"):
        ElisionPipe("elision", language="tlh")
    with pytest.raises(PolicyError, match="needs a key"):
        pipeline(policy="surrogate")(NOTE)


@cache
def _bare() -> Any:
    return spacy.blank("en")


@pytest.mark.slow
@given(PIECES, PIECES, PIECES)
@example("😀", "😀  😀", "😀")
def test_spans_that_cut_a_token_grow_to_it(before: str, name: str, after: str) -> None:
    doc = _bare()(before + name + after)
    start, end = len(before), len(before + name)
    start += len(name) - len(name.lstrip())
    end -= len(name) - len(name.rstrip())
    if start >= end:
        return
    middle = (start + end) // 2
    found = [_along(doc, *piece, "NAME_OTHER") for piece in ((start, middle), (middle, end)) if piece[0] < piece[1]]
    assert found[0].start_char <= start
    assert found[-1].end_char >= end
    ents = _disjoint(doc, found)
    doc.ents = ents
    tokens = [token.i for one in ents for token in one]
    assert len(tokens) == len(set(tokens))
    assert set(tokens) == {token.i for one in found for token in one}


def test_spans_over_many_tokens_are_whole() -> None:
    doc = spacy.blank("en")("Re:JaneRoe2001 came")
    receipt: Any = None
    before = Document(doc.text, spans=(Span(3, 7, "NAME_OTHER"), Span(10, 14, "DATE")))
    marked = ElisionPipe("elision")._marked(doc, Cleaned(Document("x"), receipt, before))
    assert [(one.text, one.label_) for one in marked.ents] == [("JaneRoe2001", "NAME_OTHER")]
    assert [one.text for one in marked.spans[NAME]] == ["JaneRoe2001", "JaneRoe2001"]


def test_the_entry_point_is_declared_and_elision_does_without_spacy() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["spacy_factories"] == {"elision": "elision.integrations.spacy:make"}
    code = "import sys, elision; elision.Deidentifier; assert not {'spacy', 'presidio_analyzer'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
