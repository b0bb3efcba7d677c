"""What the tables of a method's cells share: a kind from its content, rows with texts, and keys
that switch a row on or off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from coi_tui.engine.declarations import CellKind, fields_of
from coi_tui.model.address import Branch, cell_at
from coi_tui.model.content import Content
from coi_tui.model.document import (
    Block,
    Paragraph,
    Passage,
    RowChange,
    RowKey,
    Table,
    TableRow,
    section,
)
from coi_tui.model.entries import Action
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State
from coi_tui.model.text import Fields

OF_TEXT: frozenset[Action] = frozenset(
    {"accept", "edit", "adopt", "keep", "protect", "unprotect", "note"}
)
"""What a person may decide about any text."""

OF_LIST: frozenset[Action] = frozenset({"adopt", "keep", "protect", "unprotect", "note"})
"""What a person may decide about what is not written but found."""

OF_OWN: frozenset[Action] = frozenset({"edit", "adopt", "note"})
"""What a person may decide about a text that no task makes."""

C = TypeVar("C", bound=Content)


def kinds_of(letter: str) -> Callable[..., CellKind]:
    """A function that declares the cells of the method whose instances begin with ``letter``; those
    of any branch where it is empty."""

    def kind(
        name: str,
        title: str,
        content: type[Content],
        task: str = "",
        stage: str = "",
        edits: str = "",
        *,
        item: str = "",
        own: bool = False,
        rows: Sequence[str] = (),
        numbered: bool = False,
        **more: Any,
    ) -> CellKind:
        """``edits``: the fields that a person may edit; where there are none, the cell was found
        and needs no verdict. ``item``: an example of its number; ``own``: each branch has one.
        ``rows`` and ``numbered``: its document is a ``listing`` of these, and a key leaves a row
        out where the content has a field ``off``.

        ``more`` are fields of ``CellKind``.
        """
        try:
            fields = fields_of(content, edits.split())
        except UsageError as error:
            raise UsageError(f"The cell {name} cannot be declared: {error.message}") from None
        declared: Fields = {
            "decisions": OF_OWN if not task else OF_TEXT if fields else OF_LIST,
            "fields": fields,
            "label": name,
            "has_verdict": bool(fields and task),
            "shared": bool(letter) and not own,
            **(listing(content, *rows, numbered=numbered) if rows else {}),
            **more,
        }
        address = f"{letter}1/{'1/' if own else ''}{name}{item}"
        return CellKind(name, address, title, content, task, stage, **declared)

    return kind


# -- what is shown


def stored(state: State, address: str, model: type[C]) -> C:
    """The content in use at an address, or an empty one."""
    return state.read(address, model) or model.from_stored({})


def is_made(state: State, branch: Branch, *kind: int | str) -> bool:
    """Whether there is a cell of that kind of a branch or an instance."""
    return state.in_use(cell_at(branch, *kind)) is not None


def title_of(state: State, paper: str) -> str:
    return known.title if (known := state.papers.get(paper)) else paper


def row(key: object, *cells: object, paper: str = "", **text: str) -> TableRow:
    """A row; its texts under their names as headings, empty ones left out."""
    sections = (
        section(name.replace("_", " ").strip().capitalize(), value)
        for name, value in text.items()
        if value
    )
    return TableRow(tuple(map(str, cells)), str(key), tuple(sections), paper)


def table(columns: str, rows: Iterable[TableRow], note: str = "") -> Iterator[Block]:
    """Rows under columns, whose names are parted by ``|``, and a note on them."""
    yield Table(tuple(columns.split("|")), tuple(rows))
    if note:
        yield Paragraph(note)


def listing(
    content: type[Content], field: str, columns: str, note: str = "", *, numbered: bool = False
) -> Fields:
    """The document with a row for each item of a list about papers, below the text of the cell, and
    what a key does on a row: leave the item out, or take it in again; one stays.

    ``columns`` are fields of an item, its other texts are below. ``note``: the field with a note on
    the whole; ``numbered``: rows go by their numbers, not by their papers. Where a person may leave
    items ``off``, the first column says so.
    """
    may_leave_out = "off" in content.model_fields

    def items(state: State, address: str) -> tuple[Any, list[tuple[str, Any]]]:
        it: Any = stored(state, address, content)
        rows = enumerate(getattr(it, field), 1)
        return it, [(str(n) if numbered else one.paper, one) for n, one in rows]

    def document(state: State, address: str) -> Iterator[Block]:
        (it, found), names, rows = items(state, address), columns.split(), []
        for n, (key, one) in enumerate(found, 1):
            fields = dict(one)
            paper = fields.pop("paper", "")
            fields["title"] = title_of(state, paper)
            mark = ("out" if key in it.off else "used",) if may_leave_out else ()
            cells = [_cell(fields.pop(name)) for name in names]
            texts: Fields = {name: text for name, text in fields.items() if isinstance(text, str)}
            rows.append(row(key, *mark, n, *cells, paper=paper, **texts))
        yield from running_text(state, address)
        heads = "|".join([*[""] * (1 + may_leave_out), *names])
        yield from table(heads, rows, str(getattr(it, note, "")))

    def change(state: State, address: str, key: str, pressed: RowKey) -> RowChange | None:
        it, found = items(state, address)
        was = key in it.off
        off = {"tick": not was, "accept": False, "reject": True}.get(pressed, was)
        left = [one for one in it.off if one != key] + [key] * off
        if key not in dict(found) or off is was or len(left) >= len(found):
            return None
        word, done = ("leave out", "left out") if off else ("use", "used again")
        return RowChange(address, {"off": left}, word, f"“{title_of(state, key)[:60]}” is {done}.")

    return {"document": document, **({"row_change": change} if may_leave_out else {})}


def _cell(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, float) else "?" if value is None else str(value)


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


def nth(rows: Sequence[Any], number: str) -> Any:
    """The row of a number, counted from 1; None where there is none."""
    n = int(number) if number.isdecimal() and number.isascii() else 0
    return rows[n - 1] if 1 <= n <= len(rows) else None


def by_field(found: Iterable[tuple[str, Any]]) -> dict[str, Fields]:
    """Values by cell and field, from reads of one name over several cells."""
    rows: dict[str, Fields] = {}
    for reference, value in found:
        address, _, field = reference.partition("#")
        rows.setdefault(address, {})[field] = value
    return rows
