"""What a person decides on a row: a key becomes one call of the session, and the answer a sentence."""

from __future__ import annotations

from coi_tui.model.address import parse_address, slot_of
from coi_tui.model.errors import CoiError
from coi_tui.screens.bench.offs import branch_of
from coi_tui.screens.bench.surface import Part
from coi_tui.widgets.words import cut


def rejected_means(address: str) -> str:
    """What rejecting does, in a sentence."""
    if address.startswith("Q"):
        return f"Branch {address[1:]} is left out from now on."
    if address.endswith("/idea"):
        return "Its branch is parked; the idea stays to be read."
    return "The paper goes to the shelf and is not proposed here again; a reason is told to the verdicts to come."


class Deciding(Part):
    """What a person decides on a row: a key becomes one call of the session, and the answer a sentence."""

    async def do_accept(self) -> None:
        address = self.chain.address
        if self.looking is not None:
            await self._adopt(address, self.looking)
            return
        await self.desk.decide(lambda: self.session.decisions.accept(address))
        self.did(f"Accepted {self.named(address)}.")

    async def _adopt(self, address: str, seq: int) -> None:
        await self.desk.decide(lambda: self.session.decisions.adopt(address, seq))
        self.looking = None
        self.did(f"The version you looked at is in use at {self.named(address)}, and stays so.")

    def do_accept_all(self) -> None:
        from coi_tui.screens.sheets.accept_sheet import AcceptSheet
        from coi_tui.session.decisions.bulk_accept import proposed

        branch = branch_of(self.chain.address)
        self.app.push_screen(AcceptSheet(branch, proposed(self.session.state, branch)), self._accept_all)

    async def _accept_all(self, addresses: list[str] | None) -> None:
        if not addresses:
            self.say("Nothing was accepted.")
            return
        try:
            await self.desk.decide(lambda: self.session.decisions.accept_all(addresses))
        except CoiError as error:
            self.trouble(error)
            return
        self.did(f"Accepted {', '.join(addresses)}. u takes all of it back.")

    async def do_protect(self) -> None:
        address, state = self.chain.address, self.session.state
        on = not (state.slot(address).protected if parse_address(address).part == "slot" else state.cell(address).protected)
        await self.desk.decide(lambda: self.session.decisions.protect(address, on))
        self.did(f"Protected {self.named(address)}: plans and bulk acts leave it out." if on else f"Unprotected {self.named(address)}.")

    async def do_branch(self) -> None:
        address = slot_of(self.chain.address)
        new = await self.desk.decide(lambda: self.session.decisions.fork(address))
        self.did(f"Branch {new} begins at {address}: it shares the chain up to there, later places are empty. u undoes it.")

    def do_note(self) -> None:
        from coi_tui.screens.sheets.note_sheet import NoteSheet

        address = self.chain.address
        sheet = NoteSheet(self.named(address), self.session.state.notes.get(address, ""))
        self.app.push_screen(sheet, lambda text: self._note(address, text))

    async def _note(self, address: str, text: str | None) -> None:
        if text is None or text == self.session.state.notes.get(address, ""):
            self.say("The note stays as it was.")
            return
        try:
            await self.desk.decide(lambda: self.session.decisions.note(address, text))
        except CoiError as error:
            self.trouble(error)
            return
        self.did(f"Noted on {self.named(address)}; it is never sent." if text else f"The note on {self.named(address)} is gone.")

    def open_shelf(self) -> None:
        """The papers of row ``X``, to be reopened."""
        from coi_tui.screens.papers.shelf_screen import ShelfScreen

        self.app.push_screen(ShelfScreen(self.desk), self._shelved)

    def _shelved(self, address: str | None) -> None:
        self.did("")
        if address is not None:
            from coi_tui.screens.papers.candidates import CandidatesScreen

            self.app.push_screen(CandidatesScreen(self.desk, address), self._placed)

    def do_reject(self) -> None:
        from coi_tui.screens.sheets.reason_sheet import ReasonSheet

        address, row = self.chain.address, self.chain.row
        title = cut(row.title, 50) if row else ""
        sheet = ReasonSheet(f"Reject {address} {title}", f"{rejected_means(address)} Nothing is deleted or charged; u undoes it.")
        self.app.push_screen(sheet, lambda reason: self._reject(address, reason))

    async def _reject(self, address: str, reason: str | None) -> None:
        if reason is None:
            self.say("Nothing was rejected.")
            return
        try:
            await self.desk.decide(lambda: self.session.decisions.reject(address, reason))
        except CoiError as error:
            self.trouble(error)
            return
        self.did(f"Rejected {address}{f': {reason}' if reason else ''}.")

    def do_candidates(self) -> None:
        from coi_tui.screens.papers.candidates import CandidatesScreen

        self.app.push_screen(CandidatesScreen(self.desk, slot_of(self.chain.address)), self._placed)

    def do_pin(self) -> None:
        from coi_tui.screens.papers.pin_sheet import PinSheet

        self.app.push_screen(PinSheet(self.desk, slot_of(self.chain.address)), self._placed)

    async def _placed(self, said: str | None) -> None:
        from coi_tui.screens.papers.candidates import SEARCH

        if said == SEARCH:
            self.refresh_rows()
            await self.action_act("search")
            return
        self.did(said or "Nothing was changed.")

    async def do_keep(self) -> None:
        address = self.chain.address
        await self.desk.decide(lambda: self.session.decisions.keep(address))
        self.did(f"Kept {self.named(address)}: it counts as fresh until an input changes again.")

    async def do_undo(self) -> None:
        self.did(f"Undid: {await self.desk.decide(self.session.undo_stack.undo)}.")

    async def do_redo(self) -> None:
        self.did(f"Did again: {await self.desk.decide(self.session.undo_stack.redo)}.")
