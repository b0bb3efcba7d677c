"""The cells of Nova: what each holds, who makes it, what is shown of it, and what a person decides
on its rows by a key."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.methods.nova import contents, diversity_cell, reads
from coi_tui.methods.nova.picks import seed_of
from coi_tui.methods.nova.theories import THEORIES, ticked
from coi_tui.methods.shared import kinds
from coi_tui.methods.shared.cell_table import (
    held,
    kinds_of,
    nth,
    row,
    table,
    title_of,
    told_by,
    turned,
)
from coi_tui.model.state import State
from coi_tui.model.views import RowChange, RowKey, TableView
from coi_tui.model.wording import count

SOURCES = {
    contents.THEORIES: "a theory",
    contents.TRENDS: "the trend report",
    contents.SHORTCOMINGS: "shortcomings of earlier work",
    contents.SEARCH: "the papers of its search plan",
}
"""What each source of seeds is called."""
SEED_ROW = "seed"
"""How the key of a seed's row begins; that of a theory is its number."""


def trends_table(state: State, address: str) -> TableView:
    """The recent papers with their citations a year."""
    it = held(state, address, contents.TrendsContent)
    rows = (
        row(
            one.paper,
            n,
            f"{one.velocity:.1f}",
            "" if one.citations is None else one.citations,
            one.year or "",
            one.title,
            paper=one.paper,
        )
        for n, one in enumerate(it.papers, 1)
    )
    return table("rank|a year|citations|year|title", rows, it.note)


def drafts_table(state: State, address: str) -> TableView:
    """The drafts with where each comes from."""
    rows = (
        row(n, n, one.title, idea=one.text, source=_source(one), thinking=one.thinking)
        for n, one in enumerate(held(state, address, contents.DraftsContent).drafts, 1)
    )
    return table("|title", rows)


def weighed_table(state: State, address: str) -> TableView:
    """Every draft with what was said for and against it, the kept ones first."""
    it = held(state, address, contents.WeighedContent)
    rows = (
        row(
            n,
            "kept" if n <= len(it.kept) else "repeats" if one.repeats else "dropped",
            one.score or "",
            one.source,
            one.title,
            idea=one.text,
            pros=one.pros,
            cons=one.cons,
            repeats=one.repeats,
        )
        for n, one in enumerate([*it.kept, *it.dropped], 1)
    )
    return table("|score|from|title", rows)


def found_table(state: State, address: str) -> TableView:
    """The papers of a search plan, line by line."""
    rows = (
        row(
            f"{n} {paper}",
            n,
            title_of(state, paper) or "nothing was found",
            paper=paper,
            line=item.name,
            searched=item.query,
        )
        for n, item in enumerate(held(state, address, contents.FoundContent).items, 1)
        for paper in item.papers or [""]
    )
    return table("line|title", rows)


def _source(seed: contents.SeedContent) -> str:
    said = SOURCES.get(seed.source, seed.source)
    return f"{said}: {seed.theory}" if seed.theory else said


def seed_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The idea, where it comes from, what was thought, and the papers that it rests on."""
    seed = held(state, address, contents.SeedContent)
    papers = "\n".join(f"- {title_of(state, paper)}" for paper in seed.papers)
    told = {
        "TITLE": seed.title,
        "IDEA": seed.text,
        "FROM": _source(seed),
        "THINKING": seed.thinking,
        "PAPERS": papers,
        "FOR": seed.pros,
        "AGAINST": seed.cons,
    }
    return ((heading, said) for heading, said in told.items() if said)


def plan_table(state: State, address: str) -> TableView:
    """The lines of a plan, which can be switched off one by one before it runs."""
    plan = held(state, address, contents.PlanContent)
    on = plan.on()
    rows = (
        row(
            n,
            "on" if item in on else "off",
            n,
            item.name,
            keywords=item.description,
            why=item.rationale,
            thinking=item.thinking,
        )
        for n, item in enumerate(plan.items, 1)
    )
    note = "One search a line; lines that are off are not searched."
    return table("|line|field and direction", rows, note)


def line_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """Switch a line of a search plan on or off."""
    plan = held(state, address, contents.PlanContent)
    item = nth(plan.items, number)
    off = turned(key, item not in plan.on()) if item is not None else None
    if off is None:
        return None
    names = [other.name for other in plan.items]
    said = (number, item.name.strip().casefold())
    lines = [one for one in plan.off if one.strip().casefold() not in said]
    if off:
        lines.append(item.name if names.count(item.name) == 1 else number)
    word = "off" if off else "on"
    return RowChange(address, {"off": lines}, f"switch {word}", f"“{item.name[:50]}” is {word}.")


def choices_table(state: State, address: str) -> TableView:
    """The ten theories, each used or left out, then the seeds that may be worked out."""
    used, instance = ticked(_choice(state, address).theories), address.partition("/")[0]
    rows = [
        row(
            one.number,
            "used" if one in used else "out",
            one.number,
            one.name,
            rests_on="\n".join(one.thinkers),
            ways="\n".join(one.ways),
        )
        for one in THEORIES
    ]
    becomes = {seed_of(state, branch): str(branch) for branch in state.branches_of(instance)}
    for item in reads.current(state, instance):
        seed = held(state, reads.seed(instance, item), contents.SeedContent)
        mark = becomes.get(item, "")
        rows.append(row(f"{SEED_ROW}{item}", mark, f"seed {item}", seed.title, idea=seed.text))
    note = "Drafts are led by the theories that are used; seeds become proposals."
    return table("|number|theory or seed", rows, note)


def _choice(state: State, address: str) -> contents.ChoiceContent:
    return held(state, address, contents.ChoiceContent)


def choices_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    it = _choice(state, address)
    usual = "The first anchor, else the first paper of the reading list."
    yield "TARGET", "\n".join(it.target) or usual
    if it.proposals:
        yield "SEEDS TO WORK OUT", "\n".join(it.proposals)
    used = ticked(it.theories)
    yield "THEORIES", "\n".join(f"{'x' if one in used else '-'} {one.line()}" for one in THEORIES)


def choice_change(state: State, address: str, key_of_row: str, key: RowKey) -> RowChange | None:
    """What a key does on a row of the choices."""
    item = key_of_row.removeprefix(SEED_ROW)
    change = theory_change if item == key_of_row else seed_change
    return change(state, address, item, key)


def seed_change(state: State, address: str, item: str, key: RowKey) -> RowChange | None:
    """Work a seed out: as the first proposal of which nothing is written yet, else in place of the
    last one."""
    branches = state.branches_of(address.partition("/")[0])
    seeds = [seed_of(state, branch) or "-" for branch in branches]
    open_ = [n for n, branch in enumerate(branches) if branch not in state.parked]
    if key not in ("tick", "accept") or item in seeds or not open_:
        return None
    place = next((n for n in open_ if state.in_use(f"{branches[n]}/initial") is None), open_[-1])
    seeds[place] = item
    said = f"Seed {item} becomes the proposal {branches[place]}."
    return RowChange(address, {"proposals": seeds}, "work out", said)


def theory_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """Use a theory or leave it out; the last one cannot be left out."""
    theory, used = nth(THEORIES, number), ticked(_choice(state, address).theories)
    off = turned(key, theory not in used) if theory is not None else None
    left = [
        one for one in THEORIES if (one in used and one != theory) or (one == theory and not off)
    ]
    if off is None or not left:
        return None
    lines = [] if len(left) == len(THEORIES) else [one.line() for one in left]
    word = "leave out" if off else "use"
    said = f"“{theory.name}” is {'left out' if off else 'used'}."
    return RowChange(address, {"theories": lines}, word, said)


def _plan_caption(it: contents.PlanContent) -> str:
    on = it.on()
    off = f", {len(it.items) - len(on)} off" if len(on) < len(it.items) else ""
    return f"{count(len(on), 'search', 'searches')}{off}: {'; '.join(one.name for one in on)}"


kind = kinds_of("N")
OWN_KINDS = (
    kind(
        "target",
        "Target",
        contents.TargetContent,
        "nova target",
        "target",
        "title text",
        caption=lambda it: f"{it.title} ({it.of})" if it.of else it.title,
    ),
    kind(
        "choice",
        "Your choices",
        contents.ChoiceContent,
        edits="target theories proposals",
        label="your choices",
        describe=choices_told,
        shown=choices_table,
        row_change=choice_change,
        caption=lambda it: f"{len(ticked(it.theories))} of {len(THEORIES)} theories",
    ),
    kind(
        "trends",
        "Trend report",
        contents.TrendsContent,
        "nova trends",
        "trends",
        "text",
        shown=trends_table,
    ),
    kind(
        "drafts",
        "Drafts from three sources",
        contents.DraftsContent,
        "nova drafts",
        "drafts",
        label="draft seeds",
        caption=lambda it: count(len(it.drafts), "draft"),
        describe=told_by(drafts_table),
        shown=drafts_table,
    ),
    kind(
        "weighed",
        "Drafts weighed",
        contents.WeighedContent,
        "nova weigh",
        "drafts",
        label="seeds chosen",
        caption=lambda it: f"{len(it.kept)} of {count(len(it.kept) + len(it.dropped), 'draft')}",
        describe=told_by(weighed_table),
        shown=weighed_table,
    ),
    kind(
        "seed",
        "Seed idea",
        contents.SeedContent,
        "nova seed",
        "seeds",
        "title text",
        item="2",
        decisions=kinds.OF_TEXT | {"reject"},
        caption=lambda it: it.title,
        describe=seed_told,
        optional=True,
        other_steps={"nova new seeds": "round-1"},
    ),
    kind(
        "plan",
        "Search plan",
        contents.PlanContent,
        "nova plan",
        "plans-1",
        "items off",
        item="2",
        label="searches",
        caption=_plan_caption,
        main="items",
        describe=told_by(plan_table),
        shown=plan_table,
        row_change=line_change,
        optional=True,
    ),
    kind(
        "found",
        "Papers found",
        contents.FoundContent,
        "nova search",
        "round-1",
        item="2",
        label="papers",
        caption=lambda it: (
            f"{count(len(it.papers()), 'paper')} of {count(len(it.items), 'search', 'searches')}"
        ),
        describe=told_by(found_table),
        shown=found_table,
        optional=True,
    ),
    kind(
        "diversity",
        "Diversity",
        contents.DiversityContent,
        "nova diversity",
        "diversity",
        caption=diversity_cell.caption,
        describe=told_by(diversity_cell.curve_view),
        shown=diversity_cell.curve_view,
    ),
    kind(
        "initial",
        "First proposal",
        contents.InitialContent,
        "nova initial",
        "proposals",
        "name problem existing motivation method experiment",
        own=True,
        label="proposal",
        caption=lambda it: it.name,
        main="method",
    ),
    kind(
        "modules",
        "Modules of the method",
        contents.ModulesContent,
        "nova modules",
        "proposals",
        "modules",
        own=True,
        label="parts",
        caption=lambda it: "; ".join(part.name for part in it.modules),
    ),
    kinds.RIVALS,
    kinds.idea("nova proposal", "ideas"),
)
