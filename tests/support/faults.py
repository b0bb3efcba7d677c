"""Runs as real processes, against services that fail; what must hold is counted."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.coi_process import Ran, coi, environment, opened
from tests.support.standins import (
    ChatOptions,
    Entry,
    Faults,
    Latency,
    S2Options,
    Settings,
    StandInProcess,
    novelty_rule,
)

QUICK = Latency(chat=0.02, search=0.005, embeddings=0.005, pdf=0.005, other=0.005)
NONCE = "NONCE-7f3a"
RAW = "calls"
"""The one table that may hold the raw replies of a model."""
CONFIG = "[semantic_scholar]\npace_s = 0\n"
"""No pace after the first 429, or a run would take a minute; the waits after each failure stay."""


@dataclass
class Faulty:
    """What came of one run."""

    name: str
    seed: int
    code: int = 0
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)
    others_finished: bool = True
    leaks: list[str] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    reports: int = 0
    last_line: str = ""
    empty_proposal: bool = False
    reached: bool = False
    """There is a proposal at the end, whatever failed before."""

    @property
    def finished(self) -> bool:
        return self.code == 0

    @property
    def honest(self) -> bool:
        """Finished, or ended with a named cause while the branches without a failure finished."""
        return self.finished or (
            bool(self.failed) and all(self.failed.values()) and self.others_finished
        )


def settings_of(name: str, seed: int) -> Settings:
    """The services of a kind of run."""
    p429, rest = (0.05 if name == "limited" else 0.0), (0.05 if name == "broken" else 0.0)
    chat, s2 = (Faults(seed=n, p429=p429, p500=rest, truncated=rest) for n in (seed, seed + 1000))
    if name == "malformed":
        chat = Faults(seed=seed, malformed=0.05, nonce=NONCE)
    if name == "down":
        chat = s2 = Faults(down=True)
    options = ChatOptions(verdict="close match") if name == "similar" else ChatOptions()
    rules = {"empty": (novelty_rule("empty"),), "failing": (novelty_rule("fail"),)}.get(name, ())
    return Settings(
        latency=QUICK, chat_faults=chat, s2_faults=s2, chat=options, s2=S2Options(rules=rules)
    )


def run_one(
    name: str,
    seed: int,
    topic: str,
    config: str = CONFIG,
    drafts: int = 3,
    branches: int = 3,
    run: Callable[..., Ran] = coi,
) -> Faulty:
    """One run, the exports of one with useless replies, and what it left on disk. ``run`` takes the
    place of a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        home, log = Path(folder), Path(folder) / "server.jsonl"
        (home / "config").mkdir()
        (home / "config" / "config.toml").write_text(config, encoding="utf-8")
        out = home / "proposal.md"
        with StandInProcess(settings_of(name, seed), log) as pair:
            env = environment(home, pair)
            size = ("--drafts", str(drafts), "--branches", str(branches))
            ran = run(
                env, "run", topic, "--name", "run", *size, "--yes", "--json", "--out", str(out)
            )
            kinds = ("md", "json", "bib") if name == "malformed" else ()
            exports = {kind: run(env, "export", "run", "--format", kind) for kind in kinds}
            entries = pair.entries()
        return judged(Faulty(name, seed, ran.code, ran.seconds), home, ran, exports, entries, out)


def judged(
    found: Faulty, home: Path, ran: Ran, exports: dict[str, Ran], entries: list[Entry], out: Path
) -> Faulty:
    """Everything that can be said of a run from what it left."""
    found.faults.update(e.fault for e in entries if e.fault)
    found.last_line = ran.err.strip().splitlines()[-1] if ran.err.strip() else ""
    found.failed = json.loads(ran.out).get("failed", {}) if ran.out.strip() else {}
    found.leaks = leaks(home, ran, exports)
    with opened(home, "run") as session:
        state = session.state
        failed = {address.partition("/")[0].lstrip("Q") for address in found.failed}
        branches = state.branches_of("")
        made = ([state.versions[seq] for seq in state.cell(f"{b}/nov").versions] for b in branches)
        checks = [
            [
                version
                for version in versions
                if not any(s.get("angle") for s in version.content["searches"])
            ]
            for versions in made
        ]
        found.others_finished = all(
            state.in_use(f"{b}/idea") is not None for b in branches if str(b) not in failed
        )
        found.reached = not session.queries.shortfall("proposal")
        found.verdicts = [str(versions[-1].content["verdict"]) for versions in checks if versions]
        found.reports = max(map(len, checks), default=0)
        found.empty_proposal = out.exists() and not any(state.in_use(f"{b}/idea") for b in branches)
    return found


def leaks(home: Path, ran: Ran, exports: dict[str, Ran]) -> list[str]:
    """Where the nonce of the malformed replies turned up, besides the raw calls."""
    texts = {"stdout": ran.out, "stderr": ran.err} | {
        f"export {kind}": e.out + e.err for kind, e in exports.items()
    }
    files = [file for file in home.rglob("*") if file.suffix in (".log", ".md", ".toml", ".bib")]
    texts |= {str(file.relative_to(home)): file.read_text("utf-8", "replace") for file in files}
    tables = [
        f"{file.name} {name}" for file in home.rglob("*.db") for name in tables_with(file, NONCE)
    ]
    return [where for where, text in texts.items() if NONCE in text] + tables


def tables_with(file: Path, text: str, but: str = RAW) -> list[str]:
    """Tables of a SQLite file, other than ``but``, that hold a text in any column."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        names = [
            n
            for (n,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
        ]
        return [
            n
            for n in names
            if n != but
            and any(text in str(row) for row in connection.execute(f'SELECT * FROM "{n}"'))
        ]
    finally:
        connection.close()


IMPATIENT = CONFIG + "retries = 1\n[llm]\nretries = 1\n"
