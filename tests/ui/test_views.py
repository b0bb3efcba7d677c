"""Novelty report, arena and review: one's own verdicts beside the model's, kept, undone,
exported."""

from pathlib import Path
from typing import Any

from coi_tui.present.comparisons import (
    FLIP,
    YOU,
    compared,
    criteria,
    rankings,
)
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.history_screen import CompareScreen
from coi_tui.screens.lists import SessionListScreen
from coi_tui.screens.sheets import (
    AskText,
)
from coi_tui.screens.verdict_screens import ArenaScreen, NoveltyScreen

from .helpers import Trip, demo


async def opened(
    t: Trip, address: str, kind: type[SessionListScreen[Any, Any]]
) -> SessionListScreen[Any, Any]:
    screen = await t.to(kind, "enter", at=address)
    await t.until(lambda: screen.at is not None, "the rows")
    return screen


async def test_the_models_view_waits_for_a_vote_and_flips_are_ties(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="selection") as t:
        session = t.bench.session
        address = next(a for a in t.bench.chain.rows if a.startswith("A/"))
        screen = await opened(t, address, ArenaScreen)
        assert isinstance(screen, ArenaScreen)
        about = screen.about_pane
        assert "order A-B" not in about.text
        await t.to(CompareScreen, "enter")
        assert f"{address[2]}/idea" not in t.text, "an address tells the method"
        await t.to(ArenaScreen, "escape")
        await t.press("left", "0", "right", "0")
        await t.until(lambda: len(session.state.votes) == 4, "four votes")
        assert "order A-B" not in about.text
        assert f"{address[2]}/idea" not in t.text, "the names wait too"
        await t.press("0")
        await t.until(lambda: len(session.state.votes) == 5, "the votes")
        assert "order A-B" in about.text
        judged = criteria(session.state, address)
        for c in judged:
            assert (
                FLIP in next(line for line in about.text.splitlines() if c.criterion in line)
            ) == c.flips
            assert not c.flips or c.result == 0, "if the order changes the winner, it is a tie"
        assert [c.vote for c in judged] == [int(address[2]), 0, int(address[4]), 0, 0]
        (mine,) = (r for r in rankings(session.state) if r.by == YOU)
        assert sum(s.points for s in mine.table) == 5
        pick = session.state.pick
        await t.press("space", "u", "u", "u")
        await t.until(lambda: len(session.state.votes) == 2, "the undo")
        assert session.state.pick == pick, "no vote sets the pick"
        await t.press("w")
        assert "no match is left to be judged" in t.text


async def test_the_claims_are_shown_edited_and_kept(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if compared(session.state, b))
        screen = await opened(t, f"{branch}/nov", NoveltyScreen)
        assert isinstance(screen, NoveltyScreen)
        assert str(screen.items[0].cells[2]) in t.text
        editor = await t.to(EditScreen, "e")
        editor.area.text = "- mechanism: gates drop passages\n- setting: question answering"
        await t.to(NoveltyScreen, "ctrl+s")
        await t.until(
            lambda: session.freshness(f"{branch}/nov").status == "stale", "the stale report"
        )
        assert session.edits.text_of(f"{branch}/claims").startswith("- mechanism: gates")


async def test_own_verdict_and_a_note_on_a_paper_by_keys(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if compared(session.state, b))
        screen = await opened(t, f"{branch}/nov", NoveltyScreen)
        assert isinstance(screen, NoveltyScreen)
        paper = screen.items[screen.at or 0].paper
        await t.press("C", "C")
        await t.until(lambda: session.state.own_verdict(branch) == "partial", "the verdict")
        assert "yours: partial" in t.lines[0]
        await t.to(AskText, "n")
        await t.press(*"cite", "enter")
        await t.until(lambda: session.state.judged_notes.get((branch, paper)) == "cite", "the note")
        assert "cite" in session.exports.text("md", WITH_APPENDIX)
        await t.press("u", "u", "u")
        await t.until(
            lambda: session.state.judged_notes == {} and not session.state.own_verdict(branch),
            "the undo",
        )
