"""What each cell of Sketch holds, and the table of its cells."""

from __future__ import annotations

from coi_tui.plugin import Reply, Words, idea, kinds_of


class Background(Reply):
    """What is known, and what nobody has tried: the answer of the model is the content."""

    text: Words
    gaps: list[Words]


class Hit(Reply):
    """A paper that was found."""

    paper: str
    title: str


class Hits(Reply):
    """The papers that were found."""

    papers: list[Hit] = []


kind = kinds_of("K")
KINDS = (
    kind("background", "Background", Background, "sketch background", "background", "text gaps"),
    kind("hits", "Papers found", Hits, "sketch search", "search", role="candidates"),
    idea("sketch idea", "ideas"),
)
