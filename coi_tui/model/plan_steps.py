"""The steps of an experiment plan, a sentence or line each, and where each comes from: a review point, a paper, the person, a draft."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import Answer, ExperimentPlan, ReviewPoint
from coi_tui.model.entries import Version
from coi_tui.model.naming import version_name
from coi_tui.model.reviewing import points_of, with_ancestors, words_that_count
from coi_tui.model.state import State

STEP_PARTS = ("decisive", "design", "baselines", "metrics", "effort")
"""The parts of a plan that say what is to be done."""
SHORTEST_TITLE = 12
"""A title of fewer letters stands in a sentence by chance."""
SAME_FACT = 0.5
"""The part of a fact's words that a step must have to rest on it."""
_SENTENCE = re.compile(r"(?<=[^\d\s][.!?])[ \t]+|\n+")

Origin = Literal["draft", "point", "refinement", "you"]


@dataclass(frozen=True)
class PlanStep:
    """A step by its number in the plan, the part that it stands in, and its words."""

    n: int
    part: str
    text: str


@dataclass(frozen=True)
class StepSource:
    """Where a step comes from: the version of the plan that it came with, how (``point``: the number of a review point), and papers."""

    origin: Origin
    version: Version
    point: int = 0
    papers: tuple[str, ...] = ()


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [piece for piece in _SENTENCE.split(text) if piece.strip()]


def steps_of(plan: ExperimentPlan) -> list[PlanStep]:
    """The steps of a plan, in the order in which they are read."""
    found = [
        (part, piece.strip()) for part in STEP_PARTS for piece in sentences(getattr(plan, part))
    ]
    return [PlanStep(n, part, text) for n, (part, text) in enumerate(found, start=1)]


def sources(state: State, version: Version) -> list[tuple[PlanStep, StepSource]]:
    """Each step of a version of the plan with where it comes from."""
    lineage = sorted(with_ancestors(state, version), key=lambda held: -held.seq)
    said = {held.seq: _said(state, held) for held in lineage}
    titles = {
        paper.id: paper.title.casefold()
        for paper in state.papers.values()
        if len(paper.title) >= SHORTEST_TITLE
    }
    found = []
    for step in steps_of(state.content(version, ExperimentPlan)):
        text = step.text.casefold()
        found.append(
            (
                step,
                _source(
                    state,
                    lineage,
                    said,
                    step,
                    tuple(paper for paper, title in titles.items() if title in text),
                ),
            )
        )
    return found


def _said(state: State, version: Version) -> frozenset[str]:
    return frozenset(_same(step.text) for step in steps_of(state.content(version, ExperimentPlan)))


def _same(text: str) -> str:
    return " ".join(text.split())


def _source(
    state: State,
    lineage: list[Version],
    said: dict[int, frozenset[str]],
    step: PlanStep,
    named: tuple[str, ...],
) -> StepSource:
    """The step's version is the oldest one from which on every later one has it; ``named``: papers whose titles stand in it."""
    came = lineage[0]
    for held in lineage[1:]:
        if _same(step.text) not in said[held.seq]:
            break
        came = held
    if came.by_person:
        return StepSource("you", came, papers=named)
    if not came.recipe.get("review"):
        return StepSource("draft", came, papers=named)
    papers = tuple(dict.fromkeys([*_read(state, came, step), *named]))
    point = _point(state, came, step)
    return StepSource("point" if point else "refinement", came, point, papers)


def _read(state: State, version: Version, step: PlanStep) -> Iterator[str]:
    """The papers read for a refinement of which a fact stands in the step."""
    support = state.content(version, ExperimentPlan).support
    mine = words_that_count(step.text)
    for read in support.facts if support is not None else ():
        facts = (words_that_count(fact) for fact in read.facts)
        if any(fact and len(fact & mine) >= SAME_FACT * len(fact) for fact in facts):
            yield read.paper


def _point(state: State, version: Version, step: PlanStep) -> int:
    """The review point that a refinement answered with this step: of those answered in its part the one with the nearest words, or 0."""
    review = state.versions.get(int(version.recipe.get("review") or 0))
    branch_points = (
        {p.n: p for p in points_of(state, _branch(version), review)} if review is not None else {}
    )
    answers = [a for a in state.content(version, ExperimentPlan).answers if a.change]
    here = [a for a in answers if a.part.strip().casefold() == step.part]
    if len(here) == 1:
        return here[0].point
    mine = words_that_count(step.text)
    shared = [
        (len(mine & _words(answer, branch_points)), answer)
        for answer in here or [a for a in answers if not a.part.strip()]
    ]
    best = max(shared, key=lambda pair: pair[0], default=(0, None))
    return best[1].point if best[1] is not None and best[0] else 0


def _branch(version: Version) -> Branch:
    return parse_address(version.address).branch


def _words(answer: Answer, points: dict[int, ReviewPoint]) -> set[str]:
    """The words of an answer and of the point that it answers."""
    point = points.get(answer.point)
    return words_that_count(f"{answer.change} {point.point if point else ''}")


def source_words(state: State, source: StepSource) -> str:
    """``review point 2 (in v3)``, ``your edit (v2)``, ``the first draft``: without the papers."""
    name = version_name(state, source.version.address, source.version.seq)
    if source.origin == "draft":
        return "the first draft" if name == "v1" else f"the draft {name}"
    words = {
        "you": "your edit",
        "point": f"review point {source.point}",
        "refinement": "a refinement, for no point that it names",
    }
    return f"{words[source.origin]} ({name})"


def source_in_short(source: StepSource) -> str:
    """The same in a word or two, for a table: ``point 2``, ``you``, ``draft``."""
    return f"point {source.point}" if source.origin == "point" else source.origin
