"""Where something comes from and what it rests on, in sentences (``w``, ``coi why``; ux.md 4.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coi_tui.engine.freshness import Freshness
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import parse_address, split_ref
from coi_tui.model.entries import Decision, Version
from coi_tui.model.naming import version_name
from coi_tui.model.state import PDF, Slot, State
from coi_tui.session.queries.list_facts import extent


class Why:
    """Answers for one state; ``decisions`` by number."""

    def __init__(
        self, state: State, fresh: Mapping[str, Freshness], methods: SessionMethods, entries: Sequence[Decision | Version]
    ) -> None:  # fmt: skip
        self.state, self.fresh, self.methods = state, fresh, methods
        self.decisions = {e.seq: e for e in entries if isinstance(e, Decision)}

    def sentences(self, address: str) -> list[str]:
        """What it is, who made it when and from what, why it is stale, what it feeds. Never empty."""
        at = parse_address(address)
        kind = self.methods.kind(address)
        if kind is not None and kind.explain is not None:
            return list(kind.explain(self.state, address))
        if at.part == "slot":
            return self._slot(self.state.slot(address))
        version = self.state.in_use(address)
        if version is None:
            return [self._nothing(address)]
        reach = self._extent(version.seq, at.pos) if at.part == "cands" else self._told(version) if at.part == "rel" else []
        return [
            *self._made(version),
            *reach,
            *self._lock(address),
            *self._freshness(address),
            *self._beside(address),
            *self._feeds(address),
        ]

    def _nothing(self, address: str) -> str:
        beside = self.state.cell(address).beside
        if beside:
            return f"Nothing is in use at {address}; {len(beside)} version(s) stand beside it: {', '.join(sorted(set(beside.values())))}."
        return f"Nothing has been made at {address} yet."

    def _slot(self, place: Slot) -> list[str]:
        if place.paper is None:
            gone = [i for i in self.state.shelf if (i.branch, i.pos) == (place.branch, place.pos)]
            return [f"{place.address} is empty.", *(f"{self._title(i.paper)} was {i.kind}: {i.reason or 'no reason given'}." for i in gone)]
        why, since = place.why, self.decisions.get(place.since)
        out = [f"{place.address} holds “{self._title(place.paper)}” ({place.paper}), {place.verdict}."]
        if why.get("by") == "you":
            out.append(f"You {'pinned' if place.verdict == 'pinned' else 'chose'} it{_at(since)}.")
        elif "rank" in why:
            near = f"the papers around {self._title(str(why.get('neighbour', '')))}"
            where = f"question {why['question']} (“{why['query']}”)" if "question" in why else near
            out.append(
                f"It was proposed{_at(since)}: rank {why['rank']} of {why['of']} for {where} in {why.get('source') or 'a source'}, "
                f"match {float(why['score']):.2f} (likeness of text to topic and anchor, {why['ranked']})."
            )
            out += self._extent(why.get("cands"), place.pos)
        if why.get("link"):
            evidence = f" ({why['evidence']})" if why.get("evidence") else ""
            out.append(f"Link to its neighbour: {why['link']}{evidence}.")
        if why.get("reasoning"):
            out.append(f"Verdict on the candidate: relevant. {why['reasoning']}")
        return [*out, *self._freshness(place.address), *self._feeds(place.address)]

    def _made(self, version: Version) -> list[str]:
        recipe = version.recipe
        who = {
            "person": "You wrote it", "merged": "You merged it", "drafter": "It was drafted without a language model",
            "source": "It was found in a source", "scripted": "A scripted model made it",
        }.get(version.origin, f"{recipe.get('served') or recipe.get('model') or 'A model'} made it")  # fmt: skip
        how = f" by prompt {recipe['prompt']} version {recipe['version']} ({str(recipe['hash'])[:8]})" if recipe.get("hash") else ""
        cost = f" for ${version.cost_usd:.4f}" if version.cost_usd else ""
        address = version.address
        out = [f"{address} is {self._named(address, version.seq)} (entry {version.seq}). {who}{how}{cost}, {version.time}."]
        out += [f"Note: {change}." for change in recipe.get("changes") or ()]
        if version.wording_only:
            out.append("It was saved as wording only: what reads it stays fresh.")
        if version.parents:
            earlier = ", ".join(self._named(address, seq) for seq in version.parents)
            out.append(f"It was made from {earlier} of itself.")
        cells: dict[str, list[str]] = {}
        for name in version.inputs:
            cell, field = split_ref(name)
            source = self._source(cell, version.sources[name]) if name in version.sources else "(none)"
            cells.setdefault(cell, []).append(f"{field} {source}")
        if cells and not version.sources:  # a person's text: what stood there when the editor was opened
            out.append(f"Written with these in view: {', '.join(cells)}.")
        elif cells:
            out.append("Made from " + "; ".join(f"{cell}: {', '.join(fields)}" for cell, fields in cells.items()) + ".")
        return out

    def _extent(self, seq: int | None, pos: int) -> list[str]:
        """How far the candidate list of that number reaches."""
        listed = self.state.versions.get(seq or 0)
        reach = extent(listed.content, pos) if listed is not None else ""
        return [f"Its list: {reach}."] if reach else []

    def _told(self, version: Version) -> list[str]:
        """What the verdicts knew of the researcher's wishes."""
        said = version.content.get("turned_down") or []
        reasons = "; ".join(f"“{item['title']}”: {item['reason']}" for item in said)
        return [f"The verdicts were told why you rejected other papers: {reasons}."] if said else []

    def _lock(self, address: str) -> list[str]:
        cell = self.state.cell(address)
        out = ["Your text stays in use; newer results stand beside it."] if cell.lock is not None else []
        if cell.protected:
            out.append("You protected it: plans leave it out.")
        return out

    def _freshness(self, address: str) -> list[str]:
        f = self.fresh.get(address)
        if f is None or f.status in ("fresh", "missing"):
            return []
        if f.status == "kept":
            by = self.decisions.get(self.state.cell(address).kept_by)
            return [f"Kept by you{_at(by)}: it counts as fresh until an input changes again."]
        if f.status == "upstream":
            return [f"Stale upstream: {', '.join(f.upstream)} is not up to date."]
        out = [f"Stale: it needs {need}, which is empty." for need in f.needs]
        out += [self._changed(name) for name in f.changed]
        if f.choice_waits:
            out.append("Your choice waits: an alternative made from the current inputs stands beside your text.")
        return out

    def _changed(self, name: str) -> str:
        cell, field = split_ref(name)
        if field != PDF:
            return f"Stale because {cell} ({field}) changed{self._who_changed(name)}."
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
        return f" ({entry.actor}, {entry.time})" if entry else ""

    def _beside(self, address: str) -> list[str]:
        return [f"{self._named(address, seq)} stands beside it: {why}." for seq, why in sorted(self.state.cell(address).beside.items())]

    def _feeds(self, address: str) -> list[str]:
        feeds = []
        for other in self.state.cells:
            step = self.methods.step(other)
            if step is not None and other != address and any(r.cell == address and not r.parent for r in step.reads(self.state, other)):
                feeds.append(other)
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
    return f" on {entry.time}" if entry is not None and entry.time else ""
