"""Nova with a scripted model and a source in memory: one test or more for each of its capabilities up to the seeds."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.engine.steps import Scope
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.settings import NovaSettings
from coi_tui.session.session import Session
from tests.support.desk import SMALL, Desk, paths_in, ticking
from tests.support.script import HashModel, Say
from tests.support.world import MemorySource, make_world

TOPIC = "sleep of glass frogs"


def desk_of(folder: Path, say: Mapping[str, Say] | None = None, source: MemorySource | None = None, **settings: Any) -> Desk:
    """A session that begins with Nova: two seeds, two new ones each, two lines a plan, two papers a line."""
    folder.mkdir(parents=True, exist_ok=True)
    small = {"seeds": 2, "each": 2, "lines": 2, "papers": 2, "drafts": 6, "related": 3, "popular": 3, "hits": 6}
    bounds = NovaSettings(**{**small, "novelty_queries": 1, "novelty_hits": 2, **settings})
    session = Session.create(
        "test", TOPIC, paths=paths_in(folder), settings=Settings(), keys=Keys(), clock=ticking(), method="Nova", bounds=bounds
    )  # fmt: skip
    return Desk(session, HashModel(say or {}), source or MemorySource(make_world(), lists=True))


def run(desk: Desk, until: str) -> None:
    outcome = desk.run(until)
    assert outcome.state == "done", (outcome, desk.session.core.failed)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = desk_of(tmp_path)
    run(desk, "round-1")
    return desk


def test_nova_1_seeds_come_from_three_sources(desk: Desk) -> None:
    drafts = desk.content("N1/drafts")["drafts"]
    assert [draft["source"] for draft in drafts] == ["theories"] * 2 + ["trends"] * 2 + ["shortcomings"] * 2
    assert len(desk.content("N1/weighed")["kept"]) == 2


def test_nova_7_three_new_seeds_replace_an_old_one_and_keep_their_descent(desk: Desk) -> None:
    state = desk.session.state
    assert reads.of_round(state, "N1", 0) == ["1", "2"]
    assert reads.current(state, "N1") == ["1.1", "1.2", "2.1", "2.2"]
    assert desk.model.sent.count("nova_new_seeds") == 2


def test_from_a_session_with_a_chain(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SMALL, HashModel())
    assert desk.run("idea").state == "done" if "idea" in desk.methods.stages else desk.run("ideas").state == "done"
    assert desk.session.decisions.add_method("Nova", {"seeds": 2, "each": 2, "lines": 2}) == "N1"
    outcome = asyncio.run(desk.go(desk.session.planner.to_stage("round-1", Scope(instance="N1"))))
    assert outcome.state == "done", outcome
    assert desk.content("N1/target")["of"] == "1/0"
    assert [row.address for row in desk.session.queries.rows() if row.address.startswith("N1/seed")] == [
        "N1/seed1", "N1/seed1.1", "N1/seed1.2", "N1/seed2", "N1/seed2.1", "N1/seed2.2",
    ]  # fmt: skip
