"""SCI-10 to SCI-15: modes, filter, inspirations, and a background that comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from coi_tui.engine.declarations import Scope
from coi_tui.methods.ideas.matches import ARENA
from coi_tui.methods.scipip import ScipipSettings
from coi_tui.services.llm.chat import ChatRequest
from tests.methods.scipip.frogs import BACKGROUND, desk_of, prompts_shown
from tests.support.desk import Desk, run
from tests.support.script import Say, reply_to


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


def test_sci_15_a_background_that_was_worked_on_comes_back_and_nothing_is_asked_again(
    desk: Desk,
) -> None:
    before, sent = desk.contents(), len(desk.model.sent)
    desk.session.edits.save(
        "S1/background", "## text\nWhy do tree frogs sing?\n\n## queries\n- tree frogs\n"
    )
    desk.refresh()
    assert len(desk.model.sent) > sent
    sent = len(desk.model.sent)
    desk.session.edits.save(
        "S1/background", f"## text\n{BACKGROUND}\n\n## queries\n- glass frogs asleep\n"
    )
    assert {a: c for a, c in desk.contents().items() if a.startswith("S1/")} == {
        a: c for a, c in before.items() if a.startswith("S1/")
    }
    run(desk)
    assert len(desk.model.sent) == sent


def test_a_plan_draws_on_what_was_read_of_the_papers(tmp_path: Path) -> None:
    def card(request: ChatRequest) -> dict[str, Any]:
        return {**reply_to(request), "evidence": f"Watch {request.values['title']}."}

    desk = desk_of(tmp_path, {"coi_read": card})
    run(desk, "review")
    plan = desk.model.of("coi_experiment")[0].values
    read: Any = desk.content("S1/records")["papers"]
    shown: Any = plan["experiments"]
    assert [row["experiment"] for row in shown] == [f"Watch {row['title']}." for row in read]


def test_the_arena_is_reached_once_all_matches_are_played(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    run(desk, "ideas")
    assert desk.session.shortfall("selection", ARENA)
    plan = desk.session.planner.to_stage("selection", Scope(instance=ARENA))
    assert asyncio.run(desk.go(plan)).state == "done"
    assert not desk.session.shortfall("selection", ARENA)


def test_an_idea_and_its_plan_cite_what_was_read_and_a_refinement_keeps_what_it_cites(
    tmp_path: Path,
) -> None:
    said = "Watch the nests at night."

    def cites(field: str, text: str) -> Say:
        source = {"paper": "P1", "words": said}
        return lambda request: {**reply_to(request), field: text, "sources": [source]}

    desk = desk_of(
        tmp_path,
        {
            "coi_read": lambda r: {**reply_to(r), "evidence": said},
            "scipip_detail": cites("final", "Frogs sleep [P1], not [P77]."),
            "coi_experiment": cites("decisive", "Watch them [P1]."),
            "coi_review": lambda _: {"points": [{"part": "metrics", "point": "Count nights."}]},
            "coi_refine": lambda r: {**reply_to(r), "decisive": "Watch them [P1] longer."},
        },
    )
    run(desk, "review")
    paper = desk.content("S1/records")["papers"][0]["paper"]
    source = {"paper": paper, "words": said, "found": True}
    idea = desk.content("S1/1/idea")
    assert (idea["final"], idea["sources"]) == (f"Frogs sleep [{paper}], not.", [source])
    plan = desk.content(f"{desk.session.exports.snapshot().branch}/exp")
    assert (plan["decisive"], plan["sources"]) == (f"Watch them [{paper}] longer.", [source])
    (refined,) = desk.model.of("coi_refine")
    assert "decisive: Watch them [P1]." in refined.user
    assert f"[P1] {desk.session.state.papers[paper].title}" in refined.user
