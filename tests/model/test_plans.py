"""What a plan is sent back for, and how long one may be."""

import pytest

from coi_tui.model.content import ExperimentPlan, Named
from coi_tui.model.experiment_plans import MOST_WORDS, STUB, faults_of_plan, most_words, words_of

RULE = "All states within two moves of the opening view are run, the shortest gestures first."


def plan(
    claim: str = "It finds at least half of the faults",
    refuted: str = "it finds fewer",
    **parts: str,
) -> ExperimentPlan:
    return ExperimentPlan(claims=[Named(name=claim, description=f"refuted if {refuted}")], **parts)


@pytest.mark.parametrize(
    ("claim", "refuted", "faults"),
    [
        ("The test shows nine tenths of the findings", "it shows less", []),
        ("Recall rises by 5 points over BM25", "the gain is smaller", []),
        ("Error is < 0.1 on every site", "one site is above", []),
        ("Authors would mend at least half of the faults", "they would mend fewer", []),
        ("Readers like it", "they do not", ["a threshold", "what it is compared with"]),
        ("Readers like it more than the old chart", "they do not", ["a threshold"]),
        ("It takes 3 weeks", "it does not", ["what it is compared with"]),
    ],
)
def test_a_claim_has_a_threshold_and_a_comparison(
    claim: str, refuted: str, faults: list[str]
) -> None:
    found = faults_of_plan(plan(claim, refuted), "")
    assert found == [f"claim 1 without {one}" for one in faults]


def test_a_baseline_is_not_the_idea() -> None:
    own = "One baseline runs all states within two moves of the opening view, in any order."
    assert faults_of_plan(plan(baselines=own), RULE) == [
        "a baseline that is the idea's own rule, word for word"
    ]
    other = "One baseline moves each control alone, from the opening view; all states are run."
    assert faults_of_plan(plan(baselines=other), RULE) == []


def test_a_plan_has_a_length() -> None:
    assert faults_of_plan(plan(design="word " * MOST_WORDS), "") == []
    (fault,) = faults_of_plan(plan(design="word " * 2 * MOST_WORDS), "")
    assert f"{MOST_WORDS} are the most" in fault


def test_references_are_not_counted_and_a_stub_may_grow() -> None:
    one = plan(design="word " * 200).model_copy(update={"references": ["A title of five words"]})
    assert words_of(one) == most_words(one) == 200 + 13
    assert most_words(plan(design="word")) == STUB
