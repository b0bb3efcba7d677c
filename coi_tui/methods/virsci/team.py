"""VIR-1, VIR-2: the people behind the session's papers, and the team that a leader draws from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reading_list import LIST_READ
from coi_tui.methods.shared.reads import TOPIC
from coi_tui.methods.virsci.contents import YOU, EcosystemContent, Scientist
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.ecosystem import scientists
from coi_tui.methods.virsci.measures import middle_year
from coi_tui.methods.virsci.replies import InvitationAnswer
from coi_tui.methods.virsci.settings import VirSciSettings, bounds_of
from coi_tui.methods.virsci.team_draw import MOST_ASKED, Knobs, TeamDraw
from coi_tui.model.address import parse_address, ref
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

EACH = 20
"""Papers of each person that are asked for."""
MOST_OUTSIDERS = 8
YOURS = "the researcher whose session this is"


class EcosystemStep(MethodStep):
    """VIR-1: who wrote the session's papers. Made once from the papers there are then; a paper that comes later changes no team."""

    name = "virsci people"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (LIST_READ,)

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(0, 8))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        bounds = bounds_of(ctx.state, parse_address(inputs.address).instance)
        papers = list(_basis(ctx.state, inputs))[: bounds.basis]
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
        split = bounds.split or middle_year(
            [paper.year for paper in ctx.state.papers.values() if paper.year]
        )
        years = [paper.year for paper in ctx.state.papers.values() if paper.year and paper.abstract]
        content = EcosystemContent(
            people=made,
            names=names,
            papers=[paper.id for paper in papers],
            split=split,
            source=found.source or source.name,
            past=sum(year < (split or 0) for year in years),
            contemporary=sum(year >= (split or 0) for year in years),
            note=found.note,
        )
        return Result(
            (Made(inputs.address, content.model_dump(), "source", {"source": source.name}),)
        )


def _basis(state: State, inputs: Inputs) -> Iterator[Paper]:
    """The papers whose authors count: those in chains that a person accepted, the others in chains, then the reading list."""
    placed = [place for place in state.slots.values() if place.paper]
    accepted = [place.paper for place in placed if place.verdict in ("accepted", "pinned")]
    rejected = state.rejected(0)
    listed = [row["paper"] for row in inputs.one("reading") or []]
    for paper in dict.fromkeys([*accepted, *(place.paper for place in placed), *listed]):
        if paper in state.papers and paper not in rejected:
            yield state.papers[paper]


class TeamStep(MethodStep):
    """VIR-2: a leader, drawn, and those who join. Each invitation is a call; who is asked next hangs on the answers before."""

    name, prompts = "virsci team", ("virsci_invite",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            TOPIC,
            Read("people", ref(cell(parse_address(address).instance, "people"), "people")),
        )

    def cost(self, state: State, address: str) -> Cost:
        free = _free_seats(bounds_of(state, parse_address(address).instance))
        most = MOST_ASKED * free
        return Cost("main", (free, 2 * most), (300 * free, 900 * most), (60 * free, 200 * most))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        bounds = bounds_of(ctx.state, parse_address(inputs.address).instance)
        people = [Scientist.from_held(row) for row in inputs.one("people") or []]
        draw = TeamDraw(people, Knobs(bounds.freshness, bounds.diversity), bounds.seed)
        leader = YOU if bounds.seat == "leader" else draw.leader()
        joined, rows, recipe = await self._invited(self.services(ctx), inputs, bounds, draw, leader)
        team = [*([leader] if leader != YOU else []), *joined]
        members = [{"name": name, "description": draw.people[name].profile()} for name in team]
        own = [{"name": YOU, "description": YOURS}] if bounds.seat != "none" else []
        members = [*own, *members] if bounds.seat == "leader" else [*members, *own]
        if len(members) < 2:
            raise CoiError(
                "Nobody joined the team.", "Run the step again, or write the members yourself."
            )
        outsiders = [
            {"name": name, "description": draw.people[name].profile()}
            for name in _known_to(draw, team)
        ]
        short = bounds.team - len(members)
        note = (
            f"{short} of {bounds.team} seats stayed empty: of {len(rows)} who were asked {len(joined)} joined."
            if short > 0
            else ""
        )
        content = {"members": members, "outsiders": outsiders, "invitations": rows, "note": note}
        return Result((Made(inputs.address, content, self.services(ctx).origin, recipe),))

    async def _invited(
        self,
        services: Services,
        inputs: Inputs,
        bounds: VirSciSettings,
        draw: TeamDraw,
        leader: str,
    ) -> tuple[list[str], list[dict[str, Any]], Any]:
        """Who joined, each invitation, and how the last answer was made."""
        joined: list[str] = []
        rows: list[dict[str, Any]] = []
        recipe: Any = {}
        free = _free_seats(bounds)
        head = {
            "name": leader,
            "description": draw.people[leader].profile() if leader in draw.people else YOURS,
        }
        while len(joined) < free and len(rows) < MOST_ASKED * free:
            drawn = draw.next(leader, joined, [row["name"] for row in rows])
            if drawn is None:
                break
            services.at(len(rows))
            team = [{"name": name, "description": draw.people[name].profile()} for name in joined]
            invited = {"name": drawn.name, "description": draw.people[drawn.name].profile()}
            values = {
                "topic": inputs.one("topic"),
                "leader": head,
                "team": team,
                "invited": invited,
            }
            asked = await services.ask("virsci_invite", values, InvitationAnswer)
            joins, recipe = asked.value.answer == "join", asked.recipe
            rows.append(
                {
                    "name": drawn.name,
                    "chance": round(drawn.chance, 4),
                    "joined": joins,
                    "reason": asked.value.reason,
                }
            )
            joined += [drawn.name] if joins else []
        return joined, rows, recipe


def _free_seats(bounds: VirSciSettings) -> int:
    """The seats for which somebody is invited: all but the leader's and the person's own."""
    return bounds.team - 1 - (bounds.seat == "member")


def _known_to(draw: TeamDraw, team: list[str]) -> list[str]:
    """People outside of the team whom its members have written with, those of most members first; then the others."""
    outside = [name for name in draw.people if name not in team]
    ties = {name: sum(name in draw.people[member].met for member in team) for name in outside}
    return sorted(outside, key=lambda name: (-ties[name], outside.index(name)))[:MOST_OUTSIDERS]
