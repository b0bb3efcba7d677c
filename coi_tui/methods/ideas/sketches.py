"""Sketches: short ideas of several lenses to choose from, their ranking by a judge, and the idea that
is worked out of one. A lens is a way to come to ideas: from a chain, from nothing, from elsewhere.

The cells of a branch are its own (``1/sketch2``); those of all other lenses belong to the instance
of the method that holds the wall (``W1/free3``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

from pydantic import Field

from coi_tui.arena.ranking import Group, Judged, due_groups, ranking
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import CellKind, Cost, Result, Task, View, fields_of
from coi_tui.engine.freshness import Inputs, Read, Reads
from coi_tui.methods.base.cell_table import OF_LIST, OF_TEXT, by_field
from coi_tui.methods.base.reads import HUNCH, TOPIC, known_means, rivals
from coi_tui.methods.base.replies import Aside, Reasoned, Reply, Sources, Words
from coi_tui.methods.base.settings import IdeaSettings
from coi_tui.methods.base.task import MethodTask, every_end, one_call, result
from coi_tui.methods.evidence.papers import chain_of, citable, look_up
from coi_tui.methods.ideas import kinds
from coi_tui.methods.services import ServiceSet
from coi_tui.model import content
from coi_tui.model.address import Branch, branch_order, parse_address, ref
from coi_tui.model.content import (
    JudgedGroup,
    NamedWorks,
    NoveltyReport,
    RankedSketch,
    Sketch,
    SketchRanking,
    WorkedOutIdea,
)
from coi_tui.model.document import Block, bulleted, plain_table
from coi_tui.model.entries import Decision, Version
from coi_tui.model.state import REJECTED, State
from coi_tui.model.text import Fields, clean_line, clipped, count, digest, listed
from coi_tui.model.text import sentences as sentences_of

WALL = "Sketches"
"""The method whose instance holds the sketches that belong to no branch."""


class Lens(NamedTuple):
    """A way to come to sketches: what it is called, and how many one call gives."""

    title: str
    number: int


LENSES: Mapping[str, Lens] = {
    "sketch": Lens("from the chain", 4),
    "free": Lens("free", 4),
    "elsewhere": Lens("from elsewhere", 4),
    "farthest": Lens("farthest", 3),
    "more": Lens("more", 4),
    "made": Lens("made from others", 1),
    "own": Lens("yours", 1),
}
"""The lenses by the names of their cells, in the order of the wall."""
FIELDS = ("title", "sentence", "users", "how", "nearest", "left", "refuted")
FALLS = "falls"
MOST_TRIES = 3
"""Sketches of a branch that are worked out one after the other, at most, while they fall."""


# -- which sketches there are, and which are worked out


def in_short(title: str, text: str) -> Sketch:
    """A short idea of another method in the form of a sketch."""
    first, *rest = sentences_of(text) or [""]
    return Sketch(title=title or clipped(first, 10), sentence=first, how=clipped(" ".join(rest)))


def wall_of(state: State) -> str:
    """The instance that holds the wall; empty where there is none."""
    return next((name for name, one in state.instances.items() if one.method == WALL), "")


def ranking_of(state: State) -> str:
    """The address of the judge's ranking."""
    return f"{wall_of(state) or 'W1'}/ranking"


def place_of(address: str) -> tuple[Any, ...]:
    """A key that sorts sketches as the wall shows them: chain by chain, then lens by lens."""
    at = parse_address(address)
    return bool(at.instance), branch_order(at.branch), [*LENSES].index(at.part), at.numbers


@lru_cache(maxsize=8)
def sketches(state: State) -> tuple[str, ...]:
    """The addresses of all sketches that say something, also rejected ones."""
    there = {*state.branches_of(""), wall_of(state)}
    found = [
        address
        for address in state.cells
        if (at := parse_address(address)).part in LENSES
        and at.branch in there
        and (at.part != "made" or made_how(state, address).parents)  # else it was undone
        and (version := state.in_use(address)) is not None
        and (version.content.get("title") or version.content.get("sentence"))
    ]
    return tuple(sorted(found, key=place_of))


def still_open(state: State, address: str) -> bool:
    """Whether a sketch may be worked out: nobody rejected it, and it did not fall."""
    cell = state.cell(address)
    return not (cell.rejected or cell.fell)


def picked(state: State) -> list[str]:
    """The sketches that a person picked, as the wall shows them."""
    return [one for one in sketches(state) if state.cell(one).picked]


def in_order(state: State) -> list[str]:
    """The sketches that may be worked out, best first: as the judge ranks them, then as the wall
    shows them."""
    found = state.read(ranking_of(state), SketchRanking) or SketchRanking()
    place = {row.sketch: n for n, row in enumerate(found.ranked)}
    open_ones = [one for one in sketches(state) if still_open(state, one)]
    return sorted(open_ones, key=lambda one: place.get(one, len(place)))


def _home(address: str) -> Branch:
    """The branch with a chain that a sketch belongs to; 0 for one of another lens."""
    branch = parse_address(address).branch
    return branch if isinstance(branch, int) else 0


def worked(state: State) -> dict[str, str]:
    """The sketches that a person named for branches of the wall."""
    wall = wall_of(state)
    return dict(state.settings_of(wall).get("worked", {})) if wall else {}


@lru_cache(maxsize=8)
def assigned(state: State) -> Mapping[Branch, str]:
    """The sketch that each branch works out.

    A branch with a chain takes the first of its own that a person picked, else its best one. The
    branches of the wall take what a person named for them, then the best of what belongs to no
    branch (with ``work_out`` = N what the N best hold besides). Where the sketch of a branch fell,
    the next one of its kind comes.
    """
    wall, order, bounds = wall_of(state), in_order(state), state.bounds(IdeaSettings)
    named = worked(state)
    found: dict[Branch, str] = {}
    free = [one for one in order if one not in named.values()]
    for branch in state.branches_of(""):
        own = [one for one in free if _home(one) == branch]
        own.sort(key=lambda one: not state.cell(one).picked)
        if own:
            found[branch] = own[0]
    if not wall:
        return found
    taken = {*found.values(), *named.values()}
    best = order[: bounds.work_out] if bounds.work_out else [one for one in order if not _home(one)]
    rest = [one for one in best if one not in taken]
    for branch in state.branches_of(wall):
        wish = named.get(str(branch), "")
        if wish and not still_open(state, wish):
            others = [one for one in order if _home(one) == _home(wish) and one not in taken]
            wish = others[0] if others else wish
            taken.add(wish)
        if wish:
            found[branch] = wish
        elif rest:
            found[branch] = rest.pop(0)
    return found


def to_work_out(state: State) -> list[Branch]:
    """The branches whose sketches a run works out: those of picked ones where a person picked some,
    else those of the best."""
    found = assigned(state)
    if picked(state):
        named = worked(state)
        return [b for b, one in found.items() if state.cell(one).picked or str(b) in named]
    if most := state.bounds(IdeaSettings).work_out:
        best = in_order(state)[:most]
        return [b for b, one in found.items() if one in best]
    return list(found)


def chosen(state: State) -> bool:
    """Whether it is known which sketches are worked out: a person picked, or the judge ranked them;
    without a wall the first of each branch is."""
    there = state.in_use(ranking_of(state)) is not None
    return bool(picked(state)) or there or not wall_of(state)


def wall_waits(state: State) -> bool:
    """Whether a person is to choose: there are sketches, none is picked, and none was worked out."""
    return bool(sketches(state)) and not picked(state) and not state.ideas()


def unassigned(state: State) -> list[str]:
    """Picked sketches that no branch works out yet."""
    there = {*assigned(state).values()}
    return [one for one in picked(state) if one not in there and still_open(state, one)]


def expected(state: State, lenses: Sequence[str] = ("free", "elsewhere")) -> Iterator[str]:
    """The sketches that a run of the lenses makes, whether they are there or not."""
    for branch in state.branches_of(""):
        if branch not in state.parked and state.chain(branch):
            yield from (f"{branch}/sketch{n + 1}" for n in range(LENSES["sketch"].number))
    if wall := wall_of(state):
        for lens in lenses:
            yield from (f"{wall}/{lens}{n + 1}" for n in range(LENSES[lens].number))


def to_rank(state: State) -> list[str]:
    """The sketches that a judge compares: those that are there, and those to come."""
    to_come = expected(state, ("free", "elsewhere", "farthest"))
    return [*dict.fromkeys((*sketches(state), *to_come))]


def made_from(version: Version) -> set[str]:
    """The sketches that an idea was worked out of."""
    cells = {name.partition("#")[0] for name in version.inputs}
    return {one for one in cells if parse_address(one).part in LENSES}


def fell(state: State, branch: Branch) -> bool:
    """Whether the sketch of the idea in use fell, so that the next one comes."""
    idea = state.in_use(f"{branch}/idea")
    return idea is not None and any(state.cell(one).fell for one in made_from(idea))


def fell_before(state: State, branch: Branch) -> bool:
    """Whether a sketch of the branch fell."""
    versions = (state.versions[seq] for seq in state.cell(f"{branch}/idea").versions)
    return any(state.cell(one).fell for version in versions for one in made_from(version))


def next_sketch(state: State, branch: Branch) -> str:
    """What would come if the sketch of a branch fell; empty for nothing."""
    found = assigned(state)
    own = found.get(branch, "")
    taken = set(found.values())
    others = (one for one in in_order(state) if _home(one) == _home(own) and one not in taken)
    return next(others, "")


# -- what a sketch is made from

Values = Callable[[Context, Inputs], Fields]


def _others(state: State, address: str) -> Reads:
    """The title and the sentence of every sketch, seen as they were and never looked at again; not
    those that come of the same call."""
    every = dict.fromkeys((*sketches(state), *expected(state)))
    return tuple(
        Read("others", ref(one, field), optional=True, parent=True, once=True)
        for one in every
        if _call_of(one) != _call_of(address)
        for field in ("title", "sentence")
    )


def _call_of(address: str) -> tuple[object, ...]:
    """What sketches of one call have in common."""
    at = parse_address(address)
    return at.branch, at.part, at.numbers[:-1]


def _free(state: State, address: str) -> Reads:
    return (TOPIC, HUNCH, *known_means(state))


def _elsewhere(state: State, address: str) -> Reads:
    return (TOPIC, HUNCH)


def _farthest(state: State, address: str) -> Reads:
    return (TOPIC, *_others(state, address))


def _more(state: State, address: str) -> Reads:
    """What a person picked and rejected, with the reasons, and what there is besides."""
    picks, every = picked(state), sketches(state)
    chosen = (
        Read("picked", ref(one, field), optional=True, parent=True, once=True)
        for one in picks
        for field in ("title", "sentence")
    )
    refused = (
        Read(REJECTED, ref(one, REJECTED), optional=True, parent=True, once=True) for one in every
    )
    return (*_free(state, address), *chosen, *refused, *_others(state, address))


class Made(NamedTuple):
    """How a sketch was made from others: by an operator, which says what it asks for."""

    operator: str = ""
    asks: str = ""
    parents: tuple[str, ...] = ()


def made_how(state: State, address: str) -> Made:
    """How the sketch at an address is made from others."""
    at = parse_address(address)
    return Made(**state.settings_of(at.instance).get("made", {}).get(at.item, {}))


def _made(state: State, address: str) -> Reads:
    """Its parents, whole."""
    how = made_how(state, address)
    return (
        *_free(state, address),
        *(Read("picked", ref(one, f), optional=True) for one in how.parents for f in FIELDS),
    )


READS: Mapping[str, Callable[[State, str], Reads]] = {
    "free": _free,
    "elsewhere": _elsewhere,
    "farthest": _farthest,
    "more": _more,
    "made": _made,
}


class SketchReply(Reply):
    """An idea in at most 130 words."""

    title: Words
    sentence: Words
    users: Words
    how: Words
    nearest: Words
    left: Aside
    refuted: Words


class Sketches(Reasoned):
    """The sketches of one lens."""

    sketches: list[SketchReply] = Field(min_length=1, max_length=6)


class SketchTask(MethodTask):
    """One call for all sketches of a lens; each cell takes its own, is edited and refreshed
    alone."""

    prompts = ("sketches",)

    def __init__(self, tools: ServiceSet | None = None, lens: str = "free") -> None:
        super().__init__(tools)
        self.lens, self.name = lens, f"{lens} sketch" if lens != "sketch" else "sketch"

    def reads(self, state: State, address: str) -> Reads:
        return READS[self.lens](state, address)

    def cost(self, state: State, address: str) -> Cost:
        first = int(parse_address(address).numbers[-1] == 1)  # it asks for all of them
        return one_call((700, 5_000), (700, 1_400)).times(first, first)

    def values(self, ctx: Context, inputs: Inputs) -> Fields:
        """What the lens is shown besides the topic."""
        names = {read.name for read in inputs.reads}
        shown: Fields = {n: inputs.one(n) or "" for n in ("hunch", "means") if n in names}
        for name in ("others", "picked"):
            shown[name] = list(by_field(inputs.all(name)).values())
        shown[REJECTED] = [one for _, one in inputs.all(REJECTED)]
        how = made_how(ctx.state, inputs.address)
        return shown | {"like": how.asks or ctx.given.get("like", "")}

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, lens = self.services(ctx), LENSES[self.lens]
        values = {**EMPTY, **self.values(ctx, inputs), "topic": inputs.one("topic")}
        values |= {"lens": self.lens, "number": lens.number}
        asked = await services.ask("sketches", values, Sketches)
        made, number = asked.value.sketches, parse_address(inputs.address).numbers[-1]
        if number <= len(made):
            how = made_how(ctx.state, inputs.address)
            origin = (
                f"{how.operator} of {listed([*how.parents])}" if how.parents else values["like"]
            )
            found = {**made[number - 1].model_dump(), "origin": origin}
        else:
            found = {"note": f"Only {len(made)} of {lens.number} sketches were written."}
        return result(inputs, found, services.origin, asked.recipe)


EMPTY: Fields = {
    **dict.fromkeys(("hunch", "means", "direction", "like"), ""),
    **{name: [] for name in ("chain", "trends", "reading", "rivals", "others", "picked", REJECTED)},
}
"""What a lens is shown that does not say otherwise."""


# -- the nearest works, and the judge's order


class NamedTask(MethodTask):
    """The titles that the sketches name as the nearest works are looked up, each once."""

    name = "named"
    size = Cost(searches=(1, 30))

    def reads(self, state: State, address: str) -> Reads:
        every = to_rank(state)
        return tuple(Read("nearest", ref(one, "nearest"), optional=True) for one in every)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, said = self.services(ctx), inputs.all("nearest")
        titles = dict.fromkeys(clean_line(str(title)) for _, title in said)
        known = await services.known_papers([*titles], 1)
        works = [content.NamedWork(title=title) for title in titles]
        came = dict(zip(titles, await look_up(services.source(), works, known.papers), strict=True))
        rows = [
            {**came[clean_line(str(title))][0].model_dump(), "sketch": name.partition("#")[0]}
            for name, title in said
        ]
        papers = [paper for _, paper in came.values() if paper is not None]
        return result(inputs, {"works": rows}, "source", papers=papers)


class GroupReply(Reasoned):
    """A group of sketches, best first, by their labels; why the first is first and the last
    last."""

    order: list[Words]
    why_first: Words
    why_last: Words


def _came(state: State, address: str) -> tuple[Any, ...]:
    """A key that sorts sketches as they came, whoever was answered first: those of a run lens by
    lens, then those that a person asked for or wrote, one after the other."""
    waits = ("free", "elsewhere", "sketch", "farthest", *LENSES)
    lens = min(waits.index(parse_address(address).part), 4)
    return lens, state.cell(address).versions[:1] if lens == 4 else (), place_of(address)


class RankingTask(MethodTask):
    """Groups of five, best first; the groups that follow are drawn from what leads. The judge sees
    neither lens nor names."""

    name, prompts = "rank sketches", ("sketch_ranking",)

    def reads(self, state: State, address: str) -> Reads:
        every = to_rank(state)
        return (
            TOPIC,
            *(Read("sketches", ref(one, f), optional=True) for one in every for f in FIELDS),
            Read("before", ref(address, "groups"), optional=True, parent=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        calls = due_groups(to_rank(state), []).most
        return one_call((900, 1_400), (120, 260)).times(calls, calls)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, texts = self.services(ctx), by_field(inputs.all("sketches"))
        there = {one: text for one, text in texts.items() if text.get("title")}
        hashes = {one: digest(text) for one, text in there.items()}
        before = SketchRanking.from_stored({"groups": inputs.one("before") or []}).groups
        # a group that was judged holds while its sketches read as they did
        judged = [g for g in before if all(hashes.get(a) == was for a, was in g.texts.items())]
        players = sorted(there, key=lambda one: _came(ctx.state, one))
        recipe: Fields = {}

        async def judge(shown: Group) -> JudgedGroup:
            labels = {f"S{n}": one for n, one in enumerate(shown, 1)}
            rows = [
                {**dict.fromkeys(FIELDS, ""), **there[one], "id": label}
                for label, one in labels.items()
            ]

            def check(reply: GroupReply) -> str | None:
                named = sorted(reply.order) == sorted(labels)
                return None if named else "order must name the label of each sketch once"

            values = {"topic": inputs.one("topic"), "sketches": rows}
            asked = await services.ask("sketch_ranking", values, GroupReply, check)
            recipe.update(asked.recipe)
            return JudgedGroup(
                shown=[*shown],
                order=[labels[label] for label in asked.value.order],
                why=asked.value.why_first,
                why_last=asked.value.why_last,
                texts={one: hashes[one] for one in shown},
            )

        def known() -> list[Judged]:
            return [Judged(tuple(g.shown), tuple(g.order)) for g in judged]

        while groups := due_groups(players, known()).groups:
            judged += await every_end(map(judge, groups))
            services.at(ctx.stage + 1)
        found = SketchRanking(
            ranked=[
                RankedSketch(
                    sketch=str(row.player),
                    points=row.rating.value,
                    low=row.rating.low,
                    high=row.rating.high,
                )
                for row in ranking(players, known())
            ],
            groups=judged,
        )
        return result(inputs, found.model_dump(), services.origin, recipe)


# -- working one out


class WorkedOut(Reply):
    """COI-11: a sketch that is attacked first, and then written as an idea."""

    cites = True
    attack: Words
    why: Words
    holds: Literal["holds", "simplified", "falls"]
    sentence: Words
    title: Words
    summary: Words
    final: Words
    problem: Words
    mechanism: Words
    evaluation: Words
    setting: Words
    works: list[Words] = Field(default_factory=list, max_length=12)
    sources: Sources = Field(default_factory=list)


def _choice(state: State) -> Reads:
    """What waits for the choice between the sketches has these among its reads: the judge's order,
    where no person picked."""
    ranked = Read("ranking", ref(ranking_of(state), "ranked"), optional=True, parent=True)
    return () if picked(state) else (ranked,)


def thought(state: State, address: str) -> Reads:
    """The sketch that a branch works out, as what its idea will be made from."""
    branch = parse_address(address).branch
    sketch = assigned(state).get(branch, f"{branch}/sketch1")
    said = (Read("thought", ref(sketch, f), optional=f != "sentence") for f in ("sentence", "how"))
    return (*said, *_choice(state))


class WorkOutTask(MethodTask):
    """COI-11: one call. The sketch is attacked before it is kept, and mended by making it simpler.

    ``own``: further reads, of papers that its text may cite.
    """

    name, prompts = "idea", ("work_out",)
    size = one_call((2_000, 5_000), (1_900, 3_600))

    def __init__(
        self, tools: ServiceSet | None = None, own: Callable[[State, Branch], Reads] | None = None
    ) -> None:
        super().__init__(tools)
        self._own = own

    def reads(self, state: State, address: str) -> Reads:
        branch = parse_address(address).branch
        sketch = assigned(state).get(branch, f"{branch}/sketch1")
        parts = (Read("sketch", ref(sketch, f), optional=f != "title") for f in FIELDS)
        named = f"{wall_of(state) or 'W1'}/named"
        return (
            TOPIC,
            *parts,
            *(self._own(state, branch) if self._own is not None else ()),
            rivals("rivals", branch),
            Read("bad_cases", ref(f"{branch}/bad", "cases"), optional=True),
            Read("named", ref(named, "works"), optional=True, parent=True),
            *_choice(state),
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, near = self.services(ctx), list(inputs.one("rivals") or [])
        cells = {name.partition("#")[0] for name, _ in inputs.all("sketch")}
        rows = NamedWorks.from_stored({"works": inputs.one("named") or []}).works
        named = [one for one in rows if one.sketch in cells]
        known = {str(row.get("paper")) for row in near}
        for work in named:
            paper = ctx.state.papers.get(work.paper)
            if paper is not None and paper.id not in known:
                near.insert(0, {**citable(paper), "abstract": (paper.abstract or "")[:1_200]})
        values = {
            "topic": inputs.one("topic"),
            "sketch": inputs.fields("sketch"),
            "chain": chain_of(inputs) if inputs.all("papers") else [],
            "rivals": near,
            "missing": [one.title for one in named if not one.paper],
            "bad_cases": inputs.one("bad_cases") or [],
        }
        asked = await services.ask("work_out", values, WorkedOut)
        return result(inputs, asked.value.model_dump(), services.origin, asked.recipe)


JUDGED_APART = ("overlaps, differs", "unrelated")
"""What a person may say of a paper so that no rule holds it against the idea."""


def falls(view: View, branch: Branch, *, again: bool) -> list[Decision]:
    """The sketch of a branch falls where it did not hold when it was worked out, or where a novelty
    check found a close match and may be made ``again``; not where nothing could come after it, nor
    where a person holds the idea."""
    state, address = view.state, f"{branch}/idea"
    idea, sketch = state.in_use(address), assigned(state).get(branch, "")
    tried = len(state.cell(address).versions)
    if idea is None or state.cell(address).lock is not None or sketch not in made_from(idea):
        return []
    if tried >= MOST_TRIES or not next_sketch(state, branch):
        return []
    worked, why = state.content(idea, WorkedOutIdea), ""
    if worked.holds == FALLS:
        why = worked.why
    elif again and not state.cell(sketch).picked:
        fresh, report = view.fresh.get(f"{branch}/nov"), state.read(f"{branch}/nov", NoveltyReport)
        close = (
            row
            for row in (report.papers if report is not None and fresh and fresh.ok else ())
            if row.verdict == "close match"
            and state.judged.get((branch, row.paper)) not in JUDGED_APART
        )
        if row := next(close, None):
            known = state.papers.get(row.paper)
            why = f"too close to “{known.title if known else row.paper}”: {row.reason}"
    return [Decision(actor="coi", action="reject", address=sketch, reason=why)] if why else []


# -- the kinds of cells


def sketch_kind(name: str, pattern: str, step: str, *, shared: bool) -> CellKind:
    """The sketches of a lens."""
    return CellKind(
        name,
        pattern,
        f"Sketch {LENSES[name].title}",
        content.Sketch,
        step,
        "sketches" if step else "",
        "sketch",
        OF_TEXT | {"pick", "reject"},
        fields_of(content.Sketch, FIELDS),
        "sketch",
        lambda sketch: sketch.title or sketch.sentence or sketch.note,
        has_verdict=False,
        optional=True,
        shared=shared,
        main="sentence",
    )


def _named(state: State, address: str) -> Iterator[Block]:
    rows = (state.read(address, NamedWorks) or NamedWorks()).works
    yield plain_table(
        ("sketch", "came of it", "title"), ((w.sketch, w.status, w.title) for w in rows)
    )


def _ranking(state: State, address: str) -> Iterator[Block]:
    """The order with points and intervals, then what the judge said of each group."""
    found = state.read(address, SketchRanking) or SketchRanking()
    titles = {one: str(state.value(ref(one, "title")) or one) for one in sketches(state)}
    rows = (
        (str(n), f"{r.points:.0f}", f"{r.low:.0f} to {r.high:.0f}", titles.get(r.sketch, r.sketch))
        for n, r in enumerate(found.ranked, 1)
    )
    yield plain_table(("", "points", "95 %", "sketch"), rows)
    for group in found.groups:
        first, last = (titles.get(one, one) for one in (group.order[0], group.order[-1]))
        yield bulleted(first, [f"first: {group.why}", f"last, {last}: {group.why_last}"])


NAMED = CellKind(
    "named",
    "W1/named",
    "Works that sketches name",
    NamedWorks,
    NamedTask.name,
    "sketches",
    decisions=OF_LIST,
    label="works",
    caption=lambda found: (
        f"{count(len(found.works), 'title')}, {sum(bool(w.paper) for w in found.works)} found"
    ),
    document=_named,
    has_verdict=False,
    optional=True,
    shared=True,
)
RANKING = CellKind(
    "ranking",
    "W1/ranking",
    "Ranking of the sketches",
    SketchRanking,
    RankingTask.name,
    "ideas",
    decisions=OF_LIST,
    label="ranking",
    caption=lambda found: f"{count(len(found.groups), 'group')} judged",
    document=_ranking,
    has_verdict=False,
    optional=True,
    shared=True,
)

WALL_LENSES = ("free", "elsewhere", "farthest", "more", "made", "own")
"""The lenses that need no chain."""
WALL_KINDS = (
    *(
        sketch_kind(name, f"W1/{name}1", "" if name == "own" else f"{name} sketch", shared=True)
        for name in WALL_LENSES
    ),
    NAMED,
    RANKING,
)
WALL_TASKS: Mapping[str, Callable[[ServiceSet | None], Task]] = {
    **{name: partial(SketchTask, lens=name) for name in WALL_LENSES if name != "own"},
    "named": NamedTask,
    "ranking": RankingTask,
}
"""What makes the cells of the wall, by the names of their kinds."""


def wall_course(
    state: State, wall: str, *, complete: bool = True
) -> Iterator[tuple[str, str, int, Literal["missing", "stale"]]]:
    """The cells of the wall that a run makes: address, stage, how many at least, and when; those
    that look at all sketches only once the others are ``complete``. A judge is asked only where no
    person picked."""
    for lens in ("free", "elsewhere", *(["farthest"] if complete else ())):
        for n in range(LENSES[lens].number):
            yield f"{wall}/{lens}{n + 1}", "sketches", 1, "missing"
    if not complete:
        return
    yield f"{wall}/named", "sketches", 1, "stale"
    if not picked(state):
        yield f"{wall}/ranking", "ideas", 1, "stale"


IDEA = replace(kinds.idea(WorkOutTask.name, "ideas"), content=WorkedOutIdea)
"""An idea that was worked out of a sketch."""
