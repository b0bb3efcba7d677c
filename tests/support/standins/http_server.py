"""A small HTTP/1.1 server on the loopback address: keep-alive, Content-Length bodies, JSON."""

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
    headers: dict[str, str] = field(default_factory=dict)
    """Further ones than type and length."""
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
        return "other"

    def note(self, request: Request) -> dict[str, Any]:
        """What the log says about the request at its arrival."""
        return {}

    def answer(self, request: Request, fault: Fault) -> Response:
        """The answer; of the faults only "malformed" is the service's business."""

    def failure(self, status: int) -> Response:
        """The service's own shape of a 429 or 500."""
        return Response(status, b"An error occurred", content_type="text/plain")


NOTICED_S = 0.02
"""How soon it is noticed that a client has hung up before its answer."""


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
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The root, without a trailing slash."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, backlog=256)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_raised: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request after the other; a lost connection drops the request under way at once."""
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while (request := await read_request(reader)) is not None:
                answering = asyncio.create_task(self._answer(request, writer))
                try:
                    while not answering.done() and not reader.at_eof():
                        await asyncio.wait((answering,), timeout=NOTICED_S)
                finally:
                    answering.cancel()
                    await asyncio.gather(answering, return_exceptions=True)
        except (ConnectionError, asyncio.CancelledError):
            return
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        """Answer a request and log how it ended: before the client can have read the answer."""
        started, service = asyncio.get_running_loop().time(), self.service
        entry = self.log.arrived(
            service.name, service.kind(request), request, service.note(request)
        )
        try:
            response = await self._respond(request, entry, started)
            head = f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}"
            size, kind = len(response.body), response.content_type
            more = [f"{name}: {value}" for name, value in response.headers.items()]
            lines = (head, f"Content-Type: {kind}", f"Content-Length: {size}", *more, "", "")
            writer.write("\r\n".join(lines).encode())
            *pieces, last = response.pieces or (response.body,)
            for piece in pieces:
                writer.write(piece)
                await asyncio.sleep(response.pause)
            self.log.finish(entry, logs.ANSWERED, response.status)
            writer.write(last)
        except asyncio.CancelledError:
            if entry.finished is None:
                self.log.finish(entry, logs.DROPPED, None)
            raise

    async def _respond(self, request: Request, entry: logs.Entry, started: float) -> Response:
        """The answer with its fault, after its latency; making it is part of the latency."""
        fault = draw(self.faults, entry.kind, request.digest, entry.nth)
        entry.fault = fault.label
        response = self._make(request, fault)
        entry.note.update(response.note)
        wait = self.latency.of("other" if fault.kind in ("429", "500") else entry.kind)
        await asyncio.sleep(max(0.0, started + wait - asyncio.get_running_loop().time()))
        # held back while a file exists, since another process ends it
        while self.hold.file and entry.id > self.hold.after and os.path.exists(self.hold.file):  # noqa: ASYNC110, ASYNC240
            await asyncio.sleep(0.02)
        if response.answered is not None:
            response.answered()
        return response

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


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request with its parameters, its JSON and its digest; None where the client hung
    up. Bodies are read by their Content-Length."""
    try:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    except asyncio.IncompleteReadError:
        return None
    method, target, _ = first.split(" ")
    path, _, query = target.partition("?")
    params = dict(parse_qsl(query, keep_blank_values=True))
    try:
        data = json.loads(body) if body else None
        same = json.dumps(data, sort_keys=True, separators=(",", ":")).encode() if body else b""
    except ValueError:
        data, same = None, body
    path = unquote(path)
    seed = "\n".join([method, path, urlencode(sorted(params.items())), ""]).encode() + same
    return Request(method, path, params, headers, body, data, hashlib.sha256(seed).hexdigest())
