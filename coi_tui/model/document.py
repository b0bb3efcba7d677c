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


Block = Paragraph | Passage | Bullets | PaperList | Table


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


def passages(section: Section) -> tuple[Passage, ...]:
    """Every text of the session in a section, in reading order."""
    found: list[Passage] = []
    for block in section.blocks:
        if isinstance(block, Passage):
            found.append(block)
        elif isinstance(block, Section):
            found += passages(block)
    return tuple(found)
