"""The report of a suite for a terminal, and as Markdown, CSV, JSON and SVG."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape

from coi_tui.model.document import Block, Bullets, Paragraph, Section, Table, plain_table
from coi_tui.model.text import Values, count, joined
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.formats.md import Markdown
from coi_tui.present.plain_text import block_text

Report = Values
"""What ``report`` found."""
NARROW, WIDE = 72, 200
"""Columns of a report at least and at most."""


def as_markdown(found: Report) -> str:
    """The tables as Markdown."""
    out = Markdown(Bibliography({}))
    return "\n\n".join(["# Arena", *out.blocks(_blocks(found, NARROW, whole=True))])


def as_text(found: Report, columns: int) -> str:
    """The ratings with their intervals as bars, what may be said of them, and the tables that fit
    into so many columns: all but those of every pair."""
    width = min(max(columns, NARROW), WIDE)

    def lines(blocks: Iterable[Block]) -> Iterator[str]:
        for block in blocks:
            match block:
                case Section():
                    yield f"{block.title.upper()}\n\n" + joined("\n\n", *lines(block.blocks))
                case Table():
                    yield block_text(block)
                case Bullets():
                    yield "\n".join(
                        textwrap.fill(one, width, initial_indent="- ", subsequent_indent="  ")
                        for one in block.items
                    )
                case _:
                    yield textwrap.fill(block_text(block), width)

    return "\n\n".join(lines(_blocks(found, width, whole=False)))


def _agreement(rows: Iterable[Values]) -> Table:
    same = (
        (
            f"{a['one']} : {a['other']}",
            a["criterion"] or "all",
            str(a["same"]),
            str(a["common"]),
            _number(a["kappa"], ".2f"),
        )
        for a in rows
    )
    return plain_table(("judges", "criterion", "same", "of", "kappa"), same)


def _blocks(found: Report, width: int, *, whole: bool) -> Iterator[Block]:
    topics, repeats = count(found["topics"], "topic"), count(found["repeats"], "repeat")
    yield Paragraph(f"{topics}, {repeats} each. Verdicts count {found['units']}.")
    if found["missing"]:
        yield Paragraph(f"Without a text: {'; '.join(found['missing'])}.")
    for name, n in found["left"].items():
        if n:
            yield Paragraph(f"{name} has {count(n, 'question')} left.")
    for name, one in found["judges"].items():
        person = " (a person)" if one["person"] else ""
        blocks = _blocks_of_judge(one, found["criteria"], width, whole=whole)
        yield Section(f"{name}{person}", tuple(blocks))
    if agreed := [a for a in found["agreement"] if whole or not a["criterion"]]:
        yield Section("Agreement", (_agreement(agreed),))
    numbers = ("sessions", "calls", "tokens", "seconds")
    costs = (
        (
            c["name"],
            *(str(c[n]) for n in numbers),
            str(c["tokens"] // (c["sessions"] or 1)),
            _number(c["usd"], ".4f"),
        )
        for c in found["costs"]
    )
    head = ("who", *numbers, "tokens each", "dollars")
    yield Section("Cost and time of calls", (plain_table(head, costs),))


def _blocks_of_judge(
    one: Report, criteria: tuple[str, ...], width: int, *, whole: bool
) -> Iterator[Block]:
    heads = criteria if whole else tuple(f"{name[:3]}." for name in criteria)
    yield _ratings(one["standings"], width)
    yield from _verdicts(one["verdicts"], whole=whole)
    flipped = one["flips"]
    yield Paragraph(
        f"Position: the text shown first gains {' points, 95 % '.join(_estimate(one['position']))}. "
        f"Length: twice as long gains {' points, 95 % '.join(_estimate(one['length']))}. "
        f"The order changed the winner in {flipped['flipped']} of {flipped['orders']} criteria judged in "
        f"both orders; in {flipped['to_first']} of these the text shown first won both times."
    )
    by_criterion = (
        (row["contestant"], *(f"{row[name]:.0f}" for name in criteria)) for row in one["standings"]
    )
    yield plain_table(("rating by criterion", *heads), by_criterion)
    ablation = (
        (row["contestant"], *(_number(row[name], ".0f", "-") for name in (*criteria, "average")))
        for row in one["ablation"]
    )
    against = f"against {one['ablation'][0]['against']}"
    yield plain_table((f"of 100, {against}" if whole else "of 100", *heads, "average"), ablation)
    yield Paragraph(f"Points of 100 {against}: 2 for a win and 1 for a tie; 50 is equal.")
    if whole:
        parts = ("wins", "ties", "losses")
        rows = (
            (
                f"{m['one']} : {m['other']}",
                m["criterion"],
                *(str(m[part]) for part in parts),
                f"{m['points']:.0f}",
            )
            for m in one["matches"]
        )
        yield plain_table(("pair", "criterion", "win", "tie", "loss", "points"), rows)


def _ratings(standings: Sequence[Report], width: int) -> Block:
    rated = [(row["contestant"], *_estimate(row["strength"])) for row in standings]
    head = ("contestant", "rating", "95 %")
    columns = zip(head, *rated, strict=True)
    room = max(10, width - 6 - sum(max(map(len, column)) for column in columns))
    places, drawn = _places([row["strength"] for row in standings], room), []
    for row, (low, value, high) in zip(rated, places, strict=True):
        bar = " " * low + "-" * (high - low + 1)
        drawn.append((*row, f"{bar[:value]}o{bar[value + 1 :]}"))
    return plain_table((*head, ""), drawn)


def _verdicts(verdicts: Sequence[Report], *, whole: bool) -> Iterator[Block]:
    yield Bullets(tuple(v["sentence"] for v in verdicts if whole or v["better"]))
    if not whole and (open_ones := [v for v in verdicts if not v["better"]]):
        pairs = (f"{v['a']} and {v['b']} (on {v['units']})" for v in open_ones)
        yield Paragraph(f"Nothing is shown between {'; '.join(pairs)}.")


def _places(estimates: Iterable[Report], width: int) -> Iterator[tuple[int, int, int]]:
    """Where each estimate and the ends of its interval stand on one scale of so many tasks. An open
    end is that of the scale."""
    rows = [[one["low"], one["value"], one["high"]] for one in estimates]
    known = [value for row in rows for value in row if value is not None]
    least, most = min(known), max(known)
    for low, value, high in rows:
        ends = least if low is None else low, value, most if high is None else high
        a, b, c = (round((width - 1) * (x - least) / ((most - least) or 1)) for x in ends)
        yield a, b, c


def as_csv(found: Report) -> str:
    """The ratings, a row for each judge and contestant."""
    out = io.StringIO()
    rows, criteria = csv.writer(out, lineterminator="\n"), found["criteria"]
    rows.writerow(("judge", "contestant", "rating", "low", "high", *criteria))
    for name, one in found["judges"].items():
        for row in one["standings"]:
            rated = (row["strength"][part] for part in ("value", "low", "high"))
            own = (row[criterion] for criterion in criteria)
            rows.writerow((name, row["contestant"], *rated, *own))
    return out.getvalue()


LEFT, SCALE, LINE = 220, 480, 22
"""Of the picture: the room for names, the length of the scale, and the height of a line."""


def as_svg(found: Report) -> str:
    """The ratings of every judge with their intervals as a picture."""
    y, parts = LINE, list[str]()
    for name, one in found["judges"].items():
        units = max((verdict["units"] for verdict in one["verdicts"]), default=0)
        parts.append(f'<text x="8" y="{y}" font-weight="bold">{escape(name)}, {units} units</text>')
        places = _places((row["strength"] for row in one["standings"]), SCALE)
        for row, (low, value, high) in zip(one["standings"], places, strict=True):
            y += LINE
            at, rating = y - 5, _estimate(row["strength"])
            parts.append(
                f'<text x="8" y="{y}">{escape(row["contestant"][:28])}</text>'
                f'<path d="M{LEFT + low} {at}H{LEFT + high}" stroke="currentColor"/>'
                f'<circle cx="{LEFT + value}" cy="{at}" r="4"/>'
                f'<text x="{LEFT + SCALE + 16}" y="{y}">{rating[0]} ({rating[1]})</text>'
            )
        y += 2 * LINE
    size = f'width="{LEFT + SCALE + 180}" height="{y}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">'
    )
    return "\n".join((head, "<title>Ratings, with 95 % intervals</title>", *parts, "</svg>"))


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "md": as_markdown,
    "csv": as_csv,
    "json": lambda found: json.dumps(found, ensure_ascii=False, indent=2),
    "svg": as_svg,
}


def _estimate(one: Mapping[str, float | None]) -> tuple[str, str]:
    ends = (_number(one[end], ".0f", "open") for end in ("low", "high"))
    return _number(one["value"], ".0f"), " to ".join(ends)


def _number(value: float | None, form: str, none: str = "unknown") -> str:
    return none if value is None else format(value, form)
