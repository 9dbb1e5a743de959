"""The papers whose tables can be made, by name."""

from __future__ import annotations

from collections.abc import Sequence

from elision.errors import ScoreError
from elision.papers.studies import cotik2019, he2015, trienes2020, ts_rnn, zuccon2013
from elision.papers.studies.study import Item, Study

PAPERS = (he2015, cotik2019, zuccon2013, ts_rnn, trienes2020)
STUDIES: dict[str, Study] = {paper.STUDY.name: paper.STUDY for paper in PAPERS}


def study_named(name: str) -> Study:
    if name not in STUDIES:
        raise ScoreError(f"no paper {name[:40]!r}; there are: {', '.join(STUDIES)}")
    return STUDIES[name]


def items_of(study: Study, only: Sequence[str]) -> tuple[Item, ...]:
    """The tables and figures that were asked for, in the paper's order; all of them if none was named."""
    known = {item.key: item for item in study.items}
    wanted = {part.strip().lower().replace(" ", "") for each in only for part in each.split(",")}
    if unknown := sorted(wanted - set(known)):
        raise ScoreError(f"--only {unknown[0][:40]}: {study.name} has no such table; there are: {', '.join(known)}")
    return tuple(item for item in study.items if not wanted or item.key in wanted)
