"""Every screen and state as text at three sizes, held to the files in ``snapshots``; write them
anew with COI_SNAPSHOTS=write."""

import asyncio
import os
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from coi_tui.screens.base import CoiScreen
from coi_tui.widgets.key_actions import ActionFooter
from tests.support import shared
from tests.support.states import STATES, State, lines_of, make_seed, shown, steady, wait

pytestmark = pytest.mark.painted

FILES = Path(__file__).parent / "snapshots"
SIZES = ((120, 36), (80, 24), (60, 16))
QUIET_S, PATIENCE_S = 0.3, 30.0
"""Seconds without a change after which a screen is recorded, and after which one that does not read
as recorded is given up."""
WRITE = os.environ.get("COI_SNAPSHOTS") == "write"


@pytest.fixture(scope="module")
def seed() -> Path:
    with shared.to_make("steady-demo") as folder:
        if folder is not None:
            asyncio.run(make_seed(folder))
    return shared.kept("steady-demo")


@pytest.mark.parametrize("state", STATES, ids=lambda s: s.name)
async def test_the_screen_reads_as_recorded(state: State, seed: Path, tmp_path: Path) -> None:
    """Opened at one of the sizes, another for each state, then resized to the others: all of them
    read as recorded, and the focus stays.

    A tree of a job that runs is opened at each size: a row that is put above the cursor leaves it
    scrolled.
    """
    recorded = {size: FILES / f"{state.name}-{size[0]}x{size[1]}.txt" for size in SIZES}
    known = {} if WRITE else {size: file for size, file in recorded.items() if file.exists()}
    wanted = {size: steady(file.read_text(encoding="utf-8")) for size, file in known.items()}
    turn = sum(state.name.encode()) % len(SIZES)
    order = SIZES[turn:] + SIZES[:turn]
    seen: dict[tuple[int, int], str] = {}
    opened = state.during in ("running", "waiting") and state.on == "WorkbenchScreen"
    for sizes in [(size,) for size in order] if opened else [order]:
        folder = tmp_path / str(sizes[0][0])
        folder.mkdir()
        async with shown(state, seed, folder, sizes[0]) as pilot:
            focused = type(pilot.app.focused).__name__
            for size in sizes:
                if size != sizes[0]:
                    await pilot.resize_terminal(*size)
                    await wait(
                        pilot,
                        lambda: type(pilot.app.focused).__name__ == focused,  # noqa: B023
                        "the focus to come back after a resize",
                    )
                seen[size] = await _settled(pilot, wanted.get(size))
                _look_at_the_edges(pilot)
    if WRITE:
        for size, file in recorded.items():
            file.parent.mkdir(exist_ok=True)
            file.write_text(seen[size], encoding="utf-8")
    elif len(wanted) < len(SIZES):
        pytest.skip("not recorded yet: COI_SNAPSHOTS=write records it")
    for size, text in wanted.items():
        assert seen[size] == text, f"at {size}"


async def _settled(pilot: Pilot[None], wanted: str | None) -> str:
    """The screen as soon as it reads as recorded; else as it reads once nothing has changed for a
    while."""
    clock = asyncio.get_running_loop().time
    last, since = "", clock()
    while True:
        await pilot.pause()
        text = steady("\n".join([*lines_of(pilot), f"focus: {type(pilot.app.focused).__name__}"]))
        if text == wanted:
            return text
        if text != last:
            last, since = text, clock()
        elif clock() - since > (QUIET_S if wanted is None else PATIENCE_S):
            return text
        await pilot.pause(0.02)


def _look_at_the_edges(pilot: Pilot[None]) -> None:
    """Every line is as wide as the terminal, and the footer says all there is or that there is
    more."""
    assert {cell_len(line) for line in lines_of(pilot)} == {pilot.app.size.width}
    screen = pilot.app.screen
    for footer in screen.query(ActionFooter) if isinstance(screen, CoiScreen) else []:
        last = [item.id for item in footer.shown]
        missing = {i.id for i in footer.items} - {i.id for i in footer.shown}
        assert not missing or "help" in last, (
            f"{missing} are not shown, and nothing says that there is more"
        )
        assert all(i.id in last for i in footer.tail), "the end of the footer is cut"
