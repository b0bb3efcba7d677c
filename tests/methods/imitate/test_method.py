"""Imitate-and-Evolve with a scripted model and a source in memory: one test or more for each of its
capabilities."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coi_tui.engine.declarations import Scope
from coi_tui.methods.imitate import ImitateSettings
from coi_tui.methods.imitate.manuscript import MISSING, sections_of
from coi_tui.model.address import cell_ref
from coi_tui.present.proposal import Proposal
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import SMALL, Desk, made_once, ran, run, stale, version_at
from tests.support.script import HashModel, Say, reply_to
from tests.support.world import MemorySource, make_world

TOPIC = "sleep of glass frogs"
STEPS = 3


def desk_of(
    folder: Path,
    say: Mapping[str, Say] | None = None,
    source: MemorySource | None = None,
    **settings: Any,
) -> Desk:
    """A session that begins with Imitate-and-Evolve: three papers a side, three steps."""
    small = {"papers": 3, "steps": STEPS, "novelty_queries": 1, "novelty_hits": 2}
    bounds = ImitateSettings(**{**small, **settings})
    found = source or MemorySource(make_world(), lists=True)
    return Desk.new(
        folder, bounds, HashModel(say or {}), found, topic=TOPIC, method="Imitate-and-Evolve"
    )


def texts(desk: Desk) -> list[str]:
    return [section.text for section in sections_of(desk.state, "E1/1").values()]


@pytest.fixture(scope="module")
def made() -> Path:
    """A session with a whole manuscript, reviewed once; copy it, do not touch it."""
    return made_once("imitate", lambda folder: ran(desk_of(folder)))


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(), MemorySource(make_world(), lists=True))


# -- request, papers, pair, plan


def test_ie_1_one_call_takes_the_topic_or_an_idea_of_the_session_apart(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SMALL)
    run(desk, "ideas")
    idea = desk.content("1/idea")
    for instance, request in (("E1", desk.content("topic")["text"]), ("E2", None)):
        desk.model.requests.clear()
        desk.session.add_method("Imitate-and-Evolve", {"steps": STEPS})
        if request is None:
            desk.edits.save(f"{instance}/choice", "- 1/idea\n")
        plan = desk.planner.to_stage("split", Scope(instance=instance))
        desk.finish(plan)
        (asked,) = desk.model.of("imitate_split")
        assert asked.values["request"] == (request or f"{idea['title']}\n{idea['final']}")


def test_ie_2_a_paper_that_is_left_out_is_in_no_pair(desk: Desk) -> None:
    out, second, last = (row["paper"] for row in desk.content("E1/algorithm")["papers"])
    assert desk.edits.change_row("E1/algorithm", out, "tick")
    desk.refresh(["E1/pairs"])
    assert out not in {row["algorithm"] for row in desk.content("E1/pairs")["pairs"]}
    assert desk.edits.change_row("E1/algorithm", second, "reject")
    assert desk.edits.row_change("E1/algorithm", last, "reject") is None, "one paper stays"


def test_ie_3_the_best_pair_is_imitated_or_another_by_a_key_and_ie_4_both_are_read(
    desk: Desk,
) -> None:
    pairs, pair = desk.content("E1/pairs")["pairs"], desk.content("E1/1/pair")
    assert pair == pairs[0]
    read = [desk.content(f"E1/1/outline{n}")["paper"] for n in (1, 2)]
    assert read == [pair["algorithm"], pair["application"]]
    assert desk.edits.change_row("E1/1/pair", "2", "tick")
    assert desk.content("E1/1/pair") == pairs[1]
    assert "E1/1/plan" in stale(desk)


def test_ie_5_a_plan_that_is_shorter_than_wanted_is_taken_and_says_so(tmp_path: Path) -> None:
    plan = {"steps": [{"name": "t", "description": "p"}]}
    desk = desk_of(tmp_path, {"imitate_plan": lambda _: plan})
    run(desk, "section-1")
    assert len(desk.model.of("imitate_plan")) == len(texts(desk)) == 1
    version = version_at(desk.session, "E1/1/plan")
    assert f"{STEPS} steps" in str(version.recipe)


# -- step by step


def test_ie_6_weak_evidence_and_missing_citations_are_warned_of(tmp_path: Path) -> None:
    def weak(request: ChatRequest) -> Any:
        return {**reply_to(request), "weak": "No result is there."}

    cites = {"text": "Moss grows [P1]. Glass breaks [P99]."}
    desk = desk_of(tmp_path, {"imitate_step": weak, "imitate_section": lambda _: cites})
    run(desk, "section-2")
    section = desk.content("E1/1/section1")
    assert f"({MISSING})" in section["text"]
    (cited,) = section["cited"].values()
    assert cited == desk.content("E1/1/passages1")["passages"][0]["paper"]
    text = desk.session.exports.text("md", WITH_APPENDIX)
    assert desk.world.papers[cited].title in text.partition("## References")[2]
    desk.session.decide("accept", "E1/1/step1")
    warned = [
        warning.addresses for warning in Proposal(desk.session.exports.snapshot(), None).warnings
    ]
    assert {("E1/1/step2",), ("E1/1/section1", "E1/1/section2")} <= {*warned}, (
        "an accepted step is not warned of"
    )


# -- reviewed and revised


def test_ie_9_a_rebuttal_is_recorded_and_the_section_stays_as_it_was(tmp_path: Path) -> None:
    def decide(request: ChatRequest) -> Any:
        section: Any = request.values["section"]
        decision = "rebut" if section["number"] == 1 else "revise"
        return {"text": f"we {decision}", "decision": decision}

    desk = desk_of(tmp_path, {"imitate_point": decide})
    run(desk, "ideas")
    assert [*sections_of(desk.state, "E1/1")] == [
        *("E1/1/section1", "E1/1/revised2", "E1/1/section3"),
    ]
    assert "we rebut" in desk.session.exports.text("md", WITH_APPENDIX)


@pytest.mark.parametrize(
    ("score", "outcome", "used"),
    [
        (7, "better", True),
        (6, "as good", True),
        (5, "rolled back", False),
        (None, "not compared", False),
    ],
)
def test_ie_10_a_revision_is_used_only_where_the_whole_text_is_not_rated_lower(
    tmp_path: Path, score: int | None, outcome: str, used: bool
) -> None:
    def review(request: ChatRequest) -> Any:
        sections: Any = request.values["sections"]
        revised = "revised" in sections[0]["text"]
        return {**reply_to(request), "rating": score if revised else 6}

    desk = desk_of(tmp_path, {"imitate_review": review})
    run(desk, "ideas")
    revised = desk.content("E1/1/revised1")
    assert (revised["before"], revised["after"], revised["outcome"]) == (6, score, outcome)
    first, second, _ = texts(desk)
    assert first == (revised if used else desk.content("E1/1/section1"))["text"]
    assert second == desk.content("E1/1/revised2")["text"], "each section is judged by itself"
    assert desk.model.sent[-1] == "imitate_head"
    shown: Any = desk.model.of("imitate_head")[0].values["sections"]
    assert [(section["title"], section["text"]) for section in shown] == [
        (desk.content(f"E1/1/step{n}")["steps"][0]["name"], text)
        for n, text in enumerate(texts(desk), 1)
    ], "IE-7: titles of the steps as they were revised last"


def test_ie_10_a_person_decides_about_a_revision(desk: Desk) -> None:
    decide, before = desk.session.decide, texts(desk)
    decide("reject", "E1/1/revised1", reason="worse")
    assert texts(desk) == [desk.content("E1/1/section1")["text"], *before[1:]]
    assert "E1/1/idea" in stale(desk)
    desk.session.undo()
    assert (texts(desk), stale(desk)) == (before, set())
    desk.edits.save("E1/1/section1", desk.edits.text_of("E1/1/section1") + " Mine.")
    assert texts(desk)[0].endswith(" Mine."), "what a person wrote is never replaced"
    decide("accept", "E1/1/revised1")
    assert texts(desk)[0] == before[0]


def test_ie_9_a_point_whose_answer_is_rejected_is_not_carried_out(desk: Desk) -> None:
    desk.session.decide("reject", "E1/1/answer2", reason="it is said")
    assert stale(desk) == {"E1/1/revised2", "E1/1/idea"}
    desk.refresh()
    assert "E1/1/section2" in sections_of(desk.state, "E1/1")


# -- stale marks, export


def place(address: str) -> int:
    """How far into the manuscript a cell belongs: 99 for what comes after all."""
    at = cell_ref(address)
    own = at.kind in ("passages", "step", "section", "later")
    return at.numbers[-1] if own else 99
