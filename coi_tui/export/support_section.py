"""Sentences about earlier work in an export: a mark after each that stands on no passage, and a list of all with their passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from coi_tui.export.snapshot import ExportContext
from coi_tui.export.support import Checked, is_checked
from coi_tui.export.titles import texts_shown
from coi_tui.model.address import Branch
from coi_tui.model.document import Block, Bullets, Citation, Line, Paragraph, Passage, ProposalWarning, Section, Strong

HERE = "\ue000"
"""Stands after an unsupported sentence until the document is whole: a character of private use, which goes through the escaping."""
MARK = " **[unsupported]**"


def marked(context: ExportContext, text: str) -> str:
    """A text with a sign after each sentence about earlier work that stands on no passage of the session's papers."""
    text = text.replace(HERE, "")
    out, before = "", 0
    for found in context.evidence.check(text):
        if found.status == "unsupported":
            out, before = f"{out}{text[before : found.end]}{HERE}", found.end
    return out + text[before:]


def marked_section(context: ExportContext, section: Section) -> Section:
    """A method's section with the texts of it marked that are held against the papers."""
    return replace(section, blocks=tuple(_marked_block(context, block) for block in section.blocks))


def marked_passage(context: ExportContext, passage: Passage) -> Passage:
    """A text of the session, marked where it is one that is held against the papers."""
    if is_checked(context.snapshot.methods.kind(passage.address), passage.address):
        return replace(passage, text=marked(context, passage.text))
    return replace(passage, text=passage.text.replace(HERE, ""))


def _marked_block(context: ExportContext, block: Block | Section) -> Block | Section:
    if isinstance(block, Section):
        return marked_section(context, block)
    return marked_passage(context, block) if isinstance(block, Passage) else block


def checked_sentences(context: ExportContext, shown: Iterable[tuple[str, str]] | None = None) -> dict[str, list[Checked]]:
    """The sentences about earlier work in the texts ``shown`` (those of the proposal), by the address where each stands, each once."""
    out: dict[str, list[Checked]] = {}
    for address, text in texts_shown(context) if shown is None else shown:
        if is_checked(context.snapshot.methods.kind(address), address):
            held = out.setdefault(address, [])
            held += [found for found in context.evidence.check(text) if found.text not in {one.text for one in held}]
    return {address: found for address, found in out.items() if found}


def cite_support(context: ExportContext) -> None:
    """Gives a number to every paper on which a sentence stands."""
    for found in checked_sentences(context).values():
        for one in found:
            if one.paper:
                context.bibliography.number(one.paper)


def sentences(context: ExportContext, branch: Branch = 0) -> Iterator[Block]:
    """The sentences of each text, with passage and paper."""
    yield Paragraph(
        "Sentences that state a fact about earlier work, each with the passage of the session's papers that says most of it by the words "
        "alone. Whether the passage means the same is for the reader to judge."
    )
    yield Bullets(tuple(_row(address, one) for address, found in checked_sentences(context).items() for one in found))


def _row(address: str, one: Checked) -> Line:
    said = f"{address}: {one.text} "
    if one.status == "supported":
        return (f"{said}Supported by ", Citation(one.paper), f", {one.where}: “{one.passage}”")
    why = "names no paper of the session" if one.status == "unverified" else "no passage says enough of it"
    return (said, Strong(one.status), f": {why}")


def support_warnings(context: ExportContext) -> Iterator[ProposalWarning]:
    """One warning for each text with sentences that stand on nothing."""
    for address, found in checked_sentences(context).items():
        open_ = [one.text for one in found if one.status == "unsupported"]
        if open_:
            verb = "stands" if len(open_) == 1 else "stand"
            what = f"{len(open_)} of {len(found)} sentences" if len(found) > 1 else "the only sentence"
            said = f"{what} about earlier work in {address} {verb} on no passage of the session's papers."
            yield ProposalWarning("Unsupported", said, (address,))
