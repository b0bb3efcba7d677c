"""NOVA-2: ten directions in which science has moved on, with the thinkers that each rests on and
ways to go there, in our own words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Theory:
    """A direction. ``thinkers``: who described it, with their subject; ``ways``: how one may
    proceed."""

    number: int
    name: str
    thinkers: tuple[str, ...]
    ways: tuple[str, ...]

    def line(self) -> str:
        """As a person reads and ticks it."""
        return f"{self.number} {self.name}"


THEORIES = (
    Theory(
        1,
        "Define a new problem",
        ("Kuhn: paradigms", "Laudan: science as problem solving", "Nichols: how problems arise"),
        (
            "look for what the present account cannot explain",
            "ask where its range of validity ends",
            "carry over what another field knows",
            "take up an old question that was left lying",
        ),
    ),
    Theory(
        2,
        "Put forward a new hypothesis",
        (
            "Peirce: hypothesis and deduction",
            "Weber: discovery by accident",
            "Simon: discovery as problem solving",
        ),
        (
            "reason by analogy",
            "carry out a thought experiment",
            "follow a hunch and leap ahead of the evidence",
            "assume the opposite and look for the absurdity",
        ),
    ),
    Theory(
        3,
        "Show the limits of present methods",
        ("Popper: falsification", "Lakatos: research programmes", "Feyerabend: against one method"),
        (
            "take a method apart critically",
            "compare what it predicts with what was measured",
            "push it into extreme conditions",
            "compare it with what other fields do",
        ),
    ),
    Theory(
        4,
        "Improve a method",
        (
            "Laudan: progress of methods",
            "Ziemann: creative extension",
            "Hacking: experimental systems",
        ),
        (
            "bring in a new technology or tool",
            "design and control the experiment better",
            "measure more finely",
            "analyse the data in a new way",
        ),
    ),
    Theory(
        5,
        "Find the law behind several studies",
        (
            "Whewell: joining facts under a concept",
            "Carnap: inductive logic",
            "Glaser and Strauss: theory grounded in data",
        ),
        (
            "lay cases beside each other",
            "look for the pattern that they share",
            "put a frame of concepts around them",
            "write the common rule as a formula",
        ),
    ),
    Theory(
        6,
        "Build or change a theoretical model",
        (
            "Quine: beliefs tested as a whole",
            "Lakoff: metaphors as concepts",
            "Kitcher: explaining by unifying",
        ),
        (
            "weigh taking apart against what emerges from the whole",
            "build a frame across fields",
            "model or simulate it mathematically",
            "simplify until two accounts become one",
        ),
    ),
    Theory(
        7,
        "Design a decisive experiment",
        (
            "Duhem and Quine: no hypothesis is tested alone",
            "Bayesian design of experiments",
            "Mayo: learning from error in experiments",
        ),
        (
            "find where competing accounts predict different things",
            "test extreme and boundary cases",
            "observe or measure what nobody has observed",
            "use an experiment that nature or circumstance has made",
        ),
    ),
    Theory(
        8,
        "Explain what does not fit",
        ("Hanson: anomalous findings", "Sutton: serendipity", "Kuhn: crises"),
        (
            "question the basic assumptions again",
            "add an auxiliary hypothesis and test it",
            "offer another explanation",
            "let several fields look at it together",
        ),
    ),
    Theory(
        9,
        "Judge between competing theories",
        (
            "Reichenbach: confirmation",
            "Sober: criteria of choice",
            "Laudan: progress by problems solved",
        ),
        (
            "compare what each explains and predicts",
            "prefer the simpler one where both fit",
            "ask which leads to more to do",
            "check fit with the data and with what else is known",
        ),
    ),
    Theory(
        10,
        "Change the paradigm",
        ("Kuhn: scientific revolutions", "Toulmin: concepts that evolve", "Hall: dynamic systems"),
        (
            "collect the anomalies until they count together",
            "introduce new concepts",
            "read known facts in another way",
            "begin another tradition of practice",
        ),
    ),
)


def theory_of(text: str) -> Theory | None:
    """The theory that a text names, by its number or its name; None where it names none or
    several."""
    numbers = re.findall(r"\d+", text)
    named = [
        theory
        for theory in THEORIES
        if numbers[:1] == [str(theory.number)]
        or (not numbers and theory.name.casefold() in text.casefold())
    ]
    return named[0] if len(named) == 1 else None


def ticked(lines: Iterable[str] | None) -> tuple[Theory, ...]:
    """The theories that a person ticked, one a line, each once in their own order; all ten where no
    line names one."""
    chosen = [theory_of(line) for line in lines or ()]
    return tuple(theory for theory in THEORIES if theory in chosen) or THEORIES
