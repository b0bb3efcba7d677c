"""The openai package as it is used here. Imported at the first call only, because the package takes a third of a second.

Added to it: no redirect to another server, answers bounded in time and size, and failures as values. Its own retries are off, as one place
(``coi_tui.network.retry``) decides about them for all services and knows which of these calls may have been paid for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, TypeVar

import httpx  # noqa: F401 - openai looks for it at every call, and must never find it half imported by another thread
import httpx2
import openai
from openai import AsyncAzureOpenAI, AsyncOpenAI, DefaultAsyncHttpxClient

from coi_tui.config import LlmSettings
from coi_tui.llm.response_bodies import (
    ChatBody,
    EmbeddingBody,
    read_chat,
    read_embeddings,
    read_models,
    read_stream,
)
from coi_tui.llm.server_discovery import Discovered, discovered
from coi_tui.llm.server_errors import Failure, from_error, read_failure, refuses_streaming
from coi_tui.llm.server_profiles import Server
from coi_tui.llm.types import OnText
from coi_tui.network.addresses import origin_of, same_service
from coi_tui.network.limits import (
    BASE_BYTES,
    ERROR_BYTES,
    LIST_BYTES,
    VECTOR_BYTES,
    AnswerLimits,
    HostLimiter,
    connect_s,
    limits_now,
    total_s,
)
from coi_tui.network.tls import ssl_context

T = TypeVar("T")
ABOUT_S = 5.0
"""Seconds for a server to tell of itself."""


def connect(
    server: Server, settings: LlmSettings, key: str, http_client: httpx2.AsyncClient | None
) -> AsyncOpenAI:
    """The client of the openai package for a server. ``http_client`` replaces the network in tests."""
    http_client = http_client or DefaultAsyncHttpxClient(verify=ssl_context())
    http_client.event_hooks = {**http_client.event_hooks, "response": [hold_to_limits]}
    headers = {"Accept-Encoding": "identity", **server.profile.headers}
    timeout = httpx2.Timeout(settings.timeout_s, connect=connect_s(settings.timeout_s))
    if (
        server.api_version
    ):  # the package puts the deployment into the path and the key into Azure's own header
        return AsyncAzureOpenAI(
            azure_endpoint=server.base_url,
            api_version=server.api_version,
            api_key=key,
            max_retries=0,
            timeout=timeout,
            http_client=http_client,
            default_headers=headers,
        )
    if server.profile.key_header != "authorization":
        headers[server.profile.key_header] = key
    return AsyncOpenAI(
        base_url=server.base_url,
        api_key=key,
        max_retries=0,
        timeout=timeout,
        http_client=http_client,
        default_headers=headers,
    )


class Calls:
    """The routes of one server. Each gives what was read or the failure, and the seconds that the exchange took."""

    def __init__(
        self, client: AsyncOpenAI, limiter: HostLimiter, timeout_s: float, *, stream_usage: bool
    ) -> None:
        client.chat.completions, client.embeddings, client.models  # noqa: B018 - imported here, in a thread, and not at the first call
        self._client = client
        self._limiter = limiter
        self._timeout_s = timeout_s
        self._streams, self._stream_usage = True, stream_usage
        """Whether the server streams, and counts tokens when it does, as far as is known."""

    async def aclose(self) -> None:
        await self._client.close()

    async def chat(
        self, arguments: dict[str, Any], limits: AnswerLimits, on_text: OnText | None
    ) -> tuple[ChatBody | Failure, float]:
        """One chat completion; ``on_text`` gets the text so far while it comes, where the server streams."""
        return await self._within(limits, lambda: self._chat(arguments, on_text))

    async def embed(
        self, texts: Sequence[str], model: str
    ) -> tuple[EmbeddingBody | Failure, float]:
        """A vector for each text."""

        async def call() -> EmbeddingBody | Failure:
            raw = await self._client.embeddings.with_raw_response.create(
                input=list(texts), model=model, encoding_format="float"
            )
            return read_embeddings(raw.http_response.content, len(texts))

        return await self._within(self._limits(BASE_BYTES + VECTOR_BYTES * len(texts)), call)

    async def models(self) -> tuple[list[str] | Failure, float]:
        """The names of the models that the server lists."""

        async def call() -> list[str] | Failure:
            raw = await self._client.models.with_raw_response.list()
            return read_models(raw.http_response.content)

        return await self._within(self._limits(LIST_BYTES), call)

    async def about(self, root: str) -> Discovered:
        """What a server on own hardware tells of itself; what it does not answer soon is not known."""
        models, props = await asyncio.gather(self._told("/models"), self._told(f"{root}/props"))
        return discovered(models, props)

    async def _told(self, path: str) -> bytes:
        seconds = min(ABOUT_S, self._timeout_s)
        limits = AnswerLimits(seconds, BASE_BYTES, BASE_BYTES)
        try:
            with limits.applied():
                async with asyncio.timeout(seconds):
                    answer = await self._client.get(path, cast_to=httpx2.Response)
                    return answer.content
        except (TimeoutError, openai.OpenAIError, httpx2.HTTPError):
            return b""

    def _limits(self, body_bytes: int) -> AnswerLimits:
        return AnswerLimits(total_s(self._timeout_s), body_bytes, body_bytes)

    async def _chat(self, arguments: dict[str, Any], on_text: OnText | None) -> ChatBody | Failure:
        completions = self._client.chat.completions
        if on_text is None or not self._streams:
            # Raw, because the package hands on bodies that are no completion without a word.
            raw = await completions.with_raw_response.create(**arguments)
            return read_chat(raw.http_response.content)
        usage: dict[str, Any] = (
            {"stream_options": {"include_usage": True}} if self._stream_usage else {}
        )
        try:
            stream = await completions.create(**arguments, **usage, stream=True)
        except openai.APIStatusError as error:
            failure = _status_failure(error)
        else:
            async with stream:
                if "event-stream" not in stream.response.headers.get("content-type", ""):
                    return read_chat(await stream.response.aread())
                return await read_stream(stream, on_text)
        if not refuses_streaming(failure):
            return failure
        if self._stream_usage and "stream_options" in failure.words:
            self._stream_usage = False
        else:
            self._streams = False
        return await self._chat(arguments, on_text)

    async def _within(
        self, limits: AnswerLimits, call: Callable[[], Awaitable[T | Failure]]
    ) -> tuple[T | Failure, float]:
        """``call`` in its turn and within its limits, its exceptions as values. Cancellation passes untouched."""
        async with self._limiter.slot():
            started = time.perf_counter()
            try:
                with limits.applied():
                    async with asyncio.timeout(
                        limits.seconds if limits.wait_s is None else limits.wait_s
                    ) as limits.deadline:
                        found = await call()
            except TimeoutError:
                found = Failure(
                    0,
                    trouble="deadline" if limits.wait_s is None or limits.has_begun else "timeout",
                )
            except (openai.APITimeoutError, httpx2.TimeoutException):
                found = Failure(0, trouble="timeout")
            except openai.APIStatusError as error:
                found = _status_failure(error)
            except (openai.APIConnectionError, httpx2.HTTPError):
                found = Failure(0, trouble=limits.broken or "connection")
            except openai.APIError as error:  # an error object within a stream
                found = from_error(error.body, 200, in_body=True)
            except openai.OpenAIError:
                found = Failure(0, trouble="connection")
            return found, time.perf_counter() - started


def _status_failure(error: openai.APIStatusError) -> Failure:
    return read_failure(error.status_code, error.response.headers, error.response.content)


async def hold_to_limits(response: httpx2.Response) -> None:
    """For every answer before it is read: it is held to the limits of its exchange, and a redirect to another server is not followed."""
    limits = limits_now()
    limits.begun()
    if response.has_redirect_location and not _stays(response):
        del response.headers["location"]  # so that it stays the failed answer that it is
    failed = not response.is_success
    if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        if not failed:
            limits.broken = "compressed"
            raise httpx2.ReadError("a compressed answer to a request for one that is not")
        del response.headers["content-encoding"]
        response.stream = _LimitedStream(response.stream, limits, 0, 0, cut=True)
    elif failed:
        response.stream = _LimitedStream(
            response.stream, limits, ERROR_BYTES, ERROR_BYTES, cut=True
        )
    else:
        streamed = "event-stream" in response.headers.get("content-type", "")
        most = limits.stream_bytes if streamed else limits.body_bytes
        response.stream = _LimitedStream(
            response.stream, limits, most, limits.body_bytes, cut=False
        )


def _stays(response: httpx2.Response) -> bool:
    try:
        target = response.url.join(response.headers["location"])
    except httpx2.InvalidURL:
        return False
    return same_service(origin_of(str(response.url)), origin_of(str(target)))


async def _never_silent(
    inner: httpx2.AsyncByteStream, silence_s: float | None
) -> AsyncIterator[bytes]:
    """The bytes as they come; a gap longer than ``silence_s`` ends them with an error."""
    pieces = aiter(inner)
    while True:
        try:
            async with asyncio.timeout(silence_s):
                piece = await anext(pieces)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise httpx2.ReadTimeout("nothing more came in time") from None
        yield piece


class _LimitedStream(httpx2.AsyncByteStream):
    """The bytes of an answer up to a limit for all and for one line. Beyond it the answer ends where ``cut``, and fails else."""

    def __init__(
        self, inner: object, limits: AnswerLimits, most: int, most_in_line: int, *, cut: bool
    ) -> None:
        assert isinstance(inner, httpx2.AsyncByteStream)
        self._inner = inner
        self._limits = limits
        self._most, self._most_in_line = most, most_in_line
        self._cut = cut

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = line = 0
        async for chunk in _never_silent(self._inner, self._limits.silence_s):
            total += len(chunk)
            newline = chunk.rfind(b"\n")
            line = line + len(chunk) if newline < 0 else len(chunk) - newline - 1
            if total > self._most or line > self._most_in_line:
                if self._cut:
                    yield chunk[: max(0, self._most - total + len(chunk))]
                    return
                self._limits.broken = "size"
                raise httpx2.ReadError("the answer is larger than its limit")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
