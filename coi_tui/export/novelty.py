"""What was searched and what was found; nothing is called new (COI-12, methods.md, 6, rule 15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.export.escape import count, day, inline, listed, paragraphs, sentence, table
from coi_tui.export.sheet import NOT_MADE, Sheet

_ORDER = ("close match", "partial", "not close", "not judged")
INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True)
class Outcome:
    """The verdict and a bounded sentence for it."""

    verdict: str
    said: str
    judged: int


def outcome(content: Mapping[str, Any]) -> Outcome:
    """The report's verdict, read with suspicion: with nothing judged, or a failed search, it can only be INCONCLUSIVE."""
    rows, searches = content.get("papers") or [], content.get("searches") or []
    counts = {name: sum(r.get("verdict") == name for r in rows) for name in _ORDER}
    judged = len(rows) - counts["not judged"]
    failed = sum(s.get("outcome") == "failed" for s in searches)
    when = _dates(searches)
    if counts["close match"]:
        return Outcome(
            "close match",
            f"{count(counts['close match'], 'close match', 'close matches')} in {count(judged, 'paper')} searched{when}.",
            judged,
        )
    if not judged or failed or content.get("verdict") == INCONCLUSIVE:
        why = content.get("why") or (
            f"{failed} of {len(searches)} searches failed." if failed else "Nothing was found that could be compared."
        )
        return Outcome(INCONCLUSIVE, f"INCONCLUSIVE: {sentence(why)} Nothing follows from this about how new the idea may be.", judged)
    rest = f"; {count(counts['partial'], 'partial overlap')}" if counts["partial"] else ""
    return Outcome(
        "partial" if counts["partial"] else "not close", f"No close match in {count(judged, 'paper')} searched{when}{rest}.", judged
    )


def _dates(searches: list[Mapping[str, Any]]) -> str:
    days = sorted({day(s["date"]) for s in searches if s.get("date")})
    if not days:
        return " on an unknown date"
    return f" on {days[0]}" if len(days) == 1 else f" between {days[0]} and {days[-1]}"


def novelty_part(sheet: Sheet, branch: int, level: str) -> str:
    """Verdict, searches, papers with their verdicts, bad cases."""
    version = sheet.state.in_use(f"{branch}/nov")
    if version is None:
        return f"{NOT_MADE} No search for earlier work has been made for this idea."
    content, found = version.content, outcome(version.content)
    rows = sorted(content.get("papers") or [], key=lambda r: _ORDER.index(r["verdict"]) if r.get("verdict") in _ORDER else len(_ORDER))
    lead = f"**{inline(found.said)}** This is the result of a search, not a proof."
    idea = sheet.state.in_use(f"{branch}/idea")
    used = "the one in use" if idea and content.get("idea") == f"v{idea.seq}" else "not the one in use"
    about = f"The report is about {inline(content['idea'])} of the idea, {used}." if content.get("idea") else ""
    return "\n\n".join(filter(None, [
        lead, _counts(rows, found.judged), about, paragraphs(content.get("summary")),
        f"{level} Searches", _searches(content),
        f"{level} Papers compared", _papers(sheet, branch, rows),
        *_bad(sheet, branch, level),
    ]))  # fmt: skip


def _counts(rows: list[Mapping[str, Any]], judged: int) -> str:
    said = [f"{name} {sum(r.get('verdict') == name for r in rows)}" for name in _ORDER[:3]]
    left = len(rows) - judged
    more = f" {count(left, 'more paper was', 'more papers were')} found but not judged." if left else ""
    return f"Judged: {count(judged, 'paper')}; {', '.join(said)}.{more}"


def _searches(content: Mapping[str, Any]) -> str:
    searches = content.get("searches") or []
    if not searches:
        return "No search is on record."
    rows = [
        (str(n), inline(s.get("query")), inline(s.get("source")), day(s.get("date")), str(s.get("hits", 0)), _how(s))
        for n, s in enumerate(searches, start=1)
    ]
    return table(("No.", "Query", "Source", "Date", "Hits", "Outcome"), rows)


def _how(search: Mapping[str, Any]) -> str:
    word = {"ok": "answered", "empty": "answered, nothing found", "failed": "FAILED"}.get(str(search.get("outcome")), "unknown")
    note = inline(search.get("note"))
    return f"{word}: {note}" if note else word


def _papers(sheet: Sheet, branch: int, rows: list[Mapping[str, Any]]) -> str:
    report = sheet.state.in_use(f"{branch}/nov")
    queries = {s.get("query"): n for n, s in enumerate(report.content.get("searches") or [], start=1)} if report else {}
    return "\n".join(f"- {_paper(sheet, branch, row, queries)}" for row in rows) or "No paper was found."


def _paper(sheet: Sheet, branch: int, row: Mapping[str, Any], queries: Mapping[Any, int]) -> str:
    new = " (NEW in this report)" if row.get("new") else ""
    said = [f"**{inline(row.get('verdict'))}**{new}: {sheet.book.titled(str(row['paper']))}."]
    if overlap := inline(row.get("overlap")):
        said.append(f"Overlap: {sentence(overlap)}")
    if reason := inline(row.get("reason")):
        said.append(f"Reason: {sentence(reason)}")
    if numbers := [str(queries[q]) for q in row.get("found_by") or () if q in queries]:
        said.append(f"Found by search {listed(numbers)}.")
    return " ".join([*said, *_yours(sheet, branch, row)])


def _yours(sheet: Sheet, branch: int, row: Mapping[str, Any]) -> list[str]:
    """The researcher's judgement beside the model's (check 31): recorded with the paper, or by ticking it as a bad case."""
    yours = sheet.state.judged.get((branch, row["paper"])) or row.get("yours")
    said = [f"The researcher's judgement: {sentence(inline(yours))}"] if yours else []
    if any(case.paper == row["paper"] for case in sheet.state.bad.get(branch, ())):
        said.append(f"Ticked as a bad case{' by the researcher' if _ticked(sheet, branch, row['paper']) else ''}.")
    return said


def _ticked(sheet: Sheet, branch: int, paper: str) -> bool:
    """True when a person ticked the paper, not the rule that ticks close matches."""
    ticks = (d for d in sheet.subject.decisions if d.action == "tick" and d.address == f"{branch}/bad" and d.actor == "you")
    return any(d.value.get("paper") == paper and d.group not in sheet.subject.undone for d in ticks)


def _bad(sheet: Sheet, branch: int, level: str) -> list[str]:
    cases = sheet.state.bad.get(branch, ())
    if not cases:
        return []
    rows = [f"- {sheet.book.titled(c.paper) if c.paper in sheet.state.papers else inline(c.title)}: {inline(c.reason)}" for c in cases]
    return [
        f"{level} Bad cases",
        "Papers that an earlier draft came too close to; a new draft is told to keep away from them.",
        "\n".join(rows),
    ]
