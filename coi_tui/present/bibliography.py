"""The references: papers of the session that the proposal names, each once, numbered as met; and
the works that texts name, by title, by authors and year or by an identifier. Those that are no paper
of the session are listed as unverified, with what asking for them came to."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from urllib.parse import quote

from coi_tui.literature.citations import CitedPapers, citations_in
from coi_tui.literature.ids import normalise_id, paper_url
from coi_tui.literature.title_match import normalise_title, surname
from coi_tui.methods.evidence.cards import FOUND, NOT_ASKED, NOT_FOUND, OTHERWISE, outcome
from coi_tui.model.address import QUESTION, cell_ref, ref
from coi_tui.model.content import NamedWork
from coi_tui.model.papers import Paper, order_key
from coi_tui.model.state import State
from coi_tui.model.text import clean_line, strings

_CURLY = re.compile(r"“([^“”]{8,300})”")
_STRAIGHT = re.compile(r'"([^"]{8,300})"(?P<year> \((?:19|20)\d\d\))?')
_TYPED = re.compile(r'"((?=[A-Z])(?:[^"\s]+\s+){2,19}[^"\s]*[^".\s])"')
_NUMBERS = re.compile(r"\d+")
SIMILARITY = 90.0
"""Least rapidfuzz ratio of two normalised titles that count as the same."""


def ids_of(paper: Paper) -> dict[str, str]:
    """Every identifier by scheme, that of ``Paper.id`` too; titles used as keys are none."""
    scheme, _, value = paper.id.partition(":")
    own = {scheme: value} if value and scheme != "title" else {}
    return {k: v for k, v in sorted({**own, **paper.ids}.items()) if v}


def address_of(paper: Paper) -> str:
    """A web address made from the identifiers alone, never one that came from outside; empty when
    none gives one."""
    pairs = (normalise_id(f"{scheme}:{value}") for scheme, value in ids_of(paper).items())
    return quote(paper_url(dict(filter(None, pairs))) or "", safe="/:;")


_SMALL = [
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
]
"""Words of a title that say nothing in a key."""


def citation_keys(papers: Iterable[Paper], own: Mapping[str, str] = {}) -> dict[str, str]:
    """A key for each paper: its ``own``, else last name, year and first telling word of the title, in
    ASCII (``wei2022chain``); a number behind it keeps two apart."""
    keys: dict[str, str] = {}
    for paper in papers:
        family = paper.authors[0].split(",")[0].split()[-1:] if paper.authors else []
        words = filter(None, map(_ascii, re.split(r"[\s\-:/]+", paper.title)))
        telling = next((word for word in words if word not in _SMALL), "paper")
        made = f"{''.join(map(_ascii, family)) or 'anon'}{paper.year or 'nd'}{telling}"
        base = own.get(paper.id) or paper.citation_key or made
        names = (f"{base}{n or ''}" for n in (0, *range(2, len(keys) + 3)))
        keys[paper.id] = next(name for name in names if name not in keys.values())
    return keys


def _ascii(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", text).casefold())


_CLASSES = (NOT_ASKED, NOT_FOUND, OTHERWISE, FOUND)


def looked_up(state: State) -> dict[str, NamedWork]:
    """The works that were looked up in the session, by title, as the best answer has it."""
    fields = {"rivals": "named", "nov": "named", "named": "works"}
    named = [
        NamedWork.from_stored(row)
        for address in sorted(state.cells)
        if (field := fields.get(cell_ref(address).kind))
        for row in state.value(ref(address, field)) or ()
    ]
    named.sort(key=lambda work: _CLASSES.index(work.status))
    return {normalise_title(work.title): work for work in named}


class TitleIndex:
    """The session's papers by title, and by that under which they were found; rapidfuzz is loaded
    only for a title that none of them has."""

    def __init__(self, papers: Mapping[str, Paper], works: Mapping[str, NamedWork] = {}) -> None:
        self._by = {
            title: work.paper
            for title, work in works.items()
            if work.status == FOUND and work.paper in papers
        }
        for paper_id in sorted(papers):
            self._by.setdefault(normalise_title(papers[paper_id].title), paper_id)
        self._by.pop("", None)
        self._found: dict[str, str | None] = {}
        self._with_quotes = [clean_line(p.title) for p in papers.values() if '"' in p.title]

    def find(self, title: str) -> str | None:
        """The paper that a title means, or None."""
        wanted = normalise_title(title)
        if wanted not in self._found:
            self._found[wanted] = self._by.get(wanted) or self._closest(wanted)
        return self._found[wanted]

    @cached_property
    def _by_numbers(self) -> dict[tuple[str, ...], list[str]]:
        """The titles by the numbers in them: others are of another paper."""
        found = defaultdict[tuple[str, ...], list[str]](list)
        for title in self._by:
            found[tuple(_NUMBERS.findall(title))].append(title)
        return found

    def _closest(self, wanted: str) -> str | None:
        from rapidfuzz import fuzz, process

        alike = self._by_numbers.get(tuple(_NUMBERS.findall(wanted)), ())
        best = process.extractOne(wanted, alike, scorer=fuzz.ratio, score_cutoff=SIMILARITY)
        return self._by[best[0]] if best else None

    def named_in(self, text: object, known: frozenset[str]) -> list[str]:
        """Titles that a text names, in the order met: “curly” quotations of three words and more,
        "straight" ones when a year follows, and either when a paper of the session has the title.
        ``known`` are normalised texts that are quoted but name no paper: the topic, the
        questions."""
        line = clean_line(text)
        for title in self._with_quotes:  # quoted whole, although it has quotation marks of its own
            line = line.replace(title, title.replace('"', "'"))
        # a straight mark inside curly ones opens nothing
        straight = _CURLY.sub(lambda m: " " * len(m[0]), line)
        quoted = [*_CURLY.finditer(line), *_STRAIGHT.finditer(straight)]
        quoted.sort(key=lambda m: m.start())
        names = dict.fromkeys(m[1].strip(" .,;") for m in quoted if self._means_a_paper(m))
        return [name for name in names if normalise_title(name) not in known]

    def _means_a_paper(self, quoted: re.Match[str]) -> bool:
        curly = quoted[0].startswith("“")
        likely = len(quoted[1].split()) > 2 if curly else bool(quoted["year"])
        return likely or self.find(quoted[1]) is not None


class Bibliography:
    """Numbers for papers. Two records are one paper where they share an identifier, or title, year
    and first author. ``works``: those looked up, by title; ``own_keys``: citation keys by paper."""

    def __init__(
        self,
        papers: Mapping[str, Paper],
        works: Mapping[str, NamedWork] = {},
        own_keys: Mapping[str, str] = {},
    ) -> None:
        self.papers, self._works, self._own_keys = papers, works, own_keys
        self.titles, self.cited = TitleIndex(papers, works), CitedPapers(papers)
        self._numbers: dict[str, int] = {}
        self._listed = 0
        self.same: dict[str, str] = {}
        """The first record of each paper."""
        seen: dict[tuple[str, str], str] = {}
        for paper_id in sorted(papers):
            paper = papers[paper_id]
            first_author = surname(paper.authors[0]) if paper.authors else ""
            title = f"{normalise_title(paper.title)} {paper.year} {first_author}"
            marks = [*ids_of(paper).items(), ("title", title)]
            self.same[paper_id] = next((seen[m] for m in marks if m in seen), paper_id)
            for mark in marks:
                seen.setdefault(mark, self.same[paper_id])

    def number(self, paper_id: str) -> int:
        """The paper's number in the references, given on its first use; 0 when the session has no
        record of it."""
        if paper_id not in self.papers:
            return 0
        return self._numbers.setdefault(self.same[paper_id], len(self._numbers) + 1)

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """The citation key of every paper of the session, whichever of them are cited."""
        return citation_keys(sorted(self.papers.values(), key=order_key), self._own_keys)

    def key(self, paper_id: str) -> str:
        """The citation key of a paper that is in the references from now on; empty where the
        session has no record of it."""
        return self.keys[self.same[paper_id]] if self.number(paper_id) else ""

    def entries(self) -> list[Paper]:
        """The papers named so far, by number."""
        return [self.papers[paper_id] for paper_id in self._numbers]

    def unlisted(self) -> tuple[int, list[Paper]]:
        """The papers that no list of references has yet, and the number of the first; they count as
        listed from now on."""
        first, self._listed = self._listed, len(self._numbers)
        return first + 1, self.entries()[first:]

    @staticmethod
    def reference(paper: Paper) -> tuple[str, str]:
        """Authors, year, title, venue, identifiers and notices as far as known, and the web
        address."""
        who = ", ".join(paper.authors) or "Authors not known"
        ids = ", ".join(f"{scheme}: {value}" for scheme, value in ids_of(paper).items())
        notices = f"Notices: {'; '.join(paper.notices)}" if paper.notices else ""
        parts = [f"{who} ({paper.year or 'n.d.'}). {paper.title}", paper.venue or "", ids, notices]
        return " ".join(f"{part.rstrip('.')}." for part in parts if part), address_of(paper)

    def named(
        self,
        texts: Sequence[tuple[str, str]],
        listed: Iterable[tuple[str, str]],
        known: frozenset[str],
    ) -> list[Mention]:
        """What is named in some texts, each with its address, and in lists of titles: each work
        once, titles first."""
        works = dict[str, Mention]()
        titles = [(title, at) for at, text in texts for title in self.titles.named_in(text, known)]
        for title, address in [*titles, *listed]:
            key = normalise_title(title)
            known_as = self._works.get(key)
            status = outcome(self.papers, known_as) if known_as else "never looked up"
            work = Mention("title", title, self.titles.find(title), {}, status)
            works.setdefault(key, work).where[address] = None
        for address, text in texts:
            for cited in citations_in(text):
                work = Mention("citation", cited.text, self.cited.find(cited), {})
                works.setdefault(cited.text, work).where[address] = None
        return list(works.values())


@dataclass
class Mention:
    """A work that texts mention; ``paper`` is the one of the session that it means, or None."""

    kind: Literal["title", "citation"]
    text: str
    paper: str | None
    where: dict[str, None]
    """The addresses, in the order met."""
    status: str = "no paper of the session"
    """What looking it up came to."""

    @property
    def name(self) -> str:
        """The title in quotation marks, or the citation."""
        return f"“{self.text}”" if self.kind == "title" else self.text

    @property
    def in_words(self) -> str:
        """``“A Title”: not found``."""
        return f"{self.name}: {self.status}"


def own_words(state: State) -> frozenset[str]:
    """Texts of the session that may be quoted without naming a paper: topic, questions, titles of
    its own ideas."""
    fields = {"topic": "text", QUESTION: "text", "idea": "title"}
    texts = (
        state.value(ref(address, field))
        for address in state.cells
        if (field := fields.get(cell_ref(address).kind))
    )
    return frozenset(normalise_title(str(text)) for text in texts if text)


def titles_in(content: Mapping[str, object], state: State) -> list[str]:
    """The titles that a person's idea names, whether or not a paper of the session has them; in
    straight quotation marks those of up to twenty words, the first with a capital."""
    text = "\n".join(strings({**content, "works": "", "sources": ""}))
    if "“" not in text and '"' not in text:
        return []
    index = TitleIndex(state.papers, looked_up(state))
    return index.named_in(_TYPED.sub(r"“\1”", text), own_words(state))


def unverified_in(
    texts: Iterable[str],
    state: State,
    known: frozenset[str] = frozenset(),
    listed: Sequence[str] = (),
) -> list[str]:
    """What some texts name, or is ``listed``, and no paper of the session is: titles in quotation
    marks, with what looking them up came to, and citations as they stand. The papers are indexed only for a text that names something."""
    named, titles = [("", text) for text in texts], [(title, "") for title in listed if title]
    if not titles and not any(
        "“" in text or '"' in text or any(citations_in(text)) for _, text in named
    ):
        return []
    works = Bibliography(state.papers, looked_up(state)).named(named, titles, known)
    return [w.in_words if w.kind == "title" else w.text for w in works if w.paper is None]
