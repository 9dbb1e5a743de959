"""Labels that are none of the tag set by which notes are scored."""

from __future__ import annotations

from collections.abc import Iterable

from elision.document import Document
from elision.labels import tag_set, tag_set_names


def unmapped(golds: Iterable[Document], systems: Iterable[Document], name: str) -> str:
    """What to know of labels that are none of a tag set: of the named one, or of the one that knows most of gold's; ""
    if there are none such."""
    theirs = _labels(golds)
    names = (name,) if name else ("canonical", *tag_set_names())
    usual = max(map(tag_set, names), key=lambda tags: len(theirs & set(tags.tags)))
    known = set(usual.tags)
    told = [_told("gold", theirs - known), _told("the system", _labels(systems) - known)]
    if not any(told):
        return ""
    return (
        f"{' and '.join(filter(None, told))}: none of {usual.name}'s, so scores by type say little; map them first, "
        f"such as with --labels canonical:{usual.name}"
    )


def _told(side: str, foreign: set[str]) -> str:
    if not foreign:
        return ""
    more = f"{len(foreign)} labels of {side} ({min(foreign)}, …)"
    return more if len(foreign) > 1 else f"label {min(foreign)} of {side}"


def _labels(documents: Iterable[Document]) -> set[str]:
    return {span.label for document in documents for span in document.spans}
