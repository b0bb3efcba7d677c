"""VIR-1: from the people behind some papers to masked scientists: what they work on, whom they have
written with, and the numbers by which they are invited. Everything here is pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from coi_tui.methods.base.text_tools import term_weight, terms
from coi_tui.methods.virsci.contents import Scientist
from coi_tui.model.papers import Paper
from coi_tui.services.sources.types import AuthoredPaper, People, Person

TOPICS = 4
"""Terms that say what somebody works on."""
MASK = "Scientist"


def scientists(
    people: People, papers: Sequence[Paper], most: int
) -> tuple[list[Scientist], dict[str, str]]:
    """At most ``most`` masked scientists, those of most of the papers first, and their real names
    by masked name.

    ``papers``: the records of the papers that these people were asked about; their titles count
    among what somebody has written.
    """
    listed = people.people[:most]
    masked = {person.id: f"{MASK} {n}" for n, person in enumerate(listed, start=1)}
    written = {person.id: _written(person, people, papers) for person in listed}
    met = _joint_papers(masked, written.values())
    topics = interests(
        {masked[key]: [paper.title for paper in each.values()] for key, each in written.items()}
    )
    made = [
        Scientist(
            name=masked[person.id],
            topics=topics[masked[person.id]],
            affiliation=next(iter(person.affiliations), ""),
            papers=person.paper_count or len(written[person.id]) or None,
            citations=person.citations,
            met=met.get(masked[person.id], {}),
        )
        for person in listed
    ]
    return made, {masked[person.id]: person.name for person in listed}


def _written(person: Person, people: People, papers: Sequence[Paper]) -> dict[str, AuthoredPaper]:
    """What a person has written, by title: one paper has different ids in different places."""
    own = [
        AuthoredPaper(
            title=paper.title,
            year=paper.year,
            authors=people.authors.get(paper.id, ()),
            id=paper.id,
        )
        for paper in papers
    ]
    mine = [paper for paper in own if any(author.id == person.id for author in paper.authors)]
    return {_title(paper.title): paper for paper in (*person.papers, *mine)}


def _title(text: str) -> str:
    return " ".join(sorted(terms(text))) or text.casefold()


def _joint_papers(
    masked: Mapping[str, str], written: Iterable[Mapping[str, AuthoredPaper]]
) -> dict[str, dict[str, int]]:
    """How many papers every two of the masked people have written together, each paper once
    whoever's list it stands in."""
    groups: dict[str, set[str]] = {}
    for each in written:
        for title, paper in each.items():
            groups.setdefault(title, set()).update(
                masked[author.id] for author in paper.authors if author.id in masked
            )
    counts = Counter(pair for group in groups.values() for pair in permutations(group, 2))
    met: dict[str, dict[str, int]] = {}
    for (one, other), number in sorted(counts.items()):
        met.setdefault(one, {})[other] = number
    return met


def interests(titles: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """For each name the terms that tell best what it works on: frequent in its own titles, rare in
    those of the others."""
    counts: dict[str, Counter[str]] = {}
    spelt: dict[str, str] = {}
    for name, each in titles.items():
        found: Counter[str] = Counter()
        for title in each:
            known = terms(title)
            found.update(known.keys())
            for stem, word in known.items():
                shown = word if word.isupper() else word.casefold()  # an acronym stays one
                spelt[stem] = min(spelt.get(stem, shown), shown)
        counts[name] = found
    spread = Counter(stem for found in counts.values() for stem in found)
    rare = {stem: math.log((1 + len(counts)) / (1 + number)) + 1 for stem, number in spread.items()}

    def weight(found: Counter[str], stem: str) -> tuple[float, str]:
        return (-round(found[stem] * term_weight(stem) * rare[stem], 9), stem)

    return {
        name: [spelt[s] for s in sorted(found, key=lambda s, f=found: weight(f, s))[:TOPICS]]  # type: ignore[misc]
        for name, found in counts.items()
    }
