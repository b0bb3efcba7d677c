"""What the list of sessions says of one: its row, and the pane about it. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from coi_tui.session.watch import Peek
from coi_tui.widgets.formatting import ago, cut, dollars, fit, indented, size

STATES = {
    "damaged": "! damaged: cannot be opened", "newer": "made by a newer coi-tui, read-only",
    "held elsewhere": "open elsewhere, Enter opens read-only", "unreadable": "! cannot be read",
}  # fmt: skip
SHORTER = (
    ("open elsewhere, Enter opens read-only", "open elsewhere: read-only", "elsewhere"),
    ("made by a newer coi-tui, read-only", "newer format: read-only", "newer"),
    ("! damaged; last intact copy", "! damaged; copy", "! damaged"),
)
"""What stands in place of what waits: in full, and shorter where a column has no room for it."""
WIDE, MIDDLE, WELCOME = 100, 74, 70
"""Cells of a row from which all columns fit, and those without the method; and from which the welcome has air."""


def _columns(width: int) -> tuple[int, ...]:
    """Cells of name, method, step, what waits, spent, opened; 0 for what is left out."""
    fixed = (0, 7 if width >= WIDE else 0, 12 if width >= MIDDLE else 0, 0, 8 if width >= MIDDLE else 6, 13 if width >= MIDDLE else 10)
    left = width - sum(fixed) - 2 * (1 + sum(1 for cells in fixed if cells))
    name = max(16, left * 40 // 100)
    return (name, *fixed[1:3], max(12, left - name), *fixed[4:])


def _line(cells: Sequence[str], width: int) -> str:
    return cut("  ".join(fit(text, room) for text, room in zip(cells, _columns(width), strict=True) if room), width).rstrip()


def heads(width: int) -> str:
    """The line over the columns."""
    return _line(("NAME", "METHOD", "STEP", "NEEDS YOU", "SPENT", "LAST OPENED" if width >= MIDDLE else "OPENED"), width)


def row(peek: Peek, special: str, width: int) -> str:
    """A session in one line; ``special`` is what stands in place of what waits."""
    summary = peek.summary
    waiting = _short(special, _columns(width)[3]) or ", ".join(summary.get("waiting") or ()) or "-"
    spent = dollars(float(summary.get("spent_usd") or 0.0))
    name = f"(archived) {peek.name}" if peek.archived else peek.name
    method = _initials(peek.method) or "-"
    return _line((name, method, str(summary.get("step") or "-"), waiting, spent, ago(peek.opened)), width)


def _short(special: str, room: int) -> str:
    """The longest form of a state that a column has room for."""
    for full, *forms in SHORTER:
        if special.startswith(full) and cell_len(special) > room:
            tail = special.removeprefix(full)
            return next((form + tail for form in forms if cell_len(form + tail) <= room), forms[-1])
    return special


def next_step(peek: Peek) -> str:
    """The cheapest thing to do next, in words."""
    waits = " ".join(peek.summary.get("waiting") or ())
    if "undecided" in waits:
        return "] goes to what is undecided; deciding is free"
    if "stale" in waits:
        return "R shows what refreshing the stale texts would take; K keeps one as it is"
    if "failed" in waits:
        return "Enter on the failed row shows the ways on"
    if "for the network" in waits:
        return "Q shows the plans that wait for the network, at today's prices"
    step = str(peek.summary.get("step") or "")
    return "s writes the proposal" if step == "review" else "g shows what the next stage would take"


def facts(peek: Peek, special: str, copy: str = "") -> Sequence[tuple[str, str]]:
    """What the second pane says. ``copy``: when the last whole copy of a damaged session was made."""
    s = peek.summary
    verdicts, counts = s.get("verdicts") or {}, []
    for word, said in (("accepted", "accepted"), ("pinned", "pinned by you"), ("proposed", "undecided")):
        if verdicts.get(word):
            counts.append(f"{verdicts[word]} {said}")
    if s.get("rejected"):
        counts.append(f"{s['rejected']} rejected")
    chains = f"{s.get('branches', 0)} branches, {s.get('papers', 0)} papers{': ' if counts else ''}{', '.join(counts)}"
    ideas = [f"{s.get('ideas', 0)} drafts" if s.get("ideas") else "", f"leader {s['leader']}" if s.get("leader") else "",
             f"your pick {s['pick']}" if s.get("pick") else ""]  # fmt: skip
    spent, cap = dollars(float(s.get("spent_usd") or 0.0)), s.get("cap_usd")
    stale = ", ".join(s.get("stale") or ())
    queued = next((w for w in s.get("waiting") or () if w.endswith("for the network")), "")
    needs = [w for w in s.get("waiting") or () if w != queued]
    calls = f"{s.get('calls', 0)} call{'' if s.get('calls') == 1 else 's'}"
    stopped = ", ".join(p for p in (ago(peek.changed), f"on {s['at']}" if s.get("at") else "") if p)
    lines = [
        ("State", f"{special} ({peek.reason})" if special and peek.reason and peek.reason not in special else special),
        ("Copy", f"the last whole copy is from {ago(copy)}; Enter offers to restore it" if copy else ""),
        ("Stopped", stopped),
        ("Waiting", (", ".join(needs) + (f": {stale}" if stale else "") or ("" if queued else "nothing")) if s else ""),
        ("Queued", f"{queued}; Q in the session shows them" if queued else ""),
        ("Drafts", f"not saved yet: {', '.join(s['drafts'])}" if s.get("drafts") else ""),
        ("Next", next_step(peek) if s and peek.state == "ok" else ""),
        ("Chains", chains if s else ""),
        ("Ideas", ", ".join(p for p in ideas if p)),
        ("Budget", (f"{spent} of {dollars(float(cap))} used, {calls}" if cap else f"{spent}, {calls}") if s else ""),
        ("File", f"{peek.path}  ({size(peek.size)}{', healthy' if peek.state == 'ok' else ''})"),
    ]
    return [("", "\n".join(f"{name:8} {text}" for name, text in lines if text))]


def fits(peek: Peek, words: str) -> bool:
    """Whether every word of a filter stands in the session's name or topic."""
    text = f"{peek.name} {peek.topic}".casefold()
    return all(word in text for word in words.casefold().split())


def nothing_yet(services: str, width: int) -> str:
    """What the list says while there is no session: what one is, and the keys to begin with. ``width`` in cells."""
    room, air = min(74, width), [""] if width >= WELCOME else []
    about = (
        "A session is one research topic: its chains of papers, your decisions, the idea drafts and the experiment plan, in one file here."
    )
    keys = ("n   start from a topic (free until you approve a plan)", "o   open a demo session (no key, nothing is charged)",
            "i   import a .coi.db file someone sent you")  # fmt: skip
    lines = [*air, "  No sessions yet.", "", *indented(about, 2, room), "", *(f"  {key}" for key in keys), "", *indented(services, 2, room)]
    return "\n".join(lines)


def _initials(method: str) -> str:
    """A method's name where there is little room: its initials, where it has several words."""
    words = method.split()
    return "".join(word[0] for word in words) if len(words) > 1 else method
