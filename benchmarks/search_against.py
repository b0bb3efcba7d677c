"""``python -m benchmarks.search_against``: does a search against an idea find the paper behind it where the novelty check did not?

Abstracts of real papers are told in other words by rule (``held_out/rewording.py``): synonyms, half of the words or more dropped, no word
of the title, and all of it in the middle of another paper's abstract, so that the idea seems to be about that. Each idea is checked with
the built-in drafter against a Semantic Scholar stand-in that serves the whole corpus, and then searched against. Beside it stand two
plain ways that ask for as many papers: as many queries, each a random part of the idea's words, and the search with the whole idea with
so many more hits. No synonym of the drafter's table undoes one of the rule's.

Reads ``../shared/data`` (see ``--data``) and copies nothing from it. Without that folder it says so and exits with 0.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.held_out.corpus import PaperSet, load
from benchmarks.held_out.rewording import SYNONYMS, disguised
from benchmarks.held_out.text_index import best
from benchmarks.novelty import BOUNDS, FEWEST_WORDS, ROOT, Idea, Measurement, table
from coi_tui.literature.ranking import content_words
from coi_tui.methods.shared.drafts.against_draft import OTHER
from coi_tui.methods.shared.drafts.text_tools import stem
from coi_tui.methods.shared.novelty_searches import whole_idea

RANDOM_DRAWS = 20
"""So many draws of random queries are averaged for each idea."""


@dataclass(frozen=True)
class Outcome:
    """What came of one idea. ``random``: the part of the draws of random queries that found the original; ``angles``: those that did."""

    original: str
    plain: bool
    against: bool
    verdict: str
    queries: int
    new_papers: int
    angles: tuple[str, ...]
    random: float
    deeper: bool


def ideas_of(papers: PaperSet, count: int, seed: int, dropped: float) -> list[Idea]:
    """Ideas of a seed; a smaller count gives the beginning of a larger one."""
    fit = [
        row.number
        for row in papers.rows
        if row.year and len((row.abstract or "").split()) >= FEWEST_WORDS
    ]
    random.Random(f"against:{papers.name}:{seed}").shuffle(fit)
    out = []
    for number in fit[:count]:
        row = papers.rows[number]
        rng = random.Random(f"disguised:{row.id}:{seed}")
        setting = (
            papers.rows[rng.choice([other for other in fit if other != number])].abstract or ""
        )
        title, text = disguised(row.title, row.abstract or "", setting, rng, dropped)
        out.append(Idea(number, title, text))
    return out


class AgainstMeasurement(Measurement):
    """Checks ideas, then searches against them."""

    async def both(self, idea: Idea) -> Outcome:
        with self.session_of(idea, self.whole) as (session, fetch):
            first = await self.report(session, fetch, session.planner.to_verify("1/idea"))
            after = await self.report(session, fetch, session.planner.to_search_against("1/idea"))
        row = next((r for r in after.papers if self.number(r.paper) == idea.original), None)
        asked = {s.query: s.angle for s in after.searches if s.angle}
        return Outcome(
            original=self.papers.rows[idea.original].id,
            plain=any(self.number(r.paper) == idea.original for r in first.papers),
            against=row is not None,
            verdict=row.verdict if row else "",
            queries=len(asked),
            new_papers=len(after.papers) - len(first.papers),
            angles=tuple(asked[q] for q in row.found_by if q in asked) if row else (),
            random=self.by_chance(idea, list(asked)),
            deeper=self.deeper(idea, len(asked)),
        )

    def found(self, query: str, idea: Idea, hits: int) -> bool:
        """Whether the original is among the first hits of a query."""
        return idea.original in best(self.whole.ranking.bm25(query), 0)[:hits]

    def by_chance(self, idea: Idea, asked: Sequence[str]) -> float:
        """How often as many queries of as many words find the original when the idea's words are drawn at random."""
        words = list(content_words(f"{idea.title}\n{idea.text}").values())
        rng = random.Random(f"chance:{idea.original}")
        sizes = [len(query.split()) for query in asked]
        draws = (
            [rng.sample(words, min(size, len(words))) for size in sizes]
            for _ in range(RANDOM_DRAWS)
        )
        return (
            sum(
                any(self.found(" ".join(query), idea, BOUNDS.novelty_hits) for query in draw)
                for draw in draws
            )
            / RANDOM_DRAWS
        )

    def deeper(self, idea: Idea, queries: int) -> bool:
        """Whether the search with the whole idea finds the original when it asks for as many more papers."""
        return self.found(whole_idea(idea.fields), idea, (1 + queries) * BOUNDS.novelty_hits)


async def measure(papers: PaperSet, ideas: Sequence[Idea]) -> list[Outcome]:
    with tempfile.TemporaryDirectory(prefix="coi-against-") as folder:
        measurement = AgainstMeasurement(papers, Path(folder))
        return [await measurement.both(idea) for idea in ideas]


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Shares over all ideas, and over those whose original the check missed."""
    missed = [o for o in outcomes if not o.plain]

    def share(values: Sequence[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    return {
        "ideas": len(outcomes),
        "found by the check": share([o.plain for o in outcomes]),
        "found by the check or the search against it": share([o.against for o in outcomes]),
        "missed by the check": len(missed),
        "of these, found by the search against it": share([o.against for o in missed]),
        "of these, found by as many random queries": share([o.random for o in missed]),
        "of these, found by the whole idea with as many more hits": share(
            [o.deeper for o in missed]
        ),
        "angles that found them": dict(Counter(angle for o in missed for angle in set(o.angles))),
        "verdicts on those found": dict(Counter(o.verdict for o in missed if o.against)),
        "queries of a search against": share([o.queries for o in outcomes]),
        "papers that it adds": share([o.new_papers for o in outcomes]),
    }


def undone_by_the_drafter() -> list[tuple[str, str]]:
    """Pairs of the rewording that the drafter's table would turn back or repeat; there must be none."""
    return [
        (a, b)
        for a, b in SYNONYMS.items()
        if b in OTHER.get(stem(a), ()) or a in OTHER.get(stem(b), ())
    ]


def arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search_against",
        description=__doc__.partition("\n")[0].partition(": ")[2],
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=ROOT / "../shared/data",
        help="the folder of the paper sets (default ../shared/data)",
    )
    parser.add_argument("--corpus", default="dev", help="which set (default dev)")
    parser.add_argument(
        "--ideas", type=int, default=200, metavar="N", help="abstracts (default 200)"
    )
    parser.add_argument(
        "--dropped",
        default="0.5,0.7,0.85",
        help="the parts of the words that are dropped (default 0.5,0.7,0.85)",
    )
    parser.add_argument("--seed", type=int, default=1, help="which abstracts (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all outcomes here")
    return parser.parse_args()


def main() -> int:
    """0 where the search against the ideas finds more of what the check missed than random queries do; 1 where it does not."""
    args = arguments()
    if not args.data.is_dir():
        print(f"{args.data} is missing: nothing to measure")
        return 0
    papers = load(args.data, args.corpus)
    outcomes: dict[str, list[Outcome]] = {}
    for dropped in args.dropped.split(","):
        started = time.perf_counter()
        outcomes[dropped] = asyncio.run(
            measure(papers, ideas_of(papers, args.ideas, args.seed, float(dropped)))
        )
        print(
            f"{dropped} dropped: {len(outcomes[dropped])} ideas in {time.perf_counter() - started:.0f} s",
            flush=True,
        )
    by_part = {dropped: figures(found) for dropped, found in outcomes.items()}
    print(table(by_part, "dropped"))
    if args.json:
        told = {dropped: [asdict(o) for o in found] for dropped, found in outcomes.items()}
        args.json.write_text(
            json.dumps({"figures": by_part, "outcomes": told}, indent=1), encoding="utf-8"
        )
    better = all(
        f["of these, found by the search against it"]
        >= f["of these, found by as many random queries"]
        for f in by_part.values()
    )
    return 0 if better and not undone_by_the_drafter() else 1


if __name__ == "__main__":
    raise SystemExit(main())
