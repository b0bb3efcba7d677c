"""The one thread that owns a file's connection, and the sentences for what SQLite says."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from pydantic import ValidationError

from coi_tui.model.errors import StoreError

P = ParamSpec("P")
T = TypeVar("T")

_SENTENCES = (
    ("disk is full", "The disk is full, so nothing was written to {name}.", "Free some space, then do it again."),
    ("readonly", "{name} cannot be written: the file or its folder is read-only.", "Change its permissions, or work on a copy."),
    ("database is locked", "{name} is locked by another program, so nothing was written.", "Close the other program, then do it again."),
    ("unable to open", "{name} cannot be opened.", "Check that the file and its folder exist and may be read."),
    ("malformed", "{name} is damaged: {cause}.", "Restore a copy."),
    ("not a database", "{name} is damaged: {cause}.", "Restore a copy."),
    ("disk i/o error", "{name} could not be read or written: the disk reports an error.", "Check the disk, then do it again."),
)


def said(error: sqlite3.Error | OSError, path: Path) -> StoreError:
    """The error as one clear sentence about ``path``."""
    cause = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    if isinstance(error, OSError):
        return StoreError(f"{path.name} could not be read or written: {cause}.", "Check the folder and the space on the disk.")
    for words, sentence, hint in _SENTENCES:
        if words in cause.lower():
            return StoreError(sentence.format(name=path.name, cause=cause), hint)
    return StoreError(f"{path.name} refused this: {cause}.")


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

        A write that was asked for is done even if the one who waits is cancelled: what was paid for is kept.
        """
        return await asyncio.shield(asyncio.wrap_future(self._submit(lambda: method(*args, **kwargs))))

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
            raise said(error, self.path) from error
        except (ValidationError, json.JSONDecodeError) as error:  # without the text of the row
            raise StoreError(f"A row of {self.path.name} cannot be read.", "Verify the file, then restore a copy.") from error
