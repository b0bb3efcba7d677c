"""Schemas as the strict mode of servers wants them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from coi_tui.llm.reply_formats import strict_schema


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
