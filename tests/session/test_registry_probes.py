"""What ``coi doctor`` and the check of the settings say about arXiv and OpenAlex, each in each kind of trouble."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.paths import paths
from coi_tui.session.admin.doctor import ARXIV_ID, arxiv, examine, source
from coi_tui.session.runs.service_setup import service_of
from tests.literature.test_arxiv import entry, feed

Answer = tuple[int, str, bytes]
JSON, ATOM, HTML = "application/json", "application/atom+xml", "text/html"
GOOD: dict[str, Answer] = {
    "/api/query": (200, ATOM, feed(entry().replace("2401.00001", ARXIV_ID))),
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

    def settings(self) -> Settings:
        def at(path: str) -> SourceSettings:
            return SourceSettings(base_url=self.url + path, pace_s=0, retries=3)

        return Settings(
            source="openalex",
            openalex=at("/oa"),
            arxiv=at("/api/query"),
        )


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    threading.Thread(target=made.server.serve_forever, daemon=True).start()
    yield made
    made.server.shutdown()
    made.server.server_close()


async def test_arxiv_is_asked_once_for_one_record(place: Place) -> None:
    assert (await arxiv(place.settings(), Keys())).state == "ok"
    assert [path.partition("?")[0] for path in place.seen] == ["/api/query"]


BAD: list[Answer] = [
    (503, JSON, b"{}"),
    (200, HTML, b"<html>a page of a hotel's network</html>"),
    (404, HTML, b"<html>nothing here</html>"),
    (200, ATOM, feed("")),
]


@pytest.mark.parametrize("answer", BAD)
async def test_each_trouble_is_told_with_what_works_without(place: Place, answer: Answer) -> None:
    place.answers["/api/query"] = answer
    found = await arxiv(place.settings(), Keys())
    assert found.state == "FAILED"
    assert "Pins" in found.says


@pytest.mark.parametrize("offline", [True, False])
async def test_offline_or_without_a_source_nobody_is_asked(
    place: Place, tmp_path: Path, offline: bool
) -> None:
    settings = place.settings().model_copy(
        update={"offline": True} if offline else {"source": "semantic_scholar"}
    )
    found = {c.what: c for c in await examine(paths({"COI_HOME": str(tmp_path)}), settings, Keys())}
    assert found["arXiv"].state == "off"
    why = "offline was asked for" if offline else "no online source is set up"
    assert why in found["arXiv"].says
    assert place.seen == []


async def test_openalex_is_asked_for_one_work_which_is_free(place: Place) -> None:
    place.headers = {"x-ratelimit-cost-usd": "0", "x-ratelimit-remaining-usd": "0.98"}
    found = await source(service_of(place.settings(), Keys()))
    assert found.state == "ok"
    assert (
        "one work asked for by id; this check is free; $0.98 of today's budget left" in found.says
    )
    assert [path.partition("?")[0] for path in place.seen] == ["/oa/works/W2741809807"]
