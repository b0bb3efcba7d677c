"""What a decision changes, told before it is made, and how it is taken back.

The rows of two states are compared; the later state comes from a rehearsal. Undo adds a decision to
the log; nothing is deleted from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from coi_tui.engine.freshness import Freshness
from coi_tui.model.address import ATTACHED, PAIR, QUESTION, Branch, parse_address
from coi_tui.model.criteria import ADDRESS as CRITERIA
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import UndoStacks, fold
from coi_tui.model.state import LISTS, State
from coi_tui.model.text import listed
from coi_tui.session.core import SessionCore

OLD = ("stale", "upstream")

NAMED = 16
"""So many rows are named one by one in a sentence; of more the rest are counted."""

NOTHING_ELSE = "Nothing else changes."

WHOLE_SESSION = (CRITERIA,)
"""What is decided for a whole session and read by every list of candidates."""


@dataclass(frozen=True)
class Consequences:
    """What becomes of the rows. ``own`` is the row that the decision is about: its own change asks
    for nothing, and its text is not told.

    ``emptied``, ``replaced``, ``placed``: slots that lose their paper, hold another one, or get
    one. ``detached``, ``returned``: slots whose paper goes to the shelf for the sake of another
    slot's, or comes back from there. ``gone``, ``back``: texts that have no place any more, or
    again. ``added``: texts that were not there before, such as those that a new branch shares.
    ``stale``, ``fresh``: texts that are no longer up to date, or again. ``parked``, ``unparked``:
    branches that plans leave out, or take in again. ``unpicked``,
    ``picked``: the idea that is no longer the picked one, and the one that is instead. A slot's
    list of candidates has no row of its own: it waits to be ranked again as part of what a choice
    in its chain does, so only what is decided for a whole session asks for it.
    """

    own: str = ""
    emptied: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    detached: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    parked: tuple[str, ...] = ()
    unparked: tuple[str, ...] = ()
    unpicked: tuple[str, ...] = ()
    picked: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether it changes other rows for the worse, or moves their papers, so that it is asked
        about once."""
        moved = (
            *self.emptied,
            *self.replaced,
            *self.detached,
            *self.returned,
            *self.gone,
            *self.stale,
            *self.parked,
            *self.unpicked,
        )
        lists_too = self.own in WHOLE_SESSION
        return any(
            address != self.own and (lists_too or not _is_list(address)) for address in moved
        )

    def sentence(self) -> str:
        """All of it in one sentence, by row."""
        said = "; ".join(
            f"{verb} {_few(named)}{after}"
            for verb, rows, after in self._told()
            if (named := rows_and_lists(rows)[0])
        )
        lists = rows_and_lists(self.stale)[1]
        waiting = f"the candidates of {_few(lists)} are to be ranked again then" if lists else ""
        whole = "; ".join(filter(None, (said, waiting)))
        return f"{whole[0].upper()}{whole[1:]}." if whole else NOTHING_ELSE

    def _of_others(self, addresses: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(a for a in addresses if a != self.own)

    def _told(self) -> Sequence[tuple[str, tuple[str, ...], str]]:
        return (
            ("empties", self.emptied, ""),
            ("replaces the paper at", self.replaced, ""),
            ("fills", self.placed, ""),
            ("detaches", self.detached, " (X lists them)"),
            ("brings back", (*self.returned, *self.back), ""),
            ("sets aside", self.gone, ""),
            ("makes stale", self.stale, ""),
            ("makes up to date", self.fresh, ""),
            ("leaves out of plans branch", self.parked, ""),
            ("takes up again branch", self.unparked, ""),
            ("takes back your choice of", self.unpicked, ""),
            ("chooses", self._of_others(self.picked), " as your idea"),
            ("adds", self._of_others(self.added), ""),
        )


NO_CHANGE = Consequences()


def _is_question(address: str) -> bool:
    return parse_address(address).part == QUESTION


def _is_list(address: str) -> bool:
    return parse_address(address).part in LISTS


def rows_and_lists(addresses: Sequence[str]) -> tuple[list[str], list[str]]:
    """The rows among some addresses, and the slots whose lists of candidates or verdicts are: these
    have no row of their own."""
    lists = dict.fromkeys(str(parse_address(a).slot) for a in addresses if _is_list(a))
    return [a for a in addresses if not _is_list(a)], list(lists)


def _few(rows: Sequence[str]) -> str:
    return listed(
        rows if len(rows) <= NAMED else [*rows[: NAMED - 1], f"{len(rows) - NAMED + 1} more rows"]
    )


@dataclass(frozen=True)
class Rows:
    """A state with how fresh its cells are."""

    state: State
    fresh: Mapping[str, Freshness]

    @classmethod
    def of(cls, core: SessionCore) -> Rows:
        """The rows of a session as they stand."""
        return cls(core.state, core.fresh)

    def papers(self) -> dict[str, str]:
        """The papers in slots, by address."""
        return {s.address: s.paper for s in self.state.slots.values() if s.paper}

    def holds_back(self, address: str, paper: str) -> bool:
        """Whether a paper is on the shelf because it was detached from a slot."""
        return any(
            item.kind == "detached" and item.where == address and item.paper == paper
            for item in self.state.shelf
        )

    def left_out(self) -> set[Branch]:
        """The branches that plans leave out: those that are parked, and those whose question was
        rejected."""
        state = self.state
        return {
            *state.parked,
            *(
                parse_address(a).branch
                for a, cell in state.cells.items()
                if cell.rejected and _is_question(a)
            ),
        }

    def texts(self) -> dict[str, bool]:
        """The texts that are there, each with whether it is up to date."""
        living = ((a, f) for a, f in self.fresh.items() if parse_address(a).part != "slot")
        return {a: f.status not in OLD for a, f in living if self.state.in_use(a) is not None}


def difference(
    before: Rows, after: Rows, own: str, order: Callable[[str], tuple[object, ...]]
) -> Consequences:
    """What became of the rows between two states; ``order`` sorts addresses as the tree shows
    them."""
    found = {**_of_papers(before, after), **_of_texts(before, after)}
    rows: dict[str, Any] = {
        name: tuple(sorted(addresses, key=order)) for name, addresses in found.items()
    }
    was, now = before.left_out(), after.left_out()
    left, came = before.state.pick, after.state.pick
    if left != came:
        rows["unpicked"] = (f"{left}/idea",) if left is not None else ()
        rows["picked"] = (f"{came}/idea",) if came is not None else ()
    return Consequences(own, **rows, parked=_branches(now - was), unparked=_branches(was - now))


def _of_papers(before: Rows, after: Rows) -> dict[str, set[str]]:
    """The slots whose paper changed, by what became of it."""
    was, now = before.papers(), after.papers()
    left, came = was.keys() - now.keys(), now.keys() - was.keys()
    detached = {a for a in left if after.holds_back(a, was[a]) and not before.holds_back(a, was[a])}
    returned = {a for a in came if before.holds_back(a, now[a])}
    return {
        "emptied": left - detached,
        "replaced": {a for a in was.keys() & now.keys() if now[a] != was[a]},
        "placed": came - returned,
        "detached": detached,
        "returned": returned,
    }


def _of_texts(before: Rows, after: Rows) -> dict[str, set[str]]:
    """The texts that went or came, or whose freshness changed."""
    was, now = before.texts(), after.texts()
    came = now.keys() - was.keys()
    back = {a for a in came if before.state.cell(a).versions}
    return {
        "gone": was.keys() - now.keys(),
        "back": back,
        "added": came - back,
        "stale": {a for a, ok in was.items() if ok and not now.get(a, True)},
        "fresh": {a for a, ok in was.items() if not ok and now.get(a)},
    }


def _branches(found: set[Branch]) -> tuple[str, ...]:
    return tuple(sorted(map(str, found)))


def impact(core: SessionCore, own: str, act: Callable[[SessionCore], object]) -> Consequences:
    """What an act about the row ``own`` would change; it is only rehearsed. Raises UsageError where
    the act itself would."""
    trial = core.rehearsal()
    act(trial)
    return impact_of(core, trial, own)


def impact_of(core: SessionCore, trial: SessionCore, own: str) -> Consequences:
    """The same of what was rehearsed already."""
    return difference(Rows.of(core), Rows.of(trial), own, trial.methods.order)


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
