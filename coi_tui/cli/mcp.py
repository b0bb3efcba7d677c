"""``coi mcp``: sessions for other programs, by the Model Context Protocol over stdin and stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coi_tui import __version__
from coi_tui.cli.jobs import limit_of
from coi_tui.cli.output import environment, log_to_file
from coi_tui.model.entries import other_actor
from coi_tui.model.errors import UsageError
from coi_tui.model.money import Limit

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from coi_tui.session.programs import Program

RESOURCES = {"rows": "", "log": "", "document": "/{+address}", "evidence": "/{+address}"}
"""The resources of a session, by the tools that give the same."""


@click.command()
@click.option("--as", "name", default="assistant", show_default=True, help="The program's name.")
@click.option(
    "--budget",
    callback=limit_of,
    metavar="USD|TOKENS",
    help="What it may spend in a session, such as 2 or 200k-tokens; without it nothing is run.",
)
def mcp(name: str, budget: Limit | None) -> None:
    """Let another program read sessions and propose; only you decide.

    In the settings of that program: the command coi with the arguments mcp --as NAME.
    """
    from coi_tui.session.programs import Program

    log_to_file()
    make_server(Program(environment(), other_actor("agent", name), budget)).run()


def make_server(program: Program) -> MCPServer:
    """What speaks for the tools. Raises UsageError where the package mcp is not installed."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ResourceError
        from mcp.types import ToolAnnotations
    except ImportError:
        raise UsageError(
            "The package mcp is not installed.", "pip install 'coi-tui[mcp]'"
        ) from None
    from coi_tui.session.programs import TOOLS, takes

    def of(name: str) -> Any:
        async def call(**given: Any) -> str:
            try:
                return await program.call(name, **given)
            except UsageError as error:
                raise ResourceError(error.message) from None

        taken = takes(name)
        call.__signature__ = taken  # type: ignore[attr-defined]
        call.__annotations__ = {key: one.annotation for key, one in taken.parameters.items()}
        return call

    async def sessions() -> str:
        return await program.call("sessions")

    server = MCPServer("coi-tui", version=__version__, log_level="ERROR")
    for name, (effect, do) in TOOLS.items():
        reads = effect in ("read", "look up")
        hints = ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=False,
            idempotent_hint=reads,
            open_world_hint=effect in ("look up", "run"),
        )
        server.add_tool(of(name), name, None, do.__doc__, hints, structured_output=False)
    server.resource("coi://sessions")(sessions)
    for name, rest in RESOURCES.items():
        uri = f"coi://{{session}}/{name}{rest}{{?page}}"
        server.resource(uri, name=name, description=TOOLS[name][1].__doc__)(of(name))
    return server
