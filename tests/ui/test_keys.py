"""Keys that hands know from other programs: moving, zooming, own keys, and the words of the list of
commands."""

from functools import partial
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from coi_tui.cli.keys import named
from coi_tui.config_file import read_display
from coi_tui.model.suggest import SYNONYMS
from coi_tui.screens.commands import CommandSheet
from coi_tui.screens.paper_screens import CandidatesScreen
from coi_tui.screens.sheets import AskChoice
from coi_tui.screens.workbench import WorkbenchScreen

from .helpers import demo, places, trip
from .test_finding import find, focus
from .test_layout import kinds


async def test_the_moves_work_in_the_chain_in_its_text_and_in_a_list(tmp_path: Path) -> None:
    async with demo(tmp_path, (80, 24), stage="cards") as t:
        chain, rows = t.bench.chain, list(t.bench.chain.rows)

        async def after(*keys: str) -> int:
            await t.press(*keys)
            return chain.cursor_line

        last = chain.last_line
        assert await after("G") == last
        assert await after("ctrl+u") == last - chain.size.height // 2
        assert await after("ctrl+d") == last
        assert await after("ctrl+b") < last - chain.size.height // 2
        assert await after("ctrl+f", "j") == last
        assert await after("k") == last - 1
        await t.to(AskChoice, "g")
        await t.to(WorkbenchScreen, "g")
        assert (chain.cursor_line, chain.address) == (0, rows[0])
        chain.action_scroll_end()
        for _ in "gg":  # quicker than the menu comes
            t.app.post_message(events.Key("g", "g"))
        await t.until(lambda: chain.cursor_line == 0 and t.app.screen is t.bench, "the top again")
        await t.go("1/0.card")
        await t.press("2", "G")
        detail = t.bench.detail
        assert detail.max_scroll_y == detail.scroll_y > 0
        await t.press("k")
        assert detail.scroll_y == detail.max_scroll_y - 1
        await t.press("g", "g")
        await t.until(lambda: detail.scroll_y == 0, "the top")
        lists = await t.to(CandidatesScreen, "c", at="1/0")
        lines, count = lists.lines, len(lists.items)
        for key, place in (("G", count - 1), ("g", 0), ("j", 1), ("k", 0)):
            await t.press(key)
            assert lines.highlighted == place, key
        await t.press("ctrl+d")
        assert lines.highlighted == min(lines.size.height // 2, count - 1)


async def test_the_top_of_a_text_without_anything_to_scroll_is_where_it_is(tmp_path: Path) -> None:
    async with demo(tmp_path, (120, 36), stage="anchors") as t:
        await t.go("topic")
        await t.press("2")
        assert t.bench.detail.max_scroll_y == 0
        await t.to(AskChoice, "g")
        await t.to(WorkbenchScreen, "g")
        await t.press("G", "ctrl+f")
        assert t.app.screen is t.bench


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_a_pane_takes_all_the_room_and_gives_it_back(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with demo(tmp_path, size, stage="anchors") as t:
        await t.go("1/0")
        for key, pane in (("z", "chain"), ("2", "detail")):
            await t.press(key)
            shown = t.bench.query_one(f"#{pane}")
            await t.until(partial(lambda one: one.region.width == size[0], shown), pane)
            assert focus(t) == pane
        await t.press("z")
        await t.until(lambda: t.bench.chain.region.width < size[0], "both panes")
        assert t.bench.chain.display
        screen = await t.to(CandidatesScreen, "c", "z")
        await t.until(lambda: not screen.about_pane.display, "the list alone")
        await t.press("2")
        await t.until(lambda: not screen.lines.display, "the text alone")


async def test_own_keys_hold_in_footer_list_and_line(tmp_path: Path) -> None:
    file = places(tmp_path).config_file
    file.parent.mkdir(parents=True)
    file.write_text(
        '[keys]\n"workbench.generate" = "ctrl+g"\n"workbench.tag" = "y"\n"move.scroll_home" = "g"\n'
    )
    async with demo(tmp_path, stage="anchors") as t:
        assert "^g generate" in t.lines[-1]
        await t.press("G", "g")
        assert t.bench.chain.cursor_line == 0
        await t.press("y")
        assert t.status.startswith("Tagged topic")
        sheet = await t.to(CommandSheet, "question_mark")
        await t.press(*"generate")
        assert "^g     generate" in t.text
        assert sheet.shown[0] == "generate"
        await t.press("escape", "escape")
        await t.to(AskChoice, "ctrl+g")


def test_every_screen_is_in_the_table_of_keys() -> None:
    assert {f"{kind.PLACE}.{a.id}" for kind in kinds() for a in kind.ACTIONS} <= {*named()}
    assert [name for name in ("move.zoom", "home.rename") if name not in named()] == []


WORDS = {
    "quit": "quit",
    "exit": "quit",
    "help": "help",
    "delete": "reject",
    "theme": "settings",
    "fork": "fork",
    "notes": "note",
    "filter": "find",
    "bibtex": "export",
    "word": "export",
    "rename": "of_sessions",
    "vote": "compare",
    "tokens": "cost",
    "cost": "cost",
    "latex": "export",
    "zotero": "own_papers",
    "branch": "fork",
    "park": "set_aside",
    "adopt": "history",
    "gnrt": "generate",
    "nvlty": "verify",
    "rfrsh": "refresh",
}
"""What people type, and the action that is first then."""


async def test_each_word_that_people_type_finds_its_action(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        sheet = await t.to(CommandSheet, "colon")
        field = sheet.query_one(Input)
        found = {}
        for word in WORDS:
            field.value = word
            sheet.fill()
            found[word] = sheet.shown[0] if sheet.shown else ""
        assert found == WORDS
        field.value = "rename"
        await t.pilot.pause()
        assert "off: q goes to the list of sessions" in t.text


def test_what_words_from_elsewhere_mean_is_something_here() -> None:
    from coi_tui.cli import COMMANDS
    from coi_tui.present.formats import names
    from coi_tui.session.decisions.verbs import VERBS
    from coi_tui.session.settings import settings_now

    actions = {name.partition(".")[2] for name in named()}
    verbs = {name.replace("_", "-") for name in VERBS}
    settings = {one.key for one in settings_now(Path("nowhere"), {})}
    known = {*actions, *COMMANDS, *names(), *verbs, *settings}
    assert {one for said in SYNONYMS.values() for one in said.split()} - known == set()


async def test_hits_are_marked_in_the_text_and_walked(tmp_path: Path) -> None:
    async with demo(tmp_path, (80, 24), stage="cards") as t:
        await find(t, "reasoning")
        rows = [m.address for m in t.bench.search.matches]
        detail = t.bench.detail
        await t.press("n", "n", "N")
        assert t.bench.chain.address == rows[1]
        await t.press("N", "N")
        assert t.bench.chain.address == rows[-1], "round and round"
        await t.go("1/0.card")
        await t.press("2")
        await t.until(lambda: len(detail._hits) > 1, "several hits in one text")
        hits = len(detail._hits)
        marked = [str(s.style) for s in detail.query_one("Static").content.spans]  # type: ignore[attr-defined]
        assert marked.count("reverse") == hits
        assert f"hit 1 of {hits}" in t.text
        await t.press(*["n"] * (hits - 1))
        assert f"hit {hits} of {hits}" in t.text
        assert t.bench.chain.address == "1/0.card"
        await t.press("z")
        await t.until(lambda: detail.region.width == 80, "all the room")
        assert f"hit {hits} of {hits}" in t.text
        await t.press("z", "n")
        assert t.bench.chain.address != "1/0.card"
        await t.press("escape")
        assert detail._hits == []


def test_the_display_follows_the_terminal_and_any_theme_of_the_toolkit(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    said = {"15;0": "textual-dark", "0;15": "textual-light", "0;default;7": "textual-light", "": "textual-dark"}  # fmt: skip
    assert {c: read_display(file, {"COLORFGBG": c}).theme for c in said} == said
    file.write_text("[display]\ntheme = 'nord'\nplain = true\n")
    shown = read_display(file, {"COLORFGBG": "0;15"})
    assert (shown.theme, shown.ascii, shown.motion) == ("nord", True, False)


@pytest.mark.parametrize("theme", ["nord", "gruvbox", "solarized-light", "ansi-light", "nosuch"])
async def test_each_theme_shows_the_rows(tmp_path: Path, theme: str) -> None:
    file = places(tmp_path).config_file
    file.parent.mkdir(parents=True)
    file.write_text(f"[display]\ntheme = '{theme}'\n")
    async with demo(tmp_path, stage="anchors") as t:
        assert t.app.theme == (theme if theme != "nosuch" else "textual-dark")
        assert "1/0" in t.text or "?" in t.text


async def test_the_mode_for_screen_readers_has_no_frames_and_no_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "linux")
    file = places(tmp_path).config_file
    file.parent.mkdir(parents=True)
    file.write_text("[display]\nplain = true\n")
    async with trip(tmp_path) as home:
        assert all(line.isascii() for line in home.lines)
    async with demo(tmp_path, stage="anchors") as t:
        assert all(line.isascii() for line in t.lines), t.text
        assert [line for line in t.lines if line.startswith(("+-", "|", "="))] == []
        assert t.app.animation_level == "none"
        assert t.bench.watch_job.plain
