"""The cells of VirSci: what each holds, who makes it, what a person may decide and edit, and what
is shown of it."""

from __future__ import annotations

from coi_tui.methods.shared import kinds
from coi_tui.methods.shared.cell_table import kinds_of, told_by
from coi_tui.methods.virsci import contents, measures_cell, views
from coi_tui.model.wording import clipped, count

SHORT = 16
"""Words of a text in its line of the tree."""
OF_REPLY = kinds.OF_TEXT | {"reject"}


def _said(it: contents.SaidContent | contents.MineContent) -> str:
    return f"struck: {clipped(it.struck, SHORT)}" if it.struck else clipped(it.text, SHORT)


def _summary(it: contents.SummaryContent) -> str:
    return f"{clipped(it.text, SHORT)}{' (the last turn)' if it.enough else ''}"


def _vote(it: contents.VoteContent) -> str:
    return f"idea {it.choice}" if it.choice else f"abstains{' (unread)' if it.unread else ''}"


def _papers(it: contents.PapersContent) -> str:
    return count(len(it.papers), "paper")


def _title(it: contents.IdeaDraft | contents.AbstractContent) -> str:
    return it.title


kind = kinds_of("V")
TALK = {"shown": views.transcript, "row_change": views.strike, "has_verdict": False}
SUMMED = {"label": "summary", "caption": _summary}
SECTIONS = f"title {' '.join(contents.SECTIONS)}"
ABSTRACT = {"caption": _title, "describe": views.abstract_told, "has_verdict": False}
OWN_KINDS = (
    kind(
        "people",
        "People behind the papers",
        contents.EcosystemContent,
        "virsci people",
        "people",
        caption=lambda it: (
            f"{count(len(it.people), 'person', 'people')} behind {count(len(it.papers), 'paper')}"
        ),
        describe=told_by(views.people_table),
        shown=views.people_table,
        row_change=views.people_change,
    ),
    kind(
        "team",
        "Team",
        contents.TeamContent,
        "virsci team",
        "team",
        "members",
        caption=lambda it: (
            f"{count(len(it.members), 'member')}: {', '.join(one.name for one in it.members)}"
        ),
        shown=views.team_table,
        row_change=views.team_change,
    ),
    kind(
        "said",
        "Reply in the discussion",
        contents.SaidContent,
        "virsci turn",
        "topic-1",
        "text",
        item="1.2",
        decisions=OF_REPLY,
        caption=_said,
        **TALK,
    ),
    kind(
        "guest",
        "Answer of a guest",
        contents.SaidContent,
        "virsci guest",
        "topic-1",
        "text",
        item="1.2",
        decisions=OF_REPLY,
        caption=_said,
        **TALK,
    ),
    kind(
        "sum",
        "Summary of a turn",
        contents.SummaryContent,
        "virsci summary",
        "topic-1",
        "text enough",
        item="1",
        shown=views.transcript,
        has_verdict=False,
        **SUMMED,
    ),
    kind(
        "mine",
        "Your words after a turn",
        contents.MineContent,
        edits="text",
        item="1",
        decisions=frozenset({"edit", "adopt", "note", "reject"}),
        label="you",
        caption=_said,
        **TALK,
    ),
    kind(
        "subject",
        "Topic of the team",
        contents.SubjectContent,
        "virsci subject",
        "subject",
        "text",
        label="topic",
        caption=lambda it: clipped(it.text, SHORT),
    ),
    kind(
        "found",
        "References of an idea",
        contents.PapersContent,
        "virsci references",
        "drafts-1",
        item="1.2",
        label="references",
        caption=_papers,
        shown=views.papers_table,
    ),
    kind(
        "draft",
        "Idea of a member",
        contents.IdeaDraft,
        "virsci idea turn",
        "drafts-1",
        "title idea experiment clarity feasibility novelty",
        item="1.2",
        decisions=OF_REPLY,
        main="idea",
        caption=_title,
        has_verdict=False,
    ),
    kind(
        "digest",
        "Summary of the ideas of a turn",
        contents.SummaryContent,
        "virsci digest",
        "drafts-1",
        "text enough",
        item="1",
        has_verdict=False,
        **SUMMED,
    ),
    kind(
        "best",
        "Three best ideas",
        contents.BestContent,
        "virsci best",
        "vote",
        label="three best",
        caption=lambda it: "; ".join(one.title for one in it.all()),
        describe=told_by(views.best_table),
        shown=views.best_table,
        row_change=views.best_change,
    ),
    kind(
        "near",
        "Papers near an idea",
        contents.PapersContent,
        "virsci related",
        "vote",
        item="1",
        caption=_papers,
        shown=views.papers_table,
    ),
    kind(
        "vote",
        "Vote",
        contents.VoteContent,
        "virsci vote",
        "vote",
        "choice reason",
        item="1.2",
        decisions=OF_REPLY,
        caption=_vote,
        has_verdict=False,
    ),
    kind(
        "poll",
        "Outcome of the vote",
        contents.PollContent,
        "virsci poll",
        "vote",
        "winner",
        label="outcome",
        caption=views.poll_caption,
        describe=told_by(views.poll_table),
        shown=views.poll_table,
        row_change=views.poll_change,
    ),
    kind(
        "abstract",
        "Abstract",
        contents.AbstractContent,
        "virsci abstract",
        "abstract",
        SECTIONS,
        item="1.1.2",
        **ABSTRACT,
    ),
    kind(
        "overlap",
        "Self-review",
        contents.OverlapContent,
        "virsci self-review",
        "overlap",
        "close",
        item="1.1",
        caption=views.overlap_caption,
        describe=told_by(views.overlap_table),
        shown=views.overlap_table,
        has_verdict=False,
    ),
    kind(
        "revised",
        "Revised abstract",
        contents.AbstractContent,
        "virsci revision",
        "overlap",
        SECTIONS,
        item="1.2",
        **ABSTRACT,
    ),
    kind(
        "measures",
        "Measures of novelty, a proxy",
        contents.MeasuresContent,
        "virsci measures",
        "overlap",
        caption=measures_cell.caption,
        describe=told_by(measures_cell.measures_table),
        shown=measures_cell.measures_table,
    ),
    kinds.RIVALS,
    kinds.idea("virsci idea", "ideas"),
)
