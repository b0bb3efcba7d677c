"""``python -m benchmarks.pipeline``: Chain of Ideas against in-process services with fixed
latencies, topic by topic.

Prints wall time, the longest chain of dependent calls (benchmarks.critical_path) and their ratio;
for the slowest topic, calls and tokens by stage; and what a server that keeps the beginnings of
prompts (benchmarks.prefix_cache) would have kept, with the cost at gpt-4o prices with and
without that. The profile ``slow`` also ranks by embeddings and reads full texts, as the published
program does.
``--length 2.5`` has texts about as long as those of a large model: those of the stand-in are short.
``--alone`` measures what a machine would take that does nothing else: waits are skipped, and this
process's own time at the processor counts, that of the stand-ins included; waits for the disk do not.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.critical_path import Chain, longest_chain
from benchmarks.prefix_cache import KINDS, CachingChat
from coi_tui.config import Keys, LlmSettings, RoleSettings, SourceSettings
from coi_tui.config import Settings as AppSettings
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.coi import CoiSettings
from coi_tui.model.entries import Call
from coi_tui.paths import paths
from coi_tui.services.llm.chat import price_usd
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.coi_process import table
from tests.support.standins import (
    BENCH,
    SLOW,
    ChatOptions,
    Latency,
    S2Options,
    Settings,
    StandIns,
    make_corpus,
)
from tests.support.virtual_clock import run_virtually

PROFILES = {"bench": BENCH, "slow": SLOW}
PUBLISHED = {
    "bench": "the published program, K=3: 37.3 s, 61 chat calls, 177 k prompt and 28 k reply tokens; bound 19.7 s, ratio 1.89;\n"
    "all three branches on one anchor, 4 forward and 0 backward",
    "slow": "the published program, K=3, slow services: 104.9 s, ratio 2.77",
}


@dataclass(frozen=True)
class Run:
    """One finished run."""

    topic: str
    wall: float
    chain: Chain
    calls: list[Call]
    state: str
    shape: str
    reads_only: Chain
    cached: dict[str, int]
    """Tokens of prompts that were kept, by where a prompt begins for the server."""

    @property
    def chats(self) -> int:
        return sum(c.kind == "chat" for c in self.calls)

    @property
    def ratio(self) -> float:
        return self.wall / self.chain.seconds if self.chain.seconds else float("inf")


@dataclass(frozen=True)
class Options:
    """How the runs are made."""

    branches: int = 3
    length: float = 1.0
    alone: bool = False


async def one(topic: str, options: Options, latency: Latency, *, rich: bool, home: Path) -> Run:
    """A run of one topic on fresh services in this process."""
    chat, share = ChatOptions(length=options.length), 1.0 if rich else 0.0
    services = Settings(chat=chat, latency=latency, s2=S2Options(pdf_share=share))
    async with StandIns(services, chat_service=CachingChat) as pair:
        embedding = RoleSettings(model="standin-embedding" if rich else "")
        settings = AppSettings(
            llm=LlmSettings(base_url=pair.chat_url, embedding=embedding),
            semantic_scholar=SourceSettings(base_url=pair.s2_url),
        )
        bounds = CoiSettings(branches=options.branches)
        places = paths({"COI_HOME": str(home)})
        with Session.create(
            "run", topic, Environment(places, settings, Keys()), bounds=bounds
        ) as session:
            now = asyncio.get_running_loop().time
            started = now()
            outcome = await session.runs.run(session.planner.to_stage())
            wall = now() - started
            calls = session.file.calls()
            chain = longest_chain(session.state, session.decision_log(), calls)
            bare = longest_chain(session.state, session.decision_log(), calls, choices=False)
            notes = [entry.note["cached"] for entry in pair.log.entries if "cached" in entry.note]
            cached = {kind: sum(note[kind] for note in notes) for kind in KINDS}
            return Run(topic, wall, chain, calls, outcome.state, shape_of(session), bare, cached)


def shape_of(session: Session) -> str:
    """Predecessors and successors of each branch, as 2+2."""
    return " ".join(
        f"{-min(places, default=0)}+{max(places, default=0)}"
        for places in (Chains.of(session.state).chain(b) for b in session.state.branches_of(""))
    )


def stages(calls: list[Call]) -> str:
    """Calls and tokens by prompt, other calls by kind."""
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(call.prompt or call.kind, []).append(call)
    rows = [
        (*_counts(name, some), f"{sum(c.seconds for c in some):.1f}")
        for name, some in groups.items()
    ]
    rows.append((*_counts("all chat calls", [c for c in calls if c.kind == "chat"]), ""))
    return table(rows, ("stage", "calls", "prompt tokens", "cached", "reply tokens", "seconds"))


def _counts(name: str, calls: list[Call]) -> tuple[str, int, int, int, int]:
    cached = sum(c.cached_tokens for c in calls)
    return (
        name,
        len(calls),
        sum(c.prompt_tokens for c in calls),
        cached,
        sum(c.completion_tokens for c in calls),
    )


LONG = 2.5
"""Texts so many times as long as the stand-in's own have about as many tokens a call as the
published program's replies (459)."""
MODELS = {"main": "gpt-4o", "reader": "gpt-4o-mini"}
PAPER_USD = 0.50
"""What the paper says that an idea with its experiment costs at least (gpt-4o, prices of 2024)."""


def cost(calls: list[Call], *, cached: bool) -> float:
    """US dollars of a run's chat calls at the prices of the published models, per role."""
    used = [(MODELS[str(c.request["role"])], c) for c in calls if c.kind == "chat"]
    prices = [
        price_usd(
            model,
            c.prompt_tokens,
            c.completion_tokens,
            {},
            cached_tokens=c.cached_tokens if cached else 0,
        )
        for model, c in used
    ]
    return sum(usd or 0.0 for usd in prices)


def caching(runs: list[Run]) -> str:
    """What was kept of the prompts of each run, and the cost with and without that."""
    rows = []
    for r in runs:
        prompts = sum(c.prompt_tokens for c in r.calls if c.kind == "chat")
        shares = [f"{r.cached[kind] / prompts:.1%}" for kind in KINDS]
        rows.append(
            (
                r.topic,
                prompts,
                *shares,
                f"${cost(r.calls, cached=False):.3f}",
                f"${cost(r.calls, cached=True):.3f}",
            )
        )
    head = ("topic", "prompt tokens", "cached", "cached, schema first", "cost without", "cost with")
    note = f"at prices of {' and '.join(MODELS.values())}; the paper says ${PAPER_USD:.2f} for one idea with its experiment"
    return f"{table(rows, head)}\n{note}"


def timed(topic: str, options: Options, profile: str) -> Run:
    """A run of one topic in a folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        work = one(topic, options, PROFILES[profile], rich=profile == "slow", home=Path(home))
        return run_virtually(work, computing=True) if options.alone else asyncio.run(work)


def report(profile: str, options: Options, topics: list[str]) -> list[Run]:
    """Run every topic and print the worst by wall time."""
    rich, branches = profile == "slow", options.branches
    runs = [timed(topic, options, profile) for topic in topics]
    read = "full texts and embeddings" if rich else "abstracts, ranked locally"
    print(f"\n== {profile}, K={branches}, length 5, texts x {options.length:g}, {read} ==")
    rows = [
        (
            r.topic,
            r.state,
            r.shape,
            f"{r.wall:.2f}",
            f"{r.chain.seconds:.2f}",
            r.chain.chats,
            f"{r.ratio:.3f}",
            r.chats,
        )
        for r in runs
    ]
    print(
        table(
            rows,
            (
                "topic",
                "state",
                "back+forward",
                "wall s",
                "chain s",
                "dependent chats",
                "ratio",
                "chats",
            ),
        )
    )
    worst = max(runs, key=lambda r: r.wall)
    print(
        f"worst: {worst.wall:.2f} s ({worst.topic}); worst ratio {max(r.ratio for r in runs):.3f}"
    )
    strict = max(runs, key=lambda r: r.wall / r.reads_only.seconds)
    bare = strict.reads_only
    print(
        f"by reads alone (no waiting for novelty and matches): {bare.seconds:.2f} s, {bare.chats} dependent chats"
    )
    print("longest chain of the worst topic:", *worst.chain.lines(), sep="\n  ")
    print(stages(worst.calls))
    if branches == 3 and not rich and options.length == 1:
        longer = timed(topics[0], replace(options, length=LONG), profile)
        runs_told = [*runs, replace(longer, topic=f"{longer.topic}, texts x {LONG}")]
    else:
        runs_told = runs
    print(caching(runs_told))
    if branches == 3:
        print(f"for scale: {PUBLISHED[profile]}")
    return runs


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pipeline", description=__doc__)
    known = list(make_corpus().topics)
    parser.add_argument(
        "--topics",
        type=int,
        default=len(known),
        metavar="N",
        help=f"only the first N of {len(known)}",
    )
    parser.add_argument("--profile", choices=[*PROFILES, "both"], default="both")
    parser.add_argument(
        "--branches", type=int, action="append", help="K; may be given twice (default 1 and 3)"
    )
    parser.add_argument(
        "--length",
        type=float,
        default=1.0,
        help="how long the model's texts are, as a multiple (default 1)",
    )
    parser.add_argument("--alone", action="store_true", help="as on a machine that only does this")
    args = parser.parse_args()
    for profile in PROFILES if args.profile == "both" else [args.profile]:
        for branches in args.branches or [1, 3]:
            report(profile, Options(branches, args.length, args.alone), known[: args.topics])


if __name__ == "__main__":
    main()
