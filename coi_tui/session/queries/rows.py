"""The tree of a session as typed rows, and their texts made ready to be searched. Screens, ``coi show`` and tests read the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from coi_tui.engine.declarations import CellKind, OutlineRow
from coi_tui.engine.freshness import MISSING, Freshness
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import READING, parse_address, place, question_of
from coi_tui.model.state import State
from coi_tui.session.queries.comparisons import arena_leader, played, told_hidden
from coi_tui.session.queries.detail import detail
from coi_tui.session.queries.failures import failed_at
from coi_tui.session.queries.row import Row, RowKind, RowOrigin, Status, Verdict
from coi_tui.session.row_wording import note

VERDICTS = {"empty": Verdict.EMPTY, "proposed": Verdict.UNDECIDED, "accepted": Verdict.ACCEPTED, "pinned": Verdict.PINNED}
STATUSES = {
    "fresh": Status.FRESH, "kept": Status.KEPT, "stale": Status.STALE, "upstream": Status.UPSTREAM, "missing": Status.MISSING,
}  # fmt: skip

MADE_BY = {
    "model": RowOrigin.MODEL, "scripted": RowOrigin.MODEL, "drafter": RowOrigin.DRAFTER, "example": RowOrigin.EXAMPLE,
}  # fmt: skip


def rows(
    state: State, methods: SessionMethods, fresh: Mapping[str, Freshness], failed: Mapping[str, str] | None = None,
    running: frozenset[str] = frozenset(), drafts: Collection[str] = (), checks: Mapping[str, str] | None = None,
) -> list[Row]:  # fmt: skip
    """Every row, top to bottom. ``drafts``: addresses with a text that is being written; ``checks``: novelty reports of which a later
    check failed, with the cause."""
    return list(_Rows(state, methods, fresh, failed or {}, running, drafts, checks or {}).all())


class _Rows:
    """Fills in the rows that the methods declare: what is in use there, how it stands to its inputs, what was decided."""

    def __init__(
        self, state: State, methods: SessionMethods, fresh: Mapping[str, Freshness], failed: Mapping[str, str], running: frozenset[str],
        drafts: Collection[str], checks: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.state, self.methods, self.fresh, self.failed, self.running, self.drafts = state, methods, fresh, failed, running, drafts
        self.checks = checks

    def all(self) -> Iterator[Row]:
        yield self._text(OutlineRow("topic", 0, "topic", str(self.state.value("topic#text") or "")))
        listed = self._text(OutlineRow(READING, 0, READING, "reading list"))
        if listed.made or listed.running or listed.failed:
            yield listed
        for line in self.methods.outline(self.state, self.failed):
            yield from self._declared(line)
        yield self._arena()
        for address in sorted((a for a in self.state.cells if parse_address(a).part == "match"), key=parse_address):
            at = parse_address(address)
            yield self._text(OutlineRow(address, 1, f"{at.branch}-{at.other}", f"match {at.branch}/idea against {at.other}/idea"))
        yield Row("X", 0, RowKind.SHELF, "X", "rejected and detached papers", count=len(self.state.shelf))

    def _declared(self, line: OutlineRow) -> Iterator[Row]:
        """A row of a method; none for an optional cell of which nothing was made."""
        if line.heading:
            yield Row(line.address, line.depth, RowKind.BRANCH, line.label, line.title, parked=line.parked, undecided=line.undecided)
        elif parse_address(line.address).part == "slot":
            yield self._slot(line.address)
        else:
            row, kind = self._text(line), self.methods.kind(line.address)
            if row.made or row.running or row.failed or kind is None or not kind.optional:
                yield row

    def _slot(self, address: str) -> Row:
        held = self.state.slot(address)
        at = parse_address(address)
        role = "anchor" if at.pos == 0 else "predecessor" if at.pos < 0 else "successor"
        paper = self.state.papers.get(held.paper) if held.paper else None
        chosen = RowOrigin.YOURS if held.why.get("by") == "you" else self._proposed_by(address) if paper else RowOrigin.NONE
        return Row(
            address, 1, RowKind.SLOT, place(at.pos), paper.title if paper else "(empty)", paper.year if paper else None,
            VERDICTS[held.verdict], self._status(address, paper is not None), chosen, role, made=paper is not None,
            protected=held.protected, running=self._is_running(address), failed=bool(failed_at(address, self.failed)),
        )  # fmt: skip

    def _proposed_by(self, address: str) -> RowOrigin:
        """Who held the paper of a slot to be of use: a model, or, in the example session, its authors."""
        # The verdict on an anchor is part of its list, which a source made; whoever wrote its question judged it.
        judged = self.state.in_use(f"{address}.rel") or self.state.in_use(question_of(parse_address(address).branch))
        return RowOrigin.EXAMPLE if judged is not None and judged.origin == "example" else RowOrigin.MODEL

    def _text(self, line: OutlineRow) -> Row:
        address = line.address
        kind, cell, version = self.methods.kind(address), self.state.cell(address), self.state.in_use(address)
        caption = kind.caption_of(self.state, version) if kind is not None and version is not None else None
        title = line.title if caption is None else caption
        label = line.label or (kind.label or kind.name if kind is not None else parse_address(address).part)
        return Row(
            address, line.depth, RowKind.TEXT, label, title, None, self._verdict(address, kind), self._status(address, version is not None),
            self._origin(address), made=version is not None, protected=cell.protected, running=self._is_running(address),
            failed=bool(failed_at(address, self.failed)), draft=address in self.drafts,
            choice_waits=self.fresh.get(address, MISSING).choice_waits, by_you=version is not None and version.by_person,
            check_failed=self.checks.get(address, ""),
            source=line.source if version is not None and len(self.methods.instances) > 1 else "",
        )  # fmt: skip

    def _verdict(self, address: str, kind: CellKind | None) -> Verdict:
        cell = self.state.cell(address)
        if cell.rejected:
            return Verdict.REJECTED
        if kind is None or not kind.has_verdict:
            return Verdict.ACCEPTED if cell.lock is not None else Verdict.NONE
        if cell.accepted or cell.lock is not None:
            return Verdict.ACCEPTED
        return Verdict.UNDECIDED if self.state.in_use(address) is not None else Verdict.NONE

    def _origin(self, address: str) -> RowOrigin:
        version = self.state.in_use(address)
        if version is None:
            return RowOrigin.NONE
        if version.by_person:
            return RowOrigin.EDITED if version.parents else RowOrigin.YOURS
        return MADE_BY.get(version.origin, RowOrigin.SOURCE)

    def _status(self, address: str, made: bool) -> Status:
        return STATUSES[self.fresh.get(address, MISSING).status] if made else Status.MISSING

    def _is_running(self, address: str) -> bool:
        """Whether it is made just now; a slot's papers may be searched or judged just now as well."""
        return bool(self.running) and not self.running.isdisjoint((address, f"{address}.cands", f"{address}.rel"))

    def _arena(self) -> Row:
        leader = told_hidden(self.state) or self._leader()
        picked = f", your pick {self.state.pick}/idea" if self.state.pick else ""
        return Row("A", 0, RowKind.ARENA, "A", f"arena: {leader}{picked}")

    def _leader(self) -> str:
        found = arena_leader(self.state)
        return f"{found} leads" if found else "no idea leads" if played(self.state) else "no matches yet"


@dataclass(frozen=True)
class Match:
    """A row that says the words. ``where`` names the part, such as ``CARD``; empty for its title."""

    address: str
    where: str


@dataclass(frozen=True)
class Index:
    """The folded texts of every row, in the order of the tree. ``seq`` is the state that they were taken from."""

    seq: int
    texts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    def find(self, words: str) -> list[Match]:
        """The rows that hold the words (as they stand, upper and lower case alike), from the top."""
        wanted = folded(words)
        if not wanted:
            return []
        hits = ((address, next((name for name, text in parts if wanted in text), None)) for address, parts in self.texts)
        return [Match(address, where) for address, where in hits if where is not None]


def index(state: State, methods: SessionMethods, rows: Sequence[Row]) -> Index:
    """Read every row once. Rows that only point at others (a branch, the arena) give what their own line says."""
    return Index(state.seq, tuple((row.address, _parts(state, methods, row)) for row in rows))


def _parts(state: State, methods: SessionMethods, row: Row) -> tuple[tuple[str, str], ...]:
    line = ("", folded(f"{row.label} {row.title} {row.year or ''} {note(row)}"))
    if parse_address(row.address).part == "branch":
        return (line,)
    return (line, *((heading or "its text", folded(text)) for heading, text in detail(state, methods, row.address).parts))


def folded(text: str) -> str:
    """Text as it is compared: no difference of case, width or composition; runs of blanks are one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
