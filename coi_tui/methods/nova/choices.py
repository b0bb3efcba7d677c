"""What a person decides on the rows of Nova's tables by a key: which theories are used, which lines of a plan are searched, and which seeds
are worked out."""

from __future__ import annotations

from coi_tui.methods.nova.contents import ChoiceContent, PlanContent
from coi_tui.methods.nova.proposals import seed_of
from coi_tui.methods.nova.theories import THEORIES, ticked
from coi_tui.model.state import State
from coi_tui.model.views import RowChange, RowKey


def _turned(key: RowKey, off: bool) -> bool | None:
    """Whether a row is off after a key; None where the key changes nothing about it."""
    after = {"tick": not off, "accept": False, "reject": True}.get(key)
    return None if after is off else after


SEED_ROW = "seed"
"""How the key of a seed's row begins; that of a theory is its number."""


def choice_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """What a key does on a row of the choices."""
    change = seed_change if row.startswith(SEED_ROW) else theory_change
    return change(state, address, row, key)


def seed_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Work a seed out: as the first proposal of which nothing is written yet, else in place of the last one."""
    instance, item = address.partition("/")[0], row.removeprefix(SEED_ROW)
    branches = state.branches_of(instance)
    seeds = [seed_of(state, branch) or "-" for branch in branches]
    open_ = [n for n, branch in enumerate(branches) if branch not in state.parked]
    if key not in ("tick", "accept") or item in seeds or not open_:
        return None
    place = next((n for n in open_ if state.in_use(f"{branches[n]}/initial") is None), open_[-1])
    seeds[place] = item
    return RowChange(
        address,
        {"proposals": seeds},
        "work out",
        f"Seed {item} becomes the proposal {branches[place]}.",
    )


def theory_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Use a theory or leave it out; the last one cannot be left out."""
    held = state.read(address, ChoiceContent) or ChoiceContent()
    theory, used = (
        next((one for one in THEORIES if str(one.number) == row), None),
        ticked(held.theories),
    )
    off = _turned(key, theory not in used) if theory is not None else None
    if theory is None or off is None:
        return None
    after = {*used, theory} - ({theory} if off else set())
    left = [one for one in THEORIES if one in after]
    lines = [] if len(left) == len(THEORIES) else [one.line() for one in left]
    said = f"“{theory.name}” is {'left out' if off else 'used'}."
    return (
        RowChange(address, {"theories": lines}, "leave out" if off else "use", said)
        if left
        else None
    )


def line_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Switch a line of a search plan on or off."""
    plan = state.read(address, PlanContent)
    number = int(row) if row.isdecimal() else 0
    if plan is None or not 1 <= number <= len(plan.items):
        return None
    item = plan.items[number - 1]
    off = _turned(key, item not in plan.on())
    if off is None:
        return None
    lines = [
        said
        for said in plan.off
        if said.strip().casefold() not in (row, item.name.strip().casefold())
    ]
    name = item.name if [other.name for other in plan.items].count(item.name) == 1 else row
    said = f"“{item.name[:50]}” is {'off: it is not searched' if off else 'on again'}."
    return RowChange(
        address,
        {"off": [*lines, name] if off else lines},
        "switch off" if off else "switch on",
        said,
    )
