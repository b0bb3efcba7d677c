"""The proposal in Markdown: a main part of three pages, and an appendix of all that it rests on,
for any session (COI-16)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from coi_tui.model.text import day
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.escape import inline
from coi_tui.present.main_part import main_part, opening, places_of, title_of_proposal
from coi_tui.present.options import WITH_APPENDIX, ProposalOptions
from coi_tui.present.render import render, render_blocks
from coi_tui.present.sections import AppendixPart, appendix_parts
from coi_tui.present.snapshot import ExportContext, SessionSnapshot


def proposal(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """The document in the form that the options name."""
    return _written(ExportContext(snapshot, options))


def cited_papers(snapshot: SessionSnapshot) -> Bibliography:
    """The papers that the proposal with its appendix cites."""
    context = ExportContext(snapshot, WITH_APPENDIX)
    _written(context)
    return context.bibliography


def _written(context: ExportContext) -> str:
    """References are numbered in the order in which the text names them: those of the main part,
    then the others in the appendix."""
    parts = appendix_parts(context)
    places = places_of(context, parts)
    title, main = _assembled(context)
    cited = len(context.bibliography.entries())
    appendix = _appendix(context, parts, cited) if context.options.appendix else []
    line = inline(opening(context, places))
    head = _title_block(context, title.removeprefix("# ")) if context.options.pandoc else title
    blocks = [head, f"*{line}*", main, *appendix]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _assembled(context: ExportContext) -> tuple[str, str]:
    """Title and body, with the references that they cite."""
    body = [render(section, context.bibliography, context.top) for section in main_part(context)]
    body += [_heading(context, "References"), context.bibliography.write()]
    return f"# {inline(title_of_proposal(context))}", "\n\n".join(body)


def _title_block(context: ExportContext, title: str) -> str:
    """What pandoc reads first: title, date, and the papers that a text names without a citation, so
    that the list has them too."""
    keys = ", ".join(
        f"@{context.bibliography.key(paper.id)}" for paper in context.bibliography.entries()
    )
    lines = [
        f"title: {json.dumps(title, ensure_ascii=False)}",
        f'date: "{day(context.snapshot.exported_at)}"',
        "link-citations: true",
        *([f'nocite: "{keys}"'] if keys else []),
    ]
    return "\n".join(
        [
            "---",
            *lines,
            "---",
            "",
            "<!-- pandoc --citeproc --bibliography REFERENCES.bib PROPOSAL.md -->",
        ]
    )


def _heading(context: ExportContext, text: str) -> str:
    return f"{'#' * context.top} {text}"


def _appendix(context: ExportContext, parts: Sequence[AppendixPart], cited: int) -> list[str]:
    """The parts in their places, then the papers that they cite beyond those ``cited`` before."""
    out, sub = [_heading(context, "Appendix")], f"#{_heading(context, '')}"
    for part in parts:
        blocks = render_blocks(part.section(context), context.bibliography, context.top + 1)
        out += [f"{sub}{part.place} {inline(part.title)}", *blocks]
    context.cite_works()
    if len(context.bibliography.entries()) > cited and not context.options.pandoc:
        out += [f"{sub}A.{len(parts) + 1} Further references", context.bibliography.write(cited)]
    return out
