"""A chat completion that comes in pieces (server-sent events), put together to the body it would have been in one."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any

from coi_tui.llm.server_errors import Failure, parse_json
from coi_tui.llm.types import Told

BETWEEN = 0.05
"""Seconds between two tellings at least: putting the text together for each token would cost the loop time."""


def about_streaming(failure: Failure) -> bool:
    """Whether the server refused to stream, rather than the call."""
    return "stream" in failure.words or "stream" in failure.param


async def gathered(lines: AsyncIterator[str], told: Told) -> bytes | Failure:
    """The body, as if it had come whole. A stream that ends before its end is a lost connection; an error in it stays an error."""
    texts: list[str] = []
    thinking: list[str] = []
    whole: dict[str, Any] = {"choices": [], "usage": None, "model": ""}
    reason, ended, last = "", False, 0.0
    async for line in lines:
        if not line.startswith("data:"):
            continue
        data = line[5:].strip()
        if data == "[DONE]":
            ended = True
            break
        piece = parse_json(data.encode())
        if not isinstance(piece, dict):
            return Failure(200, trouble="body")
        if piece.get("error") or piece.get("object") == "error":
            return data.encode()
        whole["model"] = piece.get("model") or whole["model"]
        whole["usage"] = piece.get("usage") or whole["usage"]
        choice = _first(piece)
        reason = choice.get("finish_reason") or reason
        if said := _said(choice, texts, thinking):
            texts.append(said)
            if time.monotonic() - last >= BETWEEN:
                last = time.monotonic()
                told("".join(texts))
    if not ended and not reason:
        return Failure(0, trouble="connection")
    message = {"content": "".join(texts), "reasoning_content": "".join(thinking)}
    whole["choices"] = [{"message": message, "finish_reason": reason}]
    return json.dumps(whole).encode()


def _first(piece: dict[str, Any]) -> dict[str, Any]:
    choices = piece.get("choices")
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}


def _said(choice: dict[str, Any], texts: list[str], thinking: list[str]) -> str:
    """What a piece adds to the text; what it adds to the model's thinking is only counted."""
    delta = choice.get("delta")
    if not isinstance(delta, dict):
        return ""
    thought = delta.get("reasoning_content") or delta.get("reasoning")
    if isinstance(thought, str):
        thinking.append(thought)
    content = delta.get("content")
    return content if isinstance(content, str) else ""
