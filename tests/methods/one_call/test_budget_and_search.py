"""One call with papers, and with as many tokens as another method has."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.one_call import OneCallSettings
from coi_tui.model.entries import Version
from coi_tui.model.papers import Paper
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import Desk
from tests.support.script import HashModel, judged, reply_to
from tests.support.world import MemorySource, World


def numbered() -> HashModel:
    """Drafts are numbered, and the third of them wins each match wherever it stands."""
    numbers = itertools.count(1)

    def judge(request: ChatRequest) -> dict[str, Any]:
        places = ["draft 3" in str(request.values[side]) for side in ("first", "second")]
        return judged(places.index(True) if any(places) else 2)

    def draft(request: ChatRequest) -> dict[str, Any]:
        return {**reply_to(request), "final": f"draft {next(numbers)} rests on a paper [P1]"}

    return HashModel({"one_call": draft, "one_call_papers": draft, "coi_match": judge})


def made(desk: Desk) -> Version:
    plan = desk.planner.to_stage("ideas")
    desk.finish(plan)
    state = desk.state
    version = state.in_use(f"{state.ideas()[0]}/idea")
    assert version is not None
    return version


def desk_with(folder: Path, **bounds: int) -> Desk:
    return Desk.new(folder, OneCallSettings(**bounds), numbered(), method="One call")


@pytest.mark.parametrize("drafts", [1, 2, 3, 6])
def test_drafts_are_made_while_they_fit_and_the_best_is_taken(tmp_path: Path, drafts: int) -> None:
    tokens = 100 + used(desk_of(tmp_path / "probe", drafts))
    desk = desk_with(tmp_path / "real", tokens=tokens)
    version = made(desk)
    assert version.recipe["drafts"] == drafts
    assert desk.session.file.spent().tokens <= tokens
    assert version.content["final"].startswith(f"draft {3 if drafts >= 3 else 1} ")
    shown: list[Any] = [request.values["first"] for request in desk.model.of("coi_match")]
    places = {first["text"] == version.content["final"] for first in shown}
    assert drafts < 6 or places == {True, False}, "the draft that leads is shown first by turns"


def desk_of(folder: Path, drafts: int) -> Desk:
    """A session with a budget that so many drafts have used up."""
    for tokens in itertools.count(500, 500):
        desk = desk_with(folder / str(tokens), tokens=tokens)
        if made(desk).recipe["drafts"] == drafts:
            return desk
    raise AssertionError


def used(desk: Desk) -> int:
    return desk.session.file.spent().tokens


def test_a_draft_that_cannot_be_read_loses_and_nothing_is_paid_twice(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, tokens=12_000)
    answer = desk.model.say["coi_match"]
    desk.model.say["coi_match"] = lambda request: (
        "nothing" if "draft 2 " in str(request.values) else answer(request)
    )
    version = made(desk)
    assert version.recipe["unreadable"] == 1
    assert version.recipe["drafts"] > 3
    assert version.content["final"].startswith("draft 3 ")
    texts = [(request.user, request.reask) for request in desk.model.of("coi_match")]
    assert len(set(texts)) == len(texts)


def test_the_papers_nearest_to_the_topic_are_shown_and_cited(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, papers=3)
    version = made(desk)
    [request] = desk.model.of("one_call_papers")
    rows: Any = request.values["papers"]
    ids = [row["paper"] for row in rows]
    assert len(ids) == 3
    assert f"[{ids[0]}]" in version.content["final"]
    assert set(ids) <= desk.state.papers.keys()


def test_without_papers_it_fails_and_is_not_a_plain_call(tmp_path: Path) -> None:
    bare = {"1": Paper(id="1", title="No abstract", year=2020)}
    source = MemorySource(World(bare, {}, ("1",)))
    desk = Desk.new(
        tmp_path, OneCallSettings(papers=3), numbered(), source=source, method="One call"
    )
    desk.do(desk.planner.to_stage("ideas"))
    assert desk.session.failed
    assert not desk.model.requests
