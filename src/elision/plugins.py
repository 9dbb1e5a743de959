"""What other packages, and the parts of this one that the core does not know, add to it: by entry points.

A package says in its pyproject.toml which function serves which name, and that is all:

    [project.entry-points."elision.tokenizers"]
    he2015 = "elision.papers.he2015_tokens:tokenize"

Groups: elision.taggers (kinds of models: a module with `fit` and `load`), elision.tokenizers, elision.trainers,
elision.word_groups and elision.presets. What the core has itself is never looked up here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elision.errors import ModelError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def names(group: str) -> tuple[str, ...]:
    """What installed packages add to a group."""
    return tuple(sorted(_points(group)))


def plugin(group: str, name: str, what: str) -> Any:
    """What a name stands for; `what` says in an error what it is."""
    points = _points(group)
    if name not in points:
        there = ", ".join(sorted(points)) or "none"
        raise ModelError(
            f"{what} {name[:40]!r}: no installed package has it (there are: {there}); install the one that it came "
            "from, or elision anew"
        )
    try:
        return points[name].load()
    except (ImportError, AttributeError) as error:
        raise ModelError(
            f"{what} {name[:40]!r}: its package cannot be loaded ({type(error).__name__}); install it anew"
        ) from error


def _points(group: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # no note of the default waits for it

    return {point.name: point for point in entry_points(group=f"elision.{group}")}
