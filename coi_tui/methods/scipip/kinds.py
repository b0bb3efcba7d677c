"""The cells of SciPIP: what each holds, who makes it, what a person may decide and edit, and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.engine.declarations import CellKind, EditableField
from coi_tui.methods.scipip import choices, contents
from coi_tui.methods.shared import kinds
from coi_tui.model.content import ReadPapers
from coi_tui.model.state import State
from coi_tui.model.views import TableRow, TableView
from coi_tui.model.wording import clipped, count


def retrieved_table(state: State, address: str) -> TableView:
    """The papers of all routes, best first, each with its ranks, its score, its cluster, and what you chose for it since."""
    held = state.read(address, contents.RetrievedContent) or contents.RetrievedContent()
    choice = choices.choice_of(state, address)
    with_others = {paper: n for n, group in enumerate(held.clusters, start=1) for paper in group}
    rows = []
    for n, row in enumerate(held.papers, start=1):
        group = with_others.get(row.paper)
        ranks = "  ".join(f"{route[0]}{rank}" for route, rank in row.routes.items())
        cells = (
            str(n),
            f"{row.score:.2f}",
            ranks,
            str(group or ""),
            _mark(held, choice, row),
            row.title,
        )
        rows.append(
            TableRow(
                row.paper, cells, tuple(_told_of(row, _merged_with(held, row.paper))), row.paper
            )
        )
    note = "m meaning, e entities, c co-citation, each with the rank there. Papers of one cluster number were merged; b sets one apart."
    said = "What you choose here counts once the row is made again (r there)."
    return TableView(
        ("rank", "score", "routes", "cluster", "", "title"),
        tuple(rows),
        " ".join(filter(None, (held.note, note, said))),
    )


def _merged_with(held: contents.RetrievedContent, paper: str) -> list[str]:
    """The titles of the papers that share a cluster with a paper."""
    others = {
        other for group in held.clusters if paper in group for other in group if other != paper
    }
    return [row.title for row in held.papers if row.paper in others]


def _mark(
    held: contents.RetrievedContent, choice: contents.ChoiceContent, row: contents.RetrievedPaper
) -> str:
    """A word for a paper: what you chose for it, else what became of it."""
    chosen = (("pinned", choice.pinned), ("unticked", choice.papers_off), ("apart", choice.apart))
    said = next((word for word, lines in chosen if choices.says(lines, row.paper, row.title)), "")
    return said or ("picked" if row.paper in held.picked else "left out" if row.left_out else "")


def _told_of(row: contents.RetrievedPaper, others: list[str]) -> Iterator[tuple[str, str]]:
    yield "ROUTES", "; ".join(f"{route}: rank {rank}" for route, rank in row.routes.items())
    yield "SCORE", f"{row.score:.2f} by similarity, {row.fused:.3f} by the ranks of its routes"
    if row.left_out:
        yield "LEFT OUT", row.left_out
    if others:
        yield "MERGED WITH", "\n".join(others)


def nearest_table(state: State, address: str) -> TableView:
    held = state.read(address, contents.NearestContent) or contents.NearestContent()
    rows = []
    for n, row in enumerate(held.papers, start=1):
        paper = state.papers.get(row.paper)
        rows.append(
            TableRow(
                row.paper,
                (str(n), f"{row.score:.2f}", paper.title if paper else row.paper),
                paper=row.paper,
            )
        )
    return TableView(("rank", "score", "title"), tuple(rows), held.ranked)


def entities_table(state: State, address: str) -> TableView:
    """The entities with their synonyms and where they stand; those that were switched off say so."""
    held = state.read(address, contents.EntitiesContent) or contents.EntitiesContent()
    choice = choices.choice_of(state, address)
    rows = []
    for row in held.entities:
        of = [known.short() if (known := state.papers.get(text)) else text for text in row.of]
        mark = "off" if choices.entity_off(choice, row) else "on"
        rows.append(
            TableRow(
                row.name,
                (mark, row.name),
                (("SYNONYMS", row.description or "none"), ("NAMED IN", "; ".join(of))),
            )
        )
    return TableView(
        ("", "entity"),
        tuple(rows),
        "Space switches an entity off or on; what is off is not searched with.",
    )


def first_table(state: State, address: str) -> TableView:
    """The first ideas; those that you dropped say so."""
    held = state.read(address, contents.FirstContent) or contents.FirstContent()
    off = choices.choice_of(state, address).ideas_off
    rows = (
        TableRow(text, ("dropped" if text in off else "in", " ".join(text.split())), (("", text),))
        for text in dict.fromkeys(held.ideas)
    )
    return TableView(
        ("", "idea"), tuple(rows), "x drops an idea before the filter sees it, a takes it in again."
    )


def filtered_table(state: State, address: str) -> TableView:
    """The ideas that stay, then those that went, each with the reason."""
    held = state.read(address, contents.FilteredContent) or contents.FilteredContent()
    why = {row.name: row.description for row in (*held.reasons, *held.dropped)}
    all_of_them = [
        *((text, "stays") for text in held.kept),
        *((row.name, "went") for row in held.dropped),
    ]
    rows = (
        TableRow(text, (mark, " ".join(text.split())), (("", text), ("WHY", why.get(text, ""))))
        for text, mark in all_of_them
    )
    return TableView(
        ("", "idea"),
        tuple(rows),
        "x drops an idea, a keeps one that went; the texts stay as they are.",
    )


def records_table(state: State, address: str) -> TableView:
    held = state.read(address, ReadPapers) or ReadPapers()
    parts = ("problem", "move", "method", "evidence", "use", "limits")
    rows = []
    for row in held.papers:
        text = [(part.upper(), said) for part in parts if (said := getattr(row, part))] or [
            ("NOT READ", row.unread)
        ]
        rows.append(
            TableRow(row.paper, (row.source or "not read", row.title), tuple(text), row.paper)
        )
    return TableView(("read from", "title"), tuple(rows))


def inspired_table(state: State, address: str) -> TableView:
    held = state.read(address, contents.InspiredContent) or contents.InspiredContent()
    rows = (
        TableRow(
            row.paper,
            ("yes" if row.inspiration else "none", row.title),
            (("INSPIRATION", row.inspiration or "It suggests nothing."),),
            row.paper,
        )
        for row in held.papers
    )
    return TableView(("", "paper"), tuple(rows))


def _counted(held: contents.RetrievedContent) -> str:
    return f"{len(held.picked)} of {count(len(held.papers), 'paper')} used"


def _chosen(held: contents.ChoiceContent) -> str:
    said = (
        (held.entities_off, "off"),
        (held.papers_off, "unticked"),
        (held.pinned, "pinned"),
        (held.apart, "kept apart"),
        (held.ideas_off, "dropped"),
    )
    return (
        ", ".join(f"{sum(map(bool, what))} {word}" for what, word in said if any(what))
        or "nothing left out or pinned"
    )


def _ideas(texts: Sequence[str]) -> str:
    """How many ideas, and how each begins."""
    return (
        f"{count(len(texts), 'idea')}: {'; '.join(clipped(text, 8) for text in texts)}"
        if texts
        else "no idea"
    )


def _filtered(held: contents.FilteredContent) -> str:
    return f"{len(held.kept)} of {_ideas([*held.kept, *(row.name for row in held.dropped)])}"


BACKGROUND = CellKind(
    "background",
    "S1/background",
    "Background",
    contents.BackgroundContent,
    "scipip background",
    "background",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("text"), EditableField("queries", form="lines")),
    label="background",
    shared=True,
)
BRAINSTORM = CellKind(
    "brainstorm",
    "S1/brainstorm",
    "Brainstorm",
    contents.BrainstormContent,
    "scipip brainstorm",
    "brainstorm",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("directions", form="lines"),),
    label="brainstorm",
    caption=lambda held: "; ".join(held.directions),
    shared=True,
    optional=True,
)
NEAREST = CellKind(
    "nearest",
    "S1/nearest",
    "Papers by meaning",
    contents.NearestContent,
    "scipip nearest",
    "entities",
    decisions=kinds.OF_LIST,
    label="by meaning",
    caption=lambda held: count(len(held.papers), "paper"),
    shown=nearest_table,
    has_verdict=False,
    shared=True,
)
ENTITIES = CellKind(
    "entities",
    "S1/entities",
    "Entities",
    contents.EntitiesContent,
    "scipip entities",
    "entities",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("entities", form="pairs"),),
    label="entities",
    shown=entities_table,
    shared=True,
    row_change=choices.entity_change,
    caption=lambda held: ", ".join(row.name for row in held.entities),
)
CHOICES = (
    EditableField("entities_off", "Entities that are switched off", "lines"),
    EditableField("papers_off", "Papers that are unticked", "lines"),
    EditableField("pinned", "Papers that are pinned", "lines"),
    EditableField("apart", "Papers that stand alone in their cluster", "lines"),
    EditableField("ideas_off", "First ideas that are dropped", "lines"),
)


def choices_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """What is off, unticked, pinned or kept apart; what there is to say where nothing is."""
    held = state.read(address, contents.ChoiceContent) or contents.ChoiceContent()
    found = [
        (field.heading, "\n".join(f"- {line}" for line in getattr(held, field.name) if line))
        for field in CHOICES
    ]
    told = [(heading, said) for heading, said in found if said]
    yield from told or [
        (
            "",
            "Nothing is left out or pinned. Enter on the entities, the papers retrieved or the first ideas opens their table.",
        )
    ]


CHOICE = CellKind(
    "choice",
    "S1/choice",
    "Your choices",
    contents.ChoiceContent,
    decisions=frozenset({"edit", "adopt", "note"}),
    fields=CHOICES,
    label="your choices",
    caption=_chosen,
    describe=choices_told,
    has_verdict=False,
    shared=True,
)
RETRIEVED = CellKind(
    "retrieved",
    "S1/retrieved",
    "Papers retrieved",
    contents.RetrievedContent,
    "scipip retrieval",
    "retrieval",
    decisions=kinds.OF_LIST,
    label="papers",
    caption=_counted,
    shown=retrieved_table,
    has_verdict=False,
    shared=True,
    row_change=choices.paper_change,
)
RECORDS = CellKind(
    "records",
    "S1/records",
    "Papers read",
    ReadPapers,
    "scipip records",
    "retrieval",
    decisions=kinds.OF_LIST,
    label="papers read",
    caption=lambda held: count(len(held.papers), "paper"),
    shown=records_table,
    has_verdict=False,
    shared=True,
)
PROBLEM = CellKind(
    "problem",
    "S1/problem",
    "Problem",
    contents.ProblemContent,
    "scipip problem",
    "problem",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("text"), EditableField("reasons", form="lines")),
    label="problem",
    shared=True,
    optional=True,
)
INSPIRED = CellKind(
    "inspired",
    "S1/inspired",
    "Inspirations",
    contents.InspiredContent,
    "scipip inspirations",
    "problem",
    decisions=kinds.OF_LIST,
    label="inspirations",
    shown=inspired_table,
    has_verdict=False,
    shared=True,
    optional=True,
    caption=lambda held: (
        f"{sum(bool(row.inspiration) for row in held.papers)} of {count(len(held.papers), 'paper')}"
    ),
)
FIRST = CellKind(
    "first",
    "S1/first",
    "First ideas",
    contents.FirstContent,
    "scipip first ideas",
    "drafts",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("ideas", form="lines"),),
    label="first ideas",
    caption=lambda held: _ideas(held.ideas),
    shared=True,
    shown=first_table,
    row_change=choices.first_change,
)
FILTERED = CellKind(
    "filtered",
    "S1/filtered",
    "Ideas that stay",
    contents.FilteredContent,
    "scipip filter",
    "filter",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("kept", form="lines"), EditableField("dropped", form="pairs")),
    label="filtered",
    caption=_filtered,
    shared=True,
    main="kept",
    optional=True,
    shown=filtered_table,
    row_change=choices.stay_change,
)
IMPROVED = CellKind(
    "improved",
    "S1/improved",
    "Ideas improved",
    contents.ImprovedContent,
    "scipip improve",
    "filter",
    decisions=kinds.OF_TEXT,
    fields=tuple(EditableField(f"idea{n}", f"Idea {n}") for n in range(1, 5)),
    label="improved",
    caption=lambda held: _ideas([text for n in range(1, 5) if (text := getattr(held, f"idea{n}"))]),
    shared=True,
)
IDEA = kinds.idea("scipip idea", "ideas")

OWN_KINDS = (
    BACKGROUND,
    BRAINSTORM,
    NEAREST,
    ENTITIES,
    CHOICE,
    RETRIEVED,
    RECORDS,
    PROBLEM,
    INSPIRED,
    FIRST,
    FILTERED,
    IMPROVED,
    kinds.RIVALS,
    IDEA,
)
