"""A step that asks for the people behind papers: its requests are told beforehand, counted,
recorded, kept and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, Settings, SourceSettings
from coi_tui.methods import registry
from coi_tui.methods.ideas.matches import ONE_CALL
from coi_tui.methods.registry import register
from coi_tui.prompts import loader
from coi_tui.session.session import Session
from tests.methods.talk import MOST, TALK
from tests.support.desk import paths_in
from tests.support.standins import Settings as StandInSettings
from tests.support.standins import StandIns, make_corpus
from tests.support.standins.request_log import Entry

TOPIC = make_corpus().topics[0]
ASKED = "to the same: ids of the authors of your papers"


@pytest.fixture(autouse=True)
def talk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        registry, "METHODS", {name: registry.METHODS[name] for name in (registry.FIRST, ONE_CALL)}
    )
    monkeypatch.setattr(loader, "ADDED", [])
    register(TALK)


def settings(pair: StandIns) -> Settings:
    at = SourceSettings(base_url=pair.s2_url, retries=1, pace_s=0)
    return Settings(
        llm=LlmSettings(base_url=pair.chat_url), source="semantic_scholar", semantic_scholar=at
    )


def opened(name: str, places: Path, pair: StandIns) -> Session:
    return Session.create(
        name, TOPIC, paths=paths_in(places), settings=settings(pair), keys=Keys(), method="Talk"
    )


def asked_of(pair: StandIns) -> list[Entry]:
    return [entry for entry in pair.log.entries if entry.service == "s2"]


async def test_the_requests_are_told_counted_recorded_and_kept(tmp_path: Path) -> None:
    async with StandIns(StandInSettings()) as pair:
        with opened("one", tmp_path, pair) as session:
            plan = session.planner.to_stage("people")
            assert ASKED in plan.sends
            assert [line.cost.searches for line in plan.lines] == [(3, 13)]
            assert (await session.runs.run(plan)).state == "done"
            asked = [entry.path.rpartition("/graph/v1")[2] for entry in asked_of(pair)]
            assert [path for path in asked if path in ("/paper/batch", "/author/batch")] == [
                "/paper/batch",
                "/author/batch",
            ]
            low, high = plan.lines[0].cost.searches
            assert low <= len(asked) <= high
            held = session.state.in_use("K1/people")
            assert held is not None
            people = held.content["people"]
            assert len(people) == MOST
            assert any(person["affiliation"] for person in people)
            recorded = [
                call
                for call in session.core.calls.values()
                if call.kind == "http" and call.address == "K1/people"
            ]
            assert len(recorded) == len(asked)
            assert ASKED not in session.planner.to_stage("ideas").sends, (
                "the people are there already"
            )
        before = len(asked_of(pair))
        with opened("two", tmp_path, pair) as session:
            assert (await session.runs.run(session.planner.to_stage("people"))).state == "done"
            second = session.state.in_use("K1/people")
            assert second is not None
            assert second.content["people"] == people
        assert len(asked_of(pair)) == before, "the library keeps the answers of the first session"
