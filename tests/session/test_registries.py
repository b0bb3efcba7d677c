"""Pins that the chosen source does not know."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.model.errors import UsageError
from coi_tui.paths import paths
from coi_tui.session.papers.lookup import by_arxiv, find_paper
from coi_tui.session.session import Session
from tests.literature.test_arxiv import entry, feed


class Answers(BaseHTTPRequestHandler):
    seen: list[str] = []

    def do_GET(self) -> None:
        self.seen.append(self.path)
        status, kind, body = 404, "text/plain", b"Resource not found."
        if self.path.startswith("/api/query"):
            status, kind, body = 200, "application/atom+xml", feed(entry())
        elif self.path.startswith("/oa/works?"):
            status, kind, body = (
                200,
                "application/json",
                json.dumps({"meta": {"count": 0}, "results": []}).encode(),
            )
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def settings() -> Iterator[Settings]:
    Answers.seen.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    place = SourceSettings(base_url=url, pace_s=0, retries=0)
    yield Settings(arxiv=place.model_copy(update={"base_url": f"{url}/api/query"}))
    server.shutdown()
    server.server_close()


async def ask(settings: Settings, scheme: str, value: str) -> str | None:
    paper = await by_arxiv(settings, Keys(), (scheme, value), lambda: "2026-11-20")
    return f"{paper.id} {paper.source} {paper.open_pdf}" if paper else None


async def test_arxiv_is_asked_for_its_own_ids_alone(settings: Settings) -> None:
    assert (
        await ask(settings, "arXiv", "2401.00001")
        == "arXiv:2401.00001 arXiv https://arxiv.org/pdf/2401.00001v2"
    )
    assert await ask(settings, "DOI", "10.1000/widgets.1") is None
    assert await ask(settings, "S2", "0" * 40) is None


def test_a_pin_that_openalex_does_not_know_is_found(settings: Settings, tmp_path: Path) -> None:
    url = settings.arxiv.base_url.removesuffix("/api/query")
    place = settings.arxiv.model_copy(update={"base_url": f"{url}/oa"})
    local = settings.model_copy(update={"source": "openalex", "openalex": place})
    with Session.create(
        "pin", "widgets", paths=paths({"COI_HOME": str(tmp_path)}), settings=local, keys=Keys()
    ) as session:
        assert find_paper(session.core, "arXiv:2401.00001v3").id == "arXiv:2401.00001"
        with pytest.raises(UsageError, match=r"No paper was found for DOI 10\.1000/none"):
            find_paper(session.core, "10.1000/none")


async def test_with_a_source_on_this_machine_nothing_elsewhere_is_asked() -> None:
    local = Settings(semantic_scholar=SourceSettings(base_url="http://127.0.0.1:9/graph/v1"))
    assert await ask(local, "arXiv", "2401.00001") is None
