"""Renders the sections that a method hands over as LaTeX that needs nothing but the class ``article``."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from coi_tui.export.bibliography import Bibliography
from coi_tui.export.cited_marks import at_places, with_places
from coi_tui.export.tex import tex_fragment, tex_line, tex_paragraphs
from coi_tui.model.document import (
    Block,
    Bullets,
    Citation,
    Diagram,
    DiagramArrow,
    Line,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    Section,
    Strong,
    Table,
)
from coi_tui.model.wording import clipped

_LEVELS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")
_BYLINES = {
    "person": r"\emph{The researcher's own words.}",
    "merged": r"\emph{The researcher's own words, merged with a generated text.}",
}
TITLE_WORDS = 14
"""Words of a title in a figure."""


class LatexBlocks:
    """Writes blocks; the papers that they cite are numbered in ``bibliography``, whose keys are those of the .bib file."""

    def __init__(self, bibliography: Bibliography) -> None:
        self.bibliography = bibliography
        self.cited: set[str] = set()
        """The keys that stand in a ``cite`` so far."""

    # -- citations --------------------------------------------------------------------------------------------------

    def cite(self, paper: str) -> str:
        """``\\cite{key}``; for a paper of which the session has no record plain words."""
        if self.bibliography.number(paper) is None:
            return "(no record of this paper in the session)"
        key = self.bibliography.key(paper)
        self.cited.add(key)
        return rf"\cite{{{key}}}"

    def short(self, paper_id: str) -> str:
        """``Wei et al. 2022~\\cite{key}``."""
        paper = self.bibliography.papers.get(paper_id)
        return f"{tex_line(paper.short() if paper else paper_id)}~{self.cite(paper_id)}"

    def titled(self, paper_id: str) -> str:
        paper = self.bibliography.papers.get(paper_id)
        return f"{tex_line(paper.title)}, {self.short(paper_id)}" if paper else self.short(paper_id)

    def line(self, line: Line) -> str:
        """Escaped text on one line, with citations where it names papers."""
        if isinstance(line, str):
            return tex_line(line)
        return "".join(map(self._part, line)).strip()

    def _part(self, part: str | Citation | Strong) -> str:
        if isinstance(part, Citation):
            return self.short(part.paper)
        return tex_fragment(part) if isinstance(part, str) else rf"\textbf{{{tex_line(part.text)}}}"

    # -- blocks -----------------------------------------------------------------------------------------------------

    def section(self, section: Section, level: int = 0) -> str:
        """A section with its heading; ``level`` 0 is the highest."""
        head = rf"\{_LEVELS[min(level, len(_LEVELS) - 1)]}{{{self.line(section.title)}}}"
        return "\n\n".join([head, *filter(None, self.blocks(section, level))])

    def blocks(self, section: Section, level: int = 0) -> list[str]:
        """A section without its heading."""
        return [
            self.section(b, level + 1) if isinstance(b, Section) else self.block(b)
            for b in section.blocks
        ]

    def block(self, block: Block) -> str:
        match block:
            case Paragraph():
                return self.line(block.text)
            case Passage():
                return "\n\n".join(
                    filter(None, [_BYLINES.get(block.origin, ""), self.passage(block)])
                )
            case Bullets():
                return itemised([self.line(item) for item in block.items])
            case PaperList():
                return itemised([self._entry(entry) for entry in block.entries], "enumerate")
            case Table():
                return itemised([self._row(block.head, row) for row in block.rows])
            case Diagram():
                return self.figure(block) if block.papers else ""

    def passage(self, passage: Passage) -> str:
        """The text with citations in place of its marks."""
        text, papers = with_places(passage, self.bibliography.papers)
        return at_places(tex_paragraphs(text), [self.cite(paper) for paper in papers])

    def _entry(self, entry: PaperEntry) -> str:
        paper = self.bibliography.papers.get(entry.paper)
        date = tex_line((paper.when if paper else "") or "n.d.")
        notes = [self.line(note) for note in entry.notes]
        return rf"\textbf{{{date}}}: {self.titled(entry.paper)}" + (
            f"\n{itemised(notes)}" if notes else ""
        )

    def _row(self, head: tuple[str, ...], row: tuple[Line, ...]) -> str:
        """A row of a table as an item, since the tables of plain ``article`` neither break their lines nor go over a page."""
        said = [(tex_line(name), self.line(cell)) for name, cell in zip(head, row, strict=True)]
        return "; ".join(
            rf"\emph{{{name}}}: {cell}" if name else cell for name, cell in said if cell
        )

    # -- figures ----------------------------------------------------------------------------------------------------

    def figure(self, diagram: Diagram) -> str:
        """Papers in boxes one below the other, with an arrow to the next; links between others stand below the boxes."""
        papers = list(dict.fromkeys(diagram.papers))
        links = {
            (arrow.start, arrow.end): arrow
            for arrow in diagram.arrows
            if arrow.start in papers and arrow.end in papers
        }
        parts = [self._box(papers[0])] if papers else []
        for before, paper in pairwise(papers):
            arrow = links.pop((before, paper), None) or links.pop((paper, before), None)
            parts += [_down(arrow), self._box(paper)]
        drawn = "\n".join([*parts, *map(self._further, links.values())])
        caption = "The papers in their order; dots stand for a link that was not confirmed."
        return (
            f"\\begin{{figure}}[htp]\n\\centering\n{drawn}\n\\caption{{{caption}}}\n\\end{{figure}}"
        )

    def _further(self, arrow: DiagramArrow) -> str:
        """A link between papers that are no neighbours."""
        word = "to" if arrow.certain else "perhaps to"
        said = f"{self.short(arrow.start)} {word} {self.short(arrow.end)}: {tex_line(clipped(arrow.text))}"
        return rf"{{\small {said}}}\\[2pt]"

    def _box(self, paper_id: str) -> str:
        paper = self.bibliography.papers.get(paper_id)
        title = rf"\\ {{\small {tex_line(clipped(paper.title, TITLE_WORDS))}}}" if paper else ""
        return (
            rf"\fbox{{\parbox{{0.8\linewidth}}{{\centering {self.short(paper_id)}{title}}}}}\\[2pt]"
        )


def _down(arrow: DiagramArrow | None) -> str:
    """What stands between two neighbours: an arrow with its words, or dots."""
    sign = r"\downarrow" if arrow is not None and arrow.certain else r"\vdots"
    said = rf"~{{\small {tex_line(clipped(arrow.text))}}}" if arrow is not None else ""
    return rf"\parbox{{0.8\linewidth}}{{\centering $ {sign} ${said}}}\\[2pt]"


def itemised(items: Iterable[str], kind: str = "itemize") -> str:
    """A list of escaped texts; after ``item`` stands a pair of braces, or a bracket at the start of the text would be taken for a label."""
    rows = [rf"\item{{}} {item}" for item in items if item]
    return "\n".join([rf"\begin{{{kind}}}", *rows, rf"\end{{{kind}}}"]) if rows else ""
