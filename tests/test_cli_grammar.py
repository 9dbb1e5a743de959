"""All help pages speak one language: one name for one thing, and an example for every command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from elision.cli import app
from tests.test_cli import EXAMPLES, elision

Command = tuple[str, ...]


def commands(command: object, *before: str) -> Iterator[tuple[Command, object]]:
    """Every command that can be given, as what one types."""
    inner: dict[str, object] = getattr(command, "commands", {})
    if not inner:
        yield before, command
    for name, one in inner.items():
        yield from commands(one, *before, name)


COMMANDS = dict(commands(typer.main.get_command(app)))
OPTIONS = {
    command: {name: option for option in one.params for name in option.opts if name.startswith("-")}  # type: ignore[attr-defined]
    for command, one in COMMANDS.items()
}
FLAGS = ("--json", "--force", "--lenient", "--full", "--quick", "--dry-run")
SHORT = {"--out": "-o", "--policy": "-P", "--pack": "-p"}
# One name for one thing: what an option may not be called, and what it is called.
OTHERS = {
    "--from": "--format", "--input-format": "--format", "--overwrite": "--force", "--yes": "--force",
    "--output": "--out", "--lang": "--language", "--versus": "elision compare", "--against": "elision compare",
    "--checkpoint": "--checkpoints", "--threshold": "--dial", "--format-json": "--json", "--license": "--licence",
}  # fmt: skip
# What the metavar of an option says it takes, wherever it is.
TAKES = {
    "--format": "FORMAT", "--to": {"FORMAT", "SET"}, "--key": "FILE", "--language": "CODE", "--dial": "X",
    "--seed": "N",
    "--encoding": "NAME", "--max-mb": "N", "--policy": "NAME", "--labels": "A:B", "--model": "MODEL",
    "--rules": "FILE",
    "--start-from": "MODEL", "--set": "NAME=VALUE", "--html": "FILE", "--csv": "FILE", "--epochs": "N", "--folds": "K",
    "--checkpoints": "FOLDER", "--licence": "TEXT", "--note": "TEXT", "--default-language": "CODE", "--scheme": "NAME",
}  # fmt: skip


def name_of(command: Command) -> str:
    return " ".join(command)


@pytest.mark.parametrize("command", COMMANDS, ids=name_of)
def test_help_says_what_it_does_and_gives_an_example_that_parses(command: Command) -> None:
    done = elision(*command, "--help")
    assert done.returncode == 0
    text = str(COMMANDS[command].help)  # type: ignore[attr-defined]
    lines = text.partition("Example:")[2].replace("\\\n", " ")
    examples = re.findall(r"^(?:\s*|.*\| )elision (.+)$", lines, re.MULTILINE)
    assert examples, f"elision {name_of(command)} --help has no example"
    for example in examples:
        words = shlex.split(example)
        assert tuple(words[: len(command)]) == command
        COMMANDS[command].make_context("elision", words[len(command) :])  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", COMMANDS, ids=name_of)
def test_what_means_the_same_is_called_the_same(command: Command) -> None:
    options = OPTIONS[command]
    for wrong, right in OTHERS.items():
        assert wrong not in options, f"say {right}"
    for long, short in SHORT.items():
        assert long not in options or short in options[long].opts
    for flag in FLAGS:
        assert flag not in options or options[flag].is_flag
    for option, takes in TAKES.items():
        if option in options:
            assert options[option].metavar in takes if isinstance(takes, set) else options[option].metavar == takes
    for name, option in options.items():
        assert option.help, f"{name} has no help"


@pytest.mark.parametrize("option", ["--json", "--force", "--lenient", "--encoding", "--max-mb", "--effort", "--seed"])
def test_shared_options_are_there_where_they_belong(option: str) -> None:
    where = {name_of(command) for command, options in OPTIONS.items() if option in options}
    expected = {
        "--json": {"compare", "crossval", "detect", "inspect", "model show", "score", "skeleton", "stats", "verify"},
        "--force": {"compare", "convert", "crossval", "deidentify", "detect", "distil", "inject", "pretrain", "run",
                    "score", "synth", "train", "unseal"},
        "--lenient": {"compare", "convert", "crossval", "detect", "distil", "model show", "paper", "pretrain", "score",
                      "stats", "train"},
        "--encoding": {"detect", "deidentify", "run", "convert", "score", "compare", "crossval", "train", "verify"},
        "--max-mb": {"detect", "deidentify", "run", "convert", "score", "compare", "crossval", "train", "verify"},
        "--effort": {"detect", "deidentify", "run"},
        "--seed": {"compare", "crossval", "distil", "inject", "paper", "pretrain", "score", "synth", "train"},
    }[option]  # fmt: skip
    assert expected <= where


@pytest.mark.parametrize("command", COMMANDS, ids=name_of)
def test_who_writes_to_a_place_can_be_asked_to_write_over_it(command: Command) -> None:
    """An output that is named is never written over in silence, and --force is the one way to ask for it."""
    options = OPTIONS[command]
    writes = {"--out", "--html", "--csv", "--receipt"} & options.keys()
    if writes and command not in (
        ("paper",),
        ("review", "open"),
        ("audit", "sample"),
    ):  # two go on, one wants a new one
        assert "--force" in options


def test_a_note_is_not_written_over_in_silence(tmp_path: Path) -> None:
    out = tmp_path / "note.txt"
    out.write_text("mine")
    words = ("deidentify", EXAMPLES / "gold" / "en" / "chest-ct.txt", "-o", out, "--effort", "fast")
    done = elision(*words)
    assert (done.returncode, out.read_text()) == (2, "mine")
    assert "is there already; write elsewhere, or --force to write over it" in done.stderr
    assert elision(*words, "--force").returncode == 0
    assert out.read_text() != "mine"


MESSAGES = {
    "a size": (("train", "x", "--out", "y", "--size-mb", "-1"), "--size-mb -1.0: must be"),
    "seeds": (("crossval", "x", "--seeds", "0"), "--seeds 0: must be at least 1"),
    "a setting": (("train", "x", "--out", "y", "--set", "dropout=2"), "--set dropout 2.0: must be"),
    "a share": (("train", "x", "--out", "y", "--hold-out", "2"), "--hold-out 2: a share"),
    "a policy with a key": (("deidentify", str(EXAMPLES / "gold/en/chest-ct.txt"), "-P", "surrogate"), "--key"),
    "no profile": (("synth", "--notes", "5"), "no profile; give one, such as "),
    "an unknown scheme": (("score", "x", "y", "--scheme", "z"), "--scheme z: no such scheme"),
    "an unsure format": (("score", str(Path(__file__).parent / "fuzz.py"), "y"), "say which with --gold-format"),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages_name_options_as_they_are_typed(case: str) -> None:
    words, said = MESSAGES[case]
    done = elision(*words)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there(shell: str) -> None:
    assert "elision" in elision("--show-completion", shell).stdout or "--show-completion" in elision("--help").stdout
