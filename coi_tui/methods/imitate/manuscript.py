"""The manuscript as it stands: its sections, and the revisions that were kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.imitate.contents import GateContent, PlanContent
from coi_tui.methods.imitate.plan_steps import length
from coi_tui.methods.imitate.settings import MOST_ROUNDS, bounds_of
from coi_tui.model.address import Branch, instance_of, parse_address
from coi_tui.model.state import State


@dataclass(frozen=True)
class Section:
    """A section of the manuscript by its number. ``revised``: the round whose revision it is; 0: as
    it was written first."""

    number: int
    title: str
    text: str
    revised: int = 0

    def shown(self) -> dict[str, Any]:
        """As prompts show it."""
        return {"number": self.number, "title": self.title, "text": self.text}


def steps_of(state: State, branch: Branch) -> int:
    """How many steps the plan of a branch has; as many as the settings say while there is none."""
    plan = state.read(f"{branch}/plan", PlanContent)
    if plan is None:
        return bounds_of(state, instance_of(branch)).steps
    return length(plan)


def numbers(state: State, branch: Branch) -> range:
    """Those of its sections."""
    return range(1, steps_of(state, branch) + 1)


def gates(state: State, branch: Branch, before: int = MOST_ROUNDS + 1) -> list[int]:
    """The rounds whose revisions there are, of those before a round."""
    rounds = range(1, min(before, MOST_ROUNDS + 1))
    return [n for n in rounds if state.in_use(f"{branch}/gate{n}") is not None]


def reads_of(state: State, branch: Branch, before: int = MOST_ROUNDS + 1) -> tuple[Read, ...]:
    """All that says how the manuscript stands before a round of review."""
    written = [
        Read("written", f"{branch}/section{n}#{name}")
        for n in numbers(state, branch)
        for name in ("title", "text")
    ]
    texts = ["rows", *(f"text{n}" for n in numbers(state, branch))]
    revised = [
        Read("revised", f"{branch}/gate{gate}#{name}", optional=True)
        for gate in gates(state, branch, before)
        for name in texts
    ]
    return (*written, *revised)


def sections_in(inputs: Inputs) -> list[Section]:
    """The sections as they stand, from the inputs that ``reads_of`` declares."""
    written, revised = (
        {parse_address(at).numbers[0]: held for at, held in by_field(inputs.all(name)).items()}
        for name in ("written", "revised")
    )
    return [
        revised_section(Section(n, str(said.get("title", "")), str(said.get("text", ""))), revised)
        for n, said in written.items()
    ]


def sections_of(state: State, branch: Branch) -> list[Section]:
    """The same from the state, for what is shown; sections that there are not are left out."""
    return sections_in(Inputs(state, str(branch), reads_of(state, branch)))


def revised_section(section: Section, held: Mapping[int, Mapping[str, Any]]) -> Section:
    """A section after the revisions that were kept. One that was made from another text than stands
    there now does not count."""
    for number, content in sorted(held.items()):
        gate = GateContent.from_held(content)
        row = next((row for row in gate.rows if row.section == section.number), None)
        if (text := gate.kept(section.number)) and row is not None and row.old == section.text:
            section = replace(section, text=text, revised=number)
    return section
