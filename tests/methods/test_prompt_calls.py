"""Prompts longer than the model's context, and answers cut off by length, against servers that
refuse and cut."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Recorder
from coi_tui.methods.base.reply_models import Card
from coi_tui.methods.coi.kinds import Rewrite
from coi_tui.methods.prompt_calls import LEAST_TEXT, shortened
from coi_tui.methods.services import Services, ServiceSet
from coi_tui.model.errors import ContextError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.services.llm.chat import REASONING_TOKENS, ChatRequest
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.session.service_setup import NoNetwork
from tests.llm.server import chat, client, error
from tests.support.desk import ONE, PROMPTS, Desk, version_at
from tests.support.folding import empty_state
from tests.support.script import HashModel, reply_to
from tests.support.toy import MemoryFile, journal_of
from tests.support.world import MemorySource, make_world


def narrow(request: ChatRequest) -> Any:
    """A reader whose context of 5,000 tokens holds 2,400 beside an answer of 2,500."""
    size = request.prompt_chars() // 4
    return (
        ContextError("language model", "Too long.", limit=5000)
        if size > 2400
        else reply_to(request)
    )


def long_text(paper: Paper) -> PaperText:
    text = " ".join(f"In case {n} we tested whether the agents answer better." for n in range(800))
    return PaperText(paper=paper.id, kind="full text", text=text)


def test_a_card_from_a_shortened_prompt_says_what_was_left_out(tmp_path: Path) -> None:
    bounds = ONE.model_copy(update={"length": 1, "forward": 0, "backward": 0})
    desk = Desk.new(
        tmp_path,
        bounds,
        HashModel({"coi_read": narrow}),
        MemorySource(make_world(), text_of=long_text),
    )
    try:
        assert desk.run("cards").state == "done"
        version = version_at(desk.session, "1/0.card")
        assert version.recipe["changes"][0].startswith(
            "left out of the prompt, which was too long for the model: the ends of"
        )
        assert any(
            line.startswith("Note: left out of the prompt") for line in desk.session.why("1/0.card")
        )
        assert "Read in part" in desk.content("1/0.card")["note"]
    finally:
        desk.session.close()


FIELDS = ("problem", "move", "evidence", "use", "limits", "method", "experiment")
CARD = (
    "{"
    + ", ".join(f'"{name}": "says {name}"' for name in FIELDS)
    + ', "entities": [], "references": []}'
)


class At:
    """Services of one task over a client, with what was kept."""

    def __init__(self, client: OpenAICompatible, settings: LlmSettings) -> None:
        self.file = MemoryFile()
        self.ctx = Context(
            Recorder(journal_of(file=self.file), Budget()), empty_state(), "1/0.card", "card"
        )
        tools = ServiceSet(
            model=client,
            prompts=PROMPTS,
            source_for=lambda _f: None,  # type: ignore[arg-type, return-value]
            fetch=NoNetwork(),
            settings=settings,
        )
        self.services = Services(tools, self.ctx)

    async def read(self, size: int) -> Any:
        values = {
            "topic": "t",
            "title": "x",
            "year": 2020,
            "kind": "full text",
            "text": "word " * (size // 5),
        }
        return await self.services.ask("coi_read", values, Card)

    async def rewrite(self) -> Any:
        return await self.services.ask(
            "coi_rewrite", {"topic": "t", "question": "q", "failed": []}, Rewrite
        )


class Kind:
    """A server with a context (in characters / 4), beyond which ``too_long`` answers, or None cuts
    without a word."""

    def __init__(
        self,
        said: str | Callable[[dict[str, Any]], tuple[str, str]] = CARD,
        *,
        context: int = 0,
        too_long: Callable[[int, int], httpx2.Response] | None = None,
    ) -> None:
        self.said, self.context, self.too_long = said, context, too_long
        self.bodies: list[dict[str, Any]] = []

    def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        body = json.loads(sent.content)
        self.bodies.append(body)
        size = sum(len(m["content"]) for m in body["messages"]) // 4
        reply = body.get("max_tokens") or body.get("max_completion_tokens") or 0
        if self.too_long is not None and size + reply > self.context:
            return self.too_long(size, self.context)
        text, reason = self.said(body) if callable(self.said) else (self.said, "stop")
        usage = {
            "prompt_tokens": min(size, self.context or size),
            "completion_tokens": max(1, len(text) // 4),
        }
        message = {"role": "assistant", "content": text}
        return chat(choices=[{"message": message, "finish_reason": reason}], usage=usage)


def at(kind: Kind, **changes: Any) -> At:
    values: dict[str, Any] = {
        "main": RoleSettings(model="big"),
        "reader": RoleSettings(),
        **changes,
    }
    model = client(kind, base_url="http://model.test", **values)
    return At(model, LlmSettings(**values))


def openai(size: int, limit: int) -> httpx2.Response:
    text = f"This model's maximum context length is {limit} tokens. However, your messages resulted in {size} tokens."
    return error(400, {"message": text, "param": "messages", "code": "context_length_exceeded"})


def silent(size: int, limit: int) -> httpx2.Response:
    return error(400, {"message": "prompt is too long"})


@pytest.mark.parametrize(
    ("profile", "too_long"),
    [
        ("openai", openai),
        ("compatible", silent),
    ],
)
async def test_each_servers_refusal_leads_to_a_shorter_prompt_that_says_so(
    profile: str, too_long: Callable[[int, int], httpx2.Response]
) -> None:
    kind = Kind(context=8000, too_long=too_long)
    here = at(kind, profile=profile)
    asked = await here.read(40_000)
    user = kind.bodies[-1]["messages"][-1]["content"]
    assert "Left out: the ends of " in user
    assert len(kind.bodies) <= 4
    assert asked.recipe["changes"][0].startswith(
        "left out of the prompt, which was too long for the model: the ends"
    )
    assert (
        list(here.file.calls[-1].request["changes"])
        == asked.recipe["changes"]
        == list(here.ctx.changed)
    )
    assert len(here.file.calls) == 1, "a refused prompt is no call that happened"


async def test_the_set_context_shortens_before_anything_is_sent() -> None:
    kind = Kind()
    here = at(kind, profile="ollama", context_tokens=4096)
    await here.read(40_000)
    assert len(kind.bodies) == 1
    assert kind.bodies[0]["max_tokens"] == 2048, "the answer may take half of the context"
    assert any("limited to 2,048 tokens" in change for change in here.ctx.changed)


async def test_a_prompt_cut_without_a_word_is_asked_again_shorter_and_both_calls_are_kept() -> None:
    kind = Kind(context=4096)
    here = at(kind, profile="ollama")
    asked = await here.read(40_000)
    assert [bool(call.reply["cut_at"]) for call in here.file.calls] == [True, False]
    assert asked.recipe["shortened"]


@pytest.mark.parametrize(("prompt", "tries"), [("rewrite", 1), ("read", 4)])
async def test_what_never_fits_fails_after_bounded_tries(prompt: str, tries: int) -> None:
    kind = Kind(context=10, too_long=silent)
    here = at(kind)
    with pytest.raises(ContextError, match="longer than the context of big"):
        await (here.rewrite() if prompt == "rewrite" else here.read(90_000))
    assert len(kind.bodies) == tries


async def test_an_answer_that_was_cut_off_is_asked_for_again_with_more_room() -> None:
    full = '{"query": "some words"}'

    def answer(body: dict[str, Any]) -> tuple[str, str]:
        return (full, "stop") if body["max_tokens"] > 400 else (full[:14], "length")

    here = at(Kind(answer))
    asked = await here.rewrite()
    assert asked.value.query == "some words"
    assert [call.reply["finish_reason"] for call in here.file.calls] == ["length", "stop"]


# -- reasoning


async def test_the_reasoning_is_kept_with_how_the_text_was_made_and_is_no_content() -> None:
    kind = Kind('{"reasoning": "the words were too narrow", "query": "some words"}')
    here = at(kind)
    asked = await here.rewrite()
    assert asked.recipe["reasoning"] == "the words were too narrow"
    assert asked.value.content() == {"query": "some words"}
    schema = kind.bodies[0]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["reasoning", "query"]


async def test_a_model_that_reasons_by_itself_gets_room_instead_of_the_field() -> None:
    kind = Kind('{"query": "some words"}')
    here = at(kind, main=RoleSettings(model="openai/o4-mini"))
    asked = await here.rewrite()
    body = kind.bodies[0]
    assert list(body["response_format"]["json_schema"]["schema"]["properties"]) == ["query"]
    assert '"reasoning"' not in str(body["messages"])
    assert body["max_tokens"] == 400 + REASONING_TOKENS
    assert asked.value.query == "some words"


def test_the_papers_text_is_cut_at_its_end_and_nothing_else_is() -> None:
    text = "One is ten. " * 1000
    values = {"topic": "t", "title": "x", "text": text, "points": ["p" * 3000]}
    cut = shortened(values, 1000)
    assert cut is not None
    kept = f"{('One is ten. ' * 916).rstrip()} [...]"
    assert cut[0] == {**values, "text": kept}, "no sentence is cut in two"
    assert f"{len(text) - len(kept):,} of {len(text):,} characters" in cut[1]
    assert values["text"] == text, "what was given is not changed"


def test_of_several_texts_the_longest_give_first_and_titles_stay() -> None:
    papers = [
        {"id": f"P{n}", "title": "t" * 4000, "abstract": "x" * size}
        for n, size in enumerate((400, 3000, 2000), start=1)
    ]
    cut = shortened({"idea": {"title": "i" * 9000}, "papers": papers}, 1500)
    assert cut is not None
    assert [len(p["abstract"]) for p in cut[0]["papers"]] == [400, 1750, 1750]
    assert [len(p["title"]) for p in cut[0]["papers"]] == [4000] * 3


def test_where_nothing_may_be_cut_there_is_no_shorter_prompt() -> None:
    assert shortened({"topic": "t" * 9000, "idea": {"method": "m" * 9000}}, 10) is None
    assert shortened({"text": "a" * LEAST_TEXT}, 10) is None
