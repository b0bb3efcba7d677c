"""NOVA-8: which ideas say the same, groups of ideas with one member for each, and the cell that
says so of all seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.computing import run_in_thread
from coi_tui.engine.declarations import Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.literature.ranking import unit_rows
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.base.task import MethodTask, result
from coi_tui.methods.base.text_tools import weighted_words
from coi_tui.methods.nova.seeds import current, living, round_of, seed
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.model.address import parse_address, ref
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coi_tui.engine.context import Context

SAME_BY_VECTORS = 0.8
"""The paper's threshold, for sentence vectors."""
SAME_BY_WORDS = 0.55
"""The threshold for vectors of words, which vary more with the wording; chosen on five topics of
the starter library and measured on four others (decision 25)."""
SEED = 8
MOST_ROUNDS = 50
DIGITS = 5
"""The last bits of a sum differ between processors, so cosines are compared after rounding."""


class DiversityTask(MethodTask):
    """Compares the seeds that nobody dropped, by vectors where the session has a model for them,
    else by words. No language model."""

    name = "nova diversity"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        instance = parse_address(address).instance
        cells = [seed(instance, item) for item in living(state, instance) or ["1"]]
        return tuple(Read("seed", ref(one, field)) for one in cells for field in ("title", "text"))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        instance = parse_address(inputs.address).instance
        found = {parse_address(a): one for a, one in by_field(inputs.all("seed")).items()}
        order = sorted(found, key=lambda at: (len(at.numbers), at.numbers))
        texts = [f"{found[at].get('title', '')}\n{found[at].get('text', '')}" for at in order]
        if not texts:
            raise CoiError("There is no seed to compare.", "Run to the seeds first.")
        made = await self.services(ctx).vectors(texts)
        vectors: Any = made[0] if made else await run_in_thread(weighted_words, texts)
        model = made[1] if made else ""
        same = SAME_BY_VECTORS if model else SAME_BY_WORDS
        there = set(current(ctx.state, instance))
        number = bounds_of(ctx.state, instance).branches
        items = [at.item for at in order]
        content = await run_in_thread(compared, items, vectors, same, there, number)
        return result(inputs, {**content, "model": model}, "source")


def compared(
    items: list[str],
    vectors: Any,
    same: float,
    there: set[str],
    number: int,
) -> dict[str, Any]:
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
    for n, (item, first) in enumerate(zip(items, repeats, strict=True)):
        if item in there:
            taken_for.setdefault(n if first is None else first, n)
    grouped = groups(units, list(taken_for.values()), number)
    group_of = {n: at for at, group in enumerate(grouped, 1) for n in group}
    rows = [
        {
            "seed": item,
            "round": round_of(item),
            "group": group_of.get(n, 0),
            "repeats": items[first] if first is not None else "",
            "alike": round(cosines[n][first], 2) if first is not None else 0.0,
        }
        for n, (item, first) in enumerate(zip(items, repeats, strict=True))
    ]
    return {"seeds": rows, "picks": [items[n] for n in one_of_each(grouped, items)]}


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
