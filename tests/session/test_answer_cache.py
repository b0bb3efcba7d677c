"""Answers of services across sessions: kept in the library with their date, asked for again when
old, never under another cut."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, LlmSettings, Settings, SourceSettings
from coi_tui.engine.scheduler import Outcome
from coi_tui.methods.coi import CoiSettings
from coi_tui.paths import Paths, paths
from coi_tui.session.session import Session
from tests.support.standins import Settings as StandInSettings
from tests.support.standins import StandIn, StandIns, make_corpus, make_index
from tests.support.standins.openalex import OpenAlexService

FIRST, SOON, LATE = "2026-03-01", "2026-03-04", "2026-05-01"


@dataclass
class World:
    """Services under way, and one home for all sessions."""

    works: OpenAlexService
    settings: Settings
    home: Paths
    stack: AsyncExitStack
    topic: str = make_corpus().topics[0]

    @property
    def asked(self) -> int:
        return len(self.works.keys)

    def session(
        self, day: str, name: str, *, settings: Settings | None = None, **more: Any
    ) -> Session:
        bounds = CoiSettings(branches=1, known_until=more.pop("known_until", ""))
        return Session.create(
            name,
            self.topic,
            paths=self.home,
            settings=settings or self.settings,
            keys=Keys(openalex="oa-key"),
            bounds=bounds,
            clock=lambda: f"{day}T10:00:00Z",
            **more,
        )

    async def chains(
        self, day: str, name: str, *, anew: bool = False, **more: Any
    ) -> tuple[Session, Outcome, int]:
        """A new session run to its chains on a day; with it how many requests the service got."""
        before, session = self.asked, self.session(day, name, **more)
        self.stack.callback(session.close)
        outcome = await session.runs.run(replace(session.planner.to_stage("chains"), anew=anew))
        return session, outcome, self.asked - before


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    works = OpenAlexService(make_index())
    async with (
        StandIns(StandInSettings()) as pair,
        StandIn(works) as server,
        AsyncExitStack() as stack,
    ):
        llm = LlmSettings(base_url=pair.chat_url)
        settings = Settings(
            llm=llm, source="openalex", openalex=SourceSettings(base_url=server.url, retries=0)
        )
        yield World(works, settings, paths({"COI_HOME": str(tmp_path)}), stack)


def chain_of(session: Session) -> list[str]:
    return [
        p.id for pos in session.state.chain(1) if (p := session.state.paper_at(1, pos)) is not None
    ]


def contents(session: Session) -> dict[str, Any]:
    return {
        a: dict(v.content)
        for a in session.state.cells
        if a.endswith(".cands") and (v := session.state.in_use(a))
    }


async def test_a_second_session_asks_nothing_and_says_how_old_its_lists_are(world: World) -> None:
    one, _, first = await world.chains(FIRST, "one")
    two, outcome, again = await world.chains(SOON, "two")
    assert (outcome.state, first > 5, again) == ("done", True, 0)
    assert chain_of(one) == chain_of(two)
    lists = contents(two)
    assert {c["date"] for c in lists.values() if "of" in c} == {FIRST}
    assert [t["date"] for t in lists["1/0.cands"]["tries"]] == [FIRST]
    read = {p.citations.read for p in two.state.papers.values() if p.citations.count is not None}
    assert read == {FIRST}
    evidence = {e["evidence"] for c in lists.values() for e in c["entries"] if e.get("evidence")}
    assert all(FIRST in text for text in evidence), evidence


async def test_a_plan_that_asks_anew_takes_nothing_from_the_library_and_renews_it(
    world: World,
) -> None:
    _, _, first = await world.chains(FIRST, "one")
    two, _, again = await world.chains(SOON, "two", anew=True)
    assert again == first
    assert {c["date"] for c in contents(two).values() if "of" in c} == {SOON}
    three, _, third = await world.chains(SOON, "three")
    assert third == 0
    assert {c["date"] for c in contents(three).values() if "of" in c} == {SOON}


async def test_a_service_that_is_away_is_answered_for_with_the_age_told(
    world: World, tmp_path: Path
) -> None:
    one, _, _ = await world.chains(FIRST, "one")
    away = world.settings.model_copy(
        update={
            "openalex": SourceSettings(
                base_url=world.settings.source_settings("openalex").base_url, retries=0
            )
        }
    )
    world.works.answer = lambda request, fault: world.works.failure(503)  # type: ignore[method-assign]
    late, outcome, _ = await world.chains(LATE, "late", settings=away)
    assert outcome.state == "done"
    assert chain_of(late) == chain_of(one)
    assert {c["date"] for c in contents(late).values() if "of" in c} == {FIRST}
