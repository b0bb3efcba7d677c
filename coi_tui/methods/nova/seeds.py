"""How seeds are numbered, which of them are in the running, which becomes which proposal (NOVA-9),
which ideas there are already; which seeds say the same, and groups of them with one member for each
(NOVA-8)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.literature.ranking import unit_rows
from coi_tui.methods.base.cell_table import by_field, stored
from coi_tui.methods.base.reads import reading
from coi_tui.methods.base.task import MethodTask, result
from coi_tui.methods.base.text_tools import weighted_words
from coi_tui.methods.nova import NovaSettings
from coi_tui.methods.nova.kinds import DiversityContent, InitialContent, SeedContent
from coi_tui.model.address import Branch, CellRef, cell_at, cell_ref, instance_of
from coi_tui.model.content import IdeaContent
from coi_tui.model.state import State
from coi_tui.model.text import Fields, clipped
from coi_tui.process import run_in_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_EXISTING = 40
"""Existing ideas that a prompt is shown at most, the newest of them."""
SAME_BY_VECTORS = 0.8
"""The paper's threshold, for sentence vectors."""
SAME_BY_WORDS = 0.55
"""The threshold for vectors of words, which vary more with the wording; chosen on five topics of
the starter library and measured on four others (decision 25)."""
SEED = 8
MOST_ROUNDS = 50
DIGITS = 5
"""The last bits of a sum differ between processors, so cosines are compared after rounding."""


def seed(instance: str, item: str) -> str:
    return cell_at(instance, "seed", item)


def numbers(most: int) -> list[str]:
    """Those of the first seeds."""
    return [str(n) for n in range(1, most + 1)]


def children(item: str, each: int) -> list[str]:
    return [f"{item}.{n}" for n in numbers(each)]


def parent_of(item: str) -> str:
    """The number of the seed that one replaces; empty for one of the first."""
    return item.rpartition(".")[0]


def round_of(item: str) -> int:
    """0 for the first seeds, then the round that a seed came from."""
    return item.count(".")


def origins(item: str) -> list[str]:
    """A seed's number and those that it came from, the newest first."""
    return [item, *origins(parent_of(item))] if item else []


def _seeds(state: State) -> list[CellRef]:
    """The addresses of all seeds that exist, in their order."""
    found = (cell_ref(a) for a in state.cells if "/seed" in a and state.in_use(a) is not None)
    return sorted((at for at in found if at.kind == "seed" and at.item), key=lambda at: at.numbers)


def living(state: State, instance: str) -> list[str]:
    """The numbers of all seeds that exist and that no person dropped, nor one that they came from,
    in their order."""
    return [
        at.item
        for at in _seeds(state)
        if at.instance == instance
        and not any(state.cell(seed(instance, above)).rejected for above in origins(at.item))
    ]


def of_round(state: State, instance: str, number: int) -> list[str]:
    """The numbers of the living seeds of a round; 0: the first ones."""
    return [item for item in living(state, instance) if round_of(item) == number]


def current(state: State, instance: str) -> list[str]:
    """NOVA-7: the numbers of the living seeds that no newer one has replaced."""
    found = living(state, instance)
    replaced = {parent_of(item) for item in found}
    return [item for item in found if item not in replaced]


def seed_of(state: State, branch: Branch) -> str:
    """The number of the seed that a branch works out; empty where there is none for it.

    A branch with a proposal keeps its seed. The other branches take the seeds that a person
    accepted, then one of each group, those that are taken left out.
    """
    instance = instance_of(branch)
    branches = [b for b in state.branches_of(instance) if b == branch or b not in state.parked]
    there = living(state, instance)
    found: dict[Branch, str] = {}
    for b in branches:
        item = stored(state, cell_at(b, "initial"), InitialContent).seed
        if item in there and item not in found.values():
            found[b] = item
    accepted = [item for item in there if state.cell(seed(instance, item)).accepted]
    picks = stored(state, cell_at(instance, "diversity"), DiversityContent).picks
    offered = dict.fromkeys([*accepted, *picks])
    left = [item for item in offered if item in there and item not in found.values()]
    free = [b for b in branches if b not in found]
    return {**dict(zip(free, left, strict=False)), **found}.get(branch, "")


def existing(state: State, instance: str, item: str = "") -> list[dict[str, str]]:
    """NOVA-3: ideas that are not to be repeated, each with its title and text in short.

    They are the ideas of the session's other methods (parked ones too), the seeds that a person
    dropped, and for a seed that is to be replaced (``item``) the seeds around it: those that it
    came from, with what else replaced each. Seeds of other lines are left out, for these are made
    at the same time, and no outcome may depend on who finished first.
    """
    others = (b for b in state.branches if instance_of(b) != instance)
    ideas = (stored(state, cell_at(b, "idea"), IdeaContent) for b in others)
    rows = [(idea.title, idea.final) for idea in ideas if idea.title or idea.final]
    around = {parent_of(above) for above in origins(item)}
    for at in _seeds(state):
        near = at.instance == instance and at.item != item and parent_of(at.item) in around
        if near or state.cell(str(at)).rejected:
            content = stored(state, str(at), SeedContent)
            rows.append((content.title, content.text))
    return [
        {"id": f"E{n}", "title": title, "text": clipped(text)}
        for n, (title, text) in enumerate(rows[-MOST_EXISTING:], 1)
    ]


# -- which seeds say the same


class DiversityTask(MethodTask):
    """NOVA-8: compares the seeds that nobody dropped, by vectors where the session has a model for
    them, else by words. No language model."""

    name = "nova diversity"

    def reads(self, state: State, address: str) -> Reads:
        items = living(state, cell_ref(address).instance) or ["1"]
        every = (f"seed={{instance}}/seed{item}#title text" for item in items)
        return reading(*every)(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        instance = inputs.at.instance
        found = {cell_ref(a): one for a, one in by_field(inputs.all("seed")).items()}
        order = sorted(found, key=lambda at: (len(at.numbers), at.numbers))
        texts = [f"{found[at].get('title', '')}\n{found[at].get('text', '')}" for at in order]
        vectors: Any = await self.services(ctx).vectors(texts)
        vectors, model = vectors or (await run_in_thread(weighted_words, texts), "")
        same = SAME_BY_VECTORS if model else SAME_BY_WORDS
        there = set(current(ctx.state, instance))
        number = ctx.state.bounds(NovaSettings, instance).branches
        items = [at.item for at in order]
        content = await run_in_thread(compared, items, vectors, same, there, number)
        return result(inputs, {**content, "model": model}, "source")


def compared(items: list[str], vectors: Any, same: float, there: set[str], number: int) -> Fields:
    """Which seeds repeat which, the groups of the distinct ones among those that no newer one has
    replaced (``there``), and one of each.

    One of these that repeats an earlier one that was replaced is taken for it, since the earlier
    one is not worked out any more.
    """
    import numpy as np

    units = unit_rows(np.asarray(vectors, dtype=float))
    cosines = np.round(units @ units.T, DIGITS).tolist()
    repeats = duplicates(cosines, same)
    taken_for: dict[int, int] = {}
    numbered = [*zip(range(len(items)), items, repeats, strict=True)]
    for n, item, first in numbered:
        if item in there:
            taken_for.setdefault(n if first is None else first, n)
    grouped = groups(units, list(taken_for.values()), number)
    group_of = {n: at for at, group in enumerate(grouped, 1) for n in group}
    picks = one_of_each(grouped, items)
    rows = [
        {
            "seed": item,
            "round": round_of(item),
            "group": group_of.get(n, 0),
            "repeats": items[first] if first is not None else "",
            "cosine": f"{cosines[n][first]:.2f}" if first is not None else "",
            "chosen": "chosen" if n in picks else "",
        }
        for n, item, first in numbered
    ]
    return {"seeds": rows, "picks": [items[n] for n in picks]}


def duplicates(cosines: Sequence[Sequence[float]], threshold: float) -> list[int | None]:
    """For each idea the earlier one that it repeats, None for those that are distinct.

    An idea is compared with the distinct ones before it and joined to the most similar of them (of
    equals the first), if their cosine is above the threshold. So no row of small steps makes one
    idea of two that differ.
    """
    repeats: list[int | None] = []
    for n, row in enumerate(cosines):
        distinct = [earlier for earlier in range(n) if repeats[earlier] is None]
        nearest = max(distinct, key=row.__getitem__, default=None)
        repeats.append(nearest if nearest is not None and row[nearest] > threshold else None)
    return repeats


def groups(units: NDArray[Any], members: Sequence[int], number: int) -> list[list[int]]:
    """k-means over some of the ideas, vectors of length 1: at most ``number`` groups, each sorted,
    in the order of their first member.

    It starts from the first idea, and then each time from the one that is least like those before.
    """
    import numpy as np

    order = sorted(members)
    rows = units[order]
    centres = rows[:1]
    while len(centres) < min(number, len(order)):
        nearest = np.round(rows @ centres.T, DIGITS).max(axis=1)
        centres = np.vstack([centres, rows[nearest.argmin()]])
    labels = np.arange(len(order))
    for _ in range(MOST_ROUNDS if number < len(order) else 0):
        labels = np.round(rows @ centres.T, DIGITS).argmax(axis=1)
        means = unit_rows(np.array([rows[labels == n].sum(axis=0) for n in range(number)]))
        if np.allclose(means, centres):
            break
        centres = means
    found: dict[int, list[int]] = {}
    for member, label in zip(order, labels.tolist(), strict=True):
        found.setdefault(label, []).append(member)
    return sorted(found.values())


def one_of_each(
    grouped: Sequence[Sequence[int]], keys: Sequence[str], seed: int = SEED
) -> list[int]:
    """One member of each group, drawn by a lot that depends on its own key alone: an idea that is
    added changes no other draw."""
    return [
        min(group, key=lambda n: hashlib.sha256(f"{seed} {keys[n]}".encode()).hexdigest())
        for group in grouped
    ]
