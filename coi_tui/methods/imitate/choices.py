"""What a person decides on the rows of the tables by a key: papers and passages in or out, the pair, the paradigm of a step, points taken
or rebutted, and revisions kept or rolled back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coi_tui.methods.imitate import contents
from coi_tui.methods.imitate.plan_steps import cell, step_of
from coi_tui.methods.imitate.settings import MOST_STEPS
from coi_tui.model.address import parse_address
from coi_tui.model.content import Named
from coi_tui.model.state import State
from coi_tui.model.views import RowChange, RowKey

REBUTTED_BY_YOU = "You rebutted it."


def _turned(key: RowKey, off: bool) -> bool | None:
    """Whether a row is off after a key; None where the key changes nothing about it."""
    after = {"tick": not off, "accept": False, "reject": True}.get(key)
    return None if after is off else after


def side_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Leave a paper of a side out, or take it in again; one stays."""
    side = state.read(address, contents.SideContent) or contents.SideContent()
    found = next((paper for paper in side.papers if paper.paper == row), None)
    off = _turned(key, row in side.off) if found is not None else None
    if found is None or off is None:
        return None
    left = _with(side.off, row, off)
    said = f"“{found.title[:60]}” is {'left out' if off else 'used again'}."
    change = RowChange(address, {"off": left}, "leave out" if off else "use", said)
    return change if len(left) < len(side.papers) else None


def _with(rows: Sequence[str], row: str, off: bool) -> list[str]:
    """What is off once a row is, or is not any more."""
    return [one for one in rows if one != row] + ([row] if off else [])


def pair_rows(state: State, address: str) -> list[contents.PairRow]:
    """Every pair of the instance, best first."""
    held = state.read(f"{parse_address(address).instance}/pairs", contents.PairsContent)
    return held.pairs if held is not None else []


def pair_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Imitate another pair."""
    rows, held = pair_rows(state, address), state.read(address, contents.PairContent)
    number = int(row) if row.isdecimal() else 0
    if held is None or key not in ("tick", "accept") or not 1 <= number <= len(rows):
        return None
    chosen = rows[number - 1]
    if (chosen.algorithm, chosen.application) == (held.algorithm, held.application):
        return None
    return RowChange(
        address, {**chosen.model_dump(), "chosen": True}, "imitate", f"Pair {number} is imitated."
    )


def part_names(state: State, address: str) -> list[str]:
    """What a step may say that it imitates: every part of both outlines."""
    branch, out = parse_address(address).branch, []
    for number, side in ((1, "algorithm"), (2, "application")):
        held = state.read(cell(branch, "outline", number), contents.OutlineContent)
        out += [f"{side} paper, {part.name}" for part in (held.parts if held is not None else [])]
    return out


SWITCHED = "The researcher lets it imitate another part."
"""Why a step is no longer as it was; the reason that the model gave was for the step before."""


def step_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Let a step imitate another part of a paradigm."""
    names, held = part_names(state, address), state.read(address, contents.StepContent)
    number = int(row) if row.isdecimal() else 0
    if held is None or key not in ("tick", "accept") or not 1 <= number <= len(names):
        return None
    step = step_of(held.step)
    if step.like == names[number - 1]:
        return None
    new = replace(step, like=names[number - 1])
    return RowChange(
        address,
        {"step": new.held(), "kept": False, "why": SWITCHED},
        "imitate",
        f"The step imitates {names[number - 1]}.",
    )


def passage_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Leave a passage out, or take it in again."""
    held = state.read(address, contents.PassagesContent)
    number = int(row) if row.isdecimal() else 0
    if held is None or not 1 <= number <= len(held.passages):
        return None
    off = _turned(key, row in held.off)
    if off is None:
        return None
    left = _with(held.off, row, off)
    said = f"Passage {row} is {'left out' if off else 'used again'}."
    return RowChange(address, {"off": left}, "leave out" if off else "use", said)


def answer_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Take a point that was rebutted, or rebut one that was taken."""
    held = state.read(address, contents.AnswersContent) or contents.AnswersContent()
    found = {one.name: one in held.rebutted for one in (*held.taken, *held.rebutted)}
    rebut = _turned(key, found[row]) if row in found else None
    if rebut is None:
        return None
    taken, rebutted = (
        [one.model_dump() for one in rows if one.name != row]
        for rows in (held.taken, held.rebutted)
    )
    where, what = (rebutted, REBUTTED_BY_YOU) if rebut else (taken, _point(state, address, row))
    where.append({"name": row, "description": what})
    content = {"taken": _in_order(taken), "rebutted": _in_order(rebutted)}
    return RowChange(
        address,
        content,
        "rebut" if rebut else "take",
        f"Point {row} is {'rebutted' if rebut else 'taken'}.",
    )


def _in_order(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return sorted(rows, key=lambda one: int(one["name"]) if one["name"].isdecimal() else 0)


def points(state: State, address: str) -> list[Named]:
    """The points of the review that the answers at an address are to."""
    at = parse_address(address)
    held = state.read(cell(at.branch, "referee", at.item), contents.RefereeContent)
    return held.points if held is not None else []


def _point(state: State, address: str, number: str) -> str:
    rows = points(state, address)
    return (
        rows[int(number) - 1].description
        if number.isdecimal() and 1 <= int(number) <= len(rows)
        else ""
    )


def gate_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Keep a revised section, or roll it back to what it was, whatever the ratings say."""
    held = state.read(address, contents.GateContent) or contents.GateContent()
    found = next((one for one in held.rows if str(one.section) == row and one.new != one.old), None)
    if found is None or not 1 <= found.section <= MOST_STEPS:
        return None
    back = _turned(key, not getattr(held, f"text{row}").strip())
    if back is None:
        return None
    said = f"Section {row} is {'rolled back to what it was' if back else 'the revised one'}."
    return RowChange(
        address, {f"text{row}": "" if back else found.new}, "roll back" if back else "keep", said
    )
