"""What the judgements of a suite show: tables as plain data, and those as Markdown and CSV. Every
number is from ``coi_tui.arena``."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from math import isfinite
from typing import Any

from coi_tui.arena.judgements import (
    Decisions,
    Judgement,
    agreement,
    decisions,
    flips,
    results,
    tally,
)
from coi_tui.arena.ratings import CRITERIA, standings
from coi_tui.arena.strengths import REPEAT, TOPIC, Estimate, Unit, Verdict, strengths
from coi_tui.model.document import Block, Bullets, Paragraph, Section, plain_table
from coi_tui.model.money import NOTHING
from coi_tui.model.text import count
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.formats.md import Markdown
from coi_tui.session.files import ENDING
from coi_tui.session.suite.inventory import Inventory
from coi_tui.store.session_file import SessionFile


def report(contest: Inventory) -> dict[str, Any]:
    """Every table, by name; texts that are missing and judgements that are left are counted. Raises
    StoreError for a file of judgements that cannot be read."""
    said, entries = contest.said(), contest.entries
    unit = TOPIC if len(contest.suite.topics) > 1 else REPEAT
    by_judge = defaultdict[str, list[Judgement]](list)
    for one in said:
        by_judge[one.judge].append(one)
    decided = decisions(said)
    texts = {(text.topic, text.repeat, text.contestant) for text in contest.texts()}
    missing = [e.name for e in entries if (e.topic, e.repeat, e.contestant.name) not in texts]
    return {
        "topics": len(contest.suite.topics),
        "repeats": contest.suite.repeats,
        "units": "topics" if unit is TOPIC else "repeats of one topic",
        "missing": missing,
        "left": {judge.name: len(contest.left(judge)) for judge in contest.models},
        "judges": {name: _of_judge(own, decided[name], unit) for name, own in by_judge.items()},
        "agreement": [
            {"one": a, "other": b, "criterion": name, **asdict(found)}
            for a, b in combinations(sorted(by_judge), 2)
            for name in ("", *CRITERIA)
            if (found := agreement(decided[a], decided[b], name)).common
        ],
        "costs": _costs(contest),
    }


def _of_judge(own: Sequence[Judgement], decided: Decisions, unit: Unit) -> dict[str, Any]:
    """The tables of one judge, a model or a person."""
    fit, units = strengths(own, unit=unit), "topic" if unit is TOPIC else "repeat"
    players = fit.players
    met = [(a, b) for a, b in combinations(players, 2) if fit.units[a] & fit.units[b]]
    verdicts = [fit.verdict(a, b, among=len(met)) for a, b in met]
    rated = {name: _plain(fit.rating(name)) for name in players}
    return {
        "person": own[0].person,
        "judgements": len(own),
        "standings": [
            {
                "contestant": one.player,
                "average": one.average,
                **one.elo,
                "strength": rated[str(one.player)],
            }
            for one in standings(players, results(decided))
        ],
        "position": _plain(fit.position),
        "length": _plain(fit.length),
        "flips": asdict(flips(own)),
        "verdicts": [
            {
                **asdict(one),
                "difference": _plain(one.difference),
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


def _sentence(one: Verdict, units: str) -> str:
    """A verdict in words, never without the number that carries it."""
    on = count(one.units, units)
    if not one.better:
        needed = f" About {one.needed} would show a difference of this size." if one.needed else ""
        return f"Between {one.a} and {one.b} nothing is shown, on {on}.{needed}"
    least, most = sorted((abs(one.difference.low), abs(one.difference.high)))
    by = f"{abs(one.difference.value):.0f} points ({least:.0f} to {most:.0f})"
    return (
        f"{one.better} is better than {one.b if one.better == one.a else one.a} by {by}, on {on}."
    )


def _plain(one: Estimate) -> dict[str, float | None]:
    """An estimate; None for a bound that is open."""
    return {name: value if isfinite(value) else None for name, value in asdict(one).items()}


def _costs(contest: Inventory) -> list[dict[str, Any]]:
    """Dollars (None where a price is unknown), calls, tokens and seconds of answers of each
    contestant's sessions, and of each file of judges and of the writer of the texts."""
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
        for file in filter(lambda one: one.exists(), own):
            with SessionFile(file, read_only=True) as opened:
                spent = opened.spent()
                seconds += sum(call.seconds for call in opened.known_calls().values())
            money, calls, tokens = money + spent.money, calls + spent.calls, tokens + spent.tokens
        row = {"usd": money.total, "calls": calls, "tokens": tokens, "seconds": round(seconds, 1)}
        rows.append({"name": name, **row})
    return rows


# -- as text


def as_markdown(found: Mapping[str, Any]) -> str:
    """The tables as Markdown."""
    out = Markdown(Bibliography({}))
    return "\n\n".join(["# Arena", *out.blocks(_blocks(found))])


def _blocks(found: Mapping[str, Any]) -> Iterator[Block]:
    topics, repeats = count(found["topics"], "topic"), count(found["repeats"], "repeat")
    yield Paragraph(f"{topics}, {repeats} each. Verdicts count {found['units']}.")
    if found["missing"]:
        yield Paragraph(f"Without a text: {'; '.join(found['missing'])}.")
    for name, n in found["left"].items():
        if n:
            yield Paragraph(f"{name} has {count(n, 'question')} left.")
    for name, one in found["judges"].items():
        person = " (a person)" if one["person"] else ""
        yield Section(f"{name}{person}", tuple(_blocks_of_judge(one)))
    if found["agreement"]:
        rows = (
            (
                f"{a['one']} : {a['other']}",
                a["criterion"] or "all",
                str(a["same"]),
                str(a["common"]),
                _number(a["kappa"], ".2f"),
            )
            for a in found["agreement"]
        )
        head = ("judges", "criterion", "same", "of", "kappa")
        yield Section("Agreement", (plain_table(head, rows),))
    costs = (
        (c["name"], _number(c["usd"], ".4f"), *(str(c[n]) for n in ("calls", "tokens", "seconds")))
        for c in found["costs"]
    )
    head = ("who", "US dollars", "calls", "tokens", "seconds of calls")
    yield Section("Cost", (plain_table(head, costs),))


def _blocks_of_judge(one: Mapping[str, Any]) -> Iterator[Block]:
    flipped = one["flips"]
    rated = (
        (
            row["contestant"],
            f"{row['average']:.0f}",
            *(f"{row[name]:.0f}" for name in CRITERIA),
            *_estimate(row["strength"]),
        )
        for row in one["standings"]
    )
    yield plain_table(("contestant", "Elo", *CRITERIA, "Bradley-Terry", "95 %"), rated)
    yield Paragraph(
        f"Place: the text shown first gains {' points, 95 % '.join(_estimate(one['position']))}. "
        f"Length: twice as long gains {' points, 95 % '.join(_estimate(one['length']))}. "
        f"The order changed the winner in {flipped['flipped']} of {flipped['orders']} criteria judged in "
        f"both orders; in {flipped['to_first']} of these the text shown first won both times."
    )
    yield Bullets(tuple(verdict["sentence"] for verdict in one["verdicts"]))
    matches = (
        (
            f"{m['one']} : {m['other']}",
            m["criterion"],
            *(str(m[part]) for part in ("wins", "ties", "losses")),
            f"{m['points']:.0f}",
        )
        for m in one["matches"]
    )
    yield plain_table(("pair", "criterion", "win", "tie", "loss", "points"), matches)


def as_csv(found: Mapping[str, Any]) -> str:
    """The ratings, a row for each judge and contestant."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("judge", "contestant", "elo", *CRITERIA, "bradley_terry", "low", "high"))
    for name, one in found["judges"].items():
        for row in one["standings"]:
            rated = (row["strength"][part] for part in ("value", "low", "high"))
            own = (row[criterion] for criterion in CRITERIA)
            rows.writerow((name, row["contestant"], row["average"], *own, *rated))
    return out.getvalue()


def _estimate(one: Mapping[str, float | None]) -> tuple[str, str]:
    ends = (_number(one[end], ".0f", "open") for end in ("low", "high"))
    return _number(one["value"], ".0f"), " to ".join(ends)


def _number(value: float | None, form: str, none: str = "unknown") -> str:
    return none if value is None else format(value, form)
