"""A server on the loopback address that answers without end, or too slowly."""

from __future__ import annotations

import asyncio
import json
from types import TracebackType
from typing import Literal, Self

Mode = Literal["events", "line", "body", "after done", "drip", "compressed"]

GIVES_UP = 64_000_000
"""Bytes after which even this server ends, so that a client without limits fails a test and not the
machine."""
CHUNK = 65_536

_HEADS: dict[str, str] = {
    "events": "200 OK\r\nContent-Type: text/event-stream",
    "after done": "200 OK\r\nContent-Type: text/event-stream",
    "line": "200 OK\r\nContent-Type: text/event-stream",
    "drip": "200 OK\r\nContent-Type: text/event-stream",
    "body": "200 OK\r\nContent-Type: application/json",
    "compressed": "200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip",
}


def event(text: str) -> bytes:
    """One piece of a chat completion as a server-sent event."""
    return (
        b"data: "
        + json.dumps({"model": "m", "choices": [{"index": 0, "delta": {"content": text}}]}).encode()
        + b"\n\n"
    )


class Hostile:
    """``async with Hostile(mode) as server``. ``requests`` holds what was received, ``sent`` how
    many bytes of bodies went out."""

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.requests: list[bytes] = []
        self.sent = 0
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return  # the client hung up, or the server is closing
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            (
                int(line.split(b":")[1])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            ),
            0,
        )
        self.requests.append(head + await reader.readexactly(length))
        writer.write(f"HTTP/1.1 {_HEADS[self.mode]}\r\nConnection: close\r\n\r\n".encode())
        first, piece = self._pieces()
        writer.write(first)
        while self.sent < GIVES_UP:
            writer.write(piece)
            self.sent += len(piece)
            await writer.drain()
            await asyncio.sleep(0.01 if self.mode == "drip" else 0)

    def _pieces(self) -> tuple[bytes, bytes]:
        """What is sent first, and what then comes again and again."""
        match self.mode:
            case "events":
                return b"", event("x" * 200) * 200
            case "after done":
                end = b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
                return event('{"query": "x"}') + end, b": more\n\n" * 8_000
            case "line":
                return b'data: {"choices": [{"index": 0, "delta": {"content": "', b"x" * CHUNK
            case "drip":
                return b"", event("x")
        return b'{"choices": [{"message": {"content": "', b"x" * CHUNK
