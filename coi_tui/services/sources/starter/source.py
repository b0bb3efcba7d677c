"""The starter library as a source of papers: offline, with the evidence of every link."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from coi_tui.literature.ids import known_ids
from coi_tui.literature.ranking import (
    RANKED_LOCALLY,
    LocalPapers,
    content_words,
    matches_fully,
    paper_subject,
    rank,
    stems,
)
from coi_tui.literature.title_match import normalise_title
from coi_tui.model.papers import Link, Paper, PaperText, order_key
from coi_tui.model.text import count
from coi_tui.process import run_in_thread
from coi_tui.services.sources.paper_source import people_by_name
from coi_tui.services.sources.starter import NAME, StarterLibrary, bundled_library
from coi_tui.services.sources.types import (
    CitationList,
    Direction,
    People,
    ReferenceLists,
    SearchResult,
    Source,
    Today,
)

FLOOR = 0.30
"""Least share of the query's word weight that a paper must hold. A word the library lacks weighs as
much as its rarest ones."""
LONG_QUERY = 6
"""Above so many content words the floor stops growing: a sentence-long topic need not be matched
word by word."""
COMMON = 0.5
"""A word in more than this share of the papers does not distinguish them, once the library has
``SMALL`` papers."""
SMALL = 12
ENOUGH = 4
"""At least so many papers must fit a topic, and one of them must cite another, for the library to
cover it, unless one matches fully."""
FIT, FIT_WITH_PHRASE, COMMON_PHRASE = 0.5, 0.15, 0.02
"""Share of a topic's word weight that a fitting paper holds; less is enough where it holds two
neighbouring words of the topic as well.

Neighbouring words in more than that last share of the papers name a whole field
("visual analytics"), and do not count. Chosen on 400 topics outside the library and 400 close to it,
drawn as ``benchmarks/offline.py`` draws them: at most 1 of 20 outside is taken up in each of eight
draws; titles alone do not distinguish those close to it much better (11 % are taken up).
"""


@dataclass(frozen=True)
class Hits:
    """Papers above the floor in the order of the library, why, and, where the library
    does not cover the query, that."""

    papers: tuple[Paper, ...]
    note: str
    lacking: str


class StarterIndex:
    """The words of the papers of a library, in memory."""

    def __init__(self, papers: Sequence[Paper], links: Iterable[Link] = ()) -> None:
        self._links = [(link.citing, link.cited) for link in links]
        self._papers = {paper.id: paper for paper in papers}
        words = {paper.id: stems(searchable(paper)) for paper in papers}
        self._words = {own: Counter(those) for own, those in words.items()}
        self._about = {paper.id: paper_subject(paper) for paper in papers}
        self._df = Counter(word for counted in self._words.values() for word in counted)
        pairs = {own: set(pairwise(those)) for own, those in words.items()}
        often = Counter(pair for those in pairs.values() for pair in those)
        most = max(1.0, COMMON_PHRASE * len(papers))
        self._phrases = {
            own: {p for p in those if often[p] <= most} for own, those in pairs.items()
        }
        """Pairs of neighbouring words that few papers have, so that they tell subjects apart."""

    def search(self, query: str) -> Hits:
        """Papers that share enough with ``query``; generic research words alone are never
        enough."""
        words = content_words(query)
        if not words:
            return Hits(
                (),
                "the query holds only words that nearly every paper uses; nothing was searched for",
                f"The topic holds only words that nearly every paper uses, so the {NAME} cannot tell what fits it.",
            )
        shared = {own: [w for w in words if w in has] for own, has in self._words.items()}
        papers = tuple(
            paper for own, paper in self._papers.items() if self._is_hit(own, words, shared[own])
        )
        missing = [word for stem, word in words.items() if not self._df[stem]]
        known = len(words) - len(missing)
        note = f"{known} of {count(len(words), 'word')} of the query occur in the library"
        if missing:
            note += f" (not: {', '.join(missing)})"
        if known and not papers:
            note += "; no paper shares enough of them"
        return Hits(papers, note, self._lacking(query, words, shared))

    def _lacking(
        self, query: str, words: Mapping[str, str], shared: Mapping[str, Sequence[str]]
    ) -> str:
        """One sentence with figures where too few papers fit the query as a topic; empty where the
        library covers it, or is too small.

        One paper is enough where its title and entities hold every word of the query, and a chain
        can go on from it.
        """
        if len(self._papers) < SMALL:
            return ""
        phrases = set(pairwise(stems(query)))
        fitting = {own for own in self._papers if self._fits(own, words, phrases, shared[own])}
        linked = any(citing in fitting and cited in fitting for citing, cited in self._links)
        if (len(fitting) >= ENOUGH and linked) or any(
            matches_fully(query, paper) for paper in self._papers.values()
        ):
            return ""
        weights = {own: self._weight(those) for own, those in shared.items() if those}
        nearest = sorted(weights, key=lambda i: (i not in fitting, -weights[i], i))[:2]
        whole = self._weight(words)
        closest = [f"“{self._papers[i].title}” ({weights[i] / whole:.0%})" for i in nearest]
        near = (
            f"Closest by the share of the topic's words that they hold: {', '.join(closest)}."
            if closest
            else "No paper holds any of its words."
        )
        number = count(len(fitting), "paper") if fitting else "no paper"
        return (
            f"The {NAME} has {number} that could be in a chain on this topic; at least {ENOUGH} are"
            f" needed, and one of them must cite another. {near}"
        )

    def _fits(
        self,
        paper_id: str,
        words: Mapping[str, str],
        phrases: set[tuple[str, str]],
        shared: Sequence[str],
    ) -> bool:
        """Whether a paper could be in a chain on the topic ``words``: it shares at least two of
        them (all, where there is but one)."""
        if len(shared) < min(2, len(words)):
            return False
        if len(words) == 1:
            return self._is_about(paper_id, shared)
        if len(words) > 2 and self._about[paper_id].isdisjoint(shared):
            return False
        part = self._share(shared, words)
        return part >= FIT or (
            part >= FIT_WITH_PHRASE and not phrases.isdisjoint(self._phrases[paper_id])
        )

    def _is_hit(self, paper_id: str, words: Mapping[str, str], shared: Sequence[str]) -> bool:
        """Whether a paper shares enough of the query's weight, and more than one chance word. A
        single one is enough where the paper is about it, and the library lacks no word of the
        query."""
        n = len(self._papers)
        if not any(n < SMALL or self._df[word] <= COMMON * n for word in shared):
            return False
        if self._share(shared, words) < FLOOR:
            return False
        complete = len(words) <= 2 and all(self._df[word] for word in words)
        return len(shared) >= 2 or (complete and self._is_about(paper_id, shared))

    def _is_about(self, paper_id: str, words: Iterable[str]) -> bool:
        about, counts = self._about[paper_id], self._words[paper_id]
        return any(word in about or counts[word] >= 2 for word in words)

    def _weight(self, words: Iterable[str]) -> float:
        n = len(self._papers)
        return sum(math.log((1 + n) / (1 + self._df[word])) + 1 for word in words)

    def _share(self, shared: Iterable[str], words: Iterable[str]) -> float:
        """Which part of the query's weight some of its words have; a long one's is bounded."""
        return self._weight(shared) / min(self._weight(words), LONG_QUERY * self._weight([""]))


def searchable(paper: Paper) -> str:
    """Everything of a paper that a searcher's words may hit."""
    entities = (f"{entity.name} {entity.description}" for entity in paper.entities)
    lists = (*paper.limitations, *paper.datasets, *paper.baselines, *entities)
    return "\n".join([paper.title, paper.abstract or "", *lists])


@cache
def bundled() -> tuple[StarterLibrary, StarterIndex]:
    """The library that comes with the app and its index, made once. Raises StoreError for broken
    files."""
    return _indexed(bundled_library())


def _indexed(library: StarterLibrary) -> tuple[StarterLibrary, StarterIndex]:
    return library, StarterIndex(tuple(library.papers.values()), library.links)


class StarterSource(Source):
    """Answers from the bundled files alone, so it needs no network. Raises StoreError for broken
    files."""

    name = NAME

    def __init__(
        self, library: StarterLibrary | None = None, *, today: Today | None = None
    ) -> None:
        self.library, self._index = bundled() if library is None else _indexed(library)
        self._day = today
        self._local = LocalPapers(tuple(self.library.papers.values()))

    async def search(self, query: str, limit: int) -> SearchResult:
        """Papers that share distinctive words with ``query``, ranked locally; none where the
        library holds nothing on it.

        ``lacking`` says, with figures, that the library holds too little on ``query`` to build
        chains on it as a topic.
        """
        hits, ranked = await run_in_thread(self._find, query)
        papers = tuple(ranked[: max(0, limit)])
        return SearchResult(
            query=query,
            source=NAME,
            asked_at=self._day and self._day(),
            total=len(ranked),
            papers=papers,
            note=f"{hits.note}; {RANKED_LOCALLY}" if papers else hits.note,
            lacking=hits.lacking,
        )

    def _find(self, query: str) -> tuple[Hits, list[Paper]]:
        hits = self._index.search(query)
        return hits, [paper for _, paper in rank(query, hits.papers, self._local.words)]

    async def _titled(self, title: str) -> Sequence[Paper]:
        return self._local.papers

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return self._local.find(ids)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites among the library's own, by links that were checked."""
        lists = {
            paper.id: tuple(
                link.cited
                for link in self.library.links
                if link.citing == record.id and link.kind == "cites"
            )
            for paper in papers
            if (record := self._record_of(paper)) is not None
        }
        cited = dict.fromkeys(paper_id for ids in lists.values() for paper_id in ids)
        records = tuple(self.library.papers[paper_id] for paper_id in cited)
        return ReferenceLists(lists=lists, papers=records, source=NAME)

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """By name alone, with what they wrote of ``papers`` and of the library's own."""
        day = self._day and self._day()
        return people_by_name(papers, self._local.papers, most, each, source=NAME, asked_at=day)

    async def text(self, paper: Paper) -> PaperText:
        """The project's own summary with what it knows of limitations, data sets, baselines and
        entities."""
        record = self._record_of(paper)
        if record is None:
            return PaperText(paper=paper.id, kind="none", note=f"not in the {NAME}")
        note = f"summary from the {NAME}, not the paper's own words"
        return PaperText(paper=paper.id, kind="summary", text=summary_text(record), note=note)

    def _record_of(self, paper: Paper) -> Paper | None:
        """The library's record of ``paper``, found by any id, else by the same title and year."""
        names = (paper.id, *map(":".join, known_ids(paper).items()))
        title = normalise_title(paper.title)
        same = (
            p
            for p in self._local.papers
            if p.year == paper.year and normalise_title(p.title) == title
        )
        return next(filter(None, self._local.find(names)), None) or next(same, None)

    async def _list(self, paper: Paper, direction: Direction, limit: int) -> CitationList:
        """The library's papers on one side of ``paper``: those by a checked link, older first, then
        those by a link that was not checked."""
        record = self._record_of(paper)
        if record is None:
            return CitationList(paper=paper.id, direction=direction, note=f"not in the {NAME}")
        here, there = ("cited", "citing") if direction == "citing" else ("citing", "cited")
        of_link = {
            link: self.library.papers[getattr(link, there)]
            for link in self.library.links
            if getattr(link, here) == record.id
        }
        order = sorted(of_link, key=lambda k: (k.kind != "cites", order_key(of_link[k])))
        shown = order[: max(0, limit)]
        note = f"{len(shown)} of {len(order)} in the {NAME}, which knows only its own papers"
        if unchecked := sum(link.kind != "cites" for link in shown):
            note += (
                f"; {unchecked} by links that were not checked, which no chain follows by itself"
            )
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=tuple(map(of_link.__getitem__, shown)),
            links=tuple(link.model_copy(update={here: paper.id}) for link in shown),
            total=len(order),
            rows_read=len(shown),
            note=note,
        )


def summary_text(paper: Paper) -> str:
    """A starter paper's summary and lists as one text: a label on a line of its own, then a line an
    item.

    Cards are made from this layout by rule, so the two belong together
    (tests/drafts/test_rules.py).
    """
    entities = [f"{e.name}: {e.description}" if e.description else e.name for e in paper.entities]
    lists = (
        ("LIMITATIONS", paper.limitations),
        ("DATASETS", paper.datasets),
        ("BASELINES", paper.baselines),
        ("ENTITIES", entities),
    )
    parts = [f"SUMMARY\n{paper.abstract or ''}"]
    parts += [
        f"{label}\n" + "\n".join(f"- {item}" for item in items) for label, items in lists if items
    ]
    return "\n".join(parts)
