"""What the list of sessions shows of one: its row, and the text about it. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coi_tui.model.text import count
from coi_tui.session.watch import SessionHeader, SessionSummary
from coi_tui.session.wording import by_keys, counts
from coi_tui.widgets.panes import ago, column, cut, fit, size

STATES = {
    "damaged": "! damaged",
    "newer": "newer format: read-only",
    "held elsewhere": "open elsewhere: read-only",
    "unreadable": "! cannot be read",
}
"""What is special about a session, in place of what needs the person."""
WIDE, MIDDLE = 100, 74
"""Cells of a row from which all columns fit, and those without the method."""


def _line(cells: Sequence[str], headers: Sequence[SessionHeader], width: int) -> str:
    """Cells of name, method, step, what needs the person, spent, opened, in columns; narrow rows
    leave out the method and the step."""
    methods = column(map(_method, headers), 6, 12) if width >= WIDE else 0
    rest = (methods, 12, 0, 8, 13) if width >= MIDDLE else (0, 0, 0, 6, 10)
    left = width - sum(rest) - 2 * (2 + sum(map(bool, rest)))
    name = max(16, left * 2 // 5)
    columns = (name, *rest[:2], max(12, left - name), *rest[3:])
    shown = (fit(text, room) for text, room in zip(cells, columns, strict=True) if room)
    return cut("  ".join(shown), width).rstrip()


def _method(header: SessionHeader) -> str:
    """The short name of the method that the session began with."""
    return header.summary.method or header.method or "-"


def heads(headers: Sequence[SessionHeader], width: int) -> str:
    """The names of the columns."""
    opened = "LAST OPENED" if width >= MIDDLE else "OPENED"
    return _line(("NAME", "METHOD", "STEP", "NEEDS YOU", "SPENT", opened), headers, width)


def row(header: SessionHeader, special: str, headers: Sequence[SessionHeader], width: int) -> str:
    """A session in one line among others; ``special`` replaces what needs the person."""
    name = f"(archived) {header.name}" if header.archived else header.name
    needs = special or ", ".join(counts(header.summary.needs)) or "-"
    step, spent = header.summary.step or "-", str(header.summary.cost)
    return _line((name, _method(header), step, needs, spent, ago(header.opened)), headers, width)


def facts(
    header: SessionHeader, special: str, keys: Mapping[str, str], copy: str = ""
) -> Sequence[tuple[str, str]]:
    """The text about a session. ``keys``: the workbench's by action; ``copy``: when the last intact
    copy of a damaged one was made."""
    at, step = header.summary.at, header.summary.next
    ok = header.state == "ok"
    coming = by_keys(step, keys, at).removeprefix("Next: ") if step and ok else ""
    left = [ago(header.changed), f"on {at}" if at else ""]
    lines = [
        ("State", f"{special} ({header.reason})" if special and header.reason else special),
        ("Copy", f"from {ago(copy)}; Enter offers to restore it" if copy else ""),
        ("Left off", ", ".join(filter(None, left))),
        *([("Next", coming), *_content(header.summary)] if step else []),
        ("File", f"{header.path}  ({size(header.size)}{', intact' if ok else ''})"),
    ]
    return [("", "\n".join(f"{name:8} {text}" for name, text in lines if text))]


def _content(s: SessionSummary) -> list[tuple[str, str]]:
    """What is in the session: papers, ideas, money."""
    content = [
        count(s.branches, "branch", "branches"),
        count(s.papers, "paper"),
        count(s.ideas, "draft") if s.ideas else "",
        f"your idea {s.pick}" if s.pick else "",
    ]
    return [
        ("Stale", ", ".join(s.stale)),
        ("Drafts", f"not saved yet: {', '.join(s.drafts)}" if s.drafts else ""),
        ("Content", ", ".join(filter(None, content))),
        ("Spent", f"{s.cost}, {count(s.calls, 'call')}"),
    ]


def fits(header: SessionHeader, words: str) -> bool:
    """Whether the name or topic of a session contains every word of a filter."""
    text = f"{header.name} {header.topic}".casefold()
    return all(word in text for word in words.casefold().split())


def welcome(services: str) -> Sequence[tuple[str, str]]:
    """What is shown while there is no session: what one is, and the keys to begin with."""
    about = "A session is one research topic: its chains of papers, your decisions, the idea drafts and the experiment plan, in one file."
    keys = (
        "n   start from a topic (free until you approve a plan)",
        "o   open a recorded session (no key, no cost)",
        "i   import a .coi.db file someone sent you",
        "p   add papers of your own: a folder of PDFs, or a .bib, .ris, .json list",
    )
    return [("", about), ("", "\n" + "\n".join(keys)), ("", "\n" + services)]
