"""What putting a paper somewhere would change, worked out without writing anything."""

from __future__ import annotations

from dataclasses import dataclass, field

from coi_tui.methods.chain.slots import slot_of
from coi_tui.methods.coi.placement import placement_of
from coi_tui.model.address import cell_ref
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.state import Held, State
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.decisions.impact import Impact, difference


@dataclass(frozen=True)
class Preview:
    """What putting a paper into a slot would change. ``problem`` is set when it cannot be put
    there; then nothing else is. ``here``: it is there already."""

    problem: str = ""
    hint: str = ""
    here: bool = False
    drops_pin: bool = False
    link: str = ""
    replaced: str | None = None
    changes: Impact = field(default_factory=Impact)


def preview_of(core: SessionCore, address: str, paper: Paper) -> Preview:
    """What choosing or pinning a paper for a slot would do, or adding it to a list; nothing is
    written."""
    if core.methods.kind(address).role in ("reading", "rivals"):
        trial = core.rehearsal()
        Edits(trial).add_paper(address, paper)
        return Preview(changes=difference(core, trial, address))
    if slot_of(address) != address:
        return Preview(f"{address} is no place in a chain.", "Go to a row of a paper.")
    placed = placement_of(core.state, address, paper)
    if placed.problem:
        return Preview(placed.problem, placed.hint)
    trial = core.rehearsal()
    choice = Decision(actor="you", action="choose", address=address, value=placed.value)
    try:
        trial.write([choice], [paper])
    except UsageError as error:
        return Preview(str(error))
    now, why = core.state.held(cell_ref(address)) or Held(""), placed.value["why"]
    link = f"{why['link']} ({why['evidence']})" if why["evidence"] else why["link"]
    here = now.paper == paper.id
    return Preview(
        here=here,
        drops_pin=now.verdict == "pinned" and not here,
        link=link if cell_ref(address).pos else "",
        replaced=now.paper,
        changes=difference(core, trial, address),
    )


def words(p: Preview, state: State, verb: str = "use") -> list[tuple[str, str]]:
    """The preview as a titled part of plain text."""
    if p.problem:
        return [("Cannot be used here", f"{p.problem} {p.hint}".strip())]
    lines = []
    if p.replaced:
        known = state.papers.get(p.replaced)
        which = "the paper that you pinned" if p.drops_pin else "the paper there"
        lines.append(f"replaces {which}: {known.title if known else p.replaced}")
    if p.link:
        lines.append(f"link to its neighbour: {p.link}")
    lines.append(p.changes.sentence())
    text = "It is already here." if p.here else "\n".join(lines)
    return [(f"If you {verb} this", text)]
