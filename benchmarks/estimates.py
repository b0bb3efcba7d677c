"""``python -m benchmarks.estimates``: what a plan says that a run will cost, and what the run then costs, at gpt-4o prices.

Runs of three branches for every topic of the stand-in's corpus, with short texts and with texts as long as a large model's. Prints for
each the range that the plan showed beside the cost, how many of the costs lie inside, and by prompt what its calls took.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks.coi_process import table
from benchmarks.standins import ChatOptions, Settings, StandIns, make_corpus
from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, SourceSettings
from coi_tui.config import Settings as AppSettings
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.calls import Call
from coi_tui.model.money import Estimate
from coi_tui.paths import paths
from coi_tui.session.session import Session

PRICE = Price(input=2.5, output=10)
"""Dollars for a million tokens of gpt-4o."""
LENGTHS = (1.0, 1.6, 2.5)
"""Of texts, as multiples of the stand-in's own, which are short; at 2.5 they are as long as those of the published program."""


@dataclass(frozen=True)
class Estimated:
    """One finished run with what its plan had said."""

    topic: str
    drafts: int
    length: float
    estimate: Estimate
    spent: float
    expected_calls: float
    calls: tuple[Call, ...]

    @property
    def inside(self) -> bool:
        low, high = self.estimate.range
        return low <= self.spent <= high

    def row(self) -> tuple[str, ...]:
        low, high = self.estimate.range
        return (
            self.topic,
            str(self.drafts),
            f"{self.length:g}",
            f"{self.expected_calls:.0f}",
            str(len(self.calls)),
            f"${self.estimate.expected:.3f}",
            f"${low:.3f}-{high:.3f}",
            f"${self.spent:.3f}",
            "inside" if self.inside else "OUTSIDE",
        )


async def one(topic: str, drafts: int, length: float, home: Path, branches: int = 3) -> Estimated:
    """A run on fresh services in this process, by one model for both roles."""
    async with StandIns(Settings(chat=ChatOptions(length=length))) as pair:
        llm = LlmSettings(
            base_url=pair.chat_url,
            main=RoleSettings(model="gpt-4o"),
            reader=RoleSettings(model="gpt-4o"),
            prices={"gpt-4o": PRICE},
        )
        settings = AppSettings(llm=llm, semantic_scholar=SourceSettings(base_url=pair.s2_url))
        bounds = CoiSettings(branches=branches, drafts=drafts)
        with Session.create(
            "run",
            topic,
            paths=paths({"COI_HOME": str(home)}),
            settings=settings,
            keys=Keys(),
            bounds=bounds,
        ) as session:
            plan = session.planner.to_stage()
            if plan.usd is None:
                raise RuntimeError("the model has a price, and the plan does not know it")
            outcome = await session.runs.run(plan)
            if outcome.state != "done":
                raise RuntimeError(f"the run on {topic} ended {outcome.state}")
            chats = tuple(call for call in session.core.file.calls() if call.kind == "chat")
            return Estimated(
                topic,
                drafts,
                length,
                plan.usd,
                session.core.spent().money.usd,
                plan.expected_calls,
                chats,
            )


def by_prompt(runs: list[Estimated]) -> str:
    """Mean tokens of each prompt's calls over some runs."""
    groups: dict[str, list[Call]] = defaultdict(list)
    for call in (call for run in runs for call in run.calls):
        groups[f"{call.step}: {call.prompt}"].append(call)
    rows = [
        (
            name,
            f"{len(some) / len(runs):.1f}",
            f"{sum(c.prompt_tokens for c in some) / len(some):.0f}",
            f"{sum(c.completion_tokens for c in some) / len(some):.0f}",
        )
        for name, some in groups.items()
    ]
    return table(rows, ("step and prompt", "calls a run", "prompt tokens", "reply tokens"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.estimates", description=__doc__)
    known = list(make_corpus().topics)
    parser.add_argument(
        "--topics",
        type=int,
        default=len(known),
        metavar="N",
        help=f"only the first N of {len(known)}",
    )
    parser.add_argument(
        "--drafts", type=int, default=3, help="drafts of each direction (default 3)"
    )
    parser.add_argument("--branches", type=int, default=3, help="K (default 3)")
    args = parser.parse_args()
    runs = []
    for length in LENGTHS:
        for topic in known[: args.topics]:
            with tempfile.TemporaryDirectory() as home:
                runs.append(asyncio.run(one(topic, args.drafts, length, Path(home), args.branches)))
    head = (
        "topic",
        "drafts",
        "texts x",
        "calls expected",
        "calls",
        "expected",
        "range",
        "spent",
        "",
    )
    print(table([run.row() for run in runs], head))
    print(f"{sum(run.inside for run in runs)} of {len(runs)} inside the range")
    for length in LENGTHS:
        print(f"\ntexts x {length:g}\n{by_prompt([run for run in runs if run.length == length])}")


if __name__ == "__main__":
    main()
