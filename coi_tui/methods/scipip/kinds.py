"""The cells of SciPIP: what each holds, who makes it, what is shown of it, and what a person
decides on its rows by a key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coi_tui.methods.scipip import contents
from coi_tui.methods.scipip.contents import ChoiceContent, EntityRow, RetrievedContent
from coi_tui.methods.scipip.entities import Entity, key_of
from coi_tui.methods.shared import kinds
from coi_tui.methods.shared.cell_table import (
    counted,
    held,
    kinds_of,
    row,
    switched,
    table,
    title_of,
    turned,
)
from coi_tui.model.address import parse_address
from coi_tui.model.content import Named, ReadPapers
from coi_tui.model.state import State
from coi_tui.model.views import RowChange, RowKey, TableRow, TableView
from coi_tui.model.wording import clipped, count

BY_YOU_OUT, BY_YOU_IN = "You left it out.", "You kept it."


def _choice(address: str) -> str:
    return f"{parse_address(address).instance}/choice"


def choice_of(state: State, address: str) -> ChoiceContent:
    """What was chosen for the instance of an address."""
    return held(state, _choice(address), ChoiceContent)


def synonyms(one: EntityRow) -> Entity:
    """An entity with its synonyms, as the row of it says them."""
    return Entity(one.name, tuple(filter(None, one.description.split("; "))))


# -- papers and entities


def says(lines: Sequence[str], paper: str, title: str) -> bool:
    """Whether a paper is among those that a person named, by id or title."""
    return any(line == paper or line.strip().casefold() == title.casefold() for line in lines)


def retrieved_table(state: State, address: str) -> TableView:
    """The papers of all routes, best first, each with its ranks, its score, its cluster, and what
    you chose for it since."""
    found, choice = held(state, address, RetrievedContent), choice_of(state, address)
    group_of = {paper: n for n, group in enumerate(found.clusters, 1) for paper in group}
    chosen = (("pinned", choice.pinned), ("unticked", choice.papers_off), ("apart", choice.apart))
    rows = []
    for n, one in enumerate(found.papers, 1):
        usual = "picked" if one.paper in found.picked else "left out" if one.left_out else ""
        mark = (word for word, lines in chosen if says(lines, one.paper, one.title))
        merged = [
            other.title
            for other in found.papers
            if other is not one and group_of.get(other.paper) == group_of.get(one.paper, 0)
        ]
        rows.append(
            row(
                one.paper,
                n,
                f"{one.score:.2f}",
                "  ".join(f"{route[0]}{rank}" for route, rank in one.routes.items()),
                group_of.get(one.paper, ""),
                next(mark, usual),
                one.title,
                paper=one.paper,
                left_out=one.left_out,
                merged_with="\n".join(merged),
            )
        )
    note = (
        f"{found.note} m meaning, e entities, c co-citation, each with the rank there. Papers of one"
        " cluster number were merged; b sets one apart. What you choose here counts once the row is"
        " made again (r there)."
    )
    return table("rank|score|routes|cluster||title", rows, note.strip())


def paper_change(state: State, address: str, paper: str, key: RowKey) -> RowChange | None:
    """Untick, tick or pin a paper that was retrieved, or set it apart from those that it was merged
    with."""
    found, choice = held(state, address, RetrievedContent), choice_of(state, address)
    title = next((one.title for one in found.papers if one.paper == paper), None)
    if title is None:
        return None
    off, pinned, apart = (
        [line for line in lines if not says([line], paper, title)]
        for lines in (choice.papers_off, choice.pinned, choice.apart)
    )
    short, was_pinned = f"“{title[:50]}”", pinned != choice.pinned
    after = turned(key, off != choice.papers_off)
    if key == "split":
        if apart != choice.apart:
            fields, word, done = {"apart": apart}, "join again", "may share a cluster again"
        elif any(paper in group for group in found.clusters):
            fields, word, done = {"apart": [*apart, paper]}, "set apart", "stands alone"
        else:
            return None
    elif key == "pin" and was_pinned:
        fields, word, done = {"pinned": pinned}, "unpin", "is no longer pinned"
    elif key == "pin":
        fields = {"pinned": [*pinned, paper], "papers_off": off}
        word, done = "pin", "is pinned"
    elif after:
        fields = {"papers_off": [*off, paper], "pinned": pinned}
        word, done = "untick", "is unticked"
    elif after is None:
        return None
    else:
        fields, word, done = {"papers_off": off}, "tick", "is ticked again"
    return RowChange(_choice(address), fields, word, f"{short} {done}.")


def nearest_table(state: State, address: str) -> TableView:
    found = held(state, address, contents.NearestContent)
    rows = (
        row(one.paper, n, f"{one.score:.2f}", title_of(state, one.paper), paper=one.paper)
        for n, one in enumerate(found.papers, 1)
    )
    return table("rank|score|title", rows, found.ranked)


def entity_off(choice: ChoiceContent, one: EntityRow) -> bool:
    """Whether a person switched an entity off, by any of its names."""
    return bool({key_of(name) for name in choice.entities_off} & synonyms(one).keys)


def entities_table(state: State, address: str) -> TableView:
    """The entities with their synonyms and where they stand; those that were switched off say
    so."""
    choice = choice_of(state, address)
    rows = (
        row(
            one.name,
            "off" if entity_off(choice, one) else "on",
            one.name,
            synonyms=one.description,
            named_in="; ".join(title_of(state, text) for text in one.of),
        )
        for one in held(state, address, contents.EntitiesContent).entities
    )
    return table(
        "|entity", rows, "Space switches an entity off or on; what is off is not searched with."
    )


def entity_change(state: State, address: str, name: str, key: RowKey) -> RowChange | None:
    """Switch an entity on or off."""
    choice, found = choice_of(state, address), held(state, address, contents.EntitiesContent)
    one = next((one for one in found.entities if one.name == name), None)
    after = turned(key, entity_off(choice, one)) if one is not None else None
    if one is None or after is None:
        return None
    lines = [line for line in choice.entities_off if key_of(line) not in synonyms(one).keys]
    word = "off" if after else "on"
    return RowChange(
        _choice(address),
        {"entities_off": [*lines, name] if after else lines},
        f"switch {word}",
        f"“{name}” is {word}.",
    )


def records_table(state: State, address: str) -> TableView:
    parts = ("problem", "move", "method", "evidence", "use", "limits")
    rows = (
        row(
            one.paper,
            one.source or "not read",
            one.title,
            paper=one.paper,
            not_read=one.unread,
            **{part: getattr(one, part) for part in parts},
        )
        for one in held(state, address, ReadPapers).papers
    )
    return table("read from|title", rows)


def inspired_table(state: State, address: str) -> TableView:
    rows = (
        row(
            one.paper,
            "yes" if one.inspiration else "none",
            one.title,
            paper=one.paper,
            inspiration=one.inspiration or "It suggests nothing.",
        )
        for one in held(state, address, contents.InspiredContent).papers
    )
    return table("|paper", rows)


# -- ideas


def _idea_rows(texts: Iterable[tuple[str, str, str]]) -> Iterator[TableRow]:
    for text, mark, why in texts:
        yield row(text, mark, " ".join(text.split()), **{" ": text}, why=why)


def first_table(state: State, address: str) -> TableView:
    ideas = dict.fromkeys(held(state, address, contents.FirstContent).ideas)
    rows = _idea_rows((text, "in", "") for text in ideas)
    return table("|idea", rows, "x drops an idea before the filter sees it.")


def first_change(state: State, address: str, text: str, key: RowKey) -> RowChange | None:
    """Leave a first idea out of what the filter sees; one stays."""
    ideas = held(state, address, contents.FirstContent).ideas
    left = [one for one in ideas if one != text]
    if key not in ("tick", "reject") or not left or len(left) == len(ideas):
        return None
    return RowChange(address, {"ideas": left}, "drop", "The idea goes no further.")


def filtered_table(state: State, address: str) -> TableView:
    """The ideas that stay, then those that went, each with the reason."""
    found = held(state, address, contents.FilteredContent)
    why = {one.name: one.description for one in found.reasons}
    rows = [(text, "stays", why.get(text, "")) for text in found.kept]
    rows += [(one.name, "went", one.description) for one in found.dropped]
    note = "x drops an idea, a keeps one that went; the texts stay as they are."
    return table("|idea", _idea_rows(rows), note)


def stay_change(state: State, address: str, text: str, key: RowKey) -> RowChange | None:
    """Drop an idea that was to stay, or keep one that was to go; the texts stay as they are."""
    found = held(state, address, contents.FilteredContent)
    here = text in found.kept or any(one.name == text for one in found.dropped)
    off = turned(key, text not in found.kept) if here else None
    if off is None:
        return None
    fields = {
        "kept": switched(found.kept, text, not off),
        "dropped": _with_reason(found.dropped, text, BY_YOU_OUT if off else ""),
        "reasons": _with_reason(found.reasons, text, "" if off else BY_YOU_IN),
    }
    word, said = ("drop", "The idea goes.") if off else ("keep", "The idea stays.")
    return RowChange(address, fields, word, said)


def _with_reason(rows: Sequence[Named], text: str, reason: str) -> list[dict[str, str]]:
    """Ideas with their reasons, one of them with another reason at the end; without a reason it
    goes."""
    others = [one.model_dump() for one in rows if one.name != text]
    return [*others, {"name": text, "description": reason}] if reason else others


def _ideas(texts: Sequence[str]) -> str:
    """How many ideas, and how each begins."""
    said = "; ".join(clipped(text, 8) for text in texts)
    return f"{count(len(texts), 'idea')}: {said}" if texts else "no idea"


kind = kinds_of("S")
CHOICE = kind(
    "choice",
    "Your choices",
    ChoiceContent,
    edits="entities_off papers_off pinned apart",
    label="your choices",
    caption=lambda it: (
        counted(
            {
                "off": len(it.entities_off),
                "unticked": len(it.papers_off),
                "pinned": len(it.pinned),
                "kept apart": len(it.apart),
            }
        )
        or "nothing left out or pinned"
    ),
)
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
        caption=lambda it: "; ".join(it.directions),
        optional=True,
    ),
    kind(
        "nearest",
        "Papers by meaning",
        contents.NearestContent,
        "scipip nearest",
        "entities",
        label="by meaning",
        caption=lambda it: count(len(it.papers), "paper"),
        shown=nearest_table,
    ),
    kind(
        "entities",
        "Entities",
        contents.EntitiesContent,
        "scipip entities",
        "entities",
        "entities",
        shown=entities_table,
        row_change=entity_change,
        caption=lambda it: ", ".join(one.name for one in it.entities),
    ),
    CHOICE,
    kind(
        "retrieved",
        "Papers retrieved",
        RetrievedContent,
        "scipip retrieval",
        "retrieval",
        label="papers",
        caption=lambda it: f"{len(it.picked)} of {count(len(it.papers), 'paper')} used",
        shown=retrieved_table,
        row_change=paper_change,
    ),
    kind(
        "records",
        "Papers read",
        ReadPapers,
        "scipip records",
        "retrieval",
        label="papers read",
        caption=lambda it: count(len(it.papers), "paper"),
        shown=records_table,
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
        shown=inspired_table,
        optional=True,
        caption=lambda it: count(sum(bool(one.inspiration) for one in it.papers), "inspiration"),
    ),
    kind(
        "first",
        "First ideas",
        contents.FirstContent,
        "scipip first ideas",
        "drafts",
        "ideas",
        label="first ideas",
        caption=lambda it: _ideas(it.ideas),
        shown=first_table,
        row_change=first_change,
    ),
    kind(
        "filtered",
        "Ideas that stay",
        contents.FilteredContent,
        "scipip filter",
        "filter",
        "kept dropped",
        caption=lambda it: (
            f"{len(it.kept)} of {_ideas([*it.kept, *(one.name for one in it.dropped)])}"
        ),
        main="kept",
        optional=True,
        shown=filtered_table,
        row_change=stay_change,
    ),
    kind(
        "improved",
        "Ideas improved",
        contents.ImprovedContent,
        "scipip improve",
        "filter",
        " ".join(f"idea{n}" for n in range(1, contents.MOST_IDEAS + 1)),
        caption=lambda it: _ideas([text for name, text in it if name.startswith("idea") and text]),
    ),
    kinds.RIVALS,
    kinds.idea("scipip idea", "ideas"),
)
