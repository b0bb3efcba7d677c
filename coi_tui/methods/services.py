"""What a step may ask for: model calls with read replies, a source of papers, ranking. Everything through the recorder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel

from coi_tui.computing import beside
from coi_tui.config import LlmSettings, Price
from coi_tui.engine.context import Context
from coi_tui.engine.events import Event
from coi_tui.engine.recorder import Answer
from coi_tui.literature.types import Fetch, Source
from coi_tui.llm.types import ChatModel, ChatReply, ChatRequest, EmbeddingModel
from coi_tui.methods.embedding import VectorShelf, vectors_of
from coi_tui.methods.fetching import AnswerShelf, RecordedFetch, TextShelf
from coi_tui.methods.own_texts import OwnTexts, attached_text, own_text
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Origin
from coi_tui.model.errors import ContextError, ReplyError, ServiceError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.prompts.loader import Prompt, Prompts

if TYPE_CHECKING:
    from coi_tui.methods.asking import Question

T = TypeVar("T", bound=BaseModel)


@lru_cache(maxsize=64)
def json_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a reply, made once. Not to be changed by whoever gets it."""
    return schema.model_json_schema()


def _prepared(prompts: Prompts, name: str, schema: type[BaseModel]) -> tuple[Prompt, dict[str, Any]]:
    """A prompt ready to be filled in and the schema of its reply: at its first use, both take longer than a frame."""
    prompt = prompts.get(name)
    prompt.prepare()
    return prompt, json_schema(schema)


Check = Callable[[Any], str | None]


@dataclass(frozen=True)
class Toolbox:
    """The services of a session. ``source_of`` gives a source that reaches the network only through the fetch it is handed.

    ``source_for`` gives the source of one branch (0: of none), where branches may have different ones.
    """

    model: ChatModel
    prompts: Prompts
    source_of: Callable[[Fetch], Source]
    fetch: Fetch
    embedding: EmbeddingModel | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    background: Sequence[Paper] = ()
    settings: LlmSettings = field(default_factory=LlmSettings)
    shelf: TextShelf | None = None
    own: OwnTexts | None = None
    answers: AnswerShelf | None = None
    vectors: VectorShelf | None = None
    source_for: Callable[[Fetch, int], Source] | None = None


@dataclass(frozen=True)
class Asked(Generic[T]):
    """A reply that was read, and how it was made."""

    value: T
    recipe: Mapping[str, Any]


class Services:
    """The toolbox as one running step sees it."""

    def __init__(self, tools: Toolbox, ctx: Context) -> None:
        self.tools = tools
        self.ctx = ctx

    @property
    def origin(self) -> Origin:
        return self.tools.model.kind

    def source(self, stage: int | None = None, *, first_hand: bool = False) -> Source:
        """The source of papers of this step's branch, its requests recorded under this step; ``first_hand`` takes no kept answers."""
        tools = self.tools
        fetch = RecordedFetch(self.ctx, tools.fetch, stage, tools.shelf, tools.answers, first_hand=first_hand)
        if tools.source_for is None:
            return tools.source_of(fetch)
        return tools.source_for(fetch, parse_address(self.ctx.address).branch)

    def at(self, stage: int) -> None:
        """Calls from here on had to wait for those of the stage before."""
        self.ctx.stage = stage

    # -- language model -------------------------------------------------------------------------------------------

    async def ask(self, name: str, values: Mapping[str, Any], schema: type[T], check: Check | None = None) -> Asked[T]:
        """Send a prompt and read the reply; on an unreadable one exactly one re-ask with the error, then ReplyError (rule 10).

        ``check`` may refuse a reply that fits the schema but not the question; it returns a sentence that quotes nothing of the reply.
        """
        from coi_tui.llm.replies import Unreadable, read_reply, reask_message
        from coi_tui.methods.asking import Question

        prompt, shape = await beside(_prepared, self.tools.prompts, name, schema)
        question = Question(prompt, values, schema, shape, self.tools.settings)
        cause, raw, before = "", "", ""
        for attempt in (0, 1):
            request, reply = await self._fitting(question)
            text = before + reply.text
            try:
                read = read_reply(text, reply.finish_reason, schema)
            except Unreadable as error:
                cause, raw = str(error), reply.text
                if reply.finish_reason == "length" and not attempt and question.lengthen(request, reply):
                    before = reply.text if question.reask else ""
                    continue
            else:
                problem = check(read.value) if check else None
                if problem is None:
                    self.ctx.changed += question.changes()
                    return Asked(read.value, _recipe(question, request, reply, repaired=read.repaired, reasked=bool(attempt)))
                cause, raw = problem, reply.text
            question.reask, before = (raw, reask_message(cause)), ""
        raise ReplyError(f"The model's reply to {name} could not be used, not after one re-ask either: {cause}", _advice(reply))

    async def _fitting(self, question: Question) -> tuple[ChatRequest, ChatReply]:
        """Send the question; where it is longer than the model's context, shorter versions of it, each saying what it lacks.

        Raises the ContextError when it is still too long, or when nothing more may be left out.
        """
        from coi_tui.methods.asking import SHORTENED

        for tried in range(SHORTENED + 1):
            async with self.ctx.recorder.turn:  # many steps may begin at once; between two prompts the screen is served
                request = question.request()
                await asyncio.sleep(0)
            try:
                reply = await self._send(request, question.changes())
            except ContextError as error:
                if tried == SHORTENED or not question.shorten(request, error.limit, error.prompt_tokens):
                    raise
                continue
            if not reply.cut_at:
                return request, reply
            if tried == SHORTENED or not question.shorten(request, reply.cut_at, 0):
                break
        raise ContextError(
            "language model",
            f"{request.prompt} is longer than the context of {reply.model_asked}, and what is left of it cannot be made shorter.",
            "Take a model with a longer context, or raise it at the server (Ollama: OLLAMA_CONTEXT_LENGTH).",
            limit=reply.cut_at,
        )

    async def _send(self, request: ChatRequest, changes: tuple[str, ...] = ()) -> ChatReply:
        from coi_tui.llm.prices import price_usd, upper_usd

        model, prices, url = self.tools.model.model_for(request.role), self.tools.prices, self.tools.settings.base_url
        free = self.tools.model.kind != "model"

        async def send() -> Answer:
            reply = await self._reply(request)
            cost = 0.0 if free else price_usd(model, reply.prompt_tokens, reply.completion_tokens, prices, base_url=url)
            return Answer(reply.to_json(), reply.model_served, reply.prompt_tokens, reply.completion_tokens, cost)

        content = {**request.key(), "model": model}
        upper = 0.0 if free else upper_usd(model, request.prompt_chars(), request.max_tokens, prices, base_url=url)
        shown = {**content, "changes": list(changes)} if changes else content
        call = await self.ctx.call("chat", content, send, prompt=request.prompt, model=model, upper_usd=upper, shown=shown)
        return ChatReply.from_json(call.reply)

    async def _reply(self, request: ChatRequest) -> ChatReply:
        """The model's answer; told piece by piece where somebody watches and the model can."""
        recorder = self.ctx.recorder
        stream = getattr(self.tools.model, "stream", None) if recorder.stream else None
        if stream is None:
            return await self.tools.model.complete(request)

        def told(text: str) -> None:
            recorder.listen(Event("text", self.ctx.address, self.ctx.step, text))

        reply: ChatReply = await stream(request, told)
        return reply

    # -- papers ---------------------------------------------------------------------------------------------------

    async def rank(self, query: str, papers: Sequence[Paper]) -> tuple[list[tuple[float, Paper]], str]:
        """Papers by likeness to the query, best first, and how it was measured (cosine of embeddings, else ``ranked locally``)."""
        from coi_tui.literature.ranking import rank, rank_by_vectors

        readable = list(papers)
        if self.tools.embedding is not None and readable:
            try:
                vectors = await vectors_of(self.tools, self.ctx, [query, *(f"{p.title}\n{p.abstract or ''}" for p in readable)])
            except ServiceError:
                return rank(query, readable), "ranked locally: the embedding service did not answer"
            by_id = {p.id: p for p in readable}
            scored = rank_by_vectors(vectors[0], {p.id: v for p, v in zip(readable, vectors[1:], strict=True)})
            return [(score, by_id[paper_id]) for score, paper_id in scored], "ranked by embeddings"
        return await beside(rank, query, readable, self.tools.background), "ranked locally"

    async def text(self, paper: Paper) -> PaperText:
        """What can be read of a paper, labelled; the abstract where the full text cannot be had (COI-3, rule 11). Never an own PDF."""
        return await self.source().text(paper)

    async def text_to_read(self, paper: Paper) -> PaperText:
        """The same for the prompt that reads a paper into its card, and for no other: there the researcher's own PDF goes first.

        The one attached in this session goes before the one among the own papers.
        """
        if (attached := self.ctx.state.attached.get(paper.id)) is not None:
            return await attached_text(self.ctx, paper, attached)
        if self.tools.own is not None and (own := await self.tools.own.own_text(paper)) is not None:
            return await own_text(self.ctx, paper, own)
        return await self.text(paper)


def _advice(reply: ChatReply) -> str:
    if reply.finish_reason == "length":
        return "Raise max_tokens of the role in the settings, or take a model that answers more briefly; the raw replies are kept."
    return "The raw replies are kept with the calls; run the step again or try another model."


def _recipe(question: Question, request: ChatRequest, reply: ChatReply, *, repaired: bool, reasked: bool) -> dict[str, Any]:
    prompt = question.prompt
    return {
        "prompt": prompt.name,
        "version": prompt.version,
        "hash": prompt.hash,
        "overridden": prompt.overridden,
        "model": reply.model_asked,
        "served": reply.model_served,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "repaired": repaired,
        "reasked": reasked,
        **({"shortened": True} if question.left_out else {}),
        **({"changes": list(question.changes())} if question.changes() else {}),
    }
