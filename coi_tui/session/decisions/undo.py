"""Taking decisions back, and starting a branch from a part of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.journal import Journal
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import fold, undo_stacks
from coi_tui.model.forking import shared_places
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.store.session_file import SessionFile


class Turns:
    """Undo, redo, revert and fork: the moves about moves."""

    journal: Journal
    file: SessionFile

    @property
    def state(self) -> State:
        raise NotImplementedError

    def _writable(self) -> None:
        raise NotImplementedError

    def undo(self) -> str:
        """Take back the last decision; says which. Spending is not undone: results stay as versions (ux.md 4.4)."""
        done, _ = undo_stacks(self.journal.entries)
        if not done:
            raise UsageError("There is nothing to undo.")
        return self._turn("undo", done[-1])

    def redo(self) -> str:
        _, redo = undo_stacks(self.journal.entries)
        if not redo:
            raise UsageError("There is nothing to redo.")
        return self._turn("redo", redo[-1])

    def revert(self, number: int, scope: str = "") -> str:
        """Take back one decision of the log, whatever came after it; the log keeps both.

        Refused with the list of later decisions that would lose their ground. A decision that a fork shares asks whether it goes in
        ``both`` branches or only in one (``scope``: both, or the branch's number; hard case 13).
        """
        acts = [e for e in self.journal.entries if isinstance(e, Decision) and e.seq == number]
        done, _ = undo_stacks(self.journal.entries)
        if not acts or acts[0].group not in done:
            raise UsageError(f"Entry {number} is no decision of yours that can be taken back.", "`coi log` lists them.")
        sharers = self._sharers(acts[0])
        if sharers and scope not in ("both", *map(str, sharers)):
            branches = " and ".join(map(str, sharers))
            raise UsageError(
                f"Decision {number} is shared by branches {branches}, because one was forked from the other after it.",
                f"Say --scope both, or --scope {sharers[0]} or --scope {sharers[1]} for one of them only.",
            )
        only = int(scope) if sharers and scope != "both" else None
        if conflicts := self._conflicts(acts[0].group, only):
            raise UsageError(f"Decision {number} cannot be taken back alone: {'; '.join(conflicts)}.", "Take those back first.")
        return self._turn("undo", acts[0].group, only)

    def fork(self, address: str) -> int:
        """A new branch that shares 0 to this slot and the whole other side; later places start empty. Returns its number."""
        at = parse_address(address)
        if at.part != "slot" or self.state.slot(address).paper is None:
            raise UsageError(f"{address} is no filled slot, so no branch can begin there.")
        if at.pos not in shared_places(self.state, at.branch, at.pos):
            raise UsageError(f"{address} does not touch the chain, so no branch can begin there.")
        self._writable()
        new: int = max([*self.state.branches_of(""), *self.state.forks]) + 1
        if new > 63:
            raise UsageError("There are 63 branches already.", "Park or reject some; a session holds no more.")
        self.journal.write([Decision(actor="you", action="fork", address=address, value={"branch": new, "at": at.pos})])
        return new

    def _sharers(self, d: Decision) -> list[int]:
        """The two branches that a decision counts for, when a fork was made after it from a part that it touches; else none."""
        at = parse_address(d.address)
        if d.action == "attach":  # a PDF belongs to its paper, in whatever branch that stands
            return []
        for entry in self.journal.entries:
            if not isinstance(entry, Decision) or entry.action != "fork" or entry.seq < d.seq:
                continue
            new, origin = int(entry.value["branch"]), parse_address(entry.address).branch
            if at.branch == origin and new in self.state.forks and self._shared(at.part, at.pos, entry):
                return [origin, new]
        return []

    def _shared(self, part: str, pos: int, entry: Decision) -> bool:
        place = int(entry.value["at"])
        if part not in ("slot", "card", "cands", "rel", "trend", "Q"):
            return False
        return part == "Q" or pos == 0 or (place != 0 and (pos <= place if place > 0 else pos >= place))

    def _conflicts(self, group: str, only: int | None) -> list[str]:
        """Later decisions that would be void without this group, in words."""
        last = self.journal.entries[-1].seq
        value = {"only": only} if only is not None else {}
        undo = Decision(actor="you", action="undo", address="session", undoes=group, value=value, seq=last + 1, group=f"d{last + 1}")
        before = {seq for seq, _ in self.state.void}
        after = fold([*self.journal.entries, undo], self.journal.papers)
        acts = {e.seq: e for e in self.journal.entries if isinstance(e, Decision)}
        new = [(seq, why) for seq, why in after.void if seq not in before and acts[seq].actor == "you"]
        return [f"{acts[seq].action} {acts[seq].address} (entry {seq}) rests on it: {why}" for seq, why in new]

    def _turn(self, action: str, group: str, only: int | None = None) -> str:
        self._writable()
        acts = [e for e in self.journal.entries if isinstance(e, Decision) and e.group == group]
        value = {"only": only} if only is not None else {}
        self.journal.write([Decision(actor="you", action=action, address=acts[0].address, undoes=group, value=value)])
        more = f" and {len(acts) - 1} more" if len(acts) > 1 else ""
        return f"{acts[0].action} {acts[0].address}{more}"
