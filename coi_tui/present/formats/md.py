"""The proposal in Markdown.

Text from outside stays text: for CommonMark, GitHub's flavour and pandoc's no markup, link,
citation, heading, list, table cell, HTML or mathematics comes out of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coi_tui.present.formats import Format
from coi_tui.present.proposal import Proposal
from coi_tui.present.rendering import Renderer, without_claims
from coi_tui.present.snapshot import ProposalOptions, SessionSnapshot

_SPECIAL = re.compile(r"[\\`*_\[\]{}|~^$]")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LINK = re.compile(r"(?<=\w)(?=://)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_BLOCK = re.compile(r"^(?=[#>+=:-])")
_NUMBERED = re.compile(r"^(\(?(?:\d{1,9}|[A-Za-z]|[ivxlcdm]+|[IVXLCDM]+))([.)])(?=\s|$)")
"""The number of a list: for pandoc also a letter or a Roman number, and one in brackets."""


class Markdown(Renderer):
    def escape(self, text: str) -> str:
        escaped = _SPECIAL.sub(lambda m: "\\" + m[0], without_claims(text))
        escaped = _ENTITY.sub("&amp;", escaped).replace("<", "&lt;")
        escaped = _LINK.sub("\\\\", escaped).replace("@", "&#64;")
        before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
        return f"{before}{escaped}{after}" if escaped else before

    def first(self, escaped: str) -> str:
        """Nothing in it begins a heading, a list or a quotation."""
        return _BLOCK.sub("\\\\", _NUMBERED.sub(r"\1\\\2", escaped))

    def strong(self, text: str) -> str:
        return f"**{self.escape(text).strip()}**"

    def link(self, address: str) -> str:
        return f"<{address}>"

    def mark(self, number: int) -> str:
        return f"[\\[{number}\\]](#ref-{number})"

    def section(self, title: str, body: Sequence[str], level: int) -> str:
        return "\n\n".join([f"{'#' * min(level, 6)} {title}", *body])

    def paragraph(self, lines: Sequence[str]) -> str:
        return "  \n".join(lines)

    def items(self, items: Sequence[str], start: int = 0, anchor: str = "") -> str:
        out = []
        for n, item in enumerate(items, start):
            number = f"{n}. " if start else "- "
            target = f'<span id="{anchor}{n}"></span>' if anchor else ""
            out.append(f"{number}{target}{item}".replace("\n", f"\n{' ' * len(number)}"))
        return "\n".join(out)

    def quote(self, text: str, shows: str) -> str:
        return f"> “{text.strip()}”{f' ({shows})' if shows else ''}"

    def table(self, head: Sequence[str], rows: Sequence[tuple[list[str], list[str]]]) -> str:
        lines = [head, ["---" for _ in head], *(cells for cells, _ in rows)]
        table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        details = ("\n\n".join([f"**{cells[-1]}**", *body]) for cells, body in rows if body)
        return "\n\n".join([table, *details])


def render(proposal: Proposal) -> str:
    """The document, whose references are numbered in the order in which the text names them."""
    out = Markdown(proposal.bibliography)
    head = [f"# {out.line(proposal.title)}", f"*{out.line(proposal.opening)}*"]
    return "\n\n".join([*head, *out.blocks(proposal.sections())]) + "\n"


def markdown(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    return render(Proposal(snapshot, options))


FORMAT = Format("the proposal in Markdown, three pages at most", markdown, options=True)
