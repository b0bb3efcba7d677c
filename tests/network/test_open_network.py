"""Addresses that papers name: nothing inside the reader's machine or network is reached, whatever
the address looks like."""

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


# ---- a name that changes its mind


class Stream(httpcore.AsyncMockStream):
    """A connection that answers with a PDF; ``names`` gets the name that TLS is held to, ``sent``
    what was written."""

    def __init__(self, names: list[str | None], sent: list[bytes]) -> None:
        super().__init__([b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(PDF), PDF])
        self.names, self.sent = names, sent

    async def start_tls(
        self,
        ssl_context: object,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.names.append(server_hostname)
        return self

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.sent.append(buffer)


class Network:
    """Resolves by a script, one answer a time, the last one for ever, and connects to what is not
    in ``down``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: list[str] | OSError) -> None:
        self.answers, self.down = list(answers), set[str]()
        self.tried: list[str] = []
        self.names: list[str | None] = []
        self.sent: list[bytes] = []

        async def connect(
            _self: object, host: str, port: int, *rest: object, **more: object
        ) -> httpcore.AsyncNetworkStream:
            self.tried.append(host)
            if host in self.down:
                raise httpcore.ConnectError("down")
            return Stream(self.names, self.sent)

        monkeypatch.setattr(addresses, "system_addresses", self.resolved)
        monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)

    async def resolved(self, host: str, port: int) -> list[str]:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, OSError):
            raise answer
        return answer


INSIDE = ["127.0.0.1"]


@pytest.mark.parametrize("first", [1, 2, 3])
@pytest.mark.parametrize(
    "then", [INSIDE, ["169.254.169.254"], [OPEN, "10.0.0.7"], ["::1"], ["::ffff:192.168.1.1"]]
)
async def test_no_name_leads_inside_by_changing_its_mind(
    first: int, then: list[str], monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    network = Network(monkeypatch, *[[OPEN]] * first, then)
    async with fetch() as http:
        for _ in range(3):
            await http.pdf_text("http://paper.example.org/a.pdf")
            await http.pdf_text("https://paper.example.org/a.pdf")
    assert set(network.tried) <= {OPEN}, "an address that was checked, and never the name"


async def test_a_name_that_first_cannot_be_resolved_is_not_connected_to_by_another_answer(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    network = Network(monkeypatch, OSError("not now"), INSIDE)
    async with fetch() as http:
        assert (await http.pdf_text("http://paper.example.org/a.pdf")).kind == "none"
    network = Network(monkeypatch, OSError("no such name"))
    async with fetch() as http:
        with pytest.raises(ServiceError, match="cannot be reached"):
            await http.pdf_text("http://gone.example.org/a.pdf")
    assert network.tried == []


async def test_the_connection_goes_to_the_address_and_host_and_certificate_to_the_name(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    network = Network(monkeypatch, [OPEN])
    async with fetch() as http:
        for name in ("one.example.org", "two.example.org"):
            assert (await http.pdf_text(f"https://{name}/a.pdf")).kind != "none"
    assert network.tried == [OPEN, OPEN], "no connection is used again under another name"
    assert network.names == ["one.example.org", "two.example.org"]
    heads = b"".join(network.sent)
    assert heads.count(b"Host: one.example.org\r\n") == 1
    assert heads.count(b"Host: two.example.org\r\n") == 1


async def test_of_several_addresses_the_next_is_tried_where_one_is_down(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    network = Network(monkeypatch, ["2606:4700:4700::1111", OPEN])
    network.down = {"2606:4700:4700::1111"}
    async with fetch() as http:
        assert (await http.pdf_text("https://paper.example.org/a.pdf")).kind != "none"
    assert network.tried == ["2606:4700:4700::1111", OPEN]


async def test_the_services_own_address_may_be_anywhere(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    network = Network(monkeypatch, ["10.0.0.9"])
    settings = SourceSettings(base_url="http://papers.example.org:9000", pace_s=0, retries=0)
    async with HttpFetch(S2, settings, "") as http:
        await http.pdf_text("http://papers.example.org:9000/a.pdf")
        assert network.tried == ["papers.example.org"]
        assert (await http.pdf_text("http://papers.example.org/a.pdf")).kind == "none"
    assert network.tried == ["papers.example.org"]


async def test_through_a_proxy_the_name_is_sent_and_only_the_proxy_connected_to(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    monkeypatch.setenv("http_proxy", "http://203.0.113.9:3128")
    network = Network(monkeypatch, [OPEN])
    async with fetch() as http:
        assert (await http.pdf_text("http://paper.example.org/a.pdf")).kind != "none"
    assert network.tried == ["203.0.113.9"]
    assert b"GET http://paper.example.org/a.pdf" in network.sent[0]
    monkeypatch.setenv("no_proxy", "paper.example.org")
    network = Network(monkeypatch, [OPEN])
    async with fetch() as http:
        assert (await http.pdf_text("http://paper.example.org/a.pdf")).kind != "none"
    assert network.tried == [OPEN]
