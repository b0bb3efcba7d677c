"""The cells of Imitate-and-Evolve: what each holds, who makes it, what a person may decide and edit, and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.engine.declarations import CellKind, EditableField
from coi_tui.methods.imitate import choices, contents
from coi_tui.methods.imitate.manuscript import sections_of
from coi_tui.methods.imitate.plan_steps import PlanStep, fields, step_of
from coi_tui.methods.imitate.settings import MOST_STEPS
from coi_tui.methods.shared import kinds
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Action
from coi_tui.model.state import State
from coi_tui.model.views import DocumentView, MatrixCell, MatrixRow, MatrixView, TableRow, TableView
from coi_tui.model.wording import clipped, count


def _title(state: State, paper: str) -> str:
    return known.title if (known := state.papers.get(paper)) else paper


def side_table(state: State, address: str) -> TableView:
    """The papers of a side, best first, each used or left out."""
    held = state.read(address, contents.SideContent) or contents.SideContent()
    rows = []
    for n, row in enumerate(held.papers, start=1):
        used = "out" if row.paper in held.off else "used"
        rows.append(
            TableRow(
                row.paper,
                (used, str(n), f"{row.score:.2f}", _title(state, row.paper)),
                paper=row.paper,
            )
        )
    return TableView(
        ("", "rank", "match", "title"),
        tuple(rows),
        f"Searched: {held.query}. {held.ranked}".strip(),
    )


def side_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    held = state.read(address, contents.SideContent) or contents.SideContent()
    off = dict.fromkeys(held.off, " (left out)")
    rows = (
        f"{n}. {_title(state, row.paper)}{off.get(row.paper, '')}"
        for n, row in enumerate(held.papers, start=1)
    )
    yield "PAPERS", "\n".join(rows)
    yield "SEARCHED", held.query


def pairs_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """Every pair, best first."""
    held = state.read(address, contents.PairsContent) or contents.PairsContent()
    for n, row in enumerate(held.pairs, start=1):
        yield (
            f"{n}. SCORE {row.score or '?'}",
            f"{_title(state, row.algorithm)} + {_title(state, row.application)}\n{row.reason}".strip(),
        )


def pairs_matrix(state: State, address: str) -> MatrixView:
    """The scores of all pairs: papers of the algorithm in rows, those of the application in columns."""
    held = state.read(address, contents.PairsContent) or contents.PairsContent()
    found = {(row.algorithm, row.application): row for row in held.pairs}
    rows = []
    for one in held.algorithm:
        cells = [
            _pair_cell(found.get((one, other)), same=one == other) for other in held.application
        ]
        rows.append(MatrixRow(_title(state, one), tuple(cells), paper=one))
    return MatrixView(tuple(_title(state, other) for other in held.application), tuple(rows))


def _pair_cell(row: contents.PairRow | None, *, same: bool) -> MatrixCell:
    if row is None or not row.score:
        return MatrixCell(
            "-" if same else "?", "The same paper." if same else "No score was given."
        )
    return MatrixCell(str(row.score), row.reason)


def pair_table(state: State, address: str) -> TableView:
    """Every pair, best first, with the one that is imitated."""
    held, rows = state.read(address, contents.PairContent) or contents.PairContent(), []
    for n, row in enumerate(choices.pair_rows(state, address), start=1):
        ours = (row.algorithm, row.application) == (held.algorithm, held.application)
        names = f"{_title(state, row.algorithm)} + {_title(state, row.application)}"
        text = (
            ("ALGORITHM", _title(state, row.algorithm)),
            ("APPLICATION", _title(state, row.application)),
            ("WHY", row.reason),
        )
        rows.append(
            TableRow(
                str(n),
                ("imitated" if ours else "", str(row.score or "?"), names),
                tuple(t for t in text if t[1]),
            )
        )
    return TableView(
        ("", "score", "algorithm + application"), tuple(rows), "Space imitates another pair."
    )


def pair_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    held = state.read(address, contents.PairContent) or contents.PairContent()
    yield "ALGORITHM", _title(state, held.algorithm)
    yield "APPLICATION", _title(state, held.application)
    if held.reason:
        yield "WHY", held.reason
    yield "CHOSEN BY", "you" if held.chosen else "its score"


def outline_view(state: State, address: str) -> DocumentView:
    """The parts of an outline with their summaries."""
    held = state.read(address, contents.OutlineContent) or contents.OutlineContent()
    return DocumentView(
        (
            ("", f"{held.title} (read from: {held.source})"),
            *((part.name, part.description) for part in held.parts),
        )
    )


def step_lines(step: PlanStep) -> str:
    return "\n".join(filter(None, (step.purpose, f"As in: {step.like}" if step.like else "")))


def plan_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """The steps of the plan, each with its paradigm."""
    held = state.read(address, contents.PlanContent) or contents.PlanContent()
    steps = ((n, step_of(getattr(held, f"step{n}"))) for n in range(1, MOST_STEPS + 1))
    yield from ((f"{n} {step.title}", step_lines(step)) for n, step in steps if step.title)


def step_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    """A step, whether it was changed and why, what its evidence lacks, and what else it could imitate."""
    held = state.read(address, contents.StepContent) or contents.StepContent()
    step = step_of(held.step)
    told = (
        (step.title, step_lines(step)),
        ("NO CHANGE" if held.kept else "CHANGED", held.why),
        ("WEAK EVIDENCE", held.weak),
        ("COULD IMITATE INSTEAD", held.other),
    )
    return ((heading, said) for heading, said in told if said)


def step_table(state: State, address: str) -> TableView:
    """The parts of both paradigms, with the one that the step imitates and the one that was proposed instead."""
    held = state.read(address, contents.StepContent) or contents.StepContent()
    like = step_of(held.step).like
    rows = []
    for n, name in enumerate(choices.part_names(state, address), start=1):
        mark = "imitated" if name == like else "proposed" if name == held.other else ""
        rows.append(TableRow(str(n), (mark, name)))
    note = " ".join(filter(None, (held.weak, "Space lets the step imitate another part.")))
    return TableView(("", "part of a paradigm"), tuple(rows), note)


def passages_table(state: State, address: str) -> TableView:
    """The passages of a step with where they stand, each used or left out."""
    held = state.read(address, contents.PassagesContent) or contents.PassagesContent()
    rows = []
    for n, row in enumerate(held.passages, start=1):
        whose = _title(state, row.paper) if row.paper else f"section {row.section} of the draft"
        used = "out" if str(n) in held.off else "used"
        text = (("WHERE", row.where), ("PASSAGE", row.text), ("SHOWS", row.shows))
        rows.append(
            TableRow(str(n), (used, str(n), whose), tuple(t for t in text if t[1]), row.paper)
        )
    return TableView(("", "number", "from"), tuple(rows), held.note)


def passages_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    held = state.read(address, contents.PassagesContent) or contents.PassagesContent()
    for n, row in enumerate(held.passages, start=1):
        whose = _title(state, row.paper) if row.paper else "the draft"
        off = " (left out)" if str(n) in held.off else ""
        yield f"{n} {whose}, {row.where}{off}", row.text
    if held.note:
        yield "WEAK", held.note


def section_view(state: State, address: str) -> DocumentView:
    """The manuscript as it stands, whichever of its sections was opened."""
    sections = sections_of(state, parse_address(address).branch)
    named = (
        (f"{s.number} {s.title}{f' (revised in round {s.revised})' if s.revised else ''}", s.text)
        for s in sections
    )
    return DocumentView(tuple(named))


def referee_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    held = state.read(address, contents.RefereeContent) or contents.RefereeContent()
    yield "RATING", f"{held.rating} of 10" if held.rating is not None else "none was given"
    for name in ("summary", "soundness", "presentation", "contribution"):
        yield name.upper(), getattr(held, name)
    for name in ("strengths", "weaknesses", "questions"):
        if rows := getattr(held, name):
            yield name.upper(), "\n".join(f"- {row}" for row in rows)
    yield (
        "POINTS",
        "\n".join(
            f"{n}. Section {p.name}: {p.description}" for n, p in enumerate(held.points, start=1)
        )
        or "None.",
    )


def answers_table(state: State, address: str) -> TableView:
    """The points of a review, each taken with its change or rebutted with the reason."""
    held = state.read(address, contents.AnswersContent) or contents.AnswersContent()
    said = {row.name: ("take", row.description) for row in held.taken} | {
        row.name: ("rebut", row.description) for row in held.rebutted
    }
    rows = []
    for n, point in enumerate(choices.points(state, address), start=1):
        mark, why = said.get(str(n), ("", ""))
        heading = "REASON" if mark == "rebut" else "CHANGE"
        text = tuple(row for row in (("POINT", point.description), (heading, why)) if row[1])
        rows.append(TableRow(str(n), (mark, str(n), point.name, clipped(point.description)), text))
    return TableView(
        ("", "point", "section", "what"), tuple(rows), "Space takes a point or rebuts it."
    )


def gate_table(state: State, address: str) -> TableView:
    """The revised sections with the ratings of the whole text before and after, each kept or not."""
    held = state.read(address, contents.GateContent) or contents.GateContent()
    rows = []
    for row in held.rows:
        kept = "revised" if getattr(held, f"text{row.section}", "").strip() else "as before"
        ratings = ["?" if value is None else f"{value:g}" for value in (row.before, row.after)]
        text = (("POINTS", ", ".join(row.points)), ("BEFORE", row.old), ("REVISED", row.new))
        rows.append(
            TableRow(
                str(row.section),
                (kept, str(row.section), *ratings, row.outcome),
                tuple(t for t in text if t[1]),
            )
        )
    return TableView(
        ("", "section", "before", "after", "outcome"),
        tuple(rows),
        "Space keeps a revision or rolls it back.",
    )


def gate_told(state: State, address: str) -> Iterator[tuple[str, str]]:
    held = state.read(address, contents.GateContent) or contents.GateContent()
    for row in held.rows:
        text = getattr(held, f"text{row.section}", "")
        kept = "revised" if text.strip() else "as before"
        before, after = (
            "?" if value is None else f"{value:g}" for value in (row.before, row.after)
        )
        yield (
            f"SECTION {row.section}: {kept}",
            f"{row.outcome} (rating {before} before, {after} after)\n{text}".strip(),
        )


def _step(held: contents.StepContent) -> str:
    step = step_of(held.step)
    return (
        f"{step.title}{', no change' if held.kept else ''}{'; weak evidence' if held.weak else ''}"
    )


def _plan(held: contents.PlanContent) -> str:
    titles = [
        step.title
        for n in range(1, MOST_STEPS + 1)
        if (step := step_of(getattr(held, f"step{n}"))).title
    ]
    return f"{count(len(titles), 'step')}: {'; '.join(titles)}"


def _passages(held: contents.PassagesContent) -> str:
    papers = {row.paper for row in held.on() if row.paper}
    return f"{count(len(held.on()), 'passage')} of {count(len(papers), 'paper')}"


def _side(held: contents.SideContent) -> str:
    return "; ".join(row.title for row in held.papers if row.paper not in held.off)


def _pairs(held: contents.PairsContent) -> str:
    return (
        f"{count(len(held.pairs), 'pair')}, best {held.pairs[0].score or '?'}"
        if held.pairs
        else "no pair"
    )


def _gate(held: contents.GateContent) -> str:
    kept = sum(bool(getattr(held, f"text{row.section}", "").strip()) for row in held.rows)
    return f"{count(len(held.rows), 'section')} revised, {kept} kept"


NO_VERDICT: frozenset[Action] = kinds.OF_TEXT - {"accept"}
"""What a person may decide about a text that is edited but not accepted: it serves the next step, and is no part of the manuscript."""
STEP_FIELD = (
    EditableField(
        "step", "Title: what the section is for; the paradigm on a line “As in: ...”", "pairs"
    ),
)

SPLIT = CellKind(
    "split",
    "E1/split",
    "The request",
    contents.SplitContent,
    "imitate split",
    "split",
    decisions=kinds.OF_TEXT,
    fields=(
        EditableField("algorithm"),
        EditableField("application"),
        EditableField("constraints", form="lines"),
        EditableField("algorithm_query"),
        EditableField("application_query"),
    ),
    label="task",
    caption=lambda held: f"{held.algorithm} for {held.application}",
    shared=True,
)
CHOICE = CellKind(
    "choice",
    "E1/choice",
    "Your choice",
    contents.ChoiceContent,
    decisions=frozenset({"edit", "adopt", "note"}),
    fields=(
        EditableField(
            "target", "The idea to write for, by address; nothing means the topic", "lines"
        ),
    ),
    label="written for",
    has_verdict=False,
    shared=True,
    caption=lambda held: "; ".join(held.target) or "the topic",
)
ALGORITHM, APPLICATION = (
    CellKind(
        side,
        f"E1/{side}",
        f"Papers on the {side}",
        contents.SideContent,
        "imitate search",
        "papers",
        decisions=kinds.OF_LIST,
        label=side,
        caption=_side,
        describe=side_told,
        shown=side_table,
        row_change=choices.side_change,
        has_verdict=False,
        shared=True,
    )
    for side in ("algorithm", "application")
)
PAIRS = CellKind(
    "pairs",
    "E1/pairs",
    "All pairs",
    contents.PairsContent,
    "imitate pairs",
    "pairs",
    decisions=kinds.OF_LIST,
    label="paper pairs",
    caption=_pairs,
    describe=pairs_told,
    shown=pairs_matrix,
    has_verdict=False,
    shared=True,
)
PAIR = CellKind(
    "pair",
    "E1/1/pair",
    "Paradigm",
    contents.PairContent,
    "imitate pair",
    "pairs",
    decisions=kinds.OF_LIST,
    label="paradigm",
    describe=pair_told,
    shown=pair_table,
    row_change=choices.pair_change,
    has_verdict=False,
    caption=lambda held: "chosen by you" if held.chosen else f"score {held.score or '?'}",
)
OUTLINE = CellKind(
    "outline",
    "E1/1/outline1",
    "Outline of a paradigm",
    contents.OutlineContent,
    "imitate outline",
    "outlines",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("parts", form="pairs"),),
    label="outline",
    shown=outline_view,
    caption=lambda held: f"{count(len(held.parts), 'part')}: {held.title}",
)
PLAN = CellKind(
    "plan",
    "E1/1/plan",
    "Imitated plan",
    contents.PlanContent,
    "imitate plan",
    "plan",
    decisions=kinds.OF_TEXT,
    fields=tuple(EditableField(name, form="pairs") for name in fields("step")),
    label="plan",
    caption=_plan,
    describe=plan_told,
)
PASSAGES = CellKind(
    "passages",
    "E1/1/passages2",
    "Evidence",
    contents.PassagesContent,
    "imitate evidence",
    "section-1",
    decisions=kinds.OF_LIST,
    label="evidence",
    caption=_passages,
    describe=passages_told,
    shown=passages_table,
    row_change=choices.passage_change,
    has_verdict=False,
    optional=True,
)
STEP = CellKind(
    "step",
    "E1/1/step2",
    "Step",
    contents.StepContent,
    "imitate step",
    "section-1",
    decisions=kinds.OF_TEXT,
    fields=STEP_FIELD,
    label="step",
    caption=_step,
    describe=step_told,
    shown=step_table,
    row_change=choices.step_change,
    optional=True,
)
SECTION = CellKind(
    "section",
    "E1/1/section2",
    "Section",
    contents.SectionContent,
    "imitate section",
    "section-1",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("title"), EditableField("text")),
    label="section",
    caption=lambda held: held.title,
    shown=section_view,
    optional=True,
)
LATER = CellKind(
    "later",
    "E1/1/later2.4",
    "Later step",
    contents.StepContent,
    "imitate later step",
    "section-1",
    decisions=NO_VERDICT,
    fields=STEP_FIELD,
    label="later",
    caption=_step,
    describe=step_told,
    has_verdict=False,
    optional=True,
)
REFEREE = CellKind(
    "referee",
    "E1/1/referee1",
    "Review of the manuscript",
    contents.RefereeContent,
    "imitate review",
    "revision-1",
    decisions=NO_VERDICT,
    fields=(
        EditableField("points", "Points, each with the number of its section before it", "pairs"),
    ),
    label="review",
    describe=referee_told,
    has_verdict=False,
    optional=True,
    caption=lambda held: (
        f"rating {held.rating if held.rating is not None else '?'}, {count(len(held.points), 'point')}"
    ),
)
ANSWERS = CellKind(
    "answers",
    "E1/1/answers1",
    "Points taken or rebutted",
    contents.AnswersContent,
    "imitate answers",
    "revision-1",
    decisions=NO_VERDICT,
    fields=(
        EditableField("taken", "Points to carry out, by number, each with its change", "pairs"),
        EditableField(
            "rebutted", "Points that are not carried out, by number, each with the reason", "pairs"
        ),
    ),
    label="answers",
    shown=answers_table,
    row_change=choices.answer_change,
    has_verdict=False,
    optional=True,
    caption=lambda held: f"{len(held.taken)} taken, {len(held.rebutted)} rebutted",
)
GATE = CellKind(
    "gate",
    "E1/1/gate1",
    "Revised sections",
    contents.GateContent,
    "imitate gate",
    "revision-1",
    decisions=NO_VERDICT,
    fields=tuple(EditableField(name) for name in fields("text")),
    label="revised",
    caption=_gate,
    describe=gate_told,
    shown=gate_table,
    row_change=choices.gate_change,
    has_verdict=False,
    optional=True,
)
IDEA = kinds.idea("imitate head", "ideas")

OWN_KINDS = (
    SPLIT,
    CHOICE,
    ALGORITHM,
    APPLICATION,
    PAIRS,
    PAIR,
    OUTLINE,
    PLAN,
    PASSAGES,
    STEP,
    SECTION,
    LATER,
    REFEREE,
    ANSWERS,
    GATE,
    kinds.RIVALS,
    IDEA,
)
