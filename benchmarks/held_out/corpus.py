"""The paper sets of ``../shared/data``, and the cuts made of them: one target taken out, nothing
newer kept.

The sets are read where they lie and never copied into the project.
"""

from __future__ import annotations

import gzip
import json
import random
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.held_out.text_index import Ints, Mask, Ranking, TextIndex

FEWEST_REFERENCES = 5
MOST_KEYWORDS = 6
SILVER = ["sci-reasoning"]
"""The provenance of links that were written by a language model; such links are left out."""


@dataclass(frozen=True)
class Kind:
    """Which papers of a set may be targets, and whether their topics hold keywords."""

    first_year: int
    last_year: int
    keywords: bool


KINDS = {"vis": Kind(2019, 9999, keywords=False), "dev": Kind(2024, 2025, keywords=True)}


@dataclass(frozen=True)
class Row:
    """One paper of a set. ``number`` is its position."""

    number: int
    id: str
    title: str
    abstract: str | None
    year: int
    """0: not known."""
    venue: str
    authors: tuple[str, ...]
    keywords: tuple[str, ...]
    external_ids: dict[str, Any]


@dataclass(frozen=True)
class Link:
    """What a set says about one citation."""

    contexts: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    influential: bool = False


class PaperSet:
    """All papers and links of a set; positions stand for papers."""

    def __init__(
        self, name: str, papers: Iterable[dict[str, Any]], links: Iterable[dict[str, Any]]
    ) -> None:
        self.name, self.kind = name, KINDS[name]
        self.rows = _own_ids([_row(number, paper) for number, paper in enumerate(papers)])
        self.numbers = {row.id: row.number for row in self.rows}
        self.years: Ints = np.array([row.year for row in self.rows], dtype=np.int64)
        self.known_years = sorted({row.year for row in self.rows if row.year})
        self.links: dict[tuple[int, int], Link] = {}
        for link in links:
            self._add(link)
        self.references = _lists(self.links, len(self.rows))
        self.citations = _lists(((cited, citing) for citing, cited in self.links), len(self.rows))

    def _add(self, link: dict[str, Any]) -> None:
        citing, cited = self.numbers.get(link["citing"]), self.numbers.get(link["cited"])
        if citing is None or cited is None or citing == cited or link.get("provenance") == SILVER:
            return
        contexts, intents = tuple(link.get("contexts") or ()), tuple(link.get("intents") or ())
        self.links[citing, cited] = Link(contexts, intents, bool(link.get("isInfluential")))

    @cached_property
    def index(self) -> TextIndex:
        """The words of titles and abstracts."""
        return TextIndex(f"{row.title} {row.abstract or ''}" for row in self.rows)

    def allowed(self, target: int) -> Mask:
        """The papers that are known to be no newer than a target, without the target."""
        mask: Mask = (self.years > 0) & (self.years <= self.years[target])
        mask[target] = False
        return mask

    def findable(self, target: int) -> frozenset[int]:
        """The references of a target that its cut holds."""
        mask = self.allowed(target)
        return frozenset(int(n) for n in self.references[target] if mask[n])

    def targets(self) -> Iterator[int]:
        """The papers that may be held out, in the order of the set."""
        for row in self.rows:
            fits = self.kind.first_year <= row.year <= self.kind.last_year and (
                row.keywords or not self.kind.keywords
            )
            if (
                fits
                and len(self.references[row.number]) >= FEWEST_REFERENCES
                and len(self.findable(row.number)) >= FEWEST_REFERENCES
            ):
                yield row.number


class Case:
    """One target taken out of its set: a topic, the papers that may be found, and those that should
    be."""

    def __init__(self, papers: PaperSet, target: int) -> None:
        self.papers, self.target = papers, target
        self.topic = topic_of(papers.rows[target], papers.kind)
        self.mask = papers.allowed(target)
        self.truth = papers.findable(target)

    @cached_property
    def ranking(self) -> Ranking:
        """Word similarity within the cut."""
        return Ranking(self.papers.index, self.mask)

    def references(self, number: int) -> Ints:
        """What a paper of the cut cites within it."""
        listed = self.papers.references[number]
        return listed[self.mask[listed]]

    def citations(self, number: int) -> Ints:
        """What cites a paper of the cut within it."""
        listed = self.papers.citations[number]
        return listed[self.mask[listed]]


class TopicCase(Case):
    """A topic in words of our own over the whole set: what should be found is not known."""

    def __init__(self, papers: PaperSet, topic: str) -> None:
        self.papers, self.topic, self.truth = papers, topic, frozenset()
        self.mask = papers.years > 0


def own_topics(papers: PaperSet) -> list[Case]:
    """The topics of ``topics.toml`` for a set."""
    text = Path(__file__).with_name("topics.toml").read_text(encoding="utf-8")
    return [TopicCase(papers, topic) for topic in tomllib.loads(text)[papers.name]]


def topic_of(row: Row, kind: Kind) -> str:
    """The title, with up to six keywords where the kind of set has them."""
    words = row.keywords[:MOST_KEYWORDS] if kind.keywords else ()
    return ": ".join([row.title, "; ".join(words)]) if words else row.title


def draw(papers: PaperSet, count: int, seed: int) -> list[Case]:
    """Cases of a seed; a smaller count gives the beginning of a larger one."""
    targets = list(papers.targets())
    random.Random(f"held out:{papers.name}:{seed}").shuffle(targets)
    return [Case(papers, target) for target in targets[:count]]


def thin(papers: PaperSet, cases: Iterable[Case], share: float, seed: int) -> None:
    """Leave the cases a share of the links, drawn at random; what should be found stays the
    same."""
    drawn = random.Random(f"links:{papers.name}:{seed}")
    fewer = copy(papers)
    fewer.links = {pair: link for pair, link in papers.links.items() if drawn.random() < share}
    fewer.references = _lists(fewer.links, len(fewer.rows))
    fewer.citations = _lists(((cited, citing) for citing, cited in fewer.links), len(fewer.rows))
    for case in cases:
        case.papers = fewer


def load(data: Path, name: str) -> PaperSet:
    """Read a set, ``vis`` or ``dev``."""
    return PaperSet(
        name, _lines(data / f"{name}_papers.jsonl.gz"), _lines(data / f"{name}_edges.jsonl.gz")
    )


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _row(number: int, paper: dict[str, Any]) -> Row:
    keywords = [word.strip() for text in paper.get("keywords") or () for word in text.split(";")]
    return Row(
        number=number,
        id=paper["paperId"],
        title=paper["title"],
        abstract=paper.get("abstract"),
        year=paper.get("year") or 0,
        venue=paper.get("venue") or "",
        authors=tuple(paper.get("authors") or ()),
        keywords=tuple(word for word in keywords if word),
        external_ids=dict(paper.get("externalIds") or {}),
    )


def _own_ids(rows: list[Row]) -> list[Row]:
    """The papers without outside ids that another paper of the set has too: such papers would be
    taken for one."""
    spread = Counter(pair for row in rows for pair in row.external_ids.items())
    return [
        replace(row, external_ids={k: v for k, v in row.external_ids.items() if spread[k, v] == 1})
        for row in rows
    ]


def _lists(pairs: Iterable[tuple[int, int]], size: int) -> list[Ints]:
    lists: list[list[int]] = [[] for _ in range(size)]
    for one, other in pairs:
        lists[one].append(other)
    return [np.array(sorted(part), dtype=np.int64) for part in lists]
