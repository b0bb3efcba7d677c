"""``python -m benchmarks.rivals``: are the works that are shown before an idea the nearest ones?

Papers of a real set stand as thoughts: a paper's title is the topic of a session and its abstract
the direction, and a Semantic Scholar stand-in serves all papers that are no newer. True are the
papers that it cites and those that two later papers cite together with it. Beside the rivals stand,
at the same number, what a novelty check of title and abstract compares (in the order of its
report), the papers whose words are most similar, and what could be reached: the true ones among all
papers that an answer to the search for rivals names, as if they were ranked first. (All true papers
are in what the stand-in serves.) A rule writes the phrases and remembers no works: searches,
citations and order count.

Reads ``../shared/data`` (see ``--data``) and copies nothing from it. Without that folder it says so
and exits with 0.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.held_out.corpus import Case, PaperSet, load
from benchmarks.held_out.metrics import compare
from benchmarks.held_out.text_index import best
from benchmarks.novelty import FEWEST_WORDS, ROOT, Idea, Measurement
from coi_tui.methods.ideas.rivals import SHOWN
from coi_tui.model.content import NoveltyReport, RivalsContent

FEWEST_TRUE, TOGETHER = 3, 2
"""A paper cites at least so many of the set, and has so many beside which it is cited; by so many
papers counts as cited together."""
RIVALS, NOVELTY, WORDS = "rivals", "novelty candidates", "TF-IDF"
REACHED = "reachable: all that was fetched, the true ones first"


def truth_of(papers: PaperSet, target: int) -> tuple[frozenset[int], frozenset[int]]:
    """What a paper cites, and what is cited together with it, as far as it is no newer."""
    mask = papers.allowed(target)
    together = Counter(
        int(n)
        for citing in papers.citations[target]
        for n in papers.references[int(citing)]
        if mask[n]
    )
    return papers.findable(target), frozenset(
        n for n, times in together.items() if times >= TOGETHER
    )


def drawn(papers: PaperSet, number: int, seed: int) -> list[int]:
    """Papers of a seed; a smaller number gives the beginning of a larger one."""
    fit = [
        row.number
        for row in papers.rows
        if row.year and len((row.abstract or "").split()) >= FEWEST_WORDS
    ]
    fit = [
        target
        for target in fit
        if all(len(part) >= FEWEST_TRUE for part in truth_of(papers, target))
    ]
    random.Random(f"rivals:{papers.name}:{seed}").shuffle(fit)
    return fit[:number]


class RivalsMeasurement(Measurement):
    """Makes the rivals of papers, and a novelty check of each. ``requests``: what both asked of the
    service, and of how many papers."""

    def __init__(self, papers: PaperSet, folder: Path) -> None:
        super().__init__(papers, folder)
        self.requests = Counter[str]()

    async def shown(self, target: int, truth: frozenset[int]) -> dict[str, list[int]]:
        """What each way shows for a paper, best first."""
        row, case = self.papers.rows[target], Case(self.papers, target)
        idea = Idea(target, row.title, row.abstract or "")
        with self.session_of(idea, case) as (session, fetch):
            await self.run(session, fetch, session.planner.to_check("verify", "1/idea"))
            report = session.state.read("1/nov", NoveltyReport) or NoveltyReport()
            before, fetch.named = fetch.requests, []
            session.edits.save("1/dir", session.edits.as_text("1/dir", {"text": idea.text}))
            await self.run(session, fetch, session.planner.to_make(["1/rivals"], "rivals"))
            rivals = session.state.read("1/rivals", RivalsContent) or RivalsContent()
            self.requests.update({NOVELTY: before, RIVALS: fetch.requests - before})
            named = [self.ids[one] for one in dict.fromkeys(fetch.named)]
        numbers = {
            RIVALS: [self.number(work.paper) for work in rivals.works],
            NOVELTY: [self.number(r.paper) for r in report.papers],
        }
        found = {way: [n for n in listed if n is not None] for way, listed in numbers.items()}
        return found | {
            WORDS: best(case.ranking.tfidf(f"{idea.title} {idea.text}"), 0),
            REACHED: [n for n in named if n in truth],
        }


def share(shown: Sequence[int], truth: frozenset[int], number: int) -> float:
    """Of the true papers that so many shown ones could be, the share that they are."""
    return len(truth.intersection(shown[:number])) / min(number, len(truth))


async def measure(
    papers: PaperSet, targets: Sequence[int]
) -> tuple[dict[str, list[float]], Counter[str]]:
    """For each way the share of each paper, and the requests of all."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="coi-rivals-") as folder:
        measurement = RivalsMeasurement(papers, Path(folder))
        for target in targets:
            truth = frozenset.union(*truth_of(papers, target))
            for way, shown in (await measurement.shown(target, truth)).items():
                found.setdefault(way, []).append(share(shown, truth, SHOWN))
    return found, measurement.requests


def table(found: Mapping[str, Sequence[float]]) -> str:
    lines = ["| way | share of the true papers | rivals against it |", "| --- | ---: | ---: |"]
    for way, shares in found.items():
        ratio = compare(found[RIVALS], shares).ratio
        lines.append(
            f"| {way} | {sum(shares) / len(shares):.3f} | {ratio.value:.2f} ({ratio.low:.2f} to {ratio.high:.2f}) |"
        )
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.rivals",
        description=__doc__.partition("\n")[0].partition(": ")[2],
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=ROOT / "../shared/data",
        help="the folder of the paper sets (default ../shared/data)",
    )
    parser.add_argument("--corpus", default="vis", help="which set (default vis)")
    parser.add_argument(
        "--papers", type=int, default=60, metavar="N", help="papers of a seed (default 60)"
    )
    parser.add_argument("--seed", type=int, default=1, help="which papers (default 1)")
    return parser.parse_args()


def main() -> int:
    """0: there is no limit to keep; the table says how the ways compare."""
    args = arguments()
    if not args.data.is_dir():
        print(f"{args.data} is missing: nothing to measure")
        return 0
    papers, started = load(args.data, args.corpus), time.perf_counter()
    found, requests = asyncio.run(measure(papers, drawn(papers, args.papers, args.seed)))
    print(
        f"{args.corpus}, {len(found[RIVALS])} papers, {SHOWN} shown, in {time.perf_counter() - started:.0f} s"
    )
    print(table(found))
    print(
        *(f"{n / len(found[way]):.1f} requests a paper: {way}" for way, n in requests.items()),
        sep="; ",
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
