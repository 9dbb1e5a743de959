"""What happens to each label: a policy is a small TOML file, or one that comes with elision by its name.

    title = "what the hospital agreed on"
    weeks = true                      # options of the whole policy, see OPTIONS
    base = "tag"                      # begin with what that policy says, and change some of it
    [labels]                          # a label, its parent, or "*" for all others; the closest wins
    "*" = "tag"
    NAME = "surrogate"
    NAME_CLINICIAN = { do = "tag", numbered = true }
    DATE = "shift"
    AGE = { do = "generalise", over = 89 }
    HOSPITAL = { do = "shuffle", among = "hospitals.txt" }

A label without a rule is an error: its note is held, it is never passed through.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from elision.errors import PolicyError
from elision.keys import digest_of
from elision.labels import canonical

REST = "*"
DATES = ("DATE", "DATE_BIRTH")
KEYED = frozenset(("surrogate", "shift", "shuffle", "hash", "seal"))
INSTITUTIONS = frozenset(("HOSPITAL", "CARE_FACILITY", "ORGANIZATION", "DEPARTMENT", "ROOM"))
LONGEST_LIST = 100_000  # lines of a file that among names
# What can be done, what it can be told besides, and which labels or parents it is for (all, if none).
OPERATORS: Mapping[str, tuple[Mapping[str, type], frozenset[str]]] = {
    "keep": ({}, frozenset()),
    "tag": ({"text": str, "numbered": bool}, frozenset()),
    "mask": ({}, frozenset()),
    "surrogate": ({}, frozenset()),
    "shift": ({}, frozenset(("DATE",))),
    "generalise": ({"over": int, "cap": bool}, frozenset(("DATE", "AGE", "ZIP"))),
    "shuffle": ({"among": str}, INSTITUTIONS),
    "hash": ({}, frozenset()),
    "seal": ({}, frozenset()),
}
OPTIONS: Mapping[str, tuple[type, Any, str]] = {
    "key": (bool, False, "whether a key is asked for even if no rule needs one"),
    "weeks": (bool, False, "move dates by whole weeks, so that weekdays stay true"),
    "forward": (bool, False, "move dates by years and days into the future, never back"),
    "valid": (bool, True, "numbers with check digits get valid ones; false: never valid ones"),
    "clinicians": (str, "patient", "where a clinician keeps the same stand-in: patient or everywhere"),
    "ages": (str, "hide", "ages up to the limit: hide, as an age with a place may be enough, or keep, as HIPAA allows"),
    "weekdays": (str, "hide", "weekdays alone: hide, as they narrow down dates that moved, or keep"),
    "years": (str, "hide", "years alone: hide, as an early one tells an age, or keep"),
    "titles": (
        str,
        "keep",
        "Dr. or Mrs. beside a name: keep, as they name nobody, or hide, as they tell role and sex",
    ),
}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "clinicians": ("patient", "everywhere"),
    **dict.fromkeys(("ages", "weekdays", "years", "titles"), ("hide", "keep")),
}


@dataclass(frozen=True, slots=True)
class Rule:
    """What is done with a label."""

    do: str
    text: str = ""
    numbered: bool = False
    over: int = 89
    cap: bool = False  # an age over the limit becomes the limit, not "90 or older"
    among: tuple[str, ...] = field(default=(), repr=False)  # names that are dealt out: they may be secret


@dataclass(frozen=True, slots=True)
class Policy:
    """Rules by label, parent or `*`, and the options of the whole."""

    name: str
    title: str
    rules: Mapping[str, Rule]
    weeks: bool = False
    forward: bool = False
    valid: bool = True
    clinicians: str = "patient"
    ages: str = "hide"
    weekdays: str = "hide"
    years: str = "hide"
    titles: str = "keep"
    digest: str = ""
    keyed: bool = False

    @property
    def moves_dates(self) -> bool:
        """Whether dates come out as other dates."""
        return bool(self._done_with_dates & {"shift", "surrogate"})

    @property
    def tells_little_of_dates(self) -> bool:
        """Whether of dates something comes out, moved or coarse, that a feast beside them would undo."""
        return bool(self._done_with_dates & {"shift", "surrogate", "generalise"})

    @property
    def _done_with_dates(self) -> set[str]:
        """What is done with dates; nothing is if no rule is for them, which holds the notes that have some."""
        rules = (self.rules.get(label) or self.rules.get("DATE") or self.rules.get(REST) for label in DATES)
        return {rule.do for rule in rules if rule}

    @property
    def chosen(self) -> dict[str, str]:
        """The options by which a policy differs from what is usual, for receipts."""
        told = {name: getattr(self, name) for name in OPTIONS if name != "key"}
        return {name: str(value) for name, value in told.items() if value != OPTIONS[name][1]}

    def rule(self, label: str) -> Rule:
        """What is done with a canonical label; without a rule, an error."""
        known = canonical().get(label)
        if known is None:
            raise PolicyError(
                f"label {label!r} is none of ours; map the detector's labels to ours (see `elision labels`)"
            )
        rule = self.rules.get(label) or self.rules.get(known.parent) or self.rules.get(REST)
        if rule is None:
            raise PolicyError(
                f"policy {self.name}: no rule for label {label}; add one for {label}, {known.parent} or *"
            )
        return rule

    @classmethod
    def named(cls, name: str | Path) -> Policy:
        """A policy that comes with elision, or a TOML file by its path."""
        shipped = files("elision") / "data" / "policies" / f"{name}.toml"
        if str(name) in policy_names():
            return parse(shipped.read_text("utf-8"), str(name))
        path = Path(name)
        if path.suffix != ".toml":
            near = get_close_matches(str(name), policy_names(), 1)
            raise PolicyError(
                f"no policy {str(name)!r}{f' (did you mean {near[0]}?)' if near else ''}; there are "
                f"{', '.join(policy_names())}, or the path of a .toml file"
            )
        try:
            return parse(path.read_text("utf-8"), str(path))
        except OSError as error:
            raise PolicyError(f"{path}: cannot read the policy: {error.strerror}") from None
        except UnicodeDecodeError:
            raise PolicyError(f"{path}: a policy is UTF-8 text; this file is not") from None


def policy_names() -> list[str]:
    """The policies that come with elision."""
    folder = files("elision") / "data" / "policies"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def parse(text: str, where: str) -> Policy:
    """A policy from TOML."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{where}: not valid TOML: {error}") from None
    table = _on_base(where, table)
    rows = table.pop("labels", None)
    title = table.pop("title", "")
    if not isinstance(rows, dict) or not rows:
        raise PolicyError(f'{where}: a policy needs a table [labels] with lines like NAME = "tag"')
    if not isinstance(title, str):
        raise PolicyError(f"{where}: title must be a string in quotes")
    options = {name: _option(where, name, table.pop(name, usual)) for name, (_, usual, _) in OPTIONS.items()}
    if table:
        raise PolicyError(f"{where}: no such option {', '.join(sorted(table))}; there are {', '.join(OPTIONS)}")
    rules = {label: _rule(where, label, row) for label, row in rows.items()}
    keyed = bool(options.pop("key")) or any(rule.do in KEYED for rule in rules.values())
    named = [[label, str(rule), rule.among] for label, rule in sorted(rules.items())]
    told = json.dumps([named, options], sort_keys=True)
    policy = Policy(Path(where).stem, title, rules, **options, digest=digest_of(told.encode()), keyed=keyed)
    if policy.weekdays == "keep" and policy.moves_dates and not policy.weeks:
        raise PolicyError(
            f'{where}: weekdays = "keep" beside dates that move gives the shift away; say weeks = true, too'
        )
    return policy


def _on_base(where: str, table: dict[str, Any]) -> dict[str, Any]:
    """What a policy says, over what the one that it begins with says."""
    base = table.pop("base", None)
    if base is None:
        return table
    if base not in policy_names():
        raise PolicyError(f"{where}: base is one of {', '.join(policy_names())}, in quotes")
    under = tomllib.loads((files("elision") / "data" / "policies" / f"{base}.toml").read_text("utf-8"))
    rows = table.get("labels", {})
    if not isinstance(rows, dict):
        raise PolicyError(f'{where}: labels is a table [labels] with lines like NAME = "tag"')
    return {**under, **table, "labels": {**under["labels"], **rows}}


def _option(where: str, name: str, value: object) -> Any:
    kind = OPTIONS[name][0]
    if not isinstance(value, kind):
        raise PolicyError(f"{where}: {name} must be {'true or false' if kind is bool else 'a string in quotes'}")
    if name in CHOICES and value not in CHOICES[name]:
        raise PolicyError(f"{where}: {name} is {' or '.join(CHOICES[name])}, not {value!r}")
    return value


def _rule(where: str, label: str, row: object) -> Rule:
    place, where = where, f"{where}: {label}"
    labels = canonical()
    parents = {known.parent for known in labels.values()}
    if label != REST and label not in labels and label not in parents:
        near = get_close_matches(label.upper(), [*labels, *parents], 1)
        raise PolicyError(
            f"{where}: no such label{f' (did you mean {near[0]}?)' if near else ''}; see `elision labels`"
        )
    told = {"do": row} if isinstance(row, str) else dict(row) if isinstance(row, dict) else {}
    do = told.pop("do", None)
    if not isinstance(do, str) or do not in OPERATORS:
        raise PolicyError(f"{where}: say what to do, one of {', '.join(OPERATORS)}")
    wanted, suits = OPERATORS[do]
    if suits and label not in suits and (label not in labels or labels[label].parent not in suits):
        raise PolicyError(f"{where}: {do} is for {', '.join(sorted(suits))} only")
    for name, value in told.items():
        if name not in wanted:
            raise PolicyError(f"{where}: {do} has no {name}; {', '.join(wanted) or 'it has no options'}")
        if not isinstance(value, wanted[name]) or isinstance(value, bool) is not (wanted[name] is bool):
            raise PolicyError(f"{where}: {name} must be {wanted[name].__name__}")
    if do == "shuffle":
        told["among"] = _listed(where, Path(place).parent / told.get("among", ""))
    return Rule(do, **cast("dict[str, Any]", told))


def _listed(where: str, path: Path) -> tuple[str, ...]:
    """The names in a file, one a line, each once."""
    try:
        lines = (" ".join(line.split()) for line in path.read_text("utf-8").splitlines())
        names = tuple(dict.fromkeys(line for line in lines if line))
    except OSError:
        raise PolicyError(
            f'{where}: shuffle needs among = "FILE", a file beside the policy with a name on each line'
        ) from None
    except UnicodeDecodeError:
        raise PolicyError(f"{where}: the file that among names is not UTF-8 text") from None
    if not 2 <= len(names) <= LONGEST_LIST:
        raise PolicyError(f"{where}: the file that among names has {len(names):,} names; give 2 to {LONGEST_LIST:,}")
    return names
