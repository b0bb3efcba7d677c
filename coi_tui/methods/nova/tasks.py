"""NOVA-1 to NOVA-9: the target, the report over recent papers and the first seeds; in each round a
plan, its searches and new seeds; and the proposals."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.methods.base.reads import (
    TOPIC,
    comes_from,
    criteria,
    first_line,
    reading,
    reads_of_named,
)
from coi_tui.methods.base.reply_models import SourcedIdea
from coi_tui.methods.base.task import (
    MethodTask,
    TextTask,
    Values,
    admitted,
    known,
    one_call,
    result,
    shown,
    values_of,
)
from coi_tui.methods.base.text_tools import (
    Draft,
    content_words,
    distinct,
    line_of,
    mapping,
    text_of,
)
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.evidence.reading_list import LIST_READ, ReadingListTask, listed_papers
from coi_tui.methods.evidence.searches import search_each
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.nova import NovaSettings
from coi_tui.methods.nova.kinds import (
    THEORIES,
    FoundContent,
    InitialProposal,
    MethodModules,
    NewSeeds,
    PlanContent,
    SearchPlan,
    SeedContent,
    SeedDrafts,
    TrendReport,
    Weighed,
)
from coi_tui.methods.nova.seeds import DiversityTask, existing, origins, parent_of, seed_of
from coi_tui.model.address import READING, cell_at, cell_ref
from coi_tui.model.content import ReadingRow
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, count
from coi_tui.services.llm.chat import Choices
from coi_tui.services.llm.offline import TO_WRITE

SEARCH = "search"
"""Where a seed of a further round comes from: the papers of a search plan. The first ones come from
theories, trends or shortcomings."""
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

TARGET = "target={instance}/target#title text"
thought = reading("thought={branch}/initial#problem method")
"""What the proposal of a branch will be made from."""


# -- where it starts


class TargetTask(MethodTask):
    """The paper or idea that the person chose; without a choice the best of the reading list."""

    name = "nova target"
    reads = staticmethod(reading(TOPIC, reads_of_named, criteria, LIST_READ))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        state, named = ctx.state, first_line(inputs.one("target"))
        idea, paper_id = inputs.fields("chosen_idea"), ""
        if idea.get("final"):
            found = {"title": idea["title"], "text": idea["final"], "of": named}
        else:
            paper = _target(state, inputs, named)
            paper_id = paper.id
            found = {"title": paper.title, "text": paper.abstract or "", "of": named or paper_id}
        in_chains = known(state, (place.paper or "" for place in Chains.of(state).slots.values()))
        papers = admitted(state, inputs, [*in_chains, *listed_papers(state, inputs)])
        others = [p for p in papers if p.id != paper_id and p.abstract]
        similar = await self.services(ctx).similarity(f"{found['title']}\n{found['text']}", others)
        related = {"related": similar.nearest(RELATED), "ranked": similar.how}
        return result(inputs, {**found, "paper": paper_id, **related}, "source")


def _target(state: State, inputs: Inputs, named: str) -> Paper:
    """The paper at the address that a person named, or of that id or title; where none is named the
    best one of the reading list."""
    if named:
        name = named.casefold()
        found: list[Paper] = [paper for _, paper in inputs.all("chosen_paper")]
        found += [p for p in state.papers.values() if name in (p.id.casefold(), p.title.casefold())]
    else:
        rows = map(ReadingRow.from_stored, inputs.one("reading") or [])
        found = known(state, (row.paper for row in rows if row.eligible))
    if found:
        return found[0]
    if not named:
        raise CoiError(
            "No paper was found to start from.",
            "Name a target in the choices, or try other words for the topic.",
        )
    why = f"“{named[:80]}” is no paper or idea of this session."
    if comes_from(state, named, inputs.at.instance):
        why = f"{named} comes from this target, so that it cannot be the target itself."
    raise CoiError(why, "Name an address such as 1/0 or 1/idea, or a paper's id or title.")


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
    size = Cost("main", (1, 2), (800, 5_000), (250, 700), (1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, title = self.services(ctx), inputs.one("target_title")
        found = await search_each(services, inputs, [title], HITS, listed_papers(ctx.state, inputs))
        rows = popular(found.papers.values())[:POPULAR]
        if not rows:
            raise found.nothing(
                "No dated paper was found to report trends over.", "Try other words for the topic."
            )
        services.at(1)
        best = [found.papers[row["paper"]] for row in rows]
        values = {"topic": inputs.one("topic"), "papers": shown(best)}
        reply = await services.ask("nova_trends", values, TrendReport)
        content = {**reply.value.content(), "papers": rows, "tries": found.tries}
        recipe = {**reply.recipe, "source": found.source}
        return result(inputs, content, services.origin, recipe, best)


def popular(papers: Iterable[Paper]) -> list[Fields]:
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
            TARGET,
            "related={instance}/target#related",
            "trends={instance}/trends#text",
            "off?={instance}/choice#off",
        )
    )
    size = one_call((1_200, 6_000), (500, 1_500)).times(3, 3)
    size += one_call((1_500, 5_000), (500, 1_500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), ctx.state.bounds(NovaSettings, inputs.address)
        there = existing(ctx.state, inputs.at.instance)
        common = {"target": inputs.fields("target"), "existing": there}
        related = known(ctx.state, inputs.one("related"))
        off, third = inputs.one("off") or [], bounds.drafts // 3
        every = {str(n): theory for n, theory in enumerate(THEORIES, 1)}
        used = {n: theory for n, theory in every.items() if n not in off} or every
        theories = [{"number": n, **theory.model_dump()} for n, theory in used.items()]

        def led_by(theory: str) -> str:
            number = "".join(re.findall(r"\d+", theory)[:1])
            return used[number].name if number in used else ""

        async def drafted(source: str, prompt: str, wanted: int, **values: Any) -> list[Values]:
            values = {**common, **values, "count": wanted}
            ideas = (await services.ask(prompt, values, SeedDrafts)).value.ideas[:wanted]
            return [
                {**idea.model_dump(), "source": source, "theory": led_by(idea.theory)}
                for idea in ideas
            ]

        of_theories, of_trends, of_gaps, _ = self.prompts
        made = await asyncio.gather(
            drafted(
                "theories",
                of_theories,
                bounds.drafts - 2 * third,
                papers=shown(related),
                theories=theories,
            ),
            drafted("trends", of_trends, third, trends=inputs.one("trends")),
            drafted("shortcomings", of_gaps, third, papers=shown(related[:NEAREST])),
        )
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


def _weighed(
    drafts: Mapping[str, Values], reply: Weighed, there: Iterable[Mapping[str, str]], wanted: int
) -> Fields:
    """The drafts in the order of their scores, as many seeds as are wanted. Those that repeat an
    existing idea come last; one without a verdict has no score, which its row says."""
    titles = {row["id"]: row["title"] for row in there}
    verdicts = {one.id: one.model_dump(exclude={"id"}) for one in reply.judged}
    none = {"pros": "", "cons": "The model gave no verdict on it.", "score": 0, "repeats": ""}
    rows = [{**draft, **verdicts.get(label, none)} for label, draft in drafts.items()]
    rows = [{**row, "repeats": titles.get(row["repeats"], "")} for row in rows]
    rows.sort(key=lambda row: (bool(row["repeats"]), -row["score"]))
    for n, row in enumerate(rows):
        row["status"] = "repeats" if row["repeats"] else "seed" if n < wanted else "dropped"
    if rows[0]["repeats"]:
        raise CoiError(
            "Every draft repeats an idea that exists.",
            "Use other theories in the choices, or edit the target.",
        )
    return {"drafts": rows}


# -- a round


def _to_plan(ctx: Context, inputs: Inputs) -> Values:
    return {**values_of(ctx, inputs), "count": ctx.state.bounds(NovaSettings, inputs.address).lines}


def _plan(ctx: Context, inputs: Inputs, reply: SearchPlan) -> Values:
    most = ctx.state.bounds(NovaSettings, inputs.address).lines
    return {"items": [item.model_dump() for item in reply.items[:most]]}


def draft_plan(values: Values) -> Draft:
    """One line by rule, where no language model is set: the words of what the seed says or quotes of
    papers, then of the target."""
    lines = text_of(mapping(values, "seed"), "text").splitlines()
    written = [line for line in lines if not line.startswith((TO_WRITE, "From the "))]
    own = " ".join(line.partition("”: ")[2] or line for line in written)
    found = distinct([*content_words(own), *content_words(line_of(values, "target_title"))])
    title, keywords = " ".join(found[:3]) or "the topic", " ".join(found[3:5]) or "method"
    return {"items": [{"name": title, "description": keywords, "rationale": "By rule."}]}


class NovaPapersTask(MethodTask):
    """NOVA-6: a search for each line of the plan, side by side.

    A search that finds nothing is stored as such. One that fails fails the step; what the others
    found is stored and not asked for again. The target itself brings nothing new.
    """

    name = "nova search"
    reads = staticmethod(
        reading("items={instance}/plan{item}#items", "known?={instance}/target#paper", criteria)
    )

    def cost(self, state: State, address: str) -> Cost:
        at = cell_ref(address)
        plan = state.read(cell_at(at.instance, "plan", at.item), PlanContent)
        most = len(plan.items) if plan is not None else state.bounds(NovaSettings, address).lines
        return Cost(searches=(most if plan is not None else 1, most))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        most = ctx.state.bounds(NovaSettings, inputs.address).papers
        lines = PlanContent.from_stored({"items": inputs.one("items")}).items
        found = await search_each(self.services(ctx), inputs, (one.query for one in lines), most)
        usable = {p: one for p, one in found.papers.items() if p != inputs.one("known")}
        if not usable:
            raise found.nothing(
                "The searches of this plan found nothing.",
                "Edit the lines of the plan, then run again.",
            )
        items = [
            {"paper": paper, "line": line.name, "query": line.query}
            for line, answer in zip(lines, found.answers, strict=True)
            for paper in dict.fromkeys(p.id for p in answer.papers if p.id in usable) or [""]
        ]
        content = {"items": items, "tries": found.tries}
        return result(inputs, content, "source", {"source": found.source}, usable.values())


def _found(inputs: Inputs) -> FoundContent:
    return FoundContent.from_stored({"items": inputs.first("found", [])})


class SeedTask(MethodTask):
    """A first seed is one of the drafts that were kept. One of a further round replaces another
    (NOVA-7): one call writes all that replace it, and each is edited and dropped alone."""

    name, prompts = "nova seed", ("nova_new_seeds",)

    def reads(self, state: State, address: str) -> Reads:
        parent = parent_of(cell_ref(address).item)
        if not parent:
            return reading("draft={instance}/drafts#drafts.{item}")(state, address)
        seed, found = f"seed={{instance}}/seed{parent}#title text", "found={instance}/found"
        return reading(TARGET, seed, f"{found}{parent}#items")(state, address)

    def cost(self, state: State, address: str) -> Cost:
        """The first of those that replace a seed asks for all of them."""
        if not parent_of(cell_ref(address).item):
            return Cost()
        first = f"{parent_of(address)}.1"
        if address != first and state.in_use(first) is None:
            return Cost("main")
        least = int(address == first)
        return Cost("main", (least, 2), (1_500 * least, 9_000), (400 * least, 1_500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, at = self.services(ctx), inputs.at
        parent = parent_of(at.item)
        if not parent:
            draft = SeedContent.from_stored(inputs.one("draft"))
            return result(inputs, draft.model_dump(), services.origin)
        found = _found(inputs)
        papers = known(ctx.state, found.papers())
        line = {item.paper: item.line for item in reversed(found.items)}
        rows = zip(shown(papers), papers, strict=True)
        values = {
            "target": inputs.fields("target"),
            "seed": inputs.fields("seed"),
            "existing": existing(ctx.state, at.instance, parent),
            "papers": [{**row, "line": line[paper.id]} for row, paper in rows],
            "count": ctx.state.bounds(NovaSettings, inputs.address).each,
        }
        asked = await services.ask("nova_new_seeds", values, NewSeeds)
        ideas, number = asked.value.ideas, at.numbers[-1]
        if number > len(ideas):
            raise CoiError(
                f"Only {count(len(ideas), 'new seed')} came.", "Write this one yourself."
            )
        one, labels = ideas[number - 1], {f"P{n}": p.id for n, p in enumerate(papers, 1)}
        cited = [labels[label] for label in dict.fromkeys(one.papers) if label in labels]
        content = {**one.model_dump(), "source": SEARCH, "theory": "", "papers": cited}
        return result(inputs, content, services.origin, asked.recipe)


# -- proposals


def _initial_reads(state: State, address: str) -> Reads:
    item = seed_of(state, cell_ref(address).branch)
    if not item:
        return reading("picks={instance}/diversity#picks")(state, address)
    parent = parent_of(item)
    return reading(
        TARGET,
        f"seed={{instance}}/seed{item}#title text",
        f"papers?={{instance}}/seed{item}#papers",
        *([f"found?={{instance}}/found{parent}#items"] if parent else ()),
    )(state, address)


def _to_propose(ctx: Context, inputs: Inputs) -> Values:
    """With the papers that the seed comes from, then those that were found for it, each once."""
    ids = dict.fromkeys([*(inputs.one("papers") or []), *_found(inputs).papers()])
    papers = shown(known(ctx.state, ids)[:MOST_PAPERS])
    return {**{name: inputs.fields(name) for name in ("target", "seed")}, "papers": papers}


def _initial(ctx: Context, inputs: Inputs, reply: InitialProposal) -> Values:
    return {**reply.content(), "seed": seed_of(ctx.state, inputs.at.branch)}


def _proposal(ctx: Context, inputs: Inputs, reply: SourcedIdea) -> Values:
    """With the seed that it comes from and those that this one came from as its origin."""
    line = origins(seed_of(ctx.state, inputs.at.branch))
    origin = f"Worked out from seed {', which replaced seed '.join(line)}." if line else ""
    return {**reply.content(), "origin": origin}


DRAFTS = {"nova_plan": draft_plan}
"""The rule for each prompt that has one, by the prompt's name."""
TASKS: Values = {
    READING: ReadingListTask,
    "target": TargetTask,
    "trends": TrendsTask,
    "drafts": DraftsTask,
    "seed": SeedTask,
    "found": NovaPapersTask,
    "diversity": DiversityTask,
    "rivals": lambda tools: RivalsTask(tools, thought),
    "plan": TextTask(
        "nova plan",
        "nova_plan",
        SearchPlan,
        reading("target_title={instance}/target#title", "seed={instance}/seed{item}#title text"),
        one_call((500, 1_100), (300, 900)),
        _to_plan,
        _plan,
    ),
    "modules": TextTask(
        "nova modules",
        "nova_modules",
        MethodModules,
        reading("proposal={branch}/initial#name? problem method"),
        one_call((500, 1_500), (600, 2_500)),
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
        SourcedIdea,
        reading(
            TARGET,
            "target?={instance}/target#paper",
            "proposal={branch}/initial#name? problem existing? motivation method experiment",
            "modules={branch}/modules#modules",
            "rivals?={branch}/rivals#works",
            "bad_cases?={branch}/bad#cases",
        ),
        one_call((1_800, 8_000), (900, 3_500)),
        content=_proposal,
    ),
}
