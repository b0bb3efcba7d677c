"""``python -m benchmarks.nova``: are repeated ideas found, and does the curve of new ideas flatten where nothing new comes any more?

A stand-in for a model returns ideas on one topic, round by round. It has a store of different ones. At a known rate it returns one that it
has returned before, reworded by rule (``held_out/rewording.py``: sentences in another order, a fifth of the words dropped, synonyms; for a
harder kind twice); once the store is empty it returns nothing else. The ideas are titles and summaries of the starter library, topic by
topic: whole; cut to two sentences, as seeds are; and with one sentence of the topic in front of each, as ideas about one target have it.

The threshold for words is chosen on every other topic, as the highest that leaves room above what is wanted, and measured on those between:
the higher it is, the fewer ideas that go on from an earlier one count as its repetition. How many do is said for texts of which a third or
a half is another idea, word for word; words cannot tell a half from a repetition that is reworded.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.coi_process import table
from benchmarks.held_out.rewording import reworded
from coi_tui.literature.starter.loader import bundled_library
from coi_tui.methods.nova.diversity import (
    SAME_BY_WORDS,
    Cosines,
    cosines_by_words,
    curve,
    duplicates,
    flat_from,
)
from coi_tui.methods.shared.drafts.text_tools import sentences

ROUNDS = 8
A_ROUND = (4, 12)
"""Ideas of a round: as many as one sees between two decisions, and as many as four seeds with three each."""
RATES = (0.1, 0.3, 0.5)
"""The part of the ideas that repeat an earlier one, while there are others left."""
FEWEST = 20
"""Topics of fewer papers are left out: their store is empty at once."""
DRAWS = 4
WANTED, WITH_ROOM = 0.95, 0.99
GRID = [n / 100 for n in range(30, 86, 5)]


@dataclass(frozen=True)
class Kind:
    """What the ideas look like: how many sentences of each, whether all begin with the same one, and how often repetitions are reworded."""

    name: str
    sentences: int = 99
    opening: bool = False
    times: int = 1


KINDS = (
    Kind("whole"),
    Kind("whole, one opening", opening=True),
    Kind("two sentences", 2),
    Kind("two sentences, one opening", 2, opening=True),
    Kind("whole, reworded twice", times=2),
    Kind("two sentences, reworded twice", 2, times=2),
)
HARDER = 4
"""The kinds from here on are reported, and no figure is wanted of them."""


@dataclass(frozen=True)
class Told:
    """An idea that the stand-in returned; ``origin``: which idea of the store it says, in whatever words."""

    round: int
    origin: int
    text: str


@dataclass
class StandIn:
    """Returns ideas of a store, and repeats what it has returned at a known rate."""

    store: Sequence[str]
    rate: float
    times: int
    dice: random.Random
    told: list[Told] = field(default_factory=list)

    def round(self, number: int, ideas: int) -> None:
        for _ in range(ideas):
            said = sorted({one.origin for one in self.told})
            if len(said) < len(self.store) and (not said or self.dice.random() >= self.rate):
                self.told.append(Told(number, len(said), self.store[len(said)]))
            else:
                origin = self.dice.choice(said)
                self.told.append(Told(number, origin, self._again(self.store[origin])))

    def _again(self, text: str) -> str:
        for _ in range(self.times):
            text = reworded(text, self.dice)
        return text


def truth(told: Sequence[Told]) -> list[int | None]:
    """For each idea the place where it was said first, None for those said for the first time."""
    first: dict[int, int] = {}
    return [
        None if first.setdefault(one.origin, n) == n else first[one.origin]
        for n, one in enumerate(told)
    ]


@dataclass(frozen=True)
class Run:
    """A run of the stand-in with what is true of it."""

    topic: str
    told: Sequence[Told]
    cosines: Cosines

    @property
    def rounds(self) -> list[int]:
        return [one.round for one in self.told]


def stores() -> dict[str, list[tuple[str, str]]]:
    """Title and summary of the papers of each topic."""
    library, found = bundled_library(), dict[str, list[tuple[str, str]]]()
    for paper in library.papers.values():
        found.setdefault(library.lineage[paper.id], []).append((paper.title, paper.abstract or ""))
    return {topic: papers for topic, papers in sorted(found.items()) if len(papers) >= FEWEST}


def texts(papers: Sequence[tuple[str, str]], kind: Kind) -> list[str]:
    opening = f"{sentences(papers[0][1])[0]} " if kind.opening else ""
    return [
        f"{opening}{title}. {' '.join(sentences(summary)[: kind.sentences])}"
        for title, summary in papers
    ]


def runs(topic: str, papers: Sequence[tuple[str, str]], kind: Kind, draws: int) -> Iterator[Run]:
    for draw in range(draws):
        for ideas in A_ROUND:
            for rate in RATES:
                dice = random.Random(f"nova:{topic}:{kind.name}:{draw}:{ideas}:{rate}")
                store = texts(dice.sample(list(papers), len(papers)), kind)
                model = StandIn(store, rate, kind.times, dice)
                for number in range(1, ROUNDS + 1):
                    model.round(number, ideas)
                yield Run(topic, model.told, cosines_by_words([one.text for one in model.told]))


@dataclass(frozen=True)
class Figures:
    """Of one topic: precision and recall of what is called a repetition (of the right idea), how far off the round is from which the curve
    is flat at most, and how often it is off at all."""

    precision: float
    recall: float
    off: int
    wrong: int
    runs: int


def measured(made: Sequence[Run], threshold: float) -> Figures:
    got, off = Counter[str](), []
    for run in made:
        true, found = truth(run.told), duplicates(run.cosines, threshold)
        for right, said in zip(true, found, strict=True):
            got["said"] += said is not None
            got["right"] += said is not None and said == right
            got["true"] += right is not None
        flat = [flat_from(curve(run.rounds, repeats)) or ROUNDS + 1 for repeats in (true, found)]
        off.append(abs(flat[0] - flat[1]))
    wrong = sum(map(bool, off))
    return Figures(
        got["right"] / max(1, got["said"]),
        got["right"] / max(1, got["true"]),
        max(off),
        wrong,
        len(made),
    )


def taken_over(
    papers: Sequence[tuple[str, str]], kind: Kind, share: float, threshold: float
) -> tuple[int, int]:
    """How many ideas of which a share of another's words takes the place of their beginning count as repetitions, of how many."""
    words = [text.split() for text in texts(papers, kind)]
    pairs = list(zip(words[::2], words[1::2], strict=False))
    mixed = [
        [*one[: int(len(one) * share)], *other[int(len(other) * share) :]] for one, other in pairs
    ]
    cosines = cosines_by_words([" ".join(text) for text in (*(one for one, _ in pairs), *mixed)])
    repeats = duplicates(cosines, threshold)[len(pairs) :]
    return sum(repeated is not None for repeated in repeats), len(repeats)


def worst(some: Iterable[Figures]) -> float:
    return min(min(one.precision, one.recall) for one in some)


def report(kind: Kind, each: Mapping[str, Figures]) -> list[object]:
    """A row of the table: the worst topics, and how often the curve is flat from another round."""
    precise, called = (
        min(each.items(), key=lambda item: getattr(item[1], name))
        for name in ("precision", "recall")
    )
    wrong, of = sum(one.wrong for one in each.values()), sum(one.runs for one in each.values())
    return [
        kind.name,
        f"{precise[1].precision:.3f} ({precise[0]})",
        f"{called[1].recall:.3f} ({called[0]})",
        f"{wrong} of {of}",
        max(one.off for one in each.values()),
    ]


def say_taken_over(found: Mapping[str, Sequence[tuple[str, str]]], names: Sequence[str]) -> None:
    for share in (1 / 3, 1 / 2):
        some = [
            taken_over(found[topic], kind, share, SAME_BY_WORDS)
            for topic in names
            for kind in KINDS[:HARDER:2]
        ]
        print(
            f"{share:.2f} of another idea word for word: {sum(n for n, _ in some)} of {sum(n for _, n in some)} taken for its repetition"
        )


def chosen(made: Mapping[tuple[Kind, str], Sequence[Run]], topics: Sequence[str]) -> float:
    """The highest threshold that leaves room above what is wanted."""
    for threshold in reversed(GRID):
        if (
            worst(
                measured(made[kind, topic], threshold)
                for kind in KINDS[:HARDER]
                for topic in topics
            )
            >= WITH_ROOM
        ):
            return threshold
    return 0.0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--draws",
        type=int,
        default=DRAWS,
        help="runs of each topic, kind, rate and size of a round",
    )
    draws = parser.parse_args().draws
    began, found = time.perf_counter(), stores()
    made = {
        (kind, topic): list(runs(topic, papers, kind, draws))
        for kind in KINDS
        for topic, papers in found.items()
    }
    chosen_on, measured_on = list(found)[::2], list(found)[1::2]
    print(
        f"{draws * len(A_ROUND) * len(RATES)} runs of {ROUNDS} rounds each per kind and topic. The threshold chosen on {len(chosen_on)}"
    )
    print(
        f"topics is {chosen(made, chosen_on)}, the one in use {SAME_BY_WORDS}; the figures are those of the other {len(measured_on)}:"
    )
    figures = {
        kind: {topic: measured(made[kind, topic], SAME_BY_WORDS) for topic in measured_on}
        for kind in KINDS
    }
    rows = [report(kind, each) for kind, each in figures.items()]
    print(
        table(
            rows,
            [
                "kind",
                "precision, worst topic",
                "recall, worst topic",
                "runs with another flat round",
                "rounds off at most",
            ],
        )
    )
    say_taken_over(found, measured_on)
    print(
        f"{time.perf_counter() - began:.0f} s. By sentence vectors: not measured, no model for them comes with the program."
    )
    reached = worst(one for kind in KINDS[:HARDER] for one in figures[kind].values())
    said = "reached" if reached >= WANTED else "NOT reached"
    print(
        f"{said}: at least {WANTED} in the worst topic of the first {HARDER} kinds ({reached:.3f})"
    )
    return 0 if reached >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main())
