"""Servers that drip, or that send the prompt elsewhere: one clear failure, and
nothing accepted in part."""

from __future__ import annotations

import httpx2
import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.model.errors import ServiceError
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from tests.llm.server import KEY, request
from tests.network.hostile import Dripping


def client_of(url: str, **settings: object) -> OpenAICompatible:
    values = {
        "base_url": url,
        "main": RoleSettings(model="big"),
        "reader": RoleSettings(),
        "retries": 2,
        **settings,
    }
    return OpenAICompatible(LlmSettings.model_validate(values), KEY)


async def failure_of(server: Dripping, *, streamed: bool, **settings: object) -> ServiceError:
    texts: list[str] = []
    client = client_of(server.url, **settings)
    try:
        with pytest.raises(ServiceError) as caught:
            await (
                client.stream(request(), texts.append) if streamed else client.complete(request())
            )
    finally:
        await client.aclose()
    assert "x" * 100 not in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.hint
    assert ". " not in caught.value.message
    return caught.value


def posts(server: Dripping) -> list[bytes]:
    """The prompts that were sent; before the first one the server is asked what it is."""
    return [sent for sent in server.requests if sent.startswith(b"POST")]


@pytest.mark.parametrize("streamed", [True, False])
async def test_an_answer_that_drips_for_ever_ends_at_the_deadline_of_the_whole_call(
    streamed: bool,
) -> None:
    async with Dripping() as server:
        error = await failure_of(server, streamed=streamed, timeout_s=0.5)
    assert error.kind == "unreachable"
    assert len(posts(server)) == 1


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("status", [301, 307])
@pytest.mark.parametrize("target", ["https://model.test/v2", "//evil.example/v1", "https://[::1/"])
async def test_no_redirect_is_followed(target: str, status: int, streamed: bool) -> None:
    seen: list[httpx2.Request] = []

    def answer(sent: httpx2.Request) -> httpx2.Response:
        seen.append(sent)
        return httpx2.Response(status, headers={"location": target})

    http_client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer), follow_redirects=True)
    settings = LlmSettings(base_url="https://model.test/v1", main=RoleSettings(model="big"))
    client = OpenAICompatible(settings, KEY, http_client=http_client)
    with pytest.raises(ServiceError) as caught:
        await (client.stream(request(), lambda _: None) if streamed else client.complete(request()))
    await client.aclose()
    assert [sent.url.host for sent in seen] == ["model.test"]
    assert KEY not in f"{caught.value!r} {caught.value.hint}"
