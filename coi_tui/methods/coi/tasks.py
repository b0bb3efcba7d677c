"""COI-1, COI-3, COI-8, COI-10, COI-11: the texts: questions, cards, trends, a direction and an idea;
and what each is made from."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from coi_tui.arena.ratings import standings
from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import (
    HUNCH,
    TOPIC,
    attached,
    card_fields,
    chain_cards,
    chain_papers,
    paper,
    reading,
    rivals,
)
from coi_tui.methods.base.task import MethodTask, TextTask, one_call, result
from coi_tui.methods.coi.growth import bounds_of
from coi_tui.methods.coi.kinds import Direction, FinalIdea, IdeaDraft, Questions, Trend
from coi_tui.methods.evidence.papers import (
    ABSTRACT,
    FULL_TEXT,
    LONGEST,
    READING_PROMPT,
    REPLY,
    UNKNOWN,
    chain_of,
    read_paper,
    short,
)
from coi_tui.methods.ideas.matches import compared
from coi_tui.model.address import CANDIDATES, Branch, parse_address, ref, slot
from coi_tui.model.content import CandidateList
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.services.pdf.full_text import pdf_urls

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Asked, Services

COUNT = 5
"""Questions asked for in the one call, whatever the number of branches, so that a branch more needs
no new call (at most 5, COI-1)."""
CITING, CITED = 100, 500
"""Rows of a citation list and of a reference list that are looked at; the list says so when it is
longer.

References must be seen whole to find the titles that a card names (COI-5)."""


class QuestionsTask(MethodTask):
    """One call for all questions; each cell takes its own, is edited and refreshed alone. Where
    there is none for it the topic itself is searched, and the question says so."""

    name, prompts = "questions", ("coi_questions",)
    reads = staticmethod(reading(TOPIC, HUNCH))

    def cost(self, state: State, address: str) -> Cost:
        first = int(address == "Q1")  # it asks for all of them
        return Cost("main", (first, 2), (300 * first, 600), (100 * first, 200))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, topic = self.services(ctx), str(inputs.one("topic"))
        values = {"topic": topic, "hunch": inputs.one("hunch") or "", "count": COUNT}
        try:
            asked = await services.ask("coi_questions", values, Questions)
        except ReplyError:
            note = "The list of questions could not be read; the topic itself is searched."
            recipe = {"prompt": "coi_questions", "fallback": True}
            return result(inputs, {"text": topic, "note": note}, "source", recipe)
        distinct = list({q.casefold(): q for q in asked.value.questions}.values())
        number = int(parse_address(inputs.address).branch)
        content = (
            {"text": distinct[number - 1], "note": ""}
            if number <= len(distinct)
            else {
                "text": topic,
                "note": f"Only {len(distinct)} questions were made; the topic itself is searched.",
            }
        )
        return result(inputs, content, services.origin, asked.recipe)


class CardTask(MethodTask):
    """COI-3: one reading call a paper, by the reader model; full text where it can be had, else the
    abstract, labelled."""

    name, prompts = "card", (READING_PROMPT,)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        """The paper in the slot, and the researcher's own PDF of it."""
        at = parse_address(address)
        pdf = attached("pdf", at.branch, at.pos)
        own = (pdf,) if state.meaning(pdf.ref) is not None else ()
        return (TOPIC, paper("paper", at.branch, at.pos), *own)

    def cost(self, state: State, address: str) -> Cost:
        known = state.slot(str(parse_address(address).slot)).paper or ""
        if pdf := state.attached.get(known):
            size = 600 + -(-min(int(pdf["chars"]), LONGEST) // 4)
        elif (found := state.papers.get(known)) is not None:
            size = FULL_TEXT if pdf_urls(found) else ABSTRACT
        else:
            size = UNKNOWN
        return Cost("reader", (1, 2), (size, 2 * size), (REPLY, 2 * REPLY))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        found: Paper = inputs.one("paper")
        self.list_ahead(ctx, inputs.address, found)
        read = await read_paper(self.services(ctx), str(inputs.one("topic")), found)
        return result(inputs, read.content, read.origin, read.recipe)

    def list_ahead(self, ctx: Context, address: str, found: Paper) -> None:
        """Fetch the list that the next place outward is chosen from, where the chain will grow from
        here."""
        at, bounds = parse_address(address), bounds_of(ctx.state)
        share = bounds.forward if at.pos > 0 else bounds.backward
        if abs(at.pos) < min(share, bounds.length - 1):
            outward = at.pos + (1 if at.pos > 0 else -1)
            under = ctx.for_cell(f"{slot(at.branch, outward)}.{CANDIDATES}", "candidates")
            source = self.services(under).source(stage=0)
            ctx.ahead(
                source.citations(found, CITING) if outward > 0 else source.references(found, CITED)
            )


# -- trends


def _trend_reads(state: State, address: str) -> tuple[Read, ...]:
    """The two papers with their cards, and the list that one was chosen from."""
    at = parse_address(address)
    fields = ("problem", "move", "method", "evidence", "limits", "source")
    listed = f"{slot(at.branch, at.newer if at.newer > 0 else at.pos)}.{CANDIDATES}"
    return (
        TOPIC,
        paper("older_paper", at.branch, at.pos),
        paper("newer_paper", at.branch, at.newer),
        *card_fields("older", at.branch, at.pos, fields),
        *card_fields("newer", at.branch, at.newer, fields),
        Read("listed", ref(listed, "of"), optional=True, parent=True),
        Read("candidates", ref(listed, "entries"), optional=True, parent=True),
    )


def _trend_values(ctx: Context, inputs: Inputs) -> dict[str, Any]:
    """With the sentences in which the newer paper cites the older one, where the list of candidates
    between the two has some."""
    papers = {name: inputs.one(f"{name}_paper") for name in ("older", "newer")}
    sides = {name: {**short(one), **inputs.fields(name)} for name, one in papers.items()}
    pair = {one.id for one in papers.values()}
    rows = CandidateList.from_held({"entries": inputs.one("candidates") or []}).entries
    citing = next((row.citing for row in rows if {row.paper, inputs.one("listed")} == pair), [])
    return {"topic": inputs.one("topic"), **sides, "citing": citing}


TREND = TextTask(
    "trend", "coi_trend", Trend, _trend_reads, one_call((1_150, 2_300), (260, 520)), _trend_values
)
"""One call a pair, so that a pair's trend depends on its two cards, and the sentences in which one
cites the other, alone."""


# -- from a chain to its idea


def _chain(state: State, branch: Branch, fields: tuple[str, ...]) -> tuple[Read, ...]:
    """A chain's papers with some fields of their cards, and the trends between them."""
    trends = (Read("trends", ref(address, "text")) for address in state.pairs(branch))
    cards = chain_cards(state, branch, fields)
    return (*chain_papers(state, branch), *cards, *trends)


def _chain_values(inputs: Inputs) -> dict[str, Any]:
    trends = [text for _, text in inputs.all("trends")]
    return {"topic": inputs.one("topic"), "chain": chain_of(inputs), "trends": trends}


def thought(state: State, address: str) -> tuple[Read, ...]:
    """What an idea will be made from: the direction; and the chain's own papers, which are no
    rivals."""
    branch = parse_address(address).branch
    own = (read._replace(name="own", optional=True) for read in chain_papers(state, branch))
    return (Read("thought", ref(f"{branch}/dir", "text")), *own)


class IdeaTask(MethodTask):
    """Candidates, of which one is written out; then what is wrong with that draft, and the whole
    idea once more."""

    name, prompts = "idea", ("coi_idea", "coi_final_idea")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        """The chain with its direction, its rivals, and the papers that a draft came too close
        to."""
        branch = parse_address(address).branch
        return (
            TOPIC,
            *_chain(state, branch, ("problem", "move", "method", "use", "limits")),
            Read("direction", ref(f"{branch}/dir", "text")),
            rivals("rivals", branch),
            Read("bad_cases", ref(f"{branch}/bad", "cases"), optional=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (2, 4), (6_500, 13_000), (1_700, 3_400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, known = self.services(ctx), _chain_values(inputs)
        about = {
            "topic": known["topic"],
            "direction": inputs.one("direction"),
            "rivals": inputs.one("rivals") or [],
            "bad_cases": inputs.one("bad_cases") or [],
        }
        draft = await services.ask("coi_idea", {**known, **about}, IdeaDraft)
        services.at(1)
        papers = [{"title": one["title"], "year": one["year"]} for one in known["chain"]]
        values = {**about, "papers": papers, "draft": draft.value.content()}
        final = await services.ask("coi_final_idea", values, FinalIdea)
        content = final.value.content()
        recipe = {
            **final.recipe,
            "draft": {**draft.recipe, **draft.value.content()},
            "faults": content.pop("faults"),
        }
        return result(inputs, content, services.origin, recipe)


T = TypeVar("T")
Draft = tuple[str, "Asked[Direction]"]
"""A draft of a direction with its way of thinking; the first has none."""
ANGLES = ("analogy", "deep dive", "reflection")
"""The ways of thinking of further drafts, one each."""


class DirectionTask(MethodTask):
    """Titles and years go with each idea; the anchor is a required input, so that an empty chain
    has no direction.

    The first draft is the plain, strong one; the others, side by side, each think in another way
    and must depart from it. The match prompt then compares all of them in both orders, and the best
    is taken; the others become alternatives. A further draft or a match that cannot be read is
    passed over with a note: one draft is enough to go on.
    """

    name, prompts = "direction", ("coi_direction", "coi_match")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (TOPIC, HUNCH, *_chain(state, branch, ("problem", "move", "limits")))

    def cost(self, state: State, address: str) -> Cost:
        drafts = bounds_of(state).drafts
        orders = drafts * (drafts - 1)
        calls = drafts + orders
        prompt, reply = drafts * 1_600 + orders * 500, drafts * 300 + orders * 150
        return Cost("main", (calls, 2 * calls), (prompt, 2 * prompt), (reply, 2 * reply))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        values = {**_chain_values(inputs), "hunch": inputs.one("hunch") or ""}
        # rules make the same draft every time
        wanted = 1 if services.origin == "drafter" else bounds_of(ctx.state).drafts
        drafts = await _drafts(ctx, services, values, wanted)
        services.at(2)
        texts = [(n, {"final": draft.value.text}) for n, (_, draft) in enumerate(drafts, start=1)]
        calls = [compared(services, values["topic"], *pair) for pair in combinations(texts, 2)]
        matches = [match for match, _ in await _readable(ctx, "comparison of drafts", calls)]
        results = [(m["first"], m["second"], m["results"]) for m in matches]
        best = int(standings(range(1, len(drafts) + 1), results)[0].player)
        made = [
            Made(
                inputs.address,
                draft.value.model_dump(),
                services.origin,
                draft.recipe,
                beside="" if n == best else _not_taken(n, best, angle, matches),
            )
            for n, (angle, draft) in enumerate(drafts, start=1)
        ]
        return Result(tuple(sorted(made, key=lambda one: one.beside != "")))


async def _drafts(
    ctx: Context, services: Services, values: Mapping[str, Any], wanted: int
) -> list[Draft]:
    """The first draft, then one for each further way of thinking; no text twice."""
    known = {**values, "angle": "", "drafted": []}

    async def draft(angle: str) -> Draft:
        return angle, await services.ask("coi_direction", {**known, "angle": angle}, Direction)

    first = await draft("")
    services.at(1)
    known["drafted"] = [first[1].value.text]
    further = await _readable(ctx, "further draft", map(draft, ANGLES[: wanted - 1]))
    distinct: dict[str, Draft] = {}
    for one in (first, *further):
        distinct.setdefault(one[1].value.text, one)
    return list(distinct.values())


async def _readable(ctx: Context, what: str, calls: Iterable[Awaitable[T]]) -> list[T]:
    """The results of calls side by side, without those whose replies cannot be read, which a note
    counts."""
    ends = await asyncio.gather(*calls, return_exceptions=True)
    found: list[T] = []
    for end in ends:
        if not isinstance(end, BaseException):
            found.append(end)
        elif not isinstance(end, ReplyError):
            raise end
    if missing := len(ends) - len(found):
        ctx.changed += (f"{count(missing, what)} could not be read",)
    return found


def _not_taken(n: int, best: int, angle: str, matches: Sequence[Mapping[str, Any]]) -> str:
    """Why a draft was not taken: how it did against the one that was."""
    how = f"another draft, by {angle}" if angle else "the first draft"
    results = next((m["results"] for m in matches if {m["first"], m["second"]} == {n, best}), None)
    if results is None:
        return f"{how}; it was not compared with the one taken"
    winners = list(results.values())
    won, lost = winners.count(n), winners.count(best)
    return f"{how}; it won {won} and lost {lost} of {len(winners)} criteria against the one taken"
