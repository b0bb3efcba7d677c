"""``python -m benchmarks.limits``: a run as a real process against loopback services, held to its
limits, the worst of all topics.

Each direction has one draft. Wall time is from the start of the process to its end. One topic after
the other, so that none slows another.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.critical_path import longest_chain
from tests.support.coi_process import coi, environment, opened, table
from tests.support.standins import (
    BENCH,
    Entry,
    Latency,
    Settings,
    StandInProcess,
    make_corpus,
    repeated,
    select,
)

CORPUS = Settings().corpus_seed
CARDS = ("Card", "LongCard")
LIMITS: dict[str, tuple[str, float]] = {
    "chain": ("model calls that wait for each other", 22),
    "ratio": ("wall time from process start / longest dependent chain", 1.10),
    "idle": ("share of the wall time without a request under way", 0.10),
    "chats": ("chat calls", 90),
    "s2": ("Semantic Scholar requests", 130),
    "readings": ("reading calls a paper", 1),
    "over": ("tokens of a reading call beyond its paper", 600),
    "others": ("prompt tokens of all other calls", 120_000),
    "repeated": ("calls repeated", 0),
    "failed": ("runs that did not finish", 0),
}


@dataclass(frozen=True)
class Measured:
    """What one run came to, by the names of LIMITS."""

    topic: str
    seconds: float
    values: dict[str, float]


def measure(topic: str, home: Path, latency: Latency = BENCH, corpus: int = CORPUS) -> Measured:
    """One run on fresh services that hold the literature of a seed."""
    log = home / "server.jsonl"
    with StandInProcess(Settings(latency=latency, corpus_seed=corpus), log) as pair:
        ran = coi(
            environment(home, pair),
            "run",
            topic,
            "--name",
            "run",
            "--branches",
            "3",
            "--length",
            "5",
            "--yes",
        )
        entries = pair.entries()
    with opened(home, "run") as session:
        chain = longest_chain(session.state, session.decision_log(), session.file.calls())
        sizes = {
            p.title: len(p.title) + len(p.abstract or "") for p in session.state.papers.values()
        }
        cards = [c for c in session.file.calls() if c.prompt == "coi_read"]
        over = max(
            (sum(map(len, _texts(c.request))) - _paper_chars(c.request, sizes)) / 4 for c in cards
        )
        papers = {_title(c.request, sizes) for c in cards}
    chats = select(entries, "chat", "chat")
    readings = [e for e in chats if e.note["schema"] in CARDS]
    values = {
        "chain": chain.chats,
        "ratio": ran.seconds / chain.seconds,
        "idle": _idle(entries, ran.seconds) / ran.seconds,
        "chats": len(chats),
        "s2": len(select(entries, "s2")),
        "readings": len(readings) / max(1, len(papers)),
        "over": over,
        "others": sum(e.note["prompt_chars"] for e in chats if e.note["schema"] not in CARDS) / 4,
        "repeated": len(repeated(entries)),
        "failed": float(ran.code != 0),
    }
    return Measured(topic, ran.seconds, values)


def _idle(entries: Sequence[Entry], wall: float) -> float:
    """Seconds of the wall time that no request was under way: start, end, and gaps between."""
    spans = sorted((e.arrived, e.finished or e.arrived) for e in entries)
    busy, reach = 0.0, spans[0][0]
    for begin, end in spans:
        busy += max(0.0, end - max(begin, reach))
        reach = max(reach, end)
    return wall - busy


def _texts(request: object) -> list[str]:
    return (
        [str(request[name]) for name in ("system", "user")]  # type: ignore[index]
        if isinstance(request, dict) or hasattr(request, "keys")
        else []
    )


def _title(request: object, sizes: dict[str, int]) -> str:
    text = "\n".join(_texts(request))
    return max(
        (title for title in sizes if title in text),
        key=lambda t: (-text.find(t), len(t)),
        default="",
    )


def _paper_chars(request: object, sizes: dict[str, int]) -> int:
    return sizes.get(_title(request, sizes), 0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.limits", description=__doc__)
    known = list(make_corpus().topics)
    parser.add_argument(
        "--topics",
        type=int,
        default=len(known),
        metavar="N",
        help=f"only the first N of {len(known)}",
    )
    parser.add_argument(
        "--corpus",
        type=int,
        action="append",
        metavar="SEED",
        help=f"another literature, repeatable (default {CORPUS})",
    )
    args = parser.parse_args()
    found = []
    for corpus in args.corpus or [CORPUS]:
        for topic in known[: args.topics]:
            with tempfile.TemporaryDirectory() as home:
                found.append(measure(topic, Path(home), corpus=corpus))
    print(
        table(
            [
                (
                    m.topic,
                    f"{m.seconds:.2f}",
                    *(
                        f"{m.values[n]:.3f}" if n in ("ratio", "idle") else f"{m.values[n]:g}"
                        for n in LIMITS
                    ),
                )
                for m in found
            ],
            ("topic", "wall s", *LIMITS),
        )
    )
    print()
    rows = []
    for name, (what, limit) in LIMITS.items():
        worst = max(m.values[name] for m in found)
        rows.append(
            (
                what,
                f"{limit:g}",
                f"{worst:.3f}".rstrip("0").rstrip("."),
                "ok" if worst <= limit else "MISSED",
            )
        )
    print(table(rows, (f"worst of {len(found)} topics", "limit", "measured", "")))


if __name__ == "__main__":
    main()
