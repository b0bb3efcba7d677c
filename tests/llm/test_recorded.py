"""The recorded model: which reply it gives to which prompt, and that every recorded reply can still
be read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from coi_tui import recorded
from coi_tui.methods import one_call
from coi_tui.methods.base import replies as shared
from coi_tui.methods.coi import kinds as coi
from coi_tui.methods.scipip import kinds as scipip
from coi_tui.model.errors import CoiError
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.recorded import RecordedReplies, recorded_replies
from coi_tui.services.llm.replies import read_reply
from coi_tui.services.llm.types import ChatRequest

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
        replace(ASKED, prompt="coi_idea"),
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
            for module in (coi, shared, scipip, one_call)
            if (found := getattr(module, name, None))
        )
        read_reply(json.dumps(row["reply"]), "stop", schema, None)
