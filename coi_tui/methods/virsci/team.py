"""VIR-1, VIR-2: the people behind the session's papers, and the team that a leader draws from
them."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.base.task import MethodTask, known, result
from coi_tui.methods.evidence.reading_list import LIST_READ
from coi_tui.methods.virsci.contents import EcosystemContent, Scientist
from coi_tui.methods.virsci.course import Team
from coi_tui.methods.virsci.ecosystem import scientists
from coi_tui.methods.virsci.measures import middle_year
from coi_tui.methods.virsci.replies import InvitationAnswer
from coi_tui.methods.virsci.settings import VirSciSettings
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

MOST_PEOPLE = 40
"""People behind the papers who may be invited."""
EACH = 20
"""Papers of each person that are asked for."""
MOST_ASKED = 3
"""Invitations for each free seat at most: a team that most people refuse stays small."""
MOST_OUTSIDERS = 8


class EcosystemTask(MethodTask):
    """VIR-1: who wrote the session's papers. Made once from the papers there are then; a paper that
    comes later changes no team."""

    name = "virsci people"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (LIST_READ,)

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(0, 8))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        state, source = ctx.state, self.services(ctx).source(stage=0)
        papers = _basis(state, inputs)[: Team(state, inputs.address).bounds.basis]
        if not papers:
            raise CoiError(
                "There are no papers whose authors could be asked.",
                "Try other words for the topic.",
            )
        found = await source.people(papers, MOST_PEOPLE, EACH)
        made, names = scientists(found, papers, MOST_PEOPLE)
        if len(made) < 2:
            raise CoiError(
                "Too few authors are known of the session's papers for a team.",
                "Use a source that names them.",
            )
        content = EcosystemContent(
            people=made,
            names=names,
            papers=[paper.id for paper in papers],
            split=middle_year([paper.year for paper in state.papers.values() if paper.year]),
            note=found.note,
        )
        return result(inputs, content.model_dump(), "source", {"source": source.name})


def _basis(state: State, inputs: Inputs) -> list[Paper]:
    """The papers whose authors count: those in chains that a person accepted, the others in chains,
    then the reading list."""
    placed = [place for place in state.slots.values() if place.paper]
    placed.sort(key=lambda place: place.verdict not in ("accepted", "pinned"))
    listed = [row["paper"] for row in inputs.one("reading") or []]
    rejected = state.rejected(0)
    ids = dict.fromkeys([*(place.paper or "" for place in placed), *listed])
    return known(state, (paper for paper in ids if paper not in rejected))


class TeamDraw:
    """VIR-2, VIR-12: whom a leader invites next. Drawn by probability from a seed: the same calls
    give the same names."""

    def __init__(self, people: Sequence[Scientist], bounds: VirSciSettings) -> None:
        self.people = {person.name: person for person in people}
        self._bounds = bounds
        self._dice = random.Random(f"virsci:{bounds.seed}")

    def leader(self) -> str:
        """Drawn among all."""
        return self._dice.choice(list(self.people))

    def next(
        self, leader: str, joined: Sequence[str], asked: Collection[str]
    ) -> tuple[str, float] | None:
        """The next to be invited, nobody twice, and how probable that was; None where nobody is
        left.

        By joint papers with the leader and 1 more, so that strangers can be invited as well. Of
        those who joined, the share of strangers and of people with other topics is held to the
        settings as far as there are such people.
        """
        free = [name for name in self.people if name != leader and name not in asked]
        if not free:
            return None
        pool, met = self._wished(leader, joined, free), self.people[leader].met
        weights = [met.get(name, 0) + 1 for name in pool]
        drawn = self._dice.choices(range(len(pool)), weights=weights)[0]
        return pool[drawn], weights[drawn] / sum(weights)

    def _wished(self, leader: str, joined: Sequence[str], free: list[str]) -> list[str]:
        """Those among the free who keep both shares; where there are none, those who keep the
        first, the second, or anybody."""
        met, topics = self.people[leader].met, set(self.people[leader].topics)
        new = {name: name not in met for name in self.people}
        other = {name: topics.isdisjoint(one.topics) for name, one in self.people.items()}
        fresh, diverse = (
            [name for name in free if kind[name] == _due(share, [kind[one] for one in joined])]
            for share, kind in ((self._bounds.freshness, new), (self._bounds.diversity, other))
        )
        return [name for name in fresh if name in diverse] or fresh or diverse or free


def _due(share: float, had: Sequence[bool]) -> bool:
    """Whether the next one should be of the kind of which there is to be a share."""
    return sum(had) < round(share * (len(had) + 1) + 1e-9)


class TeamTask(MethodTask):
    """VIR-2: a leader, drawn, and those who join. Each invitation is a call; who is asked next
    hangs on the answers before."""

    name, prompts = "virsci team", ("virsci_invite",)

    reads = staticmethod(reading(TOPIC, "people={instance}/people#people"))

    def cost(self, state: State, address: str) -> Cost:
        free = Team(state, address).bounds.team - 1
        most = MOST_ASKED * free
        return Cost("main", (free, 2 * most), (300 * free, 900 * most), (60 * free, 200 * most))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        bounds, services = Team(ctx.state, inputs.address).bounds, self.services(ctx)
        draw = TeamDraw([Scientist.from_held(row) for row in inputs.one("people") or []], bounds)

        def told(name: str) -> dict[str, str]:
            return {"name": name, "description": draw.people[name].profile()}

        members, rows = [draw.leader()], list[dict[str, Any]]()
        recipe: Mapping[str, Any] = {}
        while len(members) < bounds.team and len(rows) < MOST_ASKED * (bounds.team - 1):
            drawn = draw.next(members[0], members[1:], [row["name"] for row in rows])
            if drawn is None:
                break
            services.at(len(rows))
            values = {
                "topic": inputs.one("topic"),
                "leader": told(members[0]),
                "team": [told(name) for name in members[1:]],
                "invited": told(drawn[0]),
            }
            asked = await services.ask("virsci_invite", values, InvitationAnswer)
            joins, recipe = asked.value.answer == "join", asked.recipe
            row = {"name": drawn[0], "chance": round(drawn[1], 4), "joined": joins}
            rows.append({**row, "reason": asked.value.reason})
            members += [drawn[0]] if joins else []
        if len(members) < 2:
            raise CoiError(
                "Nobody joined the team.", "Run the step again, or write the members yourself."
            )
        short = bounds.team - len(members)
        content = {
            "members": [told(name) for name in members],
            "outsiders": [told(name) for name in _known_to(draw, members)],
            "invitations": rows,
            "note": f"{short} of {bounds.team} seats stayed empty." if short > 0 else "",
        }
        return result(inputs, content, services.origin, recipe)


def _known_to(draw: TeamDraw, team: list[str]) -> list[str]:
    """People outside of the team whom its members have written with, those of most members first;
    then the others."""
    outside = [name for name in draw.people if name not in team]
    met = [draw.people[member].met for member in team]
    return sorted(outside, key=lambda name: -sum(name in one for one in met))[:MOST_OUTSIDERS]
