"""Records of one paper made one: found by shared identifiers, or by title, year and authors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from coi_tui.literature.ids import known_ids
from coi_tui.literature.title_match import (
    authors_agree,
    compact_title,
    short_titles,
    title_similarity,
    years_agree,
)
from coi_tui.model.papers import Paper, fill_missing

MOST_ALIKE = 100
"""Of the records with one title only the last so many are looked at: a list of 200,000 entries of one title is read in minutes, not days."""


def merge_papers(papers: Iterable[Paper], *, compared: int = 0) -> list[Paper]:
    """One record a paper: records that share an identifier, or agree in title, year and authors,
    become one.

    The first record of a paper keeps its id and place; what it does not know is filled in from the
    later ones. The first ``compared`` records are known to be different papers.
    """
    joined = _Joined(list(papers))
    for number in range(len(joined.papers)):
        joined.take(number, compare=number >= compared)
    groups: dict[int, list[Paper]] = {}
    for number, paper in enumerate(joined.papers):
        groups.setdefault(joined.root(number), []).append(paper)
    return [reduce(fill_gaps, members) for members in groups.values()]


def fill_gaps(first: Paper, other: Paper) -> Paper:
    """``first`` with what it does not know taken from ``other``; nothing that it knows is
    changed."""
    return fill_missing(
        first.model_copy(update={"ids": known_ids(first)}),
        other.model_copy(update={"ids": known_ids(other)}),
    )


class _Joined:
    """Records by number, and which of them are one paper: union-find whose root is the earliest
    member. Those that may be the same are found by an identifier, by the letters of the title with
    or without its subtitle."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self.papers = papers
        self._parent = list(range(len(papers)))
        self._ids: dict[str, int] = {}
        self._titles: dict[str, list[int]] = {}

    def root(self, number: int) -> int:
        parent = self._parent
        while (above := parent[number]) != number:
            parent[number] = parent[above]  # shorter for the next time
            number = above
        return number

    def _join(self, a: int, b: int) -> None:
        first, second = sorted((self.root(a), self.root(b)))
        self._parent[second] = first

    def take(self, number: int, *, compare: bool) -> None:
        """Let later records find this one; ``compare``: join it with those before it that are the same
        paper."""
        paper = self.papers[number]
        title = compact_title(paper.title)
        for name in (
            paper.id,
            *(f"{scheme}:{value}" for scheme, value in known_ids(paper).items()),
        ):
            if (first := self._ids.setdefault(name, number)) != number and compare:
                self._join(first, number)
        if not title:
            return
        titles = dict.fromkeys((title, *short_titles(paper.title)))
        if compare:
            for alike in titles:
                self._compare(self._titles.get(alike, ())[-MOST_ALIKE:], number)
        for key in titles:
            self._titles.setdefault(key, []).append(number)

    def _compare(self, others: Iterable[int], number: int) -> None:
        for other in others:
            one, paper = self.papers[other], self.papers[number]
            if self.root(other) != self.root(number) and same_work(one, paper):
                self._join(other, number)


def same_work(a: Paper, b: Paper) -> bool:
    """Whether two records are one paper: title, year and authors by the rules of ``match_title``;
    other arXiv ids mean other papers."""
    if _ids_differ(a, b, "arXiv") or _ids_differ(a, b, "ACL"):
        return False
    titles = title_similarity(a.title, b.title)
    years, people = years_agree(a.year, b.year), authors_agree(a.authors, b.authors)
    if titles.difference or years is False or people is False:
        return False
    if not titles.exact and _ids_differ(a, b, "DOI"):
        return False
    if titles.exact and not titles.shortened:
        return bool(people) or (years is True and a.year == b.year)
    return bool(people) and (years is True or not titles.shortened)


def _ids_differ(a: Paper, b: Paper, scheme: str) -> bool:
    """Whether both have an identifier of a scheme, and not the same one."""
    one, other = known_ids(a).get(scheme), known_ids(b).get(scheme)
    return one is not None and other is not None and one != other
