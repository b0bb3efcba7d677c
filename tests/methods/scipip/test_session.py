"""SciPIP's ideas are ideas like any other; its tables and its rows on the workbench."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coi_tui.config import Keys, Settings
from coi_tui.engine.steps import Scope
from coi_tui.export.options import WITH_APPENDIX
from coi_tui.llm.types import ChatRequest
from coi_tui.screens.views.content_screen import ContentScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from tests.methods.scipip.frogs import SAYS, TOPIC, desk_of, found_of, frogs
from tests.support.desk import SMALL, Desk, run, ticking
from tests.support.script import HashModel, reply_to
from tests.support.world import MemorySource
from tests.ui.helpers import places, trip


def test_ideas_meet_novelty_arena_experiment_review_and_export(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    run(desk, "review")
    addresses = {row.address for row in desk.session.queries.rows()}
    assert {"S1/1/idea", "S1/1/nov", "A/S1/1-S1/2"} <= addresses
    text = desk.session.exports.text("md", WITH_APPENDIX)
    assert "## Background" in text
    assert "The papers that the ideas come from" in text
    assert "scipip_detail" in " ".join(desk.session.queries.why("S1/1/idea"))
    assert "S1/records" in " ".join(desk.session.queries.why("S1/1/idea"))
    again = desk.reopen()
    assert again.session.verify() == []
    assert {row.address for row in again.session.queries.rows()} == addresses


def test_a_plan_draws_on_what_was_read_of_the_papers(tmp_path: Path) -> None:
    def card(request: ChatRequest) -> dict[str, Any]:
        return {**reply_to(request), "evidence": f"Watch {request.values['title']}."}

    desk = desk_of(tmp_path, {"coi_read": card})
    run(desk, "review")
    plan = desk.model.of("coi_experiment")[0].values
    read: Any = desk.content("S1/records")["papers"]
    shown: Any = plan["experiments"]
    assert [row["experiment"] for row in shown] == [f"Watch {row['title']}." for row in read]
    planned = next(address for address in desk.contents() if address.endswith("/exp"))
    assert "S1/records" in " ".join(desk.session.queries.why(planned))
    first = desk.content("S1/retrieved")["picked"][0]
    desk.session.edits.change_row("S1/retrieved", first, "reject")
    desk.refresh(["S1/retrieved", "S1/records"])
    assert planned in {address for marked in desk.marks().values() for address in marked}


async def test_a_person_steers_beside_a_chain_by_keys_on_the_workbench(tmp_path: Path) -> None:
    """Two entities off, one paper rejected and one pinned, three ideas kept; each by the keys of a
    chain, each undone by u."""
    desk = Desk(
        Session.create(
            "frogs",
            TOPIC,
            paths=places(tmp_path),
            settings=Settings(),
            keys=Keys(),
            clock=ticking(),
            bounds=SMALL,
        ),
        HashModel(SAYS),
        MemorySource(frogs(), lists=True, finds=found_of),
    )
    assert (await desk.go(desk.session.planner.to_stage("anchors"))).state == "done"
    assert (
        desk.session.decisions.add_method("SciPIP", {"hits": 6, "together": 2, "picked": 4}) == "S1"
    )
    assert (
        await desk.go(desk.session.planner.to_stage("filter", Scope(instance="S1")))
    ).state == "done"
    desk.session.close()
    async with trip(tmp_path, (80, 24), session="frogs") as t:
        await t.on(WorkbenchScreen)

        def state(name: str) -> list[str]:
            return t.bench.session.state.value(f"S1/{name}") or []

        async def table(address: str) -> ContentScreen:
            await t.go(address)
            await t.press("enter")
            screen = await t.on(ContentScreen)
            await t.until(lambda: screen.lines.option_count == screen.count > 0, "the rows")
            return screen

        async def at(screen: ContentScreen, row: int) -> str:
            await t.until(lambda: screen.at is not None, "the rows")
            screen.lines.highlighted = row
            await t.until(lambda: screen.at == row, "the cursor")
            return screen.items[row].key

        screen = await table("S1/entities")
        off = [await at(screen, row) for row in (0,)]
        await t.change("space", lambda: state("choice#entities_off") == off, "an entity off")
        off.append(await at(screen, 1))
        await t.change("x", lambda: state("choice#entities_off") == off, "two entities off")
        assert screen.why_off("pin")
        await t.press("escape")
        screen = await table("S1/retrieved")
        gone = await at(screen, 0)
        await t.change("x", lambda: state("choice#papers_off") == [gone], "a paper unticked")
        pinned = await at(screen, 3)
        await t.change("p", lambda: state("choice#pinned") == [pinned], "a paper pinned")
        assert "unticked" in t.text
        await t.press("u")
        await t.until(lambda: state("choice#pinned") == [], "the pin undone")
        await t.press("escape")
        screen = await table("S1/filtered")
        kept = state("filtered#kept")
        await at(screen, 3)
        for left in range(
            len(kept) - 1, 2, -1
        ):  # the cursor stays in its place as ideas go from the list of those that stay
            await t.press("x")
            await t.until(lambda left=left: len(state("filtered#kept")) == left, "an idea dropped")  # type: ignore[misc]
            await at(screen, 3)
        assert state("filtered#kept") == kept[:3]
        await t.press("escape")
        await t.on(WorkbenchScreen)
        await t.until(
            lambda: t.bench.session.core.freshness("S1/retrieved").status == "stale",
            "the stale mark",
        )
        titles = {row.address: row.title for row in t.bench.session.queries.rows()}
        assert titles["S1/choice"] == "2 off, 1 unticked"
        assert titles["S1/filtered"].startswith("3 of ")
