"""Sketches: short ideas of several lenses to choose from, and the rules of that choice: which there
are, in which order, and which of them are worked out. A lens is a way to come to ideas: from a chain,
from nothing, from elsewhere.

The cells of a branch are its own (``1/sketch2``); those of all other lenses belong to the instance
of the method that holds the wall (``W1/free3``).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from coi_tui.arena.ratings import standings
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.chain.chains import Chains
from coi_tui.model.address import Branch, branch_order, cell_at, cell_ref, ref
from coi_tui.model.content import Sketch, SketchRanking
from coi_tui.model.entries import Version
from coi_tui.model.errors import UsageError
from coi_tui.model.state import REJECTED, State
from coi_tui.model.text import clipped
from coi_tui.model.text import sentences as sentences_of

WALL = "Sketches"
"""The method whose instance holds the sketches that belong to no branch."""


class Lens(NamedTuple):
    """A way to come to sketches: what it is called, and how many one call gives."""

    title: str
    number: int


LENSES = {
    "sketch": Lens("from the chain", 4),
    "free": Lens("free", 4),
    "elsewhere": Lens("from elsewhere", 4),
    "farthest": Lens("farthest", 3),
    "more": Lens("more", 4),
    "made": Lens("made from others", 1),
    "own": Lens("yours", 1),
}
"""The lenses by the names of their cells, in the order of the wall."""


# -- which sketches there are, and which are worked out


def in_short(title: str, text: str) -> Sketch:
    """A short idea of another method in the form of a sketch."""
    first, *rest = sentences_of(text) or [""]
    return Sketch(title=title or clipped(first, 10), sentence=first, how=clipped(" ".join(rest)))


def wall_of(state: State) -> str:
    """The instance that holds the wall; empty where there is none."""
    return next((name for name, one in state.instances.items() if one.method == WALL), "")


def require_wall(state: State) -> str:
    """The instance that holds the wall. Raises UsageError where there is none."""
    if not (wall := wall_of(state)):
        raise UsageError("There is no wall of sketches yet.", "Run to the stage sketches.")
    return wall


def ranking_of(state: State) -> str:
    """The address of the judge's ranking."""
    return cell_at(wall_of(state) or "W1", "ranking")


def named_of(state: State) -> str:
    """The address of the works that the sketches name as the nearest."""
    return cell_at(wall_of(state) or "W1", "named")


def place_of(address: str) -> tuple[Any, ...]:
    """A key that sorts sketches as the wall shows them: chain by chain, then lens by lens."""
    at = cell_ref(address)
    return bool(at.instance), branch_order(at.branch), [*LENSES].index(at.kind), at.numbers


class MadeFrom(NamedTuple):
    """How a sketch was made from others: by an operator, which says what it asks for."""

    operator: str = ""
    asks: str = ""
    parents: tuple[str, ...] = ()


def made_how(state: State, address: str) -> MadeFrom:
    """How the sketch at an address is made from others."""
    at = cell_ref(address)
    return MadeFrom(**state.settings_of(at.instance).get("made", {}).get(at.item, {}))


@lru_cache(maxsize=8)
def sketches(state: State) -> tuple[str, ...]:
    """The addresses of all sketches that say something, also rejected ones."""
    there = {*state.branches_of(""), wall_of(state)}
    found = [
        address
        for address in state.cells
        if (at := cell_ref(address)).kind in LENSES
        and at.branch in there
        and (at.kind != "made" or made_how(state, address).parents)  # else it was undone
        and (version := state.in_use(address)) is not None
        and (version.content.get("title") or version.content.get("sentence"))
    ]
    return tuple(sorted(found, key=place_of))


def still_open(state: State, address: str) -> bool:
    """Whether a sketch may be worked out: nobody rejected it, and it did not fall."""
    cell = state.cell(address)
    return not (cell.rejected or cell.fell)


def picked(state: State) -> list[str]:
    """The sketches that a person picked, as the wall shows them."""
    return [one for one in sketches(state) if state.cell(one).picked]


def in_order(state: State) -> list[str]:
    """The sketches that may be worked out, best first: as the judge ranks them, then as the wall
    shows them."""
    found = state.read(ranking_of(state), SketchRanking) or SketchRanking()
    place = {row.sketch: n for n, row in enumerate(found.ranked)}
    open_ones = [one for one in sketches(state) if still_open(state, one)]
    return sorted(open_ones, key=lambda one: place.get(one, len(place)))


BEFORE = "rejected_before"
"""The setting of a session with what was rejected in an earlier one, with the reasons."""


def turned_down(state: State) -> list[Any]:
    """The sketches that were rejected or fell, with the reasons, as prompts are shown them; first
    those of an earlier session."""
    own = (state.value(ref(one, REJECTED)) for one in sketches(state))
    return [*state.settings.get(BEFORE, ()), *filter(None, own)]


def by_votes(state: State) -> dict[Branch, int]:
    """The points of the sketches that a person compared, best first. A vote on a sketch that was
    taken back does not count."""
    there = sketches(state)
    votes = [(*two, {"": won}) for two, won in state.votes.items() if {*two} <= {*there}]
    return {row.player: round(row.rating.value) for row in standings(there, votes) if row.games}


def _home(address: str) -> Branch:
    """The branch with a chain that a sketch belongs to; 0 for one of another lens."""
    branch = cell_ref(address).branch
    return branch if isinstance(branch, int) else 0


def worked(state: State) -> dict[str, str]:
    """The sketches that a person named for branches of the wall."""
    return dict(state.settings_of(wall_of(state)).get("worked", {}))


@lru_cache(maxsize=8)
def assigned(state: State) -> Mapping[Branch, str]:
    """The sketch that each branch works out.

    A branch with a chain takes the first of its own that a person picked, else its best one. The
    branches of the wall take what a person named for them, then the best of what belongs to no
    branch (with ``work_out`` = N what the N best hold besides). Where the sketch of a branch fell,
    the next one of its kind comes.
    """
    order, named = in_order(state), worked(state)
    found: dict[Branch, str] = {}
    for branch in state.branches_of(""):
        own = [one for one in order if _home(one) == branch and one not in named.values()]
        own.sort(key=lambda one: not state.cell(one).picked)
        found |= {branch: own[0]} if own else {}
    wall = wall_of(state)
    return {**found, **(_of_wall(state, wall, order, {*found.values()}) if wall else {})}


def _of_wall(
    state: State, wall: str, order: Sequence[str], of_chains: set[str]
) -> dict[Branch, str]:
    """The sketches that the branches of the wall work out, of those that no chain does."""
    found, named, most = dict[Branch, str](), worked(state), state.bounds(IdeaSettings).work_out
    taken = {*of_chains, *named.values()}
    best = order[:most] if most else [one for one in order if not _home(one)]
    rest = [one for one in best if one not in taken]
    for branch in state.branches_of(wall):
        wish = _standing(state, order, named.get(str(branch), ""), taken)
        taken.add(wish)
        if wish or rest:
            found[branch] = wish or rest.pop(0)
    return found


def _standing(state: State, order: Sequence[str], wish: str, taken: Container[str]) -> str:
    """The sketch that a person named; where it fell, the next of its kind."""
    if not wish or still_open(state, wish):
        return wish
    return next((o for o in order if _home(o) == _home(wish) and o not in taken), wish)


def to_work_out(state: State) -> list[Branch]:
    """The branches whose sketches a run works out: those of picked ones where a person picked some,
    else those of the best."""
    found = assigned(state)
    if picked(state):
        named = worked(state)
        return [b for b, one in found.items() if state.cell(one).picked or str(b) in named]
    if most := state.bounds(IdeaSettings).work_out:
        best = in_order(state)[:most]
        return [b for b, one in found.items() if one in best]
    return list(found)


def chosen(state: State) -> bool:
    """Whether it is known which sketches are worked out: a person picked, or the judge ranked them;
    without a wall the first of each branch is."""
    there = state.in_use(ranking_of(state)) is not None
    return bool(picked(state)) or there or not wall_of(state)


def wall_waits(state: State) -> bool:
    """Whether a person is to choose: there are sketches, none is picked, and none was worked out."""
    return bool(sketches(state)) and not picked(state) and not state.ideas()


def unassigned(state: State) -> list[str]:
    """Picked sketches that no branch works out yet."""
    there = assigned(state).values()
    return [one for one in picked(state) if one not in there and still_open(state, one)]


def of_chain(branch: Branch) -> list[str]:
    """The sketches of a branch with a chain, whether they are there or not."""
    return [cell_at(branch, "sketch", n + 1) for n in range(LENSES["sketch"].number)]


def expected(state: State, lenses: Sequence[str] = ("free", "elsewhere")) -> Iterator[str]:
    """The sketches that a run of the lenses makes, whether they are there or not."""
    for branch in state.branches_of(""):
        if branch not in state.parked and Chains.of(state).chain(branch):
            yield from of_chain(branch)
    if wall := wall_of(state):
        for lens in lenses:
            yield from (cell_at(wall, lens, n + 1) for n in range(LENSES[lens].number))


def to_rank(state: State) -> list[str]:
    """The sketches that a judge compares: those that are there, and those to come."""
    return [*dict.fromkeys((*sketches(state), *expected(state, ("free", "elsewhere", "farthest"))))]


def made_from(version: Version) -> set[str]:
    """The sketches that an idea was worked out of."""
    cells = {name.partition("#")[0] for name in version.inputs}
    return {one for one in cells if cell_ref(one).kind in LENSES}


def fell(state: State, branch: Branch) -> bool:
    """Whether the sketch of the idea in use fell, so that the next one comes."""
    idea = state.in_use(cell_at(branch, "idea"))
    return idea is not None and any(state.cell(one).fell for one in made_from(idea))


def fell_before(state: State, branch: Branch) -> bool:
    """Whether a sketch of the branch fell."""
    versions = (state.versions[seq] for seq in state.cell(cell_at(branch, "idea")).versions)
    return any(state.cell(one).fell for version in versions for one in made_from(version))


def next_sketch(state: State, branch: Branch) -> str:
    """What would come if the sketch of a branch fell; empty for nothing."""
    found = assigned(state)
    left = (one for one in in_order(state) if one not in found.values())
    return next((one for one in left if _home(one) == _home(found.get(branch, ""))), "")
