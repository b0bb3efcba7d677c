"""The OpenAI-compatible client: what is sent, what is read, the ladder, parameters, embeddings,
models, cancellation."""

import asyncio
import json
import math
from typing import Any

import httpx2
import pytest
from pydantic import ValidationError

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from tests.llm.server import KEY, Server, chat, client, error, request

REFUSED_FORMAT = error(
    400, {"message": "response_format is not supported", "type": "invalid_request_error"}
)


async def test_a_call_sends_the_request_and_reads_the_reply() -> None:
    server = Server(chat())
    model = client(server, base_url="http://model.test:8080")
    reply = await model.complete(request())
    sent, body = server.requests[0], server.bodies[0]
    assert str(sent.url).endswith("model.test:8080/v1/chat/completions")
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert body["model"] == "big"
    assert (body["temperature"], body["max_tokens"]) == (0.7, 300)
    assert body["messages"] == [
        {"role": "system", "content": "You help."},
        {"role": "user", "content": "PRIVATE-TOPIC"},
    ]
    assert "topic" not in body
    assert "stream" not in body
    assert (reply.text, reply.model_asked, reply.model_served) == (
        '{"query": "x"}',
        "big",
        "served-model",
    )
    assert (reply.prompt_tokens, reply.completion_tokens, reply.usage_estimated) == (9, 2, False)
    assert (reply.finish_reason, reply.reply_format) == ("stop", "json_schema")
    assert model.kind == "model"
    await model.aclose()


@pytest.mark.parametrize(
    "given",
    ["local host:11434", "ftp://u:secret@x", "http://", "http://x:port", "http://x/?key=secret"],
)
def test_a_bad_base_address_is_named_without_its_text(given: str) -> None:
    with pytest.raises(ValidationError) as caught:
        LlmSettings(base_url=given)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["sk-é", "sk-a\nb"])
def test_an_impossible_key_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAICompatible(LlmSettings(), key)
    assert "sk-" not in repr(caught.value)


async def test_roles_have_models_temperatures_and_lengths() -> None:
    server = Server(chat())
    model = client(server, reader=RoleSettings(model="small", temperature=0.1, max_tokens=77))
    await model.complete(request(role="reader"))
    body = server.bodies[0]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("small", 0.1, 77)
    assert (model.model_for("main"), model.model_for("reader"), model.model_for("embedding")) == (
        "big",
        "small",
        "vectors",
    )
    assert client(server).model_for("reader") == "big"


# ---- the ladder of reply formats


async def test_ladder_goes_down_and_is_remembered() -> None:
    server = Server(REFUSED_FORMAT, REFUSED_FORMAT, chat())
    model = client(server)
    assert (await model.complete(request())).reply_format == "text"
    assert server.formats == ["json_schema", "json_object", "text"]
    await model.complete(request())
    assert server.formats[3:] == ["text"]


async def test_lower_rungs_carry_an_empty_skeleton_at_the_end_of_the_users_message() -> None:
    server = Server(REFUSED_FORMAT, chat())
    await client(server).complete(request())
    strict, loose = server.bodies
    assert "minLength" not in json.dumps(strict)
    assert loose["messages"][0] == strict["messages"][0]
    assert loose["messages"][1]["content"].startswith(strict["messages"][1]["content"])
    assert loose["messages"][1]["content"].endswith(': {"query": ""}')
    assert loose["messages"][0]["content"] == "You help."


# ---- parameters


def unsupported(param: str, code: str = "unsupported_parameter") -> httpx2.Response:
    text = f"Unsupported parameter: '{param}' is not supported with this model. Use 'max_completion_tokens' instead."
    return error(
        400, {"message": text, "type": "invalid_request_error", "param": param, "code": code}
    )


async def test_reasoning_models_get_other_parameters_and_it_is_remembered() -> None:
    server = Server(
        unsupported("max_tokens"), unsupported("temperature", "unsupported_value"), chat()
    )
    model = client(server)
    reply = await model.complete(request())
    assert reply.reply_format == "json_schema"
    assert server.bodies[1]["max_completion_tokens"] == 300
    assert "max_tokens" not in server.bodies[1]
    assert "temperature" not in server.bodies[2]
    await model.complete(request())
    assert len(server.requests) == 4
    assert server.bodies[3]["max_completion_tokens"] == 300
    assert "temperature" not in server.bodies[3]


# ---- reading


async def test_re_ask_is_a_second_turn() -> None:
    server = Server(chat())
    await client(server).complete(request(reask=("bad reply", "Mend it.")))
    assert [m["role"] for m in server.bodies[0]["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    await client(server).complete(request(reask=(" ", "Mend it.")))
    assert [m["role"] for m in server.bodies[1]["messages"]] == ["system", "user"]
    assert server.bodies[1]["messages"][1]["content"] == "PRIVATE-TOPIC\n\nMend it."


@pytest.mark.parametrize(
    ("said", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 1024}}, 1024),
        ({"prompt_tokens_details": None}, 0),
        ({"prompt_tokens_details": {"cached_tokens": 99_999}}, 2000),
    ],
)
async def test_cached_tokens_are_read(said: dict[str, Any], cached: int) -> None:
    usage = {"prompt_tokens": 2000, "completion_tokens": 5, **said}
    reply = await client(Server(chat(usage=usage))).complete(request())
    assert (reply.prompt_tokens, reply.cached_tokens) == (2000, cached)


# ---- embeddings and models


def vectors(sent: httpx2.Request) -> httpx2.Response:
    texts = json.loads(sent.content)["input"]
    data = [
        {"object": "embedding", "index": i, "embedding": [3.0 * len(t), 4.0 * len(t)]}
        for i, t in enumerate(texts)
    ]
    body = {
        "object": "list",
        "data": data[::-1],
        "model": "vec-served",
        "usage": {"prompt_tokens": 5, "total_tokens": 5},
    }
    return httpx2.Response(200, json=body)


async def test_embeddings_are_batched_sorted_and_of_length_one() -> None:
    server = Server(vectors)
    reply = await client(server).embed(["a" * (i % 7) for i in range(600)])
    assert [len(body["input"]) for body in server.bodies] == [64] * 9 + [24]
    assert all(body["encoding_format"] == "float" for body in server.bodies)
    assert all(text for body in server.bodies for text in body["input"])
    assert len(reply.vectors) == 600
    assert all(math.isclose(math.hypot(*vector), 1.0) for vector in reply.vectors)
    assert (reply.prompt_tokens, reply.model_served) == (50, "vec-served")


@pytest.mark.parametrize(
    "data",
    [
        None,
        [{"index": 0, "embedding": []}],
        [{"index": 0, "embedding": ["x"]}],
        [{"index": 0, "embedding": "AAAA"}],
    ],
)
async def test_broken_embeddings(data: object) -> None:
    server = Server(httpx2.Response(200, json={"data": data}))
    with pytest.raises(ServiceError) as caught:
        await client(server).embed(["a"])
    assert caught.value.kind == "broken"
    assert len(server.requests) == 3


async def test_list_models() -> None:
    body = {"object": "list", "data": [{"id": "b"}, {"id": "a"}, {"id": "a"}, {"name": "x"}]}
    server = Server(httpx2.Response(200, json=body))
    assert await client(server).list_models() == ["a", "b"]
    assert str(server.requests[0].url).endswith("/v1/models")
    assert await client(Server(httpx2.Response(200, json={"data": None}))).list_models() == []


async def test_a_model_that_is_not_there_is_answered_by_those_that_are() -> None:
    def answer(sent: httpx2.Request) -> httpx2.Response:
        if sent.method == "GET":
            return httpx2.Response(
                200,
                json={
                    "data": [{"id": name} for name in ("gpt-4o", "gpt-4o-mini", "own", "whisper-1")]
                },
            )
        return httpx2.Response(
            404, json={"error": {"message": "The model does not exist", "code": "model_not_found"}}
        )

    asking = client(
        Server(answer),
        main=RoleSettings(model="gpt-6-sol"),
        reader=RoleSettings(model="gpt-6-luna"),
    )
    with pytest.raises(ServiceError) as caught:
        await asking.complete(request())
    assert str(caught.value).endswith(
        "It offers gpt-4o, gpt-4o-mini, own."
        " Take two of them for writing and reading, such as: coi config models gpt-4o gpt-4o-mini."
    )


# ---- concurrency


async def test_cancelling_passes_through_and_frees_the_slot() -> None:
    begun = asyncio.Event()

    async def stuck(sent: httpx2.Request) -> httpx2.Response:
        begun.set()
        await asyncio.sleep(60)
        return chat()

    model = client(stuck, parallel=1)
    task = asyncio.create_task(model.complete(request()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    again = asyncio.create_task(model.complete(request()))
    begun.clear()
    await begun.wait()
    again.cancel()
