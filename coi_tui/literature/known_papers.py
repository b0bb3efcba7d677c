"""Papers to hold a PDF against, found by an identifier or by a title without comparing with each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coi_tui.literature.ids import Id, known_ids
from coi_tui.literature.title_match import compact_title, short_titles, title_similarity
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

LOOKED_AT = 12
"""Papers with nearly the same letters whose titles are then compared in full."""
LEAST_SHORT = 8
"""Letters of a title without its subtitle by which the whole one is found."""


class KnownPapers:
    """Papers by their ids and titles; the first of two with one id or id-less name stays."""

    def __init__(self, papers: Iterable[Paper] = ()) -> None:
        self._by_id: dict[Id, Paper] = {}
        self._by_name: dict[str, Paper] = {}
        self._by_letters: dict[str, list[Paper]] = {}
        self._by_short: dict[str, list[Paper]] = {}
        self.add(papers)

    def add(self, papers: Iterable[Paper]) -> None:
        """Know these too."""
        for paper in papers:
            for pair in known_ids(paper).items():
                self._by_id.setdefault(pair, paper)
            if self._by_name.setdefault(paper.id, paper) is not paper:
                continue
            self._by_letters.setdefault(compact_title(paper.title), []).append(paper)
            for short in short_titles(paper.title):
                if len(short) >= LEAST_SHORT:
                    self._by_short.setdefault(short, []).append(paper)

    def add_as(self, pair: Id, paper: Paper) -> None:
        """Know a paper that a source gave for an identifier, which its record need not repeat."""
        self.add([paper])
        self._by_id.setdefault(pair, paper)

    def with_id(self, pair: Id) -> Paper | None:
        """The paper that bears an identifier."""
        return self._by_id.get(pair)

    def named(self, said: str) -> list[Paper]:
        """The papers whose id, or whole title, is this text."""
        by_id = self._by_name.get(clean_line(said))
        return [by_id] if by_id is not None else list(self._by_letters.get(compact_title(said), ()))

    def near(self, title: str, least: float) -> list[tuple[float, Paper]]:
        """Papers whose titles are at least so similar, or are this one but for a subtitle: the most similar first."""
        from rapidfuzz import fuzz, process

        wanted = compact_title(title)
        if not wanted:
            return []
        close = process.extract(
            wanted,
            self._by_letters.keys(),
            scorer=fuzz.ratio,
            score_cutoff=100 * least - 5,
            limit=LOOKED_AT,
        )
        letters = dict.fromkeys([key for key, _, _ in close if key])
        found = [paper for key in letters for paper in self._by_letters[key]]
        found += self._by_short.get(wanted, ())
        found += [
            paper for short in short_titles(title) for paper in self._by_letters.get(short, ())
        ]
        scored = {paper.id: (title_similarity(title, paper.title).score, paper) for paper in found}
        return sorted(
            (pair for pair in scored.values() if pair[0] >= least),
            key=lambda pair: (-pair[0], pair[1].id),
        )


def best_score(titles: Sequence[str], paper: Paper) -> float:
    """How similar the most similar of some titles is to a paper's."""
    return max((title_similarity(t, paper.title).score for t in titles), default=0.0)
