"""The criteria, from the palette: a sheet, then one decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.model.errors import CoiError
from coi_tui.screens.bench.surface import Part

if TYPE_CHECKING:
    from coi_tui.model.criteria import Criteria


class ChoosingBy(Part):
    """Which papers may be proposed in this session."""

    def off_criteria(self) -> str:
        return f"this session is read-only ({reason})" if (reason := self.session.read_only_reason) else ""

    def do_criteria(self) -> None:
        from coi_tui.screens.sheets.criteria_sheet import CriteriaSheet

        self.app.push_screen(CriteriaSheet(self.session.state), self._criteria_given)

    async def _criteria_given(self, asked: Criteria | None) -> None:
        from coi_tui.session.decisions.criteria import effect

        if asked is None:
            self.say("The criteria stay as they were.")
            return
        try:
            await self.desk.decide(lambda: self.session.decisions.set_criteria(asked))
        except CoiError as error:
            self.trouble(error)
            return
        self.did(effect(self.session.core))
