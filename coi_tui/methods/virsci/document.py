"""VirSci's part of a proposal: the team, what it discussed, how the idea was chosen, what the
self-review found, and the measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.base.cell_table import bullets, paragraph, passage, section
from coi_tui.methods.virsci import contents, measures
from coi_tui.methods.virsci.kinds import overlap_caption, votes_of
from coi_tui.methods.virsci.team import Team
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
from coi_tui.model.text import count, sentence


def virsci_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal; nothing without a branch."""
    if not branches:
        return MethodDocument()
    team = Team(state, instance, supposed=True)
    poll = team.read(contents.PollContent, "poll")
    said = f"{count(poll.abstentions, 'vote')} named no idea."
    warning = ProposalWarning("Abstentions", said, (f"{team.instance}/poll",))
    turns = count(team.bounds.turns, "turn")
    return MethodDocument(
        tuple(_sections(team, branches[0])),
        tuple(_provenance(team)),
        (warning,) if poll.abstentions else (),
        (
            f"VirSci with a team of {len(team.seats)} and at most {turns} a step; the paper's usual team has 4 and 5.",
            "The session's own papers and their authors stand in for the large collection of authors that the paper draws on.",
        ),
    )


def _sections(team: Team, branch: Branch) -> Iterator[Section]:
    people = team.read(contents.EcosystemContent, "people")
    if team.members:
        yield from section(
            "The team",
            paragraph(
                f"A team of {len(team.members)}, drawn among {count(len(people.people), 'author')} of {count(len(people.papers), 'paper')}. "
                "Its members are invented voices with masked profiles of real authors; none of these authors took part."
            ),
            bullets(f"{one.name}: {one.description}" for one in team.members),
            PaperList(tuple(PaperEntry(paper) for paper in people.papers)),
            branch=branch,
        )
    text = _passage(team, "subject")
    yield from section("The topic that the team chose", text, branch=branch)
    ideas, attempt = team.ranked(), team.attempt()
    taken = ideas[attempt - 1] if attempt else 0
    lines = (
        f"{sentence(title)} {count(votes, 'vote')}{', which became the abstract' if n == taken else ''}."
        for n, title, votes in votes_of(team)
    )
    version = team.state.in_use(f"{team.instance}/poll")
    if version is not None:
        by = "The winner was decided by the researcher." if version.by_person else ""
        yield from section("The vote", paragraph(by), bullets(lines), branch=branch)


def _passage(team: Team, name: str, *numbers: int) -> Block | None:
    """A text of the team, or of the person."""
    text = team.read(contents.SpokenContent, name, *numbers).text
    return passage(team.state, team.cell(name, *numbers), text) if text else None


def _provenance(team: Team) -> Iterator[Section]:
    """The leader's summaries and what the person said after each turn, the self-reviews and the
    measures."""
    turns = range(1, team.turns("sum") + 1)
    talk = (_passage(team, name, turn) for turn in turns for name in ("sum", "mine"))
    yield from section("The discussion", *talk)
    lines: list[str] = []
    for attempt, idea in enumerate(team.ranked(), 1):
        for review in (1, 2):
            if team.made("overlap", attempt, review):
                found = team.read(contents.OverlapContent, "overlap", attempt, review)
                lines.append(f"Idea {idea}, review {review}: {overlap_caption(found)}.")
        if team.discarded(attempt):
            lines.append(f"Idea {idea} was given up: too close twice.")
    yield from section("The self-review", bullets(lines))
    if team.made("measures"):
        it = team.read(measures.MeasuresContent, "measures")
        numbers = (
            f"{name.upper()} {measures.number(getattr(it, name))}: {said}."
            for name, said in measures.MEASURES.items()
        )
        rests_on = paragraph(measures.behind(it))
        yield from section("Measures of novelty, a proxy", bullets(numbers), rests_on)
