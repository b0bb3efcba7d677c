"""One row as Markdown with its citation: to be pasted into notes or a paper."""

from __future__ import annotations

from coi_tui.export.bibliography import reference
from coi_tui.export.escape import inline, paragraphs
from coi_tui.model.address import parse_address
from coi_tui.model.naming import shown
from coi_tui.model.state import State
from coi_tui.session.look.detail import detail


def cited(state: State, address: str, session: str) -> str:
    """Title, text and where it comes from; for a paper and its card the reference with identifiers and address."""
    at, found = parse_address(address), detail(state, address)
    slot = state.slot(str(at.slot)) if at.part in ("slot", "card", "cands", "rel") else None
    paper = state.papers.get(slot.paper) if slot is not None and slot.paper else None
    head = f"## {inline(paper.title if paper else found.title)}"
    if paper is not None and at.part == "slot":
        parts = [f"**{inline(h)}** {paragraphs(t)}" for h, t in found.parts if h in ("CARD", "LIMITS", "ABSTRACT", "SUMMARY", "NOTE (you)")]
    else:
        parts = [f"**{inline(heading)}**\n\n{paragraphs(text)}" if heading else paragraphs(text) for heading, text in found.parts]
    source = reference(paper) if paper is not None else f"From the session “{inline(session)}”, {inline(shown(state, address))}."
    return "\n\n".join([head, *parts, source]) + "\n"
