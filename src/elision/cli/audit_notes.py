"""What `elision audit` reads before it plans or draws: shares, promises, and the notes that a run wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from elision.cli.common import progress, say
from elision.errors import FormatError, ScoreError

if TYPE_CHECKING:
    from elision.evaluate.audit.planning import Promise
    from elision.evaluate.audit.population import Counted, Population
    from elision.formats.tables.columns import Columns
    from elision.formats.tables.source import Source as Rows
    from elision.run.local.finished import Finished


def share_of(option: str, said: str) -> float:
    """A share as one writes it: 2%, 2 % or 0.02."""
    plain = said.strip()
    try:
        value = float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        value = float("nan")
    if not 0 <= value < 1:  # false for nan, too
        raise ScoreError(f"{option} {said[:20]}: is no share; for 2 % say 2% or 0.02")
    return value


def promise_of(leaking: str, missed: float | None, most: int, confidence: str, *, needed: bool = True) -> Promise:
    from elision.evaluate.audit.planning import Promise

    if needed and not leaking and missed is None:
        raise ScoreError("say what is to be shown: --at-most-leaking 2%, --at-most-missed 0.1, or both")
    share = share_of("--at-most-leaking", leaking) if leaking else None
    return Promise(share, missed, most, confidence=share_of("--confidence", confidence))


def notes_counted(
    where: str, format: str, text: list[str] | None, id: str, by: str, risky: bool = True
) -> tuple[Population, Finished | None, Counted]:
    """The notes of a run's output, gone through once."""
    from elision.evaluate.audit.population import Population, counted
    from elision.formats.tables.opening import open_source
    from elision.run.local.finished import finished

    run = finished(where)
    source = open_source(run.out if run else where, format=format, tell=say)
    columns = _columns(source, run, text, id)
    population = Population(source, columns, by)
    risk = run.identifiers() if run and risky else None
    return population, run, counted(population, risk, lambda some: progress(some, "notes counted"))


def _columns(source: Rows, run: Finished | None, text: list[str] | None, id: str) -> Columns:
    from elision.formats.tables.columns import Columns
    from elision.run.column_roles import guess
    from elision.run.preview import cells
    from elision.run.preview import sample as some_rows

    if text or (run and run.columns.texts):
        known = run.columns if run else Columns()
        return Columns(texts=tuple(text or known.texts), id=id or known.id)
    guessed, _ = guess(source.schema, cells(some_rows(source), source.schema))
    return Columns(texts=guessed.texts, id=id or guessed.id)


def check_place(out: Path, where: str) -> None:
    """A sample that lies in what it is drawn from would be read as notes the next time."""
    if "://" not in where and Path(where).is_dir() and out.resolve().is_relative_to(Path(where).resolve()):
        raise FormatError(f"--out {out}: lies among the notes; give a folder elsewhere")
