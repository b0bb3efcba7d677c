"""How decisions are taken back: undo adds a decision to the log, and nothing is deleted from it."""

from __future__ import annotations

from typing import Literal

from coi_tui.model.address import ATTACHED, PAIR, QUESTION, Branch, parse_address
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

    def revert(self, number: int, scope: str = "") -> str:
        """Take back one decision of the log, whatever came after it; the log keeps both.

        Refused with the list of later decisions that would lose their ground. A decision that a
        fork shares asks whether it goes in ``both`` branches or only in one (``scope``: both, or
        the branch's number).
        """
        decision = next((d for d in self._core.decision_log() if d.seq == number), None)
        if decision is None or decision.group not in self._groups[0]:
            raise UsageError(
                f"Entry {number} is not a decision of yours that can be undone.",
                "`coi log` lists them.",
            )
        only = self._only(number, self._sharers(decision), scope)
        if conflicts := self._conflicts(decision.group, only):
            raise UsageError(
                f"Decision {number} cannot be undone alone: {'; '.join(conflicts)}.",
                "Undo those first.",
            )
        return self._write("undo", decision.group, only)

    def _label(self, group: str, words: dict[str, str]) -> str:
        own = [d for d in self._core.decision_log() if d.group == group and not d.undoes]
        more = f" and {len(own) - 1} more" if len(own) > 1 else ""
        return f"{words.get(own[0].action, own[0].action)} {own[0].address}{more}"

    def _write(self, action: Literal["undo", "redo"], group: str, only: int | None = None) -> str:
        label = self._label(group, {})
        self._core.check_writable()
        self._core.journal.write([self._decision(action, group, only)])
        return label

    def _decision(self, action: Literal["undo", "redo"], group: str, only: int | None) -> Decision:
        address = next(d.address for d in self._core.decision_log() if d.group == group)
        value = {"only": only} if only is not None else {}
        return Decision(actor="you", action=action, address=address, undoes=group, value=value)

    def _only(self, number: int, sharers: list[Branch], scope: str) -> int | None:
        """The only branch in which a decision is to be undone; None for wherever it counts. Raises
        UsageError where that must be said."""
        if scope not in ("", "both") and not sharers:
            raise UsageError(
                f"Decision {number} is not shared by a fork, so it has no scope.",
                "Leave --scope out.",
            )
        if sharers and scope not in ("both", *map(str, sharers)):
            branches = " and ".join(map(str, sharers))
            raise UsageError(
                f"Decision {number} is shared by branches {branches}, because one was forked from the other after it.",
                f"Say --scope both, or --scope {sharers[0]} or --scope {sharers[1]} for one of them only.",
            )
        return int(scope) if sharers and scope != "both" else None

    def _sharers(self, decision: Decision) -> list[Branch]:
        """The two branches that a decision counts for, when a fork was made after it from a part
        that it touches; else none."""
        at = parse_address(decision.address)
        if decision.action == "attach":  # a PDF belongs to its paper, in whatever branch that is
            return []
        for fork in self._core.decision_log():
            if fork.action != "fork" or fork.seq < decision.seq:
                continue
            new, origin = int(fork.value["branch"]), parse_address(fork.address).branch
            if (
                at.branch == origin
                and new in self._core.state.forks
                and _shares(int(fork.value["at"]), at.part, at.pos)
            ):
                return [origin, new]
        return []

    def _conflicts(self, group: str, only: int | None) -> list[str]:
        """Later decisions that would be void without this group, in words."""
        entries = self._core.journal.entries
        undo = self._decision("undo", group, only).model_copy(update={"seq": entries[-1].seq + 1})
        after = fold([*entries, undo], self._core.journal.papers)
        before = {seq for seq, _ in self._core.state.void}
        decisions = {d.seq: d for d in self._core.decision_log()}
        return [
            f"{d.action} {d.address} (entry {seq}) rests on it: {why}"
            for seq, why in after.void
            if seq not in before and (d := decisions[seq]).actor == "you"
        ]


def _shares(place: int, part: str, pos: int) -> bool:
    """Whether a fork at a place shares a part of its origin."""
    if part == QUESTION:
        return True
    beyond = place != 0 and (pos <= place if place > 0 else pos >= place)
    return part in (*ATTACHED, "slot", PAIR) and (pos == 0 or beyond)
