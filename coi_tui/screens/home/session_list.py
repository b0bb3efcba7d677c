"""What the list of sessions shows of one: its row, and the text about it. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.filesize import decimal

from coi_tui.model.document import Table, plain_table
from coi_tui.model.text import count
from coi_tui.session.opening import SessionHeader, SessionSummary
from coi_tui.session.wording import by_keys, counts
from coi_tui.widgets.panes import ago

STATES = {
    "damaged": "! damaged",
    "newer": "newer format: read-only",
    "held elsewhere": "open elsewhere: read-only",
    "unreadable": "! cannot be read",
}
"""What is special about a session, in place of what needs the person."""
MIDDLE = 74
"""Cells of a row from which the method and the step are shown."""


def columns(headers: Sequence[SessionHeader], special: Sequence[str], width: int) -> Table:
    """The sessions, a row each; what is ``special`` about one replaces what needs the person."""

    def cells(header: SessionHeader, special: str) -> tuple[str, ...]:
        summary = header.summary
        return (
            f"(archived) {header.name}" if header.archived else header.name,
            (summary.method or header.method or "-") if width >= MIDDLE else "",
            (summary.step or "-") if width >= MIDDLE else "",
            special or ", ".join(counts(summary.needs)) or "-",
            str(summary.cost),
            ago(header.opened),
        )

    method, step = ("METHOD", "STEP") if width >= MIDDLE else ("", "")
    head = ("NAME", method, step, "NEEDS YOU", "SPENT", "LAST OPENED")
    return plain_table(head, map(cells, headers, special))


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
        ("File", f"{header.path}  ({decimal(header.size)}{', intact' if ok else ''})"),
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
        "coi papers add   adds your own papers: a folder of PDFs, or a .bib or .ris list",
    )
    return [("", about), ("", "\n" + "\n".join(keys)), ("", "\n" + services)]
