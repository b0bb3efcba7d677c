"""Accepting many rows at once: what is undecided in a branch or in the session, and what of it is
left out unless it is ticked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import Branch, branch_of, cell_ref
from coi_tui.model.state import State
from coi_tui.model.text import count, listed
from coi_tui.session.wording import Row, RowKind, Status, Verdict

PAPER = "paper"
NAMED = 6
"""So many kinds of texts are named in the sentence; those beyond are counted together."""
PROTECTED = "protected by you"
_STALE = {
    Status.STALE: "stale: what it was made from has changed",
    Status.UPSTREAM: "a text that it rests on is stale",
}


@dataclass(frozen=True)
class Undecided:
    """A row that nobody decided on. ``what``: paper, or the kind of text; ``off``: why it is left
    out unless it is ticked, or empty."""

    address: str
    what: str
    title: str
    year: int | None = None
    off: str = ""

    @property
    def is_text(self) -> bool:
        return self.what != PAPER


def is_undecided(row: Row, branch: Branch) -> bool:
    """Whether a row is undecided in a branch, also one set aside; for branch 0, anywhere but in
    those."""
    there = branch_of(row.address) == branch if branch else not row.aside
    return there and row.verdict is Verdict.UNDECIDED


def undecided(
    state: State, methods: SessionMethods, rows: Iterable[Row], branch: Branch = 0
) -> list[Undecided]:
    """What is undecided in a branch, or for branch 0 in the whole session, from the top."""
    found = []
    for row in rows:
        if not is_undecided(row, branch):
            continue
        if row.kind is RowKind.SLOT:
            holder = state.holders.get(cell_ref(row.address).kind)
            off = holder.left_out(cell_ref(row.address)) if holder else ""
            off = PROTECTED if row.protected else off
            found.append(Undecided(row.address, PAPER, row.title, row.year, off))
        else:
            kind = methods.kind(row.address)
            what = kind.label or kind.title.lower()
            found.append(Undecided(row.address, what, _line(state, row), off=_text_left_out(row)))
    return found


def _line(state: State, row: Row) -> str:
    """What a text says; of one that belongs to a paper and has no line of its own, the paper's
    title."""
    if row.title != row.label:
        return row.title
    at = cell_ref(row.address)
    of = at.slot if at.form == "attached" else at
    paper = state.papers.get(state.held_papers().get(of, ""))
    return paper.title if paper else ""


def _text_left_out(row: Row) -> str:
    if row.protected:
        return PROTECTED
    if row.worksheet:
        return "a worksheet: nothing is written there yet"
    if row.draft:
        return "your draft there is not saved yet"
    if row.running:
        return "it is being made just now"
    return _STALE.get(row.status, "") if row.status else ""


def in_sentence(chosen: Sequence[Undecided], left: int) -> str:
    """How many of what will be accepted, in one sentence; ``left``: how many are left out."""
    counted = listed(_counted(chosen)) or "nothing"
    return f"Accepts {counted}{f'; {left} left out' if left else ''}."


def accepted(chosen: Sequence[Undecided]) -> str:
    """What was accepted, in words."""
    return listed([one.address for one in chosen] if len(chosen) <= NAMED else _counted(chosen))


def _counted(chosen: Iterable[Undecided]) -> list[str]:
    kinds = Counter(one.what for one in chosen)
    named = [
        count(number, what, what if what.endswith("s") else f"{what}s")
        for what, number in list(kinds.items())[:NAMED]
    ]
    rest = sum(list(kinds.values())[NAMED:])
    return [*named, *([count(rest, "other text")] if rest else [])]


def left_out(items: Iterable[Undecided]) -> str:
    """Which are left out and why, in one sentence; empty where none is."""
    reasons = defaultdict[str, list[str]](list)
    for one in items:
        if one.off:
            reasons[one.off].append(one.address)
    parts = (f"{listed(addresses)} ({why})" for why, addresses in reasons.items())
    return f"Left out: {'; '.join(parts)}." if reasons else ""
