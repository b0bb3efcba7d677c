"""Half-price batches of OpenAI-compatible services (``/v1/files``, ``/v1/batches``): what is asked at
about the same time goes out as one file and is answered within a day.

A batch is written down with the ids of its requests before it is sent, and with its own id before it
counts as sent. So a later start finds it, if need be by its metadata, and collects what was paid for.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

from coi_tui.config import LlmSettings
from coi_tui.model.errors import ServiceError, StoreError
from coi_tui.model.text import Fields
from coi_tui.model.text import count as counted
from coi_tui.paths import write_whole
from coi_tui.services.http.addresses import shown_host
from coi_tui.services.http.answers import dig
from coi_tui.services.http.retry import call_timer
from coi_tui.services.llm.chat import ChatReply, ChatRequest, OnText, resolved
from coi_tui.services.llm.openai_compatible import Answer, OpenAICompatible, opened
from coi_tui.services.llm.servers import ServerFailure, from_error, plain

T = TypeVar("T")

PRICE = 0.5
"""What a call costs in a batch, as a share of its price."""
MOST = 1_000
"""Requests of a batch: their answers come in one file."""
QUIET_S = 1.0
"""A batch is sent once so many seconds have brought no further request."""
POLL_S, POLL_MAX_S = 2.0, 60.0
"""Seconds between two looks at a batch: the first time, and at most."""
ROUTE: Final = "/v1/chat/completions"
NAME = "coi-tui"
OPEN = ("validating", "in_progress", "finalizing", "cancelling")
ENDED = ("completed", "expired", "cancelled", "failed")
PASSING = ("unreachable", "limited", "server")
UNASKED = ("batch_expired", "batch_cancelled")
"""Errors of requests that no model was asked."""


@dataclass
class Batch:
    """``name`` is its metadata, ``ids`` are those of its requests: the content keys of their calls. ``id``
    is the server's, empty where it is not known whether it arrived; ``left`` is what nobody has fetched."""

    name: str
    ids: list[str] = field(default_factory=list)
    id: str = ""
    bodies: dict[str, Fields] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Collected:
    """The answers of a batch by id. What is not among them failed with ``error``, or is to be asked
    anew."""

    rows: dict[str, Fields]
    error: ServiceError | None = None


class BatchedModel(OpenAICompatible):
    """A model that is asked in batches. Only calls of a recorder are answered: their keys are the ids."""

    price_share = PRICE

    def __init__(
        self, settings: LlmSettings, key: str | None, ledger: Path, wait_s: float = 0.5
    ) -> None:
        """``ledger``: the file in which batches are written down. Raises StoreError where it is damaged."""
        super().__init__(settings, key, wait_s=wait_s)
        self._ledger, self._next = ledger, Batch("")
        self._batches = under_way(ledger)
        self._of = {one: batch for batch in self._batches for one in batch.ids}
        self._tasks: dict[str, asyncio.Task[Collected]] = {}

    async def check(self) -> None:
        """Raises ServiceError where the server takes no batches."""
        client = await self._connected()

        async def listed() -> None:
            len((await client.batches.list(limit=1)).data)

        try:
            await self._got(listed)
        except ServiceError as error:
            if error.kind == "not_found":
                error.message = f"The server at {self._host} takes no batches."
                error.hint = "Leave --batch out, or name another server."
            raise

    async def stream(self, request: ChatRequest, on_text: OnText | None) -> ChatReply:
        """The reply once its batch has ended. Raises ServiceError."""
        request = resolved(request, self.settings)
        model, key = self.asked(request), call_timer().key
        self._check_length(model, request)
        await self._connected()
        while True:
            shape = self._shape(model)
            batch, task = self._batch_of(key, shape.arguments(request, model))
            with call_timer().wait():
                found = await asyncio.shield(task)
            batch.left.discard(key)
            if (row := found.rows.get(key)) is not None:
                try:
                    return self._reply(Answer().add(_body_of(row)).whole(), request, shape)
                except ServerFailure as caught:
                    failure = caught
                failure.sent = plain(request.user)
                changed = shape.after(failure, streamed=False)
                if changed == shape:
                    raise self._diagnosed(failure, model).error
                self._shapes[model] = changed
            elif found.error is not None:
                raise found.error

    async def aclose(self) -> None:
        """Leave the batches; those of which everything was fetched are forgotten."""
        self.leave()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        if self._batches:
            self._batches = [batch for batch in self._batches if batch.left]
            for batch in self._batches:
                batch.ids = sorted(batch.left)
            self._write()
        await super().aclose()

    def leave(self) -> None:
        """Wait for no batch any more: whoever does is cancelled."""
        for task in self._tasks.values():
            task.cancel()

    async def _got(self, once: Callable[[], Awaitable[T]]) -> T:
        """What a route gives, tried again. The package hands on bodies of any form: what has not that
        of ``once`` is a failure."""

        async def read() -> T:
            with contextlib.suppress(AttributeError, TypeError):
                return await once()
            raise ServerFailure("body")

        return await self._tried(read)

    # -- one batch

    @property
    def _host(self) -> str:
        return shown_host(self.server.base_url)

    def _write(self) -> None:
        rows = [{"name": one.name, "ids": one.ids, "id": one.id} for one in self._batches]
        write_whole(self._ledger, json.dumps(rows))

    def _batch_of(self, key: str, body: Fields) -> tuple[Batch, asyncio.Task[Collected]]:
        """The batch that a request was sent in, else the next one with it. Asked a second time, it is
        another request."""
        batch = self._of.pop(key, None)
        if batch is None:
            if not self._next.name or len(self._next.bodies) >= MOST:
                self._next = Batch(uuid4().hex)
            batch = self._next
            batch.bodies[key] = body
        if batch.name not in self._tasks:
            self._tasks[batch.name] = asyncio.create_task(self._collected(batch))
        return batch, self._tasks[batch.name]

    async def _collected(self, batch: Batch) -> Collected:
        """What a batch comes to. Raises ServiceError, OSError."""
        if new := not batch.ids:
            size = 0
            while size < len(batch.bodies) < MOST:
                size = len(batch.bodies)
                await asyncio.sleep(QUIET_S)
            if self._next is batch:
                self._next = Batch("")
            batch.ids, batch.left = list(batch.bodies), set(batch.bodies)
            self._batches.append(batch)
            self._write()
        if not batch.id:
            batch.id = await self._submitted(batch, new)
            batch.bodies = {}
            if not batch.id:
                batch.left = set()
                return Collected({})
            self._write()
        ended, rows = await self._ended(batch), dict[str, Fields]()
        client = await self._connected()
        for name in ("output_file_id", "error_file_id"):
            if file := getattr(ended, name, None):
                rows |= _rows((await self._got(partial(client.files.content, file))).content)
        if rows.keys() >= set(batch.ids) or (rows and ended.status == "expired"):
            return Collected(rows)
        causes = getattr(ended.errors, "data", None) or [None]
        error = self._diagnosed(from_error(getattr(causes[0], "message", ""), 500), "").error
        error.message = f"A batch at {self._host} ended without all answers: {ended.status}."
        error.hint = "The same command asks for the rest."
        return Collected(rows, error)

    async def _submitted(self, batch: Batch, new: bool) -> str:
        """The server's id of a batch; empty for one of an earlier start that never arrived."""
        client = await self._connected()
        line = {"method": "POST", "url": ROUTE}
        lines = (json.dumps({"custom_id": i, **line, "body": b}) for i, b in batch.bodies.items())
        sent = "\n".join(lines).encode()

        async def once() -> str:
            nonlocal new
            if not new:  # an attempt before this one may have arrived
                async for one in await client.batches.list(limit=100):
                    if (one.metadata or {}).get(NAME) == batch.name:
                        return one.id
            if not sent:
                return ""
            new = False
            file = await client.files.create(file=(f"{batch.name}.jsonl", sent), purpose="batch")
            made = await client.batches.create(
                completion_window="24h",
                endpoint=ROUTE,
                input_file_id=file.id,
                metadata={NAME: batch.name},
            )
            return made.id + ""

        return await self._got(once)

    async def _ended(self, batch: Batch) -> Any:
        """The batch as the server describes it when it has ended; lost connections are waited out."""
        client, wait_s, shown = await self._connected(), POLL_S, ""

        async def look() -> Any:
            found = await client.batches.retrieve(batch.id)
            if found.status not in (*OPEN, *ENDED):
                raise TypeError
            return found

        while True:
            try:
                found = await self._got(look)
                if found.status in ENDED:
                    return found
                done = getattr(found.request_counts, "completed", 0)
                text = f"Batch of {counted(len(batch.ids), 'request')} at {self._host}: {found.status}, {done} answered"
            except ServiceError as error:
                if error.kind not in PASSING:
                    raise
                text = error.message
            if text != shown:
                self.on_wait(shown := text)
            await asyncio.sleep(wait_s)
            wait_s = min(wait_s * 1.5, POLL_MAX_S)


def under_way(ledger: Path) -> list[Batch]:
    """The batches that were written down and not fetched yet. Raises StoreError for a damaged file."""
    try:
        rows = json.loads(ledger.read_bytes()) if ledger.exists() else []
        return [Batch(one["name"], one["ids"], one["id"], left=set(one["ids"])) for one in rows]
    except (OSError, ValueError, TypeError, KeyError):
        raise StoreError(
            f"The batches in {ledger} cannot be read.",
            "Restore the file, or delete it to ask anew.",
        ) from None


def _rows(content: bytes) -> dict[str, Fields]:
    """The lines of a file of answers by their ids; without those of requests that nobody was asked."""
    found = {}
    for line in content.split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line)
            if isinstance(row, dict) and dig(row, "error", "code") not in UNASKED:
                found[str(row.get("custom_id"))] = row
    return found


def _body_of(row: Fields) -> Fields:
    """The body of one answer. Raises ServerFailure."""
    status, body = (dig(row, "response", name) for name in ("status_code", "body"))
    if status == 200:
        return opened(body)
    error = dig(body, "error") or row.get("error")
    raise from_error(error, status if isinstance(status, int) else 502)
