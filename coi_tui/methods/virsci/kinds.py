"""The cells of VirSci: what each holds, who makes it, what a person may decide and edit, what is
shown of it, and what a key does on its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coi_tui.methods.base.cell_table import (
    held,
    kinds_of,
    nth,
    row,
    running_text,
    table,
    title_of,
)
from coi_tui.methods.ideas import kinds
from coi_tui.methods.virsci import contents, measures
from coi_tui.methods.virsci.contents import (
    PLACES,
    Chosen,
    EcosystemContent,
    IdeaDraft,
    PollContent,
    TeamContent,
)
from coi_tui.methods.virsci.course import Team, struck
from coi_tui.model.content import Named
from coi_tui.model.document import Block, RowChange, RowKey, Transcript, Turn, TurnMark
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count

SHORT = 16
"""Words of a text in its line of the tree."""
OF_REPLY = kinds.OF_TEXT | {"reject"}


# -- people and team


def people_table(state: State, address: str) -> Iterator[Block]:
    """Who may be invited: what they work on and how much they wrote; who they are only in the text
    of the row."""
    it = held(state, address, EcosystemContent)
    rows = (
        row(
            one.name,
            one.name,
            one.papers or "",
            f"works on {', '.join(one.topics) or 'this field'}",
            affiliation=one.affiliation,
            citations="" if one.citations is None else f"{one.citations:,}",
            real_name=it.names.get(one.name, ""),
            wrote_with="\n".join(
                f"- {name}: {count(number, 'paper')}" for name, number in sorted(one.met.items())
            ),
        )
        for one in it.people
    )
    return table("|papers|works on", rows, it.note)


def _others(state: State, address: str) -> list[Named]:
    """People of the ecosystem who are not in the team."""
    team = Team(state, address)
    it = team.read(EcosystemContent, "people") or EcosystemContent()
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
    turns = range(1, team.turns("sum") + 1)
    said = tuple(said for turn in turns for said in _turn(team, turn))
    yield from running_text(state, address)
    yield Transcript(said, team.bounds.turns)


def _turn(team: Team, number: int) -> Iterator[Turn]:
    """The replies of a turn with those that are still to come, then the summary and the person's
    words, which may be written once there is one."""
    asking = team.guests(number)
    for seat, member in enumerate(team.members, 1):
        yield _spoken(team, "said", (number, seat), member.name)
        said = team.read(contents.SaidContent, "said", number, seat)
        if seat in asking and said is not None and said.guest is not None:
            told = f"to {member.name}: {said.guest.question}"
            yield _spoken(team, "guest", (number, seat), said.guest.name, told, "guest")
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
    mark = "deleted" if struck(team.state, address) else mark
    return Turn(who, _words(team.state, address), note, address, mark, place[0])


def _words(state: State, address: str) -> str:
    it = held(state, address, contents.MineContent)
    return it.text or it.struck


def strike(state: State, address: str, _row: str, key: RowKey) -> RowChange | None:
    """Strike a reply, so that no later prompt is shown it, or take it in again."""
    text = _words(state, address)
    if key != "reject" or not text:
        return None
    if struck(state, address):
        fields = {"text": text, "struck": ""}
        return RowChange(address, fields, "take in", "This turn counts again.")
    fields = {"text": "", "struck": text}
    return RowChange(address, fields, "strike", "This turn is struck: later turns do not see it.")


def papers_table(state: State, address: str) -> Iterator[Block]:
    """The papers of a search."""
    it = held(state, address, contents.PapersContent)
    papers = enumerate(it.papers, 1)
    rows = (row(paper, n, title_of(state, paper), paper=paper) for n, paper in papers)
    return table("rank|title", rows, f"Searched: {it.query}" if it.query else "")


# -- ideas and votes


def _drafts(state: State, address: str) -> tuple[list[str], dict[str, IdeaDraft]]:
    """The ideas in the vote by their numbers, and all that nobody struck, those with the best own
    scores first."""
    team = Team(state, address)
    found = {item: held(state, f"{team.instance}/draft{item}", IdeaDraft) for item in team.drafts()}
    chosen = [one.of for one in team.ideas()]
    return chosen, dict(sorted(found.items(), key=lambda one: -one[1].score))


def best_table(state: State, address: str) -> Iterator[Block]:
    """Every idea by its own score, those in the vote marked and first."""
    chosen, drafts = _drafts(state, address)
    order = dict.fromkeys([*(item for item in chosen if item in drafts), *drafts])
    rows = (
        row(
            item,
            chosen.index(item) + 1 if item in chosen else "",
            item,
            f"{drafts[item].score:.2f}",
            drafts[item].title,
            idea=drafts[item].idea,
            experiment=drafts[item].experiment,
        )
        for item in order
    )
    note = "The first three go into the vote. a puts an idea in place of the third, x takes one out for the next best."
    return table("vote|draft|score|title", rows, note)


def best_change(state: State, address: str, item: str, key: RowKey) -> RowChange | None:
    """Put an idea into the vote, or take one out for the next best."""
    inside, drafts = _drafts(state, address)
    others = [one for one in drafts if one not in inside]
    if item in others and inside and key in ("tick", "accept"):
        items, word = [*inside[: len(PLACES) - 1], item], "put to the vote"
    elif item in inside and others and key in ("tick", "reject"):
        items, word = [*(one for one in inside if one != item), others[0]], "take out"
    else:
        return None
    rows = (drafts.get(one, IdeaDraft()).chosen(one) for one in items)
    content = dict(zip(PLACES, rows, strict=False))
    return RowChange(address, content, word, f"Idea {items[-1]} goes into the vote.")


def votes_of(team: Team) -> Iterable[tuple[int, Chosen, int]]:
    """The number of each idea in the vote, the idea, and its votes."""
    counts = (team.read(PollContent, "poll") or PollContent()).counts
    for n, one in enumerate(team.ideas(), 1):
        yield n, one, nth(counts, str(n)) or 0


def poll_table(state: State, address: str) -> Iterator[Block]:
    """The three ideas with their votes; the winner marked."""
    it = held(state, address, PollContent)
    rows = (
        row(n, "wins" if it.winner == n else "", n, votes, one.title, idea=one.idea)
        for n, one, votes in votes_of(Team(state, address))
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


def overlap_table(state: State, address: str) -> Iterator[Block]:
    """The papers nearest to the abstract, with how similar they are."""
    it = held(state, address, contents.OverlapContent)
    rows = (
        row(
            one.paper,
            "too close" if one.score >= it.bound else "",
            one.score,
            one.title,
            paper=one.paper,
            reason=one.reason,
        )
        for one in it.rows
    )
    return table("|of 100|title", rows, overlap_caption(it))


def overlap_caption(it: contents.OverlapContent) -> str:
    most = max((one.score for one in it.rows), default=0)
    said = "too close to earlier work; " if it.close else ""
    return f"{said}closest of {count(len(it.rows), 'paper')}: {most} of 100 (limit {it.bound})"


# -- the cells


def _said(it: contents.MineContent) -> str:
    return f"struck: {clipped(it.struck, SHORT)}" if it.struck else clipped(it.text, SHORT)


def _vote(it: contents.VoteContent) -> str:
    return f"idea {it.choice}" if it.choice else "abstains"


def _papers(it: contents.PapersContent) -> str:
    return count(len(it.papers), "paper")


def _title(it: contents.IdeaDraft | contents.AbstractContent) -> str:
    return it.title


kind = kinds_of("V")
TALK = {"document": discussion, "row_change": strike, "has_verdict": False}
ABSTRACT = f"title {' '.join(contents.SECTIONS)} scores changes"
OWN_KINDS = (
    kind(
        "people",
        "People behind the papers",
        contents.EcosystemContent,
        "virsci people",
        "people",
        caption=lambda it: (
            f"{count(len(it.people), 'person', 'people')} behind {count(len(it.papers), 'paper')}"
        ),
        document=people_table,
    ),
    kind(
        "team",
        "Team",
        contents.TeamContent,
        "virsci team",
        "team",
        "members",
        caption=lambda it: (
            f"{count(len(it.members), 'member')}: {', '.join(one.name for one in it.members)}"
        ),
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
        caption=_said,
        **TALK,
    ),
    kind(
        "guest",
        "Answer of a guest",
        contents.SaidContent,
        "virsci guest",
        "topic-1",
        "text",
        item="1.2",
        decisions=OF_REPLY,
        caption=_said,
        **TALK,
    ),
    kind(
        "sum",
        "Summary of a turn",
        contents.SummaryContent,
        "virsci summary",
        "topic-1",
        "text enough",
        item="1",
        document=discussion,
        has_verdict=False,
        label="summary",
    ),
    kind(
        "mine",
        "Your words after a turn",
        contents.MineContent,
        edits="text",
        item="1",
        decisions=frozenset({"edit", "adopt", "note", "reject"}),
        label="you",
        caption=_said,
        **TALK,
    ),
    kind(
        "subject",
        "Topic of the team",
        contents.SubjectContent,
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
        caption=_papers,
        document=papers_table,
    ),
    kind(
        "draft",
        "Idea of a member",
        contents.IdeaDraft,
        "virsci idea turn",
        "drafts-1",
        "title idea experiment clarity feasibility novelty",
        item="1.2",
        decisions=OF_REPLY,
        main="idea",
        caption=_title,
        has_verdict=False,
    ),
    kind(
        "digest",
        "Summary of the ideas of a turn",
        contents.SummaryContent,
        "virsci digest",
        "drafts-1",
        "text enough",
        item="1",
        has_verdict=False,
        label="summary",
    ),
    kind(
        "best",
        "Three best ideas",
        contents.BestContent,
        "virsci best",
        "vote",
        label="three best",
        caption=lambda it: "; ".join(one.title for one in it.all()),
        document=best_table,
        row_change=best_change,
    ),
    kind(
        "near",
        "Papers near an idea",
        contents.PapersContent,
        "virsci related",
        "vote",
        item="1",
        caption=_papers,
        document=papers_table,
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
        contents.PollContent,
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
        ABSTRACT,
        item="1.1.2",
        caption=_title,
        has_verdict=False,
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
        document=overlap_table,
        has_verdict=False,
    ),
    kind(
        "revised",
        "Revised abstract",
        contents.AbstractContent,
        "virsci revision",
        "overlap",
        ABSTRACT,
        item="1.2",
        caption=_title,
        has_verdict=False,
    ),
    kind(
        "measures",
        "Measures of novelty, a proxy",
        contents.MeasuresContent,
        "virsci measures",
        "overlap",
        caption=measures.measures_caption,
        document=measures.measures_table,
    ),
    kinds.RIVALS,
    kinds.idea("virsci idea", "ideas"),
)
