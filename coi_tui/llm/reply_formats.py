"""What is sent for one call: the ladder of reply formats, and what a model's server was found to take."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from coi_tui.llm.reply_schemas import NO_LIMITS, strict_schema
from coi_tui.llm.server_errors import Failure, about_format, about_limits, refused_parameter
from coi_tui.llm.types import ChatRequest, join_surrogates

FORMATS = ("json_schema", "json_object", "text")


@dataclass(frozen=True)
class RequestShape:
    """What a server takes for one model: reply formats and names of the reply's limit that are left to try, the best first.

    ``formats`` is never empty; without ``tokens_names`` it takes no limit of the reply at all. ``limits`` are the keywords for numbers of
    items and lengths that go with a strict schema.
    """

    formats: tuple[str, ...] = FORMATS
    tokens_names: tuple[str, ...] = ("max_tokens", "max_completion_tokens")
    temperature: bool = True
    limits: frozenset[str] = NO_LIMITS

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

        Each change is one-way, so a call has at most six of them. A format that a person set is the only one.
        """
        refused = refused_parameter(failure, self.sent())
        if refused == "temperature":
            return replace(self, temperature=False)
        if refused:
            return replace(self, tokens_names=self.tokens_names[1:])
        if self.format == "json_schema" and about_limits(failure, self.limits):
            return replace(self, limits=NO_LIMITS)
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
        asked = {
            "name": name,
            "strict": True,
            "schema": strict_schema(request.schema, shape.limits),
        }
        arguments["response_format"] = {"type": "json_schema", "json_schema": asked}
    elif shape.format == "json_object":
        arguments["response_format"] = {"type": "json_object"}
    return arguments


def messages(request: ChatRequest, reply_format: str) -> list[dict[str, str]]:
    """System, user, and for a re-ask the previous reply with the sentence on it. Roles alternate strictly and no message
    is empty: some chat templates refuse anything else."""
    system = request.system
    # The schema goes last, so that prompts which begin alike go on beginning alike for servers that keep the beginnings of prompts.
    user = (
        request.user
        if reply_format == "json_schema"
        else f"{request.user}\n\n{_schema_text(request.schema)}".lstrip()
    )
    reply, sentence = request.reask or ("", "")
    if request.reask and not reply.strip():
        user = f"{user}\n\n{sentence}"
    found = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    if reply.strip():
        found += [{"role": "assistant", "content": reply}, {"role": "user", "content": sentence}]
    return [
        {**message, "content": join_surrogates(message["content"])}
        for message in found
        if message["content"]
    ]


def _schema_text(schema: dict[str, Any]) -> str:
    # The order of the properties is kept: the model writes its reasons before its verdict.
    text = json.dumps(schema, separators=(",", ":"), ensure_ascii=False)
    return f"Answer with exactly one JSON object and nothing else; it must match this JSON schema: {text}"
