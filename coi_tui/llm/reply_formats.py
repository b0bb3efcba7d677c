"""What is sent for one call: the ladder of reply formats, and what a model's server was found to take."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from coi_tui.llm.server_errors import Failure, about_format, refused_parameter
from coi_tui.llm.types import ChatRequest, join_surrogates

FORMATS = ("json_schema", "json_object", "text")

# What a strict schema may hold. Everything else (minLength, maxItems, pattern, default, title ...) makes OpenAI refuse it.
_STRICT_KEYWORDS = frozenset({"type", "description", "enum", "const", "items", "properties", "anyOf", "$defs", "$ref"})


@dataclass(frozen=True)
class RequestShape:
    """What a server takes for one model: reply formats and names of the reply's limit that are left to try, the best first.

    ``formats`` is never empty; without ``tokens_names`` it takes no limit of the reply at all.
    """

    formats: tuple[str, ...] = FORMATS
    tokens_names: tuple[str, ...] = ("max_tokens", "max_completion_tokens")
    temperature: bool = True

    @property
    def format(self) -> str:
        """The reply format that is asked for now."""
        return self.formats[0]

    @property
    def tokens_name(self) -> str:
        """What the limit of the reply is called now; empty where none is sent."""
        return self.tokens_names[0] if self.tokens_names else ""

    def sent(self) -> frozenset[str]:
        """The parameters that may be refused and are sent now."""
        names = {self.tokens_name, "temperature" if self.temperature else ""}
        return frozenset(names - {""})

    def after(self, failure: Failure) -> RequestShape | None:
        """The shape to try next after this failure, or None where another one will not help.

        Each change is one-way, so a call has at most five of them. A format that a person set is the only one.
        """
        refused = refused_parameter(failure, self.sent())
        if refused == "temperature":
            return replace(self, temperature=False)
        if refused:
            return replace(self, tokens_names=self.tokens_names[1:])
        if len(self.formats) > 1 and about_format(failure):
            return replace(self, formats=self.formats[1:])
        return None


def call_arguments(request: ChatRequest, model: str, shape: RequestShape) -> dict[str, Any]:
    """The keyword arguments of ``chat.completions.create``."""
    arguments: dict[str, Any] = {"model": model, "messages": messages(request, shape.format)}
    if shape.temperature:
        arguments["temperature"] = request.temperature
    if shape.tokens_name:
        arguments[shape.tokens_name] = request.max_tokens
    if shape.format == "json_schema":
        name = re.sub(r"[^A-Za-z0-9_-]", "_", request.schema_name)[:64] or "reply"
        asked = {"name": name, "strict": True, "schema": strict_schema(request.schema)}
        arguments["response_format"] = {"type": "json_schema", "json_schema": asked}
    elif shape.format == "json_object":
        arguments["response_format"] = {"type": "json_object"}
    return arguments


def messages(request: ChatRequest, reply_format: str) -> list[dict[str, str]]:
    """System, user, and for a re-ask the previous reply with the sentence on it. Roles alternate strictly and no message
    is empty: some chat templates refuse anything else."""
    system = request.system if reply_format == "json_schema" else f"{request.system}\n\n{_schema_text(request.schema)}".lstrip()
    user = request.user
    reply, sentence = request.reask or ("", "")
    if request.reask and not reply.strip():
        user = f"{user}\n\n{sentence}"
    found = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    if reply.strip():
        found += [{"role": "assistant", "content": reply}, {"role": "user", "content": sentence}]
    return [{**message, "content": join_surrogates(message["content"])} for message in found if message["content"]]


def _schema_text(schema: dict[str, Any]) -> str:
    # The order of the properties is kept: the model writes its reasons before its verdict.
    text = json.dumps(schema, separators=(",", ":"), ensure_ascii=False)
    return f"Answer with exactly one JSON object and nothing else; it must match this JSON schema: {text}"


def strict_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema`` as OpenAI's strict mode wants it: all properties required, no others allowed, plain keywords only."""
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # strict mode allows nothing beside a reference
    if len(schema.get("allOf", ())) == 1:
        schema = {**schema, **schema["allOf"][0]}
    if "oneOf" in schema:
        schema = {**schema, "anyOf": schema["oneOf"]}
    strict = {key: _strict_value(key, value) for key, value in schema.items() if key in _STRICT_KEYWORDS}
    if strict.get("type") == "object" or "properties" in strict:
        strict["properties"] = strict.get("properties", {})
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def _strict_value(key: str, value: Any) -> Any:
    if key in ("properties", "$defs"):  # maps of names to schemas: a property may well be called "title" or "pattern"
        return {name: strict_schema(inner) for name, inner in value.items()}
    if key == "anyOf":
        return [strict_schema(inner) for inner in value]
    return strict_schema(value) if key == "items" and isinstance(value, dict) else value
