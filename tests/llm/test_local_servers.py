"""Servers on own hardware: what they tell of themselves, one request at a time, and limits counted
from when they begin."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.model.errors import ContextError, ServiceError
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.services.llm.servers import server_of
from tests.llm.server import request, stream

ROWS: dict[str, dict[str, Any]] = {
    "llamacpp": {"id": "m", "owned_by": "llamacpp"},
    "ollama": {"id": "m", "owned_by": "library"},
    "vllm": {"id": "m", "owned_by": "vllm"},
    "lmstudio": {"id": "m", "owned_by": "organization_owner"},
}


class Local:
    """A server at a port that says nothing. ``before``: what happens before it answers."""

    def __init__(
        self,
        row: dict[str, Any],
        before: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.row, self.before = row, before
        self.bodies: list[dict[str, Any]] = []
        self.now = self.peak = 0
        self.patience_s = 0.0

    async def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        if sent.url.path == "/v1/models":
            return httpx2.Response(200, json={"object": "list", "data": [self.row]})
        self.bodies.append(json.loads(sent.content))
        self.patience_s = sent.extensions["timeout"]["read"]
        self.now += 1
        self.peak = max(self.peak, self.now)
        await (self.before() if self.before else asyncio.sleep(0.01))
        self.now -= 1
        return stream('{"query": "x"}')


def client(server: Local, port: int = 5005, **settings: Any) -> OpenAICompatible:
    given = {
        "base_url": f"http://localhost:{port}/v1",
        "main": RoleSettings(model="m"),
        "reader": RoleSettings(),
        **settings,
    }
    return OpenAICompatible(
        LlmSettings(**given),
        None,
        http_client=httpx2.AsyncClient(transport=httpx2.MockTransport(server)),
        wait_s=0,
    )


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("port", [5005, 11434, 8080])
async def test_the_kind_is_read_from_the_server_and_not_from_the_port(kind: str, port: int) -> None:
    here = client(Local(ROWS[kind]), port)
    await here.warm()
    assert (here.server.profile.id, here.server.how) == (kind, "as it says itself")


@pytest.mark.parametrize("models", [None, [], {"data": None}, {"data": [1]}, {"data": []}])
def test_no_sense_is_no_news(models: object) -> None:
    server = server_of(LlmSettings(base_url="http://localhost:5005"))
    assert server.as_listed(models).profile is server.profile


@pytest.mark.parametrize(("settings", "peak"), [({}, 1), ({"parallel": 2}, 2)])
async def test_one_request_at_once_unless_more_are_set(settings: dict[str, Any], peak: int) -> None:
    server = Local(ROWS["llamacpp"])
    here = client(server, **settings)
    await asyncio.gather(*(here.complete(request(user=f"{n}")) for n in range(6)))
    assert server.peak == peak
    assert all(body["stream"] for body in server.bodies), "always as a stream"
    assert server.patience_s == 4 * 180, "it may read the prompt for minutes"


async def test_a_prompt_beyond_the_context_that_is_set_is_not_sent() -> None:
    server = Local(ROWS["llamacpp"])
    with pytest.raises(ContextError) as caught:
        await client(server, context_tokens=2048).complete(request(user="word " * 4000))
    assert caught.value.limit == 2048
    assert server.bodies == []


async def test_silence_ends_the_call_once_and_the_hint_names_the_setting() -> None:
    async def for_ever() -> None:
        await asyncio.sleep(60)

    server = Local(ROWS["llamacpp"], for_ever)
    with pytest.raises(ServiceError, match="in time") as caught:
        await client(server, timeout_s=0.05).complete(request())
    assert "llm.parallel" in caught.value.hint
    assert len(server.bodies) == 1, "it may still be busy with it"
