"""Worksheets: what is to be written, and sentences of the inputs."""

from __future__ import annotations

import json
from typing import Any

from coi_tui.services.llm.offline import worksheet
from tests.llm.server import request

FORM = """Task: propose ideas.

Fields of the answer:
- title: a short title
- text: the idea. In one text
- claims: one to three; each with
  - text: what could be refuted
- verdicts: one for each paper; each with
  - id: the label
  - better: first, second or tie
  - keep: true or false
"""
TEXT = {"type": "string"}


def form(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


VERDICT = form(
    id={"type": "string", "enum": ["P1", "P2"]},
    better={"type": "string", "enum": ["first", "second", "tie"]},
    keep={"type": "boolean"},
)
SCHEMA = {
    **form(
        title=TEXT,
        text=TEXT,
        claims={"type": "array", "items": {"$ref": "#/$defs/Claim"}, "minItems": 1, "maxItems": 3},
        verdicts={"type": "array", "items": VERDICT, "minItems": 2, "maxItems": 2},
        score={"type": "integer", "minimum": 1, "maximum": 10},
    ),
    "$defs": {"Claim": form(text=TEXT)},
}
CARD = {
    "id": "P1",
    "title": "Frogs of the night",
    "year": 2020,
    "abstract": "Frogs hide from owls by day. Nothing else is said of them here.",
}


def made(address: str = "2/idea", **values: object) -> dict[str, Any]:
    return worksheet(
        request(
            user=FORM,
            schema=SCHEMA,
            address=address,
            values={"topic": "frogs and owls", "papers": [CARD], **values},
        )
    )


def test_it_says_what_to_write_and_judges_nothing() -> None:
    found = made()
    assert found["title"] == "Worksheet 2: frogs and owls"
    assert found["text"].startswith("To write: the idea; In one text.\n")
    assert found["claims"] == [
        {"text": f"To write: what could be refuted.\n{found['text'].splitlines()[1]}"}
    ]
    assert found["verdicts"] == [
        {"id": label, "better": "tie", "keep": True} for label in ("P1", "P2")
    ]
    assert found["score"] == 5


def test_sentences_about_the_topic_are_quoted_first_and_nothing_of_a_worksheet_above() -> None:
    above = 'To write: a direction.\nMy own thought is to ask the farmers first.\nFrom “Toads”: "They are said to be slow."'
    lines = made(direction=above)["text"].splitlines()[1:]
    assert lines[0] == 'From “Frogs of the night”: "Frogs hide from owls by day."'
    assert 'From the direction: "My own thought is to ask the farmers first."' in lines
    assert not any(word in "\n".join(lines) for word in ("To write", "Toads"))


def test_a_title_goes_on_from_the_worksheet_above() -> None:
    assert (
        made(seed={"title": "Worksheet 3: toads", "text": "To write: it."})["title"]
        == "Worksheet 2: toads"
    )


def test_as_many_items_as_are_asked_for_and_no_more_than_allowed() -> None:
    assert len(made(count=2)["claims"]) == 2
    assert len(made(count=9)["claims"]) == 3
    assert json.dumps(made(count=2)) == json.dumps(made(count=2))
