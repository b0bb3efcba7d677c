"""NOVA-8 as a cell: every seed compared with all others, one of each group, and the curve of new
ideas by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Result
from coi_tui.methods.nova import diversity, reads
from coi_tui.methods.nova.contents import DiversityContent
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.cell_table import by_field, held
from coi_tui.methods.shared.text_task import result
from coi_tui.model.address import parse_address, ref
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State
from coi_tui.model.views import CurvePoint, CurveView
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


class DiversityStep(MethodStep):
    """Compares the seeds that nobody dropped, by vectors where the session has a model for them,
    else by words. No language model."""

    name = "nova diversity"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        instance = parse_address(address).instance
        cells = [reads.seed(instance, item) for item in reads.living(state, instance) or ["1"]]
        return tuple(Read("seed", ref(one, field)) for one in cells for field in ("title", "text"))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        instance = parse_address(inputs.address).instance
        found = {parse_address(a): one for a, one in by_field(inputs.all("seed")).items()}
        texts = {
            at.item: f"{found[at].get('title', '')}\n{found[at].get('text', '')}"
            for at in sorted(found, key=lambda at: (len(at.numbers), at.numbers))
        }
        if not texts:
            raise CoiError("There is no seed to compare.", "Run to the seeds first.")
        told = list(texts.values())
        vectors = await self.services(ctx).vectors(told)
        if vectors is not None:
            same, model = diversity.SAME_BY_VECTORS, vectors[1]
            cosines = await beside(diversity.cosines_by_vectors, vectors[0])
        else:
            same, model = diversity.SAME_BY_WORDS, ""
            cosines = await beside(diversity.cosines_by_words, told)
        current = set(reads.current(ctx.state, instance))
        branches = bounds_of(ctx.state, instance).branches
        content = compared(list(texts), cosines, same, current, branches)
        made = {**content, "same_from": same, "model": model}
        return result(inputs, made, "source")


def compared(
    items: list[str], cosines: diversity.Cosines, same: float, current: set[str], number: int
) -> dict[str, Any]:
    """Which seeds repeat which, the groups of the distinct ones among the ``current`` seeds, one of
    each, and how many new ideas each round brought.

    A current seed that repeats an earlier one that was replaced stands for it, since the earlier
    one is not worked out any more.
    """
    repeats = diversity.duplicates(cosines, same)
    stands_for: dict[int, int] = {}
    for n, (item, first) in enumerate(zip(items, repeats, strict=True)):
        if item in current:
            stands_for.setdefault(n if first is None else first, n)
    grouped = diversity.groups(cosines, list(stands_for.values()), number)
    group_of = {n: at for at, group in enumerate(grouped, 1) for n in group}
    rows: list[dict[str, Any]] = []
    for n, (item, earlier) in enumerate(zip(items, repeats, strict=True)):
        row = {"seed": item, "round": reads.round_of(item), "group": group_of.get(n, 0)}
        if earlier is not None:
            row |= {"repeats": items[earlier], "alike": round(cosines[n][earlier], 2)}
        rows.append(row)
    picks = [items[n] for n in diversity.one_of_each(grouped, items)]
    return {"seeds": rows, "picks": picks, "rounds": new_by_round(rows)}


def new_by_round(rows: Sequence[dict[str, Any]]) -> list[dict[str, int]]:
    """The ideas of each round, those of them that repeat no earlier one, and all distinct ones up
    to its end."""
    counts: list[dict[str, int]] = []
    for number in dict.fromkeys(row["round"] for row in rows):
        here = ["repeats" not in row for row in rows if row["round"] == number]
        total = sum(here) + (counts[-1]["total"] if counts else 0)
        counts.append({"round": number, "ideas": len(here), "new": sum(here), "total": total})
    return counts


def caption(it: DiversityContent) -> str:
    new = ", ".join(str(one.new) for one in it.rounds)
    distinct = it.rounds[-1].total if it.rounds else 0
    return f"{distinct} of {count(len(it.seeds), 'seed')} distinct; new by round: {new}"


def curve_view(state: State, address: str) -> CurveView:
    """New distinct ideas by round; the text of a round says what repeats what."""
    it = held(state, address, DiversityContent)
    by = f"sentence vectors ({it.model})" if it.model else "words"
    points = []
    for one in it.rounds:
        said = [f"{one.new} of {count(one.ideas, 'idea')} new, {one.total} distinct in all."]
        said += [
            f"Seed {row.seed} repeats seed {row.repeats} ({row.alike:.2f} by {by})."
            for row in it.seeds
            if row.round == one.round and row.repeats
        ]
        points.append(CurvePoint(str(one.round), one.new, "\n".join(said)))
    return CurveView("round", "new ideas", tuple(points))
