"""Every row of the error table, the retries and their waits, and that no secret gets into an
error."""

from __future__ import annotations

import asyncio
import traceback
from typing import Any

import httpx2
import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.model.errors import ServiceError
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from tests.llm.server import KEY, Answer, Server, client, error, request

NONCE = "zqxnoncezqx"


async def failed(*answers: Answer, **changes: Any) -> tuple[ServiceError, Server]:
    server = Server(*answers)
    with pytest.raises(ServiceError) as caught:
        await client(server, **changes).complete(request())
    check_clean(caught.value)
    return caught.value, server


def check_clean(caught: ServiceError) -> None:
    """One sentence; no key, reply, request or server's words in it or in what hangs on it, apart
    from ``said``, which holds no key."""
    hung = {name: value for name, value in vars(caught).items() if name != "said"}
    shown = "".join(traceback.format_exception(caught)) + repr(caught.args) + repr(hung)
    assert not any(secret in caught.said for secret in (KEY, "user:pw"))
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
            httpx2.Response(
                400,
                json={
                    "object": "error",
                    "message": f"This model's maximum context length is 4096 tokens. {NONCE}",
                    "type": "BadRequestError",
                    "param": None,
                    "code": 400,
                },
            ),
            "bad_request",
            1,
            "context",
        ),
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
            error(
                404,
                {
                    "message": 'model "x" not found, try pulling it first',
                    "type": "api_error",
                    "code": None,
                },
            ),
            "not_found",
            1,
            "model named big",
        ),
        (httpx2.Response(404, content=b"<html>404</html>"), "not_found", 1, "does not offer"),
        (error(429, openai_error("insufficient_quota", None)), "refused", 1, "quota"),
        (
            error(
                429, openai_error(None, None, words="You exceeded your current quota, please check")
            ),
            "refused",
            1,
            "quota",
        ),
        (error(429, openai_error("rate_limit_exceeded", "tokens")), "limited", 4, "how often"),
        (httpx2.Response(429, headers={"Retry-After": "3600"}), "limited", 1, "how often"),
        (error(500, openai_error("server_error")), "server", 4, "500"),
        (httpx2.Response(502, content=b"<html>bad gateway</html>"), "server", 4, "502"),
        (error(408, {"code": 408, "message": "timeout"}), "unreachable", 1, "in time"),
        (httpx2.Response(418, json=[1]), "bad_request", 1, "418"),
        (httpx2.Response(200, content=b"<html>hello</html>"), "broken", 3, "neither a chat"),
        (httpx2.Response(200, content=b'{"choices": [{"mess'), "broken", 3, "neither a chat"),
        (httpx2.Response(200, json={"choices": [None]}), "broken", 3, "neither a chat"),
        (error(200, {"code": 502, "message": NONCE}), "server", 3, "502"),
        (error(200, {"code": 402, "message": NONCE}), "refused", 1, "credit"),
        (
            error(
                200,
                {
                    "code": 400,
                    "message": "the request exceeds the available context size",
                    "type": "x",
                },
            ),
            "bad_request",
            1,
            "context",
        ),
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
        (httpx2.RemoteProtocolError("peer closed"), "unreachable", 3, "connection"),
    ],
)
async def test_error_table(answer: Answer, kind: str, calls: int, word: str) -> None:
    caught, server = await failed(answer, retries=3)
    assert caught.kind == kind
    assert len([r for r in server.requests if r.method == "POST"]) == calls
    assert word in caught.message
    assert caught.hint


async def test_an_unknown_400_ends_after_the_ladder() -> None:
    caught, server = await failed(error(400, {"message": NONCE}))
    assert server.formats == ["json_schema", "json_object", "text"]
    assert caught.kind == "bad_request"


async def test_mid_body_truncation_is_a_lost_connection() -> None:
    async def half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n"
            + b'{"choices": [{"mes'
        )
        await writer.drain()
        writer.close()

    listener = await asyncio.start_server(half, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with listener:
        model = OpenAICompatible(
            LlmSettings(base_url=f"http://127.0.0.1:{port}", main=RoleSettings(model="big")),
            KEY,
            wait_s=0,
            http_client=httpx2.AsyncClient(trust_env=False),
        )
        with pytest.raises(ServiceError) as caught:
            await model.complete(request())
        await model.aclose()
    check_clean(caught.value)
    assert caught.value.kind == "unreachable"


async def test_the_servers_own_words_are_cut_cleaned_and_without_keys() -> None:
    words = f"bad \x1b[31mthing\x07 for {KEY} and Bearer abc123def456 and sk-proj-aaaaaaaaaa {'x' * 900}"
    server = Server(
        error(400, {"message": words, "type": "api_error", "param": None, "code": None})
    )
    with pytest.raises(ServiceError) as caught:
        await client(server).complete(request())
    said = caught.value.said
    assert said.startswith("bad thing for [key] and [key] and [key] xxx")
    assert said.endswith(" [...]")
    assert len(said) < 320


@pytest.mark.parametrize(
    ("message", "word"),
    [
        (
            "/chat/completions: Invalid model name passed in model=big. Call `/v1/models` to view available models.",
            "no model named big",
        ),
    ],
)
async def test_a_proxy_that_answers_400_for_a_model_is_understood_at_once(
    message: str, word: str
) -> None:
    caught, server = await failed(
        error(400, {"message": message, "type": "bad_request", "param": None, "code": "400"})
    )
    assert word in caught.message
    assert len([r for r in server.requests if r.method == "POST"]) == 1, (
        "another reply format would change nothing"
    )
