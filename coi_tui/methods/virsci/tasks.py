"""VIR-3 to VIR-10: the discussion turn by turn, ideas beside papers that are searched for anew, the
vote, and the abstract with its self-review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.base.reads import criteria, reading
from coi_tui.methods.base.task import (
    ABSTRACT,
    MethodTask,
    TextTask,
    Values,
    admitted,
    known,
    one_call,
    result,
    shown,
)
from coi_tui.methods.evidence.reading_list import search_record
from coi_tui.methods.virsci import reads
from coi_tui.methods.virsci.contents import (
    PLACES,
    AbstractContent,
    Chosen,
    IdeaDraft,
    Overlap,
    VoteContent,
)
from coi_tui.methods.virsci.course import LABELS, Team, counted, order_shown
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
from coi_tui.model.address import parse_address, split_ref
from coi_tui.model.errors import CoiError, ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clipped, sentences

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

QUERY_WORDS = 24
"""Words of the previous reply that are searched for at most."""
RELATED = 3
"""Papers beside each of the three ideas in the vote."""
HITS, NEAREST = 20, 5
"""Papers that the search of a self-review asks for, and the nearest of them that are compared."""
UNREAD = "The answer could not be read, so that it counts for no idea."


# -- the discussion


def _talk(ctx: Context, inputs: Inputs) -> dict[str, Any]:
    """The task, who speaks, the summaries so far and what was said since."""
    return {
        "topic": inputs.one("topic"),
        **reads.spoken(inputs),
        "said": reads.dialogue(inputs),
    }


def _turn(ctx: Context, inputs: Inputs) -> Values:
    guests = Team(ctx.state, inputs.address).bounds.guests
    outsiders = reads.people(inputs, "outsiders") if guests else []
    return {**_talk(ctx, inputs), "team": reads.people(inputs, "members"), "outsiders": outsiders}


def _to_guest(ctx: Context, inputs: Inputs) -> Values:
    asking = inputs.one("guest")
    outsiders = {one["name"]: one for one in reads.people(inputs, "outsiders")}
    if asking["name"] not in outsiders:
        raise CoiError(f"{asking['name']} is not among the outsiders whom this team knows.")
    return {
        "topic": inputs.one("topic"),
        "guest": outsiders[asking["name"]],
        "member": reads.member(inputs, inputs.address)["name"],
        "text": inputs.one("text"),
        "question": asking["question"],
    }


# -- ideas


class FoundTask(MethodTask):
    """VIR-7: the references of an idea, searched for with the reply before it. A search that finds
    nothing is stored as such."""

    name = "virsci references"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (*reads.found(state, address), *criteria(state))

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 1))

    def asked(self, ctx: Context, inputs: Inputs) -> tuple[str, int]:
        """What is searched for, and how many papers."""
        said = next((text for name in ("query", "subject") for _, text in inputs.all(name)), "")
        query = clipped(said, QUERY_WORDS).removesuffix(" [...]")
        return query, Team(ctx.state, inputs.address).bounds.references

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        source, (query, most) = self.services(ctx).source(stage=0), self.asked(ctx, inputs)
        answer = await source.search(query, most)
        papers = admitted(ctx.state, inputs, answer.papers)
        content = {
            "papers": [paper.id for paper in papers],
            "query": query,
            "tries": [search_record(answer)],
        }
        return result(inputs, content, "source", {"source": source.name}, papers)


class NearTask(FoundTask):
    """VIR-8: the papers found with one of the three ideas."""

    name = "virsci related"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        place = PLACES[(parse_address(address).numbers[0] - 1) % len(PLACES)]
        return reading(f"idea={{instance}}/best#{place}", *criteria(state))(state, address)

    def asked(self, ctx: Context, inputs: Inputs) -> tuple[str, int]:
        return Chosen.from_held(inputs.one("idea") or {}).title, RELATED


def _to_draft(ctx: Context, inputs: Inputs) -> Values:
    return {
        "subject": inputs.one("subject"),
        **reads.spoken(inputs),
        "team": reads.people(inputs, "members"),
        "papers": shown(known(ctx.state, inputs.one("papers") or [])),
        "ideas": reads.ideas(inputs),
    }


def _to_digest(ctx: Context, inputs: Inputs) -> Values:
    return {
        "topic": inputs.one("subject"),
        **reads.spoken(inputs),
        "said": [
            {"name": one["name"], "text": f"{one['title']}\n{one['idea']}"}
            for one in reads.ideas(inputs)
        ],
        "aim": "three ideas that are new, clear and can be carried out",
    }


class BestTask(MethodTask):
    """The three best ideas by the scores that stand with them. No call."""

    name = "virsci best"
    reads = staticmethod(reads.best)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        written = {
            parse_address(address).item: IdeaDraft.from_held(row)
            for address, row in by_field(inputs.all("ideas")).items()
        }
        content = dict(zip(PLACES, best_of(written), strict=False))
        return result(inputs, content, self.services(ctx).origin)


def best_of(written: Mapping[str, IdeaDraft]) -> list[dict[str, Any]]:
    """At most three, best first; of equals the later one, which had the earlier ones before it.
    Texts that were repeated count once."""
    newest = sorted(written, key=lambda item: [*map(int, item.split("."))], reverse=True)
    distinct: dict[tuple[str, str], str] = {}
    for item in sorted(newest, key=lambda item: -written[item].score):
        distinct.setdefault((written[item].title, written[item].idea), item)
    return [written[item].chosen(item) for item in [*distinct.values()][: len(PLACES)]]


# -- the vote


def _offered(inputs: Inputs) -> dict[str, int]:
    """The ideas by the labels under which a seat sees them."""
    order = order_shown(len(reads.in_vote(inputs)), *parse_address(inputs.address).numbers)
    return dict(zip(LABELS, order, strict=False))


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
        for label, number in _offered(inputs).items()
    ]
    return {
        "subject": inputs.one("subject"),
        "speaker": reads.member(inputs, inputs.address),
        "ideas": rows,
        "round": parse_address(inputs.address).numbers[0],
    }


def _none_of_these(ctx: Context, inputs: Inputs, said: VoteReply) -> str | None:
    offered = _offered(inputs)
    if said.choice in offered:
        return None
    return f"{said.choice} is none of the ideas, which are {', '.join(offered)}"


class VoteTask(TextTask[VoteReply]):
    """One vote. An answer that cannot be read is an abstention, and called one."""

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        try:
            return await super().run(ctx, inputs)
        except ReplyError:
            content = {"choice": 0, "reason": UNREAD}
            origin = MethodTask(self.tools).services(ctx).origin
            return result(inputs, content, origin)


class PollTask(MethodTask):
    """The count. No call; a tie goes to the person."""

    name = "virsci poll"
    reads = staticmethod(reads.poll)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        votes, ideas = inputs.all("choices"), reads.in_vote(inputs)
        choices = [VoteContent.from_held({"choice": said}).choice for _, said in votes]
        counts, winner = counted(choices, len(ideas))
        places = range(1, len(ideas) + 1)
        content = {
            "counts": counts,
            "abstentions": len(choices) - sum(counts),
            "winner": winner or int(len(ideas) == 1),
            "order": sorted(places, key=lambda n: (-counts[n - 1], -ideas[n - 1].score)),
        }
        return result(inputs, content, self.services(ctx).origin)


# -- the abstract


def _to_revise(ctx: Context, inputs: Inputs, review: Sequence[Mapping[str, str]] = ()) -> Values:
    """An abstract to judge and revise. ``review``: papers that it came too close to, each with the
    reason."""
    before = {field: str(text) for field, text in inputs.fields("abstract").items()}
    speaker = reads.member(inputs, inputs.address)
    return {"speaker": speaker, "abstract": before, "review": list(review)}


def _judged(ctx: Context, inputs: Inputs, said: RevisionReply) -> Values:
    scores = said.scores.model_dump().items()
    rows = [{"name": name, "description": str(score)} for name, score in scores]
    return {**said.content(), "scores": rows}


REVISE = TextTask(
    "virsci abstract",
    "virsci_revise",
    RevisionReply,
    reads.abstract,
    one_call((700, 3_500), (400, 1_300)),
    _to_revise,
    _judged,
)
FIRST = TextTask(
    REVISE.name,
    "virsci_abstract",
    AbstractReply,
    reads.abstract,
    REVISE.size,
    lambda ctx, inputs: {
        "speaker": reads.member(inputs, inputs.address),
        "idea": Chosen.from_held(inputs.one("idea") or {}).told(),
    },
)


class AbstractTask(MethodTask):
    """VIR-9: the leader's first text, then one revision after the other, each from the text before
    it alone."""

    name, prompts = REVISE.name, (FIRST.prompt, REVISE.prompt)
    reads, cost = staticmethod(REVISE.reads), staticmethod(REVISE.cost)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        first = any(read.name == "idea" for read in inputs.reads)
        task: TextTask[Any] = FIRST if first else REVISE
        return await task.by(self._tools).run(ctx, inputs)


def _too_close(ctx: Context, inputs: Inputs) -> Values:
    """VIR-10: with the review and the papers that it names."""
    rows = [Overlap.from_held(row) for row in inputs.one("review") or []]
    bound, papers = Team(ctx.state, inputs.address).bounds.close, ctx.state.papers
    review = [
        {
            "title": one.title,
            "reason": one.reason,
            "abstract": (papers[one.paper].abstract or "")[:ABSTRACT],
        }
        for one in [row for row in rows if row.score >= bound] or rows[:1]
    ]
    return _to_revise(ctx, inputs, review)


class OverlapTask(MethodTask):
    """VIR-10: how similar the abstract is to the papers nearest to it, each from 0 to 100."""

    name, prompts = "virsci self-review", ("virsci_overlap",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        team, (attempt, review) = Team(state, address), parse_address(address).numbers
        about = team.revised(attempt) if review > 1 else team.last_abstract(attempt)
        return (*reads.text_of(state, about), *criteria(state))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (900, 4_000), (120, 600), searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bound = self.services(ctx), Team(ctx.state, inputs.address).bounds.close
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
            nearest = [held[paper] for paper in similar.nearest(NEAREST)]
            services.at(1)
            values = {"title": abstract.title, "text": abstract.text(), "papers": shown(nearest)}
            asked = await services.ask("virsci_overlap", values, OverlapReply)
            rows, recipe = _rows(asked.value, nearest), asked.recipe
        content = {
            "rows": rows,
            "bound": bound,
            "close": any(row["score"] >= bound for row in rows),
            "tries": [search_record(answer)],
        }
        recipe = {**recipe, "source": source.name}
        return result(inputs, content, services.origin, recipe, nearest)


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


class IdeaTask(MethodTask):
    """The abstract that passed its self-review as an idea like any other. Without a call, unless a
    novelty check found papers too close to it."""

    name, prompts = "virsci idea", (REVISE.prompt,)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        team = Team(state, address)
        attempt = max(1, team.attempt())
        return reading(
            reads.TEAM,
            *reads.text_of(state, team.abstract()),
            *reads.voted_idea(team, attempt),
            f"reviewed={{instance}}/overlap{attempt}.1#close",
            "bad_cases?={branch}/bad#cases",
        )(state, address)

    def cost(self, state: State, address: str) -> Cost:
        asks = state.value(f"{parse_address(address).branch}/bad#cases")
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
            abstract = AbstractContent.from_held(_judged(ctx, inputs, asked.value))
            recipe = dict(asked.recipe)
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
    "said": TextTask(
        "virsci turn",
        "virsci_topic",
        TopicReply,
        reads.topic_turn,
        one_call((500, 3_500), (120, 500)),
        _turn,
    ),
    "guest": TextTask(
        "virsci guest",
        "virsci_guest",
        GuestAnswer,
        reads.guest,
        one_call((300, 1_200), (80, 400)),
        _to_guest,
    ),
    "sum": TextTask(
        "virsci summary",
        "virsci_summary",
        TurnSummary,
        reads.topic_turn,
        one_call((500, 4_000), (100, 500)),
        lambda ctx, inputs: {**_talk(ctx, inputs), "aim": "one topic that is worth a study"},
    ),
    "subject": TextTask(
        "virsci subject",
        "virsci_subject",
        Subject,
        reads.subject,
        one_call((600, 4_000), (60, 300)),
        _talk,
    ),
    "draft": TextTask(
        "virsci idea turn",
        "virsci_idea",
        IdeaReply,
        reads.idea_turn,
        one_call((1_200, 7_000), (400, 1_600)),
        _to_draft,
    ),
    "digest": TextTask(
        "virsci digest",
        "virsci_summary",
        TurnSummary,
        reads.idea_turn,
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
        lambda ctx, inputs, said: {**said.content(), "choice": _offered(inputs)[said.choice]},
        _none_of_these,
    ),
    "revised": TextTask(
        "virsci revision",
        "virsci_revise",
        RevisionReply,
        reads.revised,
        one_call((900, 5_000), (400, 1_300)),
        _too_close,
        _judged,
    ),
}
