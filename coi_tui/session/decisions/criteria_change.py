"""The criteria of a session: which papers may be proposed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from coi_tui.engine.verb import Desk
from coi_tui.model.content import CandidateList
from coi_tui.model.criteria import ADDRESS, FIELD, REF, Criteria, left_out
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import UsageError, first_problem
from coi_tui.model.state import State
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.edits import edit_entries

_TO = r"\s*(?:-|–|to|\.\.)\s*"
_YEARS = re.compile(
    rf"(?P<only>\d{{4}})?|(?=.*\d)(?P<first>\d{{4}})?{_TO}(?P<last>\d{{4}})?", re.IGNORECASE
)
PARTS = {
    "year_from": "years",
    "year_to": "years",
    "without_venues": "venues",
    "without_words": "words",
}


def criteria_of(state: State) -> Criteria:
    """The criteria in use; none where none were set."""
    return Criteria.of(state.value(REF))


def years(text: str) -> tuple[int | None, int | None]:
    """``2018-2026``, ``2018-``, ``-2026`` or ``2018``; empty is no range. Raises UsageError for
    anything else."""
    found = _YEARS.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            f"{text.strip()[:30]!r} is not a range of years.", "Write 2018-2026, 2018- or -2026."
        )
    first, last = found["only"] or found["first"], found["only"] or found["last"]
    return int(first) if first else None, int(last) if last else None


def years_text(asked: Criteria) -> str:
    """The range of years as it is typed."""
    if asked.year_from is None and asked.year_to is None:
        return ""
    if asked.year_from == asked.year_to:
        return str(asked.year_from)
    return f"{asked.year_from or ''}-{asked.year_to or ''}"


def words(text: str) -> list[str]:
    """Words or phrases between commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def changed(current: Criteria | None, given: Mapping[str, Any]) -> Criteria:
    """The criteria with the given rules in the place of their own kind. ``years`` is a range in
    words; lists of words drop empty ones.

    Raises UsageError in a sentence for rules that no paper can meet.
    """
    rules = current.rules() if current is not None else {}
    for name, value in given.items():
        if name == "years":
            rules["year_from"], rules["year_to"] = years(value)
        elif isinstance(value, tuple | list):
            rules[name] = [word for word in value if word.strip()]
        else:
            rules[name] = value
    try:
        return Criteria.model_validate(rules)
    except ValidationError as error:
        where, what = first_problem(error)
        name = where.partition(".")[0]
        cause = f"{PARTS.get(name, name).replace('_', ' ')} {what}".strip()
        raise UsageError(f"The criteria cannot be used: {cause}.", "Change that rule.") from None


def criteria_entries(core: Desk, asked: Criteria) -> list[Decision | Version]:
    """What deciding the criteria writes: one undo. Lists of candidates made under others are stale;
    what a person took stays."""
    if asked == criteria_of(core.state):
        raise UsageError("The criteria are already set that way; nothing was changed.")
    return edit_entries(core, ADDRESS, {FIELD: asked.rules()})


def effect(core: SessionCore) -> str:
    """The criteria now, in a sentence."""
    rules = "; ".join(criteria_of(core.state).lines()) or "none, nothing is left out"
    return f"Criteria: {rules}."


def would_leave_out(state: State, asked: Criteria) -> tuple[int, int]:
    """Of the papers in the candidate lists in use, how many the criteria would leave out, and how
    many there are."""
    lists = (state.read(at, CandidateList) for at in state.cells if at.endswith(".cands"))
    papers = {row.paper for listed in lists if listed for row in listed.entries}
    known = [state.papers[p] for p in papers if p in state.papers]
    return sum(bool(left_out(p, asked)) for p in known), len(known)
