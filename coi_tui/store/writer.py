"""The one thread that owns a file's connection."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, ParamSpec, Self, TypeVar

from pydantic import ValidationError

from coi_tui.model.errors import StoreError
from coi_tui.store.connection import as_store_error

P = ParamSpec("P")
T = TypeVar("T")


class KeptFile:
    """A file with a thread of its own. ``await file.run(file.method, ...)`` leaves the loop free."""

    path: Path
    _writer: Writer

    def _let_go(self) -> None:
        """On the thread, before that ends."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        if not self._writer.closed:
            try:
                self._writer.call(self._let_go)
            finally:
                self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def run(self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The method on the file's thread, the loop left free. Once asked for, a write is done even
        if the waiting task is cancelled: what was paid for is kept."""
        return await self._writer.run(method, *args, **kwargs)


class Writer:
    """One worker thread. What is submitted runs in order, one at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"store-{path.name}")
        self._thread: int | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        return self._closed

    def call(self, work: Callable[[], T]) -> T:
        """Run ``work`` on the thread and wait for it. From the thread itself it runs at once."""
        if threading.get_ident() == self._thread:
            return self._guard(work)
        return self._submit(lambda: self._guard(work)).result()

    async def run(self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``method`` on the thread without blocking the loop.

        A write that was asked for is done even if the one who waits is cancelled: what was paid for
        is kept.
        """
        return await asyncio.shield(
            asyncio.wrap_future(self._submit(lambda: method(*args, **kwargs)))
        )

    def close(self) -> None:
        """Refuse more work, and wait until the thread is done. Safe to call twice."""
        self._closed = True
        self._pool.shutdown(wait=True)

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        if self._closed:
            raise StoreError(f"{self.path.name} is closed.")

        def on_thread() -> Any:
            self._thread = threading.get_ident()
            return work()

        return self._pool.submit(on_thread)

    def _guard(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            raise as_store_error(error, self.path) from error
        except (ValidationError, json.JSONDecodeError) as error:  # without the text of the row
            raise StoreError(
                f"A row of {self.path.name} cannot be read.",
                "Run `coi verify`, then restore a copy.",
            ) from error
