"""What a run waits for, on a clock on which only services take time: nothing that its data do not
require."""

import asyncio
from collections import defaultdict
from pathlib import Path

import pytest

from benchmarks import pipeline
from coi_tui.engine.recorder import Event
from coi_tui.methods.coi import CoiSettings
from coi_tui.model.papers import Paper
from coi_tui.services.sources import fetch
from coi_tui.services.sources.types import CitationList
from tests.support.desk import ONE, Desk, chains
from tests.support.script import HashModel
from tests.support.standins import Latency, make_corpus
from tests.support.virtual_clock import run_virtually
from tests.support.world import MemorySource, make_world

WORLD = make_world(first=1980, last=2024, per_year=3)
CALL_S, REQUEST_S, SLOW_S = 1.0, 0.1, 0.7


class Timed:
    """A run up to the directions. ``at``: when something was asked, began or was done, each by its
    name. ``childless``: a paper that cites none; ``slow``: a request that takes long."""

    def __init__(
        self, folder: Path, bounds: CoiSettings, *, childless: str = "", slow: str = ""
    ) -> None:
        class Childless(MemorySource):
            async def references(self, paper: Paper, limit: int) -> CitationList:
                found = await super().references(paper, limit)
                nothing = {"papers": (), "links": (), "total": 0, "rows_read": 0}
                return found.model_copy(update=nothing) if paper.id == childless else found

        self.at: dict[str, list[float]] = defaultdict(list)
        model = HashModel(delay=lambda _: CALL_S)

        def delay(what: str) -> float:
            self._note(what)
            return SLOW_S if what == slow else REQUEST_S

        source = Childless(WORLD, delay=delay)
        self.desk = Desk.new(folder, bounds, model, source)
        plan = self.desk.planner.to_stage("directions")
        run_virtually(self.desk.go(plan, listen=self._listen))

    def _note(self, what: str) -> None:
        self.at[what].append(round(asyncio.get_running_loop().time(), 3))

    def _listen(self, event: Event) -> None:
        self._note(f"{event.kind} {event.address}")

    def paper(self, slot: str) -> str:
        paper = chains(self.desk.session).slot(slot).paper
        assert paper is not None
        return paper


def test_a_trend_waits_for_its_two_cards_and_not_for_the_end_of_the_chain(tmp_path: Path) -> None:
    run = Timed(tmp_path, ONE)
    pairs = {"1/0..+1": ("1/0", "1/+1"), "1/+1..+2": ("1/+1", "1/+2"), "1/-2..-1": ("1/-2", "1/-1")}
    for trend, sides in pairs.items():
        read = max(run.at[f"task done {side}.card"][0] for side in sides)
        assert run.at[f"task started {trend}"] == [read], trend
    assert run.at["task started 1/0..+1"] < run.at["decided 1/-2"]


def test_a_list_is_fetched_while_the_card_that_orders_it_is_read(tmp_path: Path) -> None:
    run = Timed(tmp_path, ONE)
    asked = run.at[f"references {run.paper('1/-1')}"]
    assert asked[0] == run.at["task started 1/-1.card"][0]
    assert "1/-2.cands" in run.desk.state.cells


SHORT = Latency(chat=0.2, search=0.02, embeddings=0.02, pdf=0.02, other=0.02)


@pytest.mark.parametrize(
    ("branches", "topic"),
    [(1, "learning from human preference"), (3, "diffusion models for generation")],
)
def test_a_run_takes_as_long_as_the_longest_chain_of_its_calls(
    tmp_path: Path, branches: int, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Requests of several branches share the places of a source. Who waits for a place is chance, and
    # the chain takes the longest of each stage, so here everybody has one.
    monkeypatch.setattr(fetch, "PARALLEL", 100)
    assert topic in make_corpus().topics
    options = pipeline.Options(branches)
    run = run_virtually(pipeline.one(topic, options, SHORT, rich=False, home=tmp_path))
    assert run.state == "done"
    assert run.chain.seconds <= run.wall + 1e-6
    # the references of the nearest rivals wait for titles too, which may be asked for twice
    assert run.ratio < 1.01
