"""What a session tells of itself: rows, texts, reasons, sums."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coi_tui.methods.coi.method import STAGES
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import undo_stacks, undone_groups
from coi_tui.session.core import Core
from coi_tui.session.names import resolve
from coi_tui.session.queries.detail import Detail, detail
from coi_tui.session.queries.failures import FailureReport, still_failed, trouble
from coi_tui.session.queries.inspector import Inspection, activity, inspect
from coi_tui.session.queries.list_facts import age_of, told_in, with_age
from coi_tui.session.queries.row import Row
from coi_tui.session.queries.rows import rows
from coi_tui.session.queries.summary import listed, phrase, summary
from coi_tui.session.queries.unread import unread_pdf, with_unread

if TYPE_CHECKING:
    from coi_tui.session.queries.experiment import PointLine
    from coi_tui.session.queries.search_index import Index
    from coi_tui.session.queries.timeline import Timeline

QUEUEING = {"queue": "put off a plan", "unqueue": "take out a plan"}


class Looks(Core):
    """Reading a session; nothing here changes it."""

    _undo_labels: tuple[int, tuple[str, str]] | None = None
    """What undo and redo are called, and for how long a log that was found: the footer asks at every key."""

    @property
    def still_failed(self) -> dict[str, str]:
        """Cells that the last job could not make and that nothing became of since, with the cause."""
        return still_failed(self.state, self.failed, self.failed_at, self.fresh) if self.failed else {}

    def rows(self) -> list[Row]:
        """The tree, top to bottom."""
        return rows(self.state, self.fresh, self.still_failed, self.running, self.drafting)

    def resolve(self, text: str) -> str:
        """The canonical address for what a person typed (``1/t0`` included)."""
        return resolve(self.state, text)

    def detail(self, address: str, version: int | None = None) -> Detail:
        """What there is to read at an address; with ``version`` what stood or stands beside it. Nothing is changed by looking."""
        if version is None:
            told = detail(self.state, address)
            if address == "topic" and self.state.queue:
                told = replace(told, parts=(*told.parts, (phrase(self.state.queue).upper(), "\n".join(listed(self.state.queue)))))
            if said := unread_pdf(self, address):
                told = replace(told, parts=with_unread(told.parts, said))
            dated = age_of(self.state, address).date
            return replace(told, parts=with_age(told.parts, self.state, address, self.clock())) if dated else told
        if version not in self.state.cell(address).versions:
            raise UsageError(f"{address} has no version {version}.")
        return detail(self.state.showing(address, version), address)

    def list_age(self, address: str) -> str:
        """How old the answers behind a list of papers are: ``answered 3 d ago, from the library``; empty where that is not known."""
        age = age_of(self.state, address)
        return told_in(age, self.clock()) if age.date else ""

    def review_points(self, branch: int) -> list[PointLine]:
        """The points of the review in use, the person's own among them, with what became of each."""
        from coi_tui.session.queries.experiment import dismissals, point_lines

        undone = undone_groups(self.journal.entries)
        return point_lines(self.state, branch, dismissals(self.decisions(), branch, undone))

    def timeline(self) -> Timeline:
        """The session as a picture: years, branches, papers, and the citations known between them."""
        from coi_tui.session.queries.timeline import timeline

        links = self._known_links(self.state)
        return timeline(self.state, lambda a: (f := self.fresh.get(a)) is not None and f.status in ("stale", "upstream"), links.get)

    def came_beside(self, addresses: Sequence[str]) -> list[str]:
        """Of the cells that a job made, those whose newest version is not the one in use: it came late, or a person's text stays."""
        out = []
        for address in dict.fromkeys(addresses):
            versions, used = self.state.cell(address).versions, self.state.in_use(address)
            if versions and used is not None and used.seq != versions[-1]:
                out.append(address)
        return out

    def trouble(self, address: str) -> FailureReport | None:
        """The failed step of a row in five parts; None where none failed."""
        return trouble(self.state, address, self.still_failed, self.journal.failures)

    def why(self, address: str) -> list[str]:
        from coi_tui.session.queries.why import Why

        told = Why(self.state, self.fresh, self.method, self.journal.entries).sentences(address)
        age = self.list_age(address)
        return [*told[:1], f"Its list was {age}.", *told[1:]] if age else told

    def inspect(self, address: str) -> Inspection:
        """Who made the row, when and how, and what reads it."""
        return inspect(self.state, self.numbered, self.calls, self.feeds, address)

    def activity(self) -> tuple[str, ...]:
        """The last decisions and finished steps, newest first."""
        return activity(self.state, self.journal.entries)

    def search_index(self, rows: Sequence[Row]) -> Index:
        """Every text of these rows, ready to be searched. For a worker thread: the state does not change under it."""
        from coi_tui.session.queries.search_index import index

        return index(self.state, rows)

    def cited(self, address: str) -> str:
        """A row as Markdown with its citation."""
        from coi_tui.session.exports import cited

        return cited(self.state, address, self.name)

    def undo_labels(self) -> tuple[str, str]:
        """What undo and redo would take back or bring back; empty texts when there is nothing."""
        if self._undo_labels is None or self._undo_labels[0] != len(self.journal.entries):
            done, redo = undo_stacks(self.journal.entries)
            labels = (self._label(done[-1]) if done else "", self._label(redo[-1]) if redo else "")
            self._undo_labels = (len(self.journal.entries), labels)
        return self._undo_labels[1]

    def _label(self, group: str) -> str:
        acts = [d for d in self.decisions() if d.group == group and d.action not in ("undo", "redo")]
        more = f" and {len(acts) - 1} more" if len(acts) > 1 else ""
        return f"{QUEUEING.get(acts[0].action) or f'{acts[0].action} {acts[0].address}'}{more}"

    def spent(self) -> tuple[float, int, int]:
        """US dollars where known, model calls, tokens."""
        spent = self.file.spent()
        return (spent.usd, spent.calls, spent.tokens)

    def cap_usd(self) -> float | None:
        """The most that this session may spend in all, in dollars: the smaller of its own cap and that of the settings; None for none."""
        own = self.state.settings.get("cap_usd")
        caps = [float(cap) for cap in (own, self.settings.budget_usd) if cap is not None]
        return min(caps, default=None)

    def waiting(self) -> list[str]:
        """What needs the person, as short phrases: undecided, stale, failed, plans that wait."""
        undecided = sum(s.verdict == "proposed" for s in self.state.slots.values())
        stale = sum(f.status in ("stale", "upstream") for f in self.fresh.values())
        counts = ((undecided, "undecided"), (stale, "stale"), (len(self.still_failed), "failed"))
        return [*(f"{n} {word}" for n, word in counts if n), *filter(None, [phrase(self.state.queue)])]

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
        self.file.set_meta("summary", json.dumps(summary(self)))

    def verify(self) -> list[str]:
        """Refold the log, check hashes and the file; every finding a sentence, an empty list when all is sound."""
        from coi_tui.model.fold import fold
        from coi_tui.session.admin.state_dump import dump

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
        from coi_tui.session.queries.failures import sentence

        return sentence(self.state, self.failed, until)
