"""Finding words in a session: titles, texts, cards and notes of every row. Made and asked in a thread; pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import parse_address
from coi_tui.model.state import State
from coi_tui.session.queries.detail import detail
from coi_tui.session.queries.row import Row
from coi_tui.session.row_wording import note


@dataclass(frozen=True)
class Match:
    """A row that says the words. ``where`` names the part, such as ``CARD``; empty for its title."""

    address: str
    where: str


@dataclass(frozen=True)
class Index:
    """The folded texts of every row, in the order of the tree. ``seq`` is the state that they were taken from."""

    seq: int
    texts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    def find(self, words: str) -> list[Match]:
        """The rows that hold the words (as they stand, upper and lower case alike), from the top."""
        wanted = folded(words)
        if not wanted:
            return []
        hits = ((address, next((name for name, text in parts if wanted in text), None)) for address, parts in self.texts)
        return [Match(address, where) for address, where in hits if where is not None]


def index(state: State, methods: SessionMethods, rows: Sequence[Row]) -> Index:
    """Read every row once. Rows that only point at others (a branch, the arena) give what their own line says."""
    return Index(state.seq, tuple((row.address, _parts(state, methods, row)) for row in rows))


def _parts(state: State, methods: SessionMethods, row: Row) -> tuple[tuple[str, str], ...]:
    line = ("", folded(f"{row.label} {row.title} {row.year or ''} {note(row)}"))
    if parse_address(row.address).part == "branch":
        return (line,)
    return (line, *((heading or "its text", folded(text)) for heading, text in detail(state, methods, row.address).parts))


def folded(text: str) -> str:
    """Text as it is compared: no difference of case, width or composition; runs of blanks are one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
