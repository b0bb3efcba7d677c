"""What has been: the versions of a text, the shelf, the log of decisions, as plain rows for
screens; and what was spent, by task and model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from coi_tui.methods.base.cell_table import title_of
from coi_tui.methods.base.reads import FACETS
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import ShelfItem
from coi_tui.methods.ideas.model_drafts import ModelDraftsTask
from coi_tui.model.entries import Call, Decision, Version, named
from coi_tui.model.fold import undone_groups
from coi_tui.model.money import ASKING, Money
from coi_tui.model.state import Cell, State, parent_name, version_name, version_number
from coi_tui.model.text import joined, listed

MADE = {"scripted": "model", "person": "yours"}
"""What an origin is called, where that is not its own word."""


@dataclass(frozen=True)
class VersionLine:
    """A version: its ``number`` as it is shown, counted within its cell from 1, who made it, when,
    from which versions (of itself: v1), and whether it is in use, or why it stands beside.
    """

    seq: int
    number: int
    origin: str
    maker: str
    time: str
    cost_usd: float | None
    parents: tuple[str, ...]
    standing: str
    in_use: bool
    wording_only: bool

    @property
    def by(self) -> str:
        """Who made it, without what its origin says already."""
        return f"{self.maker} ".removeprefix(f"{self.origin} ").strip()


def versions(state: State, address: str) -> list[VersionLine]:
    """The versions of a text, newest first."""
    found, cell, used = list[VersionLine](), state.cell(address), state.in_use(address)
    drafts = open_drafts(state, address)
    for seq in reversed(cell.versions):
        v, draft = state.versions[seq], drafts.get(seq)
        origin = "edited" if v.origin == "person" and v.parents else MADE.get(v.origin, v.origin)
        makers = (v.recipe.get(name) for name in ("served", "model", "source"))
        maker = f"draft {draft}" if draft else str(next(filter(None, makers), ""))
        if v.by_other or v.by_person:
            maker = named(v.actor)
        in_use = used is not None and used.seq == seq
        found.append(
            VersionLine(
                seq,
                version_number(state, address, seq),
                "proposed" if v.by_other else origin,
                maker,
                v.time,
                None if draft else v.cost_usd,
                tuple(parent_name(state, address, p) for p in v.parents),
                _standing(cell, seq, in_use),
                in_use,
                v.wording_only,
            )
        )
    return found


def open_drafts(state: State, address: str) -> dict[int, int]:
    """The drafts of several models between which a person has not chosen, numbered from 1: who wrote
    which, and for how much, is not shown until then. Empty where there is at most one."""
    cell = state.cell(address)
    found = [
        seq
        for seq in cell.versions
        if seq > cell.chosen_by and state.versions[seq].recipe.get("step") == ModelDraftsTask.name
    ]
    return {seq: n for n, seq in enumerate(found, 1)} if len(found) > 1 else {}


def _standing(cell: Cell, seq: int, in_use: bool) -> str:
    """Whether a version is in use and who holds it there, or why it stands beside."""
    if in_use:
        held = "" if cell.lock != seq else ", accepted" if cell.accepted else ", by your choice"
        return f"IN USE{held}"
    return f"not in use: {cell.beside[seq]}" if seq in cell.beside else "earlier"


def drafts_by_facet(state: State, address: str, seq: int) -> list[tuple[str, str]]:
    """Of an open draft of an idea, each facet that differs as the text in use and every draft have
    it, then those that are the same in all; nothing of another version."""
    drafts, used = open_drafts(state, address), state.in_use(address)
    if seq not in drafts or used is None:
        return []
    names = {used.seq: version_name(state, address, used.seq)}
    names |= {draft: f"draft {number}" for draft, number in drafts.items()}
    out, same = list[tuple[str, str]](), list[str]()
    for facet in FACETS:
        texts = {name: state.versions[n].content.get(facet) or "-" for n, name in names.items()}
        if len({*texts.values()}) > 1:
            lines = (f"{name}: {text}" for name, text in texts.items())
            out.append((facet.capitalize(), "\n".join(lines)))
        elif facet in state.versions[seq].content:
            same.append(facet)
    return [*out, ("The same in all", listed(same))] if same else out


@dataclass(frozen=True)
class ShelfLine:
    """A paper on the shelf: ``kind`` is rejected, replaced, detached or late; ``where`` the slot
    that it left, or all."""

    item: ShelfItem
    title: str
    where: str
    time: str


def shelf(state: State, entries: Iterable[Decision | Version]) -> list[ShelfLine]:
    """The shelf, what came last first."""
    times = {e.seq: e.time for e in entries}
    return [
        ShelfLine(item, title_of(state, item.paper), item.where, times.get(item.seq, ""))
        for item in reversed(Chains.of(state).shelf)
    ]


@dataclass(frozen=True)
class LogLine:
    """A decision, or what a run did by itself. ``mark``: undone, or void with the reason, or
    nothing.

    ``about``: the paper or version that it was about.
    """

    seq: int
    time: str
    actor: str
    action: str
    address: str
    about: str
    reason: str
    mark: str


def proposed(state: State, address: str) -> list[str]:
    """What other programs propose for a cell or a place, a line each, without the text in use."""
    used, found = state.in_use(address), list[str]()
    for one in state.offers_at(address):
        what = one.value.get("point", {}).get("point") or _about(state, one)
        if used is None or "point" in one.value or one.value.get("version") != used.seq:
            found.append(joined(": ", named(one.actor), what, one.reason))
    return found


def log(state: State, entries: list[Decision | Version]) -> list[LogLine]:
    """Every decision, newest first."""
    undone, void = undone_groups(entries), dict(state.void)
    decided = [
        LogLine(
            d.seq,
            d.time,
            d.actor,
            d.action,
            d.address,
            _about(state, d),
            d.reason,
            "undone"
            if d.group in undone and d.action not in ("undo", "redo")
            else f"void: {void[d.seq]}"
            if d.seq in void
            else "",
        )
        for d in entries
        if isinstance(d, Decision)
    ]
    return decided[::-1]


def _about(state: State, d: Decision) -> str:
    if d.action in ("undo", "redo"):
        return f"decision {d.undoes.removeprefix('d')}"
    if d.action == "ask":
        return str(d.value["wish"])
    if d.action == "note":
        return "removed" if not d.value.get("text") else ""
    if paper := d.value.get("paper"):
        title = title_of(state, paper)
        return f"your PDF {d.value['file']} of {title}" if d.action == "attach" else title
    if d.action == "fork":
        return f"branch {d.value['branch']}"
    return version_name(state, d.address, int(d.value["version"])) if "version" in d.value else ""


COST_HEAD = ("STEP", "MODEL", "CALLS", "IN", "OUT", "COST")


def cost_table(calls: Iterable[Call]) -> list[tuple[str, ...]]:
    """A row for each task and model, in the order of their first calls, with tokens as counted by
    the server or estimated, and a last row with the sums; empty where no model was asked."""
    asked = [call for call in calls if call.kind in ASKING]
    if not asked:
        return []
    groups = defaultdict[tuple[str, str], list[Call]](list)
    for call in asked:
        groups[call.step or "other", call.model_asked].append(call)
    rows = (_cost_row(*name, group) for name, group in groups.items())
    return [*rows, _cost_row("total", "", asked)]


def _cost_row(step: str, model: str, calls: list[Call]) -> tuple[str, ...]:
    sent, received = sum(c.prompt_tokens for c in calls), sum(c.completion_tokens for c in calls)
    return step, model, f"{len(calls)}", f"{sent:,}", f"{received:,}", f"{Money.of(calls)}"
