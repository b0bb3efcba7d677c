"""The proposal in Markdown: a document of sections for any session, however little of it is made (COI-16)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from coi_tui.export.bibliography import Bibliography
from coi_tui.export.escape import inline, paragraphs
from coi_tui.export.mermaid import mermaid
from coi_tui.export.novelty_evidence import novelty_section
from coi_tui.export.options import PARTS, ProposalOptions
from coi_tui.export.provenance import RECORDED, drafted, parts_of, provenance_section, recorded
from coi_tui.export.render import render
from coi_tui.export.sections import (
    idea_section,
    others_section,
    plan_section,
    reading_section,
    review_section,
    table_section,
    title_of,
)
from coi_tui.export.snapshot import NOT_MADE, ExportContext, SessionSnapshot, name_of
from coi_tui.export.support_section import cite_support, marked_section, support_list, with_marks
from coi_tui.export.titles import cite_named, unverified, unverified_citations
from coi_tui.export.warnings import warnings_of
from coi_tui.model.address import READING, Branch
from coi_tui.model.content import Topic
from coi_tui.model.document import diagrams
from coi_tui.model.wording import day, moment


def proposal(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """The whole document, with the parts and in the form that the options name."""
    return _written(ExportContext(snapshot, options))


def cited_papers(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> Bibliography:
    """The papers that the proposal cites with these parts, or else can cite."""
    context = ExportContext(snapshot, options or ProposalOptions(tuple(PARTS)))
    _body(context)
    return context.bibliography


def _written(context: ExportContext) -> str:
    """References are numbered in the order in which the text names them, so they are written last, or last but for how it was made."""
    body = _body(context)
    end = [*_references(context), *(block for part in _after(context) for block in _part(context, part))]
    blocks = [*_head(context), *_warnings(context), *_topic(context), *body, *end]
    return with_marks("\n\n".join(block for block in blocks if block)) + "\n"


def _body(context: ExportContext) -> list[str]:
    """The parts before the references. Every paper that the document cites has its number then."""
    parts = context.options.parts
    blocks = [block for part in parts[: len(parts) - len(_after(context))] for block in _part(context, part)]
    cite_named(context)
    cite_support(context)
    return blocks


def _after(context: ExportContext) -> tuple[str, ...]:
    """The part that comes after the references, where it was asked for last."""
    last = context.options.parts[-1:]
    return last if last == ("provenance",) else ()


def _part(context: ExportContext, part: str) -> list[str]:
    """The blocks of one part; none where the session has nothing of the kind."""
    branch = context.snapshot.branch
    if branch is None and part in _OF_BRANCHES:
        return _branches(context) if part == next(filter(_OF_BRANCHES.__contains__, context.options.parts)) else []
    if branch is not None and part in _OF_BRANCH:
        return _OF_BRANCH[part](context, branch)
    return _OF_SESSION[part](context) if part in _OF_SESSION else []


def _head(context: ExportContext) -> list[str]:
    snapshot = context.snapshot
    if snapshot.branch is not None and context.state.in_use(f"{snapshot.branch}/idea") is not None:
        title = title_of(context, snapshot.branch)
    else:
        title = str(context.state.value("topic#text") or snapshot.name or "Untitled session")
    source = f"the session “{inline(snapshot.name)}”, made with {inline(snapshot.method)}"
    status = f"Status: exported {moment(snapshot.exported_at)} from {source}.{_which(snapshot)}"
    first = _title_block(context, title) if context.options.pandoc else f"# {inline(title)}"
    return [first, status, *([f"**Recorded run.** {RECORDED}"] if recorded(snapshot) else []), *_drafted(context)]


def _title_block(context: ExportContext, title: str) -> str:
    """What pandoc reads first: title, date, and the papers that a text names without a citation, so that the list has them too."""
    keys = ", ".join(f"@{context.bibliography.key(paper.id)}" for paper in context.bibliography.entries())
    lines = [
        f"title: {json.dumps(inline(title), ensure_ascii=False)}",
        f'date: "{day(context.snapshot.exported_at)}"',
        "link-citations: true",
        *([f'nocite: "{keys}"'] if keys else []),
    ]
    return "\n".join(["---", *lines, "---", "", "<!-- pandoc --citeproc --bibliography REFERENCES.bib PROPOSAL.md -->"])


def _which(snapshot: SessionSnapshot) -> str:
    """Which idea the proposal is about, and why that one."""
    return f" This is idea {snapshot.branch}, {_why_chosen(snapshot, snapshot.branch)}." if snapshot.branch is not None else ""


def _why_chosen(snapshot: SessionSnapshot, branch: Branch) -> str:
    state = snapshot.state
    if state.pick == branch:
        return "picked by the researcher"
    if snapshot.matches and snapshot.standings and snapshot.standings[0].player == branch:
        return "the leader of the matches"
    if [b for b in state.branches if state.in_use(f"{b}/idea") is not None] == [branch]:
        return "the only idea"
    planned = state.in_use(f"{branch}/exp") is not None
    return "the one that has an experiment plan" if planned else "the first; the ideas have not been compared"


def _drafted(context: ExportContext) -> list[str]:
    """A clear sentence near the top when the built-in drafter wrote any of it."""
    own = drafted(context.snapshot)
    if not own:
        return []
    mixed = any(v.origin in ("model", "scripted") for v in context.snapshot.in_use().values())
    which = f"{parts_of(context.snapshot, own)} below (all or in part)" if mixed else "every generated text below"
    said = "The built-in drafter quotes the papers' cards by rule and leaves places to write over; this is no considered proposal."
    return [f"**Worksheet, drafted without a language model:** {which}. {said}"]


def _warnings(context: ExportContext) -> list[str]:
    rows = [f"- **{inline(warning.kind)}**: {inline(warning.text)}" for warning in warnings_of(context)]
    none = "None: every part is complete, up to date and decided, and every link and title is accounted for."
    return [_heading(context, "Warnings"), "\n".join(rows) or none]


def _topic(context: ExportContext) -> list[str]:
    topic = context.state.read("topic", Topic)
    return [_heading(context, "Topic"), paragraphs(topic.text) if topic else NOT_MADE]


def _heading(context: ExportContext, text: str) -> str:
    return f"{'#' * context.top} {text}"


def _references(context: ExportContext) -> list[str]:
    return [_heading(context, "References"), context.bibliography.write(), *_unverified(context), *support_list(context)]


def _unverified(context: ExportContext) -> list[str]:
    rows = [f"- {inline(title)} (**unverified**; named in {', '.join(where)})" for title, where in unverified(context).items()]
    lead = "The texts name these titles, but the session has no such papers. Check that they exist before citing them."
    out = [f"{context.sub} Titles without a paper", lead, "\n".join(rows)] if rows else []
    rows = [f"- {inline(text)} (**unverified**; cited in {', '.join(where)})" for text, where in unverified_citations(context).items()]
    lead = "The texts cite these works, and no paper of the session has these authors and this year, or this identifier."
    return [*out, f"{context.sub} Citations without a paper", lead, "\n".join(rows)] if rows else out


# -- parts about the chosen idea --------------------------------------------------------------------------------------


def _idea(context: ExportContext, branch: Branch) -> list[str]:
    return [_heading(context, "The idea"), idea_section(context, branch, context.sub)]


def _method(context: ExportContext, branch: Branch, level: int = 0) -> list[str]:
    """What the method says about a branch, without the texts that stand already."""
    sections = (context.told.section(marked_section(context, section)) for section in context.method_sections(branch))
    return [render(section, context.bibliography, level or context.top) for section in sections]


def _novelty(context: ExportContext, branch: Branch) -> list[str]:
    return [_heading(context, "Novelty evidence"), novelty_section(context, branch, context.sub)]


def _plan(context: ExportContext, branch: Branch) -> list[str]:
    return [_heading(context, "Experiment plan"), plan_section(context, branch, context.sub)]


def _review(context: ExportContext, branch: Branch) -> list[str]:
    return [_heading(context, "Review points and answers"), review_section(context, branch, context.sub)]


_OF_BRANCH: Mapping[str, Callable[[ExportContext, Branch], list[str]]] = {
    "idea": _idea,
    "chain": _method,
    "novelty": _novelty,
    "experiment": _plan,
    "review": _review,
}
_OF_BRANCHES = ("idea", "chain", "novelty")
"""Parts that are told branch by branch while no idea is chosen."""


def _branches(context: ExportContext) -> list[str]:
    """Every branch as far as it is: of an unfinished session, or because every idea is asked for."""
    every = context.options.every_idea
    lead = (
        "Every idea in full, method by method." if every else f"{NOT_MADE} No idea has been chosen; what there is of each branch follows."
    )
    out = [_heading(context, "The ideas" if every else "The idea"), lead]
    return out + [block for branch in context.state.branches for block in _branch(context, branch)]


def _branch(context: ExportContext, branch: Branch) -> list[str]:
    """What there is of a branch; plan and review only where they were made and every idea is asked for."""
    state, below = context.state, f"{context.sub}#"
    out = [_heading(context, f"Branch {branch}"), *(_method(context, branch, context.top + 1) if context.has("chain") else [])]
    if context.has("idea"):
        out += [f"{context.sub} Idea: {inline(title_of(context, branch))}", idea_section(context, branch, below)]
    made = [("novelty", "idea", "Novelty evidence", novelty_section)]
    if context.options.every_idea:
        made += [("experiment", "exp", "Experiment plan", plan_section), ("review", "review", "Review points and answers", review_section)]
    for part, cell, heading, section in made:
        if context.has(part) and state.in_use(f"{branch}/{cell}") is not None:
            out += [f"{context.sub} {heading}", section(context, branch, below)]
    return out


# -- parts about the whole session ------------------------------------------------------------------------------------


def _ideas(context: ExportContext) -> list[str]:
    return [_heading(context, "Other ideas and ratings"), others_section(context)]


def _table(context: ExportContext) -> list[str]:
    return [_heading(context, "All ideas"), table_section(context)] if context.state.branches else []


def _diagrams(context: ExportContext) -> list[str]:
    """The diagrams of the branches shown, as Mermaid; their papers stand in the references."""
    found = [d for branch in context.snapshot.shown for section in context.method_sections(branch) for d in diagrams(section)]
    for paper in (paper for diagram in found for paper in diagram.papers):
        context.bibliography.number(paper)
    drawn = [mermaid(diagram, context.state.papers) for diagram in found]
    return [_heading(context, "The chain as a diagram"), *drawn] if drawn else []


def _reading(context: ExportContext) -> list[str]:
    return [_heading(context, "Reading list"), reading_section(context)] if context.state.in_use(READING) is not None else []


def _notes(context: ExportContext) -> list[str]:
    """The researcher's notes, each with what it is about."""
    notes = {address: text for address, text in context.state.notes.items() if text.strip()}
    told = [f"{context.sub} On {name_of(context.snapshot, address)} ({address})\n\n{paragraphs(notes[address])}" for address in notes]
    return [_heading(context, "The researcher's notes"), *told] if told else []


def _made(context: ExportContext) -> list[str]:
    return [_heading(context, "How this was made"), provenance_section(context)]


_OF_SESSION: Mapping[str, Callable[[ExportContext], list[str]]] = {
    "diagram": _diagrams,
    "ideas": _ideas,
    "table": _table,
    "reading": _reading,
    "notes": _notes,
    "provenance": _made,
}
