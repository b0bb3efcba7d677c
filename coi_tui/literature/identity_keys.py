"""Keys under which records of one paper find each other, so that a record is compared with those alone that may be the same.

Two records are one paper when they share an identifier, or when their titles and people agree (``deduplication``). Titles agree in three
ways, and for each there is a key that both records have: the same letters; one of them without its subtitle; at most two typing errors.

For typing errors the letters are dealt into five groups, and a title is split into what it has of each. A wrong letter, one too few or
too many, or two in the wrong order change at most two of the groups, two errors at most four: so one group is untouched, wherever
in the titles the errors are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from coi_tui.literature.ids import known_ids
from coi_tui.literature.title_match import compact_title, numbers_of, short_titles, surnames
from coi_tui.model.papers import Paper

GROUPS = 5
"""Groups of letters: one more than two errors can touch."""
_DEALT = {
    letter: n
    for n, letters in enumerate(("edgvz", "tlhkx", "acsj", "oiupq", "nrmfwyb"))
    for letter in letters
}


def _group_of(letter: str) -> int:
    return _DEALT.get(letter, ord(letter) % GROUPS)


_OTHERS = [bytes(code for code in range(128) if _group_of(chr(code)) != n) for n in range(GROUPS)]
"""By group: the ASCII letters of the others."""


@dataclass(frozen=True)
class Features:
    """What a record is found by. ``kept`` are the keys it is stored under, ``asked`` those under which others that may be the same are."""

    ids: tuple[str, ...]
    title: str
    people: tuple[str, ...]
    year: int | None
    has_arxiv: bool
    signature: tuple[object, ...] = field(repr=False)
    """Records of one signature are the same to every other, apart from the values of their identifiers."""
    shortened: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    def kept(self) -> Iterator[str]:
        yield from self.ids
        if not self.title:
            return
        arxiv = "a" if self.has_arxiv else "-"
        for name in self.people:
            yield f"t{arxiv}{self.title}|{name}"
            yield from (f"h{short}|{name}" for short in self.shortened)
        if self.year is not None:
            yield f"y{self.title}|{self.year}"
            if not self.people:
                yield f"n{self.title}|{self.year}"

    def asked(self) -> Iterator[str]:
        yield from self.ids
        if not self.title:
            return
        yield from self.with_title(self.title)
        for name in self.people:
            yield f"h{self.title}|{name}"
        for short in self.shortened:
            yield from self.with_title(short)
        if (
            self.year is not None
        ):  # a title and a year are enough only where one of the two names nobody
            yield f"{'n' if self.people else 'y'}{self.title}|{self.year}"

    def with_title(self, title: str) -> Iterator[str]:
        """Keys of records with a title that share a surname. Other arXiv ids mean other papers: one with an id asks for those without."""
        for name in self.people:
            yield f"t-{title}|{name}"
            if not self.has_arxiv:
                yield f"ta{title}|{name}"


def features(paper: Paper) -> Features:
    """The features of a record."""
    ids, title = known_ids(paper), compact_title(paper.title)
    return Features(
        ids=(f"i|{paper.id}", *(f"i{scheme}|{value}" for scheme, value in ids.items())),
        title=title,
        people=tuple(sorted(surnames(paper.authors))),
        year=paper.year,
        has_arxiv="arXiv" in ids,
        signature=(
            paper.title,
            paper.year,
            paper.authors,
            "arXiv" in ids,
            "ACL" in ids,
            "DOI" in ids,
        ),
        shortened=short_titles(paper.title),
        near=_near_keys(paper.title, title),
    )


def _near_keys(title: str, compact: str) -> tuple[str, ...]:
    """Keys of which a title shares at least one with each other title that differs by two typing errors; numbers must be the same."""
    if not compact:
        return ()
    numbers = "|".join(map(".".join, numbers_of(title)))
    return tuple(f"{n}|{numbers}|{part}" for n, part in enumerate(_dealt(compact)))


def _dealt(compact: str) -> list[str]:
    """What a title has of each group of letters."""
    if compact.isascii():
        letters = compact.encode("ascii")
        return [letters.translate(None, others).decode("ascii") for others in _OTHERS]
    parts: list[list[str]] = [[] for _ in range(GROUPS)]
    for letter in compact:
        parts[_group_of(letter)].append(letter)
    return ["".join(part) for part in parts]
