"""Why a run of Chain of Ideas came to less than was asked for: the first thing that stood in the way of every branch."""

from __future__ import annotations

from typing import Any

from coi_tui.model.address import Branch, slot
from coi_tui.model.state import State


def shortfall(state: State) -> str:
    """One sentence about anchors that were not found; empty where every branch has one."""
    branches = state.branches_of("")
    without = [b for b in branches if not state.chain(b)]
    if without and len(without) == len(branches):
        return _nothing_found(state)
    return f"Branches without an anchor: {', '.join(map(str, without))}." if without else ""


def _nothing_found(state: State) -> str:
    searches = [t for b in state.branches_of("") for t in _tries(state, b)]
    if not searches:
        return "No search was made, so there is no anchor."
    hits = sum(t["hits"] for t in searches)
    source = " and ".join(dict.fromkeys(str(t["source"]) for t in searches))
    words = "; ".join(dict.fromkeys(f"“{t['query']}”" for t in searches[:4]))
    found = "found nothing" if not hits else f"found {hits} papers, none of use for the topic"
    tried = f"{len(searches)} searches in {source} ({words} ...) {found}"
    return f"No anchor was found: {tried}. Try other words, another topic, or pin a paper you know."


def _tries(state: State, branch: Branch) -> list[dict[str, Any]]:
    version = state.in_use(f"{slot(branch, 0)}.cands")
    return list(version.content["tries"]) if version else []
