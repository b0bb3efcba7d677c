"""The cells of VirSci: what each holds, who makes it, what a person may decide and edit, and what is shown of it."""

from __future__ import annotations

from coi_tui.engine.declarations import CellKind, EditableField
from coi_tui.methods.shared import kinds
from coi_tui.methods.virsci import contents, measures_cell, views
from coi_tui.model.entries import Action
from coi_tui.model.wording import clipped, count

SHORT = 16
"""Words of a text in its line of the tree."""
ENOUGH = EditableField("enough", "Enough: yes ends the discussion with this turn, no goes on")
OF_REPLY: frozenset[Action] = kinds.OF_TEXT | {"reject"}


def _text(held: contents.SubjectContent) -> str:
    return clipped(held.text, SHORT)


def _said(held: contents.SaidContent | contents.MineContent) -> str:
    return f"struck: {clipped(held.struck, SHORT)}" if held.struck else clipped(held.text, SHORT)


def _summary(held: contents.SummaryContent) -> str:
    return f"{clipped(held.text, SHORT)}{' (the last turn)' if held.enough else ''}"


def _papers(held: contents.PapersContent) -> str:
    return count(len(held.papers), "paper")


def _vote(held: contents.VoteContent) -> str:
    return (
        f"idea {held.choice}"
        if held.choice
        else f"abstains{' (could not be read)' if held.unread else ''}"
    )


def _best(held: contents.BestContent) -> str:
    return "; ".join(one.title for one in held.all())


ABSTRACT_PARTS = tuple(
    EditableField(name, "Expected results" if name == "results" else "")
    for name in ("title", *contents.SECTIONS)
)

PEOPLE = CellKind(
    "people",
    "V1/people",
    "People behind the papers",
    contents.EcosystemContent,
    "virsci people",
    "people",
    decisions=kinds.OF_LIST,
    label="people",
    caption=lambda held: (
        f"{count(len(held.people), 'person', 'people')} behind {count(len(held.papers), 'paper')}"
    ),
    shown=views.people_table,
    row_change=views.people_change,
    has_verdict=False,
    shared=True,
)
TEAM = CellKind(
    "team",
    "V1/team",
    "Team",
    contents.TeamContent,
    "virsci team",
    "team",
    decisions=kinds.OF_TEXT,
    fields=(
        EditableField(
            "members",
            "Members, the leader first, each a name and a profile; You is your own seat",
            "pairs",
        ),
    ),
    label="team",
    caption=views.team_caption,
    shown=views.team_table,
    row_change=views.team_change,
    shared=True,
)
SAID = CellKind(
    "said",
    "V1/said1.2",
    "Reply in the discussion",
    contents.SaidContent,
    "virsci turn",
    "topic-1",
    decisions=OF_REPLY,
    fields=(EditableField("text"),),
    label="said",
    caption=_said,
    describe=views.said_told,
    shown=views.transcript,
    row_change=views.strike,
    has_verdict=False,
    shared=True,
)
GUEST = CellKind(
    "guest",
    "V1/guest1.2",
    "Answer of a guest",
    contents.SaidContent,
    "virsci guest",
    "topic-1",
    decisions=OF_REPLY,
    fields=(EditableField("text"),),
    label="guest",
    caption=_said,
    shown=views.transcript,
    row_change=views.strike,
    has_verdict=False,
    shared=True,
)
MINE = CellKind(
    "mine",
    "V1/mine1",
    "Your words after a turn",
    contents.MineContent,
    decisions=frozenset({"edit", "adopt", "note", "reject"}),
    fields=(EditableField("text"),),
    label="you",
    caption=_said,
    shown=views.transcript,
    row_change=views.strike,
    has_verdict=False,
    shared=True,
)
SUMMARY = CellKind(
    "sum",
    "V1/sum1",
    "Summary of a turn",
    contents.SummaryContent,
    "virsci summary",
    "topic-1",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("text"), ENOUGH),
    label="summary",
    caption=_summary,
    shown=views.transcript,
    has_verdict=False,
    shared=True,
)
SUBJECT = CellKind(
    "subject",
    "V1/subject",
    "Topic of the team",
    contents.SubjectContent,
    "virsci subject",
    "subject",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("text"),),
    label="topic",
    caption=_text,
    shared=True,
)
FOUND = CellKind(
    "found",
    "V1/found1.2",
    "References of an idea",
    contents.PapersContent,
    "virsci references",
    "drafts-1",
    decisions=kinds.OF_LIST,
    label="references",
    caption=_papers,
    shown=views.papers_table,
    has_verdict=False,
    shared=True,
)
DRAFT = CellKind(
    "draft",
    "V1/draft1.2",
    "Idea of a member",
    contents.IdeaDraft,
    "virsci idea turn",
    "drafts-1",
    decisions=OF_REPLY,
    fields=tuple(
        EditableField(name)
        for name in ("title", "idea", "experiment", "clarity", "feasibility", "novelty")
    ),
    label="draft",
    main="idea",
    caption=lambda held: held.title,
    describe=views.draft_told,
    has_verdict=False,
    shared=True,
)
DIGEST = CellKind(
    "digest",
    "V1/digest1",
    "Summary of the ideas of a turn",
    contents.SummaryContent,
    "virsci digest",
    "drafts-1",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("text"), ENOUGH),
    label="summary",
    caption=_summary,
    has_verdict=False,
    shared=True,
)
BEST = CellKind(
    "best",
    "V1/best",
    "Three best ideas",
    contents.BestContent,
    "virsci best",
    "vote",
    decisions=kinds.OF_LIST,
    label="three best",
    caption=_best,
    shown=views.best_table,
    row_change=views.best_change,
    has_verdict=False,
    shared=True,
)
NEAR = CellKind(
    "near",
    "V1/near1",
    "Papers near an idea",
    contents.PapersContent,
    "virsci related",
    "vote",
    decisions=kinds.OF_LIST,
    label="near",
    caption=_papers,
    shown=views.papers_table,
    has_verdict=False,
    shared=True,
)
VOTE = CellKind(
    "vote",
    "V1/vote1.2",
    "Vote",
    contents.VoteContent,
    "virsci vote",
    "vote",
    decisions=OF_REPLY,
    fields=(
        EditableField("choice", "Choice: the number of an idea, 0 abstains"),
        EditableField("reason"),
    ),
    label="vote",
    caption=_vote,
    has_verdict=False,
    shared=True,
)
POLL = CellKind(
    "poll",
    "V1/poll",
    "Outcome of the vote",
    contents.PollContent,
    "virsci poll",
    "vote",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("winner", "Winner: the number of an idea"),),
    label="outcome",
    caption=views.poll_caption,
    shown=views.poll_table,
    row_change=views.poll_change,
    shared=True,
)
ABSTRACT = CellKind(
    "abstract",
    "V1/abstract1.1.2",
    "Abstract",
    contents.AbstractContent,
    "virsci abstract",
    "abstract",
    decisions=kinds.OF_TEXT,
    fields=ABSTRACT_PARTS,
    label="abstract",
    caption=lambda held: held.title,
    describe=views.abstract_told,
    has_verdict=False,
    shared=True,
)
REVISED = CellKind(
    "revised",
    "V1/revised1.2",
    "Abstract after a self-review",
    contents.AbstractContent,
    "virsci revision",
    "overlap",
    decisions=kinds.OF_TEXT,
    fields=ABSTRACT_PARTS,
    label="revised",
    caption=lambda held: held.title,
    describe=views.abstract_told,
    has_verdict=False,
    shared=True,
)
OVERLAP = CellKind(
    "overlap",
    "V1/overlap1.1",
    "Self-review",
    contents.OverlapContent,
    "virsci self-review",
    "overlap",
    decisions=kinds.OF_TEXT,
    fields=(EditableField("close", "Too close: yes revises the abstract, no lets it pass"),),
    label="overlap",
    caption=views.overlap_caption,
    shown=views.overlap_table,
    has_verdict=False,
    shared=True,
)
MEASURES = CellKind(
    "measures",
    "V1/measures",
    "Measures of novelty, a proxy",
    contents.MeasuresContent,
    "virsci measures",
    "overlap",
    decisions=kinds.OF_LIST,
    label="measures",
    caption=measures_cell.caption,
    describe=measures_cell.told,
    shown=measures_cell.table,
    has_verdict=False,
    shared=True,
)
IDEA = kinds.idea("virsci idea", "ideas")

OWN_KINDS = (
    PEOPLE,
    TEAM,
    SAID,
    GUEST,
    SUMMARY,
    MINE,
    SUBJECT,
    FOUND,
    DRAFT,
    DIGEST,
    BEST,
    NEAR,
    VOTE,
    POLL,
    ABSTRACT,
    OVERLAP,
    REVISED,
    MEASURES,
    kinds.RIVALS,
    IDEA,
)
