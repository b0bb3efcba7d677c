"""Matching a title to a paper, and merging records of one paper (methods.md, 6, rule 4; reference: semantic-scholar.md, 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coi_tui.literature.ids import known_ids
from coi_tui.literature.likeness import Likeness, compact, likeness, normalise_title, same_people, same_time, show_title, surnames
from coi_tui.literature.types import Matched
from coi_tui.model.papers import Paper

__all__ = ["fill", "match_title", "merge", "normalise_title", "show_title"]


def match_title(title: str, candidates: Sequence[Paper], year: int | None, authors: Sequence[str] = ()) -> Matched:
    """The candidate that ``title`` means: likeness of at least 0.90, differing by no more than typing errors, or by a subtitle left out,
    and year and author in agreement as far as both sides know them.

    Where neither side knows a year or an author to compare, only the very same title counts. ``score`` is that of the best candidate,
    also when it was not taken; ``note`` says why.
    """
    if not normalise_title(title) or not candidates:
        return Matched(note="no papers to compare with" if normalise_title(title) else "no title to look for")
    best: tuple[tuple[bool, bool, float], Paper, Likeness, str] | None = None
    for paper in candidates:
        found = likeness(title, paper.title)
        against = found.against or _objection(found, paper, year, authors)
        rank = (not against, not found.shortened, found.score)  # taken before not taken, whole titles before shortened ones
        if best is None or rank > best[0] or (rank == best[0] and paper.id < best[1].id):
            best = rank, paper, found, against
    assert best is not None
    _, paper, found, against = best
    if not against:
        part = " without the subtitle" if found.shortened else ""
        return Matched(paper=paper, score=found.score, note=f"title likeness {found.score:.2f}{part}")
    return Matched(score=found.score, note=f"closest title: “{paper.title}” ({found.score:.2f}); {against}")


def _objection(found: Likeness, paper: Paper, year: int | None, authors: Sequence[str]) -> str:
    """Why a paper of a like title is not the one, or the empty text."""
    years = same_time(year, paper.year)
    people = same_people(authors, paper.authors)
    if years is None and people is None:
        return "" if found.exact else "neither year nor author is known for both"
    if years is False and not people:
        return "neither year nor author agrees"
    if years is False:
        return "the years are further apart than a preprint and its publication"
    if people is False:
        return "the authors are others"
    if found.shortened and not (years and people):
        return "a title without its subtitle needs year and author to agree"
    return ""


def merge(papers: Iterable[Paper]) -> list[Paper]:
    """One record a paper: records that share an identifier, or title and year, become one (reference, 8).

    The first record of a paper keeps its id and place; what it does not know is filled from the later ones.
    """
    all_papers = list(papers)
    groups = _Groups(len(all_papers))
    by_id: dict[tuple[str, str], int] = {}
    for i, paper in enumerate(all_papers):
        for scheme, value in known_ids(paper).items():
            groups.join(by_id.setdefault((scheme, value), i), i)
        groups.join(by_id.setdefault(("", paper.id), i), i)
    for i, j in _alike(all_papers):
        if groups.root(i) != groups.root(j) and _same_work(all_papers[i], all_papers[j]):
            groups.join(i, j)
    merged: dict[int, Paper] = {}
    for i, paper in enumerate(all_papers):
        root = groups.root(i)
        merged[root] = fill(merged[root], paper) if root in merged else paper
    return list(merged.values())


class _Groups:
    """Union-find whose root is the earliest member."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, i: int) -> int:
        while self._parent[i] != i:
            i = self._parent[i]
        return i

    def join(self, a: int, b: int) -> None:
        first, second = sorted((self.root(a), self.root(b)))
        self._parent[second] = first


def _alike(papers: Sequence[Paper]) -> Iterator[tuple[int, int]]:
    """Pairs worth comparing: of one title, or of one author's surname and years that are near."""
    by_title: dict[str, list[int]] = {}
    by_author: dict[tuple[str, int | None], list[int]] = {}
    for i, paper in enumerate(papers):
        others = dict.fromkeys(by_title.get(compact(paper.title), ()))
        names = surnames(paper.authors)
        for year in (None,) if paper.year is None else (None, paper.year - 1, paper.year, paper.year + 1):
            for name in names:
                others |= dict.fromkeys(by_author.get((name, year), ()))
        yield from ((j, i) for j in others)
        by_title.setdefault(compact(paper.title), []).append(i)
        for name in names:
            by_author.setdefault((name, paper.year), []).append(i)


def _same_work(a: Paper, b: Paper) -> bool:
    """Whether two records are one paper: title, year and author by the rules of ``match_title``; other arXiv ids mean other papers."""
    one, other = known_ids(a), known_ids(b)
    if any(one.get(scheme, "") != other.get(scheme, one.get(scheme, "")) for scheme in ("arXiv", "ACL") if scheme in one):
        return False
    found = likeness(a.title, b.title)
    if found.against or (not found.exact and one.get("DOI", "") != other.get("DOI", one.get("DOI", "")) and "DOI" in one):
        return False
    years, people = same_time(a.year, b.year), same_people(a.authors, b.authors)
    if years is False or people is False:
        return False
    if found.exact and not found.shortened:
        return bool(people) or (years is True and a.year == b.year)
    return bool(people) and (years is True or not found.shortened)


def fill(first: Paper, other: Paper) -> Paper:
    """``first`` with what it does not know taken from ``other``; nothing that it knows is changed."""
    update: dict[str, object] = {"ids": {**known_ids(other), **known_ids(first)}}
    for name in ("year", "venue", "open_pdf", "url"):
        if getattr(first, name) is None:
            update[name] = getattr(other, name)
    for name in ("authors", "limitations", "datasets", "baselines", "entities"):
        if not getattr(first, name):
            update[name] = getattr(other, name)
    if first.abstract is None and other.abstract is not None:
        update |= {"abstract": other.abstract, "abstract_kind": other.abstract_kind}
    if first.citations.count is None:
        update["citations"] = other.citations
    year = first.year if first.year is not None else other.year
    if first.published is None and other.published and year is not None and other.published.startswith(f"{year:04d}"):
        update["published"] = other.published
    return first.model_copy(update=update)
