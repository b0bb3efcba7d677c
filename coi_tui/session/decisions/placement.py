"""A paper put into a slot or taken out: whether it may stand there, and what happens to its
neighbours.

Worked out once, without writing anything, and recorded in the decision, so that folding the log
never asks the library.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from coi_tui.model.address import Branch, parse_address, slot, slot_of
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Link, Paper
from coi_tui.model.state import State
from coi_tui.services.sources.time_cut import known_by
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.impact import Impact, difference
from coi_tui.session.papers.known_links import KnownLinks

LinkBetween = Callable[[str, str], Link | None]
"""Given a newer and an older paper's id: the known link by which the newer cites the older, or
None."""


def of_place(
    state: State, address: str, paper: str, link: LinkBetween
) -> tuple[dict[str, str], dict[str, Any]]:
    """What detaches and what comes back when ``paper`` is put into ``address``.

    Links are re-checked outward from the slot; pinned slots stay whatever the links say. Papers
    that this slot's change once detached come back where the new paper's links hold, without any
    call.
    """
    at = parse_address(address)
    detach: dict[str, str] = {}
    for step in (1, -1):
        if at.pos != 0 and (step > 0) != (at.pos > 0):
            continue  # inward neighbours are not touched
        inner, pos = paper, at.pos + step
        while (there := state.slot(slot(at.branch, pos))).paper is not None:
            if there.verdict != "pinned" and not _holds(inner, there.paper, step, link):
                detach.update(_rest(state, at.branch, pos, step))
                break
            inner, pos = there.paper, pos + step
    return detach, _coming_back(state, address, paper, detach, link)


def _holds(inner: str, outer: str, step: int, link: LinkBetween) -> bool:
    newer, older = (outer, inner) if step > 0 else (inner, outer)
    return link(newer, older) is not None


def _rest(state: State, branch: Branch, pos: int, step: int) -> dict[str, str]:
    """This slot and every unpinned one beyond it."""
    out = {}
    while (there := state.slot(slot(branch, pos))).paper is not None:
        if there.verdict != "pinned":
            out[there.address] = there.paper
        pos += step
    return out


def _coming_back(
    state: State, address: str, paper: str, detach: Mapping[str, str], link: LinkBetween
) -> dict[str, Any]:
    at = parse_address(address)
    out: dict[str, Any] = {}
    for step in (1, -1):
        if at.pos == 0 or (step > 0) == (at.pos > 0):  # inward neighbours are not touched
            out.update(_coming_back_on(state, address, paper, step, detach, link))
    return out


def _coming_back_on(
    state: State, address: str, paper: str, step: int, detach: Mapping[str, str], link: LinkBetween
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What comes back on one side: from the slot outward, as long as each paper is linked to the
    one before it."""
    at = parse_address(address)
    shelf = {i.pos: i for i in state.shelf if i.kind == "detached" and i.branch == at.branch}
    inner, pos = paper, at.pos + step
    while True:
        here, item = state.slot(slot(at.branch, pos)), shelf.get(pos)
        if here.paper is not None and here.address not in detach:
            inner = here.paper
        elif item is not None and item.paper != paper and _holds(inner, item.paper, step, link):
            yield (
                here.address,
                {"paper": item.paper, "verdict": item.verdict, "why": dict(item.why)},
            )
            inner = item.paper
        else:
            return
        pos += step


def order_problem(state: State, address: str, paper_id: str, leaving: Container[str] = ()) -> str:
    """Why a paper may not stand at an address, in words, or empty: twice in one chain, or against
    the order in time.

    ``leaving``: slots that detach by the same move, so that their papers do not count.
    """
    at = parse_address(address)
    for other in state.filled(at.branch):
        if other.paper == paper_id and other.pos != at.pos:
            return f"that paper is in this chain already, at {other.address}"
    paper = state.papers.get(paper_id)
    if paper is None or paper.year is None or state.slot(address).paper == paper_id:
        return ""
    return _time_problem(state, address, paper.year, leaving)


def _time_problem(state: State, address: str, year: int, leaving: Container[str]) -> str:
    """Why a paper of that year may not stand between its neighbours; empty where it may."""
    at = parse_address(address)
    before, after = slot(at.branch, at.pos - 1), slot(at.branch, at.pos + 1)
    older, newer = _year_at(state, before, leaving), _year_at(state, after, leaving)
    if older is not None and year < older:
        return f"it is of {year}, older than its predecessor {before} ({older})"
    if newer is not None and year > newer:
        return f"it is of {year}, newer than its successor {after} ({newer})"
    return ""


def _year_at(state: State, address: str, leaving: Container[str]) -> int | None:
    """The year of the paper in a slot; None where it is not known, or where that paper detaches."""
    known = state.papers.get(state.slot(address).paper or "")
    return known.year if known is not None and address not in leaving else None


@dataclass(frozen=True)
class Placement:
    """``problem`` says why the paper cannot be put there, ``hint`` what to do; ``value`` is what
    the decision records."""

    problem: str = ""
    hint: str = ""
    value: Mapping[str, Any] = field(default_factory=dict)


def placement_of(links: KnownLinks, state: State, address: str, paper: Paper) -> Placement:
    """What putting a paper into a slot of a session does to the slot's neighbours, by the links
    that are known without asking anybody."""
    known = state.copy()
    known.papers = {**known.papers, paper.id: paper}
    more = "" if paper.id in state.papers else paper.id
    between = links.of(known, more)
    return placement(known, address, paper, lambda citing, cited: between.get((citing, cited)))


def placement(state: State, address: str, paper: Paper, link: LinkBetween) -> Placement:
    """The same for a state that knows the paper."""
    at = parse_address(address)
    inner = slot(at.branch, at.pos - (1 if at.pos > 0 else -1)) if at.pos else ""
    if refused := _off_the_chain(state, address, inner):
        return refused
    detach, reattach = of_place(state, address, paper.id, link)
    neighbour = state.slot(inner).paper if inner else None
    pair = (paper.id, neighbour) if at.pos > 0 else (neighbour, paper.id)
    found = link(*pair) if pair[0] and pair[1] else None
    value = {
        "paper": paper.id,
        "why": {
            "by": "you",
            "link": found.kind if found else "placed by you",
            "evidence": found.evidence if found else "",
        },
        "detach": detach,
        "reattach": reattach,
        "needs": {inner: neighbour} if neighbour else {},
        "replaced": state.slot(address).paper,
    }
    if not known_by(paper, cut := str(state.settings.get("known_until") or "")):
        return Placement(
            f"“{paper.title}” is of {paper.when or 'an unknown date'}, and this session knows nothing after {cut}.",
            "Choose an older paper, or start a session without the time cut.",
            value,
        )
    if problem := order_problem(state, address, paper.id, detach):
        return Placement(
            f"“{paper.title}” cannot be put at {address}: {problem}.",
            "Choose another slot or another paper.",
            value,
        )
    return Placement(value=value)


def _off_the_chain(state: State, address: str, inner: str) -> Placement | None:
    """Why a place beside the anchor cannot be filled, and what to do; None where it can. ``inner``
    is its neighbour towards the anchor."""
    branch = parse_address(address).branch
    chain = state.chain(branch)
    if inner and not chain:
        return Placement(
            f"Branch {branch} has no anchor, so nothing can be put beside it.",
            "Choose or pin an anchor first.",
        )
    if inner and state.slot(address).paper is None and parse_address(inner).pos not in chain:
        return Placement(
            f"{address} does not touch the chain.", "Fill the slot next to the chain first."
        )
    return None


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


def preview(core: SessionCore, links: KnownLinks, address: str, paper: Paper) -> Preview:
    """What choosing or pinning a paper for a slot would do; nothing is written."""
    if slot_of(address) != address:
        return Preview(f"{address} is no place in a chain.", "Go to a row of a paper.")
    placed = placement_of(links, core.state, address, paper)
    if placed.problem:
        return Preview(placed.problem, placed.hint)
    trial = core.rehearsal()
    choice = Decision(actor="you", action="choose", address=address, value=placed.value)
    try:
        trial.write([choice], [paper])
    except UsageError as error:
        return Preview(str(error))
    now, why = core.state.slot(address), placed.value["why"]
    link = f"{why['link']} ({why['evidence']})" if why["evidence"] else why["link"]
    here = now.paper == paper.id
    return Preview(
        here=here,
        drops_pin=now.verdict == "pinned" and not here,
        link=link if parse_address(address).pos else "",
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
