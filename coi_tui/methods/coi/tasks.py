"""COI-1, COI-3, COI-8, COI-10, COI-11: the texts: questions, cards, trends, a direction and an idea;
and what each is made from."""

from __future__ import annotations

from collections.abc import Sequence

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.literature.ids import pdf_urls
from coi_tui.methods.base.reads import (
    HUNCH,
    TOPIC,
    ReadsOf,
    chain_cards,
    chain_papers,
    known_means,
    of_parents,
    reading,
    where_there,
)
from coi_tui.methods.base.task import MethodTask, TextTask, one_call, result, shown
from coi_tui.methods.base.text_tools import distinct, jaccard
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import CANDIDATES
from coi_tui.methods.coi.growth import bounds_of
from coi_tui.methods.coi.kinds import Direction, Questions, Trend
from coi_tui.methods.evidence.cards import READING_PROMPT, chain_of, citable, read_paper
from coi_tui.methods.ideas.sketch_tasks import sketch_task
from coi_tui.model.address import attached_to, cell_at, cell_ref, question_of, ref, slot
from coi_tui.model.content import CandidateList, ReadingContent
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, Values

COUNT = 5
"""Questions asked for in the one call, whatever the number of branches, so that a branch more needs
no new call (at most 5, COI-1)."""


ABSTRACT, FULL_TEXT = 750, 12_000
"""Prompt tokens of a reading: of an abstract, and of a text as long as most papers."""


def by_difference(texts: Sequence[str]) -> list[str]:
    """The first text, then each time the one whose words are least like those of any before it."""
    order = [texts[0]]
    while left := [text for text in texts if text not in order]:
        order.append(min(left, key=lambda one: max(jaccard(one, b) for b in order)))
    return order


class QuestionsTask(MethodTask):
    """COI-1: one call for all questions; each cell takes its own, is edited and refreshed alone, and
    keeps the others to choose from. The first is the broad one, each further one that which differs
    most from those before it. Where there is none for a cell the topic itself is searched, and the
    question says so."""

    name, prompts = "questions", ("coi_questions",)
    reads = staticmethod(reading(TOPIC, HUNCH))

    def cost(self, state: State, address: str) -> Cost:
        first = int(address == "Q1")  # it asks for all of them
        return Cost("main", (first, 2), (300 * first, 600), (100 * first, 200))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, topic = self.services(ctx), inputs.one("topic")
        values = {"topic": topic, "hunch": inputs.one("hunch") or "", "count": COUNT}
        try:
            asked = await services.ask("coi_questions", values, Questions)
        except ReplyError:
            note = "The list of questions could not be read; the topic itself is searched."
            recipe = {"prompt": "coi_questions", "fallback": True}
            return result(inputs, {"text": topic, "note": note}, "source", recipe)
        written = distinct(asked.value.questions)
        number = int(inputs.at.branch)
        if number <= len(written):
            text, note = by_difference(written)[number - 1], ""
        else:
            text = topic
            note = f"Only {len(written)} questions were made; the topic itself is searched."
        content = {"text": text, "note": note, "candidates": [{"name": q} for q in written]}
        return result(inputs, content, services.origin, asked.recipe)


class CardTask(MethodTask):
    """COI-3: one reading call a paper, by the reader model; full text where it can be had, else the
    abstract, labelled."""

    name, prompts = "card", (READING_PROMPT,)

    # the paper in the slot, and the researcher's own PDF of it
    reads = staticmethod(reading(TOPIC, "paper={slot}#paper", where_there("pdf={slot}#pdf")))

    def cost(self, state: State, address: str) -> Cost:
        paper = Chains.of(state).paper_in(cell_ref(address).slot)
        long = paper is not None and (paper.id in Chains.of(state).attached or pdf_urls(paper))
        size = FULL_TEXT if long else ABSTRACT
        return one_call((ABSTRACT, 2 * size), (600, 1_200), "reader")

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        found: Paper = inputs.one("paper")
        read = await read_paper(self.services(ctx), inputs.one("topic"), found)
        return result(inputs, read.content, read.origin, read.recipe)


# -- trends


def _trend_reads(state: State, address: str) -> Reads:
    """The two papers with their cards, and the list that one was chosen from."""
    at = cell_ref(address)
    fields = "problem move method? evidence? limits? source?"
    newer = slot(at.branch, at.newer)
    listed = attached_to(newer if at.newer > 0 else at.slot, CANDIDATES)
    return reading(
        TOPIC,
        "older_paper={slot}#paper",
        f"newer_paper={newer}#paper",
        f"older={{slot}}.card#{fields}",
        f"newer={newer}.card#{fields}",
        of_parents(f"listed?={listed}#of", f"candidates?={listed}#entries"),
    )(state, address)


def _trend_values(ctx: Context, inputs: Inputs) -> Fields:
    """With the sentences in which the newer paper cites the older one, where the list of candidates
    between the two has some."""
    papers = {name: inputs.one(f"{name}_paper") for name in ("older", "newer")}
    sides = {name: {**citable(one), **inputs.fields(name)} for name, one in papers.items()}
    pair = {one.id for one in papers.values()}
    rows = CandidateList.from_stored({"entries": inputs.one("candidates") or []}).entries
    citing = next((row.citing for row in rows if {row.paper, inputs.one("listed")} == pair), [])
    sides["newer"]["citing"] = citing
    return {"topic": inputs.one("topic"), **sides}


TREND = TextTask(
    "trend", "coi_trend", Trend, _trend_reads, one_call((1_150, 2_300), (260, 520)), _trend_values
)
"""One call a pair, so that a pair's trend depends on its two cards, and the sentences in which one
cites the other, alone."""


# -- from a chain to its idea


def _trends(state: State, address: str) -> Reads:
    """The trends of a chain, of which those without a link are waited for and not shown."""
    pairs = Chains.of(state).pairs(cell_ref(address).branch)
    unlinked = {one for one in pairs if state.value(ref(one, "linked")) is False}
    trends = (f"{'unlinked' if one in unlinked else 'trends'}={one}#text" for one in pairs)
    return reading(*trends)(state, address)


def _chain(fields: str) -> ReadsOf:
    """A chain's papers with some fields of their cards, and the trends between them."""
    return reading(chain_papers, chain_cards(fields), _trends)


def _chain_values(inputs: Inputs) -> Fields:
    trends = [text for _, text in inputs.all("trends")]
    return {"topic": inputs.one("topic"), "chain": chain_of(inputs), "trends": trends}


def thought(state: State, address: str) -> Reads:
    """What an idea will be made from: the direction, or where there is none the question; and the
    chain's own papers, which are no rivals."""
    branch = cell_ref(address).branch
    own = (read._replace(name="own", optional=True) for read in chain_papers(state, address))
    made = cell_at(branch, "dir") if bounds_of(state).direction else question_of(branch)
    return reading(f"thought={made}#text", *own)(state, address)


UNDIRECTED = "No direction was predicted; judge for yourself where the chain leads."
"""What stands in the place of a direction where the settings want none."""


def _direction(state: State, address: str) -> Reads:
    """The direction, where the settings want one."""
    wanted = bounds_of(state).direction
    return reading(*(["direction={branch}/dir#text"] if wanted else ()))(state, address)


def _of_chain(ctx: Context, inputs: Inputs) -> Values:
    papers, own = ctx.state.papers, {paper.id for _, paper in inputs.all("papers")}
    rows = ReadingContent.from_stored({"entries": inputs.one("reading") or []}).entries
    best = [papers[row.paper] for row in rows if row.paper in papers and row.paper not in own]
    return {
        **_chain_values(inputs),
        "direction": next((text for _, text in inputs.all("direction")), UNDIRECTED),
        "rivals": inputs.one("rivals") or [],
        "reading": shown([one for one in best if one.abstract][:BEST_PAPERS]),
        "means": next((text for _, text in inputs.all("means")), ""),
    }


SKETCH = sketch_task(
    "sketch",
    reading(
        TOPIC,
        _chain("problem move use? limits?"),
        _direction,
        "rivals?={branch}/rivals#works",
        "reading?=reading#entries",
        known_means,
    ),
    _of_chain,
)
"""The lens of a chain: its cards, trends and direction, the nearest works, and the best papers of the
reading list with their abstracts."""
BEST_PAPERS = 5
"""Papers of the reading list that the lens of a chain is shown with whole abstracts."""


citable_chain = reading(chain_papers, chain_cards("move limits?"))
"""What an idea may cite besides the works nearest to it: the papers of its chain."""

DIRECTION = TextTask(
    "direction",
    "coi_direction",
    Direction,
    reading(TOPIC, HUNCH, _chain("problem move evidence? limits?")),
    one_call((1_600, 3_200), (300, 600)),
    lambda ctx, inputs: {**_chain_values(inputs), "hunch": inputs.one("hunch") or ""},
)
