"""The references: papers of the session that the proposal names, each once, numbered as met; and
the paper that a title or a citation in a text means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from coi_tui.literature.citations import CitedPapers
from coi_tui.literature.title_match import normalise_title, surname
from coi_tui.model.document import Citation, Strong
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

_ARXIV = re.compile(r"\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7}", re.ASCII)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{40}", re.ASCII)
_ACL = re.compile(r"[A-Za-z0-9_.-]+", re.ASCII)
_OPENALEX = re.compile(r"W\d+", re.ASCII)
_ADDRESSES = (
    ("arXiv", _ARXIV, "https://arxiv.org/abs/"),
    ("DOI", _DOI, "https://doi.org/"),
    ("ACL", _ACL, "https://aclanthology.org/"),
    ("S2", _SHA, "https://www.semanticscholar.org/paper/"),
    ("OpenAlex", _OPENALEX, "https://openalex.org/"),
)


@dataclass(frozen=True)
class Mark:
    """The number of a paper in the references, ``[3]``."""

    paper: str


@dataclass(frozen=True)
class Link:
    """A text that leads to an address; without one it is only the text."""

    text: str
    address: str


def ids_of(paper: Paper) -> dict[str, str]:
    """Every identifier by scheme, that of ``Paper.id`` too; titles used as keys are none."""
    scheme, _, value = paper.id.partition(":")
    own = {scheme: value} if value and scheme != "title" else {}
    return {k: v for k, v in sorted({**own, **paper.ids}.items()) if v}


def address_of(paper: Paper) -> str:
    """A web address made from the identifiers alone, never one that came from outside; empty when
    none gives one."""
    ids = ids_of(paper)
    for scheme, form, base in _ADDRESSES:
        if (
            form.fullmatch(ids.get(scheme, "")) and "/." not in ids[scheme]
        ):  # no dot segments: they would lead elsewhere
            return base + quote(ids[scheme], safe="/:;")
    return ""


SIMILARITY = 90.0
"""Least rapidfuzz ratio of two normalised titles that count as the same."""


class TitleIndex:
    """The session's papers by title; rapidfuzz is loaded only when a title is not found as it
    stands."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._by: dict[str, str] = {}
        for paper_id in sorted(papers):
            self._by.setdefault(normalise_title(papers[paper_id].title), paper_id)
        self._by.pop("", None)
        self._found: dict[str, str | None] = {}
        self._with_quotes = [clean_line(p.title) for p in papers.values() if '"' in p.title]

    def without_inner_quotes(self, text: str) -> str:
        """A text in which titles that hold straight quotation marks have single ones instead, so
        that they can be quoted whole."""
        for title in self._with_quotes:
            text = text.replace(title, title.replace('"', "'"))
        return text

    def find(self, title: str) -> str | None:
        """The paper that a title means, or None."""
        wanted = normalise_title(title)
        if wanted not in self._found:
            cut = clean_line(title).endswith(("...", "…"))
            self._found[wanted] = self._by.get(wanted) or (
                self._beginning(wanted) if cut else self._closest(wanted)
            )
        return self._found[wanted]

    def _beginning(self, wanted: str) -> str | None:
        """The only paper whose title begins with the words before a cut."""
        found = [self._by[own] for own in self._by if own.startswith(f"{wanted} ")]
        return found[0] if len(found) == 1 and len(wanted.split()) > 3 else None

    def _closest(self, wanted: str) -> str | None:
        if not wanted or not self._by:
            return None
        from rapidfuzz import fuzz

        numbers = re.findall(r"\d+", wanted)
        scored = (
            (fuzz.ratio(wanted, own), own) for own in self._by if re.findall(r"\d+", own) == numbers
        )
        score, own = max(scored, default=(0.0, ""))
        return self._by[own] if score >= SIMILARITY else None


class Bibliography:
    """Numbers for papers. Two records are one paper where they share an identifier, or title and
    year and not other first authors."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self.papers = papers
        self.titles, self.cited = TitleIndex(papers), CitedPapers(papers)
        self._numbers: dict[str, int] = {}
        self._listed = 0
        self._same: dict[str, str] = {}
        seen: dict[tuple[str, str], str] = {}
        for paper_id in sorted(papers):
            paper = papers[paper_id]
            title = f"{normalise_title(paper.title)} {paper.year}"
            first_author = surname(paper.authors[0]) if paper.authors else ""
            marks = [*ids_of(paper).items(), ("title", f"{title} {first_author}")]
            unsure = ("title", f"{title} ") if first_author else ("title by anyone", title)
            first = next((seen[m] for m in (*marks, unsure) if m in seen), paper_id)
            self._same[paper_id] = first
            for mark in (*marks, ("title by anyone", title)):
                seen.setdefault(mark, first)

    def number(self, paper_id: str) -> int:
        """The paper's number in the references, given on its first use; 0 when the session has no
        record of it."""
        if paper_id not in self.papers:
            return 0
        return self._numbers.setdefault(self._same[paper_id], len(self._numbers) + 1)

    def same(self, paper_id: str) -> str:
        """The record that stands for all records of this paper."""
        return self._same[paper_id]

    def entries(self) -> list[Paper]:
        """The papers named so far, by number."""
        return [self.papers[paper_id] for paper_id in self._numbers]

    def unlisted(self) -> tuple[int, list[Paper]]:
        """The papers that no list of references has yet, and the number of the first; they count as
        listed from now on."""
        first, self._listed = self._listed, len(self._numbers)
        return first + 1, self.entries()[first:]

    def titled(self, paper_id: str) -> tuple[str | Strong | Link | Citation, ...]:
        """A paper in a list: date, title and citation."""
        paper = self.papers.get(paper_id)
        if paper is None:
            return (Citation(paper_id),)
        date = Strong(paper.when or "n.d.")
        return (date, ": ", Link(paper.title, address_of(paper)), ", ", Citation(paper_id))

    @staticmethod
    def reference(paper: Paper) -> tuple[str | Link, ...]:
        """Authors, year, title, venue, identifiers and address, as far as known."""
        who = ", ".join(paper.authors) or "Authors not known"
        year = str(paper.year) if paper.year is not None else "n.d."
        ids = ", ".join(f"{scheme}: {value}" for scheme, value in ids_of(paper).items())
        parts = [f"{who} ({year}). {paper.title}", paper.venue or "", ids]
        text = "".join(f"{part.rstrip('.')}. " for part in parts if part)
        address = address_of(paper)
        return (text, Link(address, address)) if address else (text,)
