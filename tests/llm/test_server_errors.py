"""Every row of the error table, the retries and their waits, and that no secret gets into an
error."""

import gzip
import traceback
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from coi_tui.model.errors import ServiceError
from tests.llm.server import KEY, Answer, Server, chat, client, error, request

NONCE = "zqxnoncezqx"


async def failed(
    *answers: Answer, streamed: bool = False, **changes: Any
) -> tuple[ServiceError, Server]:
    server = Server(*answers)
    model = client(server, **changes)
    with pytest.raises(ServiceError) as caught:
        await (model.stream(request(), lambda _: None) if streamed else model.complete(request()))
    check_clean(caught.value)
    return caught.value, server


def check_clean(caught: ServiceError) -> None:
    """One sentence; no key, reply, request or server's words in it or in what hangs on it, apart
    from ``said``, which holds no key."""
    hung = {name: value for name, value in vars(caught).items() if name != "response"}
    shown = "".join(traceback.format_exception(caught)) + repr(caught.args) + repr(hung)
    assert not any(secret in caught.response for secret in (KEY, "user:pw"))
    for secret in (KEY, "PRIVATE-TOPIC", NONCE, "user:pw"):
        assert secret not in shown
    assert caught.__cause__ is None
    assert caught.__context__ is None
    assert caught.service == "language model"
    assert caught.message.endswith(".")
    assert ". " not in caught.message


def openai_error(
    code: object, kind: object = "invalid_request_error", param: object = None, words: str = ""
) -> dict[str, Any]:
    return {"message": f"{words} {NONCE} {KEY}", "type": kind, "param": param, "code": code}


@pytest.mark.parametrize(
    ("answer", "kind", "calls", "word"),
    [
        (error(400, openai_error("context_length_exceeded")), "bad_request", 1, "context"),
        (
            error(400, openai_error("invalid_value", param="max_tokens")),
            "bad_request",
            1,
            "rejected",
        ),
        (error(401, openai_error("invalid_api_key", words="Incorrect key")), "refused", 1, "key"),
        (error(402, {"code": 402, "message": NONCE, "metadata": {}}), "refused", 1, "credit"),
        (error(403, openai_error("unsupported_country")), "refused", 1, "refused the request"),
        (error(404, openai_error("model_not_found")), "not_found", 1, "model named big"),
        (
            error(400, openai_error("400", "bad_request", words="Invalid model name passed in")),
            "not_found",
            1,
            "model named big",
        ),
        (httpx2.Response(404, content=b"<html>404</html>"), "not_found", 1, "does not offer"),
        (error(429, openai_error("insufficient_quota", None)), "refused", 1, "quota"),
        (error(429, openai_error("rate_limit_exceeded", "tokens")), "limited", 4, "how often"),
        (httpx2.Response(429, headers={"Retry-After": "3600"}), "limited", 1, "how often"),
        (error(500, openai_error("server_error")), "server", 4, "500"),
        (httpx2.Response(502, content=b"<html>bad gateway</html>"), "server", 4, "502"),
        (httpx2.Response(418, json=[1]), "bad_request", 1, "418"),
        (httpx2.Response(200, content=b"<html>hello</html>"), "broken", 3, "neither a chat"),
        (httpx2.Response(200, json={"choices": [None]}), "broken", 3, "neither a chat"),
        (error(200, {"code": 502, "message": NONCE}), "server", 3, "502"),
        (error(200, NONCE), "server", 3, "502"),
        (
            httpx2.Response(
                200, json={"choices": [{"error": {"code": 503}, "message": {"content": NONCE}}]}
            ),
            "server",
            3,
            "503",
        ),
        (httpx2.ConnectError(f"refused {KEY}"), "unreachable", 3, "connection"),
        (httpx2.ReadTimeout(f"slow {KEY}"), "unreachable", 1, "in time"),
    ],
)
async def test_error_table(answer: Answer, kind: str, calls: int, word: str) -> None:
    caught, server = await failed(answer, retries=3)
    assert caught.kind == kind
    assert len([r for r in server.requests if r.method == "POST"]) == calls
    assert word in caught.message
    assert caught.hint


async def test_the_servers_own_words_are_cut_cleaned_and_without_keys() -> None:
    words = f"bad \x1b[31mthing\x07 for {KEY} and Bearer abc123def456 and sk-proj-aaaaaaaaaa {'x' * 900}"
    server = Server(
        error(400, {"message": words, "type": "api_error", "param": None, "code": None})
    )
    with pytest.raises(ServiceError) as caught:
        await client(server).complete(request())
    said = caught.value.response
    assert said.startswith("bad thing for [key] and [key] and [key] xxx")
    assert said.endswith(" [...]")
    assert len(said) < 320


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("status", [301, 307])
async def test_no_redirect_is_followed(status: int, streamed: bool) -> None:
    away = httpx2.Response(status, headers={"location": "https://evil.example/v1"})
    _, server = await failed(away, streamed=streamed)
    assert [sent.url.host for sent in server.requests] == ["model.test"]


SSE, PLAIN = "text/event-stream", "application/json"
MOST, PIECE = 100_000, 1_000


class Endless(httpx2.AsyncByteStream):
    """A body that goes on for far longer than any answer; ``taken`` counts what was read."""

    def __init__(self, first: bytes, piece: bytes) -> None:
        self.first, self.piece = first, piece * (PIECE // len(piece))
        self.taken = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.first
        while self.taken < 4 * MOST:
            self.taken += len(self.piece)
            yield self.piece


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize(
    ("status", "kind", "first", "piece"),
    [
        (200, SSE, b"", b'data: {"choices": [{"delta": {"content": "more "}}]}\n\n'),
        (200, SSE, b'data: {"choices": [{"delta": {"content": "', b"x"),
        (200, SSE, b"", b": still here\n\n"),
        (200, PLAIN, b'{"choices": "', b"x"),
        (500, PLAIN, b'{"error": "', b"x"),
        (200, PLAIN, b'{"choices": [', b"[],"),
        (200, SSE, b'data: {"choices": [', b"[],"),
        (400, SSE, b"", b"\n"),
    ],
)
async def test_an_answer_without_an_end_is_given_up_at_a_size(
    monkeypatch: pytest.MonkeyPatch,
    streamed: bool,
    status: int,
    kind: str,
    first: bytes,
    piece: bytes,
) -> None:
    monkeypatch.setattr("coi_tui.services.llm.openai_compatible.MOST_BYTES", MOST)
    bodies: list[Endless] = []

    def serve(_: httpx2.Request) -> httpx2.Response:
        bodies.append(Endless(first, piece))
        return httpx2.Response(status, headers={"content-type": kind}, stream=bodies[-1])

    caught, _ = await failed(serve, streamed=streamed)
    assert caught.kind == "broken"
    if piece == b"[],":
        assert bodies[0].taken <= MOST // 10, "lists take more once they are read"
    assert [body.taken <= MOST + PIECE for body in bodies] == [True], "and is not asked again"


async def test_a_packed_answer_is_not_unpacked() -> None:
    packed = httpx2.ByteStream(gzip.compress(chat().content))
    headers = {"content-encoding": "gzip"}
    caught, server = await failed(
        lambda _: httpx2.Response(200, headers=headers, stream=packed), retries=0
    )
    assert caught.kind == "broken"
    assert server.requests[0].headers["accept-encoding"] == "identity"
