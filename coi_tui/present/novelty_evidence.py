"""The novelty evidence of a proposal: what was searched and found, and how it compares with the
idea. Nothing is called new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from coi_tui.methods.evidence import named_works
from coi_tui.methods.ideas.kinds import rivals_caption
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
    plain_table,
)
from coi_tui.model.naming import version_name
from coi_tui.model.text import count, day, listed, sentence
from coi_tui.present.cells import cells_of
from coi_tui.present.snapshot import NOT_MADE, ExportContext

_VERDICTS = ("close match", "partial", "not close", "not judged")


def outcome(report: NoveltyReport) -> str:
    """A sentence on a report's verdict that claims no more than was searched."""
    close, partial, far = report.numbers()
    scope = f"in {count(close + partial + far, 'paper')} searched{_dates(report.searches)}"
    if report.verdict == "close match":
        return f"{count(close, 'close match', 'close matches')} {scope}."
    if report.verdict not in ("partial", "not close"):
        return f"INCONCLUSIVE: {sentence(report.why)} Nothing follows from this about how new the idea may be."
    overlaps = f"; {count(partial, 'partial overlap')}" if partial else ""
    return f"No close match {scope}{overlaps}."


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
    order = {verdict: n for n, verdict in enumerate(_VERDICTS)}
    rows = sorted(report.papers, key=lambda row: order.get(row.verdict, len(order)))
    queries = {search.query: n for n, search in enumerate(report.searches, start=1)}
    yield Paragraph((Strong(outcome(report)), " This is the result of a search, not a proof."))
    if (failure := context.snapshot.failed_checks.get(address)) is not None:
        said = (
            f" on {day(failure.time)}: {sentence(failure.cause)} This report is the one before it."
        )
        yield Paragraph((Strong("The last check failed"), said))
    if own := context.state.own_verdict(branch):
        yield Paragraph(f"The researcher's own verdict on the idea: {sentence(own)}")
    counts = _verdict_counts(report)
    yield Paragraph(" ".join(filter(None, [counts, _about(context, branch, report)])))
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
    shared = [" ".join(filter(None, (work.same, work.left))) for work in near.works]
    if near.works:
        yield Bullets(
            tuple(
                (Citation(work.paper), f": {said}" if said else "")
                for work, said in zip(near.works, shared, strict=True)
            )
        )


def _claims(report: NoveltyReport, rows: list[ComparedPaper]) -> Iterator[Block]:
    """The claims of the idea, and what each paper says of each."""
    yield Paragraph(
        "The researcher wrote these claims."
        if report.claims_by == "you"
        else "The idea was cut into these claims; each was searched for."
    )
    yield Bullets(
        tuple(
            f"{', '.join(filter(None, (f'Claim {n}', claim.kind)))}: {claim.text}"
            for n, claim in enumerate(report.claims, start=1)
        )
    )
    compared: list[tuple[Line, ...]] = [
        ((Citation(row.paper),), *(cell.judgement for cell in cells_of(row, len(report.claims))))
        for row in rows
        if row.cells
    ]
    if compared:
        yield plain_table(
            (
                "Paper",
                *(f"{n} {claim.kind}".strip() for n, claim in enumerate(report.claims, start=1)),
            ),
            tuple(compared),
        )


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


def _verdict_counts(report: NoveltyReport) -> str:
    numbers = report.numbers()
    judged = sum(numbers)
    left = len(report.papers) - judged
    topical = sum(row.on_topic for row in report.papers if row.verdict != "not judged")
    named = ", ".join(f"{name} {n}" for name, n in zip(_VERDICTS, numbers, strict=False))
    on_topic = "" if topical == judged else f" {topical} of them on the topic."
    more = (
        f" {count(left, 'more paper was', 'more papers were')} found but not judged."
        if left
        else ""
    )
    return f"Judged: {count(judged, 'paper')}; {named}.{on_topic}{more}"


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
    return plain_table(("No.", "Query", "Source", "Date", "Hits", "Outcome"), tuple(rows))


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
    """The researcher's judgement beside the model's, and whether the paper is a bad case."""
    judgement = context.state.judged.get((branch, paper))
    said = [f"The researcher's judgement: {sentence(judgement)}"] if judgement else []
    if note := context.state.judged_notes.get((branch, paper), ""):
        said.append(f"The researcher's note: {sentence(note)}")
    if any(case.paper == paper for case in context.state.bad.get(branch, ())):
        said.append("Ticked as a bad case.")
    return said
