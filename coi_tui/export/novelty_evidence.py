"""The novelty evidence of a proposal: what was searched and found, and how it compares with the idea. Nothing is called new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from coi_tui.export.escape import inline, joined, paragraphs, table
from coi_tui.export.snapshot import NOT_MADE, ExportContext
from coi_tui.methods.shared.claim_table import cells_of
from coi_tui.model.address import Branch
from coi_tui.model.content import ComparedPaper, NoveltyReport, NoveltySearch
from coi_tui.model.naming import version_name
from coi_tui.model.wording import count, day, listed, sentence

INCONCLUSIVE = "INCONCLUSIVE"
_VERDICTS = ("close match", "partial", "not close", "not judged")


@dataclass(frozen=True)
class NoveltyOutcome:
    """A novelty report's verdict and a sentence that claims no more than was searched."""

    verdict: str
    said: str
    judged: int


def outcome(report: NoveltyReport) -> NoveltyOutcome:
    """The report's verdict, checked again: with nothing judged, or a failed search, it can only be INCONCLUSIVE."""
    counts = Counter(paper.verdict for paper in report.papers)
    judged = len(report.papers) - counts["not judged"]
    scope = f"in {count(judged, 'paper')} searched{_dates(report.searches)}"
    if close := counts["close match"]:
        return NoveltyOutcome("close match", f"{count(close, 'close match', 'close matches')} {scope}.", judged)
    if why := _why_inconclusive(report, judged):
        said = f"INCONCLUSIVE: {sentence(why)} Nothing follows from this about how new the idea may be."
        return NoveltyOutcome(INCONCLUSIVE, said, judged)
    if partial := counts["partial"]:
        return NoveltyOutcome("partial", f"No close match {scope}; {count(partial, 'partial overlap')}.", judged)
    return NoveltyOutcome("not close", f"No close match {scope}.", judged)


def _why_inconclusive(report: NoveltyReport, judged: int) -> str:
    """Why nothing can be concluded from a report; empty where something can."""
    failed = sum(search.outcome == "failed" for search in report.searches)
    if judged and not failed and report.on_topic >= report.floor and report.verdict != INCONCLUSIVE:
        return ""
    found = f"{failed} of {len(report.searches)} searches failed." if failed else "Too little was found that could be compared."
    return report.why or found


def _dates(searches: list[NoveltySearch]) -> str:
    days = sorted({day(search.date) for search in searches if search.date})
    if not days:
        return " on an unknown date"
    return f" on {days[0]}" if len(days) == 1 else f" between {days[0]} and {days[-1]}"


def novelty_section(context: ExportContext, branch: Branch) -> str:
    """Verdict, searches, papers with their verdicts, bad cases."""
    level = context.sub
    report = context.state.read(f"{branch}/nov", NoveltyReport)
    if report is None:
        return f"{NOT_MADE} No search for earlier work has been made for this idea."
    found = outcome(report)
    order = {verdict: n for n, verdict in enumerate(_VERDICTS)}
    rows = sorted(report.papers, key=lambda row: order.get(row.verdict, len(order)))
    queries = {search.query: n for n, search in enumerate(report.searches, start=1)}
    papers = "\n".join(f"- {_compared_paper(context, branch, row, queries)}" for row in rows) or "No paper was found."
    return joined(
        f"**{inline(found.said)}** This is the result of a search, not a proof.", _failed_check(context, f"{branch}/nov"),
        _own_verdict(context, branch), _verdict_counts(rows, found.judged), _about(context, branch, report),
        paragraphs(context.told.fresh(report.summary)), *_claims(context, report, rows, level),
        f"{level} Searches", _searches(report.searches),
        f"{level} Papers compared", papers,
        *_bad_cases(context, branch, level),
    )  # fmt: skip


def _own_verdict(context: ExportContext, branch: Branch) -> str:
    own = context.state.own_verdict(branch)
    return f"The researcher's own verdict on the idea: {sentence(inline(own))}" if own else ""


def _claims(context: ExportContext, report: NoveltyReport, rows: list[ComparedPaper], level: str) -> list[str]:
    """The claims of the idea, and what each paper says of each; nothing for a report without claims."""
    if not report.claims:
        return []
    by = "The researcher wrote these claims." if report.claims_by == "you" else "The idea was cut into these claims; each was searched for."
    claims = "\n".join(f"{n}. {inline(claim.kind or 'claim')}: {inline(claim.text)}" for n, claim in enumerate(report.claims, start=1))
    compared = [
        (context.bibliography.titled(row.paper), *(inline(cell.judgement) for cell in cells_of(row, len(report.claims))))
        for row in rows if row.cells
    ]  # fmt: skip
    head = ("Paper", *(f"{n} {inline(claim.kind)}".strip() for n, claim in enumerate(report.claims, start=1)))
    return [f"{level} Claims", by, claims, *([f"{level} Claims by paper", table(head, compared)] if compared else [])]


def _passages(row: ComparedPaper) -> list[str]:
    """The passages of a paper, each with the claim that it bears on."""
    return [f"Claim {cell.claim}, {inline(cell.judgement)}: “{inline(cell.passage)}”." for cell in row.cells if cell.passage]


def _failed_check(context: ExportContext, address: str) -> str:
    """That a check made after the report failed, and why."""
    failure = context.snapshot.failed_checks.get(address)
    if failure is None:
        return ""
    return f"**The last check failed** on {day(failure.time)}: {sentence(inline(failure.cause))} This report is the one before it."


def _about(context: ExportContext, branch: Branch, report: NoveltyReport) -> str:
    """Which version of the idea was searched for."""
    address, judged = f"{branch}/idea", judged_version(report)
    if not judged:
        return ""
    idea = context.state.in_use(address)
    used = "the version in use" if idea and idea.seq == judged else "not the version in use"
    return f"The report is about {version_name(context.state, address, judged)} of the idea, {used}."


def judged_version(report: NoveltyReport) -> int:
    """The number in the log of the idea that a novelty report is about; 0 where it does not say."""
    said = report.idea.removeprefix("v")
    return int(said) if said.isdecimal() else 0


def _verdict_counts(rows: list[ComparedPaper], judged: int) -> str:
    counts = Counter(row.verdict for row in rows)
    left = len(rows) - judged
    topical = sum(row.on_topic for row in rows if row.verdict != "not judged")
    on_topic = "" if topical == judged else f" {topical} of them on the topic."
    more = f" {count(left, 'more paper was', 'more papers were')} found but not judged." if left else ""
    return f"Judged: {count(judged, 'paper')}; {', '.join(f'{name} {counts[name]}' for name in _VERDICTS[:3])}.{on_topic}{more}"


def _searches(searches: list[NoveltySearch]) -> str:
    if not searches:
        return "No search is on record."
    rows = [
        (
            str(n),
            f"{inline(s.query)}{_searched_for(s)}",
            inline(s.source),
            day(s.date),
            str(s.hits),
            _search_outcome(s),
        )
        for n, s in enumerate(searches, start=1)
    ]
    return table(("No.", "Query", "Source", "Date", "Hits", "Outcome"), rows)


def _searched_for(search: NoveltySearch) -> str:
    """What a search was for, where it was not a claim."""
    return " (the whole idea)" if search.whole else f" (against the idea: {inline(search.angle)})" if search.angle else ""


def _search_outcome(search: NoveltySearch) -> str:
    word = {"ok": "answered", "empty": "answered, nothing found", "failed": "FAILED"}.get(search.outcome, "unknown")
    note = inline(search.note)
    return f"{word}: {note}" if note else word


def _compared_paper(context: ExportContext, branch: Branch, row: ComparedPaper, queries: Mapping[str, int]) -> str:
    new = " (NEW in this report)" if row.new else ""
    said = [f"**{inline(row.verdict)}**{new}: {context.bibliography.titled(row.paper)}."]
    if overlap := inline(row.overlap):
        said.append(f"Overlap: {sentence(overlap)}")
    if reason := inline(row.reason):
        said.append(f"Reason: {sentence(reason)}")
    said += _passages(row)
    if numbers := [str(queries[query]) for query in row.found_by if query in queries]:
        said.append(f"Found by {'search' if len(numbers) == 1 else 'searches'} {listed(numbers)}.")
    return " ".join([*said, *_researchers_judgement(context, branch, row.paper)])


def _researchers_judgement(context: ExportContext, branch: Branch, paper: str) -> list[str]:
    """The researcher's judgement beside the model's: said of the paper, or by ticking it as a bad case."""
    judgement = context.state.judged.get((branch, paper))
    said = [f"The researcher's judgement: {sentence(inline(judgement))}"] if judgement else []
    if note := inline(context.state.judged_notes.get((branch, paper), "")):
        said.append(f"The researcher's note: {sentence(note)}")
    if any(case.paper == paper for case in context.state.bad.get(branch, ())):
        said.append(f"Ticked as a bad case{' by the researcher' if _ticked(context, branch, paper) else ''}.")
    return said


def _ticked(context: ExportContext, branch: Branch, paper: str) -> bool:
    """True when a person ticked the paper, not the rule that ticks close matches."""
    ticks = (d for d in context.snapshot.decisions if d.action == "tick" and d.address == f"{branch}/bad" and d.actor == "you")
    return any(d.value.get("paper") == paper and d.group not in context.snapshot.undone for d in ticks)


def _bad_cases(context: ExportContext, branch: Branch, level: str) -> list[str]:
    cases = context.state.bad.get(branch, ())
    if not cases:
        return []
    known = context.state.papers
    names = [context.bibliography.titled(c.paper) if c.paper in known else inline(c.title) for c in cases]
    return [
        f"{level} Bad cases",
        "Papers that an earlier draft came too close to; a new draft is told to keep away from them.",
        "\n".join(f"- {name}: {inline(case.reason)}" for name, case in zip(names, cases, strict=True)),
    ]
