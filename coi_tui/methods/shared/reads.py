"""References to what a step may read, for the steps of every method: topic, criteria, papers and
cards of a chain, ideas and plans."""

from __future__ import annotations

from typing import Any

from coi_tui.engine.freshness import Inputs, Read
from coi_tui.model.address import SUMMARY, Branch, ref, slot
from coi_tui.model.criteria import REF, Criteria
from coi_tui.model.reviewing import PARTS
from coi_tui.model.state import PDF, State

IDEA_TEXT = ("title", "final")
IDEA_BRIEF = ("title", "summary", "problem", "mechanism", "evaluation", "setting")
IDEA = (*IDEA_BRIEF, "works", "final")
MAYBE_EMPTY = frozenset({"references"})

TOPIC = Read("topic", "topic#text")
HUNCH = Read("hunch", "topic#hunch", optional=True)

REJECTED_PAPERS = Read("turned_down", "X#reasons", optional=True, parent=True, once=True)
"""Why papers were rejected in this session. It reaches the verdicts to come; what was judged before
stays judged."""
MOST_REJECTED = 12
LONGEST_REASON = 300


def criteria(state: State) -> tuple[Read, ...]:
    """The session's criteria, where there are some: what is made with them differs in its inputs
    from what was made before."""
    return (Read("criteria", REF),) if state.meaning(REF) is not None else ()


def rules(inputs: Inputs) -> Criteria:
    """The criteria among a step's inputs."""
    return Criteria.of(next((value for _, value in inputs.all("criteria")), None))


def means(state: State) -> tuple[Read, ...]:
    """What the person has for the work, where that was said."""
    name = ref("means", "text")
    return (Read("means", name),) if state.meaning(name) is not None else ()


def preferences(inputs: Inputs) -> dict[str, Any]:
    """What the researcher prefers, for a verdict: the criteria in words, and the newest reasons for
    rejecting a paper."""
    reasons: list[dict[str, str]] = next((value for _, value in inputs.all("turned_down")), [])
    newest = [
        {"title": item["title"], "reason": item["reason"][:LONGEST_REASON]}
        for item in reasons[-MOST_REJECTED:]
    ]
    return {"criteria": list(rules(inputs).lines()), "turned_down": newest}


def card_fields(name: str, branch: Branch, pos: int, fields: tuple[str, ...]) -> list[Read]:
    """Reads of some fields of a slot's card; all but problem and move may say nothing."""
    card = f"{slot(branch, pos)}.{SUMMARY}"
    return [
        Read(name, ref(card, field), optional=field not in ("problem", "move")) for field in fields
    ]


def paper(
    name: str, branch: Branch, pos: int, *, optional: bool = False, parent: bool = False
) -> Read:
    """The paper in a slot."""
    return Read(name, ref(slot(branch, pos), "paper"), optional, parent)


def attached(name: str, branch: Branch, pos: int) -> Read:
    """The researcher's own PDF of a slot's paper."""
    return Read(name, ref(slot(branch, pos), PDF))


def idea(
    name: str, branch: Branch, fields: tuple[str, ...] = IDEA, *, parent: bool = False
) -> list[Read]:
    """The idea of a branch. A title and the idea itself there must be; a person's own may have no
    more."""
    return [
        Read(name, ref(f"{branch}/idea", field), field not in IDEA_TEXT, parent) for field in fields
    ]


def rivals(name: str, branch: Branch) -> Read:
    """The works nearest to the thought behind the idea of a branch: rows with title, year,
    abstract, same, left. There may be none."""
    return Read(name, ref(f"{branch}/rivals", "works"), optional=True)


def experiment(name: str, branch: Branch, *, parent: bool = False) -> list[Read]:
    """The experiment plan of a branch."""
    return [
        Read(name, ref(f"{branch}/exp", f), optional=f in MAYBE_EMPTY, parent=parent) for f in PARTS
    ]


def held_elsewhere(state: State, address: str) -> list[Read]:
    """Papers in other slots: not to be taken twice. Checked when a result is committed, no input
    for freshness."""
    held = sorted(a for a, s in state.slots.items() if s.paper and a != address)
    return [Read("held", ref(a, "paper"), optional=True, parent=True) for a in held]


# -- chains


def chain_papers(state: State, branch: Branch) -> list[Read]:
    """The chain's papers. The anchor is a required input, so that nothing is written from an empty
    chain."""
    return [paper("papers", branch, pos) for pos in state.chain(branch) or [0]]


def chain_cards(
    state: State, branch: Branch, fields: tuple[str, ...], name: str = "chain"
) -> list[Read]:
    """Some fields of the chain's cards, old to new."""
    return [read for pos in state.chain(branch) for read in card_fields(name, branch, pos, fields)]
