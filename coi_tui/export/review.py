"""Review points and what became of each (COI-15; ux.md, check 33)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.export.escape import count, inline, sentence
from coi_tui.export.sheet import NOT_MADE, Sheet
from coi_tui.model import reviewing
from coi_tui.model.reviewing import Round


def rounds(sheet: Sheet, branch: int) -> list[Round]:
    """Refinements that led to the plan in use, oldest first, then the review in use when none of them answered it."""
    return reviewing.rounds(sheet.state, branch)


@dataclass(frozen=True)
class Fate:
    """What became of a point: ``answered``, ``dismissed`` or ``NOT ADDRESSED``, and words for it."""

    point: Mapping[str, Any]
    word: str
    said: str


def fates(sheet: Sheet, branch: int, one: Round) -> list[Fate]:
    return [_fate(sheet, branch, one, p) for p in reviewing.points_of(sheet.state, branch, one.review)]


def _fate(sheet: Sheet, branch: int, one: Round, point: Mapping[str, Any]) -> Fate:
    key = (branch, one.review.seq, int(point.get("n") or 0))
    became, change = reviewing.fate(sheet.state, branch, one, point), reviewing.claim(one, point)
    if became == "dismissed":
        reason = _reason(sheet, *key)
        return Fate(point, "dismissed", f"dismissed by the researcher{f': {reason}' if reason else ', no reason given'}")
    if became == "done":
        return Fate(point, "answered", change)
    if change:
        return Fate(point, "NOT ADDRESSED", f"a change is claimed ({change}), but the plan's text is the same as before there")
    left = "" if one.plan else "; the plan has not been refined since this review"
    return Fate(point, "NOT ADDRESSED", f"the plan answers nothing to it{left}")


def _reason(sheet: Sheet, branch: int, version: int, point: int) -> str:
    """The reason given with the newest dismissal of a point."""
    undone = sheet.subject.undone
    found = [d.reason for d in sheet.subject.decisions if d.action == "dismiss" and d.address == f"{branch}/review"
             and d.group not in undone and d.value.get("version") == version and d.value.get("point") == point]  # fmt: skip
    return found[-1] if found else ""


def open_points(sheet: Sheet, branch: int) -> list[str]:
    """Numbers of points with no answer, in the newest review."""
    all_rounds = rounds(sheet, branch)
    return [str(f.point.get("n")) for f in fates(sheet, branch, all_rounds[-1]) if f.word == "NOT ADDRESSED"] if all_rounds else []


def review_part(sheet: Sheet, branch: int, level: str) -> str:
    """Each review with its points and what became of them, and the reading that the refinement drew on."""
    out: list[str] = []
    for n, one in enumerate(rounds(sheet, branch), start=1):
        about = f"plan v{one.review.content['of']}" if one.review.content.get("of") else "the plan"
        answered = f"answered by plan v{one.plan.seq}" if one.plan else "not answered yet"
        out.append(f"{level} Round {n}: {count(len(one.review.content.get('points') or []), 'point')} on {about}, {answered}")
        found = fates(sheet, branch, one)
        out.append("\n".join(_line(f) for f in found) or "The review asked for no change.")
        if one.plan is not None:
            out += _support(sheet, one.plan.content.get("support") or {}, level)
    return "\n\n".join(out) or NOT_MADE


def _line(fate: Fate) -> str:
    part = f"On {inline(fate.point.get('part'))}: " if fate.point.get("part") else ""
    said = fate.said if fate.word != "dismissed" else fate.said.removeprefix("dismissed ")
    whose = " (added by the researcher)" if fate.point.get("own") else ""
    asked = f"- **Point {inline(fate.point.get('n'))}{whose}.** {part}{sentence(inline(fate.point.get('point')))}"
    return f"{asked}\n  - **{fate.word}**: {sentence(inline(said))}"


def _support(sheet: Sheet, support: Mapping[str, Any], level: str) -> list[str]:
    """What further reading supported the refinement."""
    query, rows = inline(support.get("query")), list(support.get("facts") or [])
    head = f"{level}# Further reading for this round"
    if not query and not rows:
        return [head, "None: the model asked for no search."]
    searched = f"Searched for “{query}”; {count(len(support.get('papers') or []), 'paper')} read."
    told = []
    for row in rows:
        facts = [f"  - {inline(fact)}" for fact in row.get("facts") or ()] or ["  - no fact was of use."]
        told.append("\n".join([f"- {sheet.book.titled(str(row.get('paper') or ''))}", *facts]))
    return [head, searched, *(["\n".join(told)] if told else [])]
