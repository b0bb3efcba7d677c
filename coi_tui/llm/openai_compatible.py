"""Any server with OpenAI's Chat Completions and embeddings routes.

Every failure is a ServiceError of one sentence that holds neither key nor request nor reply.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from coi_tui.config import LlmSettings
from coi_tui.llm import server_errors
from coi_tui.llm.prices import estimate_tokens, offered
from coi_tui.llm.reply_formats import RequestShape, call_arguments
from coi_tui.llm.response_bodies import BROKEN, ChatBody, EmbeddingBody
from coi_tui.llm.server_discovery import Discovered
from coi_tui.llm.server_errors import Failure, Target
from coi_tui.llm.server_profiles import server_of
from coi_tui.llm.types import (
    ChatReply,
    ChatRequest,
    EmbeddingReply,
    Kind,
    OnText,
    model_name,
    resolved,
    role_settings,
)
from coi_tui.model.errors import CoiError, ServiceError, UsageError
from coi_tui.model.wording import count as counted
from coi_tui.network.addresses import shown_host
from coi_tui.network.limits import (
    SLOW_S,
    AnswerLimits,
    HostLimiter,
    completion_limits,
    slow_told,
    total_s,
)
from coi_tui.network.retry import AttemptFailed, Backoff, retry_library, with_retries

if TYPE_CHECKING:
    import httpx2

    from coi_tui.llm.sdk import Calls

log = logging.getLogger(__name__)

DUMMY_KEY = "none"
"""Sent where there is no key: the openai package refuses to start without one, and local servers ignore it."""

EMBEDDING_BATCH = 256
WAIT_BASE_S, WAIT_MAX_S = 0.5, 20.0


def _not_watched(_text: str) -> None:
    """Nobody looks at the text while it comes."""


def _usable_key(key: str | None) -> str:
    """The key as a header can carry it. Checked here, because the error of a failed encoding would hold the key."""
    found = (key or "").strip() or DUMMY_KEY
    if not (found.isascii() and found.isprintable()):
        raise UsageError(
            "The API key of the language model contains characters that no key has.",
            "Copy it again into OPENAI_API_KEY.",
        )
    return found


class OpenAICompatible:
    """ChatModel and EmbeddingModel over HTTP. Use one client in one event loop. ``http_client`` replaces the network in tests."""

    kind: Kind = "model"

    def __init__(
        self,
        settings: LlmSettings,
        key: str | None = None,
        *,
        http_client: httpx2.AsyncClient | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        """Nothing is opened or imported yet. Raises UsageError for a base address or key that cannot be one."""
        self.settings = settings
        self.server = server_of(settings)
        self.base_url = self.server.base_url
        self._key = _usable_key(key)
        self._http_client = http_client
        self._backoff = backoff or Backoff(WAIT_BASE_S, WAIT_MAX_S)
        self.on_wait: Callable[[str], None] = _not_watched
        """Hears a sentence about every wait of some length."""
        self._limiter = HostLimiter(
            0, settings.parallel, self._backoff, learns=False, on_wait=self._paused
        )
        self._calls: Calls | None = None
        self.told = Discovered()
        """What a server on own hardware has said of itself, once it was asked."""
        self.parallel = settings.parallel
        self._connecting = asyncio.Lock()
        self._offering = asyncio.Lock()
        self._offer: str | None = None
        self._shapes: dict[str, RequestShape] = {}
        """What the server was found to take, by model."""
        self._contexts: dict[str, int] = {}
        """Tokens of context the server was found to take, by model."""

    def __repr__(self) -> str:
        return f"OpenAICompatible({shown_host(self.base_url)})"

    def model_for(self, role: str) -> str:
        """The model of ``main``, ``reader`` or ``embedding``; the last may be empty (no embedding model is set)."""
        return model_name(self.settings, role)

    async def warm(self) -> None:
        """Import the openai package in a thread and make the client, so that the first call does not stall the screen."""
        await self._connected()

    async def aclose(self) -> None:
        if self._calls is not None:
            await self._calls.aclose()
        elif self._http_client is not None:
            await self._http_client.aclose()

    async def complete(self, request: ChatRequest) -> ChatReply:
        """One chat completion in the best reply format the server takes. Raises ServiceError."""
        return await self._complete(request, None)

    async def stream(self, request: ChatRequest, on_text: OnText) -> ChatReply:
        """As ``complete``, and ``on_text`` gets the text so far while it comes; a server that refuses to stream is asked without."""
        return await self._complete(request, on_text)

    async def _complete(self, request: ChatRequest, on_text: OnText | None) -> ChatReply:
        request = resolved(request, self.settings)
        model = self.model_for(request.role)
        calls = await self._connected()
        self._check_length(model, request)
        pinned = role_settings(self.settings, request.role).reply_format
        shape = self._shapes.get(model) or self.server.profile.shape()
        slow = self.server.profile.one_at_a_time
        if (
            slow and on_text is None
        ):  # each piece shows that it still works, and a stream that is left ends the work
            on_text = _not_watched
        if pinned:
            shape = replace(shape, formats=(pinned,))

        async def attempt() -> tuple[ChatBody, float]:
            nonlocal shape
            while True:
                limits = completion_limits(self.settings.timeout_s, request.max_tokens, slow=slow)
                arguments = call_arguments(request, self.server.deployment or model, shape)
                if slow:  # the wait for the first byte is longer than the silence that is allowed after it
                    arguments["timeout"] = limits.wait_s
                async with slow_told(partial(self._slow, limits)):
                    found, seconds = await calls.chat(arguments, limits, on_text)
                if not isinstance(found, Failure):
                    return found, seconds
                changed = shape.after(found)
                if changed is None:
                    raise self._failed(found, model, (request.system, request.user))
                shape = changed

        try:
            found, seconds = await with_retries(
                attempt, self.settings.retries, self._backoff, on_retry=self._retry_told
            )
        except ServiceError as error:
            if error.kind == "not_found":
                error.hint = await self._offered() or error.hint
            raise
        self._remember(model, shape, pinned=bool(pinned))
        chars = sum(
            len(message["content"]) for message in call_arguments(request, model, shape)["messages"]
        )
        prompt_tokens, completion_tokens, estimated = found.tokens(chars)
        return ChatReply(
            text=found.text,
            model_asked=model,
            model_served=found.model,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            usage_estimated=estimated,
            finish_reason=found.finish_reason,
            reply_format=shape.format,
            seconds=seconds,
            thinking=found.thinking,
            cut_at=self._cut_at(model, chars, found.prompt_tokens),
            cached_tokens=found.cached_tokens,
        )

    # -- waits that are told ----------------------------------------------------------------------------------------

    def _paused(self, seconds: float, calls: int, refused: bool) -> None:
        if refused:
            self.on_wait(
                f"language model: too many requests (429); {counted(calls, 'call')} on hold, next call in {seconds:.0f} s"
            )

    def _retry_told(self, seconds: float, error: CoiError) -> None:
        self.on_wait(f"{error.message.rstrip('.')}; next call in {seconds:.0f} s")

    def _slow(self, limits: AnswerLimits) -> None:
        if self._limiter.paused_s:  # it waits for its turn, and that is told
            return
        most_s = limits.seconds + (limits.wait_s or 0)
        self.on_wait(
            f"language model: a call has taken more than {SLOW_S:g} s; it has up to {most_s:g} s"
        )

    def _remember(self, model: str, shape: RequestShape, *, pinned: bool) -> None:
        """The reply format of the first success stays: one prompt that a server cannot take strictly must not demote the others."""
        known = self._shapes.get(model)
        if known is None and pinned:
            known = self.server.profile.shape()
        self._shapes[model] = shape if known is None else replace(shape, formats=known.formats)

    # -- the model's context ----------------------------------------------------------------------------------------

    def context_of(self, model: str) -> int:
        """Tokens that prompt and reply may have together, as set or as the server was found to take; 0 where nothing is known."""
        return self.settings.context_tokens or self._contexts.get(model, 0) or self.told.context

    def _check_length(self, model: str, request: ChatRequest) -> None:
        """Raises ContextError before anything is sent, where it is known that the prompt cannot fit."""
        size, set_limit = (
            estimate_tokens(request.prompt_chars()),
            self.settings.context_tokens or self.told.context,
        )
        found = self._contexts.get(model, 0)
        if (set_limit and size + request.max_tokens > set_limit) or (
            found and size * 4 // 5 > found
        ):
            raise server_errors.context_error(self._target(model), self.context_of(model), 0)

    def _too_long(self, model: str, failure: Failure) -> ServiceError:
        limit, size = server_errors.context_numbers(failure)
        if limit:
            self._contexts[model] = limit
        return server_errors.context_error(
            self._target(model), limit or self.server.profile.context or 0, size
        )

    def _cut_at(self, model: str, chars: int, counted: int | None) -> int:
        """The tokens that the server took in, where it must have cut the prompt; 0 where it did not.

        Words have four characters a token, dense text up to five: a server that counted far less than that has not read all of it.
        """
        if not self.server.profile.cuts_silently or not counted:
            return 0
        usual = self.context_of(model) or self.server.profile.context or 0
        beyond = usual and counted <= usual < estimate_tokens(chars) * 4 // 5
        if not beyond and chars <= counted * 8:
            return 0
        self._contexts[model] = max(counted, 512)
        return counted

    # -- the other routes -------------------------------------------------------------------------------------------

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        """Vectors of ``texts`` in their order, in batches. Raises ServiceError; ``not_found`` tells that there is no
        embedding model or route, so that the caller ranks by words instead."""
        model = self.model_for("embedding")
        if not model:
            raise ServiceError(
                server_errors.SERVICE,
                "not_found",
                "No embedding model is set.",
                "Set llm.embedding.model or COI_EMBEDDING_MODEL.",
            )
        reply = EmbeddingReply([], model, "", 0, 0.0)
        for start in range(0, len(texts), EMBEDDING_BATCH):
            batch = [
                text if text.strip() else "-" for text in texts[start : start + EMBEDDING_BATCH]
            ]  # empty ones are refused
            found, seconds = await self._embed_batch(batch, model)
            tokens = (
                found.prompt_tokens
                if found.prompt_tokens is not None
                else sum(map(estimate_tokens, map(len, batch)))
            )
            reply = EmbeddingReply(
                reply.vectors + found.vectors,
                model,
                found.model,
                reply.prompt_tokens + tokens,
                reply.seconds + seconds,
            )
        if len({len(vector) for vector in reply.vectors}) > 1:
            raise self._failed(BROKEN, model).error
        return reply

    async def _embed_batch(self, batch: list[str], model: str) -> tuple[EmbeddingBody, float]:
        calls = await self._connected()

        async def attempt() -> tuple[EmbeddingBody, float]:
            found, seconds = await calls.embed(batch, model)
            if isinstance(found, Failure):
                raise self._failed(found, model)
            return found, seconds

        return await with_retries(
            attempt, self.settings.retries, self._backoff, on_retry=self._retry_told
        )

    async def list_models(self) -> list[str]:
        """The models the server offers, sorted. Raises ServiceError: this is the test of a connection."""
        calls = await self._connected()

        async def attempt() -> list[str]:
            found, _ = await calls.models()
            if isinstance(found, Failure):
                raise self._failed(found, "")
            return found

        return await with_retries(attempt, min(1, self.settings.retries), self._backoff)

    async def _offered(self) -> str:
        """Models that the server has instead, in words; empty where it does not tell. It is asked once."""
        async with self._offering:
            if self._offer is None:
                try:
                    self._offer = (
                        ""
                        if self.server.api_version
                        else offered(self.settings, await self.list_models())
                    )
                except ServiceError:  # the failure that is told is that of the call
                    self._offer = ""
        return self._offer

    # -- the connection ---------------------------------------------------------------------------------------------

    def _target(self, model: str) -> Target:
        parallel = self.parallel if self.server.profile.one_at_a_time else 0
        return Target(shown_host(self.base_url), model, total_s(self.settings.timeout_s), parallel)

    def _failed(self, failure: Failure, model: str, sent: Sequence[str] = ()) -> AttemptFailed:
        """What a failure means, and whether it is tried again. The server's own words go into the log and to whoever wants to see them;
        what they repeat of the texts that were ``sent`` is taken out."""
        failed = self._meaning(failure, model)
        if isinstance(failed.error, ServiceError):
            failed.error.said = server_errors.own_words(failure, self._key, sent)
            log.warning(
                "%s %s",
                failed.error.message,
                f"The server said: {failed.error.said}" if failed.error.said else "",
            )
        return failed

    def _meaning(self, failure: Failure, model: str) -> AttemptFailed:
        """A stated wait after a 429 holds all calls to the server."""
        if failure.status and server_errors.about_context(failure):
            return AttemptFailed(self._too_long(model, failure))
        diagnosis = server_errors.diagnose(failure, self._target(model))
        asked_s = self._backoff.asked(failure.headers or {})
        if diagnosis.kind == "limited" and asked_s is not None:
            self._limiter.pause(asked_s)
            asked_s = 0.0
        return AttemptFailed(
            server_errors.service_error(diagnosis), diagnosis.more_attempts, wait_s=asked_s
        )

    async def _connected(self) -> Calls:
        """The server's routes, made at the first call. Raises ServiceError where the server needs a key and none is set."""
        if self._key == DUMMY_KEY and self.server.profile.key_needed:
            raise ServiceError(
                server_errors.SERVICE,
                "refused",
                f"{self.server.profile.name} needs an API key, and none is set.",
                "Set OPENAI_API_KEY.",
            )
        async with self._connecting:
            if self._calls is None:
                calls = await asyncio.to_thread(self._connect)
                await self._ask_about(calls)
                self._calls = calls
        return self._calls

    async def _ask_about(self, calls: Calls) -> None:
        """The kind of a server on own hardware, its context and its slots, from the server itself. What a person set stands."""
        if self.server.tells_of_itself:
            self.told = await calls.about(self.base_url.removesuffix("/v1"))
            if not self.server.is_set and self.told.answered:
                how = "as it says itself" if self.told.profile else "it does not say what it is"
                self.server = replace(
                    self.server, profile=self.told.kind(self.server.profile), how=how
                )
        if self.server.profile.one_at_a_time and "parallel" not in self.settings.model_fields_set:
            self.parallel = self.told.slots or 1
            self._limiter.allow(self.parallel)

    def _connect(self) -> Calls:
        from coi_tui.llm import sdk

        retry_library()
        client = sdk.connect(self.server, self.settings, self._key, self._http_client)
        return sdk.Calls(
            client,
            self._limiter,
            self.settings.timeout_s,
            stream_usage=self.server.profile.stream_usage,
        )
