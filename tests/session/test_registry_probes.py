"""What ``coi doctor`` and the check of the settings say about arXiv, Crossref and OpenAlex, each in each kind of trouble."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.paths import paths
from coi_tui.session.admin.doctor import ARXIV_ID, DOI, Checked, examine, registries, source
from coi_tui.session.runs.service_setup import service_of
from tests.literature.test_arxiv import entry, feed
from tests.literature.test_crossref import item

MAIL = "ann.example@somewhere.org"
Answer = tuple[int, str, bytes]
JSON, ATOM, HTML = "application/json", "application/atom+xml", "text/html"
GOOD: dict[str, Answer] = {
    "/api/query": (200, ATOM, feed(entry().replace("2401.00001", ARXIV_ID))),
    "/cr/": (200, JSON, json.dumps({"message": item(DOI=DOI)}).encode()),
    "/oa/": (200, JSON, b'{"id": "https://openalex.org/W2741809807"}'),
}


class Place:
    """A server that answers by the beginning of the path. ``seen``: the paths it was asked for."""

    def __init__(self) -> None:
        self.answers, self.headers, self.seen = dict(GOOD), dict[str, str](), list[str]()
        place = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                place.seen.append(self.path)
                status, kind, body = next(
                    a for start, a in place.answers.items() if self.path.startswith(start)
                )
                self.send_response(status)
                for name, value in {
                    "content-type": kind,
                    "content-length": str(len(body)),
                    **place.headers,
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def settings(self, mail: str = MAIL) -> Settings:
        def at(path: str) -> SourceSettings:
            return SourceSettings(base_url=self.url + path, pace_s=0, retries=3)

        return Settings(
            mail=mail,
            source="openalex",
            openalex=at("/oa"),
            arxiv=at("/api/query"),
            crossref=at("/cr"),
        )


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    threading.Thread(target=made.server.serve_forever, daemon=True).start()
    yield made
    made.server.shutdown()
    made.server.server_close()


async def checked(settings: Settings) -> dict[str, Checked]:
    return {c.what: c for c in await registries(settings, Keys())}


async def test_each_is_asked_once_for_one_record(place: Place) -> None:
    found = await checked(place.settings())
    assert {c.what: c.state for c in found.values()} == {
        "arXiv": "ok",
        "Crossref": "ok",
    }
    assert sorted(path.partition("?")[0] for path in place.seen) == [
        "/api/query",
        f"/cr/works/{DOI}",
    ]
    assert MAIL not in str(found)


BAD: list[Callable[[str], Answer]] = [
    lambda _: (503, JSON, b"{}"),
    lambda _: (200, HTML, b"<html>a page of a hotel's network</html>"),
    lambda _: (404, HTML, b"<html>nothing here</html>"),
    lambda name: (200, ATOM, feed("")) if name == "arXiv" else (200, JSON, b'{"other": 1}'),
]


@pytest.mark.parametrize("name", ["arXiv", "Crossref"])
@pytest.mark.parametrize("answer", BAD)
async def test_each_trouble_is_told_with_what_works_without(
    place: Place, name: str, answer: Callable[[str], Answer]
) -> None:
    start = {"arXiv": "/api/query", "Crossref": "/cr/"}[name]
    place.answers[start] = answer(name)
    found = await checked(place.settings())
    assert found[name].state == "FAILED"
    assert "Pins" in found[name].says
    assert MAIL not in str(found)
    assert [c.what for c in found.values() if c.state == "ok"] == [
        n for n in ("arXiv", "Crossref") if n != name
    ]


@pytest.mark.parametrize("offline", [True, False])
async def test_offline_or_without_a_source_nobody_is_asked(
    place: Place, tmp_path: Path, offline: bool
) -> None:
    settings = place.settings().model_copy(
        update={"offline": True} if offline else {"source": "semantic_scholar"}
    )
    found = {c.what: c for c in await examine(paths({"COI_HOME": str(tmp_path)}), settings, Keys())}
    assert [found[name].state for name in ("arXiv", "Crossref")] == ["off"] * 2
    assert ("offline was asked for" if offline else "no online source is set up") in found[
        "Crossref"
    ].says
    assert place.seen == []


async def test_openalex_is_asked_for_one_work_which_is_free(place: Place) -> None:
    place.headers = {"x-ratelimit-cost-usd": "0", "x-ratelimit-remaining-usd": "0.98"}
    found = await source(service_of(place.settings(), Keys()))
    assert found.state == "ok"
    assert (
        "one work asked for by id; this check is free; $0.98 of today's budget left" in found.says
    )
    assert [path.partition("?")[0] for path in place.seen] == ["/oa/works/W2741809807"]
