"""What a person decides on a row: a key becomes one change of the session, and the answer a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from coi_tui.model.address import QUESTION, parse_address, slot_of
from coi_tui.model.criteria import ADDRESS as CRITERIA
from coi_tui.model.criteria import Criteria
from coi_tui.model.means import ADDRESS as MEANS
from coi_tui.model.means import Means
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.workbench.changes import tell_first
from coi_tui.screens.workbench.commands import Command, Commands, WorkbenchView
from coi_tui.screens.workbench.row_texts import DetailTexts
from coi_tui.session.availability import Action
from coi_tui.session.decisions.acceptable import Undecided, done, is_undecided
from coi_tui.session.names import branch_of
from coi_tui.widgets.formatting import cut

if TYPE_CHECKING:
    from coi_tui.screens.sheets.confirm_sheet import AcceptSheet
    from coi_tui.session.decisions.undo import Way
    from coi_tui.session.session import Session


class DecisionActions:
    """Accept, reject, keep, protect, note, fork, park, and the way back."""

    def __init__(
        self,
        view: WorkbenchView,
        controller: SessionController,
        texts: DetailTexts,
        open_shelf: Callable[[], None],
    ) -> None:
        self._view, self._controller, self._session = view, controller, controller.session
        self._texts, self._open_shelf = texts, open_shelf

    def commands(self) -> Commands:
        """The keys that decide."""
        return {
            "accept": Command(self.accept, self._off_accept, Action.ACCEPT, word=self._accept_word),
            "accept_all": Command(self.accept_all, self._off_accept_all),
            "accept_read": Command(self.accept_read, self._off_accept_read),
            "reject": Command(self.reject, asks=Action.REJECT),
            "reject_everywhere": Command(self.reject_everywhere, asks=Action.REJECT_EVERYWHERE),
            "keep": Command(self.keep, asks=Action.KEEP),
            "protect": Command(self.protect, asks=Action.PROTECT),
            "branch": Command(self.fork, asks=Action.FORK),
            "park": Command(self.park, asks=Action.PARK),
            "note": Command(self.note, self._controller.not_writable, on_row=True),
            "means": Command(self.means, self._controller.not_writable),
            "criteria": Command(self.criteria, self._controller.not_writable),
            "undo": Command(
                self.undo,
                lambda: self._off_undo(0),
                word=lambda: f"undo: {self._session.undo_stack.labels()[0]}",
            ),
            "redo": Command(self.redo, lambda: self._off_undo(1)),
        }

    # -- accept ---------------------------------------------------------------------------------------------------

    def _off_accept(self) -> str | None:
        """On the shelf's row the key opens the shelf, and on another version of a text it adopts that; else the session is asked."""
        if self._view.address == "X":
            return "" if self._session.state.shelf else "no paper was rejected"
        if self._texts.version is not None:
            return self._controller.not_writable()
        return None

    def _accept_word(self) -> str:
        if self._view.address == "X":
            return "open the list"
        return "use this version" if self._texts.version is not None else ""

    async def accept(self) -> None:
        """Accept the row under the cursor, adopt the version that is shown, or open the shelf."""
        address, version = self._view.address, self._texts.version
        if address == "X":
            self._open_shelf()
        elif version is not None:
            await self._adopt(address, version)
        else:
            await self._accept(address)

    async def _accept(self, address: str) -> None:
        """A paper that is accepted changes nothing else, so there nothing is looked for."""
        said = f"Accepted {address}."
        go_on = self._going_on(said)
        if parse_address(address).part == "slot":
            if await self._view.commit(lambda: self._session.decisions.accept(address), said):
                go_on()
        else:
            await self._tell_first(
                address,
                f"Accept {address}?",
                lambda s: s.decisions.accept(address),
                lambda _: said,
                go_on,
            )

    def _going_on(self, said: str) -> Callable[[], None]:
        """What follows a decision on the row under the cursor: where that row asked for it, the cursor goes to the next that asks.

        ``said`` tells of the decision; it stays on the screen when the cursor moves.
        """
        row, view = self._view.row, self._view

        def go_on() -> None:
            order = list(view.rows)
            here = order.index(view.address)
            later = [view.rows[address] for address in order[here + 1 :] + order[:here]]
            target = next((row.address for row in later if row.asks or row.lacks_anchor), "")
            if target:
                view.go_to_row(target, said)

        return (
            go_on
            if row is not None and row.asks and self._session.settings.display.go_on
            else lambda: None
        )

    async def _adopt(self, address: str, version: int) -> None:
        def adopted(_: object) -> str:
            self._texts.version = None
            return f"The version you looked at is in use at {address}, and stays so."

        await self._tell_first(
            address,
            f"Use this version of {address}?",
            lambda s: s.decisions.adopt(address, version),
            adopted,
        )

    async def _tell_first(
        self,
        own: str,
        question: str,
        act: Callable[[Session], object],
        said: Callable[[object], str],
        then: Callable[[], object] | None = None,
    ) -> None:
        """Make a change; one that moves other rows says which, and asks once."""
        session = self._session
        await tell_first(
            self._view,
            lambda: session.consequences(own, act),
            question,
            lambda: act(session),
            said,
            then,
        )

    def _off_accept_all(self) -> str:
        waits = any(is_undecided(row) for row in self._view.rows.values())
        return self._controller.not_writable() or (
            "" if waits or self._undecided_here() else "nothing is undecided"
        )

    def _undecided_here(self) -> bool:
        """Whether anything is undecided in the branch of the row, also one set aside."""
        branch = branch_of(self._view.address) if self._view.address else 0
        return bool(branch) and any(is_undecided(row, branch) for row in self._view.rows.values())

    def accept_all(self) -> None:
        """Accept what is undecided in the branch of the row, or in the session, from a list."""
        from coi_tui.screens.sheets.confirm_sheet import AcceptScope, AcceptSheet

        branch, find = branch_of(self._view.address), self._session.queries.undecided
        scopes = [AcceptScope("session", "Accept all of the session", find())]
        if branch:
            scopes.insert(
                0, AcceptScope(f"branch {branch}", f"Accept all of branch {branch}", find(branch))
            )
        self._offer(AcceptSheet([scope for scope in scopes if scope.items]))

    def accept_read(self) -> None:
        """Accept every proposed paper that was read from its full text, from a list."""
        from coi_tui.screens.sheets.confirm_sheet import AcceptScope, AcceptSheet

        self._offer(
            AcceptSheet(
                [AcceptScope("", "Accept everything read from full text", self._read_fully())]
            )
        )

    def _offer(self, sheet: AcceptSheet) -> None:
        async def answered(addresses: list[str] | None) -> None:
            if addresses:
                said = f"Accepted {done(sheet.chosen)}. u takes all of it back."
                await self._tell_first(
                    "",
                    "Accept all of it?",
                    lambda s: s.decisions.accept_all(addresses),
                    lambda _: said,
                )
            else:
                self._view.say("Nothing was accepted.")

        self._view.open(sheet, answered)

    def _read_fully(self) -> list[Undecided]:
        """Proposed papers that were read from their full text."""
        state = self._session.state
        papers = [
            one for one in self._session.queries.undecided() if not one.is_text and not one.off
        ]
        return [one for one in papers if state.in_use(f"{one.address}.card") is not None]

    def _off_accept_read(self) -> str:
        return self._controller.not_writable() or (
            "" if self._read_fully() else "no proposed paper was read from full text"
        )

    # -- reject ---------------------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Reject the row under the cursor; a sheet asks for the reason."""
        row = self._view.row
        assert row is not None  # the key is off where there is none
        self._ask_reason(
            row.address,
            f"Reject {row.address} {cut(row.title, 50)}",
            effect_of_rejecting(row.address),
        )

    def reject_everywhere(self) -> None:
        """Reject the paper of a slot for the whole session."""
        address = self._view.address
        effect = "The paper is not proposed anywhere in this session (X lists it)."
        self._ask_reason(address, f"Reject {address} everywhere", effect, everywhere=True)

    def _ask_reason(
        self, address: str, title: str, effect: str, *, everywhere: bool = False
    ) -> None:
        from coi_tui.screens.sheets.text_sheets import ReasonSheet

        changes = self._session.consequences(
            address, lambda s: s.decisions.reject(address, everywhere=everywhere)
        )
        told = f"{changes.sentence()}\n{effect} Nothing is deleted or charged; u undoes it."
        self._view.open(
            ReasonSheet(title, told), lambda reason: self._reject(address, reason, everywhere)
        )

    async def _reject(self, address: str, reason: str | None, everywhere: bool) -> None:
        if reason is None:
            self._view.say("Nothing was rejected.")
            return
        said = f"Rejected {address}{' everywhere in this session' if everywhere else ''}{f': {reason}' if reason else ''}."
        go_on = self._going_on(said)
        if await self._view.commit(
            lambda: self._session.decisions.reject(address, reason, everywhere=everywhere), said
        ):
            go_on()

    # -- the other decisions on a row -------------------------------------------------------------------------------

    async def keep(self) -> None:
        """Say that a stale text still holds."""
        address = self._view.address
        said = f"{address} still holds: it counts as up to date until an input changes again."
        await self._tell_first(
            address,
            f"Say that {address} still holds?",
            lambda s: s.decisions.keep(address),
            lambda _: said,
        )

    async def protect(self) -> None:
        """Protect a paper or text against bulk acts, or take the protection away."""
        address, state = self._view.address, self._session.state
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
        await self._view.commit(lambda: self._session.decisions.protect(address, on), said)

    async def fork(self) -> None:
        """Begin a branch that shares the chain up to this paper."""
        address = slot_of(self._view.address)
        shares = f"begins at {address}: it shares the chain up to there, later places are empty. u undoes it."
        if await self._view.commit(lambda: self._session.decisions.fork(address), ""):
            new = str(self._session.state.branches_of("")[-1])
            self._view.go_to_row(new, f"Branch {new} {shares}")

    async def park(self) -> None:
        """Set the branch of the row aside, or go on with it."""
        branch = branch_of(self._view.address)
        if branch in self._session.state.parked:
            said = f"Branch {branch} goes on: plans take it in again."
            await self._tell_first(
                str(branch),
                f"Go on with branch {branch}?",
                lambda s: s.decisions.unpark(branch),
                lambda _: said,
            )
        else:
            said = f"Branch {branch} is set aside: plans leave it out, its texts can still be read. u undoes it."
            await self._tell_first(
                str(branch),
                f"Set branch {branch} aside?",
                lambda s: s.decisions.park(branch),
                lambda _: said,
            )

    def note(self) -> None:
        """Write a private note on the row."""
        from coi_tui.screens.sheets.text_sheets import NoteSheet

        address = self._view.address
        sheet = NoteSheet(address, self._session.state.notes.get(address, ""))
        self._view.open(sheet, lambda text: self._note(address, text))

    async def _note(self, address: str, text: str | None) -> None:
        if text is None or text == self._session.state.notes.get(address, ""):
            self._view.say("The note stays as it was.")
            return
        said = (
            f"Noted on {address}; it is never sent." if text else f"The note on {address} is gone."
        )
        await self._view.commit(lambda: self._session.decisions.note(address, text), said)

    # -- the session ------------------------------------------------------------------------------------------------

    def _off_undo(self, which: int) -> str:
        """``which``: 0 for undo, 1 for redo."""
        there = self._session.undo_stack.labels()[which]
        return self._controller.not_writable() or (
            "" if there else f"there is nothing to {('undo', 'redo')[which]}"
        )

    async def undo(self) -> None:
        """Take back the last decision."""
        await self._step("undo", self._session.undo_stack.undo, "Undone")

    async def redo(self) -> None:
        """Bring back what was undone."""
        await self._step("redo", self._session.undo_stack.redo, "Redone")

    async def _step(self, way: Way, change: Callable[[], str], done: str) -> None:
        """Back or on by a decision; where results came since, it is said first what that changes."""
        label = self._session.undo_stack.labels()[("undo", "redo").index(way)]
        ahead = partial(self._session.consequences_of, way)
        await tell_first(
            self._view,
            ahead,
            f"{way.capitalize()}: {label}?",
            change,
            lambda label: f"{done}: {label}.",
        )

    def criteria(self) -> None:
        """Say which papers may be proposed."""
        from coi_tui.screens.sheets.search_sheets import CriteriaSheet

        self._view.open(CriteriaSheet(self._session.state), self._set_criteria)

    async def _set_criteria(self, asked: Criteria | None) -> None:
        from coi_tui.session.decisions.criteria import effect

        if asked is None:
            self._view.say("The criteria stay as they were.")
            return
        said = partial(effect, self._session.core)
        await self._tell_first(
            CRITERIA,
            "Change the criteria?",
            lambda s: s.decisions.set_criteria(asked),
            lambda _: said(),
        )

    def means(self) -> None:
        """Say what means the person has."""
        from coi_tui.screens.sheets.means_sheet import MeansSheet

        self._view.open(MeansSheet(self._session.state), self._set_means)

    async def _set_means(self, means: Means | None) -> None:
        if means is None:
            self._view.say("Your means stay as they were.")
            return
        said = self._session.decisions.means_effect
        await self._tell_first(
            MEANS, "Change your means?", lambda s: s.decisions.set_means(means), lambda _: said()
        )


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
