"""The sixteen prompts: inputs, replies, budgets, own words."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import coi_tui
from coi_tui.methods.coi import replies
from coi_tui.methods.shared import replies as shared
from coi_tui.prompts.loader import Prompts, undeclared

PAPERS = Path(coi_tui.__file__).resolve().parents[2] / "shared" / "papers"
Values = Callable[..., dict[str, dict[str, object]]]
NAMES = Prompts().names()

# The table of the contract: role, temperature, reply limit, reply.
CONTRACT: dict[str, tuple[str, float, int, str]] = {
    "coi_questions": ("main", 0.7, 800, "Questions"),
    "coi_rewrite": ("main", 0.7, 300, "Rewrite"),
    "coi_relevance": ("main", 0.0, 400, "Relevance"),
    "coi_relevances": ("main", 0.0, 1200, "Relevances"),
    "coi_read": ("reader", 0.2, 3000, "Card"),
    "coi_trend": ("main", 0.7, 900, "Trend"),
    "coi_direction": ("main", 0.7, 1500, "Direction"),
    "coi_idea": ("main", 0.7, 3000, "IdeaDraft"),
    "coi_final_idea": ("main", 0.7, 2500, "FinalIdea"),
    "coi_novelty_queries": ("reader", 0.2, 400, "NoveltyQueries"),
    "coi_novelty_verdicts": ("main", 0.0, 2500, "NoveltyVerdicts"),
    "coi_match": ("main", 0.0, 1200, "Match"),
    "coi_experiment": ("main", 0.7, 4000, "Experiment"),
    "coi_review": ("main", 0.3, 1500, "Review"),
    "coi_review_query": ("reader", 0.2, 300, "ReviewQuery"),
    "coi_facts": ("reader", 0.2, 800, "Facts"),
    "coi_refine": ("main", 0.5, 4500, "RefinedExperiment"),
}


def tokens(texts: tuple[str, str]) -> float:
    return sum(map(len, texts)) / 4


def budget(name: str) -> int:
    return {"coi_relevance": 220, "coi_match": 330, "coi_read": 550}.get(name, 350)


def test_the_names_are_those_of_the_contract() -> None:
    assert set(NAMES) == set(CONTRACT)


@pytest.mark.parametrize("name", NAMES)
def test_settings_are_those_of_the_contract(name: str) -> None:
    prompt = Prompts().get(name)
    assert (prompt.role, prompt.temperature, prompt.max_tokens, prompt.reply) == CONTRACT[name]
    assert prompt.version == {"coi_relevance": "2", "coi_novelty_verdicts": "2"}.get(name, "1")
    assert not prompt.overridden


@pytest.mark.parametrize("name", NAMES)
def test_declared_inputs_are_the_names_the_text_uses(name: str, values: Values) -> None:
    prompt = Prompts().get(name)
    assert set(prompt.inputs) == undeclared(prompt) == set(values()[name])
    assert set(prompt.optional) <= set(prompt.inputs)


@pytest.mark.parametrize("name", NAMES)
def test_the_reply_is_a_schema_and_every_field_is_named(name: str) -> None:
    prompt = Prompts().get(name)
    schema = getattr(replies, prompt.reply, None) or getattr(shared, prompt.reply)
    for field in schema.model_fields:
        assert f'"{field}"' in prompt.system


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


@pytest.mark.parametrize("name", NAMES)
def test_optional_inputs_may_be_empty(name: str, values: Values) -> None:
    prompt = Prompts().get(name)
    given = values("text")[name]
    for field in prompt.optional:
        given[field] = [] if isinstance(given[field], list) else ""
    assert all(prompt.render(given))


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
