"""NOVA-8 as a cell: every seed held against all others, one of each group, and the curve of new ideas by round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Made, Result
from coi_tui.methods.nova import diversity, reads
from coi_tui.methods.nova.contents import DiversityContent, SeedContent
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.model.address import parse_address, ref, split_ref
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State
from coi_tui.model.views import CurvePoint, CurveView
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


class DiversityStep(MethodStep):
    """Compares the seeds that nobody dropped, by vectors where the session has a model for them, else by words. No language model."""

    name = "nova diversity"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        instance = parse_address(address).instance
        cells = [reads.seed(instance, item) for item in reads.living(state, instance)] or [
            reads.seed(instance, "1")
        ]
        return tuple(Read(field, ref(cell, field)) for cell in cells for field in ("title", "text"))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        instance = parse_address(inputs.address).instance
        texts = _texts(inputs)
        if not texts:
            raise CoiError("There is no seed to compare.", "Run to the seeds first.")
        found = await self.services(ctx).vectors(list(texts.values()))
        if found is not None:
            cosines, same, how = (
                await beside(diversity.cosines_by_vectors, found[0]),
                diversity.SAME_BY_VECTORS,
                found[1],
            )
        else:
            cosines, same, how = (
                await beside(diversity.cosines_by_words, list(texts.values())),
                diversity.SAME_BY_WORDS,
                "",
            )
        current = set(reads.current(ctx.state, instance))
        content = compared(
            list(texts), cosines, same, current, bounds_of(ctx.state, instance).branches
        )
        return Result(
            (Made(inputs.address, {**content, "same_from": same, "model": how}, "source"),)
        )


def _texts(inputs: Inputs) -> dict[str, str]:
    """Title and text of each seed by its number, round by round."""
    titles = {parse_address(split_ref(name)[0]): str(said) for name, said in inputs.all("title")}
    bodies = {parse_address(split_ref(name)[0]): str(said) for name, said in inputs.all("text")}
    order = sorted(titles, key=lambda at: (len(at.numbers), at.numbers))
    return {at.item: f"{titles[at]}\n{bodies.get(at, '')}" for at in order}


def compared(
    items: list[str], cosines: diversity.Cosines, same: float, current: set[str], number: int
) -> dict[str, Any]:
    """Which seeds repeat which, the groups of the distinct ones among the ``current`` seeds, one of each, and the curve.

    A current seed that repeats an earlier one that was replaced stands for it, since the earlier one is not worked out any more.
    """
    repeats = diversity.duplicates(cosines, same)
    grouped = diversity.groups(cosines, _distinct(items, repeats, current), number)
    group_of = {n: at for at, group in enumerate(grouped, start=1) for n in group}
    rows: list[dict[str, Any]] = []
    for n, (item, earlier) in enumerate(zip(items, repeats, strict=True)):
        row = {"seed": item, "round": reads.round_of(item), "group": group_of.get(n, 0)}
        repeated = (
            {}
            if earlier is None
            else {"repeats": items[earlier], "alike": round(cosines[n][earlier], 2)}
        )
        rows.append({**row, **repeated})
    counts = diversity.curve([reads.round_of(item) for item in items], repeats)
    return {
        "seeds": rows,
        "picks": [items[n] for n in diversity.one_of_each(grouped, items)],
        "rounds": [
            {"round": one.round, "ideas": one.ideas, "new": one.new, "total": one.total}
            for one in counts
        ],
    }


def _distinct(items: list[str], repeats: list[int | None], current: set[str]) -> list[int]:
    """The current seeds without those that repeat another current one."""
    stands_for: dict[int, int] = {}
    for n, (item, first) in enumerate(zip(items, repeats, strict=True)):
        if item in current:
            stands_for.setdefault(n if first is None else first, n)
    return list(stands_for.values())


# -- what is shown ------------------------------------------------------------------------------------------------------


def counts_of(held: DiversityContent) -> list[diversity.RoundCount]:
    return [diversity.RoundCount(one.round, one.ideas, one.new, one.total) for one in held.rounds]


def caption(held: DiversityContent) -> str:
    repeated = sum(bool(row.repeats) for row in held.seeds)
    told = f"{len(held.seeds) - repeated} of {count(len(held.seeds), 'seed')} distinct"
    return f"{told}. {diversity.advice(counts_of(held))}"


def curve_view(state: State, address: str) -> CurveView:
    """New distinct ideas by round; the text of a round says what repeats what."""
    held = state.read(address, DiversityContent) or DiversityContent()
    points = []
    for one in counts_of(held):
        here = [row for row in held.seeds if row.round == one.round and row.repeats]
        repeated = "\n".join(
            f"Seed {row.seed} repeats seed {row.repeats} ({row.alike:.2f})." for row in here
        )
        said = f"{one.new} of {count(one.ideas, 'idea')} new, {one.total} distinct in all."
        points.append(
            CurvePoint(str(one.round), one.new, "\n".join(filter(None, (said, repeated))))
        )
    return CurveView("round", "new ideas", tuple(points))


def _title(state: State, address: str, item: str) -> str:
    seed = state.read(reads.seed(parse_address(address).instance, item), SeedContent)
    return seed.title if seed is not None else ""


def told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The curve as text, what it says about going on, repetitions, and the groups."""
    held = state.read(address, DiversityContent) or DiversityContent()
    counts = counts_of(held)
    yield "NEW IDEAS BY ROUND", "\n".join([*diversity.drawn(counts, 12), diversity.advice(counts)])
    by = f"sentence vectors ({held.model})" if held.model else "words"
    repeated = [
        f"- seed {row.seed} repeats seed {row.repeats} ({row.alike:.2f})"
        for row in held.seeds
        if row.repeats
    ]
    yield (
        "REPETITIONS",
        "\n".join(
            [
                f"Compared by {by}: above {held.same_from:g} two ideas are one.",
                *(repeated or ["None."]),
            ]
        ),
    )
    of_group: dict[int, list[str]] = {}
    for row in held.seeds:
        of_group.setdefault(row.group, []).append(
            f"- seed {row.seed}{' (chosen)' if row.seed in held.picks else ''}: {_title(state, address, row.seed)}"
        )
    yield from (
        (f"GROUP {number}", "\n".join(lines))
        for number, lines in sorted(of_group.items())
        if number
    )
