"""VirSci's part of a proposal: the team, what it discussed, how the idea was chosen, what the self-review found, and the measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.virsci import contents, course, measures_cell
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.model.address import Branch
from coi_tui.model.document import (
    Block,
    Bullets,
    MethodDocument,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    ProposalWarning,
    Section,
)
from coi_tui.model.state import State
from coi_tui.model.wording import count, sentence


def virsci_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal; nothing without a branch."""
    if not branches:
        return MethodDocument()
    branch = branches[0]
    sections = (
        *_team(state, instance, branch),
        *_topic(state, instance, branch),
        *_vote(state, instance, branch),
    )
    own = (*_discussion(state, instance), *_review(state, instance), *_measured(state, instance))
    return MethodDocument(
        sections, own, tuple(_warnings(state, instance)), tuple(_limits(state, instance))
    )


def _passage(state: State, address: str, text: str) -> Passage:
    version = state.in_use(address)
    return Passage(address, text, version.origin if version else "model")


def _team(state: State, instance: str, branch: Branch) -> Iterator[Section]:
    members = course.members(state, instance)
    people = state.read(cell(instance, "people"), contents.EcosystemContent)
    if not members or people is None:
        return
    lines = [
        f"{one.name}{' (leader)' if n == 0 else ''}: {one.description}"
        for n, one in enumerate(members)
    ]
    said = f"A team of {len(members)}, drawn among {count(len(people.people), 'author')} of {count(len(people.papers), 'paper')}. "
    said += "Its members are invented voices with masked profiles of real authors; none of these authors took part."
    papers = tuple(PaperEntry(paper, ()) for paper in people.papers if paper in state.papers)
    yield Section(
        "The team",
        (Paragraph(said), Bullets(tuple(lines)), *([PaperList(papers)] if papers else [])),
        branch,
    )


def _topic(state: State, instance: str, branch: Branch) -> Iterator[Section]:
    address = cell(instance, "subject")
    if subject := state.read(address, contents.SubjectContent):
        yield Section(
            "The topic that the team chose", (_passage(state, address, subject.text),), branch
        )


def _vote(state: State, instance: str, branch: Branch) -> Iterator[Section]:
    poll = state.read(cell(instance, "poll"), contents.PollContent)
    best = state.read(cell(instance, "best"), contents.BestContent)
    if poll is None or best is None:
        return
    abstained = (
        f" {count(poll.abstentions, 'vote')} named none of them." if poll.abstentions else ""
    )
    blocks: list[Block] = [
        Paragraph(f"The team voted on {count(len(best.all()), 'idea')}.{abstained}")
    ]
    lines = []
    for n, one in enumerate(best.all(), start=1):
        votes = poll.counts[n - 1] if n <= len(poll.counts) else 0
        won = ", which became the abstract" if n == _taken(state, instance) else ""
        lines.append(f"{sentence(one.title)} {count(votes, 'vote')}{won}.")
    version = state.in_use(cell(instance, "poll"))
    if version is not None and version.by_person:
        blocks.append(Paragraph("The winner was decided by the researcher."))
    yield Section("The vote", (*blocks, Bullets(tuple(lines))), branch)


def _taken(state: State, instance: str) -> int:
    """The number of the idea whose abstract counts."""
    ideas, attempt = course.ranked_ideas(state, instance), course.attempt_now(state, instance)
    return ideas[attempt - 1] if attempt else 0


def _discussion(state: State, instance: str) -> Iterator[Section]:
    """The leader's summaries, and what the person said and struck."""
    blocks: list[Block] = []
    for turn in range(1, course.topic_turns(state, instance) + 1):
        address, own = cell(instance, "sum", turn), cell(instance, "mine", turn)
        if summary := state.read(address, contents.SummaryContent):
            blocks += [
                Paragraph(f"Turn {turn}, as the leader sums it up:"),
                _passage(state, address, summary.text),
            ]
        if said := state.read(own, contents.MineContent):
            blocks += [
                Paragraph(f"The researcher, after turn {turn}:"),
                _passage(state, own, said.text),
            ]
        struck = [
            seat
            for seat in course.seats(state, instance)
            if course.struck(state, cell(instance, "said", turn, seat))
        ]
        blocks += (
            [
                Paragraph(
                    f"Struck by the researcher in turn {turn}: {count(len(struck), 'reply', 'replies')}."
                )
            ]
            if struck
            else []
        )
    if blocks:
        yield Section("The discussion", tuple(blocks))


def _review(state: State, instance: str) -> Iterator[Section]:
    lines, papers = list[str](), list[PaperEntry]()
    for attempt, idea in enumerate(course.ranked_ideas(state, instance), start=1):
        for review in (1, 2):
            found = state.read(cell(instance, "overlap", attempt, review), contents.OverlapContent)
            if found is not None:
                most = max((row.score for row in found.rows), default=0)
                said = "too close to earlier work" if found.close else "not too close"
                lines.append(
                    f"Idea {idea}, review {review}: {said} ({most} of 100 at most; {found.bound} is too close)."
                )
                papers += [
                    PaperEntry(row.paper, (sentence(row.reason),))
                    for row in found.rows
                    if row.paper in state.papers
                ]
        if course.discarded(state, instance, attempt):
            lines.append(f"Idea {idea} was given up: too close twice.")
    if lines:
        listed = tuple({entry.paper: entry for entry in papers}.values())
        yield Section(
            "The self-review", (Bullets(tuple(lines)), *([PaperList(listed)] if listed else []))
        )


def _measured(state: State, instance: str) -> Iterator[Section]:
    held = state.read(cell(instance, "measures"), contents.MeasuresContent)
    if held is not None:
        lines = [
            f"{short} {measures_cell.number(getattr(held, name))}: {said}."
            for name, short, said in measures_cell.TOLD
        ]
        text = " ".join(filter(None, (measures_cell.behind(held), held.note, measures_cell.PROXY)))
        yield Section("Measures of novelty, a proxy", (Bullets(tuple(lines)), Paragraph(text)))


def _warnings(state: State, instance: str) -> Iterator[ProposalWarning]:
    poll = cell(instance, "poll")
    held = state.read(poll, contents.PollContent)
    if held is not None and held.abstentions:
        yield ProposalWarning(
            "Abstentions", f"{count(held.abstentions, 'vote')} named no idea.", (poll,)
        )


def _limits(state: State, instance: str) -> Iterator[str]:
    bounds = bounds_of(state, instance)
    turns = (
        f"at most {count(bounds.turns, 'turn')} a step"
        if bounds.adaptive
        else f"{count(bounds.turns, 'turn')} a step"
    )
    yield f"VirSci with a team of {len(course.members(state, instance)) or bounds.team} and {turns}; the paper's usual team has 4 and 5."
    yield "The session's own papers and their authors stand in for the large collection of authors that the paper draws on."
