"""SciPIP and Nova beside a chain, key by key, offline: begun from the session, steered, compared
with the chain's idea, exported."""

from __future__ import annotations

from pathlib import Path

from coi_tui.screens.runs.generate_sheets import GenerateSheet, MethodSheet
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.sheets.export_sheet import EVERY, ExportSheet
from coi_tui.screens.texts.edit_screen import EditScreen
from coi_tui.screens.views.arena_screen import ArenaScreen
from coi_tui.screens.views.content_screen import ContentScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen

from .helpers import Trip, demo
from .test_journey_c import approve


async def begin(t: Trip, name: str, instance: str) -> None:
    """``g`` ``+`` and the method by its name."""
    await t.press("g")
    await t.on(GenerateSheet)
    await t.press("plus")
    sheet = await t.on(MethodSheet)
    await t.press(*["down"] * sheet.names.index(name), "enter")
    await t.on(WorkbenchScreen)
    await t.until(lambda: t.bench.address == instance, f"the cursor on {instance}")


async def make(t: Trip, address: str, what: str) -> None:
    """``g`` on a row, the letter of a stage, Enter on its plan, and the end of the run."""
    await t.go(address)
    letter = next(offer.key for offer in t.bench.session.menu.offers(address) if offer.what == what)
    await t.press("g")
    await t.on(GenerateSheet)
    await t.press(letter)
    await approve(t)


async def table(t: Trip, address: str, row: str = "") -> ContentScreen:
    """Enter on a row that is a table, the cursor on one of its rows."""
    await t.go(address)
    await t.press("enter")
    screen = await t.on(ContentScreen)
    await t.until(
        lambda: screen.lines.option_count == screen.count > 0 and screen.at is not None, "the rows"
    )
    if row:
        await t.press(*["down"] * list(screen.keys()).index(row))
        await t.until(lambda: screen.chosen is not None and screen.chosen.key == row, "the cursor")
    return screen


async def back(t: Trip) -> None:
    await t.press("escape")
    await t.on(WorkbenchScreen)


async def edited(t: Trip, address: str, text: str) -> None:
    """``e``, a text after what stands there, and saved."""
    await t.go(address)
    await t.press("e")
    await t.on(EditScreen)
    await t.press("ctrl+end", *text, "ctrl+s")
    await t.on(WorkbenchScreen)


async def test_two_methods_beside_a_chain(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        session = t.bench.session
        # SciPIP: two entities off, a paper rejected, the problem edited, three ideas kept
        await begin(t, "SciPIP", "S1")
        await make(t, "S1", "filter")
        await table(t, "S1/entities")
        for n in (1, 2):
            await t.change(
                "space",
                lambda n=n: len(session.state.value("S1/choice#entities_off") or []) == n,  # type: ignore[misc]
                "an entity off",
            )
            await t.press("down")
        await back(t)
        screen = await table(t, "S1/retrieved")
        gone = screen.items[0].key
        await t.change(
            "x", lambda: session.state.value("S1/choice#papers_off") == [gone], "a paper rejected"
        )
        await back(t)
        await edited(t, "S1/problem", " unread")
        assert "unread" in str(session.state.value("S1/problem#text"))
        await t.press("R")
        await t.on(PlanSheet)
        await approve(t)
        assert gone not in [
            row["paper"] for row in session.state.value("S1/retrieved#papers") if row.get("picked")
        ]
        while len(session.state.value("S1/filtered#kept")) > 3:
            before = len(session.state.value("S1/filtered#kept"))
            await table(t, "S1/filtered")
            await t.change(
                "x",
                lambda before=before: len(session.state.value("S1/filtered#kept")) == before - 1,  # type: ignore[misc]
                "an idea left out",
            )
            await back(t)
        await make(t, "S1", "ideas")
        assert {"S1/1/idea", "S1/2/idea", "S1/3/idea"} <= set(t.bench.chain.rows)
        # Nova: three theories, a line of a plan edited before it runs, one round; then one seed
        # becomes a proposal
        await begin(t, "Nova", "N1")
        await make(t, "N1", "target")
        assert session.state.value("N1/target#of") == "1/0", "the anchor of the chain"
        await table(t, "N1/choice", "4")
        await t.press(*["x", "down"] * 7)
        await t.until(
            lambda: len(session.state.value("N1/choice#theories") or []) == 3,
            "three theories ticked",
        )
        await back(t)
        await make(t, "N1", "plans-1")
        await edited(t, "N1/plan1", " wider")
        plan = session.state.in_use("N1/plan1")
        assert plan is not None
        assert plan.by_person
        await make(t, "N1", "round-1")
        assert session.state.in_use("N1/seed1.1") is not None
        await t.go("N1/seed1.1")
        await t.press("a")
        await t.until(lambda: session.state.cell("N1/seed1.1").accepted, "a seed starred")
        await make(t, "N1", "ideas")
        promoted = next(
            b for b in ("N1/1", "N1/2", "N1/3") if session.state.value(f"{b}/initial#seed") == "1.1"
        )
        # its idea against the chain's, and one export of the three methods
        for idea in ("1/idea", f"{promoted}/idea"):
            await t.go(idea)
            await t.press("t")
        await t.press("equals_sign")
        arena = await t.on(ArenaScreen)
        await t.until(lambda: arena.at is not None, "the match")
        await t.press("left")
        await t.until(lambda: len(session.state.votes) == 1, "a vote")
        await back(t)
        await t.press("s")
        sheet = await t.on(ExportSheet)
        await t.until(lambda: bool(sheet.found), "the warnings")
        every = sheet.rows.index(EVERY)
        await t.press(*["down"] * every, "space", "enter")
        await t.on(WorkbenchScreen)
        await t.until(lambda: "y copies the path" in t.status, "the word")
    text = (tmp_path / "demo.md").read_text(encoding="utf-8")
    assert all(f"{name}" in text for name in ("Chain of Ideas", "SciPIP", "Nova"))
    assert text.count("\n## References") == text.count("\n## Appendix") == 1
