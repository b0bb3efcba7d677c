"""NOVA-9: which seed becomes which proposal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import ChoiceContent, DiversityContent, InitialContent
from coi_tui.methods.shared.cell_table import held
from coi_tui.model.address import Branch, instance_of
from coi_tui.model.state import State

_ITEM = re.compile(r"\s*(?:[A-Z]\d+/)?(?:seed)?\s*(\d+(?:\.\d+)*)(?![\w.]*\w)", re.IGNORECASE)


def seed_of(state: State, branch: Branch) -> str:
    """The number of the seed that a branch works out; empty where there is none for it.

    A person says so, line by line for the first branches. A branch with a proposal keeps its seed.
    The other branches take the seeds that a person accepted, then one of each group, those that are
    taken left out.
    """
    instance = instance_of(branch)
    branches = [b for b in state.branches_of(instance) if b == branch or b not in state.parked]
    living = reads.living(state, instance)
    settled = _settled(state, branches, living)
    picks = held(state, f"{instance}/diversity", DiversityContent).picks
    offered = dict.fromkeys([*reads.starred(state, instance), *picks])
    left = [item for item in offered if item in living and item not in settled.values()]
    free = [b for b in branches if b not in settled]
    return {**dict(zip(free, left, strict=False)), **settled}.get(branch, "")


def _settled(state: State, branches: Iterable[Branch], living: list[str]) -> dict[Branch, str]:
    """The living seeds that a person named, then those that proposals keep; no seed twice."""
    settled: dict[Branch, str] = {}
    for name in (_named, _kept):
        for branch in branches:
            item = name(state, branch) if branch not in settled else ""
            if item in living and item not in settled.values():
                settled[branch] = item
    return settled


def _named(state: State, branch: Branch) -> str:
    """The seed that a person named for the branch."""
    lines = held(state, f"{instance_of(branch)}/choice", ChoiceContent).proposals
    number = int(str(branch).rpartition("/")[2])
    return item_of(lines[number - 1]) if number <= len(lines) else ""


def _kept(state: State, branch: Branch) -> str:
    return held(state, f"{branch}/initial", InitialContent).seed


def item_of(line: str) -> str:
    """The number of a seed in what a person wrote: ``2.1``, ``seed2.1``, ``N1/seed 2.1 its
    title``."""
    found = _ITEM.match(line)
    return found[1] if found else ""
