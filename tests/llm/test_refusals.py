"""What a model sends in place of an answer: refusals in their own field and in prose, calls of
tools."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from coi_tui.methods.coi.kinds import Direction, Questions
from coi_tui.services.llm.chat import ChatReply
from coi_tui.services.llm.reply_reading import Unreadable, declines, read_reply

from .server import client, request, streamed

SAID = "I'm sorry, but I can't help with that PRIVATE request."
REFUSALS = [
    SAID,
    "I’m sorry, but I can’t assist with that.",
    "I cannot assist with this request.",
    "Sorry, I can't comply.",
    "I can't help with that.",
    "I apologize, but I cannot provide a novel research idea on this topic.",
    "I am unable to fulfill this request.",
    "Request refused.",
    "As an AI language model, I cannot have opinions about research.",
    "Unfortunately, I am not able to help with this.",
    "refusal",
    "I'm really sorry, but I won't write that.",
    "I must decline to answer this prompt.",
    "As an AI developed by a company, I can't do that.",
    "**I'm sorry, but I cannot generate this content.**",
    "I regret that I can't answer your request.",
]
ANSWERS = [
    "I cannot tell from the abstract whether the two use the same data.",
    "The method cannot be applied to long texts.",
    "Sorry states of a queue.",
    "It refuses to answer unsafe prompts, which the chain calls refusal training.",
    "Refusal training",
    "No.",
    "None is stated.",
    "Not relevant.",
    "I can't help but notice that both papers share a data set.",
    "We cannot assist every annotator, so that labels are noisy.",
    "n/a",
    "As an AI system scales, its errors correlate.",
    "The authors apologise for the small sample, but they cannot enlarge it.",
    "Models that say \"I'm sorry, but I can't help with that\" are counted as refusals.",
    "I am not able to judge novelty without the full text.",
    "Unfortunately the code is not available.",
    "I would first measure how often the model declines.",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_is_told_from_an_answer(text: str) -> None:
    assert declines(text)
    with pytest.raises(Unreadable, match="refuse"):
        read_reply(text, "stop", Direction, frozenset())
    with pytest.raises(Unreadable, match="refuses to answer in text"):
        read_reply(
            json.dumps({"note": "What was weighed.", "text": text}), "stop", Direction, frozenset()
        )
    with pytest.raises(Unreadable, match="refuses to answer in questions"):
        read_reply(json.dumps({"questions": [text]}), "stop", Questions, frozenset())


@pytest.mark.parametrize("text", ANSWERS)
def test_an_honest_short_answer_is_no_refusal(text: str) -> None:
    assert not declines(text)
    assert (
        read_reply(
            json.dumps({"note": text, "text": f"{text} So it is."}), "stop", Direction, frozenset()
        ).value.note
        == text
    )


def _always(answer: httpx2.Response) -> Callable[[httpx2.Request], httpx2.Response]:
    return lambda _: answer


def message(**fields: Any) -> httpx2.Response:
    return httpx2.Response(
        200,
        json={
            "model": "m",
            "choices": [{"message": {"role": "assistant", **fields}, "finish_reason": "stop"}],
        },
    )


TOOL = [
    {"index": 0, "id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
]
ENDINGS = [
    (
        message(content=None, refusal=SAID),
        streamed({"refusal": SAID[:20]}, {"refusal": SAID[20:]}),
        "refusal",
        SAID,
        "The model refused to answer.",
    ),
    (
        message(content=None, tool_calls=TOOL),
        streamed({"tool_calls": TOOL}),
        "tool_calls",
        "",
        "The reply calls a tool instead of answering, and none was offered.",
    ),
]


@pytest.mark.parametrize(
    ("whole", "pieces", "ended", "text", "cause"), ENDINGS, ids=["refusal", "tool"]
)
async def test_what_stands_in_place_of_a_text_is_named(
    whole: httpx2.Response, pieces: httpx2.Response, ended: str, text: str, cause: str
) -> None:
    found: list[ChatReply] = []
    for answer, stream in ((whole, False), (pieces, True)):
        model = client(_always(answer))
        found.append(
            await (model.stream(request(), lambda _: None) if stream else model.complete(request()))
        )
        await model.aclose()
    for reply in found:
        assert (reply.finish_reason, reply.text) == (ended, text)
        with pytest.raises(Unreadable) as caught:
            read_reply(reply.text, reply.finish_reason, Direction)
        assert caught.value.cause.startswith(cause)
        assert "PRIVATE" not in caught.value.cause
