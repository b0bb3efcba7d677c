"""What comes next in a session: what is undecided, failed, stale or empty, what of it comes first,
and how far a run could go.

One value for the list of sessions, the workbench and the command line. It names actions by the ids
of the workbench's keys; who shows it says the key or the command (``session/wording.py``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace

from coi_tui.engine.declarations import Scope, stage_to_run
from coi_tui.methods.ideas.stages import planned
from coi_tui.model.address import CANDIDATES, VERDICTS
from coi_tui.session.core import SessionCore
from coi_tui.session.queries.rows import Marks
from coi_tui.session.wording import Row, RowKind
from coi_tui.store.summary import NextStep, PendingCounts


@dataclass(frozen=True)
class NextSteps:
    """How far a run could go: the stage, and its method where that is not the first. Empty where no
    run would find anything to do."""

    stage: str = ""
    method: str = ""


@dataclass(frozen=True)
class Standing:
    """What the rows of a session do not say by themselves.

    ``onward``: how far a run could go. ``searched``: empty places for which candidates are listed.
    ``unlisted``: failed cells without a row. ``ideas``: the addresses of the ideas; ``unpicked``:
    none of them leads, and no plan was made from one.
    """

    onward: NextSteps = NextSteps()
    running: bool = False
    searched: Collection[str] = ()
    unlisted: int = 0
    ideas: Sequence[str] = ()
    unpicked: bool = False


class Outlook:
    """What comes next among the rows of a session. It goes through them once, and is asked from one
    row after the other."""

    def __init__(self, rows: Sequence[Row], standing: Standing) -> None:
        self.rows, self.standing = rows, standing
        self.needs = _needs_of(rows, standing)
        self._places = {row.address: place for place, row in enumerate(rows)}
        self._needing = [place for place, row in enumerate(rows) if row.needs_you]

    def step(self, at: str = "") -> NextStep:
        """The first row from ``at`` on, round and round, that needs the person; else what goes on
        with the session."""
        standing = self.standing
        if self._needing:
            after = bisect_left(self._needing, self._places.get(at, 0))
            row = self.rows[self._needing[after % len(self._needing)]]
            action, address = _at_row(row, standing), row.address
        else:
            action, address = _of_session(self.rows, standing)
        return NextStep(self.needs, action, address, standing.onward.stage, standing.onward.method)

    def reaching(self, onward: NextSteps) -> Outlook:
        """The same where a run could go so far."""
        return Outlook(self.rows, replace(self.standing, onward=onward))


def _needs_of(rows: Sequence[Row], standing: Standing) -> PendingCounts:
    """How many rows carry the sign of each need; those of branches set aside are left out."""
    return PendingCounts(
        undecided=sum(row.asks for row in rows),
        stale=sum(row.stale_here for row in rows),
        failed=sum(row.open_failure for row in rows) + standing.unlisted,
        empty=sum(row.empty_here for row in rows),
    )


def _at_row(row: Row, standing: Standing) -> str:
    """What mends or decides a row that needs the person."""
    if row.open_failure:
        return "enter"
    if row.lacks_anchor:
        return (
            "candidates"
            if row.address in standing.searched
            else "generate"
            if standing.onward.stage
            else "pin"
        )
    if row.choice_waits:
        return "diff"
    if row.stale_here:
        return "refresh_all"
    return "accept_all" if row.kind is RowKind.SLOT else "accept"


def _of_session(rows: Sequence[Row], standing: Standing) -> tuple[str, str]:
    """What goes on where no row needs anybody, and the address that it is about."""
    if standing.running:
        return "stop", ""
    if standing.onward.stage:
        return "generate", ""
    if standing.unpicked:
        return "pick", standing.ideas[0]
    if standing.ideas:
        return "export", ""
    places = (
        row.address for row in rows if row.kind is RowKind.SLOT and not row.made and not row.aside
    )
    return ("pin", found) if (found := next(places, "")) else ("edit", "topic")


# -- of an open session


def session_rows(core: SessionCore) -> list[Row]:
    """The tree of a session, top to bottom."""
    checks = {address: failure.cause for address, failure in core.failed_checks.items()}
    return core.tree.of(
        core.state, core.methods, Marks(core.still_failed, core.running, core.drafting, checks)
    )


def standing_of(core: SessionCore, rows: Sequence[Row], onward: NextSteps) -> Standing:
    """What else there is to know of a session with these rows; quickly found but for how far a run
    could go (``far``)."""
    state = core.state
    ideas = state.ideas()
    return Standing(
        onward,
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


def far(core: SessionCore) -> Callable[[], NextSteps]:
    """What finds how far a run could go from the session as it stands now; it may be called in a
    thread while the session moves on."""
    if core.scheduler is not None:
        return NextSteps
    state, fresh, methods = core.state, core.fresh, core.methods
    instances = list(methods.instances.items())

    def find() -> NextSteps:
        for number, (name, method) in enumerate(instances):
            stages = list(method.stages)
            stage = stage_to_run(methods, state, fresh, stages, Scope(instance=name))
            if stage:
                return NextSteps(stage, method.name if number else "")
        return NextSteps()

    return find


def for_programs(step: NextStep) -> dict[str, str | int]:
    """All of it, the counts first."""
    words = asdict(step)
    return {**words.pop("needs"), **words}
