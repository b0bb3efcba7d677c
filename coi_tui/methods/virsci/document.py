"""VirSci's part of a proposal: the team, what it discussed, how the idea was chosen, what the
self-review found, and the measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.shared.cell_table import bullets, held, paragraph, passage, section
from coi_tui.methods.virsci import contents, course, measures_cell
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.methods.virsci.views import overlap_caption, votes_of
from coi_tui.model.address import Branch
from coi_tui.model.document import (
    Block,
    MethodDocument,
    PaperEntry,
    PaperList,
    ProposalWarning,
    Section,
)
from coi_tui.model.state import State
from coi_tui.model.wording import count, sentence


def virsci_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal; nothing without a branch."""
    if not branches:
        return MethodDocument()
    bounds = bounds_of(state, instance)
    poll = held(state, cell(instance, "poll"), contents.PollContent)
    said = f"{count(poll.abstentions, 'vote')} named no idea."
    warning = ProposalWarning("Abstentions", said, (cell(instance, "poll"),))
    size = len(course.members(state, instance)) or bounds.team
    return MethodDocument(
        tuple(_sections(state, instance, branches[0])),
        tuple(_provenance(state, instance)),
        (warning,) if poll.abstentions else (),
        (
            f"VirSci with a team of {size} and at most {count(bounds.turns, 'turn')} a step; the paper's usual team has 4 and 5.",
            "The session's own papers and their authors stand in for the large collection of authors that the paper draws on.",
        ),
    )


def _sections(state: State, instance: str, branch: Branch) -> Iterator[Section]:
    members = course.members(state, instance)
    people = held(state, cell(instance, "people"), contents.EcosystemContent)
    papers = [PaperEntry(paper) for paper in people.papers if paper in state.papers]
    if members:
        yield from section(
            "The team",
            paragraph(
                f"A team of {len(members)}, drawn among {count(len(people.people), 'author')} of {count(len(people.papers), 'paper')}. "
                "Its members are invented voices with masked profiles of real authors; none of these authors took part."
            ),
            bullets(
                f"{one.name}{' (leader)' if one is members[0] else ''}: {one.description}"
                for one in members
            ),
            PaperList(tuple(papers)) if papers else None,
            branch=branch,
        )
    address = cell(instance, "subject")
    if subject := state.read(address, contents.SubjectContent):
        text = passage(state, address, subject.text)
        yield from section("The topic that the team chose", text, branch=branch)
    version = state.in_use(cell(instance, "poll"))
    if version is not None:
        ideas, attempt = course.ranked_ideas(state, instance), course.attempt_now(state, instance)
        taken = ideas[attempt - 1] if attempt else 0
        lines = (
            f"{sentence(one.title)} {count(votes, 'vote')}{', which became the abstract' if n == taken else ''}."
            for n, one, votes in votes_of(state, instance)
        )
        by = "The winner was decided by the researcher." if version.by_person else ""
        yield from section("The vote", paragraph(by), bullets(lines), branch=branch)


def _provenance(state: State, instance: str) -> Iterator[Section]:
    """The leader's summaries, what the person said and struck, the self-reviews and the
    measures."""
    turns = range(1, course.topic_turns(state, instance) + 1)
    talk = [block for turn in turns for block in _turn(state, instance, turn)]
    yield from section("The discussion", *talk)
    lines: list[str] = []
    for attempt, idea in enumerate(course.ranked_ideas(state, instance), 1):
        for review in (1, 2):
            address = cell(instance, "overlap", attempt, review)
            if found := state.read(address, contents.OverlapContent):
                lines.append(f"Idea {idea}, review {review}: {overlap_caption(found)}.")
        if course.discarded(state, instance, attempt):
            lines.append(f"Idea {idea} was given up: too close twice.")
    yield from section("The self-review", bullets(lines))
    if it := state.read(cell(instance, "measures"), contents.MeasuresContent):
        numbers = (
            f"{name.upper()} {measures_cell.number(getattr(it, name))}: {said}."
            for name, said in measures_cell.TOLD.items()
        )
        rests_on = paragraph(measures_cell.behind(it))
        yield from section("Measures of novelty, a proxy", bullets(numbers), rests_on)


def _turn(state: State, instance: str, turn: int) -> Iterator[Block | None]:
    for name, who in (("sum", "as the leader sums it up"), ("mine", "the researcher after it")):
        address = cell(instance, name, turn)
        if said := state.read(address, contents.MineContent):
            yield paragraph(f"Turn {turn}, {who}:")
            yield passage(state, address, said.text)
    seats = course.seats(state, instance)
    struck = sum(course.struck(state, cell(instance, "said", turn, seat)) for seat in seats)
    if struck:
        number = count(struck, "reply", "replies")
        yield paragraph(f"Struck by the researcher in turn {turn}: {number}.")
