"""The cells of VirSci: who makes each, what a person may decide and edit, what is shown of it, and
what a key does on its rows."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.methods.base.cell_table import kinds_of, row, running_text, stored, table
from coi_tui.methods.ideas import kinds
from coi_tui.methods.virsci.team import (
    CLOSE,
    IDEA,
    SECTIONS,
    AbstractContent,
    EcosystemContent,
    MeasuresContent,
    MemberIdea,
    OverlapContent,
    PapersContent,
    PollContent,
    SaidContent,
    Spoken,
    Team,
    TeamContent,
    TurnSummary,
    VoteContent,
)
from coi_tui.model.document import Block, RowChange, RowKey, Transcript, Turn, TurnMark
from coi_tui.model.state import State
from coi_tui.model.text import Fields, count

# -- people and team


def people_table(state: State, address: str) -> Iterator[Block]:
    """Who may be invited; who they are only in the text of the row."""
    it = stored(state, address, EcosystemContent)
    rows = (
        row(one.name, one.name, one.profile(), who=it.names.get(one.name, "")) for one in it.people
    )
    return table("|profile", rows, it.note)


def team_table(state: State, address: str) -> Iterator[Block]:
    """The members, the leader first, then those who may be taken in."""
    it = stored(state, address, TeamContent)
    invited = {
        one.name: f"{'joined' if one.joined else 'refused'} ({one.chance:.1%} to be asked): {one.reason}"
        for one in it.invitations
    }
    marks = {1: "leader"} | dict.fromkeys(range(2, len(it.members) + 1), "member")
    rows = (
        row(
            one.name,
            marks.get(n, ""),
            one.name,
            one.description,
            invitation=invited.get(one.name, ""),
        )
        for n, one in enumerate([*it.members, *it.outsiders], 1)
    )
    note = "Space takes somebody in or out, p makes them the leader; later turns are stale then."
    return table("|member|profile", rows, note)


def team_change(state: State, address: str, name: str, key: RowKey) -> RowChange | None:
    """Take somebody in or out, or make them the leader; two stay."""
    it = stored(state, address, TeamContent)
    everybody = {one.name: one.model_dump() for one in (*it.members, *it.outsiders)}
    members = [one.name for one in it.members]
    others = [one for one in members if one != name]
    if name not in everybody:
        return None
    if key == "pin" and members[:1] != [name]:
        members, word, done = [name, *others], "lead", "leads the team"
    elif key in ("tick", "reject") and name in members and len(others) >= 2:
        members, word, done = others, "take out", "leaves the team"
    elif key in ("tick", "accept") and name not in members:
        members, word, done = [*members, name], "take in", "joins the team"
    else:
        return None
    content = {
        "members": [*map(everybody.get, members)],
        "outsiders": [everybody[one] for one in everybody if one not in members],
    }
    return RowChange(address, content, word, f"{name} {done}.")


# -- the discussion


def discussion(state: State, address: str) -> Iterator[Block]:
    """The text of the turn, then the discussion: who says what, answers of guests, the leader's
    summaries, and places for the person's words between the turns."""
    team = Team(state, address)
    turns = [turn for n in range(1, team.turns("sum") + 1) for turn in _turn(team, n)]
    yield from running_text(state, address)
    yield Transcript(tuple(turns), team.bounds.turns)


def _turn(team: Team, number: int) -> Iterator[Turn]:
    """The replies of a turn with those that are still to come, then the summary and the person's
    words, which may be written once there is one."""

    def spoken(name: str, who: str, *seat: int, note: str = "", usual: TurnMark = "") -> Turn:
        address = team.cell(name, number, *seat)
        version, mark = team.state.in_use(address), usual
        if team.state.cell(address).rejected:
            mark = "deleted"
        elif version is not None and version.by_person:
            mark = "yours"
        return Turn(who, stored(team.state, address, Spoken).text, note, address, mark, number)

    for seat, member in enumerate(team.members, 1):
        yield spoken("said", member.name, seat)
        it = team.read(SaidContent, "said", number, seat)
        if it.answer:
            note = f"to {member.name}: {it.question}"
            yield Turn(it.guest, it.answer, note, mark="guest", number=number)
    leader = team.members[0].name if team.members else "the leader"
    yield spoken("sum", leader, note=f"summary of turn {number}", usual="leader")
    if team.made("sum", number):
        yield spoken("mine", "You", note=f"after turn {number}", usual="yours")


# -- ideas and votes


def ideas_table(state: State, address: str) -> Iterator[Block]:
    """The best ideas with the scores that their authors gave them, and their votes."""
    team = Team(state, address)
    poll = team.read(PollContent, "poll")
    votes = {one.draft: one.votes for one in poll.counts}
    rows = []
    for item in votes or team.voted():
        one, mark = team.read(MemberIdea, "draft", item), "wins" if item == poll.winner else ""
        text = {"idea": one.idea, "experiment": one.experiment}
        rows.append(
            row(item, mark, item, f"{one.score:.2f}", votes.get(item, ""), one.title, **text)
        )
    note = "Space lets an idea win; reject a draft to put the next best to the vote."
    return table("|draft|score|votes|title", rows, note)


def poll_change(state: State, address: str, draft: str, key: RowKey) -> RowChange | None:
    """The person's deciding vote."""
    it = stored(state, address, PollContent)
    drafts = [one.draft for one in it.counts]
    if draft == it.winner or draft not in drafts or key not in ("tick", "accept"):
        return None
    return RowChange(address, {"winner": draft}, "let it win", f"Draft {draft} wins.")


def _poll(it: PollContent) -> str:
    outcome = f"draft {it.winner} wins" if it.ranked() else "no idea wins: say which"
    votes = " to ".join(str(one.votes) for one in it.counts)
    return f"{outcome}, {votes} votes, {count(it.abstentions, 'abstention')}"


def _overlap(it: OverlapContent) -> str:
    most = max((one.score for one in it.rows), default=0)
    close = "too close to earlier work; " * it.close
    return f"{close}closest of {count(len(it.rows), 'paper')}: {most} of 100 (limit {CLOSE})"


# -- the cells

kind = kinds_of("V")
WITHOUT: Fields = {"has_verdict": False, "optional": True}
OF_REPLY = {**WITHOUT, "decisions": kinds.OF_TEXT | {"reject"}}
ABSTRACT = {**WITHOUT, "edits": f"title {' '.join(SECTIONS)} changes"}
SUMMARY = {**WITHOUT, "edits": "text enough", "item": "1", "label": "summary"}
PAPERS: Fields = {
    "optional": True,
    "item": "1.2",
    "caption": lambda it: count(len(it.papers), "paper"),
    "rows": ("papers", "title", "searched"),
}
OWN_KINDS = (
    kind(
        "people",
        "People behind the papers",
        EcosystemContent,
        "virsci people",
        "people",
        role="people",
        caption=lambda it: count(len(it.people), "person", "people"),
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
        SaidContent,
        "virsci turn",
        "topic-1",
        "text",
        item="1.2",
        document=discussion,
        writes_idea=True,
        **OF_REPLY,
    ),
    kind(
        "sum",
        "Summary of a turn",
        TurnSummary,
        "virsci summary",
        "topic-1",
        document=discussion,
        **SUMMARY,
    ),
    kind(
        "mine",
        "Your words after a turn",
        Spoken,
        edits="text",
        item="1",
        decisions=frozenset({"edit", "adopt", "note", "reject"}),
        label="you",
        document=discussion,
        has_verdict=False,
    ),
    kind(
        "subject", "Topic of the team", Spoken, "virsci subject", "subject", "text", label="topic"
    ),
    kind(
        "found",
        "References of an idea",
        PapersContent,
        "virsci references",
        "drafts-1",
        label="references",
        **PAPERS,
    ),
    kind(
        "draft",
        "Idea of a member",
        MemberIdea,
        "virsci idea turn",
        "drafts-1",
        f"{' '.join(IDEA)} clarity feasibility novelty",
        item="1.2",
        main="idea",
        writes_idea=True,
        **OF_REPLY,
    ),
    kind(
        "digest",
        "Summary of the ideas of a turn",
        TurnSummary,
        "virsci summary",
        "drafts-1",
        **SUMMARY,
    ),
    kind("near", "Papers near an idea", PapersContent, "virsci references", "vote", **PAPERS),
    kind(
        "vote",
        "Vote",
        VoteContent,
        "virsci vote",
        "vote",
        "choice reason",
        item="2",
        caption=lambda it: f"draft {it.choice}" if it.choice else "abstains",
        **OF_REPLY,
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
        document=ideas_table,
        row_change=poll_change,
    ),
    kind(
        "abstract",
        "Abstract",
        AbstractContent,
        "virsci abstract",
        "abstract",
        item="1.2",
        writes_idea=True,
        **ABSTRACT,
    ),
    kind(
        "overlap",
        "Self-review",
        OverlapContent,
        "virsci self-review",
        "overlap",
        "close",
        item="1.1",
        caption=_overlap,
        rows=("rows", "score title"),
        **WITHOUT,
    ),
    kind(
        "revised",
        "Revised abstract",
        AbstractContent,
        "virsci abstract",
        "overlap",
        item="1",
        writes_idea=True,
        **ABSTRACT,
    ),
    kind(
        "measures",
        "Measures of novelty, a proxy",
        MeasuresContent,
        "virsci measures",
        "overlap",
        main="note",
    ),
    kinds.RIVALS,
    kinds.idea("virsci idea", "ideas"),
)
