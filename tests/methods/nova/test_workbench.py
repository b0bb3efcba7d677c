"""Nova steered by the keys of the workbench, beside a chain, in several sittings: theories, lines
of a plan, seeds, a proposal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual import events

from coi_tui.config import Keys, Settings
from coi_tui.engine.steps import Scope
from coi_tui.methods.nova import reads
from coi_tui.screens.views.content_screen import ContentScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from tests.support.desk import SMALL, Desk, ticking
from tests.ui.helpers import Trip, places, trip

NOVA = {"seeds": 2, "each": 2, "lines": 2, "papers": 2, "drafts": 6, "branches": 2}
SIZE = (80, 24)


async def run(desk: Desk, until: str) -> None:
    outcome = await desk.go(desk.session.planner.to_stage(until, Scope(instance="N1")))
    assert outcome.state == "done", outcome
    desk.session.close()


def again(folder: Path) -> Desk:
    return Desk.at(places(folder).sessions / "frogs.coi.db")


async def table(t: Trip, address: str) -> ContentScreen:
    await t.on(WorkbenchScreen)
    await t.go(address)
    await t.press("enter")
    screen: ContentScreen = await t.on(ContentScreen)
    await t.until(
        lambda: screen.lines.option_count == screen.count > 0 and screen.at is not None, "the rows"
    )
    return screen


async def at(t: Trip, screen: ContentScreen, key: str) -> None:
    row = next(n for n, item in enumerate(screen.items) if item.key == key)
    screen.lines.highlighted = row
    await t.until(lambda: screen.at == row, "the cursor")


def held(t: Trip, name: str) -> Any:
    return t.bench.session.state.value(f"N1/{name}") or []


async def test_a_person_ticks_theories_switches_a_line_off_stops_after_a_round_and_works_one_seed_out(
    tmp_path: Path,
) -> None:
    desk = Desk(
        Session.create(
            "frogs",
            "sleep of frogs",
            paths=places(tmp_path),
            settings=Settings(),
            keys=Keys(),
            clock=ticking(),
            bounds=SMALL,
        )
    )
    assert (await desk.go(desk.session.planner.to_stage("anchors"))).state == "done"
    assert desk.session.decisions.add_method("Nova", NOVA) == "N1"
    desk.session.close()
    async with trip(tmp_path, SIZE, session="frogs") as t:
        screen = await table(t, "N1/choice")
        for number in range(4, 11):
            await at(t, screen, str(number))
            await t.press("x")
            await t.until(
                lambda left=13 - number: len(held(t, "choice#theories")) == left,  # type: ignore[misc]
                "a theory left out",
            )
        assert [line[0] for line in held(t, "choice#theories")] == ["1", "2", "3"]
    await run(again(tmp_path), "plans-1")
    async with trip(tmp_path, SIZE, session="frogs") as t:
        screen = await table(t, "N1/plan1")
        await at(t, screen, "2")
        await t.press("space")
        await t.until(lambda: len(held(t, "plan1#off")) == 1, "a line off")
        await t.press("escape")
        await t.on(WorkbenchScreen)
        await t.go("N1/seed2")
        await t.press("x", "enter")
        await t.until(lambda: reads.living(t.bench.session.state, "N1") == ["1"], "a seed dropped")
        await t.go("N1/target")
        assert t.bench.session.state.value("N1/target#of") == "1/0"
    await run(again(tmp_path), "round-1")
    async with trip(tmp_path, SIZE, session="frogs") as t:
        assert len(held(t, "found1#items")) == 1
        await t.on(WorkbenchScreen)
        await t.go("N1/seed1.2")
        await t.press("a")
        await t.until(
            lambda: reads.starred(t.bench.session.state, "N1") == ["1.2"], "a seed starred"
        )
        screen = await table(t, "N1/choice")
        await at(t, screen, "seed1.1")
        await t.press("space")
        await t.until(lambda: "1.1" in held(t, "choice#proposals"), "a seed to work out")
        await t.press("escape")
        await t.on(WorkbenchScreen)
    await run(again(tmp_path), "proposals")
    desk = again(tmp_path)
    assert "1.1" in [
        desk.content(f"N1/{n}/initial")["seed"]
        for n in (1, 2)
        if f"N1/{n}/initial" in desk.session.state.cells
    ]
    drafted: Any = next(
        call.request["user"]
        for call in desk.session.core.file.calls()
        if call.prompt == "nova_theory_ideas"
    )
    task = drafted.partition("Task: ")[2]
    assert "3. " in task
    assert "4. " not in task
    desk.session.close()


async def test_quick_keys_each_meet_the_row_that_they_were_typed_for(tmp_path: Path) -> None:
    """The list is drawn anew after each decision; a cursor key that came before that was lost, and
    the next key met the row before."""
    with Session.create(
        "frogs",
        "sleep of frogs",
        paths=places(tmp_path),
        settings=Settings(),
        keys=Keys(),
        bounds=SMALL,
    ) as session:
        session.decisions.add_method("Nova", NOVA)
    async with trip(tmp_path, SIZE, session="frogs") as t:
        screen = await table(t, "N1/choice")
        for key in ("space", "j", "space", "down", "space", "k", "k", "space"):
            t.app.post_message(
                events.Key(key, " " if key == "space" else key if len(key) == 1 else None)
            )
        left = {"1", *"456789", "10"}
        await t.until(
            lambda: {line.split(" ")[0].rstrip(".") for line in held(t, "choice#theories")} == left,
            "theories 2 and 3 left out",
        )
        await t.until(lambda: screen.at == 0, "the cursor on the first row")
