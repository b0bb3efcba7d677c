"""The cells of VirSci: what each holds, who makes it, what a person may decide and edit, what is
shown of it, and what a key does on its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coi_tui.methods.base.cell_table import (
    held,
    kinds_of,
    listing,
    nth,
    row,
    running_text,
    table,
    title_of,
)
from coi_tui.methods.ideas import kinds
from coi_tui.methods.virsci import contents, measures
from coi_tui.methods.virsci.contents import (
    CLOSE,
    EcosystemContent,
    IdeaDraft,
    PollContent,
    TeamContent,
)
from coi_tui.methods.virsci.team import Team
from coi_tui.model.content import Named
from coi_tui.model.document import Block, RowChange, RowKey, Transcript, Turn, TurnMark
from coi_tui.model.state import State
from coi_tui.model.text import count

SHORT = 16
"""Words of a text in its line of the tree."""
OF_REPLY = kinds.OF_TEXT | {"reject"}


# -- people and team


def people_table(state: State, address: str) -> Iterator[Block]:
    """Who may be invited; who they are only in the text of the row."""
    it = held(state, address, EcosystemContent)
    rows = (
        row(
            one.name,
            one.name,
            one.profile(),
            affiliation=one.affiliation,
            real_name=it.names.get(one.name, ""),
        )
        for one in it.people
    )
    return table("|profile", rows, it.note)


def _others(state: State, address: str) -> list[Named]:
    """People of the ecosystem who are not in the team."""
    team = Team(state, address)
    it = team.read(EcosystemContent, "people")
    taken = {one.name for one in team.members}
    people = [one for one in it.people if one.name not in taken]
    return [Named(name=one.name, description=one.profile()) for one in people]


def team_table(state: State, address: str) -> Iterator[Block]:
    """The members, the leader first, then those who may be taken in."""
    team = held(state, address, TeamContent)
    told = {
        one.name: f"{'joined' if one.joined else 'refused'}, with a probability of {one.chance:.3f}"
        f" of being asked: {one.reason}"
        for one in team.invitations
    }
    marks = ["leader", *["member"] * (len(team.members) - 1)]
    others = _others(state, address)
    everybody = zip([*team.members, *others], [*marks, *[""] * len(others)], strict=False)
    rows = (
        row(one.name, mark, one.name, one.description, invitation=told.get(one.name, ""))
        for one, mark in everybody
    )
    note = "Space takes somebody in or out, p makes them the leader; later turns are stale then."
    return table("|member|profile", rows, f"{team.note} {note}".strip())


def team_change(state: State, address: str, name: str, key: RowKey) -> RowChange | None:
    """Take somebody in or out, or make them the leader; two stay."""
    team = held(state, address, TeamContent)
    inside = [one for one in team.members if one.name == name]
    others = [one for one in team.members if one.name != name]
    found = inside or [one for one in _others(state, address) if one.name == name]
    if not team.members or not found:
        return None
    if key == "pin" and team.members[0].name != name:
        members, word, said = [*found, *others], "lead", "leads the team"
    elif key in ("tick", "reject") and inside and len(others) >= 2:
        members, word, said = others, "take out", "leaves the team"
    elif key in ("tick", "accept") and not inside:
        members, word, said = [*others, *found], "take in", "joins the team"
    else:
        return None
    rows = [one.model_dump() for one in members]
    return RowChange(address, {"members": rows}, word, f"{name} {said}.")


# -- the discussion


def discussion(state: State, address: str) -> Iterator[Block]:
    """The text of the turn, then the discussion: who says what, answers of guests, the leader's summaries, and places for the
    person's words between the turns."""
    team = Team(state, address)
    turns = [turn for n in range(1, team.turns("sum") + 1) for turn in _turn(team, n)]
    yield from running_text(state, address)
    yield Transcript(tuple(turns), team.bounds.turns)


def _turn(team: Team, number: int) -> Iterator[Turn]:
    """The replies of a turn with those that are still to come, then the summary and the person's
    words, which may be written once there is one."""
    for seat, member in enumerate(team.members, 1):
        yield _spoken(team, "said", (number, seat), member.name)
        said = team.read(contents.SaidContent, "said", number, seat)
        if said.answer:
            note = f"to {member.name}: {said.question}"
            yield Turn(said.guest, said.answer, note, mark="guest", number=number)
    leader = team.members[0].name if team.members else "the leader"
    yield _spoken(team, "sum", (number,), leader, f"summary of turn {number}", "leader")
    if team.made("sum", number):
        yield _spoken(team, "mine", (number,), "You", f"after turn {number}", "yours")


def _spoken(
    team: Team, name: str, place: tuple[int, ...], who: str, note: str = "", usual: TurnMark = ""
) -> Turn:
    address = team.cell(name, *place)
    version = team.state.in_use(address)
    mark: TurnMark = "yours" if version is not None and version.by_person else usual
    mark = "deleted" if team.state.cell(address).rejected else mark
    text = held(team.state, address, contents.SpokenContent).text
    return Turn(who, text, note, address, mark, place[0])


def papers_table(state: State, address: str) -> Iterator[Block]:
    """The papers of a search."""
    it = held(state, address, contents.PapersContent)
    papers = enumerate(it.papers, 1)
    rows = (row(paper, n, title_of(state, paper), paper=paper) for n, paper in papers)
    return table("rank|title", rows, f"Searched: {it.query}" if it.query else "")


# -- ideas and votes


def best_table(state: State, address: str) -> Iterator[Block]:
    """The ideas that go into the vote."""
    team = Team(state, address)
    drafts = ((item, team.read(IdeaDraft, "draft", item)) for item in team.voted())
    rows = (
        row(item, item, f"{one.score:.2f}", one.title, idea=one.idea, experiment=one.experiment)
        for item, one in drafts
    )
    yield from table("draft|score|title", rows, "Reject a draft to put the next best to the vote.")


def votes_of(team: Team) -> Iterable[tuple[int, str, int]]:
    """The number of each idea in the vote, its title, and its votes."""
    counts = team.read(PollContent, "poll").counts
    for n, item in enumerate(team.voted(), 1):
        yield n, team.read(IdeaDraft, "draft", item).title, nth(counts, str(n)) or 0


def poll_table(state: State, address: str) -> Iterator[Block]:
    """The three ideas with their votes; the winner marked."""
    it = held(state, address, PollContent)
    rows = (
        row(n, "wins" if it.winner == n else "", n, votes, title)
        for n, title, votes in votes_of(Team(state, address))
    )
    note = f"{count(it.abstentions, 'abstention')}. Space on an idea lets it win."
    return table("|idea|votes|title", rows, note)


def poll_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """The person's deciding vote."""
    it = held(state, address, PollContent)
    winner = nth(sorted(it.order), number)
    if winner in (None, it.winner) or key not in ("tick", "accept"):
        return None
    return RowChange(address, {"winner": winner}, "let it win", f"Idea {winner} wins.")


def _poll(it: PollContent) -> str:
    votes = " to ".join(map(str, it.counts))
    return (
        f"{f'idea {it.winner} wins' if it.ranked() else 'no idea wins: say which'}, {votes} votes"
    )


# -- abstracts


def overlap_caption(it: contents.OverlapContent) -> str:
    most = max((one.score for one in it.rows), default=0)
    said = "too close to earlier work; " if it.close else ""
    return f"{said}closest of {count(len(it.rows), 'paper')}: {most} of 100 (limit {CLOSE})"


# -- the cells


def _vote(it: contents.VoteContent) -> str:
    return f"idea {it.choice}" if it.choice else "abstains"


def _papers(it: contents.PapersContent) -> str:
    return count(len(it.papers), "paper")


kind = kinds_of("V")
TALK = {"document": discussion, "has_verdict": False}
SUMMARY = {"item": "1", "has_verdict": False, "label": "summary"}
ABSTRACT = {
    "edits": f"title {' '.join(contents.SECTIONS)} changes",
    "has_verdict": False,
}
PAPERS = {"caption": _papers, "document": papers_table}
OWN_KINDS = (
    kind(
        "people",
        "People behind the papers",
        EcosystemContent,
        "virsci people",
        "people",
        document=people_table,
    ),
    kind(
        "team",
        "Team",
        TeamContent,
        "virsci team",
        "team",
        "members",
        document=team_table,
        row_change=team_change,
    ),
    kind(
        "said",
        "Reply in the discussion",
        contents.SaidContent,
        "virsci turn",
        "topic-1",
        "text",
        item="1.2",
        decisions=OF_REPLY,
        **TALK,
    ),
    kind(
        "sum",
        "Summary of a turn",
        contents.SummaryContent,
        "virsci summary",
        "topic-1",
        "text enough",
        document=discussion,
        **SUMMARY,
    ),
    kind(
        "mine",
        "Your words after a turn",
        contents.SpokenContent,
        edits="text",
        item="1",
        decisions=frozenset({"edit", "adopt", "note", "reject"}),
        label="you",
        **TALK,
    ),
    kind(
        "subject",
        "Topic of the team",
        contents.SpokenContent,
        "virsci subject",
        "subject",
        "text",
        label="topic",
    ),
    kind(
        "found",
        "References of an idea",
        contents.PapersContent,
        "virsci references",
        "drafts-1",
        item="1.2",
        label="references",
        **PAPERS,
    ),
    kind(
        "draft",
        "Idea of a member",
        IdeaDraft,
        "virsci idea turn",
        "drafts-1",
        "title idea experiment clarity feasibility novelty",
        item="1.2",
        decisions=OF_REPLY,
        main="idea",
        has_verdict=False,
    ),
    kind(
        "digest",
        "Summary of the ideas of a turn",
        contents.SummaryContent,
        "virsci summary",
        "drafts-1",
        "text enough",
        **SUMMARY,
    ),
    kind(
        "best",
        "Three best ideas",
        contents.BestContent,
        "virsci best",
        "vote",
        label="three best",
        document=best_table,
    ),
    kind(
        "near",
        "Papers near an idea",
        contents.PapersContent,
        "virsci references",
        "vote",
        item="1",
        **PAPERS,
    ),
    kind(
        "vote",
        "Vote",
        contents.VoteContent,
        "virsci vote",
        "vote",
        "choice reason",
        item="1.2",
        decisions=OF_REPLY,
        caption=_vote,
        has_verdict=False,
    ),
    kind(
        "poll",
        "Outcome of the vote",
        PollContent,
        "virsci poll",
        "vote",
        "winner",
        label="outcome",
        caption=_poll,
        document=poll_table,
        row_change=poll_change,
    ),
    kind(
        "abstract",
        "Abstract",
        contents.AbstractContent,
        "virsci abstract",
        "abstract",
        item="1.1.2",
        **ABSTRACT,
    ),
    kind(
        "overlap",
        "Self-review",
        contents.OverlapContent,
        "virsci self-review",
        "overlap",
        "close",
        item="1.1",
        caption=overlap_caption,
        document=listing(contents.OverlapContent, "rows", "score title"),
        has_verdict=False,
    ),
    kind(
        "revised",
        "Revised abstract",
        contents.AbstractContent,
        "virsci abstract",
        "overlap",
        item="1",
        **ABSTRACT,
    ),
    kind(
        "measures",
        "Measures of novelty, a proxy",
        measures.MeasuresContent,
        "virsci measures",
        "overlap",
        caption=measures.measures_caption,
        document=measures.measures_table,
    ),
    kinds.RIVALS,
    kinds.idea("virsci idea", "ideas"),
)
