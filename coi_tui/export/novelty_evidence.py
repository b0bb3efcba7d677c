"""The novelty evidence of a proposal: what was searched and found, and how it compares with the
idea. Nothing is called new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from coi_tui.export.snapshot import NOT_MADE, ExportContext
from coi_tui.methods.shared import named_works
from coi_tui.methods.shared.claim_table import cells_of
from coi_tui.methods.shared.rivals_table import rivals_caption
from coi_tui.model.address import Branch
from coi_tui.model.content import ComparedPaper, NoveltyReport, NoveltySearch, RivalsContent
from coi_tui.model.document import (
    Block,
    Bullets,
    Citation,
    Line,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    Section,
    Strong,
    Table,
)
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
    """The report's verdict, checked again: with nothing judged, or a failed search, it can only be
    INCONCLUSIVE."""
    counts = Counter(paper.verdict for paper in report.papers)
    judged = len(report.papers) - counts["not judged"]
    scope = f"in {count(judged, 'paper')} searched{_dates(report.searches)}"
    if close := counts["close match"]:
        return NoveltyOutcome(
            "close match", f"{count(close, 'close match', 'close matches')} {scope}.", judged
        )
    if why := _why_inconclusive(report, judged):
        said = f"INCONCLUSIVE: {sentence(why)} Nothing follows from this about how new the idea may be."
        return NoveltyOutcome(INCONCLUSIVE, said, judged)
    if partial := counts["partial"]:
        return NoveltyOutcome(
            "partial", f"No close match {scope}; {count(partial, 'partial overlap')}.", judged
        )
    return NoveltyOutcome("not close", f"No close match {scope}.", judged)


def _why_inconclusive(report: NoveltyReport, judged: int) -> str:
    """Why nothing can be concluded from a report; empty where something can."""
    failed = sum(search.outcome == "failed" for search in report.searches)
    if judged and not failed and report.on_topic >= report.floor and report.verdict != INCONCLUSIVE:
        return ""
    found = (
        f"{failed} of {len(report.searches)} searches failed."
        if failed
        else "Too little was found that could be compared."
    )
    return report.why or found


def _dates(searches: list[NoveltySearch]) -> str:
    days = sorted({day(search.date) for search in searches if search.date})
    if not days:
        return " on an unknown date"
    return f" on {days[0]}" if len(days) == 1 else f" between {days[0]} and {days[-1]}"


def novelty(context: ExportContext, branch: Branch) -> Iterator[Block | Section]:
    """Verdict, searches, papers with their verdicts, bad cases."""
    address = f"{branch}/nov"
    report = context.state.read(address, NoveltyReport)
    if report is None:
        yield Paragraph(f"{NOT_MADE} No search for earlier work has been made for this idea.")
        return
    found = outcome(report)
    order = {verdict: n for n, verdict in enumerate(_VERDICTS)}
    rows = sorted(report.papers, key=lambda row: order.get(row.verdict, len(order)))
    queries = {search.query: n for n, search in enumerate(report.searches, start=1)}
    yield Paragraph((Strong(found.said), " This is the result of a search, not a proof."))
    if (failure := context.snapshot.failed_checks.get(address)) is not None:
        said = (
            f" on {day(failure.time)}: {sentence(failure.cause)} This report is the one before it."
        )
        yield Paragraph((Strong("The last check failed"), said))
    if own := context.state.own_verdict(branch):
        yield Paragraph(f"The researcher's own verdict on the idea: {sentence(own)}")
    yield Paragraph(
        " ".join(
            filter(None, [_verdict_counts(rows, found.judged), _about(context, branch, report)])
        )
    )
    if summary := report.summary:
        yield Passage(address, summary)
    if report.claims:
        yield Section("Claims", tuple(_claims(report, rows)))
    yield Section("Searches", (_searches(report.searches),))
    if report.named:
        yield Section(
            "Works that the idea names",
            (Bullets(tuple((named_works.line(context.state, work),) for work in report.named)),),
        )
    if (near := context.state.read(f"{branch}/rivals", RivalsContent)) is not None:
        yield Section("Nearest works known before the idea", tuple(_rivals(near)))
    entries = tuple(
        PaperEntry(row.paper, (_compared(context, branch, row, queries),)) for row in rows
    )
    yield Section(
        "Papers compared", (PaperList(entries) if entries else Paragraph("No paper was found."),)
    )
    if cases := context.state.bad.get(branch, ()):
        lead = Paragraph(
            "Papers that an earlier draft came too close to; a new draft is told to keep away from them."
        )
        named = (
            (
                Citation(case.paper) if case.paper in context.state.papers else case.title,
                f": {case.reason}",
            )
            for case in cases
        )
        yield Section("Bad cases", (lead, Bullets(tuple(named))))


def _rivals(near: RivalsContent) -> Iterator[Block]:
    """The works that were kept, with what they share with the idea's thought. Titles that are no
    paper's are only counted."""
    yield Paragraph(f"{rivals_caption(near)}.")
    if near.works:
        lines = (
            f": {' '.join(filter(None, (work.same, work.left)))}" if work.same or work.left else ""
            for work in near.works
        )
        yield Bullets(
            tuple(
                (Citation(work.paper), line) for work, line in zip(near.works, lines, strict=True)
            )
        )


def _claims(report: NoveltyReport, rows: list[ComparedPaper]) -> Iterator[Block]:
    """The claims of the idea, and what each paper says of each."""
    yield Paragraph(
        "The researcher wrote these claims." if report.claims_by == "you" else _CUT_INTO_CLAIMS
    )
    heads = (
        ", ".join(filter(None, (f"Claim {n}", claim.kind)))
        for n, claim in enumerate(report.claims, start=1)
    )
    yield Bullets(
        tuple(f"{head}: {claim.text}" for head, claim in zip(heads, report.claims, strict=True))
    )
    compared: list[tuple[Line, ...]] = [
        ((Citation(row.paper),), *(cell.judgement for cell in cells_of(row, len(report.claims))))
        for row in rows
        if row.cells
    ]
    if compared:
        yield Table(
            (
                "Paper",
                *(f"{n} {claim.kind}".strip() for n, claim in enumerate(report.claims, start=1)),
            ),
            tuple(compared),
        )


_CUT_INTO_CLAIMS = "The idea was cut into these claims; each was searched for."


def _about(context: ExportContext, branch: Branch, report: NoveltyReport) -> str:
    """Which version of the idea was searched for."""
    address, judged = f"{branch}/idea", judged_version(report)
    if not judged:
        return ""
    idea = context.state.in_use(address)
    used = "the version in use" if idea and idea.seq == judged else "not the version in use"
    return (
        f"The report is about {version_name(context.state, address, judged)} of the idea, {used}."
    )


def judged_version(report: NoveltyReport) -> int:
    """The number in the log of the idea that a novelty report is about; 0 where it does not say."""
    said = report.idea.removeprefix("v")
    return int(said) if said.isdecimal() else 0


def _verdict_counts(rows: list[ComparedPaper], judged: int) -> str:
    counts = Counter(row.verdict for row in rows)
    left = len(rows) - judged
    topical = sum(row.on_topic for row in rows if row.verdict != "not judged")
    on_topic = "" if topical == judged else f" {topical} of them on the topic."
    more = (
        f" {count(left, 'more paper was', 'more papers were')} found but not judged."
        if left
        else ""
    )
    return f"Judged: {count(judged, 'paper')}; {', '.join(f'{name} {counts[name]}' for name in _VERDICTS[:3])}.{on_topic}{more}"


def _searches(searches: list[NoveltySearch]) -> Block:
    if not searches:
        return Paragraph("No search is on record.")
    rows = [
        (
            str(n),
            f"{s.query}{_searched_for(s)}",
            s.source,
            day(s.date),
            str(s.hits),
            _search_outcome(s),
        )
        for n, s in enumerate(searches, start=1)
    ]
    return Table(("No.", "Query", "Source", "Date", "Hits", "Outcome"), tuple(rows))


def _searched_for(search: NoveltySearch) -> str:
    """What a search was for, where it was not a claim."""
    return (
        " (the whole idea)"
        if search.whole
        else f" (against the idea: {search.angle})"
        if search.angle
        else ""
    )


def _search_outcome(search: NoveltySearch) -> str:
    word = {"ok": "answered", "empty": "answered, nothing found", "failed": "FAILED"}.get(
        search.outcome, "unknown"
    )
    return f"{word}: {search.note}" if search.note else word


def _compared(
    context: ExportContext, branch: Branch, row: ComparedPaper, queries: Mapping[str, int]
) -> Line:
    said = [
        f"{name}: {sentence(text)}"
        for name, text in (("Overlap", row.overlap), ("Reason", row.reason))
        if text
    ]
    said += [
        f"Claim {cell.claim}, {cell.judgement}: “{cell.passage}”."
        for cell in row.cells
        if cell.passage
    ]
    if numbers := [str(queries[query]) for query in row.found_by if query in queries]:
        said.append(f"Found by {'search' if len(numbers) == 1 else 'searches'} {listed(numbers)}.")
    said += _researchers_judgement(context, branch, row.paper)
    return (Strong(row.verdict), f"{' (NEW in this report)' if row.new else ''}. {' '.join(said)}")


def _researchers_judgement(context: ExportContext, branch: Branch, paper: str) -> list[str]:
    """The researcher's judgement beside the model's: said of the paper, or by ticking it as a bad
    case."""
    judgement = context.state.judged.get((branch, paper))
    said = [f"The researcher's judgement: {sentence(judgement)}"] if judgement else []
    if note := context.state.judged_notes.get((branch, paper), ""):
        said.append(f"The researcher's note: {sentence(note)}")
    if any(case.paper == paper for case in context.state.bad.get(branch, ())):
        said.append(
            f"Ticked as a bad case{' by the researcher' if _ticked(context, branch, paper) else ''}."
        )
    return said


def _ticked(context: ExportContext, branch: Branch, paper: str) -> bool:
    """True when a person ticked the paper, not the rule that ticks close matches."""
    ticks = (
        d
        for d in context.snapshot.decisions
        if d.action == "tick" and d.address == f"{branch}/bad" and d.actor == "you"
    )
    return any(
        d.value.get("paper") == paper and d.group not in context.snapshot.undone for d in ticks
    )
