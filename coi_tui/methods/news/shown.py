"""The row of what is new: its line and its document, and where a key takes a paper of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from coi_tui.engine.declarations import CellKind
from coi_tui.methods.base.cell_table import OF_LIST, stored
from coi_tui.methods.ideas.kinds import paper_change
from coi_tui.methods.news.look import NewsTask
from coi_tui.model.address import NEWS, READING, ref
from coi_tui.model.content import NewPaper, NewsContent
from coi_tui.model.document import (
    Block,
    Bullets,
    Paragraph,
    RowChange,
    RowKey,
    Table,
    TableRow,
    bulleted,
)
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count


class News(NamedTuple):
    """The last look: its papers with what is said of each, and its line. ``seen``: the person has
    seen it."""

    content: NewsContent
    papers: Sequence[tuple[NewPaper, Paper]] = ()
    seen: bool = False
    line: str = "nobody has looked yet"


def news_of(state: State) -> News:
    """The look in use."""
    version, content = state.in_use(NEWS), stored(state, NEWS, NewsContent)
    if version is None:
        return News(content)
    seen = version.seq <= state.seen.version
    papers = [(e, state.papers[e.paper]) for e in content.entries if e.paper in state.papers]
    line = f"{count(len(papers) + content.more, 'new paper')} since {content.since}"
    if seen or not papers:
        what = "seen" if seen else f"nothing new since {content.since}"
        line = f"{what}, as of {content.until}"
    line += "" if content.complete else "; not everything could be looked for"
    return News(content, papers, seen, line)


def _document(state: State, address: str) -> Iterator[Block]:
    """The papers, the best first, with what each has to do with what there is; then what was only
    counted, and what was looked for."""
    content, papers, _, line = news_of(state)
    rows = (
        TableRow((str(n), p.when or "????", p.title), p.id, (Bullets(tuple(e.says)),), p.id)
        for n, (e, p) in enumerate(papers, 1)
    )
    yield Paragraph(f"{line[:1].upper()}{line[1:]}.")
    if papers:
        yield Table(("", "date", "title"), tuple(rows))
    parts = (
        (content.more, "that rank lower"),
        (content.off_field, "not in the field"),
        (content.left_out, "left out by your criteria"),
    )
    if counted := ", ".join(f"{number} {what}" for number, what in parts if number):
        yield Paragraph(f"Counted only: {counted}.")
    if content.note:
        yield Paragraph(content.note)
    yield bulleted(
        "Looked for",
        (
            f"“{s.query}”: {s.note if s.outcome == 'failed' else count(s.hits, 'hit')}"
            for s in content.searches
        ),
    )


def _change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Take a paper to the reading list, to the place after the paper that it cites, or to the novelty
    report, which is stale then: of the idea that it touches, else of your idea or the first one."""
    entry = next((e for e in stored(state, NEWS, NewsContent).entries if e.paper == row), None)
    if entry is None:
        return None
    title = f"“{state.papers[row].title}”"
    if key == "pin" and (change := paper_change(state, READING, row, key)) is not None:
        return replace(change, word="to reading list")
    if key == "accept" and entry.place:
        done = f"{title} is at {entry.place}."
        return RowChange(entry.place, {}, f"to {entry.place}", done, places=True)
    names = (entry.idea, str(state.pick), *map(str, state.branches))
    branch = next((b for b in names if f"{b}/nov" in state.cells), "")
    there = state.value(ref(f"{branch}/compare", "papers")) or [] if branch else []
    if key != "tick" or not branch or row in there:
        return None
    done = f"{branch}/nov is stale: it has not compared {title} with the idea."
    papers = {"papers": [*there, row]}
    return RowChange(f"{branch}/compare", papers, f"to {branch}/nov", done)


KIND = CellKind(
    NEWS,
    NEWS,
    "New papers",
    NewsContent,
    NewsTask.name,
    decisions=OF_LIST | {"seen"},
    label=NEWS,
    document=_document,
    row_change=_change,
    has_verdict=False,
)
