"""IE-6: texts as numbered lines, the passages that are cut out of them by the ranges that a model
asks for, and the citations of a section (pure).

A model names lines and never writes them, so that a passage is always what the paper says. It cites
labels, and the section names the papers by authors and year: only papers that were shown can be
cited. Whatever else is cited is taken out and marked, so that no invented work gets into the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coi_tui.methods.base.text_tools import share
from coi_tui.methods.imitate.contents import LineRange, PassageRow
from coi_tui.model.papers import Paper
from coi_tui.model.text import sentences

MOST_LINES = 40
"""Lines of one paper that a prompt shows at most: of a longer text those nearest to the step."""
LONGEST_RANGE = 8
"""Lines of one passage at most; of a longer range the first ones."""
MOST_PASSAGES = 8


_HEADING = re.compile(r"^([A-Z][A-Z ]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """A text that passages may come from. ``kind`` says what was read of it; ``paper`` or
    ``section`` whose it is."""

    label: str
    lines: tuple[str, ...]
    kind: str = ""
    paper: str = ""
    section: int = 0


def lines_of(text: str) -> tuple[str, ...]:
    """The sentences of a text, one a line; a heading (by a blank line after it, or all in capitals)
    is a line as well."""
    parts = re.split(r"\n\s*\n", _HEADING.sub(r"\n\n\1\n\n", text))
    return tuple(
        said
        for part in parts
        for said in sentences(part) or ([part.strip()] if part.strip() else [])
    )


def shown_lines(text: Text, about: str, most: int = MOST_LINES) -> list[tuple[int, str]]:
    """The lines that a prompt shows, with their numbers: all, or of a long text those that share
    most words with ``about``."""
    numbered = list(enumerate(text.lines, start=1))
    if len(numbered) <= most:
        return numbered
    best = sorted(numbered, key=lambda line: (-share(line[1], about), line[0]))[:most]
    return sorted(best)


def cut(texts: Sequence[Text], ranges: Iterable[LineRange]) -> tuple[list[dict[str, Any]], int]:
    """The passages that ranges name, each once, and how many ranges named lines that there are
    not."""
    by_label: Mapping[str, Text] = {text.label: text for text in texts}
    found: list[dict[str, Any]] = []
    strange = 0
    for asked in ranges:
        text = by_label.get(asked.source)
        first, last = min(asked.first, asked.last), max(asked.first, asked.last)
        if text is None or not 1 <= first <= len(text.lines):
            strange += 1
            continue
        passage = _passage(text, first, min(last, len(text.lines), first + LONGEST_RANGE - 1))
        if not any(passage.items() <= known.items() for known in found):
            found.append({**passage, "shows": asked.shows})
    return found[:MOST_PASSAGES], strange


def _passage(text: Text, first: int, last: int) -> dict[str, Any]:
    lines = f"line {first}" if first == last else f"lines {first}-{last}"
    said = {
        "where": f"{text.kind}, {lines}" if text.kind else lines,
        "text": " ".join(text.lines[first - 1 : last]),
    }
    return {**said, "paper": text.paper} if text.paper else {**said, "section": text.section}


# -- citations

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


def labels_of(papers: Iterable[str], known: Mapping[str, Paper]) -> dict[str, Paper]:
    """Labels for papers that the session knows, in their order, each once."""
    there = (paper for paper in dict.fromkeys(papers) if paper in known)
    return {f"P{n}": known[paper] for n, paper in enumerate(there, start=1)}


def shown_passages(rows: Sequence[PassageRow], known: Mapping[str, Paper]) -> list[dict[str, Any]]:
    """Passages of papers as prompts show them, each under the label of its paper; those of the
    draft under that of the section."""
    labels = {
        paper.id: label for label, paper in labels_of((row.paper for row in rows), known).items()
    }
    return [
        {
            "id": labels.get(row.paper, f"S{row.section}"),
            "title": known[row.paper].title if row.paper in labels else "",
            "year": known[row.paper].year if row.paper in labels else None,
            "where": row.where,
            "text": row.text,
        }
        for row in rows
        if row.paper in labels or row.section
    ]
