"""``python -m benchmarks.novelty``: does a novelty check find the paper that an idea comes from,
call it close, and stay silent otherwise?

Abstracts of real papers are reworded by rule (``held_out/rewording.py``) and stand as ideas that a
person wrote. Each is checked in a session of its own with the judge by words, against a Semantic
Scholar stand-in that serves the whole corpus. Then the paper is taken out and one far hit is left:
a paper that shares as little as possible with the search and is found all the same. Beside it
stands the plain way, the title's words as the only query.

``--edited 40``: as many ideas are checked, one sentence of each is edited, and they are checked
again with queries in other words, as a model would write them; measured is the share of the papers
compared before that are compared again.

Reads ``../shared/data`` (see ``--data``) and copies nothing from it. Without that folder it says so
and exits with 0.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.held_out.corpus import Case, PaperSet, load
from benchmarks.held_out.rewording import reworded
from benchmarks.held_out.service import HeldOutService, id_table
from benchmarks.held_out.text_index import Mask, Ranking, best
from benchmarks.word_judge import WordJudge, draft_novelty_queries
from coi_tui.config import Keys, Settings
from coi_tui.engine.budget import Budget
from coi_tui.methods.base.text_tools import Draft, Values
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.evidence.searches import whole_idea
from coi_tui.methods.ideas.novelty import UNJUDGED
from coi_tui.methods.registry import SessionMethods
from coi_tui.methods.services import ServiceSet
from coi_tui.model.content import NoveltyReport
from coi_tui.model.text import sentences
from coi_tui.paths import Paths
from coi_tui.prompts.loader import Prompts
from coi_tui.services.sources.semantic_scholar import SemanticScholar
from coi_tui.services.sources.types import HttpAnswer, HttpRequest, PdfText
from coi_tui.session.environment import Environment
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request

ROOT = Path(__file__).resolve().parents[1]
FEWEST_WORDS = 60
"""Shorter abstracts say too little to be an idea."""
BOUNDS = CoiSettings(branches=1)
TODAY = "2026-01-01"
WANTED_SHARE = 0.98
WANTED_AGAIN = 0.8
"""At least such a part of the papers compared is compared again after an edit of one sentence."""
WANTED_CLOSE = 0.7
"""At least so many of the originals are to be called a close match by the judge, which compares
words; a title, which it may not quote, would often say the same as the claim that is the idea's."""
MOST_CLOSE_WITHOUT = 0.1
"""At most so many of the ideas whose paper was taken out may have a close match."""


class Cut(Case):
    """Any part of a set of papers."""

    def __init__(self, papers: PaperSet, mask: Mask) -> None:
        self.papers, self.mask = papers, mask
        self.target, self.topic, self.truth = -1, "", frozenset()

    @cached_property
    def ranking(self) -> Ranking:
        return Ranking(self.papers.index, self.mask)


class InProcess:
    """The stand-in without a socket between: what a source of papers fetches from."""

    def __init__(self, service: HeldOutService) -> None:
        self.service, self.searches, self.requests = service, 0, 0
        self.named: list[str] = []
        """The ids of the papers that any answer named."""

    async def json(self, request: HttpRequest) -> HttpAnswer:
        self.requests += 1
        self.searches += request.url.endswith("/search")
        path = "/" + request.url.partition("://")[2].partition("/")[2]
        asked = Request(request.method, path, dict(request.params), {}, b"", request.body, "")
        answer = self.service.answer(asked, Fault())
        self.named += re.findall(r'"paperId": ?"(\w+)"', bytes(answer.body).decode())
        return HttpAnswer(status=answer.status, payload=json.loads(answer.body))

    async def pdf_text(self, url: str) -> PdfText:
        return PdfText(kind="none", note="the stand-in has no PDF")


@dataclass(frozen=True)
class Idea:
    """A reworded paper: its number in the set, and what a person would have written."""

    original: int
    title: str
    text: str

    @property
    def fields(self) -> dict[str, str]:
        return {"title": self.title, "final": self.text}


@dataclass(frozen=True)
class Outcome:
    """What came of one idea. ``alone``: the original is among as many hits of the title alone as
    the check found papers; ``alone_short``: among as many as one search asks for."""

    original: str
    found: bool
    verdict_on_original: str
    papers: int
    searches: int
    alone: bool
    alone_short: bool
    far_hit: str
    far_papers: int
    far_verdict: str
    far_why: str
    verdict_without: str
    """With the paper taken out and everything else left."""


def ideas_of(papers: PaperSet, count: int, seed: int) -> list[Idea]:
    """Ideas of a seed; a smaller count gives the beginning of a larger one."""
    fit = [
        row.number
        for row in papers.rows
        if row.year and len((row.abstract or "").split()) >= FEWEST_WORDS
    ]
    random.Random(f"novelty:{papers.name}:{seed}").shuffle(fit)
    return [_idea(papers, number, seed) for number in fit[:count]]


def _idea(papers: PaperSet, number: int, seed: int) -> Idea:
    row = papers.rows[number]
    rng = random.Random(f"reworded:{row.id}:{seed}")
    return Idea(number, reworded(row.title, rng), reworded(row.abstract or "", rng))


def in_other_words(seed: str) -> WordJudge:
    """The judge with a third of the words of each query left out, drawn by seed, and the rest in
    other words."""
    rng = random.Random(f"queries:{seed}")

    def claims(values: Values) -> Draft:
        drafted: Draft = draft_novelty_queries(values)
        found: Any = drafted["claims"]
        for claim in found:
            claim["queries"] = [reworded(query, rng, 0.33) for query in claim["queries"]]
        return drafted

    return WordJudge(claims)


def edited(idea: Idea) -> Idea:
    """The idea with one of its sentences, drawn by its number, in other words, of which two fifths
    are left out."""
    rng = random.Random(f"edited:{idea.original}")
    said = sentences(idea.text)
    n = rng.randrange(len(said))
    said[n] = reworded(said[n], rng, 0.4)
    return replace(idea, text=" ".join(said))


class Measurement:
    """Checks ideas against one corpus."""

    today = TODAY

    def __init__(self, papers: PaperSet, folder: Path) -> None:
        self.papers, self.folder = papers, folder
        self.all: Mask = papers.years > 0
        self.whole = Cut(papers, self.all)
        self.ids = id_table(papers)
        self.model = WordJudge()

    async def outcome(self, idea: Idea) -> Outcome:
        report, searches = await self.check(idea, self.whole)
        row = next((r for r in report.papers if self.number(r.paper) == idea.original), None)
        alone = best(self.whole.ranking.bm25(idea.title), 0)
        far = self.far_hit(idea)
        far_report, _ = await self.check(idea, Cut(self.papers, self.only(far)))
        without, _ = await self.check(idea, Cut(self.papers, self.all & ~self.only(idea.original)))
        return Outcome(
            original=self.papers.rows[idea.original].id,
            found=row is not None,
            verdict_on_original=row.verdict if row else "",
            papers=len(report.papers),
            searches=searches,
            alone=idea.original in alone[: len(report.papers)],
            alone_short=idea.original in alone[: BOUNDS.novelty_hits],
            far_hit=self.papers.rows[far].id,
            far_papers=len(far_report.papers),
            far_verdict=far_report.verdict,
            far_why=far_report.why,
            verdict_without=without.verdict,
        )

    async def again(self, idea: Idea) -> tuple[float, int]:
        """The share of the papers compared that are compared again after an edit, and how many are
        compared then."""
        with self.session_of(idea, self.whole) as (session, fetch):
            plan = session.planner.to_check("verify", "1/idea")
            before = compared(await self.report(session, fetch, plan))
            text = session.edits.as_text("1/idea", edited(idea).fields)
            session.edits.save("1/idea", text)
            self.model = in_other_words(idea.title)
            plan = session.planner.to_check("verify", "1/idea")
            after = compared(await self.report(session, fetch, plan))
            self.model = WordJudge()
        return len(before & after) / len(before), len(after)

    def far_hit(self, idea: Idea) -> int:
        """The paper with an abstract that a search with the whole idea finds last."""
        hits = [
            n
            for n in best(self.whole.ranking.bm25(whole_idea(idea.fields)), 0)
            if self.papers.rows[n].abstract
        ]
        return next((n for n in reversed(hits) if n != idea.original), 0)

    def only(self, number: int) -> Mask:
        """The part of the set that holds one paper."""
        mask = np.zeros(len(self.papers.rows), dtype=np.bool_)
        mask[number] = True
        return mask

    def number(self, paper: str) -> int | None:
        """A paper of a report, as its number in the set."""
        return self.ids.get(paper.removeprefix("S2:").lower(), self.ids.get(paper.lower()))

    async def check(self, idea: Idea, cut: Case) -> tuple[NoveltyReport, int]:
        """A novelty check of one idea in a session of its own; its report, and how many searches it
        asked."""
        with self.session_of(idea, cut) as (session, fetch):
            return await self.report(
                session, fetch, session.planner.to_check("verify", "1/idea")
            ), fetch.searches

    @contextmanager
    def session_of(self, idea: Idea, cut: Case) -> Iterator[tuple[Session, InProcess]]:
        """A session of its own that holds one idea, and what its source fetches from."""
        name = hashlib.sha256(f"{idea}{cut.mask.sum()}{id(cut)}".encode()).hexdigest()[:16]
        home = Paths(
            data=self.folder / name / "data",
            config=self.folder / name / "config",
            cache=self.folder / name / "cache",
        )
        session = Session.create(
            name, idea.title, Environment(home, Settings(), Keys()), bounds=BOUNDS
        )
        try:
            session.edits.save("1/idea", session.edits.as_text("1/idea", idea.fields))
            yield session, InProcess(HeldOutService(self.papers, {0: cut}))
        finally:
            session.close()

    async def report(self, session: Session, fetch: InProcess, plan: Plan) -> NoveltyReport:
        """Run a plan; the novelty report after it."""
        await self.run(session, fetch, plan)
        report = session.state.read("1/nov", NoveltyReport)
        if report is None:
            raise RuntimeError(f"no report on {session.name}")
        return report

    async def run(self, session: Session, fetch: InProcess, plan: Plan) -> None:
        """Run a plan against the stand-in. Raises RuntimeError where a step fails."""
        tools = ServiceSet(
            model=self.model,
            prompts=Prompts(),
            fetch=fetch,
            source_for=lambda through: SemanticScholar(
                through, "http://stand-in/0/graph/v1", today=lambda: self.today
            ),
        )
        methods = SessionMethods(session.first_method, tools).follow(session.state)
        ended = await session.runs.run_with(methods, plan, session.file.next_job(), Budget())
        if ended.failed:
            raise RuntimeError(f"{session.name}: {ended.failed}")


def compared(report: NoveltyReport) -> set[str]:
    """The papers that the judge was shown."""
    return {row.paper for row in report.papers if row.verdict != UNJUDGED}


async def measure_edits(papers: PaperSet, ideas: Sequence[Idea]) -> float:
    """Print how the comparison stands after an edit; the mean share that is compared again."""
    with tempfile.TemporaryDirectory(prefix="coi-novelty-") as folder:
        measurement = Measurement(papers, Path(folder))
        found = [await measurement.again(idea) for idea in ideas]
    shares = [share for share, _ in found]
    mean = sum(shares) / len(shares)
    most = max(number for _, number in found)
    print(f"one sentence edited, {len(found)} ideas: {mean:.3f} of the papers compared before")
    print(
        f"are compared again (least {min(shares):.2f}); at most {most} papers a check", flush=True
    )
    return mean


async def measure(papers: PaperSet, ideas: Sequence[Idea]) -> list[Outcome]:
    with tempfile.TemporaryDirectory(prefix="coi-novelty-") as folder:
        measurement = Measurement(papers, Path(folder))
        return [await measurement.outcome(idea) for idea in ideas]


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Shares over all ideas."""

    def share(values: Sequence[bool]) -> float:
        return sum(values) / len(values) if values else 0.0

    return {
        "ideas": len(outcomes),
        "found": share([o.found for o in outcomes]),
        "title alone, as many papers": share([o.alone for o in outcomes]),
        "title alone, as many hits as one search asks for": share(
            [o.alone_short for o in outcomes]
        ),
        "verdicts on the original": dict(
            Counter(o.verdict_on_original or "not found" for o in outcomes)
        ),
        "original called a close match": share(
            [o.verdict_on_original == "close match" for o in outcomes]
        ),
        "close match without the original": share(
            [o.verdict_without == "close match" for o in outcomes]
        ),
        "papers of a check": sum(o.papers for o in outcomes) / max(1, len(outcomes)),
        "searches of a check, most": max((o.searches for o in outcomes), default=0),
        "one far hit left: INCONCLUSIVE": share(
            [o.far_verdict == "INCONCLUSIVE" for o in outcomes]
        ),
        "one far hit left: it was found": share([o.far_papers == 1 for o in outcomes]),
        "only the original taken out, verdicts": dict(Counter(o.verdict_without for o in outcomes)),
    }


def table(by_seed: Mapping[Any, dict[str, Any]], what: str = "seed") -> str:
    """A column for each seed, or for each of another ``what``."""
    head = ["", *(f"{what} {seed}" for seed in by_seed)]
    names = list(next(iter(by_seed.values())))
    lines = [
        head,
        ["---", *["---:"] * len(by_seed)],
        *([name, *(_cell(found[name]) for found in by_seed.values())] for name in names),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {n}" for name, n in sorted(value.items()))
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.novelty",
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
        "--ideas", type=int, default=100, metavar="N", help="abstracts of each seed (default 100)"
    )
    parser.add_argument(
        "--seeds", default="1,2", help="which abstracts, between commas (default 1,2)"
    )
    parser.add_argument(
        "--edited", type=int, default=40, metavar="N", help="ideas that are edited (default 40)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all outcomes here")
    return parser.parse_args()


def main() -> int:
    """0 where the limits are kept.

    The original is found for 98 of 100 and called a close match for 70, without it 10 have a close
    match at most, one far hit is INCONCLUSIVE for all, and after an edit .8 are compared again.
    """
    args = arguments()
    if not args.data.is_dir():
        print(f"{args.data} is missing: nothing to measure")
        return 0
    papers = load(args.data, args.corpus)
    again = 1.0
    if args.edited:
        again = asyncio.run(measure_edits(papers, ideas_of(papers, args.edited, 3)))
    outcomes: dict[int, list[Outcome]] = {}
    for seed in (int(text) for text in args.seeds.split(",") if text):
        started = time.perf_counter()
        outcomes[seed] = asyncio.run(measure(papers, ideas_of(papers, args.ideas, seed)))
        print(
            f"seed {seed}: {len(outcomes[seed])} ideas in {time.perf_counter() - started:.0f} s",
            flush=True,
        )
    by_seed = {seed: figures(found) for seed, found in outcomes.items()}
    if by_seed:
        print(table(by_seed))
    if args.json:
        told = {seed: [asdict(o) for o in found] for seed, found in outcomes.items()}
        args.json.write_text(
            json.dumps({"figures": by_seed, "outcomes": told}, indent=1), encoding="utf-8"
        )
    kept = all(within_limits(found) for found in by_seed.values())
    return 0 if kept and again >= WANTED_AGAIN else 1


def within_limits(found: Mapping[str, Any]) -> bool:
    return bool(
        found["found"] >= WANTED_SHARE
        and found["original called a close match"] >= WANTED_CLOSE
        and found["close match without the original"] <= MOST_CLOSE_WITHOUT
        and found["one far hit left: INCONCLUSIVE"] == 1
    )


if __name__ == "__main__":
    raise SystemExit(main())
