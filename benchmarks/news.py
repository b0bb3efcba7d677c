"""``python -m benchmarks.news``: are the papers shown as new the ones that matter later?

Papers of VIS from 2017 and 2018 stand as the work of a researcher: title as topic, abstract as the
idea. A session is made as of the end of 2018 (questions, chains, novelty check; without the paper
itself), against a Semantic Scholar stand-in that serves nothing later. Then it serves 2019 and 2020
as well, and one look is made. True are the papers of these two years that cite the held-out paper,
and those that at least two papers from 2021 on cite together with it; the session knows neither.

Beside the ten shown stand, of all papers of the two years, the newest and the most similar (TF-IDF
of topic and idea). A look that was seen is followed by another one of the same world, and one two
years later: nothing may be shown twice.

Reads ``../shared/data`` (see ``--data``) and copies nothing from it. Without that folder it says so
and exits with 0.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

import numpy as np

from benchmarks.held_out.corpus import PaperSet, load
from benchmarks.held_out.service import HeldOutService
from benchmarks.held_out.text_index import Ranking, best
from benchmarks.novelty import FEWEST_WORDS, ROOT, Cut, InProcess, Measurement
from coi_tui.config import Keys, Settings
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.news import SHOWN, news_of
from coi_tui.model.text import count
from coi_tui.paths import Paths
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session

MADE, LOOKED, LATER = 2018, 2020, 2022
"""The last year that is served when the session is made, when it looks, and when it looks again."""
FEWEST, TOGETHER = 3, 2
"""A paper has at least so many true ones; so many later papers cite together."""
BOUNDS = CoiSettings(branches=2, novelty_rounds=1)
NEWS, WORDS, NEWEST = "shown", "TF-IDF", "newest"


def truth_of(papers: PaperSet, target: int) -> tuple[frozenset[int], frozenset[int]]:
    """The papers of the two years that cite a paper, and those that are cited together with it
    later."""
    new = (papers.years > MADE) & (papers.years <= LOOKED)
    citing = papers.citations[target]
    later = (n for n in citing if papers.years[n] > LOOKED)
    together = Counter(int(c) for n in later for c in papers.references[n] if new[c])
    return (
        frozenset(int(n) for n in citing if new[n]),
        frozenset(n for n, times in together.items() if times >= TOGETHER),
    )


def drawn(papers: PaperSet, number: int, seed: int) -> list[int]:
    """Papers of a seed; a smaller number gives the beginning of a larger one."""
    fit = [
        row.number
        for row in papers.rows
        if row.year in (MADE - 1, MADE)
        and len((row.abstract or "").split()) >= FEWEST_WORDS
        and len(frozenset.union(*truth_of(papers, row.number))) >= FEWEST
    ]
    random.Random(f"news:{papers.name}:{seed}").shuffle(fit)
    return fit[:number]


@dataclass
class Looks:
    """What came of one session: the first ten of each way, what two later looks showed, and how many
    the first one counted only."""

    first: dict[str, list[int]]
    again: list[int] = field(default_factory=list)
    later: list[int] = field(default_factory=list)
    off_field: int = 0
    chain: frozenset[int] = frozenset()


class NewsMeasurement(Measurement):
    """Makes sessions as of one year and looks in later ones."""

    year = MADE

    @property
    def today(self) -> str:  # type: ignore[override]
        return f"{self.year}-12-31"

    def cut(self, target: int) -> Cut:
        mask = (self.papers.years > 0) & (self.papers.years <= self.year)
        mask[target] = False
        return Cut(self.papers, mask)

    async def looks(self, target: int) -> Looks:
        row, self.year = self.papers.rows[target], MADE
        home = self.folder / row.id
        paths = Paths(data=home / "data", config=home / "config", cache=home / "cache")
        env = Environment(paths, Settings(), Keys(), lambda: f"{self.today}T12:00:00Z")
        with Session.create("news", row.title, env, bounds=BOUNDS) as session:
            fetch = InProcess(HeldOutService(self.papers, {0: self.cut(target)}))
            await self.run(session, fetch, session.planner.to_stage("chains"))
            idea = {"title": row.title, "final": row.abstract}
            session.edits.save("1/idea", session.edits.as_text("1/idea", idea))
            await self.run(session, fetch, session.planner.to_check("verify", "1/idea"))
            self.year = LOOKED
            shown = await self.look(session, target)
            found = Looks({NEWS: shown, **self.others(target)})
            found.off_field = news_of(session.state).content.off_field
            chain = (self.number(s) for s in session.state.held_papers().values())
            found.chain = frozenset(n for n in chain if n is not None)
            session.decide("seen", "news")
            found.again = await self.look(session, target)
            self.year = LATER
            found.later = await self.look(session, target)
        return found

    async def look(self, session: Session, target: int) -> list[int]:
        fetch = InProcess(HeldOutService(self.papers, {0: self.cut(target)}))
        await self.run(session, fetch, session.planner.to_look())
        numbers = (self.number(entry.paper) for entry, _ in news_of(session.state).papers)
        return [n for n in numbers if n is not None]

    def others(self, target: int) -> Mapping[str, list[int]]:
        row, years = self.papers.rows[target], self.papers.years
        mask = (years > MADE) & (years <= LOOKED)
        words = Ranking(self.papers.index, mask).tfidf(f"{row.title} {row.abstract}")
        newest = sorted(np.flatnonzero(mask), key=lambda n: (-years[n], self.papers.rows[n].id))
        return {WORDS: best(words, 0)[:SHOWN], NEWEST: [int(n) for n in newest[:SHOWN]]}


def share(shown: Sequence[int], truth: frozenset[int]) -> float:
    """Of the true papers that could be shown, the share that is."""
    return len(truth.intersection(shown)) / min(SHOWN, len(truth))


async def measure(papers: PaperSet, targets: Sequence[int]) -> list[Looks]:
    with tempfile.TemporaryDirectory(prefix="coi-news-") as folder:
        measurement = NewsMeasurement(papers, Path(folder))
        return [await measurement.looks(target) for target in targets]


def report(papers: PaperSet, targets: Sequence[int], looks: Sequence[Looks]) -> list[str]:
    """A line a way: shares of true papers (mean, the lowest quarter, sessions without one), and how
    many of the papers shown are not true, and how many of these cite no paper of the chains."""
    truths = [truth_of(papers, target) for target in targets]
    lines = [
        "| way | true | lowest quarter | without one | citing | cited later | not true | cites nothing of the chains either |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for way in (NEWS, WORDS, NEWEST):
        shown = [look.first[way] for look in looks]
        each = sorted(share(s, a | b) for s, (a, b) in zip(shown, truths, strict=True))
        lowest, none = mean(each[: max(1, len(each) // 4)]), each.count(0.0)
        citing, later = (
            mean(share(s, t[n]) for s, t in zip(shown, truths, strict=True) if t[n]) for n in (0, 1)
        )
        wrong = [set(s) - a - b for s, (a, b) in zip(shown, truths, strict=True)]
        far = sum(
            not look.chain.intersection(map(int, papers.references[n]))
            for look, those in zip(looks, wrong, strict=True)
            for n in those
        )
        shares = f"{mean(each):.3f} | {lowest:.3f} | {none} | {citing:.3f} | {later:.3f}"
        number = sum(map(len, shown))
        lines.append(f"| {way} | {shares} | {sum(map(len, wrong))} of {number} | {far} |")
    return lines


def main() -> int:
    """0 where nothing is shown twice and the ten shown hold more true papers than the most similar."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.news", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--sessions", type=int, default=40, help="sessions of each seed")
    parser.add_argument("--seeds", default="1,2", help="which papers, between commas")
    args = parser.parse_args()
    if not args.data.is_dir():
        print(f"{args.data} is missing: nothing to measure")
        return 0
    papers, failed = load(args.data, "vis"), False
    for seed in args.seeds.split(","):
        targets = drawn(papers, args.sessions, int(seed))
        looks = asyncio.run(measure(papers, targets))
        print(f"\nseed {seed}: {count(len(targets), 'session')}\n")
        print("\n".join(report(papers, targets, looks)), flush=True)
        shown = [{*look.first[NEWS]} for look in looks]
        twice = sum(
            len(those & {*look.again, *look.later})
            for those, look in zip(shown, looks, strict=True)
        )
        same = sum(len(look.again) for look in looks)
        old = sum(papers.years[n] <= MADE for look in looks for n in look.first[NEWS])
        later = sum(len(look.later) for look in looks)
        off = sum(look.off_field for look in looks)
        print(
            f"\nshown twice: {twice}; older than the session: {old}; shown in the same world again: {same}; shown {LATER}: {later}; not in the field, counted only: {off}"
        )
        found = {
            way: mean(
                share(look.first[way], frozenset.union(*truth_of(papers, t)))
                for look, t in zip(looks, targets, strict=True)
            )
            for way in (NEWS, WORDS)
        }
        failed |= bool(twice or old or same) or found[NEWS] <= found[WORDS]
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
