"""Every service that papers come from, times every fault: a named state or a sound answer, in
bounded time, never a wrong paper."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from coi_tui.literature.crossref import Crossref

from coi_tui.config import SourceSettings
from coi_tui.literature.arxiv import Arxiv, parse_atom
from coi_tui.literature.http import HttpFetch, parse_json
from coi_tui.literature.openalex import OpenAlex
from coi_tui.literature.semantic_scholar import SemanticScholar
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.network import retry

from .helpers import TODAY, row, sha
from .test_openalex import listing, work

BASE = "https://service.example.org"
KEY = "fauf4k3-lt-table-key-7f3a"
BOUND_S = 5.0
STATES = frozenset(
    {"limited", "server", "broken", "unreachable", "refused", "not_found", "bad_request"}
)
HEAD = Paper(
    id=f"S2:{sha(1)}",
    ids={"S2": sha(1), "arXiv": "2401.00001", "OpenAlex": "W1"},
    title="Invented paper number 1",
    year=2024,
)
FOREIGN = "A paper that nobody asked about"

Ask = Callable[[HttpFetch], Awaitable[object]]
Handler = Callable[[httpx.Request], httpx.Response]


def _today() -> str:
    return TODAY


def _entry(n: int, title: str | None = None) -> str:
    said = f"<title>{title or f'Invented paper number {n}'}</title>"
    return (
        f"<entry><id>http://arxiv.org/abs/2401.{n:05d}v1</id>{said}<published>2024-01-09T00:00:00Z</published>"
        "<summary>An abstract.</summary><author><name>A. Bar</name></author></entry>"
    )


def _feed(*entries: str) -> bytes:
    return f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">{"".join(entries)}</feed>'.encode()


@dataclass(frozen=True)
class Service:
    """A client and one question to it. ``good`` is a full answer; ``shapes`` are odd answers of
    that service's own."""

    name: str
    ask: Ask
    good: bytes
    shapes: dict[str, bytes]
    query: bool = False
    atom: bool = False
    plain_404: bool = False

    def fetch(self, handler: Handler) -> HttpFetch:
        settings = SourceSettings(base_url=BASE, pace_s=0.0, timeout_s=0.3, retries=2)
        return HttpFetch(
            settings,
            self.name,
            None if self.query else {"x-api-key": KEY},
            query={"email": KEY} if self.query else None,
            plain_404=self.plain_404,
            transport=httpx.MockTransport(handler),
            retry_wait_s=0.001,
            max_json_mb=2,
            parse=parse_atom if self.atom else parse_json,
        )


def _json(payload: object) -> bytes:
    return json.dumps(payload).encode()


def _odd(good: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**good, **fields}


S2_LIST = {"offset": 0, "data": [{"citingPaper": row(2), "contexts": []}]}
S2_SHAPES = {
    "data null with a disclaimer": _json(
        {"data": None, "citingPaperInfo": {"openAccessPdf": {"disclaimer": "kept back"}}}
    ),
    "data missing": _json({"offset": 0}),
    "null abstract": _json(_odd(S2_LIST, data=[{"citingPaper": row(2, abstract=None)}])),
    "null year": _json(
        _odd(S2_LIST, data=[{"citingPaper": row(2, year=None, publicationDate=None)}])
    ),
    "null id": _json(_odd(S2_LIST, data=[{"citingPaper": row(2, paperId=None)}])),
    "a paper that is null": _json(
        _odd(S2_LIST, data=[{"citingPaper": None}, {"citingPaper": row(2)}])
    ),
    "duplicate ids": _json(_odd(S2_LIST, data=[{"citingPaper": row(2)}, {"citingPaper": row(2)}])),
}
S2_FOUND = {"total": 1, "data": [row(2)]}
OA_WORK = work(2)
DOI = "10.1234/abc"
CROSSREF = {
    "status": "ok",
    "message": {
        "DOI": DOI,
        "title": ["Invented paper number 2"],
        "author": [{"given": "A.", "family": "Bar"}],
    },
}


def _s2(fetch: HttpFetch) -> SemanticScholar:
    return SemanticScholar(fetch, BASE, today=_today)


def _oa(fetch: HttpFetch) -> OpenAlex:
    return OpenAlex(fetch, BASE, today=_today)


def _ax(fetch: HttpFetch) -> Arxiv:
    return Arxiv(fetch, BASE, today=_today)


SERVICES = [
    Service(
        "Semantic Scholar citations",
        lambda f: _s2(f).citations(HEAD, 10),
        _json(S2_LIST),
        S2_SHAPES,
    ),
    Service(
        "Semantic Scholar references",
        lambda f: _s2(f).references(HEAD, 10),
        _json({"offset": 0, "data": [{"citedPaper": row(2)}]}),
        {
            "data null with a disclaimer": S2_SHAPES["data null with a disclaimer"],
            "data missing": _json({"offset": 0}),
        },
    ),
    Service(
        "Semantic Scholar search",
        lambda f: _s2(f).search("chains of ideas", 5),
        _json(S2_FOUND),
        {
            "data null": _json({"total": 0, "data": None}),
            "data missing": _json({"total": 0}),
            "null abstract": _json({"total": 1, "data": [row(2, abstract=None)]}),
            "null id": _json({"total": 1, "data": [row(2, paperId=None)]}),
            "null year": _json({"total": 1, "data": [row(2, year=None)]}),
            "duplicate ids": _json({"total": 2, "data": [row(2), row(2)]}),
        },
    ),
    Service(
        "Semantic Scholar match",
        lambda f: _s2(f).match("Invented paper number 2", 2024),
        _json({"data": [row(2)]}),
        {
            "another paper": _json({"data": [row(9, title=FOREIGN)]}),
            "data missing": _json({}),
            "null title": _json({"data": [row(2, title=None)]}),
        },
    ),
    Service(
        "Semantic Scholar batch",
        lambda f: _s2(f).papers(["arXiv:2401.00002"]),
        _json([row(2)]),
        {
            "null": _json([None]),
            "another paper": _json([row(9, title=FOREIGN)]),
            "too few": _json([]),
            "too many": _json([row(2), row(9, title=FOREIGN)]),
        },
    ),
    Service(
        "OpenAlex search",
        lambda f: _oa(f).search("chains of ideas", 5),
        _json(listing(OA_WORK)),
        {
            "results null": _json({"meta": {"count": 0}, "results": None}),
            "results missing": _json({"meta": {"count": 0}}),
            "null abstract": _json(listing(work(2, abstract_inverted_index=None))),
            "null year": _json(listing(work(2, publication_year=None))),
            "null id": _json(listing(work(2, id=None, ids={}, doi=None))),
            "duplicate ids": _json(listing(OA_WORK, OA_WORK)),
        },
        query=True,
    ),
    Service(
        "OpenAlex citations",
        lambda f: _oa(f).citations(HEAD, 10),
        _json(listing(OA_WORK)),
        {
            "results null": _json({"results": None}),
            "duplicate ids": _json(listing(OA_WORK, OA_WORK)),
        },
        query=True,
    ),
    Service(
        "arXiv by id",
        lambda f: _ax(f).papers(["arXiv:2401.00002"]),
        _feed(_entry(2)),
        {"another paper": _feed(_entry(9, FOREIGN)), "no entry": _feed()},
        atom=True,
    ),
    Service(
        "Crossref",
        lambda f: Crossref(f, BASE, today=_today).paper(f"doi:{DOI}"),
        _json(CROSSREF),
        {
            "message null": _json({"status": "ok", "message": None}),
            "message missing": _json({"status": "ok"}),
            "null author": _json(
                {"message": {"DOI": DOI, "title": ["Invented paper number 2"], "author": None}}
            ),
            "another paper": _json({"message": {"DOI": "10.9/x", "title": [FOREIGN]}}),
        },
        query=True,
        plain_404=True,
    ),
]


# Faults that any service can have


def _kind(service: Service) -> str:
    return "application/atom+xml" if service.atom else "application/json"


class _Slow(httpx.AsyncByteStream):
    """Half a body, then silence."""

    def __init__(self, head: bytes) -> None:
        self.head = head

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.head
        raise httpx.ReadTimeout("no more bytes")


def _status(code: int, body: bytes = b"{}", **headers: str) -> Callable[[Service], Handler]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda service: (
        lambda request: httpx.Response(
            code, content=body, headers={"content-type": _kind(service), **named}
        )
    )


def _raising(error: Exception) -> Callable[[Service], Handler]:
    def answer(request: httpx.Request) -> httpx.Response:
        raise error

    return lambda service: answer


def _body(change: Callable[[bytes], bytes], kind: str = "") -> Callable[[Service], Handler]:
    return lambda service: (
        lambda request: httpx.Response(
            200, content=change(service.good), headers={"content-type": kind or _kind(service)}
        )
    )


def _once(fault: Callable[[Service], Handler]) -> Callable[[Service], Handler]:
    """The fault at the first call, the good answer at every later one."""

    def made(service: Service) -> Handler:
        calls = 0

        def answer(request: httpx.Request) -> httpx.Response:
            nonlocal calls
            calls += 1
            return (
                fault(service)(request)
                if calls == 1
                else httpx.Response(
                    200, content=service.good, headers={"content-type": _kind(service)}
                )
            )

        return answer

    return made


HTML = b"<html><body><h1>502 Bad Gateway</h1></body></html>"
PASSING: dict[str, tuple[Callable[[Service], Handler], frozenset[str]]] = {
    "429 without Retry-After": (_status(429), frozenset({"limited"})),
    "429 with Retry-After": (_status(429, retry_after="0"), frozenset({"limited"})),
    "429 with a Retry-After of an hour": (_status(429, retry_after="3600"), frozenset({"limited"})),
    "500": (_status(500), frozenset({"server"})),
    "502 with a web page": (_status(502, HTML, content_type="text/html"), frozenset({"server"})),
    "timeout at connect": (_raising(httpx.ConnectTimeout("slow")), frozenset({"unreachable"})),
    "timeout in the body": (
        lambda s: (
            lambda r: httpx.Response(
                200, stream=_Slow(s.good[: len(s.good) // 2]), headers={"content-type": _kind(s)}
            )
        ),
        frozenset({"unreachable"}),
    ),
    "cut off in the body": (
        _raising(httpx.RemoteProtocolError("peer closed")),
        frozenset({"unreachable"}),
    ),
    "truncated body": (_body(lambda good: good[: len(good) // 2]), frozenset({"broken"})),
    "empty body": (_body(lambda good: b""), frozenset({"broken"})),
    "a web page with status 200": (_body(lambda good: HTML, "text/html"), frozenset({"broken"})),
    "DNS failure": (
        _raising(httpx.ConnectError("[Errno -2] Name or service not known")),
        frozenset({"unreachable"}),
    ),
    "certificate failure": (
        _raising(httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed")),
        frozenset({"unreachable"}),
    ),
}
LASTING: dict[str, tuple[Callable[[Service], Handler], frozenset[str]]] = {
    "a body of 10 MB": (_body(lambda good: good + b" " * 10_000_000), frozenset({"broken"})),
    "a redirect loop": (_status(302, location=f"{BASE}/again"), frozenset({"bad_request"})),
    "a 403": (_status(403), frozenset({"refused"})),
    "a 401": (_status(401), frozenset({"refused"})),
}
IDS = [s.name for s in SERVICES]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "ASKED_MAX_S", 0.02)


async def _outcome(service: Service, handler: Handler) -> object:
    """What the client answered, or the ServiceError it raised; anything else fails the test."""
    async with service.fetch(handler) as fetch:
        try:
            return await asyncio.wait_for(service.ask(fetch), BOUND_S)
        except ServiceError as error:
            return error


def _titles(answer: object) -> list[str]:
    """Titles of the papers in any answer."""
    if isinstance(answer, Paper):
        return [answer.title]
    if isinstance(answer, list | tuple):
        return [t for a in answer for t in _titles(a)]
    for name in ("papers", "paper"):
        held = getattr(answer, name, None)
        if held is not None and not isinstance(held, str):
            return _titles(held)
    return []


@pytest.mark.parametrize("service", SERVICES, ids=IDS)
async def test_the_good_answer_of_each_service_is_read(service: Service) -> None:
    answer = await _outcome(
        service,
        lambda r: httpx.Response(
            200, content=service.good, headers={"content-type": _kind(service)}
        ),
    )
    assert not isinstance(answer, ServiceError)
    assert _titles(answer) == ["Invented paper number 2"]


@pytest.mark.parametrize("fault", [*PASSING, *LASTING])
@pytest.mark.parametrize("service", SERVICES, ids=IDS)
async def test_a_fault_that_lasts_is_a_named_state(service: Service, fault: str) -> None:
    make, states = {**PASSING, **LASTING}[fault]
    answer = await _outcome(service, make(service))
    assert isinstance(answer, ServiceError), answer
    assert answer.kind in states & STATES
    said = f"{answer.message} {answer.hint} {answer!r}"
    assert service.name in answer.message
    assert KEY not in said
    assert "Traceback" not in said
    assert "\n" not in answer.message


@pytest.mark.parametrize("fault", PASSING)
@pytest.mark.parametrize("service", SERVICES, ids=IDS)
async def test_a_fault_that_passes_is_got_over(service: Service, fault: str) -> None:
    answer = await _outcome(service, _once(PASSING[fault][0])(service))
    assert not isinstance(answer, ServiceError), answer
    assert _titles(answer) == ["Invented paper number 2"]


@pytest.mark.parametrize(
    ("service", "shape"),
    [(s, n) for s in SERVICES for n in s.shapes],
    ids=[f"{s.name}: {n}" for s in SERVICES for n in s.shapes],
)
async def test_an_odd_answer_gives_no_wrong_paper_and_none_twice(
    service: Service, shape: str
) -> None:
    answer = await _outcome(
        service,
        lambda r: httpx.Response(
            200, content=service.shapes[shape], headers={"content-type": _kind(service)}
        ),
    )
    if isinstance(answer, ServiceError):
        assert answer.kind in STATES
        return
    titles = _titles(answer)
    assert set(titles) <= {"Invented paper number 2"}
    assert len(titles) == len(set(titles))


async def test_a_list_that_is_kept_back_is_not_an_empty_list() -> None:
    service = SERVICES[0]
    answer = await _outcome(
        service, lambda r: httpx.Response(200, content=S2_SHAPES["data null with a disclaimer"])
    )
    assert getattr(answer, "withheld", False)
