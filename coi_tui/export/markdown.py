"""The proposal in Markdown (COI-16; ux.md 3.14, checks 29, 31 and 35). It works for any session, however little of it is made."""

from __future__ import annotations

from coi_tui.export.chain import chain_part, direction_part, trends_part
from coi_tui.export.escape import inline, moment, paragraphs
from coi_tui.export.provenance import drafted, made_part, parts_of
from coi_tui.export.sections import idea_part, novelty_part, others_part, plan_part, review_part, title_of
from coi_tui.export.snapshot import NOT_MADE, ExportContext, SessionSnapshot
from coi_tui.export.titles import cite_named, unverified
from coi_tui.export.warnings import warnings_of


def proposal(snapshot: SessionSnapshot) -> str:
    """The whole document. Its references are numbered in the order in which the text names them, so they are written last but one."""
    context = ExportContext(snapshot)
    body = _winner(context, snapshot.branch) if snapshot.branch is not None else _branches(context)
    others = ["## Other ideas and ratings", others_part(context)]
    plan = _plan(context, snapshot.branch) if snapshot.branch is not None else []
    cite_named(context)
    references = ["## References", context.bibliography.write(), *_unverified(context)]
    parts = [
        *_head(context),
        *_warnings(context),
        *_topic(context),
        *body,
        *others,
        *plan,
        *references,
        "## How this was made",
        made_part(context),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(context: ExportContext) -> list[str]:
    snapshot = context.snapshot
    if snapshot.branch is not None and context.state.in_use(f"{snapshot.branch}/idea") is not None:
        title = title_of(context, snapshot.branch)
    else:
        title = str(context.state.value("topic#text") or snapshot.name or "Untitled session")
    source = f"the session “{inline(snapshot.name)}”, made with {inline(snapshot.method)}"
    status = f"Status: exported {moment(snapshot.exported_at)} from {source}.{_chosen(snapshot)}"
    return [f"# {inline(title)}", status, *_drafted(context)]


def _chosen(snapshot: SessionSnapshot) -> str:
    if snapshot.branch is None:
        return ""
    lead = bool(snapshot.matches and snapshot.standings) and snapshot.standings[0].player == snapshot.branch
    ideas = [b for b in snapshot.state.branches if snapshot.state.in_use(f"{b}/idea") is not None]
    how = "the leader of the matches" if lead else "the only idea" if ideas == [snapshot.branch] else "the one that was planned"
    return f" Idea {snapshot.branch}, {'picked by the researcher' if snapshot.state.pick == snapshot.branch else how}."


def _drafted(context: ExportContext) -> list[str]:
    """A clear sentence near the top when the built-in drafter wrote any of it."""
    own = drafted(context.snapshot)
    if not own:
        return []
    mixed = any(v.origin in ("model", "scripted") for v in context.snapshot.in_use().values())
    which = f"{parts_of(own)} below (all or in part)" if mixed else "every generated text below"
    said = ("The built-in drafter put sentences together by rule from the records of the papers. Read them as notes to rewrite, "
            "not as a considered proposal.")  # fmt: skip
    return [f"**Drafted without a language model:** {which}. {said}"]


def warned(snapshot: SessionSnapshot) -> list[tuple[str, str]]:
    """The warnings that the proposal would carry, as kind and sentence."""
    return [(c.kind, c.text) for c in warnings_of(ExportContext(snapshot))]


def _warnings(context: ExportContext) -> list[str]:
    found = warnings_of(context)
    rows = [f"- **{inline(c.kind)}**: {inline(c.text)}" for c in found]
    return ["## Warnings", "\n".join(rows) or "None: every part is made, fresh and decided, and every link and title is accounted for."]


def _topic(context: ExportContext) -> list[str]:
    version = context.state.in_use("topic")
    return ["## Topic", paragraphs(version.content.get("text")) if version else NOT_MADE]


def _winner(context: ExportContext, branch: int) -> list[str]:
    """The winning idea first, then what it stands on."""
    return [
        "## The idea", idea_part(context, branch, "###"),
        "## The chain of papers", chain_part(context, branch),
        "## Trends", trends_part(context, branch, "###"),
        "## Direction", direction_part(context, branch, "###"),
        "## Novelty evidence", novelty_part(context, branch, "###"),
    ]  # fmt: skip


def _plan(context: ExportContext, branch: int) -> list[str]:
    return [
        "## Experiment plan", plan_part(context, branch, "###"),
        "## Review points and answers", review_part(context, branch, "###"),
    ]  # fmt: skip


def _branches(context: ExportContext) -> list[str]:
    """An unfinished session: every branch as far as it is."""
    out = ["## The idea", f"{NOT_MADE} No idea has been chosen; what there is of each branch follows."]
    for branch in context.state.branches:
        out += [f"## Branch {branch}", "### The chain of papers", chain_part(context, branch)]
        if context.state.trends(branch):
            out += ["### Trends", trends_part(context, branch, "####")]
        out += [
            "### Direction",
            direction_part(context, branch, "####"),
            f"### Idea: {inline(title_of(context, branch))}",
            idea_part(context, branch, "####"),
        ]
        if context.state.in_use(f"{branch}/idea") is not None:
            out += ["### Novelty evidence", novelty_part(context, branch, "####")]
    return out


def _unverified(context: ExportContext) -> list[str]:
    rows = [f"- {inline(title)} (**unverified**; named in {', '.join(where)})" for title, where in unverified(context).items()]
    lead = "Named in the texts like titles, but no paper of the session has them. Check that they exist before citing them."
    return ["### Titles without a paper", lead, "\n".join(rows)] if rows else []
