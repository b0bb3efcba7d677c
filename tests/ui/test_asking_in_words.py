"""A sentence on a row, its plan, and what changed: by keys."""

from __future__ import annotations

from pathlib import Path

from coi_tui.config import LlmSettings, RoleSettings, Settings
from coi_tui.screens.history_screen import HistoryScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskText
from coi_tui.session.wording import Status
from tests.support.standins import StandIns
from tests.ui.helpers import demo

WISH = "make it more about accessibility"


async def test_a_sentence_its_plan_and_what_changed(tmp_path: Path) -> None:
    async with StandIns() as pair, demo(tmp_path, (80, 24), stage="directions") as t:
        session = t.bench.session
        await t.go("1/dir")
        assert "no language model can rewrite it (offline was asked for)" in t.bench.why_off("ask")
        session.decide("network", "session", False)
        session.settings = Settings(
            show_plans=True,
            llm=LlmSettings(base_url=pair.chat_url, main=RoleSettings(model="standin-main")),
        )
        t.bench.refresh_rows()
        before = session.state.in_use("1/dir")
        await t.press("I")
        await t.on(AskText)
        await t.write(WISH)
        await t.press("enter")
        assert (await t.on(PlanSheet)).plan.title == "Rewrite 1/dir as you asked"
        await t.press("escape")
        await t.until(
            lambda: "Nothing was run or asked of 1/dir." in t.status,
            "the sentence to be taken back",
        )
        assert (t.row("1/dir").status, session.state.cell("1/dir").wishes) == (Status.FRESH, ())
        await t.press("I")
        await t.on(AskText)
        await t.write(WISH)
        await t.press("enter")
        await t.on(PlanSheet)
        await t.press("enter")
        await t.on(HistoryScreen)
        after = session.state.in_use("1/dir")
        assert before is not None
        assert after is not None
        assert (after.parents, session.state.cell("1/dir").wishes) == ((before.seq,), (WISH,))
        await t.press("escape")
        await t.change("u", lambda: session.state.in_use("1/dir") == before, "the text as it was")
