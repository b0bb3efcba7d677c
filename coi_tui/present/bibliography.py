"""The references: papers of the session that the proposal names, each once, numbered as met."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cached_property
from urllib.parse import quote

from coi_tui.literature.citations import CitedPapers
from coi_tui.literature.title_match import normalise_title, surname
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line
from coi_tui.present.escape import inline

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


_SMALL = frozenset(
    (
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "is",
        "of",
        "on",
        "or",
        "the",
        "to",
        "via",
        "with",
        "what",
        "why",
        "how",
    )
)
"""Words of a title that say nothing in a key."""


def _plain_key(paper: Paper) -> str:
    """Last name, year and first telling word of the title, in ASCII: ``wei2022chain``."""
    who = (
        _ascii(paper.authors[0].split(",")[0].split()[-1])
        if paper.authors and paper.authors[0].split(",")[0].strip()
        else ""
    )
    words = [w for w in map(_ascii, re.split(r"[\s\-:/]+", paper.title)) if w and w not in _SMALL]
    return f"{who or 'anon'}{paper.year or 'nd'}{words[0] if words else 'paper'}"


def _letters(n: int) -> str:
    """2 = b ... 26 = z, 27 = aa."""
    return (_letters((n - 1) // 26) if n > 26 else "") + chr(ord("a") + (n - 1) % 26)


def _ascii(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", text).casefold())


class Bibliography:
    """Numbers and keys for papers. Two records are one paper where they share an identifier, or
    title and year and not other first authors.

    With ``pandoc`` papers are cited by key, and pandoc writes the authors and the list.
    """

    def __init__(self, papers: Mapping[str, Paper], *, pandoc: bool = False) -> None:
        self.papers = papers
        self.pandoc = pandoc
        self.titles, self.cited = TitleIndex(papers), CitedPapers(papers)
        self._numbers: dict[str, int] = {}
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

    def number(self, paper_id: str) -> int | None:
        """The paper's number in the references, given on its first use; None when the session has
        no record of it."""
        if paper_id not in self.papers:
            return None
        return self._numbers.setdefault(self._same[paper_id], len(self._numbers) + 1)

    def same(self, paper_id: str) -> str:
        """The record that stands for all records of this paper."""
        return self._same[paper_id]

    def key(self, paper_id: str) -> str:
        """The key of a paper of the session in every list of references; with a letter more where
        an older paper has the same."""
        return self._keys[self._same[paper_id]]

    @cached_property
    def _keys(self) -> dict[str, str]:
        keys: dict[str, str] = {}
        taken: set[str] = set()
        last: dict[str, int] = {}
        for paper_id in sorted(set(self._same.values()), key=lambda i: (self.papers[i].when, i)):
            base = _plain_key(self.papers[paper_id])
            name = base
            while (
                name in taken
            ):  # those that this key had before are taken for good: on from the last one
                last[base] = last.get(base, 1) + 1
                name = f"{base}{_letters(last[base])}"
            keys[paper_id] = name
            taken.add(name)
        return keys

    def mark(self, paper_id: str) -> str:
        """``[3]`` as text that leads to the list, for pandoc ``[@key]``; or plain words that there
        is no record."""
        number = self.number(paper_id)
        if number is None:
            return "(no record of this paper in the session)"
        return f"[@{self.key(paper_id)}]" if self.pandoc else f"[\\[{number}\\]](#ref-{number})"

    def short(self, paper_id: str) -> str:
        """``Wei et al. 2022 [3]``; for pandoc ``@key``, which reads the same."""
        paper = self.papers.get(paper_id)
        if paper is None:
            return f"{inline(paper_id)} {self.mark(paper_id)}"
        mark = self.mark(paper_id)
        return mark.strip("[]") if self.pandoc else f"{inline(paper.short())} {mark}"

    def titled(self, paper_id: str) -> str:
        """Title, authors and year with the number; the title leads to the paper where an identifier
        gives an address."""
        paper = self.papers.get(paper_id)
        if paper is None:
            return self.short(paper_id)
        return (
            f"{linked(paper)} {self.mark(paper_id)}"
            if self.pandoc
            else f"{linked(paper)}, {self.short(paper_id)}"
        )

    def entries(self) -> list[Paper]:
        """The papers named so far, by number."""
        return [
            self.papers[paper_id]
            for paper_id in sorted(self._numbers, key=self._numbers.__getitem__)
        ]

    def write(self, after: int = 0) -> str:
        """The list of references from a number on, each with an anchor that GitHub and pandoc
        follow; pandoc puts its own at ``refs``."""
        if self.pandoc:
            return "::: {#refs}\n:::"
        lines = [
            f'{n}. <span id="ref-{n}"></span>{reference(paper)}'
            for n, paper in enumerate(self.entries(), start=1)
            if n > after
        ]
        return "\n".join(lines) if lines else "No paper is cited yet."


def linked(paper: Paper) -> str:
    address = address_of(paper)
    return f"[{inline(paper.title)}]({address})" if address else inline(paper.title)


def reference(paper: Paper) -> str:
    """Authors, year, title, venue, identifiers and address, as far as known."""
    who = inline(", ".join(paper.authors)) if paper.authors else "Authors not known"
    year = str(paper.year) if paper.year is not None else "n.d."
    parts = [f"{who} ({year}). {inline(paper.title)}."]
    if paper.venue:
        parts.append(f"*{inline(paper.venue)}*.")
    if ids := ids_of(paper):
        parts.append(f"{', '.join(f'{inline(k)}: {inline(v)}' for k, v in ids.items())}.")
    if address := address_of(paper):
        parts.append(f"<{address}>")
    return " ".join(parts)
