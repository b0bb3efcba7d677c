"""``coi mcp`` as programs speak to it: by the library's own client, by hand over stdin and stdout as an
inspector does, and a small agent that goes where the tools lead it."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client.session import ClientSession
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, TextContent, TextResourceContents

from coi_tui.session.programs import QUOTED, TOOLS
from tests.support.coi_process import command, environment

from .conftest import Run, in_this_process

NAME = "graph-drawing"


@pytest.fixture
def env(tmp_path: Path) -> Mapping[str, str]:
    """A home with a session of which only the topic is there."""
    env = environment(tmp_path)
    made = in_this_process(env, "new", "graph drawing", "--branches", "1", "--offline")
    assert made.code == 0, made.err
    return env


@pytest.fixture
def coi(env: Mapping[str, str]) -> Run:
    return lambda *arguments, stdin=None: in_this_process(dict(env), *arguments, stdin=stdin)


def spoken(
    env: Mapping[str, str], speak: Callable[[ClientSession], Awaitable[None]], *options: str
) -> None:
    """Start the server, and speak to it by the library's own client."""

    async def whole() -> None:
        _, *arguments = command("mcp", *options)
        server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(env))
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            await client.initialize()
            await speak(client)

    asyncio.run(whole())


def text_of(answer: CallToolResult) -> str:
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return content.text


def test_the_clients_of_the_library_read_everything(env: Mapping[str, str]) -> None:
    async def speak(client: ClientSession) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [*TOOLS]
        for tool in tools:
            effect, hints = TOOLS[tool.name][0], tool.annotations
            assert hints is not None
            assert hints.read_only_hint == (effect in ("read", "look up"))
            assert hints.destructive_hint is False
            assert hints.open_world_hint == (effect in ("look up", "run"))
            assert tool.description
        schema = next(tool.input_schema for tool in tools if tool.name == "propose_text")
        assert schema["required"] == ["session", "address", "text"]
        resources = (await client.list_resources()).resources
        assert [str(one.uri) for one in resources] == ["coi://sessions"]
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.name for one in templates} == {"rows", "log", "document", "evidence"}
        for uri in (
            "coi://sessions",
            f"coi://{NAME}/rows",
            f"coi://{NAME}/log?page=1",
            f"coi://{NAME}/document/topic",
            f"coi://{NAME}/evidence/1/0",
        ):
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            assert content.text.startswith(f"{QUOTED}\n> ")

    spoken(env, speak)


class ByHand:
    """A line of JSON for each message, in both directions."""

    def __init__(self, env: Mapping[str, str], *options: str) -> None:
        self.process = subprocess.Popen(
            command("mcp", *options),
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.number = 0

    def tell(self, method: str, **params: Any) -> None:
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        ask = {} if method.startswith("notifications/") else {"id": self.number}
        self.process.stdin.write(json.dumps({**message, **ask}) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        self.tell(method, **params)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            reply: dict[str, Any] = json.loads(line)
            if reply.get("id") == self.number:
                return reply
        raise AssertionError("the server went away")

    def close(self) -> int:
        self.process.communicate()
        return self.process.returncode


@pytest.fixture
def by_hand(env: Mapping[str, str]) -> Iterator[ByHand]:
    speaker = ByHand(env, "--as", "by hand")
    begun = speaker.ask(
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "inspector", "version": "1"},
    )
    assert begun["result"]["serverInfo"]["name"] == "coi-tui"
    speaker.tell("notifications/initialized")
    yield speaker
    assert speaker.close() == 0


def test_the_protocol_by_hand(by_hand: ByHand, coi: Run) -> None:
    listed = by_hand.ask("tools/list")["result"]["tools"]
    hints = {tool["name"]: tool["annotations"] for tool in listed}
    assert hints["rows"]["readOnlyHint"] is True
    assert hints["propose_text"]["readOnlyHint"] is False
    assert {one["destructiveHint"] for one in hints.values()} == {False}

    def call(name: str, **given: Any) -> tuple[str, bool]:
        found = by_hand.ask("tools/call", name=name, arguments=given)["result"]
        return found["content"][0]["text"], found.get("isError", False)

    said, failed = call("propose_text", session=NAME, address="means", text="2 GPUs")
    assert (failed, "> Proposed at means." in said) == (False, True)
    for name, given in (
        ("decide", {"session": NAME}),
        ("rows", {"session": "no such session"}),
        ("rows", {}),
        ("document", {"session": NAME, "address": "1/-9; DROP TABLE log"}),
        ("document", {"session": NAME, "address": "topic", "page": 10**9}),
        ("propose_text", {"session": NAME, "address": "1/0", "text": "x"}),
        ("run", {"session": NAME}),
    ):
        said, failed = call(name, **given)
        assert failed, (name, said)
        assert "Traceback" not in said
    wrong = by_hand.ask("resources/read", uri=f"coi://{NAME}/document/nowhere/at/all")
    assert "error" in wrong
    assert coi("show", NAME, "means").out.count("by hand: v1") == 1
    assert coi("decide", NAME, "means", "use", "v1", "--yes").code == 0
    assert "2 GPUs" in coi("show", NAME, "means").out


def test_an_agent_that_tries_what_the_tools_offer(env: Mapping[str, str], coi: Run) -> None:
    """It reads the rows, proposes at each, and asks for a run; what is there stays."""
    before = json.loads(coi("show", NAME, "topic", "--json").out)["version"]

    async def speak(client: ClientSession) -> None:
        rows = text_of(await client.call_tool("rows", {"session": NAME}))
        addresses = [line.split()[1] for line in rows.splitlines() if line.startswith("> ")]
        assert "topic" in addresses
        proposed = 0
        for address in addresses:
            given = {"session": NAME, "address": address, "text": "Mine.", "reason": "better"}
            proposed += not (await client.call_tool("propose_text", given)).is_error
        assert proposed
        answer = await client.call_tool("run", {"session": NAME, "until": "questions"})
        assert not answer.is_error, text_of(answer)
        assert "a person decides" in text_of(answer)

    spoken(env, speak, "--as", "agent", "--budget", "1")
    assert json.loads(coi("show", NAME, "topic", "--json").out)["version"] == before
    assert "agent  propose" in coi("log", NAME).out
    assert coi("verify", NAME).code == 0


def test_without_the_extra_one_sentence_says_what_to_install(
    coi: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    said = coi("mcp")
    assert (said.code, said.out) == (2, "")
    assert said.err == "The package mcp is not installed. pip install 'coi-tui[mcp]'\n"
    assert coi("mcp", "--as", "../x").code == 2
