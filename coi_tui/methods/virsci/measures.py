"""VIR-11: HD, CD, CI and ON of the final abstract against the session's papers, split at a year.

They are a proxy for what reviewers say of novelty, never a proof of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from coi_tui.methods.base.cell_table import held, row, table
from coi_tui.methods.base.text_tools import unit_rows, weighted_words
from coi_tui.model.content import Content
from coi_tui.model.document import Block
from coi_tui.model.state import State
from coi_tui.model.text import count

NEAREST = 5
"""Abstracts on each side that count, the most similar first."""
PROXY = "These numbers stand in for a judgement of novelty; they prove none."
MEASURES = {
    "hd": "historical dissimilarity: distance to the nearest past abstracts; larger is better",
    "cd": "contemporary dissimilarity: distance to the nearest contemporary abstracts; smaller is better",
    "ci": "contemporary impact: citations of those contemporary papers; larger is better",
    "on": "overall novelty: HD x CI / CD",
}


class MeasuresContent(Content):
    """VIR-11: the four measures, each a multiple of its mean over the library; None where it is not
    known.

    ``model``: whose vectors were compared, empty for those of words; ``past`` and ``contemporary``:
    abstracts on both sides of ``split``.
    """

    hd: float | None = None
    cd: float | None = None
    ci: float | None = None
    on: float | None = None
    split: int | None = None
    past: int = 0
    contemporary: int = 0
    model: str = ""


class Dated(NamedTuple):
    """A paper of the library. ``citations`` is None where they are not known."""

    year: int
    citations: int | None = None


def middle_year(years: Sequence[int]) -> int | None:
    """The year from which papers are called contemporary: the middle one, but never the first
    where there is a later one (nothing is before it)."""
    known = sorted(years)
    later = [year for year in known if year > known[0]] or known
    return max(known[len(known) // 2], later[0]) if known else None


def measure(
    vector: Sequence[float], library: Sequence[Sequence[float]], papers: Sequence[Dated], split: int
) -> MeasuresContent:
    """The measures of an abstract whose vector is given, each a multiple of its mean over the
    library; None where that is not known or zero."""
    import numpy as np

    if not papers:
        return MeasuresContent()
    vectors, recent = np.asarray(library, dtype=float), [one.year >= split for one in papers]
    raw: list[tuple[float | None, ...]] = []
    for own, point in enumerate([np.asarray(vector), *vectors], -1):
        # By differences: other forms lose digits where vectors are nearly equal.
        distance = (((vectors - point) ** 2).sum(axis=1) ** 0.5).tolist()
        order = sorted(range(len(papers)), key=distance.__getitem__)
        old, new = (
            [n for n in order if n != own and recent[n] is side][:NEAREST] for side in (False, True)
        )
        cited = [known for n in new if (known := papers[n].citations) is not None]
        raw.append((*(_mean([distance[n] for n in side]) for side in (old, new)), _mean(cited)))
    found: list[float | None] = []
    for value, *usual in zip(*raw, strict=True):
        mean = _mean([one for one in usual if one is not None])
        found.append(value / mean if value is not None and mean else None)
    hd, cd, ci = found
    on = hd * ci / cd if hd is not None and ci is not None and cd else None
    since = sum(recent)
    return MeasuresContent(hd=hd, cd=cd, ci=ci, on=on, past=len(papers) - since, contemporary=since)


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def word_vectors(texts: Sequence[str]) -> list[list[float]]:
    """Texts as weighted words of length 1, for where there is no model for vectors; words that most
    texts have count little."""
    units: list[list[float]] = unit_rows(weighted_words(texts)).tolist()
    return units


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
    rows = (
        row(name, name.upper(), number(getattr(it, name)), said) for name, said in MEASURES.items()
    )
    return table("|times the mean|what it is", rows, behind(it))
