"""What is put right in a reply without filling anything in, and replies that only repeat the
prompt's example."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from coi_tui.methods.base.replies import Facts, LongCard, NoveltyVerdicts, Review
from coi_tui.methods.coi.kinds import Direction, FinalIdea
from coi_tui.services.llm.replies import Read, Unreadable, hints_of, read_reply
from tests.support.desk import PROMPTS

CARD = {
    name: f"says {name}"
    for name in ("problem", "move", "evidence", "use", "limits", "method", "experiment")
}


def read(data: dict[str, Any], schema: type[BaseModel], prompt: str = "") -> Read[Any]:
    hints = hints_of(PROMPTS.get(prompt).text) if prompt else frozenset()
    return read_reply(json.dumps(data), "stop", schema, hints)


def refused(data: dict[str, Any], schema: type[BaseModel], prompt: str = "") -> str:
    with pytest.raises(Unreadable) as caught:
        read(data, schema, prompt)
    return caught.value.cause


@pytest.mark.parametrize("blank", ["", "  \n", None])
def test_blank_items_are_dropped_with_a_note(blank: str | None) -> None:
    found = read({"facts": ["A fact", blank, "Another"]}, Facts)
    assert found.value.facts == ["A fact", "Another"]
    assert found.notes == ("1 item of facts left out: blank",)


def test_over_long_lists_are_cut_with_a_note() -> None:
    entities = [{"name": f"thing {n}", "description": ""} for n in range(15)]
    found = read({**CARD, "entities": entities, "references": list("abcde")}, LongCard)
    assert [entity.name for entity in found.value.entities] == [f"thing {n}" for n in range(12)]
    assert found.value.references == ["a", "b", "c"]
    assert found.notes[-1] == "references was cut from 5 items to the 3 that were asked for"


def test_an_item_that_cannot_be_read_does_not_cost_the_others() -> None:
    good, bad = (
        {"claim": 1, "passage": "so it is", "judgement": "same"},
        {"claim": 2, "passage": "x", "judgement": "maybe"},
    )
    said = [
        {"id": "P1", "claims": [bad], "reason": "r"},
        {"id": "P2", "claims": [bad, good], "reason": "r"},
        "P3: not close",
    ]
    found = read({"verdicts": said}, NoveltyVerdicts)
    assert [
        (verdict.id, [row.claim for row in verdict.claims]) for verdict in found.value.verdicts
    ] == [("P2", [1])]
    assert found.notes == (
        "1 item of claims left out: unreadable",
        "2 items of verdicts left out: unreadable",
    )


def test_an_empty_list_that_was_meant_stays_one() -> None:
    assert read({"points": []}, Review).value.points == []
    assert read({"facts": [""]}, Facts).value.facts == []


@pytest.mark.parametrize(
    "text",
    [
        "# string",
        "string",
        "<string>",
        "...",
        "…",
        "[title]",
        "{{ final }}",
        "title",
        "Your answer here",
    ],
)
def test_words_for_a_text_are_no_text(text: str) -> None:
    whole: dict[str, Any] = {name: name[0] for name in FinalIdea.model_fields} | {
        "faults": [],
        "works": [],
    }
    assert (
        refused({**whole, "title": text}, FinalIdea)
        == "The reply repeats the prompt's own example in title instead of answering."
    )


def test_the_example_of_the_prompt_is_no_answer() -> None:
    example = {
        "text": "the direction: open problem, why now, promising approach",
        "note": "something of its own",
    }
    prompt = '{"text": "the direction: open problem, why now, promising approach", "note": "how the authors reasoned"}'
    with pytest.raises(Unreadable, match="example in text"):
        read_reply(json.dumps(example), "stop", Direction, hints_of(prompt))


def test_an_optional_text_that_repeats_the_example_is_taken_as_empty() -> None:
    found = read({"facts": ["A fact"], "reasoning": "..."}, Facts)
    assert found.value.reasoning == ""
    assert found.notes == ("reasoning repeated the prompt's example and was taken as empty",)


@pytest.mark.parametrize(
    ("data", "schema"),
    [({"facts": ["..."]}, Facts), ({"points": [{"part": "...", "point": "..."}]}, Review)],
)
def test_a_list_of_nothing_but_the_example_is_no_answer(
    data: dict[str, Any], schema: type[BaseModel]
) -> None:
    assert "repeats the prompt's own example" in refused(data, schema)
