"""The tree of a session as typed rows; and what comes next: what is undecided, failed, stale or empty,
what of it comes first, and how far a run could go. What the list of sessions shows of one is stored
beside the log, so that the list need not fold anything.

Screens, ``coi show`` and tests read the same. Actions are named by the ids of the workbench's keys;
who shows them says the key or the command (``session/wording.py``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from weakref import WeakKeyDictionary

from coi_tui.engine.declarations import CellKind, OutlineRow, Scope, stage_to_run
from coi_tui.engine.freshness import MISSING, Freshness
from coi_tui.literature.citations import with_short_marks
from coi_tui.methods.ideas.sketches import wall_of, wall_waits
from coi_tui.methods.ideas.stages import planned
from coi_tui.methods.news import news_of
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import (
    NEWS,
    READING,
    Branch,
    CellRef,
    attached_to,
    cell_at,
    cell_ref,
    in_order,
    question_of,
)
from coi_tui.model.content import CandidateList
from coi_tui.model.state import Held, State
from coi_tui.present.comparisons import arena_leader, hidden_matches, pairs
from coi_tui.services.llm.offline import is_worksheet
from coi_tui.session.core import SessionCore
from coi_tui.session.wording import Row, RowKind, RowOrigin, Status, Verdict, origin_of
from coi_tui.store.summary import NextStep, PendingCounts, SessionSummary

PROPOSED_BY = {"drafter": RowOrigin.PROPOSED_BY_RULE, "recorded": RowOrigin.RECORDED}


@dataclass(frozen=True)
class Marks:
    """What is to be shown of rows beside the state. ``failed``: cells that a job could not make,
    with the cause; ``running``: those that are made just now; ``drafts``: those with a text that is
    being written; ``checks``: novelty reports of which a later check failed, with the cause;
    ``asks_model``: whether texts come from a language model."""

    failed: Mapping[str, str] = field(default_factory=dict)
    running: frozenset[str] = frozenset()
    drafts: Collection[str] = ()
    checks: Mapping[str, str] = field(default_factory=dict)
    asks_model: bool = True


def tree_rows(
    state: State, methods: SessionMethods, fresh: Mapping[str, Freshness], marks: Marks
) -> list[Row]:
    """Every row of a session, top to bottom."""
    listed = list(_Rows(state, methods, fresh, marks).all())
    wanted = needing_decision(listed, picked=state.pick is not None)
    open_in = Counter(str(cell_ref(address).branch) for address in wanted)
    return [
        replace(row, undecided=open_in[row.address], needs_decision=row.address in wanted)
        if row.kind is RowKind.BRANCH or row.address in wanted
        else row
        for row in listed
    ]


def needing_decision(rows: Iterable[Row], *, picked: bool = False) -> set[str]:
    """The rows that ask for a decision: one for each branch with a chain, one for each other
    method, none where it is set aside.

    It is the furthest thing that a person decides: the first idea while none is accepted, before
    that the last text of the branch, before that the first undecided paper of its list. All other
    rows can be decided and need not be. Where the person has ``picked`` an idea no other one asks:
    to accept it would take back that choice.
    """
    rows = list(rows)
    if wall := [
        r.address for r in rows if r.kind is RowKind.ARENA and r.verdict is not Verdict.NONE
    ]:
        return {*wall}  # which sketches are worked out comes first
    lines: dict[Branch, list[tuple[CellRef, Row]]] = {}
    for row in rows:
        at = cell_ref(row.address)
        decidable = not row.aside and row.verdict is not Verdict.NONE
        if at.branch and decidable and at.form not in ("match", "attached", "pair"):
            lines.setdefault(at.instance or at.branch, []).append((at, row))
    waiting = (_to_decide(line, picked) for line in lines.values())
    return {row.address for row in waiting if row is not None}


def _to_decide(line: Sequence[tuple[CellRef, Row]], picked: bool) -> Row | None:
    """The row that a branch, or another method, waits for: its first undecided one of the furthest
    kind, where nothing of that kind is accepted."""
    ideas = [row for at, row in line if at.kind == "idea"]
    texts = [row for _, row in line if row.kind is RowKind.TEXT]
    furthest = [] if ideas and picked else ideas or texts[-1:] or [row for _, row in line]
    if texts and any(row.verdict is Verdict.ACCEPTED for row in furthest):
        return None
    return next((row for row in furthest if row.verdict is Verdict.UNDECIDED), None)


class _Rows:
    """Fills in the rows that the methods declare: what is in use there, how it stands to its
    inputs, what was decided."""

    def __init__(
        self,
        state: State,
        methods: SessionMethods,
        fresh: Mapping[str, Freshness],
        marks: Marks,
    ) -> None:
        self.state, self.methods, self.fresh, self.marks = state, methods, fresh, marks
        self.several = len(methods.instances) > 1

    def all(self) -> Iterator[Row]:
        yield self._text(OutlineRow("topic", 0, "topic", str(self.state.value("topic#text") or "")))
        listed = self._text(OutlineRow(READING, 0, READING, "reading list"))
        news = self._text(OutlineRow(NEWS, 0, NEWS))
        for own in (listed, replace(news, title=news_of(self.state).line)):
            if own.made or own.running or own.failed:
                yield own
        for line in self.methods.outline(self.state, self.marks.failed):
            row = self._declared(line)
            if row is not None:
                yield row
        yield self._arena()
        for address in sorted((a for a in self.fresh if cell_ref(a).form == "match"), key=in_order):
            at = cell_ref(address)
            yield self._text(
                OutlineRow(
                    address,
                    1,
                    f"{at.branch}-{at.rival}",
                    f"match {at.branch}/idea against {at.rival}/idea",
                )
            )
        aside = sum(len(one.aside()) for one in self.state.components.values())
        yield Row("X", 0, RowKind.SHELF, "X", "rejected papers", count=aside)

    def _declared(self, line: OutlineRow) -> Row | None:
        """A row of a method; None for an optional cell of which nothing was made."""
        if line.heading:
            return Row(
                line.address, line.depth, RowKind.BRANCH, line.label, line.title, parked=line.parked
            )
        at = cell_ref(line.address)
        if (held := self.state.held(at)) is not None:
            return self._held(at, held)
        row, kind = self._text(line), self.methods.kind(line.address)
        if kind.view == "wall":
            verdict = Verdict.UNDECIDED if wall_waits(self.state) else Verdict.NONE
            return replace(
                row, kind=RowKind.ARENA, status=None, verdict=verdict, made=True, awaited=False
            )
        if kind.role == "sketch" and wall_of(self.state):
            return row if row.choice_waits or row.failed else None  # the others are on the wall
        there = row.made and line.address in self.fresh
        return row if there or row.running or row.failed or not kind.optional else None

    def _held(self, at: CellRef, held: Held) -> Row:
        paper = self.state.papers.get(held.paper or "")
        chosen = PROPOSED_BY.get(held.proposed_by, RowOrigin.PROPOSED) if paper else RowOrigin.NONE
        return Row(
            at,
            1,
            RowKind.SLOT,
            held.label,
            held.note + paper.title if paper else "(empty)",
            paper.year if paper else None,
            Verdict.UNDECIDED if held.verdict == "proposed" else Verdict[held.verdict.upper()],
            self._status(at, paper is not None),
            RowOrigin.YOURS if held.by_person else chosen,
            held.role,
            made=paper is not None,
            protected=held.protected,
            running=self._is_running(at),
            failed=bool(failed_at(self.methods, at, self.marks.failed)),
            aside=self._is_aside(at.branch),
            awaited=paper is None and held.wanted,
        )

    def _text(self, line: OutlineRow) -> Row:
        address = line.address
        kind, cell, version = (
            self.methods.kind(address),
            self.state.cell(address),
            self.state.in_use(address),
        )
        caption = kind.caption_of(self.state, version) if version is not None else None
        title = line.title or kind.title.lower()
        title = title if caption is None else with_short_marks(caption, self.state.papers)
        fresh = self.fresh.get(address, MISSING)
        label = line.label or kind.label or kind.name
        return Row(
            address,
            line.depth,
            RowKind.TEXT,
            label,
            title,
            None,
            self._verdict(address, kind),
            self._status(address, version is not None),
            origin_of(version),
            made=version is not None,
            protected=cell.protected,
            running=self._is_running(address),
            failed=bool(failed_at(self.methods, address, self.marks.failed)),
            draft=address in self.marks.drafts,
            choice_waits=fresh.choice_waits or (fresh.worksheet and not self.marks.asks_model),
            by_you=version is not None and version.by_person,
            check_failed=self.marks.checks.get(address, ""),
            source=line.source if version is not None and self.several else "",
            aside=self._is_aside(cell_ref(address).branch),
            awaited=version is None and bool(kind.task),
            worksheet=version is not None and is_worksheet(version),
        )

    def _verdict(self, address: str, kind: CellKind) -> Verdict:
        cell = self.state.cell(address)
        if cell.rejected:
            return Verdict.REJECTED
        if not kind.has_verdict:
            return Verdict.ACCEPTED if cell.lock is not None else Verdict.NONE
        if cell.accepted or cell.lock is not None:
            return Verdict.ACCEPTED
        return Verdict.UNDECIDED if self.state.in_use(address) is not None else Verdict.NONE

    def _status(self, address: str, made: bool) -> Status:
        return Status[self.fresh.get(address, MISSING).status.upper()] if made else Status.MISSING

    def _is_aside(self, branch: Branch) -> bool:
        """Whether a branch is left out of plans: it was set aside, or its question was rejected."""
        return branch in self.state.parked or self.state.cell(question_of(branch)).rejected

    def _is_running(self, address: str) -> bool:
        """Whether it is made just now; a slot's papers may be searched or judged just now as
        well."""
        running = self.marks.running
        return bool(running) and not running.isdisjoint(_cells(self.methods, address))

    def _arena(self) -> Row:
        none = "no idea leads" if pairs(self.state) else "no matches yet"
        leads = f"{found} leads" if (found := arena_leader(self.state)) else none
        picked = f", your idea {self.state.pick}/idea" if self.state.pick else ""
        title = f"arena: {hidden_matches(self.state) or leads}{picked}"
        return Row("A", 0, RowKind.ARENA, "A", title)


def _cells(methods: SessionMethods, row: str) -> tuple[str, ...]:
    """The cell of a row, and those attached to it that have no row of their own."""
    return row, *(attached_to(row, kind) for kind in methods.kind(row).attached)


def failed_at(methods: SessionMethods, row: str, failed: Mapping[str, str]) -> str:
    """The failed cell that a row stands for; empty for none."""
    return next((cell for cell in _cells(methods, row) if cell in failed), "") if failed else ""


# -- what comes next


@dataclass(frozen=True)
class ReachableStage:
    """How far a run could go: the stage, and its method where that is not the first. Empty where no
    run would find anything to do."""

    stage: str = ""
    method: str = ""


@dataclass(frozen=True)
class NextSteps:
    """What comes next, from whichever row a person is on.

    ``searched``: empty places that were searched for, and whether candidates are listed.
    ``unlisted``: failed cells without a
    row. ``ideas``: the addresses of the ideas; ``unpicked``: none of them leads, and no plan was
    made from one.
    """

    rows: Sequence[Row] = ()
    goal: ReachableStage = ReachableStage()
    running: bool = False
    searched: Mapping[str, bool] = field(default_factory=dict)
    unlisted: int = 0
    ideas: Sequence[str] = ()
    unpicked: bool = False

    @cached_property
    def needs(self) -> PendingCounts:
        """How many rows carry the sign of each need; those of branches set aside are left out."""
        return PendingCounts(
            undecided=sum([row.needs_decision for row in self.rows]),
            stale=sum([row.stale_here for row in self.rows]),
            failed=sum([row.open_failure for row in self.rows]) + self.unlisted,
            empty=sum([row.empty_here for row in self.rows]),
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
                return "candidates" if self.searched[row.address] else "uncovered"
            return "generate" if self.goal.stage else "pin"
        if row.choice_waits:
            return "diff"
        if row.stale_here:
            return "refresh_all"
        if row.kind is RowKind.ARENA:
            return "wall"
        if row.worksheet:
            return "write"
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
    model = core.uses_model or core.model is not None
    return Marks(core.still_failed, core.running, core.drafting, checks, model)


def session_rows(core: SessionCore) -> list[Row]:
    """The tree of a session, top to bottom."""
    return tree_rows(core.state, core.methods, core.fresh, marks_of(core))


def next_steps(core: SessionCore, rows: Sequence[Row], goal: ReachableStage) -> NextSteps:
    """What comes next among these rows of a session, where it is known how far a run could go
    (``find_goal``)."""
    state = core.state
    ideas, unlisted = state.ideas(), {*core.still_failed}
    if unlisted:  # those that neither have a row nor belong to a slot that has one
        unlisted -= {cell for row in rows for cell in _cells(core.methods, row.address)}
    return NextSteps(
        rows,
        goal,
        core.scheduler is not None,
        {
            row.address: bool(listed.entries)
            for row in rows
            if row.lacks_anchor
            and (cell := core.methods.list_of(row.address)) is not None
            and (listed := state.read(cell, CandidateList)) is not None
        },
        len(unlisted),
        [cell_at(branch, "idea") for branch in ideas],
        unpicked=len(ideas) > 1 and not planned(state) and state.pick is None,
    )


_goals = WeakKeyDictionary[State, ReachableStage]()
"""How far a run could go from states that somebody still holds."""


def find_goal(core: SessionCore) -> Callable[[], ReachableStage]:
    """What finds how far a run could go from the session as it is now; it may be called in a
    thread while the session moves on."""
    if core.scheduler is not None:
        return ReachableStage
    state, fresh, methods = core.state, core.fresh, core.methods
    instances = list(methods.instances.items())

    def find() -> ReachableStage:
        if state not in _goals:
            _goals[state] = search()
        return _goals[state]

    def search() -> ReachableStage:
        for number, (name, method) in enumerate(instances):
            stages = list(method.stages)
            scope = Scope(instance=name, closed=method.closed(state))
            stage = stage_to_run(methods, state, fresh, stages, scope)
            if stage:
                # where only a rule decides a plan has no line, and none is run
                later = stages[stages.index(stage) :]
                stage = next((s for s in later if methods.forecast(state, s, scope)), stage)
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
        pick=cell_at(state.pick, "idea") if state.pick else "",
        branches=len(state.branches),
        papers=len(state.held_papers()),
        ideas=sum(state.in_use(cell_at(b, "idea")) is not None for b in state.branches),
        calls=spent.calls,
        known_usd=round(spent.money.usd, 6),
        calls_without_price=spent.money.unpriced,
        stale=tuple(stale[:MOST]),
        drafts=tuple(sorted(core.drafting)[:MOST]),
        used=in_chains(state),
        news=unseen_news(core),
    )


def unseen_news(core: SessionCore) -> str:
    """What is new and not seen yet, or that nobody could be asked; empty for nothing."""
    if NEWS in core.still_failed:
        return "nobody could be asked for new papers"
    news = news_of(core.state)
    return news.line if news.papers and not news.seen else ""


def in_chains(state: State) -> tuple[str, ...]:
    """The papers in the chains."""
    return tuple(dict.fromkeys(state.held_papers().values()))


def next_of(
    core: SessionCore, at: str | None = None, rows: Sequence[Row] | None = None
) -> NextStep:
    """What comes next from the row ``at`` on; from the one where the person is, where none is
    named. ``rows``: those of the session, where they were asked for already."""
    steps = next_steps(core, rows or session_rows(core), find_goal(core)())
    return steps.step(_place(core) if at is None else at)


def _place(core: SessionCore) -> str:
    """The row where the person was last."""
    place = core.remembered("place", {})
    return str(place.get("at", "")) if isinstance(place, dict) else ""


def stage_reached(core: SessionCore, instance: str | None = None) -> str:
    """The last stage of which something exists: of one method instance, or of the one that came
    farthest. What follows from an idea has the same stages in all, at their end."""
    own = core.methods.of_instance(instance) if instance is not None else None
    methods = [own] if own is not None else core.methods.instances.values()
    left = {
        stage: method.stages[::-1].index(stage)
        for method in methods
        if (stage := method.reached(core.state))
    }
    return min(left, key=left.__getitem__, default="topic")
