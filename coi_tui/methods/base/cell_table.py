"""What the tables of a method's cells share: a kind from its content, rows with texts, and keys
that switch a row on or off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import create_model

from coi_tui.engine.declarations import CellKind, fields_of
from coi_tui.methods.ideas.kinds import OF_LIST, OF_TEXT
from coi_tui.model.content import Content
from coi_tui.model.document import (
    Block,
    Bullets,
    Paragraph,
    Passage,
    RowKey,
    Section,
    Table,
    TableRow,
)
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State

C = TypeVar("C", bound=Content)


def kinds_of(letter: str) -> Callable[..., CellKind]:
    """A function that declares the cells of the method whose instances begin with ``letter``."""

    def kind(
        name: str,
        title: str,
        content: type[Content],
        step: str = "",
        stage: str = "",
        edits: str = "",
        *,
        item: str = "",
        own: bool = False,
        **more: Any,
    ) -> CellKind:
        """``edits``: the fields that a person may edit; where there are none, the cell was found
        and needs no verdict. ``item``: an example of its number; ``own``: each branch has one.

        ``more`` are fields of ``CellKind``.
        """
        try:
            fields = fields_of(content, edits.split())
        except UsageError as error:
            raise UsageError(f"The cell {name} cannot be declared: {error.message}") from None
        declared = {
            "decisions": OF_TEXT if fields else OF_LIST,
            "fields": fields,
            "label": name,
            "has_verdict": bool(fields and step),
            "shared": not own,
            **more,
        }
        if not step:
            declared["decisions"] = more.get("decisions", frozenset({"edit", "adopt", "note"}))
        address = f"{letter}1/{'1/' if own else ''}{name}{item}"
        return CellKind(name, address, title, content, step, stage, **declared)

    return kind


# -- what is shown


def held(state: State, address: str, model: type[C]) -> C:
    """What stands at an address, or an empty content."""
    return state.read(address, model) or model()


def title_of(state: State, paper: str) -> str:
    return known.title if (known := state.papers.get(paper)) else paper


def row(
    key: object, *cells: object, paper: str = "", blocks: Iterable[Block] = (), **text: str
) -> TableRow:
    """A row; its texts under their names as headings, empty ones left out."""
    told = (
        Section(name.replace("_", " ").strip().capitalize(), (Paragraph(said),))
        for name, said in text.items()
        if said
    )
    return TableRow(tuple(map(str, cells)), str(key), (*blocks, *told), paper)


def table(columns: str, rows: Iterable[TableRow], note: str = "") -> Iterator[Block]:
    """Rows under columns, whose names are parted by ``|``, and a note on them."""
    yield Table(tuple(columns.split("|")), tuple(rows))
    if note:
        yield Paragraph(note)


def running_text(state: State, address: str) -> Iterator[Block]:
    """The field ``text`` of a cell, before what else its document has."""
    if (version := state.in_use(address)) is not None and version.content.get("text"):
        yield Passage(address, str(version.content["text"]), version.origin)


def passage(
    state: State, address: str, text: str, cited: tuple[tuple[str, str], ...] = ()
) -> Passage:
    """A text of the session in a proposal, by whom it was written."""
    version = state.in_use(address)
    return Passage(address, text, version.origin if version else "model", cited)


def section(title: str, *blocks: Block | Section | None, branch: Any = 0) -> Iterator[Section]:
    """A section of a proposal; none where it has no blocks."""
    if there := tuple(block for block in blocks if block is not None):
        yield Section(title, there, branch)


def bullets(lines: Iterable[str]) -> Bullets | None:
    return Bullets(tuple(said)) if (said := list(lines)) else None


def paragraph(text: str) -> Paragraph | None:
    return Paragraph(text) if text else None


# -- what a key does on a row


def turned(key: RowKey, off: bool) -> bool | None:
    """Whether a row is off after a key; None where the key changes nothing about it."""
    after = {"tick": not off, "accept": False, "reject": True}.get(key)
    return None if after is off else after


def switched(rows: Sequence[str], one: str, off: bool) -> list[str]:
    """What is off once a row is, or is not any more."""
    return [other for other in rows if other != one] + ([one] if off else [])


def nth(rows: Sequence[Any], number: str) -> Any:
    """The row of a number, counted from 1; None where there is none."""
    n = int(number) if number.isdecimal() and number.isascii() else 0
    return rows[n - 1] if 1 <= n <= len(rows) else None


def by_field(found: Iterable[tuple[str, Any]]) -> dict[str, dict[str, Any]]:
    """Values by cell and field, from reads of one name over several cells."""
    rows: dict[str, dict[str, Any]] = {}
    for reference, value in found:
        address, _, field = reference.partition("#")
        rows.setdefault(address, {})[field] = value
    return rows


def counted(counts: Mapping[str, int]) -> str:
    """``2 off, 1 pinned``, of those that are not none."""
    return ", ".join(f"{number} {word}" for word, number in counts.items() if number)


def numbered(name: str, most: int, base: type[C], **fields: Any) -> type[C]:
    """A content with each of these fields ``most`` times, numbered from 1: whoever reads one reads
    no other. They are empty texts and lists by default."""
    declared: dict[str, Any] = {
        f"{field}{n}": (kind, "" if kind is str else [])
        for field, kind in fields.items()
        for n in range(1, most + 1)
    }
    return create_model(name, __base__=base, **declared)
