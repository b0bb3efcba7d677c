"""Where a row comes from and what rests on it, in sentences (``w``, ``coi why``); and a failed task in five parts: what happened, what is intact, what was tried, what can be
done, the text to copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from coi_tui.methods.chain.chains import PDF
from coi_tui.model.address import cell_ref, ref, slot, split_ref
from coi_tui.model.entries import Decision, Failure, Version, named
from coi_tui.model.errors import in_full
from coi_tui.model.money import dollars
from coi_tui.model.state import WISHES, State, parent_name, version_name
from coi_tui.model.text import clipped, count, joined, listed, moment
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
    if any(state.in_use(reader) for reader in readers(core, address)):
        return ""
    made_from = (name for version in state.versions.values() for name in version.inputs)
    ever = any(split_ref(name)[0] == address for name in made_from)
    return f"Nothing reads this text {'any more' if ever else 'yet'}."


def doing(core: SessionCore, address: str, step: str) -> str:
    """What a task does at an address, in words: ``trend: Protovis → Reactive Vega``."""
    at, kind, state = cell_ref(address), core.methods.kind(address), core.state
    name = kind.title.lower() if kind.task == step else step
    places = {"pair": 2, "attached": int(kind.role == "summary")}.get(at.form, 0)
    papers = state.held_papers()
    held = (papers.get(slot(at.branch, at.pos + n)) for n in range(places))
    titles = (clipped(state.papers[one].title.partition(":")[0], 8) for one in held if one)
    return joined(": ", name, " → ".join(titles))


class _Explanation:
    """Answers for one state; ``decisions`` by number."""

    def __init__(self, core: SessionCore) -> None:
        self.core, self.state = core, core.state
        self.decisions = {decision.seq: decision for decision in core.decision_log()}

    def sentences(self, address: str) -> Iterator[str]:
        state, explain = self.state, self.core.methods.kind(address).explain
        if explain:
            yield from explain(state, address, lambda seq: _at(self.decisions.get(seq)))
            if cell_ref(address) not in self.core.fresh:
                return
        elif (version := state.in_use(address)) is None:
            yield self._nothing(address)
            return
        else:
            yield from self._version(address, version)
        yield from self._freshness(address)
        for seq, why in sorted(state.cell(address).beside.items()):
            yield f"{version_name(self.state, address, seq)} is not in use: {why}."
        if feeds := readers(self.core, address):
            yield f"It feeds {', '.join(feeds)}."

    def _version(self, address: str, version: Version) -> Iterator[str]:
        """How the version in use was made, and what a person said of it."""
        cell = self.state.cell(address)
        yield self._in_short(version)
        yield from self._made(version)
        yield from self._inputs(version)
        yield from self.core.methods.kind(address).remarks(self.state, version)
        asked = ref(address, WISHES)
        if asked in version.inputs and (wishes := self.state.value(asked)):
            yield f"As you asked: {'; '.join(f'“{wish}”' for wish in wishes)}."
        if cell.lock is not None:
            yield "Your text stays in use; newer results become other versions."
        if cell.protected:
            yield "You protected it: plans leave it out."

    def _nothing(self, address: str) -> str:
        if beside := self.state.cell(address).beside:
            stand = count(len(beside), "version is", "versions are")
            return f"Nothing is in use at {address}; {stand} ready: {', '.join(sorted(set(beside.values())))}."
        if self.core.methods.kind(address).content is None:
            return f"{address} is a summary row."
        return f"Nothing has been made at {address} yet."

    def _in_short(self, version: Version) -> str:
        """What a text rests on and whether that still holds, in one sentence."""
        address = version.address
        cells, kind = _cells(version.sources or version.inputs), self.core.methods.kind
        kinds = Counter(kind(cell).title.lower() for cell in cells if cell != address)
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
        changed = _cells((*fresh.changed, *fresh.upstream))
        old = f"since then {listed(changed)} changed" if changed else "it is up to date"
        return f"{rests}; {old}{', and it still holds' if fresh.status == 'kept' else ''}."

    def _made(self, version: Version) -> Iterator[str]:
        recipe, address = version.recipe, version.address
        cost = f" for {dollars(version.cost_usd)}" if version.cost_usd else ""
        yield f"{address} is {version_name(self.state, address, version.seq)} (entry {version.seq}). {_writer(version)}{cost}, {moment(version.time)}."
        yield from (f"Note: {change}." for change in recipe.get("changes") or ())
        if version.wording_only:
            yield "Only its wording was changed: what was made from it stays up to date."
        if version.parents:
            earlier = [parent_name(self.state, address, seq) for seq in version.parents]
            own = ", ".join(name for name in earlier if "/" not in name)
            others = [name for name in earlier if "/" in name]
            yield f"It was made from {listed([*([f'{own} of itself'] if own else []), *others])}."

    def _inputs(self, version: Version) -> Iterator[str]:
        """What it was made from, cell by cell; of a person's text what stood there when the editor
        was opened."""
        if version.sources:
            read = ((split_ref(name)[0], source) for name, source in version.sources.items())
            named = dict.fromkeys(f"{cell} {self._source(cell, source)}" for cell, source in read)
            yield f"Read for it: {'; '.join(named)}."
        elif cells := _cells(version.inputs):
            yield f"Written with these in view: {', '.join(cells)}."

    def _freshness(self, address: str) -> Iterator[str]:
        f = self.core.fresh.get(address)
        if f is None or f.status in ("fresh", "missing"):
            return
        if f.status == "kept":
            by = self.decisions.get(self.state.cell(address).kept_by)
            yield f"You said that it still holds{_at(by)}: it counts as up to date until an input changes again."
            return
        if f.status == "upstream":
            yield f"Stale upstream: {', '.join(f.upstream)} is not up to date."
            return
        yield from (f"Stale: it needs {need}, which is empty." for need in f.needs)
        yield from dict.fromkeys(map(self._changed, f.changed))
        if f.choice_waits:
            yield "A newer version, made from the current inputs, waits for you to compare it with yours."

    def _changed(self, name: str) -> str:
        cell, field = split_ref(name)
        if field == WISHES and self.state.cell(cell).wishes:
            return f"Stale because you asked for another text{self._who_changed(name)}, which has not been written yet."
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

    def _source(self, cell: str, source: str) -> str:
        """Where a field came from: a version of its cell, or a decision by its entry number."""
        number = int(source[1:])
        decision = f"(decision, entry {number})"
        return version_name(self.state, cell, number) if source[0] == "v" else decision


def _cells(references: Iterable[str]) -> list[str]:
    """The cells of some references, each once."""
    return [*dict.fromkeys(split_ref(name)[0] for name in references)]


def _writer(version: Version) -> str:
    """Who wrote a version, and by which prompt."""
    recipe = version.recipe
    who = {
        "person": "You wrote it",
        "merged": "You merged it",
        "drafter": "It was drafted without a language model",
        "source": "It was found in a source",
        "scripted": "A scripted model made it",
        "recorded": "It is a recorded reply of a language model",
        "reviewed": "It is a text of the session under review",
    }.get(version.origin, f"{recipe.get('served') or recipe.get('model') or 'A model'} made it")
    if version.by_other:
        who = f"{named(version.actor)} wrote it"
    if not recipe.get("hash"):
        return who
    return f"{who} by prompt {recipe['prompt']} version {recipe['version']} ({str(recipe['hash'])[:8]})"


def _at(entry: Decision | None) -> str:
    """When a decision was made, as the end of a sentence."""
    return f" on {moment(entry.time)}" if entry and entry.time else ""


KINDS = {
    "limited": "A key of your own gets a steadier share.",
    "offline": "This session works offline.",
    "reply": "The answer is kept raw: $ shows it.",
}
"""What the cause does not say by itself, by the kind of a failure."""


@dataclass(frozen=True)
class FailureReport:
    """``address`` is the cell whose task failed, which may be the candidate list behind the row."""

    address: str
    title: str
    happened: str
    intact: str
    tried: str
    technical: str
    growing: bool
    """True for a search beyond the end of a chain: the chain can be kept as long as it is."""


def _title(state: State, row: str, failed: str) -> str:
    if failed != row and cell_ref(row) in state.held_papers():
        return f"{failed} could not be made; the paper of {row} stays"
    again = failed == row and state.in_use(failed) is not None
    return f"{row} could not be made{' again' if again else ''}"


def failure(core: SessionCore, row: str) -> FailureReport | None:
    """The failed task of a row in five parts; None where none failed."""
    state, failed = core.state, core.still_failed
    address = failed_at(core.methods, row, failed)
    if not address:
        return None
    own = [f for f in core.journal.failures if f.address == address]
    last = own[-1] if own else Failure(address=address, step="", cause=failed[address])
    happened = "\n".join(dict.fromkeys(p for p in (in_full(last), KINDS.get(last.kind, "")) if p))
    tried = "\n".join(f"{f.time.replace('T', ' ')[:19]}  {f.step}" for f in own) or "once"
    technical = (
        f"task {last.step or '?'} at {address}, job {last.job}, kind {last.kind or 'unknown'}"
    )
    at, made = cell_ref(address), state.in_use(address) is not None
    growing = (
        not core.methods.kind(at).has_row and at.pos != 0 and at.slot not in state.held_papers()
    )
    before = f"The version of {address} in use before is still in use. Everything else is saved."
    intact = before if made else "Everything made before. Saved."
    title = _title(state, row, address)
    return FailureReport(address, title, happened, intact, tried, technical, growing)
