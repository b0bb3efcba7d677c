"""An OpenAI-shaped model server: /v1/chat/completions, /v1/embeddings, /v1/models, /v1/files and
/v1/batches (with or without /v1)."""

import json
import math
import re
import zlib
from typing import Any

from tests.support.standins import invented_text
from tests.support.standins.batches import Batches
from tests.support.standins.chat_replies import Asked, Writer, asked, message_texts
from tests.support.standins.corpus import Corpus
from tests.support.standins.fault_injection import Fault, spoil
from tests.support.standins.http_server import Request, Response, Service, answer_json
from tests.support.standins.settings import ChatOptions

MODELS = ("standin-main", "standin-reader", "standin-embedding")
DIMENSIONS = 128
PAPER = re.compile(r"^<<<paper\n(.+) \((?:\d{4}|n\.d\.), [a-z ]+\)$", re.MULTILINE)
"""The title in a prompt that shows the text of one paper."""


class ChatService(Service):
    """The model server's answers."""

    name = "chat"

    def __init__(self, corpus: Corpus, options: ChatOptions | None = None) -> None:
        self.corpus, self.options = corpus, options or ChatOptions()
        self._vectors: dict[str, list[float]] = {}
        self.batches = Batches(self._answered_line, self.options)

    def kind(self, request: Request) -> str:
        route = _route(request)
        return {"/chat/completions": "chat", "/embeddings": "embeddings"}.get(route, "other")

    def note(self, request: Request) -> dict[str, Any]:
        """For the log: size of the prompt, the reply asked for, the rung, the model, and the title
        of a paper whose text is shown."""
        body = request.json
        if not isinstance(body, dict):
            return {}
        if _route(request) == "/batches":
            return {"batch": body.get("metadata")}
        if _route(request) != "/chat/completions":
            return {"model": body.get("model"), "inputs": len(body.get("input") or ())}
        texts = message_texts(body.get("messages"))
        want = asked(body, texts)
        size = sum(len(text) for _, text in texts)
        paper = next((found.group(1) for _, text in texts if (found := PAPER.search(text))), "")
        about = {"paper": paper} if paper else {}
        return {
            "prompt_chars": size,
            "schema": want.name,
            "rung": want.rung,
            "model": body.get("model"),
            **about,
        }

    def failure(self, status: int) -> Response:
        """A 429 or 500 as OpenAI words it."""
        if status == 429:
            return self._error(
                429, "Rate limit reached for requests", "requests", code="rate_limit_exceeded"
            )
        return self._error(
            status, "The server had an error while processing your request", "server_error"
        )

    def answer(self, request: Request, fault: Fault) -> Response:
        match request.method, _route(request):
            case "GET", "/models":
                models = [{"id": name, "object": "model", "created": 0} for name in MODELS]
                return answer_json({"object": "list", "data": models})
            case "POST", "/embeddings":
                return self._embeddings(request.json)
            case "POST", "/chat/completions":
                return self._refusal(request.json) or self._chat(request.json, fault)
            case method, route if self.options.batches and route.startswith(("/files", "/batches")):
                if found := self.batches.answer(method, route, request):
                    return found
        return self._error(
            404, f"Unknown request URL: {request.method} {request.path}", code="unknown_url"
        )

    def _answered_line(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and body of the answer to a line of a batch."""
        found = self._refusal(body) or self._chat(body, Fault())
        return found.status, json.loads(found.body)

    def _error(
        self,
        status: int,
        message: str,
        kind: str = "invalid_request_error",
        param: str | None = None,
        code: str | None = None,
    ) -> Response:
        return answer_json(
            {"error": {"message": message, "type": kind, "param": param, "code": code}}, status
        )

    def _refusal(self, body: Any) -> Response | None:
        """A 400 for what this server does not take."""
        if not isinstance(body, dict) or not body.get("messages") or not body.get("model"):
            return self._error(400, "you must provide a model and messages")
        form = (body.get("response_format") or {}).get("type", "text")
        if form != "text" and form not in self.options.formats:
            return self._error(
                400, f"'response_format.type' {form!r} is not supported", param="response_format"
            )
        return None

    def _chat(self, body: dict[str, Any], fault: Fault) -> Response:
        texts = message_texts(body["messages"])
        data = self._reply(texts, asked(body, texts))
        plain = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        text = spoil(data, fault) if fault.kind == "malformed" else plain
        prompt = sum(len(part) for _, part in texts)
        note: dict[str, Any] = {"reply_chars": len(text)}
        if cached := self.cached(body):
            note["cached"] = cached
        usage = _usage(prompt, len(text), cached.get("messages"))
        model = body["model"]
        response = (
            _stream(body, model, text, usage, self.options)
            if body.get("stream")
            else _whole(model, text, usage)
        )
        response.note = note
        response.answered = lambda: self.answered(body)
        return response

    def cached(self, body: dict[str, Any]) -> dict[str, int]:
        """Tokens of a prompt that a cache has, by the kind of cache; this server has none."""
        return {}

    def answered(self, body: dict[str, Any]) -> None:
        """Called when a prompt was answered."""

    def _reply(self, texts: list[tuple[str, str]], want: Asked) -> Any:
        return Writer(self.corpus, self.options, texts, want).write()

    def _embeddings(self, body: Any) -> Response:
        """Hashed bags of words: texts that share words are near each other."""
        given = body.get("input") if isinstance(body, dict) else None
        texts = [given] if isinstance(given, str) else given
        if not texts or not all(isinstance(text, str) and text for text in texts):
            return self._error(
                400, "'input' must be a text or a list of texts, none of them empty", param="input"
            )
        vectors = [self.vector(text) for text in texts]
        rows = [
            {"object": "embedding", "index": n, "embedding": vector}
            for n, vector in enumerate(vectors)
        ]
        answer = {"object": "list", "data": rows, "model": body.get("model")}
        count = sum(math.ceil(len(text) / 4) for text in texts)
        answer["usage"] = {"prompt_tokens": count, "total_tokens": count}
        return answer_json(answer)

    def vector(self, text: str) -> list[float]:
        """The unit vector of a text."""
        known = self._vectors.get(text)
        if known is None:
            sums = [0.0] * DIMENSIONS
            for word in invented_text.tokens(text):
                code = zlib.crc32(word.encode())
                sums[code % DIMENSIONS] += 1.0 if code & 0x80000000 else -1.0
            length = math.sqrt(sum(value * value for value in sums)) or 1.0
            known = [round(value / length, 5) for value in sums]
            self._vectors[text] = known
        return known


def _route(request: Request) -> str:
    return request.path.rstrip("/").removeprefix("/v1")


def _usage(prompt: int, reply: int, cached: int | None) -> dict[str, Any]:
    sent, got = math.ceil(prompt / 4), math.ceil(reply / 4)
    kept = {} if cached is None else {"prompt_tokens_details": {"cached_tokens": min(sent, cached)}}
    return {"prompt_tokens": sent, "completion_tokens": got, "total_tokens": sent + got, **kept}


def _frame(kind: str, model: str, choices: list[dict[str, Any]], usage: Any) -> dict[str, Any]:
    frame = {
        "id": "chatcmpl-standin",
        "object": kind,
        "created": 1_700_000_000,
        "model": model,
        "choices": choices,
    }
    return frame if usage is None else {**frame, "usage": usage}


def _whole(model: str, text: str, usage: Any) -> Response:
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    return answer_json(_frame("chat.completion", model, [choice], usage))


def _stream(
    body: dict[str, Any], model: str, text: str, usage: Any, options: ChatOptions
) -> Response:
    """The same as server-sent events, in pieces and with pauses as the options say."""
    size = options.piece
    pieces = [
        {"role": "assistant", "content": ""},
        *({"content": text[n : n + size]} for n in range(0, len(text), size)),
    ]
    choices: list[list[dict[str, Any]]] = [
        [{"index": 0, "delta": piece, "finish_reason": None}] for piece in pieces
    ]
    choices.append([{"index": 0, "delta": {}, "finish_reason": "stop"}])
    frames = [_frame("chat.completion.chunk", model, choice, None) for choice in choices]
    if usage is not None and (body.get("stream_options") or {}).get("include_usage"):
        frames.append(_frame("chat.completion.chunk", model, [], usage))
    lines = [*(f"data: {json.dumps(frame)}\n\n".encode() for frame in frames), b"data: [DONE]\n\n"]
    return Response(
        200,
        b"".join(lines),
        content_type="text/event-stream",
        pieces=tuple(lines) if options.pause else (),
        pause=options.pause,
    )
