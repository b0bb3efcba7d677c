"""NOVA-1 to NOVA-9: drafts from three sources and the first seeds; in each round a plan, its
searches and new seeds; and the proposals."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import criteria_of, reading
from coi_tui.methods.base.replies import Idea
from coi_tui.methods.base.task import (
    MethodTask,
    TextTask,
    Values,
    admitted,
    every_end,
    known,
    lacking,
    one_call,
    result,
    shown,
    too_few,
    values_of,
)
from coi_tui.methods.evidence.reading_list import search_record
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import (
    SEARCH,
    SHORTCOMINGS,
    THEORIES,
    TRENDS,
    FoundContent,
    PlanContent,
)
from coi_tui.methods.nova.picks import seed_of
from coi_tui.methods.nova.reads import TARGET, shown_target
from coi_tui.methods.nova.replies import (
    InitialProposal,
    MethodModules,
    ModuleDetail,
    NewSeeds,
    SearchPlan,
    SeedDrafts,
    Weighed,
)
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.methods.nova.theories import theory_of, ticked
from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.services.llm.reply_schemas import Choices

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

NEAREST = 3
"""Related papers whose shortcomings are looked for beside those of the target (NOVA-1)."""
MOST_PAPERS = 8
"""Papers that a first proposal is written beside: those that the seed rests on, then those that its
search plan found."""


# -- the first seeds


class DraftsTask(MethodTask):
    """NOVA-1, NOVA-2, NOVA-3: three calls side by side, one a source; existing and dropped ideas
    are passed in. A third of the drafts each, what is left over to the theories."""

    name, prompts = "nova drafts", ("nova_theory_ideas", "nova_trend_ideas", "nova_gap_ideas")

    reads = staticmethod(
        reading(
            *TARGET,
            "related={instance}/target#related",
            "trends={instance}/trends#text",
            "theories?={instance}/choice#theories",
        )
    )

    def cost(self, state: State, address: str) -> Cost:
        return one_call((1_200, 6_000), (500, 1_500)).times(3, 3)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, related = self.services(ctx), known(ctx.state, inputs.one("related") or [])
        instance = parse_address(inputs.address).instance
        number = bounds_of(ctx.state, inputs.address).drafts
        common = {**shown_target(inputs), "existing": reads.existing(ctx.state, instance)}
        theories = [asdict(theory) for theory in ticked(inputs.one("theories"))]
        sources: Mapping[str, tuple[int, Values]] = {
            THEORIES: (
                number - 2 * (number // 3),
                {"papers": shown(related), "theories": theories},
            ),
            TRENDS: (number // 3, {"trends": inputs.one("trends")}),
            SHORTCOMINGS: (number // 3, {"papers": shown(related[:NEAREST])}),
        }
        asked = await asyncio.gather(
            *(
                services.ask(prompt, {**common, **values, "count": wanted}, SeedDrafts)
                for prompt, (wanted, values) in zip(self.prompts, sources.values(), strict=True)
            )
        )
        drafts = [
            _draft(idea.model_dump(), source)
            for (source, (wanted, _)), said in zip(sources.items(), asked, strict=True)
            for idea in said.value.ideas[:wanted]
        ]
        return result(inputs, {"drafts": drafts}, services.origin, asked[0].recipe)


def _draft(said: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A draft with the theory that it names; one that names none, or one that there is not, has
    none."""
    theory = theory_of(str(said["theory"])) if source == THEORIES else None
    return {**said, "source": source, "theory": theory.line() if theory else ""}


def _drafts(inputs: Inputs) -> dict[str, dict[str, Any]]:
    return {f"D{n}": dict(draft) for n, draft in enumerate(inputs.one("drafts") or [], 1)}


def _to_weigh(ctx: Context, inputs: Inputs) -> Values:
    rows = [
        {"id": label, "title": draft["title"], "text": draft["text"]}
        for label, draft in _drafts(inputs).items()
    ]
    there = reads.existing(ctx.state, parse_address(inputs.address).instance)
    return {**shown_target(inputs), "existing": there, "drafts": rows}


def _weighed(ctx: Context, inputs: Inputs, said: Weighed) -> Values:
    """The drafts in the order of their scores, as many kept as are wanted; of equals one of each
    source in turn. Those that repeat an existing idea never stay.

    A draft without a verdict comes last, which is said.
    """
    there = reads.existing(ctx.state, parse_address(inputs.address).instance)
    existing = {row["id"]: row["title"] for row in there}
    verdicts = {one.id: one for one in said.judged}
    ranked: list[tuple[tuple[int, int], dict[str, Any]]] = []
    repeated: list[dict[str, Any]] = []
    seen: Counter[tuple[str, int]] = Counter()
    for label, draft in _drafts(inputs).items():
        row = {**draft, "pros": "", "cons": "The model gave no verdict on it.", "score": 0}
        if (one := verdicts.get(label)) is not None:
            row |= {**one.model_dump(exclude={"id"}), "repeats": existing.get(one.repeats, "")}
        if row.get("repeats"):
            repeated.append(row)
            continue
        source = (row["source"], row["score"])
        ranked.append(((-row["score"], seen[source]), row))
        seen[source] += 1
    rows = [row for _, row in sorted(ranked, key=lambda pair: pair[0])]
    keep = bounds_of(ctx.state, inputs.address).seeds
    if not rows:
        raise CoiError(
            "Every draft repeats an idea that exists.",
            "Tick other theories in the choices, or edit the target.",
        )
    return {"kept": rows[:keep], "dropped": [*rows[keep:], *repeated]}


class SeedTask(MethodTask):
    """A first seed: one of the drafts that were kept, now a text of its own."""

    name = "nova seed"

    reads = staticmethod(reading("kept={instance}/weighed#kept"))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        kept, number = inputs.one("kept") or [], int(parse_address(inputs.address).item)
        if number > len(kept):
            raise CoiError(
                f"Only {count(len(kept), 'draft')} were kept.",
                "Weigh the drafts again, or edit a seed that there is.",
            )
        fields = ("title", "text", "source", "theory", "thinking", "pros", "cons")
        content = {name: kept[number - 1].get(name, "") for name in fields}
        return result(inputs, content, self.services(ctx).origin)


# -- a round


def _plan(ctx: Context, inputs: Inputs, said: SearchPlan) -> Values:
    items = [
        {
            "name": one.title,
            "description": one.keywords,
            **one.model_dump(exclude={"title", "keywords"}),
        }
        for one in said.lines[: bounds_of(ctx.state, inputs.address).lines]
    ]
    return {"items": items}


class FoundTask(MethodTask):
    """NOVA-6: a search for each line of the plan, side by side.

    A search that finds nothing is stored as such. One that fails fails the step; what the others
    found is stored and not asked for again. The target itself brings nothing new.
    """

    name = "nova search"

    reads = staticmethod(
        reading(
            "items={instance}/plan{item}#items",
            "known?={instance}/target#paper",
            criteria_of,
        )
    )

    def cost(self, state: State, address: str) -> Cost:
        at = parse_address(address)
        plan = state.read(f"{at.instance}/plan{at.item}", PlanContent)
        if plan is None:
            return Cost(searches=(1, bounds_of(state, address).lines))
        return Cost(searches=(len(plan.items), len(plan.items)))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state, inputs.address)
        lines = PlanContent.from_held({"items": inputs.one("items")}).items
        source = services.source(stage=0)
        answers = await every_end(source.search(line.query, bounds.papers) for line in lines)
        target = inputs.one("known")
        usable = [
            [p for p in admitted(ctx.state, inputs, answer.papers) if p.id != target]
            for answer in answers
        ]
        items = [
            {"name": line.name, "query": line.query, "papers": [p.id for p in papers]}
            for line, papers in zip(lines, usable, strict=True)
        ]
        if not any(usable):
            raise CoiError(
                lacking(answers) or "The searches of this plan found nothing.",
                "Edit the lines of the plan, then run again.",
            )
        content = {"items": items, "tries": [search_record(answer) for answer in answers]}
        papers = {p.id: p for row in usable for p in row}
        return result(inputs, content, "source", {"source": source.name}, tuple(papers.values()))


def _found(inputs: Inputs) -> FoundContent:
    return FoundContent.from_held({"items": next((rows for _, rows in inputs.all("found")), [])})


def _above(state: State, address: str) -> tuple[Read, ...]:
    """The seed that one replaces, and what was found for it."""
    at = parse_address(address)
    above = f"{at.instance}/{{}}{reads.parent_of(at.item)}#"
    seed = (f"seed={above.format('seed')}{field}" for field in ("title", "text"))
    return reading(*seed, f"found={above.format('found')}items")(state, address)


def _to_replace(ctx: Context, inputs: Inputs) -> Values:
    """The target, the seed, and the papers with labels, each with the first line of the plan that
    found it."""
    at, found = parse_address(inputs.address), _found(inputs)
    papers = known(ctx.state, found.papers())
    line = {paper: item.name for item in reversed(found.items) for paper in item.papers}
    return {
        **shown_target(inputs),
        "seed": inputs.fields("seed"),
        "existing": reads.existing(ctx.state, at.instance, reads.parent_of(at.item)),
        "papers": [
            {**row, "line": line[paper.id]}
            for row, paper in zip(shown(papers), papers, strict=True)
        ],
        "count": bounds_of(ctx.state, inputs.address).each,
    }


def _new_seed(ctx: Context, inputs: Inputs, said: NewSeeds) -> Values:
    """The seed of this cell: one call writes all that replace an old one; each is edited and
    dropped alone."""
    one = said.ideas[int(parse_address(inputs.address).item.rpartition(".")[2]) - 1]
    papers = known(ctx.state, _found(inputs).papers())
    labels = {f"P{n}": paper.id for n, paper in enumerate(papers, 1)}
    rests_on = [labels[label] for label in dict.fromkeys(one.papers) if label in labels]
    return {**one.model_dump(), "source": SEARCH, "theory": "", "papers": rests_on}


def _new_seed_cost(state: State, address: str) -> Cost:
    """The first of those that replace a seed asks for all of them."""
    first = reads.parent_of(address) + ".1"
    if address != first and state.in_use(first) is None:
        return Cost("main")
    least = int(address == first)
    return Cost("main", (least, 2), (1_500 * least, 9_000), (400 * least, 1_500))


# -- proposals


def _initial_reads(state: State, address: str) -> tuple[Read, ...]:
    branch = parse_address(address).branch
    item = seed_of(state, branch)
    if not item:
        return reading("picks={instance}/diversity#picks")(state, address)
    seed, above = f"{{instance}}/seed{item}#", reads.parent_of(item)
    found = [f"found?={{instance}}/found{above}#items"] if above else []
    texts = (f"seed={seed}{field}" for field in ("title", "text"))
    return reading(*TARGET, *texts, f"papers?={seed}papers", *found)(state, address)


def _initial_values(ctx: Context, inputs: Inputs) -> Values:
    """With the papers that the seed rests on, then those that were found for it, each once."""
    ids = dict.fromkeys([*(inputs.one("papers") or []), *_found(inputs).papers()])
    papers = shown(known(ctx.state, ids)[:MOST_PAPERS])
    return {**shown_target(inputs), "seed": inputs.fields("seed"), "papers": papers}


def _initial(ctx: Context, inputs: Inputs, said: InitialProposal) -> Values:
    return {**said.content(), "seed": seed_of(ctx.state, parse_address(inputs.address).branch)}


class ModulesTask(MethodTask):
    """The method split into modules, one call; then each worked out in a call of its own, side by
    side."""

    name, prompts = "nova modules", ("nova_modules", "nova_module")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        cell = "={branch}/initial#"
        return reading(f"proposal?{cell}name", f"proposal{cell}problem", f"proposal{cell}method")(
            state, address
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (3, 12), (1_500, 12_000), (600, 6_000))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, proposal = self.services(ctx), inputs.fields("proposal")
        split = await services.ask("nova_modules", {"proposal": proposal}, MethodModules)
        parts = [part.model_dump() for part in split.value.modules]
        services.at(1)
        common = {"proposal": proposal, "modules": parts}
        asked = await asyncio.gather(
            *(services.ask("nova_module", {**common, "module": one}, ModuleDetail) for one in parts)
        )
        modules = [
            {"name": part["name"], "description": one.value.text}
            for part, one in zip(parts, asked, strict=True)
        ]
        return result(inputs, {"modules": modules}, services.origin, split.recipe)


def _proposal(ctx: Context, inputs: Inputs, said: Idea) -> Values:
    """With the seed that it comes from and those that this one came from as its origin."""
    line = reads.line_of(str(inputs.one("of") or ""))
    origin = f"Worked out from seed {', which replaced seed '.join(line)}." if line else ""
    return {**said.content(), "origin": origin}


TASKS: Mapping[str, TextTask[Any]] = {
    "weighed": TextTask(
        "nova weigh",
        "nova_weigh",
        Weighed,
        reading(*TARGET, "drafts={instance}/drafts#drafts"),
        one_call((1_500, 5_000), (500, 1_500)),
        _to_weigh,
        _weighed,
        choices=lambda values: Choices("judged", "id", [one["id"] for one in values["drafts"]]),
    ),
    "plan": TextTask(
        "nova plan",
        "nova_plan",
        SearchPlan,
        reading(
            "target_title={instance}/target#title",
            "seed={instance}/seed{item}#title",
            "seed={instance}/seed{item}#text",
        ),
        one_call((500, 1_100), (300, 900)),
        lambda ctx, inputs: {
            **values_of(ctx, inputs),
            "count": bounds_of(ctx.state, inputs.address).lines,
        },
        _plan,
    ),
    "initial": TextTask(
        "nova initial",
        "nova_initial",
        InitialProposal,
        _initial_reads,
        one_call((900, 6_000), (500, 2_000)),
        _initial_values,
        _initial,
    ),
    "idea": TextTask(
        "nova proposal",
        "nova_proposal",
        Idea,
        reading(
            *TARGET,
            "proposal?={branch}/initial#name",
            "proposal={branch}/initial#problem",
            "proposal?={branch}/initial#existing",
            "proposal={branch}/initial#motivation",
            "proposal={branch}/initial#method",
            "proposal={branch}/initial#experiment",
            "modules={branch}/modules#modules",
            "rivals?={branch}/rivals#works",
            "bad_cases?={branch}/bad#cases",
            lambda state, address: (
                Read("of", f"{parse_address(address).branch}/initial#seed", parent=True),
            ),
        ),
        one_call((1_800, 8_000), (900, 3_500)),
        content=_proposal,
    ),
}
NEW_SEED: TextTask[Any] = TextTask(
    "nova new seeds",
    "nova_new_seeds",
    NewSeeds,
    reading(*TARGET, _above),
    _new_seed_cost,
    _to_replace,
    _new_seed,
    check=lambda ctx, inputs, said: too_few(
        said.ideas, bounds_of(ctx.state, inputs.address).each, "ideas"
    ),
)
