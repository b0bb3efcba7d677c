"""Types, strict schemas, roles, prices, the drafter and the scripted model."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from coi_tui.config import LlmSettings, Price, RoleSettings
from coi_tui.llm.drafter import DRAFTS, Drafter, register
from coi_tui.llm.openai_compatible import OpenAICompatible
from coi_tui.llm.prices import estimate_tokens, price_usd, upper_usd
from coi_tui.llm.reply_formats import strict_schema
from coi_tui.llm.scripted import ScriptedModel
from coi_tui.llm.types import ChatModel, ChatReply, EmbeddingModel, model_name, resolved, role_settings
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.model.hashing import digest
from tests.llm.server import request

# ---- types


@pytest.mark.parametrize(
    "change",
    [
        {"role": "reader"},
        {"prompt": "x"},
        {"version": "2"},
        {"prompt_hash": "x"},
        {"system": "x"},
        {"user": "x"},
        {"schema": {}},
        {"temperature": 0.1},
        {"max_tokens": 1},
        {"sample": 1},
        {"reask": ("a", "b")},
    ],
)
def test_the_key_tells_contents_apart(change: dict[str, Any]) -> None:
    assert digest(request().key()) != digest(request(**change).key())


def test_the_key_leaves_out_what_is_not_content() -> None:
    assert digest(request().key()) == digest(request(values={"other": 1}).key())
    with pytest.raises(dataclasses.FrozenInstanceError):
        request().user = "x"  # type: ignore[misc]


def test_prompt_chars_counts_everything_that_may_be_sent() -> None:
    plain = request(schema={}).prompt_chars()
    assert plain == len("You help.") + len("PRIVATE-TOPIC") + 2
    assert request(schema={}, reask=("abc", "de")).prompt_chars() == plain + 5


def test_a_reply_goes_through_json() -> None:
    reply = ChatReply("t", "a", "s", 1, 2, True, "stop", "text", 0.5)
    assert ChatReply.from_json({**json.loads(json.dumps(reply.to_json())), "later": 1}) == reply
    with pytest.raises(KeyError):
        ChatReply.from_json({"text": "t"})


def test_all_three_are_chat_models() -> None:
    client = OpenAICompatible(LlmSettings())
    models: list[ChatModel] = [client, Drafter(), ScriptedModel(lambda _: {})]
    embedder: EmbeddingModel = client
    assert [model.kind for model in models] == ["model", "drafter", "scripted"]
    assert embedder is client


# ---- strict schemas


class Item(BaseModel):
    pattern: str = Field(default="", pattern="^a", max_length=9)
    choice: Literal[0, 1, 2]


class Sheet(BaseModel):
    title: str = Field(min_length=1, description="A title")
    items: list[Item] = Field(min_length=1, max_length=5)
    first: Item = Field(description="beside a reference")
    query: str | None = None
    number: int = Field(default=1, ge=1)


def test_strict_schema() -> None:
    strict = strict_schema(Sheet.model_json_schema())
    assert strict["required"] == ["title", "items", "first", "query", "number"]
    assert strict["additionalProperties"] is False
    assert strict["properties"]["title"] == {"type": "string", "description": "A title"}
    assert strict["properties"]["first"] == {"$ref": "#/$defs/Item"}
    assert strict["properties"]["query"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert strict["properties"]["number"] == {"type": "integer"}
    item = strict["$defs"]["Item"]
    assert item["required"] == ["pattern", "choice"]
    assert item["additionalProperties"] is False
    assert item["properties"] == {"pattern": {"type": "string"}, "choice": {"type": "integer", "enum": [0, 1, 2]}}


# ---- roles


def test_roles() -> None:
    settings = LlmSettings(main=RoleSettings(model="m"), reader=RoleSettings(temperature=0.1, max_tokens=5))
    assert [model_name(settings, role) for role in ("main", "reader", "embedding")] == ["m", "m", ""]
    changed = resolved(request(role="reader"), settings)
    assert (changed.temperature, changed.max_tokens) == (0.1, 5)
    assert resolved(changed, settings) == changed
    assert resolved(request(), settings) == request()
    with pytest.raises(ValueError):
        role_settings(settings, "critic")


# ---- prices


@given(st.integers(0, 10**7))
def test_tokens_are_a_quarter_of_the_characters(chars: int) -> None:
    assert estimate_tokens(chars) == math.ceil(chars / 4)


def test_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"gpt-4o": Price(input=1.0, output=2.0), "local": Price(input=0.0)}
    assert price_usd("gpt-4o", 1_000_000, 500_000, own) == pytest.approx(2.0)
    assert price_usd("local", 9, 9, own) == 0.0
    assert price_usd("drafter", 9, 9, {}) == 0.0
    assert price_usd("no-such-model-at-all", 9, 9, {}) is None
    bundled = price_usd("gpt-4o", 1_000_000, 1_000_000, {})
    assert bundled is not None
    assert bundled > 0
    assert price_usd("gpt-4o", 1, 1, {}, base_url="http://localhost:11434/v1") is None
    assert price_usd("gpt-4o", 1_000_000, 1_000_000, {}, base_url="https://api.openai.com/v1") == bundled
    assert upper_usd("gpt-4o", 4_000_001, 0, own) == pytest.approx(1.000001)
    assert upper_usd("no-such-model-at-all", 1, 1, {}) is None


# ---- the drafter


async def test_the_drafter_answers_by_the_registry() -> None:
    seen: list[Mapping[str, object]] = []

    def draft(values: Mapping[str, object]) -> Mapping[str, object]:
        seen.append(values)
        return {"query": f"über {values['topic']}"}

    drafter = Drafter({"coi_rewrite": draft})
    reply = await drafter.complete(request())
    assert json.loads(reply.text) == {"query": "über t"}
    assert (reply.model_asked, reply.model_served, reply.prompt_tokens, reply.completion_tokens) == ("drafter", "drafter", 0, 0)
    assert await drafter.complete(request()) == reply
    assert drafter.model_for("main") == "drafter"
    with pytest.raises(CoiError, match="other"):
        await drafter.complete(request(prompt="other"))
    await drafter.aclose()


async def test_drafts_leave_turns_to_others() -> None:
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    drafter = Drafter({"coi_rewrite": lambda _: {}})
    for _ in range(5):
        await drafter.complete(request())
    task.cancel()
    assert turns >= 4


def test_a_draft_is_registered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coi_tui.llm.drafter.DRAFTS", {})

    def make(name: str) -> Any:
        def draft(values: Mapping[str, object]) -> Mapping[str, object]:
            return {}

        draft.__qualname__ = name
        return draft

    first = make("a")
    assert register("p")(first) is first
    register("p")(make("a"))
    with pytest.raises(ValueError):
        register("p")(make("b"))
    assert isinstance(DRAFTS, dict)


# ---- the scripted model


async def test_the_scripted_model() -> None:
    whole = ChatReply("t", "a", "s", 1, 2, True, "length", "text", 0.5)
    says: dict[int, Any] = {0: {"query": "ä"}, 1: "raw", 2: ServiceError("language model", "server", "It is down."), 3: whole}
    model = ScriptedModel(lambda sent: says[sent.sample], latency_s=0.01)
    first, second, third, fourth = await asyncio.gather(*(model.complete(request(sample=i)) for i in range(4)), return_exceptions=True)
    assert isinstance(first, ChatReply)
    assert isinstance(second, ChatReply)
    assert (json.loads(first.text), second.text) == ({"query": "ä"}, "raw")
    assert isinstance(third, ServiceError)
    assert fourth is whole
    assert [sent.sample for sent in model.requests] == [0, 1, 2, 3]
    assert model.peak == 4
    await model.aclose()
    assert model.closed
