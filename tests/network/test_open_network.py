"""Addresses that papers name: nothing inside the reader's machine or network is reached, whatever
the address looks like."""

from __future__ import annotations

import ipaddress
from typing import Any

import httpcore
import httpx
import pytest

from coi_tui.config import SourceSettings
from coi_tui.model.errors import ServiceError
from coi_tui.services.http import addresses
from coi_tui.services.http.addresses import check_url, is_open
from coi_tui.services.sources.fetch import HttpFetch
from coi_tui.services.sources.semantic_scholar import SOURCE as S2
from tests.literature.helpers import make_pdf

OPEN = "93.184.216.34"
PDF = make_pdf([f"Line {i} of an invented paper about nothing in particular." for i in range(12)])
NAMES = {
    "inside.example.org": ["127.0.0.1"],
    "both.example.org": [OPEN, "10.0.0.7"],
    "router.example.org": ["192.168.1.1"],
    "mapped.example.org": ["::ffff:127.0.0.1"],
    "translated.example.org": ["64:ff9b::7f00:1"],
    "metadata.example.org": ["169.254.169.254"],
    "nothing.example.org": ["0.0.0.0"],
    "scoped.example.org": ["fe80::1%eth0"],
}

REFUSED = [
    "http://127.0.0.1/a.pdf",
    "http://127.1/a.pdf",
    "http://127.0.1/a.pdf",
    "http://2130706433/a.pdf",
    "http://0x7f000001/a.pdf",
    "http://0x7f.0.0.1/a.pdf",
    "http://0177.0.0.1/a.pdf",
    "http://017700000001/a.pdf",
    "http://0/a.pdf",
    "http://0.0.0.0/a.pdf",
    "http://127.0.0.1./a.pdf",
    "http://localhost/a.pdf",
    "http://LOCALHOST./a.pdf",
    "http://paper.localhost/a.pdf",
    "http://printer/a.pdf",
    "http://nas.local/a.pdf",
    "http://wiki.internal/a.pdf",
    "http://router.lan/a.pdf",
    "http://box.home.arpa/a.pdf",
    "http://\uff11\uff12\uff17.0.0.1/a.pdf",
    "http://127\u30020\u30020\u30021/a.pdf",
    "http://127\uff0e0\uff0e0\uff0e1/a.pdf",
    "http://\u2460\u2461\u2466.0.0.1/a.pdf",
    "http://\uff4cocalhost/a.pdf",
    "http://127.0.0.1%2f.example.org/a.pdf",
    "http://10.1.2.3/a.pdf",
    "http://172.16.0.9/a.pdf",
    "http://192.168.0.1/a.pdf",
    "http://100.64.0.1/a.pdf",
    "http://169.254.169.254/a.pdf",
    "http://192.0.2.1/a.pdf",
    "http://198.18.0.1/a.pdf",
    "http://224.0.0.1/a.pdf",
    "http://240.0.0.1/a.pdf",
    "http://255.255.255.255/a.pdf",
    "http://[::1]/a.pdf",
    "http://[::]/a.pdf",
    "http://[::ffff:127.0.0.1]/a.pdf",
    "http://[::ffff:7f00:1]/a.pdf",
    "http://[::127.0.0.1]/a.pdf",
    "http://[64:ff9b::127.0.0.1]/a.pdf",
    "http://[64:ff9b:1::1]/a.pdf",
    "http://[fe80::1]/a.pdf",
    "http://[fe80::1%25eth0]/a.pdf",
    "http://[fd00::1]/a.pdf",
    "http://[ff02::1]/a.pdf",
    "http://[2001::1]/a.pdf",
    "http://arxiv.org@127.0.0.1/a.pdf",
    "http://arxiv.org:x@example.org/a.pdf",
    "http://example.org\\@127.0.0.1/",
    "file:///etc/passwd",
    "ftp://example.org/a.pdf",
    "gopher://example.org/a.pdf",
    "data:application/pdf,%25PDF",
    "//example.org/a.pdf",
    "",
    "http://",
    "http:///a.pdf",
    "http://example.org:22/a.pdf",
    "http://example.org:6379/",
    "http://example.org:0/",
    "http://example.org:99999/",
    "http://[::1/a.pdf",
    "http://exa mple.org/a.pdf",
    "http://example.org\r\nHost: x/a.pdf",
    *(f"http://{name}/a.pdf" for name in NAMES),
    *(f"https://{name}:443/a.pdf" for name in NAMES),
]


async def resolved(host: str, port: int) -> list[str]:
    if host not in NAMES:
        raise OSError("no such name")
    return NAMES[host]


def fetch(**more: Any) -> HttpFetch:
    settings = SourceSettings(base_url="https://api.example.org", pace_s=0, retries=0, timeout_s=5)
    return HttpFetch(S2, settings, "s3cret-key", **more)


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The IP addresses to which a connection was tried; none is made. Proxies of the machine that
    runs the tests do not count."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setattr(addresses, "system_addresses", resolved)
    tried: list[str] = []

    async def refuse(
        self: object, host: str, port: int, *rest: object, **more: object
    ) -> httpcore.AsyncNetworkStream:
        tried.append(host)
        raise httpcore.ConnectError("no network in tests")

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", refuse)
    return tried


@pytest.mark.parametrize("url", REFUSED)
async def test_nothing_inside_is_reached_and_one_sentence_says_so(
    url: str, connected: list[str]
) -> None:
    async with fetch() as http:
        got = await http.pdf_text(url)
    assert connected == []
    assert got.kind == "none"
    assert got.note.startswith("the address of the PDF ")
    assert "\n" not in got.note
    assert "s3cret" not in got.note


@pytest.mark.parametrize(
    "url",
    [
        url
        for url in REFUSED
        if ":" in url
        and not any(name in url for name in NAMES)
        and url not in ("http://", "http:///a.pdf")  # a redirect without a host stays on its own
    ],
)
async def test_nor_after_a_redirect(url: str) -> None:
    """Names are resolved by the connection, which is another test: here the network is one of the
    test."""
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.host)
        return (
            httpx.Response(302, headers={b"location": url.encode()})
            if len(seen) == 1
            else httpx.Response(200, content=PDF)
        )

    async with fetch(transport=httpx.MockTransport(answer)) as http:
        try:
            said = (await http.pdf_text("https://open.example.org/a.pdf")).note
        except ServiceError as error:  # what cannot be read as an address at all
            said = error.message
    assert seen == ["open.example.org"]
    assert "address" in said or "Invalid URL" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "text",
    [
        "8.8.8.8",
        "93.184.216.34",
        "2606:4700:4700::1111",
        "64:ff9b::808:808",
        "::ffff:8.8.8.8",
        "2a00:1450::1",
    ],
)
def test_addresses_of_the_open_network_are_open(text: str) -> None:
    assert is_open(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/pdf/2201.11903",
        "http://93.184.216.34/a.pdf",
        "https://b\u00fccher.example/a.pdf",
        "https://repo.example.edu:8443/a b.pdf",
        "https://[2606:4700:4700::1111]/a.pdf",
        "https://3com.example/a.pdf",
        "https://dl.example.org/doi/10.1/x@y.pdf",
    ],
)
def test_addresses_of_papers_are_not_refused(url: str) -> None:
    check_url(url)


async def test_a_proxy_is_not_asked_for_what_this_machine_knows_to_be_inside(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    monkeypatch.setenv("http_proxy", "http://203.0.113.9:3128")
    async with fetch() as http:
        assert (await http.pdf_text("http://inside.example.org/a.pdf")).kind == "none"
        assert (await http.pdf_text("http://127.1/a.pdf")).kind == "none"
        assert connected == []
        with pytest.raises(
            Exception, match="cannot be reached"
        ):  # a name that only the proxy can resolve
            await http.pdf_text("http://unknown.example.org/a.pdf")
    assert connected == ["203.0.113.9"]
