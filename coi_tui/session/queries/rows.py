"""The tree of a session as typed rows. Screens, ``coi show`` and tests read the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from coi_tui.engine.freshness import MISSING, Freshness
from coi_tui.model.address import Branch, parse_address, place, slot, trend
from coi_tui.model.state import Slot, State
from coi_tui.session.queries.failures import failed_at
from coi_tui.session.queries.row import Row, RowKind, RowOrigin, Status, Verdict
from coi_tui.session.queries.standings import arena_leader

VERDICTS = {"empty": Verdict.EMPTY, "proposed": Verdict.UNDECIDED, "accepted": Verdict.ACCEPTED, "pinned": Verdict.PINNED}
STATUSES = {
    "fresh": Status.FRESH, "kept": Status.KEPT, "stale": Status.STALE, "upstream": Status.UPSTREAM, "missing": Status.MISSING,
}  # fmt: skip


def rows(
    state: State, fresh: Mapping[str, Freshness], failed: Mapping[str, str] | None = None, running: frozenset[str] = frozenset(),
    drafts: Collection[str] = (),
) -> list[Row]:  # fmt: skip
    """Every row, top to bottom. ``drafts``: addresses with a text that is being written."""
    return list(_Rows(state, fresh, failed or {}, running, drafts).all())


class _Rows:
    def __init__(
        self, state: State, fresh: Mapping[str, Freshness], failed: Mapping[str, str], running: frozenset[str], drafts: Collection[str]
    ) -> None:
        self.state, self.fresh, self.failed, self.running, self.drafts = state, fresh, failed, running, drafts
        self._filled: dict[Branch, list[Slot]] = {}
        for held in sorted((s for s in state.slots.values() if s.paper), key=lambda s: s.pos):
            self._filled.setdefault(held.branch, []).append(held)

    def all(self) -> Iterator[Row]:
        topic = self.state.value("topic#text") or ""
        yield self._text("topic", 0, "topic", str(topic))
        for branch in self.state.branches:
            yield from self._branch(branch)
        yield self._arena()
        matches = sorted(a for a in self.state.cells if a.startswith("A/"))
        for address in matches:
            at = parse_address(address)
            yield self._text(address, 1, f"{at.branch}-{at.other}", f"match {at.branch}/idea against {at.other}/idea")
        yield Row("X", 0, RowKind.SHELF, "X", "rejected and detached papers", count=len(self.state.shelf))

    def _branch(self, branch: Branch) -> Iterator[Row]:
        asked = self.state.in_use(f"Q{branch}")
        question = asked.content["text"] if asked is not None else "no question yet"
        undecided = sum(s.verdict == "proposed" for s in self._filled.get(branch, ()))
        parked = branch in self.state.parked
        yield Row(str(branch), 0, RowKind.BRANCH, str(branch), str(question), parked=parked, undecided=undecided)
        yield self._text(f"Q{branch}", 1, "Q", str(question))
        yield from self._slots(branch)
        for part, label in (("dir", "future direction"), ("idea", "idea"), ("nov", "novelty"), ("exp", "experiment"), ("review", "review")):
            row = self._text(f"{branch}/{part}", 1, part, self._title(f"{branch}/{part}", label))
            if part in ("exp", "review") and not (row.made or row.running or row.failed):
                continue
            yield row

    def _slots(self, branch: Branch) -> Iterator[Row]:
        inside = {0} | self._gaps(branch)
        places = sorted(inside | self._open_ends(branch))
        for pos in places:
            address = slot(branch, pos)
            yield self._slot(address)
            if self.state.slot(address).paper is not None:
                yield self._text(f"{address}.card", 2, "card", "card")
            if pos in inside and pos + 1 in inside:
                yield self._text(trend(branch, pos), 1, f"{place(pos)}..{place(pos + 1)}", "trend")

    def _gaps(self, branch: Branch) -> set[int]:
        places = [s.pos for s in self._filled.get(branch, ())]
        return set(range(min([0, *places]), max([0, *places]) + 1)) if places else set()

    def _open_ends(self, branch: Branch) -> set[int]:
        """Empty places at the ends that have candidates or once held a paper: one can be chosen or pinned there."""
        chain = self.state.chain(branch)
        left = {i.pos for i in self.state.shelf if i.branch == branch}
        ends = {chain[0] - 1, chain[-1] + 1} if chain else set()
        failed = {pos for pos in ends if failed_at(slot(branch, pos), self.failed)}
        return failed | {pos for pos in ends if pos in left or self.state.in_use(f"{slot(branch, pos)}.cands") is not None}

    def _slot(self, address: str) -> Row:
        held = self.state.slot(address)
        at = parse_address(address)
        role = "anchor" if at.pos == 0 else "predecessor" if at.pos < 0 else "successor"
        paper = self.state.papers.get(held.paper) if held.paper else None
        chosen = RowOrigin.YOURS if held.why.get("by") == "you" else RowOrigin.MODEL if paper else RowOrigin.NONE
        return Row(
            address, 1, RowKind.SLOT, place(at.pos), paper.title if paper else "(empty)", paper.year if paper else None,
            VERDICTS[held.verdict], self._status(address, paper is not None), chosen, role, made=paper is not None,
            protected=held.protected, running=self._is_running(address), failed=bool(failed_at(address, self.failed)),
        )  # fmt: skip

    def _text(self, address: str, depth: int, label: str, title: str) -> Row:
        cell, version = self.state.cell(address), self.state.in_use(address)
        fresh = self.fresh.get(address, MISSING)
        return Row(
            address, depth, RowKind.TEXT, label, title, None, self._verdict(address), self._status(address, version is not None),
            self._origin(address), made=version is not None, protected=cell.protected, running=self._is_running(address),
            failed=bool(failed_at(address, self.failed)), draft=address in self.drafts, choice_waits=fresh.choice_waits,
            by_you=version is not None and version.by_person,
        )  # fmt: skip

    def _verdict(self, address: str) -> Verdict:
        cell = self.state.cell(address)
        if cell.rejected:
            return Verdict.REJECTED
        if parse_address(address).part in ("topic", "Q", "nov", "review", "match"):
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
        made_by = {"model": RowOrigin.MODEL, "scripted": RowOrigin.MODEL, "drafter": RowOrigin.DRAFTER}
        return made_by.get(version.origin, RowOrigin.SOURCE)

    def _status(self, address: str, made: bool) -> Status:
        return STATUSES[self.fresh.get(address, MISSING).status] if made else Status.MISSING

    def _is_running(self, address: str) -> bool:
        """Whether it is made just now; a slot's papers may be searched or judged just now as well."""
        return bool(self.running) and not self.running.isdisjoint((address, f"{address}.cands", f"{address}.rel"))

    def _title(self, address: str, label: str) -> str:
        version = self.state.in_use(address)
        if version is None:
            return label
        part = parse_address(address).part
        if part == "idea":
            return str(version.content["title"])
        if part == "nov":
            counts = version.content["counts"]
            return (
                f"{version.content['verdict']}: {counts['close match']} close, {counts['partial']} partial, {counts['not close']} not close"
            )
        if part == "review":
            return f"review, {len(version.content['points'])} points"
        return label

    def _arena(self) -> Row:
        found = arena_leader(self.state)
        leader = f"{found} leads" if found else "no matches yet"
        picked = f", your pick {self.state.pick}/idea" if self.state.pick else ""
        return Row("A", 0, RowKind.ARENA, "A", f"arena: {leader}{picked}")
