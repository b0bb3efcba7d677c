"""VirSci as the engine sees it: its steps, what is wanted next and where it waits for the person,
and its rows."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import MenuOption, OutlineRow
from coi_tui.engine.steps import Step, View
from coi_tui.methods.shared.course_method import CourseMethod, Planned
from coi_tui.methods.shared.novelty import NoveltyRules
from coi_tui.methods.shared.reading_list import ReadingListStep
from coi_tui.methods.shared.rivals import RivalsStep
from coi_tui.methods.virsci import course, reads
from coi_tui.methods.virsci.contents import PLACES
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.document import virsci_document
from coi_tui.methods.virsci.kinds import OWN_KINDS
from coi_tui.methods.virsci.measures_cell import MeasuresStep
from coi_tui.methods.virsci.settings import ATTEMPTS, MOST_TURNS, bounds_of
from coi_tui.methods.virsci.tasks import (
    TASKS,
    AbstractStep,
    BestStep,
    FoundStep,
    IdeaStep,
    NearStep,
    OverlapStep,
    PollStep,
)
from coi_tui.methods.virsci.team import EcosystemStep, TeamStep
from coi_tui.model.address import READING, Branch, parse_address
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

TALKS = (("topic", "sum"), ("drafts", "digest"))
"""The two discussions: how their stages begin, and the summary that ends each turn."""
TOPIC_STAGES, DRAFT_STAGES = (
    tuple(f"{name}-{n}" for n in range(1, MOST_TURNS + 1)) for name, _ in TALKS
)
ALWAYS = ("people", "team", "subject", "best", "poll", "measures")
"""Cells that have a row from the beginning."""
BELOW = {"guest", "found", "near", "vote", "mine"}
"""Cells whose rows stand one level lower."""


class VirSci(CourseMethod):
    """A team is drawn, discusses a topic, writes ideas, votes on three of them and makes one into
    an abstract; one idea an instance."""

    name, short = "VirSci", "VirSci"
    own_stages = (
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
    own_kinds = OWN_KINDS
    novelty = NoveltyRules(nearest=10)

    def make_steps(self, tools: ServiceSet | None) -> dict[str, Step]:
        return {
            READING: ReadingListStep(tools),
            "people": EcosystemStep(tools),
            "team": TeamStep(tools),
            "found": FoundStep(tools),
            "best": BestStep(tools),
            "near": NearStep(tools),
            "poll": PollStep(tools),
            "abstract": AbstractStep(tools),
            "overlap": OverlapStep(tools),
            "measures": MeasuresStep(tools),
            "rivals": RivalsStep(tools, reads.thought),
            "idea": IdeaStep(tools),
            **{name: task.by(tools) for name, task in TASKS.items()},
        }

    # -- its course

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        """Nothing comes after a place where the person has to write or to decide."""
        for one in self._everything(state, supposed=supposed):
            if not self._yours(state, one.address):
                yield one
            elif state.in_use(one.address) is None and not supposed:
                return

    def _yours(self, state: State, address: str) -> bool:
        """Whether the person writes a cell: they have a seat, or are going to have one."""
        if course.members(state, self.instance):
            return course.is_yours(state, address)
        bounds = bounds_of(state, self.instance)
        seat = {"none": -1, "member": bounds.team, "leader": 1}[bounds.seat]
        return course.seat_of(address) == seat

    def _cell(self, name: str, *numbers: int) -> str:
        return cell(self.instance, name, *numbers)

    def _everything(self, state: State, *, supposed: bool = False) -> Iterator[Planned]:
        """The person's cells among the others."""
        yield Planned(READING, "people")
        yield Planned(self._cell("people"), "people")
        yield Planned(self._cell("team"), "team")
        seats = course.seats(state, self.instance)
        if not seats and supposed:
            seats = range(1, bounds_of(state, self.instance).team + 1)
        if not seats:
            return
        for talk, summary in TALKS:
            yield from self._talk(state, seats, talk, summary, supposed=supposed)
            if not supposed and not self._over(state, summary):
                return
            if talk == "topic":
                yield Planned(self._cell("subject"), "subject")
        yield from self._vote(state, seats, supposed=supposed)
        yield from self._abstracts(state)
        if supposed:
            yield from self._perhaps(state, seats)

    def _over(self, state: State, summary: str) -> bool:
        """Whether a discussion has come to its end: the summary of its last turn is there."""
        last = course.turns_of(state, self.instance, summary)
        return state.in_use(self._cell(summary, last)) is not None

    def _talk(
        self, state: State, seats: range, talk: str, summary: str, *, supposed: bool
    ) -> Iterator[Planned]:
        bounds, last = (
            bounds_of(state, self.instance),
            course.turns_of(state, self.instance, summary),
        )
        most = bounds.turns if supposed and not self._over(state, summary) else last
        for turn in range(1, most + 1):
            stage, sure = f"{talk}-{turn}", turn <= last or not bounds.adaptive
            least = int(sure)
            asking = course.guests(state, self.instance, turn)
            for seat in seats:
                said, draft = self._cell("said", turn, seat), self._cell("draft", turn, seat)
                if talk == "drafts":
                    if not self._yours(state, draft):
                        yield Planned(self._cell("found", turn, seat), stage, least)
                    yield Planned(draft, stage, least)
                    continue
                yield Planned(said, stage, least)
                guest = self._cell("guest", turn, seat)
                if seat in asking:
                    yield Planned(guest, stage)
                elif supposed and bounds.guests and state.in_use(said) is None:
                    yield Planned(guest, stage, 0)
            yield Planned(self._cell(summary, turn), stage, least)

    def _vote(self, state: State, seats: range, *, supposed: bool) -> Iterator[Planned]:
        """The person's votes come last, so that those of the others, which nobody waits for, are
        there by then."""
        bounds, last = bounds_of(state, self.instance), course.vote_rounds(state, self.instance)
        yield Planned(self._cell("best"), "vote")
        known = course.ideas_in_vote(state, self.instance)
        for n in range(1, (known or len(PLACES) * supposed) + 1):
            yield Planned(self._cell("near", n), "vote", int(bool(known) or n == 1))
        if not known and not supposed:
            return
        open_ = state.in_use(self._cell("poll")) is None
        votes = []
        for turn in range(1, (bounds.turns if supposed and open_ else last) + 1):
            sure = turn <= last or not bounds.adaptive
            for seat in seats:
                vote = self._cell("vote", turn, seat)
                votes.append(Planned(vote, "vote", int(sure)))
        yield from sorted(votes, key=lambda one: self._yours(state, one.address))
        if supposed or all(state.in_use(one.address) is not None for one in votes):
            yield Planned(self._cell("poll"), "vote")

    def _abstracts(self, state: State) -> Iterator[Planned]:
        """Attempt by attempt: the abstract, its self-review, and where that found it too close a
        revision and the second review."""
        instance = self.instance
        for attempt in range(1, len(course.ranked_ideas(state, instance)) + 1):
            for address in course.abstract_cells(state, instance, attempt):
                yield Planned(address, "abstract")
            if state.in_use(course.last_abstract(state, instance, attempt)) is None:
                return
            yield Planned(self._cell("overlap", attempt, 1), "overlap")
            if course.too_close(state, instance, attempt, 1):
                for seat in course.seats(state, instance):
                    yield Planned(self._cell("revised", attempt, seat), "overlap")
                yield Planned(self._cell("overlap", attempt, 2), "overlap")
            if not course.discarded(state, instance, attempt):
                break
        if course.final_abstract(state, instance):
            yield Planned(self._cell("measures"), "overlap")

    def _perhaps(self, state: State, seats: range) -> Iterator[Planned]:
        """What an abstract may take that is not there yet; it may be done for another idea again."""
        instance, bounds = self.instance, bounds_of(state, self.instance)
        now = course.attempt_now(state, instance)
        if course.final_abstract(state, instance) or (
            course.ranked_ideas(state, instance) and not now
        ):
            return
        first = max(1, now)
        for attempt in range(first, ATTEMPTS + 1):
            done = state.in_use(course.last_abstract(state, instance, attempt)) is not None
            for turn in range(1, bounds.turns + 1) if not done else ():
                for seat in seats:
                    sure = attempt == first and (not bounds.adaptive or (turn, seat) <= (2, 1))
                    address = self._cell("abstract", attempt, turn, seat)
                    yield Planned(address, "abstract", int(sure))
            sure = attempt == first
            yield Planned(self._cell("overlap", attempt, 1), "overlap", int(sure))
            for seat in seats:
                yield Planned(self._cell("revised", attempt, seat), "overlap", 0)
            yield Planned(self._cell("overlap", attempt, 2), "overlap", 0)

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """Whether an abstract has passed its self-review."""
        return bool(course.final_abstract(view.state, self.instance))

    def your_turn(self, state: State) -> str:
        """The cell that waits for the person, once everything before it is there; empty where none
        does."""
        cells = (one.address for one in self._everything(state))
        missing = next((address for address in cells if state.in_use(address) is None), "")
        return missing if missing and self._yours(state, missing) else ""

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells step by step and turn by turn, then the idea and what follows it; what
        waits for the person's own words has a row as well."""
        waiting = self.your_turn(state)
        always = {self._cell(name) for name in ALWAYS}
        cells = [one.address for one in self._everything(state) if one.address != READING]
        for address in dict.fromkeys([*cells, *map(self._cell, ALWAYS)]):
            at = parse_address(address)
            there = state.in_use(address) is not None or address in failed
            if at.part != "found" and (there or address == waiting or address in always):
                yield self._row(state, address)
                if at.part == "draft":
                    yield self._row(state, self._cell("found", *at.numbers))
                if at.part == "sum":
                    yield self._row(state, self._cell("mine", *at.numbers))
        shared = {f"{self.instance}/{kind.name}" for kind in OWN_KINDS if kind.shared}
        yield from (row for row in super().outline(state, failed) if row.address not in shared)

    def _row(self, state: State, address: str) -> OutlineRow:
        """A numbered row is labelled by who speaks, and by the turn where it is not the first."""
        at = parse_address(address)
        kind = next(kind for kind in OWN_KINDS if kind.name == at.part)
        label, title = "", kind.title.lower()
        if at.part in ("sum", "digest"):
            label = f"summary {at.item}"
        elif at.part in course.SEATED:
            member = course.members(state, self.instance)[at.numbers[-1] - 1].name
            turn = at.numbers[0]
            label = shorten(member, 16, placeholder="...") + (f", {turn}" if turn > 1 else "")
        elif at.part == "overlap" and at.numbers[-1] > 1:
            title = "second self-review"
        return OutlineRow(address, 2 if at.part in BELOW else 1, label, title)

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        """As declared, without turns after the most there are, or after the next one."""
        turns = bounds_of(state, self.instance).turns
        beyond: set[str] = set()
        for stages, (_, summary) in zip((TOPIC_STAGES, DRAFT_STAGES), TALKS, strict=True):
            beyond.update(stages[min(turns, course.turns_of(state, self.instance, summary) + 1) :])
        yield from (
            option for option in super().options(state, address) if option.until not in beyond
        )

    def idea_source(self, state: State, branch: Branch) -> str:
        """Its team."""
        return f"team of {len(course.members(state, self.instance))}"

    def document(
        self, state: State, branches: Sequence[Branch], decisions: Sequence[Decision]
    ) -> MethodDocument:
        return virsci_document(state, self.instance, branches)

    def shortfall(self, state: State) -> str:
        """What the run waits for: the person's words or vote, or another idea than the three that
        were discarded."""
        if waiting := self.your_turn(state):
            return f"It is your turn: write {waiting} (e, or `coi edit`), then run again."
        poll, ideas = self._cell("poll"), course.ranked_ideas(state, self.instance)
        if state.in_use(poll) is not None and not ideas:
            return f"The vote is tied: let an idea win in {poll} (Enter and a, or `coi edit`), then run again."
        if ideas and not course.attempt_now(state, self.instance):
            return "Put another idea into the vote, or add another team: every idea of the vote came too close to earlier work twice."
        return super().shortfall(state)

    def reached(self, state: State) -> str:
        """The last stage of which something exists. A discussion that is over has had all its
        turns, however few it took."""
        turns = bounds_of(state, self.instance).turns
        ended = [f"{talk}-{turns}" for talk, summary in TALKS if self._over(state, summary)]
        return max([super().reached(state), *ended], key=self._place)


METHOD = VirSci
