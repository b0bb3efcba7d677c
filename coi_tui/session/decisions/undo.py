"""How decisions are taken back: undo adds a decision to the log, and nothing is deleted from it."""

from __future__ import annotations

from typing import Literal

from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import fold, undo_stacks
from coi_tui.session.core import SessionCore

WORDS = {
    "park": "set aside",
    "unpark": "take up",
    "keep": "confirm",
    "adopt": "use another version of",
    "choose": "use a paper at",
}
"""Actions of the log that are called otherwise on the screen."""


class UndoStack:
    """The decisions of a person that can be taken back, the last one first."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._known: tuple[int, tuple[list[str], list[str]]] = (-1, ([], []))
        """The groups that can be undone and redone, for a length of the log."""

    @property
    def _groups(self) -> tuple[list[str], list[str]]:
        entries = self._core.journal.entries
        if self._known[0] != len(entries):  # the footer asks at every key
            self._known = (len(entries), undo_stacks(entries))
        return self._known[1]

    def undo(self) -> str:
        """Take back the last decision; says which. Spending is not undone: results stay as
        versions."""
        done, _ = self._groups
        if not done:
            raise UsageError("There is nothing to undo.")
        return self._write("undo", done[-1])

    def redo(self) -> str:
        _, undone = self._groups
        if not undone:
            raise UsageError("There is nothing to redo.")
        return self._write("redo", undone[-1])

    def labels(self) -> tuple[str, str]:
        """What undo and redo would take back or bring back; empty texts when there is nothing."""
        done, undone = self._groups
        return (
            self._label(done[-1], WORDS) if done else "",
            self._label(undone[-1], WORDS) if undone else "",
        )

    def revert(self, number: int) -> str:
        """Take back one decision of the log, whatever came after it; the log keeps both. Refused
        with the list of later decisions that would lose their ground."""
        decision = next((d for d in self._core.decision_log() if d.seq == number), None)
        if decision is None or decision.group not in self._groups[0]:
            raise UsageError(
                f"Entry {number} is not a decision of yours that can be undone.",
                "`coi log` lists them.",
            )
        if conflicts := self._conflicts(decision.group):
            raise UsageError(
                f"Decision {number} cannot be undone alone: {'; '.join(conflicts)}.",
                "Undo those first.",
            )
        return self._write("undo", decision.group)

    def _label(self, group: str, words: dict[str, str]) -> str:
        own = [d for d in self._core.decision_log() if d.group == group and not d.undoes]
        more = f" and {len(own) - 1} more" if len(own) > 1 else ""
        return f"{words.get(own[0].action, own[0].action)} {own[0].address}{more}"

    def _write(self, action: Literal["undo", "redo"], group: str) -> str:
        label = self._label(group, {})
        self._core.check_writable()
        self._core.journal.write([self._decision(action, group)])
        return label

    def _decision(self, action: Literal["undo", "redo"], group: str) -> Decision:
        address = next(d.address for d in self._core.decision_log() if d.group == group)
        return Decision(actor="you", action=action, address=address, undoes=group)

    def _conflicts(self, group: str) -> list[str]:
        """Later decisions that would be void without this group, in words."""
        entries = self._core.journal.entries
        undo = self._decision("undo", group).model_copy(update={"seq": entries[-1].seq + 1})
        after = fold([*entries, undo], self._core.journal.papers)
        before = {seq for seq, _ in self._core.state.void}
        decisions = {d.seq: d for d in self._core.decision_log()}
        return [
            f"{d.action} {d.address} (entry {seq}) rests on it: {why}"
            for seq, why in after.void
            if seq not in before and (d := decisions[seq]).actor == "you"
        ]
