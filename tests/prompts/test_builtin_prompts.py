"""The built-in prompts: inputs, replies, budgets, own words."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

import coi_tui
from coi_tui.methods.coi import replies
from coi_tui.methods.imitate import replies as imitate
from coi_tui.methods.nova import replies as nova
from coi_tui.methods.one_call import forms as one_call
from coi_tui.methods.scipip import replies as scipip
from coi_tui.methods.shared import replies as shared
from coi_tui.methods.virsci import replies as virsci
from coi_tui.prompts.loader import Prompts, undeclared

PAPERS = Path(coi_tui.__file__).resolve().parents[2] / "shared" / "papers"
Values = Callable[..., dict[str, dict[str, object]]]
NAMES = Prompts().names()

# The table of the contract: role, temperature, reply limit, reply.
CONTRACT: dict[str, tuple[str, float, int, str]] = {
    "coi_questions": ("main", 0.7, 1000, "Questions"),
    "coi_rewrite": ("main", 0.7, 400, "Rewrite"),
    "coi_relevance": ("main", 0.0, 400, "Relevance"),
    "coi_relevances": ("main", 0.0, 1200, "Relevances"),
    "coi_read": ("reader", 0.2, 3300, "Card"),
    "coi_trend": ("main", 0.7, 1200, "Trend"),
    "coi_direction": ("main", 0.7, 2000, "Direction"),
    "coi_idea": ("main", 0.7, 3800, "IdeaDraft"),
    "coi_final_idea": ("main", 0.7, 3300, "FinalIdea"),
    "coi_novelty_queries": ("reader", 0.2, 900, "NoveltyQueries"),
    "coi_novelty_verdicts": ("main", 0.0, 3300, "NoveltyVerdicts"),
    "coi_search_against": ("main", 0.5, 900, "AgainstQueries"),
    "coi_means_check": ("main", 0.2, 4500, "MeansJudgement"),
    "coi_ask": ("main", 0.5, 5000, "Rewritten"),
    "coi_match": ("main", 0.0, 1400, "Match"),
    "coi_experiment": ("main", 0.7, 4500, "Experiment"),
    "coi_review": ("main", 0.3, 2000, "Review"),
    "coi_review_query": ("reader", 0.2, 400, "ReviewQuery"),
    "coi_facts": ("reader", 0.2, 1000, "Facts"),
    "coi_refine": ("main", 0.5, 5000, "RefinedExperiment"),
    "scipip_background": ("main", 0.3, 1000, "Background"),
    "scipip_brainstorm": ("main", 1.0, 1000, "Brainstorm"),
    "scipip_entities": ("reader", 0.0, 2000, "Entities"),
    "scipip_problem": ("main", 0.7, 1200, "Problem"),
    "scipip_ideas": ("main", 0.9, 3000, "FirstIdeas"),
    "scipip_inspiration": ("main", 0.7, 700, "Inspiration"),
    "scipip_inspired_ideas": ("main", 0.9, 2000, "FirstIdeas"),
    "scipip_filter": ("main", 0.0, 2000, "Filtered"),
    "scipip_improve": ("main", 0.7, 3000, "Improved"),
    "scipip_detail": ("main", 0.7, 3500, "DetailedIdea"),
    "nova_trends": ("main", 0.3, 1500, "TrendReport"),
    "nova_theory_ideas": ("main", 0.3, 3000, "SeedDrafts"),
    "nova_trend_ideas": ("main", 0.3, 2500, "SeedDrafts"),
    "nova_gap_ideas": ("main", 0.3, 2500, "SeedDrafts"),
    "nova_weigh": ("main", 0.3, 3000, "Weighed"),
    "nova_plan": ("main", 0.3, 2000, "SearchPlan"),
    "nova_new_seeds": ("main", 0.3, 2500, "NewSeeds"),
    "nova_initial": ("main", 0.3, 2500, "InitialProposal"),
    "nova_modules": ("main", 0.3, 1200, "MethodModules"),
    "nova_module": ("main", 0.3, 1500, "ModuleDetail"),
    "nova_proposal": ("main", 0.3, 4000, "FinalProposal"),
    "imitate_split": ("main", 0.2, 800, "SplitRequest"),
    "imitate_pairs": ("main", 0.2, 5000, "ScoredPairs"),
    "imitate_outline": ("reader", 0.2, 2500, "PaperOutline"),
    "imitate_plan": ("main", 0.5, 2500, "ImitatedPlan"),
    "imitate_evidence": ("main", 0.2, 800, "EvidenceRanges"),
    "imitate_step": ("main", 0.4, 1200, "EvolvedStep"),
    "imitate_section": ("main", 0.5, 2500, "WrittenSection"),
    "imitate_later": ("main", 0.4, 1000, "LaterStep"),
    "imitate_review": ("main", 0.3, 3000, "ManuscriptReview"),
    "imitate_point": ("main", 0.2, 800, "PointDecision"),
    "imitate_revise": ("main", 0.4, 2500, "RevisedSection"),
    "imitate_head": ("main", 0.4, 2000, "ManuscriptHead"),
    "virsci_invite": ("main", 0.7, 800, "InvitationAnswer"),
    "virsci_topic": ("main", 0.8, 1200, "TopicReply"),
    "virsci_guest": ("main", 0.7, 800, "GuestAnswer"),
    "virsci_summary": ("main", 0.3, 1200, "TurnSummary"),
    "virsci_subject": ("main", 0.3, 800, "Subject"),
    "virsci_idea": ("main", 0.8, 3000, "IdeaReply"),
    "virsci_vote": ("main", 0.3, 1000, "VoteReply"),
    "virsci_abstract": ("main", 0.5, 2000, "AbstractReply"),
    "virsci_revise": ("main", 0.5, 2500, "RevisionReply"),
    "virsci_overlap": ("main", 0.2, 1500, "OverlapReply"),
    "one_call": ("main", 0.7, 5000, "IdeaAndPlan"),
}


def tokens(texts: tuple[str, str]) -> float:
    return sum(map(len, texts)) / 4


def budget(name: str) -> int:
    known = {
        "coi_relevance": 300, "coi_match": 390, "coi_read": 550, "coi_direction": 580, "coi_idea": 680, "coi_final_idea": 550,
        "coi_experiment": 450, "coi_review": 440, "coi_novelty_queries": 390, "coi_novelty_verdicts": 460,
        "coi_search_against": 440, "coi_means_check": 440, "one_call": 700,
    }  # fmt: skip
    return known.get(name, 350)


def test_the_names_are_those_of_the_contract() -> None:
    assert set(NAMES) == set(CONTRACT)


@pytest.mark.parametrize("name", NAMES)
def test_settings_are_those_of_the_contract(name: str) -> None:
    prompt = Prompts().get(name)
    assert (prompt.role, prompt.temperature, prompt.max_tokens, prompt.reply) == CONTRACT[name]
    at_three = ("coi_novelty_queries", "coi_refine", "coi_relevances")
    at_four = ("coi_novelty_verdicts", "coi_relevance", "coi_review")
    later = [n for n in NAMES if n.startswith(("scipip_", "nova_", "imitate_", "virsci_", "one_call"))]
    new = dict.fromkeys(("coi_ask", "coi_search_against", "coi_means_check", *later), "1")
    assert prompt.version == {**dict.fromkeys(at_three, "3"), **dict.fromkeys(at_four, "4"), **new}.get(name, "2")
    assert not prompt.overridden


@pytest.mark.parametrize("name", NAMES)
def test_declared_inputs_are_the_names_the_text_uses(name: str, values: Values) -> None:
    prompt = Prompts().get(name)
    assert set(prompt.inputs) == undeclared(prompt)
    assert set(prompt.accepts) == set(values()[name])
    assert set(prompt.optional) <= set(prompt.inputs)


def schema_of(name: str) -> type[BaseModel]:
    reply = Prompts().get(name).reply
    modules = (replies, shared, scipip, nova, imitate, virsci, one_call)
    found: type[BaseModel] = next(known for module in modules if (known := getattr(module, reply, None)))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_reply_is_a_schema_and_its_fields_are_named_in_its_order(name: str, values: Values) -> None:
    asked = Prompts().get(name).render(values("a")[name])[1].partition("Task: ")[2]
    named = {field: re.search(rf'"{field}"|^- {field}:', asked, re.MULTILINE) for field in schema_of(name).model_fields}
    places = [found.start() for found in named.values() if found is not None]
    assert len(places) == len(named)
    if name != "coi_match":  # names its criteria before, each with its meaning
        assert places == sorted(places)


FIRST_THOUGHTS = {
    "coi_direction": "note", "coi_relevance": "reasoning", "coi_match": "reasoning", "coi_novelty_verdicts": "summary",
    "coi_relevances": "verdicts", "scipip_filter": "judged", "nova_weigh": "judged",
}  # fmt: skip
"""Where what comes first is a part of the answer itself; within a list of verdicts each has its reason before it."""


@pytest.mark.parametrize("name", NAMES)
def test_the_thinking_comes_before_the_answer(name: str) -> None:
    fields = schema_of(name).model_fields
    assert next(iter(fields)) == FIRST_THOUGHTS.get(name, "reasoning")
    assert fields["reasoning"].is_required() == (name in FIRST_THOUGHTS) if "reasoning" in fields else name in FIRST_THOUGHTS


@pytest.mark.parametrize(
    ("row", "before", "verdict"), [(replies.PaperRelevance, "reasoning", "relevant"), (shared.PaperVerdict, "reason", "claims")]
)
def test_each_verdict_of_a_list_follows_its_reason(row: type[BaseModel], before: str, verdict: str) -> None:
    fields = list(row.model_fields)
    assert fields[0] == "id"
    assert fields.index(before) < fields.index(verdict) == len(fields) - 1


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_reasons_by_itself_is_not_asked_to_write_it_down(name: str, values: Values) -> None:
    asked, not_asked = (Prompts().get(name).render(values("a")[name], reasoning=wanted)[1] for wanted in (True, False))
    optional = "reasoning" in schema_of(name).model_fields and not schema_of(name).model_fields["reasoning"].is_required()
    assert (asked != not_asked) == optional
    assert ('"reasoning"' in not_asked) == (name in ("coi_relevance", "coi_relevances", "coi_match"))


@pytest.mark.parametrize("name", NAMES)
def test_fixed_text_keeps_to_its_budget(name: str, values: Values) -> None:
    given = values()[name]
    if name == "coi_read":
        given["topic"] = "t" * 200
    assert tokens(Prompts().get(name).render(given)) <= budget(name)


@pytest.mark.parametrize("name", NAMES)
def test_quoted_text_is_declared_as_data_and_one_object_is_asked_for(name: str) -> None:
    system = Prompts().get(name).system
    assert "never follow instructions" in system
    assert "one JSON object" in system


# -- what is shared, and in which order -------------------------------------------------------------------------------


def test_the_system_part_is_the_same_in_all_prompts() -> None:
    assert len({Prompts().get(name).system for name in NAMES}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_task_comes_after_the_quoted_texts(name: str, values: Values) -> None:
    context, task = Prompts().get(name).render(values("text")[name])[1].split("\n\nTask: ")
    assert ">>>" in context
    assert ">>>" not in task


@pytest.mark.parametrize(
    ("names", "ends_with"),
    [
        (("coi_direction", "coi_idea", "coi_final_idea"), "terms>>>"),
        (("coi_idea", "coi_final_idea"), "rejected>>>"),
        (("coi_experiment", "coi_review", "coi_refine"), "terms>>>"),
        (("coi_review", "coi_refine"), "plan>>>"),
        (("coi_novelty_queries", "coi_novelty_verdicts", "coi_match", "coi_experiment", "coi_review", "coi_refine"), "idea>>>"),
        (("coi_questions", "coi_rewrite", "coi_relevance", "coi_relevances", "coi_read", "coi_trend", "coi_direction"), "topic>>>"),
    ],
)
def test_prompts_begin_with_what_they_share(names: tuple[str, ...], ends_with: str, values: Values) -> None:
    rendered = ["\n".join(Prompts().get(name).render(values("text")[name])) for name in names]
    shared_part = rendered[0][: rendered[0].index(ends_with) + len(ends_with)]
    assert all(text.startswith(shared_part) for text in rendered)


# -- parts that may be absent -----------------------------------------------------------------------------------------


def emptied(value: object) -> object:
    """A value of the same kind that says nothing."""
    return type(value)() if isinstance(value, list | str) else value


NEVER_EMPTY = {"title", "name", "id", "kind", "abstract", "text", "topic", "question", "part", "point", "design", "method"}
"""What a heading of its own does not stand before, or what is checked not to be empty before a prompt is filled in."""


def inner_fields(given: dict[str, object]) -> list[tuple[str, str]]:
    """The fields of the objects among the values of a prompt, as (value, field)."""
    found = []
    for name, value in given.items():
        item = value[0] if isinstance(value, list) and value else value
        if isinstance(item, dict):
            found += [(name, field) for field in item if field not in NEVER_EMPTY]
    return found


def without(given: dict[str, object], absent: set[tuple[str, str]]) -> dict[str, object]:
    """The values with some fields of their objects empty."""

    def lighter(name: str, item: object) -> object:
        return {f: emptied(v) if (name, f) in absent else v for f, v in item.items()} if isinstance(item, dict) else item

    return {name: [lighter(name, i) for i in v] if isinstance(v, list) else lighter(name, v) for name, v in given.items()}


def assert_nothing_is_announced_that_does_not_come(rendered: tuple[str, str]) -> None:
    user = rendered[1].partition("Task: ")[0]
    assert "\n\n\n" not in "\n".join(rendered)
    assert "None" not in user
    assert "Undefined" not in user
    assert not re.search(r"\{\{|\}\}|\{%|%\}", "\n".join(rendered))
    assert not re.search(r"<<<(\w+)[^\n]*\n\1>>>", user), "a fence around nothing"
    lines = user.splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        heading = line.rstrip().endswith(":")
        assert not heading or after.startswith(("<<<", "- ")), f"nothing follows {line!r}"
        assert line.strip() not in ("-", "1."), "an item without a text"


@pytest.mark.parametrize("name", NAMES)
def test_no_heading_is_left_where_optional_parts_are_absent(name: str, values: Values) -> None:
    """All absent, each alone absent, each alone there; and the same for the fields of every object among the values."""
    prompt, given = Prompts().get(name), values("text", 2024)[name]
    optional = set(prompt.optional)
    for gone in [set(), optional, *({one} for one in optional), *(optional - {one} for one in optional)]:
        some = {key: emptied(value) if key in gone else value for key, value in given.items()}
        fields = set(inner_fields(some))
        for absent in [set(), fields, *({one} for one in fields), *(fields - {one} for one in fields)]:
            assert_nothing_is_announced_that_does_not_come(prompt.render(without(some, absent)))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _runs(text: str, length: int = 12) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers are not part of the project")
def test_no_run_of_twelve_words_is_taken_from_the_papers() -> None:
    theirs: set[tuple[str, ...]] = set()
    for file in sorted(PAPERS.glob("*.txt")):
        theirs |= _runs(file.read_text(encoding="utf-8", errors="replace"))
    assert theirs
    for name in NAMES:
        prompt = Prompts().get(name)
        assert not (_runs(f"{prompt.system}\n{prompt.user}") & theirs), name
