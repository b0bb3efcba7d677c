"""The wall: every sketch of a session with what was decided about it, what became of it, and the
judge's order once that may be seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from coi_tui.methods.evidence.cards import outcome
from coi_tui.methods.ideas.sketches import (
    LENSES,
    assigned,
    by_votes,
    made_from,
    named_of,
    picked,
    ranking_of,
    require_wall,
    sketches,
    wall_of,
)
from coi_tui.model.address import cell_at, cell_ref
from coi_tui.model.content import NamedWorks, RankedSketch, Sketch, SketchRanking
from coi_tui.model.entries import named
from coi_tui.model.state import Cell, State
from coi_tui.model.text import has_words
from coi_tui.session.core import SessionCore

Standing = Literal["open", "picked", "rejected", "fell"]


@dataclass(frozen=True)
class WallSketch:
    """A sketch on the wall. ``group``: its branch, lens or method; ``standing`` with the ``reason``
    of a rejection or a fall; ``nearest``: what the look-up of its nearest work came to, in words;
    ``idea``: the address of the idea that was, or will be, worked out of it.

    ``place``: the judge's, from 1, with the ``points`` behind it; 0 while it is hidden or unknown.
    ``own_cell``: False for a short idea of another method, which is decided about in its own rows.
    """

    address: str
    group: str
    sketch: Sketch
    standing: Standing = "open"
    reason: str = ""
    nearest: str = ""
    idea: str = ""
    made: bool = False
    """Whether that idea is there."""
    stale: bool = False
    by_you: bool = False
    place: int = 0
    points: RankedSketch | None = None
    why: str = ""
    """Why the judge put it first, or last, in a group."""
    own_cell: bool = True
    votes: int = 0
    """Points by the person's votes; 0 where it was compared with no other."""


@dataclass(frozen=True)
class SketchWall:
    """All sketches, by group. ``instance`` holds those that belong to no branch, empty where there
    is none yet; ``ranked``: whether a judge ordered them; ``shown``: whether that may be seen."""

    rows: tuple[WallSketch, ...]
    instance: str
    ranked: bool
    shown: bool

    @property
    def picked(self) -> list[WallSketch]:
        return [row for row in self.rows if row.standing == "picked"]


def sketch_wall(core: SessionCore, *, reveal: bool = False) -> SketchWall:
    """The wall of a session. The judge's order is hidden until a sketch is picked, or with
    ``reveal``."""
    state = core.state
    ranking = state.read(ranking_of(state), SketchRanking)
    shown = ranking is not None and bool(reveal or picked(state))
    rows = [*_own(core, ranking if shown else None)]
    for instance, method in core.methods.instances.items():
        group = f"{method.short} {instance}".strip()
        short = method.short_ideas(state)
        rows += (WallSketch(address, group, one, own_cell=False) for address, one in short)
    return SketchWall(tuple(rows), wall_of(state), ranking is not None, shown)


def _goals(state: State) -> dict[str, str]:
    """The idea that each sketch is worked out to, or is to be."""
    goals: dict[str, str] = {
        sketch: cell_at(branch, "idea") for branch, sketch in assigned(state).items()
    }
    for branch in state.branches:
        if text := state.in_use(cell_at(branch, "idea")):
            goals |= dict.fromkeys(made_from(text), cell_at(branch, "idea"))
    return goals


def _standing(cell: Cell) -> Standing:
    if cell.rejected:
        return "rejected"
    if cell.fell:
        return "fell"
    return "picked" if cell.picked else "open"


def _own(core: SessionCore, ranking: SketchRanking | None) -> Iterator[WallSketch]:
    state = core.state
    works = (state.read(named_of(state), NamedWorks) or NamedWorks()).works
    looked_up = {one.sketch: outcome(state.papers, one) for one in works}
    ranking = ranking or SketchRanking()
    places = {one.sketch: (n, one) for n, one in enumerate(ranking.ranked, 1)}
    whys: dict[str, str] = {}
    for group in ranking.groups:
        whys |= {group.order[-1]: group.why_last, group.order[0]: group.why}
    voted = by_votes(state)
    goals = _goals(state)
    for address in (*sketches(state), *filter(state.offered, state.cells)):
        at, cell = cell_ref(address), state.cell(address)
        version = state.in_use(address) or state.offered(address)
        if version is None or at.kind not in LENSES:
            continue
        place, points = places.get(address, (0, None))
        idea = goals.get(address, "")
        yield WallSketch(
            address,
            f"proposed by {named(version.actor)}"
            if version.by_other
            else f"branch {at.branch}"
            if at.kind == "sketch"
            else LENSES[at.kind].title,
            state.content(version, Sketch),
            _standing(cell),
            cell.reason if cell.rejected else cell.fell,
            looked_up.get(address, ""),
            idea,
            bool(idea) and state.in_use(idea) is not None,
            core.freshness(address).status in ("stale", "upstream"),
            version.by_person,
            place,
            points,
            whys.get(address, ""),
            votes=voted.get(address, 0),
        )


def arranged(rows: Sequence[WallSketch], order: str, words: str = "") -> list[WallSketch]:
    """The sketches that contain all of some words, by ``group``, ``title``, ``judge`` or ``votes``;
    those that have no place come last."""

    def text(row: WallSketch) -> str:
        return " ".join((row.group, row.reason, *map(str, dict(row.sketch).values())))

    found = [row for row in rows if has_words(text(row), words)]
    if order == "title":
        found.sort(key=lambda row: row.sketch.title.casefold())
    elif order == "judge":
        found.sort(key=lambda row: row.place or len(rows) + 1)
    elif order == "votes":
        found.sort(key=lambda row: -row.votes)
    return found


def free_own_sketch(core: SessionCore) -> str:
    """The address of the next sketch of a person's own. Raises UsageError without a wall."""
    wall, number = require_wall(core.state), 1
    while cell_at(wall, "own", number) in core.state.cells:
        number += 1
    return cell_at(wall, "own", number)
