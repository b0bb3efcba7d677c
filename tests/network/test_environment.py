"""What the environment says of proxies and certificates: where no client can be built with it, a
sentence names the variable, and this machine is asked directly in any case."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.model.errors import ServiceError
from coi_tui.services.http import addresses
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.services.sources.fetch import HttpFetch
from coi_tui.services.sources.semantic_scholar import SOURCE as S2
from coi_tui.services.sources.source_registry import service_of
from coi_tui.services.sources.types import HttpRequest
from coi_tui.session import doctor
from tests.llm.server import chat, request
from tests.support.standins.small_server import JSON, serving

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
FILES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE")


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (*PROXIES, *map(str.upper, PROXIES), *FILES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(sys.modules, "socksio", None)
    addresses.ssl_context.cache_clear()
    yield
    addresses.ssl_context.cache_clear()


BAD = [
    ("ALL_PROXY", "socks5://user:f4k3@127.0.0.1:1080"),
    ("all_proxy", "socks5h://127.0.0.1:1080"),
    ("HTTPS_PROXY", "socks5://127.0.0.1:1080"),
    ("ALL_PROXY", "socks4://127.0.0.1:1080"),
    ("HTTPS_PROXY", "http://proxy.example:port"),
    ("https_proxy", "ftp://proxy.example"),
    ("SSL_CERT_FILE", "/nowhere/f4k3.pem"),
    ("SSL_CERT_FILE", __file__),
    ("SSL_CERT_FILE", "/"),
    ("SSLKEYLOGFILE", "/nowhere/f4k3/keys"),
]


def bad(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    if name == "SSLKEYLOGFILE":  # it counts only where certificates of one's own are named
        import certifi

        monkeypatch.setenv("SSL_CERT_FILE", certifi.where())


def check(error: ServiceError, name: str) -> None:
    assert name in error.message
    assert "f4k3" not in str(error)
    assert ". " not in error.message
    assert error.hint


@pytest.mark.parametrize(("name", "value"), BAD)
async def test_a_model_that_cannot_be_connected_to_names_the_variable(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad(name, value, monkeypatch)
    settings = LlmSettings(base_url="https://model.example", main=RoleSettings(model="m"))
    model = OpenAICompatible(settings, "k")
    for call in (model.complete(request()), model.list_models(), model.warm()):
        with pytest.raises(ServiceError) as caught:
            await call
        check(caught.value, name)


@pytest.mark.parametrize(("name", "value"), [*BAD, ("NO_PROXY", "[::1")])
async def test_a_source_that_cannot_be_connected_to_names_the_variable(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad(name, value, monkeypatch)
    settings = SourceSettings(base_url="https://papers.example", pace_s=0)
    async with HttpFetch(S2, settings) as http:
        with pytest.raises(ServiceError) as caught:
            await http.json(HttpRequest(url="https://papers.example/paper"))
        check(caught.value, name)


@pytest.mark.parametrize(("name", "value"), BAD[:1] + BAD[6:7])
async def test_doctor_says_so_in_its_table(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad(name, value, monkeypatch)
    settings = Settings(llm=LlmSettings(base_url="https://model.example"))
    found = await doctor.models(settings, Keys())
    found.append(await doctor.source(service_of("semantic_scholar", settings, Keys())))
    failed = [one for one in found if one.state == "FAILED"]
    assert len(failed) == 2
    assert all(name in one.detail for one in failed)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:1"),
        ("http_proxy", "http://127.0.0.1:1"),
        ("HTTPS_PROXY", "http://127.0.0.1:1"),
        ("all_proxy", "http://127.0.0.1:1"),
        ("SSL_CERT_FILE", "/nowhere"),
    ],
)
async def test_this_machine_is_never_asked_through_a_proxy(
    name: str, value: str, host: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(name, value)
    with serving(lambda _: (200, JSON, chat().content)) as server:
        port = server.server_port
        settings = LlmSettings(base_url=f"{host}:{port}/v1", main=RoleSettings(model="m"))
        model = OpenAICompatible(settings, wait_s=0)
        assert (await model.complete(request())).text == '{"query": "x"}'
        await model.aclose()
    with serving(lambda _: (200, JSON, b'{"data": [1]}')) as server:
        base = f"http://{host}:{server.server_port}"
        async with HttpFetch(S2, SourceSettings(base_url=base, pace_s=0, retries=0)) as http:
            assert (await http.json(HttpRequest(url=f"{base}/paper"))).payload == {"data": [1]}
