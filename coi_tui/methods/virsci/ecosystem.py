"""VIR-1, VIR-2: the people behind the session's papers as masked scientists, and the team that a
leader draws from them."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.base.task import MethodTask, known, result
from coi_tui.methods.base.text_tools import term_weight, terms
from coi_tui.methods.evidence.reading_list import LIST_READ
from coi_tui.methods.virsci.contents import EcosystemContent, InvitationAnswer, Scientist
from coi_tui.methods.virsci.settings import VirSciSettings
from coi_tui.methods.virsci.team import Team
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.services.sources.types import People

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

BASIS = 20
"""Papers whose authors these are: accepted ones, then the reading list."""
MOST_PEOPLE = 40
"""People behind the papers who may be invited."""
EACH = 20
"""Papers of each person that are asked for."""
TOPICS = 4
"""Terms that say what somebody works on."""
MOST_ASKED = 3
"""Invitations for each free seat at most: a team that most people refuse stays small."""
MOST_OUTSIDERS = 8


# -- people


class EcosystemTask(MethodTask):
    """VIR-1: who wrote the session's papers. Made once from the papers there are then; a paper that
    comes later changes no team."""

    name = "virsci people"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (LIST_READ,)

    size = Cost(searches=(0, 8))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        state, source = ctx.state, self.services(ctx).source(stage=0)
        papers = _basis(state, inputs)[:BASIS]
        if not papers:
            raise CoiError(
                "There are no papers whose authors could be asked.",
                "Try other words for the topic.",
            )
        found = await source.people(papers, MOST_PEOPLE, EACH)
        people, names = scientists(found, papers)
        if len(people) < 2:
            raise CoiError(
                "Too few authors are known of the session's papers for a team.",
                "Use a source that names them.",
            )
        content = EcosystemContent(
            people=people,
            names=names,
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


def scientists(people: People, papers: Sequence[Paper]) -> tuple[list[Scientist], dict[str, str]]:
    """Masked scientists, those of most of the papers first, and their real names by masked name.

    ``papers``: the records of the papers that these people were asked about; their titles count
    among what somebody has written. A paper counts once, whatever its ids and whoever lists it.
    """
    listed = people.people[:MOST_PEOPLE]
    masked = {person.id: f"Scientist {n}" for n, person in enumerate(listed, start=1)}
    written = [
        (paper.title, {person.id, *(author.id for author in paper.authors)})
        for person in listed
        for paper in person.papers
    ]
    written += [
        (paper.title, {author.id for author in people.authors.get(paper.id, ())})
        for paper in papers
    ]
    writers: dict[str, tuple[str, set[str]]] = {}
    for title, ids in written:
        key = " ".join(sorted(terms(title))) or title.casefold()
        writers.setdefault(key, (title, set()))[1].update(masked[one] for one in ids & {*masked})
    together = Counter(pair for _, who in writers.values() for pair in permutations(who, 2))
    topics = interests(
        {
            name: [title for title, who in writers.values() if name in who]
            for name in masked.values()
        }
    )
    found = [
        Scientist(
            name=(name := masked[person.id]),
            topics=topics[name],
            affiliation=person.affiliation,
            papers=person.paper_count,
            citations=person.citations,
            met={other: number for (one, other), number in sorted(together.items()) if one == name},
        )
        for person in listed
    ]
    return found, {masked[person.id]: person.name for person in listed}


def interests(titles: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """For each name the terms that tell best what it works on: frequent in its own titles, rare in
    those of the others."""
    counts = {
        name: Counter(s for title in own for s in terms(title)) for name, own in titles.items()
    }
    spread = Counter(stem for found in counts.values() for stem in found)
    spelt = {
        s: word for own in titles.values() for title in own for s, word in terms(title).items()
    }

    def weight(found: Counter[str], stem: str) -> tuple[float, str]:
        rare = math.log((1 + len(counts)) / (1 + spread[stem])) + 1
        return -found[stem] * term_weight(stem) * rare, stem

    return {
        name: [
            spelt[stem] if spelt[stem].isupper() else spelt[stem].casefold()
            for stem in sorted(found, key=partial(weight, found))[:TOPICS]
        ]
        for name, found in counts.items()
    }


# -- team


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

        By joint papers with the leader and 1 more, so that strangers can be invited as well. The
        share of strangers among those who joined, and of people with other topics, follows the
        settings as far as there are such people.
        """
        pool = [name for name in self.people if name != leader and name not in asked]
        if not pool:
            return None
        met, topics = self.people[leader].met, set(self.people[leader].topics)
        for share, kind in (
            (self._bounds.freshness, {name for name in self.people if name not in met}),
            (
                self._bounds.diversity,
                {name for name, one in self.people.items() if topics.isdisjoint(one.topics)},
            ),
        ):
            due = sum(name in kind for name in joined) < round(share * (len(joined) + 1) + 1e-9)
            pool = [name for name in pool if (name in kind) == due] or pool
        weights = [met.get(name, 0) + 1 for name in pool]
        drawn = self._dice.choices(range(len(pool)), weights=weights)[0]
        return pool[drawn], weights[drawn] / sum(weights)


class TeamTask(MethodTask):
    """VIR-2: a leader, drawn, and those who join. Each invitation is a call; who is asked next
    depends on the answers before."""

    name, prompts = "virsci team", ("virsci_invite",)

    reads = staticmethod(reading(TOPIC, "people={instance}/people#people"))

    def cost(self, state: State, address: str) -> Cost:
        free = Team(state, address).bounds.team - 1
        most = MOST_ASKED * free
        return Cost("main", (free, 2 * most), (300 * free, 900 * most), (60 * free, 200 * most))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        bounds, services = Team(ctx.state, inputs.address).bounds, self.services(ctx)
        draw = TeamDraw([Scientist.from_held(row) for row in inputs.one("people") or []], bounds)
        profiles = {
            name: {"name": name, "description": one.profile()} for name, one in draw.people.items()
        }
        members, rows = [draw.leader()], list[dict[str, Any]]()
        recipe: Mapping[str, Any] = {}
        while len(members) < bounds.team and len(rows) < MOST_ASKED * (bounds.team - 1):
            drawn = draw.next(members[0], members[1:], [row["name"] for row in rows])
            if drawn is None:
                break
            services.at(len(rows))
            values = {
                "topic": inputs.one("topic"),
                "leader": profiles[members[0]],
                "team": [profiles[name] for name in members[1:]],
                "invited": profiles[drawn[0]],
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
        met = [draw.people[member].met for member in members]
        outside = sorted(  # those first with whom most members have written
            (name for name in profiles if name not in members),
            key=lambda name: -sum(name in one for one in met),
        )
        content = {
            "members": [profiles[name] for name in members],
            "outsiders": [profiles[name] for name in outside[:MOST_OUTSIDERS]],
            "invitations": rows,
            "note": f"{short} of {bounds.team} seats stayed empty." if short > 0 else "",
        }
        return result(inputs, content, services.origin, recipe)
