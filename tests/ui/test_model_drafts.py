"""A journey at two sizes: drafts of one idea by several models of a server, their price, one chosen
without their names, and the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.config import LlmSettings, Price, RoleSettings, Settings
from coi_tui.screens.history_screen import HistoryScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.queries.history import open_drafts
from tests.support.standins import StandIns

from .helpers import Trip, demo

MODELS = ["standin-one", "standin-two"]


async def named(t: Trip) -> set[str]:
    """The models that any version is shown to be by, in the list or beside its text."""
    screen, found = await t.to(HistoryScreen, "h", at="1/idea"), set[str]()
    for _ in screen.items:
        await t.idle()
        found |= {name for name in MODELS if name in t.text}
        await t.press("down")
    await t.to(WorkbenchScreen, "escape")
    return found


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_a_draft_is_chosen_without_its_name(tmp_path: Path, size: tuple[int, int]) -> None:
    async with StandIns() as pair, demo(tmp_path, size, stage="ideas") as t:
        session, before = t.bench.session, t.bench.session.state.in_use("1/idea")
        session.decide("network", "session", False)
        llm = LlmSettings(
            base_url=pair.chat_url,
            main=RoleSettings(model="standin-main"),
            prices={MODELS[0]: Price(input=100, output=100)},
            draft_models=", ".join(MODELS),
        )
        session.settings = Settings(llm=llm)
        t.bench.refresh_rows()
        await t.go("1/idea")
        menu = await t.to(AskChoice, "g")
        offer = next(o for o in session.planner.offers("1/idea") if o.what == menu.names[-4])
        sheet = await t.to(PlanSheet, offer.key)
        assert sheet.plan.goal.step == "further drafts"
        assert sheet.off_tick(), "its lines are of one row, and go together"
        shown = " ".join(t.text.split())
        assert all(f"1/idea by {name}" in shown for name in MODELS)
        assert "$" in shown
        assert "cost unknown" in shown
        await t.run()
        assert session.state.in_use("1/idea") == before
        drafts = open_drafts(session.state, "1/idea")
        asked = [str(session.state.versions[seq].recipe["model"]) for seq in drafts]
        assert {*asked} == {*MODELS}
        assert await named(t) == set()

        history = await t.to(HistoryScreen, "h", at="1/idea")
        await t.press("up")
        assert history.chosen is not None
        assert history.chosen.by.startswith("draft ")
        chosen = history.chosen.seq

        def used() -> int:
            version = session.state.in_use("1/idea")
            return version.seq if version is not None else 0

        await t.change("a", lambda: used() == chosen, "the draft to be in use")
        await t.on(WorkbenchScreen)
        assert await named(t) == {*MODELS}
        await t.change("u", lambda: used() != chosen, "the text as it was")
        assert await named(t) == set()
