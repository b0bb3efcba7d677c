"""The JSON schema of a reply as it is sent: with the choices of one call, and with the limits that the server can enforce.

What a server does not take as a keyword (numbers of items, lengths) is said in the description instead.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# What any strict schema may hold. Servers differ in the rest (minItems, minLength, pattern ...), and some refuse a schema that has it.
_STRICT_KEYWORDS = frozenset(
    {"type", "description", "enum", "const", "items", "properties", "anyOf", "$defs", "$ref"}
)

NO_LIMITS: frozenset[str] = frozenset()
ITEM_LIMITS = frozenset({"minItems", "maxItems", "minimum", "maximum"})
ALL_LIMITS = ITEM_LIMITS | {"minLength", "maxLength"}


@dataclass(frozen=True)
class Choices:
    """What a field of the items of a list may hold in this call: the labels or the numbers that the prompt shows.

    ``exactly``: one item for each of them is asked for.
    """

    items: str
    field: str
    values: Sequence[str | int]
    exactly: bool = True


def with_choices(schema: dict[str, Any], choices: Choices) -> dict[str, Any]:
    """``schema`` for one call; the one given is left as it is."""
    found = copy.deepcopy(schema)
    listed = found["properties"][choices.items]
    name = listed["items"]["$ref"].rsplit("/", 1)[-1]
    said = found["$defs"][name]["properties"][choices.field]
    kept = {key: value for key, value in said.items() if key in ("title", "description")}
    found["$defs"][name]["properties"][choices.field] = {
        **kept,
        "type": said["type"],
        "enum": list(choices.values),
    }
    if choices.exactly:
        listed |= {"minItems": len(choices.values), "maxItems": len(choices.values)}
    return found


def strict_schema(schema: dict[str, Any], limits: frozenset[str] = NO_LIMITS) -> dict[str, Any]:
    """``schema`` as OpenAI's strict mode wants it: all properties required, no others allowed, plain keywords and ``limits`` only."""
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # strict mode allows nothing beside a reference
    if len(schema.get("allOf", ())) == 1:
        schema = {**schema, **schema["allOf"][0]}
    if "oneOf" in schema:
        schema = {**schema, "anyOf": schema["oneOf"]}
    strict = {
        key: _strict_value(key, value, limits)
        for key, value in schema.items()
        if key in _STRICT_KEYWORDS | limits
    }
    if words := in_words(schema, limits):
        strict["description"] = (
            f"{schema['description']} ({words})" if schema.get("description") else words
        )
    if strict.get("type") == "object" or "properties" in strict:
        strict["properties"] = strict.get("properties", {})
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def _strict_value(key: str, value: Any, limits: frozenset[str]) -> Any:
    if key in (
        "properties",
        "$defs",
    ):  # maps of names to schemas: a property may well be called "title" or "pattern"
        return {name: strict_schema(inner, limits) for name, inner in value.items()}
    if key == "anyOf":
        return [strict_schema(inner, limits) for inner in value]
    return strict_schema(value, limits) if key == "items" and isinstance(value, dict) else value


def in_words(schema: dict[str, Any], sent: frozenset[str]) -> str:
    """The limits of one schema that are not sent as keywords, in words; empty for none."""
    least, most = (schema.get(key) if key not in sent else None for key in ("minItems", "maxItems"))
    said = [_range(least or None, most, "item")]
    least, most = (
        schema.get(key) if key not in sent else None for key in ("minLength", "maxLength")
    )
    said.append(
        "not empty" if least == 1 and most is None else _range(least or None, most, "character")
    )
    return ", ".join(filter(None, said))


def _range(least: int | None, most: int | None, what: str) -> str:
    if least is not None and most is not None:
        return (
            f"exactly {most} {what}{'' if most == 1 else 's'}"
            if least == most
            else f"{least} to {most} {what}s"
        )
    if most is not None:
        return f"at most {most} {what}{'' if most == 1 else 's'}"
    return f"at least {least} {what}{'' if least == 1 else 's'}" if least is not None else ""
