"""Reading the bodies of answers with HTTP 200. Every field is doubted; Failure is returned where the answer is of no use."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from coi_tui.llm.prices import estimate_tokens
from coi_tui.llm.server_errors import Failure, from_error, parse_json
from coi_tui.llm.types import join_surrogates
from coi_tui.model.text import clean_line

BROKEN = Failure(200, trouble="body")


@dataclass(frozen=True)
class ChatBody:
    """The parts of a chat completion that matter; token counts are None where the server gave none.

    ``thinking`` is the reasoning that came in a field of its own; what stands in the text between think tags stays there.
    """

    text: str
    thinking: str
    finish_reason: str
    model: str
    prompt_tokens: int | None
    completion_tokens: int | None

    def tokens(self, prompt_chars: int) -> tuple[int, int, bool]:
        """Prompt tokens, reply tokens, and whether either had to be estimated (characters / 4)."""
        estimated = self.prompt_tokens is None or self.completion_tokens is None
        prompt = estimate_tokens(prompt_chars) if self.prompt_tokens is None else self.prompt_tokens
        completion = self.completion_tokens
        if completion is None:
            completion = estimate_tokens(len(self.text) + len(self.thinking))
        return prompt, completion, estimated


@dataclass(frozen=True)
class EmbeddingBody:
    vectors: list[list[float]]
    model: str
    prompt_tokens: int | None


def _opened(content: bytes) -> dict[str, Any] | Failure:
    """The body as a dictionary; an ``error`` in it is a failure although the status was 200 (OpenRouter, llama.cpp)."""
    body = parse_json(content)
    if not isinstance(body, dict):
        return BROKEN
    if body.get("error"):
        return from_error(body["error"], 200, in_body=True)
    if body.get("object") == "error":
        return from_error(body, 200, in_body=True)
    return body


def read_chat(content: bytes) -> ChatBody | Failure:
    """A chat completion. Empty or null content is an empty text: what that means is for the reader of replies to say."""
    body = _opened(content)
    if isinstance(body, Failure):
        return body
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return BROKEN
    if choice.get("error"):
        return from_error(choice["error"], 200, in_body=True)
    message = choice.get("message")
    if not isinstance(message, dict):
        return BROKEN
    text, usage = _text(message.get("content")), body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    completion = _count(usage.get("completion_tokens"))
    return ChatBody(
        text=text,
        thinking=_text(message.get("reasoning_content") or message.get("reasoning")),
        finish_reason=clean_line(choice.get("finish_reason")),
        model=clean_line(body.get("model")),
        prompt_tokens=_count(usage.get("prompt_tokens")) or None,  # no prompt is empty: 0 says that nothing was counted
        completion_tokens=None if text and not completion else completion,
    )


def _text(content: object) -> str:
    """A message's text; some servers send it in parts."""
    if isinstance(content, list):
        content = "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        return ""
    return join_surrogates(content)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def read_embeddings(content: bytes, wanted: int) -> EmbeddingBody | Failure:
    """``wanted`` vectors of one dimension, sorted by index and brought to length 1."""
    body = _opened(content)
    if isinstance(body, Failure):
        return body
    data = body.get("data")
    rows = [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []
    if all(_count(row.get("index")) is not None for row in rows):
        rows = sorted(rows, key=lambda row: int(row["index"]))
    vectors = [vector for row in rows if (vector := _vector(row.get("embedding"))) is not None]
    if len(vectors) != wanted or len({len(vector) for vector in vectors}) != 1:
        return BROKEN
    usage = body.get("usage")
    tokens = _count(usage.get("prompt_tokens")) if isinstance(usage, dict) else None
    return EmbeddingBody(vectors, clean_line(body.get("model")), tokens or None)


def _vector(value: object) -> list[float] | None:
    """A vector of length 1 (zeros stay zeros); None where it is no list of finite numbers."""
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) for x in value):
        return None
    length = math.hypot(*value)
    return [float(x) / length for x in value] if length else [0.0] * len(value)


def read_models(content: bytes) -> list[str] | Failure:
    """The model names a server lists, sorted; Ollama without models says ``null``."""
    body = _opened(content)
    if isinstance(body, Failure):
        return body
    data = body.get("data") or []
    if not isinstance(data, list):
        return BROKEN
    names = {clean_line(row["id"]) for row in data if isinstance(row, dict) and isinstance(row.get("id"), str)}
    return sorted(names - {""})
