"""The kinds of model server: how each is recognised, and its differences as a loopback server
really serves them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.llm.openai_compatible import OpenAICompatible
from coi_tui.llm.replies import read_reply
from coi_tui.llm.server_profiles import PROFILES, server_of
from coi_tui.methods.coi.replies import Rewrite
from coi_tui.model.errors import ServiceError, UsageError
from tests.llm.server import KEY, request
from tests.support.standins import StandIn
from tests.support.standins.kinds import ANSWER, Kind


@asynccontextmanager
async def serving(
    kind: Kind, key: str | None = None, path: str = "", **settings: Any
) -> AsyncIterator[OpenAICompatible]:
    """A client of a loopback server of that kind."""
    async with StandIn(kind) as server:
        values: dict[str, Any] = {
            "base_url": server.url + path,
            "main": RoleSettings(model="big"),
            "reader": RoleSettings(),
            **settings,
        }
        client = OpenAICompatible(LlmSettings(**values), key, wait_s=0)
        try:
            yield client
        finally:
            await client.aclose()


@pytest.mark.parametrize(
    ("address", "profile"),
    [
        ("", "openai"),
        ("https://api.openai.com/v1", "openai"),
        ("https://NAME.openai.azure.com", "azure"),
        ("https://openrouter.ai/api/v1", "openrouter"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://192.168.1.7:11434", "ollama"),
        ("http://127.0.0.1:1234", "lmstudio"),
        ("http://localhost:8080/v1", "llamacpp"),
        ("http://gpu:8000/v1", "vllm"),
        ("http://model.example:8080", "compatible"),
        ("https://model.example:8000/v1", "compatible"),
        ("http://localhost:9999", "compatible"),
    ],
)
def test_a_server_is_recognised_by_its_address(address: str, profile: str) -> None:
    assert server_of(LlmSettings(base_url=address)).profile.id == profile


def test_the_setting_wins_over_the_address() -> None:
    server = server_of(LlmSettings(base_url="http://localhost:11434", profile="vllm"))
    assert (server.profile.id, server.how) == ("vllm", "set by llm.profile")


def test_every_profile_can_be_set_and_every_name_that_can_be_set_is_one() -> None:
    names = set(get_args(LlmSettings.model_fields["profile"].annotation)) - {""}
    assert names == set(PROFILES)


def test_own_hardware_is_local_and_a_host_elsewhere_is_not() -> None:
    assert server_of(LlmSettings(base_url="http://localhost:5555")).local
    assert server_of(LlmSettings(base_url="http://gpu:11434")).local
    assert not server_of(LlmSettings(base_url="https://model.example/v1")).local
    assert not server_of(LlmSettings()).local


class TestOpenAI:
    async def test_the_newer_name_of_the_limit_comes_first_and_the_key_is_sent(self) -> None:
        kind = Kind(key=f"Bearer {KEY}", refuses=("max_tokens",))
        async with serving(kind, KEY, profile="openai") as client:
            reply = await client.complete(request())
        assert (reply.text, reply.reply_format, len(kind.seen)) == (ANSWER, "json_schema", 1)
        assert kind.bodies[0]["max_completion_tokens"] == 300

    async def test_an_older_gateway_gets_the_older_name(self) -> None:
        kind = Kind(refuses=("max_completion_tokens",))
        async with serving(kind, KEY, profile="openai") as client:
            await client.complete(request())
        assert "max_tokens" in kind.bodies[1]

    async def test_without_a_key_nothing_is_sent(self) -> None:
        kind = Kind()
        async with serving(kind, None, profile="openai") as client:
            with pytest.raises(
                ServiceError, match="OpenAI needs an API key, and none is set"
            ) as caught:
                await client.complete(request())
        assert caught.value.kind == "refused"
        assert kind.seen == []


class TestAzure:
    async def test_a_bare_address_is_completed_and_the_models_name_is_the_deployments(self) -> None:
        server = server_of(LlmSettings(base_url="https://name.openai.azure.com/"))
        assert (server.base_url, server.profile.id) == (
            "https://name.openai.azure.com/openai/v1",
            "azure",
        )
        kind = Kind(root="/openai/v1", key=f"Bearer {KEY}")
        async with serving(kind, KEY, "/openai/v1/", profile="azure") as client:
            assert (await client.complete(request())).text == ANSWER
        assert kind.seen[0].params == {}
        assert kind.bodies[0]["model"] == "big"

    async def test_a_deployment_that_is_not_there_is_said(self) -> None:
        said = {"error": {"code": "DeploymentNotFound", "message": "The API"}}
        kind = Kind(root="/openai/other", error=lambda s, t, c, p: said)
        async with serving(kind, KEY, "/openai/v1", profile="azure") as client:
            with pytest.raises(ServiceError, match="has no model named big"):
                await client.complete(request())

    def test_an_address_with_a_key_in_it_is_refused_without_its_text(self) -> None:
        with pytest.raises(UsageError) as caught:
            server_of(LlmSettings(base_url="https://x.openai.azure.com/?api-key=secret"))
        assert "secret" not in str(caught.value)


class TestOpenRouter:
    async def test_comments_in_a_stream_are_no_news(self) -> None:
        kind = Kind(root="/api/v1", key=f"Bearer {KEY}", before_stream=(": OPENROUTER PROCESSING",))
        texts: list[str] = []
        async with serving(kind, KEY, "/api/v1", profile="openrouter") as client:
            reply = await client.stream(request(), texts.append)
        assert (reply.text, texts[-1], reply.usage_estimated) == (ANSWER, ANSWER, False)

    async def test_no_credit_is_told_from_a_code_that_is_a_number(self) -> None:
        kind = Kind(always=(200, {"error": {"code": 402, "message": "Insufficient credits"}}))
        async with serving(kind, KEY, "/api/v1", profile="openrouter") as client:
            with pytest.raises(ServiceError, match="no credit left"):
                await client.complete(request())
        assert len(kind.seen) == 1, "it is not tried again"


class TestOllama:
    async def test_no_key_is_needed_and_thinking_in_the_text_is_kept_raw_and_not_read(self) -> None:
        kind = Kind(inline="<think>let me see {x}</think>\n")
        async with serving(kind, None, profile="ollama") as client:
            reply = await client.complete(request())
        assert kind.seen[0].headers["authorization"] == "Bearer none"
        assert reply.text.startswith("<think>")
        assert read_reply(reply.text, reply.finish_reason, Rewrite).value.query == "x"


class TestLMStudio:
    async def test_json_object_is_never_asked_for(self) -> None:
        kind = Kind(
            formats=("text",),
            error=lambda s, t, c, p: {
                "error": "'response_format.type' must be 'json_schema' or 'text'"
            },
        )
        async with serving(kind, None, profile="lmstudio") as client:
            reply = await client.complete(request())
        assert (set(kind.asked), reply.reply_format) == ({"json_schema", "text"}, "text")


class TestLlamaCpp:
    async def test_reasoning_in_its_own_field_is_kept_and_counted_where_usage_is_missing(
        self,
    ) -> None:
        kind = Kind(thinking="a" * 400, usage=False)
        async with serving(kind, None, profile="llamacpp") as client:
            reply = await client.complete(request())
        assert (reply.text, reply.thinking) == (ANSWER, "a" * 400)
        assert reply.usage_estimated
        assert reply.completion_tokens == -(-(400 + len(ANSWER)) // 4)


class TestVLLM:
    async def test_flat_errors_are_read_and_stream_options_are_left_out_where_refused(self) -> None:
        kind = Kind(
            stream_usage=False,
            error=lambda s, t, c, p: {
                "object": "error",
                "message": t,
                "type": "BadRequestError",
                "param": None,
                "code": s,
            },
        )
        async with serving(kind, None, profile="vllm") as client:
            reply = await client.stream(request(), lambda _: None)
        assert reply.text == ANSWER
        assert reply.usage_estimated
