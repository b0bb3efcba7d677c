"""Schemas as the strict mode of servers wants them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from coi_tui.methods.base.replies import NoveltyVerdicts
from coi_tui.services.llm.chat import Choices, skeleton, strict_schema, with_choices


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
    assert strict["properties"]["title"] == {
        "type": "string",
        "description": "A title",
    }
    assert strict["properties"]["items"] == {
        "type": "array",
        "items": {"$ref": "#/$defs/Item"},
    }
    assert strict["properties"]["first"] == {"$ref": "#/$defs/Item"}
    assert strict["properties"]["query"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert strict["properties"]["number"] == {"type": "integer"}
    item = strict["$defs"]["Item"]
    assert item["required"] == ["pattern", "choice"]
    assert item["additionalProperties"] is False
    assert item["properties"] == {
        "pattern": {"type": "string"},
        "choice": {"type": "integer", "enum": [0, 1, 2]},
    }


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
