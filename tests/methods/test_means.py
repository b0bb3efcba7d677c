"""A person's means, the check of an experiment plan against them, and where each step of a plan comes from."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.export.options import WITH_APPENDIX
from coi_tui.methods.shared.means_check import judged
from coi_tui.methods.shared.replies import StepMeans
from coi_tui.model.content import ExperimentPlan
from coi_tui.model.errors import UsageError
from coi_tui.model.means import Means, MeansCheck, means_of
from coi_tui.model.plan_steps import PlanStep, source_words, sources, steps_of
from coi_tui.session.runs.disclosure import sends
from coi_tui.session.runs.service_setup import setup_of
from tests.support.desk import Desk, copy_of
from tests.support.script import reply_to

MINE = Means(compute="2 GPUs", people="none", weeks="6 weeks")


def with_plan(tmp_path: Path, until: str = "review") -> Desk:
    """A finished session whose plan a person wrote in two parts of several steps."""
    desk = copy_of(tmp_path, "one", until)
    text = desk.session.edits.text_of("1/exp")
    body = text.partition("## baselines\n")[0].partition("## design\n")[2]
    desk.session.edits.save(
        "1/exp",
        text.replace(
            body, body.rstrip() + "\nTrain it on 8 GPUs. Then thirty judges read it.\n\n", 1
        ),
    )
    return desk


def check(desk: Desk) -> MeansCheck:
    outcome = asyncio.run(desk.go(desk.session.planner.to_check_means("1/exp")))
    assert outcome.state == "done", outcome
    found = desk.session.state.read("1/check", MeansCheck)
    assert found is not None
    return found


def test_means_are_a_decision_with_log_and_undo(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "one").session
    done = session.decisions.set_means(MINE, "the lab's")
    assert (done.action, done.address, done.reason) == ("edit", "means", "the lab's")
    assert means_of(session.state) == MINE
    assert session.queries.detail("means").parts[0] == ("COMPUTE", "2 GPUs")
    with pytest.raises(UsageError, match="already say that"):
        session.decisions.set_means(MINE)
    session.decisions.set_means(MINE.model_copy(update={"compute": ""}))
    assert means_of(session.state).said() == {"people": "none", "weeks": "6 weeks"}
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert means_of(session.state) == Means()
    assert session.core.fresh.get("means") is None


def test_a_check_says_of_each_step_what_is_short_and_goes_stale_with_means_and_plan(
    tmp_path: Path,
) -> None:
    desk = with_plan(tmp_path)
    session = desk.session
    with pytest.raises(UsageError, match="say first what means you have"):
        session.planner.to_check_means("1/exp")
    session.decisions.set_means(MINE)
    short = {
        "step": 3,
        "reason": "it takes 8",
        "of": "compute",
        "judgement": "short",
        "short": "GPUs",
        "by": "6 GPUs",
    }

    def said(request: Any) -> dict[str, Any]:
        reply = reply_to(request)
        return {**reply, "steps": [short, {**short, "step": 4, "of": "data"}, *reply["steps"][4:]]}

    desk.model.say["coi_means_check"] = said
    found = check(desk)
    asked = desk.model.of("coi_means_check")[0]
    assert asked.values["means"] == MINE.said()
    assert [step.text for step in found.steps][2:4] == [
        "Train it on 8 GPUs.",
        "Then thirty judges read it.",
    ]
    assert [step.judgement for step in found.steps] == [
        "not said",
        "not said",
        "short",
        "cannot tell",
        *["enough"] * (len(found.steps) - 4),
    ]
    assert "You have not said your data" in found.steps[3].reason
    assert session.core.freshness("1/check").ok
    assert session.core.freshness("1/exp").ok
    row = next(row for row in session.queries.rows() if row.address == "1/check")
    assert row.title.startswith(f"short in 1 of {len(found.steps)} steps")
    parts = dict(session.queries.detail("1/exp").parts)
    assert parts["YOUR MEANS"] == "compute: 2 GPUs\npeople: none\nweeks: 6 weeks"
    assert (
        "3. design: Train it on 8 GPUs.\n   compute: short of GPUs, by 6 GPUs."
        in parts[f"AGAINST YOUR MEANS: {row.title}"]
    )
    text = session.exports.text("md", WITH_APPENDIX)
    assert "| 3 | Train it on 8 GPUs. | compute: short of GPUs, by 6 GPUs |" in text
    assert session.exports.text("md", WITH_APPENDIX) == text
    session.decisions.set_means(Means(compute="8 GPUs"))
    assert session.core.freshness("1/check").status == "stale"
    assert "this check" in session.exports.text("md", WITH_APPENDIX)
    session.undo_stack.undo()
    assert session.core.freshness("1/check").ok
    session.edits.save("1/exp", session.edits.text_of("1/exp").replace("8 GPUs", "1 GPU"))
    assert session.core.freshness("1/check").status == "stale"
    assert "Against the researcher" not in session.exports.text(
        "md", WITH_APPENDIX
    )  # it is of another plan


def test_no_run_of_stages_checks_means_and_only_a_check_sends_them(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one")
    session = desk.session
    session.decisions.set_means(MINE)
    assert desk.run("review").made == []
    online = setup_of(Settings(), Keys(llm="k"), False)
    told = sends(session.core, online, session.planner.to_check_means("1/exp").lines)
    assert "your means as you wrote them (compute, people, weeks), with the experiment plan" in told
    for plan in (
        session.planner.to_review("1/exp"),
        session.planner.to_verify("1/idea"),
        session.planner.to_search_against("1/idea"),
    ):
        assert not any("means" in line for line in sends(session.core, online, plan.lines))


def test_what_no_means_are_named_for_cannot_be_told() -> None:
    steps = [PlanStep(1, "design", "a"), PlanStep(2, "design", "b")]
    said = [
        StepMeans(step=1, reason="r", judgement="enough"),
        StepMeans(step=2, reason="r", judgement="enough", of="compute"),
        StepMeans(step=2, reason="other", judgement="short", of="compute"),
    ]
    assert [row.judgement for row in judged(steps, said, {"compute": "2 GPUs"})] == [
        "cannot tell",
        "not said",
    ]


def test_each_step_is_traced_to_the_draft_a_point_a_paper_or_the_person(tmp_path: Path) -> None:
    desk = with_plan(tmp_path, "experiment")
    session = desk.session
    paper = next(iter(session.state.papers.values()))
    plan = dict(desk.content("1/exp"))
    claims = [
        {"claim": claim["name"], "refuted_if": claim["description"]} for claim in plan["claims"]
    ]
    new = {
        **plan,
        "claims": claims,
        "baselines": f"{plan['baselines']}\nCompare with “{paper.title}”.",
        "metrics": "Report the fact of it.",
    }
    new["answers"] = [
        {"point": 2, "part": "baselines", "change": "a closer baseline"},
        {"point": 1, "part": "metrics", "change": "c"},
    ]
    desk.model.say["coi_refine"] = lambda _: new
    desk.model.say["coi_facts"] = lambda _: {"facts": ["the fact of it"]}
    asyncio.run(desk.go(session.planner.to_review("1/exp")))
    for n in (1, 2):
        session.judgements.mark_point(1, n, "tick")
    asyncio.run(desk.go(session.planner.to_refine("1/exp", "words")))
    session.decisions.adopt("1/exp", session.state.cell("1/exp").versions[-1])
    version = session.state.in_use("1/exp")
    assert version is not None
    told = {
        step.text: (source_words(session.state, source), source.papers)
        for step, source in sources(session.state, version)
    }
    assert told["Train it on 8 GPUs."][0].startswith("your edit (v")
    assert told[f"Compare with “{paper.title}”."][0].startswith("review point 2 (v")
    assert paper.id in told[f"Compare with “{paper.title}”."][1]
    assert told["Report the fact of it."][0].startswith("review point 1 (v")
    assert told["Report the fact of it."][1]
    assert next(name for name, _ in told.values()) == "the first draft"
    assert (
        "<- review point 2 (v"
        in dict(session.queries.detail("1/exp").parts)["WHERE EACH STEP COMES FROM"]
    )
    text = session.exports.text("md", WITH_APPENDIX)
    assert "| review point 2 (v" in text
    assert re.search(r"\| review point 2 \(v\d+\), .+? \[\\\[\d+\\]\]\(#ref-\d+\) \|", text)


def test_steps_are_sentences_and_lines() -> None:
    plan = ExperimentPlan(design="One. Two, e.g. 3.5 of it.\n- three", metrics="Four.")
    assert [(s.n, s.part, s.text) for s in steps_of(plan)] == [
        (1, "design", "One."),
        (2, "design", "Two, e.g."),
        (3, "design", "3.5 of it."),
        (4, "design", "- three"),
        (5, "metrics", "Four."),
    ]
