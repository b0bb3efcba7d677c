"""The manuscript as it stands: its sections, and the revisions that were kept (pure but for the state it reads)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.methods.imitate.contents import GateContent, PlanContent, SectionContent
from coi_tui.methods.imitate.plan_steps import cell, length, step_of
from coi_tui.methods.imitate.settings import MOST_ROUNDS, MOST_STEPS, bounds_of
from coi_tui.model.address import Branch, instance_of, ref, split_ref
from coi_tui.model.state import State


@dataclass(frozen=True)
class Section:
    """A section of the manuscript by its number. ``revised``: the round whose revision it is; 0: as it was written first."""

    number: int
    title: str
    text: str
    revised: int = 0

    def shown(self) -> dict[str, Any]:
        """As prompts show it."""
        return {"number": self.number, "title": self.title, "text": self.text}


def steps_of(state: State, branch: Branch) -> int:
    """How many steps the plan of a branch has; as many as the settings say while there is none."""
    plan = state.read(cell(branch, "plan"), PlanContent)
    if plan is None:
        return bounds_of(state, instance_of(branch)).steps
    return length([step_of(getattr(plan, f"step{n}")) for n in range(1, MOST_STEPS + 1)])


def gates(state: State, branch: Branch, before: int = MOST_ROUNDS + 1) -> list[int]:
    """The rounds whose revisions there are, of those before a round."""
    return [
        n
        for n in range(1, min(before, MOST_ROUNDS + 1))
        if state.in_use(cell(branch, "gate", n)) is not None
    ]


def reads_of(state: State, branch: Branch, before: int = MOST_ROUNDS + 1) -> tuple[Read, ...]:
    """All that says how the manuscript stands before a round of review."""
    numbers = range(1, steps_of(state, branch) + 1)
    out = [
        Read("written", ref(cell(branch, "section", n), name))
        for n in numbers
        for name in ("title", "text")
    ]
    for gate in gates(state, branch, before):
        names = ("rows", *(f"text{n}" for n in numbers))
        out += [
            Read("revised", ref(cell(branch, "gate", gate), name), optional=True) for name in names
        ]
    return tuple(out)


def sections_in(inputs: Inputs) -> list[Section]:
    """The sections as they stand, from the inputs that ``reads_of`` declares."""
    written: dict[int, dict[str, str]] = {}
    for name, value in inputs.all("written"):
        address, field = split_ref(name)
        written.setdefault(int(address.rpartition("section")[2]), {})[field] = str(value)
    revised: dict[int, dict[str, Any]] = {}
    for name, value in (
        inputs.all("revised") if any(read.name == "revised" for read in inputs.reads) else ()
    ):
        address, field = split_ref(name)
        revised.setdefault(int(address.rpartition("gate")[2]), {})[field] = value
    return [
        revised_section(Section(n, said.get("title", ""), said.get("text", "")), revised)
        for n, said in sorted(written.items())
    ]


def sections_of(state: State, branch: Branch, before: int = MOST_ROUNDS + 1) -> list[Section]:
    """The same from the state, for what is shown; sections that there are not are left out."""
    found = (
        (n, state.read(cell(branch, "section", n), SectionContent))
        for n in range(1, steps_of(state, branch) + 1)
    )
    made = {n: state.in_use(cell(branch, "gate", n)) for n in gates(state, branch, before)}
    revised = {n: dict(version.content) for n, version in made.items() if version is not None}
    return [
        revised_section(Section(n, said.title, said.text), revised)
        for n, said in found
        if said is not None
    ]


def revised_section(section: Section, held: Mapping[int, Mapping[str, Any]]) -> Section:
    """A section after the revisions that were kept. One that was made from another text than stands there now does not count."""
    for number, content in sorted(held.items()):
        gate = GateContent.from_held(content)
        text = str(getattr(gate, f"text{section.number}"))
        row = next((row for row in gate.rows if row.section == section.number), None)
        if text.strip() and row is not None and row.old == section.text:
            section = Section(section.number, section.title, text, number)
    return section


def shown(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Sections as prompts show them."""
    return [section.shown() for section in sections]
