"""A refresh that failed of a text that exists: the row says so, its reason stands over the text,
and the text is there to be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.screens.runs.run_sheets import FailedStepSheet, PlanSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.services.llm.chat import ChatReply, ChatRequest
from coi_tui.services.llm.offline import Drafter
from coi_tui.session import wording

from .helpers import Trip, demo


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the drafter answers nothing, until the patch is undone."""

    async def refused(self: Drafter, request: ChatRequest) -> ChatReply:
        raise RuntimeError("no answer")

    monkeypatch.setattr(Drafter, "complete", refused)


async def refresh(t: Trip, address: str) -> None:
    await t.go(address)
    await t.press("r")
    await t.on(PlanSheet)
    await t.press("enter")
    await t.on(WorkbenchScreen)
    await t.ended()


async def test_the_row_is_marked_and_the_text_stays_below_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        answers = Drafter.complete
        refuse(monkeypatch)
        session = t.bench.session
        text = str((session.state.in_use("1/dir") or pytest.fail("no direction")).content["text"])
        session.edits.save(
            "1/0..1" if "1/0..1" in session.state.cells else "1/-1..0", "my own trend"
        )
        t.bench.refresh_rows()
        assert wording.state(t.row("1/dir")) == "stale"
        await refresh(t, "1/dir")
        assert wording.state(t.row("1/dir")) == "failed"
        assert "1 failed" in t.text
        shown = t.bench.detail.text
        assert (
            shown.index("Failed")
            < shown.index("in use before is still in use")
            < shown.index(text[:40])
        )
        assert "Enter shows what was tried" in shown
        assert f"In use\n{text[:40]}" in shown, "the text is not read as part of the reason"
        assert t.bench.why_off("keep") == "", "it is stale all the same"
        await t.press("enter")
        await t.on(FailedStepSheet)
        monkeypatch.setattr(Drafter, "complete", answers)
        await t.press("enter")
        await t.on(PlanSheet)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.ended()
        assert wording.state(t.row("1/dir")) == "fresh"
        assert "Failed" not in t.bench.detail.text
