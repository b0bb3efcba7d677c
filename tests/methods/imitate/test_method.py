"""Imitate-and-Evolve with a scripted model and a source in memory: one test or more for each of its
capabilities."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coi_tui.engine.declarations import Scope
from coi_tui.methods.imitate import ImitateSettings
from coi_tui.methods.imitate.kinds import OWN_KINDS, PassageRow
from coi_tui.methods.imitate.manuscript import sections_of
from coi_tui.model.address import parse_address
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.services.llm.types import ChatRequest
from tests.support.desk import SMALL, Desk, made_once, ran, run, stale
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
    """A session that begins with Imitate-and-Evolve: three papers a side, three steps, a round of
    review."""
    small = {"papers": 3, "steps": STEPS, "novelty_queries": 1, "novelty_hits": 2}
    bounds = ImitateSettings(**{**small, **settings})
    found = source or MemorySource(make_world(), lists=True)
    return Desk.new(
        folder, bounds, HashModel(say or {}), found, topic=TOPIC, method="Imitate-and-Evolve"
    )


def texts(desk: Desk) -> list[str]:
    return [section.text for section in sections_of(desk.session.state, "E1/1").values()]


@pytest.fixture(scope="module")
def made() -> Path:
    """A session with a whole manuscript, reviewed once; copy it, do not touch it."""
    return made_once("imitate", lambda folder: ran(desk_of(folder)))


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(), MemorySource(make_world(), lists=True))


# -- request, papers, pair


def test_ie_1_one_call_takes_the_topic_or_an_idea_of_the_session_apart(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    run(desk, "split")
    assert [request.values["request"] for request in desk.model.of("imitate_split")] == [TOPIC]
    assert all(
        desk.content("E1/split")[name] for name in ("algorithm", "application", "constraints")
    )
    other = Desk.new(tmp_path / "other", SMALL)
    assert other.run("ideas").state == "done"
    other.session.add_method("Imitate-and-Evolve", {"steps": STEPS})
    other.session.edits.save("E1/choice", "- 1/idea\n")
    assert (
        asyncio.run(other.go(other.session.planner.to_stage("split", Scope(instance="E1")))).state
        == "done"
    )
    idea = other.content("1/idea")
    assert (
        other.model.of("imitate_split")[0].values["request"] == f"{idea['title']}\n{idea['final']}"
    )


def test_ie_2_a_paper_that_is_left_out_is_in_no_pair(desk: Desk) -> None:
    out = desk.content("E1/algorithm")["papers"][0]["paper"]
    assert desk.session.edits.change_row("E1/algorithm", out, "tick")
    assert "E1/pairs" in stale(desk)
    asyncio.run(desk.go(desk.session.planner.to_refresh(["E1/pairs"])))
    assert out not in {row["algorithm"] for row in desk.content("E1/pairs")["pairs"]}
    second, last = (row["paper"] for row in desk.content("E1/algorithm")["papers"][1:])
    assert desk.session.edits.change_row("E1/algorithm", second, "reject")
    assert desk.session.edits.row_change("E1/algorithm", last, "reject") is None, "one paper stays"


def test_ie_3_all_pairs_are_scored_in_one_call_and_the_best_is_imitated(desk: Desk) -> None:
    pairs = desk.content("E1/pairs")["pairs"]
    assert desk.content("E1/1/pair") == pairs[0]
    calls = [call for call in desk.session.core.calls.values() if call.prompt == "imitate_pairs"]
    assert len(calls) == 1


# -- outlines and plan


def test_ie_5_a_plan_that_is_shorter_than_wanted_is_taken_and_says_so(tmp_path: Path) -> None:
    desk = desk_of(
        tmp_path,
        {"imitate_plan": lambda _: {"steps": [{"name": "t", "description": "p"}]}},
    )
    run(desk, "section-1")
    assert len(desk.model.of("imitate_plan")) == 1
    (section,) = sections_of(desk.session.state, "E1/1").values()
    assert section.title == desk.content("E1/1/step1")["steps"][0]["name"]
    version = desk.session.state.in_use("E1/1/plan")
    assert version is not None
    assert f"{STEPS} steps" in str(version.recipe)


# -- step by step


def test_ie_6_evidence_is_cut_out_of_the_papers_and_of_the_draft_with_its_place(desk: Desk) -> None:
    for number in range(1, STEPS + 1):
        passages = [
            PassageRow.from_held(row) for row in desk.content(f"E1/1/passages{number}")["passages"]
        ]
        assert any(row.paper for row in passages)
        assert {row.section for row in passages if row.section} == set(range(1, number))
        for row in passages:
            assert "line" in row.where
            if row.section:
                assert row.text in desk.content(f"E1/1/section{row.section}")["text"]


def test_ie_6_the_prompts_of_a_step_show_nothing_of_the_steps_after_it(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    run(desk, f"section-{STEPS}")
    plan = desk.content("E1/1/plan")
    for prompt in ("imitate_evidence", "imitate_step", "imitate_section", "imitate_later"):
        for request in desk.model.of(prompt):
            values: Any = request.values
            after = range(values["step"]["number"] + 1, STEPS + 1)
            told = request.user.partition("Task: ")[0].split("<<<outline")[0]
            assert not any(plan["steps"][n - 1]["description"] in told for n in after), (
                prompt,
                values["step"]["number"],
            )
            assert all(
                section["number"] < values["step"]["number"]
                for section in values.get("earlier", ())
            ), (prompt, values["step"], values["earlier"])
    assert len(desk.model.of("imitate_later")) == STEPS * (STEPS - 1) // 2


def test_ie_6_no_change_is_an_answer(tmp_path: Path) -> None:
    def keep(request: ChatRequest) -> Any:
        return {"why": "it fits", "step": None}

    desk = desk_of(tmp_path, {"imitate_step": keep, "imitate_later": keep})
    run(desk, f"section-{STEPS}")
    for number in range(1, STEPS + 1):
        step = desk.content(f"E1/1/step{number}")
        assert step["kept"]
        assert step["steps"] == [desk.content("E1/1/plan")["steps"][number - 1]]
    assert desk.content("E1/1/later1.3")["kept"]


def test_ie_6_weak_evidence_is_warned_of_until_a_person_accepts_the_step(tmp_path: Path) -> None:
    def weak(request: ChatRequest) -> Any:
        return {**reply_to(request), "weak": "No result is there."}

    say: dict[str, Say] = {"imitate_evidence": lambda _: {"ranges": []}, "imitate_step": weak}
    desk = desk_of(tmp_path, say)
    run(desk, f"section-{STEPS}")
    assert desk.content("E1/1/step2")["weak"].endswith(" No result is there.")
    weak_steps = tuple(f"E1/1/step{n}" for n in range(1, STEPS + 1))
    assert weak_steps in [warning.addresses for warning in desk.session.exports.warnings()]
    desk.session.decide("accept", "E1/1/step1")
    assert weak_steps[1:] in [warning.addresses for warning in desk.session.exports.warnings()]


def test_ie_6_a_section_cites_the_papers_of_its_passages_and_marks_what_names_none(
    tmp_path: Path,
) -> None:
    desk = desk_of(
        tmp_path, {"imitate_section": lambda r: {"text": "Moss grows [P1]. Glass breaks [P99]."}}
    )
    run(desk, "section-1")
    section = desk.content("E1/1/section1")
    assert "(citation missing)" in section["text"]
    cited = [*section["cited"].values()]
    assert cited == [desk.content("E1/1/passages1")["passages"][0]["paper"]]
    assert ("E1/1/section1",) in [one.addresses for one in desk.session.exports.warnings()]
    text = desk.session.exports.text("md", WITH_APPENDIX)
    assert desk.world.papers[cited[0]].title in text.partition("## References")[2]


# -- assembled, reviewed, revised


def test_ie_7_titles_come_from_the_last_plan_and_title_and_abstract_come_last(
    tmp_path: Path,
) -> None:
    desk = desk_of(tmp_path)
    run(desk, "ideas")
    titles = [section.title for section in sections_of(desk.session.state, "E1/1").values()]
    assert titles == [
        desk.content(f"E1/1/step{n}")["steps"][0]["name"] for n in range(1, STEPS + 1)
    ]
    assert desk.model.sent[-1] == "imitate_head"
    shown: Any = desk.model.of("imitate_head")[0].values["sections"]
    assert [section["text"] for section in shown] == texts(desk)


def test_ie_9_a_rebuttal_is_recorded_and_the_section_stays_as_it_was(tmp_path: Path) -> None:
    def decide(request: ChatRequest) -> Any:
        section: Any = request.values["section"]
        first = section["number"] == 1
        return {
            "text": "it is said" if first else "say why",
            "decision": "rebut" if first else "revise",
        }

    desk = desk_of(tmp_path, {"imitate_point": decide})
    run(desk, "ideas")
    answers = [desk.content(f"E1/1/answer{n}") for n in (1, 2)]
    assert [one["text"] for one in answers] == ["it is said", "say why"]
    assert [*sections_of(desk.session.state, "E1/1")] == [
        "E1/1/section1",
        "E1/1/revised2",
        "E1/1/section3",
    ]
    assert texts(desk)[0] == desk.content("E1/1/section1")["text"]
    assert texts(desk)[1] != desk.content("E1/1/section2")["text"]
    assert "it is said" in desk.session.exports.text("md", WITH_APPENDIX)


def rating(**by_text: int) -> Say:
    """Reviews whose rating depends on which sections are revised."""

    def say(request: ChatRequest) -> Any:
        sections: Any = request.values["sections"]
        revised = [section["number"] for section in sections if "revised" in section["text"]]
        return {**reply_to(request), "rating": by_text.get(f"of{revised[0]}", 6) if revised else 6}

    return say


@pytest.mark.parametrize(
    ("score", "outcome", "kept"),
    [(7, "better", True), (6, "as good", True), (5, "rolled back", False)],
)
def test_ie_10_a_revision_is_kept_only_where_the_whole_text_is_not_rated_lower(
    tmp_path: Path, score: int, outcome: str, kept: bool
) -> None:
    desk = desk_of(tmp_path, {"imitate_review": rating(of1=score)})
    run(desk, "ideas")
    revised = desk.content("E1/1/revised1")
    assert (revised["before"], revised["after"], revised["outcome"]) == (6, score, outcome)
    first, second, _ = texts(desk)
    assert first == (revised if kept else desk.content("E1/1/section1"))["text"]
    assert second == desk.content("E1/1/revised2")["text"], "each section is judged by itself"
    shown: Any = desk.model.of("imitate_head")[0].values["sections"]
    assert [section["text"] for section in shown] == texts(desk)


def test_ie_10_a_person_decides_about_a_revision(desk: Desk) -> None:
    before, text = texts(desk), desk.content("E1/1/section1")["text"]
    desk.session.decide("reject", "E1/1/revised1", reason="worse")
    assert texts(desk) == [text, *before[1:]]
    assert "E1/1/idea" in stale(desk)
    desk.session.undo_stack.undo()
    assert (texts(desk), stale(desk)) == (before, set())
    desk.session.decide("accept", "E1/1/section1")
    assert texts(desk)[0] == text
    desk.session.decide("accept", "E1/1/revised1")
    assert texts(desk)[0] == before[0]


def test_ie_10_a_section_that_a_person_wrote_is_never_replaced(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    run(desk, f"section-{STEPS}")
    desk.session.edits.save("E1/1/section1", desk.session.edits.text_of("E1/1/section1") + " Mine.")
    run(desk, "revision")
    assert texts(desk)[0].endswith(" Mine.")
    desk.session.decide("accept", "E1/1/revised1")
    assert texts(desk)[0] == desk.content("E1/1/revised1")["text"], "until the person takes it"


def test_ie_9_a_point_whose_answer_is_rejected_is_not_carried_out(desk: Desk) -> None:
    desk.session.decide("reject", "E1/1/answer2", reason="it is said")
    assert stale(desk) == {"E1/1/revised2", "E1/1/idea"}
    desk.refresh()
    assert "E1/1/section2" in sections_of(desk.session.state, "E1/1")


def test_ie_10_without_a_point_nothing_is_revised_and_the_idea_comes(tmp_path: Path) -> None:
    done = desk_of(tmp_path, {"imitate_review": lambda r: {**reply_to(r), "points": []}})
    run(done, "ideas")
    assert "imitate_point" not in done.model.sent
    assert done.content("E1/1/idea")["title"]


# -- stale marks, undo, resume


def place(address: str) -> int:
    """How far into the manuscript a cell belongs: 0 for what comes before its steps, 99 for what
    comes after all."""
    at = parse_address(address)
    if at.part in ("referee", "answer", "revised", "idea"):
        return 99
    return at.numbers[-1] if at.part in ("passages", "step", "section", "later") else 0


def test_an_edit_of_a_step_makes_only_later_ones_stale(made: Path, tmp_path: Path) -> None:
    """Every field of the plan, every step, later step, section and list of passages, each edited
    and undone."""
    desk = Desk.copied(made, tmp_path)
    edits, rng = desk.session.edits, random.Random(7)
    cells = [
        a
        for a in desk.contents()
        if parse_address(a).part in ("step", "later", "section") and edits.editable(a)
    ]
    todo = [(a, place(a)) for a in sorted(cells)] + [("E1/1/plan", n) for n in range(1, STEPS + 1)]
    rng.shuffle(todo)
    for address, number in todo:
        lines = edits.text_of(address).split("\n")
        begins = [n for n, line in enumerate(lines) if line.startswith("- ")]
        begin = begins[number - 1] - 1 if address.endswith("plan") else -1
        at = next(
            n
            for n in range(begin + 1, len(lines))
            if lines[n].strip() and not lines[n].startswith("#")
        )
        lines[at] += " changed"
        edits.save(address, "\n".join(lines))
        found = stale(desk)
        assert found, address
        assert all(place(one) >= number for one in found), (address, found)
        last = number == STEPS and parse_address(address).part == "section"
        assert "E1/1/idea" in found or not last
        desk.session.undo_stack.undo()
        assert stale(desk) == set(), address
    desk.session.close()


def test_ie_3_by_a_key_another_pair_is_imitated(desk: Desk) -> None:
    pairs = desk.content("E1/pairs")["pairs"]
    assert desk.session.edits.change_row("E1/1/pair", "2", "tick")
    assert desk.content("E1/1/pair") == pairs[1]
    assert "E1/1/outline1" in stale(desk) or "E1/1/outline2" in stale(desk)


def test_ie_4_both_papers_are_read_into_outlines_by_themselves(desk: Desk) -> None:
    outlines = [desk.content(f"E1/1/outline{number}") for number in (1, 2)]
    assert [one["paper"] for one in outlines] == [*desk.content("E1/1/pair").values()][:2]
    assert all(one["parts"] for one in outlines)


def test_ie_8_the_review_has_independent_points_on_sections(desk: Desk) -> None:
    assert [point["name"] for point in desk.content("E1/1/referee")["points"]] == ["1", "2"]
    calls = [call.prompt for call in desk.session.core.calls.values()]
    assert calls.count("imitate_point") == 2


def test_the_manuscript_stands_in_the_export_with_references_that_there_are(desk: Desk) -> None:
    text = desk.session.exports.text("md", WITH_APPENDIX)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    parts = {re.sub(r"^A\.\d+ ", "", heading) for heading in headings}
    shown = ("pair", "plan", "referee", "answer", "revised")
    assert {kind.title for kind in OWN_KINDS if kind.name in shown} <= parts
    cited = set(re.findall(r"#ref-(\d+)\)", text.partition("\n## References\n")[0]))
    assert cited
    assert cited <= set(re.findall(r"<span id=\"ref-(\d+)\"", text))
    method = desk.methods.of_instance("E1")
    assert method is not None
    (whole,) = method.document(desk.session.state, ["E1/1"]).manuscripts
    idea = desk.content("E1/1/idea")
    assert whole.abstract is not None
    assert (whole.title, whole.abstract.text) == (idea["title"], idea["summary"])
    blocks = [block for section in whole.sections for block in section.blocks]
    assert [block.text for block in blocks] == texts(desk)  # type: ignore[union-attr]
    marks = [mark for block in blocks for mark in block.cited]  # type: ignore[union-attr]
    assert marks
    assert all(paper in desk.session.state.papers for _, paper in marks)
