"""The plan of a manuscript: what a step holds, and which cell holds step k after which section was
written (pure).

Section i is written from step i. Then every later step, and no other, may be revised: that is a
cell for each later step, ``later2.5`` for step 5 after section 2. Nothing that is made for step k
reads what stands after it, so that no edit can make an earlier step stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from coi_tui.methods.imitate.contents import AS_IN
from coi_tui.methods.imitate.settings import MOST_STEPS
from coi_tui.model.address import Branch
from coi_tui.model.content import Content, Named


@dataclass(frozen=True)
class PlanStep:
    """A step: the title of its section, what that is for, and the part of a paradigm that it
    imitates (``2/3.1 Method``)."""

    title: str = ""
    purpose: str = ""
    like: str = ""

    def held(self) -> list[dict[str, str]]:
        """As a session keeps it and a person edits it: two lines, each a name and a text."""
        first = {"name": self.title, "description": self.purpose}
        return [first, {"name": AS_IN, "description": self.like}] if self.like else [first]

    def shown(self, number: int) -> dict[str, Any]:
        """As prompts show it."""
        return {"number": number, "title": self.title, "purpose": self.purpose, "like": self.like}


def step_of(held: Any) -> PlanStep:
    """The step that a session holds; what a person wrote beside the first line and that of the
    paradigm belongs to the purpose."""
    rows = [Named.from_held(row) for row in held or []]
    likes = [row for row in rows if row.name.strip().casefold() == AS_IN.casefold()]
    first, *more = [row for row in rows if row not in likes] or [Named()]
    purpose = [
        first.description,
        *(": ".join(filter(None, (row.name, row.description))) for row in more),
    ]
    return PlanStep(
        first.name, "\n".join(filter(None, purpose)), next((row.description for row in likes), "")
    )


def length(plan: Content) -> int:
    """How many steps a plan has: up to the first that says nothing."""
    steps = [step_of(getattr(plan, name)) for name in fields("step")]
    return next((n for n, step in enumerate(steps) if not step.title.strip()), len(steps))


# -- where each step stands


def standing(branch: Branch, after: int, step: int) -> str:
    """The reference to a step as it stands once ``after`` sections are written; for a step of these
    it is the one it was written from."""
    if step <= after:
        return f"{branch}/step{step}#step"
    return f"{branch}/later{after}.{step}#step" if after else f"{branch}/plan#step{step}"


def cells_of_section(branch: Branch, number: int, steps: int) -> Iterator[str]:
    """The cells that are made for one section, in their order: its evidence, its step, its text,
    and the later steps."""
    yield from (f"{branch}/{name}{number}" for name in ("passages", "step", "section"))
    yield from (f"{branch}/later{number}.{step}" for step in range(number + 1, steps + 1))


def fields(name: str) -> Iterable[str]:
    """The numbered fields of a content: ``step1`` to ``step10``."""
    return (f"{name}{n}" for n in range(1, MOST_STEPS + 1))
