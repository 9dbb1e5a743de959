"""`elision serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import (
    Allow,
    DefaultLanguage,
    Deny,
    Dial,
    EffortOption,
    KeyOption,
    LanguageOption,
    Models,
    OwnRules,
    PolicyOption,
    dial_of,
    say,
)
from elision.effort import effort_of
from elision.errors import MissingExtraError, RunError
from elision.formats.format import MEGABYTE

MOST = 100_000


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The address to listen at. Any other than this machine's own, such as 0.0.0.0, needs --token-file.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", help="The port to listen at.", min=1, max=65535)] = 8300,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help="A file with the token that callers must send, as Authorization: Bearer TOKEN.",
        ),
    ] = None,
    policy: PolicyOption = "tag",
    key: KeyOption = None,
    language: LanguageOption = "",
    default_language: DefaultLanguage = "",
    rules: OwnRules = None,
    model: Models = None,
    dial: Dial = None,
    effort: EffortOption = None,
    allow: Allow = None,
    deny: Deny = None,
    max_mb: Annotated[
        float, typer.Option("--max-mb", metavar="N", help="The largest request, or line of a batch, in megabytes.")
    ] = 8,
    max_notes: Annotated[
        int, typer.Option("--max-notes", metavar="N", help="The most notes of a request.", min=1)
    ] = 10_000,
    seconds: Annotated[
        float,
        typer.Option(
            metavar="N", help="The longest time for the notes of a request, and for each wait for the caller."
        ),
    ] = 60,
    concurrent: Annotated[
        int, typer.Option(metavar="N", help="How many requests are worked on at once; others wait.", min=1)
    ] = 64,
    threads: Annotated[int, typer.Option(metavar="N", help="Threads that work on notes.", min=1, max=64)] = 2,
) -> None:
    """Serve de-identification over HTTP: elision's own contract, Presidio's, and LiteLLM's guardrail.

    The service listens on this machine alone unless it is told otherwise, and then asks for a token. A note that
    elision cannot verify is withheld: the answer gives the reason, and not the text. Logs and metrics hold no word of a
    note. The page /docs lists what can be asked. It needs the optional part: pip install 'elision[serve]'.

    Example:

        elision serve

        elision serve --policy surrogate --key project.key --host 0.0.0.0 --token-file token

        elision serve --language nl --model model/ --rules ours.toml --deny names.txt
    """
    try:
        from elision.serve.server import serve as serving
    except ImportError:
        raise MissingExtraError("serving", "serve") from None
    from elision.run.how import How
    from elision.serve.settings import COLUMNS, Limits, Settings, Token
    from elision.taggers.named import model_folder

    how = How(
        COLUMNS,
        policy=policy,
        key=str(key or ""),
        language=language,
        default_language=default_language,
        rules=tuple(rules or ()),
        models=tuple(str(model_folder(one, "--model")) for one in model or ()),
        dial=dial_of(dial),
        effort=effort_of(effort),
        allow=str(allow or ""),
        deny=str(deny or ""),
    )
    limits = Limits(
        int(_positive("--max-mb", max_mb) * MEGABYTE), max_notes, _positive("--seconds", seconds), concurrent, threads
    )
    settings = Settings(how, limits, Token.read(token_file) if token_file else None)
    say(f"loading models; then http://{host}:{port}/docs lists what can be asked")
    serving(settings, host, port)


def _positive(option: str, value: float) -> float:
    if not 0 < value <= MOST:  # false for nan, too
        raise RunError(f"{option} {value:g}: must be more than 0 and at most {MOST:,}")
    return value
