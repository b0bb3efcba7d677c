"""What a run of VirSci makes, in its order, as far as the state allows to say; what that takes; and where it waits for the person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from coi_tui.engine.steps import Adjust, Forecast, Step
from coi_tui.methods.virsci import course
from coi_tui.methods.virsci.contents import PLACES
from coi_tui.methods.virsci.course import cell, is_yours
from coi_tui.methods.virsci.settings import ATTEMPTS, MOST_TURNS, bounds_of
from coi_tui.model.address import READING, parse_address
from coi_tui.model.state import State
from coi_tui.model.wording import count

TOPIC_STAGES = tuple(f"topic-{n}" for n in range(1, MOST_TURNS + 1))
DRAFT_STAGES = tuple(f"drafts-{n}" for n in range(1, MOST_TURNS + 1))
STAGES = (
    "people",
    "team",
    *TOPIC_STAGES,
    "subject",
    *DRAFT_STAGES,
    "vote",
    "abstract",
    "overlap",
    "rivals",
    "ideas",
)
Cell = tuple[str, str]
"""An address, and the stage to which it belongs."""


def reached_by(last: str) -> tuple[str, ...]:
    """The stages up to one, all of them for a stage after the ideas."""
    return STAGES[: STAGES.index(last) + 1] if last in STAGES else STAGES


def cells(state: State, instance: str, reached: Sequence[str]) -> Iterator[Cell]:
    """The cells up to the last stage that a machine makes; nothing after a place where the person has to write or to decide."""
    for address, stage in _course(state, instance):
        if stage not in reached or (is_yours(state, address) and state.in_use(address) is None):
            return
        if not is_yours(state, address):
            yield address, stage


def your_turn(state: State, instance: str) -> str:
    """The cell that waits for the person, once everything before it is there; empty where none does."""
    for address, _ in _course(state, instance):
        if state.in_use(address) is None:
            return address if is_yours(state, address) else ""
    return ""


def _course(state: State, instance: str) -> Iterator[Cell]:
    """Every cell in the order in which it is needed, the person's among them; it ends where what comes next is not known yet."""
    yield READING, "people"
    yield cell(instance, "people"), "people"
    yield cell(instance, "team"), "team"
    if not course.members(state, instance):
        return
    yield from _topic(state, instance)
    if _last_is_there(state, instance, "sum", course.topic_turns(state, instance)):
        yield cell(instance, "subject"), "subject"
        yield from _drafts(state, instance)
        if _last_is_there(state, instance, "digest", course.idea_turns(state, instance)):
            yield from _vote(state, instance)
            yield from _abstracts(state, instance)


def _last_is_there(state: State, instance: str, name: str, turn: int) -> bool:
    """Whether a discussion has come to its end: the summary of its last turn is there."""
    return state.in_use(cell(instance, name, turn)) is not None


def _topic(state: State, instance: str) -> Iterator[Cell]:
    for turn in range(1, course.topic_turns(state, instance) + 1):
        stage, asking = f"topic-{turn}", course.guests(state, instance, turn)
        for seat in course.seats(state, instance):
            yield cell(instance, "said", turn, seat), stage
            if seat in asking:
                yield cell(instance, "guest", turn, seat), stage
        yield cell(instance, "sum", turn), stage


def _drafts(state: State, instance: str) -> Iterator[Cell]:
    for turn in range(1, course.idea_turns(state, instance) + 1):
        stage = f"drafts-{turn}"
        for seat in course.seats(state, instance):
            draft = cell(instance, "draft", turn, seat)
            if not is_yours(state, draft):
                yield cell(instance, "found", turn, seat), stage
            yield draft, stage
        yield cell(instance, "digest", turn), stage


def _vote(state: State, instance: str) -> Iterator[Cell]:
    yield cell(instance, "best"), "vote"
    if not (ideas := course.ideas_in_vote(state, instance)):
        return
    yield from ((cell(instance, "near", number), "vote") for number in range(1, ideas + 1))
    votes = [
        cell(instance, "vote", turn, seat)
        for turn in range(1, course.vote_rounds(state, instance) + 1)
        for seat in course.seats(state, instance)
    ]
    # The person's votes come last, so that those of the others, which nobody waits for, are there by then.
    yield from ((vote, "vote") for vote in sorted(votes, key=lambda vote: is_yours(state, vote)))
    if all(state.in_use(vote) is not None for vote in votes):
        yield cell(instance, "poll"), "vote"


def _abstracts(state: State, instance: str) -> Iterator[Cell]:
    """Attempt by attempt: the abstract, its self-review, and where that found it too close a revision and the second review."""
    for attempt in range(1, len(course.ranked_ideas(state, instance)) + 1):
        yield from (
            (address, "abstract") for address in course.abstract_cells(state, instance, attempt)
        )
        if state.in_use(course.last_abstract(state, instance, attempt)) is None:
            return
        yield cell(instance, "overlap", attempt, 1), "overlap"
        if course.too_close(state, instance, attempt, 1):
            yield from (
                (cell(instance, "revised", attempt, seat), "overlap")
                for seat in course.seats(state, instance)
            )
            yield cell(instance, "overlap", attempt, 2), "overlap"
        if not course.discarded(state, instance, attempt):
            break
    if course.final_abstract(state, instance):
        yield cell(instance, "measures"), "overlap"


def ended(state: State, instance: str) -> set[str]:
    """The last stage of each discussion that is over, however few turns it took."""
    last = bounds_of(state, instance).turns - 1
    topic = _last_is_there(state, instance, "sum", course.topic_turns(state, instance))
    drafts = _last_is_there(state, instance, "digest", course.idea_turns(state, instance))
    return {
        stages[last] for stages, over in ((TOPIC_STAGES, topic), (DRAFT_STAGES, drafts)) if over
    }


# -- what it takes --------------------------------------------------------------------------------------------------------


def beyond(state: State, instance: str) -> set[str]:
    """Stages that are not offered: turns after the most there are, or after the next one."""
    turns = bounds_of(state, instance).turns
    now = {
        "topic": course.topic_turns(state, instance),
        "drafts": course.idea_turns(state, instance),
    }
    return {
        f"{name}-{n}"
        for name, last in now.items()
        for n in range(1, MOST_TURNS + 1)
        if n > min(turns, last + 1)
    }


@dataclass(frozen=True)
class Line:
    """A line of a forecast. ``step``: whose; ``cells``: all that may come; ``least`` and ``usual``: how many of them do."""

    step: str
    stage: str
    told: str
    cells: Sequence[str]
    least: int
    usual: float

    @classmethod
    def all_of(cls, step: str, stage: str, told: str, cells: Sequence[str]) -> Line:
        return cls(step, stage, told, cells, len(cells), len(cells))


def forecast(
    state: State, instance: str, reached: Sequence[str], steps: Mapping[str, Step], adjust: Adjust
) -> Iterator[Forecast]:
    """A line for each kind of cell and stage, at most so many as the turns allow; what is there already is not counted."""
    team = len(course.members(state, instance)) or bounds_of(state, instance).team
    for line in _lines(state, instance, team):
        missing = [
            address
            for address in line.cells
            if state.in_use(address) is None and not _spared(state, address, team)
        ]
        if line.stage not in reached or not missing:
            continue
        most, made = len(missing), len(line.cells) - len(missing)
        least = max(0, min(most, line.least - made))
        usual = max(least, min(most, line.usual - made))
        step = steps[line.step]
        number = f"{most} x " if least == most else f"{least}-{most} x "
        cost = adjust(step, step.cost(state, missing[0])).times(least, most, usual)
        yield Forecast(line.stage, f"{number}{line.told}", "not made yet", cost)


def _spared(state: State, address: str, team: int) -> bool:
    """Whether nobody is asked for a cell: the person writes it, who has a seat or is going to have one."""
    instance = parse_address(address).instance
    if course.members(state, instance) or not instance:
        return is_yours(state, address)
    yours = {"none": 0, "member": team, "leader": 1}[bounds_of(state, instance).seat]
    return bool(yours) and course.seat_of(address) == yours


def _lines(state: State, instance: str, team: int) -> Iterator[Line]:
    yield Line.all_of(READING, "people", "reading list", [READING])
    yield Line.all_of("people", "people", "people behind the papers", [cell(instance, "people")])
    yield Line.all_of(
        "team", "team", f"team of {count(team, 'member')}, by invitation", [cell(instance, "team")]
    )
    topic, drafts = course.topic_turns(state, instance), course.idea_turns(state, instance)
    for turn in _turns(state, instance, "sum", topic):
        stage = TOPIC_STAGES[turn - 1]
        yield _turn_line(state, "said", stage, "reply", _seats(instance, "said", turn, team), turn)
        if bounds_of(state, instance).guests:
            yield Line(
                "guest",
                stage,
                "answer of a guest, where a member asks",
                _seats(instance, "guest", turn, team),
                0,
                0.2,
            )
        yield _turn_line(
            state, "sum", stage, "summary by the leader", [cell(instance, "sum", turn)], turn
        )
    yield Line.all_of("subject", "subject", "topic of the team", [cell(instance, "subject")])
    for turn in _turns(state, instance, "digest", drafts):
        stage = DRAFT_STAGES[turn - 1]
        yield _turn_line(
            state,
            "found",
            stage,
            "search for references",
            _seats(instance, "found", turn, team),
            turn,
        )
        yield _turn_line(state, "draft", stage, "idea", _seats(instance, "draft", turn, team), turn)
        yield _turn_line(
            state, "digest", stage, "summary of the ideas", [cell(instance, "digest", turn)], turn
        )
    yield from _later_lines(state, instance, team)


def _turns(state: State, instance: str, summary: str, last: int) -> range:
    """The turns of a discussion that are counted: all there may be, or those it had where it is over."""
    return range(
        1,
        (
            last
            if _last_is_there(state, instance, summary, last)
            else bounds_of(state, instance).turns
        )
        + 1,
    )


def _seats(instance: str, name: str, turn: int, team: int) -> list[str]:
    return [cell(instance, name, turn, seat) for seat in range(1, team + 1)]


def _turn_line(
    state: State, step: str, stage: str, told: str, cells: Sequence[str], turn: int
) -> Line:
    """The cells of a turn: all of them in the first one, and in every one where turns are fixed; else none or all."""
    if turn == 1 or not bounds_of(state, parse_address(cells[0]).instance).adaptive:
        return Line.all_of(step, stage, told, cells)
    return Line(step, stage, told, cells, 0, len(cells) / 2)


def _later_lines(state: State, instance: str, team: int) -> Iterator[Line]:
    """The vote, the abstract and its self-review, which may be done for another idea again."""
    bounds, seats = bounds_of(state, instance), range(1, team + 1)
    turns, fixed = bounds.turns, not bounds.adaptive
    if state.in_use(cell(instance, "poll")) is None:
        ideas = course.ideas_in_vote(state, instance) or len(PLACES)
        yield Line(
            "near",
            "vote",
            "search near an idea",
            [cell(instance, "near", n) for n in range(1, ideas + 1)],
            1,
            ideas,
        )
        votes = [vote for n in range(1, turns + 1) for vote in _seats(instance, "vote", n, team)]
        yield Line(
            "vote",
            "vote",
            "vote",
            votes,
            len(votes) if fixed else team,
            len(votes) if fixed else 1.5 * team,
        )
    if course.final_abstract(state, instance):
        return
    attempts = range(1, ATTEMPTS + 1)
    every = [
        cell(instance, "abstract", a, n, seat)
        for a in attempts
        for n in range(1, turns + 1)
        for seat in seats
    ]
    least, whole = team + (turns > 1), team * turns
    least, usual = (whole, whole) if fixed else (least, (least + whole) / 2)
    yield Line("abstract", "abstract", "abstract or its revision", every, least, usual)
    yield Line(
        "overlap",
        "overlap",
        "self-review",
        [cell(instance, "overlap", a, r) for a in attempts for r in (1, 2)],
        1,
        1,
    )
    again = [cell(instance, "revised", a, seat) for a in attempts for seat in seats]
    yield Line("revised", "overlap", "revision after a self-review", again, 0, 0)
