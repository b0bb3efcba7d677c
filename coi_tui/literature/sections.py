"""The parts of a paper's text: its sections, its list of references, and the passage that another text was made from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

NAMED = (
    "abstract|introduction|background|related works?|preliminaries|problem (?:statement|formulation)|methods?|methodology|approach|model|"
    "experiments?|experimental (?:setup|results)|evaluation|results|results and discussion|analysis|ablation(?: study)?|discussion|"
    "limitations?|ethics statement|ethical considerations|broader impacts?|conclusions?|conclusions? and future work|future work|"
    "acknowledge?ments?|references|bibliography|appendix|supplementary materials?"
)
_NAME = re.compile(rf"(?:{NAMED})", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,2}|[IVX]{1,5})(?P<dot>\.?)\s+(?P<title>\S.*)"
)
_ENDINGS = (".", ",", ";", ":", "-", "?", "!")
_LIST_NAMES = frozenset({"references", "bibliography"})
MOST_HEADING = 80
"""Longer lines, in characters, are running text."""
_BRACKET = re.compile(r"^\[(\d{1,4}|[A-Za-z+]{1,8}\d{2,4}[a-z]?)\]\s+")
_DOTTED = re.compile(r"^(\d{1,4})\.\s+(?=\S)")
_AUTHOR_YEAR = re.compile(r"^[^\W\d_][^()\n]{2,200}\(?(?:19|20)\d{2}[a-z]?\)?[.,]")
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


@dataclass(frozen=True)
class Section:
    """Characters ``start`` to ``end`` of the text, its heading included. ``number`` is as printed, or empty; the part before the first
    heading has no title."""

    title: str
    number: str
    start: int
    end: int

    @property
    def depth(self) -> int:
        """0 for a section, 1 for a subsection, and so on."""
        return self.number.count(".")

    @property
    def shown(self) -> str:
        return f"{self.number} {self.title}".strip()


@dataclass(frozen=True)
class Reference:
    """One entry of the list of references: its mark (``12``), its text, and where it stands."""

    mark: str
    text: str
    start: int
    end: int

    @property
    def year(self) -> int | None:
        years = _YEAR.findall(self.text)
        return int(years[-1]) if years else None


@dataclass(frozen=True)
class Passage:
    """A piece of the text that is similar to another text; ``score`` 0 to 1 (share of words in common)."""

    start: int
    end: int
    score: float


def sections(text: str) -> tuple[Section, ...]:
    """The parts in order; they cover the text from its first character to its last. A text without headings is one part."""
    heads = list(_headings(text))
    starts = [start for start, _, _ in heads]
    parts = (
        [Section("", "", 0, starts[0] if starts else len(text))]
        if not starts or starts[0] > 0
        else []
    )
    ends = [*starts[1:], len(text)] if heads else []
    return (
        *parts,
        *(
            Section(title, number, start, end)
            for (start, number, title), end in zip(heads, ends, strict=True)
        ),
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


def _headings(text: str) -> Iterator[tuple[int, str, str]]:
    """Start, number and title of each heading. A numbered one must follow in order, so that list items are not taken for headings."""
    last = ""
    after_list = False
    for start, raw in _lines(text):
        line = raw.strip()
        if not 3 <= len(line) <= MOST_HEADING or line.endswith(_ENDINGS):
            continue
        if _NAME.fullmatch(line):
            after_list = after_list or line.casefold() in _LIST_NAMES
            yield start, "", line
            continue
        found = _NUMBER.fullmatch(line)
        if found is None or not _titled(found["title"]):
            continue
        number = found["number"]
        if _follows(
            last, number, named=bool(_NAME.fullmatch(found["title"])), after_list=after_list
        ):
            last = number
            yield start, number, found["title"]


def _titled(title: str) -> bool:
    """Whether the words after a number look like a heading: they begin with a capital and are few."""
    words = title.split()
    return title[0].isupper() and len(words) <= 10 and any(len(w) > 2 for w in words)


_ROMAN = {
    r: n
    for n, r in enumerate(
        ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"), start=1
    )
}


def _follows(last: str, number: str, *, named: bool, after_list: bool) -> bool:
    """Whether a section number may come after the last one.

    That is 3 or 2.1 after 2, 2.2 after 2.1, IV after III, and A after the references. ``named``: the heading is a usual one, so that
    numbers may have been missed before it.
    """
    if number in _ROMAN and (not last or last in _ROMAN):
        return _ROMAN[number] == _ROMAN.get(last, 0) + 1
    if number[0].isalpha():
        return _letter_follows(last, number, after_list=after_list)
    if after_list or last[:1].isalpha():
        return False
    return _digits_follow(_levels(last or "0"), _levels(number), named=named)


def _digits_follow(old: list[int], new: list[int], *, named: bool) -> bool:
    if len(new) == 1:
        return new[0] == old[0] + 1 or (named and new[0] > old[0])
    return new in [[*old, 1], *([*old[:depth], old[depth] + 1] for depth in range(1, len(old)))]


def _letter_follows(last: str, number: str, *, after_list: bool) -> bool:
    """Whether a lettered appendix (A, A.1, B) may come after the last heading."""
    if "." in number:
        return last.partition(".")[0] == number[0]
    return after_list and (
        number == "A" or (last[:1].isalpha() and ord(number) == ord(last[0]) + 1)
    )


def _levels(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


def section_at(parts: Sequence[Section], offset: int) -> Section:
    """The part that holds a character."""
    return parts[max(0, bisect_right([p.start for p in parts], offset) - 1)]


def references(text: str) -> tuple[Reference, ...]:
    """The entries of the last list of references; none where there is no such heading, or where entries cannot be separated."""
    lists = [p for p in sections(text) if p.title.casefold() in _LIST_NAMES]
    if not lists:
        return ()
    part = lists[-1]
    body = text[part.start : part.end]
    first = body.find("\n") + 1
    for pattern in (_BRACKET, _DOTTED, _AUTHOR_YEAR):
        starts = [(at, m) for at, line in _lines(body[first:]) if (m := pattern.match(line))]
        if len(starts) >= 2 or (starts and starts[0][0] == 0):
            return tuple(_entries(body[first:], part.start + first, starts))
    return ()


def _entries(
    body: str, offset: int, starts: Sequence[tuple[int, re.Match[str]]]
) -> Iterator[Reference]:
    ends = [at for at, _ in starts[1:]] + [len(body)]
    for (at, found), end in zip(starts, ends, strict=True):
        mark = found[1] if found.re.groups else ""
        skip = found.end() if found.re.groups else 0
        yield Reference(mark, " ".join(body[at + skip : end].split()), offset + at, offset + end)


LEAST_SIMILARITY = 0.62
"""Below this a passage is not shown as the source of a text."""


def find_passage(text: str, excerpt: str) -> Passage | None:
    """The piece of ``text`` most similar to ``excerpt``, among its sentences and pairs of them; None where none is similar enough."""
    from rapidfuzz import fuzz, process, utils

    pieces = list(_pieces(text))
    wanted = " ".join(excerpt.split())
    if not pieces or len(wanted) < 12:
        return None
    shown = [text[start:end] for start, end in pieces]
    near = process.extract(
        wanted,
        shown,
        scorer=fuzz.token_set_ratio,
        processor=utils.default_process,
        score_cutoff=LEAST_SIMILARITY * 100,
        limit=8,
    )
    if not near:
        return None
    _, score, n = min(
        (hit for hit in near if hit[1] >= near[0][1] - 3), key=lambda hit: len(hit[0])
    )  # the shortest of the most similar ones
    return Passage(*pieces[n], score / 100)


_STOP = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[(\"“])|\n\s*\n")


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Sentences and pairs of neighbours, of 40 to 1,200 characters."""
    cuts = [0, *(m.end() for m in _STOP.finditer(text)), len(text)]
    spans = list(pairwise(cuts))
    for n, (start, end) in enumerate(spans):
        if 40 <= end - start <= 1200:
            yield start, end
        if n + 1 < len(spans) and 40 <= spans[n + 1][1] - start <= 1200:
            yield start, spans[n + 1][1]
