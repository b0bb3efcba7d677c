import asyncio
import gzip
import tracemalloc
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from coi_tui.config import SourceSettings
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.services.sources.fetch import HttpFetch, Pace
from coi_tui.services.sources.semantic_scholar import SOURCE as S2
from coi_tui.services.sources.types import HttpRequest

from .helpers import make_pdf

KEY = "s3cf4k3-ret-key-of-mine"
BASE = "https://api.semanticscholar.org/graph/v1"
ASK = HttpRequest(url=f"{BASE}/paper/search", params=(("query", "x"),))
Answers = Callable[[httpx.Request], httpx.Response]


def fetch(
    handler: Answers, *, retries: int = 3, key: str = KEY, base: str = BASE, **more: Any
) -> HttpFetch:
    settings = SourceSettings(
        base_url=base, pace_s=0, retries=retries, timeout_s=more.pop("timeout_s", 5)
    )
    options = {"retry_wait_s": 0.001} | more
    return HttpFetch(S2, settings, key, transport=httpx.MockTransport(handler), **options)


class Script:
    """Gives the answers one after the other, the last one for ever."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.seen: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


def ok(payload: object = None) -> httpx.Response:
    return httpx.Response(200, json={"data": []} if payload is None else payload)


async def test_a_good_answer_comes_back_with_key_and_query_sent() -> None:
    script = Script(ok({"total": 0}))
    async with fetch(script, key=f"  {KEY}\n") as http:
        answer = await http.json(ASK)
    assert (answer.status, answer.payload) == (200, {"total": 0})
    assert script.seen[0].headers["x-api-key"] == KEY
    assert str(script.seen[0].url) == f"{BASE}/paper/search?query=x"


@pytest.mark.parametrize("times", [1, 2])
async def test_a_packed_answer_is_unpacked_to_the_cap_alone(times: int) -> None:
    packed = bytes(200_000_000)
    for _ in range(times):
        packed = gzip.compress(packed)

    async def pieces() -> AsyncIterator[bytes]:
        yield packed

    def handler(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=pieces(), headers={"Content-Encoding": "gzip"})

    async with fetch(handler) as http:
        tracemalloc.start()
        try:
            with pytest.raises(ServiceError) as caught:
                await http.json(ASK)
            assert caught.value.kind == "broken"
            assert tracemalloc.get_traced_memory()[1] < 50_000_000
        finally:
            tracemalloc.stop()


async def test_a_packed_answer_is_read() -> None:
    packed = gzip.compress(b'{"data": [1]}')
    headers = {"Content-Encoding": "gzip"}
    async with fetch(lambda _: httpx.Response(200, content=packed, headers=headers)) as http:
        assert (await http.json(ASK)).payload == {"data": [1]}


@pytest.mark.parametrize(
    ("bad", "kind", "calls"),
    [
        (httpx.Response(429), "limited", 4),
        (httpx.Response(429, headers={"Retry-After": "3600"}), "limited", 1),
        (httpx.Response(503, headers={"Retry-After": "3600"}), "server", 1),
        (httpx.Response(200, content=b"{"), "broken", 4),
        (httpx.Response(200, content=b'{"data": [' + b"[], " * 400_000 + b"0]}"), "broken", 4),
        (httpx.Response(200, html="<h1>Welcome</h1>"), "broken", 4),
        (httpx.Response(302, headers={"Location": "/again"}), "bad_request", 6),
        (httpx.ConnectError("no route"), "unreachable", 4),
        (httpx.Response(403, json={"message": "Forbidden"}), "refused", 1),
        (httpx.Response(401), "refused", 1),
        (httpx.Response(404, html="<h1>nothing here</h1>"), "not_found", 1),
        (httpx.Response(400, json={"error": f"Unrecognized fields: [{KEY}]"}), "bad_request", 1),
        (httpx.Response(501), "server", 1),
    ],
    ids=lambda x: str(getattr(x, "status_code", x)),
)
async def test_tries_are_bounded_and_no_error_holds_the_key(
    bad: httpx.Response | Exception, kind: str, calls: int
) -> None:
    script = Script(bad)
    async with fetch(script) as http:
        with pytest.raises(ServiceError) as error:
            await http.json(ASK)
    assert error.value.kind == kind
    assert len(script.seen) == calls
    assert KEY not in str(error.value)
    assert "\n" not in error.value.message
    assert error.value.service == "Semantic Scholar"


async def test_a_pace_keeps_calls_apart_and_a_host_left_alone_gets_none() -> None:
    told: list[str] = []
    pace, loop = Pace(0.05, told.append), asyncio.get_running_loop()
    times = []

    async def call() -> None:
        async with pace.turn():
            times.append(loop.time())

    await asyncio.gather(*(call() for _ in range(4)))
    assert times[-1] - times[0] > 0.14
    start = loop.time()
    pace.pause(0.2)
    await call()
    assert loop.time() - start > 0.19
    pace.pause(30)
    left_alone = asyncio.create_task(call())
    await asyncio.sleep(0.1)
    left_alone.cancel()
    assert len(told) == 1
    assert "30 s" in told[0]


@pytest.mark.parametrize(
    "target",
    [
        "https://mirror.example.org/x?a=1",
        "https://api.semanticscholar.org:444/x",
    ],
)
@pytest.mark.parametrize("status", [302, 307])
async def test_a_redirect_to_another_server_is_not_followed(status: int, target: str) -> None:
    script = Script(httpx.Response(status, headers={"Location": target}), ok())
    async with fetch(script) as http:
        with pytest.raises(ServiceError, match="redirects to another server") as error:
            await http.json(ASK)
    assert error.value.kind == "bad_request"
    assert len(script.seen) == 1


async def test_a_pdf_is_followed_to_another_server_without_the_key() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if request.url.host == "api.semanticscholar.org":
            return httpx.Response(302, headers={"Location": "https://mirror.example.org/x?a=1"})
        return httpx.Response(200, content=make_pdf(PAPER_LINES))

    seen: list[httpx.Request] = []
    async with fetch(handler) as http:
        assert (await http.pdf_text(f"{BASE}/a.pdf")).kind == "full text"
    assert "x-api-key" in seen[0].headers
    assert "x-api-key" not in seen[1].headers
    assert str(seen[1].url) == "https://mirror.example.org/x?a=1"


@pytest.mark.parametrize("stated", [True, False])
async def test_a_body_over_the_cap_is_not_read_to_its_end(stated: bool) -> None:
    class Endless(httpx.AsyncByteStream):
        async def __aiter__(self) -> Any:
            for _ in range(200):
                yield b"[" + b" " * 100_000
            raise AssertionError("read on")

    def handler(_: httpx.Request) -> httpx.Response:
        return httpx.Response(
            200, stream=Endless(), headers={"Content-Length": "20000000"} if stated else {}
        )

    async with fetch(handler) as http:
        with pytest.raises(ServiceError, match="more than 12 MB"):
            await http.json(ASK)


async def test_an_answer_that_drips_for_ever_ends() -> None:
    class Drip(httpx.AsyncByteStream):
        async def __aiter__(self) -> Any:
            while True:
                await asyncio.sleep(0.01)
                yield b" "

    async with fetch(
        lambda _: httpx.Response(200, stream=Drip()), timeout_s=0.05, retries=0
    ) as http:
        with pytest.raises(ServiceError, match=r"no full answer within 0\.1 s"):
            await http.json(ASK)


async def test_texts_of_an_answer_are_cleaned() -> None:
    async with fetch(Script(httpx.Response(200, content=b'{"a": "x\\u001b[31my\\ud800"}'))) as http:
        assert (await http.json(ASK)).payload == {"a": "xy\ufffd"}


def test_a_key_that_cannot_be_sent_is_a_usage_error_without_the_key() -> None:
    with pytest.raises(UsageError) as error:
        fetch(Script(ok()), key="ké\ny")
    assert "ké" not in str(error.value)


PAPER_LINES = [f"Line {i} of an invented paper about nothing in particular." for i in range(12)]


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (httpx.Response(200, html="<html>pay here</html>"), "not a PDF"),
        (httpx.Response(404), "status 404"),
        (httpx.Response(302, headers={"Location": "http://127.0.0.1/x"}), "open network"),
    ],
)
async def test_no_pdf_there_is_an_answer_with_the_reason(answer: httpx.Response, note: str) -> None:
    script = Script(answer)
    async with fetch(script) as http:
        got = await http.pdf_text("https://example.org/a.pdf")
    assert (got.kind, len(script.seen)) == ("none", 1)
    assert note in got.note


async def test_a_pdf_host_that_cannot_be_reached_is_given_up_soon_and_not_asked_again() -> None:
    script = Script(httpx.ConnectError("no route"))
    async with fetch(script, retries=6) as http:
        for _ in range(3):
            with pytest.raises(ServiceError, match="cannot be reached"):
                await http.pdf_text("https://arxiv.org/pdf/2401.00001")
    assert (
        len(script.seen) == 3
    )  # two retries, for the first paper only: there is an abstract to fall back on


async def test_a_service_on_this_machine_keeps_pdfs_on_this_machine() -> None:
    script = Script(
        httpx.Response(200, content=make_pdf(["Some text of a paper, line by line."] * 20))
    )
    async with fetch(script, base="http://127.0.0.1:9/graph/v1") as http:
        got = await http.pdf_text("https://arxiv.org/pdf/2401.00001")
        assert (got.kind, script.seen) == ("none", [])
        assert "on this machine" in got.note
        assert (await http.pdf_text("http://127.0.0.1:9/pdf/a.pdf")).kind == "full text"


@pytest.mark.parametrize(
    ("payload", "kind", "said"),
    [
        ({"message": "Internal Server Error"}, "server", "Internal Server Error"),
        ({"message": "Endpoint request timed out"}, "server", "timed out"),
        ({"error": "backend unavailable", "code": 503}, "server", "unavailable"),
        ({"error": {"message": "shard failed", "type": "search"}}, "server", "shard failed"),
        ({"detail": "no worker is free"}, "server", "no worker"),
        ({"errors": [{"message": "query timeout"}], "data": None}, "server", "query timeout"),
        ({"code": "429", "message": "Too Many Requests"}, "server", "Too Many"),
        ({"statusCode": 500, "message": "oops", "requestId": "r"}, "server", "oops"),
    ],
)
async def test_an_error_within_a_200_is_a_failure_and_is_tried_again(
    payload: object, kind: str, said: str
) -> None:
    script = Script(ok(payload))
    async with fetch(script, retries=2) as http:
        with pytest.raises(ServiceError) as caught:
            await http.json(ASK)
    assert (caught.value.kind, len(script.seen)) == (kind, 3)
    assert said in f"{caught.value.message} {caught.value.response}"
    async with fetch(Script(ok(payload), ok({"total": 0, "data": []}))) as http:
        assert (await http.json(ASK)).payload == {"total": 0, "data": []}


@pytest.mark.parametrize(
    "payload",
    [
        {"total": 0, "data": []},
        {"status": "ok", "message-type": "work", "message": {"title": ["A title"]}},
        {"paperId": "x", "title": "Error messages", "abstract": "message"},
        [],
        [None],
        {},
        {"data": [], "message": "2 of your ids are unknown"},
        {"results": [], "errors": []},
    ],
)
async def test_an_answer_with_words_in_it_is_no_error(payload: object) -> None:
    async with fetch(Script(ok(payload))) as http:
        assert (await http.json(ASK)).payload == payload


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "bad offset"}}, "bad offset"),
        ({"detail": [{"loc": ["query", "limit"], "msg": "at most 100"}]}, "at most 100"),
        ({"error": "Invalid query parameters error.", "message": "no field x"}, "no field x"),
        ({"status": "failed", "message": [{"type": "filter", "message": "no filter y"}]}, "y"),
        ("<html><body><h1>Bad filter</h1></body></html>", "Bad filter"),
    ],
)
async def test_what_a_service_says_of_a_bad_request_is_told(body: object, said: str) -> None:
    answer = (
        httpx.Response(400, text=body) if isinstance(body, str) else httpx.Response(400, json=body)
    )
    async with fetch(Script(answer)) as http:
        with pytest.raises(ServiceError, match=said):
            await http.json(ASK)


async def test_a_wait_that_stands_in_the_body_counts() -> None:
    script = Script(httpx.Response(429, json={"message": "Retry after 30 minutes"}), ok())
    async with fetch(script) as http:
        with pytest.raises(ServiceError):
            await http.json(ASK)
    assert len(script.seen) == 1, "it would not be over in time"
