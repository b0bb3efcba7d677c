"""``python -m benchmarks.kills``: ``kill -9`` at random moments of a run, then ``coi resume``;
checked against the server's own log.

The run finishes, only calls in flight at the kill are sent again, no decision is lost. Every second
time the library file is deleted between kill and resume. The moments are drawn with a seed over the
length of an undisturbed run.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.coi_process import coi, environment, start, table
from tests.support.standins import (
    BENCH,
    Entry,
    Hold,
    Latency,
    Settings,
    StandInProcess,
    make_corpus,
)
from tests.support.standins.request_log import ABOUT, ANSWERED

SLACK_S = 0.05
"""A call answered this shortly before the kill may not have been committed yet."""
KEPT_WITHIN_S = 60.0
"""How long to wait for the last answer to be kept, on any machine, before that counts as an
error."""


@dataclass
class Killed:
    """What came of one kill."""

    number: int
    topic: str
    moment: float
    calls_before: int = 0
    in_flight: int = 0
    again: int = 0
    wrongly_again: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    library: str = "kept"
    code: int = 0
    sound: bool = True
    words: str = ""

    @property
    def fine(self) -> bool:
        return self.code == 0 and self.sound and not self.wrongly_again and not self.lost


def read_copy(file: Path, query: str) -> list[tuple[object, ...]]:
    """What a session file holds as it is on disk; nothing where there is none. A copy is read, so
    that nothing is changed."""
    if not file.exists():
        return []
    with tempfile.TemporaryDirectory() as folder:
        for tail in ("", "-wal"):
            part = file.with_name(file.name + tail)
            if part.exists():
                (Path(folder) / f"copy{tail}").write_bytes(part.read_bytes())
        connection = sqlite3.connect(Path(folder) / "copy")
        try:
            return connection.execute(query).fetchall()
        except sqlite3.DatabaseError:  # copied in the middle of a write: nothing can be said
            return []
        finally:
            connection.close()


def rows_of(file: Path) -> list[tuple[int, str]]:
    """The log of a session file as it is on disk."""
    return [
        (int(str(seq)), str(text))
        for seq, text in read_copy(file, "SELECT seq, json FROM log ORDER BY seq")
    ]


def sent_again(
    entries: list[Entry], when: float, slack: float = SLACK_S
) -> tuple[int, int, list[str]]:
    """Requests in flight at a time, later ones that had been sent before it, and those of these
    that had already been answered."""
    before = [e for e in entries if e.arrived <= when]
    answered = {e.hash for e in before if e.good and not e.in_flight(when, slack)}
    sent = {e.hash for e in before}
    again = [e for e in entries if e.arrived > when and e.hash in sent and e.path not in ABOUT]
    latest = {e.hash: e.finished for e in before if e.finished is not None}
    wrongly = [
        f"{_name_of(e)}, answered {when - latest[e.hash]:.2f} s before"
        for e in again
        if e.hash in answered
    ]
    return sum(e.in_flight(when) for e in before), len(again), wrongly


def _name_of(entry: Entry) -> str:
    return f"{entry.kind} {entry.note.get('schema') or entry.path.rpartition('/')[2]}"


def kill_once(
    number: int, topic: str, moment: float, latency: Latency, *, delete_library: bool
) -> Killed:
    """One run, killed ``moment`` seconds after its start and resumed."""
    found = Killed(number, topic, moment)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with StandInProcess(Settings(latency=latency), home / "server.jsonl") as pair:
            process = start(environment(home, pair), "run", topic, "--name", "run", "--yes")
            with suppress(subprocess.TimeoutExpired):
                process.wait(moment)
                found.words = "the run was over before the kill"
            when = time.time()
            process.kill()
            process.communicate()
            resume_after(found, pair, home, when, SLACK_S, delete_library=delete_library)
    return found


def kill_when_held(number: int, topic: str, after: int, *, delete_library: bool) -> Killed:
    """One run, killed when every answer to its first ``after`` requests is kept and the others are
    held back, then resumed.

    No moment counts here, so that the finding does not depend on how fast the machine is.
    """
    found = Killed(number, topic, 0.0)
    with tempfile.TemporaryDirectory() as folder:
        home, hold = Path(folder), Path(folder) / "hold"
        hold.touch()
        settings = Settings(hold=Hold(str(hold), after))
        with StandInProcess(settings, home / "server.jsonl") as pair:
            process = start(environment(home, pair), "run", topic, "--name", "run", "--yes")
            found.words = _wait_until_kept(process, pair, home, after)
            when = time.time()
            process.kill()
            process.communicate()
            hold.unlink()
            resume_after(found, pair, home, when, 0.0, delete_library=delete_library)
    return found


def _wait_until_kept(
    process: subprocess.Popen[str], pair: StandInProcess, home: Path, after: int
) -> str:
    """Wait until all answers are in the session file; what is wrong where that does not come about,
    else nothing."""
    deadline, wanted, kept = time.monotonic() + KEPT_WITHIN_S, 0, 0
    while time.monotonic() < deadline and process.poll() is None:
        entries = pair.entries()
        answered = [entry for entry in entries if entry.state == ANSWERED]
        wanted = sum(entry.kind != "embeddings" and entry.path not in ABOUT for entry in answered)
        kept = _kept(home)
        if len(entries) > after and len(answered) == after and kept == wanted:
            return ""
        time.sleep(0.05)
    return f"of {wanted} answers {kept} were kept"


def _kept(home: Path) -> int:
    """Answers in the session file; those about vectors aside, of which the file holds one for
    several requests, or none."""
    return sum(
        kind in ("chat", "http")
        for (kind,) in read_copy(
            session_file(home), "SELECT json_extract(json, '$.kind') FROM calls"
        )
    )


def session_file(home: Path) -> Path:
    return home / "data" / "sessions" / "run.coi.db"


def resume_after(
    found: Killed,
    pair: StandInProcess,
    home: Path,
    when: float,
    slack: float = SLACK_S,
    *,
    delete_library: bool,
) -> None:
    """Go on after the kill, and note what came of it."""
    env, file = environment(home, pair), session_file(home)
    before = rows_of(file)
    if delete_library:
        found.library = delete(home / "data" / "library.db")
    if before:
        resumed = coi(env, "resume", "run", "--yes")
    # killed before the session file had its name: there is nothing to resume, and nothing is lost
    else:
        found.words = "killed before the session existed; run again"
        file.unlink(missing_ok=True)
        resumed = coi(env, "run", found.topic, "--name", "run", "--yes")
    found.code, entries = resumed.code, pair.entries()
    found.sound = coi(env, "verify", "run").code == 0
    found.calls_before = sum(e.arrived <= when for e in entries)
    found.in_flight, found.again, found.wrongly_again = sent_again(entries, when, slack)
    after = dict(rows_of(file))
    found.lost = [f"entry {seq}" for seq, text in before if after.get(seq) != text]
    if found.code:
        found.words = (
            resumed.err.strip().splitlines()[-1][:100] if resumed.err.strip() else "no word"
        )


def delete(library: Path) -> str:
    """Delete the library file with what SQLite keeps beside it; in a word, what was done."""
    existed = library.exists()
    for tail in ("", "-wal", "-shm", "-journal"):
        library.with_name(library.name + tail).unlink(missing_ok=True)
    return "deleted" if existed else "not there"


def length_of(topic: str, latency: Latency) -> float:
    """Seconds of an undisturbed run."""
    with tempfile.TemporaryDirectory() as folder, StandInProcess(Settings(latency=latency)) as pair:
        return coi(environment(Path(folder), pair), "run", topic, "--name", "run", "--yes").seconds


def kills(
    count: int, seed: int, latency: Latency, topics: list[str], parallel: int
) -> list[Killed]:
    """``count`` kills at moments drawn with ``seed``, over the topics in turn."""
    whole = length_of(topics[0], latency)
    dice = random.Random(seed)
    plan = [(n, topics[n % len(topics)], dice.uniform(0.2, whole - 0.1)) for n in range(count)]
    with ThreadPoolExecutor(parallel) as pool:
        jobs = [
            pool.submit(kill_once, n, topic, at, latency, delete_library=n % 2 == 1)
            for n, topic, at in plan
        ]
        return [job.result() for job in jobs]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills", description=__doc__)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--chat", type=float, default=BENCH.chat, help="seconds a chat call takes")
    parser.add_argument(
        "--other", type=float, default=BENCH.other, help="seconds any other call takes"
    )
    args = parser.parse_args()
    latency = Latency(args.chat, args.other, args.other, args.other, args.other)
    found = kills(args.count, args.seed, latency, list(make_corpus().topics), args.parallel)
    print(
        table(
            [
                (
                    f"{k.number} {k.topic[:32]}",
                    f"{k.moment:.2f}",
                    k.calls_before,
                    k.in_flight,
                    k.again,
                    len(k.wrongly_again),
                    len(k.lost),
                    k.library,
                    k.code,
                    "yes" if k.sound else "NO",
                    k.words or " ".join(k.wrongly_again),
                )
                for k in found
            ],
            (
                "kill",
                "at s",
                "requests before",
                "in flight",
                "sent again",
                "wrongly",
                "entries lost",
                "library",
                "exit",
                "sound",
                "remarks",
            ),
        )
    )
    print(
        f"{sum(k.fine for k in found)} of {len(found)} finished with nothing lost and nothing paid twice;"
        f" {sum(len(k.wrongly_again) for k in found)} finished calls sent again, {sum(len(k.lost) for k in found)} log entries lost,"
        f" library file deleted {sum(k.library == 'deleted' for k in found)} times"
    )


if __name__ == "__main__":
    main()
