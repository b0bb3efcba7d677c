"""Papers that an earlier draft came too close to (COI-11): a component of the state, which the next
draft of the branch reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from coi_tui.model.address import Branch, CellRef, cell_ref
from coi_tui.model.entries import Decision
from coi_tui.model.state import Component, State

BAD = "bad"


@dataclass(frozen=True)
class BadCase:
    """A paper that an earlier draft came too close to: why, what the two ``shared``, and that
    draft's ``idea`` in short."""

    report: int
    paper: str
    title: str
    reason: str
    idea: str = ""
    shared: str = ""

    @property
    def for_prompt(self) -> dict[str, str]:
        """What the next draft's prompt has of it."""
        more = {"idea": self.idea, "shared": self.shared}
        known = {name: text for name, text in more.items() if text}
        return {"title": self.title, "reason": self.reason, **known}


class BadCases(Component):
    """Those of each branch, each paper once; a novelty check or a person adds them."""

    kinds = frozenset({BAD})

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.cases: dict[Branch, tuple[BadCase, ...]] = {}

    def of_branch(self, branch: Branch) -> tuple[BadCase, ...]:
        return self.cases.get(branch, ())

    def value(self, at: CellRef, field: str) -> list[dict[str, str]] | None:
        return [case.for_prompt for case in self.of_branch(at.branch)] or None

    def add(self, d: Decision) -> None:
        branch = cell_ref(d.address).branch
        known = self.of_branch(branch)
        if d.value["paper"] not in {case.paper for case in known}:
            self.cases[branch] = (*known, BadCase(**d.value))

    folds: ClassVar = {"tick": add}
