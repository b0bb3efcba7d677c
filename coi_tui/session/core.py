"""What every service of a session stands on: its file, its log, its state and how fresh each cell
is; writing goes through here."""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Self

from coi_tui.engine.freshness import Freshness, FreshnessCache, FreshnessEvaluator, meanings_now
from coi_tui.engine.journal import Journal
from coi_tui.engine.scheduler import Scheduler
from coi_tui.methods.registry import FIRST, SessionMethods, components_of, unknown_methods
from coi_tui.model.address import cell_ref, ref
from coi_tui.model.entries import YOU, Call, Decision, Failure, Version, named
from coi_tui.model.errors import CoiError, UsageError, in_full
from coi_tui.model.money import Limit
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean
from coi_tui.session.environment import Environment
from coi_tui.session.settings import ServiceSetup, setup_of
from coi_tui.store.session_file import WHAT_TO_DO, SessionFile, Spent

log = logging.getLogger(__name__)


class SessionCore:
    """An open file with its folded log. Services read it, and write through ``decide`` and
    ``write``."""

    def __init__(self, file: SessionFile, env: Environment) -> None:
        loaded, self.file = file.load(), file
        self.paths, self.clock, self.model = env.paths, env.clock, env.model
        self.settings, self.keys = env.settings, env.keys
        self.meta = loaded.meta
        self.first_method = self.meta.get("method") or FIRST
        """The name of the method that the session began with."""
        self._methods = SessionMethods(self.first_method)
        self.methods_of = lru_cache(maxsize=2)(self._methods.follow)
        """The methods that the session holds in a state."""
        self.journal = Journal(
            file,
            loaded.entries,
            loaded.papers,
            file.failures(),
            env.clock,
            partial(components_of, self.first_method),
        )
        last = max((event.job for event in file.job_events()), default=0)
        self.failed = {f.address: in_full(f) for f in self.journal.failures if f.job >= last}
        """Cells that the last job could not make, with the cause; ``still_failed`` leaves out those
        that something became of since."""
        self.scheduler: Scheduler | None = None
        """The running job; None where none runs."""
        self.writer = YOU
        """Who works here. Another program may write nothing in the name of the person."""
        self.drafting: set[str] = set(file.drafts())
        """Addresses with a text that is being written and not saved."""
        self.freshness_cache = FreshnessCache(self.methods_of)
        self.is_rehearsal = False

    def rehearsal(self) -> Self:
        """The session as it stands, for decisions that are only tried: they are seen there, and
        nothing of them is written."""
        trial = copy.copy(self)
        trial.journal, trial.scheduler, trial.writer = self.journal.rehearsal(), None, YOU
        trial.failed, trial.is_rehearsal = {**self.failed}, True
        return trial

    # -- facts

    @property
    def name(self) -> str:
        return self.meta.get("name") or self.file.path.name.removesuffix(".coi.db")

    @property
    def env(self) -> Environment:
        """What its services go by now."""
        return Environment(self.paths, self.settings, self.keys, self.clock, self.model)

    @property
    def methods(self) -> SessionMethods:
        """The methods that this session holds."""
        return self.methods_of(self.state)

    @property
    def unknown_methods(self) -> list[str]:
        """Names of methods that the session holds and this program does not know."""
        return unknown_methods(self.first_method, self.state)

    @property
    def read_only_reason(self) -> str:
        """Why nothing can be changed; empty where it can."""
        if unknown := self.unknown_methods:
            return f"it holds a method that this program does not know: {', '.join(unknown)}"
        return "" if self.is_rehearsal else self.file.read_only_reason

    @property
    def setup(self) -> ServiceSetup:
        """Which services a run would use now."""
        setup = setup_of(self.settings, self.keys, self.offline)
        return setup if self.model is None else replace(setup, model=self.model.model_for("main"))

    @property
    def uses_model(self) -> bool:
        """Whether texts come from a language model (else the drafter writes them)."""
        return self.setup.online_model

    @property
    def known_until(self) -> str:
        """The last day this session may know of; empty without a time cut."""
        return str(self.state.settings.get("known_until") or "")

    @property
    def offline(self) -> bool:
        """Whether this session itself was set to work offline."""
        return bool(self.state.settings.get("offline"))

    @property
    def is_offline(self) -> bool:
        """Whether nothing leaves this machine: by this session's own setting, or by those of the
        program."""
        return self.offline or self.settings.offline

    # -- state

    @property
    def state(self) -> State:
        return self.journal.state

    @property
    def fresh(self) -> dict[str, Freshness]:
        """Freshness of every living cell and filled slot."""
        return self.freshness_cache.of(self.state)

    def freshness(self, address: str) -> Freshness:
        return self.fresh.get(address) or FreshnessEvaluator(self.state, self.methods.task)(address)

    def inputs_now(self, address: str) -> dict[str, str | None]:
        """What the text would be made from now; taken when an editor opens, so that a save records
        what was in view then."""
        task = self.methods.task(address)
        return meanings_now(self.state, task.reads(self.state, address)) if task else {}

    @property
    def running(self) -> frozenset[str]:
        """Cells that are being made just now."""
        return self.scheduler.running if self.scheduler else frozenset()

    @property
    def still_failed(self) -> dict[str, str]:
        """Cells that the last job could not make and that nothing became of since, with the
        cause."""
        since = {f.address: f.after for f in self.journal.failures} if self.failed else {}
        return {a: why for a, why in self.failed.items() if self._is_open(a, since.get(a, 0))}

    def _is_open(self, address: str, since: int) -> bool:
        """Whether nothing became of a failed cell since an entry of the log: no newer version, no
        paper in the place, no word that it still holds."""
        at, state = cell_ref(address), self.state
        # the decision that put there what it is attached to
        put = state.source(ref(at.slot, "paper")) if at.form == "attached" else ""
        if int(put[1:] or 0) > since or max(state.cell(address).versions, default=0) > since:
            return False
        return state.in_use(address) is None or self.freshness(address).status != "kept"

    @property
    def failed_checks(self) -> dict[str, Failure]:
        """Novelty checks that failed after the last report was made, by the report's address: the
        report stands, and this beside it."""
        newest = {f.address: f for f in self.journal.failures}
        return {
            address: failure
            for address, failure in newest.items()
            if cell_ref(address).kind == "nov"
            and (made := self.state.cell(address).versions)
            and failure.after >= max(made)
        }

    @property
    def calls(self) -> Mapping[int, Call]:
        """Every finished call by its number, without replies."""
        return self.file.known_calls()

    def decision_log(self) -> list[Decision]:
        """Every decision, oldest first."""
        return [e for e in self.journal.entries if isinstance(e, Decision)]

    def spent(self) -> Spent:
        """What the calls of models have cost, how many they were, and their tokens."""
        return self.file.spent()

    def cap(self) -> Limit:
        """The most that this session may spend in all: the stricter of its own cap and that of the
        settings."""
        return self.own_cap().within(Limit(self.settings.budget_usd, self.settings.budget_tokens))

    def own_cap(self) -> Limit:
        """The cap that was set for this session alone."""
        return Limit(self.state.settings.get("cap_usd"), self.state.settings.get("cap_tokens"))

    # -- writing

    def check_writable(self) -> None:
        """Raises UsageError where the session is read-only."""
        if why := self.read_only_reason:
            hint = (
                "Update the program to go on with it."
                if self.unknown_methods
                else WHAT_TO_DO.get(why, "")
            )
            raise UsageError(f"This session is read-only ({why}), so nothing was changed.", hint)

    def write(
        self, entries: Sequence[Decision | Version], papers: Sequence[Paper] = ()
    ) -> Decision:
        """Commit what a person decided, in one transaction; reasons come from outside and are
        cleaned here. Returns the last decision."""
        if self.writer != YOU and any(entry.actor == YOU for entry in entries):
            raise UsageError(f"{named(self.writer)} may only propose, so nothing was changed.")
        void = len(self.state.void)
        cleaned = [
            e.model_copy(update={"reason": clean(e.reason).strip()})
            if isinstance(e, Decision)
            else e
            for e in entries
        ]
        written = self.journal.write(cleaned, papers)
        last = written[-1]
        assert isinstance(last, Decision)
        if len(self.state.void) > void:
            raise UsageError(
                f"{last.action} {last.address} has no effect: {self.state.void[-1][1]}.",
                "Look at the cell again; nothing else changed.",
            )
        return last

    def back_up(self) -> None:
        """A copy of the file when the newest is older than half an hour; what goes wrong is logged
        and stops nothing."""
        try:
            self.file.back_up(if_due=True)
        except CoiError as error:
            log.warning("no backup copy was made: %s", error)

    def remembered(self, key: str, default: Any = None) -> Any:
        """What the screens remember under a key."""
        return self.file.ui().get(key, default)

    def remember(self, key: str, value: Any) -> None:
        """Remember a JSON value for the screens, outside the log; nothing where the session is
        read-only."""
        if not self.file.read_only:
            self.file.set_ui(key, value)
