"""The cells of SciPIP: what each holds, who makes it, what is shown of it, and what a person
decides on its rows by a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from coi_tui.methods.base.cell_table import (
    held,
    kinds_of,
    left_out,
    listing,
    row,
    switched,
    table,
    title_of,
    turned,
)
from coi_tui.methods.ideas import kinds
from coi_tui.methods.scipip import contents
from coi_tui.methods.scipip.contents import EntitiesContent, RetrievedContent
from coi_tui.model.content import Content, ReadPapers
from coi_tui.model.document import Block, RowChange, RowKey
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count

SHORT = 8
"""Words of a title or an idea in a line."""

# -- papers and entities


def retrieved_table(state: State, address: str) -> Iterator[Block]:
    """The papers of all routes, best first, each with its ranks, its score and its cluster."""
    found = held(state, address, RetrievedContent)
    titles = {one.paper: one.title for one in found.papers}
    cluster = {paper: (n, group) for n, group in enumerate(found.clusters, 1) for paper in group}
    rows = []
    for n, one in enumerate(found.papers, 1):
        mark = "picked" if one.paper in found.picked else "left out" if one.left_out else ""
        number, merged = cluster.get(one.paper, ("", []))
        rows.append(
            row(
                one.paper,
                n,
                f"{one.score:.2f}",
                "  ".join(f"{route[0]}{rank}" for route, rank in one.routes.items()),
                number,
                mark,
                one.title,
                paper=one.paper,
                left_out=one.left_out,
                merged_with="\n".join(titles.get(p, p) for p in merged if p != one.paper),
            )
        )
    note = (
        f"{found.note} m meaning, e entities, c co-citation, each with the rank there. Papers of one"
        " cluster number were merged. Space drops a paper or uses it."
    )
    return table("rank|score|routes|cluster||title", rows, note.strip())


def _used(
    content: type[Content], field: str, rows: str, key_of: str
) -> Callable[[State, str, str, RowKey], RowChange | None]:
    """What a key does on a row: put it into the ``field`` of those that are used, or take it out;
    ``rows`` has all of them, by ``key_of``."""

    def change(state: State, address: str, key: str, pressed: RowKey) -> RowChange | None:
        it = held(state, address, content)
        there, used = (getattr(it, name) for name in (rows, field))
        here = any(getattr(one, key_of) == key for one in there)
        off = turned(pressed, key not in used) if here else None
        if off is None:
            return None
        word, done = ("drop", "dropped") if off else ("use", "used")
        said = f"“{clipped(title_of(state, key), SHORT)}” is {done}."
        return RowChange(address, {field: switched(used, key, not off)}, word, said)

    return change


# -- ideas


def filtered_table(state: State, address: str) -> Iterator[Block]:
    """The ideas that stay, then those that went, each with the reason of the filter."""
    found = held(state, address, contents.FilteredContent)
    rows = (
        row(
            one.name,
            "stays" if one.name in found.kept else "went",
            " ".join(one.name.split()),
            idea=one.name,
            why=one.description,
        )
        for one in sorted(found.judged, key=lambda one: one.name not in found.kept)
    )
    return table(
        "|idea", rows, "x drops an idea, a keeps one that went; the texts stay as they are."
    )


def _ideas(texts: Sequence[str]) -> str:
    """How many ideas, and how each begins."""
    said = "; ".join(clipped(text, SHORT) for text in texts)
    return f"{count(len(texts), 'idea')}: {said}" if texts else "no idea"


kind = kinds_of("S")
OWN_KINDS = (
    kind(
        "background",
        "Background",
        contents.BackgroundContent,
        "scipip background",
        "background",
        "text queries",
    ),
    kind(
        "brainstorm",
        "Brainstorm",
        contents.BrainstormContent,
        "scipip brainstorm",
        "brainstorm",
        "directions",
        optional=True,
    ),
    kind(
        "nearest",
        "Papers by meaning",
        contents.NearestContent,
        "scipip nearest",
        "entities",
        label="by meaning",
        document=listing(contents.NearestContent, "papers", "score title", "ranked"),
    ),
    kind(
        "entities",
        "Entities",
        EntitiesContent,
        "scipip entities",
        "entities",
        "entities",
        document=listing(EntitiesContent, "entities", "name", numbered=True),
        row_change=left_out(EntitiesContent, "entities", numbered=True),
    ),
    kind(
        "retrieved",
        "Papers retrieved",
        RetrievedContent,
        "scipip retrieval",
        "retrieval",
        label="papers",
        caption=lambda it: f"{len(it.picked)} of {count(len(it.papers), 'paper')} used",
        document=retrieved_table,
        row_change=_used(RetrievedContent, "picked", "papers", "paper"),
    ),
    kind(
        "records",
        "Papers read",
        ReadPapers,
        "scipip records",
        "retrieval",
        label="papers read",
        document=listing(ReadPapers, "papers", "source title"),
    ),
    kind(
        "problem",
        "Problem",
        contents.ProblemContent,
        "scipip problem",
        "problem",
        "text reasons",
        optional=True,
    ),
    kind(
        "inspired",
        "Inspirations",
        contents.InspiredContent,
        "scipip inspirations",
        "problem",
        label="inspirations",
        optional=True,
        caption=lambda it: count(sum(bool(one.description) for one in it.papers), "inspiration"),
    ),
    kind(
        "first",
        "First ideas",
        contents.FirstContent,
        "scipip first ideas",
        "drafts",
        "ideas",
        label="first ideas",
    ),
    kind(
        "filtered",
        "Ideas that stay",
        contents.FilteredContent,
        "scipip filter",
        "filter",
        "kept",
        caption=lambda it: f"{len(it.kept)} of {_ideas([one.name for one in it.judged])}",
        optional=True,
        document=filtered_table,
        row_change=_used(contents.FilteredContent, "kept", "judged", "name"),
    ),
    kind(
        "improved",
        "Ideas improved",
        contents.ImprovedContent,
        "scipip improve",
        "filter",
        "ideas",
    ),
    kinds.RIVALS,
    kinds.idea("scipip idea", "ideas"),
)
