"""COI-1, COI-2: search questions for the topic, and candidates for an anchor from one question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.literature.citation_ranking import ANCHOR_WEIGHTS, best_first, fused
from coi_tui.literature.ranking import matches_fully
from coi_tui.methods.base.reads import (
    preferences,
    rules,
)
from coi_tui.methods.base.task import MethodTask
from coi_tui.methods.coi import growth as reads
from coi_tui.methods.coi.growth import bounds_of
from coi_tui.methods.coi.relevance import graded
from coi_tui.methods.coi.replies import Questions, Rewrite
from coi_tui.methods.evidence.reading_list import (
    HITS,
    ReadingLinks,
    entry,
    placed_by,
    search_record,
)
from coi_tui.model.address import parse_address
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean_line, count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services
    from coi_tui.services.sources.types import SearchResult

SPARE = 2
"""Relevant papers looked for beyond one for each branch, so that rejecting an anchor brings the
next at once."""
FROM_READING = 30
"""Papers of the reading list that may be an anchor whatever the question found: many of what the
search found cite them."""
COUNT = 5
"""Questions asked for in the one call, whatever the number of branches, so that a branch more needs
no new call (at most 5, COI-1)."""


class QuestionsTask(MethodTask):
    """One call for all questions; each cell takes its own, is edited and refreshed alone."""

    name = "questions"
    prompts = ("coi_questions",)
    reads = staticmethod(reads.questions)

    def cost(self, state: State, address: str) -> Cost:
        first = address == "Q1"  # it asks for all of them
        return Cost(
            "main",
            (int(first), 2),
            (300 * first, 600),
            (100 * first, 200),
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        topic = str(inputs.one("topic"))
        number = parse_address(inputs.address).branch
        services = self.services(ctx)
        values = {"topic": topic, "hunch": inputs.one("hunch") or "", "count": COUNT}
        try:
            asked = await services.ask("coi_questions", values, Questions)
        except ReplyError:
            # COI-1: on an unreadable list the topic itself is searched, and the question says so.
            note = "The list of questions could not be read; the topic itself is searched."
            recipe = {"prompt": "coi_questions", "fallback": True}
            content = {"text": topic, "note": note}
            return Result((Made(inputs.address, content, "source", recipe),))
        distinct = list({q.casefold(): q for q in asked.value.questions}.values())
        content = {
            "text": topic,
            "note": f"Only {len(distinct)} questions were made; the topic itself is searched.",
        }
        if isinstance(number, int) and number <= len(distinct):
            content = {"text": distinct[number - 1], "note": ""}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


class AnchorCandidates(MethodTask):
    """Searches the question, adds the first papers of the reading list, and has the best of them
    judged against the topic (COI-2).

    Other words are taken, at most ``anchor_tries`` times, while nothing readable, free and relevant
    is found. A paper that was not judged relevant is never proposed. Which papers chains hold is
    looked at (an anchor stands in no chain yet) but is no input for freshness.
    """

    name = "anchor candidates"
    prompts = ("coi_rewrite", "coi_relevances")
    reads = staticmethod(reads.anchors)

    def cost(self, state: State, address: str) -> Cost:
        bounds = bounds_of(state)
        tries, again = bounds.anchor_tries, bounds.anchor_tries - 1
        most = (
            again + 4 * tries
            # rewritings, two groups judged a search, each once more for the papers that its answer
            # leaves out
        )
        return Cost("main", (1, most), (1_600, 1_600 * most), (300, 300 * most), (1, tries))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        if (nothing := await services.lacking(str(inputs.one("topic")))) is not None:
            return _refused(inputs.address, nothing)
        search = AnchorSearch(services, inputs, ctx.state)
        await search.run()
        tries = search.tries
        none = f"No paper was found in {count(len(tries), 'search', 'searches')}."
        content = {
            "entries": search.rows(),
            "tries": tries,
            "ranked": search.how,
            "note": "" if search.found else none,
        }
        prompt = "coi_rewrite" if len(tries) > 1 else "coi_relevances"
        recipe = {"source": tries[-1]["source"], "prompt": prompt}
        made = Made(inputs.address, content, "source", recipe)
        return Result((made,), tuple(search.found.values()))


def _refused(address: str, nothing: SearchResult) -> Result:
    """An empty list: the starter library holds too little on the topic, so neither question nor
    other words are searched."""
    tried = {**search_record(nothing), "hits": 0, "total": 0, "note": nothing.lacking}
    content = {"entries": [], "tries": [tried], "ranked": "", "note": nothing.lacking}
    return Result((Made(address, content, "source", {"source": nothing.source, "prompt": ""}),))


class AnchorSearch:
    """The searches for one anchor: the papers found in their order, the tries so far, and the
    verdicts on the first of them."""

    def __init__(self, services: Services, inputs: Inputs, state: State) -> None:
        self.services, self.bounds = services, bounds_of(state)
        self.topic, self.question = str(inputs.one("topic")), str(inputs.one("question"))
        self._criteria, self._preferences = rules(inputs), preferences(inputs)
        branch = parse_address(inputs.address).branch
        self._taken = {p.id for _, p in inputs.all("taken")} | state.rejected(branch)
        held = (inputs.one("tries"), inputs.one("entries")) if self._taken else (None, None)
        self._taken |= {
            s.paper for s in state.filled(branch) if s.pos and s.paper
        }  # of its own chain; that asks for no other words
        self.tries: list[dict[str, Any]] = list(held[0] or [])
        self._reading = ReadingLinks(inputs)
        first = self._reading.best[:FROM_READING]
        self.found = {paper: state.papers[paper] for paper in first if paper in state.papers}
        listed = [row for row in held[1] or [] if row["paper"] in state.papers]
        self.found |= {row["paper"]: state.papers[row["paper"]] for row in listed}
        self.verdicts: dict[str, dict[str, Any]] = {
            r["paper"]: r for r in listed if "reasoning" in r
        }
        self.how = ""
        self._ranked: list[tuple[float, Paper]] = []
        self._signals: dict[str, dict[str, int]] = {}

    async def run(self) -> None:
        """Search, judge the best papers, and take other words again, until a paper may be the
        anchor or the tries are used up.

        Where the list of the searches before has a paper that is free, nothing more is searched.
        """
        if self.tries and await self._succeeds(0):
            return
        words = self.question if not self.tries else await self._rewrite()
        for n in range(self.bounds.anchor_tries):
            self.services.at(2 * n)
            answer = await self._search(words)
            self.tries.append(search_record(answer))
            self.found = {p.id: p for p in answer.papers} | self.found
            if await self._succeeds(2 * n + 1) or len(self.tries) >= self.bounds.anchor_tries:
                return
            words = await self._rewrite()

    async def _search(self, words: str) -> SearchResult:
        """The first papers that the source finds. The topic itself was searched for the reading
        list: the same request is sent once."""
        most = self.bounds.anchor_hits + 2 * self.bounds.branches
        if clean_line(words) != clean_line(self.topic):
            return await self.services.source().search(words, most)
        found = await self.services.source().search(self.topic, max(HITS, most))
        return found.model_copy(update={"query": words, "papers": found.papers[:most]})

    async def _succeeds(self, stage: int) -> bool:
        """Rank what was found and judge the best; True when a free paper among it may be the
        anchor."""
        await self._rank()
        self.services.at(stage)
        await self._judge_best()
        return any(self._fits(p) for p in self._free())

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the list, best first."""
        rows = []
        for rank, (score, p) in enumerate(self._ranked, start=1):
            more: dict[str, Any] = {"rank": rank, "can_grow": p.can_grow, "fits": self._fits(p)}
            more["ranks"] = placed_by(self._signals, p.id)
            if verdict := self.verdicts.get(p.id):
                more |= {"topic": verdict.get("topic", 0), "reasoning": verdict["reasoning"]}
            rows.append(entry(p, score, self._criteria, **more))
        return rows

    def _fits(self, p: Paper) -> bool:
        return bool(self.verdicts.get(p.id, {}).get("topic"))

    async def _rank(self) -> None:
        """All papers found so far in one order: the place in the reading list, and similarity to
        topic and question.

        Papers that others found cite go first: from those a chain can go on. So does one that
        matches the topic fully.
        """
        papers = list(self.found.values())
        similar = await self.services.similarity(f"{self.topic}\n{self.question}", papers)
        similarity, self.how = similar.words, similar.how
        self._signals = similar.rankings() | self._reading.rankings(similarity)
        best = best_first(similarity, fused(self._signals, ANCHOR_WEIGHTS))
        papers = [self.found[paper_id] for paper_id in best]
        papers.sort(
            key=lambda p: (
                bool(left_out(p, self._criteria)),
                not (p.can_grow or matches_fully(self.topic, p)),
                p.id not in self._reading.cited_by,
            )
        )
        self._ranked = [(similarity[p.id], p) for p in papers]

    def _free(self) -> list[Paper]:
        """Papers that may become the anchor, best first: they can be read, no other branch has
        them, no criterion leaves them out."""
        return [
            p
            for _, p in self._ranked
            if p.abstract and p.id not in self._taken and not left_out(p, self._criteria)
        ]

    async def _judge_best(self) -> None:
        """Verdicts on the best papers, in one call, until more fit than there are branches: others
        may take the first ones."""
        wanted, most = self.bounds.branches + SPARE, self.bounds.judge_limit
        about = {
            "topic": self.topic,
            **self._preferences,
            "neighbour": None,
            "side": "",
            "line": [],
        }
        unfit = {p for p, said in self.verdicts.items() if not said.get("topic")}
        cited_by = {p: {"cited_by": number} for p, number in self._reading.cited_by.items()}
        for until in sorted({min(wanted, most), most}):
            # those that a search before found unfit take nobody's place
            free = [p for p in self._free() if p.id not in unfit][:until]
            if sum(self._fits(p) for p in free) >= wanted:
                return
            if unjudged := [p for p in free if p.id not in self.verdicts]:
                judged, _ = await graded(self.services, about, unjudged, cited_by)
                self.verdicts |= {verdict["paper"]: verdict for verdict in judged}

    async def _rewrite(self) -> str:
        values = {
            "topic": self.topic,
            "question": self.question,
            "failed": [t["query"] for t in self.tries],
        }
        return (await self.services.ask("coi_rewrite", values, Rewrite)).value.query
