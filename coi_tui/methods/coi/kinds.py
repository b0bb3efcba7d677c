"""The kinds of cells of Chain of Ideas, in the order of its tree, and what each of its prompts must
answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from coi_tui.engine.declarations import CellKind, EditableField, fields_of
from coi_tui.methods.base.cell_table import nth, row, running_text, stored, table
from coi_tui.methods.base.reply_models import (
    LENIENT,
    Items,
    Reasoned,
    Reply,
    Sources,
    Words,
    as_number,
)
from coi_tui.methods.chain.chains import Chains, has_neighbour, has_paper, is_within_reach
from coi_tui.methods.chain.slots import LISTS
from coi_tui.methods.coi import reasons
from coi_tui.methods.coi.growth import SIDES, stopped
from coi_tui.methods.ideas import kinds, literature
from coi_tui.methods.ideas.sketch_tasks import IDEA, sketch_kind
from coi_tui.model import content
from coi_tui.model.address import cell_ref, place, question_of, slot
from coi_tui.model.document import (
    Block,
    RowChange,
    RowKey,
    Section,
    plain_table,
    section,
)
from coi_tui.model.entries import Action
from coi_tui.model.state import State
from coi_tui.model.text import sentences

# -- replies


class Questions(Reasoned):
    """COI-1: search questions for a topic, the first broad, each of the rest on one aspect."""

    questions: list[Words] = Field(min_length=1, max_length=5)


class Rewrite(Reasoned):
    """COI-2: one search query that differs from all failed ones."""

    query: Words


Grade = Annotated[int, BeforeValidator(as_number), Field(ge=0, le=3)]


class PaperRelevance(Reply):
    """COI-2: what a candidate is worth for the topic, by the label it was shown under."""

    id: Words
    reasoning: Words
    topic: Grade


class Relevances(Reply):
    """COI-2: verdicts on several candidates, each by itself."""

    verdicts: Items[PaperRelevance] = Field(min_length=1)


class PaperKinship(PaperRelevance):
    """COI-4, COI-5: the same, with its kinship with the paper next to which it would be."""

    kinship: Grade
    link: Literal["builds on", "same problem", "same method", "only cites", "none"]


class Kinships(Reply):
    """COI-4, COI-5: verdicts on several candidates for a place in a chain."""

    verdicts: Items[PaperKinship] = Field(min_length=1)


class Trend(Reasoned):
    """COI-8: whether the newer paper takes up anything of the older one, and what moved from one to
    the other; of papers without a link one sentence says so."""

    cites = True
    linked: bool
    text: Words
    sources: Sources = []

    @field_validator("text")
    @classmethod
    def _short(cls, text: str, info: ValidationInfo) -> str:
        return text if info.data.get("linked", True) else sentences(text)[0]


class Direction(Reply):
    """COI-10: a note on how people reasoned their way along the chain, the candidates that were
    weighed and dropped, and then the future direction."""

    cites = True
    note: Words
    candidates: Annotated[Items[content.Named], LENIENT] = []
    text: Words
    sources: Sources = []


# -- cells


def _branch(state: State, address: str) -> Iterator[Block]:
    """Why each side of the chain ends where it does, and its papers."""
    branch = cell_ref(address).branch
    chain = Chains.of(state).chain(branch)
    if not chain:
        return
    for side in SIDES:
        why = stopped(state, branch, side) or "not grown yet"
        yield section(f"{side.capitalize()} ends because", why)
    papers = [
        (pos, paper)
        for pos in chain
        if (paper := Chains.of(state).paper_in(slot(branch, pos))) is not None
    ]
    rows = ((place(pos), str(p.year or "????"), p.title) for pos, p in papers)
    yield Section("Chain, old to new", (plain_table(("slot", "year", "title"), rows),))


def _questions(state: State) -> dict[str, str]:
    """Every question that was written, with the cell that asks it; empty for one that is not
    asked."""
    found = dict[str, str]()
    for at in (question_of(branch) for branch in state.branches_of("")):
        if note := state.read(at, content.Note):
            asks = {note.text: found.get(note.text) or ("" if state.cell(at).rejected else at)}
            found = {**dict.fromkeys(map(str, note.candidates), ""), **found, **asks}
    return found


def _noted(state: State, address: str) -> Iterator[Block]:
    yield from running_text(state, address)
    if note := stored(state, address, content.Note).note:
        yield section("Note", note)


def _question(state: State, address: str) -> Iterator[Block]:
    yield from _noted(state, address)
    rows = (row(text, "asked" * bool(at), at, text) for text, at in _questions(state).items())
    yield from table("||question", rows, "Space asks a question or leaves it out, N adds yours.")


def _ask_or_not(state: State, address: str, text: str, key: RowKey) -> RowChange | None:
    """Leave out a question that is asked, unless it is the only one; ask another one, which may be
    new, in a branch that was left out before it had a chain, else in a new one."""
    asked, branches = _questions(state), state.branches_of("")
    at = asked.get(text, "")
    if key != "tick" or (at and {*asked.values()} <= {at, ""}):
        return None
    if at:
        return RowChange(at, {}, "leave out", f"{at} is left out.", rejects=True)
    out = (
        b for b in branches if state.cell(question_of(b)).rejected and not Chains.of(state).chain(b)
    )
    at = question_of(next(out, len(branches) + 1))
    return RowChange(at, {"text": text, "note": ""}, "ask it", f"{at} asks it.")


BRANCH = replace(kinds.BRANCH, document=_branch)
QUESTION = CellKind(
    "Q",
    "Q1",
    "Question",
    content.Note,
    "questions",
    "questions",
    "question",
    kinds.OF_TEXT | {"reject"},
    (EditableField("text"),),
    "question",
    document=_question,
    row_change=_ask_or_not,
    has_verdict=False,
)


def _trend(state: State, address: str) -> Iterator[Block]:
    """The text, and where it finds no link which paper to replace: the one farther from the
    anchor."""
    trend, at = stored(state, address, content.Note), cell_ref(address)
    if not trend.linked:
        outer = slot(at.branch, at.newer if at.newer > 0 else at.pos)
        advice = (
            f"Replace the paper at {outer}: reject it there, or choose another of its candidates. "
            "Where you see a link, L says so in your words."
        )
        yield section("No link", advice)
    yield from running_text(state, address)


TREND = CellKind(
    "trend",
    "1/-1..0",
    "Trend",
    content.Note,
    "trend",
    "trends",
    "",
    kinds.OF_TEXT,
    (EditableField("text"),),
    "trend",
    content.Note.of_trend,
    document=_trend,
    is_active=has_neighbour,
)


def _direction(state: State, address: str) -> Iterator[Block]:
    """The text, then what was weighed beside it, to choose from."""
    found = stored(state, address, content.Note)
    yield from _noted(state, address)
    if rows := found.candidates:
        yield from table("|Other candidates", (row(n, n, one) for n, one in enumerate(rows, 1)))


def _other_direction(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """Take another candidate as the direction; the one it replaces stays in the history."""
    one = nth(stored(state, address, content.Note).candidates, number)
    if one is None or key != "accept":
        return None
    text = f"{one.name} {one.description}".strip()
    return RowChange(address, {"text": text, "sources": []}, "use", "This is the direction now.")


DIRECTION = kinds.kind(
    "dir",
    "Future direction",
    content.Note,
    "direction",
    "directions",
    "text note",
    label="direction",
    document=_direction,
    row_change=_other_direction,
)

CANDIDATES = CellKind(
    "cands",
    "1/+1.cands",
    "Candidates",
    content.CandidateList,
    "anchor candidates",
    "anchors",
    "candidates",
    kinds.OF_LIST,
    has_verdict=False,
    is_active=is_within_reach,
    remarks=reasons.of_candidates,
    has_row=False,
)
VERDICTS = CellKind(
    "rel",
    "1/+1.rel",
    "Relevance verdicts",
    content.Verdicts,
    "relevance",
    "chains",
    "verdicts",
    kinds.OF_LIST,
    has_verdict=False,
    is_active=is_within_reach,
    remarks=reasons.of_verdicts,
    has_row=False,
)
OF_PAPER: frozenset[Action] = frozenset(
    {"accept", "reject", "choose", "pin", "protect", "unprotect", "note", "fork", "attach", "end"}
)
SLOT = CellKind(
    "slot",
    "1/0",
    "Paper",
    stage="chains",
    decisions=OF_PAPER,
    attached=LISTS,
    explain=reasons.of_slot,
)
CARD = CellKind(
    "card",
    "1/0.card",
    "Card",
    content.CardContent,
    "card",
    "cards",
    "summary",
    kinds.OF_TEXT,
    fields_of(content.CardContent, kinds.CARD_FIELDS),
    label="card",
    main="move",
    is_active=has_paper,
)

KINDS = (
    BRANCH,
    QUESTION,
    CANDIDATES,
    VERDICTS,
    SLOT,
    CARD,
    TREND,
    DIRECTION,
    kinds.RIVALS,
    sketch_kind(kinds.kind, "sketch", "sketch"),
    IDEA,
    literature.KIND,
    *kinds.IDEA_KINDS,
)
