"""VirSci as the engine sees it: its steps, what is wanted next and where it waits for the person,
and its rows."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import OutlineRow, Task, View
from coi_tui.methods.branched import CourseMethod, Planned
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.ideas.novelty import NoveltyRules
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.virsci import reads
from coi_tui.methods.virsci.contents import PLACES
from coi_tui.methods.virsci.course import SEATED, Team
from coi_tui.methods.virsci.document import virsci_document
from coi_tui.methods.virsci.kinds import OWN_KINDS
from coi_tui.methods.virsci.measures import MeasuresTask
from coi_tui.methods.virsci.settings import ATTEMPTS, MOST_TURNS
from coi_tui.methods.virsci.tasks import (
    TASKS,
    AbstractTask,
    BestTask,
    FoundTask,
    IdeaTask,
    NearTask,
    OverlapTask,
    PollTask,
)
from coi_tui.methods.virsci.team import EcosystemTask, TeamTask
from coi_tui.model.address import READING, Branch, parse_address
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

TALKS = {"topic": ("said", "guest", "sum"), "drafts": ("found", "draft", "digest")}
"""The two discussions by how their stages begin: the cells of each seat, and the summary that ends
each turn."""
TOPIC_STAGES, DRAFT_STAGES = (
    tuple(f"{talk}-{n}" for n in range(1, MOST_TURNS + 1)) for talk in TALKS
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

    def make_tasks(self, tools: ServiceSet | None) -> dict[str, Task]:
        return {
            READING: ReadingListTask(tools),
            "people": EcosystemTask(tools),
            "team": TeamTask(tools),
            "found": FoundTask(tools),
            "best": BestTask(tools),
            "near": NearTask(tools),
            "poll": PollTask(tools),
            "abstract": AbstractTask(tools),
            "overlap": OverlapTask(tools),
            "measures": MeasuresTask(tools),
            "rivals": RivalsTask(tools, reads.thought),
            "idea": IdeaTask(tools),
            **{name: task.by(tools) for name, task in TASKS.items()},
        }

    # -- its course

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        team = Team(state, self.instance, supposed=supposed)
        yield Planned(READING, "people")
        yield Planned(f"{team.instance}/people", "people")
        yield Planned(f"{team.instance}/team", "team")
        if not team.seats:
            return
        for talk in TALKS:
            yield from self._talk(team, talk, supposed=supposed)
            if not supposed and not team.over(TALKS[talk][-1]):
                return
            if talk == "topic":
                yield Planned(f"{team.instance}/subject", "subject")
        yield from self._vote(team, supposed=supposed)
        yield from self._abstracts(team, supposed=supposed)

    def _talk(self, team: Team, talk: str, *, supposed: bool) -> Iterator[Planned]:
        *names, summary = TALKS[talk]
        last, bounds = team.turns(summary), team.bounds
        most = bounds.turns if supposed and not team.over(summary) else last
        for turn in range(1, most + 1):
            stage, least = f"{talk}-{turn}", int(turn <= last or not bounds.adaptive)
            asking = team.guests(turn)
            for seat in team.seats:
                for name in names:
                    address = team.cell(name, turn, seat)
                    if name != "guest" or seat in asking:
                        yield Planned(address, stage, least)
                    elif supposed and bounds.guests and not team.made("said", turn, seat):
                        yield Planned(address, stage, 0)
            yield Planned(team.cell(summary, turn), stage, least)

    def _vote(self, team: Team, *, supposed: bool) -> Iterator[Planned]:
        yield Planned(f"{team.instance}/best", "vote")
        known, last = len(team.ideas()), team.vote_rounds()
        for n in range(1, (known or len(PLACES) * supposed) + 1):
            yield Planned(f"{team.instance}/near{n}", "vote", int(bool(known) or n == 1))
        if not known and not supposed:
            return
        most = team.bounds.turns if supposed and not team.made("poll") else last
        places = [(turn, seat) for turn in range(1, most + 1) for seat in team.seats]
        for place in places:
            sure = place[0] <= last or not team.bounds.adaptive
            yield Planned(team.cell("vote", *place), "vote", int(sure))
        if supposed or all(team.made("vote", *place) for place in places):
            yield Planned(f"{team.instance}/poll", "vote")

    def _abstracts(self, team: Team, *, supposed: bool) -> Iterator[Planned]:
        """Attempt by attempt: the abstract, its self-review, and where that found it too close a
        revision and the second review."""
        now, turns = max(1, team.attempt()), range(1, team.bounds.turns + 1)
        for attempt in range(1, (len(team.ranked()) or ATTEMPTS * supposed) + 1):
            sure, last = int(attempt <= now), team.last_abstract(attempt)
            done = team.state.in_use(last) is not None
            known = set(team.abstract_cells(attempt))
            for place in ((attempt, turn, seat) for turn in turns for seat in team.seats):
                address = team.cell("abstract", *place)
                if address in known or (supposed and not done):
                    least = not team.bounds.adaptive or place[1:] <= (2, 1)
                    yield Planned(address, "abstract", sure * int(done or least))
            if not done and not supposed:
                return
            yield Planned(f"{team.instance}/overlap{attempt}.1", "overlap", sure)
            close = team.close(attempt, 1)
            if close or (supposed and close is None):
                for seat in team.seats:
                    yield Planned(
                        f"{team.instance}/revised{attempt}.{seat}", "overlap", int(bool(close))
                    )
                yield Planned(f"{team.instance}/overlap{attempt}.2", "overlap", int(bool(close)))
            if not team.discarded(attempt) and (team.passed() or not supposed):
                break
        if team.passed():
            yield Planned(f"{team.instance}/measures", "overlap")

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """Whether an abstract has passed its self-review."""
        return Team(view.state, self.instance).passed()

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells step by step and turn by turn, then the idea and what follows it."""
        team = Team(state, self.instance)
        always = [team.cell(name) for name in ALWAYS]
        cells = [one.address for one in self.course(state, "") if one.address != READING]
        for address in dict.fromkeys([*cells, *always]):
            at = parse_address(address)
            there = state.in_use(address) is not None or address in failed or address in always
            if there and at.part != "found":
                yield self._row(team, address)
                after = {"draft": "found", "sum": "mine"}.get(at.part)
                if after is not None:
                    yield self._row(team, team.cell(after, *at.numbers))
        shared = {team.cell(kind.name) for kind in OWN_KINDS if kind.shared}
        yield from (row for row in super().outline(state, failed) if row.address not in shared)

    def _row(self, team: Team, address: str) -> OutlineRow:
        """A numbered row is labelled by who speaks, and by the turn where it is not the first."""
        at = parse_address(address)
        title = next(kind.title.lower() for kind in OWN_KINDS if kind.name == at.part)
        label = f"summary {at.item}" if at.part in ("sum", "digest") else ""
        if at.part in SEATED:
            member, turn = team.members[at.numbers[-1] - 1].name, at.numbers[0]
            label = shorten(member, 16, placeholder="...") + (f", {turn}" if turn > 1 else "")
        return OutlineRow(address, 2 if at.part in BELOW else 1, label, title)

    def idea_source(self, state: State, branch: Branch) -> str:
        """Its team."""
        return f"team of {len(Team(state, self.instance).seats)}"

    def document(
        self, state: State, branches: Sequence[Branch], decisions: Sequence[Decision]
    ) -> MethodDocument:
        return virsci_document(state, self.instance, branches)

    def shortfall(self, state: State) -> str:
        """What the run waits for: the person's vote, or another idea than the three that were
        discarded."""
        team = Team(state, self.instance)
        if team.made("poll") and not team.ranked():
            return f"The vote is tied: let an idea win in {team.cell('poll')} (Enter and a, or `coi edit`), then run again."
        if team.ranked() and not team.attempt():
            return "Put another idea into the vote, or add another team: every idea of the vote came too close to earlier work twice."
        return super().shortfall(state)

    def reached(self, state: State) -> str:
        """The last stage of which something exists. A discussion that is over has had all its
        turns, however few it took."""
        team = Team(state, self.instance)
        turns = team.bounds.turns
        ended = [f"{talk}-{turns}" for talk, cells in TALKS.items() if team.over(cells[-1])]
        return max([super().reached(state), *ended], key=self._place)


METHOD = VirSci
