"""``coi mcp``: sessions for other programs, by the Model Context Protocol over stdin and stdout."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

import click

from coi_tui import __version__
from coi_tui.cli.jobs import limit_of
from coi_tui.cli.output import environment, log_to_file
from coi_tui.model.entries import other_actor
from coi_tui.model.errors import UsageError
from coi_tui.model.money import Limit

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from coi_tui.session.programs import Program

TEMPLATES = {
    "rows": "coi://{session}/rows{?page}",
    "document": "coi://{session}/document/{+address}{?page}",
    "evidence": "coi://{session}/evidence/{+address}{?page}",
    "log": "coi://{session}/log{?page}",
}
"""The resources of a session, by the tools that give the same."""


@click.command()
@click.option("--as", "name", default="assistant", show_default=True, help="The program's name.")
@click.option(
    "--budget",
    callback=limit_of,
    metavar="USD|TOKENS",
    help="What it may spend in each session, such as 2 or 200k-tokens; without it, nothing is run.",
)
def mcp(name: str, budget: Limit | None) -> None:
    """Let another program read sessions and propose; only you decide.

    For the configuration of such a program: command coi, arguments mcp --as NAME.
    """
    from coi_tui.session.programs import Program

    log_to_file()
    asyncio.run(_serve(Program(environment(), other_actor("agent", name), budget)))


async def _serve(program: Program) -> None:
    server = make_server(program)
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (requests, replies):
        await server.run(requests, replies, server.create_initialization_options())


def make_server(program: Program) -> Server[Any]:
    """The server of a program. Raises UsageError where the package mcp is not installed."""
    try:
        from mcp import types
        from mcp.server.lowlevel import Server
    except ImportError:
        raise UsageError(
            "The package mcp is not installed.", "pip install 'coi-tui[mcp]'"
        ) from None
    from coi_tui.session.programs import TOOLS, Tool

    def told(name: str, tool: Tool) -> types.Tool:
        kinds = {key: {"type": "string"} for key in tool.takes}
        properties = {**kinds, "page": {"type": "integer", "minimum": 1}}
        schema = {"type": "object", "properties": properties, "required": tool.needs}
        hints = types.ToolAnnotations(
            read_only_hint=tool.effect in ("read", "look up"),
            destructive_hint=False,
            idempotent_hint=tool.effect in ("read", "look up"),
            open_world_hint=tool.effect in ("look up", "run"),
        )
        return types.Tool(name=name, description=tool.about, input_schema=schema, annotations=hints)

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[told(*one) for one in TOOLS.items()])

    async def call_tool(_: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            text, failed = await program.call(asked.name, asked.arguments or {}), False
        except UsageError as error:
            text, failed = error.message, True
        content = types.TextContent(type="text", text=text)
        return types.CallToolResult(content=[content], is_error=failed)

    async def list_resources(_: Any, __: Any) -> types.ListResourcesResult:
        every = types.Resource(uri="coi://sessions", name="sessions", mime_type="text/plain")
        return types.ListResourcesResult(resources=[every])

    async def list_templates(_: Any, __: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=template, name=name, description=TOOLS[name].about
                )
                for name, template in TEMPLATES.items()
            ]
        )

    async def read(_: Any, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        found = urlsplit(str(asked.uri))
        what, _, address = found.path.removeprefix("/").partition("/")
        given = {"session": unquote(found.netloc), "address": unquote(address)}
        given |= {key: values[0] for key, values in parse_qs(found.query).items()}
        name = what if what in TEMPLATES else "sessions"
        text = types.TextResourceContents(uri=asked.uri, text=await program.call(name, given))
        return types.ReadResourceResult(contents=[text])

    return Server(
        "coi-tui",
        version=__version__,
        instructions="Everything is proposed, and a person decides.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read,
    )
