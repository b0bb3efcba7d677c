"""A server on the loopback address that answers too slowly, and without end."""

from __future__ import annotations

import asyncio
import json
from types import TracebackType
from typing import Self


def event(text: str) -> bytes:
    """One piece of a chat completion as a server-sent event."""
    return (
        b"data: "
        + json.dumps({"model": "m", "choices": [{"index": 0, "delta": {"content": text}}]}).encode()
        + b"\n\n"
    )


class Dripping:
    """``async with Dripping() as server``. ``requests`` holds what was received."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
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
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        writer.write(head)
        while True:
            writer.write(event("x"))
            await writer.drain()
            await asyncio.sleep(0.01)
