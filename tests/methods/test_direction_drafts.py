"""COI-10: several drafts of a direction, compared in both orders; the best is taken, the others stand beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coi_tui.llm.types import ChatRequest
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.content import COMPARISON, DraftComparison
from coi_tui.model.entries import Version
from coi_tui.session.queries.detail import detail
from tests.support.desk import ONE, Desk
from tests.support.script import HashModel, Say, judged

THREE = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1, "drafts": 3})


def named(request: ChatRequest) -> dict[str, Any]:
    """A direction that says which draft it is."""
    angle = request.values["angle"] or "free"
    return {"text": f"direction {angle}", "note": f"reasoned {angle}"}


def winning(text: str) -> Say:
    """A judge to whom one text is better by every criterion, in whichever order it comes; two others are equal."""

    def say(request: ChatRequest) -> dict[str, Any]:
        shown: list[Any] = [request.values["first"], request.values["second"]]
        choice = next((n for n, side in enumerate(shown) if side["final"] == text), 2)
        return judged(choice, why=f"of {shown[0]['final']} and {shown[1]['final']}")

    return say


def run(folder: Path, bounds: CoiSettings = THREE, say: Mapping[str, Say] | None = None) -> Desk:
    desk = Desk.new(
        folder,
        bounds,
        HashModel(
            {"coi_direction": named, "coi_match": winning("direction deep dive"), **(say or {})}
        ),
    )
    outcome = desk.run("directions")
    assert outcome.state == "done", outcome
    return desk


def versions(desk: Desk) -> list[Version]:
    return [desk.session.state.versions[seq] for seq in desk.session.state.cell("1/dir").versions]


def test_the_further_drafts_think_in_other_ways_and_see_the_first(tmp_path: Path) -> None:
    desk = run(tmp_path)
    first, *further = desk.model.of("coi_direction")
    assert (first.values["angle"], first.values["drafted"]) == ("", [])
    assert {r.values["angle"] for r in further} == {"analogy", "deep dive"}
    assert all(
        r.values["drafted"] == ["direction free"] and "<<<drafted\ndirection free\n" in r.user
        for r in further
    )
    context = first.user.partition("\n\nTask: ")[0]
    assert all(r.system == first.system and r.user.startswith(context) for r in further)


def test_every_pair_meets_in_both_orders_and_the_best_is_taken(tmp_path: Path) -> None:
    desk = run(tmp_path)
    pairs: Any = [
        (r.values["first"]["final"], r.values["second"]["final"])
        for r in desk.model.of("coi_match")
    ]  # type: ignore[index]
    texts = ["direction free", "direction analogy", "direction deep dive"]
    assert sorted(pairs) == sorted((a, b) for a in texts for b in texts if a != b)
    assert desk.content("1/dir") == {"text": "direction deep dive", "note": "reasoned deep dive"}
    beside = [desk.session.state.cell("1/dir").beside.get(v.seq, "") for v in versions(desk)]
    assert beside == [
        "",
        "the first draft; it won 0 and lost 5 of 5 criteria against the one taken",
        "another draft, by analogy; it won 0 and lost 5 of 5 criteria against the one taken",
    ]
    assert desk.marks() == {}


def test_the_detail_shows_the_other_drafts_with_the_reasons_of_the_matches(tmp_path: Path) -> None:
    desk = run(tmp_path)
    parts = detail(desk.session.state, desk.methods, "1/dir").parts
    others = [text for heading, text in parts if heading.startswith("ANOTHER DRAFT")]
    assert others == ["direction free", "direction analogy"]
    matches = [text for heading, text in parts if "AGAINST" in heading]
    assert len(matches) == 3
    assert any(
        "of direction free and direction deep dive" in text
        and "of direction deep dive and direction free" in text
        for text in matches
    )
    assert any("adopt" in text for _, text in parts)


def test_taking_another_draft_is_a_decision_that_can_be_undone(tmp_path: Path) -> None:
    desk = run(tmp_path)
    assert desk.run("ideas").state == "done"
    other = versions(desk)[2]
    desk.session.decisions.adopt("1/dir", other.seq)
    assert desk.content("1/dir")["text"] == "direction analogy"
    assert "1/idea" in desk.marks()["stale"]
    headings = [heading for heading, _ in detail(desk.session.state, desk.methods, "1/dir").parts]
    assert sum(heading.startswith("ANOTHER DRAFT") for heading in headings) == 2
    desk.session.undo_stack.undo()
    assert desk.content("1/dir")["text"] == "direction deep dive"
    assert desk.marks() == {}


def test_one_draft_is_one_call(tmp_path: Path) -> None:
    desk = run(tmp_path, THREE.model_copy(update={"drafts": 1}))
    assert len(desk.model.of("coi_direction")) == 1
    assert desk.model.of("coi_match") == []
    (version,) = versions(desk)
    assert COMPARISON not in version.recipe
    assert not [
        h for h, _ in detail(desk.session.state, desk.methods, "1/dir").parts if "DRAFT" in h
    ]


def test_the_first_draft_is_the_same_call_whatever_the_number(tmp_path: Path) -> None:
    one, three = (
        run(tmp_path / "one", THREE.model_copy(update={"drafts": 1})),
        run(tmp_path / "three"),
    )
    assert one.model.of("coi_direction")[0].key() == three.model.of("coi_direction")[0].key()


@pytest.mark.parametrize("said", ["no JSON", '{"text": "", "note": ""}'])
def test_a_further_draft_that_cannot_be_read_costs_nothing_but_itself(
    tmp_path: Path, said: str
) -> None:
    desk = run(
        tmp_path,
        say={"coi_direction": lambda r: said if r.values["angle"] == "analogy" else named(r)},
    )
    assert desk.content("1/dir")["text"] == "direction deep dive"
    assert len(versions(desk)) == 2
    assert (
        "1 further draft could not be read, or repeated another one"
        in versions(desk)[0].recipe["changes"]
    )


def test_a_draft_that_repeats_the_first_is_no_alternative(tmp_path: Path) -> None:
    desk = run(
        tmp_path, say={"coi_direction": lambda _: {"text": "the one thought", "note": "always"}}
    )
    assert len(versions(desk)) == 1
    assert desk.model.of("coi_match") == []


def test_without_any_match_the_first_draft_is_taken_and_the_others_say_so(tmp_path: Path) -> None:
    desk = run(tmp_path, say={"coi_match": lambda _: "no JSON"})
    assert desk.content("1/dir")["text"] == "direction free"
    reasons = desk.session.state.cell("1/dir").beside.values()
    assert all("not compared" in reason for reason in reasons)
    assert "3 comparisons of drafts could not be read" in versions(desk)[0].recipe["changes"]
    assert DraftComparison.from_held(versions(desk)[0].recipe[COMPARISON]).matches == []


def test_the_plan_counts_drafts_and_matches(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, THREE)
    step = desk.method.step("1/dir")
    assert step is not None
    assert step.cost(desk.session.state, "1/dir").calls == (3 + 6, 2 * (3 + 6))
    (line,) = [
        line
        for line in desk.method.forecast(desk.session.state, "directions")
        if line.stage == "directions"
    ]
    assert "best of 3 drafts" in line.why
    assert line.cost.calls[0] == 9
