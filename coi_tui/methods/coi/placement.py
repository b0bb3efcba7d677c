"""A paper put into a slot or taken out: whether it may stand there, and what happens to its
neighbours.

Worked out once, without writing anything, and recorded in the decision, so that folding the log
never asks the library.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from coi_tui.literature.paper_records import known_by
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.coi.growth import Links, Place, broken_off, holds, outward
from coi_tui.methods.evidence.cards import found_links
from coi_tui.model.address import CellRef, cell_ref, slot
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, Values
from coi_tui.services.sources.starter import NAME, bundled_library


def of_place(state: State, address: str, paper: str, links: Links) -> tuple[dict[str, str], Fields]:
    """What detaches and what comes back when ``paper`` is put into ``address``.

    Links are re-checked outward from the slot; pinned slots stay whatever the links say. Papers
    that this slot's change once detached come back where the new paper's links hold, without any
    call.
    """
    at = cell_ref(address)
    detach: dict[str, str] = {}
    back: Fields = {}
    for step in (1, -1):
        if at.pos and (step > 0) != (at.pos > 0):
            continue  # inward neighbours are not touched
        detach.update(broken_off(state, at, paper, step, links))
        back.update(_coming_back(state, at, paper, step, detach, links))
    return detach, back


def _coming_back(
    state: State, at: CellRef, paper: str, step: int, detach: Container[str], links: Links
) -> Iterator[tuple[str, Fields]]:
    """What comes back on one side: as long as each paper is linked to the one before it."""
    shelf = {
        i.pos: i for i in Chains.of(state).shelf if i.kind == "detached" and i.branch == at.branch
    }
    inner = paper
    for here in outward(state, at, step):
        item = shelf.get(here.pos)
        if here.paper is not None and here.address not in detach:
            inner = here.paper
        elif item is not None and item.paper != paper and holds(inner, item.paper, step, links):
            why = dict(item.why)
            yield here.address, {"paper": item.paper, "verdict": item.verdict, "why": why}
            inner = item.paper
        else:
            return


def order_problem(state: State, address: str, paper_id: str, leaving: Container[str] = ()) -> str:
    """Why a paper may not stand at an address, in words, or empty: twice in one chain, or against
    the order in time.

    ``leaving``: slots that detach by the same move, so that their papers do not count.
    """
    at, chains = cell_ref(address), Chains.of(state)
    for other in chains.filled(at.branch):
        if other.paper == paper_id and other.pos != at.pos:
            return f"that paper is in this chain already, at {other.address}"
    paper = state.papers.get(paper_id)
    if paper is None or paper.year is None or chains.slot(address).paper == paper_id:
        return ""
    for pos, name, side in (
        (at.pos - 1, "older", "predecessor"),
        (at.pos + 1, "newer", "successor"),
    ):
        there = slot(at.branch, pos)
        known = chains.paper_in(there)
        year = known.year if known is not None and there not in leaving else None
        if year is not None and (paper.year < year if pos < at.pos else paper.year > year):
            return f"it is of {paper.year}, {name} than its {side} {there} ({year})"
    return ""


_BY_HAND = {"link": "placed by you", "evidence": ""}


@dataclass(frozen=True)
class Placement:
    """``problem`` says why the paper cannot be put there, ``hint`` what to do; ``value`` is what
    the decision records."""

    problem: str = ""
    hint: str = ""
    value: Values = field(default_factory=dict)


@lru_cache(maxsize=1)  # asked for each candidate that the cursor comes to
def _links_of(state: State, starter: bool) -> Links:
    """The links known without asking anybody: the session's own before the starter library's,
    where its papers are used."""
    links = [*reversed(bundled_library().links if starter else ()), *found_links(state)]
    return {(link.citing, link.cited): link for link in links}


def placement_of(before: State, address: str, paper: Paper) -> Placement:
    """What putting a paper into a slot of a session does to the slot's neighbours, by the links
    that are known without asking anybody."""
    state = before.copy()
    state.papers = {**state.papers, paper.id: paper}
    links = _links_of(before, any(p.source == NAME for p in state.papers.values()))

    at = cell_ref(address)
    inner = Place(at.branch, at.pos).tip if at.pos else ""
    if refused := _off_the_chain(state, address, inner):
        return refused
    detach, reattach = of_place(state, address, paper.id, links)
    neighbour = (Chains.of(state).slot(inner).paper if inner else None) or ""
    ends = (paper.id, neighbour) if at.pos > 0 else (neighbour, paper.id)
    found = links.get(ends)
    why = {"link": found.kind, "evidence": found.evidence} if found else dict(_BY_HAND)
    value = {
        "paper": paper.id,
        "why": {"by": "you", **why},
        "detach": detach,
        "reattach": reattach,
        "needs": {inner: neighbour} if neighbour else {},
        "replaced": Chains.of(state).slot(address).paper,
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
    branch = cell_ref(address).branch
    chain = Chains.of(state).chain(branch)
    if inner and not chain:
        return Placement(
            f"Branch {branch} has no anchor, so nothing can be put beside it.",
            "Choose or pin an anchor first.",
        )
    if inner and Chains.of(state).slot(address).paper is None and cell_ref(inner).pos not in chain:
        return Placement(
            f"{address} does not touch the chain.", "Fill the slot next to the chain first."
        )
    return None
