"""What the workbench shows of Chain of Ideas: its rows, and why its branches came to less than was
asked for.

A branch has a row, its question, its chain old to new with a trend between neighbours, and its
texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from coi_tui.engine.declarations import OutlineRow
from coi_tui.model.address import CANDIDATES, SUMMARY, VERDICTS, Branch, pair, place, slot
from coi_tui.model.content import CandidateList, Note
from coi_tui.model.state import State
from coi_tui.model.text import count

TEXTS = {
    "dir": "direction",
    "rivals": "rivals",
    "idea": "idea",
    "nov": "novelty",
    "exp": "experiment",
    "review": "review",
    "proposal": "proposal",
}


def outline(state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
    """Branch by branch."""
    for branch in state.branches_of(""):
        rows = partial(_rows, state, branch, failed)
        # what failed is no part of the state, so rows that it may have added are made each time
        yield from rows() if failed else state.worked_out(f"outline {branch}", rows)


def _rows(state: State, branch: Branch, failed: Mapping[str, str]) -> list[OutlineRow]:
    asked = state.read(f"Q{branch}", Note)
    question = asked.text if asked is not None else "no question yet"
    head = [
        OutlineRow(str(branch), 0, str(branch), question, True, branch in state.parked),
        OutlineRow(f"Q{branch}", 1, title=question),
    ]
    source = f"CoI chain of {len(state.chain(branch))}"
    texts = [
        OutlineRow(f"{branch}/{part}", 1, title=title, source=source if part == "idea" else "")
        for part, title in TEXTS.items()
    ]
    return [*head, *_chain(state, branch, failed), *texts]


def _chain(state: State, branch: Branch, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
    places = [s.pos for s in state.filled(branch)]
    inside = set(range(min([0, *places]), max([0, *places]) + 1))
    for pos in sorted(inside | _open_ends(state, branch, failed)):
        address = slot(branch, pos)
        yield OutlineRow(address, 1, place(pos))
        if state.slot(address).paper is not None:
            yield OutlineRow(f"{address}.{SUMMARY}", 2, title="card")
        if pos in inside and pos + 1 in inside:
            yield OutlineRow(pair(branch, pos), 1, title="trend")


def _open_ends(state: State, branch: Branch, failed: Mapping[str, str]) -> set[int]:
    """Empty places at the ends that have candidates, once held a paper, or where a search failed:
    one can be chosen or pinned there."""
    chain = state.chain(branch)
    left = {i.pos for i in state.shelf if i.branch == branch}
    ends = {chain[0] - 1, chain[-1] + 1} if chain else set()
    return {pos for pos in ends if pos in left or _searched(state, slot(branch, pos), failed)}


def _searched(state: State, address: str, failed: Mapping[str, str]) -> bool:
    lists = (f"{address}.{CANDIDATES}", f"{address}.{VERDICTS}")
    return state.in_use(lists[0]) is not None or any(a in failed for a in (address, *lists))


# -- why branches came to less


def shortfall(state: State) -> str:
    """One sentence about anchors that were not found, or chains too short for an idea to lead;
    empty where nothing is lacking."""
    branches = [b for b in state.branches_of("") if b not in state.parked]
    without = [b for b in branches if not state.chain(b)]
    if without and len(without) == len(branches):
        return _nothing_found(state)
    if without:
        return f"Branches without an anchor: {', '.join(map(str, without))}."
    ideas = [b for b in state.ideas() if b in branches]
    if len(ideas) > 1 and state.pick is None and all(state.is_short(b) for b in ideas):
        few = count(state.least_papers, "paper")
        return f"Choose an idea to go on, or give a branch more papers: every chain has fewer than {few}, so no idea leads."
    return ""


def _nothing_found(state: State) -> str:
    lists = [state.read(f"{slot(b, 0)}.{CANDIDATES}", CandidateList) for b in state.branches_of("")]
    if refused := next((found.note for found in lists if found is not None and found.refused), ""):
        return f"Try another topic, work online, or pin a paper you know: no anchor was proposed. {refused}"
    searches = [tried for found in lists if found is not None for tried in found.tries]
    if not searches:
        return "No search was made, so there is no anchor."
    made, hits = count(len(searches), "search", "searches"), sum(s.hits for s in searches)
    sources = " and ".join(dict.fromkeys(tried.source for tried in searches))
    return f"Try other words, another topic, or pin a paper you know: {made} in {sources} found {count(hits, 'paper')}, and no anchor among them."
