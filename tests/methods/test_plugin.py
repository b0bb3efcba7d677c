"""A method that the program does not know, registered by one line: it has rows, detail, edits, stale marks, undo, reasons, menu, novelty
check, match, proposal and command line like Chain of Ideas, though nothing outside its folder names it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from coi_tui.config import Settings
from coi_tui.engine.steps import Scope
from coi_tui.export.options import WITH_APPENDIX
from coi_tui.methods import registry
from coi_tui.methods.registry import register
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.means import Means
from coi_tui.prompts import loader
from coi_tui.session.new_session import settings_for
from tests.methods.toy import TOY
from tests.support.desk import SMALL, Desk
from tests.support.script import HashModel, shown

TOY_SAYS = {
    "toy_questions": lambda request: {
        "questions": [f"question {n} {shown(request)}" for n in (1, 2)]
    },
    "toy_idea": lambda request: {
        "title": f"Toy idea {shown(request)}",
        "final": f"Do {shown(request)}.",
    },
}


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The method is there for one test only, beside the usual one and no other."""
    monkeypatch.setattr(registry, "METHODS", {registry.FIRST: registry.METHODS[registry.FIRST]})
    monkeypatch.setattr(loader, "ADDED", [])
    register(TOY)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A finished run of Chain of Ideas, with the method added and run up to its ideas."""
    desk = Desk.new(tmp_path, SMALL, HashModel(TOY_SAYS))
    desk.run("novelty")
    assert desk.session.decisions.add_method("toy") == "T1"
    outcome = asyncio.run(desk.go(desk.session.planner.to_stage("ideas", Scope(instance="T1"))))
    assert outcome.state == "done", outcome
    yield desk
    with contextlib.suppress(StoreError):  # a test may have closed it to open the file anew
        desk.session.close()


def labels(desk: Desk) -> dict[str, str]:
    return {row.address: row.title for row in desk.session.queries.rows()}


def make(desk: Desk, *addresses: str) -> None:
    outcome = asyncio.run(desk.go(desk.session.planner.to_make(addresses, "Make")))
    assert outcome.state == "done", outcome


def test_it_has_rows_of_its_own_beside_those_of_the_chain(desk: Desk) -> None:
    rows = labels(desk)
    assert {
        "1/0",
        "1/idea",
        "T1",
        "T1/asking",
        "T1/hits",
        "T1/1",
        "T1/1/idea",
        "T1/3/idea",
        "T1/2/nov",
    } <= rows.keys()
    assert rows["T1/1/idea"].startswith("Toy idea")
    assert not {a for a in rows if a.startswith("T1/") and a.endswith(("/dir", "/0"))}, (
        "rows that the method never makes"
    )
    assert list(rows).index("T1") > list(rows).index("2/idea")


def test_its_cells_can_be_read(desk: Desk) -> None:
    found = desk.session.queries.detail("T1/1/idea")
    assert "Idea" in found.title
    assert any("Toy idea" in text for _, text in found.parts)
    assert any("question 1" in text for _, text in desk.session.queries.detail("T1/asking").parts)
    assert desk.session.queries.detail("T1/hits").title.startswith("T1/hits  Papers found")


def test_the_row_of_the_method_tells_what_was_made_of_it(desk: Desk) -> None:
    assert desk.session.decisions.add_method("toy") == "T2"
    empty, made = desk.session.queries.detail("T2"), desk.session.queries.detail("T1")
    assert (empty.title, made.title) == (f"T2  {TOY.name}", f"T1  {TOY.name}")
    assert empty.parts == (
        ("", "Nothing has been made here yet. Its stages: asking, looking, ideas."),
    )
    lines = dict(made.parts)["MADE SO FAR"].splitlines()
    assert lines[0].startswith("asking")
    assert "hits" in lines[1]
    assert [line.split()[0] for line in lines[2:]] == ["T1/1", "T1/2", "T1/3"]
    assert "Toy idea" in lines[2]


def test_an_edit_makes_what_reads_it_stale_and_undo_takes_that_back(desk: Desk) -> None:
    desk.session.edits.save("T1/asking", "- Only this question")
    assert desk.content("T1/asking") == {"questions": ["Only this question"]}
    marks = desk.marks()
    assert {"T1/hits"} <= marks["stale"]
    assert {"T1/1/idea", "T1/2/idea", "T1/3/idea"} <= marks["stale"] | marks.get("upstream", set())
    assert not any(a.startswith(("1/", "2/")) for found in marks.values() for a in found)
    desk.session.undo_stack.undo()
    assert not desk.marks()


def test_why_names_what_an_idea_rests_on(desk: Desk) -> None:
    said = " ".join(desk.session.queries.why("T1/2/idea"))
    assert "T1/asking" in said
    assert "toy_idea" in said
    assert "T1/1/idea" in " ".join(desk.session.queries.why("T1/hits"))
    assert "leads to the idea" in desk.session.queries.why("T1/1")[0]


def test_the_menu_offers_its_stages_and_no_others(desk: Desk) -> None:
    offers = [o.what for o in desk.session.menu.offers("T1/1/idea")]
    assert offers[:3] == ["asking", "looking", "ideas"]
    assert not {"one successor", "trends", "future direction"} & set(offers)
    both = [o.what for o in desk.session.menu.offers("topic")]
    assert {"questions, anchors", "asking"} <= set(both)


def test_the_menu_does_not_call_what_is_stale_up_to_date(desk: Desk) -> None:
    def off(what: str) -> str:
        return next(o.off for o in desk.session.menu.offers("T1") if o.what == what)

    assert off("looking") == "all of it is there and up to date"
    desk.session.edits.save("T1/asking", "- Only this question")
    assert off("asking") == "all of it is there and up to date"
    assert off("looking") == "all of it is there, some of it stale: r on a row makes it again"


def test_a_plan_of_it_knows_its_stages_only(desk: Desk) -> None:
    with pytest.raises(UsageError, match="'anchors' is not a stage"):
        desk.session.planner.to_stage("anchors", Scope(instance="T1"))


def test_its_idea_is_checked_for_novelty_and_meets_an_idea_of_the_chain(desk: Desk) -> None:
    make(desk, "T1/1/nov", "A/1-T1/1", "T1/1/exp")
    assert desk.content("T1/1/nov")["verdict"] in ("partial", "not close", "INCONCLUSIVE")
    match = desk.content("A/1-T1/1")
    assert (match["first"], match["second"]) == (1, "T1/1")
    assert set(match["results"].values()) <= {0, 1, "T1/1"}
    assert "A/1-T1/1" in labels(desk)
    players = [s.player for s in desk.session.exports.snapshot().standings]
    assert {1, "T1/1"} <= set(players)
    desk.session.judgements.vote("A/1-T1/1", "novelty", "T1/1")
    assert desk.session.state.votes["A/1-T1/1", "novelty"] == "T1/1"


def test_its_idea_is_searched_against_and_its_plan_is_checked_against_means(desk: Desk) -> None:
    make(desk, "T1/1/nov", "T1/1/exp")
    before = desk.content("T1/1/nov")
    desk.session.decisions.set_means(Means(compute="2 GPUs"))
    for plan in (
        desk.session.planner.to_search_against("T1/1/idea"),
        desk.session.planner.to_check_means("T1/1/exp"),
    ):
        assert asyncio.run(desk.go(plan)).state == "done"
    assert desk.content("T1/1/nov")["searches"][: len(before["searches"])] == before["searches"]
    assert "T1/1/check" in labels(desk)
    assert {
        offer.key for offer in desk.session.menu.offers("T1/1/idea") if offer.plan is not None
    } >= {"n", "m"}
    stages = [
        line.stage for line in desk.session.planner.to_stage("review", Scope(instance="T1")).lines
    ]
    assert not any("means" in stage for stage in stages)


def test_its_idea_can_be_picked_and_leaves_with_its_own_section(desk: Desk) -> None:
    desk.session.decisions.accept("T1/2/idea")
    text = desk.session.exports.text("md", WITH_APPENDIX)
    assert "## Questions asked" in text
    assert "Toy idea" in text.splitlines()[0]
    data = json.loads(desk.session.exports.text("json"))
    assert data["winner"] == "T1/2"
    assert "T1/2/idea" in data["versions"]


def test_a_branch_of_it_can_be_parked(desk: Desk) -> None:
    desk.session.decisions.park("T1/3")
    assert "T1/3" in desk.session.state.parked
    desk.session.undo_stack.undo()
    assert "T1/3" not in desk.session.state.parked


def test_it_is_there_again_when_the_file_is_opened_anew(desk: Desk) -> None:
    before = labels(desk)
    again = desk.reopen()
    assert labels(again) == before
    assert again.session.verify() == []
    again.session.close()


def test_a_session_may_begin_with_it(tmp_path: Path) -> None:
    from coi_tui.config import Keys, Settings
    from coi_tui.session.session import Session
    from tests.support.desk import TOPIC, paths_in, ticking

    session = Session.create(
        "toys",
        TOPIC,
        paths=paths_in(tmp_path),
        settings=Settings(),
        keys=Keys(),
        clock=ticking(),
        method="Toy",
    )
    desk = Desk(session, HashModel(TOY_SAYS))
    assert desk.run().state == "done"
    assert session.queries.stage_reached() == "review"
    assert {"T1/1/idea", "T1/1/nov"} <= labels(desk).keys()
    assert not {a for a in labels(desk) if a[0].isdigit()}
    session.close()


def test_a_session_that_holds_an_unknown_method_opens_read_only_and_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from coi_tui.config import Keys, Settings
    from coi_tui.session.session import Session

    path = desk.session.core.file.path
    desk.session.close()
    monkeypatch.delitem(registry.METHODS, "Toy")
    session = Session.open(
        str(path), paths=desk.session.core.paths, settings=Settings(), keys=Keys()
    )
    assert "does not know: Toy" in session.read_only_reason
    with pytest.raises(UsageError, match="read-only"):
        session.decisions.park(1)
    assert "1/idea" in {row.address for row in session.queries.rows()}
    assert "T1/1/idea" in session.exports.text("json")
    session.close()


def test_the_command_line_runs_and_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from coi_tui.cli import run as coi

    monkeypatch.setenv("COI_HOME", str(tmp_path))
    assert (
        coi(
            [
                "run",
                "retrieval memory",
                "--name",
                "toys",
                "--method",
                "toy",
                "--offline",
                "--yes",
                "--until",
                "ideas",
            ]
        )
        == 0
    )
    assert coi(["show", "toys"]) == 0
    assert "T1/2/idea" in capsys.readouterr().out
    assert coi(["show", "toys", "T1/2/idea"]) == 0
    assert "Toy idea 2" in capsys.readouterr().out
    assert coi(["why", "toys", "T1/1/idea"]) == 0
    assert "T1/hits" in capsys.readouterr().out
    assert (
        coi(
            [
                "run",
                "retrieval memory",
                "--name",
                "both",
                "--offline",
                "--yes",
                "--until",
                "questions",
            ]
        )
        == 0
    )
    assert coi(["resume", "both", "--method", "Toy", "--yes", "--until", "ideas"]) == 0
    assert coi(["show", "both"]) == 0
    shown_rows = capsys.readouterr().out
    assert "Q1" in shown_rows
    assert "T1/3/idea" in shown_rows
    assert coi(["run", "retrieval memory", "--method", "nothing", "--yes"]) == 2
    assert "Unknown method" in capsys.readouterr().err


async def test_the_workbench_shows_its_rows_and_names_it_in_the_header(tmp_path: Path) -> None:
    from coi_tui.config import Keys, Settings
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from coi_tui.session.session import Session
    from tests.support.desk import TOPIC
    from tests.ui.helpers import places, trip

    session = Session.create(
        "toys", TOPIC, paths=places(tmp_path), settings=Settings(), keys=Keys(), method="Toy"
    )
    desk = Desk(session, HashModel(TOY_SAYS))
    assert (await desk.go(session.planner.to_stage("ideas"))).state == "done"
    title = desk.content("T1/2/idea")["title"]
    session.close()
    async with trip(tmp_path, session="toys") as t:
        await t.on(WorkbenchScreen)
        await t.go("T1/2/idea")
        await t.idle()
        assert "Toy" in t.lines[0]
        assert "CoI" not in t.lines[0]
        assert title in t.text
        assert "anchor" not in t.text.casefold()


async def test_a_new_session_asks_for_its_method_and_begins_with_it(tmp_path: Path) -> None:
    from coi_tui.screens.home.home_screen import HomeScreen
    from coi_tui.screens.home.topic_sheet import TopicSheet
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from tests.ui.helpers import trip

    async with trip(tmp_path, (80, 24)) as t:
        await t.on(HomeScreen)
        await t.press("n")
        sheet = await t.on(TopicSheet)
        await t.until(lambda: "Chain of Ideas" in t.text and "Toy" in t.text, "the methods")
        assert sheet.draft.method == ""
        await t.press(*"memory")
        sheet.query_one("#method").focus()
        await t.press("down", "enter")
        await t.on(WorkbenchScreen)
        assert list(t.bench.session.core.methods.instances) == ["T1"]
        assert "Toy" in t.lines[0]


async def test_the_generate_menu_adds_a_method_and_undo_takes_it_back(desk: Desk) -> None:
    from coi_tui.screens.runs.generate_sheets import GenerateSheet, MethodSheet
    from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from tests.ui.helpers import trip

    desk.session.close()
    async with trip(desk.session.core.paths.data.parent, session=desk.session.name) as t:
        await t.on(WorkbenchScreen)
        await t.press("g")
        await t.on(GenerateSheet)
        assert "+  add another method" in t.text
        await t.press("plus")
        sheet = await t.on(MethodSheet)
        assert sheet.methods == ("Toy",)
        assert "Toy      here: T1   numbered ideas, for tests" in t.text
        await t.press("enter")
        await t.on(ConfirmSheet)
        assert "Add another Toy beside T1?" in t.text
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert "T2" not in t.bench.chain.rows, "Enter once more adds nothing"
        await t.press("g")
        await t.on(GenerateSheet)
        await t.press("plus")
        await t.on(MethodSheet)
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("y")
        await t.on(WorkbenchScreen)
        await t.until(lambda: t.bench.chain.address == "T2", "the row of the method")
        await t.press("g")
        menu = await t.on(GenerateSheet)
        await t.until(lambda: "asking" in t.text, "its stages")
        assert [offer.what for offer in menu.offers][:3] == ["asking", "looking", "ideas"]
        await t.press("escape", "u")
        await t.until(lambda: "T2" not in t.bench.chain.rows, "the row to go")


async def test_the_letter_of_a_stage_of_its_own_shows_the_plan(desk: Desk) -> None:
    from coi_tui.screens.runs.generate_sheets import GenerateSheet
    from coi_tui.screens.runs.plan_screens import PlanSheet
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from tests.ui.helpers import trip

    assert desk.session.decisions.add_method("toy") == "T2"
    desk.session.close()
    async with trip(desk.session.core.paths.data.parent, session=desk.session.name) as t:
        await t.on(WorkbenchScreen)
        await t.go("topic")
        await t.press("g")
        menu = await t.on(GenerateSheet)
        asking = [offer for offer in menu.offers if offer.what == "asking"]
        assert len(asking) == 2, "one for each instance"
        await t.press(asking[1].key)
        plan = await t.on(PlanSheet)
        assert plan.plan.goal.scope.instance == "T2"


def test_no_letter_of_the_menu_is_given_twice_or_bound_to_another_key(desk: Desk) -> None:
    from coi_tui.screens.runs.generate_sheets import GENERATE_ACTIONS
    from coi_tui.session.runs.planner import FREE_LETTERS

    bound = {key for action in GENERATE_ACTIONS for key in action.keys.split(",")}
    assert not bound & set(FREE_LETTERS)
    for _ in range(4):  # more lines than there are small letters
        desk.session.decisions.add_method("toy")
    for address in ("topic", "T1/hits", "1/idea"):
        offers = desk.session.menu.offers(address)
        keys = [offer.key for offer in offers]
        assert len(set(keys)) == len(keys), address
        assert all(keys), address
        assert len({(offer.what, offer.note) for offer in offers}) == len(offers), (
            "lines of two methods of one kind read alike"
        )


async def test_one_method_known_and_nothing_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from coi_tui.screens.home.topic_sheet import TopicSheet
    from coi_tui.screens.runs.generate_sheets import GenerateSheet
    from tests.ui.helpers import demo

    monkeypatch.delitem(registry.METHODS, "Toy")
    async with demo(tmp_path) as t:
        await t.press("g")
        menu = await t.on(GenerateSheet)
        assert "add another method" not in t.text
        assert "method" not in {item.id for item, _ in menu.help_entries()}
        t.app.push_screen(TopicSheet("", (), None, list(registry.METHODS)))
        sheet = await t.on(TopicSheet)
        assert not sheet.query("#method")


def test_a_new_session_of_it_takes_its_own_settings_alone() -> None:
    held = settings_for("Toy", Settings(), {})
    assert held.model_dump() == {"ideas": 3}
    with pytest.raises(UsageError, match=r"Toy has no setting 'length'. Leave out --length"):
        settings_for("Toy", Settings(), {"length": 3})
    chains = settings_for("", Settings(), {"length": 4}, "2021")
    assert [getattr(chains, name) for name in ("length", "forward", "backward", "known_until")] == [
        4,
        2,
        1,
        "2021",
    ]
