"""Small papers, a scripted fetch and a hand-made PDF for the tests of the literature package."""

from collections.abc import Callable, Sequence
from typing import Any

from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.services.sources.types import (
    CitationList,
    HttpAnswer,
    HttpRequest,
    PdfText,
    SearchResult,
    Source,
)
from tests.support.pdfs import raw_pdf

TODAY = "2026-11-20"


def sha(n: int) -> str:
    return f"{n:040x}"


def paper(id: str, title: str = "A title", **more: Any) -> Paper:
    return Paper(id=id, title=title, **more)


def row(n: int, **more: Any) -> dict[str, Any]:
    """A full Semantic Scholar paper object; ``more`` overrides fields."""
    return {
        "paperId": sha(n),
        "externalIds": {"ArXiv": f"2401.{n:05d}", "CorpusId": 266700000 + n},
        "title": f"Invented paper number {n}",
        "abstract": f"Abstract {n}.",
        "year": 2024,
        "publicationDate": "2024-01-09",
        "venue": "ACL",
        "authors": [{"authorId": None, "name": "A. Bar"}],
        "citationCount": 3,
        "openAccessPdf": None,
    } | more


class ScriptedFetch:
    """Answers each request by the first matching rule; keeps what was asked."""

    def __init__(self, *rules: tuple[str, Any] | Callable[[HttpRequest], Any]) -> None:
        self.rules = rules
        self.asked: list[HttpRequest] = []
        self.pdfs: dict[str, PdfText | Exception] = {}
        self.pdf_asked: list[str] = []

    async def json(self, request: HttpRequest) -> HttpAnswer:
        self.asked.append(request)
        for rule in self.rules:
            if callable(rule):
                if (given := rule(request)) is not None:
                    return self._answer(given)
            elif request.url.endswith(rule[0]):
                return self._answer(rule[1])
        raise AssertionError(f"nothing scripted for {request.url}")

    def _answer(self, given: Any) -> HttpAnswer:
        if isinstance(given, Exception):
            raise given
        return given if isinstance(given, HttpAnswer) else HttpAnswer(status=200, payload=given)

    async def pdf_text(self, url: str) -> PdfText:
        self.pdf_asked.append(url)
        given = self.pdfs.get(url, PdfText(kind="none", note="not there"))
        if isinstance(given, Exception):
            raise given
        return given

    def params(self, n: int = -1) -> dict[str, str]:
        return dict(self.asked[n].params)


class Shelf(Source):
    """A source with what it is given, or the error that it ends every question with; keeps what it
    was asked."""

    def __init__(
        self,
        name: str,
        *papers: Paper,
        error: ServiceError | None = None,
        withheld: bool = False,
        kind: str = "none",
    ) -> None:
        self.name, self.stored, self.error = name, papers, error
        self.withheld, self.kind = withheld, kind
        self.asked: list[object] = []

    def _ask(self, what: object) -> None:
        self.asked.append(what)
        if self.error is not None:
            raise self.error

    async def search(self, query: str, limit: int) -> SearchResult:
        self._ask(query)
        note = f"{len(self.stored)} found" if self.stored else "nothing found"
        return SearchResult(
            query=query, source=self.name, asked_at=TODAY, papers=self.stored[:limit], note=note
        )

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        self._ask(list(ids))
        known = {
            name: p for p in self.stored for name in (p.id, *(f"{s}:{v}" for s, v in p.ids.items()))
        }
        return [known.get(name) for name in ids]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        self._ask(paper.id)
        note = "looked at all" if self.stored else "the list is empty"
        return CitationList(
            paper=paper.id,
            direction="citing",
            papers=self.stored,
            withheld=self.withheld,
            note="the publisher keeps this list back (asked to)" if self.withheld else note,
        )

    async def text(self, paper: Paper) -> PaperText:
        self._ask(paper.id)
        text = {"paper": paper.id, "kind": self.kind, "text": self.name}
        return PaperText.model_validate({**text, "note": f"{self.kind} of {self.name}"})


def make_pdf(lines: list[str]) -> bytes:
    """A one-page PDF that shows ``lines``."""
    shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
    content = f"BT /F1 10 Tf 40 780 Td {shown} ET".encode("latin-1")
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
            b"<< /Length "
            + str(len(content)).encode()
            + b" >>\nstream\n"
            + content
            + b"\nendstream",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
    )
