"""`elision policy`."""

from __future__ import annotations

from typing import Annotated

import typer

from elision.cli.tables import print_table
from elision.labels import canonical
from elision.policy import Policy, Rule, policy_names

app = typer.Typer(
    help="Policies: what happens to each label.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _root() -> None:
    """Policies: what happens to each label."""


@app.command("list")
def list_() -> None:
    """List the policies that come with elision.

    Example:

        elision policy list
    """
    policies = [Policy.named(name) for name in policy_names()]
    print_table(
        ("policy", "needs a key", "what it does"),
        [(policy.name, "yes" if policy.keyed else "no", policy.title) for policy in policies],
    )


def _limit(rule: Rule) -> str:
    """What becomes of ages over the limit."""
    return "" if rule.do != "generalise" else f"over {rule.over} as {rule.over}" if rule.cap else f"over {rule.over}"


@app.command("show")
def show(
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="A policy's name, or a TOML file of your own.")],
) -> None:
    """Show what a policy does with each label; an error if it has no rule for one.

    Example:

        elision policy show safe-harbor
    """
    chosen = Policy.named(policy)
    rows = []
    for name, label in canonical().items():
        rule = chosen.rule(name)
        more = [rule.text, "numbered" if rule.numbered else "", _limit(rule)]
        if name != "AGE":
            more.pop()
        rows.append((name, label.safe_harbor, " ".join(filter(None, (rule.do, *more)))))
    print_table(("label", "Safe Harbor item", "what happens"), rows)
