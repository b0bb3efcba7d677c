"""The people behind papers: reading the records of authors that services give, and who wrote what
by name alone.

Text from outside is cleaned and cut to sane lengths here, so that no source lets a name or title
through as it came.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from coi_tui.literature.paper_limits import possible_year, short_name, short_title
from coi_tui.literature.title_match import show_title
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line, fold_accents
from coi_tui.services.sources.service_answers import as_dict, as_list, whole_number
from coi_tui.services.sources.types import Author, AuthoredPaper, People, Person

MOST_AUTHORS = 50
"""Authors kept of one paper: collaborations in physics have thousands, and nobody has worked with
all of them."""
AFFILIATIONS = 3
"""Affiliations kept of one person."""
BY_NAME = "people told apart by their names alone"
_S2_AUTHOR = re.compile(r"\d{1,15}", re.ASCII)


def name_id(name: str) -> str:
    """The id of a person of whom only the name is known."""
    return f"name:{' '.join(fold_accents(name).split())}"


def by_frequency(authors: Mapping[str, Sequence[Author]], most: int) -> list[Author]:
    """The people behind several papers, those of most papers first, then in the order in which they
    come; at most ``most``."""
    counts: Counter[str] = Counter()
    first: dict[str, Author] = {}
    for listed in authors.values():
        counts.update({author.id for author in listed})
        for author in listed:
            first.setdefault(author.id, author)
    order = {author_id: place for place, author_id in enumerate(first)}
    return sorted(first.values(), key=lambda author: (-counts[author.id], order[author.id]))[
        : max(0, most)
    ]


def newest_first(papers: Iterable[AuthoredPaper], each: int) -> tuple[AuthoredPaper, ...]:
    """At most ``each`` papers of a person, the newest first; each once."""
    told = {paper.id or (paper.title, paper.year): paper for paper in papers}
    return tuple(
        sorted(told.values(), key=lambda paper: (-(paper.year or 0), paper.title))[: max(0, each)]
    )


# By name alone


def people_by_name(
    papers: Sequence[Paper],
    held: Iterable[Paper],
    most: int,
    each: int,
    *,
    source: str,
    asked_at: str | None,
) -> People:
    """The people behind ``papers`` by their names, with what they wrote of these and of ``held``;
    no request."""
    authors = {paper.id: listed for paper in papers if (listed := _named(paper))}
    known = {paper.id: paper for paper in (*held, *papers)}
    written: dict[str, list[AuthoredPaper]] = {
        author.id: [] for author in by_frequency(authors, most)
    }
    for paper in known.values():
        if told := written.keys() & {name_id(name) for name in paper.authors}:
            record = AuthoredPaper(
                title=paper.title, year=paper.year, authors=_named(paper), id=paper.id
            )
            for author_id in told:
                written[author_id].append(record)
    people = tuple(
        Person(id=author.id, name=author.name, papers=newest_first(written[author.id], each))
        for author in by_frequency(authors, most)
    )
    note = BY_NAME if people else "no authors are known of these papers"
    return People(
        authors=authors, people=people, by_name=True, note=note, asked_at=asked_at, source=source
    )


def joined_by_name(first: People, more: People, each: int) -> People:
    """``first`` with the papers that another answer by name has of the same people."""
    others = {person.id: person.papers for person in more.people}
    people = tuple(
        person.model_copy(
            update={"papers": newest_first((*others.get(person.id, ()), *person.papers), each)}
        )
        for person in first.people
    )
    return first.model_copy(update={"people": people})


def _named(paper: Paper) -> tuple[Author, ...]:
    names = (short_name(name) for name in paper.authors[:MOST_AUTHORS])
    return tuple(
        {name_id(name): Author(id=name_id(name), name=name) for name in names if name}.values()
    )


# Semantic Scholar


def s2_authors(rows: object) -> tuple[Author, ...]:
    """The authors of a paper object. One without an id (the service has not told who it is) goes by
    name."""
    found: dict[str, Author] = {}
    for row in map(as_dict, as_list(rows)[:MOST_AUTHORS]):
        if name := short_name(row.get("name")):
            author = Author(id=_s2_id(row.get("authorId")) or name_id(name), name=name)
            found.setdefault(author.id, author)
    return tuple(found.values())


def s2_person(row: object, each: int, today: str) -> Person | None:
    """The person of an author object; None for one without an id."""
    record = as_dict(row)
    own = _s2_id(record.get("authorId"))
    if not own:
        return None
    papers = (_s2_paper(as_dict(paper), today) for paper in as_list(record.get("papers")))
    places = (
        short_name(one) for one in as_list(record.get("affiliations")) if isinstance(one, str)
    )
    return Person(
        id=own,
        name=short_name(record.get("name")) or own,
        affiliations=tuple(dict.fromkeys(filter(None, places)))[:AFFILIATIONS],
        citations=whole_number(record.get("citationCount")),
        paper_count=whole_number(record.get("paperCount")),
        papers=newest_first((paper for paper in papers if paper), each),
    )


def _s2_paper(paper: dict[str, object], today: str) -> AuthoredPaper | None:
    title, own = short_title(show_title(paper.get("title"))), clean_line(paper.get("paperId"))
    if not title:
        return None
    return AuthoredPaper(
        title=title,
        year=possible_year(whole_number(paper.get("year")), today),
        authors=s2_authors(paper.get("authors")),
        id=f"S2:{own}" if len(own) <= 64 and own.isalnum() else "",
    )


def s2_number(author: Author) -> str:
    """The service's own id of an author; empty for one without."""
    return author.id.removeprefix("S2:") if author.id.startswith("S2:") else ""


def _s2_id(value: object) -> str:
    text = clean_line(value)
    return f"S2:{text}" if _S2_AUTHOR.fullmatch(text) else ""
