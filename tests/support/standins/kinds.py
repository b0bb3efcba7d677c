"""Loopback servers that differ as the kinds of model server do: paths, keys, formats, parameters,
errors, usage, reasoning."""

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
    """One kind of server. ``formats`` it takes; ``refuses`` names a parameter with the body of the
    400; ``error`` shapes every error.

    ``context``: tokens (characters / 4) of prompt and reply, beyond which ``too_long`` answers, or
    None cuts without a word.
    """

    name: str = "kind"
    root: str = "/v1"
    formats: tuple[str, ...] = ("json_schema", "json_object", "text")
    refuses: tuple[str, ...] = ()
    key: str = ""
    key_header: str = "authorization"
    usage: bool = True
    stream_usage: bool = True
    thinking: str = ""
    inline: str = ""
    answer_text: str | Callable[[dict[str, Any]], tuple[str, str]] = ANSWER
    context: int | None = None
    too_long: Callable[[int, int], tuple[int, Any]] | None = None
    error: Callable[[int, str, str, str], Any] = lambda status, text, code, param: {
        "error": {
            "message": text,
            "type": "invalid_request_error",
            "param": param or None,
            "code": code or None,
        }
    }
    always: tuple[int, Any] | None = None
    """Status and body of every answer, where this server answers nothing else."""
    before_stream: tuple[str, ...] = ()
    seen: list[Request] = field(default_factory=list)

    def kind(self, request: Request) -> str:
        return "chat" if request.path.endswith("/chat/completions") else "other"

    def note(self, request: Request) -> dict[str, Any]:
        return {}

    def failure(self, status: int) -> Response:
        return answer_json(self.error(status, "trouble", "", ""), status)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [r.json for r in self.seen if isinstance(r.json, dict)]

    @property
    def asked(self) -> list[str]:
        """The reply formats that were asked for, in order."""
        return [(body.get("response_format") or {}).get("type", "text") for body in self.bodies]

    def answer(self, request: Request, fault: Fault) -> Response:
        self.seen.append(request)
        if self.always is not None:
            return answer_json(self.always[1], self.always[0])
        if self.key and request.headers.get(self.key_header) != self.key:
            return answer_json(self.error(401, "no such key", "invalid_api_key", ""), 401)
        if request.path == f"{self.root}/models":
            return answer_json({"object": "list", "data": [{"id": "big", "object": "model"}]})
        if request.path != f"{self.root}/chat/completions":
            return answer_json(self.error(404, "Resource not found", "404", ""), 404)
        return self._refusal(request.json) or self._chat(request.json)

    def _refusal(self, body: dict[str, Any]) -> Response | None:
        form = (body.get("response_format") or {}).get("type", "text")
        if form not in self.formats:
            return answer_json(
                self.error(
                    400, f"'response_format.type' must not be '{form}'", "", "response_format"
                ),
                400,
            )
        if name := next((n for n in self.refuses if n in body), ""):
            return answer_json(
                self.error(400, f"Unsupported parameter: '{name}'", "unsupported_parameter", name),
                400,
            )
        if body.get("stream_options") and not self.stream_usage:
            return answer_json(self.error(400, "unknown field stream_options", "", ""), 400)
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
        text, reason = self.inline + said[0], said[1]
        prompt = self._tokens(body)
        if self.context is not None and self.too_long is None:
            prompt = min(prompt, self.context)
        usage = (
            {"prompt_tokens": prompt, "completion_tokens": max(1, len(text) // 4)}
            if self.usage
            else None
        )
        if body.get("stream"):
            return self._stream(body, text, reason, usage)
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if self.thinking:
            message["reasoning_content"] = self.thinking
        whole = {
            "model": body.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        }
        return answer_json({**whole, **({"usage": usage} if usage else {})})

    def _stream(self, body: dict[str, Any], text: str, reason: str, usage: Any) -> Response:
        chunks: list[dict[str, Any]] = (
            [{"choices": [{"delta": {"reasoning_content": self.thinking}}]}]
            if self.thinking
            else []
        )
        chunks += [
            {"choices": [{"delta": {"content": text}}]},
            {"choices": [{"delta": {}, "finish_reason": reason}]},
        ]
        if usage and (body.get("stream_options") or {}).get("include_usage"):
            chunks.append({"choices": [], "usage": usage})
        lines = [
            *self.before_stream,
            *(f"data: {json.dumps({'model': body.get('model'), **c})}" for c in chunks),
            "data: [DONE]",
        ]
        return Response(
            200, "".join(f"{line}\n\n" for line in lines).encode(), content_type="text/event-stream"
        )


def _reply_limit(body: dict[str, Any]) -> int:
    return int(body.get("max_tokens") or body.get("max_completion_tokens") or 0)
