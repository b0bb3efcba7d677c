"""What is shown of the works nearest to the thought behind an idea, and what a key does on one of
them."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.methods.shared import named_works
from coi_tui.model.content import NamedWork, RivalsContent
from coi_tui.model.state import State
from coi_tui.model.views import RowChange, RowKey, TableRow, TableView, TitledText
from coi_tui.model.wording import count


def rivals_caption(held: RivalsContent) -> str:
    """``7 rivals, 2 titles not found``."""
    missing = sum(
        work.status not in (named_works.FOUND, named_works.OTHERWISE) for work in held.named
    )
    return count(len(held.works), "rival") + (
        f", {count(missing, 'title')} not found" if missing else ""
    )


def rivals_table(state: State, address: str) -> TableView:
    """The works that are kept, then the titles from memory that are no paper's."""
    held = state.read(address, RivalsContent) or RivalsContent()
    said = {
        work.paper: named_works.line(state, work)
        for work in held.named
        if work.status == named_works.OTHERWISE
    }
    rows = []
    for work in held.works:
        told = (
            ("NAMED FROM MEMORY", said.get(work.paper, "")),
            ("WHAT IS THE SAME", work.same),
            ("WHAT IS LEFT", work.left),
            ("ABSTRACT", work.abstract),
        )
        rows.append(
            TableRow(work.paper, _cells(work), tuple(row for row in told if row[1]), work.paper)
        )
    for one in held.named:
        if not one.paper:
            rows.append(
                TableRow(
                    one.title, _cells(one), (("", one.note or "No paper of this title was found."),)
                )
            )
    phrases = ", ".join(f"“{phrase}”" for phrase in held.phrases)
    note = f"Searched: {phrases}." if phrases else ""
    return TableView(
        ("", "year", "title"), tuple(rows), " ".join(filter(None, (note, held.ranked, held.note)))
    )


def rivals_told(state: State, address: str) -> Iterator[TitledText]:
    """The same as titled texts."""
    table = rivals_table(state, address)
    for row in table.rows:
        status, year, title = row.cells
        yield (
            f"{status}: {title} ({year})",
            "\n".join(f"{heading}: {said}" if heading else said for heading, said in row.text),
        )
    yield "", table.note


def _cells(work: NamedWork) -> tuple[str, str, str]:
    return (work.status, f"{work.year or '????'}", work.title)


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
