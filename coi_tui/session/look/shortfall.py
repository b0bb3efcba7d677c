"""Why a run came to less than was asked for: what was and what was not found, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coi_tui.model.address import slot
from coi_tui.model.state import State


def sentence(state: State, failed: Mapping[str, str], until: str) -> str:
    """The first thing that stood in the way of every branch."""
    if failed:
        return f"The stage {until} was not reached, because of the failed steps named above."
    without = [b for b in state.branches if not state.chain(b)]
    if len(without) == len(state.branches):
        return _nothing_found(state)
    if without:
        return f"The stage {until} was not reached; branches {', '.join(map(str, without))} have no anchor."
    return f"The stage {until} was not reached; `coi show` says what is missing."


def _nothing_found(state: State) -> str:
    searches = [t for b in state.branches for t in _tries(state, b)]
    if not searches:
        return "No search was made, so there is no anchor."
    hits = sum(t["hits"] for t in searches)
    source = " and ".join(dict.fromkeys(str(t["source"]) for t in searches))
    words = "; ".join(dict.fromkeys(f"“{t['query']}”" for t in searches[:4]))
    found = "found nothing" if not hits else f"found {hits} papers, none of use for the topic"
    tried = f"{len(searches)} searches in {source} ({words} ...) {found}"
    return f"No anchor was found: {tried}. Try other words, another topic, or pin a paper you know."


def _tries(state: State, branch: int) -> list[dict[str, Any]]:
    version = state.in_use(f"{slot(branch, 0)}.cands")
    return list(version.content["tries"]) if version else []
