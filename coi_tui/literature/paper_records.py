"""Records of papers from services and files: within sane lengths, known by a day, and several of one
paper made one.

A title of a megabyte, a hundred thousand authors or a year 9999 is damage or malice. It would go
into prompts, lists and exports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import reduce

from coi_tui.literature.ids import known_ids
from coi_tui.literature.title_match import (
    authors_agree,
    compact_title,
    heads,
    title_similarity,
    years_agree,
)
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper, fill_missing
from coi_tui.model.text import clean_line

TITLE_CHARS = 500
ABSTRACT_CHARS = 10_000
AUTHORS = 300
"""Collaborations in physics have thousands; no list or reference shows more than a few."""
NAME_CHARS = 200
"""Of an author or a venue."""
ADDRESS_CHARS = 2_000
"""A longer address of a PDF is left out: cut, it would lead elsewhere."""
FIRST_YEAR = 1600
"""Learned journals begin in 1665; an earlier year is a mistake."""


def bounded(paper: Paper, today: str = "") -> Paper:
    """``paper`` with its texts cut to sane lengths, and without a year that cannot be one.
    ``today`` (ISO) says which year is the next."""
    head = (paper.published or "")[:4]
    dated = possible_year(int(head), today) if len(head) == 4 and head.isdecimal() else None
    fields = {
        "year": possible_year(paper.year, today) or dated,
        "published": paper.published if dated else None,
        "title": short_title(paper.title),
        "abstract": _cut(paper.abstract, ABSTRACT_CHARS) if paper.abstract else None,
        "authors": tuple(_cut(name, NAME_CHARS) for name in paper.authors[:AUTHORS]),
        "venue": _cut(paper.venue, NAME_CHARS) if paper.venue else None,
        "open_pdf": paper.open_pdf if len(paper.open_pdf or "") <= ADDRESS_CHARS else None,
    }
    changed = {name: value for name, value in fields.items() if value != getattr(paper, name)}
    return paper.model_copy(update=changed) if changed else paper


def short_name(text: object) -> str:
    """A name from outside (of a person or an institution) on one line, cut to a sane length."""
    return _cut(clean_line(text), NAME_CHARS)


def short_title(text: str) -> str:
    """A title cut to a sane length."""
    return _cut(text, TITLE_CHARS)


def possible_year(year: int | None, today: str) -> int | None:
    """``year`` where a paper can be of it; ``today`` (ISO) says which year is the next."""
    this_year = int(today[:4]) if today[:4].isdecimal() else date.today().year
    return year if year is not None and FIRST_YEAR <= year <= this_year + 1 else None


_RETRACTED = re.compile(
    r"^\W*(?:retracted|withdrawn)(?: (?:article|chapter|paper))?\W*[:\]]\s*", re.IGNORECASE
)
_NOTICE = re.compile(
    r"^\W*(?:(?P<retraction>retraction|withdrawal)(?::| notice\b| (?:of|to)(?=\W*\w+(?: \S+){4}))"
    r"|(?:correction|corrigendum|erratum)(?: to)?:|(?:corrigendum|erratum) to) ?\S",
    re.IGNORECASE,
)


def said_by_title(shown: str) -> tuple[str, tuple[str, ...]]:
    """A title, without the word that the paper was retracted, and the notices that it tells of: that
    one, or that the record is itself a notice about another paper."""
    bare = _RETRACTED.sub("", shown)
    if bare != shown:
        return bare, ("retracted, as its title says",)
    notice = _NOTICE.match(shown)
    kind = "retraction" if notice and notice["retraction"] else "correction"
    return shown, (f"a notice of {kind}, as its title says",) if notice else ()


def _cut(text: str, most: int) -> str:
    """The first so many characters, at the end of a word where one is near."""
    if len(text) <= most:
        return text
    head = text[:most]
    whole, _, rest = head.rpartition(" ")
    return f"{whole if whole and len(rest) < most // 4 else head}…" if clean_line(head) else ""


# what was known by a day

_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", re.ASCII)


def latest_day(text: object) -> str | None:
    """The last day that a date of any precision may mean, for comparing (``2023`` is
    ``2023-12-31``, and every month has 31 days); None for anything else."""
    found = _DATE.fullmatch(str(text).strip()[:10])
    if found is None:
        return None
    try:
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return None
    return f"{found[1]}-{found[2] or '12'}-{found[3] or '31'}"


def checked_cut(text: str, name: str = "") -> str:
    """A time cut as it was written: YYYY, YYYY-MM or YYYY-MM-DD; empty for none. Raises UsageError
    for anything else, with the ``name`` of the setting that says it."""
    cut = text.strip()
    if cut and latest_day(cut) is None:
        raise UsageError(
            f"{f'{name}: ' if name else ''}{cut[:40]!r} is not a date.",
            "Write the last day to include as YYYY, YYYY-MM or YYYY-MM-DD.",
        )
    return cut


def known_by(paper: Paper, cut: str) -> bool:
    """Whether a paper was certainly published by the last day of the cut; one without a date was
    not."""
    return is_until(paper.published or paper.year, cut)


def is_until(day: object, cut: str) -> bool:
    """Whether a date of any precision is certainly not after the cut; always where that is
    empty."""
    last, latest = latest_day(cut), latest_day(day)
    return last is None or (latest is not None and latest <= last)


# several records of one paper

MOST_ALIKE = 100
"""Of the records with one title only the last so many are looked at: a list of 200,000 entries of one title is read in minutes, not days."""


def merge_papers(papers: Iterable[Paper]) -> list[Paper]:
    """One record a paper: records that share an identifier, or agree in title, year and authors,
    become one.

    The first record of a paper keeps its id and place; what it does not know is filled in from the
    later ones.
    """
    return [paper for paper, _ in merged_records(papers)]


def merged_records(
    papers: Iterable[Paper], *, compared: int = 0
) -> list[tuple[Paper, Sequence[int]]]:
    """The same, each paper with the numbers of its records. The first ``compared`` records are known
    to be different papers."""
    every = list(papers)
    parent = list(range(len(every)))

    def root(number: int) -> int:
        """The earliest record of the same paper, as far as is known."""
        while parent[number] != number:
            parent[number] = parent[parent[number]]  # shorter for the next time
            number = parent[number]
        return number

    def join(a: int, b: int) -> None:
        first, second = sorted((root(a), root(b)))
        parent[second] = first

    by_id: dict[str, int] = {}
    by_title: dict[str, list[int]] = {}
    for number, paper in enumerate(every):
        for name in (paper.id, *map(":".join, known_ids(paper).items())):
            first = by_id.setdefault(name, number)
            if number >= compared:
                join(first, number)
        # by the letters of the title, with or without its subtitle
        whole = compact_title(paper.title)
        names = (whole, *(head for head, _ in heads(paper.title)))
        for title in dict.fromkeys(filter(None, names)) if whole else ():
            alike = by_title.setdefault(title, [])
            for other in alike[-MOST_ALIKE:] if number >= compared else ():
                if root(other) != root(number) and same_work(every[other], paper):
                    join(other, number)
            alike.append(number)
    groups: dict[int, list[int]] = {}
    for number in range(len(every)):
        groups.setdefault(root(number), []).append(number)
    return [
        (reduce(fill_gaps, (every[number] for number in members)), members)
        for members in groups.values()
    ]


def fill_gaps(first: Paper, other: Paper) -> Paper:
    """``first`` with what it does not know taken from ``other``; nothing that it knows is
    changed."""
    return fill_missing(
        first.model_copy(update={"ids": known_ids(first)}),
        other.model_copy(update={"ids": known_ids(other)}),
    )


def same_work(a: Paper, b: Paper) -> bool:
    """Whether two records are one paper: title, year and authors by the rules of ``match_title``;
    other arXiv ids mean other papers."""
    one, other = known_ids(a), known_ids(b)
    differ = {scheme for scheme in one.keys() & other.keys() if one[scheme] != other[scheme]}
    titles = title_similarity(a.title, b.title)
    years, people = years_agree(a.year, b.year), authors_agree(a.authors, b.authors)
    if differ & {"arXiv", "ACL"} or titles.difference or years is False or people is False:
        return False
    if titles.exact and not titles.shortened:
        return bool(people) or (years is True and a.year == b.year)
    if not titles.exact and "DOI" in differ:
        return False
    return bool(people) and (years is True or not titles.shortened)
