"""Any server with OpenAI's Chat Completions and embeddings routes, through the openai package.

Added to the package: answers bounded in time, no redirect, a ladder of reply formats, as
many calls at once as the server takes, and every failure as a ServiceError of one sentence that
holds neither key nor request nor reply. The package's own retries are off: a retry waits where a
run that ends can leave it, is reported, and may not pay for one call again and again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar, cast

from coi_tui.config import LlmSettings
from coi_tui.model.errors import ServiceError
from coi_tui.model.text import Fields, Values, clean_line
from coi_tui.services.http.addresses import building, client_options, sendable, shown_host
from coi_tui.services.http.answers import as_list, dig, is_error, whole_number
from coi_tui.services.http.retry import Failed, call_timer, retried
from coi_tui.services.llm.chat import (
    REFUSED,
    TOOL_CALLED,
    ChatReply,
    ChatRequest,
    EmbeddingReply,
    Kind,
    OnText,
    estimate_tokens,
    join_surrogates,
    model_name,
    offered,
    resolved,
    skeleton,
    strict_schema,
)
from coi_tui.services.llm.reply_reading import is_answer
from coi_tui.services.llm.servers import (
    FILTER,
    FORMATS,
    MODEL,
    ROLE,
    SERVICE,
    STREAM,
    WITH_LIMITS,
    Profile,
    ServerFailure,
    about_context,
    about_format,
    context_error,
    diagnose,
    from_error,
    on_own_network,
    plain,
    refused_parameter,
    server_of,
)

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

log = logging.getLogger(__name__)
T = TypeVar("T")

DUMMY_KEY = "none"
"""Sent where there is no key: the openai package refuses to start without one, and local servers
ignore it."""
CONNECT_S, ABOUT_S = 10.0, 5.0
"""Seconds for making a connection, and for a server to list its models."""
TOTAL, TOTAL_SLOW = 4, 20
"""A whole exchange may take this many times the set timeout, on own hardware the second."""
CUT_CHARS = 6
"""Words have four to five characters a token: a server that counted fewer tokens for a prompt than
one for six has not read all of it."""
EMBEDDING_BATCH = 64
BETWEEN_S = 0.05
"""Seconds between two calls of a listener at least."""
MOST_BYTES, LIST_BYTES = 24_000_000, 40
"""Bytes of one answer, of whatever status and form (a token of a stream takes some 300), and how many
more a list or object in it counts: once read it takes far more than it does on the way."""
MOST_NAME = 200
"""Characters of a model's name or of the reason why a reply ended."""


@dataclass(frozen=True)
class RequestShape:
    """What a server takes for one model, as far as is known: reply formats and names of the reply's
    limit that are left to try, the best first (without a name it takes no limit at all), and
    whether it takes a temperature, a message of the system, and streams (True: nothing else, None:
    either)."""

    formats: tuple[str, ...] = FORMATS
    limit_names: tuple[str, ...] = ("max_tokens", "max_completion_tokens")
    temperature: bool = True
    system: bool = True
    stream: bool | None = None

    @classmethod
    def of(cls, profile: Profile) -> RequestShape:
        """What is tried first for a model of which nothing is known yet."""
        names = cls.limit_names[::-1] if profile.newer_limit else cls.limit_names
        return cls(profile.formats, names)

    def after(self, failure: ServerFailure, streamed: bool) -> RequestShape:
        """The shape to try next; the same where another one will not help. Each change is one-way."""
        if failure.status not in (400, 404, 415, 422, 500, 501, 503):
            return self
        if about_context(failure) or failure.says(FILTER):
            return self
        if self.stream is None and failure.says(STREAM):
            return replace(self, stream=not streamed)
        if self.system and failure.says(ROLE):
            return replace(self, system=False)
        sent = [*self.limit_names[:1], *["temperature"] * self.temperature]
        refused = refused_parameter(failure, sent)
        if refused == "temperature":
            return replace(self, temperature=False)
        if refused:
            return replace(self, limit_names=self.limit_names[1:])
        return self.looser() if about_format(failure) else self

    def looser(self) -> RequestShape:
        """The shape with the next reply format, if any is left."""
        return replace(self, formats=self.formats[1:] or self.formats)

    def arguments(self, request: ChatRequest, model: str) -> Fields:
        """The body of a request that is not streamed."""
        asked = self.formats[0]
        out: Fields = {"model": model, "messages": messages(request, asked, self.system)}
        if self.temperature:
            out["temperature"] = request.temperature
        if self.limit_names:
            out[self.limit_names[0]] = request.max_tokens
        if asked == "json_object":
            out["response_format"] = {"type": asked}
        elif asked != "text":
            name = re.sub(r"[^A-Za-z0-9_-]", "_", request.schema_name)[:64] or "reply"
            schema = strict_schema(request.schema, limits=asked == WITH_LIMITS)
            form = {"name": name, "strict": True, "schema": schema}
            out["response_format"] = {"type": "json_schema", "json_schema": form}
        return out


def messages(request: ChatRequest, reply_format: str, system: bool) -> list[dict[str, str]]:
    """System, user, and for a re-ask the previous reply with the sentence on it. Roles alternate
    strictly and no message is empty: some chat templates refuse anything else. Without ``system``
    its text begins the user's."""
    user = request.user
    if not reply_format.startswith("json_schema"):
        # last, so that prompts which begin alike go on beginning alike for servers that cache them
        form = json.dumps(skeleton(request.schema), ensure_ascii=False)
        user = (
            f"{user}\n\nAnswer with exactly one JSON object of this form and nothing else: {form}"
        )
    reply, sentence = request.reask or ("", "")
    turns = [("assistant", reply), ("user", sentence)] if reply.strip() else []
    parts = ["" if system else request.system, user, "" if turns else sentence]
    first = "\n\n".join(filter(None, parts))
    found = [("system", request.system if system else ""), ("user", first), *turns]
    return [{"role": role, "content": text} for role, text in found if text]


class OpenAICompatible:
    """ChatModel and EmbeddingModel over HTTP. Use one client in one event loop."""

    kind: Kind = "model"

    def __init__(
        self,
        settings: LlmSettings,
        key: str | None = None,
        *,
        http_client: httpx2.AsyncClient | None = None,
        wait_s: float = 0.5,
    ) -> None:
        """Nothing is opened or imported yet. ``http_client`` replaces the network in tests;
        ``wait_s`` is the first wait between two attempts, each further one is twice as long.
        Raises UsageError for a base address or key that cannot be one."""
        self.settings = settings
        self.server = server_of(settings)
        self._key = sendable(key or "", SERVICE) or DUMMY_KEY
        self.on_wait: Callable[[str], None] = lambda _sentence: None
        """Hears a sentence about every wait of some length."""
        self.parallel = settings.parallel
        self._wait_s = wait_s
        self._http_client = http_client
        self._client: AsyncOpenAI | None = None
        self._connecting = asyncio.Lock()
        self._places = asyncio.Semaphore(self.parallel)
        self.leader = self
        """The client whose places this one takes: all clients of a server share those of one."""
        self._shapes: dict[str, RequestShape] = {}

    def model_for(self, role: str) -> str:
        """The model of ``main``, ``reader`` or ``embedding``; the last may be empty (no embedding
        model is set)."""
        return model_name(self.settings, role)

    def asked(self, request: ChatRequest) -> str:
        """The model that a request is for."""
        return request.model or self.model_for(request.role)

    async def warm(self) -> None:
        """Import the openai package in a thread and make the client, so that the first call does
        not stall the screen."""
        await self._connected()

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.close()
        elif self._http_client is not None:
            await self._http_client.aclose()

    # -- chat

    async def complete(self, request: ChatRequest) -> ChatReply:
        """One chat completion in the best reply format the server takes. Raises ServiceError."""
        return await self.stream(request, None)

    async def stream(self, request: ChatRequest, on_text: OnText | None) -> ChatReply:
        """As ``complete``, and ``on_text`` gets the text so far while it comes; a server that
        refuses to stream is asked without."""
        request = resolved(request, self.settings)
        model, client = self.asked(request), await self._connected()
        self._check_length(model, request)
        shape, said = self._shape(model), ""

        def streamed() -> bool:
            # on own hardware each piece shows that it still works, and leaving it ends the work
            either = on_text is not None or self._slow
            return either if shape.stream is None else shape.stream

        def once() -> Awaitable[Answer]:
            return _chat(client, shape.arguments(request, model), streamed(), on_text)

        def adapt(failure: ServerFailure) -> bool:
            nonlocal shape, said
            failure.sent = plain(f"{request.system} {request.user} {request.reask}")
            before, shape = shape, shape.after(failure, streamed())
            changed = shape != before
            if not changed and (failure.status, failure.words) == (500, said):
                shape = shape.looser()
            said = failure.words
            return changed

        try:
            answer = await self._tried(once, model, adapt)
        except ServiceError as error:
            if error.kind == "not_found":  # name what the server has instead
                with contextlib.suppress(ServiceError):
                    error.hint = offered(self.settings, await self.list_models()) or error.hint
            raise
        return self._reply(answer, request, shape)

    def _shape(self, model: str) -> RequestShape:
        """What is known of a model; of a new one, what holds for the one before it: whether the
        server only streams, and takes a system message."""
        last = next(reversed(self._shapes.values()), RequestShape())
        new = RequestShape.of(self.server.profile)
        return self._shapes.get(model) or replace(new, stream=last.stream, system=last.system)

    def _reply(self, answer: Answer, request: ChatRequest, shape: RequestShape) -> ChatReply:
        """An answer as a reply; the shape that it was asked for in is remembered."""
        model = self.asked(request)
        known = self._shapes.get(model)
        # the reply format of the first success stays: one prompt that a server cannot take
        # strictly must not demote the others
        self._shapes[model] = replace(shape, formats=known.formats) if known else shape
        sent = messages(request, shape.formats[0], shape.system)
        chars = sum(len(message["content"]) for message in sent)
        prompt = _tokens(answer.usage, "prompt_tokens")
        completion = _tokens(answer.usage, "completion_tokens")
        cached = _tokens(answer.usage, "prompt_tokens_details", "cached_tokens")
        text, ended = answer.ending()
        cut = self.server.profile.cuts_silently and chars > prompt * CUT_CHARS
        return ChatReply(
            text=text,
            model_asked=model,
            model_served=_name(answer.model),
            prompt_tokens=prompt or estimate_tokens(chars),
            completion_tokens=completion or estimate_tokens(len(text) + len(answer.thinking)),
            usage_estimated=not prompt or (not completion and bool(text)),
            finish_reason=ended,
            reply_format=shape.formats[0].rstrip("+"),
            thinking=answer.thinking,
            cut_at=prompt if cut else 0,
            cached_tokens=min(cached, prompt),
        )

    def _check_length(self, model: str, request: ChatRequest) -> None:
        """Raises ContextError before anything is sent, where it is known that the prompt cannot
        fit."""
        limit = self.settings.context_tokens
        if limit and estimate_tokens(request.prompt_chars()) + request.max_tokens > limit:
            raise context_error(shown_host(self.server.base_url), model, limit)

    # -- the other routes

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        """Vectors of ``texts`` in their order, in batches. Raises ServiceError; ``not_found`` says
        that there is no embedding model or route, so that the caller ranks by words instead."""
        model = self.model_for("embedding")
        if not model:
            raise ServiceError(
                SERVICE,
                "not_found",
                "No embedding model is set.",
                "Set llm.embedding.model or COI_EMBEDDING_MODEL.",
            )
        client = await self._connected()
        vectors: list[list[float]] = []
        served, tokens = "", 0
        for start in range(0, len(texts), EMBEDDING_BATCH):
            batch = [text if text.strip() else "-" for text in texts[start:][:EMBEDDING_BATCH]]
            sent = {"input": batch, "model": model, "encoding_format": "float"}

            async def call() -> tuple[Values, list[list[float]]]:
                body = await _body(client, "/embeddings", sent)  # noqa: B023
                found = _vectors(body.get("data"))
                if len(found) != len(batch) or {*map(len, found + vectors)} != {len(found[0])}:  # noqa: B023
                    raise ServerFailure("body")
                return body, found

            body, found = await self._tried(call, model)
            vectors += found
            served = _name(body.get("model"))
            counted = _tokens(body, "usage", "prompt_tokens")
            tokens += counted or sum(estimate_tokens(len(text)) for text in batch)
        return EmbeddingReply(vectors, served, tokens)

    async def list_models(self) -> list[str]:
        """The models the server offers, sorted. Raises ServiceError: this is the test of a
        connection."""
        client = await self._connected()

        async def call() -> set[str]:
            rows = (await _body(client, "/models")).get("data") or []  # Ollama without models: null
            if not isinstance(rows, list):
                raise ServerFailure("body")
            ids = (dig(row, "id") for row in rows)
            return {_name(one) for one in ids if isinstance(one, str)}

        return sorted(await self._tried(call) - {""})

    # -- one exchange, and the next after it failed

    @property
    def _slow(self) -> bool:
        return self.server.profile.one_at_a_time

    async def _exchange(self, call: Awaitable[T], most_s: float = math.inf) -> T:
        """What ``call`` gives within its time. Raises ServerFailure; cancellation passes untouched."""
        import httpx2
        import openai

        total_s = self.settings.timeout_s * (TOTAL_SLOW if self._slow else TOTAL)
        try:
            async with asyncio.timeout(min(total_s, most_s)):
                return await call
        except (TimeoutError, openai.APITimeoutError):
            failure = ServerFailure("timeout")
        except openai.APIStatusError as error:
            failure = from_error(error.body, error.status_code, error.response.headers)
        except (openai.APIConnectionError, httpx2.HTTPError):
            failure = ServerFailure("connection")
        except openai.APIError as error:  # an error object within a stream
            failure = from_error(error.body)
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):  # an event is no JSON
            failure = ServerFailure("body")
        raise failure  # outside the except blocks: no chain drags requests and replies along

    async def _tried(
        self,
        once: Callable[[], Awaitable[T]],
        model: str = "",
        adapt: Callable[[ServerFailure], bool] = lambda _failure: False,
    ) -> T:
        """What ``once`` gives, in its turn, and tried again where that may help, at once where
        ``adapt`` found another way; then its failure is raised as ServiceError. A call that waits
        keeps its place: the server is asked less."""

        async def attempt() -> T:
            moved = False
            while True:
                base = self.server.base_url
                try:
                    return await self._exchange(once())
                except ServerFailure as failed:
                    failure = failed
                if not moved and self._moved(failure, base):
                    moved = True
                elif not adapt(failure):
                    raise self._diagnosed(failure, model)

        places = self.leader._places
        with call_timer().wait():
            await places.acquire()
        try:
            return await retried(attempt, self.settings.retries, self._wait_s, math.inf)
        finally:
            places.release()

    def _moved(self, failure: ServerFailure, base: str) -> bool:
        """Whether to ask at the other address, with or without a version, as there is nothing at
        ``base``."""
        if failure.status not in (404, 405) or failure.says(MODEL) or not self.server.bare:
            return False
        if self.server.base_url == base and self._client:  # else another call has found out
            self.server = replace(self.server, base_url=self.server.bare, bare=base)
            self._client.base_url = self.server.base_url
        return True

    def _diagnosed(self, failure: ServerFailure, model: str) -> Failed:
        found = diagnose(failure, shown_host(self.server.base_url), model, self._key)
        found.on_wait = self.on_wait
        log.warning("%s", found.error.message)
        return found

    # -- the connection

    async def _connected(self) -> AsyncOpenAI:
        """The package's client, made at the first call. Raises ServiceError where the server needs
        a key and none is set."""
        if self._key == DUMMY_KEY and self.server.profile.key_needed:
            message = f"{self.server.profile.name} needs an API key, and none is set."
            raise ServiceError(SERVICE, "refused", message, "Set OPENAI_API_KEY.")
        async with self._connecting:
            if self._client is None:
                client = await asyncio.to_thread(self._connect)
                if on_own_network(self.server.base_url):  # it may say what it is
                    with contextlib.suppress(ServerFailure):
                        models = await self._exchange(_body(client, "/models"), ABOUT_S)
                        self.server = self.server.as_listed(models)
                if self._slow and "parallel" not in self.settings.model_fields_set:
                    self.parallel, self._places = 1, asyncio.Semaphore(1)
                # on own hardware reading the prompt alone takes minutes
                self._client = client.with_options(timeout=self._gaps(TOTAL if self._slow else 1))
        return self._client

    def _connect(self) -> AsyncOpenAI:
        import httpx  # noqa: F401 - openai looks for it at every call, and must never find it half imported by another thread
        import httpx2
        from openai import AsyncOpenAI

        http_client = self._http_client
        if http_client is None:
            with building(SERVICE):
                http_client = httpx2.AsyncClient(**client_options(self.server.base_url))
        http_client.follow_redirects = False
        http_client.event_hooks = {"response": [_bounded]}
        client = AsyncOpenAI(
            base_url=self.server.base_url,
            api_key=self._key,
            max_retries=0,
            timeout=self._gaps(1),
            http_client=http_client,
            default_headers={"Accept-Encoding": "identity"},
        )
        client.chat.completions  # noqa: B018 - imported here, in a thread, and not at the first call
        return client

    def _gaps(self, times: int) -> httpx2.Timeout:
        """How long a connection, and each wait for more bytes, may take."""
        import httpx2

        wait_s = self.settings.timeout_s
        return httpx2.Timeout(wait_s * times, connect=min(CONNECT_S, wait_s))


async def _bounded(response: httpx2.Response) -> None:
    """Let no more of an answer in than MOST_BYTES; what comes packed, though it was not asked for,
    stays packed. Reading it raises ServerFailure."""
    import httpx2

    stream = cast("httpx2.AsyncByteStream", response.stream)

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = MOST_BYTES
            async for piece in stream:
                left -= len(piece) + LIST_BYTES * (piece.count(b"[") + piece.count(b"{"))
                if left < 0:
                    raise ServerFailure("size")
                yield piece

        async def aclose(self) -> None:
            await stream.aclose()

    response.headers.pop("content-encoding", None)
    response.stream = Bounded()


# -- reading what came with HTTP 200; every field is doubted


async def _body(client: AsyncOpenAI, route: str, sent: object = None) -> Fields:
    """The body of a route's answer. Raises ServerFailure, also for an ``error`` in it although the status
    was 200 (OpenRouter, llama.cpp)."""
    import httpx2

    # as it came, because the package hands on bodies of any form without a word
    call = client.get(route, cast_to=httpx2.Response) if sent is None else None
    response = await (call or client.post(route, body=sent, cast_to=httpx2.Response))
    body = json.loads(response.content)
    return {"data": body} if isinstance(body, list) else opened(body)  # of models, as some send it


_EVENTS = re.compile(rb"\s*(?:data|event|id|retry)?:")
"""How server-sent events begin."""


async def _chat(
    client: AsyncOpenAI, sent: Fields, streamed: bool, on_text: OnText | None
) -> Answer:
    """One chat completion, in pieces or whole, as the server sends it. Empty content is an empty
    text: what that means is for the reader of replies to say. A stream that breaks off is a lost
    connection; where it gives no reason for its end, the answer has to be whole."""
    import httpx2
    from openai import AsyncStream

    if streamed:
        sent = {**sent, "stream": True, "stream_options": {"include_usage": True}}
    answer, shown_at = Answer(), 0.0
    response = await client.post(
        "/chat/completions",
        body=sent,
        cast_to=httpx2.Response,
        stream=streamed,
        stream_cls=AsyncStream[object],
    )
    assert isinstance(response, httpx2.Response)
    async with contextlib.aclosing(response):
        kind = response.headers.get("content-type", "")
        if "event-stream" not in kind and not _EVENTS.match(await response.aread()):
            return answer.add(opened(json.loads(response.content))).whole()
        async for piece in AsyncStream(cast_to=object, response=response, client=client):
            answer.add(opened(piece))
            if on_text is not None and answer.texts and time.monotonic() - shown_at >= BETWEEN_S:
                shown_at = time.monotonic()
                on_text(answer.text)
    text = answer.text
    if not (answer.finish_reason or is_answer(text) or (text and "{" not in text)):
        raise ServerFailure("connection")
    return answer


class Answer:
    """A chat completion that is put together from its pieces; a whole one is a single piece."""

    def __init__(self) -> None:
        self.finish_reason: object = ""
        self.texts: list[str] = []
        self._refusal = self._thoughts = ""
        self._tool = self._begun = False
        self.model: object = ""
        self.usage: object = None

    @property
    def text(self) -> str:
        return join_surrogates("".join(self.texts))

    @property
    def thinking(self) -> str:
        """The reasoning that came in a field of its own; what is in the text between think tags
        stays there."""
        return join_surrogates(self._thoughts)

    def add(self, body: Values) -> Answer:
        """Take one piece. Raises the ServerFailure that it reports, if any."""
        self.model, self.usage = body.get("model") or self.model, body.get("usage") or self.usage
        choice = next(iter(as_list(body.get("choices"))), None)
        if error := dig(choice, "error"):
            raise from_error(error)
        self.finish_reason = dig(choice, "finish_reason") or self.finish_reason
        message = dig(choice, "delta") or dig(choice, "message")
        if isinstance(message, dict):
            self._begun = True
            self.texts += filter(None, [_text(message.get("content"))])
            self._refusal += _text(message.get("refusal"))
            self._thoughts += _text(message.get("reasoning_content") or message.get("reasoning"))
            self._tool |= bool(message.get("tool_calls") or message.get("function_call"))
        return self

    def whole(self) -> Answer:
        """The answer, where there was a message in it. Raises ServerFailure."""
        if not self._begun:
            raise ServerFailure("body")
        return self

    def ending(self) -> tuple[str, str]:
        """The text and why it ended: an answer that stands where reasoning does, or a refusal,
        without a text is the text, and a call of a tool is named, whatever the server calls it."""
        text = self.text
        if not text.strip():
            if self._refusal.strip():
                return join_surrogates(self._refusal), REFUSED
            if self._tool:
                return "", TOOL_CALLED
            if is_answer(self.thinking):
                text = self.thinking
        return text, _name(self.finish_reason)


def opened(body: object) -> Fields:
    if not isinstance(body, dict):
        raise ServerFailure("body")
    if body.get("error") or body.get("object") == "error" or is_error(body):
        raise from_error(body.get("error") or body)
    return body


def _name(text: object) -> str:
    return clean_line(text)[:MOST_NAME]


def _tokens(fields: object, *names: str) -> int:
    """A number of tokens that a server counted; 0 where it says none."""
    return whole_number(dig(fields, *names)) or 0


def _text(content: object) -> str:
    """A message's text; some servers send it in parts."""
    if isinstance(content, list):
        return "".join(_text(dig(part, "text")) for part in content)
    return content if isinstance(content, str) else ""


def _vectors(data: object) -> list[list[float]]:
    """The vectors of an answer in the order of their index where all have one, each brought to
    length 1 (zeros stay zeros); what is no list of finite numbers is left out."""
    rows = as_list(data)
    if all(isinstance(dig(row, "index"), int) for row in rows):
        rows.sort(key=lambda row: row["index"])
    out = []
    for numbers in (as_list(dig(row, "embedding")) for row in rows):
        if numbers and all(type(x) in (int, float) and math.isfinite(x) for x in numbers):
            length = math.hypot(*numbers) or 1.0
            out.append([x / length for x in numbers])
    return out
