"""The outcome of a novelty search in a sentence that claims no more than was searched."""

from __future__ import annotations

from coi_tui.model.content import NoveltyReport
from coi_tui.model.text import count, day, sentence


def outcome(report: NoveltyReport) -> str:
    close, partial, far = report.numbers()
    days = sorted({day(search.date) for search in report.searches if search.date})
    when = (
        f" between {days[0]} and {days[-1]}" if len(days) > 1 else f" on {days[0]}" if days else ""
    )
    scope = f"in {count(close + partial + far, 'paper')} searched{when}"
    if report.verdict == "close match":
        return f"{count(close, 'close match', 'close matches')} {scope}."
    if report.verdict not in ("partial", "not close"):
        why = f" {sentence(report.why)}" if report.why else ""
        return f"INCONCLUSIVE:{why} Nothing follows from this about how new the idea may be."
    overlaps = f"; {count(partial, 'partial overlap')}" if partial else ""
    return f"No close match {scope}{overlaps}."
