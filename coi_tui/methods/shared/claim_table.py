"""What the papers of a novelty report say of each claim of the idea: as a table, and in lines for
one paper."""

from __future__ import annotations

from coi_tui.model.content import NO_PASSAGE, ClaimCell, ComparedPaper, IdeaClaim, NoveltyReport
from coi_tui.model.state import State
from coi_tui.model.views import MatrixCell, MatrixRow, MatrixView

MARKS = frozenset({"same", "overlaps", "different"})
"""The judgements that stand in a cell as they are; anything else is no passage, a dash."""


def claim_table(state: State, address: str) -> MatrixView:
    """A row a paper, the closest first, and a column a claim; no column for a report without
    claims."""
    report = state.read(address, NoveltyReport) or NoveltyReport()
    columns = tuple(claim_name(n, claim) for n, claim in enumerate(report.claims, start=1))
    rows = []
    for row in report.papers:
        if row.cells:
            paper = state.papers.get(row.paper)
            title = paper.title if paper is not None else row.paper
            cells = tuple(_cell(cell, row.reason) for cell in cells_of(row, len(columns)))
            rows.append(MatrixRow(title, cells, row.paper))
    return MatrixView(columns, tuple(rows))


def _cell(cell: ClaimCell, reason: str) -> MatrixCell:
    if cell.judgement not in MARKS:
        return MatrixCell("-", f"{cell_text(cell)}\n\n{reason}")
    return MatrixCell(cell.judgement, f"“{cell.passage}”\n\n{reason}")


def cells_of(row: ComparedPaper, claims: int) -> list[ClaimCell]:
    """A cell for each claim in its order; a claim that the row does not name has no passage."""
    by_claim = {cell.claim: cell for cell in row.cells}
    return [by_claim.get(n, ClaimCell(claim=n)) for n in range(1, claims + 1)]


def claim_name(n: int, claim: IdeaClaim) -> str:
    """``2 problem: readers wait``."""
    return f"{n} {claim.kind or 'claim'}: {claim.text}"


def cell_text(cell: ClaimCell) -> str:
    """``same: “the passage”``; where a passage was dropped, what was said of it."""
    if cell.passage:
        return f"{cell.judgement}: “{cell.passage}”"
    dropped = (
        f" (“{cell.said}” was said of words that do not stand in title or abstract)"
        if cell.said
        else ""
    )
    return f"{NO_PASSAGE}{dropped}"


def claim_lines(report: NoveltyReport, row: ComparedPaper) -> list[str]:
    """What a paper says of each claim, a line each; none in a report without claims."""
    by_number = dict(enumerate(report.claims, start=1))
    return [
        f"{claim_name(cell.claim, by_number[cell.claim])}\n  {cell_text(cell)}"
        for cell in row.cells
        if cell.claim in by_number
    ]
