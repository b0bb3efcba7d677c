"""``python -m benchmarks.tui``: how fast the WorkbenchScreen is, measured on a real terminal device
where that is possible.

Each line names what it is held to. Times are of this machine; the ratio of the first line is taken
in one run, start by start in turn.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import TOPIC
from benchmarks.sessions import SENTENCE, generated, home_paths
from coi_tui.config import Keys, Settings
from coi_tui.session import wording
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.coi_process import table
from tests.support.standins.servers import StandInProcess
from tests.support.standins.settings import BENCH, ChatOptions
from tests.support.standins.settings import Settings as Standing
from tests.support.terminal import Terminal, app, environment, start_run

BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("the bare application")
Bare().run()
"""
SIZE = (120, 40)
READING_S = 3.0
"""Seconds that a person reads a plan before it is approved; what a first run needs is loaded in
such pauses."""


@dataclass(frozen=True)
class Figure:
    """One line of the table; ``worst`` is held to ``limit``."""

    name: str
    how: str
    median: float
    worst: float
    limit: float
    unit: str = "ms"

    def said(self, value: float) -> str:
        return f"{value:.2f}" if self.unit == "times" else f"{value:.1f}"

    @property
    def fine(self) -> bool:
        return self.worst <= self.limit


def painted(terminal: Terminal, text: str) -> float:
    """Milliseconds from the start of the process until a text had been painted."""
    terminal.sees(text)
    whole = b""
    for when, data in terminal.chunks:
        whole += data
        if text.encode() in whole:
            return (when - terminal.started) * 1000
    raise AssertionError(f"{text!r} was painted in pieces")


def first_paint(home: Path, times: int) -> Figure:
    """The home screen beside an app with one widget, in turns; the first pair fills the caches and
    is left out."""
    ours, bare = [], []
    for _ in range(times + 1):
        with app(home, size=SIZE) as terminal:
            ours.append(painted(terminal, "Sessions"))
        with Terminal([sys.executable, "-c", BARE], environment(home), SIZE) as terminal:
            bare.append(painted(terminal, "the bare application"))
    a, b = statistics.median(ours[1:]), statistics.median(bare[1:])
    print(
        f"first paint: ours {a:.0f} ms (least {min(ours[1:]):.0f}), bare Textual {b:.0f} ms (least {min(bare[1:]):.0f})"
    )
    return Figure(
        "first paint over a bare Textual app",
        f"two processes on a pty, medians of {times}",
        a / b,
        a / b,
        1.8,
        "times",
    )


def commands(home: Path, times: int) -> list[Figure]:
    """The processor's time of commands, which what else runs on the machine hardly touches; the
    first start fills the caches and is left out."""
    figures = []
    for arguments, limit in ((["--help"], 120), (["show", "small"], 300)):
        taken = []
        for _ in range(times + 1):
            before = os.times()
            subprocess.run(
                [sys.executable, "-m", "coi_tui", *arguments],
                env=environment(home),
                stdout=subprocess.DEVNULL,
                check=True,
            )
            now = os.times()
            taken.append(
                1000 * (sum(now[2:4]) - sum(before[2:4]))  # user and system, of children
            )
        figures.append(
            Figure(
                f"coi {' '.join(arguments)}",
                f"processor time, {times} starts",
                statistics.median(taken[1:]),
                max(taken[1:]),
                limit,
            )
        )
    return figures


def opening(home: Path, times: int) -> list[Figure]:
    """Enter on the list to the session's rows, and a session named at the start."""
    entered, bare, first, rows = list[float](), list[float](), list[float](), list[float]()
    with app(
        home, "--session", "big", size=SIZE
    ) as terminal:  # from now on it is the last one opened
        terminal.sees("Next: ")
        terminal.type("\x11")
        terminal.end()
    for _ in range(times + 1):
        with app(home, size=SIZE) as terminal:
            terminal.sees("Sessions")  # the list stands
            time.sleep(0.8)  # a person takes longer
            at, sent = terminal.mark, terminal.type("\r")
            terminal.sees("Next: ", at)
            entered.append((terminal.chunks[-1][0] - sent) * 1000)
        with Terminal([sys.executable, "-c", BARE], environment(home), SIZE) as terminal:
            bare.append(painted(terminal, "the bare application"))
        with app(home, "--session", "big", size=SIZE) as terminal:
            rows.append(painted(terminal, "Next: "))
            first.append(painted(terminal, "Opening big"))
    enter, one, frame, whole = (
        statistics.median(found[1:]) for found in (entered, bare, first, rows)
    )
    print(
        f"opening: a bare application {one:.0f} ms; named at the start, first paint {frame:.0f} ms, rows {whole:.0f} ms"
    )
    what = "session of 10 branches, 60 papers, 2,000 decisions"
    return [
        Figure(what, "pty, Enter on the list to its rows", enter, enter, 250),
        Figure(
            what,
            "pty, named at the start, first paint over a bare app",
            frame / one,
            frame / one,
            1.8,
            "times",
        ),
        Figure(
            what,
            "pty, named at the start, its rows over a bare app",
            whole / one,
            whole / one,
            2.6,
            "times",
        ),
    ]


def marks_of(home: Path, name: str) -> tuple[str, str]:
    """How the status line begins on the first two rows of a session."""
    with Session.open(
        name, Environment(home_paths(home), Settings(), Keys()), read_only=True
    ) as session:
        rows = session.rows()
    return f"Status: {wording.sentence(rows[0])}"[:20], f"Status: {wording.sentence(rows[1])}"[:20]


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def down_and_up(terminal: Terminal, marks: tuple[str, str]) -> None:
    """To the second row and back to the first, where keys are answered from now on. Keys that come
    together are painted once: each waits for its row, which may have been painted before."""
    for key, mark in zip("jk", reversed(marks), strict=True):
        from_here = terminal.mark
        terminal.type(key)
        terminal.sees(mark, from_here)


def key_times(terminal: Terminal, marks: tuple[str, str], count: int, end: str = "") -> list[float]:
    """Milliseconds from a key's byte to the first byte of the answer: the status line with the
    other row's name.

    ``end``: words after which nothing more is measured, because what was to run beside the keys is
    over.
    """
    found = []
    over = end.encode()

    def answered(at: int, mark: bytes) -> bool:
        """Cheap, since it is asked all the time: the terminal's reader, which takes the times,
        waits while this looks."""
        data = b"".join(d for _, d in terminal.chunks[at:])  # a mark may be in two pieces
        return mark in data or (bool(over) and over in data)

    for n in range(count):
        key, mark = ("j", marks[1].encode()) if n % 2 == 0 else ("k", marks[0].encode())
        at = len(terminal.chunks)
        sent = terminal.type(key)
        terminal.until(lambda at=at, mark=mark: answered(at, mark), str(mark))  # type: ignore[misc]
        whole = b""
        for when, data in terminal.chunks[at:]:
            whole += data
            if mark in whole:
                found.append((when - sent) * 1000)
                break
        else:  # the job is over
            break
        time.sleep(0.02)
    return found


def keys(home: Path, count: int) -> list[Figure]:
    """Keys on a session of a thousand rows: at rest, while a model on loopback streams into it, and
    while the drafter computes."""
    with StandInProcess(STREAMING) as pair:
        rest, streams = keys_in(home, "wide_online", "a job streams", count, pair)
    return [rest, streams, keys_in(home, "wide", "the drafter computes", count)[1]]


STREAMING = Standing(chat=ChatOptions(piece=12, pause=0.03), latency=BENCH)
"""Each call streams some hundred tokens a second, after a second of waiting."""


def keys_in(
    home: Path, name: str, what: str, count: int, pair: StandInProcess | None = None
) -> tuple[Figure, Figure]:
    """Keys at rest and while a job runs in a session; ``pair``: the services it asks."""
    with Session.open(
        name, Environment(home_paths(home), Settings(), Keys()), read_only=True
    ) as session:
        rows = session.rows()
    marks = marks_of(home, name)
    out = home / "probe.json"
    command = [
        sys.executable,
        "-m",
        "benchmarks.probe",
        str(out),
        "--session",
        name,
        "--at",
        "topic",
    ]
    urls = (
        {"OPENAI_BASE_URL": pair.chat_url, "COI_SEMANTIC_SCHOLAR_URL": pair.s2_url}
        if pair is not None
        else {}
    )
    with Terminal(command, environment(home, **urls), SIZE) as terminal:
        terminal.sees("Next: ")
        time.sleep(1.0)  # ``--at`` moves the cursor after the first frame
        down_and_up(terminal, marks)
        rest = key_times(terminal, marks, count)
        start_run(terminal, READING_S)
        from_here = terminal.mark
        terminal.type("kkkkkkkk")
        down_and_up(terminal, marks)
        busy = key_times(terminal, marks, count, end="Done: ")
        running = f"{len(busy)} keys" if terminal.shows("running", from_here) else "no"
        terminal.type("\x11")
        terminal.end()
    if VERBOSE:
        print([round(x) for x in rest], [round(x) for x in busy])
    slow = places(out, f"keys while {what}")
    print(f"keys: {len(rows)} rows; {what}: {running} heard meanwhile; longest block {slow:.0f} ms")
    return (
        Figure(
            f"key to first byte, {len(rows)} rows, rest",
            f"pty, p95 of {count}",
            statistics.median(rest),
            percentile(rest, 0.95),
            16,
        ),
        Figure(
            f"key to first byte, {len(rows)} rows, {what}",
            f"pty, p95 of {len(busy)}",
            statistics.median(busy),
            percentile(busy, 0.95),
            16,
        ),
    )


def places(out: Path, name: str) -> float:
    """The longest block that a probe saw, in milliseconds; with ``--verbose`` where the long ones
    were."""
    found = json.loads(out.read_text())
    for place, samples in found["places"] if VERBOSE else ():
        print(f"-- {name}: {samples} samples in {place or 'Textual'}")
    return max(found["lags"], default=0.0) * 1000


VERBOSE = False


def demo_run(home: Path) -> Figure:
    """An offline session on the demo's topic from nothing to the review, with the probe beside
    it."""
    out = home / "demo.json"
    Session.create(
        "demo", TOPIC, Environment(home_paths(home), Settings(), Keys()), offline=True
    ).close()
    with Terminal(
        [sys.executable, "-m", "benchmarks.probe", str(out), "--session", "demo"],
        environment(home),
        SIZE,
    ) as terminal:
        terminal.sees("Press g to choose")
        start_run(terminal, READING_S)
        terminal.sees("Done: ", limit=120)
        terminal.type("\x11")
        terminal.end()
    lags = [x * 1000 for x in json.loads(out.read_text())["lags"]]
    worst = places(out, "demo run")
    print(
        f"demo run: {len(lags)} turns of the loop, {sum(x > 50 for x in lags)} blocks over 50 ms, {sum(x > 20 for x in lags)} over 20 ms"
    )
    return Figure(
        "longest loop block, demo run to review",
        "process on a pty, probe every 2 ms",
        statistics.median(lags),
        worst,
        50,
    )


async def long_text(home: Path, times: int) -> Figure:
    """A text of 60 KB in the detail pane, until its frame has been painted (Pilot, no terminal)."""
    from coi_tui.app import CoiApp
    from coi_tui.screens.workbench import WorkbenchScreen

    text, found = SENTENCE * (60_000 // len(SENTENCE)), []
    coi = CoiApp(home_paths(home), Settings(), Keys(), session="big")
    async with coi.run_test(size=SIZE) as pilot:
        while not isinstance(coi.screen, WorkbenchScreen):
            await pilot.pause(0.01)
        await pilot.pause()
        for n in range(times):
            started = time.perf_counter()
            painted = asyncio.Event()
            coi.screen.detail.show(f"text {n}", f"Text {n}", [("", f"{n} {text}")])
            coi.screen.call_after_refresh(painted.set)
            await painted.wait()
            found.append((time.perf_counter() - started) * 1000)
    coi.sessions.close_all()
    return Figure(
        "a text of 60 KB shown", "Pilot, show to painted", statistics.median(found), max(found), 250
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tui", description=__doc__)
    parser.add_argument("--times", type=int, default=7, help="starts of each app")
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument(
        "--only",
        default="",
        help="letters of a (paint), b (keys), c (opening), d (demo run), e (long text), f (commands)",
    )
    parser.add_argument("--verbose", action="store_true", help="where long blocks were")
    args = parser.parse_args()
    globals()["VERBOSE"] = args.verbose
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        generated(home, "big")
        for name in ("wide", "wide_online"):
            generated(
                home,
                name,
                branches=40,
                papers=280,
                decisions=600,
                waves=2,
                active=3,
                offline=name == "wide",
            )
        if not args.only or "a" in args.only:
            figures.append(first_paint(home, args.times))
        if not args.only or "b" in args.only:
            figures += keys(home, args.keys)
        if not args.only or "c" in args.only:
            figures += opening(home, args.times)
        if not args.only or "d" in args.only:
            figures.append(demo_run(home))
        if not args.only or "e" in args.only:
            figures.append(asyncio.run(long_text(home, args.times)))
        if not args.only or "f" in args.only:
            generated(home, "small", branches=3, papers=15, decisions=30)
            figures += commands(home, args.times)
    print(
        table(
            [
                (
                    f.name,
                    f.how,
                    *(f.said(x) for x in (f.median, f.worst, f.limit)),
                    f.unit,
                    "yes" if f.fine else "NO",
                )
                for f in figures
            ],
            ("", "how", "median", "p95 or most", "at most", "", "held"),
        )
    )


if __name__ == "__main__":
    main()
