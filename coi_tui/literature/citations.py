"""Citations in a running text by authors and year or by an identifier, and the paper that each
means.

Titles in quotation marks are found by ``coi_tui.present.titles``. A citation that means no known
paper is not proved false; it is one that nobody has checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.literature.title_match import normalise_title, surname, years_agree
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

_NAME = r"[^\W\d_]+(?:[-'’][^\W\d_]+)*"
_YEAR = r"(?:19|20)\d\d"
_BY_AUTHORS = re.compile(
    rf"(?<![\w-])(?P<first>{_NAME})(?:(?P<others>\s+et\s+al\b\.?)|\s+(?:and|&)\s+(?P<second>{_NAME}))?"
    rf"(?P<mark>['’]s)?(?P<between>,?\s*[(\[]?\s*)(?P<year>{_YEAR})[a-z]?\b"
)
_BY_ID = re.compile(
    r"\barXiv\s*:\s*\d{4}\.\d{4,5}(?:v\d+)?|\b10\.\d{4,9}/[^\s;,)\]}>]+", re.IGNORECASE
)
_NO_AUTHOR = frozenset(
    (
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "spring",
        "summer",
        "autumn",
        "fall",
        "winter",
        "since",
        "until",
        "before",
        "after",
        "during",
        "from",
        "in",
        "by",
        "of",
        "to",
        "and",
        "the",
        "a",
        "an",
        "between",
        "through",
        "version",
        "figure",
        "table",
        "section",
        "chapter",
        "appendix",
        "equation",
        "year",
    )
)
"""Words before a year, all in lower case, that name nobody."""


@dataclass(frozen=True)
class Citation:
    """A citation as it stands in a text: surnames (the first author's, and the second's where it is
    given) and year, or an identifier.

    ``sure``: its form is that of a citation and nothing else (``et al.``, two names, an
    identifier).
    """

    text: str
    names: tuple[str, ...] = ()
    year: int | None = None
    ident: Id | None = None
    sure: bool = True


def citations_in(text: object) -> list[Citation]:
    """The citations of a text in the order met, each once."""
    said = clean_line(text)
    found = sorted([*_by_authors(said), *_by_id(said)], key=lambda pair: pair[0])
    return list(dict.fromkeys(citation for _, citation in found))


def _by_id(said: str) -> Iterator[tuple[int, Citation]]:
    for match in _BY_ID.finditer(said):
        shown = match[0].rstrip(".")
        if (ident := normalise_id(shown)) is not None:
            yield match.start(), Citation(shown, ident=ident)


def _by_authors(said: str) -> Iterator[tuple[int, Citation]]:
    for match in _BY_AUTHORS.finditer(said):
        names = tuple(name for name in (match["first"], match["second"]) if name)
        sure = bool(match["others"]) or len(names) > 1
        if all(map(_may_be_a_surname, names)) and _is_marked(said, match, sure):
            shown = match[0] + (
                ")" if "(" in match["between"] else "]" if "[" in match["between"] else ""
            )
            yield match.start(), Citation(shown, names, int(match["year"]), sure=sure)


def _may_be_a_surname(word: str) -> bool:
    """A capital, then small letters: no acronym, and no word that stands before years."""
    return word[0].isupper() and not word.isupper() and word.casefold() not in _NO_AUTHOR


def _is_marked(said: str, match: re.Match[str], sure: bool) -> bool:
    """Whether brackets or a comma make a citation of a name and a year: ``Wei (2022)``, ``(Wei,
    2022)``; ``et al.`` needs none."""
    between, inside = (
        match["between"],
        said[: match.start()].count("(") > said[: match.start()].count(")"),
    )
    bracketed = "(" in between or "[" in between
    return bool(match["others"]) or bracketed or (inside and "," in between)


class CitedPapers:
    """The papers of a session by what a citation names: identifier, surnames and year, and words of
    titles."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._by_id: dict[Id, str] = {}
        self._by_author: dict[str, list[tuple[int | None, tuple[str, ...], str]]] = {}
        self._by_word: dict[str, list[tuple[int | None, str]]] = {}
        for paper_id in sorted(papers):
            self._add(paper_id, papers[paper_id])

    def _add(self, paper_id: str, paper: Paper) -> None:
        for pair in known_ids(paper).items():
            self._by_id.setdefault((pair[0], pair[1].casefold()), paper_id)
        surnames = tuple(map(surname, paper.authors))
        if surnames:
            self._by_author.setdefault(surnames[0], []).append((paper.year, surnames, paper_id))
        for word in set(normalise_title(paper.title).split()):
            self._by_word.setdefault(word, []).append((paper.year, paper_id))

    def find(self, citation: Citation) -> str | None:
        """The paper that a citation means, or None. A single name may also be that of a system in a
        title: ``Toolformer (2023)``."""
        if citation.ident is not None:
            return self._by_id.get((citation.ident[0], citation.ident[1].casefold()))
        first, *more = map(surname, citation.names)
        for year, surnames, paper_id in self._by_author.get(first, ()):
            if years_agree(year, citation.year) is not False and all(
                name in surnames[1:] for name in more
            ):
                return paper_id
        if citation.sure:
            return None
        named = normalise_title(citation.names[0])
        return next(
            (
                paper_id
                for year, paper_id in self._by_word.get(named, ())
                if years_agree(year, citation.year) is not False
            ),
            None,
        )
