"""The tools of `mcp_tools` for a client of the Model Context Protocol, over standard input and output.

Neither the library below nor a bug may tell a word of a note: it logs nothing, keeps no traces, and an error of ours is
told by its kind. A line that is longer than a note may be is thrown away as it comes in, and answered.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Mapping
from typing import IO, Any, BinaryIO, cast

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

import elision
from elision.errors import ElisionError, HeldError
from elision.integrations.mcp_tools import TIMEOUT, TOOLS, Json, Tools

NAME = "elision"
INSTRUCTIONS = (
    "De-identifies clinical notes on this machine. No tool tells a word that was found. A note with the status `held` "
    "could not be verified: do as `todo` says, or leave the note out."
)
HEAD = 400  # bytes at both ends of a long line in which its id is looked for
ESCAPED = 6  # bytes of JSON that a byte of a text may need
_ID = re.compile(rb'"id"\s*:\s*([0-9]{1,18}|"[A-Za-z0-9._-]{1,64}")')
TOO_LARGE = "too-large"
_ENVELOPE = {  # what a request of the newest protocol must bring; those of earlier ones pass it over
    "io.modelcontextprotocol/protocolVersion": MODERN_PROTOCOL_VERSIONS[-1],
    "io.modelcontextprotocol/clientCapabilities": {},
}
Context = ServerRequestContext[dict[str, Any]]


def serve(tools: Tools) -> None:
    """Answer until the client closes its end."""
    logging.disable(logging.CRITICAL)
    anyio.run(_serve, tools)


def server_of(tools: Tools) -> Server[dict[str, Any]]:
    """A server of these tools, for any transport."""

    async def listed(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[types.Tool(name=one.name, description=one.description, input_schema=one.schema) for one in TOOLS]
        )

    async def called(_context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        return _result(await answered(tools, params.name, params.arguments or {}))

    server = Server(
        NAME, version=elision.__version__, instructions=INSTRUCTIONS, on_list_tools=listed, on_call_tool=called
    )
    server.middleware[:] = [_quiet]  # in place of the library's own, which keeps traces
    return server


async def _quiet(ctx: Context, call_next: CallNext) -> HandlerResult:
    """An error of the library's without what was asked: it quotes the method."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        if error.error.code != types.METHOD_NOT_FOUND:
            raise
        raise MCPError(types.METHOD_NOT_FOUND, "Method not found") from None


async def answered(tools: Tools, name: str, arguments: Mapping[str, Any]) -> Json:
    """What a tool answers; what went wrong, in words of ours."""
    if name == TOO_LARGE:
        return _error(f"the request is larger than {tools.settings.most:,} bytes; start the server with more --max-mb")
    try:
        with anyio.fail_after(tools.settings.seconds):
            return await anyio.to_thread.run_sync(tools.call, name, arguments, abandon_on_cancel=True)
    except TimeoutError:
        return _error(f"{TIMEOUT}: this took more than {tools.settings.seconds:g} s; ask about smaller notes")
    except HeldError as held:
        return {"status": "held", "why": str(held)}
    except ElisionError as error:
        return _error(str(error))
    except Exception as error:  # its message may quote the note
        return _error(f"internal error: {type(error).__name__}; please report it")


def _error(message: str) -> Json:
    return {"status": "error", "error": message}


def _result(answer: Json) -> types.CallToolResult:
    text = json.dumps(answer, ensure_ascii=False)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=answer,
        is_error=answer["status"] == "error",
    )


async def _serve(tools: Tools) -> None:
    server = server_of(tools)
    lines = anyio.wrap_file(cast("IO[str]", Lines(sys.stdin.buffer, ESCAPED * tools.settings.most)))
    async with stdio_server(stdin=lines) as (read, write):
        await server.run(read, write, server.create_initialization_options())


class Lines:
    """The lines of a stream as texts, none longer than so many bytes."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream, self._most = stream, most

    def readline(self) -> str:
        line = self._stream.readline(self._most)
        if len(line) < self._most or line.endswith(b"\n"):
            return line.decode("utf-8", "replace")
        head = tail = line[:HEAD]
        while part := self._stream.readline(1 << 16):
            tail = (tail + part)[-HEAD:]
            if part.endswith(b"\n"):
                break
        return _too_large(head, tail)

    def close(self) -> None:
        """The stream is not ours to close."""


def _too_large(head: bytes, tail: bytes) -> str:
    """A request that asks nothing, with the id of the one that was thrown away, so that it is answered."""
    found = _ID.search(head) or _ID.search(tail)
    if found is None:
        return "\n"
    params = {"name": TOO_LARGE, "arguments": {}, "_meta": _ENVELOPE}
    return json.dumps({"jsonrpc": "2.0", "id": json.loads(found[1]), "method": "tools/call", "params": params}) + "\n"
