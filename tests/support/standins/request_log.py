"""The record of every request, at arrival and at completion: in memory, and as JSON lines when a
file is given."""

import json
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

ARRIVED, ANSWERED, DROPPED = "arrived", "answered", "dropped"


@dataclass(slots=True)
class Entry:
    """One request. Times are those of ``time.time`` and are comparable between processes of one
    machine."""

    id: int
    service: str
    kind: str
    method: str
    path: str
    params: dict[str, str]
    hash: str
    nth: int
    """The how-manieth arrival of this content, from 1."""
    arrived: float
    state: str = ARRIVED
    finished: float | None = None
    status: int | None = None
    fault: str = ""
    """What the fault injection did: "", "429", "500", "truncated", "malformed:prose" ..."""
    note: dict[str, Any] = field(default_factory=dict)
    """Chat: prompt_chars, schema, rung, model, reply_chars."""
    body: bytes = b""
    """In memory only."""

    def in_flight(self, when: float, slack: float = 0.0) -> bool:
        """Was it under way at a time, or answered at most ``slack`` seconds before it?"""
        return self.arrived <= when and (self.finished is None or self.finished >= when - slack)

    @property
    def good(self) -> bool:
        """Answered well: repeating it would be waste."""
        return self.state == ANSWERED and self.status == 200 and not self.fault


class RequestLog:
    """Keeps the entries of one or more servers."""

    def __init__(self, file: Path | str | None = None) -> None:
        self.entries: list[Entry] = []
        self._seen: Counter[str] = Counter()
        self._file: IO[str] | None = open(file, "a", encoding="utf-8") if file is not None else None  # noqa: SIM115

    def arrived(self, service: str, kind: str, request: Any, note: dict[str, Any]) -> Entry:
        """Note a request; ``request`` is an http_server.Request."""
        self._seen[request.digest] += 1
        entry = Entry(
            id=len(self.entries) + 1,
            service=service,
            kind=kind,
            method=request.method,
            path=request.path,
            params=request.params,
            hash=request.digest,
            nth=self._seen[request.digest],
            arrived=time.time(),
            note=note,
            body=request.body,
        )
        self.entries.append(entry)
        self._write(entry)
        return entry

    def finish(self, entry: Entry, state: str, status: int | None) -> None:
        """Note how a request ended."""
        entry.state, entry.status, entry.finished = state, status, time.time()
        self._write(entry)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, entry: Entry) -> None:
        if self._file is None:
            return
        line = {name: getattr(entry, name) for name in Entry.__slots__ if name != "body"}
        self._file.write(json.dumps({"time": entry.finished or entry.arrived, **line}) + "\n")
        self._file.flush()


def read_log(file: Path | str) -> list[Entry]:
    """The entries of a log file, arrival and completion merged, in the order of arrival (one server
    run a file)."""
    entries: dict[int, Entry] = {}
    whole, _, _ = (
        Path(file).read_text(encoding="utf-8").rpartition("\n")
    )  # the rest is being written
    for line in whole.splitlines():
        data = json.loads(line)
        data.pop("time")
        entries[data["id"]] = Entry(**data)
    return list(entries.values())


def select(
    entries: Iterable[Entry], service: str = "", kind: str = "", schema: str = ""
) -> list[Entry]:
    """Those of a service, a kind, a reply schema (an empty text: any)."""
    return [
        entry
        for entry in entries
        if service in ("", entry.service)
        and kind in ("", entry.kind)
        and schema in ("", entry.note.get("schema"))
    ]


ABOUT = ("/v1/models", "/props")
"""What a process may ask of a server each time that it starts: which one it is. No answer to it is
kept with a session."""


def repeated(entries: Iterable[Entry]) -> list[Entry]:
    """The requests whose content had been answered well before they arrived: there should be none.
    A process may ask what a server is."""
    done: set[str] = set()
    again = []
    for entry in sorted(entries, key=lambda e: e.arrived):
        if entry.hash in done and entry.path not in ABOUT:
            again.append(entry)
        if entry.good:
            done.add(entry.hash)
    return again
