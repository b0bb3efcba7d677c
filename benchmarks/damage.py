"""Flip bits in session files and cut them, the write-ahead log too, and count what the check says:
``python -m benchmarks.damage -n 1000``.

Each case is a copy of one session, damaged in one place that a seeded random number names. A copy
is *refused* where it cannot be opened or read, *named* where ``verify`` has a finding, *unharmed*
where it is called sound and holds what was written. *Missed* must never
be: called sound, with other content than was written; nor *crashed*, ended with a traceback. Exit
code 1 where there is one of these.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from coi_tui.model.entries import Call, Decision, Failure, JobEvent, Version, meanings_of
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.store.session_file import SessionFile

TABLES = ("log", "calls", "failures", "job_events", "papers", "drafts", "ui")
OUTCOMES = ("refused", "named", "unharmed", "crashed", "missed")
FAULTS = ("crashed", "missed")
NAME = "one.coi.db"
Content = dict[str, list[tuple[object, ...]]]


@dataclass
class Tally:
    """What became of the damaged files, by kind of damage; ``missed``: the cases that must not
    be."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)

    def add(self, kind: str, outcome: str, case: str) -> None:
        self.counts.setdefault(kind, Counter())[outcome] += 1
        if outcome in FAULTS:
            self.missed.append(f"{outcome}: {case}")

    def table(self) -> str:
        head = f"{'damage':38}" + "".join(f"{word:>10}" for word in OUTCOMES)
        rows = [
            f"{kind:38}" + "".join(f"{found[word]:>10}" for word in OUTCOMES)
            for kind, found in sorted(self.counts.items())
        ]
        total: Counter[str] = sum(self.counts.values(), Counter())
        return "\n".join(
            [head, *rows, f"{'all':38}" + "".join(f"{total[word]:>10}" for word in OUTCOMES)]
        )


# -- the session that is damaged


def _text(rng: random.Random, most: int) -> str:
    words = (
        "chain",
        "claim",
        "graph",
        "method",
        "paper",
        "trend",
        "idea",
        "réseau",
        "基準",
        "limit",
    )
    return " ".join(rng.choice(words) for _ in range(rng.randrange(3, most)))


def _entries(rng: random.Random, first: int, number: int) -> list[Decision | Version]:
    out: list[Decision | Version] = []
    for seq in range(first, first + number):
        common = {"seq": seq, "time": "2026-01-01T00:00:00Z", "address": "1/idea"}
        content = {"idea": _text(rng, 300)}
        made = {
            "actor": "coi",
            "content": content,
            "meanings": meanings_of(content),
            "origin": "model",
        }
        decided = {
            "actor": "you",
            "action": "note",
            "value": {"text": _text(rng, 30)},
            "group": f"d{seq}",
            "reason": _text(rng, 20),
        }
        out.append(
            Version.model_validate({**common, **made})
            if seq % 2
            else Decision.model_validate({**common, **decided})
        )
    return out


def _commit(file: SessionFile, rng: random.Random, first: int, number: int) -> None:
    """Some of everything that a session holds."""
    file.commit(
        entries=_entries(rng, first, number),
        papers=[
            Paper(id=f"p{n}", title=_text(rng, 12), abstract=_text(rng, 200))
            for n in range(first, first + number)
        ],
        calls=[
            Call(key=f"key {n}", kind="chat", address="1/idea", reply={"text": _text(rng, 500)})
            for n in range(first, first + number)
        ],
        failures=[Failure(address="1/idea", step="idea", cause=_text(rng, 9))],
        job_events=[JobEvent(job=first, state="done", time="2026-01-01T00:00:00Z")],
    )
    file.save_draft(f"{first}/idea", _text(rng, 90), None, {})
    file.set_ui("place", {"at": f"{first}/idea"})


def make(folder: Path, rng: random.Random) -> tuple[Path, Path]:
    """The session as one whole file, and as a killed program leaves it: its last commits in the
    write-ahead log. The two folders."""
    whole, killed = folder / "whole", folder / "killed"
    for place in (whole, killed):
        place.mkdir()
    with SessionFile.create(
        whole / NAME, {"name": "one", "topic": "chains of claims", "method": "coi"}
    ) as file:
        _commit(file, rng, 1, 12)
    with SessionFile.open(whole / NAME) as file:
        _commit(file, rng, 13, 4)
        _commit(file, rng, 17, 3)
        for part in whole.iterdir():
            if not part.name.endswith((".lock", "-shm")):
                shutil.copy(part, killed / part.name)
    return whole, killed


def content(path: Path) -> Content:
    """All rows that a person or a service gave."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        found: Content = {
            table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES
        }
        found["meta"] = connection.execute(
            "SELECT key, value FROM meta WHERE key <> 'opened'"
        ).fetchall()
    finally:
        connection.close()
    return {table: sorted(rows, key=repr) for table, rows in found.items()}


# -- the damage


def _flip(data: bytearray, rng: random.Random) -> None:
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _flip_in_the_first_page(data: bytearray, rng: random.Random) -> None:
    data[rng.randrange(min(len(data), 4096))] ^= 1 << rng.randrange(8)


def _flip_in_a_page_header(data: bytearray, rng: random.Random) -> None:
    """Where a page says how many rows it has and where they are: the least protected part of a
    database."""
    at = rng.randrange(max(1, len(data) // 4096)) * 4096 + rng.randrange(24)
    data[min(at, len(data) - 1)] ^= 1 << rng.randrange(8)


def _cut(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data)) :]


def _cut_at_a_page(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(max(1, len(data) // 4096)) * 4096 :]


def _blank(data: bytearray, rng: random.Random) -> None:
    """A sector that reads as zeros."""
    at = rng.randrange(max(1, len(data) // 512)) * 512
    data[at : at + 512] = bytes(len(data[at : at + 512]))


def _lose(data: bytearray, rng: random.Random) -> None:
    del data[:]


Damage = Callable[[bytearray, random.Random], None]
KINDS: tuple[tuple[str, str, Damage], ...] = (
    ("file: bit flipped", "", _flip),
    ("file: bit of the first page flipped", "", _flip_in_the_first_page),
    ("file: bit of a page header flipped", "", _flip_in_a_page_header),
    ("file: cut", "", _cut),
    ("file: cut between pages", "", _cut_at_a_page),
    ("file: sector blanked", "", _blank),
    ("write-ahead log: bit flipped", "-wal", _flip),
    ("write-ahead log: cut", "-wal", _cut),
    ("write-ahead log: sector blanked", "-wal", _blank),
    ("write-ahead log: lost", "-wal", _lose),
)


def damage(target: Path, spoil: Damage, rng: random.Random) -> None:
    """Spoil one file; one of which nothing is left is deleted."""
    data = bytearray(target.read_bytes())
    spoil(data, rng)
    if data or not target.name.endswith("-wal"):
        target.write_bytes(bytes(data))
    else:
        target.unlink()


def outcome(path: Path, wanted: Content, *, read_only: bool) -> str:
    """What opening and checking say of a file, against what it should hold."""
    try:
        with SessionFile.open(path, read_only=read_only) as file:
            file.load()
            found = file.verify()
    except CoiError:
        return "refused"
    except Exception:  # noqa: BLE001 - a file that ends the program with a traceback
        return "crashed"
    if found:
        return "named"
    try:
        return "unharmed" if content(path) == wanted else "missed"
    except sqlite3.Error:
        return "missed"


def campaign(number: int, seed: int) -> Tally:
    """Damage ``number`` copies, one after the other, each kind of damage in turn."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="coi-damage-") as said:
        folder = Path(said)
        whole, killed = make(folder, random.Random(seed))
        wanted = content(killed / NAME)
        if (
            content(whole / NAME) != wanted
            or outcome(whole / NAME, wanted, read_only=True) != "unharmed"
        ):
            raise SystemExit("The session without damage is not what it should be.")
        for n in range(number):
            kind, end, spoil = KINDS[n % len(KINDS)]
            place = folder / "case"
            shutil.copytree(killed if end else whole, place)
            damage(place / (NAME + end), spoil, random.Random(f"{seed} {n}"))
            first = outcome(place / NAME, wanted, read_only=True)
            tally.add(kind, first, f"{kind}, seed {seed}, case {n}")
            if (
                first != "refused"
            ):  # opened to be worked on, the loss must still be told, then and later
                for later in ("for writing", "once more"):
                    if (fault := outcome(place / NAME, wanted, read_only=False)) in FAULTS:
                        tally.add(kind, fault, f"{kind}, seed {seed}, case {n}, opened {later}")
            shutil.rmtree(place)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--number", type=int, default=1000, help="how many files")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    tally = campaign(asked.number, asked.seed)
    print(tally.table())
    for case in tally.missed:
        print(case)
    return 1 if tally.missed else 0


if __name__ == "__main__":
    sys.exit(main())
