"""VIR-11: HD, CD, CI and ON of the final abstract against the session's papers, split at a year.

They are a proxy for what reviewers say of novelty, never a proof of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coi_tui.literature.ranking import unit_rows
from coi_tui.methods.base.cell_table import held, row, table
from coi_tui.methods.base.text_tools import weighted_words
from coi_tui.model.content import Content
from coi_tui.model.document import Block
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

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

    ``model``: whose vectors were compared, empty for those of words; papers from the year ``split``
    on are contemporary.
    """

    hd: float | None = None
    cd: float | None = None
    ci: float | None = None
    on: float | None = None
    split: int | None = None
    model: str = ""


def middle_year(years: Sequence[int]) -> int | None:
    """The year from which papers are called contemporary: the middle one, but never the first
    where there is a later one (nothing is before it)."""
    known = sorted(years)
    later = [year for year in known if year > known[0]] or known
    return max(known[len(known) // 2], later[0]) if known else None


def measure(
    vector: Sequence[float], library: Sequence[Sequence[float]], papers: Sequence[Paper], split: int
) -> MeasuresContent:
    """The measures of an abstract whose vector is given, each a multiple of its mean over the
    library; None where that is not known or zero."""
    import numpy as np

    if not papers:
        return MeasuresContent()
    vectors, raw = np.asarray(library, dtype=float), list[tuple[float | None, ...]]()
    for own, point in enumerate([np.asarray(vector), *vectors], -1):
        # By differences: other forms lose digits where vectors are nearly equal.
        distance = (((vectors - point) ** 2).sum(axis=1) ** 0.5).tolist()
        order = [n for n in sorted(range(len(papers)), key=distance.__getitem__) if n != own]
        old = [n for n in order if (papers[n].year or 0) < split][:NEAREST]
        new = [n for n in order if (papers[n].year or 0) >= split][:NEAREST]
        cited = [papers[n].citations.count for n in new]
        raw.append((_mean(distance[n] for n in old), _mean(distance[n] for n in new), _mean(cited)))
    found: list[float | None] = []
    for value, *usual in zip(*raw, strict=True):
        mean = _mean(usual)
        found.append(value / mean if value is not None and mean else None)
    hd, cd, ci = found
    on = hd * ci / cd if hd is not None and ci is not None and cd else None
    return MeasuresContent(hd=hd, cd=cd, ci=ci, on=on, split=split)


def _mean(numbers: Iterable[float | None]) -> float | None:
    """Of those that are known."""
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None


def word_vectors(texts: Sequence[str]) -> list[list[float]]:
    """Texts as weighted words of length 1, for where there is no model for vectors; words that most
    texts have count little."""
    units: list[list[float]] = unit_rows(weighted_words(texts)).tolist()
    return units


def number(value: float | None) -> str:
    return "not known" if value is None else f"{value:.2f}"


def measures_caption(it: MeasuresContent) -> str:
    return f"distance {number(it.hd)} from older, {number(it.cd)} from recent abstracts (a proxy)"


def measures_table(state: State, address: str) -> Iterator[Block]:
    it = held(state, address, MeasuresContent)
    rows = (
        row(name, name.upper(), number(getattr(it, name)), said) for name, said in MEASURES.items()
    )
    by = f"vectors ({it.model})" if it.model else "words"
    note = f"By {by}; papers since {it.split} are contemporary; each divided by its mean. {PROXY}"
    return table("|times the mean|what it is", rows, note)
