"""The sections of a proposal that every idea has: the idea, novelty evidence, other ideas and ratings, experiment plan, review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.export.escape import clipped, count, day, fence, inline, listed, paragraphs, sentence, table
from coi_tui.export.snapshot import NOT_MADE, ExportContext, by
from coi_tui.model import reviewing
from coi_tui.model.address import parse_address, slot
from coi_tui.model.entries import Version
from coi_tui.model.reviewing import Round

IDEA = (
    ("final", "In short"), ("motivation", "Motivation"), ("novelty", "What the text claims as new"), ("contributions", "Contributions"),
    ("method", "Method"), ("origin", "Where it comes from"), ("difference", "How it differs"), ("challenges", "Challenges"),
)  # fmt: skip
PLAN = (
    ("design", "Design"), ("baselines", "Baselines"), ("ablation", "Ablation"), ("metrics", "Metrics"),
    ("implementation", "Implementation"), ("feasibility", "Feasibility"),
)  # fmt: skip
CRITERIA = ("novelty", "significance", "feasibility", "clarity", "effectiveness")


def title_of(context: ExportContext, branch: int) -> str:
    """An idea's title (not escaped), or words for a missing one."""
    return str(context.state.value(f"{branch}/idea#title") or f"Idea {branch} (no title yet)")


def idea_part(context: ExportContext, branch: int, level: str) -> str:
    version = context.state.in_use(f"{branch}/idea")
    if version is None:
        return NOT_MADE
    return "\n\n".join(filter(None, [by(version), *context.parts(f"{branch}/idea", IDEA, level)]))


def plan_part(context: ExportContext, branch: int, level: str) -> str:
    """The plan in its parts, pseudocode as code, references with the papers they mean."""
    version = context.state.in_use(f"{branch}/exp")
    if version is None:
        return NOT_MADE
    out = [by(version), *context.parts(f"{branch}/exp", PLAN, level)]
    if code := str(version.content.get("pseudocode") or "").strip():
        out += [f"{level} Pseudocode", fence(code)]
    if titles := version.content.get("references"):
        out += [f"{level} References of the plan", "\n".join(_reference(context, str(title)) for title in titles)]
    return "\n\n".join(filter(None, out))


def _reference(context: ExportContext, title: str) -> str:
    found = context.bibliography.titles.find(title)
    return (
        f"- {context.bibliography.titled(found)}"
        if found
        else f"- {inline(title)} (**unverified**: no paper of the session has this title)"
    )


def others_part(context: ExportContext) -> str:
    """Every idea that is not told in full, then ratings and matches."""
    rest = [b for b in context.state.branches if b not in context.snapshot.shown]
    told = [_other(context, branch) for branch in rest]
    return "\n\n".join(
        [*(told or ["There is no other idea." if context.snapshot.branch else "All ideas are shown above."]), *ratings(context)]
    )


def _other(context: ExportContext, branch: int) -> str:
    version = context.state.in_use(f"{branch}/idea")
    parked = " (parked by the researcher)" if branch in context.state.parked else ""
    chain = ", ".join(context.bibliography.short(p) for p in _papers_of_chain(context, branch))
    rows = [f"Chain: {chain or 'none yet'}."]
    if version is not None:
        report = context.state.in_use(f"{branch}/nov")
        rows.append(f"Novelty: {inline(outcome(report.content).said) if report else 'not searched yet.'}")
    body = paragraphs(version.content.get("final") or version.content.get("motivation")) if version else NOT_MADE
    title = title_of(context, branch) if version else "no idea yet"
    return "\n\n".join(
        filter(None, [f"### Idea {branch}: {inline(title)}{parked}", by(version), body, "\n".join(f"- {row}" for row in rows)])
    )


def _papers_of_chain(context: ExportContext, branch: int) -> list[str]:
    slots = (context.state.slot(slot(branch, pos)) for pos in context.state.chain(branch))
    return [s.paper for s in slots if s.paper]


def ratings(context: ExportContext) -> list[str]:
    """The table of places, and each match with its reasons."""
    lines, matches = context.snapshot.standings, context.snapshot.matches
    if not lines or not matches:
        return [
            "### Ratings",
            "The ideas have not been compared yet." if len(lines) != 1 else "There is one idea, so nothing to compare it with.",
        ]
    names = [*CRITERIA, *sorted({n for line in lines for n in line.elo} - set(CRITERIA))]
    head = ("Idea", "Elo, mean", *(f"Elo, {name}" for name in names), "Bradley-Terry", "Points")
    rows = [
        (
            f"{line.player}: {inline(clipped(title_of(context, line.player), 14))}{_mark(context, line.player)}", f"{line.average:.0f}",
            *(f"{line.elo[n]:.0f}" if n in line.elo else "" for n in names), f"{line.strength:.2f}", f"{line.points:g} of {line.games}",
        )
        for line in lines
    ]  # fmt: skip
    lead = ("Every pair is judged in both orders on five criteria. A criterion whose winner flips with the order counts as a tie. "
            "Elo starts at 1,000; Bradley-Terry strengths have mean 1. "
            "They order these ideas among themselves and say nothing beyond.")  # fmt: skip
    out = ["### Ratings", lead, table(head, rows)]
    return [*out, "### Matches", "\n".join(_match(v) for v in (context.state.in_use(a) for a in matches) if v)]


def _mark(context: ExportContext, player: int) -> str:
    picked = " (the researcher's pick)" if context.state.pick == player else ""
    return picked or (" (shown above)" if context.snapshot.branch == player else "")


def _match(version: Version) -> str:
    at, content = parse_address(version.address), version.content
    results: Mapping[str, Any] = content.get("results") or {}
    flipped = flips(content)
    said = [
        f"{inline(name)}: {f'idea {won}' if won else 'tie (flipped with the order)' if name in flipped else 'tie'}"
        for name, won in results.items()
    ]
    ratio = content.get("length_ratio")
    long = f" One text is {ratio} times as long as the other." if isinstance(ratio, int | float) and ratio >= 1.5 else ""
    rows = [f"- **Idea {at.branch} against idea {at.other}.** {', '.join(said) or 'no result'}.{long}"]
    for key, order in (("straight", f"Idea {at.branch} shown first"), ("swapped", f"Idea {at.other} shown first")):
        reason = inline(clipped((content.get(key) or {}).get("reasoning"), 50))
        rows += [f"  - {order}: {sentence(reason)}"] if reason else []
    rows += [f"  - The researcher's judgement: {sentence(inline(content['yours']))}"] if content.get("yours") else []
    return "\n".join(rows)


def flips(content: Mapping[str, Any]) -> list[str]:
    """Criteria for which the two orders named different winners."""
    straight, swapped = content.get("straight") or {}, content.get("swapped") or {}
    names = [n for n in content.get("results") or {} if {straight.get(n), swapped.get(n)} <= {0, 1}]
    return [n for n in names if straight[n] == swapped[n]]


_VERDICTS = ("close match", "partial", "not close", "not judged")
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
    counts = {name: sum(r.get("verdict") == name for r in rows) for name in _VERDICTS}
    judged = len(rows) - counts["not judged"]
    failed = sum(s.get("outcome") == "failed" for s in searches)
    when = _dates_of(searches)
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


def _dates_of(searches: list[Mapping[str, Any]]) -> str:
    days = sorted({day(s["date"]) for s in searches if s.get("date")})
    if not days:
        return " on an unknown date"
    return f" on {days[0]}" if len(days) == 1 else f" between {days[0]} and {days[-1]}"


def novelty_part(context: ExportContext, branch: int, level: str) -> str:
    """Verdict, searches, papers with their verdicts, bad cases."""
    version = context.state.in_use(f"{branch}/nov")
    if version is None:
        return f"{NOT_MADE} No search for earlier work has been made for this idea."
    content, found = version.content, outcome(version.content)
    rows = sorted(
        content.get("papers") or [], key=lambda r: _VERDICTS.index(r["verdict"]) if r.get("verdict") in _VERDICTS else len(_VERDICTS)
    )
    lead = f"**{inline(found.said)}** This is the result of a search, not a proof."
    idea = context.state.in_use(f"{branch}/idea")
    used = "the one in use" if idea and content.get("idea") == f"v{idea.seq}" else "not the one in use"
    about = f"The report is about {inline(content['idea'])} of the idea, {used}." if content.get("idea") else ""
    return "\n\n".join(filter(None, [
        lead, _verdict_counts(rows, found.judged), about, paragraphs(content.get("summary")),
        f"{level} Searches", _searches_made(content),
        f"{level} Papers compared", _papers_compared(context, branch, rows),
        *_bad_cases(context, branch, level),
    ]))  # fmt: skip


def _verdict_counts(rows: list[Mapping[str, Any]], judged: int) -> str:
    said = [f"{name} {sum(r.get('verdict') == name for r in rows)}" for name in _VERDICTS[:3]]
    left = len(rows) - judged
    more = f" {count(left, 'more paper was', 'more papers were')} found but not judged." if left else ""
    return f"Judged: {count(judged, 'paper')}; {', '.join(said)}.{more}"


def _searches_made(content: Mapping[str, Any]) -> str:
    searches = content.get("searches") or []
    if not searches:
        return "No search is on record."
    rows = [
        (str(n), inline(s.get("query")), inline(s.get("source")), day(s.get("date")), str(s.get("hits", 0)), _search_outcome(s))
        for n, s in enumerate(searches, start=1)
    ]
    return table(("No.", "Query", "Source", "Date", "Hits", "Outcome"), rows)


def _search_outcome(search: Mapping[str, Any]) -> str:
    word = {"ok": "answered", "empty": "answered, nothing found", "failed": "FAILED"}.get(str(search.get("outcome")), "unknown")
    note = inline(search.get("note"))
    return f"{word}: {note}" if note else word


def _papers_compared(context: ExportContext, branch: int, rows: list[Mapping[str, Any]]) -> str:
    report = context.state.in_use(f"{branch}/nov")
    queries = {s.get("query"): n for n, s in enumerate(report.content.get("searches") or [], start=1)} if report else {}
    return "\n".join(f"- {_paper_compared(context, branch, row, queries)}" for row in rows) or "No paper was found."


def _paper_compared(context: ExportContext, branch: int, row: Mapping[str, Any], queries: Mapping[Any, int]) -> str:
    new = " (NEW in this report)" if row.get("new") else ""
    said = [f"**{inline(row.get('verdict'))}**{new}: {context.bibliography.titled(str(row['paper']))}."]
    if overlap := inline(row.get("overlap")):
        said.append(f"Overlap: {sentence(overlap)}")
    if reason := inline(row.get("reason")):
        said.append(f"Reason: {sentence(reason)}")
    if numbers := [str(queries[q]) for q in row.get("found_by") or () if q in queries]:
        said.append(f"Found by search {listed(numbers)}.")
    return " ".join([*said, *_researchers_judgement(context, branch, row)])


def _researchers_judgement(context: ExportContext, branch: int, row: Mapping[str, Any]) -> list[str]:
    """The researcher's judgement beside the model's (check 31): recorded with the paper, or by ticking it as a bad case."""
    yours = context.state.judged.get((branch, row["paper"])) or row.get("yours")
    said = [f"The researcher's judgement: {sentence(inline(yours))}"] if yours else []
    if any(case.paper == row["paper"] for case in context.state.bad.get(branch, ())):
        said.append(f"Ticked as a bad case{' by the researcher' if _ticked(context, branch, row['paper']) else ''}.")
    return said


def _ticked(context: ExportContext, branch: int, paper: str) -> bool:
    """True when a person ticked the paper, not the rule that ticks close matches."""
    ticks = (d for d in context.snapshot.decisions if d.action == "tick" and d.address == f"{branch}/bad" and d.actor == "you")
    return any(d.value.get("paper") == paper and d.group not in context.snapshot.undone for d in ticks)


def _bad_cases(context: ExportContext, branch: int, level: str) -> list[str]:
    cases = context.state.bad.get(branch, ())
    if not cases:
        return []
    rows = [
        f"- {context.bibliography.titled(c.paper) if c.paper in context.state.papers else inline(c.title)}: {inline(c.reason)}"
        for c in cases
    ]
    return [
        f"{level} Bad cases",
        "Papers that an earlier draft came too close to; a new draft is told to keep away from them.",
        "\n".join(rows),
    ]


def rounds(context: ExportContext, branch: int) -> list[Round]:
    """Refinements that led to the plan in use, oldest first, then the review in use when none of them answered it."""
    return reviewing.rounds(context.state, branch)


@dataclass(frozen=True)
class PointOutcome:
    """What became of a point: ``answered``, ``dismissed`` or ``NOT ADDRESSED``, and words for it."""

    point: Mapping[str, Any]
    word: str
    said: str


def point_outcomes(context: ExportContext, branch: int, one: Round) -> list[PointOutcome]:
    return [_point_outcome(context, branch, one, p) for p in reviewing.points_of(context.state, branch, one.review)]


def _point_outcome(context: ExportContext, branch: int, one: Round, point: Mapping[str, Any]) -> PointOutcome:
    key = (branch, one.review.seq, int(point.get("n") or 0))
    became, change = reviewing.fate(context.state, branch, one, point), reviewing.claim(one, point)
    if became == "dismissed":
        reason = _reason_for_dismissal(context, *key)
        return PointOutcome(point, "dismissed", f"dismissed by the researcher{f': {reason}' if reason else ', no reason given'}")
    if became == "done":
        return PointOutcome(point, "answered", change)
    if change:
        return PointOutcome(point, "NOT ADDRESSED", f"a change is claimed ({change}), but the plan's text is the same as before there")
    left = "" if one.plan else "; the plan has not been refined since this review"
    return PointOutcome(point, "NOT ADDRESSED", f"the plan answers nothing to it{left}")


def _reason_for_dismissal(context: ExportContext, branch: int, version: int, point: int) -> str:
    """The reason given with the newest dismissal of a point."""
    undone = context.snapshot.undone
    found = [d.reason for d in context.snapshot.decisions if d.action == "dismiss" and d.address == f"{branch}/review"
             and d.group not in undone and d.value.get("version") == version and d.value.get("point") == point]  # fmt: skip
    return found[-1] if found else ""


def open_points(context: ExportContext, branch: int) -> list[str]:
    """Numbers of points with no answer, in the newest review."""
    all_rounds = rounds(context, branch)
    return (
        [str(f.point.get("n")) for f in point_outcomes(context, branch, all_rounds[-1]) if f.word == "NOT ADDRESSED"] if all_rounds else []
    )


def review_part(context: ExportContext, branch: int, level: str) -> str:
    """Each review with its points and what became of them, and the reading that the refinement drew on."""
    out: list[str] = []
    for n, one in enumerate(rounds(context, branch), start=1):
        about = f"plan v{one.review.content['of']}" if one.review.content.get("of") else "the plan"
        answered = f"answered by plan v{one.plan.seq}" if one.plan else "not answered yet"
        out.append(f"{level} Round {n}: {count(len(one.review.content.get('points') or []), 'point')} on {about}, {answered}")
        found = point_outcomes(context, branch, one)
        out.append("\n".join(_point(f) for f in found) or "The review asked for no change.")
        if one.plan is not None:
            out += _further_reading(context, one.plan.content.get("support") or {}, level)
    return "\n\n".join(out) or NOT_MADE


def _point(fate: PointOutcome) -> str:
    part = f"On {inline(fate.point.get('part'))}: " if fate.point.get("part") else ""
    said = fate.said if fate.word != "dismissed" else fate.said.removeprefix("dismissed ")
    whose = " (added by the researcher)" if fate.point.get("own") else ""
    asked = f"- **Point {inline(fate.point.get('n'))}{whose}.** {part}{sentence(inline(fate.point.get('point')))}"
    return f"{asked}\n  - **{fate.word}**: {sentence(inline(said))}"


def _further_reading(context: ExportContext, support: Mapping[str, Any], level: str) -> list[str]:
    """What further reading supported the refinement."""
    query, rows = inline(support.get("query")), list(support.get("facts") or [])
    head = f"{level}# Further reading for this round"
    if not query and not rows:
        return [head, "None: the model asked for no search."]
    searched = f"Searched for “{query}”; {count(len(support.get('papers') or []), 'paper')} read."
    told = []
    for row in rows:
        facts = [f"  - {inline(fact)}" for fact in row.get("facts") or ()] or ["  - no fact was of use."]
        told.append("\n".join([f"- {context.bibliography.titled(str(row.get('paper') or ''))}", *facts]))
    return [head, searched, *(["\n".join(told)] if told else [])]
