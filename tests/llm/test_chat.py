"""Requests and replies, the settings of roles, and the protocol that all models keep."""

import dataclasses
import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from coi_tui.config import LlmSettings, Price
from coi_tui.methods.base.reply_models import NoveltyVerdicts
from coi_tui.model.text import digest
from coi_tui.services.llm.chat import (
    ChatReply,
    Choices,
    offered,
    price_usd,
    reasons_itself,
    skeleton,
    strict_schema,
    with_choices,
)
from coi_tui.services.llm.servers import OPENAI_URL
from tests.llm.server import request


@pytest.mark.parametrize(
    "change",
    [
        {"prompt_hash": "x"},
        {"user": "x"},
        {"schema": {}},
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


def test_a_reply_goes_through_json() -> None:
    reply = ChatReply("t", "a", "s", 1, 2, True, "stop", "text")
    assert (
        ChatReply.from_json({**json.loads(json.dumps(dataclasses.asdict(reply))), "later": 1})
        == reply
    )
    with pytest.raises(TypeError):
        ChatReply.from_json({"text": "t"})


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
    assert strict["properties"] == {
        "title": {"type": "string", "description": "A title"},
        "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
        "first": {"$ref": "#/$defs/Item"},
        "query": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "number": {"type": "integer"},
    }
    choice = {"type": "integer", "enum": [0, 1, 2]}
    item = strict["$defs"]["Item"]
    assert item["required"] == ["pattern", "choice"]
    assert item["properties"] == {"pattern": {"type": "string"}, "choice": choice}


def test_limits_that_a_server_can_enforce_are_sent() -> None:
    strict = strict_schema(Sheet.model_json_schema(), limits=True)
    listed = strict["properties"]["items"]
    assert (listed["minItems"], listed["maxItems"]) == (1, 5)
    assert strict["properties"]["number"]["minimum"] == 1


def test_the_labels_of_a_call_are_the_only_ones_allowed_one_verdict_each() -> None:
    whole = NoveltyVerdicts.model_json_schema()
    strict = strict_schema(with_choices(whole, Choices("verdicts", "id", ["P2", "P5"])))
    assert strict["$defs"]["PaperVerdict"]["properties"]["id"]["enum"] == ["P2", "P5"]
    assert "enum" not in whole["$defs"]["PaperVerdict"]["properties"]["id"], (
        "the schema that all calls share is left alone"
    )


def test_the_skeleton_has_every_field_and_says_nothing() -> None:
    item = {"pattern": "", "choice": 0}
    assert skeleton(Sheet.model_json_schema()) == {
        "title": "",
        "items": [item],
        "first": item,
        "query": "",
        "number": 0,
    }


def test_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"gpt-4o": Price(input=1.0, output=2.0), "local": Price(input=0.0, output=0.0)}
    assert price_usd("gpt-4o", 1_000_000, 500_000, own) == pytest.approx(2.0)
    assert price_usd("local", 9, 9, own) == 0.0
    assert price_usd("no-such-model-at-all", 9, 9, {}) is None
    bundled = price_usd("gpt-4o", 1_000_000, 1_000_000, {})
    assert bundled is not None
    assert bundled > 0
    assert price_usd("gpt-4o", 1, 1, {}, base_url="http://localhost:11434/v1") is None
    assert (
        price_usd("gpt-4o", 1_000_000, 1_000_000, {}, base_url="https://api.openai.com/v1")
        == bundled
    )


def test_cached_tokens_cost_what_their_price_says() -> None:
    full, cached = (price_usd("gpt-4o", 1_000_000, 0, {}, cached_tokens=n) for n in (0, 1_000_000))
    assert full is not None
    assert cached == pytest.approx(full / 2)
    own = {"mine": Price(input=4.0, output=2.0, cached=1.0), "flat": Price(input=4.0, output=0.0)}
    assert price_usd("mine", 1_000_000, 1_000_000, own, cached_tokens=500_000) == pytest.approx(
        2.0 + 0.5 + 2.0
    )
    assert price_usd("flat", 1_000_000, 0, own, cached_tokens=500_000) == pytest.approx(4.0)


def test_the_default_models_are_a_pair_of_the_newest_generation_with_known_prices() -> None:
    """Whoever brings in a price table with a newer pair decides whether to move: see
    ``coi_tui.config.WRITER``."""
    llm = LlmSettings()
    writer, reader = (
        price_usd(role.model, 1_000, 1_000, {}, base_url=OPENAI_URL)
        for role in (llm.main, llm.reader)
    )
    assert writer is not None
    assert reader is not None
    assert reader < writer / 4
    assert all(reasons_itself(role.model) for role in (llm.main, llm.reader))


def test_models_that_write_no_text_are_not_offered() -> None:
    llm = LlmSettings(base_url=OPENAI_URL)
    assert "whisper" not in offered(llm, ["gpt-4o", "whisper-1", "text-embedding-3-small"])
    assert offered(llm, ["gpt-4o", "gpt-4o-mini"]).endswith("coi config models gpt-4o gpt-4o-mini.")
    assert offered(llm, []) == ""
