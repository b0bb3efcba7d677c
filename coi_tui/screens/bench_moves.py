"""The moves of the workbench: a key becomes one call of the session, and the answer a sentence."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.desk import Desk
from coi_tui.screens.offs import branch_of
from coi_tui.screens.plan_sheet import PlanSheet
from coi_tui.screens.reason_sheet import ReasonSheet
from coi_tui.screens.stage_sheet import StageSheet
from coi_tui.session.bulk import proposed
from coi_tui.session.candidates import slot_of
from coi_tui.session.plans import Plan
from coi_tui.session.watch import stages
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.words import cut

NO_ROW = ("session", "pick")


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
        self.why_for = ""
        self.looking: int | None = None
        """The version shown in place of the one in use, or None."""

    @property
    def chain(self) -> ChainTree:
        raise NotImplementedError

    def refresh_rows(self) -> None:
        raise NotImplementedError

    def show_text(self) -> None:
        """Bring the text into view where only one pane fits."""
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
        if self.looking is not None:
            await self._adopt(address, self.looking)
            return
        await self.desk.decide(lambda: self.session.accept(address))
        self._did(f"Accepted {self.named(address)}.")

    async def _adopt(self, address: str, seq: int) -> None:
        await self.desk.decide(lambda: self.session.adopt(address, seq))
        self.looking = None
        self._did(f"The version you looked at is in use at {self.named(address)}, and stays so.")

    def do_accept_all(self) -> None:
        from coi_tui.screens.accept_sheet import AcceptSheet

        branch = branch_of(self.chain.address)
        self.app.push_screen(AcceptSheet(branch, proposed(self.session.state, branch)), self._accept_all)

    async def _accept_all(self, addresses: list[str] | None) -> None:
        if not addresses:
            self.say("Nothing was accepted.")
            return
        try:
            await self.desk.decide(lambda: self.session.accept_all(addresses))
        except CoiError as error:
            self.trouble(error)
            return
        self._did(f"Accepted {', '.join(addresses)}. u takes all of it back.")

    async def do_protect(self) -> None:
        address, state = self.chain.address, self.session.state
        on = not (state.slot(address).protected if parse_address(address).part == "slot" else state.cell(address).protected)
        await self.desk.decide(lambda: self.session.protect(address, on))
        self._did(f"Protected {self.named(address)}: plans and bulk acts leave it out." if on else f"Unprotected {self.named(address)}.")

    async def do_branch(self) -> None:
        address = slot_of(self.chain.address)
        new = await self.desk.decide(lambda: self.session.fork(address))
        self._did(f"Branch {new} begins at {address}: it shares the chain up to there, later places are empty. u undoes it.")

    def do_note(self) -> None:
        from coi_tui.screens.note_sheet import NoteSheet

        address = self.chain.address
        sheet = NoteSheet(self.named(address), self.session.state.notes.get(address, ""))
        self.app.push_screen(sheet, lambda text: self._note(address, text))

    async def _note(self, address: str, text: str | None) -> None:
        if text is None or text == self.session.state.notes.get(address, ""):
            self.say("The note stays as it was.")
            return
        try:
            await self.desk.decide(lambda: self.session.note(address, text))
        except CoiError as error:
            self.trouble(error)
            return
        self._did(f"Noted on {self.named(address)}; it is never sent." if text else f"The note on {self.named(address)} is gone.")

    # -- looking back ---------------------------------------------------------------------------------------------

    def do_history(self) -> None:
        from coi_tui.screens.history_screen import HistoryScreen

        self.looking = None
        self.app.push_screen(HistoryScreen(self.desk, self.chain.address), self._looked)

    def _looked(self, said: str | None) -> None:
        self._did(said or "")

    def do_log(self) -> None:
        from coi_tui.screens.log_screen import LogScreen

        self.app.push_screen(LogScreen(self.desk), self._go)

    def _go(self, address: str | None) -> None:
        self.refresh_rows()
        if address is None:
            return
        row = next((a for a in (address, slot_of(address) if address not in NO_ROW else "") if a in self.chain.rows), "")
        if row:
            self.chain.go(row)
        else:
            self.say(f"{address} has no row now.")

    def open_shelf(self) -> None:
        """The papers of row ``X``, to be reopened."""
        from coi_tui.screens.shelf_screen import ShelfScreen

        self.app.push_screen(ShelfScreen(self.desk), self._shelved)

    def _shelved(self, address: str | None) -> None:
        self._did("")
        if address is not None:
            from coi_tui.screens.candidates import CandidatesScreen

            self.app.push_screen(CandidatesScreen(self.desk, address), self._placed)

    def do_older(self) -> None:
        self._flip(-1)

    def do_newer(self) -> None:
        self._flip(1)

    def _flip(self, step: int) -> None:
        """Look at another version of the text; nothing is changed."""
        state, address = self.session.state, self.chain.address
        all_of = state.cell(address).versions
        used = state.in_use(address)
        here = self.looking if self.looking in all_of else used.seq if used else all_of[-1]
        at = all_of.index(here) + step
        if not 0 <= at < len(all_of):
            self.say(f"This is the {'oldest' if step < 0 else 'newest'} of {len(all_of)} versions.")
            return
        self.looking = None if used is not None and all_of[at] == used.seq else all_of[at]
        self.why_for = ""
        self.refresh_rows()
        self.show_text()
        self.say("")

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
