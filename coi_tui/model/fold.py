"""State is a pure fold of the log. Undo refolds without the undone group; nothing is ever written
back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from coi_tui.model.address import Branch, parse_address, slot
from coi_tui.model.entries import Decision, Version
from coi_tui.model.forking import fork
from coi_tui.model.papers import Paper
from coi_tui.model.reviewing import points_of
from coi_tui.model.state import (
    BadCase,
    Instance,
    ShelfItem,
    SideEnd,
    Slot,
    State,
    Verdict,
    replace_slot,
)

LATE = "made from older inputs"


def fold(entries: Sequence[Decision | Version], papers: Mapping[str, Paper] | None = None) -> State:
    """The state after all entries, undone groups left out."""
    return _fold(entries, papers if papers is not None else {}, taken_back(entries))


def _fold(
    entries: Sequence[Decision | Version], papers: Mapping[str, Paper], undone: Undone
) -> State:
    state = State()
    state.papers = papers
    for place, entry in enumerate(entries):
        if isinstance(entry, Version) or entry.group not in undone.here:
            if isinstance(entry, Decision) and entry.action == "fork" and undone.scoped:
                # A shared decision undone in one of the two only: the fork begins from the log as
                # that branch sees it.
                seen = undone.as_seen_by(int(entry.value["branch"]))
                _fork(state, entry, _fold(entries[:place], papers, seen))
                state.forget()
            else:
                _take(state, entry)
        state.seq = entry.seq
    state.forget()
    return state


def apply(state: State, entry: Decision | Version) -> State:
    """The state after one more entry that is neither undo nor redo; equals the fold of the longer
    log."""
    new = state.copy()
    _take(new, entry)
    new.seq = entry.seq
    new.forget()
    return new


@dataclass(frozen=True)
class Undone:
    """Groups taken back: ``here`` for the log as a whole, ``scoped`` (group, branch) for one branch
    of a fork only."""

    here: frozenset[str] = frozenset()
    scoped: frozenset[tuple[str, int]] = frozenset()

    def as_seen_by(self, fork: int) -> Undone:
        """What a fork's branch begins without: what was undone in both, and in it alone; not what
        only its origin undid."""
        elsewhere = {group for group, branch in self.scoped if branch != fork}
        own = {group for group, branch in self.scoped if branch == fork}
        return Undone((self.here - elsewhere) | own, self.scoped)


def taken_back(entries: Iterable[Decision | Version]) -> Undone:
    """Groups that an undo, not itself taken back, has taken out. An undo may be for one branch of a
    fork only."""
    forks: set[int] = set()
    back: dict[str, int | None] = {}
    for entry in entries:
        if isinstance(entry, Decision):
            if entry.action == "undo":
                back[entry.undoes] = entry.value.get("only")
            elif entry.action == "redo":
                back.pop(entry.undoes, None)
            elif entry.action == "fork":
                forks.add(int(entry.value["branch"]))
    scoped = frozenset((group, only) for group, only in back.items() if only is not None)
    return Undone(frozenset(group for group, only in back.items() if only not in forks), scoped)


def undone_groups(entries: Iterable[Decision | Version]) -> set[str]:
    """Groups that are taken back in the log as a whole."""
    return set(taken_back(entries).here)


def undo_stacks(entries: Iterable[Decision | Version]) -> tuple[list[str], list[str]]:
    """Groups that can be undone (the next one last) and redone (the next one last).

    Only a person's decisions can be undone; what created the session cannot. A new decision empties
    the redo stack.
    """
    stacks = UndoStacks()
    for entry in entries:
        stacks.take(entry)
    return list(stacks.done), stacks.redo


class UndoStacks:
    """The same, kept up with a log entry by entry. ``done`` has them in the order in which they
    came."""

    def __init__(self) -> None:
        self.done: dict[str, None] = {}
        self.redo: list[str] = []

    def take(self, entry: Decision | Version) -> None:
        """The next entry of the log."""
        if not isinstance(entry, Decision) or entry.actor != "you" or entry.creation:
            return
        if entry.action == "undo":
            self.done.pop(entry.undoes)
            self.redo.append(entry.undoes)
        elif entry.action == "redo":
            self.redo.remove(entry.undoes)
            self.done[entry.undoes] = None
        elif entry.group not in self.done:
            self.done[entry.group] = None
            self.redo.clear()


def _take(state: State, entry: Decision | Version) -> None:
    if isinstance(entry, Version):
        _add_version(state, entry)
    else:
        _ACTIONS[entry.action](state, entry)
    state.forget()


def _add_version(state: State, version: Version) -> None:
    """Add a version. A machine's result is taken only if nothing moved meanwhile and no person's
    text stands there."""
    cell = state.cell(version.address)
    beside = dict(cell.beside)
    taken = cell.taken
    if not version.by_person:
        if version.beside:
            beside[version.seq] = version.beside
        elif not state.matches(version):
            beside[version.seq] = LATE
        elif state.lock_of(cell) is not None:
            beside[version.seq] = "your text stays in use"
        else:
            taken = (*taken, version.seq)
    state.versions[version.seq] = version
    state.cells[version.address] = replace(
        cell, versions=(*cell.versions, version.seq), taken=taken, beside=beside
    )


# -- decisions


def _void(state: State, d: Decision, why: str) -> None:
    """A decision whose precondition does not hold (any more) has no effect, but is listed."""
    state.void = (*state.void, (d.seq, why))


def _needs_hold(state: State, d: Decision) -> bool:
    needs: Mapping[str, str | None] = d.value.get("needs", {})
    return all(state.slot(address).paper == paper for address, paper in needs.items())


def _shelve(state: State, d: Decision, old: Slot, kind: str, reason: str) -> None:
    assert old.paper is not None
    item = ShelfItem(old.paper, old.branch, old.pos, kind, reason, old.verdict, old.why, d.seq)  # type: ignore[arg-type]
    state.shelf = (*state.shelf, item)


def _unshelve(state: State, branch: Branch, paper: str) -> None:
    state.shelf = tuple(i for i in state.shelf if not (i.paper == paper and i.branch == branch))


def _detach(state: State, d: Decision) -> None:
    for address, paper in d.value.get("detach", {}).items():
        old = state.slot(address)
        if old.paper == paper and old.verdict != "pinned":
            _shelve(state, d, old, "detached", d.reason or f"the paper at {d.address} changed")
            state.put(address, Slot(old.branch, old.pos, since=d.seq))


def _reattach(state: State, d: Decision) -> None:
    for address, was in d.value.get("reattach", {}).items():
        place = state.slot(address)
        if place.paper is None and was["paper"] not in _papers_of(state, place.branch):
            _unshelve(state, place.branch, was["paper"])
            verdict: Verdict = was.get("verdict", "proposed")
            state.put(
                address,
                Slot(
                    place.branch, place.pos, was["paper"], verdict, was.get("why", {}), False, d.seq
                ),
            )


def _papers_of(state: State, branch: Branch) -> set[str]:
    return {s.paper for s in state.places_of(branch) if s.paper}


def _propose(state: State, d: Decision) -> None:
    place, paper = state.slot(d.address), d.value["paper"]
    if place.paper is not None or not _needs_hold(state, d):
        why = "the slot was taken" if place.paper is not None else "the chain changed meanwhile"
        known = {i.paper for i in state.shelf if i.branch == place.branch} | _papers_of(
            state, place.branch
        )
        if paper not in known:  # what came too late is not lost
            late = Slot(place.branch, place.pos, paper, "proposed", d.value.get("why", {}))
            _shelve(state, d, late, "late", why)
        return _void(state, d, why)
    if paper in _papers_of(state, place.branch) or paper in state.rejected(place.branch):
        return _void(state, d, "the paper is in the chain or was rejected")
    _unshelve(state, place.branch, paper)
    state.put(
        d.address,
        Slot(place.branch, place.pos, paper, "proposed", d.value.get("why", {}), False, d.seq),
    )
    _detach(state, d)
    return None


def _end(state: State, d: Decision) -> None:
    if not _needs_hold(state, d):
        return _void(state, d, "the chain changed meanwhile")
    branch, v = parse_address(d.address).branch, d.value
    state.ends[branch, v["side"]] = SideEnd(
        v["side"], v["tip_pos"], v["tip"], d.reason, v.get("code", ""), d.seq
    )
    return None


def _accept(state: State, d: Decision) -> None:
    if parse_address(d.address).part == "slot":
        place = state.slot(d.address)
        if place.paper != d.value.get("paper"):
            return _void(state, d, "another paper is in the slot")
        if place.verdict == "proposed":
            replace_slot(state, d.address, verdict="accepted")
        return None
    seq = d.value.get("version")
    cell = state.cell(d.address)
    if seq not in cell.versions:
        return _void(state, d, "that version is not there")
    state.cells[d.address] = replace(cell, lock=seq, accepted=True, rejected=False)
    return None


def _reject(state: State, d: Decision) -> None:
    part = parse_address(d.address).part
    if (
        part == "shelf"
        # kept out before it was ever proposed: on the shelf of no branch, so that no branch may
        # propose it
    ):
        item = ShelfItem(
            d.value["paper"], 0, 0, "rejected", d.reason, "proposed", {"everywhere": True}, d.seq
        )
        state.shelf = (*state.shelf, item)
        return None
    if part != "slot":
        state.cells[d.address] = replace(state.cell(d.address), rejected=True, accepted=False)
        return None
    place = state.slot(d.address)
    if place.paper is None or place.paper != d.value.get("paper"):
        return _void(state, d, "another paper is in the slot")
    why = {**place.why, "everywhere": bool(d.value.get("everywhere"))}
    _shelve(state, d, replace(place, why=why), "rejected", d.reason)
    state.put(d.address, Slot(place.branch, place.pos, since=d.seq))
    _detach(state, d)
    return None


def _put(state: State, d: Decision) -> None:
    verdict: Verdict = "pinned" if d.action == "pin" else "accepted"
    place, paper = state.slot(d.address), d.value["paper"]
    if not _needs_hold(state, d):
        return _void(state, d, "the chain changed meanwhile")
    if paper in _papers_of(state, place.branch) - {place.paper}:
        return _void(state, d, "the paper is in the chain already")
    if place.paper is not None and place.paper != paper:
        _shelve(state, d, place, "replaced", d.reason)
    _unshelve(state, place.branch, paper)
    state.put(
        d.address,
        Slot(place.branch, place.pos, paper, verdict, d.value.get("why", {}), False, d.seq),
    )
    _detach(state, d)
    _reattach(state, d)
    return None


def _edit(state: State, d: Decision) -> None:
    seq = d.value.get("version")
    cell = state.cell(d.address)
    if seq not in cell.versions:
        return _void(state, d, "that version is not there")
    state.cells[d.address] = replace(cell, lock=seq, rejected=False)
    return None


def _ask(state: State, d: Decision) -> None:
    """What is to be rewritten stays in use until that is done, also where an older version was: as
    if it had been made last."""
    cell, wish, used = state.cell(d.address), str(d.value["wish"]), state.in_use(d.address)
    taken = cell.taken if used is None or used.by_person else (*cell.taken, used.seq)
    wishes = (*(said for said in cell.wishes if said != wish), wish)
    state.cells[d.address] = replace(cell, wishes=wishes, asked_by=d.seq, taken=taken)


def _keep(state: State, d: Decision) -> None:
    state.cells[d.address] = replace(
        state.cell(d.address), kept=dict(d.value.get("inputs", {})), kept_by=d.seq
    )


def _protect(state: State, d: Decision) -> None:
    on = d.action == "protect"
    if parse_address(d.address).part == "slot":
        replace_slot(state, d.address, protected=on)
    else:
        state.cells[d.address] = replace(state.cell(d.address), protected=on)


def _tick(state: State, d: Decision) -> None:
    at, v = parse_address(d.address), d.value
    if at.part == "review":
        _mark(state, d)
        return
    case = BadCase(
        v["report"], v["paper"], v["title"], v["reason"], v.get("idea", ""), v.get("shared", "")
    )
    known = state.bad.get(at.branch, ())
    if case.paper not in {c.paper for c in known}:
        state.bad[at.branch] = (*known, case)


def _untick(state: State, d: Decision) -> None:
    at, v = parse_address(d.address), d.value
    if at.part == "review":
        key = (at.branch, v["version"], v["point"])
        if (
            state.points.pop(key, None) == "ticked"
        ):  # a person who takes a tick back does not want the point answered
            state.points[key] = "unticked"
    else:
        state.bad[at.branch] = tuple(
            c for c in state.bad.get(at.branch, ()) if c.paper != v["paper"]
        )


def _mark(state: State, d: Decision) -> None:
    mark = "ticked" if d.action == "tick" else "dismissed"
    branch, version, point = parse_address(d.address).branch, d.value["version"], d.value["point"]
    review = state.versions.get(version)
    if review is not None and all(p.n != point for p in points_of(state, branch, review)):
        return _void(
            state, d, f"the review has no point {point}"
        )  # one that was added, and taken back
    state.points[branch, version, point] = mark
    if mark == "dismissed":
        state.dismissals[branch, version, point] = d.reason
    return None


def _add(state: State, d: Decision) -> None:
    """A review point of the person's own, on one version of the review."""
    key = (parse_address(d.address).branch, int(d.value["version"]))
    state.own_points[key] = (*state.own_points.get(key, ()), {**d.value["point"], "own": True})


def _reopen(state: State, d: Decision) -> None:
    _unshelve(state, d.value["branch"], d.value["paper"])


def _settings(state: State, d: Decision) -> None:
    state.settings = {**state.settings, **d.value}


def _pick(state: State, d: Decision) -> None:
    state.pick = parse_address(d.address).branch or None


def _note(state: State, d: Decision) -> None:
    state.notes[d.address] = str(d.value.get("text", ""))


def _judge(state: State, d: Decision) -> None:
    key = (parse_address(d.address).branch, str(d.value["paper"]))
    state.judged.pop(key, None)
    if d.value.get("judgement"):
        state.judged[key] = str(d.value["judgement"])
    if "note" in d.value:
        state.judged_notes.pop(key, None)
        if d.value["note"]:
            state.judged_notes[key] = str(d.value["note"])


def _vote(state: State, d: Decision) -> None:
    key = (d.address, str(d.value["criterion"]))
    state.votes.pop(key, None)
    if d.value.get("winner") is not None:
        state.votes[key] = d.value["winner"]


def _attach(state: State, d: Decision) -> None:
    if state.slot(d.address).paper != d.value.get("paper"):
        return _void(state, d, "another paper is in the slot")
    held = {
        "pdf": str(d.value["pdf"]),
        "file": str(d.value["file"]),
        "chars": str(int(d.value.get("chars", 0))),
        "by": f"d{d.seq}",
    }
    state.attached = {**state.attached, str(d.value["paper"]): held}
    return None


def _park(state: State, d: Decision) -> None:
    branch = {parse_address(d.address).branch}
    state.parked = state.parked | branch if d.action == "park" else state.parked - branch


def _method(state: State, d: Decision) -> None:
    """Add a method to the session, or change the settings of one that was added."""
    name, value = str(parse_address(d.address).branch), d.value
    held = state.instances.get(name)
    if held is not None and held.method != value["method"]:
        return _void(state, d, f"{name} is an instance of {held.method}")
    branches = int(value.get("branches", held.branches if held else 0))
    added = Instance(
        str(value["method"]),
        branches,
        {**(held.settings if held else {}), **value.get("settings", {})},
        str(value.get("package", held.package if held else "")),
    )
    state.instances = {**state.instances, name: added}
    return None


def _fork(state: State, d: Decision, source: State | None = None) -> None:
    origin, new = parse_address(d.address).branch, d.value["branch"]
    begun = source if source is not None else state
    if begun.slot(slot(origin, int(d.value["at"]))).paper is None:
        return _void(state, d, "the slot to fork at is empty")
    if any(s.paper for s in state.places_of(new)):
        return _void(state, d, "that branch is there already")
    fork(state, d, begun)
    return None


def _nothing(state: State, d: Decision) -> None:
    """Undo and redo act through ``undone_groups``."""


_ACTIONS: dict[str, Callable[[State, Decision], None]] = {
    "settings": _settings,
    "edit": _edit,
    "adopt": _edit,
    "accept": _accept,
    "reject": _reject,
    "choose": _put,
    "pin": _put,
    "propose": _propose,
    "end": _end,
    "ask": _ask,
    "keep": _keep,
    "protect": _protect,
    "unprotect": _protect,
    "tick": _tick,
    "untick": _untick,
    "dismiss": _mark,
    "add": _add,
    "reopen": _reopen,
    "pick": _pick,
    "note": _note,
    "fork": _fork,
    "method": _method,
    "judge": _judge,
    "vote": _vote,
    "attach": _attach,
    "park": _park,
    "unpark": _park,
    "undo": _nothing,
    "redo": _nothing,
}
