"""A server in memory: a queue of answers, and every request as it was sent."""

import json
from collections.abc import Callable
from typing import Any

import httpx2

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.services.llm.openai_compatible import OpenAICompatible

KEY = "sk-f4k3-secret-key-0123456789"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Q",
    "properties": {"query": {"type": "string", "minLength": 1}},
}

Answer = httpx2.Response | Exception | Callable[[httpx2.Request], httpx2.Response]


def request(**changes: Any) -> ChatRequest:
    values: dict[str, Any] = {
        "role": "main",
        "prompt": "coi_rewrite",
        "version": "1",
        "prompt_hash": "abc",
        "system": "You help.",
        "user": "PRIVATE-TOPIC",
        "schema_name": "Rewrite",
        "schema": SCHEMA,
        "temperature": 0.7,
        "max_tokens": 300,
        "values": {"topic": "t"},
    }
    return ChatRequest(**{**values, **changes})


def chat(text: object = '{"query": "x"}', **changes: Any) -> httpx2.Response:
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "served-model",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
    }
    return httpx2.Response(200, json={**body, **changes})


def events(content: bytes) -> httpx2.Response:
    """Server-sent events."""
    return httpx2.Response(200, content=content, headers={"content-type": "text/event-stream"})


def stream(
    *texts: str, usage: dict[str, int] | None = None, done: bool = True, reason: str = "stop"
) -> httpx2.Response:
    """The pieces of an answer."""
    return streamed(*({"content": text} for text in texts), usage=usage, done=done, reason=reason)


def streamed(
    *deltas: dict[str, Any],
    usage: dict[str, int] | None = None,
    done: bool = True,
    reason: str = "stop",
) -> httpx2.Response:
    """The pieces of an answer, each a part of its message."""
    pieces: list[dict[str, Any]] = [{"choices": [{"delta": delta}]} for delta in deltas]
    if reason:
        pieces.append({"choices": [{"delta": {}, "finish_reason": reason}]})
    if usage is not None:
        pieces.append({"choices": [], "usage": usage})
    lines = [f"data: {json.dumps({'model': 'served-model', **piece})}\n\n" for piece in pieces]
    return events("".join([*lines, "data: [DONE]\n\n" * done]).encode())


def error(status: int, fields: object, headers: dict[str, str] | None = None) -> httpx2.Response:
    return httpx2.Response(status, json={"error": fields}, headers=headers)


class Server:
    """Answers in order; the last answer repeats for ever."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx2.Request] = []

    def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        self.requests.append(sent)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(
            answer, httpx2.Response
        ):  # a fresh one each time: a response can be read once only
            return httpx2.Response(
                answer.status_code, content=answer.content, headers=answer.headers
            )
        return answer(sent)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(sent.content) for sent in self.requests]

    @property
    def formats(self) -> list[str]:
        return [body.get("response_format", {"type": "text"})["type"] for body in self.bodies]


def client(server: Callable[[httpx2.Request], Any], **changes: Any) -> OpenAICompatible:
    settings = LlmSettings(
        **{
            "base_url": "http://user:pw@model.test:8080/v1/",
            "main": RoleSettings(model="big"),
            "reader": RoleSettings(model=""),
            "embedding": RoleSettings(model="vectors"),
            **changes,
        }
    )
    http_client = httpx2.AsyncClient(transport=httpx2.MockTransport(server))
    return OpenAICompatible(settings, KEY, http_client=http_client, wait_s=0)
