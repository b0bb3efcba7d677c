"""Requests go to the service at whose address they are, and no key to the host of another."""

import httpx
import pytest

from coi_tui.config import SourceSettings
from coi_tui.model.errors import ServiceError
from coi_tui.services.sources import openalex, semantic_scholar
from coi_tui.services.sources.fetch import HttpFetch, RoutedFetch
from coi_tui.services.sources.types import HttpRequest

from .test_http import Script, ok

S2, OA = "https://s2.example.org/graph/v1", "https://oa.example.org"
S2_KEY, OA_KEY = "s2-f4k3-fake-key-1", "oa-fake-key-2"


def both(first: Script, second: Script) -> RoutedFetch:
    pace = {"pace_s": 0, "retries": 0}
    s2 = HttpFetch(
        semantic_scholar.SOURCE,
        SourceSettings(base_url=S2, **pace),
        S2_KEY,
        transport=httpx.MockTransport(first),
    )
    oa = HttpFetch(
        openalex.SOURCE,
        SourceSettings(base_url=OA, **pace),
        OA_KEY,
        transport=httpx.MockTransport(second),
    )
    return RoutedFetch([(S2, s2), (OA, oa)])


async def test_each_request_goes_to_its_service_with_that_services_key_alone() -> None:
    first, second = Script(ok()), Script(ok())
    fetch = both(first, second)
    await fetch.json(HttpRequest(url=f"{S2}/paper/search", params=(("query", "x"),)))
    await fetch.json(HttpRequest(url=f"{OA}/works", params=(("search", "x"),)))
    (s2,), (oa,) = first.seen, second.seen
    assert (s2.url.host, s2.headers["x-api-key"]) == ("s2.example.org", S2_KEY)
    assert (oa.url.host, oa.url.params["api_key"]) == ("oa.example.org", OA_KEY)
    assert OA_KEY not in f"{s2.url}{s2.headers}"
    assert S2_KEY not in f"{oa.url}{oa.headers}"


@pytest.mark.parametrize(
    "url",
    [
        "https://s2.example.org.evil.net/graph/v1/paper",
        "https://s2.example.org/other",
        f"{S2}x/paper",
        "http://oa.example.org/works",
        "",
    ],
)
async def test_an_address_of_no_service_is_sent_nowhere(url: str) -> None:
    fetch = both(Script(ok()), Script(ok()))
    with pytest.raises(ServiceError, match="not sent"):
        await fetch.json(HttpRequest(url=url))


async def test_a_pdf_goes_through_the_first_and_carries_no_key() -> None:
    first, second = Script(httpx.Response(200, content=b"no pdf")), Script(ok())
    got = await both(first, second).pdf_text("https://papers.example.com/a.pdf")
    assert got.kind == "none"
    assert S2_KEY not in f"{first.seen[0].url}{first.seen[0].headers}"
    assert second.seen == []
