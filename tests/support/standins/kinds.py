"""Loopback servers that differ as the kinds of model server do: paths, keys, formats, contexts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request, Response, answer_json

ANSWER = '{"query": "x"}'


@dataclass
class Kind:
    """One kind of server. ``formats`` it takes.

    ``context``: tokens (characters / 4) of prompt and reply, beyond which ``too_long`` answers, or
    None cuts without a word.
    """

    name: str = "kind"
    root: str = "/v1"
    formats: tuple[str, ...] = ("json_schema", "json_object", "text")
    key: str = ""
    answer_text: str | Callable[[dict[str, Any]], tuple[str, str]] = ANSWER
    context: int | None = None
    too_long: Callable[[int, int], tuple[int, Any]] | None = None
    seen: list[Request] = field(default_factory=list)

    def error(self, status: int, message: str, code: str = "", param: str = "") -> Response:
        """An error as OpenAI shapes it."""
        said = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
        return answer_json({"error": said}, status)

    def kind(self, request: Request) -> str:
        return "chat" if request.path.endswith("/chat/completions") else "other"

    def note(self, request: Request) -> dict[str, Any]:
        return {}

    def failure(self, status: int) -> Response:
        return self.error(status, "trouble")

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [r.json for r in self.seen if isinstance(r.json, dict)]

    @property
    def asked(self) -> list[str]:
        """The reply formats that were asked for, in order."""
        return [(body.get("response_format") or {}).get("type", "text") for body in self.bodies]

    def answer(self, request: Request, fault: Fault) -> Response:
        self.seen.append(request)
        if self.key and request.headers.get("authorization") != self.key:
            return self.error(401, "no such key", "invalid_api_key")
        if request.path == f"{self.root}/models":
            return answer_json({"object": "list", "data": [{"id": "big", "object": "model"}]})
        if request.path != f"{self.root}/chat/completions":
            return self.error(404, "Resource not found", "404")
        return self._refusal(request.json) or self._chat(request.json)

    def _refusal(self, body: dict[str, Any]) -> Response | None:
        form = (body.get("response_format") or {}).get("type", "text")
        if form not in self.formats:
            said = f"'response_format.type' must not be '{form}'"
            return self.error(400, said, param="response_format")
        size = self._tokens(body)
        if (
            self.context is not None
            and self.too_long is not None
            and size + _reply_limit(body) > self.context
        ):
            status, said = self.too_long(size, self.context)
            return answer_json(said, status)
        return None

    @staticmethod
    def _tokens(body: dict[str, Any]) -> int:
        return sum(len(m["content"]) for m in body["messages"]) // 4

    def _chat(self, body: dict[str, Any]) -> Response:
        said = self.answer_text(body) if callable(self.answer_text) else (self.answer_text, "stop")
        text, reason = said
        prompt = self._tokens(body)
        if self.context is not None and self.too_long is None:
            prompt = min(prompt, self.context)
        usage = {"prompt_tokens": prompt, "completion_tokens": max(1, len(text) // 4)}
        model = body.get("model")
        if body.get("stream"):
            chunks: list[dict[str, Any]] = [
                {"choices": [{"delta": {"content": text}}]},
                {"choices": [{"delta": {}, "finish_reason": reason}]},
                {"choices": [], "usage": usage},
            ]
            lines = [
                *(f"data: {json.dumps({'model': model, **c})}" for c in chunks),
                "data: [DONE]",
            ]
            events = "".join(f"{line}\n\n" for line in lines).encode()
            return Response(200, events, content_type="text/event-stream")
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return answer_json({"model": model, "choices": [choice], "usage": usage})


def _reply_limit(body: dict[str, Any]) -> int:
    return int(body.get("max_tokens") or body.get("max_completion_tokens") or 0)
