"""What each turn reads, and nothing else (VIR-3): the prompts are filled with these values
alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.methods.shared.cell_table import by_field
from coi_tui.methods.shared.reads import TOPIC
from coi_tui.methods.shared.text_task import reading
from coi_tui.methods.virsci import course
from coi_tui.methods.virsci.contents import LEADER, PLACES, SECTIONS, Chosen
from coi_tui.methods.virsci.course import cell
from coi_tui.model.address import parse_address, ref, split_ref
from coi_tui.model.content import Named
from coi_tui.model.state import State

ABSTRACT_FIELDS = ("title", *SECTIONS)
IDEA_FIELDS = ("title", "idea", "experiment")
TEAM = "members={instance}/team#members"
OUTSIDERS = "outsiders?={instance}/team#outsiders"
SUBJECT = "subject={instance}/subject#text"
IDEAS = tuple(f"ideas{'?' * (n > 0)}={{instance}}/best#{place}" for n, place in enumerate(PLACES))


def of(state: State, address: str, field: str, name: str) -> Read:
    """A field of a cell; what a person struck is read as absent."""
    return Read(name, ref(address, field), course.struck(state, address))


def thought(state: State, address: str) -> tuple[Read, ...]:
    """What the team thinks about: known long before its abstract."""
    return (of(state, cell(parse_address(address).instance, "subject"), "text", "thought"),)


def summaries(state: State, instance: str, name: str, before: int) -> list[Read]:
    """The leader's summaries of the turns before one."""
    return [of(state, cell(instance, name, turn), "text", "summaries") for turn in range(1, before)]


def said_in(state: State, instance: str, turn: int, before: int = 0) -> list[Read]:
    """What was said in a turn before a seat (0: by all), each answer of a guest after the
    question."""
    found: list[Read] = []
    asking = course.guests(state, instance, turn)
    for seat in course.seats(state, instance)[: before - 1 if before else None]:
        found.append(of(state, cell(instance, "said", turn, seat), "text", "said"))
        if seat in asking:
            found.append(of(state, cell(instance, "guest", turn, seat), "text", "said"))
    return found


def mine(turn: int) -> list[str]:
    """What the person said after a turn."""
    return [f"mine?={{instance}}/mine{turn}#text"] if turn else []


def topic_turn(state: State, address: str) -> tuple[Read, ...]:
    """VIR-3: the team, the task, the summaries of earlier turns and the replies so far in this one;
    the person's words after the last."""
    at = parse_address(address)
    turn, seat = at.numbers
    sums, said = summaries(state, at.instance, "sum", turn), said_in(state, at.instance, turn, seat)
    return reading(TEAM, OUTSIDERS, TOPIC, *sums, *mine(turn - 1), *said)(state, address)


def topic_summary(state: State, address: str) -> tuple[Read, ...]:
    """The task, the summaries so far, what the person said before the turn, and what was said in
    it.

    What the person says after the turn is for the next one: a summary that was written before stays
    as it is.
    """
    at = parse_address(address)
    turn = at.numbers[0]
    sums, said = summaries(state, at.instance, "sum", turn), said_in(state, at.instance, turn)
    return reading(TEAM, TOPIC, *sums, *mine(turn - 1), *said)(state, address)


def guest(state: State, address: str) -> tuple[Read, ...]:
    """VIR-5: the task, who is asked, and by whom."""
    at = parse_address(address)
    asking = cell(at.instance, "said", *at.numbers)
    asked = (of(state, asking, name, name) for name in ("text", "guest"))
    return reading(TEAM, OUTSIDERS, TOPIC, *asked)(state, address)


def subject(state: State, address: str) -> tuple[Read, ...]:
    """VIR-6: the summaries, and the replies of the last turn."""
    instance = parse_address(address).instance
    last = course.topic_turns(state, instance)
    sums = summaries(state, instance, "sum", last + 1)
    said = said_in(state, instance, last)
    return reading(TEAM, TOPIC, *sums, *said, *mine(last))(state, address)


def found(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: the words of the search: the previous idea, the topic for the first. An idea that was
    struck is passed over."""
    at = parse_address(address)
    everybody, place = course.seats(state, at.instance), at.numbers
    before = (
        one
        for turn in range(place[0], 0, -1)
        for seat in reversed(everybody)
        if (turn, seat) < place
        and not course.struck(state, one := cell(at.instance, "draft", turn, seat))
    )
    if draft := next(before, ""):
        return (of(state, draft, "title", "query"),)
    return (of(state, cell(at.instance, "subject"), "text", "query"),)


def _drafts(state: State, cells: Iterable[str]) -> list[Read]:
    """Ideas; one that a person wrote may say nothing of an experiment."""
    return [
        Read("ideas", ref(one, field), field == "experiment" or course.struck(state, one))
        for one in cells
        for field in IDEA_FIELDS
    ]


def draft(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: the topic, the papers found, the summaries of earlier turns, and the ideas so far in
    this one."""
    at = parse_address(address)
    turn, seat = at.numbers
    sums = summaries(state, at.instance, "digest", turn)
    ideas = _drafts(state, (cell(at.instance, "draft", turn, j) for j in range(1, seat)))
    papers = "papers={instance}/found{item}#papers"
    return reading(TEAM, SUBJECT, papers, *sums, *ideas)(state, address)


def digest(state: State, address: str) -> tuple[Read, ...]:
    at = parse_address(address)
    turn = at.numbers[0]
    sums = summaries(state, at.instance, "digest", turn)
    seats = course.seats(state, at.instance)
    ideas = _drafts(state, (cell(at.instance, "draft", turn, j) for j in seats))
    return reading(TEAM, SUBJECT, *sums, *ideas)(state, address)


def best(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: every idea with its own scores."""
    instance = parse_address(address).instance
    names = (*IDEA_FIELDS, "clarity", "feasibility", "novelty")
    return tuple(
        Read("drafts", ref(f"{instance}/draft{item}", field), field not in ("title", "idea"))
        for item in course.drafts(state, instance) or [f"1.{LEADER}"]
        for field in names
    )


def poll(state: State, address: str) -> tuple[Read, ...]:
    instance = parse_address(address).instance
    votes = [
        of(state, cell(instance, "vote", turn, seat), "choice", "choices")
        for turn in range(1, course.vote_rounds(state, instance) + 1)
        for seat in course.seats(state, instance)
    ]
    return reading(*IDEAS, *votes)(state, address)


def voted_idea(state: State, instance: str, attempt: int) -> tuple[str, ...]:
    """The idea of an attempt, and by what it was taken: the winner of the vote, or the next in its
    order."""
    ideas = course.ranked_ideas(state, instance)
    place = PLACES[ideas[attempt - 1] - 1] if attempt <= len(ideas) else PLACES[0]
    order = ("order={instance}/poll#order",) if attempt > 1 else ()
    return ("winner={instance}/poll#winner", *order, f"idea={{instance}}/best#{place}")


def text_of(state: State, address: str, name: str = "abstract") -> tuple[Read, ...]:
    return tuple(of(state, address, field, name) for field in ABSTRACT_FIELDS)


def abstract(state: State, address: str) -> tuple[Read, ...]:
    """VIR-9: the first from the idea; every other from the abstract before it, and nothing else."""
    at = parse_address(address)
    attempt, turn, seat = at.numbers
    if (turn, seat) == (1, LEADER):
        return reading(TEAM, *voted_idea(state, at.instance, attempt))(state, address)
    place = (turn, seat - 1) if seat > 1 else (turn - 1, len(course.seats(state, at.instance)))
    before = text_of(state, cell(at.instance, "abstract", attempt, *place))
    return reading(TEAM, *before)(state, address)


def revised(state: State, address: str) -> tuple[Read, ...]:
    """VIR-10: after a first failure: the abstract before, the review, and the papers that it
    names."""
    at = parse_address(address)
    attempt, seat = at.numbers
    before = course.last_abstract(state, at.instance, attempt)
    if seat > 1:
        before = cell(at.instance, "revised", attempt, seat - 1)
    review = f"review={{instance}}/overlap{attempt}.1#rows"
    return reading(TEAM, *text_of(state, before), review)(state, address)


# -- values


def speaker(inputs: Inputs) -> dict[str, Any]:
    """Who speaks in the cell that is made (figure 8: who an agent is)."""
    at = parse_address(inputs.address)
    seat = at.numbers[-1] if at.part in course.SEATED else LEADER
    named = [Named.from_held(row) for row in inputs.one("members") or []]
    return {
        "speaker": (named[seat - 1] if seat <= len(named) else Named(name="Member")).model_dump()
    }


def people(inputs: Inputs, name: str) -> list[dict[str, Any]]:
    """Members or outsiders, as prompts show them."""
    return [Named.from_held(row).model_dump() for row in inputs.one(name) or []]


def summed_up(inputs: Inputs) -> dict[str, Any]:
    return {"summaries": [str(text) for _, text in inputs.all("summaries")]}


def _named(inputs: Inputs, address: str) -> str:
    """Who speaks in a cell that was read: the member of its seat, or the outsider whom that member
    asked."""
    at = parse_address(address)
    named, seat = people(inputs, "members"), at.numbers[-1]
    name = str(named[seat - 1]["name"]) if seat <= len(named) else "a member"
    return f"an outsider, asked by {name}" if at.part == "guest" else name


def dialogue(inputs: Inputs) -> list[dict[str, str]]:
    """What was said, and the person's words where they are read: before the turn that follows them,
    for the topic after the last turn."""
    rows, own = (
        [
            {"name": _named(inputs, at) if name == "said" else "the researcher", "text": str(text)}
            for at, text in (
                (split_ref(reference)[0], text) for reference, text in inputs.all(name)
            )
            if str(text).strip()
        ]
        for name in ("said", "mine")
    )
    return [*rows, *own] if parse_address(inputs.address).part == "subject" else [*own, *rows]


def ideas(inputs: Inputs) -> list[dict[str, str]]:
    """The ideas of a turn that were read, in the order of the seats."""
    return [
        {"name": _named(inputs, at), **{field: str(held.get(field, "")) for field in IDEA_FIELDS}}
        for at, held in by_field(inputs.all("ideas")).items()
    ]


def in_vote(inputs: Inputs) -> list[Chosen]:
    return [Chosen.from_held(value) for _, value in inputs.all("ideas") if value]
