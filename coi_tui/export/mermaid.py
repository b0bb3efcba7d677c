"""A diagram as Mermaid, which GitHub, GitLab and many editors of Markdown draw."""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.model.document import Diagram, DiagramArrow
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line
from coi_tui.model.wording import clipped

TITLE_WORDS = 12
"""Words of a title in a box."""


def mermaid(diagram: Diagram, papers: Mapping[str, Paper]) -> str:
    """A fenced block: a box a paper, and an arrow or a line for each link."""
    keys = {
        paper: f"n{number}" for number, paper in enumerate(dict.fromkeys(diagram.papers), start=1)
    }
    boxes = [f'    {key}["{_label(papers.get(paper), paper)}"]' for paper, key in keys.items()]
    links = [
        _link(arrow, keys) for arrow in diagram.arrows if arrow.start in keys and arrow.end in keys
    ]
    return "\n".join(["```mermaid", "flowchart LR", *boxes, *links, "```"])


def _label(paper: Paper | None, paper_id: str) -> str:
    return (
        f"{label(paper.short())}<br/>{label(clipped(paper.title, TITLE_WORDS))}"
        if paper
        else label(paper_id)
    )


def _link(arrow: DiagramArrow, keys: Mapping[str, str]) -> str:
    line = "-->" if arrow.certain else "-.->"
    return f'    {keys[arrow.start]} {line}|"{label(arrow.text)}"| {keys[arrow.end]}'


def label(text: object) -> str:
    """A text within the quotes of a label: what is no letter, digit, blank, comma, full stop or
    hyphen becomes a numbered entity."""
    return "".join(c if c.isalnum() or c in " ,.-" else f"#{ord(c)};" for c in clean_line(text))
