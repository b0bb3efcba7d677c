"""Criteria: what they leave out, with which reason, and what they say of what is not known."""

import pytest

from coi_tui.model.criteria import Criteria, is_survey, left_out
from coi_tui.model.papers import Citations, Paper

PLAIN = Paper(
    id="arXiv:2201.00001",
    title="Learning to plan with graphs",
    year=2021,
    venue="Annual Meeting of the ACL",
    abstract="We teach a model to plan.",
    citations=Citations(count=40),
)

SURVEYS = [
    "A Survey of Large Language Models",
    "Graph neural networks: a review of methods and applications",
    "A Comprehensive Survey on Transfer Learning",
    "Deep learning for search: a systematic literature review",
    "Prompting methods: an overview",
    "An Overview of Gradient Descent Optimization Algorithms",
    "Surveying the Landscape of Retrieval",
    "Reasoning in Language Models: A Tutorial",
    "Effects of feedback: a meta-analysis",
    "A Systematic Mapping Study of Code Generation",
    "Towards Reasoning in Large Language Models: A Survey",
    "A scoping review of clinical language models",
    "Review of Deep Learning",
]


@pytest.mark.parametrize("title", SURVEYS)
def test_a_survey_is_known_by_its_title(title: str) -> None:
    assert is_survey(PLAIN.model_copy(update={"title": title}))


@pytest.mark.parametrize(
    ("criteria", "reason"),
    [
        (Criteria(), ""),
        (Criteria(year_from=2018, year_to=2026), ""),
        (Criteria(year_from=2022), "of 2021, before 2022"),
        (Criteria(year_to=2020), "of 2021, after 2020"),
        (Criteria(venues=("acl",)), ""),
        (Criteria(venues=("NeurIPS", "ICML")), "venue is not NeurIPS or ICML"),
        (Criteria(without_venues=("ACL",)), "venue ACL"),
        (Criteria(words=("plan", "reason")), ""),
        (Criteria(words=("robot",)), "does not say “robot”"),
        (Criteria(without_words=("graph",)), "says “graph”"),
        (Criteria(without_words=("gra",)), ""),
        (Criteria(without_words=("gra*",)), "says “gra*”"),
        (Criteria(without_words=("to   PLAN",)), "says “to PLAN”"),
        (Criteria(citations=40), ""),
        (Criteria(citations=41), "40 citations, fewer than 41"),
    ],
)
def test_each_rule_has_its_reason(criteria: Criteria, reason: str) -> None:
    assert left_out(PLAIN, criteria) == reason


@pytest.mark.parametrize(
    ("criteria", "reason"),
    [
        (Criteria(year_from=2018), "its year is not known"),
        (Criteria(venues=("ACL",)), "its venue is not known"),
        (Criteria(citations=1), "its citations are not known"),
        (Criteria(without_venues=("ACL",)), ""),
        (Criteria(without_words=("graph",)), ""),
    ],
)
def test_what_is_not_known_does_not_pass_a_rule_that_needs_it(
    criteria: Criteria, reason: str
) -> None:
    """Fail closed: an unknown year is no year in the range. What is asked to be absent cannot be
    found in nothing."""
    bare = Paper(id="x", title="A title")
    assert left_out(bare, criteria) == reason


@pytest.mark.parametrize(
    "bad",
    [
        {"year_from": 2020, "year_to": 2018},
        {"year_from": 20},
        {"citations": -1},
        {"words": ["", " "]},
        {"words": ["*"]},
    ],
)
def test_rules_that_can_hold_for_no_paper_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Criteria.model_validate(bad)
