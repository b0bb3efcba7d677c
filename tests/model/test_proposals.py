"""What a reader cannot follow in a proposal: 60 texts that point elsewhere, and 60 that any
colleague could have written."""

from __future__ import annotations

import pytest

from coi_tui.model.content import ExperimentPlan, IdeaContent
from coi_tui.model.proposals import MOST_WORDS, assembled, faults, sections

POINTS_ELSEWHERE = """
As before, rows keep their reasons.
The filter works as previously, only faster.
Unlike before, the second test is made on every row.
This is simpler than before and costs less.
In v2 the ledger has one line for each view.
The estimator of v1 failed on ties; this one does not.
Version 2 adds a check by another route.
Draft 3 claimed more than could be tested.
The old rule stopped after twelve blocks.
The earlier rule compared only neighbours.
The previous plan asked for twenty annotators.
The original claim was too wide for the data.
The earlier draft left out the cost of a rerun.
The first draft counted a row twice.
The previous version sampled without strata.
The revised version needs six weeks.
Our earlier version used one seed.
The final draft keeps both baselines.
The threshold was revised to five per cent.
The second step is now reworded and easier to run.
Two measures were dropped from the plan.
The former design had no control group.
An earlier proposal relied on eye tracking.
After the review round the control was added.
The refinement round brought a second data set.
The reviewer asked for a stronger baseline.
Reviewers noted that the metric saturates.
In response to the review, we report intervals.
Point 3 of the review concerns the sample.
The reviewer's point on cost stands.
Its card mentions no study with users.
The older card names sampling as a limit.
None of the cards says how the index is built.
The newer card describes a cache.
Their cards leave the noise open.
The paper's card gives no figure.
The summary card lists two data sets.
Two cards mention interleaving.
The papers of the chain agree on this point.
The chain's papers move from pictures to programs.
This chain shows a shift towards declarations.
The chain ends with a grammar of graphics.
The chain of papers begins with a toolkit.
The anchor paper treats the streaming case.
The paper slot behind it stayed empty.
Branch 1 follows another line of thought.
Idea 2 shares the mechanism.
Idea S1/2 treats the same question.
The direction above asks for an account of all rows.
The future direction says where to look.
The trend above explains the move.
The novelty report found three near papers.
The novelty check was INCONCLUSIVE for this part.
Both bad cases are avoided.
To write: why the idea should work.
We build on the index [P9].
Scaling follows the law of [R3].
We test it by rule C3 of the account.
Condition M4 is run last.
The plan above has eight parts.
""".strip().splitlines()


@pytest.mark.parametrize("text", POINTS_ELSEWHERE)
def test_what_points_elsewhere_is_found(text: str) -> None:
    assert faults(text, 2)


def test_a_text_that_is_much_too_long_is_sent_back() -> None:
    assert not faults("word " * MOST_WORDS, 0)
    assert faults("word " * 2 * MOST_WORDS, 0) == ["4,600 words"]


def test_without_a_model_the_texts_stand_under_their_headings() -> None:
    idea, plan = (
        IdeaContent(title="T", summary="In short.", final="All of it."),
        ExperimentPlan(design="1. Do it.", decisive="Try one."),
    )
    assert assembled(idea, plan) == [
        ("In short", "In short."),
        ("The idea", "All of it."),
        ("First decisive step", "Try one."),
        ("Experiment", "1. Do it."),
    ]


def test_sections_are_what_stands_under_each_heading() -> None:
    assert sections("Before.\n\n## One\n\nText\n\n### Two\nMore") == [
        ("", "Before."),
        ("One", "Text"),
        ("Two", "More"),
    ]
