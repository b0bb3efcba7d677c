"""What is shown of VirSci's cells: people and team, the discussion as a transcript, ideas, votes
and reviews as tables, with their keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coi_tui.methods.shared.cell_table import held, nth, row, table, title_of
from coi_tui.methods.virsci import contents, course
from coi_tui.methods.virsci.contents import (
    PLACES,
    YOU,
    BestContent,
    EcosystemContent,
    IdeaDraft,
    Invitation,
    PollContent,
    Scientist,
    TeamContent,
)
from coi_tui.methods.virsci.course import cell
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

# -- people and team


def people_table(state: State, address: str) -> TableView:
    """Who may be invited: what they work on and how much they wrote; a name only where the person
    asked for it."""
    it = held(state, address, EcosystemContent)

    def person(one: Scientist) -> TableRow:
        real = f" ({it.names.get(one.name, '')})" if one.name in it.shown else ""
        return row(
            one.name,
            one.name,
            one.papers or "",
            f"works on {', '.join(one.topics) or 'this field'}{real}",
            citations="" if one.citations is None else f"{one.citations:,}",
            wrote_with="\n".join(
                f"- {name}: {count(number, 'paper')}" for name, number in sorted(one.met.items())
            ),
        )

    note = f"Space shows or hides a name. {it.note}".strip()
    return table("|papers|works on", map(person, it.people), note)


def people_change(state: State, address: str, name: str, key: RowKey) -> RowChange | None:
    """Show or hide a real name. No prompt reads it either way."""
    it = held(state, address, EcosystemContent)
    if key != "tick" or name not in it.names:
        return None
    if name in it.shown:
        left = [one for one in it.shown if one != name]
        return RowChange(address, {"shown": left}, "hide the name", f"{name} is hidden.")
    fields = {"shown": [*it.shown, name]}
    return RowChange(address, fields, "show the name", f"{name} is {it.names[name]}.")


def team_table(state: State, address: str) -> TableView:
    """The members, the leader first, then those who may be taken in."""
    team = held(state, address, TeamContent)
    asked = {one.name: one for one in team.invitations}
    marks = ["leader", *["member"] * len(team.members)][: len(team.members)]
    everybody = [*team.members, *_others(state, address, team)]
    rows = (
        row(one.name, mark, one.name, one.description, **_answer(asked.get(one.name)))
        for mark, one in zip([*marks, *[""] * len(everybody)], everybody, strict=False)
    )
    note = "Space takes somebody in or out, p makes them the leader; later turns are stale then."
    return table("|member|profile", rows, f"{team.note} {note}".strip())


def _answer(invited: Invitation | None) -> dict[str, str]:
    if invited is None:
        return {}
    said = "joined" if invited.joined else "refused"
    told = f"{said}, invited with a probability of {invited.chance:.3f}"
    return {"invitation": told, "reason": invited.reason}


def _others(state: State, address: str, team: TeamContent) -> list[Named]:
    """People of the ecosystem who are not in the team, then the person, where they have no seat."""
    it = held(state, cell(parse_address(address).instance, "people"), EcosystemContent)
    people = [Named(name=one.name, description=one.profile()) for one in it.people]
    people.append(Named(name=YOU, description="the researcher whose session this is"))
    taken = {one.name for one in team.members}
    return [one for one in people if one.name not in taken]


def team_change(state: State, address: str, name: str, key: RowKey) -> RowChange | None:
    """Take somebody in or out, or make them the leader; two stay."""
    team = held(state, address, TeamContent)
    inside = [one for one in team.members if one.name == name]
    others = [one for one in team.members if one.name != name]
    found = inside or [one for one in _others(state, address, team) if one.name == name]
    if not team.members or not found:
        return None
    you = name == YOU
    if key == "pin" and team.members[0].name != name:
        members, word = [*found, *others], "lead"
        said = "You lead the team." if you else f"{name} leads the team."
    elif key in ("tick", "reject") and inside and len(others) >= 2:
        members, word = others, "take out"
        said = "You leave the table." if you else f"{name} leaves the team."
    elif key in ("tick", "accept") and not inside:
        members, word = [*others, *found], "take in"
        said = "You have a seat at the table." if you else f"{name} joins the team."
    else:
        return None
    return RowChange(address, {"members": [one.model_dump() for one in members]}, word, said)


# -- the discussion


def transcript(state: State, address: str) -> TranscriptView:
    """The discussion: who says what, answers of guests, the leader's summaries, and places for the
    person's words between the turns."""
    instance = parse_address(address).instance
    turns = range(1, course.topic_turns(state, instance) + 1)
    said = tuple(said for turn in turns for said in _turn(state, instance, turn))
    return TranscriptView(said, bounds_of(state, instance).turns)


def _turn(state: State, instance: str, number: int) -> Iterator[Turn]:
    """The replies of a turn with those that are still to come, then the summary and the person's
    words, which may be written once there is one."""
    asking = course.guests(state, instance, number)
    members = course.members(state, instance)
    for seat, member in enumerate(members, 1):
        said = cell(instance, "said", number, seat)
        yield _spoken(state, said, member.name, number)
        if seat in asking:
            asked = held(state, said, contents.SaidContent).guest or contents.GuestQuestion()
            guest = cell(instance, "guest", number, seat)
            told = f"to {member.name}: {asked.question}"
            yield _spoken(state, guest, asked.name, number, told, "guest")
    summary = cell(instance, "sum", number)
    leader = members[0].name if members else "the leader"
    yield _spoken(state, summary, leader, number, f"summary of turn {number}", "leader")
    if state.in_use(summary) is not None:
        mine = cell(instance, "mine", number)
        yield _spoken(state, mine, YOU, number, f"after turn {number}", "yours")


def _spoken(
    state: State, address: str, who: str, number: int, note: str = "", usual: TurnMark = ""
) -> Turn:
    version = state.in_use(address)
    written = version is not None and version.by_person
    mark: TurnMark = "yours" if written or course.is_yours(state, address) else usual
    mark = "struck" if course.struck(state, address) else mark
    return Turn(who, _words(state, address), note, address, mark, number)


def _words(state: State, address: str) -> str:
    version = state.in_use(address)
    if version is None:
        return ""
    it = state.content(version, contents.MineContent)
    return it.text or it.struck


def strike(state: State, address: str, _row: str, key: RowKey) -> RowChange | None:
    """Strike a reply, so that no later prompt is shown it, or take it in again."""
    text = _words(state, address)
    if key != "reject" or not text:
        return None
    if course.struck(state, address):
        fields = {"text": text, "struck": ""}
        return RowChange(address, fields, "take in", "This turn counts again.")
    fields = {"text": "", "struck": text}
    return RowChange(address, fields, "strike", "This turn is struck: later turns do not see it.")


def papers_table(state: State, address: str) -> TableView:
    """The papers of a search."""
    it = held(state, address, contents.PapersContent)
    papers = enumerate(it.papers, 1)
    rows = (row(paper, n, title_of(state, paper), paper=paper) for n, paper in papers)
    return table("rank|title", rows, f"Searched: {it.query}" if it.query else "")


# -- ideas and votes


def _drafts(state: State, instance: str) -> dict[str, IdeaDraft]:
    """The ideas that nobody struck, by their numbers, those with the best own scores first."""
    items = course.drafts(state, instance)
    found = {item: held(state, f"{instance}/draft{item}", IdeaDraft) for item in items}
    return dict(sorted(found.items(), key=lambda one: -one[1].score))


def best_table(state: State, address: str) -> TableView:
    """Every idea by its own score, those in the vote marked and first."""
    chosen = [one.of for one in held(state, address, BestContent).all()]
    placed = {item: n for n, item in enumerate(chosen, 1)}
    drafts = _drafts(state, parse_address(address).instance)
    rows = (
        row(
            item,
            placed.get(item, ""),
            item,
            f"{drafts[item].score:.2f}",
            drafts[item].title,
            idea=drafts[item].idea,
            experiment=drafts[item].experiment,
        )
        for item in sorted(drafts, key=lambda item: placed.get(item, len(PLACES) + 1))
    )
    note = "The first three go into the vote. a puts an idea in place of the third, x takes one out for the next best."
    return table("vote|draft|score|title", rows, note)


def best_change(state: State, address: str, item: str, key: RowKey) -> RowChange | None:
    """Put an idea into the vote, or take one out for the next best."""
    drafts = _drafts(state, parse_address(address).instance)
    inside = [one.of for one in held(state, address, BestContent).all()]
    others = [one for one in drafts if one not in inside]
    if item in others and inside and key in ("tick", "accept"):
        items, word = [*inside[: len(PLACES) - 1], item], "put to the vote"
        said = f"Idea {item} goes into the vote."
    elif item in inside and others and key in ("tick", "reject"):
        items, word = [*(one for one in inside if one != item), others[0]], "take out"
        said = f"Idea {others[0]} goes into the vote instead of {item}."
    else:
        return None
    rows = (drafts.get(one, IdeaDraft()).chosen(one) for one in items)
    return RowChange(address, dict(zip(PLACES, rows, strict=False)), word, said)


def votes_of(state: State, instance: str) -> Iterable[tuple[int, contents.Chosen, int]]:
    """The number of each idea in the vote, the idea, and its votes."""
    counts = held(state, cell(instance, "poll"), PollContent).counts
    for n, one in enumerate(held(state, cell(instance, "best"), BestContent).all(), 1):
        yield n, one, nth(counts, str(n)) or 0


def poll_table(state: State, address: str) -> TableView:
    """The three ideas with their votes; the winner marked."""
    it = held(state, address, PollContent)
    rows = (
        row(n, "wins" if it.winner == n else "", n, votes, one.title, idea=one.idea)
        for n, one, votes in votes_of(state, parse_address(address).instance)
    )
    note = f"{it.note} Space on an idea lets it win.".strip()
    return table("|idea|votes|title", rows, note)


def poll_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """The person's deciding vote."""
    it = held(state, address, PollContent)
    ideas = range(1, course.ideas_in_vote(state, parse_address(address).instance) + 1)
    winner = nth(ideas, number)
    if not it.counts or winner in (None, it.winner) or key not in ("tick", "accept", "pin"):
        return None
    return RowChange(address, {"winner": winner}, "let it win", f"Idea {winner} wins.")


def poll_caption(it: PollContent) -> str:
    votes = " to ".join(map(str, it.counts))
    return f"{f'idea {it.winner} wins' if it.winner else 'no idea wins'}, {votes} votes"


# -- abstracts


def abstract_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The abstract section by section, what was said of the one before, and what was changed."""
    it = held(state, address, contents.AbstractContent)
    for name in ("title", *contents.SECTIONS):
        yield ("EXPECTED RESULTS" if name == "results" else name.upper()), getattr(it, name)
    if it.scores:
        scores = (f"{name} {score}" for name, score in it.scores.items())
        yield "OF THE VERSION BEFORE", ", ".join(scores)
    if it.changes:
        yield "CHANGES", it.changes


def overlap_table(state: State, address: str) -> TableView:
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
