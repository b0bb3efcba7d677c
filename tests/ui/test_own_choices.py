"""Journeys in which a person chooses before the app does: questions, papers found by words of their
own, and a direction away from one that says the same. The keys of each are counted."""

from pathlib import Path

import pytest

from coi_tui.screens.content_screen import ContentScreen
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice, AskText
from coi_tui.screens.workbench import WorkbenchScreen
from tests.support.standins import StandIns

from .helpers import TOPIC, Trip, trip
from .test_wall import settings_at

SIZES = pytest.mark.parametrize("size", [(120, 36), (80, 24)])


def row_of(screen: ContentScreen, text: str) -> int:
    return next(n for n, row in enumerate(screen.items) if text in row.cells[-1])


def asked(t: Trip) -> list[str]:
    """The questions that are searched for, in the order of the branches."""
    state = t.bench.session.state
    cells = [f"Q{b}" for b in state.branches_of("") if not state.cell(f"Q{b}").rejected]
    return [str(state.value(f"{cell}#text")) for cell in cells]


@SIZES
async def test_a_new_topic_stops_at_its_questions_which_are_chosen_before_a_search(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    own = "when asking is cheaper than a wrong guess"
    async with StandIns() as pair, trip(tmp_path, size, settings=settings_at(pair)) as t:
        await t.to(TopicSheet, "n")
        await t.write(TOPIC)
        plan = (await t.to(PlanSheet, "enter")).plan
        assert plan.goal.until == "questions", (
            "a run with a model stops before anything is searched"
        )
        await t.to(ContentScreen, "enter")  # the list opens by itself
        screen = t.app.screen
        assert isinstance(screen, ContentScreen)
        await t.until(lambda: len(screen.items) >= 5, "all that the model wrote")
        first = asked(t)
        free = next(row.key for row in screen.items if not row.cells[0])
        for row in screen.items:
            assert row.cells[-1][:30] in t.text
        screen.lines.highlighted = row_of(screen, first[-1])
        await t.press("space")
        await t.until(lambda: asked(t) == first[:-1], "one less")
        screen.lines.highlighted = row_of(screen, free)
        await t.press("space")
        await t.until(lambda: asked(t) == [*first[:-1], free], "another in its place")
        await t.to(AskText, "N")
        await t.write(own)
        await t.to(ContentScreen, "enter")
        await t.until(lambda: asked(t) == [*first[:-1], free, own], "one's own")
        assert own[:30] in t.text
        await t.press("u")
        await t.until(lambda: asked(t) == [*first[:-1], free], "it taken back")
        editor = await t.to(EditScreen, "e")
        assert editor.address == "Q1"
        await t.to(ContentScreen, "escape")
        session = t.bench.session
        assert not [c for c in session.file.calls() if c.kind == "http"], "nothing was searched"
        await t.to(WorkbenchScreen, "escape")
        await t.to(AskChoice, "g")
        assert (await t.to(PlanSheet, "f")).plan.goal.until == "anchors"
