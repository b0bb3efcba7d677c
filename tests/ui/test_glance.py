"""What people see at a glance: the chain as a picture, maps and bars, what came in since they looked,
and the end of a job told outside the app."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.drivers.headless_driver import HeadlessDriver

from coi_tui.app import CoiApp
from coi_tui.methods.chain.chains import Chains
from coi_tui.screens.chain_view import ChainView
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.terminal import quiet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from coi_tui.widgets.chain_tree import NEW
from coi_tui.widgets.panes import DetailPane
from tests.support.desk import bare
from tests.support.held_jobs import Gate

from .helpers import Trip, demo, places
from .test_running import gate, start

__all__ = ["gate"]
SIZES = [(80, 24), (120, 36)]


@pytest.mark.parametrize("size", SIZES)
async def test_the_chain_is_a_picture_that_tab_walks(tmp_path: Path, size: tuple[int, int]) -> None:
    async with demo(tmp_path, size, stage="ideas") as t:
        state = t.bench.session.state
        screen = await t.to(ChainView, "P", at="1/0")
        keys = [node.key for node in screen.items]
        assert keys == [
            *(f"1/{pos:+d}" if pos else "1/0" for pos in Chains.of(state).chain(1)),
            "1/idea",
        ]
        assert screen.here.key == "1/0", "it begins at the row"
        for node in screen.items:
            assert node.label[:24] in t.text
        for _ in keys:
            await t.press("tab")
        assert screen.here.key == "1/0", "round and round"
        while screen.here.key != "1/idea":
            await t.press("tab")
        await t.until(lambda: screen.about_pane.key == "1/idea", "what there is of the idea")
        await t.to(WorkbenchScreen, "enter")
        assert t.bench.address == "1/idea"


async def test_a_row_that_no_chain_leads_to_has_no_picture(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        await t.go("topic")
        await t.press("P")
        assert "no chain of papers leads here" in t.text
        await t.to(ChainView, "P", at="1/+1")
        await t.to(WorkbenchScreen, "escape")


def marked(t: Trip) -> list[str]:
    """The rows with the sign of what is new, as they are painted."""
    return [line for line in t.lines if line[1:8].strip(" ▾▸>")[:1] == NEW]


async def test_what_came_in_since_somebody_looked_is_marked(tmp_path: Path, gate: Gate) -> None:
    async with demo(tmp_path, stage="cards") as t:
        chain = t.bench.chain
        assert not chain.unseen, "what was there at the opening is known"
        t.bench.session.decide("note", "1/0", "a note of mine")
        t.bench.refresh_rows()
        assert not chain.unseen, "what a person did is known too"
        await start(t, gate, "trends")
        await t.to(HomeScreen, "q")
        gate.open.set()
        await t.until(lambda: not t.app.sessions.controllers, "the end of the job")
    async with demo(tmp_path) as t:
        chain = t.bench.chain
        new = [address for address in chain.rows if address in chain.unseen]
        assert new
        assert all(".." in address for address in new), "the trends, which came in meanwhile"
        before = len(marked(t))
        await t.go(new[0])
        await t.go("topic")
        await t.until(lambda: len(marked(t)) == before - 1, "the mark to go with the look")
        branch = new[1].partition("/")[0]
        chain.go(branch)
        await t.press("space")
        assert any(f" {branch} " in line for line in marked(t)), "a folded branch tells of its rows"
        await t.to(HomeScreen, "q")
    async with demo(tmp_path) as t:
        assert not t.bench.chain.unseen, "they were on the screen the last time"


async def test_a_number_of_entries_that_is_none_marks_nothing(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await t.to(HomeScreen, "q", at="topic")
    with Session.open("demo", bare(tmp_path)) as session:
        session.remember("place", {"at": "1/0", "entries": ["many"]})
    async with demo(tmp_path) as t:
        assert not t.bench.chain.unseen


async def test_a_growing_text_is_followed_at_its_end_alone(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        pane = t.bench.query_one(DetailPane)

        async def shown(lines: int) -> None:
            text = "\n".join(f"line {n}" for n in range(lines))
            pane.show("streaming", "1/idea", [("", text)], grows=True)
            await t.pilot.pause()

        await shown(5)
        await shown(80)
        await t.until(lambda: "line 79" in t.text, "the end of the text")
        pane.scroll_to(y=10, animate=False)
        await t.pilot.pause()
        await shown(120)
        assert "line 119" not in t.text
        assert pane.scroll_offset.y == 10, "one who reads stays where they are"
        pane.scroll_end(animate=False)
        await t.pilot.pause()
        await shown(160)
        await t.until(lambda: "line 159" in t.text, "the end again")
        pane.scroll_end(animate=False)
        pane.show("1/idea", "1/idea", [("", "short")])
        await t.until(lambda: pane.scroll_offset.y == 0, "another text from its beginning")


@pytest.mark.parametrize(
    ("setting", "sent"),
    [("bell", "\a"), ("osc9", "\x1b]9;{}\a"), ("osc777", "\x1b]777;notify;coi-tui;{}\a")],
)
async def test_the_end_of_a_job_is_told_to_the_terminal_where_it_is_set(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch, setting: str, sent: str
) -> None:
    async with demo(tmp_path, stage="cards") as t:
        written: list[str] = []
        t.app.terminal = SimpleNamespace(write=written.append)  # type: ignore[assignment]
        await start(t, gate, "trends")
        gate.open.set()
        await t.ended()
        assert not any(written), "off by default"
        monkeypatch.setattr(t.app.settings.display, "notice", setting)
        t.app.tell_outside("demo: Done\x1b]0;evil\a.")
        assert written[-1] == sent.format("demo: Done]0;evil.")


async def test_the_driver_of_the_app_is_what_writes_to_the_terminal(tmp_path: Path) -> None:
    app = CoiApp(places(tmp_path))
    driver = quiet(HeadlessDriver)(app)
    assert app.terminal is driver


async def test_ratings_are_bars_in_the_arena_and_years_a_line_of_bars(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="selection") as t:
        session = t.bench.session
        await t.go("reading")
        years = [e.paper.year for e in session.reading_list().entries if e.paper.year]
        line = t.bench.detail.text.splitlines()[1]
        assert line.startswith(f"{min(years)} ")
        assert line.endswith(f" {max(years)}")
        assert "█" in line
        for address in (a for a in t.bench.chain.rows if a.startswith("A/")):
            session.decide("show_match", address)
        t.bench.refresh_rows()
        await t.go("A")
        text = t.bench.detail.text.partition("95 % intervals by the model")[2]
        bars = [line for line in text.splitlines() if "●" in line]
        assert len(bars) == len(session.state.ideas())
        assert all("─" in bar for bar in bars)
