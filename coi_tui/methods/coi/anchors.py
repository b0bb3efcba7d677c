"""COI-1, COI-2: search questions for the topic, and candidates for an anchor from one question."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.replies import Questions, Relevance, Rewrite
from coi_tui.methods.coi.settings import CoiSettings, bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import entry
from coi_tui.methods.shared.reads import HUNCH, REJECTED_PAPERS, TOPIC, criteria, paper, preferences, rules
from coi_tui.model.address import parse_address, ref
from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.literature.types import SearchResult
    from coi_tui.methods.services import Services

COUNT = 5
"""Questions asked for in the one call, whatever the number of branches, so that a branch more needs no new call (at most 5, COI-1)."""


class QuestionsStep(MethodStep):
    """One call for all questions; each cell takes its own, is edited and refreshed alone."""

    name = "questions"
    prompts = ("coi_questions",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (TOPIC, HUNCH)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2) if address == "Q1" else (0, 2), (300, 800), (80, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        topic = str(inputs.one("topic"))
        number = parse_address(inputs.address).branch
        services = self.services(ctx)
        values = {"topic": topic, "hunch": inputs.one("hunch") or "", "count": COUNT}
        try:
            asked = await services.ask("coi_questions", values, Questions)
        except ReplyError:
            # COI-1: on an unreadable list the topic itself is searched, and the question says so.
            content = {"text": topic, "note": "The list of questions could not be read; the topic itself is searched."}
            return Result((Made(inputs.address, content, "source", {"prompt": "coi_questions", "fallback": True}),))
        distinct = list({q.casefold(): q for q in asked.value.questions}.values())
        if isinstance(number, int) and number <= len(distinct):
            content = {"text": distinct[number - 1], "note": ""}
        else:
            content = {"text": topic, "note": f"Only {len(distinct)} questions were made; the topic itself is searched."}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


class AnchorCandidates(MethodStep):
    """Searches the question; rewrites the words, at most ``anchor_tries`` times, while nothing readable and free is found.

    Other words may lead away from the topic, so what only a rewritten query found is judged before it can be an anchor (fail closed).

    Which anchors other branches hold is looked at (no two share one) but is no input for freshness.
    """

    name = "anchor candidates"
    prompts = ("coi_rewrite", "coi_relevance")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        others = [paper("taken", b, 0, optional=True, parent=True) for b in state.branches_of("") if b != branch]
        tried = Read("tried", ref(address, "tries"), optional=True, parent=True)
        return (TOPIC, *criteria(state), Read("question", ref(f"Q{branch}", "text")), tried, REJECTED_PAPERS, *others)

    def cost(self, state: State, address: str) -> Cost:
        bounds = bounds_of(state)
        again = bounds.anchor_tries - 1  # each rewriting is one call, and what it finds is judged
        calls, prompt, reply = (
            again * (1 + bounds.judge_limit),
            again * (300 + 600 * bounds.judge_limit),
            again * (60 + 150 * bounds.judge_limit),
        )
        return Cost("main", (0, calls), (0, prompt), (0, reply), (1, bounds.anchor_tries))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, asked = self.services(ctx), rules(inputs)
        if (nothing := await services.lacking(str(inputs.one("topic")))) is not None:
            return _refused(inputs.address, nothing)
        search = AnchorSearch(services, inputs, bounds_of(ctx.state), ctx.state.rejected(parse_address(inputs.address).branch))
        await search.run()
        found, tries = search.found, search.tries
        ranked, how = await services.rank(f"{search.topic}\n{search.question}", list(found.values()))
        ranked.sort(key=lambda pair: (bool(left_out(pair[1], asked)), not pair[1].can_grow))  # stable: similarity decides among equals
        content = {
            "entries": [
                _row(entry(p, score, asked, rank=n, can_grow=p.can_grow), search.verdicts.get(p.id), first=len(tries) == 1)
                for n, (score, p) in enumerate(ranked, start=1)
            ],
            "tries": tries,
            "ranked": how,
            "note": "" if found else f"No paper was found in {len(tries)} searches.",
        }
        recipe = {"source": tries[-1]["source"], "prompt": "coi_rewrite" if len(tries) > 1 else ""}
        return Result((Made(inputs.address, content, "source", recipe),), tuple(found.values()))


def _refused(address: str, nothing: SearchResult) -> Result:
    """An empty list: the starter library holds too little on the topic, so neither question nor other words are searched."""
    tried = {**_try(nothing), "hits": 0, "total": 0, "note": nothing.lacking}
    content = {"entries": [], "tries": [tried], "ranked": "", "note": nothing.lacking}
    return Result((Made(address, content, "source", {"source": nothing.source, "prompt": ""}),))


class AnchorSearch:
    """The searches for one anchor: the papers found, the tries so far, and the verdicts on what other words found."""

    def __init__(self, services: Services, inputs: Inputs, bounds: CoiSettings, rejected: set[str]) -> None:
        self.services, self.bounds = services, bounds
        self.topic, self.question = str(inputs.one("topic")), str(inputs.one("question"))
        self._criteria, self._preferences = rules(inputs), preferences(inputs)
        self._taken = {p.id for _, p in inputs.all("taken")} | rejected
        self.tries: list[dict[str, Any]] = list(inputs.one("tried") or []) if self._taken else []
        self.found: dict[str, Paper] = {}
        self.verdicts: dict[str, dict[str, Any]] = {}

    async def run(self) -> None:
        """Search, judge what other words found, and take other words again, until a paper may be the anchor or the tries are used up."""
        words = self.question if not self.tries else await self._rewrite()
        for n in range(self.bounds.anchor_tries):
            self.services.at(2 * n)
            new = await self._search(words)
            if len(self.tries) > 1:
                self.services.at(2 * n + 1)
                await self._judge(_free(new, self._taken, self._criteria)[: self.bounds.judge_limit])
            if self._succeeded() or len(self.tries) >= self.bounds.anchor_tries:
                return
            self.services.at(2 * n + 1)
            words = await self._rewrite()

    def _succeeded(self) -> bool:
        """A paper that may be the anchor was found: by the question itself, or judged relevant."""
        free = _free(self.found.values(), self._taken, self._criteria)
        return any(len(self.tries) == 1 or self.verdicts.get(p.id, {}).get("relevant") for p in free)

    async def _search(self, words: str) -> list[Paper]:
        """One search; the papers that those before it did not find."""
        answer = await self.services.source().search(words, self.bounds.anchor_hits + 2 * self.bounds.branches)
        self.tries.append(_try(answer))
        new = [p for p in answer.papers if p.id not in self.found]
        self.found.update({p.id: p for p in answer.papers})
        return new

    async def _judge(self, papers: list[Paper]) -> None:
        """Verdicts side by side."""

        async def one(p: Paper) -> None:
            values = {"topic": self.topic, **self._preferences, "title": p.title, "year": p.year, "abstract": p.abstract}
            said = (await self.services.ask("coi_relevance", values, Relevance)).value
            self.verdicts[p.id] = {"relevant": said.relevant, "reasoning": said.reasoning}

        await asyncio.gather(*(one(p) for p in papers))

    async def _rewrite(self) -> str:
        values = {"topic": self.topic, "question": self.question, "failed": [t["query"] for t in self.tries]}
        return (await self.services.ask("coi_rewrite", values, Rewrite)).value.query


def _free(papers: Iterable[Paper], taken: Container[str], asked: Criteria) -> list[Paper]:
    """Papers that may become the anchor: they can be read, no other branch has them, no criterion leaves them out."""
    return [p for p in papers if p.abstract and p.id not in taken and not left_out(p, asked)]


def _row(row: dict[str, Any], verdict: dict[str, Any] | None, *, first: bool) -> dict[str, Any]:
    """A row of the list. ``fits``: the question itself found it, or it was judged relevant; only such a paper is proposed."""
    row["fits"] = first or bool(verdict and verdict["relevant"])
    return {**row, "reasoning": verdict["reasoning"]} if verdict else row


def _try(found: SearchResult) -> dict[str, Any]:
    """A search as the session remembers it: words, source, date, how many hits."""
    return {
        "query": found.query,
        "source": found.source,
        "date": found.asked_at or "",
        "hits": len(found.papers),
        "total": found.total,
        "note": found.note,
        **({"kept": True} if found.cached else {}),
    }
