"""What a decision changes in other rows, and how it is taken back.

For the first it is rehearsed, and the rows before and after are compared. Undo adds a decision to the
log; nothing is deleted from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from coi_tui.model.address import Branch, cell_at, cell_ref, ref
from coi_tui.model.criteria import ADDRESS as CRITERIA
from coi_tui.model.entries import Decision, JobEvent
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.state import WISHES, State
from coi_tui.model.text import listed
from coi_tui.session.core import SessionCore

NAMED = 16
"""So many rows are named one by one in a sentence; of more the rest are counted."""

NOTHING_ELSE = "Nothing else changes."

_WORDS = {
    "emptied": "empties {}",
    "replaced": "replaces the paper at {}",
    "placed": "fills {}",
    "detached": "detaches {} (X lists them)",
    "returned": "brings back {}",
    "gone": "sets aside {}",
    "stale": "makes stale {}",
    "fresh": "makes up to date {}",
    "parked": "leaves branch {} out of plans",
    "unparked": "takes up again branch {}",
    "unpicked": "takes back your choice of {}",
    "picked": "chooses {} as your idea",
    "added": "adds {}",
}
"""What may become of rows, in the order in which it is said."""

_ASKED = ("emptied", "replaced", "detached", "returned", "gone", "stale", "parked", "unpicked")
"""For the worse, or papers that move."""

_NOT_OF_OWN = ("picked", "added")


@dataclass(frozen=True)
class Impact:
    """What becomes of the rows, by the names of ``_WORDS``. ``own`` is the row that the decision is
    about: its own change asks for nothing.

    ``detached``, ``returned``: slots whose paper goes to the shelf for the sake of another slot's,
    or comes back from there, and texts that come back. ``gone``: texts that have no place any
    more. ``added``: texts that were not there before, such as those that a new branch shares. A
    slot's list of candidates has no row: only what is decided for a whole session asks for it.
    """

    own: str = ""
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()
    """Those of the addresses that are lists."""

    def of(self, name: str) -> tuple[str, ...]:
        return self.rows.get(name, ())

    @property
    def stale(self) -> tuple[str, ...]:
        return self.of("stale")

    @property
    def asks(self) -> bool:
        """Whether it changes other rows for the worse, or moves their papers, so that it is asked
        about once."""
        lists_too = self.own == CRITERIA
        return any(
            address != self.own and (lists_too or address not in self.lists)
            for name in _ASKED
            for address in self.of(name)
        )

    def sentence(self) -> str:
        """All of it in one sentence, by row."""
        parts = []
        for name, words in _WORDS.items():
            own = self.own if name in _NOT_OF_OWN else None
            rows = [a for a in self.of(name) if a != own and a not in self.lists]
            parts += [words.format(_few(rows))] if rows else []
        if lists := dict.fromkeys(cell_ref(a).slot for a in self.stale if a in self.lists):
            parts.append(f"the candidates of {_few([*lists])} must then be ranked again")
        whole = "; ".join(parts)
        return f"{whole[0].upper()}{whole[1:]}." if whole else NOTHING_ELSE


def _few(rows: Sequence[str]) -> str:
    more = len(rows) - NAMED + 1
    return listed(rows if more <= 1 else [*rows[: NAMED - 1], f"{more} more rows"])


S = TypeVar("S", bound=SessionCore)


def impact_of(core: S, own: str, act: Callable[[S], object]) -> Impact:
    """What an act about the row ``own`` would change; it is only rehearsed. Raises UsageError where
    the act itself would."""
    trial = core.rehearsal()
    act(trial)
    return difference(core, trial, own)


def difference(core: SessionCore, trial: SessionCore, own: str) -> Impact:
    """What became of the rows of a session in a rehearsal of it, in the order of the tree."""
    found = {
        name: tuple(sorted(addresses, key=trial.methods.order))
        for name, addresses in _of_papers_and_texts(core, trial).items()
    }
    was, now = _left_out(core), _left_out(trial)
    found["parked"], found["unparked"] = _names(now - was), _names(was - now)
    before, after = core.state.pick, trial.state.pick
    if before != after:
        found["unpicked"] = (cell_at(before, "idea"),) if before is not None else ()
        found["picked"] = (cell_at(after, "idea"),) if after is not None else ()
    rows = {name: addresses for name, addresses in found.items() if addresses}
    every = {address for addresses in rows.values() for address in addresses}
    lists = frozenset(address for address in every if not trial.methods.kind(address).has_row)
    return Impact(own, rows, lists)


def _of_papers_and_texts(core: SessionCore, trial: SessionCore) -> dict[str, set[str]]:
    was, now = _papers(core), _papers(trial)
    shelved, shelved_after = _detached(core), _detached(trial)
    left, came = was.keys() - now.keys(), now.keys() - was.keys()
    detached = {a for a in left if (a, was[a]) in shelved_after - shelved}
    returned = {a for a in came if (a, now[a]) in shelved}
    texts, texts_after = _texts(core), _texts(trial)
    new = texts_after.keys() - texts.keys()
    stale = {a for a, ok in texts_after.items() if not ok and texts.get(a, True)}
    back = {a for a in new if core.state.cell(a).versions}
    return {
        "emptied": left - detached,
        "replaced": {a for a in was.keys() & now.keys() if now[a] != was[a]},
        "placed": came - returned,
        "detached": detached,
        "returned": returned | back,
        "gone": texts.keys() - texts_after.keys(),
        "added": new - back - stale,
        "stale": stale,
        "fresh": {a for a, ok in texts.items() if not ok and texts_after.get(a)},
    }


def _papers(core: SessionCore) -> dict[str, str]:
    return {str(at): paper for at, paper in core.state.held_papers().items()}


def _detached(core: SessionCore) -> set[tuple[str, str]]:
    every = core.state.components.values()
    return {(a.where, a.paper) for one in every for a in one.aside() if a.why == "detached"}


def _texts(core: SessionCore) -> dict[str, bool]:
    """The texts that are there, each with whether it is up to date."""
    state = core.state
    return {
        address: fresh.status not in ("stale", "upstream")
        for address, fresh in core.fresh.items()
        if state.in_use(address) is not None
    }


def _left_out(core: SessionCore) -> set[Branch]:
    """The branches that plans leave out: those that are parked, and those whose question was
    rejected."""
    rejected = (cell_ref(a) for a, cell in core.state.cells.items() if cell.rejected)
    return {*core.state.parked, *(at.branch for at in rejected if at.form == "question")}


def _names(branches: set[Branch]) -> tuple[str, ...]:
    return tuple(sorted(map(str, branches)))


# -- undo

UNDO_WORDS = {
    "park": "set aside",
    "unpark": "take up",
    "adopt": "use another version of",
    "choose": "use a paper at",
    "refresh": "make again",
}
"""Actions of the log that are called otherwise on the screen."""


def write_renewed(core: SessionCore, before: State, job: int) -> None:
    """Write that a person had texts made again which are in use in place of others, so that undo takes
    it back, all of a job at once. What was asked in words is undone with that; lists of candidates
    decide nothing by themselves."""
    now = core.state
    new = [
        Decision(
            actor=core.writer,
            action="refresh",
            address=a,
            value={"version": made.seq},
            group=f"r{job}",
        )
        for a, cell in now.cells.items()
        if (used := before.in_use(a)) and (made := now.in_use(a)) and made.seq > before.seq
        if cell.lock is None and core.methods.kind(a).has_row
        if used.inputs.get(ref(a, WISHES)) == made.inputs.get(ref(a, WISHES))
    ]
    if new:
        core.journal.write(new)


def end_killed_job(core: SessionCore) -> None:
    """The same for the last job, where the program was killed before its end."""
    last = next(reversed(core.file.job_events()), None)
    if (
        core.file.read_only
        or last is None
        or last.state != "approved"
        or "after" not in last.detail
    ):
        return
    with suppress(StoreError):  # what cannot be written now is there to be read
        if not any(decision.group == f"r{last.job}" for decision in core.decision_log()):
            entries = [e for e in core.journal.entries if e.seq <= last.detail["after"]]
            write_renewed(core, core.journal.folded(entries), last.job)
        core.file.commit(job_events=[JobEvent(job=last.job, state="stopped", time=core.clock())])


def undo(core: SessionCore) -> str:
    """Take back the last decision of a person; says which. Spending is not undone: results stay as
    versions. Raises UsageError where there is nothing to undo."""
    return _write(core, "undo", core.journal.undo_stacks[0])


def redo(core: SessionCore) -> str:
    """Bring back what was undone last; says which. Raises UsageError where nothing was."""
    return _write(core, "redo", core.journal.undo_stacks[1])


def undo_labels(core: SessionCore) -> tuple[str, str]:
    """What undo and redo would take back or bring back; empty texts when there is nothing."""
    done, undone = core.journal.undo_stacks
    return _label(core, done), _label(core, undone)


def revert(core: SessionCore, number: int) -> str:
    """Take back one decision of the log, whatever came after it; the log keeps both. Refused with
    the list of later decisions that would lose their ground."""
    decision = next((d for d in core.decision_log() if d.seq == number), None)
    if decision is None or decision.group not in core.journal.undo_stacks[0]:
        raise UsageError(
            f"Entry {number} is not a decision of yours that can be undone.",
            "`coi log` lists them.",
        )
    if conflicts := _conflicts(core, decision.group):
        raise UsageError(
            f"Decision {number} cannot be undone alone: {'; '.join(conflicts)}.",
            "Undo those first.",
        )
    return _write(core, "undo", [decision.group])


def _label(core: SessionCore, groups: Sequence[str]) -> str:
    """What the last of some groups decided; empty for none."""
    own = [d for d in core.decision_log() if d.group in groups[-1:] and not d.undoes]
    more = f" and {len(own) - 1} more" if len(own) > 1 else ""
    return f"{UNDO_WORDS.get(own[0].action, own[0].action)} {own[0].address}{more}" if own else ""


def _write(core: SessionCore, action: Literal["undo", "redo"], groups: Sequence[str]) -> str:
    if not groups:
        raise UsageError(f"There is nothing to {action}.")
    label = _label(core, groups)
    core.check_writable()
    core.journal.write([_decision(core, action, groups[-1])])
    return label


def _decision(core: SessionCore, action: Literal["undo", "redo"], group: str) -> Decision:
    address = next(d.address for d in core.decision_log() if d.group == group)
    return Decision(actor="you", action=action, address=address, undoes=group)


def _conflicts(core: SessionCore, group: str) -> list[str]:
    """Later decisions that would be void without this group, in words."""
    entries = core.journal.entries
    taken_back = _decision(core, "undo", group).model_copy(update={"seq": entries[-1].seq + 1})
    after = core.journal.folded([*entries, taken_back])
    before = {seq for seq, _ in core.state.void}
    decisions = {d.seq: d for d in core.decision_log()}
    return [
        f"{d.action} {d.address} (entry {seq}) rests on it: {why}"
        for seq, why in after.void
        if seq not in before and (d := decisions[seq]).actor == "you"
    ]
