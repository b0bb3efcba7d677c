"""The proposal in Markdown: a document of sections for any session, however little of it is made (COI-16)."""

from __future__ import annotations

from coi_tui.export.escape import inline, paragraphs
from coi_tui.export.novelty_evidence import novelty_section
from coi_tui.export.provenance import drafted, parts_of, provenance_section
from coi_tui.export.render import render
from coi_tui.export.sections import idea_section, others_section, plan_section, reading_section, review_section, title_of
from coi_tui.export.snapshot import NOT_MADE, ExportContext, SessionSnapshot
from coi_tui.export.titles import cite_named, unverified
from coi_tui.export.warnings import warnings_of
from coi_tui.model.address import READING, Branch
from coi_tui.model.content import Topic
from coi_tui.model.papers import Paper
from coi_tui.model.wording import moment


def proposal(snapshot: SessionSnapshot) -> str:
    """The whole document."""
    return _written(ExportContext(snapshot))


def cited_papers(snapshot: SessionSnapshot) -> list[Paper]:
    """Every paper that the proposal cites, in the order of its references."""
    context = ExportContext(snapshot)
    _written(context)
    return context.bibliography.entries()


def _written(context: ExportContext) -> str:
    """References are numbered in the order in which the text names them, so they are written last but one."""
    snapshot = context.snapshot
    body = _chosen_idea(context, snapshot.branch) if snapshot.branch is not None else _branches(context)
    body += ["## Other ideas and ratings", others_section(context)]
    body += _plan_and_review(context, snapshot.branch) if snapshot.branch is not None else []
    body += ["## Reading list", reading_section(context)] if context.state.in_use(READING) is not None else []
    cite_named(context)
    body += ["## References", context.bibliography.write(), *_unverified(context)]
    body += ["## How this was made", provenance_section(context)]
    parts = [*_head(context), *_warnings(context), *_topic(context), *body]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(context: ExportContext) -> list[str]:
    snapshot = context.snapshot
    if snapshot.branch is not None and context.state.in_use(f"{snapshot.branch}/idea") is not None:
        title = title_of(context, snapshot.branch)
    else:
        title = str(context.state.value("topic#text") or snapshot.name or "Untitled session")
    source = f"the session “{inline(snapshot.name)}”, made with {inline(snapshot.method)}"
    status = f"Status: exported {moment(snapshot.exported_at)} from {source}.{_which(snapshot)}"
    return [f"# {inline(title)}", status, *_example(snapshot), *_drafted(context)]


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


def _example(snapshot: SessionSnapshot) -> list[str]:
    """What the example session is, where the proposal is of it."""
    if not any(version.origin == "example" for version in snapshot.in_use().values()):
        return []
    return [
        "**An example, written to show what a finished session looks like; not made by a run.** Papers, links and searches are real. "
        "The texts were written for the example by the authors of the program; so were the decisions that are called the researcher's."
    ]


def warned(snapshot: SessionSnapshot) -> list[tuple[str, str]]:
    """The warnings that the proposal would carry, as kind and sentence."""
    return [(c.kind, c.text) for c in warnings_of(ExportContext(snapshot))]


def _warnings(context: ExportContext) -> list[str]:
    rows = [f"- **{inline(warning.kind)}**: {inline(warning.text)}" for warning in warnings_of(context)]
    none = "None: every part is complete, up to date and decided, and every link and title is accounted for."
    return ["## Warnings", "\n".join(rows) or none]


def _topic(context: ExportContext) -> list[str]:
    topic = context.state.read("topic", Topic)
    return ["## Topic", paragraphs(topic.text) if topic else NOT_MADE]


def _chosen_idea(context: ExportContext, branch: Branch) -> list[str]:
    """The chosen idea first, then what it stands on."""
    return [
        "## The idea",
        idea_section(context, branch, "###"),
        *_method(context, branch, 2),
        "## Novelty evidence",
        novelty_section(context, branch, "###"),
    ]


def _method(context: ExportContext, branch: Branch, level: int) -> list[str]:
    """What the method says about a branch, without the texts that stand already."""
    return [render(context.told.section(section), context.bibliography, level) for section in context.method_sections(branch)]


def _plan_and_review(context: ExportContext, branch: Branch) -> list[str]:
    plan, review = plan_section(context, branch, "###"), review_section(context, branch, "###")
    return ["## Experiment plan", plan, "## Review points and answers", review]


def _branches(context: ExportContext) -> list[str]:
    """An unfinished session: every branch as far as it is."""
    out = ["## The idea", f"{NOT_MADE} No idea has been chosen; what there is of each branch follows."]
    for branch in context.state.branches:
        out += [f"## Branch {branch}", *_method(context, branch, 3)]
        out += [f"### Idea: {inline(title_of(context, branch))}", idea_section(context, branch, "####")]
        if context.state.in_use(f"{branch}/idea") is not None:
            out += ["### Novelty evidence", novelty_section(context, branch, "####")]
    return out


def _unverified(context: ExportContext) -> list[str]:
    rows = [f"- {inline(title)} (**unverified**; named in {', '.join(where)})" for title, where in unverified(context).items()]
    lead = "The texts name these titles, but the session has no such papers. Check that they exist before citing them."
    return ["### Titles without a paper", lead, "\n".join(rows)] if rows else []
