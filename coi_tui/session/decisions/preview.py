"""What a choice or a saved text would change, told before it is made: a trial fold, nothing is
written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from coi_tui.engine.freshness import MISSING
from coi_tui.engine.scheduler import Goal
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.money import FREE, Range, in_words
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.consequences import NO_CHANGE, OLD, Consequences, impact, impact_of
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.decisions.placement import knowing, placement
from coi_tui.session.papers.known_links import KnownLinks, Links
from coi_tui.session.runs.plans import Plan, refresh_line, stale_addresses


@dataclass(frozen=True)
class Preview:
    """What putting a paper into a slot would change. ``problem`` is set when it may not stand
    there; then nothing else is.

    ``calls`` and ``usd``: what bringing all up to date again would take.
    """

    address: str
    paper: Paper
    problem: str = ""
    hint: str = ""
    here: bool = False
    drops_pin: bool = False
    link: str = ""
    replaced: str | None = None
    changes: Consequences = NO_CHANGE
    calls: tuple[int, int] = (0, 0)
    usd: Range | None = FREE


@dataclass(frozen=True)
class Effect:
    """Rows that are up to date and would not be. ``problem`` says why the text cannot be saved as
    it is; then there are none."""

    stale: tuple[str, ...] = ()
    problem: str = ""


class Previews:
    """What would change, for choices and texts of a session."""

    def __init__(self, core: SessionCore, links: KnownLinks, edits: Edits) -> None:
        self._core, self._links, self._edits = core, links, edits

    def place(self, address: str, paper: Paper) -> Preview:
        """What choosing or pinning a paper for a slot would do; nothing is written."""
        known, links = self._with(paper)
        placed = placement(known, address, paper, links.get)
        if placed.problem:
            return Preview(address, paper, placed.problem, placed.hint)
        choice = Decision(actor="you", action="choose", address=address, value=placed.value)
        trial = self._core.rehearsal()
        try:
            trial.write([choice], [paper])
        except UsageError as error:
            return Preview(address, paper, str(error))
        changes, now, why = (
            impact_of(self._core, trial, address),
            known.slot(address),
            placed.value["why"],
        )
        here = now.paper == paper.id
        link = f"{why['link']} ({why['evidence']})" if why["evidence"] else why["link"]
        refresh = _refresh(trial, changes.stale)
        return Preview(
            address,
            paper,
            here=here,
            drops_pin=now.verdict == "pinned" and not here,
            link=link if parse_address(address).pos else "",
            replaced=now.paper,
            changes=changes,
            calls=refresh.calls,
            usd=refresh.usd,
        )

    def _with(self, paper: Paper) -> tuple[State, Links]:
        """The state that knows the paper, and the links known in it."""
        state = self._core.state
        known = knowing(state, paper)
        return known, self._links.of(known, "" if paper.id in state.papers else paper.id)

    def save(self, address: str, text: str, *, wording_only: bool = False) -> Effect:
        """The effect of saving ``text`` at ``address`` now."""
        try:
            entries = self._edits.entries(address, text, wording_only=wording_only)
        except UsageError as error:
            return Effect(problem=str(error))
        changes = impact(self._core, address, lambda trial: trial.write(entries))
        return Effect(tuple(a for a in changes.stale if a != address))


def _refresh(trial: SessionCore, stale: Collection[str]) -> Plan:
    """What bringing a rehearsed session up to date would take: the texts that became stale, and
    those that are then missing."""
    wanted = [
        a
        for a in stale_addresses(trial)
        if a in stale or trial.fresh.get(a, MISSING).status not in OLD
    ]
    lines = [refresh_line(trial, a, wanted) for a in wanted]
    return Plan("", Goal("refresh"), tuple(lines), "", "", ())


def words(p: Preview, state: State, verb: str = "USE") -> list[tuple[str, str]]:
    """The preview as titled parts of plain text."""
    if p.problem:
        return [("CANNOT BE USED HERE", f"{p.problem} {p.hint}".strip())]
    if p.here:
        return [(f"IF YOU {verb} THIS", "It is already here.")]
    return [(f"IF YOU {verb} THIS", "\n".join(_lines(p, state)))]


def _lines(p: Preview, state: State) -> Iterator[str]:
    if p.replaced:
        known = state.papers.get(p.replaced)
        which = "the paper that you pinned" if p.drops_pin else "the paper there"
        yield f"replaces {which}: {known.title if known else p.replaced}"
    if p.link:
        yield f"link to its neighbour: {p.link}"
    yield p.changes.sentence()
    if p.changes.stale:
        low, high = p.calls
        calls = f"{low}-{high} calls" if low != high else count(high, "call")
        yield f"to bring it all up to date later: {calls}, {in_words(p.usd)}; nothing runs now"
