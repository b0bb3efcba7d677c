"""What the renderers of a document share: how blocks and lines come apart, so that a format only
says how each piece looks."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from coi_tui.model.address import Branch
from coi_tui.model.document import (
    Block,
    Bullets,
    Paragraph,
    Passage,
    Quote,
    Section,
    Table,
    Transcript,
)
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line
from coi_tui.present.bibliography import Bibliography

_CLAIM = re.compile(r"\b(is)\s+(novel)\b", re.IGNORECASE)
_BULLET = re.compile(r"[-*+•]\s+(?=\S)")
_NUMBER = re.compile(r"(\d{1,3})[.)]\s+(?=\S)")
_BYLINES = {
    "person": "The researcher's own words.",
    "merged": "The researcher's own words, merged with a generated text.",
}


@dataclass(frozen=True)
class ReferenceList:
    """The papers cited since the last such list, and ``also`` these; ``empty`` where there are
    none."""

    also: tuple[str, ...] = ()
    empty: str = ""


@dataclass(frozen=True)
class ChainPicture:
    """The chain of a branch and the title of its idea, for formats that show pictures."""

    state: State
    branch: Branch
    idea: str


Part = Block | ReferenceList | ChainPicture


def plain_blocks(text: str) -> Iterator[tuple[tuple[str, ...], int | None]]:
    """The paragraphs and lists of a plain text: their lines, and the number that a list begins with
    (0 for bullets, None for a paragraph). One numbered line alone is no list, and nothing is a
    heading."""
    for chunk in re.split(r"\n[ \t]*\n", clean(text).strip()):
        lines = [line for raw in chunk.split("\n") if (line := clean_line(raw))]
        numbers = [int(found[1]) if (found := _NUMBER.match(line)) else -9 for line in lines]
        forms = [
            _BULLET
            if _BULLET.match(line)
            else _NUMBER
            if n >= 0 and (n - 1 in numbers[max(0, i - 1) : i] or n + 1 in numbers[i + 1 : i + 2])
            else None
            for i, (n, line) in enumerate(zip(numbers, lines, strict=True))
        ]
        for form, group in groupby(range(len(lines)), key=forms.__getitem__):
            places = list(group)
            texts = tuple(form.sub("", lines[i], count=1) if form else lines[i] for i in places)
            yield texts, numbers[places[0]] if form is _NUMBER else None if form is None else 0


def without_claims(text: object) -> str:
    """A text on one line. An export calls nothing novel: where a text itself does, the word is in
    quotation marks."""
    return _CLAIM.sub(r"\1 “\2”", clean_line(text))


class Renderer(ABC):
    """Turns blocks into text; papers are numbered in the order in which they are rendered."""

    def __init__(self, bibliography: Bibliography) -> None:
        self.bibliography = bibliography

    # -- how a format writes the pieces

    @abstractmethod
    def escape(self, text: str) -> str:
        """A piece of a line; a blank at either end stays."""

    @abstractmethod
    def strong(self, text: str) -> str: ...

    @abstractmethod
    def link(self, address: str) -> str: ...

    @abstractmethod
    def mark(self, number: int) -> str:
        """``[3]``, which leads to the entry in the references."""

    @abstractmethod
    def section(self, title: str, body: Sequence[str], level: int) -> str: ...

    @abstractmethod
    def paragraph(self, lines: Sequence[str]) -> str: ...

    @abstractmethod
    def items(self, items: Sequence[str], start: int = 0, anchor: str = "") -> str:
        """A list, numbered from ``start`` if that is not 0. ``anchor``: what the ids of its
        entries begin with."""

    @abstractmethod
    def quote(self, text: str, shows: str) -> str: ...

    @abstractmethod
    def table(self, head: Sequence[str], rows: Sequence[tuple[list[str], list[str]]]) -> str:
        """Rows of cells, each with its rendered details."""

    def picture(self, chain: ChainPicture) -> str:
        """Nothing, in a format without pictures."""
        return ""

    def first(self, escaped: str) -> str:
        """An escaped line, fit for the start of a line."""
        return escaped

    # -- how blocks come apart

    def line(self, text: str, marks: Mapping[str, str] | None = None) -> str:
        """A line of text. ``marks``: signs in it that stand for a citation, with the ids of the
        papers."""
        pieces, signs = [text], marks or {}
        if signs:
            longest = sorted(signs, key=len, reverse=True)
            pieces = re.split(f"({'|'.join(map(re.escape, longest))})", text)
        shown = (self.cite(signs[one]) if one in signs else self.escape(one) for one in pieces)
        return self.first("".join(shown).strip())

    def cite(self, paper: str) -> str:
        """The mark of a paper; nothing for one without a record."""
        number = self.bibliography.number(paper)
        return self.mark(number) if number else ""

    def blocks(self, blocks: Iterable[Part], level: int = 2) -> list[str]:
        """Each block that has something to show. ``level`` is that of the headings among them."""
        return [text for block in blocks if (text := self._block(block, level))]

    def _block(self, block: Part, level: int) -> str:
        match block:
            case Section(name, (Paragraph(text),)) if level > 3 and "\n" not in text:
                return self.paragraph([f"{self.strong(name)}: {self.escape(text)}".strip()])
            case Section(name, (Quote(text, shows),)) if level > 3:
                return self.paragraph([self.strong(name) + self.escape(f": {shows} “{text}”")])
            case Section():
                title = " ".join(filter(None, (self.line(block.title), self.cite(block.paper))))
                body = self.blocks(block.blocks, level + 1)
                return self.section(title, body, level) if body else ""
            case Paragraph(text) if "\n" in text or _BULLET.match(text):
                return "\n\n".join(self._passage(Passage("", text)))
            case Paragraph():
                return self.paragraph([self.line(block.text)])
            case Passage():
                return "\n\n".join(self._passage(block))
            case Bullets():
                return self.items([self.line(_BULLET.sub("", i, count=1)) for i in block.items])
            case Quote():
                return self.quote(self.escape(block.text), self.escape(block.shows))
            case Table():
                return self._table(block, level)
            case Transcript():
                turns = (
                    Section(
                        f"{turn.speaker} {turn.note}".strip(), (Passage(turn.address, turn.text),)
                    )
                    for turn in block.turns
                    if turn.mark != "deleted"
                )
                return "\n\n".join(self.blocks(turns, level))
            case ReferenceList():
                return self._references(block)
            case ChainPicture():
                return self.picture(block)

    def _passage(self, passage: Passage) -> Iterator[str]:
        if passage.origin in _BYLINES:
            yield self.paragraph([self.strong(_BYLINES[passage.origin])])
        cited = {mark: paper for mark, paper in passage.cited if paper in self.bibliography.papers}
        for texts, start in plain_blocks(passage.text):
            lines = [self.line(text, cited) for text in texts]
            yield self.paragraph(lines) if start is None else self.items(lines, start)

    def _table(self, table: Table, level: int) -> str:
        rows = []
        for row in table.rows:
            cells = [self.escape(cell).strip() for cell in row.cells]
            if cells and (mark := self.cite(row.paper)):
                cells[-1] += f" {mark}"
            rows.append((cells, self.blocks(row.blocks, level)))
        return self.table([self.escape(name).strip() for name in table.head], rows) if rows else ""

    def _references(self, block: ReferenceList) -> str:
        for paper in block.also:
            self.bibliography.number(paper)
        first, papers = self.bibliography.unlisted()
        if not papers:
            return self.paragraph([self.escape(block.empty)]) if block.empty else ""
        lines = [self._reference(*self.bibliography.reference(paper)) for paper in papers]
        return self.items(lines, first, "ref-")

    def _reference(self, text: str, address: str) -> str:
        return f"{self.line(text)} {self.link(address)}" if address else self.line(text)
