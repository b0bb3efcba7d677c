"""VIR-11: HD, CD, CI and ON of the final abstract against the session's papers, split at a year.

They are a proxy for what reviewers say of novelty, never a proof of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from coi_tui.computing import beside
from coi_tui.engine.declarations import Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import held, row, table
from coi_tui.methods.base.reads import reading
from coi_tui.methods.base.task import MethodTask, result
from coi_tui.methods.base.text_tools import unit_rows, weighted_words
from coi_tui.methods.virsci import reads
from coi_tui.methods.virsci.contents import AbstractContent, MeasuresContent
from coi_tui.methods.virsci.course import Team
from coi_tui.model.document import Block
from coi_tui.model.state import State
from coi_tui.model.text import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coi_tui.engine.context import Context

NEAREST = 5
"""Abstracts on each side that count, the most similar first."""
MOST = 500
"""Papers of the session that count at most."""
PROXY = "These numbers stand in for a judgement of novelty; they prove none."
TOLD = {
    "hd": "historical dissimilarity: distance to the nearest past abstracts; larger is better",
    "cd": "contemporary dissimilarity: distance to the nearest contemporary abstracts; smaller is better",
    "ci": "contemporary impact: citations of those contemporary papers; larger is better",
    "on": "overall novelty: HD x CI / CD",
}


class Held(NamedTuple):
    """An abstract of the library. ``citations`` is None where nobody says."""

    year: int
    citations: int | None = None


def middle_year(years: Sequence[int]) -> int | None:
    """The year from which papers are called contemporary: the middle one, but never the first
    where there is a later one (nothing is before it)."""
    known = sorted(years)
    later = [year for year in known if year > known[0]] or known
    return max(known[len(known) // 2], later[0]) if known else None


def measure(
    vector: Sequence[float], library: Sequence[Sequence[float]], held: Sequence[Held], split: int
) -> MeasuresContent:
    """The measures of an abstract whose vector is given, each a multiple of its mean over the
    library; None where that is not known or zero."""
    import numpy as np

    if not held:
        return MeasuresContent()
    vectors, past = np.asarray(library, dtype=float), [one.year < split for one in held]
    raw = [_raw(np.asarray(vector), vectors, past, held)]
    raw += [_raw(each, vectors, past, held, n) for n, each in enumerate(vectors)]
    found: list[float | None] = []
    for value, *usual in zip(*raw, strict=True):
        mean = _mean([one for one in usual if one is not None])
        found.append(value / mean if value is not None and mean else None)
    hd, cd, ci = found
    on = hd * ci / cd if hd is not None and ci is not None and cd else None
    since = len(held) - sum(past)
    return MeasuresContent(hd=hd, cd=cd, ci=ci, on=on, past=sum(past), contemporary=since)


def _raw(
    vector: NDArray[Any],
    vectors: NDArray[Any],
    past: Sequence[bool],
    held: Sequence[Held],
    without: int = -1,
) -> tuple[float | None, ...]:
    """The mean distances to the nearest on both sides, and the citations of those nearest that are
    contemporary."""
    # By differences: other forms lose digits where vectors are nearly equal.
    away = ((vectors - vector) ** 2).sum(axis=1) ** 0.5
    order = sorted((n for n in range(len(held)) if n != without), key=lambda n: (away[n], n))
    before, since = ([n for n in order if past[n] is side][:NEAREST] for side in (True, False))
    cited = [count for n in since if (count := held[n].citations) is not None]
    return _mean(away[before].tolist()), _mean(away[since].tolist()), _mean(cited)


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def word_vectors(texts: Sequence[str]) -> list[list[float]]:
    """Texts as weighted words of length 1, for where there is no model for vectors; words that most
    texts have count little."""
    units: list[list[float]] = unit_rows(weighted_words(texts)).tolist()
    return units


class MeasuresTask(MethodTask):
    """HD, CD, CI and ON, by vectors where the session has a model for them, else by words. No
    language model. Papers need an abstract and a year."""

    name = "virsci measures"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        abstract = reads.text_of(state, Team(state, address).abstract())
        return reading(*abstract, "split?={instance}/people#split")(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        abstract = AbstractContent.from_held(inputs.fields("abstract"))
        papers = [p for _, p in sorted(ctx.state.papers.items()) if p.abstract and p.year][:MOST]
        split = inputs.one("split") or middle_year([paper.year or 0 for paper in papers])
        texts = [abstract.text(), *(paper.abstract or "" for paper in papers)]
        found = await self.services(ctx).vectors(texts)
        vectors = found[0] if found is not None else await beside(word_vectors, texts)
        library = [Held(paper.year or 0, paper.citations.count) for paper in papers]
        made = await beside(measure, vectors[0], vectors[1:], library, int(split or 0))
        behind = {"split": split, "model": found[1] if found is not None else ""}
        return result(inputs, {**made.model_dump(), **behind}, "source")


def number(value: float | None) -> str:
    return "not known" if value is None else f"{value:.2f}"


def behind(it: MeasuresContent) -> str:
    """What the numbers rest on, and what they are not."""
    by = f"vectors ({it.model})" if it.model else "words"
    over = f"{count(it.past, 'abstract')} before {it.split} and {it.contemporary} since"
    return f"By {by}, over {over}; each divided by its mean. {PROXY}"


def measures_caption(it: MeasuresContent) -> str:
    return f"distance {number(it.hd)} from older, {number(it.cd)} from recent abstracts (a proxy)"


def measures_table(state: State, address: str) -> Iterator[Block]:
    it = held(state, address, MeasuresContent)
    rows = (row(name, name.upper(), number(getattr(it, name)), said) for name, said in TOLD.items())
    return table("|times the mean|what it is", rows, behind(it))
