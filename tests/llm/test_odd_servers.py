"""Servers as people met them: limits worded as credit, models that only stream, templates without a
system role, addresses as they are pasted, and errors in many shapes and words."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.model.errors import ContextError, ServiceError
from coi_tui.services.llm.servers import base_address
from tests.llm.server import Answer, Server, chat, client, error, request, stream, streamed

TEXT = '{"query": "x"}'
GEMINI_PACE = "You exceeded your current quota, please check your plan and billing details."


async def failed(answer: Answer, **changes: Any) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        await client(Server(answer), retries=0).complete(request(**changes))
    return caught.value


# ---- a pace limit is no lack of credit


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were waited for; nobody waits."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr("coi_tui.services.http.retry.asyncio.sleep", sleep)
    return found


def pace(message: str, code: object = "429", **more: object) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}}


@pytest.mark.parametrize(
    ("body", "header", "asked_s"),
    [
        (pace("Retry in 2 seconds; see https://aka.ms/oai/quotaincrease"), "2", 2),
        (pace("Exceeded token rate limit. Please retry after 3 seconds: quotaincrease"), "", 3),
        (pace("Rate limit reached, quota of 30 requests per minute"), "7", 7),
        (pace("Please try again in 7.66s. Visit the billing page"), "", 7.66),
        (pace("Rate limit: please try again in 1m3.5s.", "rate_limit_exceeded"), "", 60),
        (pace("Please try again in 250ms."), "", 0.25),
        (
            [{"error": {"code": 429, "message": GEMINI_PACE, "status": "RESOURCE_EXHAUSTED"}}],
            "5",
            5,
        ),
        (
            pace(GEMINI_PACE, 429, details=[{"@type": "RetryInfo", "retryDelay": "36s"}]),
            "",
            36,
        ),
        (pace(GEMINI_PACE + " Please retry in 36.1s."), "", 36.1),
        ({"message": "Too many requests: quota per minute", "retry_after": 4}, "", 4),
        (
            pace("Provider returned error", 429, metadata={"raw": '{"retry_after": 1.5}'}),
            "",
            1.5,
        ),
        ({"detail": "Request quota per minute reached, wait 2 minutes"}, "", 60),
    ],
)
async def test_a_limit_of_pace_is_waited_for_whatever_its_words(
    body: object, header: str, asked_s: float, waits: list[float]
) -> None:
    headers = {"Retry-After": header} if header else {}
    server = Server(httpx2.Response(429, json=body, headers=headers), chat())
    assert (await client(server).complete(request())).text == TEXT
    assert waits == [asked_s]


@pytest.mark.parametrize(
    ("status", "fields"),
    [
        (429, {"code": "insufficient_quota", "message": "You exceeded your current quota"}),
        (429, {"type": "insufficient_quota", "code": "credit_balance_exhausted", "message": ""}),
        (402, {"code": 402, "message": "Insufficient credits"}),
        (402, "Insufficient Balance"),
    ],
)
async def test_no_credit_is_not_waited_for(status: int, fields: object, waits: list[float]) -> None:
    server = Server(error(status, fields))
    with pytest.raises(ServiceError) as caught:
        await client(server).complete(request())
    assert (caught.value.kind, len(server.requests), waits) == ("refused", 1, [])


# ---- the server's own words


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (400, {"error": {"code": "content_filter", "message": "Stopped by policy"}}, "by policy"),
        (400, {"error": "unknown parameter: frob"}, "frob"),
        (400, {"object": "error", "message": "n must be 1", "code": 400}, "n must be 1"),
        (400, {"detail": "logprobs are off"}, "logprobs are off"),
        (422, {"detail": [{"loc": ["body", "top_k"], "msg": "extra field"}]}, "extra field"),
        (422, {"message": {"detail": [{"msg": "Input should be less than 2"}]}}, "less than 2"),
        (400, [{"error": {"code": 400, "message": "Invalid value at tools"}}], "value at tools"),
        (
            400,
            {"errors": [{"code": 5006, "message": "no such route"}], "success": False},
            "no such",
        ),
        (400, {"error": {"message": '{"error": {"message": "inner words"}}'}}, "inner words"),
        (
            400,
            {
                "error": {
                    "message": "Provider returned error",
                    "code": 400,
                    "metadata": {"raw": '{"error": {"message": "upstream words"}}'},
                }
            },
            "upstream words",
        ),
        (502, "<html><head><style>a {b: c}</style></head><body><h1>Bad gateway</h1></body>", "Bad"),
        (200, {"success": False, "message": "model is asleep"}, "model is asleep"),
        (200, {"detail": "no worker"}, "no worker"),
    ],
)
async def test_the_servers_own_words_go_with_the_error(
    status: int, body: object, said: str
) -> None:
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    caught = await failed(httpx2.Response(status, content=content))
    assert said in caught.response
    assert not set("<>{}") & set(caught.response), "words, and neither JSON nor HTML"


@pytest.mark.parametrize(
    "answer",
    [
        error(400, {"code": "content_filter", "message": "The prompt was stopped"}),
        error(400, {"code": "data_inspection_failed", "message": "Input may be unfit"}),
        error(400, {"innererror": {"code": "ResponsibleAIPolicyViolation"}, "message": "no"}),
        error(403, {"code": 403, "message": "Input was flagged by moderation"}),
    ],
)
async def test_a_content_filter_is_named_and_no_setting_is_blamed(answer: Answer) -> None:
    caught = await failed(answer)
    assert caught.kind == "refused"
    assert "filter" in caught.message
    assert "max_tokens" not in caught.hint


# ---- streams


@pytest.mark.parametrize(
    "refusal",
    [
        {"message": "Set stream to true: this model answers only in a stream", "param": None},
        {"message": "Requests with max_tokens > 4096 must have stream=true", "param": "max_tokens"},
        {"message": "parameter.enable_thinking must be set to false for non-streaming calls"},
        "This model only supports streaming.",
        {"message": "Unsupported value: 'stream' does not support false", "param": "stream"},
    ],
)
async def test_a_server_that_only_streams_is_asked_for_streams_from_then_on(
    refusal: object,
) -> None:
    server = Server(error(400, refusal), stream(TEXT), stream(TEXT), stream(TEXT))
    model = client(server, reader=RoleSettings(model="small"))
    for role in ("main", "main", "reader"):
        assert (await model.complete(request(role=role))).text == TEXT
    assert [body.get("stream", False) for body in server.bodies] == [False, True, True, True]


async def test_a_server_that_wants_neither_is_not_asked_for_ever() -> None:
    server = Server(error(400, {"message": "stream must be another"}))
    with pytest.raises(ServiceError):
        await client(server).complete(request())
    assert len(server.requests) < 8


@pytest.mark.parametrize("kind", ["text/event-stream", "application/json", "text/plain"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
async def test_an_event_stream_where_none_was_asked_for_is_read(kind: str, ends: str) -> None:
    body = b": hello\n\nevent: message\n" + stream('{"query": ', '"x"}').content
    body = body.replace(b"\n", ends.encode())
    server = Server(httpx2.Response(200, content=body, headers={"content-type": kind}))
    reply = await client(server).complete(request())
    assert (reply.text, reply.finish_reason, len(server.requests)) == (TEXT, "stop", 1)


@pytest.mark.parametrize(
    "texts", [('{"query": ',), ('{"query": "x"',), ("<think>{", '"query": "x"}')]
)
async def test_half_a_reply_without_a_finish_reason_is_a_lost_connection(
    texts: tuple[str, ...],
) -> None:
    server = Server(stream(*texts, reason=""))
    with pytest.raises(ServiceError) as caught:
        await client(server, retries=0).stream(request(), lambda _: None)
    assert caught.value.kind == "unreachable"


# ---- no system role


@pytest.mark.parametrize(
    ("status", "refusal"),
    [
        (400, {"message": "This chat template does not know a system role"}),
        (400, {"message": "System role not supported"}),
        (400, {"message": "Conversation roles must alternate user/assistant/user/assistant/..."}),
        (400, {"message": "Developer instruction is not enabled for models/gemma-3-27b-it"}),
        (500, {"message": "Only user, assistant and tool roles are supported, got system."}),
        (
            400,
            {
                "message": "Unsupported value: 'messages[0].role' does not support 'system'",
                "param": "messages[0].role",
                "code": "unsupported_value",
            },
        ),
        (400, 'messages: Unexpected role "system".'),
        (400, {"message": "Please use a valid role: user, model.", "status": "INVALID_ARGUMENT"}),
    ],
)
async def test_without_a_system_role_the_system_text_goes_before_the_first_message(
    status: int, refusal: object
) -> None:
    server = Server(error(status, refusal), chat())
    model = client(server, reader=RoleSettings(model="small"))
    reply = await model.complete(request(reask=("bad reply", "Mend it.")))
    await model.complete(request(role="reader"))
    assert reply.reply_format == "json_schema"
    assert [body["messages"][0]["role"] for body in server.bodies] == ["system", "user", "user"]
    second = server.bodies[1]["messages"]
    assert [message["role"] for message in second] == ["user", "assistant", "user"]
    assert second[0]["content"] == "You help.\n\nPRIVATE-TOPIC"


# ---- addresses


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("https://x.example/v1/chat/completions", "https://x.example/v1"),
        ("https://x.example/v1/chat/completions/", "https://x.example/v1"),
        ("https://x.example/openai/v1/models", "https://x.example/openai/v1"),
        ("https://x.example/v1/embeddings", "https://x.example/v1"),
        ("https://x.example/api/v3/chat/completions", "https://x.example/api/v3"),
        ("https://x.example/chat/completions", "https://x.example"),
        ("http://localhost:11434/api/chat", "http://localhost:11434/v1"),
        ("localhost:11434", "http://localhost:11434/v1"),
        ("127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("[::1]:8080", "http://[::1]:8080/v1"),
        ("gpu:8000", "http://gpu:8000/v1"),
        ("localhost", "http://localhost/v1"),
        ("api.example.com/v1", "https://api.example.com/v1"),
        (
            "https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
            "https://r.openai.azure.com/openai/v1",
        ),
    ],
)
def test_an_address_is_taken_as_people_paste_it(given: str, used: str) -> None:
    assert base_address(given) == used


def test_an_address_without_a_scheme_has_one_from_the_settings_on() -> None:
    assert LlmSettings(base_url=" localhost:11434 ").base_url == "http://localhost:11434"
    assert LlmSettings(base_url="api.example.com").base_url == "https://api.example.com"


@pytest.mark.parametrize("status", [404, 405])
async def test_a_base_without_a_version_is_tried_as_it_was_given(status: int) -> None:
    def answer(sent: httpx2.Request) -> httpx2.Response:
        bare = sent.url.path == "/bare/chat/completions"
        return chat() if bare else httpx2.Response(status, text="<html>no</html>")

    server = Server(answer)
    model = client(server, base_url="http://model.test/bare")
    for _ in range(2):
        assert (await model.complete(request())).text == TEXT
    paths = [sent.url.path for sent in server.requests]
    assert paths == ["/bare/v1/chat/completions", *["/bare/chat/completions"] * 2]


async def test_a_bare_list_of_models_is_read() -> None:
    server = Server(httpx2.Response(200, json=[{"id": "b"}, {"id": "a"}]))
    assert await client(server).list_models() == ["a", "b"]


# ---- formats that a server cannot take


@pytest.mark.parametrize(
    "words",
    [
        "the vocabulary that the format needs could not be loaded",
        'Grammar error: Unimplemented keys: ["propertyNames"]',
        "failed to compile the JSON schema",
        "guided decoding is not available",
        "xgrammar: cannot build",
    ],
)
@pytest.mark.parametrize("status", [500, 503])
async def test_a_format_that_ends_in_an_internal_error_is_left_at_once(
    words: str, status: int
) -> None:
    server = Server(error(status, {"message": words}), chat())
    assert (await client(server).complete(request())).reply_format == "json_object"
    assert server.formats == ["json_schema", "json_object"]


async def test_an_internal_error_about_something_else_costs_no_format() -> None:
    server = Server(error(500, {"message": "Failed. For more information see our pages"}), chat())
    assert (await client(server).complete(request())).reply_format == "json_schema"


# ---- answers in the field for reasoning


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("thought", [TEXT, f"I think.</think>\n{TEXT}", f"```json\n{TEXT}\n```"])
@pytest.mark.parametrize("content", [None, "", "\n"])
async def test_an_answer_that_stands_where_reasoning_does_is_read(
    field: str, thought: str, content: str | None
) -> None:
    message = {"role": "assistant", "content": content, field: thought}
    whole = Server(chat(choices=[{"message": message, "finish_reason": "stop"}]))
    assert (await client(whole).complete(request())).text == thought
    pieces = Server(streamed({"content": content}, {field: thought[:9]}, {field: thought[9:]}))
    assert (await client(pieces).stream(request(), lambda _: None)).text == thought


@pytest.mark.parametrize("thought", [f"Perhaps {TEXT}, but no.", "Let me think.", '{"query":'])
async def test_mere_reasoning_is_still_no_answer(thought: str) -> None:
    message = {"role": "assistant", "content": "", "reasoning_content": thought}
    server = Server(chat(choices=[{"message": message, "finish_reason": "stop"}]))
    assert (await client(server).complete(request())).text == ""


# ---- too long a prompt

TOO_LONG = [
    ("This model's maximum context length is 8,192 tokens. However, you requested 9000", 8192),
    ("Your input exceeds the context window of this model", 0),
    ("prompt is too long: 213462 tokens > 200000 maximum", 200000),
    ("The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)", 1048575),
    ("This model's maximum prompt length is 131072 but the request contains 537812", 131072),
    ("Please reduce the length of the messages or completion", 0),
    ("the request exceeds the available context size, try increasing it", 0),
    ("Trying to keep the first 9000 tokens when context the overflows. However, the model is"
     " loaded with context length of only 4096 tokens", 4096),
    ("The number of tokens to keep from the initial prompt is greater than the context length", 0),
    ("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000", 4096),
    ("Range of input length should be [1, 30720]", 30720),
    ("Your request exceeded model token limit: 8192 (requested: 9000)", 8192),
    ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32768),
    ("The decoder prompt (length 9000) is longer than the maximum model length of 4096", 4096),
    ("input is too large to process. increase the physical batch size", 0),
    ("Total message token length exceed model limit", 0),
    ("Requested tokens (9000) exceed context window of 4096", 4096),
    ("Input is too long for requested model.", 0),
    ("too many tokens: size limit exceeded by 900 tokens", 0),
    ("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000", 200000),
]  # fmt: skip


@pytest.mark.parametrize(("words", "limit"), TOO_LONG)
async def test_a_prompt_that_is_too_long_is_recognised_by_the_words(words: str, limit: int) -> None:
    for answer in (error(400, {"message": words}), error(500, words), error(200, words)):
        caught = await failed(answer)
        assert isinstance(caught, ContextError), words
        assert caught.limit == limit


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(413, text="<html>Request Entity Too Large</html>"),
        httpx2.Response(413),
        error(413, {"message": "Request too large on tokens per minute (TPM): Limit 6000"}),
        error(429, {"message": "Request too large for gpt-x: Limit 30000, Requested 35000"}),
        error(400, {"code": "context_length_exceeded", "message": "no"}),
        error(400, {"type": "exceed_context_size_error", "message": "no", "n_ctx": 8192}),
    ],
)
async def test_a_prompt_that_is_too_long_is_recognised_by_status_and_code(answer: Answer) -> None:
    assert isinstance(await failed(answer), ContextError)


@pytest.mark.parametrize(
    "answer",
    [
        error(429, {"message": "Too many tokens, please wait before trying again."}),
        error(400, {"message": "max_tokens is too large: 9000. At most 4096 completion tokens"}),
        error(400, {"message": "max_tokens exceeds the maximum number of tokens for completion"}),
        error(401, {"message": "This key cannot use the long context window"}),
        error(400, {"message": "Unknown parameter: context_window"}),
    ],
)
async def test_other_failures_are_not_taken_for_a_prompt_that_is_too_long(answer: Answer) -> None:
    assert not isinstance(await failed(answer), ContextError)


PROMPT = (
    'Which "methods" help where a prompt is too long?\n\nOne line says: the input exceeds the context'
    " window, and the model gpt was not found; insufficient_quota is another of these words,"
    " as is response_format, and a system role is not supported in some of them."
)


@pytest.mark.parametrize(
    "echoed",
    [
        lambda text: {"detail": [{"msg": "extra field", "input": [{"content": text}]}]},
        lambda text: {"error": {"message": f"Could not read {json.dumps(text)}"}},
        lambda text: {"error": {"message": f"Could not read {text[20:180]!r}"}},
        lambda text: {"message": f"bad message: {text[:130]}"},
    ],
)
async def test_the_echo_of_what_was_sent_is_no_evidence(echoed: Callable[[str], object]) -> None:
    server = Server(httpx2.Response(400, json=echoed(PROMPT)))
    with pytest.raises(ServiceError) as caught:
        await client(server).complete(request(user=PROMPT))
    assert (type(caught.value), caught.value.kind) == (ServiceError, "bad_request")
    assert len(server.requests) <= 3, "the formats, and neither streams nor another role"


async def test_what_a_server_says_counts_although_the_prompt_has_words_of_it() -> None:
    server = Server(error(400, {"message": "Sorry, your prompt is too long for this model"}))
    with pytest.raises(ContextError):
        await client(server).complete(request(user=PROMPT))
