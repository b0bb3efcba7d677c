"""A recorded session is made again from its calls alone: on a machine without its settings, its papers, its prompts, keys and network."""

from __future__ import annotations

import asyncio
import shutil
import socket
import sqlite3
from pathlib import Path

import pytest

from benchmarks.standins import Settings as StandInSettings
from benchmarks.standins import StandIns, make_corpus
from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.engine.unanswered import UNANSWERED
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.calls import LOCAL
from coi_tui.paths import Paths
from coi_tui.prompts.loader import Prompts
from coi_tui.session.papers.imported import bring_in
from coi_tui.session.replay.report import ReplayReport
from coi_tui.session.replay.walk import replay
from coi_tui.session.session import Session
from tests.support.desk import paths_in

BOUNDS = CoiSettings(
    branches=3, length=3, forward=1, backward=1, novelty_queries=2, novelty_hits=2, refine_papers=1, refine_rounds=2, drafts=2
)  # fmt: skip
TOPIC = make_corpus().topics[0]
NOWHERE = "http://127.0.0.1:9"
"""An address at which nothing answers."""


async def _run(places: Paths) -> Path:
    """Three branches, with what a person does between two runs."""
    async with StandIns(StandInSettings()) as pair:
        settings = Settings(
            llm=LlmSettings(base_url=pair.chat_url, main=RoleSettings(model="standin-main", temperature=0.3)),
            source="openalex", sources=("openalex", "semantic_scholar"), openalex=SourceSettings(base_url=NOWHERE, retries=0, pace_s=0),
            semantic_scholar=SourceSettings(base_url=pair.s2_url, retries=1, pace_s=0),
        )  # fmt: skip
        with Session.create("work", TOPIC, paths=places, settings=settings, keys=Keys(), bounds=BOUNDS) as session:
            assert (await session.runs.run(session.planner.to_stage("novelty"))).state == "done"
            session.decisions.reject("1/0", "another line of work")
            session.decisions.accept("2/0")
            session.edits.save("2/dir", session.edits.text_of("2/dir").replace(".", ", as measured.", 1))
            assert (await session.runs.run(session.planner.to_stage("review"))).state == "done"
            planned = next(b for b in session.state.branches if session.state.in_use(f"{b}/exp"))
            session.judgements.mark_point(planned, 1, "tick")
            refined = session.planner.to_refine(f"{planned}/exp", TOPIC)
            assert (await session.runs.run(refined)).state == "done"
            assert (await session.runs.run(session.planner.to_refresh([f"{planned}/nov"], again=True))).state == "done"
            assert (await session.runs.run(session.planner.to_search_against(f"{planned}/nov"))).state == "done"
            session.decisions.note("1/idea", "a note")
            session.undo_stack.undo()
            return session.core.file.path


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of such a session. Its machine has imported papers and a prompt of the person's own."""
    home = tmp_path_factory.mktemp("there")
    places = paths_in(home)
    bib = home / "mine.bib"
    bib.write_text(f"@article{{a, title={{{TOPIC}}}, author={{Foo, Bo}}, year=2020, abstract={{{TOPIC}}}}}", encoding="utf-8")
    bring_in(places, bib)
    places.prompts.mkdir(parents=True)
    (places.prompts / "coi_trend.md").write_text(
        Prompts().get("coi_trend").file_text.replace("# System", "# System\nBe brief.", 1), "utf-8"
    )
    return asyncio.run(_run(places))


@pytest.fixture
def file(recorded: Path, tmp_path: Path) -> Path:
    """That file alone, carried to another machine."""
    return Path(shutil.copy(recorded, tmp_path / "carried.coi.db"))


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_args: object) -> None:
        raise AssertionError("a socket was used")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refused)


def opened(file: Path, folder: Path) -> Session:
    places = paths_in(folder / "here")
    return Session.open(str(file), paths=places, settings=Settings(), keys=Keys(), read_only=True, clock=lambda: "2026-05-01T08:00:00Z")


def replayed(file: Path, folder: Path) -> ReplayReport:
    with opened(file, folder) as session:
        return asyncio.run(replay(session.core))


@pytest.mark.usefixtures("no_network")
def test_everything_is_the_same_on_another_machine(file: Path, recorded: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    report = replayed(file, tmp_path)
    assert report.ok, report.sentences()
    assert report.same == report.made_by_steps > 60
    assert report.decisions > 10
    assert report.by_people >= 2
    assert file.read_bytes() == before
    with opened(recorded, tmp_path) as session:
        for kind, text in report.texts.items():
            assert text == session.exports.text(kind), kind
        made = session.state.versions.values()
        assert any(v.recipe.get(UNANSWERED) for v in made), "one source never answered, which the versions say"
        kept = {call.request.get(LOCAL) for call in session.core.calls.values()}
        assert {"imported papers", "own prompt"} <= kept
        assert {v.recipe["step"] for v in made if "step" in v.recipe} >= {
            "novelty",
            "review",
            "refine",
            "search against",
            "match",
            "anchor candidates",
        }


def changed(file: Path, sql: str, *values: str | int) -> None:
    """Tamper with a file."""
    with sqlite3.connect(file) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{name}"')
        assert db.execute(sql, values).rowcount == 1
    db.close()


@pytest.mark.usefixtures("no_network")
def test_changed_texts_changed_replies_and_missing_calls_are_reported(file: Path, tmp_path: Path) -> None:
    with opened(file, tmp_path) as session:
        held = {address: session.state.in_use(address) for address in ("3/dir", "3/idea", "2/idea")}
    direction, other, idea = held["3/dir"], held["3/idea"], held["2/idea"]
    assert direction is not None
    assert other is not None
    assert idea is not None
    title = idea.content["title"]
    changed(file, "UPDATE log SET json = json_set(json, '$.content.text', 'Not what the model wrote') WHERE seq = ?", direction.seq)
    changed(file, "UPDATE calls SET reply = replace(reply, ?, 'Another title') WHERE id = ?", title, idea.calls[-1])
    changed(file, "DELETE FROM calls WHERE id = ?", other.calls[0])
    report = replayed(file, tmp_path)
    assert not report.ok
    found = {f.address: f.what for f in report.different}
    assert found["3/dir"].startswith("content.text is “")
    assert found["3/dir"].endswith("“Not what the model wrote” in the file")
    assert "Another title" in found["2/idea"]
    assert title[:20] in found["2/idea"]
    missing = [f.what for f in report.not_made if f.entry == other.seq]
    assert missing
    assert "of 3/idea asks for a call that the record does not hold (the prompt coi_" in missing[0]
    assert report.file
    assert report.state
    assert report.exports["md"]
