"""Which fields each text of Chain of Ideas is made from (ux.md 2.4): the one table of dependencies."""

from __future__ import annotations

from typing import Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.model.address import ref, slot
from coi_tui.model.criteria import REF, Criteria
from coi_tui.model.state import State

IDEA_OF_CARD = ("background", "novelty", "contribution", "reasons", "limitation")
SHORT_OF_CARD = ("background", "novelty", "contribution", "limitation")
IDEA = ("title", "motivation", "novelty", "contributions", "method", "final")
EXPERIMENT = ("design", "baselines", "ablation", "metrics", "implementation", "feasibility", "references", "pseudocode")
MAYBE_EMPTY = frozenset({"references", "pseudocode", "entities"})

TOPIC = Read("topic", "topic#text")
HUNCH = Read("hunch", "topic#hunch", optional=True)


def criteria(state: State) -> tuple[Read, ...]:
    """The session's criteria where there are some: lists and verdicts of before and after are told apart, others stay as they were."""
    return (Read("criteria", REF),) if state.meaning(REF) is not None else ()


def rules(inputs: Inputs) -> Criteria:
    """The criteria among a step's inputs."""
    return Criteria.of(next((value for _, value in inputs.all("criteria")), None))


TURNED_DOWN = Read("turned_down", "X#reasons", optional=True, parent=True, once=True)
"""Why papers were rejected in this session. It reaches the verdicts to come; what was judged before stays judged."""
MOST_TURNED_DOWN = 12
LONGEST_REASON = 300


def told(inputs: Inputs) -> dict[str, Any]:
    """What a verdict is told of the researcher's wishes: the criteria in words, and the newest reasons for rejecting a paper."""
    reasons: list[dict[str, str]] = next((value for _, value in inputs.all("turned_down")), [])
    newest = [{"title": item["title"], "reason": item["reason"][:LONGEST_REASON]} for item in reasons[-MOST_TURNED_DOWN:]]
    return {"criteria": list(rules(inputs).lines()), "turned_down": newest}


def card_fields(name: str, branch: int, pos: int, fields: tuple[str, ...]) -> list[Read]:
    """Reads of some fields of a slot's card; those that may say nothing are optional."""
    card = f"{slot(branch, pos)}.card"
    return [Read(name, ref(card, field), optional=field in MAYBE_EMPTY) for field in fields]


def paper(name: str, branch: int, pos: int, *, optional: bool = False, parent: bool = False) -> Read:
    return Read(name, ref(slot(branch, pos), "paper"), optional, parent)


def idea(name: str, branch: int, *, parent: bool = False) -> list[Read]:
    return [Read(name, ref(f"{branch}/idea", field), parent=parent) for field in IDEA]


def experiment(name: str, branch: int, *, parent: bool = False) -> list[Read]:
    return [Read(name, ref(f"{branch}/exp", f), optional=f in MAYBE_EMPTY, parent=parent) for f in EXPERIMENT]


def chain_papers(state: State, branch: int) -> list[Read]:
    """The chain's papers. The anchor is a required input, so that nothing is written from an empty chain (hard case 11)."""
    return [paper("papers", branch, pos) for pos in state.chain(branch) or [0]]


def chain_cards(state: State, branch: int, fields: tuple[str, ...], name: str = "chain") -> list[Read]:
    return [read for pos in state.chain(branch) for read in card_fields(name, branch, pos, fields)]


def chain_entities(state: State, branch: int, *, parent: bool = False) -> list[Read]:
    return [Read("entities", ref(f"{slot(branch, pos)}.card", "entities"), optional=True, parent=parent) for pos in state.chain(branch)]


def chain_trends(state: State, branch: int) -> list[Read]:
    return [Read("trends", ref(address, "text")) for address in state.trends(branch)]


def held_elsewhere(state: State, address: str) -> list[Read]:
    """Papers in other slots: not to be taken twice. Checked at landing, no input for freshness."""
    held = sorted(a for a, s in state.slots.items() if s.paper and a != address)
    return [Read("held", ref(a, "paper"), optional=True, parent=True) for a in held]
