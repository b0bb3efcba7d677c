"""What each turn reads, and nothing else (VIR-3): the prompts are filled with these values alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.methods.shared.reads import TOPIC
from coi_tui.methods.virsci import course
from coi_tui.methods.virsci.contents import LEADER, PLACES, SECTIONS
from coi_tui.methods.virsci.course import cell
from coi_tui.model.address import parse_address, ref, split_ref
from coi_tui.model.content import Named
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

ABSTRACT = 1_200
"""Characters of a paper's abstract that a prompt is shown at most."""
ABSTRACT_FIELDS = ("title", *SECTIONS)
IDEA_FIELDS = ("title", "idea", "experiment")


def of(state: State, address: str, field: str, name: str = "") -> Read:
    """A field of a cell; what a person struck is read as absent."""
    return Read(name or field, ref(address, field), course.struck(state, address))


def team(instance: str) -> tuple[Read, ...]:
    return (Read("members", ref(cell(instance, "team"), "members")),)


def team_and_outsiders(instance: str) -> tuple[Read, ...]:
    return (
        *team(instance),
        Read("outsiders", ref(cell(instance, "team"), "outsiders"), optional=True),
    )


def summaries(state: State, instance: str, name: str, before: int) -> list[Read]:
    """The leader's summaries of the turns before one."""
    return [of(state, cell(instance, name, turn), "text", "summaries") for turn in range(1, before)]


def said_in(state: State, instance: str, turn: int, before: int) -> list[Read]:
    """What was said in a turn before a seat, each answer of a guest after the question."""
    found: list[Read] = []
    asking = course.guests(state, instance, turn)
    for seat in range(1, before):
        found.append(of(state, cell(instance, "said", turn, seat), "text", "said"))
        if seat in asking:
            found.append(of(state, cell(instance, "guest", turn, seat), "text", "said"))
    return found


def mine(instance: str, turn: int) -> list[Read]:
    """What the person said after a turn."""
    return [Read("mine", ref(cell(instance, "mine", turn), "text"), optional=True)] if turn else []


def topic_turn(state: State, address: str) -> tuple[Read, ...]:
    """VIR-3: the team, the task, the summaries of earlier turns and the replies so far in this one; the person's words after the last."""
    at = parse_address(address)
    turn, seat = at.numbers
    return (
        *team_and_outsiders(at.instance),
        TOPIC,
        *summaries(state, at.instance, "sum", turn),
        *mine(at.instance, turn - 1),
        *said_in(state, at.instance, turn, seat),
    )


def topic_summary(state: State, address: str) -> tuple[Read, ...]:
    """The task, the summaries so far, what the person said before the turn, and what was said in it.

    What the person says after the turn is for the next one: a summary that was written before stays as it is.
    """
    at = parse_address(address)
    turn, everybody = at.numbers[0], len(course.seats(state, at.instance)) + 1
    return (
        *team(at.instance),
        TOPIC,
        *summaries(state, at.instance, "sum", turn),
        *mine(at.instance, turn - 1),
        *said_in(state, at.instance, turn, everybody),
    )


def guest(state: State, address: str) -> tuple[Read, ...]:
    """VIR-5: the task, who is asked, and by whom."""
    at = parse_address(address)
    asking = cell(at.instance, "said", *at.numbers)
    return (
        *team_and_outsiders(at.instance),
        TOPIC,
        of(state, asking, "text"),
        of(state, asking, "guest"),
    )


def subject(state: State, address: str) -> tuple[Read, ...]:
    """VIR-6: the summaries, and the replies of the last turn."""
    instance = parse_address(address).instance
    last, everybody = course.topic_turns(state, instance), len(course.seats(state, instance)) + 1
    return (
        *team(instance),
        TOPIC,
        *summaries(state, instance, "sum", last + 1),
        *said_in(state, instance, last, everybody),
        *mine(instance, last),
    )


def thought(state: State, address: str) -> tuple[Read, ...]:
    """What the team thinks about: known long before its abstract."""
    return (of(state, cell(parse_address(address).instance, "subject"), "text", "thought"),)


def before_draft(state: State, address: str) -> str:
    """The draft before one, whose idea is searched with: of the seat before, or of the last seat of the turn before; empty for the first.

    One that was struck is passed over.
    """
    at = parse_address(address)
    turn, seat = at.numbers
    everybody = course.seats(state, at.instance)
    places = [(k, j) for k in range(1, turn + 1) for j in everybody if (k, j) < (turn, seat)]
    cells = [cell(at.instance, "draft", k, j) for k, j in places]
    return next((address for address in reversed(cells) if not course.struck(state, address)), "")


def found(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: the words of the search: the previous idea, the topic for the first."""
    before = before_draft(state, address)
    instance = parse_address(address).instance
    return (
        (of(state, before, "title", "query"),)
        if before
        else (of(state, cell(instance, "subject"), "text", "query"),)
    )


def _idea(state: State, address: str) -> list[Read]:
    """An idea; one that a person wrote may say nothing of an experiment."""
    fields = (of(state, address, field, f"idea_{field}") for field in IDEA_FIELDS)
    return [
        Read(read.name, read.ref, optional=True) if read.name == "idea_experiment" else read
        for read in fields
    ]


def draft(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: the topic, the papers found, the summaries of earlier turns, and the ideas so far in this one."""
    at = parse_address(address)
    turn, seat = at.numbers
    earlier = [cell(at.instance, "draft", turn, j) for j in range(1, seat)]
    return (
        *team(at.instance),
        of(state, cell(at.instance, "subject"), "text", "subject"),
        Read("papers", ref(cell(at.instance, "found", turn, seat), "papers")),
        *summaries(state, at.instance, "digest", turn),
        *(idea for one in earlier for idea in _idea(state, one)),
    )


def digest(state: State, address: str) -> tuple[Read, ...]:
    at = parse_address(address)
    turn = at.numbers[0]
    written = [cell(at.instance, "draft", turn, j) for j in course.seats(state, at.instance)]
    return (
        *team(at.instance),
        of(state, cell(at.instance, "subject"), "text", "subject"),
        *summaries(state, at.instance, "digest", turn),
        *(idea for one in written for idea in _idea(state, one)),
    )


def best(state: State, address: str) -> tuple[Read, ...]:
    """VIR-7: every idea with its own scores."""
    instance = parse_address(address).instance
    cells = [cell(instance, f"draft{item}") for item in course.drafts(state, instance)] or [
        cell(instance, "draft", 1, LEADER)
    ]
    names = (*IDEA_FIELDS, "clarity", "feasibility", "novelty")
    return tuple(
        Read("drafts", ref(one, field), optional=field not in ("title", "idea"))
        for one in cells
        for field in names
    )


def vote(state: State, address: str) -> tuple[Read, ...]:
    """VIR-8: the subject, the ideas and the papers near each; no word of the discussion."""
    instance = parse_address(address).instance
    ideas = [
        Read("ideas", ref(cell(instance, "best"), place), optional=place != PLACES[0])
        for place in PLACES
    ]
    near = [
        Read("papers", ref(cell(instance, "near", n), "papers"), optional=True)
        for n in range(1, len(PLACES) + 1)
    ]
    return (*team(instance), of(state, cell(instance, "subject"), "text", "subject"), *ideas, *near)


def poll(state: State, address: str) -> tuple[Read, ...]:
    instance = parse_address(address).instance
    turns = range(1, course.vote_rounds(state, instance) + 1)
    votes = [
        cell(instance, "vote", turn, seat)
        for turn in turns
        for seat in course.seats(state, instance)
    ]
    ideas = [
        Read("ideas", ref(cell(instance, "best"), place), optional=place != PLACES[0])
        for place in PLACES
    ]
    return (*ideas, *(of(state, one, "choice", "choices") for one in votes))


def voted_idea(state: State, instance: str, attempt: int) -> tuple[Read, ...]:
    """The idea of an attempt, and by what it was taken: the winner of the vote, or the next in its order."""
    ideas = course.ranked_ideas(state, instance)
    place = PLACES[ideas[attempt - 1] - 1] if attempt <= len(ideas) else PLACES[0]
    taken = [Read("winner", ref(cell(instance, "poll"), "winner"))]
    taken += [Read("order", ref(cell(instance, "poll"), "order"))] if attempt > 1 else []
    return (*taken, Read("idea", ref(cell(instance, "best"), place)))


def abstract(state: State, address: str) -> tuple[Read, ...]:
    """VIR-9: the first from the idea; every other from the abstract before it, and nothing else."""
    at = parse_address(address)
    attempt, turn, seat = at.numbers
    if (turn, seat) == (1, LEADER):
        return (*team(at.instance), *voted_idea(state, at.instance, attempt))
    everybody = len(course.seats(state, at.instance))
    before = cell(
        at.instance, "abstract", attempt, *((turn, seat - 1) if seat > 1 else (turn - 1, everybody))
    )
    return (*team(at.instance), *(of(state, before, field, "before") for field in ABSTRACT_FIELDS))


def revised(state: State, address: str) -> tuple[Read, ...]:
    """VIR-10: after a first failure: the abstract before, the review, and the papers that it names."""
    at = parse_address(address)
    attempt, seat = at.numbers
    before = (
        cell(at.instance, "revised", attempt, seat - 1)
        if seat > 1
        else course.last_abstract(state, at.instance, attempt)
    )
    review = Read("review", ref(cell(at.instance, "overlap", attempt, 1), "rows"))
    return (
        *team(at.instance),
        *(of(state, before, field, "before") for field in ABSTRACT_FIELDS),
        review,
    )


def text_of(state: State, address: str, name: str = "abstract") -> tuple[Read, ...]:
    return tuple(of(state, address, field, name) for field in ABSTRACT_FIELDS)


# -- values -------------------------------------------------------------------------------------------------------------


def speaker(inputs: Inputs) -> dict[str, str]:
    """Who speaks in the cell that is made (figure 8: who an agent is)."""
    at = parse_address(inputs.address)
    seat = at.numbers[-1] if at.part in course.SEATED else LEADER
    named = [Named.from_held(row) for row in inputs.one("members") or []]
    who = named[seat - 1] if seat <= len(named) else Named(name="Member")
    return {"name": who.name, "description": who.description}


def people(inputs: Inputs, name: str) -> list[dict[str, str]]:
    """Members or outsiders, as prompts show them."""
    return [
        {"name": str(row.get("name", "")), "description": str(row.get("description", ""))}
        for row in inputs.one(name) or []
    ]


def texts(inputs: Inputs, name: str) -> list[str]:
    return [str(text) for _, text in inputs.all(name)]


def _named(inputs: Inputs, reference: str) -> str:
    """Who speaks in a cell that was read: the member of its seat, or the outsider whom that member asked."""
    at = parse_address(split_ref(reference)[0])
    named, seat = inputs.one("members") or [], at.numbers[-1]
    name = str(named[seat - 1].get("name", "")) if seat <= len(named) else "a member"
    return f"an outsider, asked by {name}" if at.part == "guest" else name


def dialogue(inputs: Inputs) -> list[dict[str, str]]:
    """What was said, and the person's words where they are read: before the turn that follows them, for the topic after the last turn."""
    rows = [
        {"name": _named(inputs, reference), "text": str(text)}
        for reference, text in inputs.all("said")
        if str(text).strip()
    ]
    own = [
        {"name": "the researcher", "text": str(text)}
        for _, text in inputs.all("mine")
        if str(text).strip()
    ]
    return [*rows, *own] if parse_address(inputs.address).part == "subject" else [*own, *rows]


def ideas(inputs: Inputs) -> list[dict[str, str]]:
    """The ideas of a turn that were read, in the order of the seats."""
    rows: dict[str, dict[str, str]] = {}
    for field in IDEA_FIELDS:
        for reference, value in inputs.all(f"idea_{field}"):
            address = split_ref(reference)[0]
            rows.setdefault(
                address, {"name": _named(inputs, reference), **dict.fromkeys(IDEA_FIELDS, "")}
            )[field] = str(value)
    return list(rows.values())


def shown(papers: Sequence[Paper]) -> list[dict[str, Any]]:
    """Papers with labels, as prompts show them."""
    return [
        {"id": f"P{n}", "title": p.title, "year": p.year, "abstract": (p.abstract or "")[:ABSTRACT]}
        for n, p in enumerate(papers, start=1)
    ]
