"""The tree of a session as typed rows, and their texts made ready to be searched. Screens, ``coi
show`` and tests read the same."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from coi_tui.engine.declarations import CellKind, OutlineRow
from coi_tui.engine.freshness import MISSING, Freshness
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import (
    PAIR,
    READING,
    SUMMARY,
    Address,
    Branch,
    parse_address,
    place,
    question_of,
)
from coi_tui.model.entries import Failure
from coi_tui.model.state import State
from coi_tui.present.comparisons import arena_leader, hidden_matches, pairs
from coi_tui.session.queries.detail import detail
from coi_tui.session.wording import Row, RowKind, RowOrigin, Status, Verdict, note, origin_of

VERDICTS = {
    "empty": Verdict.EMPTY,
    "proposed": Verdict.UNDECIDED,
    "accepted": Verdict.ACCEPTED,
    "pinned": Verdict.PINNED,
}

STATUSES = {
    "fresh": Status.FRESH,
    "kept": Status.KEPT,
    "stale": Status.STALE,
    "upstream": Status.UPSTREAM,
    "missing": Status.MISSING,
}

PROPOSED_BY = {"drafter": RowOrigin.PROPOSED_BY_RULE, "recorded": RowOrigin.RECORDED}


@dataclass(frozen=True)
class Marks:
    """What is to be shown of rows beside the state. ``failed``: cells that a job could not make,
    with the cause; ``running``: those that are made just now; ``drafts``: those with a text that is
    being written; ``checks``: novelty reports of which a later check failed, with the cause."""

    failed: Mapping[str, str] = field(default_factory=dict)
    running: frozenset[str] = frozenset()
    drafts: Collection[str] = ()
    checks: Mapping[str, str] = field(default_factory=dict)


def tree_rows(
    state: State, methods: SessionMethods, fresh: Mapping[str, Freshness], marks: Marks
) -> list[Row]:
    """Every row of a session, top to bottom."""
    listed = list(_Rows(state, methods, fresh, marks).all())
    wanted = asking(listed)
    open_in = Counter(str(parse_address(address).branch) for address in wanted)
    return [
        replace(row, undecided=open_in[row.address], asks=row.address in wanted)
        if row.kind is RowKind.BRANCH or row.address in wanted
        else row
        for row in listed
    ]


def asking(rows: Iterable[Row]) -> set[str]:
    """The rows that ask for a decision: one for each branch with a chain, one for each other
    method, none where it is set aside.

    It is the furthest thing that a person decides: the first idea while none is accepted, before
    that the last text of the branch, before that the first undecided paper of its list. All other
    rows can be decided and need not be.
    """
    lines: dict[Branch, list[tuple[Address, Row]]] = {}
    for row in rows:
        at = parse_address(row.address)
        if (
            at.branch
            and not row.aside
            and row.verdict is not Verdict.NONE
            and at.part not in ("match", SUMMARY, PAIR)
        ):
            lines.setdefault(at.instance or at.branch, []).append((at, row))
    found: set[str] = set()
    for line in lines.values():
        ideas = [row for at, row in line if at.part == "idea"]
        texts = [row for at, row in line if row.kind is RowKind.TEXT]
        decidable = ideas or texts[-1:] or [row for _, row in line]
        if not texts or not any(row.verdict is Verdict.ACCEPTED for row in decidable):
            found.update([row.address for row in decidable if row.verdict is Verdict.UNDECIDED][:1])
    return found


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
        if listed.made or listed.running or listed.failed:
            yield listed
        for line in self.methods.outline(self.state, self.marks.failed):
            row = self._declared(line)
            if row is not None:
                yield row
        yield self._arena()
        for address in sorted(
            (a for a in self.fresh if parse_address(a).part == "match"), key=parse_address
        ):
            at = parse_address(address)
            yield self._text(
                OutlineRow(
                    address,
                    1,
                    f"{at.branch}-{at.other}",
                    f"match {at.branch}/idea against {at.other}/idea",
                )
            )
        yield Row("X", 0, RowKind.SHELF, "X", "rejected papers", count=len(self.state.shelf))

    def _declared(self, line: OutlineRow) -> Row | None:
        """A row of a method; None for an optional cell of which nothing was made."""
        if line.heading:
            return Row(
                line.address, line.depth, RowKind.BRANCH, line.label, line.title, parked=line.parked
            )
        is_slot = parse_address(line.address).part == "slot"
        row = self._slot(line.address) if is_slot else self._text(line)
        visible = (
            row.made
            or row.running
            or row.failed
            or row.kind is RowKind.SLOT
            or not self._is_optional(line.address)
        )
        return row if visible else None

    def _is_optional(self, address: str) -> bool:
        kind = self.methods.kind(address)
        return kind is not None and kind.optional

    def _slot(self, address: str) -> Row:
        held = self.state.slot(address)
        at = parse_address(address)
        role = "anchor" if at.pos == 0 else "predecessor" if at.pos < 0 else "successor"
        paper = self.state.papers.get(held.paper) if held.paper else None
        chosen = (
            RowOrigin.YOURS
            if held.why.get("by") == "you"
            else self._proposed_by(address)
            if paper
            else RowOrigin.NONE
        )
        return Row(
            address,
            1,
            RowKind.SLOT,
            place(at.pos),
            paper.title if paper else "(empty)",
            paper.year if paper else None,
            VERDICTS[held.verdict],
            self._status(address, paper is not None),
            chosen,
            role,
            made=paper is not None,
            protected=held.protected,
            running=self._is_running(address),
            failed=bool(failed_at(address, self.marks.failed)),
            aside=self._is_aside(at.branch),
            awaited=paper is None and at.pos == 0,
        )

    def _proposed_by(self, address: str) -> RowOrigin:
        """Who held the paper of a slot to be of use: a model, perhaps by a recorded reply, or the
        built-in drafter."""
        # The verdict on an anchor is part of its list, which a source made; whoever wrote its
        # question judged it.
        judged = self.state.in_use(f"{address}.rel") or self.state.in_use(
            question_of(parse_address(address).branch)
        )
        return (
            PROPOSED_BY.get(judged.origin, RowOrigin.PROPOSED)
            if judged is not None
            else RowOrigin.PROPOSED
        )

    def _text(self, line: OutlineRow) -> Row:
        address = line.address
        kind, cell, version = (
            self.methods.kind(address),
            self.state.cell(address),
            self.state.in_use(address),
        )
        caption = (
            kind.caption_of(self.state, version)
            if kind is not None and version is not None
            else None
        )
        title = line.title or (kind.title.lower() if kind is not None else "")
        title = title if caption is None else caption
        label = line.label or (
            kind.label or kind.name if kind is not None else parse_address(address).part
        )
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
            failed=bool(failed_at(address, self.marks.failed)),
            draft=address in self.marks.drafts,
            choice_waits=self.fresh.get(address, MISSING).choice_waits,
            by_you=version is not None and version.by_person,
            check_failed=self.marks.checks.get(address, ""),
            source=line.source if version is not None and self.several else "",
            aside=self._is_aside(parse_address(address).branch),
            awaited=version is None and kind is not None and bool(kind.step),
        )

    def _verdict(self, address: str, kind: CellKind | None) -> Verdict:
        cell = self.state.cell(address)
        if cell.rejected:
            return Verdict.REJECTED
        if kind is None or not kind.has_verdict:
            return Verdict.ACCEPTED if cell.lock is not None else Verdict.NONE
        if cell.accepted or cell.lock is not None:
            return Verdict.ACCEPTED
        return Verdict.UNDECIDED if self.state.in_use(address) is not None else Verdict.NONE

    def _status(self, address: str, made: bool) -> Status:
        return STATUSES[self.fresh.get(address, MISSING).status] if made else Status.MISSING

    def _is_aside(self, branch: Branch) -> bool:
        """Whether a branch is left out of plans: it was set aside, or its question was rejected."""
        return branch in self.state.parked or self.state.cell(question_of(branch)).rejected

    def _is_running(self, address: str) -> bool:
        """Whether it is made just now; a slot's papers may be searched or judged just now as
        well."""
        running = self.marks.running
        return bool(running) and not running.isdisjoint(
            (address, f"{address}.cands", f"{address}.rel")
        )

    def _arena(self) -> Row:
        leader = hidden_matches(self.state) or self._leader()
        picked = f", your idea {self.state.pick}/idea" if self.state.pick else ""
        return Row("A", 0, RowKind.ARENA, "A", f"arena: {leader}{picked}")

    def _leader(self) -> str:
        found = arena_leader(self.state)
        return (
            f"{found} leads"
            if found
            else "no idea leads"
            if pairs(self.state)
            else "no matches yet"
        )


@dataclass(frozen=True)
class RowMatch:
    """A row that says the words. ``where`` names the part, such as ``CARD``; empty for its title
    and its address."""

    address: str
    where: str


@dataclass(frozen=True)
class Index:
    """The folded texts of every row, in the order of the tree. ``seq`` is the state that they were
    taken from."""

    seq: int
    texts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    def find(self, words: str, named: str = "") -> list[RowMatch]:
        """The rows that hold the words (as they stand, upper and lower case alike), from the top,
        and the one whose address they are."""
        wanted = folded(words)
        if not wanted:
            return []
        hits = (
            (address, next((name for name, text in parts if wanted in text), None))
            for address, parts in self.texts
        )
        return [
            RowMatch(address, where or "")
            for address, where in hits
            if where is not None or address == named
        ]


def index(state: State, methods: SessionMethods, rows: Sequence[Row]) -> Index:
    """Read every row once. Rows that only point at others (a branch, the arena) give what their own
    line says."""
    return Index(state.seq, tuple((row.address, _parts(state, methods, row)) for row in rows))


def _parts(state: State, methods: SessionMethods, row: Row) -> tuple[tuple[str, str], ...]:
    line = ("", folded(f"{row.label} {row.title} {row.year or ''} {note(row)}"))
    if parse_address(row.address).part == "branch":
        return (line,)
    return (
        line,
        *(
            (heading or "its text", folded(text))
            for heading, text in detail(state, methods, row.address).parts
        ),
    )


def folded(text: str) -> str:
    """Text as it is compared: no difference of case, width or composition; runs of blanks are
    one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def still_failed(
    state: State,
    failed: Mapping[str, str],
    failures: Sequence[Failure],
    fresh: Mapping[str, Freshness],
) -> dict[str, str]:
    """Failed cells and causes without those that something became of since: a newer version, a
    paper in the place, a word that it holds."""
    since = {f.address: f.after for f in failures}
    return {a: cause for a, cause in failed.items() if _open(state, a, since.get(a, 0), fresh)}


def _open(state: State, address: str, since: int, fresh: Mapping[str, Freshness]) -> bool:
    at = parse_address(address)
    if at.part in ("cands", "rel") and state.slot(str(at.slot)).since > since:
        return False
    if max(state.cell(address).versions, default=0) > since:
        return False
    return state.in_use(address) is None or fresh.get(address, MISSING).status != "kept"


def failed_checks(state: State, failures: Sequence[Failure]) -> dict[str, Failure]:
    """The novelty checks that failed after the last report was made, by the report's address: the
    report stands, and this beside it."""
    newest = {f.address: f for f in failures if parse_address(f.address).part == "nov"}
    return {
        a: f for a, f in newest.items() if (made := state.cell(a).versions) and f.after >= max(made)
    }


def failed_at(row: str, failed: Mapping[str, str]) -> str:
    """The failed cell that a row stands for: itself, or the list or verdict of a slot; empty for
    none."""
    return next((a for a in (row, f"{row}.cands", f"{row}.rel") if a in failed), "")
