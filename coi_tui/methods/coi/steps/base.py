"""What the steps of Chain of Ideas share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from coi_tui.config import CoiSettings
from coi_tui.engine.steps import Cost
from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.literature.types import CitationList
    from coi_tui.methods.services import Services, ServiceSet


class CoiStep:
    """A step that writes its own address. Without services it can tell what it reads and costs, but not run."""

    name: ClassVar[str] = ""
    prompts: ClassVar[tuple[str, ...]] = ()

    def __init__(self, tools: ServiceSet | None = None) -> None:
        self._tools = tools

    def writes(self, state: State, address: str) -> tuple[str, ...]:
        return (address,)

    def cost(self, state: State, address: str) -> Cost:
        return Cost()

    def services(self, ctx: Context) -> Services:
        if self._tools is None:
            raise CoiError("No services are set up for this session.", "Open it with services to run steps.")
        from coi_tui.methods.services import Services  # a session that is only looked at needs none

        return Services(self._tools, ctx)


def settings_of(state: State) -> CoiSettings:
    """The method's bounds as this session has them; a missing one takes the default."""
    known = {name: state.settings[name] for name in CoiSettings.model_fields if name in state.settings}
    return CoiSettings.model_validate(known)


def entry(paper: Paper, score: float, criteria: Criteria, **more: Any) -> dict[str, Any]:
    """A row of a candidate list. ``score`` is likeness of text, not quality. ``left_out``: why the criteria leave it out, where they do."""
    row = {"paper": paper.id, "score": round(score, 4), "year": paper.year, "readable": bool(paper.abstract), **more}
    return {**row, "left_out": why} if (why := left_out(paper, criteria)) else row


def eligible(row: Mapping[str, Any]) -> bool:
    """True for a row that may be judged and proposed: it can be read, and no criterion leaves it out."""
    return bool(row["readable"]) and not row.get("left_out")


def short(paper: Paper) -> dict[str, Any]:
    return {"title": paper.title, "year": paper.year}


def answered_on(listed: CitationList) -> dict[str, Any]:
    """The date of the answers that a list rests on, and whether the library gave one; nothing where no service was asked."""
    return {"date": listed.asked_at, "kept": listed.kept} if listed.asked_at else {}
