"""Any server with OpenAI's Chat Completions and embeddings routes (reference/openai-compatible.md).

One retry layer (ours: the SDK's is off), one loop for all routes. Every failure is a ServiceError of one sentence that holds
neither key nor request nor reply; failures travel as values up to there, so that no exception chain drags them along.
"""

from __future__ import annotations

import asyncio
import importlib
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from coi_tui.config import LlmSettings
from coi_tui.llm import reply_formats, response_bodies, server_errors, streaming
from coi_tui.llm.prices import estimate_tokens
from coi_tui.llm.server_errors import Failure, Place
from coi_tui.llm.server_profiles import server_of
from coi_tui.llm.types import ChatReply, ChatRequest, EmbeddingReply, Kind, Told, model_name, resolved, role_settings
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.network.addresses import shown_host
from coi_tui.network.retry import Waits
from coi_tui.network.tls import ssl_context

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

DUMMY_KEY = "none"
"""Sent where there is no key: the SDK refuses to start without one, and local servers ignore it."""

FIRST_CALL = ("openai.resources.chat.completions", "openai.resources.embeddings", "anyio._backends._asyncio")
"""What the SDK imports on the loop at its first call."""
CONNECT_TIMEOUT_S = 10.0
EMBEDDING_BATCH = 256
PAID_RETRIES = 2
"""A call that may have been served, and paid for, is tried again at most this often."""

Body = TypeVar("Body")
Send = Callable[[], Awaitable[bytes | Failure]]
Parse = Callable[[bytes], Body | Failure]


@dataclass
class _Tries:
    """How often one call has failed, by what may be tried again."""

    retries: int
    backoff: int = 0
    bounded: int = 0

    def another(self, kind: server_errors.Retry) -> bool:
        """Counts a failure; whether there is a try left for its kind."""
        if kind == "backoff":
            self.backoff += 1
        elif kind == "bounded":
            self.bounded += 1
        total = self.backoff + self.bounded
        return kind != "no" and total <= self.retries and self.bounded <= PAID_RETRIES


def _usable_key(key: str | None) -> str:
    """The key as a header can carry it. Checked here, because the error of a failed encoding would hold the key."""
    found = (key or "").strip() or DUMMY_KEY
    if not (found.isascii() and found.isprintable()):
        raise UsageError("The key of the language model holds signs that no key can hold.", "Set OPENAI_API_KEY anew.")
    return found


class OpenAICompatible:
    """ChatModel and EmbeddingModel over HTTP. Use one client in one event loop.

    ``wait_base_s`` and ``wait_max_s`` bound the jittered exponential waits in seconds, ``wait_asked_max_s`` what a server may
    ask for; they may be set at any time. ``http_client`` replaces the network in tests.
    """

    kind: Kind = "model"

    def __init__(
        self,
        settings: LlmSettings,
        key: str | None = None,
        *,
        http_client: httpx2.AsyncClient | None = None,
        wait_base_s: float = 0.5,
        wait_max_s: float = 20.0,
        wait_asked_max_s: float = 60.0,
    ) -> None:
        """Nothing is opened or imported yet. Raises UsageError for a base address or key that cannot be one."""
        self.settings = settings
        self.server = server_of(settings)
        self.base_url = self.server.base_url
        self.wait_base_s = wait_base_s
        self.wait_max_s = wait_max_s
        self.wait_asked_max_s = wait_asked_max_s
        self._key = _usable_key(key)
        self._keyless = self._key == DUMMY_KEY and self.server.profile.key_needed
        self._http_client = http_client
        self._sdk: AsyncOpenAI | None = None
        self._making = asyncio.Lock()
        self._slots = asyncio.Semaphore(settings.parallel)
        self._dice = random.Random(0)
        self._habits: dict[str, reply_formats.Habits] = {}
        self._contexts: dict[str, int] = {}
        self._streams, self._counts = True, self.server.profile.stream_usage
        """Whether the server streams, and counts tokens when it does, as far as is known."""

    def __repr__(self) -> str:
        return f"OpenAICompatible({shown_host(self.base_url)})"

    def model_for(self, role: str) -> str:
        """The model of ``main``, ``reader`` or ``embedding``; the last may be empty (no embedding model is set)."""
        return model_name(self.settings, role)

    async def warm(self) -> None:
        """Import the SDK (300 ms) in a thread and build the client, so that the first call does not stall the screen."""
        await self._client()

    async def aclose(self) -> None:
        if self._sdk is not None:
            await self._sdk.close()
        elif self._http_client is not None:
            await self._http_client.aclose()

    async def complete(self, request: ChatRequest) -> ChatReply:
        """One chat completion in the best reply format the server takes. Raises ServiceError."""
        return await self._complete(request, None)

    async def stream(self, request: ChatRequest, told: Told) -> ChatReply:
        """As ``complete``, and ``told`` gets the text so far while it comes; a server that refuses to stream is asked without."""
        return await self._complete(request, told)

    async def _complete(self, request: ChatRequest, told: Told | None) -> ChatReply:
        request = resolved(request, self.settings)
        model = self.model_for(request.role)
        pinned = role_settings(self.settings, request.role).reply_format
        habits = self._habits.get(model) or self.server.profile.habits()
        if pinned:
            habits = replace(habits, rungs=(pinned,))
        self._check_length(model, request)
        tries = _Tries(self.settings.retries)
        while True:
            arguments = reply_formats.call_arguments(request, self.server.deployment or model, habits)
            found, seconds = await self._with_retries(self._chat(arguments, told), response_bodies.read_chat, tries)
            if not isinstance(found, Failure):
                break
            changed = habits.after(found)
            if changed is None and found.status and server_errors.about_context(found):
                raise self._too_long(model, found)
            if changed is None:
                raise server_errors.service_error(server_errors.judge(found, self._place(model)))
            habits = changed
        self._remember(model, habits, pinned=bool(pinned))
        chars = sum(len(message["content"]) for message in arguments["messages"])
        prompt_tokens, completion_tokens, estimated = found.tokens(chars)
        return ChatReply(
            text=found.text,
            model_asked=model,
            model_served=found.model,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            usage_estimated=estimated,
            finish_reason=found.finish_reason,
            reply_format=habits.rung,
            seconds=seconds,
            thinking=found.thinking,
            cut_at=self._cut_at(model, chars, found.prompt_tokens),
        )

    # -- the model's context --------------------------------------------------------------------------------------

    def context_of(self, model: str) -> int:
        """Tokens that prompt and reply may have together, as set or as the server was found to take; 0 where nothing is known."""
        return self.settings.context_tokens or self._contexts.get(model, 0)

    def _check_length(self, model: str, request: ChatRequest) -> None:
        """Raises ContextError before anything is sent, where it is known that the prompt cannot fit."""
        size, told = estimate_tokens(request.prompt_chars()), self.settings.context_tokens
        found = self._contexts.get(model, 0)
        if (told and size + request.max_tokens > told) or (found and size * 4 // 5 > found):
            raise server_errors.context_error(self._place(model), self.context_of(model), 0)

    def _too_long(self, model: str, failure: Failure) -> ServiceError:
        limit, size = server_errors.context_numbers(failure)
        if limit:
            self._contexts[model] = limit
        return server_errors.context_error(self._place(model), limit or self.server.profile.context or 0, size)

    def _cut_at(self, model: str, chars: int, counted: int | None) -> int:
        """The tokens that the server took in, where it must have cut the prompt; 0 where it did not.

        Words have four signs a token, dense ones up to five: a server that counted far less than that has not read all of it.
        """
        if not self.server.profile.cuts_silently or not counted:
            return 0
        usual = self.context_of(model) or self.server.profile.context or 0
        beyond = usual and counted <= usual < estimate_tokens(chars) * 4 // 5
        if not beyond and chars <= counted * 8:
            return 0
        self._contexts[model] = max(counted, 512)
        return counted

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        """Vectors of ``texts`` in their order, in batches. Raises ServiceError; ``not_found`` tells that there is no
        embedding model or route, so that the caller ranks by words instead."""
        model = self.model_for("embedding")
        if not model:
            raise ServiceError(
                server_errors.SERVICE, "not_found", "No embedding model is set.", "Set llm.embedding.model or COI_EMBEDDING_MODEL."
            )
        reply = EmbeddingReply([], model, "", 0, 0.0)
        for start in range(0, len(texts), EMBEDDING_BATCH):
            batch = [text if text.strip() else "-" for text in texts[start : start + EMBEDDING_BATCH]]  # empty ones are refused
            found, seconds = await self._embed_batch(batch, model)
            tokens = found.prompt_tokens if found.prompt_tokens is not None else sum(map(estimate_tokens, map(len, batch)))
            reply = EmbeddingReply(reply.vectors + found.vectors, model, found.model, reply.prompt_tokens + tokens, reply.seconds + seconds)
        if len({len(vector) for vector in reply.vectors}) > 1:
            raise server_errors.service_error(server_errors.judge(response_bodies.BROKEN, self._place(model)))
        return reply

    async def _embed_batch(self, batch: list[str], model: str) -> tuple[response_bodies.EmbeddingBody, float]:
        async def call() -> bytes:
            sdk = await self._client()
            raw = await sdk.embeddings.with_raw_response.create(input=batch, model=model, encoding_format="float")
            return bytes(raw.http_response.content)

        def parse(content: bytes) -> response_bodies.EmbeddingBody | Failure:
            return response_bodies.read_embeddings(content, len(batch))

        tries = _Tries(self.settings.retries)
        found, seconds = await self._with_retries(self._guarded(call), parse, tries)
        if isinstance(found, Failure):
            raise server_errors.service_error(server_errors.judge(found, self._place(model)))
        return found, seconds

    async def list_models(self) -> list[str]:
        """The models the server offers, sorted. Raises ServiceError: this is the test of a connection."""

        async def call() -> bytes:
            sdk = await self._client()
            raw = await sdk.models.with_raw_response.list()
            return bytes(raw.http_response.content)

        tries = _Tries(min(1, self.settings.retries))
        found, _ = await self._with_retries(self._guarded(call), response_bodies.read_models, tries)
        if isinstance(found, Failure):
            raise server_errors.service_error(server_errors.judge(found, self._place("")))
        return found

    def _place(self, model: str) -> Place:
        return Place(shown_host(self.base_url), model)

    def _remember(self, model: str, habits: reply_formats.Habits, *, pinned: bool) -> None:
        """The rung of the first success stays: one prompt that a server cannot take strictly must not demote the others."""
        known = self._habits.get(model)
        if known is None and pinned:
            known = self.server.profile.habits()
        self._habits[model] = habits if known is None else replace(habits, rungs=known.rungs)

    def _chat(self, arguments: dict[str, Any], told: Told | None = None) -> Send:
        async def call() -> bytes | Failure:
            sdk = await self._client()
            if told is not None and self._streams:
                streamed = await self._streamed(sdk, arguments, told)
                if streamed is not None:
                    return streamed
            # Raw, because the SDK hands on bodies that are no completion without a word.
            raw = await sdk.chat.completions.with_raw_response.create(**arguments)
            return bytes(raw.http_response.content)

        return self._guarded(call)

    async def _streamed(self, sdk: AsyncOpenAI, arguments: dict[str, Any], told: Told) -> bytes | Failure | None:
        """The completion put together from its pieces; None where the server refuses to stream (it is not asked to again)."""
        import httpx2
        import openai

        more: dict[str, Any] = {"stream": True, **({"stream_options": {"include_usage": True}} if self._counts else {})}
        try:
            async with sdk.chat.completions.with_streaming_response.create(**arguments, **more) as answer:
                if "event-stream" not in answer.headers.get("content-type", ""):
                    return bytes(await answer.read())
                return await streaming.gathered(answer.iter_lines(), told)
        except openai.APIStatusError as error:
            # The body of a streamed answer is not read yet when the status is bad.
            failure = server_errors.read_failure(error.status_code, error.response.headers, await error.response.aread())
            if failure.status not in (400, 404, 415, 422, 500, 501) or not streaming.about_streaming(failure):
                return failure
            if "stream_options" in failure.words and self._counts:
                self._counts = False
                return await self._streamed(sdk, arguments, told)
            self._streams = False
            return None
        except httpx2.TimeoutException:
            return Failure(0, trouble="timeout")
        except httpx2.HTTPError:
            return Failure(0, trouble="connection")

    def _guarded(self, call: Callable[[], Awaitable[bytes | Failure]]) -> Send:
        """``call`` with its exceptions turned into values. Cancellation passes untouched."""

        async def send() -> bytes | Failure:
            import openai

            try:
                return await call()
            except openai.APITimeoutError:
                return Failure(0, trouble="timeout")
            except openai.APIStatusError as error:
                return server_errors.read_failure(error.status_code, error.response.headers, error.response.content)
            except openai.OpenAIError:
                return Failure(0, trouble="connection")

        return send

    async def _with_retries(self, send: Send, parse: Parse[Body], tries: _Tries) -> tuple[Body | Failure, float]:
        """The parsed body and the seconds of the attempt that brought it, or the failure that no retry mends.

        The slot is kept while waiting: when a server limits the rate, fewer calls press on it.
        """
        async with self._slots:
            await self._client()
            while True:
                started = time.perf_counter()
                sent = await send()
                found = sent if isinstance(sent, Failure) else parse(sent)
                seconds = time.perf_counter() - started
                if not isinstance(found, Failure):
                    return found, seconds
                if not tries.another(server_errors.judge(found, self._place("")).retry):
                    return found, seconds
                await asyncio.sleep(self._waits().before(tries.backoff + tries.bounded - 1, found.headers, self._dice))

    def _waits(self) -> Waits:
        return Waits(self.wait_base_s, self.wait_max_s, self.wait_asked_max_s)

    async def _client(self) -> AsyncOpenAI:
        """The SDK's client, made at the first call. Raises ServiceError where the server needs a key and none is set: nothing is sent."""
        if self._keyless:
            raise ServiceError(
                server_errors.SERVICE, "refused", f"{self.server.profile.name} needs a key, and none is set.", "Set OPENAI_API_KEY."
            )
        async with self._making:
            if self._sdk is None:
                self._sdk = await asyncio.to_thread(self._made)
        return self._sdk

    def _made(self) -> AsyncOpenAI:
        """The SDK's client with all that its first call would load: half a second, for a thread."""
        import httpx  # noqa: F401 - sources use it; openai looks at it at every call and must never find half a module

        sdk = self._connect()
        for name in FIRST_CALL:
            importlib.import_module(name)
        return sdk

    def _connect(self) -> AsyncOpenAI:
        import httpx2
        from openai import AsyncAzureOpenAI, AsyncOpenAI, DefaultAsyncHttpxClient

        http_client = self._http_client or DefaultAsyncHttpxClient(verify=ssl_context())
        server = self.server
        headers = dict(server.profile.headers)
        timeout = httpx2.Timeout(self.settings.timeout_s, connect=min(CONNECT_TIMEOUT_S, self.settings.timeout_s))
        if server.api_version:  # the SDK puts the deployment into the path and the key into Azure's own header
            return AsyncAzureOpenAI(
                azure_endpoint=self.base_url, api_version=server.api_version, api_key=self._key, max_retries=0, timeout=timeout,
                http_client=http_client, default_headers=headers,
            )  # fmt: skip
        if server.profile.key_header != "authorization":
            headers[server.profile.key_header] = self._key
        return AsyncOpenAI(
            base_url=self.base_url, api_key=self._key, max_retries=0, timeout=timeout, http_client=http_client,
            default_headers=headers,
        )  # fmt: skip
