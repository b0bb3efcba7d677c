"""What the renderers of a document share: how blocks and lines come apart, so that a format only
says how each piece looks."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from coi_tui.literature.citations import marks_in
from coi_tui.model.document import (
    Block,
    Bullets,
    Citation,
    PaperList,
    Paragraph,
    Passage,
    Quote,
    Section,
    Strong,
    Table,
    Transcript,
)
from coi_tui.model.text import clean, clean_line
from coi_tui.present.bibliography import Bibliography, Link, Mark

_CLAIM = re.compile(r"\b(is)\s+(novel)\b", re.IGNORECASE)
_BULLET = re.compile(r"[-*+•]\s+(?=\S)")
_NUMBER = re.compile(r"(\d{1,3})[.)]\s+(?=\S)")
_BYLINES = {
    "person": "The researcher's own words.",
    "merged": "The researcher's own words, merged with a generated text.",
}

Piece = str | Citation | Strong | Mark | Link
RichLine = str | tuple[Piece, ...]
"""A line of a document, also with what only the bibliography puts there."""


@dataclass(frozen=True)
class ReferenceList:
    """The papers cited since the last such list, and ``also`` these; ``empty`` where there are
    none."""

    also: tuple[str, ...] = ()
    empty: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture as SVG, for formats that show pictures."""

    svg: str


Part = Block | ReferenceList | Figure


@dataclass(frozen=True)
class PlainBlock:
    """Lines of a plain text that belong together. ``start``: 0 for a list with bullets, its first
    number for a list with numbers, None for a paragraph."""

    lines: tuple[str, ...]
    start: int | None = None


def plain_blocks(text: str) -> Iterator[PlainBlock]:
    """The paragraphs and lists of a plain text. One numbered line alone is no list, and nothing is
    a heading."""
    for chunk in re.split(r"\n[ \t]*\n", clean(text).strip()):
        lines = [line for raw in chunk.split("\n") if (line := clean_line(raw))]
        numbers = [int(found[1]) if (found := _NUMBER.match(line)) else -9 for line in lines]
        kinds = [
            "bullets"
            if _BULLET.match(line)
            else "numbers"
            if n >= 0
            and ((n - 1) in numbers[max(0, i - 1) : i] or (n + 1) in numbers[i + 1 : i + 2])
            else ""
            for i, (n, line) in enumerate(zip(numbers, lines, strict=True))
        ]
        for kind, group in groupby(range(len(lines)), key=kinds.__getitem__):
            places = list(group)
            form = {"bullets": _BULLET, "numbers": _NUMBER}.get(kind)
            texts = tuple(form.sub("", lines[i], count=1) if form else lines[i] for i in places)
            start = {"bullets": 0, "numbers": numbers[places[0]]}.get(kind)
            yield PlainBlock(texts, start)


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
    def link(self, text: str, address: str) -> str: ...

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
    def entry(self, line: str, notes: Sequence[str]) -> str:
        """An item of a list with a list of notes below it."""

    @abstractmethod
    def quote(self, text: str, shows: str) -> str: ...

    @abstractmethod
    def table(self, head: Sequence[str], rows: Sequence[tuple[list[str], list[str]]]) -> str:
        """Rows of cells, each with its rendered details."""

    def figure(self, svg: str) -> str:
        """Nothing, in a format without pictures."""
        return ""

    def inline(self, line: RichLine) -> str:
        """A line with citations as ``Wei et al. 2022 [3]``."""
        return "".join(map(self._piece, (line,) if isinstance(line, str) else line)).strip()

    def line(self, line: RichLine) -> str:
        """The same, fit for the start of a line."""
        return self.inline(line)

    # -- how blocks come apart

    def blocks(self, blocks: Iterable[Part], level: int = 2) -> list[str]:
        """Each block that has something to show. ``level`` is that of the headings among them."""
        return [text for block in blocks if (text := self._block(block, level))]

    def _block(self, block: Part, level: int) -> str:
        match block:
            case Section(str() as name, (Paragraph(str() as text),)) if (
                level > 3 and "\n" not in text
            ):
                return self.paragraph([self.line((Strong(name), ": ", text))])
            case Section(str() as name, (Quote(text, shows),)) if level > 3:
                return self.paragraph([self.line((Strong(name), f": {shows} “{text}”"))])
            case Section():
                title, body = self.line(block.title), self.blocks(block.blocks, level + 1)
                return self.section(title, body, level) if body else ""
            case Paragraph(str() as text) if "\n" in text or _BULLET.match(text):
                return "\n\n".join(self._passage(Passage("", text)))
            case Paragraph():
                return self.paragraph([self.line(block.text)])
            case Passage():
                return "\n\n".join(self._passage(block))
            case Bullets():
                return self.items([self.line(_unmarked(item)) for item in block.items])
            case PaperList():
                return self._papers(block)
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
            case Figure():
                return self.figure(block.svg)

    def _passage(self, passage: Passage) -> Iterator[str]:
        if passage.origin in _BYLINES:
            yield self.paragraph([self.strong(_BYLINES[passage.origin])])
        papers = self.bibliography.papers
        cited = {mark: paper for mark, paper in passage.cited if paper in papers}
        cited |= marks_in(passage.text, papers)
        marks = re.compile("|".join(map(re.escape, sorted(cited, key=len, reverse=True))))
        for block in plain_blocks(passage.text):
            lines = [
                self.line(tuple(_marked(line, marks, cited)) if cited else line)
                for line in block.lines
            ]
            yield self.paragraph(lines) if block.start is None else self.items(lines, block.start)

    def _papers(self, block: PaperList) -> str:
        for entry in block.entries:  # numbered in this order, whatever the notes name
            self.bibliography.number(entry.paper)
        entries = [
            self.entry(
                self.line(self.bibliography.titled(entry.paper)), list(map(self.line, entry.notes))
            )
            for entry in block.entries
        ]
        return self.items(entries, start=1) if entries else ""

    def _table(self, table: Table, level: int) -> str:
        rows = []
        for row in table.rows:
            cells = [self.inline(cell) for cell in row.cells]
            if row.paper in self.bibliography.papers and cells:
                cells[-1] += " " + self._piece(Mark(row.paper))
            rows.append((cells, self.blocks(row.blocks, level)))
        return self.table([self.inline(name) for name in table.head], rows) if rows else ""

    def _references(self, block: ReferenceList) -> str:
        for paper in block.also:
            self.bibliography.number(paper)
        first, papers = self.bibliography.unlisted()
        if not papers:
            return self.paragraph([self.escape(block.empty)]) if block.empty else ""
        lines = [self.line(self.bibliography.reference(paper)) for paper in papers]
        return self.items(lines, first, "ref-")

    def _piece(self, piece: Piece) -> str:
        match piece:
            case str():
                return self.escape(piece)
            case Strong():
                return self.strong(piece.text)
            case Link():
                return self.link(piece.text, piece.address)
            case Mark():
                number = self.bibliography.number(piece.paper)
                return self.mark(number) if number else ""
            case Citation():
                paper = self.bibliography.papers.get(piece.paper)
                if paper is None:
                    return self.escape(f"{piece.paper} (no record of this paper in the session)")
                return f"{self.escape(paper.short())} {self._piece(Mark(piece.paper))}"


def _unmarked(item: RichLine) -> RichLine:
    """An item of a list without a bullet of its own."""
    return _BULLET.sub("", item, count=1) if isinstance(item, str) else item


def _marked(line: str, marks: re.Pattern[str], cited: dict[str, str]) -> Iterator[Piece]:
    """A line in pieces; each mark is one."""
    end = 0
    for found in marks.finditer(line):
        yield line[end : found.start()]
        yield Mark(cited[found[0]])
        end = found.end()
    yield line[end:]
