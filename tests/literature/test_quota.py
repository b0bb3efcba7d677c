"""A key in the address, and the two kinds of 429."""

from __future__ import annotations

from urllib.parse import quote_plus

import httpx
import pytest

from coi_tui.config import SourceSettings
from coi_tui.model.errors import ServiceError
from coi_tui.services.sources.fetch import HttpFetch
from coi_tui.services.sources.openalex import SOURCE as OPENALEX
from coi_tui.services.sources.types import HttpRequest

from .test_http import Script, ok

KEY = "oa+f4k3-fake/key=1"
BASE = "https://oa.example.org"
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
