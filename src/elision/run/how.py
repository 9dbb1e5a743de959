"""All that decides what comes out of a run, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from elision.effort import effort_of
from elision.formats.tables.columns import Columns
from elision.pipeline import MOST
from elision.replace.word_lists import ALLOW, DENY
from elision.run.fingerprints import fingerprints


@dataclass(frozen=True)
class How:
    """All that decides what comes out, as plain data. It names the key's file and holds nothing of the key."""

    columns: Columns
    policy: str = "tag"
    key: str = ""
    language: str = ""  # of all notes
    default_language: str = ""  # of the notes that do not tell theirs
    rules: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    detectors: tuple[str, ...] = ()  # "package.module:function" from a language to a detector
    most: int = MOST
    memory: bool = True
    dial: float | None = None  # how readily models find; None: as they say themselves
    effort: str = field(default_factory=effort_of)  # which models that come with elision look
    allow: str = ""  # a file of words that are never removed
    deny: str = ""  # and of words that always are
    agreed: Mapping[str, str] = field(default_factory=dict)  # what files held when the run began

    def begun(self) -> How:
        """The same, with fingerprints of the files that it names: work that finds others there refuses."""
        return replace(self, agreed=self.fingerprints())

    def fingerprints(self) -> dict[str, str]:
        """Of the files that it names, and of elision, as they are now."""
        return fingerprints(self.policy, self.key, self.rules, self.models, {ALLOW: self.allow, DENY: self.deny})

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "columns": self.columns.as_json(), "agreed": dict(self.agreed)}
