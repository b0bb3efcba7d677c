"""What a LaTeX manuscript says of itself: a notice under its title, and the appendix with warnings, decisions and where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coi_tui.export.latex_blocks import LatexBlocks, itemised
from coi_tui.export.provenance import RECORDED, Spending, drafted, models, parts_of, people, recorded, spending
from coi_tui.export.snapshot import ExportContext
from coi_tui.export.support import WORDS, Checked
from coi_tui.export.support_section import checked_sentences
from coi_tui.export.tex import tex_line
from coi_tui.export.titles import cite_named, unverified, unverified_citations
from coi_tui.export.warnings import warnings_of
from coi_tui.model.document import Manuscript, Passage, passages
from coi_tui.model.entries import Decision
from coi_tui.model.money import amount
from coi_tui.model.wording import clipped, count, moment, sentence


def notice(context: ExportContext) -> str:
    """Where the text comes from and what of it was drafted by rule, before anything else."""
    snapshot = context.snapshot
    said = [f"Exported {moment(snapshot.exported_at)} from the session “{snapshot.name}”, made with {snapshot.method}."]
    if own := drafted(snapshot):
        said.append(
            f"Drafted without a language model: {parts_of(snapshot, own)}. The built-in drafter quotes the papers' cards by rule and "
            "leaves places to write over; this is no considered proposal."
        )
    if recorded(snapshot):
        said.append(RECORDED)
    if found := len(warnings_of(context)):
        said.append(f"{count(found, 'warning')} to the reader {'stands' if found == 1 else 'stand'} in the appendix.")
    return rf"\noindent\emph{{{tex_line(' '.join(said))}}}"


def appendix(context: ExportContext, write: LatexBlocks, own: Manuscript | None) -> Iterator[str]:
    """The sections of the appendix."""
    cite_named(context)
    warnings = [rf"\textbf{{{tex_line(w.kind)}}}: {tex_line(w.text)}" for w in warnings_of(context)]
    yield write.headed("Warnings", [itemised(warnings) or "None: every part is complete, up to date and decided."])
    yield from _earlier_work(context, write, own)
    yield from _unverified(context, write)
    yield write.headed("Decision log", [*_decisions(context)])
    yield write.headed("How this was made", [itemised(map(tex_line, _made(context)))])


def _earlier_work(context: ExportContext, write: LatexBlocks, own: Manuscript | None) -> Iterator[str]:
    """Each sentence about earlier work with the passage on which it stands."""
    shown = ((passage.address, passage.text) for passage in _texts_of(own)) if own is not None else None
    rows = [f"{tex_line(address)}: {_row(write, one)}" for address, found in checked_sentences(context, shown).items() for one in found]
    if rows:
        lead = (
            "Sentences that state a fact about earlier work, each with the passage of the session's papers that says most of it by "
            "the words alone. Whether the passage means the same is for the reader to judge."
        )
        yield write.headed("Sentences about earlier work", [tex_line(lead), itemised(rows)])


def _texts_of(own: Manuscript) -> Iterable[Passage]:
    return [*((own.abstract,) if own.abstract else ()), *(passage for section in own.sections for passage in passages(section))]


def _row(write: LatexBlocks, one: Checked) -> str:
    if one.status == "supported":
        return f"{tex_line(one.text)} Supported by {write.short(one.paper)}, {tex_line(one.where)}: “{tex_line(one.passage)}”"
    why = "names no paper of the session" if one.status == "unverified" else "no passage says enough of it"
    return rf"{tex_line(one.text)} \textbf{{{WORDS[one.status]}}}: {why}"


def _unverified(context: ExportContext, write: LatexBlocks) -> Iterator[str]:
    found = {**unverified(context), **unverified_citations(context)}
    if found:
        lead = "The texts name these works, and the session has no such papers. Check that they exist before citing them."
        rows = [f"{tex_line(text)} (named in {tex_line(', '.join(where))})" for text, where in found.items()]
        yield write.headed("Works without a paper", [lead, itemised(rows)])


def _decisions(context: ExportContext) -> Iterator[str]:
    """Every decision of a person with its reason; what was undone is said to be."""
    snapshot = context.snapshot
    own, undone = people(snapshot), snapshot.undone
    by_rule = sum(d.actor != "you" for d in snapshot.decisions)
    yield f"{count(len(own), 'decision')} by people; {by_rule:,} by the rules of the method are in the session."
    yield itemised(f"{_decision(d)}{' (undone)' if d.group in undone else ''}" for d in own)


def _decision(d: Decision) -> str:
    dated = moment(d.time) if d.time else "undated"
    paper = f", {d.value['paper']}" if isinstance(d.value.get("paper"), str) else ""
    point = f", point {d.value['point']}" if d.value.get("point") else ""
    reason = f": {sentence(clipped(d.reason))}" if d.reason else "."
    return tex_line(f"{dated}: {d.action} {d.address}{paper}{point}{reason}")


def _made(context: ExportContext) -> Iterator[str]:
    snapshot = context.snapshot
    for asked, served, n in models(snapshot):
        same = "" if served == asked else f", served as {served}" if served else ", served name not reported"
        yield f"{asked or 'A model without a name'}{same}: {count(n, 'call')}."
    spent = spending(snapshot)
    yield f"{count(len(snapshot.calls), 'call')} on record; {spent.prompt_tokens:,} tokens sent and {spent.completion_tokens:,} received."
    yield _cost(spent)
    yield from context.method.limits


def _cost(spent: Spending) -> str:
    unknown = f"; the price of {count(spent.unpriced, 'call')} is not known" if spent.unpriced else ""
    return f"Cost: {amount(spent.usd)} US dollars{unknown}."
