"""State is a pure fold of the log. Undo refolds without the undone group; nothing is ever written
back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from coi_tui.model.address import (
    ATTACHED,
    PAIR,
    Branch,
    parse_address,
    question_of,
    ref,
    slot,
    split_ref,
)
from coi_tui.model.entries import Decision, Version, is_other
from coi_tui.model.papers import Paper
from coi_tui.model.reviewing import points_of
from coi_tui.model.state import (
    BadCase,
    Instance,
    ShelfItem,
    ShelfKind,
    Side,
    SideEnd,
    Slot,
    SlotVerdict,
    State,
)

LATE = "made from older inputs"
BY_RULE = "made without a language model"
"""Why a worksheet is no more than an alternative to a text that a model or a person wrote."""


def fold(entries: Sequence[Decision | Version], papers: Mapping[str, Paper] | None = None) -> State:
    """The state after all entries, undone groups left out."""
    state, undone = State(), undone_groups(entries)
    state.papers = papers if papers is not None else {}
    given_up = {
        entry.value.get("version")
        for entry in entries
        if isinstance(entry, Decision) and entry.action == "refresh" and entry.group in undone
    }
    for entry in entries:
        if isinstance(entry, Version):
            back = {"alternative_because": "you took it back"} if entry.seq in given_up else {}
            _take(state, entry.model_copy(update=back) if back else entry)
        elif entry.group not in undone:
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
    return new


def _take(state: State, entry: Decision | Version) -> None:
    if isinstance(entry, Version):
        _add_version(state, entry)
    elif is_other(entry.actor):  # what others say changes nothing by itself
        if entry.action == "propose":
            state.offers = {**state.offers, entry.seq: entry}
    elif why := FOLDS[entry.action](state, entry):
        state.void = (*state.void, (entry.seq, why))
    state.forget()


# -- undo


def undone_groups(entries: Iterable[Decision | Version]) -> set[str]:
    """Groups that an undo, not itself taken back, has taken out."""
    undone: set[str] = set()
    for entry in entries:
        if isinstance(entry, Decision) and entry.action == "undo":
            undone.add(entry.undoes)
        elif isinstance(entry, Decision) and entry.action == "redo":
            undone.discard(entry.undoes)
    return undone


def undo_stacks(entries: Iterable[Decision | Version]) -> tuple[list[str], list[str]]:
    """Groups that can be undone (the next one last) and redone (the next one last).

    Only a person's decisions can be undone; what created the session cannot. A new decision empties
    the redo stack.
    """
    done: dict[str, None] = {}
    redo: list[str] = []
    for entry in entries:
        if isinstance(entry, Version) or entry.actor != "you" or entry.creation:
            continue
        if entry.action == "undo":
            done.pop(entry.undoes)
            redo.append(entry.undoes)
        elif entry.action == "redo":
            redo.remove(entry.undoes)
            done[entry.undoes] = None
        elif entry.group not in done:
            done[entry.group] = None
            redo.clear()
    return list(done), redo


# -- versions


def _add_version(state: State, version: Version) -> None:
    """Add a version. A machine's result is taken only if nothing moved meanwhile and no person's
    text is in use there."""
    cell = state.cell(version.address)
    beside, taken = dict(cell.beside), cell.taken
    if not version.by_person:
        if version.alternative_because:
            beside[version.seq] = version.alternative_because
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


# -- decisions: each changes the state, or says why it has no effect (any more)

Fold = Callable[[State, Decision], str | None]
MOVED = "the chain changed meanwhile"
OTHER_PAPER = "another paper is in the slot"
NO_VERSION = "that version is not there"


def _change(state: State, address: str, **changes: Any) -> None:
    """Set fields of a slot or of a cell."""
    if parse_address(address).part == "slot":
        state.put(address, replace(state.slot(address), **changes))
    else:
        state.cells[address] = replace(state.cell(address), **changes)


def _needs_hold(state: State, d: Decision) -> bool:
    needs: Mapping[str, str | None] = d.value.get("needs", {})
    return all(state.slot(address).paper == paper for address, paper in needs.items())


def _fill(
    state: State,
    d: Decision,
    address: str,
    paper: str | None = None,
    verdict: SlotVerdict = "empty",
    why: Mapping[str, Any] = {},
) -> None:
    """Put a paper into a slot, or empty it."""
    place = state.slot(address)
    state.put(address, Slot(place.branch, place.pos, paper, verdict, why, since=d.seq))


def _shelve(state: State, d: Decision, old: Slot, kind: ShelfKind, reason: str = "") -> None:
    assert old.paper is not None
    item = ShelfItem(
        old.paper, old.branch, old.pos, kind, reason or d.reason, old.verdict, old.why, d.seq
    )
    state.shelf = (*state.shelf, item)


def _unshelve(state: State, branch: Branch, paper: str) -> None:
    state.shelf = tuple(i for i in state.shelf if not (i.paper == paper and i.branch == branch))


def _detach(state: State, d: Decision) -> None:
    for address, paper in d.value.get("detach", {}).items():
        old = state.slot(address)
        if old.paper == paper and old.verdict != "pinned":
            _shelve(state, d, old, "detached", d.reason or f"the paper at {d.address} changed")
            _fill(state, d, address)


def _reattach(state: State, d: Decision) -> None:
    for address, was in d.value.get("reattach", {}).items():
        place, paper = state.slot(address), was["paper"]
        if place.paper is None and paper not in _papers_of(state, place.branch):
            _unshelve(state, place.branch, paper)
            verdict: SlotVerdict = was.get("verdict", "proposed")
            _fill(state, d, address, paper, verdict, was.get("why", {}))


def _papers_of(state: State, branch: Branch) -> set[str]:
    return {s.paper for s in state.places_of(branch) if s.paper}


def _propose(state: State, d: Decision) -> str | None:
    place, paper, why = state.slot(d.address), d.value["paper"], d.value.get("why", {})
    here = _papers_of(state, place.branch)
    if place.paper is not None or not _needs_hold(state, d):
        refused = "the slot was taken" if place.paper is not None else MOVED
        if paper not in here | {i.paper for i in state.shelf if i.branch == place.branch}:
            late = Slot(place.branch, place.pos, paper, "proposed", why)
            _shelve(state, d, late, "late", refused)  # what came too late is not lost
        return refused
    if paper in here or paper in state.rejected(place.branch):
        return "the paper is in the chain or was rejected"
    _unshelve(state, place.branch, paper)
    _fill(state, d, d.address, paper, "proposed", why)
    _detach(state, d)
    return None


def _put(state: State, d: Decision) -> str | None:
    place, paper = state.slot(d.address), d.value["paper"]
    if not _needs_hold(state, d):
        return MOVED
    if paper in _papers_of(state, place.branch) - {place.paper}:
        return "the paper is in the chain already"
    if place.paper is not None and place.paper != paper:
        _shelve(state, d, place, "replaced")
    _unshelve(state, place.branch, paper)
    verdict: SlotVerdict = "pinned" if d.action == "pin" else "accepted"
    _fill(state, d, d.address, paper, verdict, d.value.get("why", {}))
    _detach(state, d)
    _reattach(state, d)
    return None


def _end(state: State, d: Decision) -> str | None:
    if not _needs_hold(state, d):
        return MOVED
    v = d.value
    end = SideEnd(v["side"], v["tip_pos"], v["tip"], d.reason)
    state.ends[parse_address(d.address).branch, v["side"]] = end
    return None


def _accept(state: State, d: Decision) -> str | None:
    if parse_address(d.address).part == "slot":
        place = state.slot(d.address)
        if place.paper != d.value.get("paper"):
            return OTHER_PAPER
        if place.verdict == "proposed":
            _change(state, d.address, verdict="accepted")
        return None
    return _use(state, d, accepted=True)


def _use(state: State, d: Decision, **changes: Any) -> str | None:
    """Use a version of a text from now on, whatever its inputs do."""
    seq = d.value.get("version")
    if seq not in state.cell(d.address).versions:
        return NO_VERSION
    off = {"rejected": False, "silent": False}
    _change(state, d.address, lock=seq, chosen_by=d.seq, **off, **changes)
    return None


def _reject(state: State, d: Decision) -> str | None:
    part, value = parse_address(d.address).part, d.value
    if part == "shelf":  # never proposed: on the shelf of no branch, so that none may propose it
        never = Slot(0, 0, value["paper"], "proposed", {"everywhere": True})
        _shelve(state, d, never, "rejected")
        return None
    if part != "slot":
        if d.actor == "coi":  # it was worked out and did not hold; a person may pick it again
            _change(state, d.address, fell=d.reason)
        else:
            # what was rejected asks nothing; of many short texts it is only not chosen
            silent = not d.value.get("listed")
            off = {"accepted": False, "picked": False, "reason": d.reason, "silent": silent}
            _change(state, d.address, rejected=True, **off)
        return None
    place = state.slot(d.address)
    if place.paper is None or place.paper != value.get("paper"):
        return OTHER_PAPER
    why = {**place.why, "everywhere": bool(value.get("everywhere"))}
    _shelve(state, d, replace(place, why=why), "rejected")
    _fill(state, d, d.address)
    _detach(state, d)
    return None


def _ask(state: State, d: Decision) -> None:
    """What is to be rewritten stays in use until that is done, also where an older version was: as
    if it had been made last."""
    cell, wish, used = state.cell(d.address), str(d.value["wish"]), state.in_use(d.address)
    taken = cell.taken if used is None or used.by_person else (*cell.taken, used.seq)
    wishes = (*(earlier for earlier in cell.wishes if earlier != wish), wish)
    _change(state, d.address, wishes=wishes, asked_by=d.seq, taken=taken)


def _keep(state: State, d: Decision) -> None:
    _change(state, d.address, kept=dict(d.value.get("inputs", {})), kept_by=d.seq)


def _protect(state: State, d: Decision) -> None:
    _change(state, d.address, protected=d.action == "protect")


def _mark(state: State, d: Decision) -> str | None:
    """Tick, untick or dismiss a point of a review, or hold a paper against the idea."""
    at, v = parse_address(d.address), d.value
    if at.part != "review":
        known = state.bad.get(at.branch, ())
        if v["paper"] not in {c.paper for c in known}:
            state.bad[at.branch] = (*known, BadCase(**v))
        return None
    key = (at.branch, v["version"], v["point"])
    if d.action == "untick":  # a person who takes a tick back does not want the point answered
        if state.points.pop(key, None) != "dismissed":
            state.points[key] = "unticked"
        return None
    review = state.versions.get(v["version"])
    if review is not None and all(p.n != v["point"] for p in points_of(state, at.branch, review)):
        return f"the review has no point {v['point']}"  # one that was added, and taken back
    state.points[key] = "ticked" if d.action == "tick" else "dismissed"
    if d.action == "dismiss":
        state.dismissals[key] = d.reason
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
    """Of ideas one is picked; of short texts any, and a picked one is not replaced by a machine."""
    if "picked" not in d.value:
        state.pick = parse_address(d.address).branch or None
        return
    cell, picked = state.cell(d.address), bool(d.value["picked"])
    lock = cell.lock
    if lock is None or not state.versions[lock].by_person:
        lock = d.value.get("version") if picked else None
    off = {"rejected": False, "silent": False, "fell": ""}
    _change(state, d.address, picked=picked, lock=lock, **off)


def _note(state: State, d: Decision) -> None:
    state.notes[d.address] = str(d.value.get("text", ""))


def _set(values: dict[Any, Any], key: Any, value: Any) -> None:
    """Set a value; an empty one is taken away."""
    values.pop(key, None)
    if value not in (None, ""):
        values[key] = value


def _judge(state: State, d: Decision) -> None:
    key = (parse_address(d.address).branch, str(d.value["paper"]))
    _set(state.judged, key, d.value.get("judgement"))
    if "note" in d.value:
        _set(state.judged_notes, key, d.value["note"])


def _vote(state: State, d: Decision) -> None:
    by = d.value.get("against") or d.value["criterion"]
    _set(state.votes, (d.address, by), d.value.get("winner"))


def _attach(state: State, d: Decision) -> str | None:
    paper = str(d.value.get("paper"))
    if state.slot(d.address).paper != paper:
        return OTHER_PAPER
    pdf = {name: str(d.value[name]) for name in ("pdf", "file", "chars")}
    state.attached = {**state.attached, paper: {**pdf, "by": f"d{d.seq}"}}
    return None


def _park(state: State, d: Decision) -> None:
    branch = {parse_address(d.address).branch}
    state.parked = state.parked | branch if d.action == "park" else state.parked - branch


def _method(state: State, d: Decision) -> str | None:
    """Add a method to the session, or change the settings of one that was added."""
    name, value = str(parse_address(d.address).branch), d.value
    known = state.instances.get(name) or Instance(str(value["method"]))
    if known.method != value["method"]:
        return f"{name} is an instance of {known.method}"
    branches = int(value.get("branches", known.branches))
    settings = {**known.settings, **value.get("settings", {})}
    package = str(value.get("package", known.package))
    added = Instance(known.method, branches, settings, package)
    state.instances = {**state.instances, name: added}
    return None


def _fork(state: State, d: Decision) -> str | None:
    origin, new, at = parse_address(d.address).branch, int(d.value["branch"]), int(d.value["at"])
    if state.slot(slot(origin, at)).paper is None:
        return "the slot to fork at is empty"
    if any(s.paper for s in state.places_of(new)):
        return "that branch is there already"
    fork(state, origin, new, at)
    return None


def _nothing(state: State, d: Decision) -> None:
    """Undo, redo and what they take back of a refresh act through ``undone_groups``."""


FOLDS: Mapping[str, Fold] = {
    "settings": _settings,
    "edit": _use,
    "adopt": _use,
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
    "tick": _mark,
    "untick": _mark,
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
    "refresh": _nothing,
    "undo": _nothing,
    "redo": _nothing,
}
"""How each action of the log changes the state."""


T = TypeVar("T")

_ROOM = 64
"""Branches are numbered below 64. A fork's branch knows a version of its origin by a negative number
made of the version's and the branch's, so that it is never one of the log's."""


def logged_number(state: State, seq: int) -> int:
    """The log's number of a version, whether it is shared or not."""
    return state.shared.get(seq, seq)


def fork(state: State, origin: Branch, new: int, at: int) -> None:
    """Give a new branch what its origin holds from 0 to the place ``at``, and on the whole other
    side (at 0: the anchor alone), under its own addresses. What the versions mean is compared by
    content."""
    places = [s.pos for s in state.filled(origin)]
    places = [p for p in places if (p <= at if at > 0 else p >= at)] if at else [0]
    for pos in places:
        state.put(slot(new, pos), replace(state.slot(slot(origin, pos)), branch=new))
    for address in [address for address in state.cells if _is_shared(address, origin, places)]:
        _share_cell(state, address, origin, new)
    side: Side = "backward" if at > 0 else "forward"
    if at != 0 and (end := state.ends.get((origin, side))) is not None:
        state.ends[new, side] = end
    state.forks = {**state.forks, new: (origin, at)}


def _share_cell(state: State, address: str, origin: Branch, new: int) -> None:
    """Give a new branch a cell of its origin with all its versions."""
    cell, own = state.cell(address), _renamed(address, origin, new)
    number = {seq: -(abs(seq) * _ROOM + new) for seq in cell.versions}
    for seq, mine in number.items():
        version = state.versions[seq]
        state.shared[mine] = logged_number(state, seq)
        state.versions[mine] = version.model_copy(
            update={
                "seq": mine,
                "address": own,
                "inputs": _renamed_refs(version.inputs, origin, new),
                "sources": _renamed_refs(version.sources, origin, new),
            }
        )
    state.cells[own] = replace(
        cell,
        address=own,
        versions=tuple(number.values()),
        taken=tuple(number[seq] for seq in cell.taken),
        beside={number[seq]: why for seq, why in cell.beside.items()},
        lock=number[cell.lock] if cell.lock is not None else None,
        kept=_renamed_refs(cell.kept, origin, new) if cell.kept is not None else None,
    )


def _is_shared(address: str, origin: Branch, places: list[int]) -> bool:
    """True for the question, and for a text that belongs to shared places alone."""
    at = parse_address(address)
    inside = at.pos in places and (at.part in ATTACHED or (at.part == PAIR and at.other in places))
    return address == question_of(origin) or (at.branch == origin and inside)


def _renamed(address: str, origin: Branch, new: int) -> str:
    parsed = parse_address(address)
    if parsed.branch != origin or parsed.part == "match":
        return address
    return str(replace(parsed, branch=new))


def _renamed_refs(refs: Mapping[str, T], origin: Branch, new: int) -> dict[str, T]:
    parts = {name: split_ref(name) for name in refs}
    return {
        ref(_renamed(address, origin, new), field): refs[name]
        for name, (address, field) in parts.items()
    }
