"""What each turn reads, and nothing else (VIR-3): the prompts are filled with these values
alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.virsci.contents import LEADER, PLACES, SECTIONS, Chosen
from coi_tui.methods.virsci.course import SEATED, Team, struck
from coi_tui.model.address import parse_address, ref, split_ref
from coi_tui.model.content import Named
from coi_tui.model.state import State

ABSTRACT_FIELDS = ("title", *SECTIONS)
IDEA_FIELDS = ("title", "idea", "experiment")
TEAM = "members={instance}/team#members"
OUTSIDERS = "outsiders?={instance}/team#outsiders"
SUBJECT = "subject={instance}/subject#text"
IDEAS = tuple(f"ideas{'?' * (n > 0)}={{instance}}/best#{place}" for n, place in enumerate(PLACES))
thought = reading("thought={instance}/subject#text")
"""What the team thinks about: known long before its abstract."""


def of(state: State, address: str, field: str, name: str) -> Read:
    """A field of a cell; what a person struck is read as absent."""
    return Read(name, ref(address, field), struck(state, address))


def summaries(team: Team, name: str, before: int) -> list[Read]:
    """The leader's summaries of the turns before one."""
    cells = (team.cell(name, turn) for turn in range(1, before))
    return [of(team.state, one, "text", "summaries") for one in cells]


def said_in(team: Team, turn: int, before: int | None = None) -> list[Read]:
    """What was said in a turn before a seat, or by all, each answer of a guest after the
    question."""
    asking = team.guests(turn)
    return [
        of(team.state, team.cell(name, turn, seat), "text", "said")
        for seat in team.seats[: before - 1 if before else None]
        for name in (("said", "guest") if seat in asking else ("said",))
    ]


def mine(turn: int) -> list[str]:
    """What the person said after a turn."""
    return [f"mine?={{instance}}/mine{turn}#text"] if turn else []


def topic_turn(state: State, address: str) -> tuple[Read, ...]:
    """VIR-3: the team, the task, the summaries of earlier turns, the person's words after the last,
    and the replies so far in this one; those of all for the leader's summary.

    What the person says after the turn is for the next one: a summary that was written before stays
    as it is.
    """
    team, (turn, *seat) = Team(state, address), parse_address(address).numbers
    sums, said = summaries(team, "sum", turn), said_in(team, turn, *seat)
    outsiders = (OUTSIDERS,) if seat else ()
    return reading(TEAM, *outsiders, TOPIC, *sums, *mine(turn - 1), *said)(state, address)


def guest(state: State, address: str) -> tuple[Read, ...]:
    """VIR-5: the task, who is asked, and by whom."""
    asking = Team(state, address).cell("said", *parse_address(address).numbers)
    asked = (of(state, asking, name, name) for name in ("text", "guest"))
    return reading(TEAM, OUTSIDERS, TOPIC, *asked)(state, address)


def subject(state: State, address: str) -> tuple[Read, ...]:
    """VIR-6: the summaries, and the replies of the last turn."""
    team = Team(state, address)
    last = team.turns("sum")
    sums, said = summaries(team, "sum", last + 1), said_in(team, last)
    return reading(TEAM, TOPIC, *sums, *said, *mine(last))(state, address)


def found(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: the words of the search: the previous idea, the topic for the first. An idea that was
    struck is passed over."""
    team, (turn, seat) = Team(state, address), parse_address(address).numbers
    places = ((k, j) for k in range(turn, 0, -1) for j in reversed(team.seats))
    before = (team.cell("draft", *place) for place in places if place < (turn, seat))
    last = next((one for one in before if not struck(state, one)), "")
    return reading(of(state, last, "title", "query") if last else SUBJECT)(state, address)


def _drafts(state: State, cells: Iterable[str], fields: Iterable[str] = IDEA_FIELDS) -> list[Read]:
    """Ideas; one that a person wrote may say nothing but title and idea."""
    return [
        Read("ideas", ref(one, field), field not in ("title", "idea") or struck(state, one))
        for one in cells
        for field in fields
    ]


def idea_turn(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: the topic, the summaries of earlier turns, the papers found and the ideas so far in
    this one; those of all for the leader's summary."""
    team, (turn, *seat) = Team(state, address), parse_address(address).numbers
    seats = team.seats[: seat[0] - 1] if seat else team.seats
    papers = ("papers={instance}/found{item}#papers",) if seat else ()
    ideas = _drafts(state, (f"{team.instance}/draft{turn}.{j}" for j in seats))
    sums = summaries(team, "digest", turn)
    return reading(TEAM, SUBJECT, *papers, *sums, *ideas)(state, address)


def best(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: every idea with its own scores."""
    team = Team(state, address)
    items = team.drafts() or [f"1.{LEADER}"]
    fields = (*IDEA_FIELDS, "clarity", "feasibility", "novelty")
    return tuple(_drafts(state, (f"{team.instance}/draft{item}" for item in items), fields))


def poll(state: State, address: str) -> tuple[Read, ...]:
    team = Team(state, address)
    votes = [
        of(state, f"{team.instance}/vote{turn}.{seat}", "choice", "choices")
        for turn in range(1, team.vote_rounds() + 1)
        for seat in team.seats
    ]
    return reading(*IDEAS, *votes)(state, address)


def voted_idea(team: Team, attempt: int) -> tuple[str, ...]:
    """The idea of an attempt, and by what it was taken: the winner of the vote, or the next in its
    order."""
    ideas = team.ranked()
    place = PLACES[ideas[attempt - 1] - 1] if attempt <= len(ideas) else PLACES[0]
    order = ("order={instance}/poll#order",) if attempt > 1 else ()
    return ("winner={instance}/poll#winner", *order, f"idea={{instance}}/best#{place}")


def text_of(state: State, address: str) -> tuple[Read, ...]:
    return tuple(of(state, address, field, "abstract") for field in ABSTRACT_FIELDS)


def abstract(state: State, address: str) -> tuple[Read, ...]:
    """VIR-9: the first from the idea; every other from the abstract before it, and nothing else."""
    team, (attempt, turn, seat) = Team(state, address), parse_address(address).numbers
    if (turn, seat) == (1, LEADER):
        return reading(TEAM, *voted_idea(team, attempt))(state, address)
    place = (turn, seat - 1) if seat > 1 else (turn - 1, len(team.seats))
    before = text_of(state, team.cell("abstract", attempt, *place))
    return reading(TEAM, *before)(state, address)


def revised(state: State, address: str) -> tuple[Read, ...]:
    """VIR-10: after a first failure: the abstract before, the review, and the papers that it
    names."""
    team, (attempt, seat) = Team(state, address), parse_address(address).numbers
    first = team.last_abstract(attempt)
    before = f"{team.instance}/revised{attempt}.{seat - 1}" if seat > 1 else first
    review = f"review={{instance}}/overlap{attempt}.1#rows"
    return reading(TEAM, *text_of(state, before), review)(state, address)


# -- values


def people(inputs: Inputs, name: str) -> list[dict[str, Any]]:
    """Members or outsiders, as prompts show them."""
    return [Named.from_held(row).model_dump() for row in inputs.one(name) or []]


def member(inputs: Inputs, address: str) -> dict[str, Any]:
    """Whose words stand in a cell."""
    at, members = parse_address(address), people(inputs, "members")
    seat = at.numbers[-1] if at.part in {*SEATED, "guest"} else LEADER
    return members[seat - 1] if seat <= len(members) else {"name": "a member", "description": ""}


def spoken(inputs: Inputs) -> dict[str, Any]:
    """Who speaks in the cell that is made (figure 8: who an agent is), and the summaries so far."""
    texts = [str(text) for _, text in inputs.all("summaries")]
    return {"speaker": member(inputs, inputs.address), "summaries": texts}


def dialogue(inputs: Inputs) -> list[dict[str, str]]:
    """What was said, and the person's words where they are read: before the turn that follows them,
    for the topic after the last turn."""
    rows = []
    for read, text in inputs.all("said"):
        address = split_ref(read)[0]
        name = member(inputs, address)["name"]
        asked = parse_address(address).part == "guest"
        rows.append({"name": f"an outsider, asked by {name}" if asked else name, "text": text})
    own = [{"name": "the researcher", "text": text} for _, text in inputs.all("mine")]
    both = [*rows, *own] if parse_address(inputs.address).part == "subject" else [*own, *rows]
    return [row for row in both if row["text"].strip()]


def ideas(inputs: Inputs) -> list[dict[str, str]]:
    """The ideas of a turn that were read, in the order of the seats."""
    return [
        {"name": member(inputs, at)["name"], **{f: str(held.get(f, "")) for f in IDEA_FIELDS}}
        for at, held in by_field(inputs.all("ideas")).items()
    ]


def in_vote(inputs: Inputs) -> list[Chosen]:
    return [Chosen.from_held(value) for _, value in inputs.all("ideas") if value]
