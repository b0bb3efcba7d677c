"""The age of a list stands where it is decided over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.entries import Version, meanings_of
from coi_tui.model.papers import Citations, Paper
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session

from .helpers import TOPIC, Trip, places

ONLINE = Settings(source="openalex")
NOW = "2026-11-21T09:00:00Z"
PAPERS = [
    Paper(
        id=f"arXiv:2401.0000{n}",
        title=f"A paper on chains of thought, number {n}",
        year=2024,
        abstract="It studies chains.",
        citations=Citations(count=7, source="OpenAlex", read="2026-11-18"),
        source="OpenAlex",
    )
    for n in (1, 2, 3)
]


def session_with_list(folder: Path) -> str:
    """A session whose anchor list was answered from the library three days after it was given."""
    with Session.create(
        "kept",
        TOPIC,
        paths=places(folder),
        settings=ONLINE,
        keys=Keys(),
        bounds=CoiSettings(branches=1),
    ) as s:
        question = {"text": "chains of thought"}
        entries = [
            {
                "paper": p.id,
                "score": 0.5,
                "year": p.year,
                "readable": True,
                "rank": n,
                "fits": True,
                "can_grow": True,
            }
            for n, p in enumerate(PAPERS, start=1)
        ]
        tried = {
            "query": "chains of thought",
            "source": "OpenAlex",
            "date": "2026-11-18",
            "hits": 3,
            "total": 3,
            "note": "",
        }
        listed = {"entries": entries, "tries": [tried], "ranked": "ranked locally", "note": ""}
        s.core.journal.write(
            [
                Version(
                    actor="coi",
                    address="Q1",
                    content=question,
                    meanings=meanings_of(question),
                    origin="drafter",
                ),
                Version(
                    actor="coi",
                    address="1/0.cands",
                    content=listed,
                    meanings=meanings_of(listed),
                    origin="source",
                ),
            ],
            PAPERS,
        )
        return str(s.core.file.path)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Trip]:
    app = CoiApp(places(folder), ONLINE, Keys(), session=session_with_list(folder))
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        there = Trip(app, pilot)
        await there.on(WorkbenchScreen)
        there.bench.session.core.clock = lambda: NOW
        yield there
    app.sessions.close_all()


async def test_the_detail_tells_age_source_and_day(tmp_path: Path) -> None:
    async with opened(tmp_path) as t:
        await t.go("1/0")
        assert (
            "LIST",
            "answered 3 d ago (OpenAlex, 2026-11-18)",
        ) in t.bench.detail.parts


async def test_the_palette_switches_the_session_and_undo_switches_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as t:
        session = t.bench.session
        assert not session.core.is_offline
        await t.bench.runs.do_network()
        assert session.core.is_offline
        assert "nothing leaves this machine" in t.status
        assert "offline" in t.lines[0]
        await t.press("u")
        await t.until(lambda: not session.core.is_offline, "online again")
