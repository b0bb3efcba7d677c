"""Citations in a running text by authors and year or by an identifier, and the paper that each
means.

Titles in quotation marks are found by ``coi_tui.present.bibliography``. A citation that means no known
paper is not proved false; it is one that nobody has checked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.literature.title_match import normalise_title, surname, years_agree
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line, sentences

_NAME = r"[^\W\d_]+(?:[-'’][^\W\d_]+)*"
_YEAR = r"(?:19|20)\d\d"
_BY_AUTHORS = re.compile(
    rf"(?<![\w-])(?P<first>{_NAME})(?:(?P<others>\s+et\s+al\b\.?)|\s+(?:and|&)\s+(?P<second>{_NAME}))?"
    rf"(?P<mark>['’]s)?(?P<between>,?\s*[(\[]?\s*)(?P<year>{_YEAR})[a-z]?\b"
)
_BY_ID = re.compile(
    r"\barXiv\s*:\s*\d{4}\.\d{4,5}(?:v\d+)?|\b10\.\d{4,9}/[^\s;,)\]}>]+", re.IGNORECASE
)
_NO_AUTHOR = re.compile(
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "spring|summer|autumn|fall|winter|since|until|before|after|during|from|in|by|of|to|and|the|"
    "an?|between|through|version|figure|table|section|chapter|appendix|equation|year",
    re.IGNORECASE,
)
"""Words before a year that name nobody."""

ID_MARK = re.compile(r"[,;]?\s?\[([A-Za-z]\w*:[^\s\[\]]+)\]")
"""A paper's id in square brackets, which is how a text of a session cites it."""


def marks_in(text: str, papers: Mapping[str, Paper]) -> dict[str, str]:
    """The marks of known papers in a text (``[arXiv:2201.11903]``), each with the paper's id."""
    return {f"[{m[1]}]": m[1] for m in ID_MARK.finditer(text) if m[1] in papers}


def _short_marks(papers: Iterable[Paper]) -> dict[str, str]:
    """The mark of each paper with the one that people read: authors and year, and the beginning of
    the id where two have the same."""
    found = list(papers)
    same = Counter(paper.short() for paper in found)
    return {
        f"[{p.id}]": f"[{p.short()}{f', {p.id[:12]}' if same[p.short()] > 1 else ''}]"
        for p in found
    }


def with_short_marks(text: str, papers: Mapping[str, Paper]) -> str:
    """A text to look at or to edit: each mark is authors and year (``[Wei et al. 2022]``)."""
    if "[" in text:
        cited = (papers[paper] for paper in marks_in(text, papers).values())
        for mark, short in _short_marks(cited).items():
            text = text.replace(mark, short)
    return text


def with_id_marks(text: str, papers: Mapping[str, Paper], before: str) -> str:
    """An edited text as it is stored, with ids in its marks. What is short in the text ``before``
    goes before what any other paper would be called."""
    if "[" in text:
        cited = (papers[paper] for paper in marks_in(before, papers).values())
        for mark, short in (_short_marks(papers.values()) | _short_marks(cited)).items():
            text = text.replace(short, mark)
    return text


_QUOTED = r"(?:[^\s“”\"']|'(?=\w))"
_OTHERS_WORK = re.compile(
    rf"(?<!\w)[“\"'](?=[A-Z0-9](?:{_QUOTED}|\s)*\s[A-Z0-9])(?:{_QUOTED}+\s+){{2,}}{_QUOTED}+[”\"'](?!\w)|"
    r"\b(?i:prior|previous|earlier|existing|related) (?i:work|studies|research|methods|approaches)\b"
)
"""A title in quotation marks (three words and more, of which two have a capital), or words for what
others did."""


def without_mark(text: str) -> int:
    """How many sentences name earlier work and cite no paper."""
    return sum(
        not ID_MARK.search(one) and bool(_OTHERS_WORK.search(one) or citations_in(one))
        for one in sentences(text.replace("et al.", "et al"))
    )


@dataclass(frozen=True)
class Citation:
    """A citation in a text: surnames (the first author's, and the second's where it is
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
    line = clean_line(text)
    found = sorted([*_by_authors(line), *_by_id(line)], key=lambda pair: pair[0])
    return list(dict.fromkeys(citation for _, citation in found))


def meant_by(reference: str) -> str:
    """What to look a reference up by: its DOI or arXiv id where it has one, else the part that
    reads like a title."""
    if ident := next((one.text for one in citations_in(reference) if one.ident), ""):
        return ident
    parts = [p.strip(" .,()") for p in re.split(r"[.?!](?:\s+|$)|\(\d{4}[a-z]?\)", reference)]
    return max(
        (p for p in parts if len(p.split()) >= 3),
        key=lambda p: sum(w[:1].islower() for w in p.split()),
        default=reference,
    )


def _by_id(line: str) -> Iterator[tuple[int, Citation]]:
    for match in _BY_ID.finditer(line):
        shown = match[0].rstrip(".")
        if (ident := normalise_id(shown)) is not None:
            yield match.start(), Citation(shown, ident=ident)


def _by_authors(line: str) -> Iterator[tuple[int, Citation]]:
    """Brackets or a comma make a citation of a name and a year: ``Wei (2022)``, ``(Wei, 2022)``;
    ``et al.`` needs none."""
    for match in _BY_AUTHORS.finditer(line):
        names = tuple(filter(None, (match["first"], match["second"])))
        between, before = match["between"], line[: match.start()]
        closing = ")" if "(" in between else "]" if "[" in between else ""
        inside = before.count("(") > before.count(")")
        marked = match["others"] or closing or (inside and "," in between)
        if marked and all(map(_may_be_a_surname, names)):
            sure = bool(match["others"]) or len(names) > 1
            year = int(match["year"])
            yield match.start(), Citation(match[0] + closing, names, year, sure=sure)


def _may_be_a_surname(word: str) -> bool:
    """A capital, then small letters: no acronym, and no word that comes before years."""
    return word[0].isupper() and not word.isupper() and not _NO_AUTHOR.fullmatch(word)


class CitedPapers:
    """The papers of a session by what a citation names: identifier, surnames and year, and words of
    titles."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._papers = [
            (
                own,
                p.year,
                [*map(surname, p.authors)],
                normalise_title(p.title).split(),
                {(scheme, value.casefold()) for scheme, value in known_ids(p).items()},
            )
            for own, p in sorted(papers.items())
        ]

    def find(self, citation: Citation) -> str | None:
        """The paper that a citation means, or None. A single name may also be that of a system in a
        title: ``Toolformer (2023)``."""
        if (ident := citation.ident) is not None:
            wanted = (ident[0], ident[1].casefold())
            return next((own for own, *_, ids in self._papers if wanted in ids), None)
        (first, *more), name = map(surname, citation.names), normalise_title(citation.names[0])
        near = [row for row in self._papers if years_agree(row[1], citation.year) is not False]
        found = [
            own for own, _, by, *_ in near if by and by[0] == first and set(more) <= set(by[1:])
        ]
        if not citation.sure:
            found += [own for own, *_, words, _ in near if name in words]
        return next(iter(found), None)
