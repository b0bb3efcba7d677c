"""Taking decisions back and bringing them back. Undo adds a decision to the log; nothing is deleted
from it."""

from __future__ import annotations

from typing import Literal

from coi_tui.model.address import ATTACHED, PAIR, QUESTION, Branch, parse_address
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import UndoStacks, fold
from coi_tui.session.core import SessionCore

WORDS = {
    "park": "set aside",
    "unpark": "take up",
    "keep": "confirm",
    "adopt": "use another version of",
    "choose": "use a paper at",
}
"""Actions of the log that are called otherwise on the screen."""
Way = Literal["undo", "redo"]


class UndoStack:
    """The decisions of a person that can be taken back, the last one first."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._stacks, self._read = UndoStacks(), 0
        """What can be undone and redone after so many entries of the log."""
        self._labels: tuple[int, tuple[str, str]] = (0, ("", ""))
        """What was said of it, after so many entries."""

    def undo(self) -> str:
        """Take back the last decision; says which. Spending is not undone: results stay as
        versions."""
        if not (group := self._next("undo")):
            raise UsageError("There is nothing to undo.")
        return self._take_back("undo", group)

    def redo(self) -> str:
        if not (group := self._next("redo")):
            raise UsageError("There is nothing to redo.")
        return self._take_back("redo", group)

    def _next(self, action: Way) -> str:
        """The group that comes next; empty where there is none."""
        stacks = self._kept_up()
        return next(reversed(stacks.done if action == "undo" else stacks.redo), "")

    def _kept_up(self) -> UndoStacks:
        """The stacks as the log has them now."""
        entries = self._core.journal.entries
        for entry in entries[self._read :]:
            self._stacks.take(entry)
        self._read = len(entries)
        return self._stacks

    def revert(self, number: int, scope: str = "") -> str:
        """Take back one decision of the log, whatever came after it; the log keeps both.

        Refused with the list of later decisions that would lose their ground. A decision that a
        fork shares asks whether it goes in
        ``both`` branches or only in one (``scope``: both, or the branch's number).
        """
        acts = [
            e for e in self._core.journal.entries if isinstance(e, Decision) and e.seq == number
        ]
        if not acts or acts[0].group not in self._kept_up().done:
            raise UsageError(
                f"Entry {number} is not a decision of yours that can be undone.",
                "`coi log` lists them.",
            )
        only = self._only(number, self._sharers(acts[0]), scope)
        if conflicts := self._conflicts(acts[0].group, only):
            raise UsageError(
                f"Decision {number} cannot be undone alone: {'; '.join(conflicts)}.",
                "Undo those first.",
            )
        return self._take_back("undo", acts[0].group, only)

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

    def labels(self) -> tuple[str, str]:
        """What undo and redo would take back or bring back; empty texts when there is nothing."""
        length = len(self._core.journal.entries)
        if self._labels[0] != length:  # the footer asks at every key
            self._labels = (
                length,
                (self._label(self._next("undo")), self._label(self._next("redo"))),
            )
        return self._labels[1]

    def _label(self, group: str) -> str:
        if not group:
            return ""
        acts = [
            d
            for d in self._core.decision_log()
            if d.group == group and d.action not in ("undo", "redo")
        ]
        more = f" and {len(acts) - 1} more" if len(acts) > 1 else ""
        return f"{WORDS.get(acts[0].action, acts[0].action)} {acts[0].address}{more}"

    def _sharers(self, d: Decision) -> list[Branch]:
        """The two branches that a decision counts for, when a fork was made after it from a part
        that it touches; else none."""
        at = parse_address(d.address)
        if d.action == "attach":  # a PDF belongs to its paper, in whatever branch that stands
            return []
        for entry in self._core.journal.entries:
            if not isinstance(entry, Decision) or entry.action != "fork" or entry.seq < d.seq:
                continue
            new, origin = int(entry.value["branch"]), parse_address(entry.address).branch
            if (
                at.branch == origin
                and new in self._core.state.forks
                and self._shared(at.part, at.pos, entry)
            ):
                return [origin, new]
        return []

    def _shared(self, part: str, pos: int, entry: Decision) -> bool:
        place = int(entry.value["at"])
        if part == QUESTION:
            return True
        return part in (*ATTACHED, "slot", PAIR) and (
            pos == 0 or (place != 0 and (pos <= place if place > 0 else pos >= place))
        )

    def _conflicts(self, group: str, only: int | None) -> list[str]:
        """Later decisions that would be void without this group, in words."""
        last = self._core.journal.entries[-1].seq
        value = {"only": only} if only is not None else {}
        undo = Decision(
            actor="you",
            action="undo",
            address="session",
            undoes=group,
            value=value,
            seq=last + 1,
            group=f"d{last + 1}",
        )
        before = {seq for seq, _ in self._core.state.void}
        after = fold([*self._core.journal.entries, undo], self._core.journal.papers)
        acts = {e.seq: e for e in self._core.journal.entries if isinstance(e, Decision)}
        new = [
            (seq, why) for seq, why in after.void if seq not in before and acts[seq].actor == "you"
        ]
        return [
            f"{acts[seq].action} {acts[seq].address} (entry {seq}) rests on it: {why}"
            for seq, why in new
        ]

    def _take_back(self, action: str, group: str, only: int | None = None) -> str:
        self._core.check_writable()
        acts = [
            e for e in self._core.journal.entries if isinstance(e, Decision) and e.group == group
        ]
        value = {"only": only} if only is not None else {}
        self._core.journal.write(
            [
                Decision(
                    actor="you", action=action, address=acts[0].address, undoes=group, value=value
                )
            ]
        )
        more = f" and {len(acts) - 1} more" if len(acts) > 1 else ""
        return f"{acts[0].action} {acts[0].address}{more}"
