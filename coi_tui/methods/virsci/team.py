"""VIR-1, VIR-2: the people behind the session's papers, and the team that a leader draws from
them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reading_list import LIST_READ
from coi_tui.methods.shared.reads import TOPIC
from coi_tui.methods.shared.text_task import known, reading, result
from coi_tui.methods.virsci.contents import YOU, EcosystemContent, Scientist
from coi_tui.methods.virsci.ecosystem import scientists
from coi_tui.methods.virsci.measures import middle_year
from coi_tui.methods.virsci.replies import InvitationAnswer
from coi_tui.methods.virsci.settings import VirSciSettings, bounds_of
from coi_tui.methods.virsci.team_draw import MOST_ASKED, Knobs, TeamDraw
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

EACH = 20
"""Papers of each person that are asked for."""
MOST_OUTSIDERS = 8
YOURS = "the researcher whose session this is"


class EcosystemStep(MethodStep):
    """VIR-1: who wrote the session's papers. Made once from the papers there are then; a paper that
    comes later changes no team."""

    name = "virsci people"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (LIST_READ,)

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(0, 8))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        bounds, state = bounds_of(ctx.state, inputs.address), ctx.state
        papers = _basis(state, inputs)[: bounds.basis]
        if not papers:
            raise CoiError(
                "There are no papers whose authors could be asked.",
                "Try other words for the topic.",
            )
        source = self.services(ctx).source(stage=0)
        found = await source.people(papers, bounds.scientists, EACH)
        made, names = scientists(found, papers, bounds.scientists)
        if len(made) < 2:
            raise CoiError(
                "Too few authors are known of the session's papers for a team.",
                "Use a source that names them.",
            )
        years = [paper.year for paper in state.papers.values() if paper.year]
        content = EcosystemContent(
            people=made,
            names=names,
            papers=[paper.id for paper in papers],
            split=bounds.split or middle_year(years),
            source=found.source or source.name,
            note=found.note,
        )
        recipe = {"source": source.name}
        return result(inputs, content.model_dump(), "source", recipe)


def _basis(state: State, inputs: Inputs) -> list[Paper]:
    """The papers whose authors count: those in chains that a person accepted, the others in chains,
    then the reading list."""
    placed = [place for place in state.slots.values() if place.paper]
    placed.sort(key=lambda place: place.verdict not in ("accepted", "pinned"))
    listed = [row["paper"] for row in inputs.one("reading") or []]
    rejected = state.rejected(0)
    ids = dict.fromkeys([*(place.paper or "" for place in placed), *listed])
    return known(state, (paper for paper in ids if paper not in rejected))


class TeamStep(MethodStep):
    """VIR-2: a leader, drawn, and those who join. Each invitation is a call; who is asked next
    hangs on the answers before."""

    name, prompts = "virsci team", ("virsci_invite",)

    reads = staticmethod(reading(TOPIC, "people={instance}/people#people"))

    def cost(self, state: State, address: str) -> Cost:
        free = _free_seats(bounds_of(state, address))
        most = MOST_ASKED * free
        return Cost("main", (free, 2 * most), (300 * free, 900 * most), (60 * free, 200 * most))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        bounds, services = bounds_of(ctx.state, inputs.address), self.services(ctx)
        people = [Scientist.from_held(row) for row in inputs.one("people") or []]
        draw = TeamDraw(people, Knobs(bounds.freshness, bounds.diversity), bounds.seed)

        def told(name: str) -> dict[str, str]:
            one = draw.people.get(name)
            return {"name": name, "description": one.profile() if one is not None else YOURS}

        leader = YOU if bounds.seat == "leader" else draw.leader()
        joined: list[str] = []
        rows: list[dict[str, Any]] = []
        recipe: Mapping[str, Any] = {}
        free = _free_seats(bounds)
        while len(joined) < free and len(rows) < MOST_ASKED * free:
            drawn = draw.next(leader, joined, [row["name"] for row in rows])
            if drawn is None:
                break
            services.at(len(rows))
            values = {
                "topic": inputs.one("topic"),
                "leader": told(leader),
                "team": [told(name) for name in joined],
                "invited": told(drawn.name),
            }
            asked = await services.ask("virsci_invite", values, InvitationAnswer)
            joins, recipe = asked.value.answer == "join", asked.recipe
            row = {"name": drawn.name, "chance": round(drawn.chance, 4), "joined": joins}
            rows.append({**row, "reason": asked.value.reason})
            joined += [drawn.name] if joins else []
        members = [leader, *joined, *([YOU] if bounds.seat == "member" else [])]
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


def _free_seats(bounds: VirSciSettings) -> int:
    """The seats for which somebody is invited: all but the leader's and the person's own."""
    return bounds.team - 1 - (bounds.seat == "member")


def _known_to(draw: TeamDraw, team: list[str]) -> list[str]:
    """People outside of the team whom its members have written with, those of most members first;
    then the others."""
    outside = [name for name in draw.people if name not in team]
    met = [draw.people[member].met for member in team if member in draw.people]
    return sorted(outside, key=lambda name: -sum(name in one for one in met))[:MOST_OUTSIDERS]
