"""`elision mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import OURS, Allow, Deny, Dial, EffortOption, KeyOption, OwnRules, PolicyOption, dial_of, say
from elision.effort import effort_of
from elision.errors import MissingExtraError, RunError
from elision.formats.format import MEGABYTE

MOST = 1_000
MOST_SECONDS = 3_600


def mcp(
    folder: Annotated[
        list[Path] | None,
        typer.Option("--folder", metavar="FOLDER", help="Where files may be read and made; repeatable. Else none may."),
    ] = None,
    policy: PolicyOption = "tag",
    key: KeyOption = None,
    language: Annotated[str, typer.Option(metavar="CODE", help=f"Of all notes: {OURS}; else each note tells.")] = "",
    default_language: Annotated[
        str, typer.Option(metavar="CODE", help="Of a note that does not tell; without it, the note is held.")
    ] = "",
    rules: OwnRules = None,
    dial: Dial = None,
    effort: EffortOption = None,
    allow: Allow = None,
    deny: Deny = None,
    max_mb: Annotated[float, typer.Option("--max-mb", metavar="N", help="The largest note, in megabytes.")] = 4,
    seconds: Annotated[float, typer.Option(metavar="N", help="The longest that a call may take.")] = 60,
) -> None:
    """Give a language model elision's tools: an MCP server over standard input and output.

    The tools de-identify a text or a file, explain what would be replaced, and verify a file by its receipts. No answer
    holds a word that was found. The policy, the key and the folders are chosen here, and no caller can change them. A
    client of the Model Context Protocol starts this command itself. It needs the optional part: pip install
    'elision[mcp]'.

    Example:

        elision mcp

        elision mcp --folder notes/ --policy surrogate --key project.key
    """
    try:
        from elision.integrations.mcp_server import serve
    except ImportError:
        raise MissingExtraError("the MCP server", "mcp") from None
    from elision.integrations.folders import Folders
    from elision.integrations.mcp_tools import COLUMNS, Settings, Tools
    from elision.run.how import How

    for option, value, most in (("--max-mb", max_mb, MOST), ("--seconds", seconds, MOST_SECONDS)):
        if not 0 < value <= most:  # false for nan, too
            raise RunError(f"{option} {value:g}: must be more than 0 and at most {most:,}")
    how = How(
        COLUMNS, policy=policy, key=str(key or ""), language=language, default_language=default_language,
        rules=tuple(rules or ()), dial=dial_of(dial), effort=effort_of(effort), allow=str(allow or ""),
        deny=str(deny or ""),
    )  # fmt: skip
    tools = Tools(Settings(how, Folders(folder or ()), int(max_mb * MEGABYTE), seconds))
    say("elision's tools are ready for a client of the Model Context Protocol")
    serve(tools)
