"""Optional: every recorded answer in ``../shared/data`` is parsed without loss. Skips without that
folder.

The same shapes, invented, are in the other tests of this folder. Nothing is copied from there.
"""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx
import pytest

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


def objects(value: Any, key: str) -> Iterator[dict[str, Any]]:
    """Every object below ``value`` that has ``key``."""
    if isinstance(value, dict):
        if key in value:
            yield value
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from objects(part, key)


async def passed_on(status: int, body: bytes, url: str) -> HttpAnswer | str:
    """What the fetch makes of an answer: the answer, or the kind of the error."""
    transport = httpx.MockTransport(lambda _: httpx.Response(status, content=body))
    host = "/".join(url.split("/")[:3])
    async with HttpFetch(
        SourceSettings(base_url=host, pace_s=0, retries=0),
        "the service",
        transport=transport,
        parse=parse_atom,
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
        got = await passed_on(record["status_code"], body, record["url"])
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
