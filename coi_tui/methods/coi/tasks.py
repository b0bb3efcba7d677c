"""COI-1, COI-3, COI-8, COI-10, COI-11: the texts: questions, cards, trends, a direction and an idea;
and what each is made from."""

from __future__ import annotations

from collections.abc import Sequence

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read, Reads
from coi_tui.literature.ids import pdf_urls
from coi_tui.methods.base.reads import (
    HUNCH,
    TOPIC,
    card_fields,
    chain_cards,
    chain_papers,
    known_means,
    paper,
    reading,
    rivals,
)
from coi_tui.methods.base.task import MethodTask, TextTask, one_call, result, shown
from coi_tui.methods.base.text_tools import distinct, jaccard
from coi_tui.methods.chain.chains import PDF, Chains
from coi_tui.methods.chain.slots import CANDIDATES
from coi_tui.methods.coi.growth import bounds_of
from coi_tui.methods.coi.kinds import Direction, Questions, Trend
from coi_tui.methods.evidence.cards import (
    READING_PROMPT,
    chain_of,
    citable,
    read_paper,
)
from coi_tui.methods.ideas.sketch_tasks import SketchTask
from coi_tui.methods.services import ServiceSet
from coi_tui.model.address import (
    READING,
    Branch,
    attached_to,
    cell_at,
    cell_ref,
    question_of,
    ref,
    slot,
)
from coi_tui.model.content import CandidateList, ReadingContent
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields

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
        services, topic = self.services(ctx), str(inputs.one("topic"))
        values = {"topic": topic, "hunch": inputs.one("hunch") or "", "count": COUNT}
        try:
            asked = await services.ask("coi_questions", values, Questions)
        except ReplyError:
            note = "The list of questions could not be read; the topic itself is searched."
            recipe = {"prompt": "coi_questions", "fallback": True}
            return result(inputs, {"text": topic, "note": note}, "source", recipe)
        written = distinct(asked.value.questions)
        number = int(cell_ref(inputs.address).branch)
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

    def reads(self, state: State, address: str) -> Reads:
        """The paper in the slot, and the researcher's own PDF of it."""
        at = cell_ref(address)
        pdf = Read("pdf", ref(slot(at.branch, at.pos), PDF))
        own = (pdf,) if state.meaning(pdf.ref) is not None else ()
        return (TOPIC, paper("paper", at.branch, at.pos), *own)

    def cost(self, state: State, address: str) -> Cost:
        paper = state.papers.get(Chains.of(state).slot(str(cell_ref(address).slot)).paper or "")
        long = paper is not None and (paper.id in Chains.of(state).attached or pdf_urls(paper))
        size = FULL_TEXT if long else ABSTRACT
        return Cost("reader", (1, 2), (ABSTRACT, 2 * size), (600, 1_200))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        found: Paper = inputs.one("paper")
        read = await read_paper(self.services(ctx), str(inputs.one("topic")), found)
        return result(inputs, read.content, read.origin, read.recipe)


# -- trends


def _trend_reads(state: State, address: str) -> Reads:
    """The two papers with their cards, and the list that one was chosen from."""
    at = cell_ref(address)
    fields = ("problem", "move", "method", "evidence", "limits", "source")
    listed = attached_to(slot(at.branch, at.newer if at.newer > 0 else at.pos), CANDIDATES)
    return (
        TOPIC,
        paper("older_paper", at.branch, at.pos),
        paper("newer_paper", at.branch, at.newer),
        *card_fields("older", at.branch, at.pos, fields),
        *card_fields("newer", at.branch, at.newer, fields),
        Read("listed", ref(listed, "of"), optional=True, parent=True),
        Read("candidates", ref(listed, "entries"), optional=True, parent=True),
    )


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


def _chain(state: State, branch: Branch, fields: tuple[str, ...]) -> Reads:
    """A chain's papers with some fields of their cards, and the trends between them, of which those
    without a link are waited for and not shown."""
    trends = (
        Read("unlinked" if state.value(ref(a, "linked")) is False else "trends", ref(a, "text"))
        for a in Chains.of(state).pairs(branch)
    )
    cards = chain_cards(state, branch, fields)
    return (*chain_papers(state, branch), *cards, *trends)


def _chain_values(inputs: Inputs) -> Fields:
    trends = [text for _, text in inputs.all("trends")]
    return {"topic": inputs.one("topic"), "chain": chain_of(inputs), "trends": trends}


def thought(state: State, address: str) -> Reads:
    """What an idea will be made from: the direction, or where there is none the question; and the
    chain's own papers, which are no rivals."""
    branch = cell_ref(address).branch
    own = (read._replace(name="own", optional=True) for read in chain_papers(state, branch))
    made = cell_at(branch, "dir") if bounds_of(state).direction else question_of(branch)
    return (Read("thought", ref(made, "text")), *own)


UNDIRECTED = "No direction was predicted; judge for yourself where the chain leads."
"""What stands in the place of a direction where the settings want none."""


class ChainSketchTask(SketchTask):
    """The lens of a chain: its cards, trends and direction, the nearest works, and the best papers
    of the reading list with their abstracts."""

    def __init__(self, tools: ServiceSet | None = None) -> None:
        super().__init__(tools, "sketch")

    def reads(self, state: State, address: str) -> Reads:
        branch = cell_ref(address).branch
        direction = Read("direction", ref(cell_at(branch, "dir"), "text"))
        return (
            TOPIC,
            *_chain(state, branch, ("problem", "move", "use", "limits")),
            *((direction,) if bounds_of(state).direction else ()),
            rivals("rivals", branch),
            Read("reading", ref(READING, "entries"), optional=True),
            *known_means(state),
        )

    def values(self, ctx: Context, inputs: Inputs) -> Fields:
        known, papers = _chain_values(inputs), ctx.state.papers
        own = {paper.id for _, paper in inputs.all("papers")}
        rows = ReadingContent.from_stored({"entries": inputs.one("reading") or []}).entries
        best = [papers[row.paper] for row in rows if row.paper in papers and row.paper not in own]
        return {
            **known,
            "direction": next((text for _, text in inputs.all("direction")), UNDIRECTED),
            "rivals": inputs.one("rivals") or [],
            "reading": shown([one for one in best if one.abstract][:BEST_PAPERS]),
            "means": next((text for _, text in inputs.all("means")), ""),
        }


BEST_PAPERS = 5
"""Papers of the reading list that the lens of a chain is shown with whole abstracts."""


def citable_chain(state: State, branch: Branch) -> Reads:
    """What an idea may cite besides the works nearest to it: the papers of its chain."""
    return (*chain_papers(state, branch), *chain_cards(state, branch, ("move", "limits")))


def _direction_reads(state: State, address: str) -> Reads:
    """Titles and years go with each paper; the anchor is a required input, so that an empty chain
    has no direction."""
    branch = cell_ref(address).branch
    return (TOPIC, HUNCH, *_chain(state, branch, ("problem", "move", "evidence", "limits")))


DIRECTION = TextTask(
    "direction",
    "coi_direction",
    Direction,
    _direction_reads,
    one_call((1_600, 3_200), (300, 600)),
    lambda ctx, inputs: {**_chain_values(inputs), "hunch": inputs.one("hunch") or ""},
)
