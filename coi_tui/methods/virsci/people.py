"""VIR-1, VIR-2: the people behind the session's papers as masked scientists, and the team that a
leader draws from them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.literature.title_match import normalise_title
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.base.task import MethodTask, known, result
from coi_tui.methods.base.text_tools import term_weight, terms
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.evidence.reading_list import LIST_READ
from coi_tui.methods.virsci import VirSciSettings
from coi_tui.methods.virsci.team import InvitationAnswer, Scientist, Team
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, Values
from coi_tui.services.sources.types import People

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


class EcosystemTask(MethodTask):
    """VIR-1: who wrote the session's papers. Made once from the papers there are then; a paper that
    comes later changes no team."""

    name = "virsci people"
    reads = staticmethod(reading(LIST_READ))
    size = Cost(searches=(0, 8))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        source, papers = self.services(ctx).source(stage=0), _basis(ctx.state, inputs)
        found = await source.people(papers, MOST_PEOPLE, EACH)
        people, names = scientists(found, papers)
        if len(people) < 2:
            raise CoiError(
                "Too few authors are known of the session's papers for a team.",
                "Try other words for the topic, or a source that names authors.",
            )
        rows = [one.model_dump() for one in people]
        content = {"people": rows, "names": names, "note": found.note}
        return result(inputs, content, "source", {"source": source.name})


def _basis(state: State, inputs: Inputs) -> list[Paper]:
    """The papers whose authors count: those in chains that a person accepted, the others in chains,
    then the reading list."""
    placed = [place for place in Chains.of(state).slots.values() if place.paper]
    placed.sort(key=lambda place: place.verdict not in ("accepted", "pinned"))
    listed = [row["paper"] for row in inputs.one("reading") or []]
    ids = dict.fromkeys([*(place.paper or "" for place in placed), *listed])
    rejected = Chains.of(state).rejected(0)
    return known(state, (paper for paper in ids if paper not in rejected))[:BASIS]


def scientists(people: People, papers: Sequence[Paper]) -> tuple[list[Scientist], dict[str, str]]:
    """Masked scientists, those of most of the papers first, and who they are by masked name.

    ``papers``: the records of the papers that these people were asked about; their titles count
    among what somebody has written. A paper counts once, whatever its ids and whoever lists it.
    What somebody works on are terms that are frequent in their titles and rare in those of the
    others.
    """
    listed = people.people
    masked = {person.id: f"Scientist {n}" for n, person in enumerate(listed, 1)}
    writers = _writers(people, papers, masked)
    together = Counter(pair for who in writers.values() for pair in permutations(who, 2))
    topics = _topics(writers, masked.values())
    found = [
        Scientist(
            name=(name := masked[person.id]),
            topics=topics[name],
            papers=person.paper_count,
            citations=person.citations,
            met={other: number for (one, other), number in sorted(together.items()) if one == name},
        )
        for person in listed
    ]
    names = {masked[one.id]: ", ".join(filter(None, (one.name, one.affiliation))) for one in listed}
    return found, names


def _writers(
    people: People, papers: Sequence[Paper], masked: Mapping[str, str]
) -> dict[str, set[str]]:
    """Who of them wrote each paper, by its title."""
    written = [
        (paper.title, {person.id, *(author.id for author in paper.authors)})
        for person in people.people
        for paper in person.papers
    ]
    written += [(p.title, {author.id for author in people.authors.get(p.id, ())}) for p in papers]
    writers: dict[str, set[str]] = {}
    for title, ids in written:
        who = writers.setdefault(normalise_title(title), set())
        who |= {masked[one] for one in ids & masked.keys()}
    return writers


def _topics(writers: Mapping[str, set[str]], names: Iterable[str]) -> dict[str, list[str]]:
    """The terms of each one's titles that are rare in those of the others."""
    words = {
        name: Counter(
            word for title, who in writers.items() if name in who for word in terms(title).values()
        )
        for name in names
    }
    spread = Counter(word for found in words.values() for word in found)

    def rare(name: str) -> list[str]:
        weights = {w: n * term_weight(w) / spread[w] for w, n in words[name].items()}
        return sorted(weights, key=lambda word: (-weights[word], word))[:TOPICS]

    return {name: rare(name) for name in words}


def next_invitation(
    people: Mapping[str, Scientist],
    bounds: VirSciSettings,
    members: Sequence[str],
    asked: Collection[str],
    seed: str,
) -> tuple[str, float] | None:
    """VIR-2, VIR-12: whom the leader, the first of the members, invites next, nobody twice, and how
    probable that was; None where nobody is left. The same seed gives the same names.

    By joint papers with the leader and 1 more, so that strangers can be invited as well. The share
    of strangers among those who joined, and of people with other topics, follows the settings as
    far as there are such people.
    """
    leader, *joined = members
    pool = [name for name in people if name != leader and name not in asked]
    if not pool:
        return None
    met, topics = people[leader].met, set(people[leader].topics)
    strangers = {name for name in people if name not in met}
    elsewhere = {name for name, one in people.items() if topics.isdisjoint(one.topics)}
    for share, some in ((bounds.freshness, strangers), (bounds.diversity, elsewhere)):
        due = sum(name in some for name in joined) < round(share * (len(joined) + 1) + 1e-9)
        pool = [name for name in pool if (name in some) == due] or pool
    weights = [met.get(name, 0) + 1 for name in pool]
    (drawn,) = random.Random(f"{seed} {len(asked)}").choices(range(len(pool)), weights)
    return pool[drawn], weights[drawn] / sum(weights)


class TeamTask(MethodTask):
    """VIR-2: a leader, drawn, and those who join. Each invitation is a call; who is asked next
    depends on the answers before. Another instance draws another team."""

    name, prompts = "virsci team", ("virsci_invite",)
    reads = staticmethod(reading(TOPIC, "people={instance}/people#people"))

    def cost(self, state: State, address: str) -> Cost:
        free = Team(state, address).bounds.team - 1
        most = MOST_ASKED * free
        return Cost("main", (free, 2 * most), (300 * free, 900 * most), (60 * free, 200 * most))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        team, services = Team(ctx.state, inputs.address), self.services(ctx)
        bounds, seed = team.bounds, f"virsci:{team.instance}"
        people = {(one := Scientist.from_stored(row)).name: one for row in inputs.one("people")}
        profiles = {
            name: {"name": name, "description": one.profile()} for name, one in people.items()
        }
        members, rows = [random.Random(seed).choice([*people])], list[Fields]()
        recipe: Values = {}
        while len(members) < bounds.team and len(rows) < MOST_ASKED * (bounds.team - 1):
            drawn = next_invitation(people, bounds, members, [row["name"] for row in rows], seed)
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
                "Nobody joined the team.", "Run the task again, or write the members yourself."
            )
        outsiders = sorted(  # those first with whom most members have written
            (name for name in people if name not in members),
            key=lambda name: -sum(name in people[one].met for one in members),
        )
        content = {
            "members": [profiles[name] for name in members],
            "outsiders": [profiles[name] for name in outsiders],
            "invitations": rows,
        }
        return result(inputs, content, services.origin, recipe)
