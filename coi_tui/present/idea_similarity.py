"""Which texts of a session say the same, and how alike its ideas are: the mean similarity of each
two, beside the same number for its papers, which were found for the same topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from coi_tui.literature.ranking import WordTable, paper_words, unit_rows
from coi_tui.methods.base.reads import FACETS
from coi_tui.model.address import Branch, cell_at, cell_ref
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import Block, Paragraph, Section, plain_table
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Values, clipped, count
from coi_tui.present.comparisons import hidden
from coi_tui.services.llm.offline import is_worksheet

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAPERS = 40
"""So many papers stand for all: 780 pairs."""
SAME = 0.25
"""From this similarity on two texts say the same: at most .5 (dev) and 1.2 (VIS) in a hundred pairs of
abstracts on one topic do, of 171 pairs of sketches on one topic none; of halves of one abstract 63 and
57 in a hundred (``benchmarks/idea_similarity.py``)."""
COMPARED = ("dir", "sketch", "idea")
SAID = ("title", "text", "sentence", "users", "how", *FACETS)
"""Cells that are compared, and their fields that say what they are about."""


@dataclass(frozen=True)
class Measure:
    """Mean similarities of each two of ``number`` ideas and of ``of`` papers, None of fewer than
    two; the two ideas that are most alike, with their similarity. ``facets``: the same of one facet
    of the ideas each."""

    how: str
    ideas: float
    number: int
    papers: float | None
    of: int
    nearest: tuple[Branch, Branch, float]
    facets: Mapping[str, float]


def _ideas(state: State) -> dict[Branch, IdeaContent]:
    found = ((b, state.read(cell_at(b, "idea"), IdeaContent)) for b in state.ideas())
    return {branch: idea for branch, idea in found if idea}


def _text(content: Values) -> str:
    return "\n".join(str(content.get(name, "")) for name in SAID)


def twin(state: State, address: str) -> str:
    """What says the same as the direction, sketch or idea at an address: where it is, how similar
    by words, and its beginning. Empty where nothing does; worksheets do not count."""
    part, texts = cell_ref(address).kind, dict[str, str]()
    for cell in state.cells.values() if part in COMPARED else ():
        at, made = cell_ref(cell.address), state.in_use(cell.address)
        aside = cell.rejected or at.branch in state.parked or at.kind != part
        if made and not (aside or is_worksheet(made)):
            texts[cell.address] = _text(made.content)
    own = texts.pop(address, "")
    if not (own and texts):
        return ""
    papers = _table(_papers(state))
    near = _table([*texts.values()]).similarities(own, papers).tolist()
    score, other = max(zip(near, texts, strict=True))
    return f"{other} ({score:.2f}): “{clipped(texts[other])}”" if score >= SAME else ""


def _papers(state: State) -> list[str]:
    """Title and abstract of papers, evenly taken by id."""
    every = [paper for _, paper in sorted(state.papers.items()) if paper.abstract]
    return [paper_words(paper) for paper in every[:: max(1, -(-len(every) // PAPERS))]]


def spread(texts: Mapping[str, Values]) -> dict[str, tuple[float, float]]:
    """A place for each of three or more texts in a square of side 1: the more alike two are to all
    others by their words, the nearer (principal components)."""
    import numpy as np

    said = [*map(_text, texts.values())]
    alike = _alike(_table(said), said)
    plane = np.linalg.svd(alike - alike.mean(axis=0))[0][:, :2]
    plane -= plane.min(axis=0)
    plane /= np.maximum(plane.max(axis=0), 1e-9)
    return dict(zip(texts, map(tuple, plane.tolist()), strict=True))


def _mean(alike: NDArray[Any]) -> float | None:
    """Of each two of some texts."""
    size = len(alike)
    return float(alike.sum() - alike.trace()) / (size * size - size) if size > 1 else None


def _table(texts: Sequence[str]) -> WordTable:
    return WordTable(Paper(id=str(n), title=text) for n, text in enumerate(texts))


def _alike(
    table: WordTable, texts: Sequence[str], background: WordTable | None = None
) -> NDArray[Any]:
    """The similarity of each two of the texts of a table."""
    import numpy as np

    return np.array([table.similarities(text, background) for text in texts])


def compared_texts(state: State) -> list[str]:
    """The texts that are compared: those of the ideas, then those of papers."""
    return [*(_text(dict(one)) for one in _ideas(state).values()), *_papers(state)]


def _measure(how: str, state: State, every: NDArray[Any]) -> Measure | None:
    """From the similarities of each two of these texts; None of fewer than two ideas."""
    import numpy as np

    branches = list(_ideas(state))
    size = len(branches)
    among, papers = every[:size, :size], every[size:, size:]
    if (mean := _mean(among)) is None:
        return None
    first, second = divmod(int(np.argmax(np.triu(among + 1, k=1))), size)
    nearest = branches[first], branches[second], float(among[first, second])
    return Measure(how, mean, size, _mean(papers), len(papers), nearest, {})


def by_words(state: State) -> Measure | None:
    """By the TF-IDF cosine, whole and facet by facet; None of fewer than two ideas."""
    texts, ideas = compared_texts(state), _ideas(state).values()
    every = _table(texts)
    if len(ideas) < 2 or (found := _measure("words", state, _alike(every, texts))) is None:
        return None
    facets = {name: [t for idea in ideas if (t := getattr(idea, name))] for name in FACETS}
    means = {
        name: _mean(_alike(_table(of), of, every)) for name, of in facets.items() if len(of) > 1
    }
    return replace(found, facets={name: mean for name, mean in means.items() if mean is not None})


def by_vectors(state: State, vectors: Sequence[Sequence[float]], how: str) -> Measure | None:
    """By the cosine of the vectors of ``compared_texts``; None of fewer than two ideas."""
    units = unit_rows(vectors)
    return _measure(how, state, units @ units.T)


def idea_similarity(state: State, measures: Sequence[Measure] | None = None) -> tuple[Block, ...]:
    """The section with what was measured, by words where nothing is given; none of fewer than two
    ideas."""
    if measures is None:
        measures = [found] if (found := by_words(state)) else []
    if not measures:
        return ()
    rows = []
    for one in measures:
        rows.append((f"whole, by {one.how}", *_numbers(one)))
        rows += ((f"{name}, by {one.how}", f"{mean:.2f}", "") for name, mean in one.facets.items())
    head = ("each two", count(one.number, "idea"), count(one.of, "paper"))
    note = "Mean similarity, 0 to 1; the papers, found for one topic, say what is usual."
    if not hidden(state):  # names would say which text of a match is whose
        note += " Most alike: {}/idea and {}/idea ({:.2f}).".format(*measures[-1].nearest)
    return (Section("Similarity", (plain_table(head, rows), Paragraph(note))),)


def in_a_line(measures: Sequence[Measure]) -> str:
    """``Ideas among each other: 0.31 (papers 0.12) by words``."""
    numbers = ((*_numbers(one), one.how) for one in measures)
    each = ", ".join("{} (papers {}) by {}".format(*one) for one in numbers)
    return f"Ideas among each other: {each}" if each else ""


def _numbers(found: Measure) -> tuple[str, str]:
    return f"{found.ideas:.2f}", f"{found.papers:.2f}" if found.papers is not None else "-"
