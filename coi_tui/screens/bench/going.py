"""Going to an address, and the moves that only the palette has."""

from __future__ import annotations

from coi_tui.model.errors import CoiError, UsageError
from coi_tui.screens.bench.deciding import Deciding
from coi_tui.screens.bench.offs import branch_of
from coi_tui.session.decisions.bulk_accept import Proposed, proposed


class Going(Deciding):
    """``go``, the next undecided row, parking, bulk accept of what was read, and rejecting for the whole session."""

    def do_go(self) -> None:
        from coi_tui.screens.sheets.find_sheet import GoSheet

        self.app.push_screen(GoSheet(), self._typed)

    def _typed(self, text: str | None) -> None:
        if text:
            try:
                self.go_to(text)
            except CoiError as error:
                self.trouble(error)

    def row_of(self, text: str) -> str:
        """The row that a typed address means. Raises UsageError with a sentence when there is none."""
        address = self.session.queries.resolve(text)
        if address not in self.chain.rows:
            raise UsageError(f"{text.strip()} has no row in this session.", "/ finds words; ] goes to what needs you.")
        return address

    def go_to(self, text: str) -> None:
        """Go to the row of a typed address, unfolding what hides it."""
        self.chain.go(self.row_of(text))
        self.chain.focus()

    def do_next_undecided(self) -> None:
        order = list(self.chain.rows)
        here = order.index(self.chain.address) if self.chain.address in self.chain.rows else -1
        target = next((a for a in [*order[here + 1 :], *order[: max(0, here)]] if self.chain.rows[a].marks[0] == "?"), "")
        if target:
            self.chain.go(target)
        else:
            self.say("No other row is undecided.")

    # -- branches -------------------------------------------------------------------------------------------------

    async def do_park(self) -> None:
        branch = branch_of(self.chain.address)
        if branch in self.session.state.parked:
            await self.desk.decide(lambda: self.session.decisions.unpark(branch))
            self.did(f"Branch {branch} goes on: plans take it in again.")
        else:
            await self.desk.decide(lambda: self.session.decisions.park(branch))
            self.did(f"Branch {branch} is parked: plans leave it out, its texts stay to be read. u undoes it.")

    def off_park(self) -> str:
        if self.session.read_only_reason:
            return "this session is read-only"
        return "" if self.composed and branch_of(self.chain.address or "topic") else "this row belongs to no branch"

    # -- bulk -----------------------------------------------------------------------------------------------------

    def _read_fully(self) -> list[Proposed]:
        state = self.session.state
        items = [p for branch in state.branches for p in proposed(state, branch) if not p.off]
        return [p for p in items if state.in_use(f"{p.address}.card") is not None]

    def do_accept_read(self) -> None:
        from coi_tui.screens.sheets.accept_sheet import AcceptSheet

        items = self._read_fully()
        self.app.push_screen(AcceptSheet(0, items, "Accept everything read from full text"), self._accept_all)

    def off_accept_read(self) -> str:
        if self.session.read_only_reason:
            return "this session is read-only"
        return "" if self._read_fully() else "no proposed paper was read from full text"

    def do_reject_everywhere(self) -> None:
        from coi_tui.screens.sheets.reason_sheet import ReasonSheet

        address = self.chain.address
        effect = "The paper goes to the shelf and is proposed nowhere in this session. Nothing is deleted or charged; u undoes it."
        self.app.push_screen(ReasonSheet(f"Reject {address} everywhere", effect), lambda reason: self._reject_everywhere(address, reason))

    async def _reject_everywhere(self, address: str, reason: str | None) -> None:
        if reason is None:
            self.say("Nothing was rejected.")
            return
        try:
            await self.desk.decide(lambda: self.session.decisions.reject(address, reason, everywhere=True))
        except CoiError as error:
            self.trouble(error)
            return
        self.did(f"Rejected {address} everywhere in this session{f': {reason}' if reason else ''}.")

    def off_reject_everywhere(self) -> str:
        if self.session.read_only_reason:
            return "this session is read-only"
        row = self.chain.row if self.composed else None
        slot = self.session.state.slots.get(row.address) if row is not None else None
        return "" if slot is not None and slot.paper else "this row holds no paper"
