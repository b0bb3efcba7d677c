"""NOVA-9: which seed becomes which proposal."""

from __future__ import annotations

from coi_tui.methods.base.cell_table import held
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import DiversityContent, InitialContent
from coi_tui.model.address import Branch, instance_of
from coi_tui.model.state import State


def seed_of(state: State, branch: Branch) -> str:
    """The number of the seed that a branch works out; empty where there is none for it.

    A branch with a proposal keeps its seed. The other branches take the seeds that a person
    accepted, then one of each group, those that are taken left out.
    """
    instance = instance_of(branch)
    branches = [b for b in state.branches_of(instance) if b == branch or b not in state.parked]
    living = reads.living(state, instance)
    settled: dict[Branch, str] = {}
    for b in branches:
        item = held(state, f"{b}/initial", InitialContent).seed
        if item in living and item not in settled.values():
            settled[b] = item
    picks = held(state, f"{instance}/diversity", DiversityContent).picks
    offered = dict.fromkeys([*reads.starred(state, instance), *picks])
    left = [item for item in offered if item in living and item not in settled.values()]
    free = [b for b in branches if b not in settled]
    return {**dict(zip(free, left, strict=False)), **settled}.get(branch, "")
