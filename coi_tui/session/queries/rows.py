"""The tree of a session as plain rows: address, three marks, words. Screens, ``coi show`` and tests read the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from coi_tui.engine.freshness import MISSING, Freshness
from coi_tui.model.address import Branch, parse_address, place, slot, trend
from coi_tui.model.state import Slot, State
from coi_tui.session.queries.failures import failed_at
from coi_tui.session.queries.row import FRESH_WORDS, ORIGIN_WORDS, VERDICT_WORDS, Row
from coi_tui.session.queries.standings import arena_leader


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
        yield Row(
            "X",
            0,
            "- .",
            "X",
            "rejected and detached papers",
            note=str(len(self.state.shelf)),
            words=f"shelf, {len(self.state.shelf)} papers",
        )

    def _branch(self, branch: Branch) -> Iterator[Row]:
        asked = self.state.in_use(f"Q{branch}")
        question = asked.content["text"] if asked is not None else "no question yet"
        undecided = sum(s.verdict == "proposed" for s in self._filled.get(branch, ()))
        note = "parked" if branch in self.state.parked else f"{undecided} to do" if undecided else ""
        yield Row(str(branch), 0, "   ", str(branch), str(question), note=note, words=f"branch {branch}: {question}")
        yield self._text(f"Q{branch}", 1, "Q", str(question))
        yield from self._slots(branch)
        for part, label in (("dir", "future direction"), ("idea", "idea"), ("nov", "novelty"), ("exp", "experiment"), ("review", "review")):
            if (
                part in ("exp", "review")
                and self.state.in_use(f"{branch}/{part}") is None
                and self._missing_word(f"{branch}/{part}") == "_"
            ):
                continue
            yield self._text(f"{branch}/{part}", 1, part, self._title(f"{branch}/{part}", label))

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
        verdict = {"empty": "_", "proposed": "?", "accepted": "+", "pinned": "P"}[held.verdict]
        fresh = self._fresh_mark(address, empty=paper is None)
        origin = "L" if held.protected else "h" if held.why.get("by") == "you" else "m" if paper else " "
        title = paper.title if paper else "(empty)"
        note = {"proposed": "decide", "pinned": "pinned"}.get(held.verdict, "ANCHOR" if at.pos == 0 and paper else "")
        stale = self.fresh.get(address, MISSING).status == "upstream"
        broken = fresh == "!" and paper is not None
        words = f"{address} {role}, {title}{f', {paper.year}' if paper and paper.year else ''}, {self._words(verdict, fresh, origin)}"
        return Row(address, 1, verdict + fresh + origin, place(at.pos), title, str(paper.year or "") if paper else "",
                   "failed" if broken else "stale^" if stale else note, words, broken or held.verdict == "proposed")  # fmt: skip

    def _text(self, address: str, depth: int, label: str, title: str) -> Row:
        cell, version = self.state.cell(address), self.state.in_use(address)
        verdict = "x" if cell.rejected else "+" if cell.accepted or cell.lock is not None else "?" if version else "-"
        if parse_address(address).part in ("topic", "Q", "nov", "review", "match"):
            verdict = "x" if cell.rejected else "+" if cell.lock is not None else "-"
        fresh = self._fresh_mark(address, empty=version is None)
        status = self.fresh.get(address, MISSING)
        note = {"~": "STALE", ":": "stale^", "*": "running", "!": "failed"}.get(fresh, "")
        if address in self.drafts:
            note = "draft"
        elif status.choice_waits:
            note = "choice waits"
        elif status.status == "kept":
            note = "kept by you"
        elif not note and version is not None and version.by_person:
            note = "edited"
        needs = fresh == "!" or status.choice_waits or status.status in ("stale", "upstream")
        origin = self._origin(address)
        said = "your draft is not saved yet" if note == "draft" else note
        if fresh == "!" and version is not None:
            old = {"stale": ", stale", "upstream": ", stale upstream"}.get(status.status, "")
            said = f"the text before it is in use{old}" + (f", {said}" if note not in ("", "failed") else "")
        words = ", ".join(part for part in (f"{address} {label}", self._words(verdict, fresh, origin), said) if part)
        return Row(address, depth, verdict + fresh + origin, label, title, "", note, words, needs)

    def _origin(self, address: str) -> str:
        cell, version = self.state.cell(address), self.state.in_use(address)
        if cell.protected:
            return "L"
        if version is None:
            return " "
        if version.by_person:
            return "e" if version.parents else "h"
        return {"model": "m", "scripted": "m", "drafter": "d"}.get(version.origin, "s")

    def _fresh_mark(self, address: str, *, empty: bool) -> str:
        if self.running and not self.running.isdisjoint((address, f"{address}.cands", f"{address}.rel")):
            return "*"  # a place whose papers are searched or judged just now as well
        if failed_at(address, self.failed):
            return "!"
        if empty:
            return "_"
        return {"fresh": ".", "kept": ".", "stale": "~", "upstream": ":", "missing": "_"}[self.fresh.get(address, MISSING).status]

    def _missing_word(self, address: str) -> str:
        return self._fresh_mark(address, empty=self.state.in_use(address) is None)

    def _words(self, verdict: str, fresh: str, origin: str) -> str:
        said = [VERDICT_WORDS[verdict], FRESH_WORDS[fresh], ORIGIN_WORDS[origin]]
        return ", ".join(w for w in said if w and w != "no verdict applies")

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
        return Row("A", 0, "- .", "A", f"arena: {leader}{picked}", words=f"arena, {leader}{picked}")
