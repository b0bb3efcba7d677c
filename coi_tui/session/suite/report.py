"""What the judgements of a suite show, as plain data. Every number is from ``coi_tui.arena``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations

from coi_tui.arena.judgements import (
    REPEAT,
    TOPIC,
    Decisions,
    Judgement,
    Unit,
    agreement,
    decisions,
    flips,
    strengths,
    tally,
)
from coi_tui.arena.ratings import Verdict
from coi_tui.model.money import NOTHING
from coi_tui.model.text import Fields, count
from coi_tui.session.files import ENDING
from coi_tui.session.suite.inventory import Inventory
from coi_tui.store.session_file import SessionFile

MOST_NEEDED = 1_000
"""From so many topics on, how many more it would be means nothing."""


def report(contest: Inventory) -> Fields:
    """Every table, by name; texts that are missing and judgements that are left are counted. Raises
    StoreError for a file of judgements that cannot be read."""
    judged = contest.judged()
    unit = TOPIC if len(contest.suite.topics) > 1 else REPEAT
    by_judge = defaultdict[str, list[Judgement]](list)
    for one in judged:
        by_judge[one.judge].append(one)
    decided = decisions(judged)
    missing = [e.name for e in contest.entries if not contest.text_file(e).exists()]
    return {
        "criteria": contest.criteria,
        "topics": len(contest.suite.topics),
        "repeats": contest.suite.repeats,
        "units": "topics" if unit is TOPIC else "repeats of one topic",
        "missing": missing,
        "left": {judge.name: len(contest.left(judge)) for judge in contest.models},
        "judges": {
            name: _of_judge(contest, own, decided[name], unit) for name, own in by_judge.items()
        },
        "agreement": [
            {"one": a, "other": b, "criterion": name, **asdict(found)}
            for a, b in combinations(sorted(by_judge), 2)
            for name in ("", *contest.criteria)
            if (found := agreement(decided[a], decided[b], name)).common
        ],
        "costs": _costs(contest),
    }


def _of_judge(
    contest: Inventory, own: Sequence[Judgement], decided: Decisions, unit: Unit
) -> Fields:
    """The tables of one judge, a model or a person."""
    fit, units = strengths(own, unit=unit), "topic" if unit is TOPIC else "repeat"
    players = sorted({player for one in own for player in one.match[-2:]})
    met = [(a, b) for a, b in combinations(players, 2) if fit.units[a] & fit.units[b]]
    verdicts = [fit.verdict(a, b, among=len(met)) for a, b in met]
    alone = {
        name: strengths([one for one in own if one.criterion == name], players, unit=unit)
        for name in contest.criteria
    }
    return {
        "person": own[0].person,
        "judgements": len(own),
        "standings": [  # the best first, each with its rating by every criterion alone
            {
                "contestant": name,
                **{by: round(one.rating(name).value, 1) for by, one in alone.items()},
                "strength": fit.rating(name).plain,
            }
            for name in sorted(players, key=lambda name: -fit.rating(name).value)
        ],
        "position": fit.position.plain,
        "length": fit.length.plain,
        "flips": asdict(flips(own)),
        "ablation": list(_ablation(decided, contest, players)),
        "verdicts": [
            {
                **asdict(one),
                "difference": one.difference.plain,
                "better": one.better,
                "sentence": _sentence(one, units),
            }
            for one in verdicts
        ],
        "matches": [
            {"one": a, "other": b, "criterion": name, **asdict(found), "points": found.points}
            for a, b in met
            for name, found in tally(decided, a, b).items()
        ],
    }


def _ablation(decided: Decisions, contest: Inventory, players: Sequence[str]) -> Iterator[Fields]:
    """Points of 100 by criterion against the first contestant of the suite, as in the published
    ablation; None where they did not meet. It has 50 against itself."""
    first, *others = (one.name for one in contest.suite.contestant)
    for name in (first, *others):
        if name in players:
            met = tally(decided, name, first)
            points = {
                one: 50.0 if name == first else met[one].points if one in met else None
                for one in contest.criteria
            }
            known = [one for one in points.values() if one is not None]
            average = sum(known) / len(known) if known else None
            yield {"contestant": name, "against": first, **points, "average": average}


def _sentence(one: Verdict, units: str) -> str:
    """A verdict in words, never without the number that carries it."""
    on = count(one.units, units)
    if not one.better:
        needed = ""
        if one.needed is not None:  # how many would show it, as far as that is worth saying
            above = one.needed > MOST_NEEDED
            many = f"more than {MOST_NEEDED:,}" if above else f"about {one.needed:,}"
            needed = f"; {many} would show a difference of this size"
        return f"Between {one.a} and {one.b} nothing is shown, on {on}{needed}."
    least, most = sorted((abs(one.difference.low), abs(one.difference.high)))
    by = f"{abs(one.difference.value):.0f} points ({least:.0f} to {most:.0f})"
    return (
        f"{one.better} is better than {one.b if one.better == one.a else one.a} by {by}, on {on}."
    )


def _costs(contest: Inventory) -> list[Fields]:
    """Sessions, dollars (None where a price is unknown), calls, tokens and seconds of answers of
    each contestant, and of each file of judges and of the writer of the texts."""
    files = {
        one.name: [
            contest.paths.sessions / f"{entry.source}{ENDING}"
            for entry in contest.entries
            if entry.contestant is one and one.method
        ]
        for one in contest.suite.contestant
    }
    asked = {
        f.name.removesuffix(ENDING): [f] for f in sorted(contest.folder.glob(f"calls/*{ENDING}"))
    }
    rows = []
    for name, own in (*files.items(), *asked.items()):
        money, calls, tokens, seconds = NOTHING, 0, 0, 0.0
        own = [file for file in own if file.exists()]
        for file in own:
            with SessionFile(file, read_only=True) as opened:
                spent = opened.spent()
                seconds += sum(call.seconds for call in opened.known_calls().values())
            money, calls, tokens = money + spent.money, calls + spent.calls, tokens + spent.tokens
        row = {"sessions": len(own), "usd": money.total, "calls": calls, "tokens": tokens}
        rows.append({"name": name, **row, "seconds": round(seconds, 1)})
    return rows
