"""A run to ``chains`` on OpenAlex-shaped answers; how the source is chosen; what the plan and ``coi
doctor`` say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, Settings, SourceSettings
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.papers import strictly_older
from coi_tui.paths import paths
from coi_tui.session.runs.service_setup import setup_of
from coi_tui.session.session import Session
from coi_tui.session.settings import load_keys
from tests.support.standins import Settings as StandInSettings
from tests.support.standins import StandIn, StandIns, make_corpus, make_index
from tests.support.standins.openalex import OpenAlexService
from tests.support.standins.request_log import RequestLog

KEY = "oa-f4k3-fake-key-0123456789"


@dataclass
class Served:
    """Stand-ins under way, and settings that point to them."""

    works: OpenAlexService
    settings: Settings
    log: RequestLog

    def searches(self) -> list[str]:
        """The words of every search that was sent."""
        return [entry.params["search"] for entry in self.log.entries if "search" in entry.params]


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    works = OpenAlexService(make_index())
    async with StandIns(StandInSettings()) as pair, StandIn(works) as server:
        llm = LlmSettings(base_url=pair.chat_url)
        yield Served(
            works,
            Settings(
                llm=llm, source="openalex", openalex=SourceSettings(base_url=server.url, retries=1)
            ),
            server.log,
        )


async def test_a_run_to_chains(served: Served, tmp_path: Path) -> None:
    topic = make_corpus().topics[0]
    home = paths({"COI_HOME": str(tmp_path)})
    bounds = CoiSettings(branches=1)
    with Session.create(
        "run", topic, paths=home, settings=served.settings, keys=Keys(openalex=KEY), bounds=bounds
    ) as session:
        plan = session.planner.to_stage("chains")
        assert plan.source == "OpenAlex"
        assert "to OpenAlex: search words, titles and paper ids" in plan.sends
        outcome = await session.runs.run(plan)
        assert outcome.state == "done"
        chain = session.state.chain(1)
        slots = [session.state.slot(f"1/{place:+d}" if place else "1/0") for place in sorted(chain)]
        papers = [session.state.papers[slot.paper] for slot in slots if slot.paper]
        assert len(papers) == 5
        assert all(strictly_older(a, b) for a, b in pairwise(papers))
        corpus = make_corpus()
        numbers = [n for p in papers for n in [corpus.find(p.id)] if n]
        assert all(a.number in b.references for a, b in pairwise(numbers))
        assert {p.source for p in papers} == {"OpenAlex"}
        assert all(p.id.startswith("arXiv:") for p in papers)
    searches = served.searches()
    assert topic in searches
    assert len(searches) == len(set(searches)), (
        "no search is sent twice, not even with another number of papers"
    )
    assert set(served.works.keys) == {KEY}
    assert not holding(KEY, tmp_path)


def holding(secret: str, folder: Path) -> list[Path]:
    return [
        file
        for file in folder.rglob("*")
        if file.is_file() and secret.encode() in file.read_bytes()
    ]


def test_choosing_openalex_means_searching_online_and_its_key_stays_hidden() -> None:
    keys = load_keys({"OPENALEX_API_KEY": f" {KEY} "})
    assert keys.of_source("openalex") == KEY
    assert KEY not in repr(keys)
    assert setup_of(Settings(source="openalex"), Keys(), False).source == "OpenAlex"
    assert setup_of(Settings(source="openalex"), keys, True).source == "the starter library"
    assert setup_of(Settings(), keys, False).source == "the starter library"
