"""Records of one paper made one: found by shared identifiers, or by title, year and authors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Protocol

from coi_tui.literature.identity_keys import Features, features
from coi_tui.literature.ids import known_ids
from coi_tui.literature.title_match import (
    TYPING_ERRORS,
    authors_agree,
    compact_title,
    title_similarity,
    years_agree,
)
from coi_tui.model.papers import Paper


class HeldRecords(Protocol):
    """Records that were compared with each other before, found by their keys (``identity_keys``), each under a number of its own."""

    def under(self, keys: Iterable[str]) -> Iterable[int]: ...

    def titles_near(self, keys: Iterable[str]) -> Iterable[str]: ...

    def record(self, number: int) -> Paper: ...


def merge_papers(papers: Iterable[Paper]) -> list[Paper]:
    """One record a paper: records that share an identifier, or agree in title, year and authors, become one.

    The first record of a paper keeps its id and place; what it does not know is filled in from the later ones.
    """
    return [merged for merged, _ in merge_into(None, dict(enumerate(papers)))]


def merge_into(held: HeldRecords | None, new: Mapping[int, Paper]) -> list[tuple[Paper, list[int]]]:
    """What becomes of records that are compared with all others: the merged records that any of them is part of, in the order of their
    numbers, each with the numbers of the records in it.

    ``held``: records that need no comparing among themselves; those of them that ``new`` has too are taken from there. The result is
    that of ``merge_papers`` over all, and what it costs goes by the new ones and those that are like them.
    """
    joined = _Joined(held, new)
    for number, paper in sorted(new.items()):
        joined.compare(number, paper)
    groups: dict[int, list[int]] = {}
    for number in joined.numbers():
        groups.setdefault(joined.root(number), []).append(number)
    touched = (members for members in groups.values() if any(number in new for number in members))
    return [(reduce(fill_gaps, map(joined.record, members)), members) for members in touched]


def fill_gaps(first: Paper, other: Paper) -> Paper:
    """``first`` with what it does not know taken from ``other``; nothing that it knows is changed."""
    update: dict[str, object] = {"ids": {**known_ids(other), **known_ids(first)}}
    update |= {
        name: getattr(other, name)
        for name in ("year", "venue", "open_pdf", "url")
        if getattr(first, name) is None
    }
    lists = ("authors", "limitations", "datasets", "baselines", "entities")
    update |= {name: getattr(other, name) for name in lists if not getattr(first, name)}
    if first.abstract is None and other.abstract is not None:
        update |= {"abstract": other.abstract, "abstract_kind": other.abstract_kind}
    if first.citations.count is None:
        update["citations"] = other.citations
    if first.published is None:
        update["published"] = _date_in_year(
            other, first.year if first.year is not None else other.year
        )
    return first.model_copy(update=update)


def _date_in_year(paper: Paper, year: int | None) -> str | None:
    """The date of a paper, where it lies in a year."""
    return (
        paper.published
        if paper.published and year is not None and paper.published.startswith(f"{year:04d}")
        else None
    )


class _Joined:
    """Records by number, and which of them are one paper: union-find whose root is the earliest member."""

    def __init__(self, held: HeldRecords | None, new: Mapping[int, Paper]) -> None:
        self._held, self._new = held, new
        self._parent: dict[int, int] = {}
        self._known: dict[int, Paper] = {}
        self._under: dict[str, list[int]] = {}
        self._near: dict[str, dict[str, None]] = {}
        self._signed: dict[tuple[object, ...], int] = {}

    def numbers(self) -> list[int]:
        return sorted(self._parent)

    def record(self, number: int) -> Paper:
        found = self._new.get(number) or self._known.get(number)
        if found is None:
            assert self._held is not None
            found = self._known[number] = self._held.record(number)
        return found

    def root(self, number: int) -> int:
        parent = self._parent
        while (above := parent.setdefault(number, number)) != number:
            parent[number] = parent[above]  # shorter for the next time
            number = above
        return number

    def _join(self, a: int, b: int) -> None:
        first, second = sorted((self.root(a), self.root(b)))
        self._parent[second] = first

    def compare(self, number: int, paper: Paper) -> None:
        """Join a record with all before it that are the same paper, and let those after it find it."""
        what = features(paper)
        self.root(number)
        for other in self._found(what.ids):
            self._join(other, number)
        alike = self._signed.setdefault(what.signature, number)
        if alike != number and same_work(self.record(alike), paper):
            self._join(
                alike, number
            )  # it has been compared with all that may be the same, and stands for both
            self._store(what.ids, number)
        else:
            self._join_same(self._found(what.asked()), number, paper)
            self._store(what.kept(), number)
        for title in self._titles_near(what):
            self._join_same(self._found(what.with_title(title)), number, paper)
        for key in what.near:
            self._near.setdefault(key, {})[what.title] = None

    def _join_same(self, others: Iterable[int], number: int, paper: Paper) -> None:
        for other in others:
            if self.root(other) == self.root(number):
                continue
            one = self.record(other)
            first, second = (one, paper) if other < number else (paper, one)
            if _comparable(first, second) and same_work(first, second):
                self._join(other, number)

    def _store(self, keys: Iterable[str], number: int) -> None:
        for key in keys:
            self._under.setdefault(key, []).append(number)

    def _found(self, keys: Iterable[str]) -> list[int]:
        """Records under any of the keys; those held before first."""
        asked = list(dict.fromkeys(keys))
        before = (
            (n for n in self._held.under(asked) if n not in self._new)
            if self._held is not None
            else ()
        )
        return list(
            dict.fromkeys([*before, *(n for key in asked for n in self._under.get(key, ()))])
        )

    def _titles_near(self, what: Features) -> list[str]:
        """Other titles that differ by typing errors."""
        from rapidfuzz.distance import OSA

        before = self._held.titles_near(what.near) if self._held is not None else ()
        found = dict.fromkeys(
            [*before, *(title for key in what.near for title in self._near.get(key, ()))]
        )
        found.pop(what.title, None)
        return [
            t
            for t in found
            if OSA.distance(t, what.title, score_cutoff=TYPING_ERRORS) <= TYPING_ERRORS
        ]


def _comparable(first: Paper, second: Paper) -> bool:
    """Whether two records, in their order, are held against each other: of one title, or of years that are at most one apart.

    A later record without a year is compared with such ones alone.
    """
    if compact_title(first.title) == compact_title(second.title) or first.year is None:
        return True
    return second.year is not None and abs(first.year - second.year) <= 1


def same_work(a: Paper, b: Paper) -> bool:
    """Whether two records are one paper: title, year and authors by the rules of ``match_title``; other arXiv ids mean other papers."""
    if _ids_differ(a, b, "arXiv") or _ids_differ(a, b, "ACL"):
        return False
    titles = title_similarity(a.title, b.title)
    if titles.difference or (not titles.exact and _ids_differ(a, b, "DOI")):
        return False
    return _dates_and_people_agree(
        a, b, whole=titles.exact and not titles.shortened, shortened=titles.shortened
    )


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
