"""The moves of the workbench: a key becomes one call of the session, and the answer a sentence."""

from __future__ import annotations

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.desk import Desk
from coi_tui.screens.plan_sheet import PlanSheet
from coi_tui.screens.reason_sheet import ReasonSheet
from coi_tui.screens.stage_sheet import StageSheet
from coi_tui.session.candidates import slot_of
from coi_tui.session.plans import Plan
from coi_tui.session.watch import stages
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.words import cut


def rejected_means(address: str) -> str:
    """What rejecting does, in a sentence."""
    if address.startswith("Q"):
        return f"Branch {address[1:]} is left out from now on."
    if address.endswith("/idea"):
        return "Its branch is parked; the idea stays to be read."
    return "The paper goes to the shelf and is not proposed here again."


class BenchMoves(CoiScreen[None]):
    """Deciding and running. ``Workbench`` says what is shown and where."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk, self.session = desk, desk.session

    @property
    def chain(self) -> ChainTree:
        raise NotImplementedError

    def refresh_rows(self) -> None:
        raise NotImplementedError

    def say(self, text: str) -> None:
        raise NotImplementedError

    def named(self, address: str) -> str:
        raise NotImplementedError

    def start(self, plan: Plan | None) -> None:
        raise NotImplementedError

    # -- deciding -------------------------------------------------------------------------------------------------

    def _did(self, words: str) -> None:
        self.refresh_rows()
        self.say(words)

    async def do_accept(self) -> None:
        address = self.chain.address
        await self.desk.decide(lambda: self.session.accept(address))
        self._did(f"Accepted {self.named(address)}.")

    def do_reject(self) -> None:
        address, row = self.chain.address, self.chain.row
        title = cut(row.title, 50) if row else ""
        sheet = ReasonSheet(f"Reject {address} {title}", f"{rejected_means(address)} Nothing is deleted or charged; u undoes it.")
        self.app.push_screen(sheet, lambda reason: self._reject(address, reason))

    async def _reject(self, address: str, reason: str | None) -> None:
        if reason is None:
            self.say("Nothing was rejected.")
            return
        try:
            await self.desk.decide(lambda: self.session.reject(address, reason))
        except CoiError as error:
            self.trouble(error)
            return
        self._did(f"Rejected {address}{f': {reason}' if reason else ''}.")

    def do_candidates(self) -> None:
        from coi_tui.screens.candidates import CandidatesScreen

        self.app.push_screen(CandidatesScreen(self.desk, slot_of(self.chain.address)), self._placed)

    def do_pin(self) -> None:
        from coi_tui.screens.pin_sheet import PinSheet

        self.app.push_screen(PinSheet(self.desk, slot_of(self.chain.address)), self._placed)

    def _placed(self, said: str | None) -> None:
        self._did(said or "Nothing was changed.")

    async def do_keep(self) -> None:
        address = self.chain.address
        await self.desk.decide(lambda: self.session.keep(address))
        self._did(f"Kept {self.named(address)}: it counts as fresh until an input changes again.")

    async def do_undo(self) -> None:
        self._did(f"Undid: {await self.desk.decide(self.session.undo)}.")

    async def do_redo(self) -> None:
        self._did(f"Did again: {await self.desk.decide(self.session.redo)}.")

    def do_edit(self) -> None:
        from coi_tui.screens.edit_screen import EditScreen  # the text area is loaded when it is needed

        self.app.push_screen(EditScreen(self.desk, self.chain.address), self._edited)

    def _edited(self, said: str | None) -> None:
        self._did(said or "Nothing was changed.")

    # -- running --------------------------------------------------------------------------------------------------

    def do_generate(self) -> None:
        names = stages()
        self.app.push_screen(StageSheet(names, self.session.stage_reached(), self.session.plan_run(names[-1])), self._staged)

    def _staged(self, stage: str | None) -> None:
        if stage is None:
            return
        plan = self.session.plan_run(stage)
        if plan.empty:
            self.say(f"All there is to make up to {stage} has been made.")
            return
        self.app.push_screen(PlanSheet(plan), self.start)

    def do_refresh(self) -> None:
        address, row = self.chain.address, self.chain.row
        fresh = row is not None and row.marks[1] == "."
        self._refresh_sheet(self.session.plan_refresh([address], again=fresh), again=fresh)

    def do_refresh_all(self) -> None:
        self._refresh_sheet(self.session.plan_refresh())

    def _refresh_sheet(self, plan: Plan, *, again: bool = False) -> None:
        session = self.session
        needs = {line.address: session.freshness(line.address).upstream for line in plan.lines if line.address}
        self.app.push_screen(PlanSheet(plan, lambda ticked: session.plan_refresh(ticked, again=again, exactly=True), needs), self.start)

    def do_stop(self) -> None:
        said = self.desk.stop()
        self.refresh_rows()
        self.say(said)
