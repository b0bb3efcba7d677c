"""Fork, protect, note, accept all: decisions about a branch or a row as a whole."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import OptionList

from coi_tui.screens.sheets import AcceptSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.wording import Verdict

from .helpers import Trip, demo


def long_branch(t: Trip) -> int:
    """A branch with at least two papers."""
    state = t.bench.session.state
    return int(next(b for b in state.branches_of("") if len(state.chain(b)) > 1))


async def test_check_13_accept_all_lists_and_leaves_out_what_was_read_only_from_a_summary(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session, branch = t.bench.session, long_branch(t)
        proposed = [s.address for s in session.state.filled(branch) if s.verdict == "proposed"]
        session.decide("protect", proposed[-1])
        t.bench.refresh_rows()
        await t.go(str(branch))
        await t.press("A")
        sheet = await t.on(AcceptSheet)
        assert [p.address for p in sheet.items if not p.is_text] == proposed
        assert {p.off for p in sheet.items} >= {"protected by you"}
        assert not sheet.ticked & set(proposed), (
            "all of the demo's papers are known from summaries only"
        )
        assert "left out by default" in t.text
        log = session.state.seq
        for address in sheet.ticked | set(proposed[:2]):
            sheet.query_one(OptionList).highlighted = [p.address for p in sheet.items].index(
                address
            )
            await t.press("space")
        assert "Accepts 2 papers; " in t.text
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert [t.row(a).verdict for a in proposed[:2]] == [Verdict.ACCEPTED] * 2
        assert session.state.seq == log + 2
        assert "and 1 more" in session.undo_stack.labels()[0]
        await t.press("u")
        assert [t.row(a).verdict for a in proposed[:2]] == [Verdict.UNDECIDED] * 2
