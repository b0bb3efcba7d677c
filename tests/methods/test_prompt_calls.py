"""Prompts longer than the model's context, and answers cut off by length, against loopback servers
that really refuse and cut."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Recorder
from coi_tui.methods.base.replies import Card
from coi_tui.methods.coi.kinds import Rewrite
from coi_tui.methods.services import Services, ServiceSet
from coi_tui.model.errors import ContextError
from coi_tui.model.state import State
from coi_tui.services.llm.chat import REASONING_TOKENS
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.session.service_setup import NoNetwork
from tests.support.desk import PROMPTS
from tests.support.standins import StandIn
from tests.support.standins.kinds import Kind
from tests.support.toy import MemoryFile, journal_of

FIELDS = ("problem", "move", "evidence", "use", "limits", "method", "experiment")
CARD = (
    "{"
    + ", ".join(f'"{name}": "says {name}"' for name in FIELDS)
    + ', "entities": [], "references": []}'
)


class At:
    """Services of one step over a client, with what was kept."""

    def __init__(self, client: OpenAICompatible, settings: LlmSettings) -> None:
        self.file = MemoryFile()
        self.ctx = Context(
            Recorder(journal_of(file=self.file), Budget()), State(), "1/0.card", "card"
        )
        tools = ServiceSet(
            model=client,
            prompts=PROMPTS,
            source_for=lambda _f: None,  # type: ignore[arg-type, return-value]
            fetch=NoNetwork(),
            settings=settings,
        )
        self.services = Services(tools, self.ctx)

    async def read(self, size: int) -> Any:
        values = {
            "topic": "t",
            "title": "x",
            "year": 2020,
            "kind": "full text",
            "text": "word " * (size // 5),
        }
        return await self.services.ask("coi_read", values, Card)

    async def rewrite(self) -> Any:
        return await self.services.ask(
            "coi_rewrite", {"topic": "t", "question": "q", "failed": []}, Rewrite
        )


@asynccontextmanager
async def at(kind: Kind, **changes: Any) -> AsyncIterator[At]:
    async with StandIn(kind) as server:
        values: dict[str, Any] = {
            "base_url": server.url,
            "main": RoleSettings(model="big"),
            "reader": RoleSettings(),
            **changes,
        }
        settings = LlmSettings(**values)
        client = OpenAICompatible(settings, "k", wait_s=0)
        try:
            yield At(client, settings)
        finally:
            await client.aclose()


def openai(size: int, limit: int) -> tuple[int, Any]:
    text = f"This model's maximum context length is {limit} tokens. However, your messages resulted in {size} tokens."
    return 400, {
        "error": {
            "message": text,
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        }
    }


def silent(size: int, limit: int) -> tuple[int, Any]:
    return 400, {"error": {"message": "prompt is too long"}}


@pytest.mark.parametrize(
    ("profile", "too_long"),
    [
        ("openai", openai),
        ("compatible", silent),
    ],
)
async def test_each_servers_refusal_leads_to_a_shorter_prompt_that_says_so(
    profile: str, too_long: Callable[[int, int], Any]
) -> None:
    kind = Kind(context=8000, too_long=too_long, answer_text=CARD)
    async with at(kind, profile=profile) as here:
        asked = await here.read(40_000)
    user = kind.bodies[-1]["messages"][-1]["content"]
    assert "Left out: the ends of " in user
    assert len(kind.bodies) <= 4
    assert asked.recipe["changes"][0].startswith(
        "left out of the prompt, which was too long for the model: the ends"
    )
    assert (
        list(here.file.calls[-1].request["changes"])
        == asked.recipe["changes"]
        == list(here.ctx.changed)
    )
    assert len(here.file.calls) == 1, "a refused prompt is no call that happened"


async def test_the_set_context_shortens_before_anything_is_sent() -> None:
    kind = Kind(answer_text=CARD)
    async with at(kind, profile="ollama", context_tokens=4096) as here:
        await here.read(40_000)
    assert len(kind.bodies) == 1
    assert kind.bodies[0]["max_tokens"] == 2048, "the answer may take half of the context"
    assert any("limited to 2,048 tokens" in change for change in here.ctx.changed)


async def test_a_prompt_cut_without_a_word_is_asked_again_shorter_and_both_calls_are_kept() -> None:
    kind = Kind(context=4096, answer_text=CARD)
    async with at(kind, profile="ollama") as here:
        asked = await here.read(40_000)
    assert [bool(call.reply["cut_at"]) for call in here.file.calls] == [True, False]
    assert asked.recipe["shortened"]


@pytest.mark.parametrize(("prompt", "tries"), [("rewrite", 1), ("read", 4)])
async def test_what_never_fits_fails_after_bounded_tries(prompt: str, tries: int) -> None:
    kind = Kind(context=10, too_long=silent, answer_text=CARD)
    async with at(kind) as here:
        with pytest.raises(ContextError, match="longer than the context of big"):
            await (here.rewrite() if prompt == "rewrite" else here.read(90_000))
    assert len(kind.bodies) == tries


async def test_an_answer_that_was_cut_off_is_asked_for_again_with_more_room() -> None:
    full = '{"query": "some words"}'

    def answer(body: dict[str, Any]) -> tuple[str, str]:
        return (full, "stop") if body["max_tokens"] > 400 else (full[:14], "length")

    async with at(Kind(formats=("text",), answer_text=answer)) as here:
        asked = await here.rewrite()
    assert asked.value.query == "some words"
    assert [call.reply["finish_reason"] for call in here.file.calls] == ["length", "stop"]


# -- reasoning


async def test_the_reasoning_is_kept_with_how_the_text_was_made_and_is_no_content() -> None:
    kind = Kind(answer_text='{"reasoning": "the words were too narrow", "query": "some words"}')
    async with at(kind) as here:
        asked = await here.rewrite()
    assert asked.recipe["reasoning"] == "the words were too narrow"
    assert asked.value.content() == {"query": "some words"}
    schema = kind.bodies[0]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["reasoning", "query"]


async def test_a_model_that_reasons_by_itself_gets_room_instead_of_the_field() -> None:
    kind = Kind(answer_text='{"query": "some words"}')
    async with at(kind, main=RoleSettings(model="openai/o4-mini")) as here:
        asked = await here.rewrite()
    body = kind.bodies[0]
    assert list(body["response_format"]["json_schema"]["schema"]["properties"]) == ["query"]
    assert '"reasoning"' not in str(body["messages"])
    assert body["max_tokens"] == 400 + REASONING_TOKENS
    assert asked.value.query == "some words"
