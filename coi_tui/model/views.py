"""What a cell looks like where text alone does not show it: a document, a table, a matrix or a
transcript.

A method makes one of these from the state; screens and widgets know how to draw each. All texts are
plain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

TitledText = tuple[str, str]
"""A heading (empty for running text) and plain text below it."""


@dataclass(frozen=True)
class DocumentView:
    """A long text in sections, each with a heading."""

    sections: tuple[TitledText, ...]


@dataclass(frozen=True)
class TableRow:
    """A row: ``cells`` as many as there are columns (at least one), ``text`` what there is to say
    of it.

    ``paper``: the id of the paper that it stands for; empty where it stands for none.
    """

    key: str
    cells: tuple[str, ...]
    text: tuple[TitledText, ...] = ()
    paper: str = ""


RowKey = Literal["tick", "accept", "reject", "pin"]
"""What a person may say of a row by a key: the other way round, in, out, pinned or not."""
ROW_KEYS: tuple[RowKey, ...] = get_args(RowKey)


@dataclass(frozen=True)
class RowChange:
    """What a key on a row of a table writes: some fields of the cell at ``address``, as they are
    afterwards.

    ``word`` is what the key does there (switch off), ``said`` a sentence once it is done.
    """

    address: str
    content: Mapping[str, Any]
    word: str
    said: str


@dataclass(frozen=True)
class TableView:
    """Rows under named columns. The widest text, a title as a rule, belongs into the last column:
    it takes the room that is left."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    note: str = ""


@dataclass(frozen=True)
class MatrixCell:
    """A short word or number, and what there is to say of it."""

    mark: str
    text: str = ""


@dataclass(frozen=True)
class MatrixRow:
    """A named row of cells, as many as the matrix has columns. ``paper``: the id of a paper that
    the row stands for."""

    name: str
    cells: tuple[MatrixCell, ...]
    paper: str = ""


@dataclass(frozen=True)
class MatrixView:
    """Two lists against each other. ``columns`` are full names; the screen numbers them where they
    do not fit."""

    columns: tuple[str, ...]
    rows: tuple[MatrixRow, ...]


TurnMark = Literal["", "struck", "yours", "guest", "leader"]
"""What sets a turn apart: struck by the person, the person's own words, a guest's answer, or what
the leader says for all."""


@dataclass(frozen=True)
class Turn:
    """What one speaker said; ``note`` says to whom or when (``to Ada``, ``after turn 1``), where
    that matters.

    ``address``: the cell of the turn, which Enter reads, ``e`` edits and ``x`` strikes, as far as
    its kind allows; empty for none. A turn that was not said yet has no ``text``: the answer that
    is coming in is shown there, and the person's own words are written there.
    ``number``: the round of the talk that it belongs to, from 1; 0 for none.
    """

    speaker: str
    text: str
    note: str = ""
    address: str = ""
    mark: TurnMark = ""
    number: int = 0


@dataclass(frozen=True)
class TranscriptView:
    """Who said what, in order. ``of``: how many rounds the talk has at most; 0 where its turns are
    simply counted."""

    turns: tuple[Turn, ...]
    of: int = 0
    note: str = ""


ContentView = DocumentView | TableView | MatrixView | TranscriptView
