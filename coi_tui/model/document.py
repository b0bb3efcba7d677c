"""What a method hands over for the proposal: sections made of a few kinds of blocks, which the
export turns into Markdown.

All texts are plain: whoever renders a block escapes them. A paper is named by its id, so that its
number in the references and its address are settled where the whole document is written.
"""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.model.address import Branch


@dataclass(frozen=True)
class Citation:
    """A paper named within a line: authors, year and its number in the references."""

    paper: str


@dataclass(frozen=True)
class Strong:
    """Words of a line that stand out: a verdict, a kind of warning."""

    text: str


Line = str | tuple[str | Citation | Strong, ...]
"""Text on one line, with citations where it names papers."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph in the program's words."""

    text: Line


@dataclass(frozen=True)
class Passage:
    """A text of the session, of one or more paragraphs. Where a person wrote it (``origin``), the
    document says so.

    ``cited``: marks in the text that stand for a citation, each with the id of its paper: ``("[1]",
    "arXiv:2201.11903")``. What is no paper of the session is not cited, and its mark stays as it
    is.
    """

    address: str
    text: str
    origin: str = "model"
    cited: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Bullets:
    """A list without numbers."""

    items: tuple[Line, ...]


@dataclass(frozen=True)
class PaperEntry:
    """A paper of a list with what is to be said of it."""

    paper: str
    notes: tuple[Line, ...] = ()


@dataclass(frozen=True)
class PaperList:
    """Papers with date, title and authors, numbered in the order given."""

    entries: tuple[PaperEntry, ...]


@dataclass(frozen=True)
class Table:
    """A table of one-line texts; every row is as long as ``head``."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True)
class DiagramArrow:
    """An arrow between two papers, with its words; one that is not ``certain`` is dashed."""

    start: str
    end: str
    text: str
    certain: bool = True


@dataclass(frozen=True)
class Diagram:
    """Papers with arrows between them. It is drawn in a place of its own, and only where a diagram
    is asked for."""

    papers: tuple[str, ...]
    arrows: tuple[DiagramArrow, ...] = ()


Block = Paragraph | Passage | Bullets | PaperList | Table | Diagram


@dataclass(frozen=True)
class Section:
    """A heading with its blocks; a section among them stands one level lower.

    ``branch`` is the part of the session that a section about an idea belongs to (0: the whole
    session).
    """

    title: Line
    blocks: tuple[Block | Section, ...] = ()
    branch: Branch = 0


@dataclass(frozen=True)
class ProposalWarning:
    """Something that a reader must be warned of. ``kind`` is a word to sort by; ``addresses`` are
    what it is about."""

    kind: str
    text: str
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Manuscript:
    """A whole text of the method's own about a branch: the main part of its proposal, in place of
    the idea's texts.

    A method gives the same sections among its ``sections``, where the appendix has what exceeds the
    main part.
    """

    title: str
    sections: tuple[Section, ...]
    abstract: Passage | None = None
    branch: Branch = 0


@dataclass(frozen=True)
class MethodDocument:
    """All that a method contributes to a proposal about some branches.

    ``sections`` say what an idea rests on; ``provenance`` goes into "How this was made", ``limits``
    into its last list. ``manuscripts``: at most one for a branch.
    """

    sections: tuple[Section, ...] = ()
    provenance: tuple[Section, ...] = ()
    warnings: tuple[ProposalWarning, ...] = ()
    limits: tuple[str, ...] = ()
    manuscripts: tuple[Manuscript, ...] = ()

    def __add__(self, other: MethodDocument) -> MethodDocument:
        """Both, part by part."""
        return MethodDocument(
            self.sections + other.sections,
            self.provenance + other.provenance,
            self.warnings + other.warnings,
            self.limits + other.limits,
            self.manuscripts + other.manuscripts,
        )


def diagrams(section: Section) -> tuple[Diagram, ...]:
    """Every diagram in a section, in reading order."""
    nested = (
        diagrams(b) if isinstance(b, Section) else (b,) if isinstance(b, Diagram) else ()
        for b in section.blocks
    )
    return tuple(diagram for found in nested for diagram in found)


def passages(section: Section) -> tuple[Passage, ...]:
    """Every text of the session in a section, in reading order."""
    found: list[Passage] = []
    for block in section.blocks:
        if isinstance(block, Passage):
            found.append(block)
        elif isinstance(block, Section):
            found += passages(block)
    return tuple(found)


def papers_named(section: Section) -> tuple[str, ...]:
    """The papers that lines, lists and tables of a section name, in reading order; those of
    diagrams and passages left out."""
    found = list(_in_line(section.title))
    for block in section.blocks:
        if isinstance(block, Section):
            found += papers_named(block)
        elif isinstance(block, PaperList):
            found += [
                paper for entry in block.entries for paper in (entry.paper, *_in_lines(entry.notes))
            ]
        elif isinstance(block, Paragraph):
            found += _in_line(block.text)
        elif isinstance(block, Bullets):
            found += _in_lines(block.items)
        elif isinstance(block, Table):
            found += [paper for row in block.rows for paper in _in_lines(row)]
    return tuple(found)


def _in_lines(lines: tuple[Line, ...]) -> list[str]:
    return [paper for line in lines for paper in _in_line(line)]


def _in_line(line: Line) -> list[str]:
    return (
        [] if isinstance(line, str) else [part.paper for part in line if isinstance(part, Citation)]
    )
