"""Reading what came with HTTP 200, whole or as a stream. Every field is doubted; a Failure is returned where the answer is of no use."""

from __future__ import annotations

import json
import math
import time
from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.llm.prices import estimate_tokens
from coi_tui.llm.server_errors import Failure, from_error, parse_json
from coi_tui.llm.types import REFUSED, TOOL_CALLED, OnText, join_surrogates
from coi_tui.model.text import clean_line

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionChunk

BETWEEN_S = 0.05
"""Seconds between two calls of a listener at least: putting the text together for each token would cost the event loop time."""

MOST_NAME = 200
"""Characters of a model's name or of the reason why a reply ended."""

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
    cached_tokens: int = 0

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
    said = _Said(
        _text(message.get("content")), _text(message.get("refusal")), tool=_calls_tool(message)
    )
    return _chat_body(
        said,
        _text(message.get("reasoning_content") or message.get("reasoning")),
        choice.get("finish_reason"),
        body,
    )


@dataclass(frozen=True)
class _Said:
    """What a message holds: its text, and what may stand in the place of one."""

    text: str
    refusal: str = ""
    tool: bool = False

    def ending(self, finish_reason: object) -> tuple[str, str]:
        """The text and why it ended: a refusal without a text is the text, and a call of a tool is named, whatever the server calls it."""
        reason = clean_line(finish_reason)[:MOST_NAME]
        if self.text.strip() or not (self.refusal.strip() or self.tool):
            return self.text, reason
        return (self.refusal, REFUSED) if self.refusal.strip() else ("", TOOL_CALLED)


def _calls_tool(message: Mapping[str, Any]) -> bool:
    return bool(message.get("tool_calls") or message.get("function_call"))


def _chat_body(
    said: _Said, thinking: str, finish_reason: object, body: Mapping[str, Any]
) -> ChatBody:
    """A completion of which the parts are known; model and token counts are read from ``body``."""
    text, ended = said.ending(finish_reason)
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    completion = _count(usage.get("completion_tokens"))
    return ChatBody(
        text=text,
        thinking=thinking,
        finish_reason=ended,
        model=clean_line(body.get("model"))[:MOST_NAME],
        prompt_tokens=_count(usage.get("prompt_tokens"))
        or None,  # no prompt is empty: 0 says that nothing was counted
        completion_tokens=None if text and not completion else completion,
        cached_tokens=_cached(usage),
    )


def _cached(usage: Mapping[str, Any]) -> int:
    """Tokens of the prompt that the server had kept, never more than the prompt has. Servers say it in different places."""
    details = usage.get("prompt_tokens_details")
    places = (
        details.get("cached_tokens")
        if isinstance(details, dict)
        else None,  # OpenAI, Azure, vLLM, OpenRouter, Groq, xAI, Google
        usage.get("prompt_cache_hit_tokens"),  # DeepSeek
        usage.get("cached_tokens"),  # Moonshot, Together
        usage.get("cache_read_input_tokens"),  # Anthropic's names, as some proxies pass them on
    )
    found = max((_count(said) or 0 for said in places), default=0)
    return min(found, _count(usage.get("prompt_tokens")) or 0)


class _Stream:
    """A completion that is put together from its pieces."""

    def __init__(self) -> None:
        self.finish_reason: object = ""
        self._texts: list[str] = []
        self._refusal: list[str] = []
        self._tool = False
        self._thinking: list[str] = []
        self._known: dict[str, Any] = {}

    @property
    def text(self) -> str:
        return join_surrogates("".join(self._texts))

    def add(self, piece: Mapping[str, Any]) -> bool:
        """Take one piece; whether it brought more of the text."""
        self._known.update({name: piece[name] for name in ("model", "usage") if piece.get(name)})
        choice = _first_choice(piece)
        self.finish_reason = choice.get("finish_reason") or self.finish_reason
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return False
        self._thinking.append(_raw_text(delta.get("reasoning_content") or delta.get("reasoning")))
        self._refusal.append(_raw_text(delta.get("refusal")))
        self._tool = self._tool or _calls_tool(delta)
        self._texts.append(_raw_text(delta.get("content")))
        return bool(self._texts[-1])

    def body(self) -> ChatBody:
        said = _Said(self.text, join_surrogates("".join(self._refusal)), tool=self._tool)
        return _chat_body(
            said, join_surrogates("".join(self._thinking)), self.finish_reason, self._known
        )


async def read_stream(
    chunks: AsyncIterable[ChatCompletionChunk], on_text: OnText
) -> ChatBody | Failure:
    """The completion that comes in pieces. A stream that breaks off is a lost connection; an error within it stays that error."""
    stream, shown_at = _Stream(), 0.0
    try:
        async for chunk in chunks:
            if not hasattr(
                chunk, "to_dict"
            ):  # the package hands on what is no JSON object as it came
                return BROKEN
            piece = chunk.to_dict(warnings=False)
            if piece.get("object") == "error":
                return from_error(piece, 200, in_body=True)
            if stream.add(piece) and time.monotonic() - shown_at >= BETWEEN_S:
                shown_at = time.monotonic()
                on_text(stream.text)
    except (json.JSONDecodeError, UnicodeDecodeError):  # an event that is no JSON
        return BROKEN
    return stream.body() if stream.finish_reason else Failure(0, trouble="connection")


def _first_choice(piece: Mapping[str, Any]) -> dict[str, Any]:
    choices = piece.get("choices")
    return (
        choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    )


def _raw_text(content: object) -> str:
    """A message's text; some servers send it in parts."""
    if isinstance(content, list):
        return "".join(_raw_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _text(content: object) -> str:
    return join_surrogates(_raw_text(content))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def read_embeddings(content: bytes, wanted: int) -> EmbeddingBody | Failure:
    """``wanted`` vectors of one dimension, sorted by index and brought to length 1."""
    body = _opened(content)
    if isinstance(body, Failure):
        return body
    vectors = [
        vector
        for row in _rows(body.get("data"))
        if (vector := _vector(row.get("embedding"))) is not None
    ]
    if len(vectors) != wanted or len({len(vector) for vector in vectors}) != 1:
        return BROKEN
    usage = body.get("usage")
    tokens = _count(usage.get("prompt_tokens")) if isinstance(usage, dict) else None
    return EmbeddingBody(vectors, clean_line(body.get("model"))[:MOST_NAME], tokens or None)


def _rows(data: object) -> list[dict[str, Any]]:
    """The rows of a list of vectors, in the order of their index where all have one."""
    rows = [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []
    if all(_count(row.get("index")) is not None for row in rows):
        rows = sorted(rows, key=lambda row: int(row["index"]))
    return rows


def _vector(value: object) -> list[float] | None:
    """A vector of length 1 (zeros stay zeros); None where it is no list of finite numbers."""
    if not isinstance(value, list) or not value:
        return None
    if not all(
        isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) for x in value
    ):
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
    names = {
        clean_line(row["id"])[:MOST_NAME]
        for row in data
        if isinstance(row, dict) and isinstance(row.get("id"), str)
    }
    return sorted(names - {""})
