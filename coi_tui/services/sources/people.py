"""The people behind papers, by how often they come and by name alone.

Names are cleaned and cut to sane lengths here, so that none passes as it came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from coi_tui.literature.paper_limits import short_name
from coi_tui.model.papers import Paper
from coi_tui.model.text import fold_accents
from coi_tui.services.sources.types import Author, AuthoredPaper, People, Person

MOST_AUTHORS = 50
"""Authors taken of one paper: collaborations in physics have thousands, and nobody has worked with
all of them."""
BY_NAME = "people distinguished by their names alone"


def name_id(name: str) -> str:
    """The id of a person of whom only the name is known."""
    return f"name:{' '.join(fold_accents(name).split())}"


def by_frequency(authors: Mapping[str, Sequence[Author]], most: int) -> list[Author]:
    """The people behind several papers, those of most papers first, then in the order in which they
    come; at most ``most``."""
    counts: Counter[str] = Counter()
    first: dict[str, Author] = {}
    for listed in authors.values():
        for author in {author.id: author for author in listed}.values():
            counts[author.id] += 1
            first.setdefault(author.id, author)
    return sorted(first.values(), key=lambda author: -counts[author.id])[: max(0, most)]


def newest_first(papers: Iterable[AuthoredPaper], each: int) -> tuple[AuthoredPaper, ...]:
    """At most ``each`` papers of a person, the newest first; each once."""
    known = {paper.id or (paper.title, paper.year): paper for paper in papers}
    newest = sorted(known.values(), key=lambda paper: (-(paper.year or 0), paper.title))
    return tuple(newest[: max(0, each)])


def people_by_name(
    papers: Sequence[Paper],
    others: Iterable[Paper],
    most: int,
    each: int,
    *,
    source: str,
    asked_at: str | None,
) -> People:
    """The people behind ``papers`` by their names, with what they wrote of these and of ``others``;
    no request."""
    authors = {paper.id: listed for paper in papers if (listed := _named(paper))}
    chosen = by_frequency(authors, most)
    written: dict[str, list[AuthoredPaper]] = {author.id: [] for author in chosen}
    for paper in {paper.id: paper for paper in (*others, *papers)}.values():
        if mine := written.keys() & set(map(name_id, paper.authors)):
            record = AuthoredPaper(
                title=paper.title, year=paper.year, authors=_named(paper), id=paper.id
            )
            for author_id in mine:
                written[author_id].append(record)
    people = tuple(
        Person(id=author.id, name=author.name, papers=newest_first(written[author.id], each))
        for author in chosen
    )
    note = BY_NAME if people else "no authors are known of these papers"
    return People(authors=authors, people=people, note=note, asked_at=asked_at, source=source)


def _named(paper: Paper) -> tuple[Author, ...]:
    names = filter(None, map(short_name, paper.authors[:MOST_AUTHORS]))
    return tuple({name_id(name): Author(id=name_id(name), name=name) for name in names}.values())
