"""The one facade: open, look, decide, edit, plan, run, undo, export. Screens and commands call this and nothing below it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from coi_tui.config import CoiSettings, Keys, Settings
from coi_tui.engine.budget import Budget
from coi_tui.engine.events import Listener, silent
from coi_tui.engine.freshness import Examiner, Freshness, examine_all
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Recorder
from coi_tui.engine.scheduler import Goal, Outcome, Scheduler
from coi_tui.engine.steps import Cost
from coi_tui.methods.coi.method import STAGES, ChainOfIdeas
from coi_tui.model.calls import JobEvent
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.fold import undo_stacks
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line
from coi_tui.paths import Paths
from coi_tui.session.detail import Detail, detail
from coi_tui.session.library import remember
from coi_tui.session.links import found_links
from coi_tui.session.moves import Moves
from coi_tui.session.names import resolve, session_path
from coi_tui.session.plans import Plan, of_forecast, refresh_line, stale_addresses, with_ancestors
from coi_tui.session.rows import Row, rows
from coi_tui.session.toolbox import setup_of, toolbox
from coi_tui.session.why import Why
from coi_tui.store.session_file import SessionFile

if TYPE_CHECKING:
    from coi_tui.session.finding import Answer


log = logging.getLogger(__name__)


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def check_stage(until: str) -> None:
    """Raises UsageError for what is no stage of the method."""
    if until not in STAGES:
        raise UsageError(f"{until!r} is not a stage.", f"The stages are {', '.join(STAGES)}.")


class Session(Moves):
    """An open session. Made by ``create`` or ``open``; close it. ``Moves`` holds what a person can decide."""

    def __init__(self, file: SessionFile, paths: Paths, settings: Settings, keys: Keys, clock: Callable[[], str] = utc_now) -> None:
        loaded = file.load()
        self.file, self.paths, self.settings, self.keys, self.clock = file, paths, settings, keys, clock
        self.meta = loaded.meta
        self.method = ChainOfIdeas()
        self.journal = Journal(file, loaded.entries, loaded.papers, file.failures(), clock)
        self.failed: dict[str, str] = {f.address: f.cause for f in self._open_failures()}
        self.scheduler: Scheduler | None = None
        self._fresh: tuple[int, dict[str, Freshness]] | None = None

    # -- opening --------------------------------------------------------------------------------------------------

    @classmethod
    def create(
        cls, name: str, topic: str, *, paths: Paths, settings: Settings, keys: Keys, bounds: CoiSettings | None = None,
        offline: bool = False, hunch: str = "", clock: Callable[[], str] = utc_now,
    ) -> Session:  # fmt: skip
        """A new session with its topic. Raises UsageError for an empty topic, StoreError when the name is taken."""
        said = clean(topic).strip()
        if not clean_line(said):
            raise UsageError("The topic is empty.", "Say in a line or two what the idea should be about.")
        path = session_path(paths, name)
        file = SessionFile.create(
            path,
            {"name": path.name.removesuffix(".coi.db"), "topic": clean_line(said)[:200], "method": "Chain of Ideas"},
            backups=paths.backups,
        )
        session = cls(file, paths, settings, keys, clock)
        content = {"text": said, "hunch": clean(hunch)} if hunch else {"text": said}
        chosen = (bounds or settings.coi).model_dump()
        session.journal.write([
            Decision(actor="you", action="settings", address="session", value={**chosen, "offline": offline}, creation=True),
            Version(actor="you", address="topic", content=content, meanings=meanings_of(content), origin="person"),
            Decision(actor="you", action="edit", address="topic", value={"version": 2}, creation=True),
        ])  # fmt: skip
        session.save_summary()
        return session

    @classmethod
    def open(
        cls, name: str, *, paths: Paths, settings: Settings, keys: Keys, read_only: bool = False, clock: Callable[[], str] = utc_now
    ) -> Session:
        """An existing session by name or path. Raises UsageError when there is none, StoreError when it cannot be read."""
        path = session_path(paths, name, existing=True)
        file = SessionFile.open(path, read_only=read_only, backups=paths.backups)
        try:
            return cls(file, paths, settings, keys, clock)
        except BaseException:
            file.close()
            raise

    def back_up(self) -> None:
        """A copy of the file when the newest is older than half an hour; what goes wrong is logged and stops nothing."""
        try:
            self.file.backup_if_due()
        except CoiError as error:
            log.warning("no backup copy was made: %s", error)

    def close(self) -> None:
        if not self.file.read_only:
            self.save_summary()
        self.file.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # -- looking --------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.meta.get("name") or self.file.path.name.removesuffix(".coi.db")

    @property
    def read_only_reason(self) -> str:
        return self.file.read_only_reason

    @property
    def state(self) -> State:
        return self.journal.state

    @property
    def fresh(self) -> dict[str, Freshness]:
        """Freshness of every living cell and filled slot, computed when the state has moved."""
        if self._fresh is None or self._fresh[0] != self.state.seq:
            self._fresh = (self.state.seq, examine_all(self.state, self.method.step))
        return self._fresh[1]

    def freshness(self, address: str) -> Freshness:
        return self.fresh.get(address) or Examiner(self.state, self.method.step)(address)

    def rows(self) -> list[Row]:
        """The tree, top to bottom."""
        return rows(self.state, self.fresh, self.failed, self.running)

    @property
    def running(self) -> frozenset[str]:
        return self.scheduler.running if self.scheduler else frozenset()

    def resolve(self, text: str) -> str:
        """The canonical address for what a person typed (``1/t0`` included)."""
        return resolve(self.state, text)

    def detail(self, address: str, version: int | None = None) -> Detail:
        """What there is to read at an address; with ``version`` what stood or stands beside it. Nothing is changed by looking."""
        if version is None:
            return detail(self.state, address)
        if version not in self.state.cell(address).versions:
            raise UsageError(f"{address} has no version {version}.")
        return detail(self.state.showing(address, version), address)

    def why(self, address: str) -> list[str]:
        return Why(self.state, self.fresh, self.method, self.journal.entries).sentences(address)

    def decisions(self) -> list[Decision]:
        return [e for e in self.journal.entries if isinstance(e, Decision)]

    def undo_labels(self) -> tuple[str, str]:
        """What undo and redo would take back or bring back; empty texts when there is nothing."""
        done, redo = undo_stacks(self.journal.entries)
        return (self._label(done[-1]) if done else "", self._label(redo[-1]) if redo else "")

    def _label(self, group: str) -> str:
        acts = [d for d in self.decisions() if d.group == group and d.action not in ("undo", "redo")]
        more = f" and {len(acts) - 1} more" if len(acts) > 1 else ""
        return f"{acts[0].action} {acts[0].address}{more}"

    def spent(self) -> tuple[float, int, int]:
        """US dollars where known, model calls, tokens."""
        chats = [c for c in self.file.calls() if c.kind == "chat"]
        return (sum(c.cost_usd or 0.0 for c in chats), len(chats), sum(c.prompt_tokens + c.completion_tokens for c in chats))

    def waiting(self) -> list[str]:
        """What needs the person, as short phrases: undecided, stale, failed."""
        undecided = sum(s.verdict == "proposed" for s in self.state.slots.values())
        stale = sum(f.status in ("stale", "upstream") for f in self.fresh.values())
        counts = ((undecided, "undecided"), (stale, "stale"), (len(self.failed), "failed"))
        return [f"{n} {word}" for n, word in counts if n]

    def stage_reached(self) -> str:
        """The last stage of which something exists."""
        s = self.state
        marks = {
            "questions": any(a.startswith("Q") for a in s.cells), "anchors": any(s.chain(b) for b in s.branches),
            "chains": any(len(s.chain(b)) > 1 for b in s.branches), "cards": any(a.endswith(".card") for a in s.cells),
            "trends": any(".." in a for a in s.cells), "directions": any(a.endswith("/dir") for a in s.cells),
            "ideas": any(a.endswith("/idea") for a in s.cells), "novelty": any(a.endswith("/nov") for a in s.cells),
            "selection": any(a.startswith("A/") for a in s.cells), "experiment": any(a.endswith("/exp") for a in s.cells),
            "review": any(a.endswith("/review") for a in s.cells),
        }  # fmt: skip
        return next((stage for stage in reversed(STAGES) if marks[stage]), "topic")

    def save_summary(self) -> None:
        """What the session list shows, kept beside the log so that the list need not fold anything."""
        usd, calls, _ = self.spent()
        summary = {
            "step": self.stage_reached(), "waiting": self.waiting(), "spent_usd": round(usd, 6), "calls": calls,
            "branches": len(self.state.branches), "papers": sum(bool(s.paper) for s in self.state.slots.values()),
        }  # fmt: skip
        self.file.set_meta("summary", json.dumps(summary))

    def verify(self) -> list[str]:
        """Refold the log, check hashes and the file; every finding a sentence, an empty list when all is sound."""
        from coi_tui.model.fold import fold
        from coi_tui.session.dump import dump

        findings = self.file.verify()
        loaded = self.file.load()
        again = fold(loaded.entries, loaded.papers)
        if dump(again) != dump(self.state):
            findings.append("Folding the log anew gives another state than the one in memory.")
        return findings

    def shortfall(self, until: str) -> str:
        """Why a stage was not reached by any branch, in one sentence; empty when it was."""
        reached = self.stage_reached()
        if reached in STAGES and STAGES.index(reached) >= STAGES.index(until):
            return ""
        from coi_tui.session.shortfall import sentence

        return sentence(self.state, self.failed, until)

    # -- exports --------------------------------------------------------------------------------------------------

    def export(self, kind: str = "md") -> str:
        """The proposal as Markdown (``md``), everything as JSON (``json``), or the references as BibTeX (``bib``)."""
        from coi_tui.session.exporting import export

        return export(self, kind)

    def write_export(self, text: str, path: str, *, overwrite: bool = False) -> str:
        """Write an exported text; an existing file only with ``overwrite``. Returns the path written."""
        from coi_tui.session.exporting import write

        return write(text, path, overwrite=overwrite)

    def find_paper(self, text: str) -> Paper:
        """The paper that an id, URL or title means: in this session, the starter library, or online unless offline."""
        from coi_tui.session.finding import find_paper

        return find_paper(self, text)

    async def look_up(self, text: str) -> Answer:
        """Papers that an id, URL or title may mean, off the event loop where it takes time. Raises UsageError when nothing fits."""
        from coi_tui.session.finding import look_up

        return await look_up(self, text)

    # -- plans and jobs -------------------------------------------------------------------------------------------

    def plan_run(self, until: str = "review") -> Plan:
        """What it takes to reach the end of a stage. Raises UsageError for an unknown stage."""
        check_stage(until)
        lines = of_forecast(self.method.forecast(self.state, until), self._price)
        return self._plan(f"Run {self.name} to {until}", Goal("run", until=until), lines)

    def plan_refresh(self, addresses: Sequence[str] | None = None, *, again: bool = False, exactly: bool = False) -> Plan:
        """What it takes to bring cells up to date: all stale ones, or those named with what they wait for.

        ``again``: even where fresh, as a new sample. ``exactly``: the named ones alone, as a person ticked them.
        """
        if addresses is None:
            addresses = stale_addresses(self.state, self.fresh, self.method)
        for address in addresses:
            if self.method.step(address) is None or not self.state.cell(address).versions:
                raise UsageError(f"{address} is nothing that can be refreshed.", "Texts and candidate lists that exist can be.")
        if not again and not exactly:
            addresses = with_ancestors(self.state, self.fresh, self.method, addresses)
        lines = tuple(refresh_line(self.state, a, self.freshness(a), self.method, self._price, addresses) for a in addresses)
        ticked = tuple(line.address for line in lines if not line.off)
        return self._plan(f"Refresh {len(ticked)} of {self.name}", Goal("refresh", addresses=ticked, again=again), lines)

    def plan_resume(self, until: str | None = None) -> Plan:
        """Go on where the last job stopped: its stage or its addresses, finished calls for free."""
        goal = self._last_goal()
        if until is None and goal.get("kind") == "refresh" and goal.get("open"):
            left = [a for a in goal.get("addresses", []) if not self.freshness(a).ok]
            if left:
                return self.plan_refresh(left)
        return self.plan_run(until or goal.get("until") or STAGES[-1])

    def _last_goal(self) -> dict[str, Any]:
        events = self.file.job_events()
        starts = [e for e in events if e.state == "approved"]
        if not starts:
            return {}
        last = starts[-1]
        ended = any(e.job == last.job and e.state == "done" for e in events)
        return {**last.detail, "open": not ended}

    @property
    def offline(self) -> bool:
        return bool(self.state.settings.get("offline"))

    def _plan(self, title: str, goal: Goal, lines: Sequence[Any]) -> Plan:
        setup = setup_of(self.settings, self.keys, self.offline)
        sends = []
        if setup.online_model:
            sends.append("to the language model: topic, titles, abstracts or texts of papers, cards, trends, directions, ideas, plans")
            sends.append("your hunch" if self.state.settings.get("send_hunch") else "not your notes, not your hunch")
        if setup.online_source:
            sends.append(f"to {setup.source}: search words, titles and paper ids")
        return Plan(title, goal, tuple(lines), setup.model, setup.source, tuple(sends) or ("nothing leaves this machine",))

    def _price(self, cost: Cost) -> tuple[float, float] | None:
        if not cost.calls[1] or not setup_of(self.settings, self.keys, self.offline).online_model:
            return (0.0, 0.0)
        from coi_tui.llm.prices import price_usd

        llm = self.settings.llm
        model = llm.reader.model if cost.role == "reader" and llm.reader.model else llm.main.model
        low = price_usd(model, cost.prompt_tokens[0], cost.reply_tokens[0], llm.prices, base_url=llm.base_url)
        high = price_usd(model, cost.prompt_tokens[1], cost.reply_tokens[1], llm.prices, base_url=llm.base_url)
        return None if low is None or high is None else (low, high)

    async def run(self, plan: Plan, *, budget_usd: float | None = None, listen: Listener = silent) -> Outcome:
        """Run an approved plan. At most the top of its range and a fifth more is spent, or ``budget_usd`` where that is less.

        Raises StoreError when the session cannot be written; a failed step is part of the outcome.
        """
        if self.file.read_only:
            raise UsageError(f"This session is read-only ({self.read_only_reason}).", "Close it elsewhere first.")
        if self.scheduler is not None:
            raise UsageError("A job is running in this session already.", "Stop it first, or wait.")
        job = self.file.next_job()
        detail = {
            "kind": plan.goal.kind, "until": plan.goal.until, "addresses": list(plan.goal.addresses), "calls": list(plan.calls),
            "usd": list(plan.usd) if plan.usd else None, "budget_usd": budget_usd,
        }  # fmt: skip
        await self.journal.job_event(JobEvent(job=job, state="approved", time=self.clock(), detail=detail))
        for address in list(self.failed):
            del self.failed[address]
        async with toolbox(self.settings, self.keys, self.paths, offline=self.offline, today=lambda: self.clock()[:10]) as tools:
            return await self.run_with(ChainOfIdeas(tools), plan, job, self._cap(plan, budget_usd), listen)

    async def run_with(self, method: ChainOfIdeas, plan: Plan, job: int, budget: Budget, listen: Listener = silent) -> Outcome:
        """The same with services at hand (tests and benchmarks bring their own)."""
        recorder = Recorder(self.journal, budget, job=job, listen=listen)
        self.scheduler = Scheduler(method, self.journal, recorder, plan.goal, listen)
        try:
            outcome = await self.scheduler.run()
        finally:
            self.scheduler = None
        self.failed.update(outcome.failed)
        await self.journal.job_event(JobEvent(job=job, state=outcome.state, time=self.clock(), detail={"failed": outcome.failed}))
        await asyncio.to_thread(remember, self.paths, self.state.papers, found_links(self.state))
        with contextlib.suppress(CoiError):  # the summary is only for the list; what failed has been said
            self.save_summary()
        return outcome

    def _cap(self, plan: Plan, budget_usd: float | None) -> Budget:
        asked = [usd for usd in (budget_usd, self.settings.budget_usd) if usd is not None]
        top = [plan.usd[1] * 1.2] if plan.usd and plan.usd[1] > 0 else []
        limit = min([*asked, *top]) if asked or top else None
        return Budget(limit, max(1, -(-plan.calls[1] * 12 // 10)))

    def stop(self, now: bool = False) -> bool:
        """Stop the running job; False when none runs."""
        if self.scheduler is None:
            return False
        self.scheduler.stop(now)
        return True

    def _open_failures(self) -> list[Any]:
        """Failures of the last job whose cell is still not there."""
        failures = self.journal.failures
        last = max((f.job for f in failures), default=0)
        jobs = [e.job for e in self.file.job_events()]
        if jobs and last < max(jobs):
            return []
        return [f for f in failures if f.job == last and self.state.in_use(f.address) is None]
