from typing import Any
from urllib.parse import quote_plus

import httpx
import pytest

from coi_tui.config import SourceSettings
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Paper
from coi_tui.services.sources.fetch import HttpFetch
from coi_tui.services.sources.openalex import FIELDS, OpenAlex, abstract_of, to_paper
from coi_tui.services.sources.openalex import SOURCE as OPENALEX
from coi_tui.services.sources.semantic_scholar import to_paper as s2_paper
from coi_tui.services.sources.types import HttpAnswer, HttpRequest

from .helpers import TODAY, ScriptedFetch, row
from .test_http import Script, ok

BASE = "https://oa.example.org"
HEAD = Paper(id="arXiv:2401.00900", ids={"OpenAlex": "W900"}, title="The head")
GONE = HttpAnswer(status=404)


def work(n: int, **more: Any) -> dict[str, Any]:
    """A full work; ``more`` overrides fields."""
    return {
        "id": f"https://openalex.org/W{n}",
        "doi": f"https://doi.org/10.48550/arxiv.2401.{n:05d}",
        "ids": {"openalex": f"https://openalex.org/W{n}", "mag": "77"},
        "title": f"Invented paper number {n}",
        "display_name": f"Invented paper number {n}",
        "publication_year": 2024,
        "publication_date": "2024-01-09",
        "cited_by_count": 3,
        "authorships": [
            {"author_position": "first", "author": {"id": None, "display_name": "A. Bar"}}
        ],
        "primary_location": {
            "landing_page_url": None,
            "pdf_url": None,
            "source": {"display_name": "ACL", "type": "conference"},
        },
        "best_oa_location": None,
        "locations": [],
        "abstract_inverted_index": {"Abstract": [0], f"{n}.": [1]},
    } | more


def listing(*rows: Any, count: int | None = None) -> dict[str, Any]:
    return {
        "meta": {"count": len(rows) if count is None else count, "page": 1, "per_page": 25},
        "results": list(rows),
        "group_by": [],
    }


def client(fetch: ScriptedFetch) -> OpenAlex:
    return OpenAlex(fetch, BASE + "/", today=lambda: TODAY)


def filtered(name: str, *rows: Any) -> Any:
    """Answers ``filter=name:...`` with those of ``rows``."""
    return lambda request: (
        listing(*rows) if dict(request.params).get("filter", "").startswith(f"{name}:") else None
    )


# Works


def test_a_paper_goes_by_the_same_id_as_at_semantic_scholar() -> None:
    ours, theirs = to_paper(work(1), TODAY), s2_paper(row(1), TODAY)
    assert ours is not None
    assert theirs is not None
    its_own = {
        "ids": {"OpenAlex": "W1", "arXiv": "2401.00001"},
        "citations": Citations(count=3, source="OpenAlex", read=TODAY),
        "source": "OpenAlex",
    }
    assert ours == theirs.model_copy(update=its_own)


def test_the_arxiv_copy_of_a_published_paper_names_it() -> None:
    copy = {
        "landing_page_url": "http://arxiv.org/abs/2201.11903v6",
        "pdf_url": "https://arxiv.org/pdf/2201.11903",
    }
    got = to_paper(work(1, doi="https://doi.org/10.1234/X.5", locations=[copy, None, "x"]), TODAY)
    assert got is not None
    assert got.ids == {"OpenAlex": "W1", "DOI": "10.1234/x.5", "arXiv": "2201.11903"}
    assert (got.id, got.open_pdf) == ("arXiv:2201.11903", "https://arxiv.org/pdf/2201.11903")


NULLS = (
    "doi",
    "ids",
    "title",
    "display_name",
    "publication_year",
    "publication_date",
    "cited_by_count",
    "authorships",
    "primary_location",
    "best_oa_location",
    "locations",
    "abstract_inverted_index",
)


@pytest.mark.parametrize("field", NULLS)
def test_any_field_may_be_null_or_missing_or_of_another_kind(field: str) -> None:
    odd: list[Any] = [None, "", [], {}, 7, [None], {"x": None}, [{"author": None}], True]
    for bad in odd:
        assert to_paper(work(1, **{field: bad}), TODAY) is not None
    missing = work(1)
    del missing[field]
    assert to_paper(missing, TODAY) is not None


def test_priced_pdfs_are_left_alone() -> None:
    places = [
        {"pdf_url": "https://content.openalex.org/works/W1.pdf"},
        {"pdf_url": "https://x.example.org/a.pdf"},
    ]
    got = to_paper(work(1, locations=places), TODAY)
    assert got is not None
    assert got.open_pdf == "https://x.example.org/a.pdf"


def test_an_abstract_is_put_together_again() -> None:
    assert (
        abstract_of({"growing": [1], "Despite": [0], "interest": [2, 5], "in": [3]})
        == "Despite growing interest in interest"
    )
    assert abstract_of({"late": [9], "first": [1]}) == "first late"  # gaps, and no index 0
    assert abstract_of({"<b>bold</b>": [0], "A&amp;B\x1b[31m": [1]}) == "bold A&B"
    none: list[Any] = [None, {}, [], "x", {"a": None}, {"a": ["0"]}, {"a": [-1]}]
    assert [abstract_of(bad) for bad in none] == [None] * 7


# Searching


async def test_search_sends_words_and_the_used_fields() -> None:
    fetch = ScriptedFetch(("/works", listing(work(1), work(2), count=812)))
    found = await client(fetch).search('chain-of-thought, "x" AND y* | ?', 2)
    assert fetch.params() == {
        "search": "chain-of-thought x and y",
        "per_page": "2",
        "select": FIELDS,
    }
    assert [p.id for p in found.papers] == ["arXiv:2401.00001", "arXiv:2401.00002"]
    assert (found.total, found.asked_at, found.source) == (812, TODAY, "OpenAlex")
    assert found.note == "searched as “chain-of-thought x and y”; 2 of about 812"


@pytest.mark.parametrize("bad", [{}, {"results": None}, {"results": {}}, [], None])
async def test_what_is_no_list_is_an_error_not_an_empty_answer(bad: Any) -> None:
    with pytest.raises(ServiceError) as error:
        await client(ScriptedFetch(("/works", bad))).search("x", 5)
    assert error.value.kind == "broken"


# By id


async def test_its_own_ids_come_in_batches_and_others_singly() -> None:
    def single(request: HttpRequest) -> Any:
        if request.url.endswith("/works/doi:10.48550/arxiv.2401.00003"):
            return work(3, doi="https://doi.org/10.5555/journal.3")
        return GONE if "/works/" in request.url else None

    fetch = ScriptedFetch(single, filtered("openalex", work(1), work(2)))
    known, unknown = "arXiv:2401.00003", "DOI:10.9999/none"
    ids = ["OpenAlex:W1", "OpenAlex:W2", "S2:" + "0" * 40, known, unknown, "nonsense", known]
    got = await client(fetch).papers(ids)
    first, second = "arXiv:2401.00001", "arXiv:2401.00002"
    assert [p and p.id for p in got] == [first, second, None, known, None, None, known]
    assert fetch.params(0)["filter"] == "openalex:W1|W2"
    assert [r.url for r in fetch.asked[1:]] == [
        f"{BASE}/works/doi:10.48550/arxiv.2401.00003",
        f"{BASE}/works/doi:10.9999/none",
    ]


# Lists


async def test_citations_say_how_much_was_seen() -> None:
    fetch = ScriptedFetch(("/works", listing(*(work(n) for n in range(1, 101)), count=5230)))
    listed = await client(fetch).citations(HEAD, 150)
    assert (len(listed.papers), listed.rows_read, listed.total) == (100, 100, 5230)
    assert listed.note == "looked at 100 of about 5230"
    assert (fetch.params()["filter"], fetch.params()["sort"], fetch.params()["per_page"]) == (
        "cites:W900",
        "cited_by_count:desc",
        "100",
    )
    assert {link.cited for link in listed.links} == {HEAD.id}
    assert listed.links[0].evidence == f"listed by OpenAlex, read {TODAY}"


async def test_a_source_asked_from_a_day_on_filters_searches_and_citing_papers() -> None:
    fetch = ScriptedFetch(("/works", listing(work(1))))
    source = client(fetch).published_since("2025-11-01")
    await source.search("words", 5)
    await source.citations(HEAD, 150)
    assert [dict(r.params)["filter"] for r in fetch.asked] == [
        "from_publication_date:2025-11-01",
        "cites:W900,from_publication_date:2025-11-01",
    ]


async def test_references_are_the_listed_ids_described_in_batches() -> None:
    refs = [
        "https://openalex.org/W2",
        "https://openalex.org/W1",
        "https://openalex.org/W2",
        None,
        "x",
        "https://openalex.org/W3",
    ]
    head = {"id": "https://openalex.org/W900", "referenced_works": refs}
    fetch = ScriptedFetch(("/works/W900", head), ("/works", listing(work(1), work(2))))
    listed = await client(fetch).references(HEAD, 500)
    assert [p.id for p in listed.papers] == ["arXiv:2401.00002", "arXiv:2401.00001"]
    assert (listed.total, listed.rows_read, listed.note) == (
        3,
        3,
        "looked at all 3; 1 that OpenAlex no longer describes",
    )
    assert {link.citing for link in listed.links} == {HEAD.id}
    assert fetch.params()["filter"] == "openalex:W2|W1|W3"


@pytest.mark.parametrize("none", [[], None])
async def test_no_references_are_said_to_be_perhaps_a_gap(none: Any) -> None:
    listed = await client(
        ScriptedFetch(("/works/W900", {"id": "x", "referenced_works": none}))
    ).references(HEAD, 500)
    assert listed.papers == ()
    assert "although a paper has some" in listed.note


# Text


KEY = "oa+f4k3-fake/key=1"
ASK = HttpRequest(url=f"{BASE}/works", params=(("search", "x"),))


def fetch(script: Script, key: str = KEY) -> HttpFetch:
    settings = SourceSettings(base_url=BASE, pace_s=0, retries=3)
    transport = httpx.MockTransport(script)
    return HttpFetch(OPENALEX, settings, key, transport=transport, retry_wait_s=0.001)


async def test_the_key_goes_into_the_address_and_not_into_the_request() -> None:
    script = Script(ok())
    async with fetch(script) as http:
        await http.json(ASK)
    assert script.seen[0].url.params["api_key"] == KEY
    assert script.seen[0].url.params["search"] == "x"
    assert "api_key" not in str(ASK.key())


async def test_a_redirect_elsewhere_is_refused_and_a_pdf_there_gets_no_key() -> None:
    away = httpx.Response(
        302, headers={"location": "https://other.example.net/x?api_key=oa%2Bfake%2Fkey%3D1&a=b"}
    )
    script = Script(away, away, ok())
    async with fetch(script) as http:
        with pytest.raises(ServiceError, match="another server"):
            await http.json(ASK)
        await http.pdf_text(f"{BASE}/a.pdf")
    assert str(script.seen[2].url) == "https://other.example.net/x?a=b"


@pytest.mark.parametrize(
    "headers",
    [
        {
            "x-ratelimit-remaining-usd": "0",
            "x-ratelimit-cost-usd": "0.001",
            "x-ratelimit-reset": "7200",
        },
        {
            "x-ratelimit-remaining-usd": "0.0005",
            "x-ratelimit-cost-usd": "0.001",
            "x-ratelimit-reset": "7200",
        },
        {"X-RateLimit-Limit": "100000", "Retry-After": "7200"},
    ],
)
async def test_a_spent_budget_is_said_at_once(headers: dict[str, str]) -> None:
    script = Script(httpx.Response(429, json={"error": "Rate limit exceeded"}, headers=headers))
    async with fetch(script) as http:
        with pytest.raises(ServiceError, match=r"budget is spent; it renews in 2\.0 h") as error:
            await http.json(ASK)
    assert (error.value.kind, len(script.seen)) == ("refused", 1)
    assert KEY not in str(error.value)


async def test_the_key_is_hidden_however_it_is_echoed() -> None:
    said = {"error": "Invalid", "message": f"api_key={KEY} {quote_plus(KEY)}"}
    async with fetch(Script(httpx.Response(401, json=said | {"error": said["message"]}))) as http:
        with pytest.raises(ServiceError) as error:
            await http.json(ASK)
    assert KEY not in str(error.value)
    assert quote_plus(KEY) not in str(error.value)
