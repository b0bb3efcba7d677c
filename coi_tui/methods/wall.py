"""Sketches: the wall of short ideas that every method shares, and a branch for each of them that is
worked out though it belongs to no chain. Novelty check, matches, plan and review follow as for any
idea."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from functools import partial
from types import MappingProxyType

from pydantic import Field

from coi_tui.engine.declarations import CellKind, OutlineRow, Scope, View
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.branched import Planned, SketchMethod
from coi_tui.methods.ideas import kinds
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.ideas.sketch_tasks import (
    IDEA,
    WALL_KINDS,
    WALL_TASKS,
    thought,
    wall_course,
    work_out,
)
from coi_tui.methods.ideas.sketches import (
    WALL,
    assigned,
    chosen,
    picked,
    sketches,
    to_work_out,
    worked,
)
from coi_tui.model.address import Branch, cell_at, cell_ref
from coi_tui.model.content import Sketch
from coi_tui.model.document import Block, Paragraph, Section
from coi_tui.model.state import State
from coi_tui.model.text import Fields, count


class WallSettings(IdeaSettings):
    """``worked``: the sketches that a person named for branches of the wall, by branch; ``made``:
    how those that were made from others were, by number."""

    branches: int = Field(1, ge=0)
    worked: dict[str, str] = Field(default_factory=dict)
    made: dict[str, Fields] = Field(default_factory=dict)


def wall_line(state: State) -> str:
    """``19 sketches, 2 picked``."""
    picks = f", {len(found)} picked" if (found := picked(state)) else ""
    return count(len(sketches(state)), "sketch", "sketches") + picks


def _document(state: State, address: str) -> Iterator[Block]:
    """Every sketch in two lines."""
    for one in sketches(state):
        sketch = state.read(one, Sketch) or Sketch()
        mark = " (picked)" if state.cell(one).picked else ""
        yield Section(f"{one}  {sketch.title}{mark}", (Paragraph(sketch.sentence),))


KIND = CellKind(
    "wall", "W1/wall", "Sketches", document=_document, view="wall", has_verdict=False, shared=True
)


class Wall(SketchMethod):
    """The lenses that need no chain, what ranks all sketches, and a branch for each sketch that no
    chain works out."""

    name, short = WALL, WALL
    own_stages = ("sketches", "rivals", "ideas")
    own_kinds = (KIND, *WALL_KINDS, kinds.RIVALS, IDEA)
    tasks = MappingProxyType(
        {**WALL_TASKS, "rivals": partial(RivalsTask, thought=thought), "idea": work_out()}
    )

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        return wall_course(state, self.instance)

    def has_source(self, state: State, branch: Branch) -> bool:
        """Once there are sketches, whether it works one out."""
        return branch in assigned(state) or not sketches(state)

    def working(self, state: State, scope: Scope) -> list[Branch]:
        due, own = to_work_out(state), super().working(state, scope)
        return [b for b in own if b in due or not sketches(state)]

    def idea_comes(self, view: View, branch: Branch) -> bool:
        return chosen(view.state)

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The wall in one row, then what is worked out of it."""
        yield OutlineRow(cell_at(self.instance, "wall"), 1, "sketches", wall_line(state))
        named = worked(state)
        there = {b for b in self.branches(state) if str(b) in named or b in state.ideas()}
        rows = super().outline(state, failed)
        yield from (row for row in rows if cell_ref(row.address).branch in there)

    def idea_source(self, state: State, branch: Branch) -> str:
        return assigned(state).get(branch, "")


SPEC = Wall.spec(
    "W", WallSettings, about="many short ideas to choose from before one is worked out"
)
