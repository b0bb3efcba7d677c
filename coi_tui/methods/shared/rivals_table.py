"""What is shown of the works nearest to the thought behind an idea, and what a key does on one of
them."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.methods.shared import named_works
from coi_tui.model.content import NamedWork, RivalsContent
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.model.views import RowChange, RowKey, TableRow, TableView, TitledText


def rivals_caption(held: RivalsContent) -> str:
    """``7 rivals, 2 titles not found``."""
    missing = sum(not work.paper for work in held.named)
    told = f", {count(missing, 'title')} not found" if missing else ""
    return count(len(held.works), "rival") + told


def rivals_table(state: State, address: str) -> TableView:
    """The works that are kept, then the titles from memory that are no paper's."""
    held = state.read(address, RivalsContent) or RivalsContent()
    other = named_works.OTHERWISE
    named = {w.paper: named_works.line(state, w) for w in held.named if w.status == other}
    rows = []
    for work in held.works:
        told = (
            ("NAMED FROM MEMORY", named.get(work.paper, "")),
            ("WHAT IS THE SAME", work.same),
            ("WHAT IS LEFT", work.left),
            ("ABSTRACT", work.abstract),
        )
        rows.append(_row(work, tuple(one for one in told if one[1])))
    rows += [
        _row(work, (("", work.note or "No paper of this title was found."),))
        for work in held.named
        if not work.paper
    ]
    phrases = ", ".join(f"“{phrase}”" for phrase in held.phrases)
    notes = (f"Searched: {phrases}." if phrases else "", held.ranked, held.note)
    return TableView(("", "year", "title"), tuple(rows), " ".join(filter(None, notes)))


def _row(work: NamedWork, told: tuple[TitledText, ...]) -> TableRow:
    cells = (work.status, f"{work.year or '????'}", work.title)
    return TableRow(work.paper or work.title, cells, told, work.paper)


def rivals_told(state: State, address: str) -> Iterator[TitledText]:
    """The same as titled texts."""
    table = rivals_table(state, address)
    for row in table.rows:
        status, year, title = row.cells
        said = (f"{heading}: {text}" if heading else text for heading, text in row.text)
        yield f"{status}: {title} ({year})", "\n".join(said)
    yield "", table.note


def rival_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Take a work out of the rivals."""
    held = state.read(address, RivalsContent) or RivalsContent()
    out = next((work for work in held.works if work.paper == row), None)
    if out is None or key != "reject":
        return None
    left = [work.model_dump() for work in held.works if work is not out]
    return RowChange(
        address, {"works": left}, "take out", f"“{out.title[:60]}” is no rival any more."
    )
