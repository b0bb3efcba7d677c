"""Every screen and state as text at three sizes, held to the files in ``snapshots``; write them anew with COI_SNAPSHOTS=write."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from benchmarks.states import STATES, State, lines_of, make_seed, shown, steady, wait
from coi_tui.screens.base import CoiScreen
from coi_tui.session import row_wording
from coi_tui.widgets.footer import ActionFooter

FILES = Path(__file__).parent / "snapshots"
SIZES = ((120, 36), (80, 24), (60, 16))
UNSTEADY = frozenset({"palette"})
"""The toolkit's palette lists its entries in the order in which their providers answer."""
WRITE = os.environ.get("COI_SNAPSHOTS") == "write"


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(make_seed(tmp_path_factory.mktemp("seed")))


@pytest.mark.parametrize("state", STATES, ids=lambda s: s.name)
async def test_check_37_the_screen_reads_as_recorded(state: State, seed: Path, tmp_path: Path) -> None:
    """Opened at one of the sizes, another for each state, then resized to the others: all of them read as recorded, and the focus stays."""
    turn = sum(state.name.encode()) % len(SIZES)
    first, *others = SIZES[turn:] + SIZES[:turn]
    seen: dict[tuple[int, int], str] = {}
    async with shown(state, seed, tmp_path, first) as pilot:
        focused = type(pilot.app.focused).__name__
        seen[first] = _read(pilot, focused)
        for size in others:
            await pilot.resize_terminal(*size)
            await wait(pilot, lambda: type(pilot.app.focused).__name__ == focused, "the focus to come back after a resize")
            await pilot.pause(0.05)  # rows that fit the new width are drawn after the first frame
            seen[size] = _read(pilot, focused)
    if state.name in UNSTEADY:
        return
    recorded = {size: FILES / f"{state.name}-{size[0]}x{size[1]}.txt" for size in SIZES}
    if WRITE:
        for size, file in recorded.items():
            file.parent.mkdir(exist_ok=True)
            file.write_text(seen[size], encoding="utf-8")
    if not all(file.exists() for file in recorded.values()):
        pytest.skip("not recorded yet: COI_SNAPSHOTS=write records it")
    for size, file in recorded.items():
        assert seen[size] == file.read_text(encoding="utf-8"), f"at {size}"


def _read(pilot: Pilot[None], focused: str) -> str:
    """What the screen shows; its footer and its width are looked at first."""
    lines = lines_of(pilot)
    screen = pilot.app.screen
    footers = list(screen.query(ActionFooter)) if isinstance(screen, CoiScreen) else []
    for footer in footers:
        last = [item.id for item in footer.rows[-1]] if footer.rows else []
        missing = {i.id for i in footer.items} - {i.id for row in footer.rows for i in row}
        assert not missing or "help" in last, f"{missing} are not shown, and nothing says that there is more"
        assert all(i.id in last for i in footer.tail), "the end of the footer is cut"
    assert {cell_len(line) for line in lines} == {pilot.app.size.width}
    return steady("\n".join([*lines, f"focus: {focused}"]))


async def test_check_38_rows_read_differently_without_colour(seed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with shown(State("rows", at="1/0"), seed, tmp_path, (120, 36)) as pilot:
        bench = pilot.app.screen
        from coi_tui.screens.workbench.workbench import WorkbenchScreen

        assert isinstance(bench, WorkbenchScreen)
        said: dict[str, set[str]] = {}
        for row in bench.chain.rows.values():
            if row_wording.marks(row).strip():
                said.setdefault(row_wording.marks(row)[:2], set()).add(row_wording.sentence(row).partition(",")[2])
        assert len(said) > 2
        marks = list(said)
        assert not any(said[a] & said[b] for n, a in enumerate(marks) for b in marks[n + 1 :]), "two states in the same words"
        strips = bench._compositor.render_strips(bench.size)
        colours = {s.style.color for strip in strips for s in strip if s.style and s.style.color and not s.style.color.is_default}
        assert all(c.triplet is None or len({c.triplet.red, c.triplet.green, c.triplet.blue}) == 1 for c in colours), "a colour is left"
