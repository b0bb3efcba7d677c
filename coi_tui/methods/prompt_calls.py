"""Asks the model a prompt and reads its reply. A prompt that is too long is shortened, an
unreadable reply asked for once more."""

from __future__ import annotations

import asyncio
import copy
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from coi_tui.config import LlmSettings, Price
from coi_tui.engine.budget import CostCeiling
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Event, ServiceAnswer
from coi_tui.methods.citing import CitationLabels
from coi_tui.model.errors import CoiError, ContextError, ReplyError
from coi_tui.model.text import Fields, Values, clean, first_sentences
from coi_tui.process import run_in_thread
from coi_tui.prompts.loader import REASONING, Prompt, Prompts, quoted
from coi_tui.services.llm.chat import (
    CHARS_PER_TOKEN,
    REASONING_TOKENS,
    REFUSED,
    ChatModel,
    ChatReply,
    ChatRequest,
    Choices,
    Role,
    estimate_tokens,
    price_usd,
    reasons_itself,
    resolved,
    role_settings,
    with_choices,
)
from coi_tui.services.llm.reply_reading import (
    Unreadable,
    declines,
    hints_of,
    read_reply,
    reask_message,
)

T = TypeVar("T", bound=BaseModel)
Check = Callable[[Any], str | None]

MAX_SHORTENINGS = 3
"""How often a prompt is made shorter before the task fails."""
LONGER_LIMIT = 2
"""A cut-off answer is asked for again with this many times its limit."""


@dataclass(frozen=True)
class Asked(Generic[T]):
    """A reply that was read, and how it was made."""

    value: T
    recipe: Values


@dataclass
class FilledPrompt:
    """A prompt with its values, as it is to be sent next.

    ``left_out`` says what the values lack, ``limits`` what was changed about the answer's length.
    """

    prompt: Prompt
    values: Values
    schema: type[BaseModel]
    json_schema: Fields
    settings: LlmSettings
    address: str
    said: Mapping[str, str]
    own_reasoning: bool
    """Whether the model reasons by itself, so that it is given room for it instead of a field to
    write it down."""
    left_out: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    max_tokens: int | None = None
    reask: tuple[str, str] | None = None

    def request(self) -> ChatRequest:
        """The request as it is to be sent now. Raises CoiError for a prompt that cannot be filled
        in."""
        prompt = self.prompt
        if missing := [name for name in prompt.accepts if name not in self.values]:
            raise CoiError(f"The prompt {prompt.name} was given no value for {missing[0]}.")
        system, user = prompt.render(self.values, reasoning=not self.own_reasoning)
        if self.said:
            before, task, after = user.rpartition("\n\nTask: ")
            said = "\n".join(SAID[name].format(quoted(text)) for name, text in self.said.items())
            user = f"{before}\n{said}{task}{after}".lstrip("\n")
        if self.left_out:
            user = f"{user}\n\n{SHORTENED.format('; '.join(self.left_out))}"
        request = resolved(
            ChatRequest(
                role=prompt.role,
                prompt=prompt.name,
                version=prompt.version,
                prompt_hash=prompt.hash,
                system=system,
                user=user,
                schema_name=self.schema.__name__,
                schema=self.json_schema,
                temperature=prompt.temperature,
                max_tokens=prompt.max_tokens + (REASONING_TOKENS if self.own_reasoning else 0),
                values=dict(self.values),
                reask=self.reask,
                address=self.address,
            ),
            self.settings,
        )
        return request if self.max_tokens is None else replace(request, max_tokens=self.max_tokens)

    def shorten(self, sent: ChatRequest, limit: int) -> bool:
        """Make the next request fit ``limit`` tokens (0: unknown).

        False where nothing more may be left out.
        """
        chars, reply = sent.prompt_chars(), sent.max_tokens
        lowered = 0 < limit < 2 * reply
        if lowered:
            self.max_tokens = reply = limit // 2
            limited = f"the answer was limited to {reply:,} tokens, half of the model's context"
            self.limits += (limited,)
        room = int((limit - reply) * CHARS_PER_TOKEN * 0.95) if limit else chars * 6 // 10
        if chars <= room and lowered:
            return True
        found = shortened(self.values, max(chars - room, chars // 20))
        if found is None:
            return lowered
        self.values, left_out = found
        self.left_out += (left_out,)
        return True

    def lengthen(self, sent: ChatRequest) -> bool:
        """Ask for an answer that was cut off once more, with a larger limit. False where a person
        set the limit: it is theirs, and the usual re-ask follows."""
        if role_settings(self.settings, sent.role).max_tokens is not None:
            return False
        self.max_tokens = sent.max_tokens * LONGER_LIMIT
        self.limits += (
            f"the answer was cut off at {sent.max_tokens:,} tokens and asked for again with {self.max_tokens:,}",
        )
        return True

    def changes(self) -> tuple[str, ...]:
        """All that a version should say of how its prompt and answer were changed."""
        return (
            *(
                f"left out of the prompt, which was too long for the model: {what}"
                for what in self.left_out
            ),
            *self.limits,
        )


@dataclass(frozen=True)
class PromptCalls:
    """The calls of one running task to the language model."""

    ctx: Context
    model: ChatModel
    prompts: Prompts
    settings: LlmSettings
    prices: Mapping[str, Price]

    async def ask(
        self,
        name: str,
        values: Values,
        schema: type[T],
        check: Check | None = None,
        choices: Choices | None = None,
        *,
        strict: bool = True,
    ) -> Asked[T]:
        """Send a prompt and read the reply; on an unreadable one exactly one re-ask with the error,
        then ReplyError.

        ``check`` may refuse a reply that fits the schema but not the question; it returns a
        sentence that quotes nothing of the reply. Unless it is ``strict``, the second reply is
        taken as it is, and a worksheet too.
        ``choices`` are the labels or numbers that this call allows; servers that can hold the model
        to them are sent them.
        """
        prompt, shape = await run_in_thread(_prepared, self.prompts, name, schema)
        cites = getattr(schema, "cites", False)
        papers = CitationLabels(values, {**self.ctx.papers, **self.ctx.state.papers}, cites=cites)
        filled = self._filled(prompt, schema, shape, papers, choices)
        # the drafter is shown no example
        hints = hints_of(prompt.text) if self.model.kind != "drafter" else None
        for attempt in (0, 1):
            request, reply = await self._send_fitting(filled)
            try:
                read = read_reply(reply.text, reply.finish_reason, schema, hints)
                asks = strict or not (attempt or self.model.kind == "drafter")
                cause = (check(read.value) if check and asks else None) or ""
            except Unreadable as error:
                cause = str(error)
                if reply.finish_reason == "length" and not attempt and filled.lengthen(request):
                    continue
            if not cause:
                filled.limits += read.notes
                self.ctx.changed += filled.changes()
                recipe = _recipe(filled, request, reply, reasked=bool(attempt))
                value = papers.resolved(read.value) if cites else read.value
                return Asked(value, recipe | _thought(value))
            filled.reask = (reply.text, reask_message(cause))
        raise ReplyError(
            f"The model's reply to {name} could not be used, even after asking again: {cause}",
            _advice(reply),
        )

    def _filled(
        self,
        prompt: Prompt,
        schema: type[BaseModel],
        shape: Fields,
        papers: CitationLabels,
        choices: Choices | None,
    ) -> FilledPrompt:
        """The prompt with its values, and the schema of its reply without the fields that this call
        does not ask for."""
        own_reasoning = reasons_itself(self._model(prompt.role))
        unasked = ((REASONING, own_reasoning), (SOURCES, not papers.labels))
        gone = {name for name, so in unasked if so} - {*shape.get("required", ())}
        fields = {name: one for name, one in shape["properties"].items() if name not in gone}
        shape = {**shape, "properties": fields}
        return FilledPrompt(
            prompt,
            {name: papers.values[name] for name in prompt.accepts if name in papers.values},
            schema,
            shape if choices is None else with_choices(shape, choices),
            self.settings,
            self.ctx.address,
            self.ctx.said,
            own_reasoning,
        )

    async def _send_fitting(self, filled: FilledPrompt) -> tuple[ChatRequest, ChatReply]:
        """Send the prompt; where it is longer than the model's context, shorter versions of it,
        each saying what it lacks.

        Raises the ContextError when it is still too long, or when nothing more may be left out.
        """
        for tried in range(MAX_SHORTENINGS + 1):
            async with (
                self.ctx.recorder.turn
            ):  # many tasks may begin at once; between two prompts the screen is served
                request = filled.request()
                await asyncio.sleep(0)
            try:
                reply = await self._send(request, filled.changes())
            except ContextError as error:
                if tried == MAX_SHORTENINGS or not filled.shorten(request, error.limit):
                    raise
                continue
            if not reply.cut_at:
                return request, reply
            if tried == MAX_SHORTENINGS or not filled.shorten(request, reply.cut_at):
                break
        raise ContextError(
            "language model",
            f"{request.prompt} does not fit into the context of {reply.model_asked}, and it cannot be shortened further.",
            "Use a model with a longer context, or raise the limit at the server (Ollama: OLLAMA_CONTEXT_LENGTH).",
            limit=reply.cut_at,
        )

    def _model(self, role: Role) -> str:
        return (self.ctx.model if role == "main" else "") or self.model.model_for(role)

    async def _send(self, request: ChatRequest, changes: tuple[str, ...] = ()) -> ChatReply:
        """One call, recorded with its price, or the reply that the session holds for the same
        request."""
        model = self._model(request.role)
        free = self.model.kind != "model"
        share: float = getattr(self.model, "price_share", 1.0)

        def price(sent: int, received: int, cached: int = 0) -> float | None:
            url = self.settings.base_url
            usd = price_usd(model, sent, received, self.prices, base_url=url, cached_tokens=cached)
            return usd and usd * share

        async def send() -> ServiceAnswer:
            reply = await self._reply(replace(request, model=model))
            used = reply.prompt_tokens, reply.completion_tokens
            cost = 0.0 if free else price(*used, reply.cached_tokens)
            return ServiceAnswer(
                asdict(reply), reply.model_served, *used, cost, reply.cached_tokens
            )

        content = {**request.key(), "model": model}
        sent, most = estimate_tokens(request.prompt_chars()), request.max_tokens
        upper = CostCeiling(0.0, 0) if free else CostCeiling(price(sent, most), sent + most)
        shown = {**content, "changes": list(changes)} if changes else content
        call = await self.ctx.call(
            "chat", content, send, prompt=request.prompt, model=model, upper=upper, shown=shown
        )
        return ChatReply.from_json(call.reply)

    async def _reply(self, request: ChatRequest) -> ChatReply:
        """The model's answer; piece by piece where somebody watches and the model can stream it."""
        recorder = self.ctx.recorder
        watched = recorder.stream and not self.ctx.model  # of several drafts none is shown alone
        stream = getattr(self.model, "stream", None) if watched else None
        if stream is None:
            return await self.model.complete(request)

        def on_text(text: str) -> None:
            recorder.listen(Event("text", self.ctx.address, self.ctx.task, text))

        reply: ChatReply = await stream(request, on_text)
        return reply


@lru_cache(maxsize=64)
def _json_schema(schema: type[BaseModel]) -> Fields:
    """The JSON schema of a reply, made once. Not to be changed by whoever gets it."""
    return schema.model_json_schema()


def _thought(reply: BaseModel) -> dict[str, str]:
    """What the model wrote of its reasoning, for the record of how the text was made; nothing where
    that is a part of the answer."""
    field = type(reply).model_fields.get(REASONING)
    if field is None or field.is_required():
        return {}
    thought = clean(getattr(reply, REASONING)).strip()
    return {REASONING: thought} if thought else {}


def _prepared(prompts: Prompts, name: str, schema: type[BaseModel]) -> tuple[Prompt, Fields]:
    """A prompt ready to be filled in and the schema of its reply: at its first use, both take
    longer than a frame."""
    prompt = prompts.get(name)
    prompt.prepare()
    return prompt, _json_schema(schema)


def _advice(reply: ChatReply) -> str:
    if reply.finish_reason == "length":
        return "Raise max_tokens of the role in the settings, or take a model that answers more briefly; the raw replies are stored."
    if reply.finish_reason == REFUSED or declines(reply.text):
        return (
            "Reword the topic, or take another model; the model's words are stored with the calls."
        )
    return "The raw replies are stored with the calls; run the task again or try another model."


def _recipe(
    filled: FilledPrompt, request: ChatRequest, reply: ChatReply, *, reasked: bool
) -> Fields:
    prompt = filled.prompt
    return {
        "prompt": prompt.name,
        "version": prompt.version,
        "hash": prompt.hash,
        "overridden": prompt.overridden,
        "model": reply.model_asked,
        "served": reply.model_served,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "reasked": reasked,
        **({"shortened": True} if filled.left_out else {}),
        **({"changes": list(filled.changes())} if filled.changes() else {}),
    }


SHORTENED = (
    "This prompt was shortened to fit the context of the model. Left out: {}. "
    "Say nothing about what was left out, as if it were not there."
)
"""The end of a prompt that was too long."""
SOURCES = "sources"
"""The field of a reply that says what it cites, which one that is shown no paper has not."""
SAID = {
    "means": "<<<means\n{}\nmeans>>>\nThe means are what the researcher has for the work: prefer what "
    "can be carried out and tested with them.",
    "asked": "<<<answers\n{}\nanswers>>>\nThe researcher answered these questions before the text is "
    "written: follow the answers wherever they bear on the task; where the direction or another "
    "quoted text says otherwise, the answers count.",
}
"""What a person said before a text is drafted, by the name of its read, as it stands before the
task."""
LEAST_TEXT = 200
"""Characters that stay of each text."""
_OF_PAPERS = (
    *("text", "abstract", "papers", "candidates", "experiments", "chain", "trends"),
    *("older", "newer", "facts", "material"),
)
"""The values that hold texts of papers."""
_NAMES = frozenset({"title", "year", "source", "id", "name"})
"""What distinguishes one paper from another is never cut."""


def shortened(values: Values, lose: int) -> tuple[Fields, str] | None:
    """The values with ``lose`` characters less, or as many less as may go: the longest texts are
    cut to one common length; and what was left out, in words that quote nothing. None where nothing
    may go."""
    new: Fields = copy.deepcopy(dict(values))
    texts = [found for name in _OF_PAPERS if name in new for found in _texts(new, name)]
    lengths = [len(holder[key]) for holder, key in texts]

    def left(most: int) -> int:
        return sum(min(most, length) for length in lengths)

    common = range(max(lengths, default=0) + 1)
    most = max(LEAST_TEXT, bisect_right(common, sum(lengths) - lose, key=left) - 1)
    for holder, key in texts:
        holder[key] = first_sentences(holder[key], most)
    lost = sum(lengths) - sum(len(holder[key]) for holder, key in texts)
    what = f"the ends of the longest texts of papers, {lost:,} of {sum(lengths):,} characters"
    return (new, what) if lost else None


def _texts(holder: Any, key: Any) -> list[tuple[Any, Any]]:
    """The texts within a value, each as what holds it and the key there."""
    value = holder[key]
    if isinstance(value, str):
        return [] if key in _NAMES else [(holder, key)]
    if isinstance(value, list):
        return [found for n in range(len(value)) for found in _texts(value, n)]
    return (
        [found for name in value for found in _texts(value, name)]
        if isinstance(value, dict)
        else []
    )
