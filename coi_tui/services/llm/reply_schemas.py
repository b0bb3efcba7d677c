"""The form of a reply as it is asked for: a JSON schema with the choices of one call, or an empty
skeleton for a server without schemas.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# What any strict schema may hold. Servers differ in the rest (minItems, minLength, pattern ...),
# and some refuse a schema that has it.
_STRICT_KEYWORDS = frozenset(
    {"type", "description", "enum", "const", "items", "properties", "anyOf", "$defs", "$ref"}
)
LIMITS = frozenset({"minItems", "maxItems", "minimum", "maximum"})
"""Keywords that servers with a grammar of their own can hold a model to."""


@dataclass(frozen=True)
class Choices:
    """What a field of the items of a list may hold in this call: the labels or the numbers that the
    prompt shows.

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
    fields = found["$defs"][listed["items"]["$ref"].rsplit("/", 1)[-1]]["properties"]
    said = {
        key: fields[choices.field][key]
        for key in ("type", "description")
        if key in fields[choices.field]
    }
    fields[choices.field] = {**said, "enum": list(choices.values)}
    if choices.exactly:
        listed |= {"minItems": len(choices.values), "maxItems": len(choices.values)}
    return found


def strict_schema(schema: dict[str, Any], *, limits: bool = False) -> dict[str, Any]:
    """``schema`` as OpenAI's strict mode wants it: all properties required, no others allowed,
    plain keywords only, and those of LIMITS where asked for."""
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # strict mode allows nothing beside a reference
    if len(schema.get("allOf", ())) == 1:
        schema = {**schema, **schema["allOf"][0]}
    if "oneOf" in schema:
        schema = {**schema, "anyOf": schema["oneOf"]}
    strict: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):  # a property may well be called "title" or "pattern"
            strict[key] = {name: strict_schema(one, limits=limits) for name, one in value.items()}
        elif key == "anyOf":
            strict[key] = [strict_schema(one, limits=limits) for one in value]
        elif key == "items":
            strict[key] = strict_schema(value, limits=limits)
        elif key in _STRICT_KEYWORDS or (limits and key in LIMITS):
            strict[key] = value
    if strict.get("type") == "object" or "properties" in strict:
        strict["properties"] = strict.get("properties", {})
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def skeleton(schema: dict[str, Any], defs: dict[str, Any] | None = None) -> Any:
    """A reply of this form with nothing in it: every field, one item in each list."""
    defs = schema.get("$defs", {}) if defs is None else defs
    if "$ref" in schema:
        schema = defs[schema["$ref"].rsplit("/", 1)[-1]]
    for either in ("anyOf", "allOf", "oneOf"):
        if either in schema:
            return skeleton(schema[either][0], defs)
    if "properties" in schema:
        return {name: skeleton(one, defs) for name, one in schema["properties"].items()}
    if schema.get("type") == "array":
        return [skeleton(schema.get("items", {}), defs)]
    empty = {"integer": 0, "number": 0, "boolean": False, "object": {}}
    return empty.get(str(schema.get("type")), "")
