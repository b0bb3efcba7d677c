"""The task of VirSci that asks for the people behind papers: a plan says so beforehand, and its
requests are recorded, stored and replayed."""

from __future__ import annotations

from pathlib import Path

from coi_tui.config import Keys, LlmSettings, Settings, SourceSettings
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.desk import paths_in
from tests.support.standins import Settings as StandInSettings
from tests.support.standins import StandIns, make_corpus

ASKED = "to the same: ids of the authors of your papers"


async def test_the_requests_are_disclosed_recorded_and_stored(tmp_path: Path) -> None:
    async with StandIns(StandInSettings()) as pair:
        at = SourceSettings(base_url=pair.s2_url, retries=1, pace_s=0)
        settings = Settings(
            llm=LlmSettings(base_url=pair.chat_url), source="semantic_scholar", semantic_scholar=at
        )
        found = []
        for name in ("one", "two"):
            before = len(pair.log.entries)
            with Session.create(
                name,
                make_corpus().topics[0],
                Environment(paths_in(tmp_path), settings, Keys()),
                method="VirSci",
            ) as session:
                plan = session.planner.to_stage("people")
                assert ASKED in plan.sends
                assert (await session.runs.run(plan)).state == "done"
                assert ASKED not in session.planner.to_stage("ideas").sends, "they are known now"
                people = session.state.in_use("V1/people")
                assert people is not None
                found.append(people.content)
                calls = [c for c in session.calls.values() if c.address == "V1/people"]
            asked = [e.path for e in pair.log.entries[before:] if e.service == "s2"]
            batches = [path for path in asked if path.endswith("/author/batch")]
            assert bool(batches) == (name == "one"), "the library keeps the answers"
            assert calls
        assert found[0] == found[1]
