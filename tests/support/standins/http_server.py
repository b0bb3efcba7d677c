"""A small HTTP/1.1 server on the loopback address: keep-alive, Content-Length bodies, JSON."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Protocol, Self
from urllib.parse import parse_qsl, unquote, urlencode

from tests.support.standins import request_log as logs
from tests.support.standins.fault_injection import Fault, draw
from tests.support.standins.settings import Faults, Hold, Latency


@dataclass(slots=True)
class Request:
    """One request, read whole. ``digest`` is the same for the same method, path, parameters and
    (JSON) body."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    body: bytes
    json: Any
    digest: str


@dataclass(slots=True)
class Response:
    """One answer."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    note: dict[str, Any] = field(default_factory=dict)
    """Added to the log entry."""
    pieces: tuple[bytes, ...] = ()
    """The body in parts that are sent one by one, ``pause`` seconds between them; empty: all at
    once."""
    pause: float = 0.0
    answered: Callable[[], object] | None = None
    """Called when the answer goes out."""


def answer_json(data: Any, status: int = 200) -> Response:
    """A JSON answer."""
    return Response(status, json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


class Service(Protocol):
    """What a stand-in says; the server around it keeps time, log and faults."""

    name: str

    def kind(self, request: Request) -> str:
        """chat, search, embeddings, pdf or other."""

    def note(self, request: Request) -> dict[str, Any]:
        """What the log says about the request at its arrival."""

    def answer(self, request: Request, fault: Fault) -> Response:
        """The answer; of the faults only "malformed" is the service's business."""

    def failure(self, status: int) -> Response:
        """The service's own shape of a 429 or 500."""


class StandIn:
    """Serves one service: ``async with StandIn(service) as server: server.url``."""

    def __init__(
        self,
        service: Service,
        *,
        latency: Latency | None = None,
        faults: Faults | None = None,
        log: logs.RequestLog | None = None,
        hold: Hold | None = None,
    ) -> None:
        self.service, self.port, self.hold = service, 0, hold or Hold()
        self.latency, self.faults = latency or Latency(), faults or Faults()
        self.log = log if log is not None else logs.RequestLog()
        self.connections: set[_Connection] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The root, without a trailing slash."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Connection(self), "127.0.0.1", 0, backlog=256
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_raised: object) -> None:
        assert self._server is not None
        self._server.close()
        tasks = [connection.task for connection in self.connections if connection.task is not None]
        for connection in list(self.connections):
            connection.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)

    def arrived(self, request: Request) -> logs.Entry:
        """Log a request."""
        service = self.service
        return self.log.arrived(service.name, service.kind(request), request, service.note(request))

    async def respond(self, request: Request, entry: logs.Entry, started: float) -> Response:
        """The answer with its fault, after its latency; making it is part of the latency."""
        fault = draw(self.faults, entry.kind, request.digest, entry.nth)
        entry.fault = fault.label
        response = self._make(request, fault)
        entry.note.update(response.note)
        wait = self.latency.of("other" if fault.kind in ("429", "500") else entry.kind)
        await asyncio.sleep(max(0.0, started + wait - asyncio.get_running_loop().time()))
        await self._held(entry)
        if response.answered is not None:
            response.answered()
        return response

    async def _held(self, entry: logs.Entry) -> None:
        """Wait while answers to this request are held back: a file, since another process ends
        it."""
        while self.hold.file and entry.id > self.hold.after and os.path.exists(self.hold.file):  # noqa: ASYNC110, ASYNC240
            await asyncio.sleep(0.02)

    def _make(self, request: Request, fault: Fault) -> Response:
        if fault.kind in ("429", "500"):
            return self.service.failure(int(fault.kind))
        try:
            response = self.service.answer(request, fault)
        except Exception:  # noqa: BLE001 - a bug of the stand-in must show in the log, not hang the client
            return Response(500, b"{}", note={"standin_bug": traceback.format_exc()})
        if fault.kind == "truncated":
            response.body = response.body[: max(1, len(response.body) * 3 // 5)]
        return response


class _Connection(asyncio.Protocol):
    """One connection: one request after the other; a lost connection drops the request under way at
    once."""

    def __init__(self, owner: StandIn) -> None:
        self.owner = owner
        self.buffer = bytearray()
        self.task: asyncio.Task[None] | None = None
        self.entry: logs.Entry | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.owner.connections.add(self)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        self.owner.connections.discard(self)
        self._drop()

    def close(self) -> None:
        """Drop what is under way and hang up."""
        self._drop()
        if self.transport is not None:
            self.transport.abort()

    def _next(self) -> None:
        if self.task is not None:
            return
        try:
            request = take_request(self.buffer)
        except ValueError as error:
            self._write(answer_json({"error": str(error)}, 400))
            self.close()
            return
        if request is not None:
            self.entry = self.owner.arrived(request)
            loop = asyncio.get_running_loop()
            self.task = loop.create_task(self._serve(request, self.entry, loop.time()))

    async def _serve(self, request: Request, entry: logs.Entry, started: float) -> None:
        response = await self.owner.respond(request, entry, started)
        if response.pieces:
            await self._stream(response)
        self.owner.log.finish(
            entry, logs.ANSWERED, response.status
        )  # before the client can have read the answer
        if response.pieces:
            self._send(response.pieces[-1])
        else:
            self._write(response)
        self.task = self.entry = None
        self._next()

    def _drop(self) -> None:
        if self.entry is not None:
            self.owner.log.finish(self.entry, logs.DROPPED, None)
            self.entry = None
        if self.task is not None:
            self.task.cancel()

    async def _stream(self, response: Response) -> None:
        """The head and all pieces but the last, in their time."""
        self._send(_head(response))
        for piece in response.pieces[:-1]:
            self._send(piece)
            await asyncio.sleep(response.pause)

    def _send(self, data: bytes) -> None:
        if self.transport is not None:
            self.transport.write(data)

    def _write(self, response: Response) -> None:
        self._send(_head(response) + response.body)


def _head(response: Response) -> bytes:
    lines = [
        f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}",
        f"Content-Type: {response.content_type}",
        f"Content-Length: {len(response.body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def take_request(buffer: bytearray) -> Request | None:
    """Take the first whole request out of the buffer; None while it is incomplete."""
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(buffer[:end]).decode("latin-1").split("\r\n")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in head[1:])
    }
    if "transfer-encoding" in headers:
        raise ValueError("this server reads bodies by Content-Length only")
    length = int(headers.get("content-length", "0"))
    if len(buffer) < end + 4 + length:
        return None
    body = bytes(buffer[end + 4 : end + 4 + length])
    del buffer[: end + 4 + length]
    parts = head[0].split(" ")
    if len(parts) != 3:
        raise ValueError("no request line")
    return make_request(parts[0], parts[1], headers, body)


def make_request(method: str, target: str, headers: dict[str, str], body: bytes) -> Request:
    """A request with its parameters, its JSON and its digest."""
    path, _, query = target.partition("?")
    params = dict(parse_qsl(query, keep_blank_values=True))
    try:
        data = json.loads(body) if body else None
        canonical = (
            json.dumps(data, sort_keys=True, separators=(",", ":")).encode() if body else b""
        )
    except ValueError:
        data, canonical = None, body
    path = unquote(path)
    seed = "\n".join([method, path, urlencode(sorted(params.items())), ""]).encode() + canonical
    return Request(method, path, params, headers, body, data, hashlib.sha256(seed).hexdigest())
