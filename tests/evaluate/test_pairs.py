from __future__ import annotations

import pytest

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.matching import pair_two, pair_up

DATE = Span(0, 5, "DATE")


def _document(id: str, *spans: Span, text: str = "3 May, seen") -> Document:
    return Document(text, id, spans=spans)


def test_documents_are_paired_by_id_and_all_of_them_count() -> None:
    pairing = pair_up(
        [_document("a", DATE), _document("b", DATE)], [_document("c", DATE), _document("a", DATE), _document("d")]
    )
    assert [gold.id for gold, _ in pairing.both] == ["a"]
    assert [document.id for document in pairing.gold_only] == ["b"]
    assert [document.id for document in pairing.system_only] == ["c", "d"]
    assert [(gold.id, len(gold.spans), len(system.spans)) for gold, system in pairing.all()] == [
        ("a", 1, 1),
        ("b", 1, 0),
        ("c", 0, 1),
        ("d", 0, 0),
    ]


def test_two_systems_stand_note_by_note_beside_each_other() -> None:
    gold = [_document("a", DATE), _document("b", DATE)]
    a, b = pair_two(gold, [_document("b", DATE), _document("x", DATE)], [_document("a", DATE)])
    assert [pair[0].id for pair in a] == [pair[0].id for pair in b] == ["a", "b", "x"]
    assert [(len(gold.spans), len(system.spans)) for gold, system in a] == [(1, 0), (1, 1), (0, 1)]
    assert [(len(gold.spans), len(system.spans)) for gold, system in b] == [(1, 1), (1, 0), (0, 0)]


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        ([_document("a")], [_document("b")], r"no note is on both sides \(1 in gold, 1 in system\)"),
        ([_document("a")], [_document("a", text="3 May; seen")], "note a: .* different texts from offset 5 on"),
        ([_document("a")], [_document("a", text="3 May")], r"from offset 5 on \(11 and 5 characters\)"),
        ([_document("a"), _document("a")], [_document("a")], "note a is twice in gold"),
        ([_document("a")], [_document("a"), _document("a", DATE)], "note a is twice in system"),
    ],
)
def test_what_cannot_be_paired(gold: list[Document], system: list[Document], message: str) -> None:
    with pytest.raises(ScoreError, match=message) as caught:
        pair_up(gold, system)
    assert "May" not in str(caught.value)
