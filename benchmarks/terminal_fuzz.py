"""``python -m benchmarks.terminal_fuzz --minutes 30 --seeds 5``: random input to the real app on a
pseudo-terminal.

Nothing may end it or make it hang. Keys, bursts of keys, mouse, pasted texts, broken escape
sequences, sizes from 1x1 to 200x60, sleep and wake. The app is begun in one of several states: the
list of sessions, a finished session with all three methods at different rows, a half run one, the
example. Every so often it must answer a known key: ``^p`` has to show the list of commands. Whether
it hangs is told by its own processor time, so that a slow machine raises no alarm: it has not
answered after ``BUSY_S`` seconds of work, or after ``IDLE_S`` seconds in which it did nothing.

At the end of each seed the app is left by ``^q``, and ``coi verify`` must call every session of its
home intact. The table says for each seed the bytes sent, the ends (any exit other than by leaving),
the hangs, the unexpected errors told, and the sessions that are not intact. All four must be 0; the
exit code is 1 otherwise. Each finding is printed with the way to see it again:
``--replay SEED --steps COUNT`` sends the same bytes in the same order.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import re
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import TOPIC
from tests.support.coi_process import coi, table
from tests.support.desk import paths_in
from tests.support.states import add_nova, add_scipip, make_seed
from tests.support.terminal import (
    ENTER_SCREEN,
    FRAME_END,
    LEAVE_SCREEN,
    Terminal,
    environment,
    words,
)

BUSY_S, IDLE_S, LONGEST_S = 30.0, 30.0, 600.0
"""When the app counts as hanging: seconds of its own work, or of doing nothing, without an answer;
and at the latest."""
ANSWERS_EVERY = 40
"""Steps between two known keys."""
QUESTION, ANSWER = b"\x10", "Keys and commands"
LEAVE = b"\x11"
START = """
import faulthandler, os, signal
faulthandler.register(signal.SIGUSR1, file=open(os.environ["FUZZ_STACKS"], "w"), all_threads=True)
from coi_tui.__main__ import main
main()
"""
"""The app; where it hangs it says what it is doing."""
SAMPLES = 6
"""How often it is asked what it is doing, in all of its threads."""
RECENT = 50
"""Steps before a finding that are told, each with its time and the size of the terminal."""
LEFT = (0, 130)
"""Exit codes of leaving: a key that arrives when the app is just gone may be a ``^c`` to the
shell's side of the terminal."""
TOLD = re.compile(r"Unexpected error(?! \()")
"""The title of the sheet that tells of an error in a worker; the last words of an app that ends go
on differently."""
OUTPUT_KEPT = 400
"""Pieces of output that are kept."""

FIRST_SIZE = (120, 40)
SIZES = ((1, 1), (1, 20), (3, 3), (30, 1), (59, 16), (60, 16), (80, 24), (120, 36), (200, 60))
STARTS: tuple[tuple[str, ...], ...] = (
    (),
    ("--session", "demo"),
    ("--session", "half"),
    ("--session", "demo", "--at", "1/idea"),
    ("--session", "demo", "--at", "S1/problem"),
    ("--session", "demo", "--at", "N1/seed2"),
    ("--session", "demo", "--at", "A"),
    ("demo",),
)

ARROWS = [b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"j", b"k"]
OFTEN = [
    *ARROWS,
    b"\r",
    b"\r",
    b"\x1b",
    b"\x1b",
    b"\t",
    b"\x1b[Z",
    b" ",
    b"\x7f",
    b"\x1b[5~",
    b"\x1b[6~",
    b"\x1b[H",
    b"\x1b[F",
    b"?",
    b":",
    b"/",
]
NOT_SENT = {0x11, 0x1A, 0x1C, 0x1B}
"""``^q`` leaves, ``^z`` is a step of its own, ``^\\`` is no key of a program, and Escape is among
the frequent ones."""
CONTROLS = [bytes([n]) for n in range(32) if n not in NOT_SENT]
LETTERS = [bytes([n]) for n in range(32, 127)]
OTHERS = [
    *(text.encode() for text in ("é", "漢", "🙂", "e\u0301", "\u202e", "\ufeff", "\U000e0041")),
    *(f"\x1bO{c}".encode() for c in "PQRS"),
    *(f"\x1b[{n}~".encode() for n in (2, 3, 15, 17, 18, 19, 20, 21, 23, 24)),
    *(f"\x1b[1;{m}{c}".encode() for m in (2, 3, 5, 6) for c in "ABCDHF"),
    *(b"\x1b" + bytes([n]) for n in range(97, 123)),
    b"\x1b[97u",
    b"\x1b[97;5u",
    b"\x1b[57441u",
    b"\x1b[I",
    b"\x1b[O",
]
WAYS = (
    (b"g", b"a", b"\x1b[F\r", b"\r"),
    (b"g", b"\x1b[B\r", b"\r"),
    (b"r", b"\r"),
    (b"e", b"text of a person", b"\x13"),
    (b"n", b"a topic", b"\r"),
    (b"s", b"\r"),
    (b"/", b"reason", b"\r"),
    (b"/", b"1/+1", b"\r"),
    (b":", b"note: a private", b"\r", b"a note", b"\r"),
    (b"c", b"\x1b[B\r"),
    (b"x", b"\r"),
    (b"u", b"u", b"u"),
    (b"q", b"\x1b[B\r"),
    (b"A", b"\r"),
    (b"h", b"\x1b[B", b"\r"),
    (b":", b"settings", b"\r", b"\x1b[B", b"\r"),
    (b":", b"cost", b"\r", b"\x1b"),
)
"""Ways that a person goes, with time to read between the keys: they lead to what single keys seldom
reach."""
BROKEN = [
    b"\x1b[",
    b"\x1b]",
    b"\x1bP",
    b"\x1b[<0;",
    b"\x1b[<0;5M",
    b"\x1b[<0;99999;99999M",
    b"\x1b[<0;99999999999999999999;1M",
    b"\x1b[<64;0;0m",
    b"\x1b[M",
    b"\x1b[M\x20\x20\x20",
    b"\xff",
    b"\xc3",
    b"\xe6\xbc",
    b"\xed\xa0\x80",
    b"\x80\x81",
    b"\x00\x00",
    b"\x9b31m",
    b"\x1b[?2026;0$y",
    b"\x1b[1;1R",
    b"\x1b[99999999u",
    b"\x1b[1114112u",
    b"\x1b[97;999999u",
    b"\x1b[::;u",
    b"\x1b[48;0;0;0;0t",
    b"\x1b[48;36;120;0;0t",
    b"\x1b[200~",
    b"\x1b[201~",
    b"\x1b[200~\x1b[200~a\x1b[201~\x1b[201~",
    b"\x1b]52;c;" + b"A" * 200 + b"\x07",
    b"\x1b[38;5;" * 20,
    b"\x1b\x1b\x1b\x1b",
    b"\x1b[" + b"9" * 60 + b"~",
]
PASTED = [
    b"a line",
    b"two\nlines\r\nand a third\r",
    b"\x01\x02\x03\x07\x08\x0b\x0c\x0e\x7f",
    b"\x1b[31mred\x1b[0m",
    b"\x1b]0;title\x07",
    b"[bold]markup[/bold] [/]",
    "漢字 \u202egnirts\u202c 🙂".encode() * 20,
    b"x" * 5000,
    b"\n" * 300,
    b"/no/such/file.pdf",
    b"10.1000/182",
    b"'quoted path.pdf' other",
    b"",
    b"\t" * 40,
]


@dataclass(frozen=True)
class Act:
    """One step: what is done, and the bytes that are sent or the sizes that are taken."""

    kind: str
    sent: tuple[bytes, ...] = ()
    sizes: tuple[tuple[int, int], ...] = ()
    pause: float = 0.0

    def __str__(self) -> str:
        return f"{self.kind} {' '.join(map(repr, self.sent or self.sizes))}"[:200]


def any_key(dice: random.Random) -> bytes:
    return dice.choice(dice.choice((OFTEN, OFTEN, LETTERS, LETTERS, CONTROLS, OTHERS)))


def any_size(dice: random.Random) -> tuple[int, int]:
    return (
        dice.choice(SIZES) if dice.random() < 0.6 else (dice.randint(1, 200), dice.randint(1, 60))
    )


def mouse(dice: random.Random) -> bytes:
    """A click, a drag, a wheel or a move, by the sequences of today's terminals."""
    x, y = dice.randint(1, dice.choice((60, 120, 200))), dice.randint(1, dice.choice((16, 36, 60)))
    button = dice.choice((0, 0, 0, 1, 2)) + dice.choice((0, 0, 0, 4, 8, 16))
    kind = dice.choice(("click", "click", "double", "drag", "wheel", "move"))
    at = f"{x};{y}"
    if kind in ("click", "double"):
        return f"\x1b[<{button};{at}M\x1b[<{button};{at}m".encode() * (1 + (kind == "double"))
    if kind == "drag":
        return f"\x1b[<0;{at}M\x1b[<32;{x + 9};{y + 3}M\x1b[<0;{x + 9};{y + 3}m".encode()
    return (
        f"\x1b[<{dice.choice((64, 65, 66, 67)) if kind == 'wheel' else 35};{at}M".encode()
        * dice.randint(1, 6)
    )


def any_act(dice: random.Random) -> Act:
    """The next step. It hangs on the dice alone, so that a seed and a number of steps tell all that
    was sent."""
    kind, pause = dice.random(), dice.choice((0.0, 0.0, 0.01, 0.05, 0.2))
    if kind < 0.25:
        return Act("key", (any_key(dice),), pause=pause)
    if kind < 0.50:
        return Act(
            "burst", (b"".join(any_key(dice) for _ in range(dice.randint(2, 30))),), pause=pause
        )
    if kind < 0.62:
        return Act(
            "size",
            sizes=tuple(any_size(dice) for _ in range(dice.choice((1, 1, 1, 5)))),
            pause=pause,
        )
    if kind < 0.74:
        return Act("way", dice.choice(WAYS), pause=0.35)
    if kind < 0.84:
        return Act("mouse", (mouse(dice),), pause=pause)
    if kind < 0.91:
        return Act("paste", (b"\x1b[200~" + dice.choice(PASTED) + b"\x1b[201~",), pause=pause)
    if kind < 0.97:
        return Act("broken", (dice.choice(BROKEN),), pause=pause)
    return Act("sleep", (b"\x1a",)) if kind < 0.99 else Act("stop")


def acts(seed: int) -> Iterator[Act]:
    dice = random.Random(seed)
    while True:
        yield any_act(dice)


@dataclass
class Fuzzed:
    """What came of one seed."""

    seed: int
    steps: int = 0
    sent: int = 0
    starts: int = 0
    left: int = 0
    answers: list[float] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    sessions: int = 0

    @property
    def fine(self) -> bool:
        return not (self.ends or self.hangs or self.told or self.damaged)


class Gone(Exception):
    """The app is over, or hangs."""


class Fuzz:
    """One seed over one home."""

    def __init__(self, seed: int, home: Path, say: Callable[[str], None] = print) -> None:
        self.found, self._home, self._say = Fuzzed(seed), home, say
        self._recent: deque[str] = deque(maxlen=RECENT)
        self._begun = time.monotonic()
        self._size = FIRST_SIZE
        self._terminal: Terminal | None = None
        (home / "work").mkdir(exist_ok=True)
        self._stacks = home / "stacks"
        self._env = environment(
            home, EDITOR="true", VISUAL="true", BROWSER="true", FUZZ_STACKS=str(self._stacks)
        )

    def run(self, steps: int | None, until: float | None) -> Fuzzed:
        """So many steps, or until a time of the monotonic clock. What is found is printed at
        once."""
        for act in acts(self.found.seed):
            if (steps is not None and self.found.steps >= steps) or (
                until is not None and time.monotonic() > until
            ):
                break
            self.found.steps += 1
            self._recent.append(
                f"{time.monotonic() - self._begun:8.2f} s {self._size[0]:3}x{self._size[1]:<3} {act}"
            )
            with contextlib.suppress(Gone):
                self._take(act)
        self._leave()
        self._verify()
        return self.found

    # -- one step

    def _take(self, act: Act) -> None:
        there = self._terminal or self._begin()
        if act.kind == "stop":
            there.signal(signal.SIGTSTP)
        for size in act.sizes:
            self._resize(*size)
            time.sleep(0.005)
        for piece in act.sent:
            self._send(piece)
            time.sleep(act.pause)
        if not act.sent:
            time.sleep(act.pause)
        if act.kind in ("sleep", "stop"):
            time.sleep(0.2)
        if act.kind in ("sleep", "stop") or self.found.steps % ANSWERS_EVERY == 0:
            self._ask()
        self._look()
        del there.chunks[:-OUTPUT_KEPT]

    def _begin(self) -> Terminal:
        """The app in another state."""
        start = random.Random(f"{self.found.seed} {self.found.starts}").choice(STARTS)
        self.found.starts += 1
        self._size = FIRST_SIZE
        there = Terminal(
            [sys.executable, "-c", START, *start], self._env, self._size, self._home / "work"
        )
        os.set_blocking(there.master, False)
        self._terminal = there
        self._wait(
            lambda: ENTER_SCREEN in there.output and FRAME_END in there.output,
            f"its first frame, begun with {start}",
        )
        return there

    def _resize(self, width: int, height: int) -> None:
        assert self._terminal is not None
        self._size = width, height
        self._terminal.resize(width, height)

    def _send(self, piece: bytes) -> None:
        """Bytes to the app, as fast as it takes them."""
        assert self._terminal is not None
        there, left = self._terminal, piece

        def gone() -> bool:
            nonlocal left
            if left and select.select([], [there.master], [], 0.05)[1]:
                with contextlib.suppress(BlockingIOError):
                    left = left[os.write(there.master, left) :]
            return not left

        self._wait(gone, "the bytes to be taken")
        self.found.sent += len(piece)

    def _ask(self) -> None:
        """A known key, at a size at which it shows: Escape and the end of a paste first, for
        whatever was begun and not ended."""
        assert self._terminal is not None
        there, asked, again, between = self._terminal, time.monotonic(), 0.0, 1.0
        there.chunks.clear()
        if there.stopped:
            there.signal(signal.SIGCONT)
        self._resize(120, 36)

        def answered() -> bool:
            """A sheet drops keys pressed before anyone could read it, so the key comes again, ever
            more seldom: asking is work as well."""
            nonlocal again, between
            if there.stopped:
                there.signal(signal.SIGCONT)
                time.sleep(0.05)
            elif time.monotonic() > again:
                again, between = time.monotonic() + between, between * 1.5
                with contextlib.suppress(BlockingIOError, OSError):
                    os.write(there.master, b"\x1b[201~\x1b")
                    time.sleep(0.15)
                    os.write(there.master, QUESTION)
            return there.shows(ANSWER)

        self._wait(answered, "the answer to a known key")
        self.found.answers.append(time.monotonic() - asked)
        self._send(b"\x1b")
        time.sleep(0.15)

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for the app by its own processor time. Raises Gone where it is over or hangs."""
        assert self._terminal is not None
        there, begun, worked = (
            self._terminal,
            time.monotonic(),
            processor_seconds(self._terminal.pid),
        )
        idle_since, idle_at = begun, worked
        while not holds():
            if there.ended():
                self._over()
            now, used = time.monotonic(), processor_seconds(there.pid)
            if used - idle_at > 0.5:
                idle_since, idle_at = now, used
            if used - worked > BUSY_S or now - idle_since > IDLE_S or now - begun > LONGEST_S:
                self._hangs(
                    f"{what} did not come in {now - begun:.0f} s, {used - worked:.1f} s of them at work"
                )
            time.sleep(0.01)

    # -- what is found

    def _look(self) -> None:
        """Whether the app is over, or tells an error that nobody expected."""
        assert self._terminal is not None
        if self._terminal.ended():
            self._over()
        if TOLD.search(words(self._terminal.output)):
            self._note(
                self.found.told, "told an unexpected error", words(self._terminal.output)[-3000:]
            )
            self._terminal.chunks.clear()

    def _over(self) -> None:
        assert self._terminal is not None
        time.sleep(0.2)  # for the last words to be read
        code, last = self._terminal.status, words(self._terminal.output)
        back = self._terminal.output.rpartition(LEAVE_SCREEN)
        late = (
            code == -signal.SIGINT and bool(back[1]) and ENTER_SCREEN not in back[2]
        )  # Python itself was on its way out
        if (code in LEFT or late) and "Traceback" not in last and "Unexpected" not in last:
            self.found.left += 1
        else:
            self._note(self.found.ends, f"ended with {code}", last[-6000:])
        self._close()
        raise Gone

    def _hangs(self, how: str) -> None:
        assert self._terminal is not None
        before = words(self._terminal.output)[-1500:]
        for _ in range(SAMPLES):
            self._terminal.signal(signal.SIGUSR1)
            time.sleep(0.5)
        stacks = self._stacks.read_text("utf-8", "replace")
        self._note(
            self.found.hangs, f"{how}, at {self._size[0]}x{self._size[1]}", f"{before}\n{stacks}"
        )
        self._close()
        raise Gone

    def _note(self, where: list[str], what: str, shown: str) -> None:
        found = self.found
        where.append(what)
        before = "\n".join(f"    {step}" for step in self._recent)
        log = self._home / "cache" / "coi.log"
        kept = log.read_text("utf-8", "replace")[-3000:] if log.exists() else ""
        self._say(
            f"seed {found.seed}, step {found.steps}: {what}\n  the last steps:\n{before}\n  shown at the end:\n{shown}\n"
            f"  the end of the log:\n{kept}\n"
            f"  again: python -m benchmarks.terminal_fuzz --replay {found.seed} --steps {found.steps}"
        )

    def _close(self) -> None:
        if self._terminal is not None:
            self._terminal.kill()
            self._terminal.hang_up()
            self._terminal = None

    def _leave(self) -> None:
        """Leave as a person does."""
        if self._terminal is None:
            return
        with contextlib.suppress(Gone):
            self._ask()
            self._send(LEAVE)
            self._wait(lambda: False, "the end after ^q")

    def _verify(self) -> None:
        """Every session of the home must be intact."""
        for file in sorted((self._home / "data" / "sessions").glob("*.coi.db")):
            self.found.sessions += 1
            ran = coi(self._env, "verify", file.name.removesuffix(".coi.db"))
            if ran.code:
                self._note(self.found.damaged, f"{file.name} is not intact", ran.out + ran.err)


def processor_seconds(pid: int) -> float:
    """The processor time of a process so far; of one that is gone the same as of one that did
    nothing."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


async def _make_home(folder: Path) -> None:
    from coi_tui.config import Keys, Settings
    from coi_tui.session.environment import Environment
    from coi_tui.session.session import Session

    await make_seed(folder)
    await add_scipip(folder)
    await add_nova(folder)
    with Session.create(
        "half", TOPIC, Environment(paths_in(folder), Settings(), Keys()), offline=True
    ) as session:
        await session.runs.run(session.planner.to_stage("chains"))


def make_home(folder: Path) -> Path:
    """A finished session with all three methods and a half run one, offline."""
    asyncio.run(_make_home(folder))
    return folder


def fuzz(
    seed: int, made: Path, *, steps: int | None = None, seconds: float | None = None
) -> Fuzzed:
    """One seed over a copy of a home that was made."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(made, home, dirs_exist_ok=True)
        run = Fuzz(seed, home)
        try:
            return run.run(steps, None if seconds is None else time.monotonic() + seconds)
        finally:
            run._close()


HEAD = (
    "seed",
    "steps",
    "bytes",
    "starts",
    "left",
    "answers",
    "longest s",
    "ends",
    "hangs",
    "told",
    "sessions",
    "not intact",
)


def row(found: Fuzzed) -> tuple[object, ...]:
    return (
        found.seed,
        found.steps,
        found.sent,
        found.starts,
        found.left,
        len(found.answers),
        f"{max(found.answers, default=0):.1f}",
        len(found.ends),
        len(found.hangs),
        len(found.told),
        found.sessions,
        len(found.damaged),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.terminal_fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0, help="of all seeds together")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--replay", type=int, metavar="SEED", help="only this seed")
    parser.add_argument("--steps", type=int, help="so many steps instead of a time")
    args = parser.parse_args()
    seeds = (
        [args.replay]
        if args.replay is not None
        else list(range(args.first, args.first + args.seeds))
    )
    seconds = None if args.steps is not None else args.minutes * 60 / len(seeds)
    with tempfile.TemporaryDirectory() as folder:
        made = make_home(Path(folder))
        found = []
        for seed in seeds:
            found.append(fuzz(seed, made, steps=args.steps, seconds=seconds))
            print(table([row(found[-1])], HEAD), flush=True)
    print(table([row(one) for one in found], HEAD))
    print("Fine." if all(one.fine for one in found) else "NOT fine.")
    sys.exit(not all(one.fine for one in found))


if __name__ == "__main__":
    main()
