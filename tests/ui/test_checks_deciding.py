"""Checks of deciding and of access that no other file holds: 7, 34, 38 and 39, by their keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.command import DiscoveryHit
from textual.widgets import Input, TextArea

from coi_tui.cli import run
from coi_tui.config import DisplaySettings
from coi_tui.screens.base import FOOTER_KEYS
from coi_tui.screens.palette import OFF, ActionProvider
from coi_tui.screens.sheets.text_sheets import FindSheet, NoteSheet, ReasonSheet
from coi_tui.screens.texts.edit_screen import EditScreen
from coi_tui.screens.workbench.commands import WORKBENCH_ACTIONS
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session import row_wording
from coi_tui.session.queries.row import Verdict
from coi_tui.session.row_wording import GLYPH_WORDS
from coi_tui.session.session import Session
from coi_tui.widgets.footer import ActionFooter
from coi_tui.widgets.panes import StatusLines
from coi_tui.widgets.themes import TABLE
from tests.support.state_dump import dump

from .helpers import Trip, demo


async def reject(t: Trip, address: str, reason: str = "") -> None:
    await t.go(address)
    await t.press("x")
    await t.on(ReasonSheet)
    await t.write(reason)
    await t.press("enter")
    await t.on(WorkbenchScreen)


async def test_check_07_rejecting_the_anchor_shelves_detaches_and_marks_its_own_branch_only(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if len(session.state.chain(b)) > 2)
        apart = [
            r
            for a, r in t.bench.chain.rows.items()
            if not a.startswith((f"{branch}/", f"Q{branch}")) and a[0] not in "AX"
        ]
        others = {r.address: r for r in apart}
        neighbours = [s.paper for s in session.state.filled(branch) if s.pos]
        anchor, calls = session.state.slot(f"{branch}/0").paper, len(session.core.file.calls())
        await reject(t, f"{branch}/0", "survey")
        assert t.row(f"{branch}/0").verdict is Verdict.EMPTY
        shelf = {item.paper: item for item in session.state.shelf}
        assert (shelf[str(anchor)].kind, shelf[str(anchor)].reason) == ("rejected", "survey")
        assert {p for p in neighbours if p not in shelf or shelf[p].kind != "detached"} == set()
        assert session.state.chain(branch) == []
        assert len(session.core.file.calls()) == calls
        assert {a: t.row(a) for a in others if a != str(branch)} == {
            a: row for a, row in others.items() if a != str(branch)
        }
        assert t.row(f"{branch}/dir").stale
        assert t.row(f"{branch}/idea").stale
        await t.press("w")
        assert "survey" in t.bench.detail.text


async def test_check_07_a_pinned_neighbour_stays(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if len(session.state.chain(b)) > 2)
        place = next(s for s in session.state.filled(branch) if abs(s.pos) == 1)
        session.decisions.pin(place.address, session.state.papers[str(place.paper)])
        t.bench.refresh_rows()
        await reject(t, f"{branch}/0")
        assert t.row(place.address).verdict is Verdict.PINNED
        assert all(s.verdict == "pinned" for s in session.state.filled(branch))


async def test_a_decision_goes_on_to_the_next_that_waits_for_one(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        ideas = [row.address for row in t.bench.chain.rows.values() if row.asks]
        assert len(ideas) > 1
        assert len(t.bench.query_one(ActionFooter).items) <= FOOTER_KEYS
        await t.go(ideas[0])
        await t.press("a")
        assert t.bench.chain.address == ideas[1]
        t.bench.session.settings = t.bench.session.settings.model_copy(
            update={"display": DisplaySettings(go_on=False)}
        )
        await t.press("u")
        await t.go(ideas[0])
        await t.press("a")
        assert t.bench.chain.address == ideas[0]


def essence(session: Session) -> str:
    """What a person steers, without log, versions and spending."""
    return json.dumps(dump(session.state), sort_keys=True, default=str)


async def test_check_34_u_comes_back_to_the_start_also_across_a_restart_and_U_goes_forward(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="chains") as t:
        start = essence(t.bench.session)
        await t.go("1/0")
        await t.press("a")
        await reject(t, "2/0", "too old")
        await t.go("1/0")
        await t.command("protect")
        await t.command("note")
        await t.on(NoteSheet)
        await t.press(*"core", "enter")
        await t.on(WorkbenchScreen)
        await t.go("topic")
        await t.press("e")
        (await t.on(EditScreen)).query_one(TextArea).insert("more ")
        await t.press("ctrl+s")
        await t.on(WorkbenchScreen)
        await t.go("3/0")
        await t.command("branch")
        end = essence(t.bench.session)
        assert end != start
        await t.press("u", "u")
        middle = essence(t.bench.session)
    async with demo(tmp_path) as t:
        assert essence(t.bench.session) == middle
        await t.press("u", "u", "u", "u")
        assert essence(t.bench.session) == start
        assert t.bench.session.verify() == []
        await t.press("U", "U", "U")
    async with demo(tmp_path) as t:
        await t.press("U", "U", "U")
        assert essence(t.bench.session) == end
        await t.press("U")
        assert "nothing to redo" in t.status


async def test_check_38_states_differ_in_text_and_read_the_same_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every glyph has words of its own, in ASCII too; the sentence in the status line is the one of
    ``coi show``."""
    monkeypatch.setenv("NO_COLOR", "1")
    plain = [sign.translate(TABLE) for sign in GLYPH_WORDS]
    assert plain == list("?+xe#*!."), "in ASCII each stays one of its own"
    assert len(set(plain)) == len(GLYPH_WORDS) == len(set(GLYPH_WORDS.values()))
    async with demo(tmp_path, (150, 36), stage="novelty") as t:
        session = t.bench.session
        await t.go("1/0")
        await t.press("a")
        await reject(t, "2/+1")
        trend = session.state.pairs(1)[0]
        session.edits.save(trend, "Another claim.")
        session.decisions.protect(trend)
        t.bench.refresh_rows()
        looks: dict[tuple[str, str], set[tuple[Verdict, str]]] = {}
        said: dict[str, str] = {}
        for address, row in t.bench.chain.rows.items():
            if row.status is None:
                continue
            looks.setdefault((row_wording.glyph(row), row_wording.note(row)), set()).add(
                (row.verdict, row_wording.state(row))
            )
            t.bench.chain.go(address)
            await t.until(
                lambda row=row: (  # type: ignore[misc]
                    row_wording.sentence(row) in t.bench.query_one(StatusLines).sentence
                ),
                address,
            )
            for words in (row.verdict.value, row.origin.value):
                assert words in row_wording.sentence(row) or words == "no verdict applies", row
            said[address] = row_wording.sentence(row)
        assert {sign for sign, _ in looks} >= {"?", "✓", "✎", "·", " "}
        assert {word for _, word in looks} >= {"decide", "stale", "input stale", ""}
        assert all(len(states) == 1 for look, states in looks.items() if look[0] != "·"), (
            "two states look the same"
        )
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    for address in ("1/0", "2/+1", trend, "1/dir", "1/idea", "2/0"):
        capsys.readouterr()
        assert run(["show", "demo", address]) == 0
        assert said[address] in capsys.readouterr().out.split("\n")


async def test_the_palette_shows_what_works_now_first(tmp_path: Path) -> None:
    """Before, all commands stood in the order of the alphabet, whether they worked or not."""
    async with demo(tmp_path) as t:
        await t.go("1/0")
        provider = ActionProvider(t.bench)
        found = [hit async for hit in provider.discover() if isinstance(hit, DiscoveryHit)]
        off = [OFF in (hit.help or "") for hit in sorted(found, reverse=True)]
        assert off == sorted(off)
        assert any(off)
        first = [str(hit.display).partition(":")[0] for hit in sorted(found, reverse=True)[:5]]
        assert first[0] == t.bench.query_one(ActionFooter).items[0].label, "the order of the footer"
        scores = {
            str(hit.text): hit.score
            async for hit in provider.search("stop")
            if hasattr(hit, "text")
        }
        assert scores, "what is off is found all the same"


async def test_check_39_every_action_is_in_the_palette_and_has_a_key_or_is_named_there(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path) as t:
        commands = [c.title for c in t.app.get_system_commands(t.bench)]
        for item in WORKBENCH_ACTIONS:
            assert item.id == "palette" or f"{item.label}: {item.help}" in commands, item.id
        palette_only = {a.id for a in WORKBENCH_ACTIONS if not a.keys}
        assert palette_only >= {"go", "park", "note", "reject_everywhere"}


async def test_check_39_no_printable_key_acts_in_a_text_and_tab_leaves_it(tmp_path: Path) -> None:
    letters = "axcpfAKuULeErRgvVFbwhdoOTintjkzsSlmyYq1234"
    async with demo(tmp_path, stage="anchors") as t:
        before = t.bench.session.state.seq
        for name, kind in (("find", FindSheet), ("note", NoteSheet)):
            await t.command(name)
            sheet = await t.on(kind)
            await t.press(*letters)
            assert t.app.screen is sheet
            assert sheet.query_one(Input).value == letters
            await t.press("escape")
            await t.on(WorkbenchScreen)
        await t.go("topic")
        await t.press("e")
        screen = await t.on(EditScreen)
        text = screen.query_one(TextArea)
        await t.press(*letters)
        assert letters in text.text
        await t.press("tab")
        assert screen.focused is not text
        assert t.bench.session.state.seq == before


async def test_check_39_ctrl_c_copies_or_says_so_and_never_quits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with demo(tmp_path, stage="anchors") as t:
        await t.press("ctrl+c", "ctrl+c", "ctrl+c")
        assert t.app.is_running
        assert t.status == "Nothing is selected to copy. S stops runs, ^q quits."
        await t.command("note")
        await t.on(NoteSheet)
        await t.press("ctrl+c")
        assert t.app.is_running
        await t.press("escape")
        await t.on(WorkbenchScreen)
        t.bench.text_select_all()
        chosen = t.bench.get_selected_text()
        assert chosen
        await t.press("ctrl+c")
        await t.until(lambda: "the selection" in t.status, "where the copy went")
        assert t.app.clipboard == chosen
