"""What is shown of VirSci's cells: people and team, the discussion as a transcript, ideas, votes and reviews as tables, with their keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coi_tui.methods.virsci import contents, course
from coi_tui.methods.virsci.contents import (
    PLACES,
    YOU,
    EcosystemContent,
    IdeaDraft,
    PollContent,
    Scientist,
    TeamContent,
)
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.ideas import chosen
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.model.address import parse_address
from coi_tui.model.content import Named
from coi_tui.model.state import State
from coi_tui.model.views import (
    RowChange,
    RowKey,
    TableRow,
    TableView,
    TranscriptView,
    Turn,
    TurnMark,
)
from coi_tui.model.wording import count


def _paper(state: State, paper: str) -> str:
    return known.title if (known := state.papers.get(paper)) else paper


# -- people and team ----------------------------------------------------------------------------------------------------


def people_table(state: State, address: str) -> TableView:
    """Who may be invited: what they work on and how much they wrote; a name only where the person asked for it."""
    held = state.read(address, EcosystemContent) or EcosystemContent()
    rows = [
        TableRow(
            one.name, (one.name, str(one.papers or ""), _works_on(one, held)), _person_told(one)
        )
        for one in held.people
    ]
    note = f"{count(len(held.people), 'person', 'people')} behind {count(len(held.papers), 'paper')}. Space shows or hides a name."
    return TableView(("", "papers", "works on"), tuple(rows), f"{note} {held.note}".strip())


def _works_on(one: Scientist, held: EcosystemContent) -> str:
    real = f" ({held.names.get(one.name, '')})" if one.name in held.shown else ""
    return (
        f"works on {', '.join(one.topics) or 'this field'}, {count(one.papers or 0, 'paper')}{real}"
    )


def _person_told(one: Scientist) -> tuple[tuple[str, str], ...]:
    met = "\n".join(
        f"- {name}: {count(number, 'paper')}" for name, number in sorted(one.met.items())
    )
    cited = "" if one.citations is None else f"cited {one.citations:,} times"
    told = (("WORKS ON", ", ".join(one.topics)), ("CITATIONS", cited), ("WROTE WITH", met))
    return tuple((heading, said) for heading, said in told if said)


def people_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Show or hide a real name. No prompt reads it either way."""
    held = state.read(address, EcosystemContent)
    if held is None or key != "tick" or row not in held.names:
        return None
    on = row not in held.shown
    shown = [*held.shown, row] if on else [name for name in held.shown if name != row]
    said = f"{row} is {held.names[row]}." if on else f"The name of {row} is hidden."
    return RowChange(address, {"shown": shown}, "show the name" if on else "hide the name", said)


def team_table(state: State, address: str) -> TableView:
    """The members, the leader first, then those who may be taken in."""
    team = state.read(address, TeamContent) or TeamContent()
    asked = {one.name: one for one in team.invitations}
    rows = [_member(n, one, asked.get(one.name)) for n, one in enumerate(team.members, start=1)]
    rows += [
        TableRow(one.name, ("", one.name, one.description), _answer(asked.get(one.name)))
        for one in _others(state, address, team)
    ]
    note = "Space takes somebody in or out, p makes them the leader; later turns are stale then."
    return TableView(("", "member", "profile"), tuple(rows), f"{team.note} {note}".strip())


def _member(n: int, one: Named, invited: contents.Invitation | None) -> TableRow:
    return TableRow(
        one.name, ("leader" if n == 1 else "member", one.name, one.description), _answer(invited)
    )


def _answer(invited: contents.Invitation | None) -> tuple[tuple[str, str], ...]:
    if invited is None:
        return ()
    said = f"{'joined' if invited.joined else 'refused'}, invited with a probability of {invited.chance:.3f}"
    return (("INVITATION", said), ("REASON", invited.reason))


def _others(state: State, address: str, team: TeamContent) -> list[Named]:
    """People of the ecosystem who are not in the team, then the person, where they have no seat."""
    held = (
        state.read(cell(parse_address(address).instance, "people"), EcosystemContent)
        or EcosystemContent()
    )
    taken = {one.name for one in team.members}
    people = [
        Named(name=one.name, description=one.profile())
        for one in held.people
        if one.name not in taken
    ]
    own = (
        []
        if YOU in taken
        else [Named(name=YOU, description="the researcher whose session this is")]
    )
    return [*people, *own]


def team_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Take somebody in or out, or make them the leader."""
    team = state.read(address, TeamContent)
    if team is None:
        return None
    inside = [one for one in team.members if one.name == row]
    free = [one for one in _others(state, address, team) if one.name == row]
    return (
        _member_change(address, team, inside[0], key)
        if inside
        else _outsider_change(address, team, free[0], key)
        if free
        else None
    )


def _member_change(address: str, team: TeamContent, one: Named, key: RowKey) -> RowChange | None:
    others = [other for other in team.members if other.name != one.name]
    if key == "pin" and team.members[0].name != one.name:
        return _seated(address, [one, *others], "lead", f"{_subject(one)} the team.")
    left = "You leave the table." if one.name == YOU else f"{one.name} leaves the team."
    return (
        _seated(address, others, "take out", left)
        if key in ("tick", "reject") and len(others) >= 2
        else None
    )


def _outsider_change(address: str, team: TeamContent, one: Named, key: RowKey) -> RowChange | None:
    if key == "pin":
        return _seated(address, [one, *team.members], "lead", f"{_subject(one)} the team.")
    joined = "You have a seat at the table." if one.name == YOU else f"{one.name} joins the team."
    return (
        _seated(address, [*team.members, one], "take in", joined)
        if key in ("tick", "accept")
        else None
    )


def _subject(one: Named) -> str:
    return "You lead" if one.name == YOU else f"{one.name} leads"


def _seated(address: str, members: list[Named], word: str, said: str) -> RowChange:
    return RowChange(address, {"members": [one.model_dump() for one in members]}, word, said)


def team_caption(held: TeamContent) -> str:
    return f"{count(len(held.members), 'member')}: {', '.join(one.name for one in held.members)}"


# -- the discussion -----------------------------------------------------------------------------------------------------


def transcript(state: State, address: str) -> TranscriptView:
    """The discussion: who says what, answers of guests, the leader's summaries, and places for the person's words between the turns."""
    instance = parse_address(address).instance
    turns = range(1, course.topic_turns(state, instance) + 1)
    return TranscriptView(
        tuple(said for turn in turns for said in _turn(state, instance, turn)),
        bounds_of(state, instance).turns,
    )


def _turn(state: State, instance: str, number: int) -> Iterator[Turn]:
    """The replies of a turn with those that are still to come, then the summary and the person's words."""
    asking = course.guests(state, instance, number)
    for seat, member in enumerate(course.members(state, instance), start=1):
        said = cell(instance, "said", number, seat)
        yield Turn(member.name, _words(state, said), "", said, _mark(state, said), number)
        if seat in asking:
            yield _guest_turn(
                state, said, cell(instance, "guest", number, seat), member.name, number
            )
    yield from _between(state, instance, number)


def _words(state: State, address: str) -> str:
    held = (
        state.content(version, contents.MineContent)
        if (version := state.in_use(address)) is not None
        else contents.MineContent()
    )
    return held.text or held.struck


def _mark(state: State, address: str, usual: TurnMark = "") -> TurnMark:
    if course.struck(state, address):
        return "struck"
    version = state.in_use(address)
    written = version is not None and version.by_person
    return "yours" if written or course.is_yours(state, address) else usual


def _guest_turn(state: State, asked_in: str, address: str, member: str, number: int) -> Turn:
    said = state.read(asked_in, contents.SaidContent) or contents.SaidContent()
    asked = said.guest or contents.GuestQuestion()
    return Turn(
        asked.name,
        _words(state, address),
        f"to {member}: {asked.question}",
        address,
        _mark(state, address, "guest"),
        number,
    )


def _between(state: State, instance: str, number: int) -> Iterator[Turn]:
    """What stands between two turns: the leader's summary, and the person's words, which may be written once there is one."""
    summary, mine = cell(instance, "sum", number), cell(instance, "mine", number)
    leader = next((one.name for one in course.members(state, instance)), "the leader")
    yield Turn(
        leader,
        _words(state, summary),
        f"summary of turn {number}",
        summary,
        _mark(state, summary, "leader"),
        number,
    )
    if state.in_use(summary) is not None:
        yield Turn(
            YOU,
            _words(state, mine),
            f"after turn {number}",
            mine,
            "struck" if course.struck(state, mine) else "yours",
            number,
        )


def strike(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Strike a reply, so that no later prompt is shown it, or take it in again."""
    if key != "reject" or not (text := _words(state, address)):
        return None
    if course.struck(state, address):
        return RowChange(
            address, {"text": text, "struck": ""}, "take in", "This turn counts again."
        )
    return RowChange(
        address,
        {"text": "", "struck": text},
        "strike",
        "This turn is struck: later turns do not see it.",
    )


def said_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """Who speaks and what they say; whom they ask."""
    team, seat = course.members(state, parse_address(address).instance), course.seat_of(address)
    said = state.read(address, contents.SaidContent) or contents.SaidContent()
    yield (team[seat - 1].name if 1 <= seat <= len(team) else "REPLY"), said.text
    if said.struck:
        yield "STRUCK", said.struck
    if said.guest is not None:
        yield f"ASKS {said.guest.name}", said.guest.question


def papers_table(state: State, address: str) -> TableView:
    """The papers of a search."""
    held = state.read(address, contents.PapersContent) or contents.PapersContent()
    rows = tuple(
        TableRow(paper, (str(n), _paper(state, paper)), paper=paper)
        for n, paper in enumerate(held.papers, start=1)
    )
    return TableView(("rank", "title"), rows, f"Searched: {held.query}" if held.query else "")


# -- ideas and votes ----------------------------------------------------------------------------------------------------


def draft_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The idea with its author's scores."""
    draft = state.read(address, IdeaDraft) or IdeaDraft()
    scores = f"clarity {draft.clarity}, feasibility {draft.feasibility}, novelty {draft.novelty}; {draft.score:.2f} with novelty twice"
    yield from (
        ("TITLE", draft.title),
        ("IDEA", draft.idea),
        ("EXPERIMENT", draft.experiment),
        ("OWN SCORES", scores),
    )


def best_table(state: State, address: str) -> TableView:
    """Every idea by its own score, those in the vote marked."""
    instance = parse_address(address).instance
    held = state.read(address, contents.BestContent) or contents.BestContent()
    placed = {one.of: n for n, one in enumerate(held.all(), start=1)}
    rows = []
    last = len(PLACES) + 1
    for item in sorted(
        course.drafts(state, instance),
        key=lambda item: (placed.get(item, last), -_draft(state, instance, item).score),
    ):
        draft = _draft(state, instance, item)
        said = (("IDEA", draft.idea), ("EXPERIMENT", draft.experiment))
        rows.append(
            TableRow(
                item, (str(placed.get(item, "")), item, f"{draft.score:.2f}", draft.title), said
            )
        )
    note = "The first three go into the vote. a puts an idea in place of the third, x takes one out for the next best."
    return TableView(("vote", "draft", "score", "title"), tuple(rows), note)


def _draft(state: State, instance: str, item: str) -> IdeaDraft:
    return state.read(cell(instance, f"draft{item}"), IdeaDraft) or IdeaDraft()


def best_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Put an idea into the vote, or take one out."""
    instance = parse_address(address).instance
    held = state.read(address, contents.BestContent)
    drafts = course.drafts(state, instance)
    if held is None or row not in drafts:
        return None
    inside = [one.of for one in held.all()]
    if row not in inside and key in ("tick", "accept"):
        return _voted_on(
            state,
            address,
            [*inside[: len(PLACES) - 1], row],
            "put to the vote",
            f"Idea {row} goes into the vote.",
        )
    others = sorted(
        (item for item in drafts if item not in inside),
        key=lambda item: -_draft(state, instance, item).score,
    )
    if row in inside and key in ("tick", "reject") and others:
        left = [item for item in inside if item != row]
        return _voted_on(
            state,
            address,
            [*left, others[0]],
            "take out",
            f"Idea {others[0]} goes into the vote instead of {row}.",
        )
    return None


def _voted_on(state: State, address: str, items: list[str], word: str, said: str) -> RowChange:
    instance = parse_address(address).instance
    content: dict[str, Any] = {
        place: chosen(item, _draft(state, instance, item))
        for place, item in zip(PLACES, items, strict=False)
    }
    return RowChange(address, content, word, said)


def poll_table(state: State, address: str) -> TableView:
    """The three ideas with their votes; the winner marked."""
    instance = parse_address(address).instance
    held = state.read(address, PollContent) or PollContent()
    best = state.read(cell(instance, "best"), contents.BestContent) or contents.BestContent()
    rows = []
    for n, one in enumerate(best.all(), start=1):
        votes = held.counts[n - 1] if n <= len(held.counts) else 0
        rows.append(
            TableRow(
                str(n),
                ("wins" if held.winner == n else "", str(n), str(votes), one.title),
                (("IDEA", one.idea),),
            )
        )
    note = f"{count(held.abstentions, 'abstention')} in {count(held.rounds, 'round')}. {held.note} Space on an idea lets it win."
    return TableView(("", "idea", "votes", "title"), tuple(rows), " ".join(note.split()))


def poll_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """The person's deciding vote."""
    held = state.read(address, PollContent)
    ideas = course.ideas_in_vote(state, parse_address(address).instance)
    if (
        held is None
        or key not in ("tick", "accept", "pin")
        or not row.isdecimal()
        or not 1 <= int(row) <= ideas
        or held.winner == int(row)
    ):
        return None
    return RowChange(address, {"winner": int(row)}, "let it win", f"Idea {row} wins.")


def poll_caption(held: PollContent) -> str:
    votes = " to ".join(str(votes) for votes in held.counts)
    abstained = f", {count(held.abstentions, 'abstention')}" if held.abstentions else ""
    return (
        f"{f'idea {held.winner} wins' if held.winner else 'no idea wins'}, {votes} votes{abstained}"
    )


# -- abstracts ----------------------------------------------------------------------------------------------------------


def abstract_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The abstract section by section, what was said of the one before, and what was changed."""
    held = state.read(address, contents.AbstractContent) or contents.AbstractContent()
    yield "TITLE", held.title
    yield from (
        (name.upper() if name != "results" else "EXPECTED RESULTS", str(getattr(held, name)))
        for name in contents.SECTIONS
    )
    if held.scores:
        yield (
            "OF THE VERSION BEFORE",
            ", ".join(
                f"{name} {held.scores[name]}" for name in contents.MARKS if name in held.scores
            ),
        )
    if held.changes:
        yield "CHANGES", held.changes


def overlap_table(state: State, address: str) -> TableView:
    """The papers nearest to the abstract, with how similar they are."""
    held = state.read(address, contents.OverlapContent) or contents.OverlapContent()
    rows = []
    for row in held.rows:
        mark = "too close" if row.score >= held.bound else ""
        rows.append(
            TableRow(
                row.paper, (mark, str(row.score), row.title), (("REASON", row.reason),), row.paper
            )
        )
    return TableView(("", "of 100", "title"), tuple(rows), overlap_caption(held))


def overlap_caption(held: contents.OverlapContent) -> str:
    most = max((row.score for row in held.rows), default=0)
    said = "too close to earlier work; " if held.close else ""
    return f"{said}closest of {count(len(held.rows), 'paper')}: {most} of 100 (limit {held.bound})"
