"""Novelty report, matches and review as rows, with the researcher's own verdicts beside the model's."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.arena.matches import CRITERIA as CRITERIA
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import NoveltyReport
from coi_tui.model.state import State

JUDGEMENTS = ("same idea", "overlaps, differs", "unrelated")
"""What a researcher may say of a paper that a report compared (in the order in which ``c`` goes round)."""
FLIP = "TIE (order flips)"


@dataclass(frozen=True)
class Compared:
    """A paper of a novelty report. ``yours`` is the researcher's judgement, empty where there is none."""

    paper: str
    title: str
    year: int | None
    verdict: str
    overlap: str
    reason: str
    new: bool
    yours: str
    bad: bool
    found_by: tuple[str, ...] = ()


def compared(state: State, branch: Branch) -> list[Compared]:
    """The papers of the report in use, close matches first; none without a report."""
    report = state.read(f"{branch}/nov", NoveltyReport)
    if report is None:
        return []
    order = ("close match", "partial", "not close")
    bad = {case.paper for case in state.bad.get(branch, ())}
    out = []
    for row in report.papers:
        known = state.papers.get(row.paper)
        out.append(Compared(
            row.paper, known.title if known else row.paper, known.year if known else None, row.verdict, row.overlap, row.reason,
            row.new, state.judged.get((branch, row.paper), ""), row.paper in bad, tuple(row.found_by),
        ))  # fmt: skip
    return sorted(out, key=lambda c: order.index(c.verdict) if c.verdict in order else len(order))


@dataclass(frozen=True)
class Judged:
    """One criterion of a match: who won in each order (a branch, 0 for a tie), the result, and the researcher's vote (None: none)."""

    criterion: str
    straight: Branch
    swapped: Branch
    result: int
    vote: Branch | None

    @property
    def flips(self) -> bool:
        return self.straight != self.swapped


def criteria(state: State, address: str) -> list[Judged]:
    """The five criteria of a match as judged in both orders; without a result only the votes."""
    at, version = parse_address(address), state.in_use(address)
    votes = {name: state.votes.get((address, name)) for name in CRITERIA}
    if version is None:
        return [Judged(name, 0, 0, 0, votes[name]) for name in CRITERIA]
    c = version.content
    out = []
    for name in CRITERIA:
        straight, swapped = _winner(c["straight"].get(name), at.branch, at.other), _winner(c["swapped"].get(name), at.other, at.branch)
        out.append(Judged(name, straight, swapped, int(c["results"][name]), votes[name]))
    return out


def _winner(said: object, first: Branch, second: Branch) -> Branch:
    """A judge's word for a criterion as a branch: 0 the idea shown first, 1 the other, anything else a tie."""
    return {0: first, 1: second}.get(said, 0) if isinstance(said, int) else 0


def matches(state: State) -> list[str]:
    """Addresses of the matches that were judged."""
    return sorted(a for a in state.cells if a.startswith("A/") and state.in_use(a) is not None)
