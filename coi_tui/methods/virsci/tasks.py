"""VIR-3 to VIR-11: the discussion turn by turn, ideas with papers that are searched for each time,
the vote, the abstract with its self-review, and the measures. A prompt is shown what its task
reads, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.base.reads import TOPIC, criteria, reading
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
from coi_tui.methods.evidence.reading_list import ReadingListTask, search_record
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.virsci.contents import (
    CLOSE,
    IDEA,
    IN_VOTE,
    LEADER,
    SECTIONS,
    AbstractContent,
    AbstractReply,
    GuestAnswer,
    IdeaDraft,
    IdeaReply,
    Overlap,
    OverlapReply,
    RevisionReply,
    Subject,
    TopicReply,
    TurnSummary,
    VoteContent,
    VoteReply,
)
from coi_tui.methods.virsci.ecosystem import EcosystemTask, TeamTask
from coi_tui.methods.virsci.measures import measure, middle_year, word_vectors
from coi_tui.methods.virsci.team import LABELS, SEATED, Team, counted, order_shown
from coi_tui.model.address import READING, parse_address, ref, split_ref
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clipped, sentences
from coi_tui.process import run_in_thread

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

QUERY_WORDS = 24
"""Words of the previous reply that are searched for at most."""
REFERENCES, RELATED = 8, 3
"""Papers that are searched for before an idea, and for each idea in the vote."""
HITS, NEAREST = 20, 5
"""Papers that the search of a self-review asks for, and the nearest of them that are compared."""
MEASURED = 500
"""Papers of the session that the measures take in at most."""
UNREAD = "The answer could not be read, so that it counts for no idea."
AIMS = {
    "sum": "one topic that is worth a study",
    "digest": "three ideas that are new, clear and can be carried out",
}
"""What the team wants, where the leader sums up a turn."""

TEAM = "members={instance}/team#members"
SUBJECT = "topic={instance}/subject#text"


# -- what tasks read


def of(state: State, name: str, cells: Iterable[str], *fields: str) -> list[Read]:
    """Fields of cells, the first of which must be there; what a person struck is absent."""
    return [
        Read(name, ref(cell, field), n > 0 or state.cell(cell).rejected)
        for cell in cells
        for n, field in enumerate(fields)
    ]


def turn_reads(state: State, address: str) -> tuple[Read, ...]:
    """VIR-3: the team, the task, the summaries of earlier turns, the person's words after the last,
    and what was said so far in this turn; what all said for the leader's summary. The topic is
    fixed (VIR-6) from the last turn and every summary.

    What the person says after a turn is for the next one: a summary that was written before stays
    as it is.
    """
    team, at = Team(state, address), parse_address(address)
    writing = at.part in ("draft", "digest")
    spoken, summary = ("draft", "digest") if writing else ("said", "sum")
    turn, *seat = at.numbers or (team.turns(summary),)
    before = turn - 1 if at.numbers else turn
    fields = IDEA if writing else ("text", "answer")
    seats = team.seats[: seat[0] - 1] if seat else team.seats
    said = of(state, "said", (team.cell(spoken, turn, n) for n in seats), *fields)
    if before and not writing:
        own = Read("said", ref(team.cell("mine", before), "text"), optional=True)
        said = [own, *said] if at.numbers else [*said, own]
    found, asked = "papers={instance}/found{item}#papers", "outsiders?={instance}/team#outsiders"
    return reading(
        TEAM,
        SUBJECT if writing else TOPIC,
        *((found if writing else asked,) if seat else ()),
        *of(state, "summaries", (team.cell(summary, n) for n in range(1, before + 1)), "text"),
        *said,
    )(state, address)


def abstract_of(state: State, cell: str) -> list[Read]:
    return of(state, "abstract", [cell], "title", *SECTIONS)


def voted_idea(team: Team, attempt: int) -> tuple[str | Read, ...]:
    """The idea of an attempt, and by what it was taken: the winner of the vote, or the next in its
    order."""
    ranked, drafts = team.ranked(), team.voted()
    number = ranked[attempt - 1] if attempt <= len(ranked) else 1
    idea = team.cell("draft", *drafts[number - 1 : number] or [f"1.{LEADER}"])
    order = ("order={instance}/poll#order",) if attempt > 1 else ()
    return ("winner={instance}/poll#winner", *order, *of(team.state, "idea", [idea], *IDEA))


def vote_reads(state: State, address: str) -> tuple[Read, ...]:
    """VIR-8: the topic, the ideas and the papers near each; no word of the discussion."""
    team = Team(state, address)
    drafts = team.voted()
    return reading(
        TEAM,
        SUBJECT,
        "best={instance}/best#drafts",
        *of(state, "ideas", (team.cell("draft", item) for item in drafts), *IDEA),
        *(f"papers?={{instance}}/near{n}#papers" for n in range(1, len(drafts) + 1)),
    )(state, address)


def poll_reads(state: State, address: str) -> tuple[Read, ...]:
    team = Team(state, address)
    rounds = range(1, team.vote_rounds() + 1)
    votes = (team.cell("vote", n, seat) for n in rounds for seat in team.seats)
    choices = of(state, "choices", votes, "choice")
    return reading("best={instance}/best#drafts", *choices)(state, address)


def abstract_reads(state: State, address: str) -> tuple[Read, ...]:
    """VIR-9: the first from the idea; every other from the abstract before it, and nothing else.
    VIR-10: the revision from the last of them and the review."""
    team, (attempt, *place) = Team(state, address), parse_address(address).numbers
    if place == [1, LEADER]:
        return reading(TEAM, *voted_idea(team, attempt))(state, address)
    if not place:
        last = abstract_of(state, team.last_abstract(attempt))
        return reading(TEAM, *last, f"review={{instance}}/overlap{attempt}.1#rows")(state, address)
    turn, seat = place if place[1] > LEADER else (place[0] - 1, len(team.seats) + 1)
    return reading(TEAM, *abstract_of(state, team.cell("abstract", attempt, turn, seat - 1)))(
        state, address
    )


# -- what prompts are shown


def first(inputs: Inputs, name: str, default: Any = "") -> Any:
    """The value of a read that the task may not have."""
    return next((value for _, value in inputs.all(name)), default)


def member(inputs: Inputs, address: str) -> dict[str, Any]:
    """Whose words a cell holds."""
    at, members = parse_address(address), first(inputs, "members", [])
    if at.part == "mine":
        return {"name": "the researcher", "description": ""}
    seat = at.numbers[-1] if at.part in SEATED else LEADER
    return members[seat - 1] if seat <= len(members) else {"name": "a member", "description": ""}


def scene(ctx: Context, inputs: Inputs, **more: Any) -> dict[str, Any]:
    """All that a prompt may be shown of what its task reads, by the names of its inputs: who speaks
    (figure 8), the team, the task, summaries, what was said, ideas and papers."""
    said: list[dict[str, str]] = []
    ideas: list[dict[str, str]] = []
    for cell, fields in by_field(inputs.all("said")).items():
        name, texts = member(inputs, cell)["name"], {key: str(text) for key, text in fields.items()}
        if "title" in texts:
            ideas.append({"name": name, **dict.fromkeys(IDEA, ""), **texts})
            texts["text"] = f"{texts['title']}\n{texts.get('idea', '')}"
        said.append({"name": name, "text": texts.get("text", "")})
        if texts.get("answer"):
            said.append({"name": f"an outsider, asked by {name}", "text": texts["answer"]})
    topic = first(inputs, "topic")
    return {
        "topic": topic,
        "subject": topic,
        "team": first(inputs, "members", []),
        "speaker": member(inputs, inputs.address),
        "outsiders": first(inputs, "outsiders", []),
        "summaries": [str(text) for _, text in inputs.all("summaries")],
        "said": [row for row in said if row["text"].strip()],
        "ideas": ideas,
        "papers": shown(known(ctx.state, first(inputs, "papers", []))),
        "aim": AIMS.get(parse_address(inputs.address).part, ""),
        "idea": inputs.fields("idea"),
        "abstract": {field: str(text) for field, text in inputs.fields("abstract").items()},
        "review": [],
        **more,
    }


# -- the discussion


class SaidTask(MethodTask):
    """VIR-3: what a member says. VIR-5: where it asks an outsider whom the team knows, that one
    answers once, in a second call."""

    name, prompts, reads = "virsci turn", ("virsci_topic", "virsci_guest"), staticmethod(turn_reads)

    def cost(self, state: State, address: str) -> Cost:
        guest = one_call((300, 1_200), (80, 400)).times(0, 1)
        return one_call((500, 3_500), (120, 500)) + guest

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, values = self.services(ctx), scene(ctx, inputs)
        asked = await services.ask("virsci_topic", values, TopicReply)
        content, guest = {"text": asked.value.text}, asked.value.guest
        outsiders = {one["name"]: one for one in values["outsiders"]}
        if guest is not None and guest.name in outsiders:
            services.at(1)
            question = {
                **values,
                **content,
                "guest": outsiders[guest.name],
                "member": values["speaker"]["name"],
                "question": guest.question,
            }
            answer = await services.ask("virsci_guest", question, GuestAnswer)
            content |= {
                "guest": guest.name,
                "question": guest.question,
                "answer": answer.value.text,
            }
        return result(inputs, content, services.origin, asked.recipe)


# -- ideas


class FoundTask(MethodTask):
    """VIR-7: the references of an idea, searched for with the idea before it that nobody struck,
    for the first with the topic. VIR-8: the papers found with one of the ideas in the vote. A
    search that finds nothing is stored as such."""

    name = "virsci references"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        team, at = Team(state, address), parse_address(address)
        if at.part == "near":
            number, best = at.numbers[0], Read("best", f"{team.instance}/best#drafts", parent=True)
            draft = team.cell("draft", *team.voted()[number - 1 : number])
            return (best, *of(state, "query", [draft], "title"), *criteria(state))
        places = [(turn, seat) for turn in range(1, at.numbers[0] + 1) for seat in team.seats]
        cells = [team.cell("draft", *place) for place in places if place < at.numbers]
        before = [cell for cell in cells if not state.cell(cell).rejected][-1:]
        query = of(state, "query", before, "title") or [
            Read("query", f"{team.instance}/subject#text")
        ]
        return (*query, *criteria(state))

    size = Cost(searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        source = self.services(ctx).source(stage=0)
        query = clipped(str(inputs.one("query")), QUERY_WORDS).removesuffix(" [...]")
        near = parse_address(inputs.address).part == "near"
        answer = await source.search(query, RELATED if near else REFERENCES)
        papers = admitted(ctx.state, inputs, answer.papers)
        content = {
            "papers": [paper.id for paper in papers],
            "query": query,
            "tries": [search_record(answer)],
        }
        return result(inputs, content, "source", {"source": source.name}, papers)


class BestTask(MethodTask):
    """The best ideas by the scores that their authors gave them. No call."""

    name = "virsci best"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        team = Team(state, address)
        fields = ("title", "idea", "clarity", "feasibility", "novelty")
        drafts = team.drafts() or [f"1.{LEADER}"]
        return tuple(of(state, "ideas", (team.cell("draft", item) for item in drafts), *fields))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        ideas = {
            parse_address(address).item: IdeaDraft.from_held(row)
            for address, row in by_field(inputs.all("ideas")).items()
        }
        return result(inputs, {"drafts": best_of(ideas)}, self.services(ctx).origin)


def best_of(ideas: Mapping[str, IdeaDraft]) -> list[str]:
    """The numbers of those that go into the vote, best first; of equals the later one, which had
    the earlier ones before it. Texts that were repeated count once."""
    newest = sorted(ideas, key=lambda item: [*map(int, item.split("."))], reverse=True)
    distinct: dict[tuple[str, str], str] = {}
    for item in sorted(newest, key=lambda item: -ideas[item].score):
        distinct.setdefault((ideas[item].title, ideas[item].idea), item)
    return [*distinct.values()][:IN_VOTE]


# -- the vote


def _offered(inputs: Inputs) -> dict[str, int]:
    """The ideas by the labels under which a seat sees them."""
    order = order_shown(len(inputs.one("best")), *parse_address(inputs.address).numbers)
    return dict(zip(LABELS, order, strict=False))


def _to_vote(ctx: Context, inputs: Inputs) -> Values:
    ideas = [*by_field(inputs.all("ideas")).values()]
    near = {
        parse_address(split_ref(name)[0]).numbers[0]: papers
        for name, papers in inputs.all("papers")
    }
    rows = [
        {
            "id": label,
            **ideas[number - 1],
            "papers": [
                {"title": paper.title, "abstract": (paper.abstract or "")[:ABSTRACT]}
                for paper in known(ctx.state, near.get(number, ()))
            ],
        }
        for label, number in _offered(inputs).items()
    ]
    return scene(ctx, inputs, ideas=rows, round=parse_address(inputs.address).numbers[0])


class VoteTask(TextTask[VoteReply]):
    """One vote. An answer that cannot be read is an abstention, and called one."""

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        try:
            return await super().run(ctx, inputs)
        except ReplyError:
            content = {"choice": 0, "reason": UNREAD}
            return result(inputs, content, MethodTask(self.tools).services(ctx).origin)


class PollTask(MethodTask):
    """The count. No call; a tie goes to the person."""

    name, reads = "virsci poll", staticmethod(poll_reads)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        ideas = len(inputs.one("best"))
        choices = [
            VoteContent.from_held({"choice": one}).choice for _, one in inputs.all("choices")
        ]
        counts, winner = counted(choices, ideas)
        content = {
            "counts": counts,
            "abstentions": len(choices) - sum(counts),
            "winner": winner or int(ideas == 1),
            "order": sorted(range(1, ideas + 1), key=lambda n: (-counts[n - 1], n)),
        }
        return result(inputs, content, self.services(ctx).origin)


# -- the abstract


class AbstractTask(MethodTask):
    """VIR-9: the leader's first text, then one revision after the other. VIR-10: after a
    self-review that found it too close, the leader's revision with the papers that it names."""

    name, prompts = "virsci abstract", ("virsci_abstract", "virsci_revise")
    reads = staticmethod(abstract_reads)

    size = one_call((700, 5_000), (400, 1_300))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, papers = self.services(ctx), ctx.state.papers
        if inputs.all("idea"):
            asked = await services.ask("virsci_abstract", scene(ctx, inputs), AbstractReply)
            return result(inputs, asked.value.content(), services.origin, asked.recipe)
        rows = [Overlap.from_held(row) for row in first(inputs, "review", [])]
        review = [
            {
                "title": one.title,
                "reason": one.reason,
                "abstract": (papers[one.paper].abstract or "")[:ABSTRACT],
            }
            for one in [row for row in rows if row.score >= CLOSE] or rows[:1]
        ]
        values = scene(ctx, inputs, review=review)
        revised = await services.ask("virsci_revise", values, RevisionReply)
        return result(inputs, revised.value.content(), services.origin, revised.recipe)


class OverlapTask(MethodTask):
    """VIR-10: how similar the abstract is to the papers nearest to it, each from 0 to 100."""

    name, prompts = "virsci self-review", ("virsci_overlap",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        team, (attempt, review) = Team(state, address), parse_address(address).numbers
        about = team.cell("revised", attempt) if review > 1 else team.last_abstract(attempt)
        return (*abstract_of(state, about), *criteria(state))

    size = Cost("main", (1, 2), (900, 4_000), (120, 600), searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, abstract = (
            self.services(ctx),
            AbstractContent.from_held(inputs.fields("abstract")),
        )
        source = services.source(stage=0)
        answer = await source.search(abstract.title, HITS)
        found = {p.id: p for p in admitted(ctx.state, inputs, answer.papers) if p.abstract}
        nearest: list[Paper] = []
        rows: list[dict[str, Any]] = []
        recipe: Mapping[str, Any] = {}
        if found:
            text = f"{abstract.title}\n{abstract.text()}"
            similar = await services.similarity(text, list(found.values()))
            nearest = [found[paper] for paper in similar.nearest(NEAREST)]
            services.at(1)
            values = {"title": abstract.title, "text": abstract.text(), "papers": shown(nearest)}
            asked = await services.ask("virsci_overlap", values, OverlapReply)
            rows, recipe = _rows(asked.value, nearest), asked.recipe
        content = {
            "rows": rows,
            "close": any(row["score"] >= CLOSE for row in rows),
            "tries": [search_record(answer)],
        }
        return result(inputs, content, services.origin, {**recipe, "source": source.name}, nearest)


def _rows(said: OverlapReply, papers: Sequence[Paper]) -> list[dict[str, Any]]:
    """What was said of each paper, the most similar first; a paper that the answer names twice
    counts with the higher number."""
    labels = {f"P{n}": paper for n, paper in enumerate(papers, 1)}
    rows = {
        paper.id: {
            "paper": paper.id,
            "title": paper.title,
            "score": one.score,
            "reason": one.reason,
        }
        for one in sorted(said.scores, key=lambda one: one.score)
        if (paper := labels.get(one.id)) is not None
    }
    return sorted(rows.values(), key=lambda row: -row["score"])


class IdeaTask(MethodTask):
    """The abstract that passed its self-review as an idea like any other. Without a call, unless a
    novelty check found papers too close to it."""

    name, prompts = "virsci idea", ("virsci_revise",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        team = Team(state, address)
        attempt = max(1, team.attempt())
        return reading(
            TEAM,
            *abstract_of(state, team.abstract()),
            *voted_idea(team, attempt),
            f"reviewed={{instance}}/overlap{attempt}.1#close",
            "bad_cases?={branch}/bad#cases",
        )(state, address)

    def cost(self, state: State, address: str) -> Cost:
        asks = state.value(f"{parse_address(address).branch}/bad#cases")
        return one_call((900, 5_000), (400, 1_300)) if asks else Cost()

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, recipe = self.services(ctx), dict[str, Any]()
        abstract = AbstractContent.from_held(inputs.fields("abstract"))
        experiment = str(inputs.fields("idea")["experiment"])
        if cases := inputs.one("bad_cases"):
            review = [
                {"title": one["title"], "reason": one["reason"], "abstract": ""} for one in cases
            ]
            values = scene(ctx, inputs, review=review)
            asked = await services.ask("virsci_revise", values, RevisionReply)
            abstract, recipe = AbstractContent.from_held(asked.value.content()), dict(asked.recipe)
        item = parse_address(split_ref(inputs.all("idea")[0][0])[0]).item
        content = {
            "title": abstract.title,
            "summary": abstract.objective,
            "final": f"{abstract.text()}\n\n{experiment}".strip(),
            "problem": "".join(sentences(abstract.introduction)[:1]),
            "mechanism": "".join(sentences(abstract.methods)[:1]),
            "evaluation": "".join(sentences(experiment)[:1]),
            "origin": f"Idea {item} of the team, chosen by its vote.",
        }
        return result(inputs, content, services.origin, recipe)


class MeasuresTask(MethodTask):
    """VIR-11: HD, CD, CI and ON, by vectors where the session has a model for them, else by words.
    No language model. Papers need an abstract and a year."""

    name = "virsci measures"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return tuple(abstract_of(state, Team(state, address).abstract()))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        abstract = AbstractContent.from_held(inputs.fields("abstract"))
        papers = [p for _, p in sorted(ctx.state.papers.items()) if p.abstract and p.year][
            :MEASURED
        ]
        split = middle_year([paper.year or 0 for paper in papers]) or 0
        texts = [abstract.text(), *(paper.abstract or "" for paper in papers)]
        found = await self.services(ctx).vectors(texts)
        vectors = found[0] if found is not None else await run_in_thread(word_vectors, texts)
        measures = await run_in_thread(measure, vectors[0], vectors[1:], papers, split)
        model = found[1] if found is not None else ""
        return result(inputs, {**measures.model_dump(), "model": model}, "source")


_SUMMARY = TextTask(
    "virsci summary",
    "virsci_summary",
    TurnSummary,
    turn_reads,
    one_call((500, 6_000), (100, 500)),
    scene,
)
TASKS: Mapping[str, Any] = {
    READING: ReadingListTask,
    "people": EcosystemTask,
    "team": TeamTask,
    "said": SaidTask,
    "sum": _SUMMARY,
    "subject": TextTask(
        "virsci subject",
        "virsci_subject",
        Subject,
        turn_reads,
        one_call((600, 4_000), (60, 300)),
        scene,
    ),
    "found": FoundTask,
    "draft": TextTask(
        "virsci idea turn",
        "virsci_idea",
        IdeaReply,
        turn_reads,
        one_call((1_200, 7_000), (400, 1_600)),
        scene,
    ),
    "digest": _SUMMARY,
    "best": BestTask,
    "near": FoundTask,
    "vote": VoteTask(
        "virsci vote",
        "virsci_vote",
        VoteReply,
        vote_reads,
        one_call((1_500, 6_000), (80, 400)),
        _to_vote,
        lambda ctx, inputs, said: {
            **said.content(),
            "choice": _offered(inputs).get(said.choice, 0),
        },
    ),
    "poll": PollTask,
    "abstract": AbstractTask,
    "overlap": OverlapTask,
    "revised": AbstractTask,
    "measures": MeasuresTask,
    "rivals": lambda tools: RivalsTask(tools, reading("thought={instance}/subject#text")),
    "idea": IdeaTask,
}
