"""COI-10: several drafts of a direction, compared in both orders; the best is taken, the others
stand beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.entries import Version
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk
from tests.support.script import HashModel, Say, judged

THREE = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1, "drafts": 3})


def named(request: ChatRequest) -> dict[str, Any]:
    """A direction that says which draft it is."""
    angle = request.values["angle"] or "free"
    return {"text": f"direction {angle}", "note": f"reasoned {angle}"}


def winning(text: str) -> Say:
    """A judge to whom one text is better by every criterion, in whichever order it comes; two
    others are equal."""

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


def test_every_pair_meets_in_both_orders_and_the_best_is_taken(tmp_path: Path) -> None:
    desk = run(tmp_path)
    pairs: Any = [
        (r.values["first"]["final"], r.values["second"]["final"])  # type: ignore[index]
        for r in desk.model.of("coi_match")
    ]
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


def test_a_further_draft_that_cannot_be_read_costs_nothing_but_itself(tmp_path: Path) -> None:
    desk = run(
        tmp_path,
        say={"coi_direction": lambda r: "no JSON" if r.values["angle"] == "analogy" else named(r)},
    )
    assert desk.content("1/dir")["text"] == "direction deep dive"
    assert len(versions(desk)) == 2
    assert len(versions(desk)[0].recipe["changes"]) == 1
