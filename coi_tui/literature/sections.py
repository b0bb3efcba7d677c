"""The parts of a paper's text: its sections, its list of references, and the passage that another
text was made from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coi_tui.literature.title_match import ROMAN

NAMED = (
    "abstract|introduction|background|related works?|preliminaries|problem (?:statement|formulation)|methods?|methodology|approach|model|"
    "experiments?|experimental (?:setup|results)|evaluation|results|results and discussion|analysis|ablation(?: study)?|discussion|"
    "limitations?|ethics statement|ethical considerations|broader impacts?|conclusions?|conclusions? and future work|future work|"
    "acknowledge?ments?|references|bibliography|appendix|supplementary materials?"
)
_NAME = re.compile(rf"(?:{NAMED})", re.IGNORECASE)
_HEADING = re.compile(
    r"(?:(\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-Z](?:\.\d{1,2}){0,2})\.?\s+)?(\S.*)"
)
APPENDIX = 100
"""Added to the number of a lettered part, which comes after all others."""
_ENDINGS = (".", ",", ";", ":", "-", "?", "!")
_LIST_NAMES = frozenset({"references", "bibliography"})
MOST_HEADING = 80
"""Longer lines, in characters, are running text."""
MOST_WORDS = 10
"""So are titles of more words."""
_BRACKET = re.compile(r"^\[(\d{1,4}|[A-Za-z+]{1,8}\d{2,4}[a-z]?)\]\s+")
_DOTTED = re.compile(r"^(\d{1,4})\.\s+(?=\S)")
_AUTHOR_YEAR = re.compile(r"^()(?=[^\W\d_][^()\n]{2,200}\(?(?:19|20)\d{2}[a-z]?\)?[.,])")
"""The beginnings of entries: the mark, and what of it is no text."""


@dataclass(frozen=True)
class TextSection:
    """Characters ``start`` to ``end`` of the text, its heading included. ``number`` is as printed,
    or empty; the part before the first heading has no title."""

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
    """One entry of the list of references: its mark (``12``), its text, and where it is."""

    mark: str
    text: str
    start: int
    end: int


def sections(text: str) -> tuple[TextSection, ...]:
    """The parts in order; they cover the text from its first character to its last. A text without
    headings is one part."""
    heads = list(_headings(text))
    if not heads or heads[0][0] > 0:
        heads.insert(0, (0, "", ""))
    ends = [*(start for start, _, _ in heads[1:]), len(text)]
    return tuple(
        TextSection(title, number, start, end)
        for (start, number, title), end in zip(heads, ends, strict=True)
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


def _heading(line: str) -> re.Match[str] | None:
    """Number and title of a line that may be a heading."""
    fits = 3 <= len(line) <= MOST_HEADING and not line.endswith(_ENDINGS)
    return _HEADING.fullmatch(line) if fits else None


def _follows(place: tuple[int, ...], last: tuple[int, ...]) -> bool:
    """Whether a number is the next one at any depth, or that of the first appendix."""
    next_ones = ((*last[:depth], last[depth] + 1) for depth in range(len(last)))
    return place in ((APPENDIX + 1,), (*last, 1), *next_ones)


def _headings(text: str) -> Iterator[tuple[int, str, str]]:
    """Start, number and title of each heading. A numbered one must follow in order, so that list
    items are not taken for headings, unless it is a usual one: numbers may have been missed."""
    last: tuple[int, ...] = ()
    after_list = False
    for start, raw in _lines(text):
        found = _heading(raw.strip())
        if found is None:
            continue
        number, title = found[1] or "", found[2]
        after_list = after_list or title.casefold() in _LIST_NAMES
        named = _NAME.fullmatch(title) is not None
        if number and title[0].isupper() and len(title.split()) <= MOST_WORDS:
            place = _place(number)
            in_order = _follows(place, last) or (named and place > last)
            if in_order and (after_list or place < (APPENDIX,)):
                last = place
                yield start, number, title
        elif named and not number:
            yield start, "", title


def _place(number: str) -> tuple[int, ...]:
    """A printed number as one that can be compared: ``3.1`` as 3, 1; ``IV`` as 4; ``B`` as 102."""
    first, *rest = number.lower().split(".")
    if first.isdecimal():
        begin = int(first)
    elif first in ROMAN:
        begin = ROMAN.index(first) + 1
    else:
        begin = APPENDIX + ord(first[0]) - ord("a") + 1
    return (begin, *map(int, rest))


def section_at(parts: Sequence[TextSection], offset: int) -> TextSection:
    """The part that holds a character."""
    return parts[max(0, bisect_right([p.start for p in parts], offset) - 1)]


def references(text: str) -> tuple[Reference, ...]:
    """The entries of the last list of references; none where there is no such heading, or where
    entries cannot be separated."""
    lists = [p for p in sections(text) if p.title.casefold() in _LIST_NAMES]
    if not lists:
        return ()
    part = lists[-1]
    begin = text.find("\n", part.start, part.end) + 1 or part.start
    body = text[begin : part.end]
    for pattern in (_BRACKET, _DOTTED, _AUTHOR_YEAR):
        starts = [(at, m) for at, line in _lines(body) if (m := pattern.match(line))]
        if len(starts) >= 2 or (starts and starts[0][0] == 0):
            ends = [*(at for at, _ in starts[1:]), len(body)]
            return tuple(
                Reference(m[1], " ".join(body[at + m.end() : end].split()), begin + at, begin + end)
                for (at, m), end in zip(starts, ends, strict=True)
            )
    return ()


LEAST_SIMILARITY = 0.62
"""Below this a passage is not shown as the source of a text."""


def find_passage(text: str, excerpt: str) -> tuple[int, int] | None:
    """Start and end of the piece of ``text`` most similar to ``excerpt``, among its sentences and
    pairs of them; None where none is similar enough."""
    from rapidfuzz import fuzz, process, utils

    pieces = list(_pieces(text))
    wanted = " ".join(excerpt.split())
    if len(wanted) < 12:
        return None
    near = process.extract(
        wanted,
        [text[start:end] for start, end in pieces],
        scorer=fuzz.token_set_ratio,
        processor=utils.default_process,
        score_cutoff=LEAST_SIMILARITY * 100,
        limit=8,
    )
    # the shortest of the most similar ones
    best = min(
        (hit for hit in near if hit[1] >= near[0][1] - 3), key=lambda hit: len(hit[0]), default=None
    )
    return pieces[best[2]] if best else None


_STOP = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[(\"“])|\n\s*\n")


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Sentences and pairs of neighbours, of 40 to 1,200 characters."""
    cuts = [0, *(m.end() for m in _STOP.finditer(text)), len(text)]
    for first, second, third in zip(cuts, cuts[1:], [*cuts[2:], 0], strict=False):
        for end in (second, third):
            if 40 <= end - first <= 1200:
                yield first, end
