"""Tables and talks, as lines and on their screens."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.widgets import TextArea

from coi_tui.engine.declarations import Scope
from coi_tui.methods.virsci import VirSciSettings
from coi_tui.model.document import Table, TableRow, Transcript, Turn
from coi_tui.screens.content_screen import MARKS, WRITE, ContentScreen, TalkScreen, transcript_table
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from coi_tui.widgets.panes import table_lines
from tests.support.desk import bare

from .helpers import Trip, demo, trip


def table(*rows: tuple[str, ...], head: tuple[str, ...] = ("one", "two", "three")) -> Table:
    return Table(head, tuple(TableRow(cells, str(n)) for n, cells in enumerate(rows)))


def test_columns_stand_below_their_names_and_empty_ones_are_left_out() -> None:
    ranked = table(("1", "", "Attention"), ("12", "", "Recurrence"), head=("rank", "", "title"))
    assert table_lines(ranked, 30) == ["rank  title", "1     Attention", "12    Recurrence"]


def test_marks_rounds_and_speakers_stand_in_columns() -> None:
    turns = (
        Turn("Ada", "First.", "", "V1/said1.1", "leader", 1),
        Turn("Zed", "From outside.", "to Ada", "K1/guest1.2", "guest", 1),
        Turn("Ben", "", "", "K1/said2.1", "", 2),
    )
    assert table_lines(transcript_table(Transcript(turns, 5)), 70)[1:] == [
        "1  leader  Ada          First.",
        "1  guest   Zed, to Ada  From outside.",
        "2          Ben          -",
    ]


words = st.text(alphabet="ab 漢é-", min_size=1, max_size=60)


@settings(max_examples=150)
@given(st.lists(st.tuples(words, words, words), max_size=5), st.integers(20, 150))
def test_no_line_is_wider_than_its_room(rows: list[tuple[str, str, str]], width: int) -> None:
    talk = Transcript(tuple(Turn(row[0], row[1], row[2]) for row in rows))
    for one in (table(*rows), transcript_table(talk)):
        lines = table_lines(one, width)
        assert len(lines) == len(rows) + 1
        assert all(cell_len(line) <= width for line in lines)


# -- the screen


async def test_the_reading_list_opens_as_a_table_with_the_papers_to_read(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="directions") as t:
        screen = await t.to(ContentScreen, "enter", at="reading")
        await t.until(lambda: screen.lines.option_count == len(screen.items) > 0, "the rows")
        entries = t.bench.session.reading_list().entries
        assert [line.paper for line in screen.items] == [entry.paper.id for entry in entries]
        await t.until(lambda: entries[0].reasons() in screen.about_pane.text, "the reasons")
        assert "rank" in str(screen.lines.border_title)
        await t.to(ReaderScreen, "o")


TOPIC = "chain of thought reasoning in large language models"
SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.fixture
async def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session in which two people talked for a round."""
    folder = tmp_path_factory.mktemp("talked")
    session = Session.create(
        "talked",
        TOPIC,
        bare(folder),
        bounds=VirSciSettings(team=2, turns=2),
        offline=True,
        method="VirSci",
    )
    with session:
        plan = session.planner.to_stage("topic-1", Scope(instance="V1"))
        assert (await session.runs.run(plan)).state == "done"
    return folder


@asynccontextmanager
async def talked(
    seed: Path, folder: Path, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[Trip, TalkScreen]]:
    """The talk, opened at its second turn."""
    shutil.copytree(seed, folder, dirs_exist_ok=True)
    async with trip(folder, size, session="talked") as t:
        await t.on(WorkbenchScreen)
        screen = await t.to(TalkScreen, "enter", at="V1/said1.2")
        await t.until(
            lambda: screen.lines.option_count == len(screen.items) > 0 and screen.at is not None,
            "the turns",
        )
        yield t, screen


async def put(t: Trip, screen: TalkScreen, address: str) -> None:
    row = next(n for n, turn in enumerate(screen.talk.turns) if turn.address == address)
    screen.lines.highlighted = row
    await t.until(
        lambda: screen.at == row and address in screen.about_pane.title_line,
        f"the cursor on {address}",
    )


async def test_a_turn_is_read_edited_and_struck_and_own_words_are_written_between(
    seed: Path, tmp_path: Path
) -> None:
    async with talked(seed, tmp_path) as (t, screen):
        assert screen.turn == "V1/said1.2"
        assert screen.heading()[1] == "turn 1 of 2"
        speaker = screen.talk.turns[1].speaker
        await t.until(
            lambda: f"{speaker}   turn 1 of 2   V1/said1.2" in screen.about_pane.text, "who says it"
        )
        recorded = SNAPSHOTS / "transcript-120x36.txt"
        if os.environ.get("COI_SNAPSHOTS") == "write":
            recorded.write_text(t.text, encoding="utf-8")
        wanted = recorded.read_text(encoding="utf-8")
        await t.until(lambda: t.text == wanted, "the screen as recorded")
        await t.press("enter")
        assert screen.about_pane.has_focus
        await t.press("escape")
        assert screen.lines.has_focus

        await t.change("x", lambda: screen.talk.turns[1].mark == "deleted", "the deleted turn")
        session = t.bench.session
        assert session.freshness("V1/sum1").status == "stale"
        await t.until(lambda: MARKS["deleted"] in screen.about_pane.text, "that it is deleted")
        await t.press("u")
        await t.until(lambda: screen.talk.turns[1].mark == "", "the turn again")

        await put(t, screen, "V1/said1.1")
        await t.to(EditScreen, "e")
        t.app.screen.query_one(TextArea).text = "Something else."
        await t.to(TalkScreen, "ctrl+s")
        await t.until(lambda: screen.talk.turns[0].text == "Something else.", "the edited turn")
        assert screen.talk.turns[0].mark == "yours"

        await put(t, screen, "V1/mine1")
        await t.until(lambda: WRITE in screen.about_pane.text, "how to write")
        bench = await t.to(WorkbenchScreen, "o")
        await t.until(lambda: bench.chain.address == "V1/mine1", "the row of the turn")
