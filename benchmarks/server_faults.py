"""``python -m benchmarks.server_faults``: runs, as real processes, against servers that are broken
or hostile, one fault each.

A server between the program and the stand-ins passes the first requests on and then answers with
the fault, for ever. Printed: fault, exit code, seconds to the end, the waits that were told, peak
memory, and the sentence. What must hold: no traceback, a session that verifies, a cause, under 300
MB, an end within 60 s beyond the waits that were told, and after a resume against sound servers no
call asked again whose answer had been received.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import re
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.coi_process import coi, command, environment, table
from tests.support.standins import Latency, Settings, StandInProcess, make_corpus

MOST_MB, MOST_S = 300, 60.0
CONFIG = "[semantic_scholar]\npace_s = 0\ntimeout_s = {papers}\n[llm]\ntimeout_s = {model}\n"
HUGE = 2_000_000_000

Write = Callable[[bytes], Awaitable[None]]
Fault = Callable[[Write, int], Awaitable[None]]
"""Writes a whole faulty answer; the number counts the faulty requests from 0."""


def _head(status: str, kind: str = "application/json", *more: str) -> bytes:
    return "\r\n".join(
        (f"HTTP/1.1 {status}", f"Content-Type: {kind}", *more, "Connection: close", "", "")
    ).encode()


def whole(body: bytes, status: str = "200 OK", kind: str = "application/json", *more: str) -> Fault:
    """One answer with its length."""

    async def fault(write: Write, _: int) -> None:
        await write(_head(status, kind, f"Content-Length: {len(body)}", *more) + body)

    return fault


def endless(
    first: bytes,
    piece: bytes,
    kind: str = "application/json",
    status: str = "200 OK",
    pause: float = 0.0,
    *more: str,
) -> Fault:
    """An answer without an end; the server gives up after some gigabytes."""

    async def fault(write: Write, _: int) -> None:
        await write(_head(status, kind, *more) + first)
        for _n in range(HUGE // len(piece)):
            await write(piece)
            await asyncio.sleep(pause)

    return fault


def _stream(*texts: str, end: str = "") -> bytes:
    rows = [{"model": "m", "choices": [{"index": 0, "delta": {"content": text}}]} for text in texts]
    return b"".join(b"data: " + json.dumps(row).encode() + b"\n\n" for row in rows) + end.encode()


async def _silent(write: Write, _: int) -> None:
    await asyncio.Event().wait()


async def _hang_up(write: Write, _: int) -> None:
    raise ConnectionResetError


async def _half(write: Write, _: int) -> None:
    await write(_head("200 OK", "application/json", "Content-Length: 5000") + b'{"data": [')
    raise ConnectionResetError


async def _head_for_ever(write: Write, _: int) -> None:
    await write(b"HTTP/1.1 200 OK\r\n")
    for n in range(HUGE):
        await write(f"X-{n}: {'y' * 500}\r\n".encode())


async def _continue_for_ever(write: Write, _: int) -> None:
    for _n in range(HUGE):
        await write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.001)


async def _garbage(write: Write, _: int) -> None:
    await write(bytes(range(256)) * 64)


async def _chunks(write: Write, _: int) -> None:
    await write(
        _head("200 OK", "application/json", "Transfer-Encoding: chunked")
        + b'5\r\n{"da\r\nzzzz\r\nnot a length\r\n'
    )


def _message(**fields: object) -> bytes:
    return json.dumps(
        {
            "model": "m",
            "choices": [{"message": {"role": "assistant", **fields}, "finish_reason": "stop"}],
        }
    ).encode()


SSE = "text/event-stream"
HTML = b"<html><body><h1>Please sign in</h1></body></html>"
COMMON: dict[str, Fault] = {
    "web page with 200": whole(HTML, kind="text/html"),
    "web page called JSON": whole(HTML),
    "empty body": whole(b""),
    "null": whole(b"null"),
    "a list": whole(b"[]"),
    "a number": whole(b"7"),
    "cut JSON": whole(b'{"data": [{"title": "x"'),
    "no UTF-8": whole(b'{"data": "\xff\xfe"}'),
    "deep JSON": whole(b'{"data":' * 50_000),
    "millions of lists": whole(b'{"data":[' + b"[]," * 3_000_000 + b"[]]}"),
    "huge number": whole(b'{"total": ' + b"9" * 100_000 + b', "data": []}'),
    "endless body": endless(b'{"data": "', b"x" * 65_536),
    "endless error": endless(b'{"error": "', b"x" * 65_536, status="500 Internal Server Error"),
    "endless headers": _head_for_ever,
    "endless 100 Continue": _continue_for_ever,
    "drip": endless(b'{"data": "', b"x", pause=0.2),
    "silent": _silent,
    "hangs up": _hang_up,
    "cut in the body": _half,
    "garbage": _garbage,
    "broken chunks": _chunks,
    "too long a length": whole(b"{}", "200 OK", "application/json", "Content-Length: 99999"),
    "gzip bomb": whole(
        gzip.compress(b" " * 200_000_000, 1), "200 OK", "application/json", "Content-Encoding: gzip"
    ),
    "bomb in a bomb": whole(
        gzip.compress(gzip.compress(b" " * 200_000_000)),
        "200 OK",
        "application/json",
        "Content-Encoding: gzip, gzip",
    ),
    "other packing": whole(b"{}", "200 OK", "application/json", "Content-Encoding: br"),
    "redirect elsewhere": whole(
        b"", "307 Temporary Redirect", "text/plain", "Location: http://192.0.2.1/v1/chat"
    ),
    # to an address that counts as a call, else the sound server would answer it
    "redirect without end": whole(
        b"", "302 Found", "text/plain", "Location: /graph/v1/chat/completions"
    ),
    "401": whole(b'{"error": "no"}', "401 Unauthorized"),
    "403": whole(b'{"error": "no"}', "403 Forbidden"),
    "404 web page": whole(HTML, "404 Not Found", "text/html"),
    "429": whole(b"{}", "429 Too Many Requests"),
    "429, wait an hour": whole(
        b"{}", "429 Too Many Requests", "application/json", "Retry-After: 3600"
    ),
    "500": whole(b"{}", "500 Internal Server Error"),
    "503, wait 20 s": whole(
        b"{}", "503 Service Unavailable", "application/json", "Retry-After: 20"
    ),
    "504 web page": whole(HTML, "504 Gateway Timeout", "text/html"),
}
OF_MODEL: dict[str, Fault] = {
    "endless events": endless(b"", _stream("x" * 200) * 100, SSE),
    "endless line": endless(b'data: {"choices": [{"delta": {"content": "', b"x" * 65_536, SSE),
    "endless comments": endless(b"", b": still here\n\n" * 5_000, SSE),
    "dripping events": endless(b"", _stream("x"), SSE, pause=0.2),
    "stream without an end": whole(_stream('{"text": "half'), kind=SSE),
    "events of no JSON": whole(b"data: {oops\n\n" * 20, kind=SSE),
    "placeholders": whole(
        _message(
            content='{"text": "# string", "title": "string", "query": "string", "reasoning": "..."}'
        )
    ),
    "refusal field": whole(_message(content=None, refusal="I'm sorry, I can't help with that.")),
    "refusal in prose": whole(_message(content="I'm sorry, but I can't assist with that request.")),
    "tool call": whole(
        _message(
            content=None,
            tool_calls=[
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ],
        )
    ),
    "no choices": whole(b'{"model": "m", "choices": []}'),
    "content of a megabyte": whole(_message(content='{"text": "' + "word " * 200_000 + '"}')),
    "error with 200": whole(b'{"error": {"message": "internal", "code": 500}}'),
    "cut at the length": whole(
        b'{"model":"m","choices":[{"message":{"content":"{\\"text\\": \\"half"},"finish_reason":"length"}]}'
    ),
}
OF_PAPERS: dict[str, Fault] = {
    "rows of nothing": whole(
        json.dumps({"total": 3, "offset": 0, "data": [None, {}, []]}).encode()
    ),
    "huge texts": whole(
        json.dumps(
            {
                "total": 1,
                "data": [
                    {
                        "paperId": "a" * 40,
                        "title": "t " * 1_000_000,
                        "abstract": "a " * 1_000_000,
                        "year": 9999,
                    }
                ],
            }
        ).encode()
    ),
    "data null": whole(b'{"total": 0, "data": null}'),
}


@dataclass(frozen=True)
class Case:
    """A fault of one of the two servers, after ``after`` sound answers."""

    name: str
    target: str
    fault: Fault
    after: int


def cases() -> list[Case]:
    model = [Case(name, "model", fault, 4) for name, fault in {**COMMON, **OF_MODEL}.items()]
    return model + [
        Case(name, "papers", fault, 3) for name, fault in {**COMMON, **OF_PAPERS}.items()
    ]


class Between:
    """A server that passes requests on until its fault begins. Answers that it passed on whole are
    in ``received``."""

    def __init__(self, upstream: str, fault: Fault | None, after: int) -> None:
        self.upstream, self.fault, self.after = urlsplit(upstream), fault, after
        self.received: list[bytes] = []
        self.faulty = self.seen = 0
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def write(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        try:
            while True:
                request = await _request(reader)
                counted = b"/chat/completions" in request[:200] or b"/graph/v1" in request[:200]
                self.seen += counted
                if counted and self.fault is not None and self.seen > self.after:
                    self.faulty += 1
                    await self.fault(write, self.faulty - 1)
                    return
                await self._pass_on(request, write)
                if counted:
                    self.received.append(request)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, TimeoutError):
            return
        finally:
            writer.transport.abort() if self.fault is not None and self.faulty else writer.close()

    async def _pass_on(self, request: bytes, write: Write) -> None:
        reader, writer = await asyncio.open_connection(self.upstream.hostname, self.upstream.port)
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(_length(head))
        writer.close()
        await write(head + body)


def _length(head: bytes) -> int:
    return next(
        (
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        ),
        0,
    )


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    return head + await reader.readexactly(_length(head))


@contextmanager
def between(upstream: str, fault: Fault | None, after: int) -> Iterator[Between]:
    """The server in a thread of its own."""
    server, loop = Between(upstream, fault, after), asyncio.new_event_loop()
    started = threading.Event()

    async def run() -> None:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        server.port = listening.sockets[0].getsockname()[1]
        started.set()
        await asyncio.Event().wait()

    def work() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(serving)
        for task in (left := asyncio.all_tasks(loop)):
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left))
        loop.close()

    serving = loop.create_task(run())
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    started.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(serving.cancel)
        thread.join(5)


@dataclass
class Outcome:
    """What came of one case."""

    case: Case
    code: int = -1
    seconds: float = 0.0
    told_s: float = 0.0
    peak_mb: float = 0.0
    sentence: str = ""
    wrong: list[str] = field(default_factory=list)


def measured(
    env: dict[str, str], *arguments: str, timeout: float
) -> tuple[int, str, str, float, float]:
    """Exit code, both outputs, seconds (those without a processor left out) and peak memory (MB) of
    a command line."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        began, peak, starved = time.perf_counter(), 0.0, 0.0
        process = subprocess.Popen(
            command(*arguments), env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        while process.poll() is None:
            peak, starved = max(peak, _peak_mb(process.pid)), max(starved, _starved_s(process.pid))
            if time.perf_counter() - began > timeout:
                process.kill()
            time.sleep(0.05)
        seconds = time.perf_counter() - began - starved
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), seconds, peak


def _peak_mb(pid: int) -> float:
    """The highest memory of a process so far, from the kernel; its parent's memory would count in
    what ``wait4`` says."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM")), 0.0)


def _starved_s(pid: int) -> float:
    """Seconds in which a process could have run and got no processor: on a busy machine they are no
    fault of the program."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


_NEXT_CALL = re.compile(r"next call in (\d+) s")
_HAS_UP_TO = re.compile(r"it has up to (\d+) s")


def told_waits(err: str) -> float:
    """Seconds that the run said it would wait: each pause once, and the longest exchange that it
    gave time."""
    lines = [line for line in err.splitlines() if line.startswith("  wait ")]
    pauses = sum(int(found[1]) for line in lines if (found := _NEXT_CALL.search(line)))
    return pauses + max(
        (int(found[1]) for line in lines if (found := _HAS_UP_TO.search(line))), default=0
    )


def run_case(case: Case, timeout_papers: float = 5, timeout_model: float = 5) -> Outcome:
    """A run into the fault, then ``verify``, then a resume against sound servers."""
    found = Outcome(case)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "config").mkdir()
        (home / "config" / "config.toml").write_text(
            CONFIG.format(papers=timeout_papers, model=timeout_model), encoding="utf-8"
        )
        with StandInProcess(Settings(latency=Latency()), home / "server.jsonl") as pair:
            upstream = pair.chat_url if case.target == "model" else pair.s2_url
            with between(upstream, case.fault, case.after) as server:
                env = environment(home, pair) | _address(case, server, upstream)
                size = (
                    "--branches",
                    "1",
                    "--until",
                    "chains",
                    "--yes",
                    "--out",
                    str(home / "proposal.md"),
                )
                code, out, err, found.seconds, found.peak_mb = measured(
                    env, "run", make_corpus().topics[0], "--name", "run", *size, timeout=400
                )
                faulty = server.faulty
                received = Counter(_identity(request) for request in server.received)
                found.code, found.told_s = code, told_waits(err)
                found.sentence = _sentence(err)
                _judge(found, out, err, faulty)
                verified = coi(env, "verify", "run")
                if verified.code != 0:
                    found.wrong.append(f"verify: {verified.out.strip()[-120:]}")
                if "proposal.md" in os.listdir(home) and code != 0 and case.target == "model":
                    found.wrong.append("a proposal was written")
                server.fault = None
                server.received.clear()
                again = coi(env, "resume", "run", "--until", "chains", "--yes", timeout=400)
                twice = [
                    request for request in map(_identity, server.received) if request in received
                ]
                if again.code not in (0, 1) or "Traceback" in again.err:
                    found.wrong.append(f"resume: exit {again.code} {again.err.strip()[-120:]}")
                if twice:
                    found.wrong.append(f"{len(twice)} calls asked twice")
    return found


def _address(case: Case, server: Between, upstream: str) -> dict[str, str]:
    name = "OPENAI_BASE_URL" if case.target == "model" else "COI_SEMANTIC_SCHOLAR_URL"
    return {name: f"http://127.0.0.1:{server.port}{urlsplit(upstream).path}"}


def _identity(request: bytes) -> bytes:
    """What was asked: the first line and the body."""
    head, _, body = request.partition(b"\r\n\r\n")
    return head.split(b"\r\n")[0] + b"\n" + body


def _sentence(err: str) -> str:
    failed = [
        line.strip()
        for line in err.splitlines()
        if line.strip().startswith(("FAILED", "Error", "Failed"))
    ]
    return " ".join((failed or err.strip().splitlines() or [""])[0].split())


def _judge(found: Outcome, out: str, err: str, faulty: int) -> None:
    if not faulty:
        found.wrong.append("the fault was never reached")
    if "Traceback" in out + err:
        found.wrong.append("traceback")
    if found.code not in (0, 1, 3):
        found.wrong.append(f"exit {found.code}")
    if found.peak_mb > MOST_MB:
        found.wrong.append(f"{found.peak_mb:.0f} MB")
    if found.seconds > MOST_S + found.told_s:
        found.wrong.append(f"{found.seconds:.0f} s, told {found.told_s:.0f} s")
    if found.code == 1 and not found.sentence:
        found.wrong.append("no sentence")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server_faults", description=__doc__)
    parser.add_argument("--only", help="faults whose name or server contains this")
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument(
        "--seed", type=int, help="in an order drawn from this, in place of that of the list"
    )
    args = parser.parse_args()
    chosen = [
        case for case in cases() if not args.only or args.only in f"{case.target} {case.name}"
    ]
    if args.seed is not None:
        random.Random(args.seed).shuffle(chosen)
    with ThreadPoolExecutor(args.parallel) as pool:
        found = []
        for one in as_completed(pool.submit(run_case, case) for case in chosen):
            found.append(outcome := one.result())
            wrong = f"   WRONG: {'; '.join(outcome.wrong)}" if outcome.wrong else ""
            print(
                f"{outcome.case.target}: {outcome.case.name}: exit {outcome.code}, {outcome.seconds:.1f} s, told {outcome.told_s:.0f} s,"
                f" {outcome.peak_mb:.0f} MB: {outcome.sentence[:150]}{wrong}",
                flush=True,
            )
    rows = [
        (
            f"{o.case.target}: {o.case.name}",
            o.code,
            f"{o.seconds:.1f}",
            f"{o.told_s:.0f}",
            f"{o.peak_mb:.0f}",
            o.sentence[:110],
        )
        for o in sorted(found, key=lambda o: -o.seconds)
    ]
    print(table(rows, ("fault", "exit", "seconds", "told s", "peak MB", "sentence")))
    print(
        f"{len(found)} faults, {sum(bool(o.wrong) for o in found)} wrong; longest {max(o.seconds for o in found):.0f} s,"
        f" highest peak {max(o.peak_mb for o in found):.0f} MB"
    )


if __name__ == "__main__":
    main()
