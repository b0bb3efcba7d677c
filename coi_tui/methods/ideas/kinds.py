"""The kinds of cells that methods share: the session's own, a chain's, the works nearest to an idea,
and what follows from it. Their documents are in ``present/cells.py``."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.engine.declarations import CellKind, EditableField
from coi_tui.methods.base.cell_table import OF_LIST as OF_LIST
from coi_tui.methods.base.cell_table import OF_TEXT as OF_TEXT
from coi_tui.methods.base.cell_table import kinds_of
from coi_tui.model import content
from coi_tui.model.address import READING, CellRef, cell_at, ref
from coi_tui.model.content import RivalsContent
from coi_tui.model.document import RowChange, RowKey
from coi_tui.model.reviewing import PARTS
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count

YOURS = "yours"
"""Whose a paper of a list is that a person put there."""

TOPIC = CellKind(
    "topic",
    "topic",
    "Topic",
    content.Topic,
    decisions=OF_LIST | {"edit"},
    fields=(EditableField("text"),),
    has_verdict=False,
)


def _never(state: State, at: CellRef) -> bool:
    """Of what is a person's own, and what an undo may take away whole."""
    return False


CRITERIA = CellKind(
    "criteria",
    "criteria",
    "Criteria",
    content.CriteriaRules,
    decisions=frozenset({"edit", "note"}),
    has_verdict=False,
    is_active=_never,
)


_LISTS = (
    ("works", content.Rival),
    ("entries", content.ReadingRow),
)
"""The field of the rivals and that of the reading list, with what a row of them is."""


def paper_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Take a paper out of the reading list or the rivals, or put one first, which may be new."""
    version, paper = state.in_use(address), state.papers.get(row)
    if version is None or paper is None or key not in ("pin", "reject"):
        return None
    field, model = _LISTS[address == READING]
    rows, word = version.content[field], "take out"
    there = [one for one in rows if one["paper"] == row]
    found = [one for one in rows if one not in there]
    if key == "pin":
        own = {**paper.model_dump(include={"title", "year"}), "paper": row, "by": YOURS}
        own |= {"status": YOURS, "readable": bool(paper.abstract)}
        own["abstract"] = clipped(paper.abstract)
        word, found = "put first", [*(there or [model.from_stored(own).model_dump()]), *found]
    if found == rows:
        return None
    ranked = [{**one, "rank": n} for n, one in enumerate(found, 1)]
    return RowChange(address, {field: ranked}, word, f"{word.capitalize()}: “{paper.title}”.")


READING_LIST = CellKind(
    READING,
    READING,
    "Reading list",
    content.ReadingContent,
    "reading list",
    "anchors",
    "reading",
    OF_LIST,
    label=READING,
    row_change=paper_change,
    caption=lambda content: (
        f"{count(len(content.entries), 'paper')}, best first"
        if content.entries
        else "nothing was found"
    ),
    has_verdict=False,
)

ARENA = CellKind(
    "arena", "A", "Arena", decisions=frozenset({"note"}), view="match", has_verdict=False
)

SHELF = CellKind(
    "shelf",
    "X",
    "Rejected papers",
    decisions=frozenset({"reopen", "reject", "note"}),
    has_verdict=False,
)

MATCH = CellKind(
    "match",
    "A/1-2",
    "Match",
    content.MatchRecord,
    "match",
    "selection",
    "match",
    OF_LIST | {"vote"},
    view="match",
    has_verdict=False,
)

MEANS = CellKind(
    "means",
    "means",
    "Means",
    content.Means,
    decisions=frozenset({"edit", "adopt", "note"}),
    fields=(EditableField("text"),),
    has_verdict=False,
    is_active=_never,
)

SESSION_KINDS = (TOPIC, CRITERIA, MEANS, READING_LIST, MATCH, ARENA, SHELF)
"""The cells that every session has, whatever its methods."""


def _idea_of(state: State, address: str, _when: object) -> Iterator[str]:
    title = state.value(ref(cell_at(address, "idea"), "title"))
    yield (
        f"Branch {address} leads to the idea “{title}”."
        if title
        else f"Branch {address} has no idea yet."
    )


BRANCH = CellKind(
    "branch",
    "1",
    "Branch",
    decisions=frozenset({"park", "unpark", "note"}),
    explain=_idea_of,
    has_verdict=False,
)

CARD_FIELDS = tuple(
    name for name in content.CardContent.model_fields if name not in ("source", "note")
)


def rivals_caption(content: RivalsContent) -> str:
    """``7 rivals, 2 titles not found``."""
    missing = sum(not work.paper for work in content.named)
    missed = f", {count(missing, 'title')} not found" if missing else ""
    return count(sum(bool(work.paper) for work in content.works), "rival") + missed


kind = kinds_of("")
RIVALS = kind(
    "rivals",
    "Rivals",
    RivalsContent,
    "rivals",
    "rivals",
    role="rivals",
    caption=rivals_caption,
    row_change=paper_change,
    optional=True,
)


def idea(task: str, stage: str) -> CellKind:
    """An idea: its title, summary and text, and the short fields that other tasks read."""
    return kind(
        "idea",
        "Idea",
        content.IdeaContent,
        task,
        stage,
        " ".join(
            name for name in content.IdeaContent.model_fields if name not in ("origin", "sources")
        ),
        role="idea",
        decisions=OF_TEXT | {"pick", "park", "unpark", "reject"},
        caption=lambda content: content.title or "idea without a title",
        writes_idea=True,
        main="final",
    )


def _verdict(report: content.NoveltyReport) -> str:
    if not report.concludes:
        return f"INCONCLUSIVE: {report.reason}"
    close, partial, other = report.numbers()
    return f"{report.verdict}: {close} close, {partial} partial, {other} not close"


NOVELTY = kind(
    "nov",
    "Novelty report",
    content.NoveltyReport,
    "novelty",
    "novelty",
    role="novelty",
    decisions=OF_LIST | {"judge"},
    label="novelty",
    caption=_verdict,
    view="novelty",
)

CLAIMS = kind(
    "claims",
    "Claims of an idea",
    content.OwnClaims,
    edits="claims",
    label="",
    caption=lambda content: (
        "; ".join(claim.description or claim.name for claim in content.claims)
        or "taken from the report"
    ),
)

COMPARE = kind(
    "compare",
    "Papers to compare with an idea",
    content.PapersToCompare,
    decisions=frozenset({"adopt", "note"}),
    label="to compare",
    optional=True,
)

CLOSE_CASES = CellKind(
    "bad",
    "1/bad",
    "Bad cases",
    content.CloseCases,
    role="bad cases",
    decisions=frozenset({"tick", "untick"}),
    has_verdict=False,
)

EXPERIMENT = kind(
    "exp",
    "Experiment plan",
    content.ExperimentPlan,
    "experiment",
    "experiment",
    " ".join(PARTS),
    role="experiment",
    label="experiment",
    optional=True,
    main="design",
    view="review",
)

REVIEW = kind(
    "review",
    "Review",
    content.ReviewContent,
    "review",
    "review",
    role="review",
    decisions=OF_LIST | {"tick", "untick", "dismiss", "add"},
    caption=lambda content: count(sum(not one.remark for one in content.points), "point"),
    view="review",
    optional=True,
)

PROPOSAL = kind(
    "proposal",
    "Proposal",
    content.ProposalContent,
    "proposal",
    "proposal",
    "title text",
    caption=lambda content: content.title or "without a title",
    optional=True,
)

ASKED = kind(
    "asked",
    "Questions to you",
    content.Note,
    "ask first",
    edits="text",
    role="question",
    label="questions",
    has_verdict=False,
    optional=True,
)

IDEA_KINDS = (ASKED, CLOSE_CASES, CLAIMS, COMPARE, NOVELTY, EXPERIMENT, REVIEW, PROPOSAL)
"""What follows from an idea, whoever made it."""
