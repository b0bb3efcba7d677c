"""NOVA-1 to NOVA-9: the target, the report over recent papers and the first seeds; in each round a
plan, its searches and new seeds; and the proposals."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import (
    TOPIC,
    comes_from,
    criteria,
    first_line,
    reading,
    reads_of_named,
)
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
    values_of,
)
from coi_tui.methods.evidence.reading_list import LIST_READ, search_record
from coi_tui.methods.nova.kinds import (
    FoundContent,
    InitialProposal,
    MethodModules,
    ModuleDetail,
    NewSeeds,
    PlanContent,
    SearchPlan,
    SeedContent,
    SeedDrafts,
    TrendReport,
    Weighed,
)
from coi_tui.methods.nova.seeds import existing, line_of, parent_of, seed_of
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.methods.nova.theories import theory_of, ticked
from coi_tui.model.address import parse_address
from coi_tui.model.content import ReadingRow
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.services.llm.reply_schemas import Choices

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

THEORIES, TRENDS, SHORTCOMINGS, SEARCH = "theories", "trends", "shortcomings", "search"
"""Where a seed comes from: one of the three sources of the first seeds, or the papers of a search
plan."""
RELATED = 6
"""Papers near the target that drafts are written from."""
NEAREST = 3
"""Related papers whose shortcomings are looked for as well as those of the target (NOVA-1)."""
RECENT, POPULAR = 3, 10
"""Years back to which a paper is recent, and recent papers that the trend report is written from."""
HITS = 40
"""Papers that the search for recent ones asks for."""
MOST_PAPERS = 8
"""Papers that the prompt of a first proposal shows: those that the seed comes from, then those that
its search plan found."""

TARGET = ("target={instance}/target#title", "target={instance}/target#text")
thought = reading("thought={branch}/initial#problem", "thought={branch}/initial#method")
"""What the proposal of a branch will be made from."""


# -- where it starts


class TargetTask(MethodTask):
    """The paper or idea that the person chose; without a choice the best of the reading list."""

    name = "nova target"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        chosen = Read("target", f"{parse_address(address).instance}/choice#target", optional=True)
        start = reads_of_named(state, address, state.value(chosen.ref))
        return (TOPIC, chosen, *start, *criteria(state, address), LIST_READ)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        state = ctx.state
        found = _target(state, inputs, first_line(inputs.one("target")))
        in_chains = known(state, (place.paper or "" for place in state.slots.values()))
        papers = admitted(state, inputs, [*in_chains, *_reading_list(state, inputs)])
        others = [p for p in papers if p.id != found["paper"] and p.abstract]
        query = f"{found['title']}\n{found['text']}"
        similar = await self.services(ctx).similarity(query, others)
        content = {**found, "related": similar.nearest(RELATED), "ranked": similar.how}
        return result(inputs, content, "source")


def _target(state: State, inputs: Inputs, named: str) -> dict[str, Any]:
    """The idea or paper at the address that a person named, the paper of that id or title, or where
    none is named the best one of the reading list."""
    idea = inputs.fields("chosen_idea")
    if idea.get("final"):
        return {"title": idea["title"], "text": idea["final"], "of": named, "paper": ""}
    found = [(paper, named) for _, paper in inputs.all("chosen_paper")]
    if named:
        name = named.casefold()
        known_as = (
            p for p in state.papers.values() if name in (p.id.casefold(), p.title.casefold())
        )
        found += [(paper, paper.id) for paper in known_as]
    else:
        rows = map(ReadingRow.from_held, inputs.one("reading") or [])
        listed = known(state, (row.paper for row in rows if row.eligible))
        found += [(paper, paper.id) for paper in listed]
    for paper, of in found:
        text = paper.abstract or ""
        return {"title": paper.title, "text": text, "of": of, "paper": paper.id}
    if not named:
        raise CoiError(
            "No paper was found to start from.",
            "Name a target in the choices, or try other words for the topic.",
        )
    why = f"“{named[:80]}” is no paper or idea of this session."
    if comes_from(state, named, parse_address(inputs.address).instance):
        why = f"{named} comes from this target, so that it cannot be the target itself."
    raise CoiError(why, "Name an address such as 1/0 or 1/idea, or a paper's id or title.")


def _reading_list(state: State, inputs: Inputs) -> list[Paper]:
    return known(state, (row["paper"] for row in inputs.one("reading") or []))


class TrendsTask(MethodTask):
    """NOVA-1: recent papers by the citations they have had a year, of one search and the reading
    list, and a report over them.

    The paper counts likes and reposts; no source has these for all papers, so that the velocity of
    citations replaces them.
    """

    name, prompts = "nova trends", ("nova_trends",)
    reads = staticmethod(
        reading(TOPIC, "target_title={instance}/target#title", criteria, LIST_READ)
    )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (800, 5_000), (250, 700), (1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        source = services.source(stage=0)
        answer = await source.search(str(inputs.one("target_title")), HITS)
        found = [*_reading_list(ctx.state, inputs), *answer.papers]
        papers = {p.id: p for p in admitted(ctx.state, inputs, found)}
        rows = popular(papers.values())[:POPULAR]
        if not rows:
            raise CoiError(
                answer.lacking or "No dated paper was found to report trends over.",
                "Try other words for the topic.",
            )
        services.at(1)
        best = [papers[row["paper"]] for row in rows]
        values = {"topic": inputs.one("topic"), "papers": shown(best)}
        reply = await services.ask("nova_trends", values, TrendReport)
        content = {**reply.value.content(), "papers": rows, "tries": [search_record(answer)]}
        recipe = {**reply.recipe, "source": source.name}
        return result(inputs, content, services.origin, recipe, best)


def popular(papers: Iterable[Paper]) -> list[dict[str, Any]]:
    """Rows of the papers of the last years, counted from the newest of them, those with the most
    citations a year first.

    A paper of unknown citations comes after those that are counted.
    """
    dated = [(p, p.year) for p in papers if p.year]
    newest = max((year for _, year in dated), default=0)
    rows = [
        {
            "paper": p.id,
            "year": year,
            "citations": p.citations.count,
            "velocity": round((p.citations.count or 0) / (newest - year + 1), 2),
        }
        for p, year in dated
        if year > newest - RECENT
    ]
    return sorted(
        rows,
        key=lambda row: (-row["velocity"], row["citations"] is None, -row["year"], row["paper"]),
    )


# -- the first seeds


class DraftsTask(MethodTask):
    """NOVA-1 to NOVA-4: three calls side by side, one a source, a third of the drafts each and what
    is left over to the theories; then one call that weighs them all. Existing and dropped ideas are
    passed in."""

    name = "nova drafts"
    prompts = ("nova_theory_ideas", "nova_trend_ideas", "nova_gap_ideas", "nova_weigh")
    reads = staticmethod(
        reading(
            *TARGET,
            "related={instance}/target#related",
            "trends={instance}/trends#text",
            "theories?={instance}/choice#theories",
        )
    )

    def cost(self, state: State, address: str) -> Cost:
        weighing = one_call((1_500, 5_000), (500, 1_500))
        return one_call((1_200, 6_000), (500, 1_500)).times(3, 3) + weighing

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state, inputs.address)
        there = existing(ctx.state, parse_address(inputs.address).instance)
        common = {"target": inputs.fields("target"), "existing": there}
        related = known(ctx.state, inputs.one("related") or [])
        theories = [asdict(theory) for theory in ticked(inputs.one("theories"))]
        third = bounds.drafts // 3
        sources: Mapping[str, tuple[int, Values]] = {
            THEORIES: (bounds.drafts - 2 * third, {"papers": shown(related), "theories": theories}),
            TRENDS: (third, {"trends": inputs.one("trends")}),
            SHORTCOMINGS: (third, {"papers": shown(related[:NEAREST])}),
        }
        asked = await asyncio.gather(
            *(
                services.ask(prompt, {**common, **values, "count": wanted}, SeedDrafts)
                for prompt, (wanted, values) in zip(self.prompts, sources.values(), strict=False)
            )
        )
        made = [
            [_draft(idea.model_dump(), source) for idea in reply.value.ideas[:wanted]]
            for (source, (wanted, _)), reply in zip(sources.items(), asked, strict=True)
        ]
        # one of each source in turn, so that drafts of one score are chosen from all of them
        mixed = (draft for turn in zip_longest(*made) for draft in turn if draft)
        drafts = {f"D{n}": draft for n, draft in enumerate(mixed, 1)}
        services.at(1)
        rows = [
            {"id": label, "title": draft["title"], "text": draft["text"]}
            for label, draft in drafts.items()
        ]
        weighed = await services.ask(
            "nova_weigh",
            {**common, "drafts": rows},
            Weighed,
            choices=Choices("judged", "id", list(drafts)),
        )
        content = _weighed(drafts, weighed.value, there, bounds.seeds)
        return result(inputs, content, services.origin, weighed.recipe)


def _draft(reply: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A draft with the theory that it names, where there is one of that number or name."""
    theory = theory_of(reply["theory"]) if source == THEORIES else None
    return {**reply, "source": source, "theory": theory.line() if theory else ""}


def _weighed(
    drafts: Mapping[str, Mapping[str, Any]],
    reply: Weighed,
    there: Iterable[Mapping[str, str]],
    wanted: int,
) -> dict[str, Any]:
    """The drafts in the order of their scores, as many kept as are wanted. Those that repeat an
    existing idea never stay; one without a verdict comes last, which its row says."""
    titles = {row["id"]: row["title"] for row in there}
    verdicts = {one.id: one.model_dump(exclude={"id"}) for one in reply.judged}
    none = {"pros": "", "cons": "The model gave no verdict on it.", "score": 0, "repeats": ""}
    rows = [{**draft, **verdicts.get(label, none)} for label, draft in drafts.items()]
    rows = [{**row, "repeats": titles.get(row["repeats"], "")} for row in rows]
    rows.sort(key=lambda row: -row["score"])
    new = [row for row in rows if not row["repeats"]]
    if not new:
        raise CoiError(
            "Every draft repeats an idea that exists.",
            "Tick other theories in the choices, or edit the target.",
        )
    return {"kept": new[:wanted], "dropped": [*new[wanted:], *(r for r in rows if r["repeats"])]}


class SeedTask(MethodTask):
    """A first seed: one of the drafts that were kept, now a text of its own."""

    name = "nova seed"
    reads = staticmethod(reading("kept={instance}/drafts#kept"))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        rows, number = inputs.one("kept") or [], int(parse_address(inputs.address).item)
        if number > len(rows):
            raise CoiError(
                f"Only {count(len(rows), 'draft')} were kept.",
                "Make the drafts again, or edit a seed that there is.",
            )
        content = SeedContent.from_held(rows[number - 1]).model_dump()
        return result(inputs, content, self.services(ctx).origin)


# -- a round


def _to_plan(ctx: Context, inputs: Inputs) -> Values:
    return {**values_of(ctx, inputs), "count": bounds_of(ctx.state, inputs.address).lines}


def _plan(ctx: Context, inputs: Inputs, reply: SearchPlan) -> Values:
    rows = reply.lines[: bounds_of(ctx.state, inputs.address).lines]
    return {
        "items": [
            {**row.model_dump(), "name": row.title, "description": row.keywords} for row in rows
        ]
    }


class FoundTask(MethodTask):
    """NOVA-6: a search for each line of the plan, side by side.

    A search that finds nothing is stored as such. One that fails fails the step; what the others
    found is stored and not asked for again. The target itself brings nothing new.
    """

    name = "nova search"
    reads = staticmethod(
        reading("items={instance}/plan{item}#items", "known?={instance}/target#paper", criteria)
    )

    def cost(self, state: State, address: str) -> Cost:
        at = parse_address(address)
        plan = state.read(f"{at.instance}/plan{at.item}", PlanContent)
        most = len(plan.items) if plan is not None else bounds_of(state, address).lines
        return Cost(searches=(most if plan is not None else 1, most))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        source, most = (
            self.services(ctx).source(stage=0),
            bounds_of(ctx.state, inputs.address).papers,
        )
        lines = PlanContent.from_held({"items": inputs.one("items")}).items
        answers = await every_end(source.search(line.query, most) for line in lines)
        usable = [
            [p for p in admitted(ctx.state, inputs, answer.papers) if p.id != inputs.one("known")]
            for answer in answers
        ]
        if not any(usable):
            raise CoiError(
                lacking(answers) or "The searches of this plan found nothing.",
                "Edit the lines of the plan, then run again.",
            )
        items = [
            {"name": line.name, "query": line.query, "papers": [p.id for p in papers]}
            for line, papers in zip(lines, usable, strict=True)
        ]
        content = {"items": items, "tries": [search_record(answer) for answer in answers]}
        papers = {p.id: p for row in usable for p in row}
        return result(inputs, content, "source", {"source": source.name}, papers.values())


def _found(inputs: Inputs) -> FoundContent:
    return FoundContent.from_held({"items": next((rows for _, rows in inputs.all("found")), [])})


def _of_parent(state: State, address: str) -> tuple[Read, ...]:
    """The seed that one replaces, and what was found for it."""
    at = parse_address(address)
    parent = parent_of(at.item)
    seed, found = f"seed={{instance}}/seed{parent}#", f"found={{instance}}/found{parent}#items"
    return reading(f"{seed}title", f"{seed}text", found)(state, address)


def _to_replace(ctx: Context, inputs: Inputs) -> Values:
    """The target, the seed, and the papers with labels, each with the first line of the plan that
    found it."""
    at, found = parse_address(inputs.address), _found(inputs)
    papers = known(ctx.state, found.papers())
    line = {paper: item.name for item in reversed(found.items) for paper in item.papers}
    rows = zip(shown(papers), papers, strict=True)
    return {
        "target": inputs.fields("target"),
        "seed": inputs.fields("seed"),
        "existing": existing(ctx.state, at.instance, parent_of(at.item)),
        "papers": [{**row, "line": line[paper.id]} for row, paper in rows],
        "count": bounds_of(ctx.state, inputs.address).each,
    }


def _new_seed(ctx: Context, inputs: Inputs, reply: NewSeeds) -> Values:
    """The seed of this cell: one call writes all that replace an old one; each is edited and
    dropped alone."""
    number = parse_address(inputs.address).numbers[-1]
    if number > len(reply.ideas):
        raise CoiError(
            f"Only {count(len(reply.ideas), 'new seed')} came.", "Write this one yourself."
        )
    one = reply.ideas[number - 1]
    labels = {f"P{n}": p.id for n, p in enumerate(known(ctx.state, _found(inputs).papers()), 1)}
    papers = [labels[label] for label in dict.fromkeys(one.papers) if label in labels]
    return {**one.model_dump(), "source": SEARCH, "theory": "", "papers": papers}


def _new_seed_cost(state: State, address: str) -> Cost:
    """The first of those that replace a seed asks for all of them."""
    first = f"{parent_of(address)}.1"
    if address != first and state.in_use(first) is None:
        return Cost("main")
    least = int(address == first)
    return Cost("main", (least, 2), (1_500 * least, 9_000), (400 * least, 1_500))


# -- proposals


def _initial_reads(state: State, address: str) -> tuple[Read, ...]:
    item = seed_of(state, parse_address(address).branch)
    if not item:
        return reading("picks={instance}/diversity#picks")(state, address)
    seed, parent = f"{{instance}}/seed{item}#", parent_of(item)
    found = [f"found?={{instance}}/found{parent}#items"] if parent else []
    texts = (f"seed={seed}title", f"seed={seed}text", f"papers?={seed}papers")
    return reading(*TARGET, *texts, *found)(state, address)


def _to_propose(ctx: Context, inputs: Inputs) -> Values:
    """With the papers that the seed comes from, then those that were found for it, each once."""
    ids = dict.fromkeys([*(inputs.one("papers") or []), *_found(inputs).papers()])
    papers = shown(known(ctx.state, ids)[:MOST_PAPERS])
    return {**{name: inputs.fields(name) for name in ("target", "seed")}, "papers": papers}


def _initial(ctx: Context, inputs: Inputs, reply: InitialProposal) -> Values:
    return {**reply.content(), "seed": seed_of(ctx.state, parse_address(inputs.address).branch)}


class ModulesTask(MethodTask):
    """The method split into modules, one call; then each worked out in a call of its own, side by
    side."""

    name, prompts = "nova modules", ("nova_modules", "nova_module")
    reads = staticmethod(
        reading(
            "proposal?={branch}/initial#name",
            "proposal={branch}/initial#problem",
            "proposal={branch}/initial#method",
        )
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


def _proposal(ctx: Context, inputs: Inputs, reply: Idea) -> Values:
    """With the seed that it comes from and those that this one came from as its origin."""
    line = line_of(seed_of(ctx.state, parse_address(inputs.address).branch))
    origin = f"Worked out from seed {', which replaced seed '.join(line)}." if line else ""
    return {**reply.content(), "origin": origin}


TASKS: Mapping[str, TextTask[Any]] = {
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
        _to_plan,
        _plan,
    ),
    "initial": TextTask(
        "nova initial",
        "nova_initial",
        InitialProposal,
        _initial_reads,
        one_call((900, 6_000), (500, 2_000)),
        _to_propose,
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
        ),
        one_call((1_800, 8_000), (900, 3_500)),
        content=_proposal,
    ),
}
NEW_SEED: TextTask[Any] = TextTask(
    "nova new seeds",
    "nova_new_seeds",
    NewSeeds,
    reading(*TARGET, _of_parent),
    _new_seed_cost,
    _to_replace,
    _new_seed,
)
