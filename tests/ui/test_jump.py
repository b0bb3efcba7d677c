"""Jump mode: labels that none begins another, beside what is on the screen, and taken down when that changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from coi_tui.screens.help_screen import HelpScreen
from coi_tui.widgets.jump_labels import LETTERS, Jump, in_front, labels
from tests.ui.helpers import Trip, demo


@pytest.mark.parametrize("number", [0, 1, 2, 25, 26, 27, 51, 52, 60, 100, 675, 676, 700])
def test_labels_are_short_and_none_begins_another(number: int) -> None:
    found = labels(number)
    assert len(found) == min(number, 676)
    assert len(set(found)) == len(found)
    assert not {one for one in found for other in found if one != other and other.startswith(one)}
    assert all(0 < len(one) <= 2 and set(one) <= set(LETTERS) for one in found)
    if number <= len(LETTERS):
        assert all(len(one) == 1 for one in found)
    assert sum(len(one) == 1 for one in labels(51)) == 25, "one letter is enough to begin the pairs"
    assert {len(in_front(one)) for one in found} <= {3}


def test_letters_lead_to_one_place_or_to_fewer_labels() -> None:
    jump = Jump.to([str(n) for n in range(40)])
    assert jump.press("a") == "0"
    assert jump.press("1") is None
    left = jump.press("m")
    assert isinstance(left, Jump)
    assert all(label.startswith("m") for label in left.shown.values())
    assert left.press("a") == "25"
    assert left.press("m") is None or left.press("m") == left.places["mm"]


def label_of(t: Trip, place: str) -> str:
    jump = t.bench.jump._jump
    assert jump is not None
    return jump.shown[place]


@pytest.mark.parametrize(
    ("size", "ascii_only"), [((60, 16), True), ((120, 36), False), ((200, 50), False)]
)
async def test_letters_go_to_rows_and_panes(
    tmp_path: Path, size: tuple[int, int], ascii_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with demo(tmp_path, size, stage="ideas") as t:
        chain = t.bench.chain
        t.app._plain.enabled = ascii_only
        chain.go("X")  # the tree is scrolled
        await t.pilot.pause()
        before = (chain.scroll_offset.y, t.bench.session.state.seq)
        await t.press("J")
        rows = chain.in_sight
        first = next(address for address in rows if address != chain.address)
        assert all(any(f"{label_of(t, address)})" in line for line in t.lines) for address in rows)
        assert f"{label_of(t, 'chain')}) " in next(line for line in t.lines if "[1] Chain" in line)
        await t.press(*label_of(t, first))
        assert chain.address == first
        assert not t.bench.jump.on
        assert "a) " not in t.text
        assert (chain.scroll_offset.y, t.bench.session.state.seq) == before, (
            "nothing was decided and nothing scrolled"
        )
        if t.bench.detail.display:
            await t.press("J", *"s")
            assert t.app.focused is t.bench.detail
        await t.press("J", "escape")
        assert not t.bench.jump.on
        assert "leaves" not in t.status
        await t.press("J", "0")
        assert (t.bench.jump.on, t.status) == (False, "No label begins like that.")
        await t.press("J", "question_mark")
        assert not isinstance(t.app.screen, HelpScreen), "a key that types something only leaves"


async def test_labels_are_taken_down_when_rows_change_and_a_burst_of_keys_decides_nothing(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        bench, session = t.bench, t.bench.session
        await t.go("1/idea")
        await t.press("J")
        session.decisions.accept("1/idea")
        bench.refresh_rows()
        bench.jump.check()
        assert bench.jump.on, "the rows are where they were"
        session.decisions.fork("1/0")
        bench.refresh_rows()
        bench.chain.scroll_home(animate=False)
        log = session.state.seq
        await t.press("a")
        assert not bench.jump.on
        assert session.state.seq == log, "the letter was meant for a label"
        await t.press("J", "down")
        assert not bench.jump.on
        at, log = bench.chain.address, session.state.seq
        for key in ("J", "a", "J", "x"):
            t.app.post_message(events.Key(key, key))
        await t.until(lambda: not bench.jump.on, "the letters to arrive")
        assert session.state.seq == log, "neither accepted nor rejected"
        assert bench.is_active
        assert at in bench.chain.rows
