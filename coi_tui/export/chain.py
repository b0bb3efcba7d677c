"""A chain as a dated list with reasons and links, and its trends and direction (COI-4 to COI-10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coi_tui.export.escape import clipped, day, inline, paragraphs, sentence
from coi_tui.export.snapshot import NOT_MADE, ExportContext, by, role, verdict_words
from coi_tui.model.address import parse_address, place, slot
from coi_tui.model.state import Slot


def chain_part(context: ExportContext, branch: int) -> str:
    """Question, papers old to new, and why each side ended."""
    question = context.state.value(f"Q{branch}#text")
    lead = [f"Grown from question {branch}: {inline(question)}"] if question else []
    places = context.state.chain(branch)
    if not places:
        tries = _tries(context, branch)
        return "\n\n".join([*lead, f"No anchor yet, so there is no chain.{tries}"])
    for pos in places:  # numbered in the order of the chain, whichever names the other first
        context.bibliography.number(context.state.slot(slot(branch, pos)).paper or "")
    papers = "\n".join(f"{n}. {_paper(context, context.state.slot(slot(branch, pos)))}" for n, pos in enumerate(places, start=1))
    return "\n\n".join([*lead, "Old to new; each with the reason why it is here.", papers, _ends(context, branch)])


def _tries(context: ExportContext, branch: int) -> str:
    made = context.state.in_use(f"{slot(branch, 0)}.cands")
    if made is None:
        return ""
    note = inline(made.content.get("note"))
    return f" {note or 'The searches made gave no paper that could be taken.'}"


def _paper(context: ExportContext, at: Slot) -> str:
    assert at.paper is not None
    paper = context.state.papers.get(at.paper)
    when = (paper.when if paper else "") or "n.d."
    rows = [f"Place: {at.address}, {role(at.pos)}; {verdict_words(at)}."]
    rows += _reasons(context, at)
    if at.pos:
        rows.append(f"Link: {link_words(context, at)}")
    rows.append(_card(context, at))
    if paper and paper.citations.count is not None:
        read = f" (read {day(paper.citations.read)})" if paper.citations.read else ""
        rows.append(f"Citations: {paper.citations.count:,} by {inline(paper.citations.source or 'an unnamed source')}{read}.")
    return "\n   - ".join([f"**{inline(when)}**: {context.bibliography.titled(at.paper)}", *rows])


def _reasons(context: ExportContext, at: Slot) -> list[str]:
    """Why a paper is at its place: rank and likeness, search or list, and the verdict's reasoning; or a person's word."""
    why, out = at.why, []
    if why.get("by") == "you":
        reason = inline(clipped(why.get("reason"))) or _decided(context, at)
        out.append(f"Why here: the researcher's choice{f': {sentence(reason)}' if reason else '.'}")
    if why.get("rank"):
        out.append(f"Why here: {_rank(context, why)}")
    if why.get("reasoning"):
        out.append(f"Judged relevant: {inline(why['reasoning'])}")
    return out or ["Why here: no reason is recorded."]


def _decided(context: ExportContext, at: Slot) -> str:
    """The reason given with the decision that put the paper here."""
    found = next((d for d in context.snapshot.decisions if d.seq == at.since and d.address == at.address), None)
    return inline(clipped(found.reason)) if found else ""


def _rank(context: ExportContext, why: Mapping[str, Any]) -> str:
    said = f"rank {why['rank']}" + (f" of {why['of']}" if why.get("of") else "")
    score = f", likeness {float(why['score']):.2f}" if isinstance(why.get("score"), int | float) else ""
    how = f" ({inline(why['ranked'])})" if why.get("ranked") else ""
    named = ", named by the neighbour's card" if why.get("by") == "named by the card" else ""
    source = f" in {inline(why['source'])}" if why.get("source") else ""
    if why.get("query"):
        date = f" on {day(why['date'])}" if why.get("date") else ""
        return f"{said}{score}{how} for the search “{inline(why['query'])}”{source}{date}."
    neighbour = f" among the candidates beside {context.bibliography.short(str(why['neighbour']))}" if why.get("neighbour") else ""
    return f"{said}{score}{how}{named}{neighbour}{source}."


def link_words(context: ExportContext, at: Slot) -> str:
    """The link to the neighbour with its evidence; unconfirmed is never shown as plain ``cites``."""
    inner = context.state.slot(slot(at.branch, at.pos - (1 if at.pos > 0 else -1)))
    ends = (at.paper, inner.paper) if at.pos > 0 else (inner.paper, at.paper)
    citing, cited = (context.bibliography.short(p) if p else "an empty place" for p in ends)
    kind, evidence = str(at.why.get("link") or ""), inline(at.why.get("evidence") or "")
    found = evidence or (f"found in {inline(at.why['source'])}" if at.why.get("source") else "")
    pair = f"{citing} to {cited}"
    moved = "" if at.why.get("neighbour") in (None, inner.paper) else " The neighbour has changed since this link was recorded."
    if kind == "cites" and found:
        return f"cites ({found}), {pair}.{moved}"
    if kind in ("cites", "cites, unconfirmed"):
        return f"cites, unconfirmed ({evidence or 'no evidence recorded'}), {pair}.{moved}"
    if kind == "similar":
        return f"alike in text only; no citation is known ({evidence or 'no evidence recorded'}), {pair}.{moved}"
    if kind == "placed by you" or at.why.get("by") == "you":
        return f"placed by you{f' ({evidence})' if evidence else ''}, {pair}; no source was asked for a citation."
    return f"no link is recorded between {citing} and {cited}."


def _card(context: ExportContext, at: Slot) -> str:
    card = context.state.in_use(f"{at.address}.card")
    if card is None:
        return "Card: not made yet."
    source = inline(card.content.get("source")) or "an unnamed text"
    note = inline(card.content.get("note"))
    own = " The card is in the researcher's own words." if card.by_person else ""
    said = inline(clipped(card.content.get("contribution")))
    limit = inline(clipped(card.content.get("limitation")))
    text = "".join([f" Contribution: {said}" if said else "", f" Limitation: {limit}" if limit else ""])
    return f"Read from: {source}{f' ({note})' if note else ''}.{own}{text}"


def _ends(context: ExportContext, branch: int) -> str:
    rows = []
    for side, word in (("backward", "Backward"), ("forward", "Forward")):
        reason = context.snapshot.stopped.get((branch, side)) or ""
        end = context.state.end(branch, side)  # type: ignore[arg-type]
        rows.append(f"- {word} it ended here: {inline(reason or (end.reason if end else 'no reason is recorded'))}.")
    return "\n".join(rows)


def trends_part(context: ExportContext, branch: int, level: str) -> str:
    """A text for each neighbouring pair; a person's own words are marked (ux.md 3.14)."""
    out: list[str] = []
    for n, address in enumerate(context.state.trends(branch)):
        at, version = parse_address(address), context.state.in_use(address)
        older, newer = (context.state.slot(slot(branch, pos)).paper or "" for pos in (at.pos, at.other))
        papers = f"{context.bibliography.short(older)} to {context.bibliography.short(newer)}"
        head = f"{level} t{n}: {papers} ({branch}/{place(at.pos)} to {branch}/{place(at.other)})"
        out += [head, *filter(None, [by(version), paragraphs(version.content.get("text")) if version else NOT_MADE])]
    return "\n\n".join(out) or "A chain of fewer than two papers has no trend."


def direction_part(context: ExportContext, branch: int, level: str) -> str:
    version = context.state.in_use(f"{branch}/dir")
    if version is None:
        return NOT_MADE
    note = paragraphs(version.content.get("note"))
    reasoned = [f"{level} How it was reasoned", note] if note else []
    return "\n\n".join(filter(None, [by(version), paragraphs(version.content.get("text")), *reasoned]))


def searches_rows(context: ExportContext) -> list[tuple[str, ...]]:
    """Every search for an anchor: branch, words, source, date, hits."""
    rows: list[tuple[str, ...]] = []
    for branch in context.state.branches:
        made = context.state.in_use(f"{slot(branch, 0)}.cands")
        for one in made.content.get("tries", []) if made else ():
            total = f" of {one['total']}" if one.get("total") is not None else ""
            rows.append(
                (f"{branch}/0", inline(one.get("query")), inline(one.get("source")), day(one.get("date")), f"{one.get('hits', 0)}{total}")
            )
    return rows


__all__ = ["chain_part", "direction_part", "link_words", "searches_rows", "trends_part"]
