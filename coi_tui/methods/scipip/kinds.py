"""The cells of SciPIP: what each holds, who makes it, what is shown of it, and what a person
decides on its rows by a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.base.cell_table import (
    counted,
    held,
    kinds_of,
    listing,
    row,
    switched,
    table,
    title_of,
    turned,
)
from coi_tui.methods.ideas import kinds
from coi_tui.methods.scipip import contents
from coi_tui.methods.scipip.contents import ChoiceContent, EntitiesContent, RetrievedContent
from coi_tui.methods.scipip.entities import entity_off
from coi_tui.methods.scipip.retrieval import among
from coi_tui.model.address import parse_address
from coi_tui.model.content import ReadPapers
from coi_tui.model.document import Block, RowChange, RowKey
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count


def _choice(address: str) -> str:
    return f"{parse_address(address).instance}/choice"


def choice_of(state: State, address: str) -> ChoiceContent:
    """What was chosen for the instance of an address."""
    return held(state, _choice(address), ChoiceContent)


# -- papers and entities


def retrieved_table(state: State, address: str) -> Iterator[Block]:
    """The papers of all routes, best first, each with its ranks, its score, its cluster, and what
    you chose for it since."""
    found, choice = held(state, address, RetrievedContent), choice_of(state, address)
    titles = {one.paper: one.title for one in found.papers}
    cluster = {paper: (n, group) for n, group in enumerate(found.clusters, 1) for paper in group}
    rows = []
    for n, one in enumerate(found.papers, 1):
        mark = "picked" if one.paper in found.picked else "left out" if one.left_out else ""
        for word, lines in (("unticked", choice.papers_off), ("pinned", choice.pinned)):
            mark = word if among(lines, one.paper, one.title) else mark
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
        " cluster number were merged. What you choose here counts once the row is made again (r"
        " there)."
    )
    return table("rank|score|routes|cluster||title", rows, note.strip())


def paper_change(state: State, address: str, paper: str, key: RowKey) -> RowChange | None:
    """Untick, tick or pin a paper that was retrieved. What is pinned is ticked, what is unticked is
    not pinned."""
    found, choice = held(state, address, RetrievedContent), choice_of(state, address)
    title = next((one.title for one in found.papers if one.paper == paper), None)
    if title is None:
        return None
    off, pinned = (
        [line for line in lines if not among([line], paper, title)]
        for lines in (choice.papers_off, choice.pinned)
    )
    was_pinned, after = pinned != choice.pinned, turned(key, off != choice.papers_off)
    if key == "pin":
        word, done = ("unpin", "no longer pinned") if was_pinned else ("pin", "pinned")
        off, pinned = (choice.papers_off, pinned) if was_pinned else (off, [*pinned, paper])
    elif after is None:
        return None
    else:
        word, done = ("untick", "unticked") if after else ("tick", "ticked again")
        off, pinned = ([*off, paper], pinned) if after else (off, choice.pinned)
    fields = {"papers_off": off, "pinned": pinned}
    return RowChange(_choice(address), fields, word, f"“{title[:50]}” is {done}.")


def entities_table(state: State, address: str) -> Iterator[Block]:
    """The entities with their synonyms and where they stand; those that were switched off say
    so."""
    off = choice_of(state, address).entities_off
    rows = (
        row(
            one.name,
            "off" if entity_off(off, one) else "on",
            one.name,
            synonyms=one.description,
            named_in="; ".join(title_of(state, text) for text in one.of),
        )
        for one in held(state, address, EntitiesContent).entities
    )
    return table(
        "|entity", rows, "Space switches an entity off or on; what is off is not searched with."
    )


def entity_change(state: State, address: str, name: str, key: RowKey) -> RowChange | None:
    """Switch an entity on or off."""
    lines, found = choice_of(state, address).entities_off, held(state, address, EntitiesContent)
    one = next((one for one in found.entities if one.name == name), None)
    after = turned(key, entity_off(lines, one)) if one is not None else None
    if one is None or after is None:
        return None
    left = [line for line in lines if not entity_off([line], one)] + ([name] if after else [])
    word = "off" if after else "on"
    return RowChange(
        _choice(address), {"entities_off": left}, f"switch {word}", f"“{name}” is {word}."
    )


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


def stay_change(state: State, address: str, text: str, key: RowKey) -> RowChange | None:
    """Drop an idea that was to stay, or keep one that was to go; the texts stay as they are."""
    found = held(state, address, contents.FilteredContent)
    here = any(one.name == text for one in found.judged)
    off = turned(key, text not in found.kept) if here else None
    if off is None:
        return None
    word, said = ("drop", "The idea goes.") if off else ("keep", "The idea stays.")
    return RowChange(address, {"kept": switched(found.kept, text, not off)}, word, said)


def _ideas(texts: Sequence[str]) -> str:
    """How many ideas, and how each begins."""
    said = "; ".join(clipped(text, 8) for text in texts)
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
        document=entities_table,
        row_change=entity_change,
    ),
    kind(
        "choice",
        "Your choices",
        ChoiceContent,
        edits="entities_off papers_off pinned",
        label="your choices",
        caption=lambda it: (
            counted(
                {
                    "off": len(it.entities_off),
                    "unticked": len(it.papers_off),
                    "pinned": len(it.pinned),
                }
            )
            or "nothing left out or pinned"
        ),
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
        row_change=paper_change,
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
        row_change=stay_change,
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
