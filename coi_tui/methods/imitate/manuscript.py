"""The steps of the plan and the sections of the manuscript as they are now, and what tasks read of
both (pure).

Section i is written from step i. Then every later step, and no other, may be revised: that is a
cell for each later step, ``later2.5`` for step 5 after section 2. Nothing that is made for step k
reads what comes after it, so that no edit can make an earlier step stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.imitate.contents import GateContent, PlanContent
from coi_tui.methods.imitate.settings import bounds_of
from coi_tui.model.address import Branch, instance_of, parse_address
from coi_tui.model.content import Named
from coi_tui.model.state import State

AS_IN = "\nAs in: "
"""Before the part of a paradigm that a step imitates, at the end of what its section is for."""


# -- steps


def step_content(title: str, purpose: str, like: str) -> dict[str, str]:
    """A step as a session keeps it and a person edits it."""
    return {"name": title, "description": purpose + (f"{AS_IN}{like}" if like else "")}


def step_values(number: int, step: Any) -> dict[str, Any]:
    """A step as prompts show it."""
    it = Named.from_held(step or {})
    purpose, _, like = it.description.partition(AS_IN)
    return {"number": number, "title": it.name, "purpose": purpose, "like": like}


def step(branch: Branch, after: int, number: int, name: str = "step") -> Read:
    """A step as it is once ``after`` sections are written; for a step of these the one that its
    section was written from."""
    if number <= after:
        return Read(name, f"{branch}/step{number}#steps.1")
    cell = f"{branch}/later{after}.{number}#steps.1" if after else f"{branch}/plan#steps.{number}"
    return Read(name, cell)


def steps_of(state: State, branch: Branch) -> range:
    """The numbers of the steps in the plan of a branch; as many as the settings say while there is
    none."""
    plan = state.read(f"{branch}/plan", PlanContent)
    most = bounds_of(state, instance_of(branch)).steps if plan is None else len(plan.steps)
    return range(1, most + 1)


def cells_of_section(branch: Branch, number: int, steps: Sequence[int]) -> Iterator[str]:
    """The cells that are made for one section, in their order: its evidence, its step, its text,
    and the later steps."""
    yield from (f"{branch}/{name}{number}" for name in ("passages", "step", "section"))
    yield from (f"{branch}/later{number}.{later}" for later in steps[number:])


# -- sections


@dataclass(frozen=True)
class Section:
    """A section of the manuscript by its number. ``revised``: it is the revision after the review."""

    number: int
    title: str
    text: str
    revised: bool = False

    def shown(self) -> dict[str, Any]:
        """As prompts show it."""
        return {"number": self.number, "title": self.title, "text": self.text}


def earlier(branch: Branch, numbers: Iterable[int], name: str = "earlier") -> list[Read]:
    """Sections as they were written first."""
    return [
        Read(name, f"{branch}/section{n}#{field}") for n in numbers for field in ("title", "text")
    ]


def manuscript(branch: Branch, steps: Sequence[int], *, revised: bool = True) -> tuple[Read, ...]:
    """All that the manuscript consists of, before or after its sections were revised."""
    gate = (Read("revised", f"{branch}/gate#{name}", optional=True) for name in ("rows", "texts"))
    return (*earlier(branch, steps, "written"), *(gate if revised else ()))


def numbered(inputs: Inputs, name: str) -> dict[int, dict[str, Any]]:
    """The fields of cells that were read under one name, by the number of the cell."""
    found = by_field(inputs.all(name)).items()
    return {parse_address(address).numbers[0]: fields for address, fields in found}


def sections_in(inputs: Inputs, name: str = "written") -> list[Section]:
    """The sections as they are, from the inputs that ``manuscript`` or ``earlier`` declares."""
    fields = {name: value or [] for name, value in inputs.fields("revised").items()}
    gate = GateContent.from_held(fields)
    return [
        revised_section(Section(n, str(row.get("title", "")), str(row.get("text", ""))), gate)
        for n, row in numbered(inputs, name).items()
    ]


def sections_of(state: State, branch: Branch) -> list[Section]:
    """The same from the state, for what is shown; sections that there are not are left out."""
    return sections_in(Inputs(state, str(branch), manuscript(branch, steps_of(state, branch))))


def revised_section(section: Section, gate: GateContent) -> Section:
    """A section after its revision, where that is used. One that was made from another text than is
    there now does not count."""
    row = next((row for row in gate.rows if row.section == section.number), None)
    if (text := gate.kept(section.number)) and row is not None and row.old == section.text:
        return replace(section, text=text, revised=True)
    return section
