"""Optional: every recorded answer in ``../shared/data`` is parsed without loss. Skips without that
folder, or without PyYAML.

The same shapes, invented, are in the other tests of this folder. Nothing is copied from there.
"""

from __future__ import annotations

import gzip
import importlib
import json
import re
import tarfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from coi_tui.literature.crossref import to_paper as crossref_paper

from coi_tui.config import SourceSettings
from coi_tui.literature.arxiv import parse_atom
from coi_tui.literature.arxiv import to_paper as arxiv_paper
from coi_tui.literature.http import HttpFetch
from coi_tui.literature.semantic_scholar import to_paper as s2_paper
from coi_tui.literature.title_match import show_title
from coi_tui.literature.types import HttpAnswer, HttpRequest
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean, clean_line

from .helpers import TODAY

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(
    not list(DATA.glob("recorded_answers_*.tar.gz")), reason=f"no recorded answers in {DATA}"
)
KNOWN_IDS = {"ArXiv": "arXiv", "DOI": "DOI", "CorpusId": "CorpusId", "ACL": "ACL", "PubMed": "PMID"}


@lru_cache(maxsize=3)
def files(name: str) -> dict[str, bytes]:
    archive = DATA / f"recorded_answers_{name}.tar.gz"
    if not archive.exists():
        pytest.skip(f"no {archive.name}")
    with tarfile.open(archive) as tar:
        read = (
            (member.name, tar.extractfile(member)) for member in tar.getmembers() if member.isfile()
        )
        return {file: handle.read() for file, handle in read if handle is not None}


@lru_cache(maxsize=2)
def exchanges(name: str) -> list[tuple[str, str, int, bytes]]:
    """File, address, status and body of every recorded answer."""
    try:
        yaml: Any = importlib.import_module("yaml")
    except ImportError:
        pytest.skip("PyYAML is not installed")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found = []
    for file, text in files(name).items():
        for one in yaml.load(text, Loader=loader)["interactions"] if file.endswith(".yaml") else ():
            response = one["response"]
            status = response.get("status", response.get("status_code"))
            body = response["body"]["string"] if "body" in response else response.get("content", "")
            raw = body.encode() if isinstance(body, str) else bytes(body)
            raw = gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw
            found.append(
                (
                    file,
                    one["request"]["uri"],
                    status["code"] if isinstance(status, dict) else int(status),
                    raw,
                )
            )
    return found


def objects(value: Any, key: str) -> Iterator[dict[str, Any]]:
    """Every object below ``value`` that has ``key``."""
    if isinstance(value, dict):
        if key in value:
            yield value
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from objects(part, key)


async def passed_on(status: int, body: bytes, url: str, **more: Any) -> HttpAnswer | str:
    """What the fetch makes of an answer: the answer, or the kind of the error."""
    transport = httpx.MockTransport(lambda _: httpx.Response(status, content=body))
    host = "/".join(url.split("/")[:3])
    async with HttpFetch(
        SourceSettings(base_url=host, pace_s=0, retries=0),
        "the service",
        transport=transport,
        **more,
    ) as http:
        try:
            return await http.json(HttpRequest(url=url))
        except ServiceError as error:
            return error.kind


def check_s2(row: dict[str, Any]) -> None:
    paper = s2_paper(row, TODAY)
    if row["paperId"] is None:
        assert paper is None
        return
    assert paper is not None
    assert paper.ids["S2"] == row["paperId"]
    given: dict[str, Any] = {"year": row.get("year"), "published": row.get("publicationDate")}
    given["title"] = show_title(row.get("title")) or "(no title)"
    given["abstract"] = clean(row.get("abstract")).strip() or None
    given["venue"] = clean_line(row.get("venue")) or None
    for name, value in given.items():
        assert value is None or getattr(paper, name) == value, name
    assert paper.citations.count == row.get("citationCount")
    assert len(paper.authors) == len([a for a in row.get("authors") or [] if a.get("name")])
    for theirs, ours in KNOWN_IDS.items():
        if (value := (row.get("externalIds") or {}).get(theirs)) and not (
            theirs == "DOI" and "arxiv" in str(value).lower()
        ):
            assert paper.ids[ours].lower() == str(value).lower()
    if pdf := (row.get("openAccessPdf") or {}).get("url"):
        assert paper.open_pdf == pdf.replace(" ", "%20")


def test_semantic_scholar_objects() -> None:
    seen = 0
    for file, text in files("semanticscholar").items():
        for row in objects(json.loads(text), "paperId") if file.endswith(".json") else ():
            check_s2(row)
            seen += 1
    assert seen > 1000


async def test_semantic_scholar_answers() -> None:
    seen = 0
    for _, url, status, body in exchanges("semanticscholar"):
        got = await passed_on(status, body, url)
        if isinstance(got, str):
            assert (status, got) in {(400, "bad_request"), (403, "refused"), (429, "limited")}
            continue
        for row in objects(got.payload, "paperId"):
            check_s2(row)
            seen += 1
    assert seen > 1000


def check_arxiv(raw: str, paper: Paper) -> None:
    """Each text of the entry is in the paper."""

    def texts(tag: str) -> list[str]:
        return [
            clean_line(show_title(t))
            for t in re.findall(rf"<(?:\w+:)?{tag}>(.*?)</", raw, re.DOTALL)
        ]

    assert [paper.title] == texts("title")
    assert [paper.abstract] == texts("summary")
    assert list(paper.authors) == texts("name")
    assert [paper.published] == [t[:10] for t in texts("published")]
    assert (paper.venue or "") == "".join(texts("journal_ref"))
    assert paper.ids["arXiv"] in texts("id")[0]
    if dois := texts("doi"):
        assert paper.ids["DOI"] in dois[0].lower().split()


async def test_arxiv_answers() -> None:
    seen = 0
    for text in files("arxiv").values():
        record = json.loads(text)
        body = record["body"].encode()
        got = await passed_on(record["status_code"], body, record["url"], parse=parse_atom)
        if isinstance(got, str):
            assert (record["status_code"], got) == (400, "bad_request")
            continue
        assert isinstance(got.payload, dict)
        entries = got.payload["entries"]
        assert isinstance(entries, list)
        raws = re.findall(r"<entry>.*?</entry>", record["body"], re.DOTALL)
        for raw, entry in zip(raws, entries, strict=True):
            paper = arxiv_paper(entry)
            assert paper is not None
            check_arxiv(raw, paper)
            seen += 1
    assert seen > 50


def check_crossref(row: dict[str, Any]) -> None:
    paper = crossref_paper(row, TODAY)
    assert paper is not None
    assert paper.ids["DOI"] == row["DOI"].lower()
    for title in row.get("title") or []:
        assert show_title(title) in paper.title
    assert len(paper.authors) == len(row.get("author") or [])
    parts = ((row.get("issued") or {}).get("date-parts") or [[None]])[0]
    if parts and parts[0]:
        assert paper.published == "-".join(f"{part:02d}" for part in parts)
    assert paper.citations.count == row.get("is-referenced-by-count")
    assert bool(paper.abstract) == bool(row.get("abstract"))


async def test_crossref_answers() -> None:
    seen = 0
    for _, url, status, body in exchanges("crossref"):
        got = await passed_on(status, body, url, plain_404=True)
        assert isinstance(got, HttpAnswer)
        if status == 404:
            assert (got.status, got.payload) == (404, None)
            continue
        assert isinstance(got.payload, dict)
        message: Any = got.payload["message"]
        for row in message.get("items", [message]):
            check_crossref(row)
            seen += 1
    assert seen > 10
