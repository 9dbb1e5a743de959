"""`elision review`."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elision.cli.common import (
    FROM,
    EffortOption,
    Encoding,
    LanguageOption,
    Lenient,
    MaxMegabytes,
    progress,
    reading,
    say,
    tell,
)
from elision.effort import effort_of
from elision.errors import MissingExtraError, ReviewError
from elision.languages.telling.deciding import check_codes
from elision.text.characters import printable

if TYPE_CHECKING:
    from elision.formats import Reading
    from elision.review.store import Store
    from elision.run.how import How

MOST_NAME = 60


class Order(StrEnum):
    """In which order notes come."""

    risk = "risk"
    sample = "sample"
    given = "given"


def review(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN",
            help="A file or folder of notes, what a run wrote, the sample of an audit, or a review that was begun.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="The folder that keeps the review. Without it, IN.review."),
    ] = None,
    reviewer: Annotated[
        str, typer.Option("--reviewer", metavar="NAME", help="The name of who reviews. Needed where several do.")
    ] = "",
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Decide between reviewers, on the notes that several approved.")
    ] = False,
    order: Annotated[
        Order, typer.Option("--order", help="Which note comes first: the riskiest, one by chance, or as they came.")
    ] = Order.risk,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="With --order sample: another number gives another order.")
    ] = 0,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help=FROM)] = "",
    effort: EffortOption = None,
    language: LanguageOption = "",
    default_language: Annotated[
        str,
        typer.Option(
            metavar="CODE", help="The language of notes that do not tell theirs. Without it, nothing is found in them."
        ),
    ] = "",
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            "-P",
            metavar="NAME",
            help="How the page shows a note after replacement: a name from `elision policy list`, or a TOML file.",
        ),
    ] = "tag",
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="The file of the project's key, for a policy that needs it, such as surrogate.",
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(metavar="N", help="The port to listen at, on this machine. 0 takes a free one.", min=0, max=65535),
    ] = 0,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in your browser.")] = True,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
) -> None:
    """See, correct and approve what was found in notes, on a page in your browser.

    If the notes come with spans, these are shown; else elision looks for them. Nothing counts as reviewed until
    somebody approves its note. The page is on this machine alone, and its address works once. Press ? there for the
    keys. The review holds the notes as they are: keep it where they may be kept. Two reviewers give the command twice,
    each with a name; then --adjudicate shows where they differ.

    It needs the optional part: pip install 'elision[serve]'.

    Example:

        elision review open notes/

        elision review open notes/ --reviewer ann --order sample

        elision review open notes.review --adjudicate --reviewer cy --no-open
    """
    try:
        from elision.review import server
        from elision.review.desk import Desk
        from elision.review.gate import Door
        from elision.review.learning import Learning
    except ImportError:
        raise MissingExtraError("reviewing", "serve") from None
    from elision.review.gathering import looking
    from elision.review.replacing import replacer

    how = reading(encoding, max_mb, lenient=lenient)
    chosen = effort_of(effort)
    check_codes(language, default_language, encoded=chosen.encoded)
    after = replacer(policy, key)
    with _opened(source, out, format, how, looking(language, default_language, chosen, how.max_bytes)) as store:
        name = _name(store, reviewer, adjudicate)
        with server.listening(port) as listener:
            door = Door(listener.getsockname()[1])
            say(f"{len(store.positions()):,} notes, reviewed by {printable(name)}; kept in {store.folder}")
            desk = Desk(store, name, after, str(order), seed, adjudicate)
            learning = Learning(store, language or default_language, chosen)
            server.serve(desk, door, learning, listener, lambda: _opens(server.address(door), open_page))


def _opens(where: str, open_page: bool) -> None:
    """Say where the page is that can be opened now, and open it. Some browsers keep who starts them waiting."""
    say(f"open once, on this machine: {where}")
    say("to end, press Ctrl+C; what was decided is kept")
    if open_page:
        threading.Thread(target=webbrowser.open, args=(where,), daemon=True).start()


@contextmanager
def _opened(source: Path, out: Path | None, format: str, reading: Reading, look: How) -> Iterator[Store]:
    """The review of some notes, with those that are new in it."""
    from elision.review.database import NAME
    from elision.review.store import Store

    if source.name == NAME or (source / NAME).is_file():
        if out:
            raise ReviewError(f"--out {out}: {source} is a review already; leave --out out")
        with Store.open(source, make=False) as store:
            yield store
        return
    if not source.exists():
        raise ReviewError(f"{source}: there is nothing; give a folder or a file with notes")
    folder = out or source.with_name(f"{source.resolve().name}.review")
    if source.is_dir() and folder.resolve().is_relative_to(source.resolve()):
        raise ReviewError(f"--out {folder}: lies among the notes; give a folder elsewhere")
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / NAME).is_file())):
        raise ReviewError(f"{folder}: holds something else; give another folder with --out")
    with _filled(source, folder, format, reading, look) as store:
        yield store


@contextmanager
def _filled(source: Path, folder: Path, format: str, reading: Reading, look: How) -> Iterator[Store]:
    from elision.review.database import NAME
    from elision.review.gathering import gathered, notes_in
    from elision.review.store import Store

    documents = list(progress(notes_in(source, format, reading), "notes read"))
    tell(reading.remarks)
    there = set[str]()
    if (folder / NAME).is_file():
        with Store.open(folder) as store:
            there = {entry.id for entry in store.entries()}
            store.add([document for document in documents if document.id in there])  # texts must be the same
    new = [document for document in documents if document.id not in there]
    if new or not there:
        found = gathered(new, look)
        for id, why in found.withheld.items():
            say(f"note {printable(id)[:MOST_NAME]}: nothing was looked for: {why}; read it with care")
    with Store.open(folder) as store:
        if new:
            store.add(found.documents, found.risks)
        yield store


def _name(store: Store, given: str, adjudicates: bool) -> str:
    """Who reviews: as said, else the only one who does."""
    from elision.review.store import ADJUDICATOR

    name = " ".join(given.split())
    if len(name) > MOST_NAME or not name.isprintable() or name == ADJUDICATOR:
        raise ReviewError(f"--reviewer: is no name; give one of at most {MOST_NAME} characters, not {ADJUDICATOR}")
    there = store.reviewers()
    if adjudicates:
        if len(there) < 2:
            raise ReviewError("--adjudicate: needs the passes of two reviewers; give each one --reviewer NAME before")
        return name or ADJUDICATOR
    if not name and len(there) > 1:
        raise ReviewError("--reviewer: several people review these notes; say who you are")
    return name or (there[0] if there else "reviewer")
