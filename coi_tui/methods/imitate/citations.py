"""Citations of a section: a model writes labels, and the section names the papers by authors and
year (pure).

Only papers that were shown can be cited. Whatever else is cited is taken out and marked, so that no
invented work gets into the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from coi_tui.model.papers import Paper

MISSING = "citation missing"
"""Stands where a label named no paper."""
_LABELS = re.compile(r"[ \t]*\[\s*(P\d+(?:\s*[,;]?\s*(?:and\s+)?P\d+)*)\s*\]")


def named(paper: Paper, others: Iterable[Paper] = ()) -> str:
    """``Wei et al., 2022``; by its title where authors or year are not known, or another paper
    would be named alike."""
    said = _by_authors(paper)
    alike = any(other.id != paper.id and _by_authors(other) == said for other in others)
    if said and not alike:
        return said
    title = paper.title.replace("“", "'").replace("”", "'").replace('"', "'")
    return f"“{title}”, {paper.year}" if paper.year is not None else f"“{title}”"


def _by_authors(paper: Paper) -> str:
    if not paper.authors or paper.year is None or not paper.authors[0].split():
        return ""
    who = paper.authors[0].split()[-1]
    return f"{who}{' et al.' if len(paper.authors) > 1 else ''}, {paper.year}"


def with_names(text: str, papers: Mapping[str, Paper]) -> tuple[str, list[str]]:
    """A text with names in the place of labels, and the ids of the papers that it cites in their
    order."""
    cited: dict[str, None] = {}

    def name(found: re.Match[str]) -> str:
        names = []
        for label in re.findall(r"P\d+", found[1]):
            paper = papers.get(label)
            names.append(named(paper, papers.values()) if paper is not None else MISSING)
            cited.update({paper.id: None} if paper is not None else {})
        return f" ({'; '.join(dict.fromkeys(names))})"

    return _LABELS.sub(name, text).strip(), list(cited)


def marks_in(text: str, papers: Sequence[Paper]) -> tuple[tuple[str, str], ...]:
    """Where a text names each of these papers: the words that stand for a citation, each with the
    paper's id."""
    marks: list[tuple[str, str]] = []
    for paper in papers:
        forms = (named(paper, [paper.model_copy(update={"id": ""})]), _by_authors(paper))
        said = next((form for form in forms if form and form in text), "")
        marks += [(form, paper.id) for form in (f"({said})", said) if said and form in text]
    return tuple(marks)


def labels_of(papers: Sequence[str], known: Mapping[str, Paper]) -> dict[str, Paper]:
    """Labels for papers that the session knows, in their order, each once."""
    return {
        f"P{n}": known[paper]
        for n, paper in enumerate((p for p in dict.fromkeys(papers) if p in known), start=1)
    }
