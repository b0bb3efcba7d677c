"""Answers that come in pieces: what is told, what is counted, and what becomes of a cut or refused
stream."""

import pytest

from coi_tui.model.errors import ServiceError
from tests.llm.server import Server, chat, client, error, events, request, stream


async def test_the_text_is_told_while_it_comes_and_equals_the_reply() -> None:
    server = Server(
        stream('{"query": ', '"x"}', usage={"prompt_tokens": 7, "completion_tokens": 3})
    )
    told: list[str] = []
    reply = await client(server).stream(request(), told.append)
    assert reply.text == '{"query": "x"}'
    assert told
    assert all(reply.text.startswith(text) for text in told)
    assert (reply.prompt_tokens, reply.completion_tokens, reply.usage_estimated) == (7, 3, False)
    assert (reply.model_served, reply.finish_reason) == ("served-model", "stop")
    assert server.bodies[0]["stream"] is True
    assert server.bodies[0]["stream_options"] == {"include_usage": True}


async def test_a_server_that_refuses_to_stream_is_asked_without_it_from_then_on() -> None:
    refused = error(400, {"message": "stream is not supported by this model"})
    server = Server(refused, chat(), chat())
    model = client(server)
    for _ in range(2):
        assert (await model.stream(request(), lambda _: None)).text == '{"query": "x"}'
    assert ["stream" in body for body in server.bodies] == [True, False, False]


async def test_an_error_in_the_stream_is_that_error() -> None:
    body = b'data: {"error": {"message": "Rate limit", "code": 429}}\n\n'
    server = Server(
        events(body),
        stream('{"query": "x"}'),
    )
    assert (await client(server).stream(request(), lambda _: None)).text == '{"query": "x"}'


@pytest.mark.parametrize(
    "line",
    [
        "data: [1]",
        "data: 5",
        "data: null",
        'data: "x"',
        "data: {bad",
        "data: \xff",
        'data: {"object": "error", "code": 502}',
    ],
)
async def test_an_event_that_is_no_completion_makes_the_call_fail(line: str) -> None:
    body = stream('{"query": "x"}').content
    server = Server(events(f"{line}\n\n".encode("latin-1") + body))
    with pytest.raises(ServiceError) as caught:
        await client(server, retries=0).stream(request(), lambda _: None)
    assert caught.value.kind in ("broken", "server")
