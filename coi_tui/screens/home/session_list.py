"""What the list of sessions says of one: its row, and the pane about it. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coi_tui.model.money import Limit, Money
from coi_tui.model.text import count
from coi_tui.session.watch import SessionHeader
from coi_tui.session.wording import by_keys, counts
from coi_tui.widgets.panes import ago, cut, fit, indented, size

STATES = {
    "damaged": "! damaged",
    "newer": "newer format: read-only",
    "held elsewhere": "open elsewhere: read-only",
    "unreadable": "! cannot be read",
}
"""What is special about a session, in place of what needs the person."""
WIDE, MIDDLE, WELCOME = 100, 74, 70
"""Cells of a row from which all columns fit, and those without the method; and from which the
welcome has air."""


def _columns(width: int) -> tuple[int, ...]:
    """Cells of name, method, step, what waits, spent, opened; 0 for what is left out."""
    fixed = (
        0,
        7 if width >= WIDE else 0,
        12 if width >= MIDDLE else 0,
        0,
        8 if width >= MIDDLE else 6,
        13 if width >= MIDDLE else 10,
    )
    left = width - sum(fixed) - 2 * (1 + sum(1 for cells in fixed if cells))
    name = max(16, left * 40 // 100)
    return (name, *fixed[1:3], max(12, left - name), *fixed[4:])


def _line(cells: Sequence[str], width: int) -> str:
    return cut(
        "  ".join(
            fit(text, room) for text, room in zip(cells, _columns(width), strict=True) if room
        ),
        width,
    ).rstrip()


def heads(width: int) -> str:
    """The line over the columns."""
    return _line(
        (
            "NAME",
            "METHOD",
            "STEP",
            "NEEDS YOU",
            "SPENT",
            "LAST OPENED" if width >= MIDDLE else "OPENED",
        ),
        width,
    )


def row(peek: SessionHeader, special: str, width: int) -> str:
    """A session in one line; ``special`` stands in place of what needs the person."""
    summary = peek.summary
    needs = special or ", ".join(counts(peek.needs)) or "-"
    spent = str(Money.of_summary(summary))
    name = f"(archived) {peek.name}" if peek.archived else peek.name
    method = _initials(peek.method) or "-"
    return _line(
        (name, method, str(summary.get("step") or "-"), needs, spent, ago(peek.opened)), width
    )


def facts(
    peek: SessionHeader, special: str, keys: Mapping[str, str], copy: str = ""
) -> Sequence[tuple[str, str]]:
    """What the second pane says. ``keys``: the workbench's by action; ``copy``: when the last
    intact copy of a damaged one was made."""
    restore = (
        f"the last intact copy is from {ago(copy)}; Enter offers to restore it" if copy else ""
    )
    lines = [("State", _state(peek, special)), ("Copy", restore), ("Left off", _left_off(peek))]
    if peek.summary:
        lines += _needs_lines(peek, keys) + _content_lines(peek.summary)
    lines.append(
        ("File", f"{peek.path}  ({size(peek.size)}{', intact' if peek.state == 'ok' else ''})")
    )
    return [("", "\n".join(f"{name:8} {text}" for name, text in lines if text))]


def _state(peek: SessionHeader, special: str) -> str:
    """What is special about a session, with the reason."""
    return f"{special} ({peek.reason})" if special and peek.reason else special


def _left_off(peek: SessionHeader) -> str:
    """When and where the person left."""
    at = peek.summary.get("at")
    return ", ".join(part for part in (ago(peek.changed), f"on {at}" if at else "") if part)


def _needs_lines(peek: SessionHeader, keys: Mapping[str, str]) -> list[tuple[str, str]]:
    """What comes next, as the workbench says it, and what else waits."""
    drafts, step = peek.summary.get("drafts"), peek.next_step
    stale = ", ".join(peek.summary.get("stale") or ())
    return [
        (
            "Next",
            by_keys(step, keys, str(peek.summary.get("at") or "")).removeprefix("Next: ")
            if step and peek.state == "ok"
            else "",
        ),
        ("Stale", stale),
        ("Drafts", f"not saved yet: {', '.join(drafts)}" if drafts else ""),
    ]


def _content_lines(s: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is in the session: papers, ideas, money."""
    verdicts = s.get("verdicts") or {}
    numbers = [
        (verdicts.get("accepted"), "accepted"),
        (verdicts.get("pinned"), "pinned by you"),
        (verdicts.get("proposed"), "undecided"),
    ]
    papers = ", ".join(
        f"{number} {said}" for number, said in [*numbers, (s.get("rejected"), "rejected")] if number
    )
    ideas = [
        (s.get("ideas"), count(int(s.get("ideas") or 0), "draft")),
        (s.get("leader"), f"leader {s.get('leader')}"),
        (s.get("pick"), f"your idea {s.get('pick')}"),
    ]
    spent, cap, calls = (
        str(Money.of_summary(s)),
        Limit(s.get("cap_usd"), s.get("cap_tokens")),
        count(int(s.get("calls") or 0), "call"),
    )
    others = s.get("others") or []
    branches = int(s.get("branches") or 0)
    chains = f"{count(branches, 'branch', 'branches')}, {count(int(s.get('papers') or 0), 'paper')}"
    return [
        ("Chains", f"{chains}{': ' if papers else ''}{papers}" if branches or not others else ""),
        ("Methods" if len(others) > 1 else "Method", "; ".join(others)),
        ("Ideas", ", ".join(said for there, said in ideas if there)),
        ("Budget", f"{spent} of {cap} used, {calls}" if cap else f"{spent}, {calls}"),
    ]


def fits(peek: SessionHeader, words: str) -> bool:
    """Whether every word of a filter stands in the session's name or topic."""
    text = f"{peek.name} {peek.topic}".casefold()
    return all(word in text for word in words.casefold().split())


def nothing_yet(services: str, width: int) -> str:
    """What the list says while there is no session: what one is, and the keys to begin with.
    ``width`` in cells."""
    room, air = min(74, width), [""] if width >= WELCOME else []
    about = "A session is one research topic: its chains of papers, your decisions, the idea drafts and the experiment plan, in one file here."
    keys = (
        "n   start from a topic (free until you approve a plan)",
        "o   open a recorded session (no key, nothing is charged)",
        "i   import a .coi.db file someone sent you",
        "p   add papers of your own: a folder of PDFs, or a .bib, .ris, .json list",
    )
    lines = [
        *air,
        "  No sessions yet.",
        "",
        *indented(about, 2, room),
        "",
        *(f"  {key}" for key in keys),
        "",
        *indented(services, 2, room),
    ]
    return "\n".join(lines)


def _initials(method: str) -> str:
    """A method's name where there is little room: its initials, where it has several words."""
    words = method.split()
    return "".join(word[0] for word in words) if len(words) > 1 else method
