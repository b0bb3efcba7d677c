"""``python -m benchmarks.idea_similarity``: how often are two texts told to say the same, rightly and not?

For 60 topics a set (titles of papers), 12 abstracts of at least six sentences among the 60 most
similar papers. *Wrongly told*: pairs of whole abstracts of different papers. *Rightly told*: an
abstract's sentences with odd numbers against those with even ones, which is harder than two texts on
one idea, for each half has half the words. Word weights come from 40 of the papers, as in a session.
The sketches of the recorded run in ``../shared/data/recorded`` are on one topic and all different.

Reads ``../shared/data`` (see ``--data``) and copies nothing from it. Without that folder it says so
and exits with 0.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from benchmarks.held_out.corpus import KINDS, load
from benchmarks.novelty import ROOT
from coi_tui.literature.ranking import WordTable
from coi_tui.model.papers import Paper
from coi_tui.model.text import sentences
from coi_tui.present.idea_similarity import PAPERS, SAID, SAME

TOPICS, FOUND, COMPARED, SENTENCES = 60, 60, 12, 6
POOL = 6000


def table(texts: Sequence[str]) -> WordTable:
    return WordTable(Paper(id=str(n), title=text) for n, text in enumerate(texts))


def told(texts: Sequence[str], pairs: Sequence[tuple[int, int]], papers: WordTable) -> list[bool]:
    """Whether each pair of texts is told to say the same."""
    near = [
        table([*texts[:n], *texts[n + 1 :]]).similarities(text, papers)
        for n, text in enumerate(texts)
    ]
    return [bool(near[j][i] >= SAME) for i, j in pairs]  # i < j


def measure(data: Path, name: str, seed: int) -> tuple[list[bool], list[bool]]:
    """Of one set: pairs of halves of one abstract, and pairs of two papers' abstracts."""
    chance = random.Random(f"sameness:{name}:{seed}")
    rows = [row for row in load(data, name).rows if row.abstract]
    chance.shuffle(rows)
    rows = rows[:POOL]
    texts = [f"{row.title}\n{row.abstract}" for row in rows]
    words = table(texts)
    long = [n for n, row in enumerate(rows) if len(sentences(row.abstract or "")) >= SENTENCES]
    same, different = list[bool](), list[bool]()
    for topic in chance.sample(long, TOPICS):
        scores = words.similarities(rows[topic].title)
        near = sorted(range(len(rows)), key=lambda n: -scores[n])[:FOUND]
        papers = table([texts[n] for n in near[:PAPERS]])
        wholes = [texts[n] for n in near if n in long][:COMPARED]
        different += told(wholes, [*combinations(range(len(wholes)), 2)], papers)
        parts = [sentences(text.partition("\n")[2]) for text in wholes]
        halves = [" ".join(part[n::2]) for part in parts for n in (0, 1)]
        same += told(halves, [(n, n + 1) for n in range(0, len(halves), 2)], papers)
    return same, different


def sketches(data: Path) -> list[bool]:
    """The pairs of the recorded sketches; the weights are those of the sketches themselves."""
    file = data / "recorded" / "sketches.json"
    groups = json.loads(file.read_text(encoding="utf-8")).values()
    texts = ["\n".join(str(one.get(name, "")) for name in SAID) for of in groups for one in of]
    return told(texts, [*combinations(range(len(texts)), 2)], table([]))


def share(found: Sequence[bool]) -> str:
    return f"{sum(found)} of {len(found)} ({sum(found) / len(found):.2%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--seed", type=int, default=5)
    asked = parser.parse_args()
    if not asked.data.exists():
        print(f"There is no {asked.data}: nothing was measured.")
        return
    for name in KINDS:
        same, different = measure(asked.data, name, asked.seed)
        print(f"{name}: halves of one abstract told {share(same)}, two papers {share(different)}")
    print(f"recorded sketches, all different: told {share(sketches(asked.data))}")


if __name__ == "__main__":
    main()
