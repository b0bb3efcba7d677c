"""What a person decides on a row: a key becomes one change of the session, and the answer a
sentence."""

from __future__ import annotations

from collections.abc import Callable

from coi_tui.model.address import QUESTION, branch_of, parse_address, slot_of
from coi_tui.model.criteria import ADDRESS as CRITERIA
from coi_tui.model.criteria import Criteria
from coi_tui.screens.sheets.confirm_sheet import AcceptSheet
from coi_tui.screens.sheets.search_sheets import CriteriaSheet
from coi_tui.screens.sheets.text_sheets import NoteSheet, ReasonSheet
from coi_tui.screens.workbench.navigation import Part
from coi_tui.session.decisions.acceptable import done, is_undecided
from coi_tui.session.decisions.criteria import effect
from coi_tui.widgets.formatting import cut


class DecisionActions(Part):
    """Accept, reject, keep, protect, note, fork, park, and the way back."""

    # -- accept

    async def do_accept(self) -> None:
        """Accept the row under the cursor. A paper that is accepted changes nothing else, so there
        nothing is looked for."""
        address = self.bench.address
        said = f"Accepted {address}."
        go_on = self._going_on(said)
        if parse_address(address).part == "slot":
            if await self.bench.commit(lambda: self.session.decisions.accept(address), said):
                go_on()
        else:
            await self.bench.decide(
                address,
                f"Accept {address}?",
                lambda s: s.decisions.accept(address),
                said,
                go_on,
            )

    def _going_on(self, said: str) -> Callable[[], None]:
        """What follows a decision on the row under the cursor: where that row asked for it, the
        cursor goes to the next that asks.

        ``said`` tells of the decision; it stays on the screen when the cursor moves.
        """
        row, bench = self.bench.row, self.bench
        asked = row is not None and row.asks and self.session.settings.display.go_on

        def go_on() -> None:
            order = list(bench.rows)
            here = order.index(bench.address)
            later = [bench.rows[address] for address in order[here + 1 :] + order[:here]]
            target = next((row.address for row in later if row.asks or row.lacks_anchor), "")
            if asked and target:
                bench.go_to_row(target, said)

        return go_on

    def off_accept_all(self) -> str:
        rows, address = self.bench.rows.values(), self.bench.address
        branch = branch_of(address) if address else 0
        waits = any(is_undecided(row, branch) for row in rows)
        return self.controller.not_writable() or ("" if waits else "nothing is undecided")

    def do_accept_all(self) -> None:
        """Accept what is undecided in the branch of the row, or in the session, from a list."""
        branch, find = branch_of(self.bench.address), self.session.queries.undecided
        items = find(branch) if branch else find()
        where = f"branch {branch}" if branch else "the session"
        sheet = AcceptSheet(f"Accept all of {where}", items)

        async def answered(addresses: list[str]) -> None:
            await self.bench.decide(
                "",
                "Accept all of it?",
                lambda s: s.decisions.accept_all(addresses),
                f"Accepted {done(sheet.chosen)}. u takes all of it back.",
            )

        self.bench.ask(sheet, answered, "Nothing was accepted.")

    # -- reject

    def do_reject(self) -> None:
        """Reject the row under the cursor; a sheet asks for the reason."""
        row = self.bench.row
        assert row is not None  # the key is off where there is none
        self._ask_reason(
            row.address,
            f"Reject {row.address} {cut(row.title, 50)}",
            effect_of_rejecting(row.address),
        )

    def do_reject_everywhere(self) -> None:
        """Reject the paper of a slot for the whole session."""
        address = self.bench.address
        effect = "The paper is not proposed anywhere in this session (X lists it)."
        self._ask_reason(address, f"Reject {address} everywhere", effect, everywhere=True)

    def _ask_reason(
        self, address: str, title: str, effect: str, *, everywhere: bool = False
    ) -> None:
        changes = self.session.consequences(
            address, lambda s: s.decisions.reject(address, everywhere=everywhere)
        )
        told = f"{changes.sentence()}\n{effect} Nothing is deleted or charged; u undoes it."
        self.bench.ask(
            ReasonSheet(title, told),
            lambda reason: self._reject(address, reason, everywhere),
            "Nothing was rejected.",
        )

    async def _reject(self, address: str, reason: str, everywhere: bool) -> None:
        said = f"Rejected {address}{' everywhere in this session' if everywhere else ''}{f': {reason}' if reason else ''}."
        go_on = self._going_on(said)
        if await self.bench.commit(
            lambda: self.session.decisions.reject(address, reason, everywhere=everywhere), said
        ):
            go_on()

    # -- the other decisions on a row

    async def do_keep(self) -> None:
        """Say that a stale text still holds."""
        address = self.bench.address
        said = f"{address} still holds: it counts as up to date until an input changes again."
        await self.bench.decide(
            address,
            f"Say that {address} still holds?",
            lambda s: s.decisions.keep(address),
            said,
        )

    async def do_protect(self) -> None:
        """Protect a paper or text against bulk acts, or take the protection away."""
        address, state = self.bench.address, self.session.state
        on = not (
            state.slot(address).protected
            if parse_address(address).part == "slot"
            else state.cell(address).protected
        )
        said = (
            f"{address} is protected: no plan changes it."
            if on
            else f"{address} is no longer protected."
        )
        await self.bench.commit(lambda: self.session.decisions.protect(address, on), said)

    async def do_branch(self) -> None:
        """Begin a branch that shares the chain up to this paper."""
        address = slot_of(self.bench.address)
        shares = f"begins at {address}: it shares the chain up to there, later places are empty. u undoes it."
        if await self.bench.commit(lambda: self.session.decisions.fork(address), ""):
            new = str(self.session.state.branches_of("")[-1])
            self.bench.go_to_row(new, f"Branch {new} {shares}")

    async def do_park(self) -> None:
        """Set the branch of the row aside, or go on with it."""
        branch = branch_of(self.bench.address)
        parked = branch in self.session.state.parked
        aside = "is set aside: plans leave it out, its texts can still be read. u undoes it."
        await self.bench.decide(
            str(branch),
            f"Go on with branch {branch}?" if parked else f"Set branch {branch} aside?",
            lambda s: s.decisions.unpark(branch) if parked else s.decisions.park(branch),
            f"Branch {branch} {'goes on: plans take it in again.' if parked else aside}",
        )

    def do_note(self) -> None:
        """Write a private note on the row."""
        address = self.bench.address
        sheet = NoteSheet(address, self.session.state.notes.get(address, ""))

        async def noted(text: str) -> None:
            said = f"Noted on {address}; it is never sent."
            await self.bench.commit(lambda: self.session.decisions.note(address, text), said)

        self.bench.ask(sheet, noted, "The note stays as it was.")

    # -- the session

    def off_undo(self) -> str:
        return self.controller.not_undoable()

    def word_undo(self) -> str:
        return f"undo: {self.session.undo_stack.labels()[0]}"

    def off_redo(self) -> str:
        there = self.session.undo_stack.labels()[1]
        return self.controller.not_writable() or ("" if there else "there is nothing to redo")

    async def do_undo(self) -> None:
        """Take back the last decision."""
        await self.bench.commit(self.session.undo_stack.undo, "Undone: {}.".format)

    async def do_redo(self) -> None:
        """Bring back what was undone."""
        await self.bench.commit(self.session.undo_stack.redo, "Redone: {}.".format)

    def do_criteria(self) -> None:
        """Say which papers may be proposed."""

        async def chosen(asked: Criteria) -> None:
            await self.bench.decide(
                CRITERIA,
                "Change the criteria?",
                lambda s: s.decisions.set_criteria(asked),
                lambda _: effect(self.session.core),
            )

        sheet = CriteriaSheet(self.session.state)
        self.bench.ask(sheet, chosen, "The criteria stay as they were.")


def effect_of_rejecting(address: str) -> str:
    """What rejecting does, in a sentence."""
    at = parse_address(address)
    if at.part == QUESTION:
        return f"Branch {at.branch} is left out from now on."
    if at.part == "idea":
        return "Its branch is set aside; the idea can still be read."
    if at.item:
        return "It is left out, and so is what was made from it."
    return "The paper is not proposed here again (X lists it); your reason will guide later judgements."
