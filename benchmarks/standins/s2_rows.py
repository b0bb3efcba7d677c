"""Paper objects as Semantic Scholar sends them: the asked fields, and the nulls of its citation lists."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from benchmarks.standins import words
from benchmarks.standins.corpus import Corpus, Paper
from benchmarks.standins.settings import S2Options

PAPER_FIELDS = frozenset(
    words.split(
        "paperId corpusId externalIds url title abstract venue publicationVenue year referenceCount citationCount "
        "influentialCitationCount isOpenAccess openAccessPdf fieldsOfStudy s2FieldsOfStudy publicationTypes "
        "publicationDate journal citationStyles authors citations references embedding tldr textAvailability"
    )
)
LINK_FIELDS = frozenset({"contexts", "intents", "isInfluential", "contextsWithIntent"})
NESTED = frozenset({"authors", "citations", "references", "embedding"})


class BadFields(ValueError):
    """A field that the service does not know."""


def fields_of(text: str | None, allowed: frozenset[str] = PAPER_FIELDS) -> list[str]:
    """The asked fields; without any, the title (``paperId`` is always there)."""
    asked = [field.strip() for field in (text or "title").split(",") if field.strip()]
    known = allowed | PAPER_FIELDS
    unknown = [f for f in asked if f not in known and (f.partition(".")[0] not in NESTED or "." not in f)]
    if unknown:
        raise BadFields(f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    return asked


def chance(*parts: object) -> float:
    """A number in [0, 1) that is always the same for the same parts."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


class Rows:
    """Makes paper objects and list rows from the corpus."""

    def __init__(self, corpus: Corpus, options: S2Options) -> None:
        self.corpus, self.options = corpus, options
        self._plain: dict[int, dict[str, Any]] = {}
        self.root = ""
        """The server's own URL, for links to PDFs."""

    def paper(self, paper: Paper, fields: Iterable[str], nulls: Iterable[str] = ()) -> dict[str, Any]:
        """One paper with the asked fields; those in ``nulls`` are null."""
        row: dict[str, Any] = {"paperId": paper.paper_id}
        nested: dict[str, list[str]] = {}
        for field in fields:
            name, _, sub = field.partition(".")
            nested.setdefault(name, []).extend([sub] if sub else [])
            row.setdefault(name, None)
        for name, subs in nested.items():
            row[name] = None if name in nulls else self._value(paper, name, subs)
        return row

    def _value(self, paper: Paper, name: str, subs: list[str]) -> Any:
        if name in ("citations", "references"):
            listed = getattr(self.corpus, name)(paper)
            return [self.listed(paper, other, subs or ["title"]) for other in listed]
        if name == "authors":
            return [_author(full, subs) for full in paper.authors]
        if paper.number not in self._plain:
            self._plain[paper.number] = self._facts(paper)
        return self._plain[paper.number].get(name)

    def _facts(self, paper: Paper) -> dict[str, Any]:
        """All plain fields of a paper; made once, for speed."""
        return {
            "paperId": paper.paper_id,
            "corpusId": paper.corpus_id,
            "externalIds": {"ArXiv": paper.arxiv, "DOI": paper.doi, "CorpusId": paper.corpus_id},
            "url": f"https://www.semanticscholar.org/paper/{paper.paper_id}",
            "title": paper.title,
            "abstract": paper.abstract,
            "venue": paper.venue,
            "year": paper.year,
            "referenceCount": len(paper.references),
            "citationCount": paper.count,
            "influentialCitationCount": paper.count // 12,
            "isOpenAccess": self.has_pdf(paper),
            "openAccessPdf": self._pdf(paper),
            "fieldsOfStudy": ["Computer Science"] if paper.number % 9 else None,
            "s2FieldsOfStudy": [{"category": "Computer Science", "source": "s2-fos-model"}],
            "publicationTypes": ["JournalArticle"] if paper.number % 4 else None,
            "publicationDate": paper.date,
            "journal": {"name": paper.venue} if paper.venue else None,
            "tldr": {"model": "tldr@v2.0.0", "text": paper.abstract.split(". ")[0] + "."},
            "textAvailability": "fulltext" if self.has_pdf(paper) else "abstract",
        }

    def has_pdf(self, paper: Paper) -> bool:
        return chance("pdf", paper.paper_id) < self.options.pdf_share

    def _pdf(self, paper: Paper) -> dict[str, Any] | None:
        if self.has_pdf(paper):
            return {"url": f"{self.root}/pdf/{paper.paper_id}.pdf", "status": "GREEN", "license": None}
        return {"url": "", "status": "CLOSED", "license": None} if paper.number % 5 == 0 else None

    def listed(self, owner: Paper, paper: Paper, fields: Iterable[str]) -> dict[str, Any]:
        """A paper as it stands in the list of another: some abstracts and years are missing there."""
        nulls = []
        if chance("abstract", owner.paper_id, paper.paper_id) < self.options.null_abstracts:
            nulls.append("abstract")
        if chance("year", owner.paper_id, paper.paper_id) < self.options.null_years:
            nulls += ["year", "publicationDate"]
        return self.paper(paper, fields, nulls)

    def rows(self, owner: Paper, key: str, fields: list[str]) -> list[dict[str, Any]]:
        """The whole list: ``key`` is citingPaper or citedPaper. Link fields only when asked for."""
        links = [field for field in fields if field in LINK_FIELDS]
        plain = [field for field in fields if field not in LINK_FIELDS]
        cited = key == "citedPaper"
        papers = self.corpus.references(owner) if cited else self.corpus.citations(owner)
        rows = [{**_link(owner, other, links), key: self.listed(owner, other, plain)} for other in papers if other is not owner]
        if cited:
            for number in range(sum(chance("row", owner.paper_id, n) < self.options.null_rows for n in range(len(rows)))):
                rows.insert(number * 3 + 1, {**_link(owner, owner, links, bare=True), key: _unmatched(plain, number)})
        return rows


def _author(full: str, subs: list[str]) -> dict[str, Any]:
    author = {"authorId": str(99_000_000 + len(full) * 7919) if len(full) % 5 else None, "name": full}
    return {key: value for key, value in author.items() if key == "authorId" or not subs or key in subs}


def _link(owner: Paper, other: Paper, links: list[str], bare: bool = False) -> dict[str, Any]:
    """contexts, intents and isInfluential of one citation; often empty."""
    point = chance("link", owner.paper_id, other.paper_id)
    full = point < 0.5 and not bare
    contexts = [f"We build on {other.title} and change its first stage."] if full else []
    intents = [("background", "methodology", "result")[int(point * 6) % 3]] if full else []
    paired = [{"context": text, "intents": intents} for text in contexts]
    values: dict[str, Any] = {
        "contexts": contexts,
        "intents": intents,
        "isInfluential": full and point < 0.1,
        "contextsWithIntent": paired,
    }
    return {name: values[name] for name in links}


def _unmatched(fields: list[str], number: int) -> dict[str, Any]:
    """A bibliography row that the service could not match: a title and nothing else."""
    row: dict[str, Any] = {"paperId": None}
    for field in fields:
        row[field.partition(".")[0]] = None
    for name in row.keys() & {"authors", "citations", "references"}:
        row[name] = []
    if "title" in row:
        row["title"] = ("Proc. of the Stand-in Society", "Personal communication", "Tech. rep. 12")[number % 3]
    return row
