"""``python -m benchmarks.chains``: chains on real papers with their real citations, served on
loopback as Semantic Scholar would.

Reads ``vis_*.jsonl.gz`` (4,930 papers) or, with ``--set dev``, ``dev_*.jsonl.gz`` (37,876) of
``../shared/data`` and copies nothing from them. Without them it says so and exits with 0. Fifty
anchors are drawn by seed; each is pinned in a session of its own, and the chain grows both ways
(COI-4, COI-5), for every other anchor under a time cut. Every link must be a citation of the set,
every chain in year order without a paper twice and none after the cut. Kinship is the share of
links whose papers have at least two references in common, beside the share of places where any
candidate had.

``--links 0.04`` serves that share of the links alone, drawn by seed, with the counts of citations as
they are: places are then filled by topic and year as well. Each must carry its mark, and none may
where the service knows a link.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import hashlib
import json
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.coi import CoiSettings
from coi_tui.paths import Paths
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.standins.corpus import Corpus, Paper, SearchIndex
from tests.support.standins.http_server import StandIn
from tests.support.standins.request_log import RequestLog
from tests.support.standins.semantic_scholar import S2Service

DATA = Path("../shared/data")
BOUNDS = CoiSettings(branches=1, length=7, forward=3, backward=3)
CUT_YEARS = 3
"""A cut is this many years after the anchor, so that some of the papers that cite it are hidden."""


@dataclass(frozen=True)
class Built:
    """One chain: paper ids old to new, and what is wrong with it."""

    anchor: str
    cut: str
    chain: tuple[str, ...]
    marks: tuple[str, ...]
    """How each place beside the anchor is linked to its neighbour, as the chain says."""
    seconds: float
    requests: int
    faults: tuple[str, ...]
    akin: int
    """Links whose papers have two references in common."""
    reachable: int
    """Links in whose place some candidate had."""


def rows(name: str) -> Iterator[dict[str, object]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def load(name: str) -> Corpus:
    """The papers with the links between them, in the form that the stand-in serves."""
    raw = list(rows(f"{name}_papers.jsonl.gz"))
    place = {str(r["paperId"]): n for n, r in enumerate(raw)}
    references: list[list[int]] = [[] for _ in raw]
    citations: list[list[int]] = [[] for _ in raw]
    for edge in rows(f"{name}_edges.jsonl.gz"):
        if edge["citing"] not in place or edge["cited"] not in place:
            continue
        citing, cited = place[str(edge["citing"])], place[str(edge["cited"])]
        references[citing].append(cited)
        citations[cited].append(citing)
    papers = tuple(_paper(n, r, references[n], citations[n]) for n, r in enumerate(raw))
    return Corpus(papers, {p.paper_id: p for p in papers}, {})


def _paper(
    number: int, raw: dict[str, object], references: list[int], citations: list[int]
) -> Paper:
    authors, count = raw.get("authors") or [], raw.get("citationCountCrossref")
    assert isinstance(authors, list)
    return Paper(
        number=number,
        paper_id=str(raw["paperId"]),
        title=str(raw["title"]),
        abstract=str(raw.get("abstract") or ""),
        year=int(str(raw.get("year") or 0)),
        date=None,
        venue=str(raw.get("venue") or ""),
        authors=tuple(map(str, authors)),
        topic="",
        second_topic="",
        count=int(str(count or 0)),
        references=tuple(references),
        citations=tuple(citations),
    )


def thinned(corpus: Corpus, share: float, seed: int) -> Corpus:
    """The same papers with a share of the links."""
    rng = random.Random(f"links:{seed}")
    kept = {
        (p.number, cited) for p in corpus.papers for cited in p.references if rng.random() < share
    }
    papers = tuple(
        replace(
            p,
            count=max(p.count, len(p.citations)),
            references=tuple(other for other in p.references if (p.number, other) in kept),
            citations=tuple(other for other in p.citations if (other, p.number) in kept),
        )
        for p in corpus.papers
    )
    return Corpus(papers, {p.paper_id: p for p in papers}, {})


def anchors(corpus: Corpus, how_many: int, seed: int) -> list[Paper]:
    """Papers by seed that cite and are cited within the set."""
    room = [p for p in corpus.papers if p.references and p.citations and p.abstract and p.year]
    return random.Random(seed).sample(room, how_many)


async def build(
    server: StandIn, log: RequestLog, corpus: Corpus, anchor: Paper, cut: str, folder: Path
) -> Built:
    """Pin the anchor in a session of its own and let the chain grow."""
    source = SourceSettings(base_url=f"{server.url}/graph/v1", pace_s=0.0)
    settings, bounds = (
        Settings(semantic_scholar=source),
        BOUNDS.model_copy(update={"known_until": cut, "milestone": 10**9}),
    )
    home = Paths(data=folder / "data", config=folder / "config", cache=folder / "cache")
    name = hashlib.sha256(anchor.paper_id.encode()).hexdigest()[:12]
    before, started = len(log.entries), time.monotonic()
    with Session.create(
        name, anchor.title, Environment(home, settings, Keys()), bounds=bounds
    ) as session:
        (paper,) = (
            await session.papers.look_up(f"https://www.semanticscholar.org/paper/{anchor.paper_id}")
        ).papers
        session.decide("pin", "1/0", paper=paper)
        await session.runs.run(session.planner.to_stage("chains"))
        state = session.state
        chain = tuple(
            str(Chains.of(state).slot(f"1/{shown_place(pos)}").paper)
            for pos in Chains.of(state).chain(1)
        )
        ids = [state.papers[p].ids["S2"] for p in chain]
        places = [pos for pos in Chains.of(state).chain(1) if pos]
        marks = [Chains.of(state).slot(f"1/{shown_place(pos)}").reason.link for pos in places]
    return Built(
        anchor.paper_id,
        cut,
        tuple(ids),
        tuple(marks),
        time.monotonic() - started,
        len(log.entries) - before,
        tuple(faults(corpus, ids, marks, cut)),
        *kinship(corpus, ids, anchor.paper_id, cut),
    )


def kinship(corpus: Corpus, ids: list[str], anchor: str, cut: str) -> tuple[int, int]:
    """Links of a chain whose papers share two references, and those in whose place some candidate
    would: citing papers after the anchor, cited ones before it."""
    held = [corpus.by_id[i] for i in ids]
    middle = ids.index(anchor)
    akin = reachable = 0
    for n, (older, newer) in enumerate(pairwise(held)):
        forward = n >= middle
        tip, other = (older, newer) if forward else (newer, older)
        candidates = [corpus.papers[at] for at in (tip.citations if forward else tip.references)]
        found = {
            p.number
            for p in candidates
            if len(set(tip.references) & set(p.references)) >= 2 and (not cut or p.year <= int(cut))
        }
        akin += other.number in found
        reachable += bool(found)
    return akin, reachable


def shown_place(pos: int) -> str:
    return f"{pos:+d}" if pos else "0"


def faults(corpus: Corpus, ids: list[str], marks: list[str], cut: str) -> Iterator[str]:
    """What is wrong with a chain, in words."""
    held = [corpus.by_id[i] for i in ids]
    if len(set(ids)) < len(ids):
        yield "a paper twice"
    for (older, newer), mark in zip(pairwise(held), marks, strict=True):
        if (older.number in newer.references) != (mark == "cites"):
            yield f"{newer.title!r} after {older.title!r} is marked {mark!r}"
        if older.year > newer.year:
            yield f"{older.title!r} ({older.year}) stands before {newer.title!r} ({newer.year})"
    for paper in held:
        if cut and paper.year > int(cut):
            yield f"{paper.title!r} ({paper.year}) is after {cut}"


async def run(name: str, how_many: int, seed: int, share: float) -> list[Built]:
    every = await asyncio.to_thread(load, name)
    corpus = thinned(every, share, seed) if share < 1 else every
    log = RequestLog(None)
    service = S2Service(await asyncio.to_thread(SearchIndex, corpus))
    with tempfile.TemporaryDirectory() as folder:
        async with StandIn(service, log=log) as server:
            built = []
            for n, drawn in enumerate(anchors(every, how_many, seed)):
                anchor = corpus.by_id[drawn.paper_id]
                cut = str(anchor.year + CUT_YEARS) if n % 2 else ""
                built.append(await build(server, log, corpus, anchor, cut, Path(folder) / str(n)))
            return built


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chains", description=__doc__)
    parser.add_argument("--anchors", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", choices=("vis", "dev"), default="vis")
    parser.add_argument("--links", type=float, default=1.0, help="the share of links served")
    args = parser.parse_args()
    if not (DATA / f"{args.set}_papers.jsonl.gz").exists():
        print(f"{DATA}/{args.set}_papers.jsonl.gz is missing: nothing to measure")
        return 0
    return report(asyncio.run(run(args.set, args.anchors, args.seed, args.links)))


def report(built: list[Built]) -> int:
    """Print what is wrong and how long chains are and take; 1 where anything is wrong."""
    wrong = [(b.anchor, fault) for b in built for fault in b.faults]
    for anchor, fault in wrong:
        print(f"WRONG {anchor}: {fault}")
    lengths = sorted(len(b.chain) for b in built)
    seconds, requests = [b.seconds for b in built], [b.requests for b in built]
    print(f"{len(built)} chains, {sum(bool(b.cut) for b in built)} of them under a time cut")
    print(f"papers a chain: median {statistics.median(lengths)}, {lengths[0]} to {lengths[-1]}")
    links = sum(n - 1 for n in lengths)
    print(f"links checked: {links}; faults: {len(wrong)}")
    for mark, number in Counter(mark for b in built for mark in b.marks).most_common():
        print(f"places marked {mark!r}: {number} of {len(built) * (BOUNDS.length - 1)}")
    akin, reachable = sum(b.akin for b in built), sum(b.reachable for b in built)
    print(f"two references in common: {akin} links; {reachable} could have had it")
    print(
        f"wall time a chain: median {statistics.median(seconds):.2f} s, most {max(seconds):.2f} s"
    )
    print(f"requests a chain: median {statistics.median(requests)}, most {max(requests)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
