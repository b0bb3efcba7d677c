"""Journeys in which a person chooses before the app does: questions, papers found by words of their
own, and a direction away from one that says the same. The keys of each are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.config import LlmSettings, RoleSettings, Settings
from coi_tui.screens.content_screen import ContentScreen
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.history_screen import HistoryScreen
from coi_tui.screens.paper_screens import FoundScreen, PinSheet
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice, AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.queries.detail import SAME_AS
from tests.session.test_idea_similarity import SEA, SEA_AGAIN
from tests.support.standins import StandIns

from .helpers import TOPIC, Trip, demo, trip
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


@SIZES
async def test_papers_are_found_by_words_and_added_to_the_reading_list_and_the_rivals(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with demo(tmp_path, size, stage="rivals") as t:
        session = t.bench.session
        for address, field in (("reading", "entries"), ("1/rivals", "works")):
            version = session.state.in_use(address)
            assert version is not None
            before = [row["paper"] for row in version.content[field]]
            screen = await t.to(ContentScreen, "enter", at=address)
            await t.to(PinSheet, "N")
            await t.write("visualization of large graphs and trees")
            found = await t.to(FoundScreen, "enter")
            assert "fit" in str(found.lines.border_title)
            fits = [found.found.fits.get(p.id, 0) for p in found.items]
            assert fits[0] > 0.1
            assert fits == sorted(fits, reverse=True)
            new = next(n for n, p in enumerate(found.items) if p.id not in before)
            found.lines.highlighted = new
            chosen = found.items[new].id
            await t.until(lambda: found.about_pane.key == chosen, "the preview")  # noqa: B023
            assert "If you pin this" in found.about_pane.text
            await t.to(ContentScreen, "enter")
            await t.until(lambda: screen.items[0].key == chosen, "it first in the list")  # noqa: B023
            screen.lines.highlighted = 0
            await t.change("x", lambda: screen.items[0].key != chosen, "it taken out")  # noqa: B023
            await t.change("u", lambda: screen.items[0].key == chosen, "it back")  # noqa: B023
            if len(before) > 2:
                screen.lines.highlighted = 2
                second = screen.items[2].key
                await t.change("p", lambda: screen.items[0].key == second, "it first")  # noqa: B023
            await t.to(WorkbenchScreen, "escape")


@SIZES
async def test_of_two_directions_that_say_the_same_one_is_asked_for_anew(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with StandIns() as pair, demo(tmp_path, size, stage="directions") as t:
        session = t.bench.session
        for address, text in (("1/dir", SEA), ("2/dir", SEA_AGAIN)):
            session.edits.save(address, text)
        session.decide("network", "session", False)
        session.settings = Settings(
            show_plans=True,
            llm=LlmSettings(base_url=pair.chat_url, main=RoleSettings(model="standin-main")),
        )
        t.bench.refresh_rows()
        await t.go("2/dir")
        shown = " ".join(t.bench.detail.text.split())
        assert SAME_AS in shown
        assert "1/dir (0." in shown
        sheet = await t.to(AskText, "I")
        assert sheet.value.startswith(
            "Another one, away from the problem and the mechanism of 1/dir"
        )
        await t.to(PlanSheet, "enter")
        await t.to(HistoryScreen, "enter")
        assert SEA[:40] in session.state.cell("2/dir").wishes[0]
        assert session.state.value("1/dir#text") == SEA
