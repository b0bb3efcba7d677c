"""What comes next in a session: what is undecided, failed, stale or empty, what of it comes first,
and how far a run could go; and what the list of sessions shows of one, which is stored beside the
log so that the list need not fold anything.

One value for the list of sessions, the workbench and the command line. It names actions by the ids
of the workbench's keys; who shows it says the key or the command (``session/wording.py``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from coi_tui.engine.declarations import Scope, stage_to_run
from coi_tui.methods.ideas.stages import planned
from coi_tui.model.address import CANDIDATES, VERDICTS
from coi_tui.session.core import SessionCore
from coi_tui.session.queries.rows import Marks, tree_rows
from coi_tui.session.wording import Row, RowKind
from coi_tui.store.summary import NextStep, PendingCounts, SessionSummary


@dataclass(frozen=True)
class ReachableStage:
    """How far a run could go: the stage, and its method where that is not the first. Empty where no
    run would find anything to do."""

    stage: str = ""
    method: str = ""


@dataclass(frozen=True)
class NextSteps:
    """What comes next, from whichever row a person is on.

    ``searched``: empty places for which candidates are listed. ``unlisted``: failed cells without a
    row. ``ideas``: the addresses of the ideas; ``unpicked``: none of them leads, and no plan was
    made from one.
    """

    rows: Sequence[Row] = ()
    goal: ReachableStage = ReachableStage()
    running: bool = False
    searched: Collection[str] = ()
    unlisted: int = 0
    ideas: Sequence[str] = ()
    unpicked: bool = False

    @cached_property
    def needs(self) -> PendingCounts:
        """How many rows carry the sign of each need; those of branches set aside are left out."""
        return PendingCounts(
            undecided=sum(row.asks for row in self.rows),
            stale=sum(row.stale_here for row in self.rows),
            failed=sum(row.open_failure for row in self.rows) + self.unlisted,
            empty=sum(row.empty_here for row in self.rows),
        )

    def step(self, at: str = "") -> NextStep:
        """The first row from ``at`` on, round and round, that needs the person; else what goes on
        with the session."""
        places = {row.address: place for place, row in enumerate(self.rows)}
        start = places.get(at, 0)
        rows = (*self.rows[start:], *self.rows[:start])
        row = next((row for row in rows if row.needs_you), None)
        action, address = (self._at_row(row), row.address) if row else self._of_session()
        return NextStep(self.needs, action, address, self.goal.stage, self.goal.method)

    def _at_row(self, row: Row) -> str:
        """What mends or decides a row that needs the person."""
        if row.open_failure:
            return "enter"
        if row.lacks_anchor:
            if row.address in self.searched:
                return "candidates"
            return "generate" if self.goal.stage else "pin"
        if row.choice_waits:
            return "diff"
        if row.stale_here:
            return "refresh_all"
        return "accept_all" if row.kind is RowKind.SLOT else "accept"

    def _of_session(self) -> tuple[str, str]:
        """What goes on where no row needs anybody, and the address that it is about."""
        if self.running:
            return "stop", ""
        if self.goal.stage:
            return "generate", ""
        if self.unpicked:
            return "pick", self.ideas[0]
        if self.ideas:
            return "export", ""
        empty = (r.address for r in self.rows if r.kind is RowKind.SLOT and not r.made | r.aside)
        return ("pin", found) if (found := next(empty, "")) else ("edit", "topic")


# -- of an open session


def marks_of(core: SessionCore) -> Marks:
    """What is shown of rows and is not in the state."""
    checks = {address: failure.cause for address, failure in core.failed_checks.items()}
    return Marks(core.still_failed, core.running, core.drafting, checks)


def session_rows(core: SessionCore) -> list[Row]:
    """The tree of a session, top to bottom."""
    return tree_rows(core.state, core.methods, core.fresh, marks_of(core))


def next_steps(core: SessionCore, rows: Sequence[Row], goal: ReachableStage) -> NextSteps:
    """What comes next among these rows of a session, where it is known how far a run could go
    (``find_goal``)."""
    state = core.state
    ideas = state.ideas()
    return NextSteps(
        rows,
        goal,
        core.scheduler is not None,
        {
            row.address
            for row in rows
            if row.lacks_anchor and state.in_use(f"{row.address}.{CANDIDATES}") is not None
        },
        _without_row(core.still_failed, rows),
        [f"{branch}/idea" for branch in ideas],
        unpicked=len(ideas) > 1 and not planned(state) and state.pick is None,
    )


def _without_row(cells: Collection[str], rows: Sequence[Row]) -> int:
    """How many of these cells neither have a row nor belong to a slot that has one."""
    if not cells:
        return 0
    shown = {
        cell
        for row in rows
        for cell in (row.address, f"{row.address}.{CANDIDATES}", f"{row.address}.{VERDICTS}")
    }
    return len(set(cells) - shown)


def find_goal(core: SessionCore) -> Callable[[], ReachableStage]:
    """What finds how far a run could go from the session as it is now; it may be called in a
    thread while the session moves on."""
    if core.scheduler is not None:
        return ReachableStage
    state, fresh, methods = core.state, core.fresh, core.methods
    instances = list(methods.instances.items())

    def find() -> ReachableStage:
        for number, (name, method) in enumerate(instances):
            stages = list(method.stages)
            stage = stage_to_run(methods, state, fresh, stages, Scope(instance=name))
            if stage:
                return ReachableStage(stage, method.name if number else "")
        return ReachableStage()

    return find


MOST = 3


def save_summary(core: SessionCore) -> None:
    """Store it with the session."""
    core.file.set_meta("summary", json.dumps(asdict(summary(core))))


def summary(core: SessionCore) -> SessionSummary:
    """Counts and short phrases."""
    state, spent = core.state, core.spent()
    stale = [a for a, f in core.fresh.items() if f.status == "stale"]
    return SessionSummary(
        next_of(core),
        step=stage_reached(core),
        method=next((m.short for m in core.methods.instances.values()), ""),
        at=_place(core),
        pick=f"{state.pick}/idea" if state.pick else "",
        branches=len(state.branches),
        papers=sum(bool(s.paper) for s in state.slots.values()),
        ideas=sum(state.in_use(f"{b}/idea") is not None for b in state.branches),
        calls=spent.calls,
        known_usd=round(spent.money.usd, 6),
        calls_without_price=spent.money.unpriced,
        stale=tuple(stale[:MOST]),
        drafts=tuple(sorted(core.drafting)[:MOST]),
    )


def next_of(core: SessionCore, at: str | None = None) -> NextStep:
    """What comes next from the row ``at`` on; from the one where the person is, where none is
    named."""
    rows = session_rows(core)
    return next_steps(core, rows, find_goal(core)()).step(_place(core) if at is None else at)


def _place(core: SessionCore) -> str:
    """The row where the person was last."""
    place = core.remembered("place", {})
    return str(place.get("at", "")) if isinstance(place, dict) else ""


def stage_reached(core: SessionCore) -> str:
    """The last stage of which something exists, of the method that the session began with, else of
    the first that has come anywhere."""
    reached = (method.reached(core.state) for method in core.methods.instances.values())
    return next(filter(None, reached), "topic")
