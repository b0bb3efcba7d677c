"""Text from outside is data: markup, control sequences, wide and right-to-left letters are shown as
they are, and nothing shifts."""

import asyncio
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.literature.paper_records import bounded
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import CoiError
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.desk import bare, chains, paths_in
from tests.support.states import STATES, TOPIC, State, lines_of, make_seed, shown, wait

pytestmark = pytest.mark.painted

EVIL = (
    "[/b] [red]r[/red] [@click=app.quit]x[/] "
    "\x1b[31mCSI\x1b[0m \x1b]52;c;aGk=\x07 \x07bell 漢字かな e\u0301a\u0308 שלום עולם \u202eabc\u202c z\u200bw\u200dj"
)
LONG = "[bold]" + "0123456789" * 10_000
SIZES = ((80, 24), (120, 36), (60, 16))


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(_evil_seed(tmp_path_factory.mktemp("evil")))


async def _evil_seed(folder: Path) -> Path:
    """A run session in which every title, abstract, model text, note and reason begins with hostile
    text."""
    await make_seed(folder)
    with Session.open("demo", bare(folder)) as session:
        known = session.state.papers.values()
        evil = (
            p.model_copy(
                update={"title": f"{EVIL} {p.title}", "abstract": f"{EVIL} {p.abstract} {LONG}"}
            )
            for p in known
        )
        papers = [bounded(p) for p in evil]  # as every paper is on its way in
        entries: list[Decision | Version] = []
        for version in list(session.state.versions.values()):
            if version.address != "topic":
                entries.append(version.model_copy(update={"content": poisoned(version.content)}))
        for entry in session.journal.entries:
            if isinstance(entry, Decision) or entry.address == "topic":
                entries.append(entry)
    (folder / "data" / "sessions" / "demo.coi.db").unlink()
    with Session.create("demo", TOPIC, bare(folder), offline=True) as again:
        begun = len(again.journal.entries)
        ordered = sorted(entries, key=lambda e: e.seq)[begun:]
        again.file.commit(entries=ordered, papers=papers)
    with Session.open("demo", bare(folder)) as session:
        for address in ("1/0", "1/idea", "topic"):
            session.decide("note", address, EVIL)
        with_reason = next(a for a in ("1/+2", "1/+1") if chains(session).slot(a).paper)
        session.decide("reject", with_reason, reason=EVIL)
    return folder


def poisoned(value: object) -> object:
    """Every running text of a content with hostile text before it; ids, words of a closed set and
    numbers stay."""
    if isinstance(value, dict):
        return {k: poisoned(v) if k not in CLOSED else v for k, v in value.items()}
    if isinstance(value, list):
        return [poisoned(v) for v in value]
    return f"{EVIL} {value}" if isinstance(value, str) and " " in value else value


CLOSED = (
    "paper",
    "verdict",
    "link",
    "evidence",
    "results",
    "ranked",
    "source",
    "counts",
    "date",
    "query",
    "part",
)


def checked(lines: list[str], width: int) -> None:
    """No control character is painted, and every line is as wide as the screen."""
    for line in lines:
        bad = [c for c in line if unicodedata.category(c) == "Cc"]
        assert not bad, f"control characters {bad!r} in {line!r}"
        assert cell_len(line) == width, f"{cell_len(line)} cells, not {width}: {line!r}"


WITH_ROWS = {"home", "workbench_paper", "workbench_idea", "candidates", "log", "help"}
"""States that lay out rows, which may go wrong at one size and not at another."""


LITERAL = {
    "workbench_topic",
    "workbench_paper",
    "workbench_card",
    "workbench_idea",
    "workbench_text_pane",
    "candidates",
    "log",
    "edit",
}
SHEETS = {"pin", "accept_all", "history", "reader", "novelty", "arena", "review", "export", "shelf"}
WALKED = [state for state in STATES if state.name in WITH_ROWS | LITERAL | SHEETS]


@pytest.mark.parametrize("state", WALKED, ids=lambda s: s.name)
async def test_hostile_text_is_shown_literally(state: State, seed: Path, tmp_path: Path) -> None:
    async with shown(state, seed, tmp_path, SIZES[0]) as pilot:
        for size in SIZES if state.name in WITH_ROWS else SIZES[:1]:
            if size != SIZES[0]:
                await pilot.resize_terminal(*size)
                await wait(pilot, lambda: tuple(pilot.app.screen.outer_size) == size, "the size")  # noqa: B023
            lines = lines_of(pilot)
            checked(lines, size[0])
            assert pilot.app.is_running
            if state.name in LITERAL:
                assert "[/b]" in "\n".join(lines), "markup was taken for markup"


async def test_messages_and_toasts_are_literal(tmp_path: Path) -> None:
    app = CoiApp(paths_in(tmp_path), Settings(), Keys())
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.pause()
        app.notify(EVIL.replace("\x1b", "").replace("\x07", ""), markup=False)
        app.show_problem(f"{EVIL} cannot be opened", CoiError(EVIL, EVIL))
        await wait(pilot, lambda: "[/b]" in "\n".join(lines_of(pilot)), "the messages")
        checked(lines_of(pilot), 80)


async def test_hostile_names_of_files_are_literal(tmp_path: Path) -> None:
    places = paths_in(tmp_path)
    name = "[red]x[b] 漢字 \u202eabc"
    with Session.create(name, TOPIC, Environment(places, Settings(), Keys()), offline=True):
        pass
    app = CoiApp(places, Settings(), Keys())
    async with app.run_test(size=(80, 24)) as pilot:
        while not getattr(app.screen, "loaded", False):
            await pilot.pause(0.01)
        await pilot.pause()
        checked(lines_of(pilot), 80)
