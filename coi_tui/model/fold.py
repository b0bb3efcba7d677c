"""State is a pure fold of the log. Undo refolds without the undone group; nothing is ever written
back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coi_tui.model.address import cell_ref
from coi_tui.model.entries import Decision, Version, is_other
from coi_tui.model.papers import Paper
from coi_tui.model.reviewing import points_of
from coi_tui.model.state import Component, Instance, State

LATE = "made from older inputs"
BY_RULE = "made without a language model"
"""Why a worksheet is no more than an alternative to a text that a model or a person wrote."""


def fold(
    entries: Sequence[Decision | Version],
    papers: Mapping[str, Paper] | None = None,
    components: Iterable[type[Component]] = (),
) -> State:
    """The state after all entries, undone groups left out. ``components``: those whose actions the
    log may have."""
    state, undone = State(components), undone_groups(entries)
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
    elif why := _decide(state, entry):
        state.void = (*state.void, (entry.seq, why))
    state.forget()


def _decide(state: State, d: Decision) -> str | None:
    """The fold of the component that holds what the decision is about, of the kernel, or of the
    only component that knows the action."""
    holder = state.holders.get(cell_ref(d.address).kind)
    if holder is not None and d.action in holder.folds:
        return holder.folds[d.action](holder, d)
    if d.action in FOLDS:
        return FOLDS[d.action](state, d)
    for component in state.components.values():
        if d.action in component.folds:
            return component.folds[d.action](component, d)
    return f"no method here knows the action {d.action}"


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
NO_VERSION = "that version is not there"


def _change(state: State, address: str, **changes: Any) -> None:
    """Set fields of a cell."""
    state.cells[address] = replace(state.cell(address), **changes)


def _accept(state: State, d: Decision) -> str | None:
    return _use(state, d, accepted=True)


def _use(state: State, d: Decision, **changes: Any) -> str | None:
    """Use a version of a text from now on, whatever its inputs do."""
    seq = d.value.get("version")
    if seq not in state.cell(d.address).versions:
        return NO_VERSION
    off = {"rejected": False, "silent": False}
    _change(state, d.address, lock=seq, chosen_by=d.seq, **off, **changes)
    return None


def _reject(state: State, d: Decision) -> None:
    if d.actor == "coi":  # it was worked out and did not hold; a person may pick it again
        _change(state, d.address, fell=d.reason)
        return
    # what was rejected asks nothing; of many short texts it is only not chosen
    silent = not d.value.get("listed")
    off = {"accepted": False, "picked": False, "reason": d.reason, "silent": silent}
    _change(state, d.address, rejected=True, **off)


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
    """Tick, untick or dismiss a point of a review."""
    at, v = cell_ref(d.address), d.value
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
    key = (cell_ref(d.address).branch, int(d.value["version"]))
    state.own_points[key] = (*state.own_points.get(key, ()), {**d.value["point"], "own": True})


def _settings(state: State, d: Decision) -> None:
    state.settings = {**state.settings, **d.value}


def _pick(state: State, d: Decision) -> None:
    """Of ideas one is picked; of short texts any, and a picked one is not replaced by a machine."""
    if "picked" not in d.value:
        state.pick = cell_ref(d.address).branch or None
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
    key = (cell_ref(d.address).branch, str(d.value["paper"]))
    _set(state.judged, key, d.value.get("judgement"))
    if "note" in d.value:
        _set(state.judged_notes, key, d.value["note"])


def _vote(state: State, d: Decision) -> None:
    by = d.value.get("against") or d.value["criterion"]
    _set(state.votes, (d.address, by), d.value.get("winner"))


def _park(state: State, d: Decision) -> None:
    branch = {cell_ref(d.address).branch}
    state.parked = state.parked | branch if d.action == "park" else state.parked - branch


def _method(state: State, d: Decision) -> str | None:
    """Add a method to the session, or change the settings of one that was added."""
    name, value = str(cell_ref(d.address).branch), d.value
    known = state.instances.get(name) or Instance(str(value["method"]))
    if known.method != value["method"]:
        return f"{name} is an instance of {known.method}"
    branches = int(value.get("branches", known.branches))
    settings = {**known.settings, **value.get("settings", {})}
    package = str(value.get("package", known.package))
    added = Instance(known.method, branches, settings, package)
    state.instances = {**state.instances, name: added}
    return None


def _nothing(state: State, d: Decision) -> None:
    """Undo, redo and what they take back of a refresh act through ``undone_groups``."""


FOLDS: Mapping[str, Fold] = {
    "settings": _settings,
    "edit": _use,
    "adopt": _use,
    "accept": _accept,
    "reject": _reject,
    "ask": _ask,
    "keep": _keep,
    "protect": _protect,
    "unprotect": _protect,
    "tick": _mark,
    "untick": _mark,
    "dismiss": _mark,
    "add": _add,
    "pick": _pick,
    "note": _note,
    "method": _method,
    "judge": _judge,
    "vote": _vote,
    "park": _park,
    "unpark": _park,
    "refresh": _nothing,
    "undo": _nothing,
    "redo": _nothing,
}
"""How each action of the kernel changes the state; those of components are theirs."""


def logged_number(state: State, seq: int) -> int:
    """The log's number of a version, whether it is shared or not."""
    return state.shared.get(seq, seq)
