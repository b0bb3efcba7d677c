"""``python -m benchmarks.support``: do sentences about earlier work find the passage that they rest on, and do others find none?

A session of 20 papers is a paper of the set and those most like it. Sentences of the session's abstracts are reworded by rule
(``held_out/rewording.py``: a fifth of the words dropped, synonyms; once, and for a harder kind twice) and must be supported by their own
paper. Unsupported must be: sentences of papers outside the session, as like it as can be (near) or any (far), reworded in the same way, and
invented ones, put together from words of several papers. Each kind stands half without a name and half as the statement of a named paper of
the session; sentences from outside and invented ones are then laid to a paper that does not say so.

The floors are chosen on the first half of the sessions and measured on the other, beside rapidfuzz's ``token_set_ratio`` with a floor
chosen in the same way, and a fair coin. Reads ``../shared/data`` (see ``--data``) and copies nothing from it.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz

from benchmarks.coi_process import table
from benchmarks.held_out.corpus import PaperSet, Row, load
from benchmarks.held_out.rewording import reworded
from benchmarks.held_out.text_index import Ranking
from coi_tui.export.earlier_work import sentence_spans
from coi_tui.export.support import FLOOR, FLOOR_NAMED, Evidence
from coi_tui.model.papers import Paper

ROOT = Path(__file__).resolve().parents[1]
PAPERS, NEAR = 20, 60
"""Papers of a session; sentences from outside are of the papers that follow, up to so many."""
FEWEST_WORDS = 8
KINDS = ("own", "own, twice", "near", "far", "invented")
EACH = 6
"""Sentences of each kind from a session."""


@dataclass(frozen=True)
class Case:
    """A sentence of a session. ``truth``: the paper that says so, empty for none; ``named``: the paper that it is laid to, if any."""

    session: int
    kind: str
    text: str
    truth: str
    named: str


Scorer = Callable[[Evidence, Case], tuple[float, str]]
"""How well a sentence is supported, and by which paper."""


def paper_of(row: Row) -> Paper:
    return Paper(id=row.id, title=row.title, abstract=row.abstract, year=row.year or None, authors=row.authors)


def sentences(row: Row) -> list[str]:
    text = row.abstract or ""
    found = [text[start:end] for start, end in sentence_spans(text)]
    return [said for said in found if len(said.split()) >= FEWEST_WORDS]


def invented(dice: random.Random, rows: Sequence[Row]) -> str:
    """A sentence of words of several papers: it reads like a finding, and nobody found it."""
    words = [dice.choice(re.findall(r"[a-z]{5,}", (row.abstract or "").lower()) or ["nothing"]) for row in rows]
    one, two, three, four, five, six = words[:6]
    return f"Earlier work has shown that {one} {two} lowers the {three} of {four} when {five} follows {six} by {dice.randint(3, 60)} %."


def cases_of(papers: PaperSet, rows: Sequence[Row], session: int, seed: int) -> tuple[Evidence, list[Case]]:
    """The evidence of a session, and sentences to hold against it. ``rows``: papers that say enough."""
    dice = random.Random(f"support:{seed}:{session}")
    first = dice.choice(rows)
    scores = np.asarray(Ranking(papers.index, papers.years > 0).bm25(f"{first.title} {first.abstract}"), dtype=float)
    fit = {row.number for row in rows}
    order = [papers.rows[n] for n in np.argsort(-scores, kind="stable")[: NEAR * 2] if int(n) in fit]
    inside, near = order[:PAPERS], order[PAPERS:NEAR]
    used = {row.number for row in order}
    far = dice.sample([row for row in rows if row.number not in used], len(near))
    evidence = Evidence({row.id: paper_of(row) for row in inside})

    def drawn(kind: str, pool: Sequence[Row]) -> Iterator[Case]:
        for n in range(EACH):
            row = dice.choice(pool)
            said = invented(dice, dice.sample(pool, 6)) if kind == "invented" else reworded(dice.choice(sentences(row)), dice)
            said = reworded(said, dice) if kind == "own, twice" else said
            truth = row.id if kind.startswith("own") else ""
            named = "" if n % 2 == 0 else truth or dice.choice(inside).id
            yield Case(session, kind, said, truth, named)

    pools = (inside, inside, near, far, [*inside, *near])
    return evidence, [case for kind, pool in zip(KINDS, pools, strict=True) for case in drawn(kind, pool)]


def ours(evidence: Evidence, case: Case) -> tuple[float, str]:
    score, passage = evidence.best(case.text, [case.named] if case.named else [])
    return score, passage.paper if passage else ""


def by_words(evidence: Evidence, case: Case) -> tuple[float, str]:
    """rapidfuzz over the same passages."""
    where = evidence.passages([case.named] if case.named else list(evidence.papers))
    return max(((fuzz.token_set_ratio(case.text.lower(), p.text.lower()) / 100, p.paper) for p in where), default=(0.0, ""))


def coin(evidence: Evidence, case: Case) -> tuple[float, str]:
    dice = random.Random(case.text)
    return dice.random(), dice.choice([case.named] if case.named else sorted(evidence.papers))


WAYS: dict[str, Scorer] = {"this program": ours, "rapidfuzz token_set_ratio": by_words, "coin": coin}
Scored = tuple[Case, float, str]


def figures(scored: Sequence[Scored], floor: float) -> tuple[float, float, float, float]:
    """Precision and recall of supported (by the right paper), then of unsupported."""
    got = Counter[str]()
    for case, score, paper in scored:
        said = score >= floor
        got["supported"] += said
        got["supported right"] += said and paper == case.truth
        got["true"] += bool(case.truth)
        got["unsupported"] += not said
        got["unsupported right"] += not said and not case.truth
        got["false"] += not case.truth
    return (
        got["supported right"] / max(1, got["supported"]), got["supported right"] / max(1, got["true"]),
        got["unsupported right"] / max(1, got["unsupported"]), got["unsupported right"] / max(1, got["false"]),
    )  # fmt: skip


def balanced(scored: Sequence[Scored], floor: float) -> float:
    """The mean of both recalls: the kinds are not equally many."""
    _, supported, _, unsupported = figures(scored, floor)
    return (supported + unsupported) / 2


def best_floor(scored: Sequence[Scored]) -> float:
    """The lowest floor that is best on these."""
    return max((n / 100 for n in range(101)), key=lambda floor: (round(balanced(scored, floor), 6), -floor))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.support", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data", help="the folder of the paper sets (default ../shared/data)")
    parser.add_argument("--corpus", default="dev", help="which set (default dev)")
    parser.add_argument("--sessions", type=int, default=100, metavar="N", help="sessions, half of them to choose the floors (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not args.data.is_dir():
        print(f"{args.data} is missing: nothing to measure")
        return 0
    papers = load(args.data, args.corpus)
    fit = [row for row in papers.rows if len(sentences(row)) >= 3]
    made = [cases_of(papers, fit, n, args.seed) for n in range(args.sessions)]
    count = sum(len(cases) for _, cases in made)
    print(f"{count} sentences in {args.sessions} sessions of {PAPERS} papers; floors in use {FLOOR}, and {FLOOR_NAMED} for a named paper")
    rows, kinds = [], []
    for name, way in WAYS.items():
        began = time.perf_counter()
        scored = [(case, *way(evidence, case)) for evidence, cases in made for case in cases]
        took = (time.perf_counter() - began) / max(1, len(scored)) * 1000
        for named in (False, True):
            group = [one for one in scored if bool(one[0].named) == named]
            halves = [[one for one in group if one[0].session % 2 == half] for half in (0, 1)]
            floor = best_floor(halves[0]) if way is not coin else 0.5
            told = "a named paper" if named else "no name"
            rows.append((f"{name}, {told}", f"{floor:.2f}", *(f"{x:.3f}" for x in figures(halves[1], floor)), f"{took:.2f}"))
            share = {kind: [s >= floor for c, s, _ in halves[1] if c.kind == kind] for kind in KINDS}
            kinds.append((f"{name}, {told}", *(f"{sum(v) / max(1, len(v)):.3f}" for v in share.values())))
    print(table(rows, ("", "floor", "supported: precision", "recall", "unsupported: precision", "recall", "ms a sentence")))
    print(table(kinds, ("share called supported", *KINDS)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
