"""The proposal in Markdown, from which the other formats are made.

Text from outside stays text: for CommonMark, GitHub's flavour and pandoc's no markup, link,
citation, heading, list, table cell, HTML or mathematics comes out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from coi_tui.literature.citations import marks_in
from coi_tui.model.document import (
    Bullets,
    Paragraph,
    Passage,
    Quote,
    Section,
    Table,
    Transcript,
)
from coi_tui.model.text import clean, clean_line, joined
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.formats import Format
from coi_tui.present.proposal import ChainPicture, ExportBlock, Proposal, ReferenceList
from coi_tui.present.snapshot import ProposalOptions, SessionSnapshot

_SPECIAL = re.compile(r"[\\`*_\[\]{}|~^$]")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_TAG = re.compile(r"(?=<[A-Za-z/!?])")
_MENTION = re.compile(r"(?<![^\W_])@(?=\w)|@(?=[\w.-]+\.\w)")
"""What opens a tag, a citation of pandoc, or an address of mail. Elsewhere the signs stay as they
are, for people read the file too (``p < 0.05``, ``recall@10``)."""
_LINK = re.compile(r"(?<=\w)(?=://)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_BLOCK = re.compile(r"^(?=[#>+=:-])")
_NUMBERED = re.compile(r"^(\(?(?:\d{1,9}|[A-Za-z]|[ivxlcdm]+|[IVXLCDM]+))([.)])(?=\s|$)")
"""The number of a list: for pandoc also a letter or a Roman number, and one in brackets."""


_CLAIM = re.compile(r"\b(is)\s+(novel)\b", re.IGNORECASE)
_BULLET = re.compile(r"[-*+•]\s+(?=\S)")
_NUMBER = re.compile(r"(\d{1,3})[.)]\s+(?=\S)")
PANDOC_LIST = "::: {#refs}\n:::"
"""Where pandoc puts the references."""
NOT_CONFIRMED = "Named in the text and not confirmed:"
_BYLINES = {
    "person": "The researcher's own words.",
    "merged": "The researcher's own words, merged with a generated text.",
}


def _forms(lines: Sequence[str], numbers: Sequence[int]) -> Iterator[re.Pattern[str] | None]:
    """The mark with which each line begins as an item of a list: a number counts beside the next."""
    for i, (n, line) in enumerate(zip(numbers, lines, strict=True)):
        in_order = n - 1 in numbers[max(0, i - 1) : i] or n + 1 in numbers[i + 1 : i + 2]
        yield _BULLET if _BULLET.match(line) else _NUMBER if n >= 0 and in_order else None


def plain_blocks(text: str) -> Iterator[tuple[tuple[str, ...], int | None]]:
    """The paragraphs and lists of a plain text: their lines, and the number that a list begins with
    (0 for bullets, None for a paragraph). One numbered line alone is no list, and nothing is a
    heading."""
    for chunk in re.split(r"\n[ \t]*\n", clean(text).strip()):
        lines = [line for raw in chunk.split("\n") if (line := clean_line(raw))]
        numbers = [int(found[1]) if (found := _NUMBER.match(line)) else -9 for line in lines]
        forms = list(_forms(lines, numbers))
        for form, group in groupby(range(len(lines)), key=forms.__getitem__):
            places = list(group)
            texts = tuple(form.sub("", lines[i], count=1) if form else lines[i] for i in places)
            yield texts, numbers[places[0]] if form is _NUMBER else None if form is None else 0


def without_claims(text: object) -> str:
    """A text on one line. An export calls nothing novel: where a text itself does, the word is in
    quotation marks."""
    return _CLAIM.sub(r"\1 “\2”", clean_line(text))


@dataclass
class Markdown:
    """Turns blocks into Markdown; papers are numbered in the order in which they are rendered.
    ``pandoc``: citations are keys, and pandoc makes the list of references."""

    bibliography: Bibliography
    pandoc: bool = False
    paragraphs: dict[str, list[str]] = field(default_factory=dict)
    """Those of the session's texts that were rendered, by address. Their places are their numbers."""

    # -- the pieces

    def escape(self, text: str) -> str:
        escaped = _SPECIAL.sub(lambda m: "\\" + m[0], without_claims(text))
        escaped = _LINK.sub(r"\\", _TAG.sub(r"\\", _ENTITY.sub(r"\\&", escaped)))
        escaped = _MENTION.sub("&#64;", escaped)
        before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
        return f"{before}{escaped}{after}" if escaped else before

    def first(self, escaped: str) -> str:
        """Nothing in it begins a heading, a list or a quotation."""
        return _BLOCK.sub("\\\\", _NUMBERED.sub(r"\1\\\2", escaped))

    def strong(self, text: str) -> str:
        return f"**{self.escape(text).strip()}**"

    def items(self, items: Sequence[str], start: int = 0, anchor: str = "") -> str:
        out = []
        for n, item in enumerate(items, start):
            number = f"{n}. " if start else "- "
            target = f'<span id="{anchor}{n}"></span>' if anchor else ""
            out.append(f"{number}{target}{item}".replace("\n", f"\n{' ' * len(number)}"))
        return "\n".join(out)

    def picture(self, chain: ChainPicture) -> str:
        """Nothing: there is none in Markdown."""
        return ""

    def mark(self, address: str, number: int) -> str:
        """Nothing: Markdown shows no numbers of paragraphs."""
        return ""

    # -- how blocks come apart

    def line(self, text: str, marks: Mapping[str, str] = {}) -> str:
        """A line of text. ``marks``: signs in it that stand for a citation, with the ids of the
        papers."""
        pieces = [text]
        if marks:
            longest = sorted(marks, key=len, reverse=True)
            pieces = re.split(f"({'|'.join(map(re.escape, longest))})", text)
        shown = (self.cite(marks[one]) if one in marks else self.escape(one) for one in pieces)
        return self.first("".join(shown).strip())

    def cite(self, paper: str) -> str:
        """The mark of a paper; nothing for one without a record."""
        if self.pandoc:
            key = self.bibliography.key(paper)
            return f"[@{key}]" if key else ""
        number = self.bibliography.number(paper)
        return f"[\\[{number}\\]](#ref-{number})" if number else ""

    def blocks(self, blocks: Iterable[ExportBlock], level: int = 2) -> list[str]:
        """Each block that has something to show. ``level`` is that of the headings among them."""
        return [text for block in blocks if (text := self._block(block, level))]

    def _block(self, block: ExportBlock, level: int) -> str:
        match block:
            case Section(name, (Paragraph(text),)) if level > 3 and "\n" not in text:
                return f"{self.strong(name)}: {self.escape(text)}".strip()
            case Section(name, (Quote(text, shows),)) if level > 3:
                return self.strong(name) + self.escape(f": {shows} “{text}”")
            case Section():
                title = joined(" ", self.line(block.title), self.cite(block.paper))
                body = self.blocks(block.blocks, level + 1)
                return "\n\n".join([f"{'#' * min(level, 6)} {title}", *body]) if body else ""
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
            case _:
                return self._text(block)

    def _text(self, block: Paragraph | Passage | Bullets | Quote) -> str:
        match block:
            case Paragraph(text) if "\n" in text or _BULLET.match(text):
                return "\n\n".join(self._passage(Passage("", text)))
            case Paragraph():
                return self.line(block.text)
            case Passage():
                return "\n\n".join(self._passage(block))
            case Bullets():
                return self.items([self.line(_BULLET.sub("", i, count=1)) for i in block.items])
            case Quote():
                shows = f" ({self.escape(block.shows)})" if block.shows else ""
                return f"> “{self.escape(block.text).strip()}”{shows}"

    def _passage(self, passage: Passage) -> Iterator[str]:
        if passage.origin in _BYLINES:
            yield self.strong(_BYLINES[passage.origin])
        papers = self.bibliography.papers
        cited = {mark: paper for mark, paper in passage.cited if paper in papers}
        cited |= marks_in(passage.text, papers)
        for texts, start in plain_blocks(passage.text):
            lines = [self.line(text, cited) for text in texts]
            known = self.paragraphs.setdefault(passage.address, [])
            known.append(" ".join(texts))
            shown = "  \n".join(lines) if start is None else self.items(lines, start)
            yield f"{self.mark(passage.address, len(known))}{shown}"

    def _table(self, table: Table, level: int) -> str:
        """The rows, then the details of each under its last cell."""
        lines, details = [[self.escape(name).strip() for name in table.head]], list[str]()
        lines.append(["---" for _ in table.head])
        for row in table.rows:
            cells = [self.escape(cell).strip() for cell in row.cells]
            cells[-1] = f"{cells[-1]} {self.cite(row.paper)}".strip()
            lines.append(cells)
            if body := self.blocks(row.blocks, level):
                details += [f"**{cells[-1]}**", *body]
        shown = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        return "\n\n".join([shown, *details]) if table.rows else ""

    def _references(self, block: ReferenceList) -> str:
        cited = len(self.bibliography.entries())
        for paper in block.also:
            self.bibliography.number(paper)
        further = self.bibliography.entries()[cited:]
        first, papers = self.bibliography.unlisted()
        lines = []
        for one in papers:
            text, address = self.bibliography.reference(one)
            lines.append(f"{self.line(text)} <{address}>" if address else self.line(text))
        shown = self.items(lines, first, "ref-") if papers else self.escape(block.empty)
        if self.pandoc and papers:  # pandoc lists all that is cited, once
            named = f"Named: {' '.join(self.cite(one.id) for one in further)}" if further else ""
            shown = joined("\n\n", named, PANDOC_LIST if first == 1 else "")
        if not block.unconfirmed:
            return shown
        missing = self.items([self.line(work) for work in block.unconfirmed])
        return f"{shown}\n\n{NOT_CONFIRMED}\n\n{missing}"


def render(proposal: Proposal, out: Markdown | None = None) -> str:
    """The document, whose references are numbered in the order in which the text names them."""
    pandoc = proposal.options.citations == "pandoc"
    out = out or Markdown(proposal.bibliography, pandoc)
    head = [f"# {out.line(proposal.title)}", f"*{out.line(proposal.opening)}*"]
    return "\n\n".join([*head, *out.blocks(proposal.sections())]) + "\n"


def markdown(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    return render(Proposal(snapshot, options))


FORMAT = Format("the proposal in Markdown, four pages at most", markdown, options=True)
