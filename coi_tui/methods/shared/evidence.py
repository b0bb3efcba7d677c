"""Evidence from the papers of a chain, or of those that a method read together, as steps put it
into their prompts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.shared.reads import chain_cards, chain_papers
from coi_tui.model.address import RECORDS, SUMMARY, Branch, instance_of, ref, split_ref
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

Evidence = Callable[[State, Branch], tuple[Read, ...]]
"""What a plan for the idea of a branch may draw on, as reads named ``papers``, ``experiments`` and
``records``."""


def chain_evidence(state: State, branch: Branch) -> tuple[Read, ...]:
    """The experiments of a chain's cards; without a chain there is none, and nothing is written."""
    return (
        *chain_papers(state, branch),
        *chain_cards(state, branch, ("experiment", "evidence"), "experiments"),
    )


def records_evidence(state: State, branch: Branch) -> tuple[Read, ...]:
    """What was read of the papers that all ideas of an instance rest on."""
    return (Read("records", ref(f"{instance_of(branch)}/{RECORDS}", "papers"), optional=True),)


def no_evidence(state: State, branch: Branch) -> tuple[Read, ...]:
    """For methods whose ideas rest on no chain."""
    return ()


def short(paper: Paper) -> dict[str, Any]:
    """Title and year, as prompts name a paper."""
    return {"title": paper.title, "year": paper.year}


def chain_of(inputs: Inputs, name: str = "chain") -> list[dict[str, Any]]:
    """The chain old to new: title, year and the card fields read under ``name``."""
    by_slot: dict[str, dict[str, Any]] = {}
    for address, found in inputs.all("papers"):
        by_slot[split_ref(address)[0]] = short(found)
    for reference, value in inputs.all(name):
        card, field = split_ref(reference)
        by_slot[card.removesuffix(f".{SUMMARY}")][field] = value
    if name != "experiments":
        return list(by_slot.values())
    rows = [*by_slot.values(), *records_of(inputs)]
    return [
        {
            **{key: row.get(key) for key in ("title", "year")},
            "experiment": row.get("experiment") or row.get("evidence"),
        }
        for row in rows
    ]


def records_of(inputs: Inputs) -> list[dict[str, Any]]:
    """The papers that were read together, where a step reads them."""
    return [row for _, rows in inputs.all("records") for row in rows if not row.get("unread")]
