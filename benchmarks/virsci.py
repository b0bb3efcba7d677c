"""``python -m benchmarks.virsci``: calls and cost of VirSci by size of the team, its measures against plain numpy, and its draw of a team.

**Calls.** Real runs against the stand-ins, for teams of 2, 4 and 8, with fixed and with adaptive turns (the stand-in's leader stops in two
turns of five). With fixed turns the four steps take members x turns x 4 calls: 80 and 160 for teams of 4 and 8, as table 5 of the paper has
it. Counted apart: invitations, the leader's summaries and topic, guests, self-reviews. Dollars are for 2.50 a million tokens of prompts and
10 of replies, whatever the model.

**Measures.** HD, CD, CI and ON of abstracts against 200 others of a set of papers on visualization, split at 2015, by the program and by
a few lines of numpy that share nothing with it. The set is read from ``../shared/data`` (see ``--data``); without it this part says so.

**Draw.** The same seed draws the same team, in processes of their own.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.coi_process import coi, environment, opened, table
from benchmarks.standins import Latency, Settings, StandInProcess, make_corpus
from benchmarks.standins.servers import ROOT
from coi_tui.methods.virsci.contents import Scientist
from coi_tui.methods.virsci.measures import NEAREST, Held, Measures, measure, word_vectors
from coi_tui.methods.virsci.team_draw import Knobs, TeamDraw

TEAMS = (2, 4, 8)
TURNS = 5
STEPS = ("topic", "idea", "vote", "abstract")
APART = ("invitations", "summaries", "guests", "self-reviews")
BY_PROMPT = {
    "virsci_topic": "topic",
    "virsci_idea": "idea",
    "virsci_vote": "vote",
    "virsci_abstract": "abstract",
    "virsci_revise": "abstract",
    "virsci_invite": "invitations",
    "virsci_summary": "summaries",
    "virsci_subject": "summaries",
    "virsci_guest": "guests",
    "virsci_overlap": "self-reviews",
}
PROMPT_PRICE, REPLY_PRICE = 2.5e-6, 10e-6
ABSTRACTS, SPLIT, TRIED = 200, 2015, 25
TOLERANCE = 1e-6


# -- calls ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counted:
    """What one run asked, by step."""

    team: int
    adaptive: bool
    calls: Counter[str]
    tokens: int
    dollars: float
    code: int
    tied: bool

    @property
    def steps(self) -> int:
        """The calls of the four steps, as the paper counts them."""
        return sum(self.calls[step] for step in STEPS)

    @property
    def fine(self) -> bool:
        whole = self.team * TURNS * len(STEPS)
        return self.code == 0 and (self.steps <= whole if self.adaptive else self.steps == whole)

    def row(self) -> list[object]:
        whole = (
            f"at most {self.team * TURNS * len(STEPS)}"
            if self.adaptive
            else self.team * TURNS * len(STEPS)
        )
        counts = [self.calls[name] for name in (*STEPS, *APART)]
        return [
            f"{self.team} {'adaptive' if self.adaptive else 'fixed'}",
            *counts[:4],
            self.steps,
            whole,
            *counts[4:],
            self.tokens,
            f"{self.dollars:.2f}",
            "yes" if self.tied else "no",
        ]


def counted(team: int, topic: str, *, adaptive: bool) -> Counted:
    """One run up to the idea. A tied vote is decided for the first idea, as a person would have to."""
    with (
        tempfile.TemporaryDirectory() as folder,
        StandInProcess(Settings(latency=Latency()), Path(folder) / "server.jsonl") as pair,
    ):
        home = Path(folder)
        env = environment(home, pair)
        for name, value in (("team", team), ("turns", TURNS), ("adaptive", str(adaptive).lower())):
            assert coi(env, "config", "set", f"virsci.{name}", str(value)).code == 0
        ran = coi(
            env, "run", topic, "--method", "virsci", "--name", "run", "--yes", "--until", "ideas"
        )
        if tied := "tied" in ran.err:
            assert coi(env, "edit", "run", "V1/poll", "--file", "-", stdin="1").code == 0
            ran = coi(env, "resume", "run", "--yes", "--until", "ideas")
        with opened(home, "run") as session:
            chats = [call for call in session.core.file.calls() if call.kind == "chat"]
        calls = Counter(BY_PROMPT[call.prompt] for call in chats)
        dollars = sum(
            call.prompt_tokens * PROMPT_PRICE + call.completion_tokens * REPLY_PRICE
            for call in chats
        )
        return Counted(
            team,
            adaptive,
            calls,
            sum(call.prompt_tokens + call.completion_tokens for call in chats),
            dollars,
            ran.code,
            tied,
        )


# -- measures -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Abstract:
    """A paper of the set with what is measured by."""

    text: str
    year: int
    citations: int


def abstracts(data: Path) -> list[Abstract]:
    """The papers of the set with abstract, year and count of citations."""
    with gzip.open(data / "vis_papers.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Abstract(row["abstract"], int(row["year"]), int(row["citationCountCrossref"]))
        for row in rows
        if row.get("abstract") and row.get("year") and row.get("citationCountCrossref") is not None
    ]


def plainly(
    vector: Sequence[float], library: Sequence[Sequence[float]], held: Sequence[Held], split: int
) -> list[float]:
    """HD, CD, CI and ON from their definition: one matrix of distances, sorted."""
    points, years = np.asarray([vector, *library]), np.asarray([one.year for one in held])
    away = np.sqrt(((points[:, None, :] - points[None, 1:, :]) ** 2).sum(axis=2))
    away[np.arange(1, len(points)), np.arange(len(library))] = (
        np.inf
    )  # no abstract is its own neighbour
    cited = np.asarray([one.citations for one in held], dtype=float)
    sides = [np.flatnonzero(years < split), np.flatnonzero(years >= split)]
    near = [side[np.argsort(away[:, side], axis=1, kind="stable")[:, :NEAREST]] for side in sides]
    hd, cd = (np.take_along_axis(away, which, axis=1).mean(axis=1) for which in near)
    ratios = [float(row[0] / row[1:].mean()) for row in (hd, cd, cited[near[1]].mean(axis=1))]
    return [*ratios, ratios[0] * ratios[2] / ratios[1]]


def differences(found: Sequence[Abstract]) -> Iterator[tuple[Measures, float]]:
    """For some abstracts outside of the library their measures and by how much plain numpy differs at most."""
    dice = random.Random("virsci")
    drawn = dice.sample(list(found), ABSTRACTS + TRIED)
    vectors = word_vectors([one.text for one in drawn])
    library, held = (
        vectors[:ABSTRACTS],
        [Held(one.year, one.citations) for one in drawn[:ABSTRACTS]],
    )
    for vector in vectors[ABSTRACTS:]:
        got = measure(vector, library, held, SPLIT)
        values = [got.hd, got.cd, got.ci, got.on]
        wanted = plainly(vector, library, held, SPLIT)
        yield (
            got,
            max(
                abs((one if one is not None else float("inf")) - other)
                for one, other in zip(values, wanted, strict=True)
            ),
        )


# -- draw -----------------------------------------------------------------------------------------------------------------


def team_of(seed: int) -> list[str]:
    """A team of eight among forty people with drawn ties and topics."""
    dice = random.Random("people")
    names = [f"Scientist {n}" for n in range(1, 41)]
    ties = {
        name: {other: dice.randrange(1, 9) for other in dice.sample(names, 6) if other != name}
        for name in names
    }
    people = [
        Scientist(
            name=name,
            topics=dice.sample(["moss", "sand", "snow", "rain", "wind"], 2),
            met=ties[name],
        )
        for name in names
    ]
    draw = TeamDraw(people, Knobs(), seed)
    team = [draw.leader()]
    while len(team) < 8 and (drawn := draw.next(team[0], team[1:], team[1:])) is not None:
        team.append(drawn.name)
    return team


def same_in_processes(seeds: int) -> bool:
    """Whether two further processes, whose hashes of texts differ, draw the teams of this one."""
    program = f"from benchmarks.virsci import team_of; print([team_of(n) for n in range({seeds})])"
    said = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    return said[0] == said[1] == f"{[team_of(n) for n in range(seeds)]}\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=ROOT / "../shared/data",
        help="the folder of the paper sets (default ../shared/data)",
    )
    parser.add_argument(
        "--part",
        choices=("calls", "measures", "draw"),
        action="append",
        help="only this part (may be given twice)",
    )
    args = parser.parse_args()
    parts, fine = args.part or ("calls", "measures", "draw"), True
    if "calls" in parts:
        topic = next(iter(make_corpus().topics))
        runs = [
            counted(team, topic, adaptive=adaptive) for team in TEAMS for adaptive in (False, True)
        ]
        print(
            table(
                [one.row() for one in runs],
                ["team", *STEPS, "of four", "table 5", *APART, "tokens", "dollars", "tied"],
            )
        )
        fine = all(one.fine for one in runs)
    if "measures" in parts:
        if (args.data / "vis_papers.jsonl.gz").is_file():
            found = list(differences(abstracts(args.data)))
            worst = max(off for _, off in found)
            first = found[0][0]
            print(
                f"{TRIED} abstracts against {ABSTRACTS} of the set ({first.past} before {SPLIT}, {first.contemporary} since), by words:"
            )
            print(
                f"the largest difference from plain numpy is {worst:.1e} (at most {TOLERANCE:.0e} is wanted)"
            )
            fine = fine and worst <= TOLERANCE
        else:
            print(f"No papers at {args.data}: the measures were not compared.")
    if "draw" in parts:
        same, others = same_in_processes(50), len({tuple(team_of(n)) for n in range(50)})
        print(
            f"The same seed drew the same team in three processes: {'yes' if same else 'NO'}; 50 seeds drew {others} different teams."
        )
        fine = fine and same
    print("reached" if fine else "NOT reached")
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
