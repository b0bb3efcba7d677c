"""What makes sketches, looks up the works that they name, ranks them by a judge, and works one out into
an idea; and the kinds of their cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import Field

from coi_tui.arena.group_ranking import Group, Judged, due_groups, ranking
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import CellKind, Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.methods.base.cell_table import OF_TEXT, by_field, kinds_of
from coi_tui.methods.base.reads import (
    HUNCH,
    NOTHING,
    TOPIC,
    ReadsOf,
    known_means,
    marked,
    of_parents,
    reading,
)
from coi_tui.methods.base.reply_models import Aside, IdeaParts, Reasoned, Reply, Sources, Words
from coi_tui.methods.base.task import (
    MethodTask,
    Planned,
    TextTask,
    gather_all,
    known,
    one_call,
    result,
)
from coi_tui.methods.evidence.cards import chain_of, citable, look_up
from coi_tui.methods.ideas import kinds
from coi_tui.methods.ideas.rivals import SEARCHED
from coi_tui.methods.ideas.sketches import (
    BEFORE,
    LENSES,
    assigned,
    expected,
    made_how,
    named_of,
    picked,
    place_of,
    ranking_of,
    sketches,
    to_rank,
)
from coi_tui.methods.services import Services
from coi_tui.model import content
from coi_tui.model.address import cell_at, cell_ref, ref
from coi_tui.model.content import (
    JudgedGroup,
    NamedWork,
    NamedWorks,
    RankedSketch,
    SketchRanking,
    WorkedOutIdea,
)
from coi_tui.model.document import Block, bulleted, plain_table
from coi_tui.model.errors import ReplyError, ServiceError
from coi_tui.model.state import REJECTED, State
from coi_tui.model.text import Fields, Values, clean_line, count, digest, listed

FIELDS = ("title", "sentence", "users", "how", "nearest", "left", "refuted")

# -- what a sketch is made from


def _seen(name: str, every: Iterable[str], fields: str = "title sentence") -> ReadsOf:
    """Reads of sketches as they were, which are never looked at again."""
    reads = (f"{name}?={one}#{fields}" for one in every)
    return marked(*reads, parent=True, once=True, best_effort=True)


def _others(state: State, address: str) -> Reads:
    """The title and the sentence of every sketch; not those that come of the same call."""
    every = dict.fromkeys((*sketches(state), *expected(state)))
    others = (one for one in every if _call_of(one) != _call_of(address))
    return _seen("others", others)(state, address)


def _call_of(address: str) -> tuple[object, ...]:
    """What sketches of one call have in common."""
    at = cell_ref(address)
    return at.branch, at.kind, at.numbers[:-1]


def _said(state: State, address: str) -> Reads:
    """What a person picked and rejected, with the reasons."""
    rejected = _seen(REJECTED, sketches(state), REJECTED)
    return reading(_seen("picked", picked(state)), rejected)(state, address)


def _parents(state: State, address: str) -> Reads:
    """The sketches that one is made from, whole."""
    parents = made_how(state, address).parents
    return reading(*(f"picked?={one}#{' '.join(FIELDS)}" for one in parents))(state, address)


_FREE = reading(TOPIC, HUNCH, known_means)
READS = {
    "free": _FREE,
    "elsewhere": reading(TOPIC, HUNCH),
    "farthest": reading(TOPIC, _others),
    "more": reading(_FREE, _said, _others),
    "made": reading(_FREE, _parents),
}


class SketchReply(Reply):
    """An idea in at most 130 words."""

    title: Words
    sentence: Words
    users: Words
    how: Words
    nearest: Aside
    left: Aside
    refuted: Words


class Sketches(Reasoned):
    """The sketches of one lens."""

    sketches: list[SketchReply] = Field(min_length=1, max_length=6)


def sketch_task(
    lens: str, reads: ReadsOf, values: Callable[[Context, Inputs], Values]
) -> TextTask[Sketches]:
    """One call for all sketches of a lens; each cell takes its own, is edited and refreshed
    alone. ``values``: what the lens is shown besides the topic."""
    number = LENSES[lens].number

    def every(ctx: Context, inputs: Inputs) -> Values:
        about = {"topic": inputs.one("topic"), "lens": lens, "number": number}
        return {**EMPTY, **values(ctx, inputs), **about}

    def own(ctx: Context, inputs: Inputs, reply: Sketches) -> Values:
        made, n, how = reply.sketches, inputs.at.numbers[-1], made_how(ctx.state, inputs.address)
        if n > len(made):
            return {"note": f"Only {len(made)} of {number} sketches were written."}
        parents = f"{how.operator} of {listed([*how.parents])}" if how.parents else ""
        origin = parents or values(ctx, inputs).get("like", "")
        return {**made[n - 1].model_dump(), "origin": origin}

    name = f"{lens} sketch" if lens != "sketch" else lens
    return TextTask(name, "sketches", Sketches, reads, _cost, every, own)


def _cost(state: State, address: str) -> Cost:
    first = int(cell_ref(address).numbers[-1] == 1)  # it asks for all of them
    return one_call((700, 5_000), (700, 1_400)).times(first, first)


def _shown(ctx: Context, inputs: Inputs) -> Values:
    names = {read.name for read in inputs.reads}
    shown: Fields = {n: inputs.one(n) or "" for n in ("hunch", "means") if n in names}
    for name in ("others", "picked"):
        shown[name] = list(by_field(inputs.all(name)).values())
    own = (one for _, one in inputs.all(REJECTED))
    shown[REJECTED] = [*ctx.state.settings.get(BEFORE, ()), *own]
    how = made_how(ctx.state, inputs.address)
    return shown | {"like": how.asks or ctx.given.get("like", "")}


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
        titles = (f"nearest?={one}#nearest" for one in to_rank(state))
        return marked(*titles, best_effort=True)(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, found = self.services(ctx), inputs.all("nearest")
        said = [(name, title) for name, title in found if title]
        titles = dict.fromkeys(clean_line(str(title)) for _, title in said)
        known = await services.known_papers([*titles], 1)
        works = [NamedWork(title=title) for title in titles]
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
    lens = min(waits.index(cell_ref(address).kind), 4)
    return lens, state.cell(address).versions[:1] if lens == 4 else (), place_of(address)


class RankingTask(MethodTask):
    """Groups of five, best first; the groups that follow are drawn from what leads. The judge sees
    neither lens nor names."""

    name, prompts = "rank sketches", ("sketch_ranking",)

    def reads(self, state: State, address: str) -> Reads:
        texts = (f"sketches?={one}#{' '.join(FIELDS)}" for one in to_rank(state))
        return reading(
            TOPIC, marked(*texts, best_effort=True), of_parents("before?={cell}#groups")
        )(state, address)

    def cost(self, state: State, address: str) -> Cost:
        calls = due_groups(to_rank(state), []).most
        return one_call((900, 1_400), (120, 260)).times(calls, calls)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, texts = self.services(ctx), by_field(inputs.all("sketches"))
        there = {one: text for one, text in texts.items() if text.get("title")}
        panel = Panel(services, inputs.one("topic"), there)
        panel.hold(SketchRanking.from_stored({"groups": inputs.one("before") or []}).groups)
        players = sorted(there, key=lambda one: _came(ctx.state, one))
        while (groups := due_groups(players, panel.orders()).groups) and not panel.lost:
            panel.judged += filter(None, await gather_all(map(panel.judge, groups)))
            services.at()
        if panel.lost:  # the order rests on the others; asking for it again asks for these alone
            if not panel.judged:
                raise panel.lost[0]
            missed = count(len(panel.lost), "group was", "groups were")
            ctx.changed += (f"{missed} not judged: {panel.lost[0]}",)
        ranked = [
            RankedSketch(
                sketch=str(row.player),
                points=row.rating.value,
                low=row.rating.low,
                high=row.rating.high,
            )
            for row in ranking(players, panel.orders())
        ]
        found = SketchRanking(ranked=ranked, groups=panel.judged)
        return result(inputs, found.model_dump(), services.origin, panel.recipe)


@dataclass
class Panel:
    """Sketches, by address, and the groups of them that were ``judged``; ``lost``: why other groups
    were not."""

    services: Services
    topic: str
    texts: Mapping[str, Fields]
    judged: list[JudgedGroup] = field(default_factory=list)
    lost: list[Exception] = field(default_factory=list)
    recipe: Fields = field(default_factory=dict)

    def hold(self, groups: Iterable[JudgedGroup]) -> None:
        """Take over groups that were judged before while their sketches read as they do."""
        hashes = {one: digest(text) for one, text in self.texts.items()}
        self.judged.extend(
            g for g in groups if all(hashes.get(a) == was for a, was in g.texts.items())
        )

    def orders(self) -> list[Judged]:
        return [Judged(tuple(g.shown), tuple(g.order)) for g in self.judged]

    async def judge(self, group: Group) -> JudgedGroup | None:
        """A group in its order; None where the reply was lost, which costs no other group."""
        labels = {f"S{n}": one for n, one in enumerate(group, 1)}
        empty = dict.fromkeys(FIELDS, "")
        rows = [{**empty, **self.texts[one], "id": label} for label, one in labels.items()]

        def check(reply: GroupReply) -> str | None:
            named = sorted(reply.order) == sorted(labels)
            return None if named else "order must name the label of each sketch once"

        values = {"topic": self.topic, "sketches": rows}
        try:
            asked = await self.services.ask("sketch_ranking", values, GroupReply, check)
        except (ReplyError, ServiceError) as error:
            if isinstance(error, ServiceError) and error.kind != "broken":
                raise
            self.lost.append(error)
            return None
        self.recipe.update(asked.recipe)
        return JudgedGroup(
            shown=[*group],
            order=[labels[label] for label in asked.value.order],
            why=asked.value.why_first,
            why_last=asked.value.why_last,
            texts={one: digest(self.texts[one]) for one in group},
        )


# -- working one out


class _Attacked(Reply):
    attack: Words
    why: Words
    holds: Literal["holds", "simplified", "falls"]
    sentence: Words


class WorkedOut(IdeaParts, _Attacked):
    """COI-11: a sketch that is attacked first, and then written as an idea."""

    sources: Sources = Field(default_factory=list)


def _sketch_of(state: State, address: str) -> str:
    """The sketch that the branch of a cell works out."""
    branch = cell_ref(address).branch
    return assigned(state).get(branch, cell_at(branch, "sketch", 1))


def _choice(state: State, address: str) -> Reads:
    """What waits for the choice between the sketches has these among its reads: the judge's order,
    where no person picked."""
    ranked = of_parents(f"ranking?={ranking_of(state)}#ranked")
    return () if picked(state) else ranked(state, address)


def thought(state: State, address: str) -> Reads:
    """The sketch that a branch works out, as what its idea will be made from."""
    return reading(f"thought={_sketch_of(state, address)}#sentence how?", _choice)(state, address)


MOST_NEAR = 6
"""Works near a sketch that are shown when it is worked out, the nearest first, besides that which
it names and all that a model knew from memory."""


def work_out(own: ReadsOf = NOTHING) -> TextTask[WorkedOut]:
    """COI-11: one call. The sketch is attacked before it is kept, and mended by making it simpler.

    ``own``: further reads, of papers that its text may cite.
    """
    return TextTask(
        "idea",
        "work_out",
        WorkedOut,
        reading(
            TOPIC,
            _sketch,
            own,
            "rivals?={branch}/rivals#works",
            "bad_cases?={branch}/bad#cases",
            _named_works,
            _choice,
        ),
        one_call((2_000, 5_000), (1_900, 3_600)),
        _to_work_out,
    )


def _sketch(state: State, address: str) -> Reads:
    """The sketch that the branch works out."""
    others = "? ".join(FIELDS[1:])
    return reading(f"sketch={_sketch_of(state, address)}#title {others}?")(state, address)


def _named_works(state: State, address: str) -> Reads:
    return of_parents(f"named?={named_of(state)}#works")(state, address)


def _to_work_out(ctx: Context, inputs: Inputs) -> Values:
    found = inputs.one("rivals") or []
    near = [one for n, one in enumerate(found) if n < MOST_NEAR or one["status"] != SEARCHED]
    cells = {name.partition("#")[0] for name, _ in inputs.all("sketch")}
    rows = NamedWorks.from_stored({"works": inputs.one("named") or []}).works
    named = [one for one in rows if one.sketch in cells]
    return {
        "topic": inputs.one("topic"),
        "sketch": inputs.fields("sketch"),
        "chain": chain_of(inputs) if inputs.all("papers") else [],
        "rivals": [*_looked_up(ctx.state, named, near), *near],
        "missing": [one.title for one in named if not one.paper],
        "bad_cases": inputs.one("bad_cases") or [],
    }


def _looked_up(state: State, named: Iterable[NamedWork], near: Iterable[Fields]) -> list[Fields]:
    """The works that a sketch names which are not among those near it, as rows, the last first."""
    there = {str(row.get("paper")) for row in near}
    papers = [p for p in known(state, (work.paper for work in named)) if p.id not in there]
    return [{**citable(p), "abstract": (p.abstract or "")[:1_200]} for p in reversed(papers)]


# -- the kinds of cells


def sketch_kind(kind: Callable[..., CellKind], name: str, task: str) -> CellKind:
    """The sketches of a lens."""
    return kind(
        name,
        f"Sketch {LENSES[name].title}",
        content.Sketch,
        task,
        "sketches" if task else "",
        " ".join(FIELDS),
        item="1",
        role="sketch",
        decisions=OF_TEXT | {"pick", "reject", "vote"},
        label="sketch",
        caption=lambda sketch: sketch.title or sketch.sentence or sketch.note,
        has_verdict=False,
        optional=True,
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


of_wall = kinds_of("W")
NAMED = of_wall(
    "named",
    "Works that sketches name",
    NamedWorks,
    NamedTask.name,
    "sketches",
    label="works",
    caption=lambda found: (
        f"{count(len(found.works), 'title')}, {sum(bool(w.paper) for w in found.works)} found"
    ),
    document=_named,
    optional=True,
)
RANKING = of_wall(
    "ranking",
    "Ranking of the sketches",
    SketchRanking,
    RankingTask.name,
    "ideas",
    caption=lambda found: f"{count(len(found.groups), 'group')} judged",
    document=_ranking,
    optional=True,
)

WALL_LENSES = ("free", "elsewhere", "farthest", "more", "made", "own")
"""The lenses that need no chain."""
WALL_KINDS = (
    *(
        sketch_kind(of_wall, name, "" if name == "own" else f"{name} sketch")
        for name in WALL_LENSES
    ),
    NAMED,
    RANKING,
)
WALL_TASKS: Values = {
    **{lens: sketch_task(lens, reads, _shown) for lens, reads in READS.items()},
    "named": NamedTask,
    "ranking": RankingTask,
}
"""What makes the cells of the wall, by the names of their kinds."""


def wall_course(state: State, wall: str, *, complete: bool = True) -> Iterator[Planned]:
    """The cells of the wall that a run makes; those that look at all sketches only once the others
    are ``complete``. A judge is asked only where no person picked."""
    for lens in ("free", "elsewhere", *(["farthest"] if complete else ())):
        for n in range(LENSES[lens].number):
            yield Planned(cell_at(wall, lens, n + 1), "sketches")
    if not complete:
        return
    yield Planned(cell_at(wall, "named"), "sketches", when="stale")
    if not picked(state):
        yield Planned(cell_at(wall, "ranking"), "ideas", when="stale")


IDEA = replace(kinds.idea("idea", "ideas"), content=WorkedOutIdea)
"""An idea that was worked out of a sketch."""
