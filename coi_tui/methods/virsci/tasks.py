"""VIR-3 to VIR-10: the discussion turn by turn, ideas beside papers that are searched for anew, the
vote, and the abstract with its self-review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.methods.shared.cell_table import by_field
from coi_tui.methods.shared.reads import criteria
from coi_tui.methods.shared.text_task import (
    ABSTRACT,
    TextTask,
    Values,
    admitted,
    known,
    one_call,
    reading,
    result,
    shown,
)
from coi_tui.methods.virsci import course, reads
from coi_tui.methods.virsci.ballot import LABELS, counted, order_shown, ranked
from coi_tui.methods.virsci.contents import (
    PLACES,
    AbstractContent,
    Chosen,
    GuestQuestion,
    IdeaDraft,
    Overlap,
)
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.replies import (
    AbstractReply,
    GuestAnswer,
    IdeaReply,
    OverlapReply,
    RevisionReply,
    Subject,
    TopicReply,
    TurnSummary,
    VoteReply,
)
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.methods.virsci.table import SeatTask
from coi_tui.model.address import parse_address, ref, split_ref
from coi_tui.model.errors import CoiError, ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import sentences
from coi_tui.model.wording import clipped, count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

QUERY_WORDS = 24
"""Words of the previous reply that are searched for at most."""
HITS = 20
"""Papers that the search of a self-review asks for; the nearest of them and of the session's own
are compared."""
UNREAD = "The answer could not be read, so that it counts for no idea."


# -- the discussion


def _talk(ctx: Context, inputs: Inputs) -> dict[str, Any]:
    """The task, who speaks, the summaries so far and what was said since."""
    said, topic = reads.dialogue(inputs), inputs.one("topic")
    return {"topic": topic, **reads.speaker(inputs), **reads.summed_up(inputs), "said": said}


def _turn(ctx: Context, inputs: Inputs) -> Values:
    guests = bounds_of(ctx.state, inputs.address).guests
    outsiders = reads.people(inputs, "outsiders") if guests else []
    return {**_talk(ctx, inputs), "team": reads.people(inputs, "members"), "outsiders": outsiders}


def _said(ctx: Context, inputs: Inputs, said: TopicReply) -> Values:
    asks = said.guest is not None and bounds_of(ctx.state, inputs.address).guests
    return {"text": said.text, "guest": said.guest.model_dump() if asks and said.guest else None}


def _to_guest(ctx: Context, inputs: Inputs) -> Values:
    asking = GuestQuestion.from_held(inputs.one("guest") or {})
    outsiders = {one["name"]: one for one in reads.people(inputs, "outsiders")}
    if asking.name not in outsiders:
        raise CoiError(
            f"{asking.name or 'Nobody'} is not among the outsiders whom this team knows."
        )
    seat = parse_address(inputs.address).numbers[-1]
    return {
        "topic": inputs.one("topic"),
        "guest": outsiders[asking.name],
        "member": reads.people(inputs, "members")[seat - 1]["name"],
        "text": inputs.one("text"),
        "question": asking.question,
    }


# -- ideas


async def searched(step: MethodStep, ctx: Context, inputs: Inputs, query: str, most: int) -> Result:
    """A search as a cell: the papers that may be used, and what was asked. A search that finds
    nothing is stored as such."""
    source = step.services(ctx).source(stage=0)
    answer = await source.search(query, most)
    papers = admitted(ctx.state, inputs, answer.papers)
    content = {
        "papers": [paper.id for paper in papers],
        "query": query,
        "tries": [search_record(answer)],
    }
    made = Made(inputs.address, content, "source", {"source": source.name})
    return Result((made,), tuple(papers))


class FoundStep(MethodStep):
    """The references of an idea, searched for with the reply before it."""

    name = "virsci references"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (*reads.found(state, address), *criteria(state))

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        query = clipped(inputs.one("query"), QUERY_WORDS).removesuffix(" [...]")
        most = bounds_of(ctx.state, inputs.address).references
        return await searched(self, ctx, inputs, query, most)


class NearStep(FoundStep):
    """VIR-8: the papers found with one of the three ideas."""

    name = "virsci related"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        place = PLACES[(parse_address(address).numbers[0] - 1) % len(PLACES)]
        return reading(f"idea={{instance}}/best#{place}", *criteria(state))(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        query = Chosen.from_held(inputs.one("idea") or {}).title
        return await searched(
            self, ctx, inputs, query, bounds_of(ctx.state, inputs.address).related
        )


def _to_draft(ctx: Context, inputs: Inputs) -> Values:
    return {
        "subject": inputs.one("subject"),
        **reads.speaker(inputs),
        "team": reads.people(inputs, "members"),
        "papers": shown(known(ctx.state, inputs.one("papers") or [])),
        **reads.summed_up(inputs),
        "ideas": reads.ideas(inputs),
    }


def _to_digest(ctx: Context, inputs: Inputs) -> Values:
    return {
        "topic": inputs.one("subject"),
        **reads.speaker(inputs),
        **reads.summed_up(inputs),
        "said": [
            {"name": one["name"], "text": f"{one['title']}\n{one['idea']}"}
            for one in reads.ideas(inputs)
        ],
        "aim": "three ideas that are new, clear and can be carried out",
    }


class BestStep(MethodStep):
    """The three best ideas by the scores that stand with them. No call."""

    name = "virsci best"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.best(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        written = {
            parse_address(address).item: IdeaDraft.from_held(row)
            for address, row in by_field(inputs.all("drafts")).items()
        }
        content = dict(zip(PLACES, best_of(written), strict=False))
        return result(inputs, content, self.services(ctx).origin)


def best_of(written: Mapping[str, IdeaDraft]) -> list[dict[str, Any]]:
    """At most three, best first; of equals the later one, which had the earlier ones before it.
    Texts that were repeated count once."""

    def place(item: str) -> tuple[float, ...]:
        return (-written[item].score, *(-int(number) for number in item.split(".")))

    distinct: dict[tuple[str, str], str] = {}
    for item in sorted(written, key=place):
        distinct.setdefault((written[item].title, written[item].idea), item)
    return [written[item].chosen(item) for item in [*distinct.values()][: len(PLACES)]]


# -- the vote


def _shown_order(inputs: Inputs) -> tuple[int, ...]:
    turn, seat = parse_address(inputs.address).numbers
    return order_shown(len(reads.in_vote(inputs)), turn, seat)


def _to_vote(ctx: Context, inputs: Inputs) -> Values:
    """The subject, the ideas and the papers near each; no word of the discussion."""
    ideas = reads.in_vote(inputs)
    near = {
        parse_address(split_ref(reference)[0]).numbers[0]: known(ctx.state, papers)
        for reference, papers in inputs.all("papers")
    }
    rows = [
        {
            "id": label,
            **ideas[number - 1].told(),
            "papers": [
                {"title": p.title, "abstract": (p.abstract or "")[:ABSTRACT]}
                for p in near.get(number, ())
            ],
        }
        for label, number in zip(LABELS, _shown_order(inputs), strict=False)
    ]
    turn = parse_address(inputs.address).numbers[0]
    return {"subject": inputs.one("subject"), **reads.speaker(inputs), "ideas": rows, "round": turn}


def _offered(ctx: Context, inputs: Inputs, said: VoteReply) -> str | None:
    offered = LABELS[: len(_shown_order(inputs))]
    if said.choice in offered:
        return None
    return f"{said.choice} is none of the ideas, which are {', '.join(offered)}"


def _vote(ctx: Context, inputs: Inputs, said: VoteReply) -> Values:
    choice = _shown_order(inputs)[LABELS.index(said.choice)]
    return {"choice": choice, "reason": said.reason, "unread": False}


class VoteTask(SeatTask[VoteReply]):
    """One vote. An answer that cannot be read is an abstention, and called one."""

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        try:
            return await super().run(ctx, inputs)
        except ReplyError:
            content = {"choice": 0, "reason": UNREAD, "unread": True}
            origin = MethodStep(self.tools).services(ctx).origin
            return result(inputs, content, origin)


class PollStep(MethodStep):
    """The count. No call; a tie goes to the person."""

    name = "virsci poll"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.poll(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        votes, ideas = inputs.all("choices"), reads.in_vote(inputs)
        found = counted([_choice(value) for _, value in votes], len(ideas))
        winner = found.winner or int(len(ideas) == 1)
        note = f"{count(found.abstentions, 'abstention')}. " if found.abstentions else ""
        content = {
            "counts": list(found.votes),
            "abstentions": found.abstentions,
            "rounds": len({parse_address(split_ref(at)[0]).numbers[0] for at, _ in votes}),
            "winner": winner,
            "order": ranked(found.votes, [one.score for one in ideas]),
            "note": note if winner else f"{note}Tied: say which idea wins.",
        }
        return result(inputs, content, self.services(ctx).origin)


def _choice(value: object) -> int:
    """A vote as a number: a person writes it as text."""
    digits = "".join(filter(str.isdigit, str(value)))
    return int(digits) if digits else 0


# -- the abstract


def _to_revise(
    ctx: Context, inputs: Inputs, review: Sequence[Mapping[str, str]] = (), name: str = "abstract"
) -> Values:
    """An abstract to judge and revise. ``review``: papers that it came too close to, each with the
    reason."""
    before = {field: str(text) for field, text in inputs.fields(name).items()}
    return {**reads.speaker(inputs), "abstract": before, "review": list(review)}


def _first_values(ctx: Context, inputs: Inputs) -> Values:
    return {**reads.speaker(inputs), "idea": Chosen.from_held(inputs.one("idea") or {}).told()}


REVISE = SeatTask(
    "virsci abstract",
    "virsci_revise",
    RevisionReply,
    reads.abstract,
    one_call((700, 3_500), (400, 1_300)),
    _to_revise,
)
FIRST = SeatTask(
    REVISE.name, "virsci_abstract", AbstractReply, reads.abstract, REVISE.size, _first_values
)


class AbstractStep(MethodStep):
    """VIR-9: the leader's first text, then one revision after the other, each from the text before
    it alone."""

    name, prompts = REVISE.name, (FIRST.prompt, REVISE.prompt)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return REVISE.reads(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return REVISE.cost(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        first = any(read.name == "idea" for read in inputs.reads)
        task: SeatTask[Any] = FIRST if first else REVISE
        return await task.by(self._tools).run(ctx, inputs)


def _too_close(ctx: Context, inputs: Inputs) -> Values:
    """VIR-10: with the review and the papers that it names."""
    rows = [Overlap.from_held(row) for row in inputs.one("review") or []]
    bound = bounds_of(ctx.state, inputs.address).close
    near = [row for row in rows if row.score >= bound] or rows[:1]
    papers = ctx.state.papers
    review = [
        {
            "title": row.title,
            "reason": row.reason,
            "abstract": _abstract(papers.get(row.paper)),
        }
        for row in near
    ]
    return _to_revise(ctx, inputs, review)


def _abstract(paper: Paper | None) -> str:
    return (paper.abstract or "")[:ABSTRACT] if paper is not None else ""


class OverlapStep(MethodStep):
    """VIR-10: how similar the abstract is to the papers nearest to it, each from 0 to 100."""

    name, prompts = "virsci self-review", ("virsci_overlap",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        attempt, review = at.numbers
        about = course.last_abstract(state, at.instance, attempt)
        if review > 1:
            about = course.revised_abstract(state, at.instance, attempt)
        return (*reads.text_of(state, about), *criteria(state))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (900, 4_000), (120, 600), searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state, inputs.address)
        abstract = AbstractContent.from_held(inputs.fields("abstract"))
        source = services.source(stage=0)
        answer = await source.search(abstract.title, HITS)
        held = {p.id: p for p in admitted(ctx.state, inputs, answer.papers) if p.abstract}
        nearest: list[Paper] = []
        rows: list[dict[str, Any]] = []
        recipe: Mapping[str, Any] = {}
        if held:
            text = f"{abstract.title}\n{abstract.text()}"
            similar = await services.similarity(text, list(held.values()))
            nearest = [held[paper] for paper in similar.nearest(bounds.nearest)]
            services.at(1)
            values = {"title": abstract.title, "text": abstract.text(), "papers": shown(nearest)}
            asked = await services.ask("virsci_overlap", values, OverlapReply)
            rows, recipe = _rows(asked.value, nearest), asked.recipe
        content = {
            "rows": rows,
            "bound": bounds.close,
            "close": any(row["score"] >= bounds.close for row in rows),
            "tries": [search_record(answer)],
        }
        recipe = {**recipe, "source": source.name}
        return result(inputs, content, services.origin, recipe, papers=tuple(nearest))


def _rows(said: OverlapReply, papers: Sequence[Paper]) -> list[dict[str, Any]]:
    """What was said of each paper, the most similar first; a paper that the answer names twice
    counts with the higher number."""
    labels = {f"P{n}": paper for n, paper in enumerate(papers, 1)}
    rows: dict[str, dict[str, Any]] = {}
    for one in sorted(said.scores, key=lambda one: -one.score):
        if (paper := labels.get(one.id)) is not None:
            row = {"title": paper.title, "score": one.score, "reason": one.reason}
            rows.setdefault(paper.id, {"paper": paper.id, **row})
    return list(rows.values())


def _first(text: str) -> str:
    return next(iter(sentences(text)), "")


class IdeaStep(MethodStep):
    """The abstract that passed its self-review as an idea like any other. Without a call, unless a
    novelty check found papers too close to it."""

    name, prompts = "virsci idea", (REVISE.prompt,)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        instance = parse_address(address).instance
        attempt = max(1, course.attempt_now(state, instance))
        return reading(
            reads.TEAM,
            *reads.text_of(state, course.abstract_now(state, instance)),
            *reads.voted_idea(state, instance, attempt),
            Read("reviewed", ref(cell(instance, "overlap", attempt, 1), "close")),
            "bad_cases?={branch}/bad#cases",
        )(state, address)

    def cost(self, state: State, address: str) -> Cost:
        asks = state.value(ref(f"{parse_address(address).branch}/bad", "cases"))
        return one_call((900, 5_000), (400, 1_300)) if asks else Cost()

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, recipe = self.services(ctx), dict[str, Any]()
        abstract = AbstractContent.from_held(inputs.fields("abstract"))
        idea = Chosen.from_held(inputs.one("idea") or {})
        if cases := inputs.one("bad_cases"):
            review = [
                {"title": one["title"], "reason": one["reason"], "abstract": ""} for one in cases
            ]
            values = _to_revise(ctx, inputs, review)
            asked = await services.ask(REVISE.prompt, values, RevisionReply)
            abstract, recipe = AbstractContent.from_held(asked.value.content()), dict(asked.recipe)
        content = {
            "title": abstract.title,
            "summary": abstract.objective,
            "final": f"{abstract.text()}\n\n{idea.experiment}".strip(),
            "problem": _first(abstract.introduction),
            "mechanism": _first(abstract.methods),
            "evaluation": _first(idea.experiment),
            "origin": f"Idea {idea.of} of the team, chosen by its vote.",
        }
        return result(inputs, content, services.origin, recipe)


TASKS: Mapping[str, TextTask[Any]] = {
    "said": SeatTask(
        "virsci turn",
        "virsci_topic",
        TopicReply,
        reads.topic_turn,
        one_call((500, 3_500), (120, 500)),
        _turn,
        _said,
    ),
    "guest": TextTask(
        "virsci guest",
        "virsci_guest",
        GuestAnswer,
        reads.guest,
        one_call((300, 1_200), (80, 400)),
        _to_guest,
    ),
    "sum": SeatTask(
        "virsci summary",
        "virsci_summary",
        TurnSummary,
        reads.topic_summary,
        one_call((500, 4_000), (100, 500)),
        lambda ctx, inputs: {**_talk(ctx, inputs), "aim": "one topic that is worth a study"},
    ),
    "subject": SeatTask(
        "virsci subject",
        "virsci_subject",
        Subject,
        reads.subject,
        one_call((600, 4_000), (60, 300)),
        _talk,
    ),
    "draft": SeatTask(
        "virsci idea turn",
        "virsci_idea",
        IdeaReply,
        reads.draft,
        one_call((1_200, 7_000), (400, 1_600)),
        _to_draft,
    ),
    "digest": SeatTask(
        "virsci digest",
        "virsci_summary",
        TurnSummary,
        reads.digest,
        one_call((900, 6_000), (100, 500)),
        _to_digest,
    ),
    "vote": VoteTask(
        "virsci vote",
        "virsci_vote",
        VoteReply,
        reading(
            reads.TEAM,
            reads.SUBJECT,
            *reads.IDEAS,
            *(f"papers?={{instance}}/near{n}#papers" for n in range(1, len(PLACES) + 1)),
        ),
        one_call((1_500, 6_000), (80, 400)),
        _to_vote,
        _vote,
        check=_offered,
    ),
    "revised": SeatTask(
        "virsci revision",
        "virsci_revise",
        RevisionReply,
        reads.revised,
        one_call((900, 5_000), (400, 1_300)),
        _too_close,
    ),
}
