"""The proposal in Markdown (COI-16; ux.md 3.14, checks 29, 31 and 35). It works for any session, however little of it is made."""

from __future__ import annotations

from coi_tui.export.cautions import cautions
from coi_tui.export.chain import chain_part, direction_part, trends_part
from coi_tui.export.cited import cite_named, unverified
from coi_tui.export.escape import inline, moment, paragraphs
from coi_tui.export.ideas import idea_part, others_part, plan_part, title_of
from coi_tui.export.made import made_part, parts_of
from coi_tui.export.novelty import novelty_part
from coi_tui.export.review import review_part
from coi_tui.export.sheet import NOT_MADE, Sheet
from coi_tui.export.subject import Subject
from coi_tui.export.tally import drafted


def proposal(subject: Subject) -> str:
    """The whole document. Its references are numbered in the order in which the text names them, so they are written last but one."""
    sheet = Sheet(subject)
    body = _winner(sheet, subject.branch) if subject.branch is not None else _branches(sheet)
    others = ["## Other ideas and ratings", others_part(sheet)]
    plan = _plan(sheet, subject.branch) if subject.branch is not None else []
    cite_named(sheet)
    references = ["## References", sheet.book.write(), *_unverified(sheet)]
    parts = [*_head(sheet), *_warnings(sheet), *_topic(sheet), *body, *others, *plan, *references, "## How this was made", made_part(sheet)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(sheet: Sheet) -> list[str]:
    subject = sheet.subject
    if subject.branch is not None and sheet.state.in_use(f"{subject.branch}/idea") is not None:
        title = title_of(sheet, subject.branch)
    else:
        title = str(sheet.state.value("topic#text") or subject.name or "Untitled session")
    source = f"the session “{inline(subject.name)}”, made with {inline(subject.method)}"
    status = f"Status: exported {moment(subject.exported_at)} from {source}.{_chosen(subject)}"
    return [f"# {inline(title)}", status, *_drafted(sheet)]


def _chosen(subject: Subject) -> str:
    if subject.branch is None:
        return ""
    lead = bool(subject.matches and subject.standings) and subject.standings[0].player == subject.branch
    ideas = [b for b in subject.state.branches if subject.state.in_use(f"{b}/idea") is not None]
    how = "the leader of the matches" if lead else "the only idea" if ideas == [subject.branch] else "the one that was planned"
    return f" Idea {subject.branch}, {'picked by the researcher' if subject.state.pick == subject.branch else how}."


def _drafted(sheet: Sheet) -> list[str]:
    """A clear sentence near the top when the built-in drafter wrote any of it."""
    own = drafted(sheet.subject)
    if not own:
        return []
    mixed = any(v.origin in ("model", "scripted") for v in sheet.subject.in_use().values())
    which = f"{parts_of(own)} below (all or in part)" if mixed else "every generated text below"
    said = ("The built-in drafter put sentences together by rule from the records of the papers. Read them as notes to rewrite, "
            "not as a considered proposal.")  # fmt: skip
    return [f"**Drafted without a language model:** {which}. {said}"]


def warned(subject: Subject) -> list[tuple[str, str]]:
    """The warnings that the proposal would carry, as kind and sentence."""
    return [(c.kind, c.text) for c in cautions(Sheet(subject))]


def _warnings(sheet: Sheet) -> list[str]:
    found = cautions(sheet)
    rows = [f"- **{inline(c.kind)}**: {inline(c.text)}" for c in found]
    return ["## Warnings", "\n".join(rows) or "None: every part is made, fresh and decided, and every link and title is accounted for."]


def _topic(sheet: Sheet) -> list[str]:
    version = sheet.state.in_use("topic")
    return ["## Topic", paragraphs(version.content.get("text")) if version else NOT_MADE]


def _winner(sheet: Sheet, branch: int) -> list[str]:
    """The winning idea first, then what it stands on."""
    return [
        "## The idea", idea_part(sheet, branch, "###"),
        "## The chain of papers", chain_part(sheet, branch),
        "## Trends", trends_part(sheet, branch, "###"),
        "## Direction", direction_part(sheet, branch, "###"),
        "## Novelty evidence", novelty_part(sheet, branch, "###"),
    ]  # fmt: skip


def _plan(sheet: Sheet, branch: int) -> list[str]:
    return [
        "## Experiment plan", plan_part(sheet, branch, "###"),
        "## Review points and answers", review_part(sheet, branch, "###"),
    ]  # fmt: skip


def _branches(sheet: Sheet) -> list[str]:
    """An unfinished session: every branch as far as it is."""
    out = ["## The idea", f"{NOT_MADE} No idea has been chosen; what there is of each branch follows."]
    for branch in sheet.state.branches:
        out += [f"## Branch {branch}", "### The chain of papers", chain_part(sheet, branch)]
        if sheet.state.trends(branch):
            out += ["### Trends", trends_part(sheet, branch, "####")]
        out += [
            "### Direction",
            direction_part(sheet, branch, "####"),
            f"### Idea: {inline(title_of(sheet, branch))}",
            idea_part(sheet, branch, "####"),
        ]
        if sheet.state.in_use(f"{branch}/idea") is not None:
            out += ["### Novelty evidence", novelty_part(sheet, branch, "####")]
    return out


def _unverified(sheet: Sheet) -> list[str]:
    rows = [f"- {inline(title)} (**unverified**; named in {', '.join(where)})" for title, where in unverified(sheet).items()]
    lead = "Named in the texts like titles, but no paper of the session has them. Check that they exist before citing them."
    return ["### Titles without a paper", lead, "\n".join(rows)] if rows else []
