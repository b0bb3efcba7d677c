"""VirSci as the engine sees it: its tasks, what is wanted next and where it waits for the person,
and its rows."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from coi_tui.engine.declarations import OutlineRow, View
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.ideas.novelty import NoveltyRules
from coi_tui.methods.ideas.sketches import in_short
from coi_tui.methods.virsci import MOST_TURNS
from coi_tui.methods.virsci.kinds import OWN_KINDS
from coi_tui.methods.virsci.tasks import DRAFTS as DRAFTS
from coi_tui.methods.virsci.tasks import TASKS
from coi_tui.methods.virsci.team import IN_VOTE, MemberIdea, Team
from coi_tui.model.address import READING, Branch, cell_ref
from coi_tui.model.content import Sketch
from coi_tui.model.document import MethodDocument
from coi_tui.model.state import State
from coi_tui.model.text import count

TALKS = {"topic": (("said",), "sum"), "drafts": (("found", "draft"), "digest")}
"""The two discussions by how their stages begin: the cells of each seat, and the summary that ends
each turn."""
TOPIC_STAGES, DRAFT_STAGES = (
    tuple(f"{talk}-{n}" for n in range(1, MOST_TURNS + 1)) for talk in TALKS
)
ALWAYS = ("people", "team", "subject", "poll", "measures")
"""Cells that have a row from the beginning."""


class VirSci(BranchedMethod):
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
    own_kinds, tasks = OWN_KINDS, TASKS
    novelty = NoveltyRules(nearest=10)

    def short_ideas(self, state: State) -> Iterator[tuple[str, Sketch]]:
        """The drafts that the team votes on."""
        team = Team(state, self.instance)
        for number in team.voted():
            one = team.read(MemberIdea, "draft", number)
            yield team.cell("draft", number), in_short(one.title, one.idea)

    # -- its course

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        team = Team(state, self.instance, supposed=supposed)
        yield Planned(READING, "people")
        for name in ("people", "team"):
            yield Planned(team.cell(name), name)
        if not team.seats:
            return
        for talk, (cells, summary) in TALKS.items():
            yield from self._turns(team, talk, cells, summary, supposed=supposed)
            if not supposed and not team.over(summary):
                return
            if talk == "topic":
                yield Planned(team.cell("subject"), "subject")
        # Which ideas go into the vote is not known before they are there.
        if drafts := team.voted() or [f"1.{n}" for n in range(1, IN_VOTE + 1)] * supposed:
            near = [team.cell("near", draft) for draft in drafts]
            votes = [team.cell("vote", seat) for seat in team.seats]
            yield from (Planned(at, "vote") for at in (*near, *votes, team.cell("poll")))
        yield from self._abstracts(team, supposed=supposed)

    def _turns(
        self, team: Team, talk: str, cells: Sequence[str], summary: str, *, supposed: bool
    ) -> Iterator[Planned]:
        """A discussion turn by turn: the cells of each seat, and the summary."""
        known = team.turns(summary)
        most = team.bounds.turns if supposed and not team.over(summary) else known
        for turn in range(1, most + 1):
            said = (team.cell(name, turn, seat) for seat in team.seats for name in cells)
            for address in (*said, team.cell(summary, turn)):
                yield Planned(address, f"{talk}-{turn}", int(turn <= known))

    def _abstracts(self, team: Team, *, supposed: bool) -> Iterator[Planned]:
        """Attempt by attempt: the abstract, its self-review, and where that found it too close a
        revision and the second review."""
        for attempt in range(1, (len(team.ranked()) or IN_VOTE * supposed) + 1):
            sure = int(attempt <= max(1, team.attempt()))
            for seat in team.seats:
                yield Planned(team.cell("abstract", attempt, seat), "abstract", sure)
            yield Planned(team.cell("overlap", attempt, 1), "overlap", sure)
            close = team.close(attempt, 1)
            if close or (supposed and close is None):
                yield Planned(team.cell("revised", attempt), "overlap", int(bool(close)))
                yield Planned(team.cell("overlap", attempt, 2), "overlap", int(bool(close)))
            if not team.discarded(attempt) and (team.passed() or not supposed):
                break
        if team.passed():
            yield Planned(team.cell("measures"), "overlap")

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """Whether an abstract has passed its self-review."""
        return Team(view.state, self.instance).passed()

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells in the order of the course, below each summary the person's words; then
        the idea and what follows it."""
        team = Team(state, self.instance)
        labels = {kind.name: kind.label for kind in OWN_KINDS if kind.shared}
        course = (one.address for one in self.course(state, ""))
        for address in dict.fromkeys([*course, *map(team.cell, ALWAYS)]):
            at = cell_ref(address)
            if at.kind in labels:
                yield OutlineRow(address, 1, f"{labels[at.kind]} {at.item or ''}".strip())
            if at.kind == "sum" and state.in_use(address) is not None:
                yield OutlineRow(team.cell("mine", *at.numbers), 2)
        for row in super().outline(state, failed):
            if cell_ref(row.address).kind not in labels:
                yield row

    def idea_source(self, state: State, branch: Branch) -> str:
        """Its team."""
        return f"team of {len(Team(state, self.instance).seats)}"

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        """The summaries of the discussion, what the person said in it, and the self-reviews."""
        team = Team(state, self.instance, supposed=True)
        made = [one for one in map(cell_ref, state.cells) if one.instance == self.instance]
        cells = [str(one) for one in made if one.kind in ("sum", "mine", "overlap")]
        turns = count(team.bounds.turns, "turn")
        return MethodDocument(
            tuple(cells),
            limits=(
                f"VirSci with a team of {len(team.seats)} and at most {turns} a step; the paper's usual team has 4 and 5.",
                "The members of the team are invented voices with masked profiles of real authors; none of these authors took part.",
                "The session's own papers and their authors stand in for the large collection of authors that the paper draws on.",
            ),
        )

    def shortfall(self, state: State) -> str:
        """What the run waits for: the person's vote, or another idea than the three that were
        discarded."""
        team = Team(state, self.instance)
        if team.made("poll") and not team.ranked():
            return f"The vote is tied: let an idea win in {team.cell('poll')} (Enter and a, or `coi edit`), then run again."
        if team.ranked() and not team.attempt():
            return "Reject these drafts so that others are voted on, or add another team: every idea of the vote came too close to earlier work twice."
        return super().shortfall(state)

    def reached(self, state: State) -> str:
        """The last stage of which something exists. A discussion that is over has had all its
        turns, however few it took."""
        team = Team(state, self.instance)
        turns = team.bounds.turns
        ended = [f"{talk}-{turns}" for talk, (_, summary) in TALKS.items() if team.over(summary)]
        return max([super().reached(state), *ended], key=self._place)


METHOD = VirSci
