"""``python -m benchmarks.kill_actions``: ``kill -9`` in the middle of what a person does: decide,
edit, undo, export, type, watch a stream.

(``benchmarks.kills`` kills whole runs.) Each kill works on its own copy of a finished session. What
the program had confirmed, or another reader had seen in the file, must be there afterwards; the
file must verify; the same action must be possible again; an export holds its old or its new text
and nothing between; no answer that had been received is asked for again. Moments are drawn with a
seed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks import TOPIC
from benchmarks.kills import Killed, resume_after, rows_of, session_file
from tests.support import terminal
from tests.support.coi_process import Ran, coi, command, environment, start, table
from tests.support.standins import BENCH, ChatOptions, Settings, StandInProcess, make_corpus

CONFIRMED = ("Done", "Undone", "Saved", "kept")
OLD_EXPORT = "what stood here before\n"
EARLY = 0.35
"""Most of a command is the start of Python; kills are drawn from this share of its length on."""


@dataclass
class Found:
    """What came of the kills of one kind of action."""

    kind: str
    kills: int = 0
    in_the_middle: int = 0
    """The process still ran when it was killed."""
    confirmed: int = 0
    """Confirmations and log entries that were there before the kill."""
    lost: list[str] = field(default_factory=list)
    unsound: int = 0
    again_failed: list[str] = field(default_factory=list)
    half_written: int = 0
    paid_twice: int = 0
    remarks: list[str] = field(default_factory=list)

    @property
    def fine(self) -> bool:
        return not (
            self.lost or self.unsound or self.again_failed or self.half_written or self.paid_twice
        )

    def add(self, other: Found) -> None:
        self.kills += other.kills
        self.in_the_middle += other.in_the_middle
        self.confirmed += other.confirmed
        self.lost += other.lost
        self.unsound += other.unsound
        self.again_failed += other.again_failed
        self.half_written += other.half_written
        self.paid_twice += other.paid_twice


@dataclass(frozen=True)
class Action:
    """A command line on the session ``run``; ``prepare`` comes before it, ``text`` is a file that
    it reads."""

    kind: str
    arguments: tuple[str, ...]
    prepare: tuple[str, ...] = ()


DECIDE = Action("decide", ("decide", "run", "1/idea", "accept", "--reason", "it is the clearest"))
UNDO = Action("undo", ("undo", "run"), DECIDE.arguments)
EDIT = Action(
    "edit", ("edit", "run", "1/dir", "--file", "{home}/mine.txt", "--reason", "in my words")
)
NOTHING_LEFT = "There is nothing to undo."
EXPORT = Action("export", ("export", "run", "--out", "{home}/proposal.md", "--overwrite"))


def finished_session(home: Path) -> None:
    """A session made offline, with all stages, that the kills work on copies of."""
    made = coi(environment(home), "run", TOPIC, "--offline", "--name", "run", "--yes")
    assert made.code == 0, made.err


def copied(base: Path, home: Path) -> Path:
    shutil.copytree(base, home, dirs_exist_ok=True)
    (home / "mine.txt").write_text(
        "Ask the model to check its own steps with a program before it answers.\n", encoding="utf-8"
    )
    (home / "proposal.md").write_text(OLD_EXPORT, encoding="utf-8")
    return home


def _filled(arguments: tuple[str, ...], home: Path) -> list[str]:
    return [argument.format(home=home) for argument in arguments]


def undisturbed(base: Path, action: Action) -> tuple[float, str]:
    """Seconds of the action where nothing kills it, and the export that it writes."""
    with tempfile.TemporaryDirectory() as folder:
        home = copied(base, Path(folder))
        if action.prepare:
            coi(environment(home), *_filled(action.prepare, home))
        ran = coi(environment(home), *_filled(action.arguments, home))
        assert ran.code == 0, ran.err
        return ran.seconds, (home / "proposal.md").read_text(encoding="utf-8")


def kill_action(base: Path, action: Action, share: float, length: float, export: str) -> Found:
    """One command, killed at a share of its usual length; what it had said and what the file held
    before must stay."""
    found = Found(action.kind, kills=1)
    with tempfile.TemporaryDirectory() as folder:
        home = copied(base, Path(folder))
        env = environment(home)
        if action.prepare:
            coi(env, *_filled(action.prepare, home))
        before = rows_of(session_file(home))
        process = start(env, *_filled(action.arguments, home))
        with suppress(subprocess.TimeoutExpired):
            process.wait(share * length)
        found.in_the_middle = process.poll() is None
        process.kill()
        said = process.communicate()[0]
        after = dict(rows_of(session_file(home)))
        found.confirmed = len(before) + (new := said.startswith(CONFIRMED))
        found.lost = [
            f"{action.kind}: entry {seq}" for seq, text in before if after.get(seq) != text
        ]
        if new and action.kind != "export" and len(after) <= len(before):
            found.lost.append(f"{action.kind}: said {said[:40]!r}")
        _look_over(found, action, home, export, said, kept=len(after) > len(before))
    return found


def _look_over(
    found: Found, action: Action, home: Path, export: str, said: str, *, kept: bool
) -> None:
    """The file verifies; an export is old or new; the same action works now, and leaves nothing
    half done behind.

    ``kept``: the killed command is in the log, whether or not it could still say so.
    """
    env = environment(home)
    found.unsound = coi(env, "verify", "run").code != 0
    written = (
        (home / "proposal.md").read_text(encoding="utf-8")
        if (home / "proposal.md").exists()
        else ""
    )
    found.half_written = written not in {OLD_EXPORT, export} or (
        action.kind == "export" and bool(said) and written != export
    )
    again = coi(env, *_filled(action.arguments, home))
    if not (_possible(again) or (kept and action is UNDO and NOTHING_LEFT in again.err)):
        found.again_failed.append(f"{action.kind}: {(again.err or again.out).strip()[-80:]}")


def _possible(again: Ran) -> bool:
    """Done now, or told in a sentence that it is done already."""
    return again.code == 0 or ("Traceback" not in again.err and "already" in again.err + again.out)


# -- in the app


NOTE = (":", "note: a private", "\r")
"""The way to the sheet of a private note."""


def kill_typing(moment: float, seed: int) -> Found:
    """The app on a new session while private notes are typed, undone and redone, killed at a moment
    that nobody waits for."""
    found, dice = Found("typing", kills=1), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        file = home / "data" / "sessions" / "demo.coi.db"
        seen: dict[int, str] = {}
        with terminal.on_new_session(home, "demo") as app:
            app.sees("Press g to choose")
            killer = threading.Timer(moment, partial(app.signal, signal.SIGKILL))
            killer.start()
            with suppress(OSError, AssertionError):  # the terminal is gone once the kill has come
                while not app.ended():
                    for keys in dice.choice((NOTE, NOTE, ("u",), ("U",), ("e",))):
                        app.type(keys)
                        time.sleep(0.3)  # a sheet drops keys pressed before anyone could read it
                    app.type("".join(dice.choices("abcdefgh ", k=dice.randint(3, 30))))
                    time.sleep(dice.choice((0.05, 0.4)))
                    app.type(dice.choice(("\r", "\r", "\x13", "\x1b")))
                    seen = dict(rows_of(file)) or seen
            killer.join()
            found.in_the_middle = app.ended() and app.status == -signal.SIGKILL
        after = dict(rows_of(file))
        found.confirmed = len(seen)
        found.lost = [
            f"typing: entry {seq}" for seq, text in seen.items() if after.get(seq) != text
        ]
        found.unsound = coi(environment(home), "verify", "demo").code != 0
        opened = coi(environment(home), "decide", "demo", "topic", "note", "after the kill")
        if opened.code:
            found.again_failed.append(f"typing: {opened.err.strip()[-80:]}")
    return found


def kill_streaming(number: int, topic: str, moment: float) -> Found:
    """The app while answers of a model stream in, killed and resumed on the command line; counted
    at the model's own log."""
    found = Found("streaming", kills=1)
    killed = Killed(number, topic, moment)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        settings = Settings(chat=ChatOptions(pause=0.01), latency=BENCH)
        with StandInProcess(settings, home / "server.jsonl") as pair:
            env = environment(home, pair)
            made = coi(env, "run", topic, "--until", "questions", "--name", "run", "--yes")
            assert made.code == 0, made.err
            services = {"OPENAI_BASE_URL": pair.chat_url, "COI_SEMANTIC_SCHOLAR_URL": pair.s2_url}
            with terminal.Terminal(
                command("--session", "run"), {**terminal.environment(home), **services}
            ) as app:
                app.sees("q sessions")
                terminal.start_run(app)
                time.sleep(moment)
                found.in_the_middle, when = not app.ended(), time.time()
                app.kill()
            found.confirmed = len(rows_of(session_file(home)))
            resume_after(killed, pair, home, when, delete_library=False)
    found.lost, found.unsound, found.paid_twice = (
        killed.lost,
        not killed.sound,
        len(killed.wrongly_again),
    )
    found.remarks = killed.wrongly_again
    if killed.code:
        found.again_failed.append(f"streaming: {killed.words}")
    return found


# -- all of them

SHARES = {"decide": 60, "edit": 40, "undo": 30, "export": 30, "typing": 30, "streaming": 30}
"""Kills of each kind out of 220; with 80 runs of ``benchmarks.kills`` they are 300."""


def jobs(base: Path, count: int, seed: int, only: str | None) -> list[Callable[[], Found]]:
    """``count`` kills over all kinds, their moments drawn with ``seed``; of ``only`` one kind its
    share alone."""
    dice, made, topics = (
        random.Random(seed),
        list[Callable[[], Found]](),
        list(make_corpus().topics),
    )
    share = count / sum(SHARES.values())
    for action in (DECIDE, EDIT, UNDO, EXPORT):
        if only not in {None, action.kind}:
            continue
        length, export = undisturbed(base, action)
        for _ in range(round(SHARES[action.kind] * share)):
            made.append(
                partial(kill_action, base, action, dice.uniform(EARLY, 1.05), length, export)
            )
    if only in {None, "typing"}:
        made += [
            partial(kill_typing, dice.uniform(0.5, 12.0), dice.randrange(10**6))
            for _ in range(round(SHARES["typing"] * share))
        ]
    if only in {None, "streaming"}:
        moments = [dice.uniform(0.2, 6.0) for _ in range(round(SHARES["streaming"] * share))]
        made += [
            partial(kill_streaming, n, topics[n % len(topics)], moment)
            for n, moment in enumerate(moments)
        ]
    return made


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill_actions", description=__doc__)
    parser.add_argument("--count", type=int, default=220)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parallel", type=int, default=3)
    parser.add_argument("--only", choices=SHARES, help="one kind of action alone")
    args = parser.parse_args()
    found = {kind: Found(kind) for kind in SHARES}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.parallel) as pool:
        base = Path(folder)
        finished_session(base)
        for one in pool.map(lambda job: job(), jobs(base, args.count, args.seed, args.only)):
            found[one.kind].add(one)
            for trouble in (*one.lost, *one.again_failed, *one.remarks):
                print(trouble, flush=True)
    print(
        table(
            [
                (
                    f.kind,
                    f.kills,
                    f.in_the_middle,
                    f.confirmed,
                    len(f.lost),
                    f.unsound,
                    f.half_written,
                    len(f.again_failed),
                    f.paid_twice,
                )
                for f in found.values()
                if f.kills
            ],
            (
                "killed in",
                "kills",
                "running",
                "confirmed",
                "lost",
                "unsound",
                "half written",
                "not possible again",
                "paid twice",
            ),
        )
    )
    whole = sum(f.kills for f in found.values())
    print(
        f"{whole} kills: {'all' if all(f.fine for f in found.values()) else 'NOT all'} without loss"
    )


if __name__ == "__main__":
    main()
