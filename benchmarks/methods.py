"""``python -m benchmarks.methods``: the methods beside Chain of Ideas as real processes against loopback services, the worst of all topics.

Each runs from nothing and from a session that Chain of Ideas has made: the time from the first request to the last answer against the
longest chain of calls that wait for each other (the process, which starts Python and opens the session, is timed beside it), requests sent
twice, papers read twice (two readings of one title, whatever else was sent), calls and requests against the plan that is shown before.
Then each is killed (``kill -9``) at drawn moments and resumed: nothing that was answered may be asked again. One run after the other, so
that none slows another.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.coi_process import coi, environment, opened, start, table
from benchmarks.critical_path import longest_chain
from benchmarks.kills import rows_of, sent_again
from benchmarks.standins import (
    BENCH,
    Entry,
    Latency,
    Settings,
    StandInProcess,
    make_corpus,
    repeated,
    select,
)
from coi_tui.config import Keys
from coi_tui.config import Settings as OwnSettings
from coi_tui.engine.steps import Scope
from coi_tui.methods.registry import spec_of
from coi_tui.paths import Paths, paths
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session

SETTINGS: dict[str, dict[str, int]] = {
    "scipip": {},
    "nova": {"steps": 2},
    "imitate": {},
    "virsci": {"turns": 3},
}
"""What is set beside the defaults: SciPIP in mode C; Nova with 4 seeds, 3 new ones each and 2 steps; Imitate-and-Evolve with a plan of
6 steps and a round of review."""
LETTER = {"scipip": "S1", "nova": "N1", "imitate": "E1", "virsci": "V1"}
UNTIL = "ideas"
COLUMNS = (
    "case",
    "process s",
    "calls s",
    "chain",
    "chain s",
    "ratio",
    "calls",
    "planned",
    "requests",
    "planned",
    "twice",
    "read twice",
    "exit",
)


@dataclass(frozen=True)
class Measured:
    """What one run came to. ``seconds``: first request to last answer. ``planned``: least and most calls and requests by the plan."""

    case: str
    process: float
    seconds: float
    chain: int
    chain_seconds: float
    calls: int
    requests: int
    planned: tuple[tuple[int, int], tuple[int, int]]
    twice: int
    read_twice: int
    code: int

    @property
    def ratio(self) -> float:
        return self.seconds / self.chain_seconds

    @property
    def fine(self) -> bool:
        (least, most), (fewest, highest) = self.planned
        kept = least <= self.calls <= most and fewest <= self.requests <= highest
        return kept and self.ratio <= 1.1 and not (self.twice or self.read_twice or self.code)

    def row(self) -> tuple[str, ...]:
        calls, requests = ("-".join(map(str, bounds)) for bounds in self.planned)
        return (
            self.case,
            f"{self.process:.2f}",
            f"{self.seconds:.2f}",
            str(self.chain),
            f"{self.chain_seconds:.2f}",
            f"{self.ratio:.3f}",
            str(self.calls),
            calls,
            str(self.requests),
            requests,
            str(self.twice),
            str(self.read_twice),
            str(self.code),
        )


def measure(
    method: str, topic: str, home: Path, latency: Latency, *, after_chains: bool
) -> Measured:
    """One run, on fresh services; with ``after_chains`` in a session that Chain of Ideas has made up to its ideas."""
    with StandInProcess(Settings(latency=latency), home / "server.jsonl") as pair:
        env = _environment(method, home, pair)
        if after_chains:
            _make_chains(env, topic)
        planned = _planned(method, topic, home, after_chains=after_chains)
        before, since = len(pair.entries()), _length(home)
        ran = coi(env, *_command(method, topic, after_chains=after_chains))
        entries = pair.entries()
    with opened(home, "run") as session:
        chain = longest_chain(
            session.state, session.core.decision_log(), session.core.file.calls(), since=since
        )
    new = entries[before:]
    return Measured(
        _case(method, topic, after_chains=after_chains),
        ran.seconds,
        _span(new),
        chain.chats,
        chain.seconds,
        len(select(new, "chat", "chat")),
        len(select(new, "s2")),
        planned,
        len(repeated(entries)),
        _read_twice(entries),
        ran.code,
    )


def _span(entries: Sequence[Entry]) -> float:
    """Seconds from the first request of a run to its last answer."""
    return max(entry.finished or entry.arrived for entry in entries) - min(
        entry.arrived for entry in entries
    )


def _read_twice(entries: Sequence[Entry]) -> int:
    """Papers that the server was asked to read more than once. Runs whose readings cannot be told by their titles are refused."""
    read = [entry.note.get("paper") for entry in entries if entry.note.get("schema") == "Card"]
    assert all(read), "a reading shows no title"
    return sum(number > 1 for number in Counter(read).values())


def _environment(method: str, home: Path, pair: StandInProcess) -> dict[str, str]:
    """A home in which the method's settings are as they are measured."""
    env = environment(home, pair)
    for name, value in SETTINGS[method].items():
        assert coi(env, "config", "set", f"{method}.{name}", str(value)).code == 0
    return env


def _command(method: str, topic: str, *, after_chains: bool) -> list[str]:
    if after_chains:
        return ["resume", "run", "--method", method, "--yes", "--until", UNTIL]
    return ["run", topic, "--method", method, "--name", "run", "--yes", "--until", UNTIL]


def _case(method: str, topic: str, *, after_chains: bool) -> str:
    return f"{method} {'after chains' if after_chains else 'from nothing'}: {topic[:28]}"


def _make_chains(env: Mapping[str, str], topic: str) -> None:
    """A session that Chain of Ideas has made up to its ideas."""
    done = coi(
        env,
        "run",
        topic,
        "--name",
        "run",
        "--branches",
        "3",
        "--length",
        "5",
        "--drafts",
        "1",
        "--yes",
        "--until",
        "ideas",
    )
    assert done.code == 0, done.err


def _length(home: Path) -> int:
    """Entries in the log so far."""
    return max((seq for seq, _ in rows_of(home / "data" / "sessions" / "run.coi.db")), default=0)


def _planned(
    method: str, topic: str, home: Path, *, after_chains: bool
) -> tuple[tuple[int, int], tuple[int, int]]:
    """The calls and requests that the plan counts before the run, of a session beside the one that runs."""
    with tempfile.TemporaryDirectory() as folder:
        beside = paths({"COI_HOME": folder})
        with _beside(method, topic, home, beside, after_chains=after_chains) as session:
            plan = session.planner.to_stage(UNTIL, Scope(instance=LETTER[method]))
    return plan.calls, _searches(plan)


def _beside(method: str, topic: str, home: Path, beside: Paths, *, after_chains: bool) -> Session:
    if not after_chains:
        spec = spec_of(method)
        bounds = spec.settings.model_validate(SETTINGS[method])
        return Session.create(
            "run",
            topic,
            paths=beside,
            settings=OwnSettings(),
            keys=Keys(),
            method=spec.name,
            bounds=bounds,
        )
    beside.sessions.mkdir(parents=True, exist_ok=True)
    shutil.copy(home / "data" / "sessions" / "run.coi.db", beside.sessions / "run.coi.db")
    session = Session.open("run", paths=beside, settings=OwnSettings(), keys=Keys())
    session.decisions.add_method(spec_of(method).name, SETTINGS[method])
    return session


def _searches(plan: Plan) -> tuple[int, int]:
    found = [line.cost.searches for line in plan.lines if not line.off]
    return (sum(least for least, _ in found), sum(most for _, most in found))


# -- kills ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Killed:
    """A run that was killed and resumed."""

    case: str
    moment: float
    before: int
    in_flight: int
    again: int
    wrongly: tuple[str, ...]
    lost: int
    code: int

    def row(self) -> tuple[str, ...]:
        said = (
            f"{self.moment:.2f}",
            self.before,
            self.in_flight,
            self.again,
            len(self.wrongly),
            self.lost,
            self.code,
        )
        return (self.case, *map(str, said))


def kill(
    method: str, topic: str, moment: float, home: Path, latency: Latency, *, after_chains: bool
) -> Killed:
    """A run, killed ``moment`` seconds after its start, and resumed to the same stage."""
    with StandInProcess(Settings(latency=latency), home / "server.jsonl") as pair:
        env = _environment(method, home, pair)
        if after_chains:
            _make_chains(env, topic)
        process = start(env, *_command(method, topic, after_chains=after_chains))
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        when, file = time.time(), home / "data" / "sessions" / "run.coi.db"
        before = rows_of(file)
        known = (
            _command(method, topic, after_chains=True)
            if after_chains
            else ["resume", "run", "--yes", "--until", UNTIL]
        )
        resumed = coi(env, *(known if before else _command(method, topic, after_chains=False)))
        entries: Sequence[Entry] = pair.entries()
    after = dict(rows_of(file))
    in_flight, again, wrongly = sent_again(list(entries), when)
    lost = sum(after.get(seq) != text for seq, text in before)
    count = sum(e.arrived <= when for e in entries)
    return Killed(
        _case(method, topic, after_chains=after_chains),
        moment,
        count,
        in_flight,
        again,
        tuple(wrongly),
        lost,
        resumed.code,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.methods", description=__doc__)
    parser.add_argument(
        "--method",
        choices=sorted(LETTER),
        action="append",
        help="only this one (may be given twice)",
    )
    parser.add_argument("--topics", type=int, default=3, metavar="N", help="the first N topics")
    parser.add_argument(
        "--kills",
        type=int,
        default=2,
        metavar="N",
        help="kills a topic, in turn from nothing and after chains",
    )
    parser.add_argument("--chat", type=float, default=BENCH.chat, help="seconds a chat call takes")
    args = parser.parse_args()
    latency = replace(BENCH, chat=args.chat)
    topics, dice = list(make_corpus().topics)[: args.topics], random.Random(1)
    for method in args.method or sorted(LETTER):
        found, killed = [], []
        for topic in topics:
            for after_chains in (False, True):
                with tempfile.TemporaryDirectory() as home:
                    found.append(
                        measure(method, topic, Path(home), latency, after_chains=after_chains)
                    )
            for n in range(args.kills):
                with tempfile.TemporaryDirectory() as home:
                    moment, after_chains = dice.uniform(0.5, found[-2].process - 0.2), n % 2 == 1
                    killed.append(
                        kill(method, topic, moment, Path(home), latency, after_chains=after_chains)
                    )
        print(table([one.row() for one in found], COLUMNS))
        print(
            f"worst ratio {max(one.ratio for one in found):.3f}; {sum(one.fine for one in found)} of {len(found)} within all limits\n"
        )
        print(
            table(
                [one.row() for one in killed],
                (
                    "kill",
                    "at s",
                    "requests before",
                    "in flight",
                    "again",
                    "wrongly",
                    "lost",
                    "exit",
                ),
            )
        )
        wrong, lost = sum(len(one.wrongly) for one in killed), sum(one.lost for one in killed)
        print(
            f"{wrong} answered requests sent again, {lost} log entries lost in {len(killed)} kills\n"
        )


if __name__ == "__main__":
    main()
