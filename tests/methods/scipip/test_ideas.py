"""SCI-10 to SCI-13: modes, filter, inspirations, and the title of an idea."""

from pathlib import Path
from typing import Any

from coi_tui.engine.declarations import Scope
from coi_tui.methods.ideas.matches import ARENA
from coi_tui.methods.scipip import ScipipSettings
from coi_tui.services.llm.chat import ChatRequest
from tests.methods.scipip.frogs import BACKGROUND, desk_of, prompts_shown
from tests.support.desk import Desk, run


def test_sci_10_mode_a_uses_papers_only_and_the_filter_leaves_the_text_as_it_is(
    tmp_path: Path,
) -> None:
    desk = desk_of(tmp_path, mode="A")
    run(desk)
    assert "scipip_brainstorm" not in desk.model.sent
    first, filtered = desk.content("S1/first")["ideas"], desk.content("S1/filtered")
    assert len(first) == 10
    assert filtered["off"] == ["7", "8", "9", "10"]
    assert [row["name"] for row in filtered["judged"]] == first
    assert all(row["description"] for row in filtered["judged"])
    assert prompts_shown(desk, "scipip_improve")["count"] == 3
    assert "S1/brainstorm" not in {row.address for row in desk.session.rows()}


def test_sci_10_an_idea_without_a_verdict_goes_and_that_is_said(tmp_path: Path) -> None:
    desk = desk_of(
        tmp_path,
        {"scipip_filter": lambda r: {"judged": [{"id": "I2", "reason": "good", "keep": True}]}},
    )
    run(desk)
    filtered = desk.content("S1/filtered")
    assert filtered["judged"][0]["name"] == desk.content("S1/first")["ideas"][1]
    assert filtered["off"][0] == "2"
    assert {row["description"] for row in filtered["judged"][1:]} == {
        "the model gave no verdict on it"
    }


def test_sci_11_mode_b_merges_the_brainstorm_before_the_filter_and_does_not_search_with_it(
    tmp_path: Path,
) -> None:
    desk = desk_of(tmp_path, mode="B")
    run(desk)
    assert prompts_shown(desk, "scipip_brainstorm") == {"background": BACKGROUND}
    labels = [idea["id"] for idea in prompts_shown(desk, "scipip_filter")["ideas"]]
    assert labels == [*(f"I{n}" for n in range(1, 11)), *(f"B{n}" for n in range(1, 5))]
    assert "T2" not in [text["id"] for text in prompts_shown(desk, "scipip_entities")["texts"]]


def test_sci_12_mode_c_is_the_default_and_the_brainstorm_steers_the_search(
    desk: Desk, tmp_path: Path
) -> None:
    assert ScipipSettings().mode == "C"
    assert any("ice" in query for kind, query in desk.source.asked if kind == "search")
    plain = desk_of(tmp_path / "b", mode="B")
    run(plain)
    by = {
        mode: {row["paper"] for row in d.content("S1/retrieved")["papers"]}
        for mode, d in (("C", desk), ("B", plain))
    }
    assert by["C"] > by["B"]


def test_sci_13_inspirations_papers_that_suggest_nothing_are_dropped_and_shown(
    tmp_path: Path,
) -> None:
    def say(request: ChatRequest) -> Any:
        papers: Any = request.values["papers"]
        said = ("None", "think of moss", None, "think of sand")
        pairs = zip(papers, said, strict=True)
        return {"papers": [{"id": paper["id"], "inspiration": one} for paper, one in pairs]}

    desk = desk_of(tmp_path, {"scipip_inspiration": say}, path="inspiration")
    run(desk)
    said_of = [row.get("description", "") for row in desk.content("S1/inspired")["papers"]]
    assert said_of == ["", "think of moss", "", "think of sand"]
    assert len(prompts_shown(desk, "scipip_ideas")["inspirations"]) == 2
    assert "scipip_problem" not in desk.model.sent
    merged = [idea["id"] for idea in prompts_shown(desk, "scipip_filter")["ideas"]]
    assert [label[0] for label in merged] == ["I"] * 10 + ["B"] * 4


def test_the_arena_is_reached_once_all_matches_are_played(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    run(desk, "ideas")
    assert desk.session.shortfall("selection", ARENA)
    plan = desk.planner.to_stage("selection", Scope(instance=ARENA))
    desk.finish(plan)
    assert not desk.session.shortfall("selection", ARENA)


def test_an_idea_that_was_not_edited_keeps_its_title_whatever_colons_it_has(tmp_path: Path) -> None:
    ideas = [{"sources": ["I1"], "title": f"Moss {n}: a study", "text": "Grow it."} for n in (1, 2)]
    desk = desk_of(tmp_path, {"scipip_improve": lambda _: {"ideas": ideas}}, branches=2)
    run(desk)
    text = desk.edits.text_of("S1/improved")
    desk.edits.save("S1/improved", text.replace("Moss 2", "Sand"))
    assert desk.content("S1/improved")["ideas"][0]["name"] == "Moss 1: a study"
    assert desk.marks()["stale"] == {"S1/2/rivals", "S1/2/idea"}


# -- by a key on a table
