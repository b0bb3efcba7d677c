"""Worksheets: what is to be written, and sentences of the inputs."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coi_tui import recorded
from coi_tui.methods import one_call
from coi_tui.methods.base import reply_models as shared
from coi_tui.methods.coi import kinds as coi
from coi_tui.methods.ideas import sketch_tasks
from coi_tui.methods.scipip import kinds as scipip
from coi_tui.model.errors import CoiError
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.services.llm.offline import Drafter, RecordedReplies, recorded_replies, worksheet
from coi_tui.services.llm.reply_reading import read_reply
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


async def test_the_drafter_answers_by_its_drafts_else_with_a_worksheet() -> None:
    drafter = Drafter({"coi_rewrite": lambda values: {"query": f"über {values['topic']}"}})
    reply = await drafter.complete(request())
    assert json.loads(reply.text) == {"query": "über t"}
    assert (reply.model_asked, reply.prompt_tokens) == ("drafter", 0)
    assert (await drafter.complete(request(prompt="other"))).text == "{}"  # no field is required


ASKED = ChatRequest(
    "main", "coi_match", "2", "hash", "system", "", "Match", {}, 0.0, 100, {}, address="A/1-2"
)


def replies(folder: Path, *about: Sequence[str]) -> RecordedReplies:
    """A recording of replies to one prompt at one address, each with what the prompt must be about;
    the reply is the number of its line."""
    lines = (
        {"address": "A/1-2", "prompt": "coi_match", "about": row, "reply": {"line": n}}
        for n, row in enumerate(about)
    )
    (folder / "replies.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return RecordedReplies(folder / "replies.jsonl")


@pytest.mark.parametrize(
    ("prompt", "line"),
    [
        ("Compare: a hare and a tortoise.", 0),
        ("In other words: a tortoise, a hare.", 1),
        ("A hare alone.", 2),
    ],
)
async def test_the_reply_that_names_most_of_a_prompt_in_its_order_is_given(
    prompt: str, line: int, tmp_path: Path
) -> None:
    model = replies(tmp_path, ["hare", "tortoise"], ["tortoise", "hare"], [])
    reply = await model.complete(replace(ASKED, user=prompt))
    assert json.loads(reply.text) == {"line": line}


@pytest.mark.parametrize(
    "asked",
    [
        replace(ASKED, address="A/1-3"),
        replace(ASKED, prompt="coi_trend"),
        replace(ASKED, user="a tortoise"),
    ],
)
async def test_a_prompt_without_a_recorded_reply_is_an_error(
    asked: ChatRequest, tmp_path: Path
) -> None:
    with pytest.raises(
        CoiError, match=f"^No reply to the prompt {asked.prompt} at {asked.address} was recorded"
    ):
        await replies(tmp_path, ["hare"]).complete(asked)


def test_every_recorded_reply_is_valid() -> None:
    for row in recorded_replies(recorded.REPLIES):
        name = Prompts().get(row["prompt"]).reply
        if name == "Relevances" and "kinship" in row["reply"]["verdicts"][0]:
            name = "Kinships"
        schema = next(
            found
            for module in (coi, shared, scipip, one_call, sketch_tasks)
            if (found := getattr(module, name, None))
        )
        read_reply(json.dumps(row["reply"]), "stop", schema, None)


CHAIN = [
    {
        "id": f"P{n}",
        "title": f"Paper {n} on {'frogs and owls' if n == 1 else 'toads'}",
        "year": 2010 + n,
        "move": f"Step {n} goes on from what was there before it.",
        "evidence": "Frogs and owls are counted in many ponds. Frogs win. Owls and frogs both sleep at noon.",
    }
    for n in range(1, 8)
]


def test_every_input_is_quoted_whatever_the_first_one_says_of_the_topic() -> None:
    lines = "\n".join(made(papers=CHAIN)["text"].splitlines()[1:])
    assert all(f"“{paper['title']}”" in lines for paper in CHAIN)
    pair: dict[str, Any] = {"older": CHAIN[0], "newer": CHAIN[1]}
    told = "\n".join(made(papers=[], **pair)["text"].splitlines()[1:])
    assert all(f"“{paper['title']}”" in told for paper in pair.values())


def test_each_of_several_texts_without_a_title_is_an_input_of_its_own() -> None:
    trends = [f"The trend number {n} goes from ponds to lakes." for n in range(1, 8)]
    lines = "\n".join(made(papers=[], trends=trends)["text"].splitlines()[1:])
    assert all(trend in lines for trend in trends)
