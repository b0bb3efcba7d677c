"""Documents: what a cell looks like, and what a method contributes to the proposal, as a few kinds
of blocks. The detail pane, the full screen, the command line, Markdown and JSON render the same
blocks.

All texts are plain: whoever renders a block escapes them. A paper is named by its id, so that its
number in the references is settled where the whole document is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from coi_tui.model.address import Branch


@dataclass(frozen=True)
class Paragraph:
    """A paragraph in the program's words."""

    text: str


@dataclass(frozen=True)
class Passage:
    """A text of the session, of one or more paragraphs. Where a person wrote it (``origin``), the
    document says so.

    ``cited``: marks in the text that stand for a citation, each with the id of its paper: ``("[1]",
    "arXiv:2201.11903")``. What is no paper of the session is not cited, and its mark stays as it
    is.
    """

    address: str
    text: str
    origin: str = "model"
    cited: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Bullets:
    """A list without numbers."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Quote:
    """Words of a paper, and what they show (``same: 2 mechanism``)."""

    text: str
    shows: str = ""


@dataclass(frozen=True)
class TableRow:
    """A row: ``cells`` as many as there are columns, ``blocks`` its details.

    ``key`` tells the rows apart where a person acts on them; ``paper``: the id of the paper that
    the row is about, if any.
    """

    cells: tuple[str, ...]
    key: str = ""
    blocks: tuple[Block, ...] = ()
    paper: str = ""


@dataclass(frozen=True)
class Table:
    """Rows under named columns. The widest text, usually a title, belongs into the last column: on
    a screen it takes the room that is left. A matrix is a table with a column for each item of the
    second list, whose rows explain their cells in ``blocks``."""

    head: tuple[str, ...]
    rows: tuple[TableRow, ...]


def plain_table(head: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Table:
    """A table whose rows are nothing but their cells."""
    return Table(tuple(head), tuple(map(TableRow, rows)))


TurnMark = Literal["", "deleted", "yours", "guest", "leader"]
"""What sets a turn apart: deleted by the person, the person's own words, a guest's answer, or what
the leader says for all."""


@dataclass(frozen=True)
class Turn:
    """What one speaker said; ``note`` says to whom or when (``to Ada``, ``after turn 1``), where
    that matters.

    ``address``: the cell of the turn, which a person may edit or delete, as far as its kind allows;
    empty for none. A turn that was not made yet has no ``text``. ``number``: the round of the talk
    that it belongs to, from 1; 0 for none.
    """

    speaker: str
    text: str
    note: str = ""
    address: str = ""
    mark: TurnMark = ""
    number: int = 0


@dataclass(frozen=True)
class Transcript:
    """Who said what, in order. ``of``: how many rounds the talk has at most; 0 where its turns are
    simply counted."""

    turns: tuple[Turn, ...]
    of: int = 0


Listing = Table | Transcript
"""What a screen of its own shows line by line."""


@dataclass(frozen=True)
class Section:
    """A heading with its blocks; a section among them is one level lower. ``paper``: the id of the
    paper that it is about, if any, which an export cites."""

    title: str
    blocks: tuple[Block, ...] = ()
    paper: str = ""


def section(title: str, text: str) -> Section:
    """A paragraph under a heading; a dash where it is empty."""
    return Section(title, (Paragraph(text or "-"),))


def bulleted(title: str, lines: Iterable[str], none: str = "None.") -> Section:
    """A list under a heading, or what is written where it is empty."""
    items = tuple(lines)
    return Section(title, (Bullets(items) if items else Paragraph(none),))


Block = Paragraph | Passage | Bullets | Quote | Table | Transcript | Section


def listing(blocks: Iterable[Block]) -> Listing | None:
    """The table or talk of a document, which the full screen shows; None where it has none."""
    return next((block for block in blocks if isinstance(block, Table | Transcript)), None)


def every_block(blocks: Iterable[Block]) -> Iterator[Block]:
    """Each block and what is in sections, in reading order."""
    for block in blocks:
        yield block
        if isinstance(block, Section):
            yield from every_block(block.blocks)


def about_papers(blocks: Iterable[Block]) -> list[Section]:
    """The sections that are about a paper, as those of the sources of a text are."""
    return [one for one in every_block(blocks) if isinstance(one, Section) and one.paper]


RowKey = Literal["tick", "accept", "reject", "pin"]
"""A decision about a row by a key: toggle, in, out, pinned or not."""
ROW_KEYS: tuple[RowKey, ...] = get_args(RowKey)


@dataclass(frozen=True)
class RowChange:
    """What a key on a row of a table writes: some fields of the cell at ``address``, as they are
    afterwards.

    ``word`` is what the key does there (switch off), ``message`` a sentence once it is done. Where
    it ``rejects`` the cell, nothing is written into that; where it ``places`` the row's paper, that is
    put into the slot at ``address``.
    """

    address: str
    content: Mapping[str, Any]
    word: str
    message: str
    rejects: bool = False
    places: bool = False


@dataclass(frozen=True)
class ProposalWarning:
    """Something that a reader must be warned of. ``kind`` is a word to sort by; ``addresses`` are
    what it is about."""

    kind: str
    text: str
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Manuscript:
    """A whole text of the method's own about a branch: the main part of its proposal, in place of
    the idea's texts."""

    title: str
    sections: tuple[Section, ...]
    abstract: Passage | None = None
    branch: Branch = 0


@dataclass(frozen=True)
class MethodDocument:
    """What a method contributes to a proposal about some branches.

    ``cells``: those of the appendix, whose documents it shows; ``limits``: what a reader must not
    expect. ``manuscripts``: at most one for a branch.
    """

    cells: tuple[str, ...] = ()
    warnings: tuple[ProposalWarning, ...] = ()
    limits: tuple[str, ...] = ()
    manuscripts: tuple[Manuscript, ...] = ()

    def __add__(self, other: MethodDocument) -> MethodDocument:
        """Both, part by part."""
        return MethodDocument(
            self.cells + other.cells,
            self.warnings + other.warnings,
            self.limits + other.limits,
            self.manuscripts + other.manuscripts,
        )
