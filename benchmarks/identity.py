"""``python -m benchmarks.identity``: precision and recall of matching by title and of merging, on 10,000 pairs (issue 4, "Must show", 4).

Reads ``../shared/data/dev_papers.jsonl.gz`` and copies nothing from it. Without that file it says so and ends well.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.driving import table
from benchmarks.identity_pairs import DUPLICATE, OTHERS, TITLES, Pair, other_pairs, same_pairs
from coi_tui.literature.deduplication import merge_papers
from coi_tui.literature.title_match import match_title
from coi_tui.model.papers import Paper

DATA = Path("../shared/data/dev_papers.jsonl.gz")
PRECISION, RECALL = 0.999, 0.97


def matched(pair: Pair) -> bool:
    return match_title(pair.other.title, [pair.one], pair.other.year, pair.other.authors).paper is not None


def merged(pair: Pair) -> bool:
    return len(merge_papers([pair.one, pair.other])) == 1


WAYS = {"match_title": matched, "merge": merged}


def figures(said: Sequence[tuple[Pair, bool]]) -> tuple[float, float]:
    """Precision and recall."""
    right = sum(pair.same and yes for pair, yes in said)
    return right / max(1, sum(yes for _, yes in said)), right / max(1, sum(pair.same for pair, _ in said))


def load(file: Path) -> list[Paper]:
    papers = []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            ids = {"S2": row["paperId"]}
            papers.append(Paper(id=f"S2:{row['paperId']}", ids=ids, title=row["title"], year=row["year"], authors=names(row["authors"])))
    return papers


def names(authors: Sequence[str]) -> tuple[str, ...]:
    """One name each: some entries of the set hold a whole list in one text."""
    found: list[str] = []
    for text in authors:
        parts = [part.strip() for part in re.split(r"[,;]", text) if part.strip()]
        found += parts if all(" " in part or part == "et al" for part in parts) else [text]
    return tuple(found)


def make(papers: Sequence[Paper], pairs: int, seed: int) -> list[Pair]:
    """Half of them one paper, half of them two."""
    rng = random.Random(seed)
    same = same_pairs(papers, -(-pairs // 2 // len(TITLES)) + 1, rng)
    others = other_pairs(papers, pairs // 2 // len(OTHERS), rng)
    near = sum(pair.kind != DUPLICATE for pair in others)
    return [*rng.sample(same, min(len(same), pairs - near)), *others]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.identity", description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N wrong answers of every kind")
    args = parser.parse_args()
    if not DATA.exists():
        print(f"{DATA} is missing: nothing to measure")
        return
    made = make(load(DATA), args.pairs, args.seed)
    pairs = [pair for pair in made if pair.kind != DUPLICATE]
    twice = [pair for pair in made if pair.kind == DUPLICATE]
    print(f"left out: {len(twice)} papers that the set seems to hold twice under other spellings (--show prints them)")
    for pair in twice if args.show else ():
        for mark, paper in (("  ", pair.one), ("    ", pair.other)):
            print(f"{mark}{paper.title} | {paper.year} | {', '.join(paper.authors[:2])}")
    for name, way in WAYS.items():
        said = [(pair, way(pair)) for pair in pairs]
        rows = []
        for kind in dict.fromkeys(pair.kind for pair in pairs):
            own = [(pair, yes) for pair, yes in said if pair.kind == kind]
            wrong = [pair for pair, yes in own if yes != pair.same]
            rows.append((kind, "one paper" if own[0][0].same else "two papers", len(own), len(wrong)))
            for pair in wrong[: args.show]:
                for paper in (pair.one, pair.other):
                    print(f"  {kind}: {paper.title} | {paper.year} | {', '.join(paper.authors[:4])}")
        precision, recall = figures(said)
        print(f"\n== {name}: {len(pairs)} pairs, seed {args.seed} ==")
        print(table(rows, ("kind", "truth", "pairs", "wrong")))
        good = precision >= PRECISION and recall >= RECALL
        print(f"of the {len(twice)} left out, {sum(way(pair) for pair in twice)} are taken for one")
        print(f"precision {precision:.4f} (at least {PRECISION}), recall {recall:.4f} (at least {RECALL}): {'met' if good else 'MISSED'}")


if __name__ == "__main__":
    main()
