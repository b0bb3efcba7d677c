"""Where a row comes from and what rests on it, in sentences (``w``, ``coi why``); and a failed step in five parts: what happened, what is intact, what was tried, what can be
done, the text to copy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from coi_tui.model.address import PAIR, SUMMARY, parse_address, ref, slot, split_ref
from coi_tui.model.content import (
    CandidateList,
    SlotReason,
    Verdicts,
)
from coi_tui.model.entries import Decision, Failure, Version
from coi_tui.model.errors import in_full
from coi_tui.model.money import dollars
from coi_tui.model.state import PDF, WISHES, Slot, State, parent_name, version_name
from coi_tui.model.text import clipped, count, listed, moment
from coi_tui.present.candidates import extent
from coi_tui.session.core import SessionCore
from coi_tui.session.queries.rows import failed_at


def why(core: SessionCore, address: str) -> list[str]:
    """Where something comes from and what it rests on, in sentences: what it is, who made it when
    and from what, why it is stale, what it feeds. Never empty."""
    failed = failure(core, address)
    after = [f"The last try failed ({failed.technical}): {failed.happened}"] if failed else []
    return [*_Explanation(core).sentences(address), *after]


def readers(core: SessionCore, address: str) -> tuple[str, ...]:
    """Which cells read an address, in the order of the tree."""
    return tuple(sorted(core.freshness_cache.readers(core.state, address), key=core.methods.order))


def unread(core: SessionCore, address: str) -> str:
    """That no text that there is was made from the one at an address, in one sentence; empty where
    one was."""
    state = core.state
    if any(state.in_use(reader) is not None for reader in readers(core, address)):
        return ""
    made_from = (name for version in state.versions.values() for name in version.inputs)
    ever = any(split_ref(name)[0] == address for name in made_from)
    return f"Nothing reads this text {'any more' if ever else 'yet'}."


def doing(core: SessionCore, address: str, step: str) -> str:
    """What a step does at an address, in words: ``trend: Protovis → Reactive Vega``."""
    at, kind, state = parse_address(address), core.methods.kind(address), core.state
    name = kind.title.lower() if kind is not None and kind.step == step else step
    places = {PAIR: 2, SUMMARY: 1}.get(at.part, 0)
    held = (state.slot(slot(at.branch, at.pos + n)).paper for n in range(places))
    titles = (clipped(state.papers[one].title.partition(":")[0], 8) for one in held if one)
    return ": ".join(filter(None, (name, " → ".join(titles))))


class _Explanation:
    """Answers for one state; ``decisions`` by number."""

    def __init__(self, core: SessionCore) -> None:
        self.core, self.state = core, core.state
        self.decisions = {decision.seq: decision for decision in core.decision_log()}

    def sentences(self, address: str) -> list[str]:
        at = parse_address(address)
        kind = self.core.methods.kind(address)
        if kind is not None and kind.explain is not None:
            return list(kind.explain(self.state, address))
        if at.part == "slot":
            return self._slot(self.state.slot(address))
        version = self.state.in_use(address)
        if version is None:
            return [self._nothing(address)]
        reach = (
            self._extent(version.seq, at.pos)
            if at.part == "cands"
            else self._rejections(version)
            if at.part == "rel"
            else []
        )
        return [
            self._in_short(version),
            *self._made(version),
            *self._inputs(version),
            *reach,
            *self._asked(version),
            *self._lock(address),
            *self._freshness(address),
            *self._beside(address),
            *self._feeds(address),
        ]

    def _nothing(self, address: str) -> str:
        beside = self.state.cell(address).beside
        if beside:
            stand = "1 version is" if len(beside) == 1 else f"{len(beside)} versions are"
            return f"Nothing is in use at {address}; {stand} ready: {', '.join(sorted(set(beside.values())))}."
        if parse_address(address).part in ("branch", "arena", "shelf"):
            return f"{address} is a summary row."
        return f"Nothing has been made at {address} yet."

    def _slot(self, place: Slot) -> list[str]:
        if place.paper is None:
            gone = [i for i in self.state.shelf if (i.branch, i.pos) == (place.branch, place.pos)]
            return [
                f"{place.address} is empty.",
                *(
                    f"{self._title(i.paper)} was {i.kind}: {i.reason or 'no reason given'}."
                    for i in gone
                ),
            ]
        reason = place.reason
        out = [
            f"{place.address} holds “{self._title(place.paper)}” ({place.paper}), {place.verdict}.",
            *self._placed(place, reason),
        ]
        if reason.link:
            out.append(
                f"Link to its neighbour: {reason.link}{f' ({reason.evidence})' if reason.evidence else ''}."
            )
        if reason.reasoning:
            out.append(f"Verdict on the candidate: {reason.grades}. {reason.reasoning}")
        return [*out, *self._freshness(place.address), *self._feeds(place.address)]

    def _placed(self, place: Slot, reason: SlotReason) -> list[str]:
        """Who put the paper there, and from which list."""
        since = self.decisions.get(place.since)
        if reason.by_you:
            return [f"You {'pinned' if place.verdict == 'pinned' else 'chose'} it{_at(since)}."]
        if reason.rank is None:
            return []
        near = f"the papers around {self._title(reason.neighbour)}"
        where = f"question {reason.question} (“{reason.query}”)" if reason.question else near
        proposed = (
            f"It was proposed{_at(since)}: rank {reason.rank} of {reason.of} for {where} in {reason.source or 'a source'}, "
            f"match {reason.score:.2f} (similarity of its text to topic and anchor, {reason.ranked})."
        )
        return [proposed, *self._extent(reason.cands, place.pos)]

    def _in_short(self, version: Version) -> str:
        """What a text rests on and whether that still holds, in one sentence."""
        address = version.address
        cells = dict.fromkeys(split_ref(name)[0] for name in version.sources or version.inputs)
        kinds = Counter(
            kind.title.lower()
            if (kind := self.core.methods.kind(cell))
            else parse_address(cell).part
            for cell in cells
            if cell != address
        )
        what = listed(
            [
                f"the {name}" if n == 1 else count(n, name, name if name.endswith("s") else "")
                for name, n in kinds.items()
            ]
        )
        rests = f"{address} was made from {what or 'nothing else in the session'}"
        if version.by_person:
            rests = f"You wrote {address}{f' with {what} in view' if what else ''}"
        fresh = self.core.freshness(address)
        changed = dict.fromkeys(split_ref(name)[0] for name in (*fresh.changed, *fresh.upstream))
        old = f"since then {listed(list(changed))} changed" if changed else "it is up to date"
        return f"{rests}; {old}{', and it still holds' if fresh.status == 'kept' else ''}."

    def _made(self, version: Version) -> list[str]:
        recipe, address = version.recipe, version.address
        who = {
            "person": "You wrote it",
            "merged": "You merged it",
            "drafter": "It was drafted without a language model",
            "source": "It was found in a source",
            "scripted": "A scripted model made it",
            "recorded": "It is a recorded reply of a language model",
        }.get(version.origin, f"{recipe.get('served') or recipe.get('model') or 'A model'} made it")
        how = (
            f" by prompt {recipe['prompt']} version {recipe['version']} ({str(recipe['hash'])[:8]})"
            if recipe.get("hash")
            else ""
        )
        cost = f" for {dollars(version.cost_usd)}" if version.cost_usd else ""
        out = [
            f"{address} is {self._named(address, version.seq)} (entry {version.seq}). {who}{how}{cost}, {moment(version.time)}."
        ]
        out += [f"Note: {change}." for change in recipe.get("changes") or ()]
        if version.wording_only:
            out.append("Only its wording was changed: what was made from it stays up to date.")
        if version.parents:
            earlier = [parent_name(self.state, address, seq) for seq in version.parents]
            own = ", ".join(name for name in earlier if "/" not in name)
            others = [name for name in earlier if "/" in name]
            out.append(
                f"It was made from {listed([*([f'{own} of itself'] if own else []), *others])}."
            )
        return out

    def _inputs(self, version: Version) -> list[str]:
        """What it was made from, cell by cell; of a person's text what stood there when the editor
        was opened."""
        if not version.sources:
            cells = dict.fromkeys(split_ref(name)[0] for name in version.inputs)
            return [f"Written with these in view: {', '.join(cells)}."] if cells else []
        read = ((split_ref(name)[0], source) for name, source in version.sources.items())
        named = dict.fromkeys(f"{cell} {self._source(cell, source)}" for cell, source in read)
        return [f"Read for it: {'; '.join(named)}."]

    def _extent(self, seq: int | None, pos: int) -> list[str]:
        """How far the candidate list of that number reaches."""
        listed = self.state.versions.get(seq or 0)
        reach = extent(self.state.content(listed, CandidateList), pos) if listed is not None else ""
        return [f"Its list: {reach}."] if reach else []

    def _rejections(self, version: Version) -> list[str]:
        """What the verdicts knew of papers that the researcher rejected."""
        reasons = "; ".join(
            f"“{item.title}”: {item.reason}"
            for item in self.state.content(version, Verdicts).turned_down
        )
        return (
            [f"The verdicts were told why you rejected other papers: {reasons}."] if reasons else []
        )

    def _asked(self, version: Version) -> list[str]:
        """What the researcher asked of the text, where it was made so."""
        name = ref(version.address, WISHES)
        wishes = (
            "; ".join(f"“{wish}”" for wish in self.state.value(name) or ())
            if name in version.inputs
            else ""
        )
        return [f"As you asked: {wishes}."] if wishes else []

    def _lock(self, address: str) -> list[str]:
        cell = self.state.cell(address)
        out = (
            ["Your text stays in use; newer results become other versions."]
            if cell.lock is not None
            else []
        )
        if cell.protected:
            out.append("You protected it: plans leave it out.")
        return out

    def _freshness(self, address: str) -> list[str]:
        f = self.core.fresh.get(address)
        if f is None or f.status in ("fresh", "missing"):
            return []
        if f.status == "kept":
            by = self.decisions.get(self.state.cell(address).kept_by)
            return [
                f"You said that it still holds{_at(by)}: it counts as up to date until an input changes again."
            ]
        if f.status == "upstream":
            return [f"Stale upstream: {', '.join(f.upstream)} is not up to date."]
        out = [f"Stale: it needs {need}, which is empty." for need in f.needs]
        out += dict.fromkeys(map(self._changed, f.changed))
        if f.choice_waits:
            out.append(
                "A newer version, made from the current inputs, waits for you to compare it with yours."
            )
        return out

    def _changed(self, name: str) -> str:
        cell, field = split_ref(name)
        if field == WISHES and self.state.cell(cell).wishes:
            return f"Stale because you asked for it otherwise{self._who_changed(name)}: it was not made so yet."
        if field != PDF:
            return f"Stale because {cell} changed{self._who_changed(name)}."
        own = self.state.value(name)
        if own is None:
            return f"Stale because your PDF is not attached to {cell} any more."
        return f"Stale because you attached your PDF {own['file']} to {cell}: this was read without it."

    def _who_changed(self, name: str) -> str:
        source = self.state.source(name)
        if not source:
            return " (it is gone)"
        number = int(source[1:])
        entry = self.decisions.get(number) if source[0] == "d" else self.state.versions.get(number)
        return f" ({entry.actor}, {moment(entry.time)})" if entry else ""

    def _beside(self, address: str) -> list[str]:
        return [
            f"{self._named(address, seq)} is not in use: {why}."
            for seq, why in sorted(self.state.cell(address).beside.items())
        ]

    def _feeds(self, address: str) -> list[str]:
        feeds = readers(self.core, address)
        return [f"It feeds {', '.join(feeds)}."] if feeds else []

    def _named(self, address: str, seq: int) -> str:
        return version_name(self.state, address, seq)

    def _source(self, cell: str, source: str) -> str:
        """Where a field came from: a version of its cell, or a decision by its entry number."""
        kind, number = source[:1], int(source[1:])
        return self._named(cell, number) if kind == "v" else f"(decision, entry {number})"

    def _title(self, paper: str) -> str:
        known = self.state.papers.get(paper)
        return known.title if known else paper


def _at(entry: Decision | None) -> str:
    return f" on {moment(entry.time)}" if entry is not None and entry.time else ""


KINDS = {
    "limited": "A key of your own gets a steadier share.",
    "offline": "This session works offline.",
    "reply": "The answer is kept raw: $ shows it.",
}
"""What the cause does not say by itself, by the kind of a failure."""


@dataclass(frozen=True)
class FailureReport:
    """``address`` is the cell whose step failed, which may be the candidate list behind the row."""

    address: str
    title: str
    happened: str
    intact: str
    tried: str
    technical: str
    growing: bool
    """True for a search beyond the end of a chain: the chain can be kept as long as it is."""


def failure(core: SessionCore, row: str) -> FailureReport | None:
    """The failed step of a row in five parts; None where none failed."""
    state, failed = core.state, core.still_failed
    address = failed_at(row, failed)
    if not address:
        return None
    own = [f for f in core.journal.failures if f.address == address]
    last = own[-1] if own else Failure(address=address, step="", cause=failed[address])
    happened = "\n".join(dict.fromkeys(p for p in (in_full(last), KINDS.get(last.kind, "")) if p))
    tried = "\n".join(f"{f.time.replace('T', ' ')[:19]}  {f.step}" for f in own) or "once"
    technical = (
        f"step {last.step or '?'} at {address}, job {last.job}, kind {last.kind or 'unknown'}"
    )
    return FailureReport(
        address,
        _title(state, row, address),
        happened,
        _intact(state, address),
        tried,
        technical,
        _growing(state, address),
    )


def _growing(state: State, address: str) -> bool:
    at = parse_address(address)
    return at.part in ("cands", "rel") and at.pos != 0 and state.slot(str(at.slot)).paper is None


def _intact(state: State, address: str) -> str:
    if state.in_use(address) is not None:
        return f"The version of {address} in use before is still in use. Everything else is saved."
    return "Everything made before. Saved."


def _title(state: State, row: str, address: str) -> str:
    if address == row:
        return f"{row} could not be made{' again' if state.in_use(row) is not None else ''}"
    return (
        f"{address} could not be made; the paper of {row} stays"
        if state.slot(row).paper is not None
        else f"{row} could not be made"
    )
