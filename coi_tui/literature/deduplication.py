"""Records of one paper made one: found by shared identifiers, or by title, year and authors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coi_tui.literature.ids import known_ids
from coi_tui.literature.title_match import authors_agree, compact_title, surnames, title_similarity, years_agree
from coi_tui.model.papers import Paper


def merge_papers(papers: Iterable[Paper]) -> list[Paper]:
    """One record a paper: records that share an identifier, or agree in title, year and authors, become one.

    The first record of a paper keeps its id and place; what it does not know is filled in from the later ones.
    """
    records = list(papers)
    groups = _Groups(len(records))
    by_id: dict[tuple[str, str], int] = {}
    for i, paper in enumerate(records):
        for pair in [*known_ids(paper).items(), ("", paper.id)]:
            groups.join(by_id.setdefault(pair, i), i)
    for i, j in _similar_pairs(records):
        if groups.root(i) != groups.root(j) and _same_work(records[i], records[j]):
            groups.join(i, j)
    merged: dict[int, Paper] = {}
    for i, paper in enumerate(records):
        root = groups.root(i)
        merged[root] = fill_gaps(merged[root], paper) if root in merged else paper
    return list(merged.values())


def fill_gaps(first: Paper, other: Paper) -> Paper:
    """``first`` with what it does not know taken from ``other``; nothing that it knows is changed."""
    update: dict[str, object] = {"ids": {**known_ids(other), **known_ids(first)}}
    update |= {name: getattr(other, name) for name in ("year", "venue", "open_pdf", "url") if getattr(first, name) is None}
    lists = ("authors", "limitations", "datasets", "baselines", "entities")
    update |= {name: getattr(other, name) for name in lists if not getattr(first, name)}
    if first.abstract is None and other.abstract is not None:
        update |= {"abstract": other.abstract, "abstract_kind": other.abstract_kind}
    if first.citations.count is None:
        update["citations"] = other.citations
    if first.published is None:
        update["published"] = _date_in_year(other, first.year if first.year is not None else other.year)
    return first.model_copy(update=update)


def _date_in_year(paper: Paper, year: int | None) -> str | None:
    """The date of a paper, where it lies in a year."""
    return paper.published if paper.published and year is not None and paper.published.startswith(f"{year:04d}") else None


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


def _similar_pairs(papers: Sequence[Paper]) -> Iterator[tuple[int, int]]:
    """Pairs worth comparing: of one title, or of one author's surname and years that are at most one apart."""
    by_title: dict[str, list[int]] = {}
    by_author: dict[tuple[str, int | None], list[int]] = {}
    for i, paper in enumerate(papers):
        others = dict.fromkeys(by_title.get(compact_title(paper.title), ()))
        names = surnames(paper.authors)
        for year in (None,) if paper.year is None else (None, paper.year - 1, paper.year, paper.year + 1):
            for name in names:
                others |= dict.fromkeys(by_author.get((name, year), ()))
        yield from ((j, i) for j in others)
        by_title.setdefault(compact_title(paper.title), []).append(i)
        for name in names:
            by_author.setdefault((name, paper.year), []).append(i)


def _same_work(a: Paper, b: Paper) -> bool:
    """Whether two records are one paper: title, year and authors by the rules of ``match_title``; other arXiv ids mean other papers."""
    if _ids_differ(a, b, "arXiv") or _ids_differ(a, b, "ACL"):
        return False
    titles = title_similarity(a.title, b.title)
    if titles.difference or (not titles.exact and _ids_differ(a, b, "DOI")):
        return False
    return _dates_and_people_agree(a, b, whole=titles.exact and not titles.shortened, shortened=titles.shortened)


def _dates_and_people_agree(a: Paper, b: Paper, *, whole: bool, shortened: bool) -> bool:
    """Whether year and authors show one paper, given the titles agree: ``whole``, without the subtitle (``shortened``), or nearly."""
    years, people = years_agree(a.year, b.year), authors_agree(a.authors, b.authors)
    if years is False or people is False:
        return False
    if whole:
        return bool(people) or (years is True and a.year == b.year)
    return bool(people) and (years is True or not shortened)


def _ids_differ(a: Paper, b: Paper, scheme: str) -> bool:
    """Whether both have an identifier of a scheme, and not the same one."""
    one, other = known_ids(a).get(scheme), known_ids(b).get(scheme)
    return one is not None and other is not None and one != other
