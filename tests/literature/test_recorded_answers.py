"""Optional: every recorded object of Semantic Scholar in ``../shared/data`` is parsed without loss. Skips without that
folder.

The same shapes, invented, are in the other tests of this folder. Nothing is copied from there.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from coi_tui.literature.title_match import show_title
from coi_tui.model.text import clean, clean_line
from coi_tui.services.sources.semantic_scholar import to_paper as s2_paper

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
