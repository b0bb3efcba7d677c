"""What every half of a session stands on: its file, its log, its state and how fresh each cell is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.config import Keys, Settings
from coi_tui.engine.freshness import Examiner, Freshness, examine_all
from coi_tui.engine.journal import Journal
from coi_tui.methods.coi.method import ChainOfIdeas
from coi_tui.model.calls import Call
from coi_tui.model.entries import Decision
from coi_tui.model.sources import Order, chosen_order, question_order
from coi_tui.model.state import State
from coi_tui.paths import Paths
from coi_tui.session.decisions.decisions import Moves
from coi_tui.session.queries.inspector import readers
from coi_tui.session.runs.service_setup import ServiceSetup, setup_of
from coi_tui.store.session_file import SessionFile

if TYPE_CHECKING:
    from coi_tui.engine.scheduler import Scheduler


class Core(Moves):
    """An open file with its folded log. ``Moves`` holds what a person can decide."""

    def __init__(self, file: SessionFile, paths: Paths, settings: Settings, keys: Keys, clock: Callable[[], str]) -> None:
        loaded = file.load()
        self.file, self.paths, self._settings, self.keys, self.clock = file, paths, settings, keys, clock
        self.meta = loaded.meta
        self.method = ChainOfIdeas()
        self.journal = Journal(file, loaded.entries, loaded.papers, file.failures(), clock)
        self.failed: dict[str, str] = {}
        """Cells that the last job could not make, with the cause; ``still_failed`` leaves out those that something became of since."""
        self.failed_at: dict[str, int] = {}
        """The last entry of the log when each of them failed; what stands after it came later."""
        self._take_failures()
        self.scheduler: Scheduler | None = None
        self._fresh: tuple[int, dict[str, Freshness]] | None = None
        self._feeds: tuple[int, dict[str, tuple[str, ...]]] | None = None
        self._decisions: dict[int, Decision] = {}
        self._told = 0
        self.drafting: set[str] = set(file.drafts())
        """Addresses with a text that is being written and not saved."""

    @property
    def settings(self) -> Settings:
        """The settings, with the order of sources of papers that was chosen for this session."""
        chosen = chosen_order(self.state.settings)
        if not chosen or chosen == self._settings.order:
            return self._settings
        return self._settings.model_copy(update={"source": chosen[0], "sources": chosen if len(chosen) > 1 else ()})

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def orders(self) -> dict[int, Order]:
        """The questions that have an order of sources of their own."""
        state = self.state
        found = {n: question_order(state.settings, n, state.forks) for n in state.branches}
        return {n: order for n, order in found.items() if order}

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
            state, job = self.state, self.scheduler
            self._fresh = (state.seq, job.examined(state) if job is not None else examine_all(state, self.method.step))
        return self._fresh[1]

    def freshness(self, address: str) -> Freshness:
        return self.fresh.get(address) or Examiner(self.state, self.method.step)(address)

    @property
    def running(self) -> frozenset[str]:
        return self.scheduler.running if self.scheduler else frozenset()

    @property
    def calls(self) -> Mapping[int, Call]:
        """Every finished call by its number, without replies."""
        return self.file.known_calls()

    @property
    def feeds(self) -> Mapping[str, tuple[str, ...]]:
        """Which cells read an address, found once for a state."""
        if self._feeds is None or self._feeds[0] != self.state.seq:
            self._feeds = (self.state.seq, readers(self.state, self.method))
        return self._feeds[1]

    @property
    def numbered(self) -> Mapping[int, Decision]:
        """The decisions of the log by their numbers."""
        entries = self.journal.entries
        for entry in entries[self._told :]:
            if isinstance(entry, Decision):
                self._decisions[entry.seq] = entry
        self._told = len(entries)
        return self._decisions

    def remembered(self, key: str, default: Any = None) -> Any:
        """What the screens remember under a key."""
        return self.file.ui().get(key, default)

    def remember(self, key: str, value: Any) -> None:
        """Remember a JSON value for the screens, outside the log; nothing where the session is read-only."""
        if not self.file.read_only:
            self.file.set_ui(key, value)

    def decisions(self) -> list[Decision]:
        return [e for e in self.journal.entries if isinstance(e, Decision)]

    @property
    def setup(self) -> ServiceSetup:
        """Which services a run would use now."""
        return setup_of(self.settings, self.keys, self.offline, kept=self.kept_first, orders=self.orders)

    @property
    def uses_model(self) -> bool:
        """Whether texts come from a language model (else the drafter writes them)."""
        return self.setup.online_model

    def today(self) -> str:
        """The ISO date by the session's clock."""
        return self.clock()[:10]

    @property
    def known_until(self) -> str:
        """The last day this session may know of; empty without a time cut."""
        return str(self.state.settings.get("known_until") or "")

    @property
    def offline(self) -> bool:
        return bool(self.state.settings.get("offline"))

    @property
    def is_offline(self) -> bool:
        """Whether nothing leaves this machine: this session's own wish, or that of the settings."""
        return self.offline or self.settings.offline

    @property
    def kept_first(self) -> bool:
        """Offline, a session that was begun online looks at kept answers first; one begun offline has the starter library alone."""
        first = next((d for d in self.journal.entries if isinstance(d, Decision) and d.creation and d.action == "settings"), None)
        return not (first and first.value.get("offline"))

    def _take_failures(self) -> None:
        """Those of the last job, from the file."""
        failures, events = self.journal.failures, self.file.job_events()
        last = max((f.job for f in failures), default=0)
        if any(e.job > last for e in events):
            return
        self.failed = {f.address: f.cause for f in failures if f.job == last}
        told = next((e.detail["failed_at"] for e in reversed(events) if e.job == last and "failed_at" in e.detail), None)
        self.failed_at = {str(address): int(seq) for address, seq in told.items()} if isinstance(told, Mapping) else {}
