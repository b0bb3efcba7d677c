"""The invented authors of the corpus, with ids, affiliations, counts and papers, for both
literature servers."""

from __future__ import annotations

import hashlib

from tests.support.standins.corpus import Corpus, Paper

AFFILIATIONS = ("Stand-in University", "Institute of Invented Science", "Example Labs")
UNKNOWN = 6
"""One name of so many has no id: the service does not know who it is."""


def number_of(name: str) -> int | None:
    """The number of an author, the same in every corpus; None for one whom the services do not
    know."""
    found = int.from_bytes(hashlib.sha256(f"author:{name}".encode()).digest()[:4], "big")
    return None if found % UNKNOWN == 0 else found


def affiliations_of(name: str) -> list[str]:
    """One place; for some authors none is known."""
    number = number_of(name) or 0
    return [AFFILIATIONS[number % 3]] if number % 4 else []


class Authors:
    """Who wrote what."""

    def __init__(self, corpus: Corpus) -> None:
        self._papers: dict[str, list[Paper]] = {}
        for paper in corpus.papers:
            for name in dict.fromkeys(paper.authors):
                self._papers.setdefault(name, []).append(paper)
        self._names = {
            number: name for name in self._papers if (number := number_of(name)) is not None
        }

    def named(self, number: object) -> str | None:
        """The name of an author's number, given as a number or as text."""
        text = str(number)
        return self._names.get(int(text)) if text.isascii() and text.isdigit() else None

    def papers(self, name: str) -> list[Paper]:
        """What an author wrote, oldest first."""
        return self._papers.get(name, [])

    def cited(self, name: str) -> int:
        return sum(paper.count for paper in self.papers(name))
