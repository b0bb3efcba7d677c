"""VIR-3 to VIR-11: the discussion turn by turn, ideas with papers that are searched for each time,
the vote, the abstract with its self-review, and the measures. A prompt is shown what its task
reads, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Any

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.literature.ranking import unit_rows
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.base.labelled import BatchJudge
from coi_tui.methods.base.reads import TOPIC, criteria, reading
from coi_tui.methods.base.task import (
    ABSTRACT,
    MethodTask,
    TextTask,
    Values,
    one_call,
    papers_of,
    result,
    shown,
)
from coi_tui.methods.base.text_tools import (
    Draft,
    jaccard,
    line_of,
    mappings,
    text_of,
    weighted_words,
)
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.evidence.searches import search_each
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.virsci.people import EcosystemTask, TeamTask
from coi_tui.methods.virsci.team import (
    CLOSE,
    IDEA,
    LEADER,
    SECTIONS,
    AbstractContent,
    AbstractReply,
    MeasuresContent,
    MemberIdea,
    Overlap,
    OverlapReply,
    OverlapScore,
    RevisionReply,
    Spoken,
    Team,
    TopicReply,
    TurnSummary,
    VoteReply,
)
from coi_tui.model.address import READING, cell_at, cell_ref, ref, split_ref
from coi_tui.model.errors import CoiError, ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, clipped, first_sentences, sentence, sentences
from coi_tui.process import run_in_thread

QUERY_WORDS = 24
"""Words of the previous reply that are searched for at most."""
REFERENCES, RELATED = 8, 3
"""Papers that are searched for before an idea, and for each idea in the vote."""
HITS, NEAREST = 20, 5
"""Papers that the search of a self-review asks for, and the nearest of them that are compared; as
many abstracts of each side count for the measures."""
MEASURED = 500
"""Papers of the session that the measures take in at most."""
MOST_OUTSIDERS = 8
"""People outside the team who are named to its members."""
UNREAD = "The answer could not be read, so that it counts for no idea."
AIMS = {
    "sum": "one topic that is worth a study",
    "digest": "three ideas that are new, clear and can be carried out",
}
"""What the team wants, where the leader sums up a turn."""

TEAM = "members={instance}/team#members"
SUBJECT = "topic={instance}/subject#text"


# -- what tasks read


IDEA_READ, ABSTRACT_READ = "title idea? experiment?", f"title {'? '.join(SECTIONS)}?"


def reads_of(state: State, name: str, cells: Iterable[str], fields: str) -> list[str]:
    """Fields of cells; what a person rejected is absent."""
    return [f"{name}{'?' * state.cell(cell).rejected}={cell}#{fields}" for cell in cells]


def turn_reads(state: State, address: str) -> Reads:
    """VIR-3: the team, the task, the summaries of earlier turns, the person's words after the last,
    and what was said so far in this turn; what all said for the leader's summary. The topic is
    fixed (VIR-6) from the last turn and every summary.

    What the person says after a turn is for the next one: a summary that was written before stays
    as it is.
    """
    team, at = Team(state, address), cell_ref(address)
    writing = at.kind in ("draft", "digest")
    spoken, summary = ("draft", "digest") if writing else ("said", "sum")
    turn, *seat = at.numbers or (team.turns(summary),)
    before = turn - 1 if at.numbers else turn
    fields = IDEA_READ if writing else "text answer?"
    seats = team.seats[: seat[0] - 1] if seat else team.seats
    said = reads_of(state, "said", (team.cell(spoken, turn, n) for n in seats), fields)
    if before and not writing:
        own = f"said?={{instance}}/mine{before}#text"
        said = [own, *said] if at.numbers else [*said, own]
    found, asked = "papers={instance}/found{item}#papers", "outsiders?={instance}/team#outsiders"
    return reading(
        TEAM,
        SUBJECT if writing else TOPIC,
        *((found if writing else asked,) if seat else ()),
        *reads_of(
            state, "summaries", (team.cell(summary, n) for n in range(1, before + 1)), "text"
        ),
        *said,
    )(state, address)


def abstract_of(state: State, cell: str) -> list[str]:
    return reads_of(state, "abstract", [cell], ABSTRACT_READ)


def voted_idea(team: Team, attempt: int, fields: str = IDEA_READ) -> list[str]:
    """The idea of an attempt, and by what it was taken: the winner of the vote, or the next in its
    order."""
    draft = (*team.ranked(), *team.voted(), f"1.{LEADER}")[attempt - 1]
    idea = reads_of(team.state, "idea", [team.cell("draft", draft)], fields)
    return ["winner={instance}/poll#winner", *idea]


def vote_reads(state: State, address: str) -> Reads:
    """VIR-8: the topic, the ideas and the papers near each; no word of the discussion."""
    team = Team(state, address)
    near = (f"papers={{instance}}/near{item}#papers" for item in team.voted())
    ideas = reads_of(state, "ideas", team.ballot(), IDEA_READ)
    return reading(TEAM, SUBJECT, *ideas, *near)(state, address)


def poll_reads(state: State, address: str) -> Reads:
    """VIR-8: the votes, and the ideas that they are on."""
    team = Team(state, address)
    votes = reads_of(state, "choices", (team.cell("vote", seat) for seat in team.seats), "choice")
    return reading(*reads_of(state, "ideas", team.ballot(), "title"), *votes)(state, address)


def abstract_reads(state: State, address: str) -> Reads:
    """VIR-9: the first from the idea; every other from the abstract before it, and nothing else.
    VIR-10: the revision from the last of them and the review."""
    team, (attempt, *seat) = Team(state, address), cell_ref(address).numbers
    if seat == [LEADER]:
        return reading(TEAM, *voted_idea(team, attempt))(state, address)
    last = team.cell("abstract", attempt, seat[0] - 1) if seat else team.last_abstract(attempt)
    review = () if seat else (f"review={{instance}}/overlap{attempt}.1#rows",)
    return reading(TEAM, *abstract_of(state, last), *review)(state, address)


# -- what prompts are shown


def member(inputs: Inputs, address: str) -> Fields:
    """Whose words a cell holds."""
    at, members = cell_ref(address), inputs.first("members", [])
    if at.kind == "mine":
        return {"name": "the researcher", "description": ""}
    seat = at.numbers[-1] if at.kind in ("said", "draft", "vote", "abstract") else LEADER
    return members[seat - 1] if seat <= len(members) else {"name": "a member", "description": ""}


def prompt_values(ctx: Context, inputs: Inputs, **more: Any) -> Fields:
    """All that a prompt may be shown of what its task reads, by the names of its inputs: who speaks
    (figure 8), the team, the task, summaries, what was said, ideas and papers."""
    said, ideas = list[Fields](), list[Fields]()
    for cell, fields in by_field(inputs.all("said")).items():
        name = member(inputs, cell)["name"]
        text = fields.get("text", "")
        if "title" in fields:
            ideas.append({"name": name, **dict.fromkeys(IDEA, ""), **fields})
            text = f"{fields['title']}\n{fields.get('idea', '')}"
        said.append({"name": name, "text": text})
        said.append({"name": f"an outsider, asked by {name}", "text": fields.get("answer", "")})
    topic = inputs.first("topic")
    return {
        "topic": topic,
        "subject": topic,
        "team": inputs.first("members", []),
        "speaker": member(inputs, inputs.address),
        "outsiders": inputs.first("outsiders", [])[:MOST_OUTSIDERS],
        "summaries": [str(text) for _, text in inputs.all("summaries")],
        "said": [row for row in said if row["text"].strip()],
        "ideas": ideas,
        "papers": shown(papers_of(ctx.state, inputs.first("papers", []))),
        "aim": AIMS.get(inputs.at.kind, ""),
        "idea": inputs.fields("idea"),
        "abstract": inputs.fields("abstract"),
        "review": [],
        **more,
    }


# -- the discussion


class SaidTask(MethodTask):
    """VIR-3: what a member says. VIR-5: where it asks an outsider whom the team knows, that one
    answers once, in a second call."""

    name, prompts = "virsci turn", ("virsci_topic", "virsci_guest")
    reads = staticmethod(turn_reads)
    size = one_call((500, 3_500), (120, 500)) + one_call((300, 1_200), (80, 400)).times(0, 1)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, values = self.services(ctx), prompt_values(ctx, inputs)
        asked = await services.ask("virsci_topic", values, TopicReply)
        content, guest = {"text": asked.value.text}, asked.value.guest
        outsiders = {one["name"]: one for one in values["outsiders"]}
        if guest is not None and guest.name in outsiders:
            services.at(1)
            who = {"guest": outsiders[guest.name], "member": values["speaker"]["name"]}
            question = {**values, **content, **who, "question": guest.question}
            answer = await services.ask("virsci_guest", question, Spoken)
            content |= {"guest": guest.name, "question": guest.question}
            content["answer"] = answer.value.text
        return result(inputs, content, services.origin, asked.recipe)


# -- ideas


class FoundTask(MethodTask):
    """VIR-7: the references of an idea, searched for with the idea before it that nobody rejected,
    for the first with the topic. VIR-8: the papers found with one of the ideas in the vote. A
    search that finds nothing is stored as such."""

    name = "virsci references"
    size = Cost(searches=(1, 1))

    def reads(self, state: State, address: str) -> Reads:
        team, at = Team(state, address), cell_ref(address)
        if at.kind == "near":
            cells = [team.cell("draft", at.item)]
        else:
            turns = range(1, at.numbers[0] + 1)
            places = [(n, seat) for n in turns for seat in team.seats if (n, seat) < at.numbers]
            drafts = [team.cell("draft", *place) for place in places]
            cells = [cell for cell in drafts if not state.cell(cell).rejected][-1:]
        query = reads_of(state, "query", cells, "title") or ["query={instance}/subject#text"]
        return reading(*query, criteria)(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        query = clipped(inputs.one("query"), QUERY_WORDS).removesuffix(" [...]")
        hits = RELATED if inputs.at.kind == "near" else REFERENCES
        found = await search_each(self.services(ctx), inputs, [query], hits)
        rows = [{"paper": paper} for paper in found.papers]
        content = {"papers": rows, "query": query, "tries": found.tries}
        return result(inputs, content, "source", {"source": found.source}, found.papers.values())


# -- the vote


def by_draft(inputs: Inputs, name: str) -> dict[str, Fields]:
    """Cells that were read under one name by the numbers of their drafts: their fields."""
    found = by_field(inputs.all(name)).items()
    return {cell_ref(cell).item: fields for cell, fields in found}


def ballot_labels(drafts: Sequence[str], seat: int) -> dict[str, str]:
    """VIR-8: the drafts by the labels under which a seat sees them: the places take turns, so that
    none has an advantage."""
    turned = [drafts[(n + seat) % len(drafts)] for n in range(len(drafts))]
    return dict(zip("ABC", turned, strict=False))


def _ballot(inputs: Inputs) -> dict[str, str]:
    return ballot_labels([*by_draft(inputs, "ideas")], inputs.at.numbers[0])


def _to_vote(ctx: Context, inputs: Inputs) -> Values:
    ideas, near = by_draft(inputs, "ideas"), by_draft(inputs, "papers")
    rows = [
        {"id": label, **ideas[item], "papers": shown(papers_of(ctx.state, near[item]["papers"]))}
        for label, item in _ballot(inputs).items()
    ]
    return prompt_values(ctx, inputs, ideas=rows, papers=[])


class VoteTask(TextTask[VoteReply]):
    """One vote. An answer that cannot be read is an abstention, and called one."""

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        try:
            return await super().run(ctx, inputs)
        except ReplyError:
            content = {"choice": "", "reason": UNREAD}
            return result(inputs, content, MethodTask(self.tools).services(ctx).origin)


def count_votes(drafts: Sequence[str], choices: Sequence[str]) -> Fields:
    """VIR-8: the outcome of a vote. A choice that is none of the drafts is an abstention, never a
    vote for the first."""
    counts: list[Fields] = [{"draft": draft, "votes": choices.count(draft)} for draft in drafts]
    counts.sort(key=lambda row: -row["votes"])
    tied = len(counts) > 1 and counts[0]["votes"] == counts[1]["votes"]
    abstentions = sum(choice not in drafts for choice in choices)
    winner = "" if tied else counts[0]["draft"]
    return {"winner": winner, "counts": counts, "abstentions": abstentions}


class PollTask(MethodTask):
    """The count. No call; a tie goes to the person."""

    name, reads = "virsci poll", staticmethod(poll_reads)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        choices = [str(choice) for _, choice in inputs.all("choices")]
        content = count_votes([*by_draft(inputs, "ideas")], choices)
        return result(inputs, content, self.services(ctx).origin)


# -- the abstract


class AbstractTask(MethodTask):
    """VIR-9: the leader's first text, then a revision by each member. VIR-10: after a self-review
    that found it too close, the leader's revision with the papers that it names."""

    name, prompts = "virsci abstract", ("virsci_abstract", "virsci_revise")
    reads = staticmethod(abstract_reads)
    size = one_call((700, 5_000), (400, 1_300))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        if inputs.all("idea"):
            asked = await services.ask("virsci_abstract", prompt_values(ctx, inputs), AbstractReply)
            return result(inputs, asked.value.content(), services.origin, asked.recipe)
        rows = [Overlap.from_stored(row) for row in inputs.first("review", [])]
        close = [row for row in rows if row.score >= CLOSE] or rows[:1]
        review = [
            {
                "title": ctx.state.papers[one.paper].title,
                "reason": one.reason,
                "abstract": first_sentences(ctx.state.papers[one.paper].abstract or "", ABSTRACT),
            }
            for one in close
        ]
        values = prompt_values(ctx, inputs, review=review)
        revised = await services.ask("virsci_revise", values, RevisionReply)
        return result(inputs, revised.value.content(), services.origin, revised.recipe)


class OverlapTask(MethodTask):
    """VIR-10: how similar the abstract is to the papers nearest to it, each from 0 to 100."""

    name, prompts = "virsci self-review", ("virsci_overlap",)
    size = Cost("main", (1, 2), (900, 4_000), (120, 600), searches=(1, 1))

    def reads(self, state: State, address: str) -> Reads:
        team, (attempt, review) = Team(state, address), cell_ref(address).numbers
        about = team.cell("revised", attempt) if review > 1 else team.last_abstract(attempt)
        return reading(*abstract_of(state, about), criteria)(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, abstract = self.services(ctx), abstract_in(inputs)
        found = await search_each(services, inputs, [abstract.title], HITS)
        text = abstract.text()
        similar = await services.similarity(f"{abstract.title}\n{text}", found.readable)
        nearest = [found.papers[paper] for paper in similar.nearest(NEAREST)]
        services.at(1)
        about = {"title": abstract.title, "text": text}
        verdicts, recipe = await JUDGE.ask(services, about, nearest)
        if nearest and not verdicts:
            raise CoiError("Nothing could be read of how similar the papers are.")
        rows: list[Fields] = [
            {"paper": key, "score": one.score, "reason": one.reason}
            for key, one in verdicts.items()
        ]
        rows.sort(key=lambda row: -row["score"])
        close = any(row["score"] >= CLOSE for row in rows)
        content = {"rows": rows, "close": close, "tries": found.tries}
        recipe = {**recipe, "source": found.source}
        return result(inputs, content, services.origin, recipe, nearest)


JUDGE = BatchJudge[OverlapScore]("virsci_overlap", OverlapReply)


def abstract_in(inputs: Inputs) -> AbstractContent:
    return AbstractContent.from_stored(inputs.fields("abstract"))


class MemberIdeaTask(MethodTask):
    """The abstract that passed its self-review as an idea like any other. Without a call, unless a
    novelty check found papers too close to it."""

    name, prompts = "virsci idea", ("virsci_revise",)

    def reads(self, state: State, address: str) -> Reads:
        team = Team(state, address)
        attempt = max(1, team.attempt())
        return reading(
            TEAM,
            *abstract_of(state, team.abstract()),
            *voted_idea(team, attempt, f"{IDEA_READ} sources?"),
            f"reviewed={{instance}}/overlap{attempt}.1#close",
            "bad_cases?={branch}/bad#cases",
        )(state, address)

    def cost(self, state: State, address: str) -> Cost:
        asks = state.value(ref(cell_at(cell_ref(address).branch, "bad"), "cases"))
        return one_call((900, 5_000), (400, 1_300)) if asks else Cost()

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, voted = self.services(ctx), inputs.fields("idea")
        abstract: AbstractReply = abstract_in(inputs)
        recipe: Values = {}
        experiment = str(voted["experiment"])
        if cases := inputs.one("bad_cases"):
            review = [
                {"title": one["title"], "reason": one["reason"], "abstract": ""} for one in cases
            ]
            values = prompt_values(ctx, inputs, review=review)
            asked = await services.ask("virsci_revise", values, RevisionReply)
            abstract, recipe = asked.value, asked.recipe
        item = cell_ref(split_ref(inputs.all("idea")[0][0])[0]).item
        content = {
            "title": abstract.title,
            "summary": abstract.objective,
            "final": f"{abstract.text()}\n\n{experiment}".strip(),
            "problem": "".join(sentences(abstract.introduction)[:1]),
            "mechanism": "".join(sentences(abstract.methods)[:1]),
            "evaluation": "".join(sentences(experiment)[:1]),
            "origin": f"Idea {item} of the team, chosen by its vote.",
            "sources": [s for s in voted["sources"] or [] if s["paper"] in experiment],
        }
        return result(inputs, content, services.origin, recipe)


# -- measures

PROXY = "They are a proxy for what reviewers would say of novelty, and prove none."


def measure(
    vectors: Sequence[Sequence[float]], papers: Sequence[Paper], split: int
) -> MeasuresContent:
    """VIR-11: the measures of an abstract, whose vector comes before those of the papers, each a
    multiple of its mean over these; None where that is not known or zero. Papers from the year
    ``split`` on are recent."""
    import numpy as np

    points = np.asarray(vectors, dtype=float)
    recent = [(paper.year or 0) >= split for paper in papers]

    def raw(own: int) -> Iterator[float | None]:
        # By differences: other forms lose digits where vectors are nearly equal.
        distance = (((points[1:] - points[own]) ** 2).sum(axis=1) ** 0.5).tolist()
        order = sorted(range(len(papers)), key=distance.__getitem__)
        old, new = (
            [n for n in order if recent[n] == side and n != own - 1][:NEAREST]
            for side in (False, True)
        )
        yield from (_mean(distance[n] for n in old), _mean(distance[n] for n in new))
        yield _mean(papers[n].citations.count for n in new)

    found: list[float | None] = []
    for value, *others in zip(*map(raw, range(len(points))), strict=True):
        usual = _mean(others)
        found.append(value / usual if value is not None and usual else None)
    hd, cd, ci = found
    on = hd * ci / cd if hd is not None and ci is not None and cd else None
    return MeasuresContent(hd=hd, cd=cd, ci=ci, on=on)


def _mean(numbers: Iterable[float | None]) -> float | None:
    """Of those that are known."""
    known = [number for number in numbers if number is not None]
    return fmean(known) if known else None


class MeasuresTask(MethodTask):
    """VIR-11: HD, CD, CI and ON, by vectors where the session has a model for them, else by words.
    No language model. Papers need an abstract and a year, and are split at the middle year."""

    name = "virsci measures"

    def reads(self, state: State, address: str) -> Reads:
        return reading(*abstract_of(state, Team(state, address).abstract()))(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        papers = [p for _, p in sorted(ctx.state.papers.items()) if p.abstract and p.year]
        papers = papers[:MEASURED]
        years = sorted(paper.year or 0 for paper in papers)
        split = years[len(years) // 2] if years else 0
        texts = [abstract_in(inputs).text(), *(paper.abstract or "" for paper in papers)]
        served = await self.services(ctx).vectors(texts)
        vectors, by = served or (
            await run_in_thread(lambda: unit_rows(weighted_words(texts)).tolist()),
            "words",
        )
        measures = await run_in_thread(measure, vectors, papers, split)
        note = f"By {by}; papers since {split} are recent; each is divided by its mean. {PROXY}"
        content = {k: v and round(v, 3) for k, v in measures.model_dump(exclude={"note"}).items()}
        return result(inputs, {**content, "note": note}, "source")


SUMMARY = TextTask(
    "virsci summary",
    "virsci_summary",
    TurnSummary,
    turn_reads,
    one_call((500, 6_000), (100, 500)),
    prompt_values,
)
TASKS: Values = {
    READING: ReadingListTask,
    "people": EcosystemTask,
    "team": TeamTask,
    "said": SaidTask,
    "sum": SUMMARY,
    "subject": TextTask(
        "virsci subject",
        "virsci_subject",
        Spoken,
        turn_reads,
        one_call((600, 4_000), (60, 300)),
        prompt_values,
    ),
    "found": FoundTask,
    "draft": TextTask(
        "virsci idea turn",
        "virsci_idea",
        MemberIdea,
        turn_reads,
        one_call((1_200, 7_000), (400, 1_600)),
        prompt_values,
    ),
    "digest": SUMMARY,
    "near": FoundTask,
    "vote": VoteTask(
        "virsci vote",
        "virsci_vote",
        VoteReply,
        vote_reads,
        one_call((1_500, 6_000), (80, 400)),
        _to_vote,
        lambda ctx, inputs, reply: {
            **reply.content(),
            "choice": _ballot(inputs).get(reply.choice, ""),
        },
    ),
    "poll": PollTask,
    "abstract": AbstractTask,
    "overlap": OverlapTask,
    "revised": AbstractTask,
    "measures": MeasuresTask,
    "rivals": lambda tools: RivalsTask(tools, reading("thought={instance}/subject#text")),
    "idea": MemberIdeaTask,
}


# -- where no language model is set


def _draft_subject(values: Values) -> Draft:
    """The session's topic as it is: papers are searched for with it."""
    return {"text": sentence(line_of(values, "topic")) or "The topic."}


def _draft_vote(values: Values) -> Draft:
    """For the idea whose words overlap least with those of its papers; of equals the first
    title."""

    def overlap(one: Values) -> tuple[float, str]:
        text = f"{line_of(one, 'title')} {text_of(one, 'idea')}"
        near = (
            jaccard(text, f"{line_of(paper, 'title')} {text_of(paper, 'abstract')}")
            for paper in mappings(one, "papers")
        )
        return round(max(near, default=0.0), 6), line_of(one, "title")

    best = min(mappings(values, "ideas"), key=overlap, default={})
    reason = "By rule: it shares the fewest words with the papers shown with it."
    return {"reason": reason, "choice": line_of(best, "id") or "A"}


DRAFTS = {"virsci_subject": _draft_subject, "virsci_vote": _draft_vote}
"""The rule for each prompt that has one, by the prompt's name; other texts are worksheets."""
