"""The cells of Nova: what each holds, who makes it, what a person may decide and edit, and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.engine.declarations import CellKind, EditableField
from coi_tui.methods.nova import contents, diversity_cell, reads
from coi_tui.methods.nova.choices import SEED_ROW, choice_change, line_change
from coi_tui.methods.nova.proposals import seed_of
from coi_tui.methods.nova.theories import THEORIES, ticked
from coi_tui.methods.shared import kinds
from coi_tui.model.state import State
from coi_tui.model.views import TableRow, TableView
from coi_tui.model.wording import count

SOURCES = {
    contents.THEORIES: "a theory",
    contents.TRENDS: "the trend report",
    contents.SHORTCOMINGS: "shortcomings of earlier work",
    contents.SEARCH: "the papers of its search plan",
}
"""What each source of seeds is called."""


def _paper(state: State, paper: str) -> str:
    return known.title if (known := state.papers.get(paper)) else paper


def trends_table(state: State, address: str) -> TableView:
    """The recent papers with their citations a year."""
    held = state.read(address, contents.TrendsContent) or contents.TrendsContent()
    rows = []
    for n, row in enumerate(held.papers, start=1):
        cited = "" if row.citations is None else str(row.citations)
        rows.append(
            TableRow(
                row.paper,
                (str(n), f"{row.velocity:.1f}", cited, str(row.year or ""), row.title),
                paper=row.paper,
            )
        )
    return TableView(("rank", "a year", "citations", "year", "title"), tuple(rows), held.note)


def weighed_table(state: State, address: str) -> TableView:
    """Every draft with what was said for and against it, the kept ones first."""
    held = state.read(address, contents.WeighedContent) or contents.WeighedContent()
    rows: list[TableRow] = []
    for mark, drafts in (("kept", held.kept), ("", held.dropped)):
        for draft in drafts:
            said = [
                ("IDEA", draft.text),
                ("FROM", _source(draft)),
                ("FOR", draft.pros),
                ("AGAINST", draft.cons),
            ]
            said += [("REPEATS", draft.repeats)] if draft.repeats else []
            cells = (
                mark or ("repeats" if draft.repeats else "dropped"),
                str(draft.score or ""),
                draft.source,
                draft.title,
            )
            rows.append(
                TableRow(
                    str(len(rows) + 1), cells, tuple((name, text) for name, text in said if text)
                )
            )
    return TableView(("", "score", "from", "title"), tuple(rows))


def drafts_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The drafts with where each comes from."""
    held = state.read(address, contents.DraftsContent) or contents.DraftsContent()
    for n, draft in enumerate(held.drafts, start=1):
        yield (
            f"{n} {draft.title}",
            "\n".join(filter(None, (draft.text, f"From {_source(draft)}.", draft.thinking))),
        )


def found_table(state: State, address: str) -> TableView:
    """The papers of a search plan, line by line."""
    held = state.read(address, contents.FoundContent) or contents.FoundContent()
    rows = []
    for n, item in enumerate(held.items, start=1):
        rows += [
            TableRow(
                f"{n} {p}",
                (str(n), _paper(state, p)),
                (("LINE", item.name), ("SEARCHED", item.query)),
                p,
            )
            for p in item.papers
        ]
        if not item.papers:
            rows.append(
                TableRow(
                    str(n),
                    (str(n), "nothing was found"),
                    (("LINE", item.name), ("SEARCHED", item.query)),
                )
            )
    return TableView(("line", "title"), tuple(rows))


def _source(seed: contents.SeedContent) -> str:
    said = SOURCES.get(seed.source, seed.source)
    return f"{said}: {seed.theory}" if seed.theory else said


def seed_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The idea, where it comes from, what was thought, and the papers that it rests on."""
    seed = state.read(address, contents.SeedContent) or contents.SeedContent()
    papers = "\n".join(f"- {_paper(state, paper)}" for paper in seed.papers)
    told = (
        ("TITLE", seed.title),
        ("IDEA", seed.text),
        ("FROM", _source(seed)),
        ("THINKING", seed.thinking),
        ("PAPERS", papers),
        ("FOR", seed.pros),
        ("AGAINST", seed.cons),
    )
    return ((heading, said) for heading, said in told if said)


def plan_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The lines of a plan, with what was thought and why each is worth a search; those that are switched off say so."""
    plan = state.read(address, contents.PlanContent) or contents.PlanContent()
    on = plan.on()
    for n, item in enumerate(plan.items, start=1):
        off = "" if item in on else " (switched off)"
        said = (
            f"Keywords: {item.description}" if item.description else "",
            item.rationale,
            item.thinking,
        )
        yield f"{n} {item.name}{off}", "\n".join(filter(None, said))


def plan_table(state: State, address: str) -> TableView:
    """The lines of a plan, which can be switched off one by one before it runs."""
    plan = state.read(address, contents.PlanContent) or contents.PlanContent()
    on, rows = plan.on(), []
    for n, item in enumerate(plan.items, start=1):
        said = (
            ("KEYWORDS", item.description),
            ("WHY", item.rationale),
            ("THINKING", item.thinking),
            ("SEARCHED", item.query),
        )
        text = tuple((heading, told) for heading, told in said if told)
        rows.append(TableRow(str(n), ("on" if item in on else "off", str(n), item.name), text))
    return TableView(
        ("", "line", "field and direction"),
        tuple(rows),
        "One search a line; lines that are off are not searched.",
    )


def choices_table(state: State, address: str) -> TableView:
    """The ten theories, each used or left out, then the seeds that may be worked out."""
    used = ticked(
        (state.read(address, contents.ChoiceContent) or contents.ChoiceContent()).theories
    )
    rows = []
    for one in THEORIES:
        said = (
            ("RESTS ON", "\n".join(f"- {who}" for who in one.thinkers)),
            ("WAYS", "\n".join(f"- {way}" for way in one.ways)),
        )
        rows.append(
            TableRow(
                str(one.number), ("used" if one in used else "out", str(one.number), one.name), said
            )
        )
    instance = address.partition("/")[0]
    becomes = {seed_of(state, branch): str(branch) for branch in state.branches_of(instance)}
    for item in reads.current(state, instance):
        seed = (
            state.read(reads.seed(instance, item), contents.SeedContent) or contents.SeedContent()
        )
        rows.append(
            TableRow(
                f"{SEED_ROW}{item}",
                (becomes.get(item, ""), f"seed {item}", seed.title),
                (("IDEA", seed.text),),
            )
        )
    return TableView(
        ("", "number", "theory or seed"),
        tuple(rows),
        "Drafts are led by the theories that are used; seeds become proposals.",
    )


def choices_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    held = state.read(address, contents.ChoiceContent) or contents.ChoiceContent()
    yield (
        "TARGET",
        "\n".join(held.target) or "The first anchor, else the first paper of the reading list.",
    )
    used = ticked(held.theories)
    if held.proposals:
        yield "SEEDS TO WORK OUT", "\n".join(held.proposals)
    yield (
        "THEORIES",
        "\n".join(f"{'x' if theory in used else '-'} {theory.line()}" for theory in THEORIES),
    )


def _target(held: contents.TargetContent) -> str:
    return f"{held.title} ({held.of})" if held.of else held.title


def _plan(held: contents.PlanContent) -> str:
    on = len(held.on())
    off = f", {len(held.items) - on} off" if on < len(held.items) else ""
    return f"{count(on, 'search', 'searches')}{off}: {'; '.join(item.name for item in held.on())}"


def _chosen(held: contents.WeighedContent) -> str:
    return f"{len(held.kept)} of {count(len(held.kept) + len(held.dropped), 'draft')}"


def _found(held: contents.FoundContent) -> str:
    return f"{count(len(held.papers()), 'paper')} of {count(len(held.items), 'search', 'searches')}"


TARGET = CellKind(
    "target",
    "N1/target",
    "Target",
    contents.TargetContent,
    "nova target",
    "target",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("title"), EditableField("text")),
    label="target",
    caption=_target,
    shared=True,
)
CHOICE = CellKind(
    "choice",
    "N1/choice",
    "Your choices",
    contents.ChoiceContent,
    decisions=frozenset({"edit", "adopt", "note"}),
    fields=(
        EditableField("target", "Target: an address, or a paper's id or title", "lines"),
        EditableField(
            "theories", "Theories to use, by number or name; none means all ten", "lines"
        ),
        EditableField(
            "proposals", "Seeds to work out, by number, one line for each proposal", "lines"
        ),
    ),
    label="your choices",
    describe=choices_told,
    shown=choices_table,
    row_change=choice_change,
    has_verdict=False,
    shared=True,
    caption=lambda held: f"{len(ticked(held.theories))} of {len(THEORIES)} theories",
)
TRENDS = CellKind(
    "trends",
    "N1/trends",
    "Trend report",
    contents.TrendsContent,
    "nova trends",
    "trends",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("text"),),
    label="trends",
    shown=trends_table,
    shared=True,
)
DRAFTS = CellKind(
    "drafts",
    "N1/drafts",
    "Drafts from three sources",
    contents.DraftsContent,
    "nova drafts",
    "drafts",
    decisions=kinds.OF_LIST,
    label="draft seeds",
    caption=lambda held: count(len(held.drafts), "draft"),
    describe=drafts_told,
    has_verdict=False,
    shared=True,
)
WEIGHED = CellKind(
    "weighed",
    "N1/weighed",
    "Drafts weighed",
    contents.WeighedContent,
    "nova weigh",
    "drafts",
    decisions=kinds.OF_LIST,
    label="seeds chosen",
    caption=_chosen,
    shown=weighed_table,
    has_verdict=False,
    shared=True,
)
SEED = CellKind(
    "seed",
    "N1/seed2",
    "Seed idea",
    contents.SeedContent,
    "nova seed",
    "seeds",
    decisions=kinds.OF_TEXT | {"reject"},
    fields=(EditableField("title"), EditableField("text")),
    label="seed",
    caption=lambda held: held.title,
    describe=seed_told,
    optional=True,
    other_steps={"nova new seeds": "round-1"},
    shared=True,
)
PLAN = CellKind(
    "plan",
    "N1/plan2",
    "Search plan",
    contents.PlanContent,
    "nova plan",
    "plans-1",
    decisions=kinds.OF_TEXT,
    fields=(
        EditableField("items", "Lines to search, each a title and its keywords", "pairs"),
        EditableField("off", "Lines that are switched off, by number or title", "lines"),
    ),
    label="searches",
    caption=_plan,
    main="items",
    describe=plan_told,
    shown=plan_table,
    row_change=line_change,
    optional=True,
    shared=True,
)
FOUND = CellKind(
    "found",
    "N1/found2",
    "Papers found",
    contents.FoundContent,
    "nova search",
    "round-1",
    decisions=kinds.OF_LIST,
    label="papers",
    caption=_found,
    shown=found_table,
    has_verdict=False,
    optional=True,
    shared=True,
)
DIVERSITY = CellKind(
    "diversity",
    "N1/diversity",
    "Diversity",
    contents.DiversityContent,
    "nova diversity",
    "diversity",
    decisions=kinds.OF_LIST,
    label="diversity",
    caption=diversity_cell.caption,
    describe=diversity_cell.told,
    shown=diversity_cell.curve_view,
    has_verdict=False,
    shared=True,
)
INITIAL = CellKind(
    "initial",
    "N1/1/initial",
    "First proposal",
    contents.InitialContent,
    "nova initial",
    "proposals",
    decisions=kinds.OF_TEXT,
    fields=tuple(
        EditableField(name)
        for name in ("name", "problem", "existing", "motivation", "method", "experiment")
    ),
    label="proposal",
    caption=lambda held: held.name,
    main="method",
)
MODULES = CellKind(
    "modules",
    "N1/1/modules",
    "Modules of the method",
    contents.ModulesContent,
    "nova modules",
    "proposals",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("modules", form="pairs"),),
    label="parts",
    caption=lambda held: "; ".join(part.name for part in held.modules),
)
IDEA = kinds.idea("nova proposal", "ideas")

OWN_KINDS = (
    TARGET,
    CHOICE,
    TRENDS,
    DRAFTS,
    WEIGHED,
    SEED,
    PLAN,
    FOUND,
    DIVERSITY,
    INITIAL,
    MODULES,
    kinds.RIVALS,
    IDEA,
)
