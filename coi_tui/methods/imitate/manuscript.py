"""The text of the manuscript: which cells it consists of as it is now, the passages that its
sections rest on, and how these cite them (pure).

Section i is written from step i. Then every later step, and no other, may be revised: that is a
cell for each later step, ``later2.5`` for step 5 after section 2. Nothing that is made for step k
reads what comes after it, so that no edit can make an earlier step stale.

A model names lines and never writes them, so that a passage is always what the paper says. It cites
labels, and the section names the papers by authors and year: only papers that were shown can be
cited. Whatever else is cited is taken out and marked, so that no invented work gets into the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.base.text_tools import share
from coi_tui.methods.imitate import ImitateSettings
from coi_tui.methods.imitate.kinds import (
    AnswerContent,
    ImitatedPlan,
    LineRange,
    ManuscriptReview,
    PassageRow,
    RevisedSection,
    SectionContent,
)
from coi_tui.model.address import Branch, cell_at, instance_of
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, sentences

# -- its cells


def steps_of(state: State, branch: Branch) -> range:
    """The numbers of the steps in the plan of a branch; as many as the settings say while there is
    none."""
    plan = state.read(cell_at(branch, "plan"), ImitatedPlan)
    most = (
        state.bounds(ImitateSettings, instance_of(branch)).steps
        if plan is None
        else len(plan.steps)
    )
    return range(1, most + 1)


def cells_of_section(branch: Branch, number: int, steps: Sequence[int]) -> Iterator[str]:
    """The cells that are made for one section, in their order: its evidence, its step, its text,
    and the later steps."""
    yield from (cell_at(branch, name, number) for name in ("passages", "step", "section"))
    yield from (cell_at(branch, "later", number, later) for later in steps[number:])


def points_of(state: State, branch: Branch) -> dict[int, int]:
    """The number of each point of the review with that of its section; a point on no section of the
    text is left out."""
    sections = {str(number): number for number in steps_of(state, branch)}
    points = enumerate(stored(state, cell_at(branch, "referee"), ManuscriptReview).points, 1)
    return {n: sections[one.name] for n, one in points if one.name in sections}


def to_revise(state: State, branch: Branch) -> set[int]:
    """IE-9: the sections with a point that is carried out."""
    return {
        section
        for n, section in points_of(state, branch).items()
        if not state.cell(cell_at(branch, "answer", n)).rejected
        and stored(state, cell_at(branch, "answer", n), AnswerContent).decision == "revise"
    }


USED = ("better", "as good")
"""Outcomes of a revision that is used."""


def outcome(before: int | None, after: int | None) -> str:
    """IE-10: the outcome of a revision by the ratings of the whole text: without two there is
    nothing to compare, and the old section stays."""
    if before is None or after is None:
        return "not compared"
    return "rolled back" if after < before else "better" if after > before else "as good"


def sections_of(state: State, branch: Branch) -> dict[str, SectionContent]:
    """The sections as they are now, by their cells; what is not made is left out.

    IE-10: a revision is used where it was rated no lower and no person wrote or accepted the
    section; a person who accepts, edits or rejects the revision decides.
    """
    found: dict[str, SectionContent] = {}
    for number in steps_of(state, branch):
        section, revised = cell_at(branch, "section", number), cell_at(branch, "revised", number)
        own, cell = stored(state, revised, RevisedSection), state.cell(revised)
        by_rule = own.outcome in USED and state.cell(section).lock is None
        used = not cell.rejected and (by_rule or cell.lock is not None)
        address = revised if used else section
        if (content := state.read(address, SectionContent)) is not None:
            found[address] = content
    return found


# -- passages

MOST_LINES = 40
"""Lines of one paper that a prompt shows at most: of a longer text those nearest to the step."""
LONGEST_RANGE = 8
"""Lines of one passage at most; of a longer range the first ones."""
MOST_PASSAGES = 8
_HEADING = re.compile(r"^([A-Z][A-Z ]+)$", re.MULTILINE)


def lines_of(text: str) -> tuple[str, ...]:
    """The sentences of a text, one a line; a heading (by a blank line after it, or all in capitals)
    is a line as well."""
    parts = re.split(r"\n\s*\n", _HEADING.sub(r"\n\n\1\n\n", text))
    return tuple(line for part in parts for line in sentences(part) or [part.strip()] if line)


@dataclass(frozen=True)
class PassageSource:
    """A text that passages may come from, under its label: what can be read of a paper (``kind``),
    or a section."""

    label: str
    lines: tuple[str, ...]
    kind: str = ""
    paper: Paper | None = None
    section: int = 0

    def nearest(self, about: str, most: int = MOST_LINES) -> list[tuple[int, str]]:
        """The lines that a prompt shows, with their numbers: of a long text those that share most
        words with ``about``."""
        numbered = enumerate(self.lines, 1)
        return sorted(sorted(numbered, key=lambda line: (-share(line[1], about), line[0]))[:most])

    def shown(self, about: str) -> Fields:
        """As the prompt shows it, a numbered line for each sentence; they are where an abstract
        would be, so that they may be shortened."""
        return {
            "id": self.label,
            "title": self.paper.title if self.paper is not None else "",
            "year": self.paper.year if self.paper is not None else None,
            "kind": self.kind,
            "abstract": "\n".join(f"{n} {line}" for n, line in self.nearest(about)),
        }


def cut(sources: Iterable[PassageSource], ranges: Iterable[LineRange]) -> list[PassageRow]:
    """The passages that ranges name, each once; lines that there are not are ignored."""
    by_label = {source.label: source for source in sources}
    found: dict[tuple[str, int, int], PassageRow] = {}
    for asked in ranges:
        source = by_label.get(asked.source)
        first, last = sorted((asked.first, asked.last))
        if source is None or first > len(source.lines):
            continue
        last = min(last, len(source.lines), first + LONGEST_RANGE - 1)
        lines = f"line {first}" if first == last else f"lines {first}-{last}"
        row = PassageRow(
            paper=source.paper.id if source.paper is not None else "",
            section=source.section,
            where=f"{source.kind}, {lines}",
            text=" ".join(source.lines[first - 1 : last]),
            shows=asked.shows,
        )
        found.setdefault((source.label, first, last), row)
    return [*found.values()][:MOST_PASSAGES]


# -- citations

MISSING = "citation missing"
"""In the place of a label that names no paper."""
_LABELS = re.compile(r"[ \t]*\[\s*(P\d+(?:\s*[,;]?\s*(?:and\s+)?P\d+)*)\s*\]")


def labels_of(papers: Iterable[str], known: Mapping[str, Paper]) -> dict[str, Paper]:
    """Labels for papers that the session knows, in their order, each once."""
    there = (paper for paper in dict.fromkeys(papers) if paper in known)
    return {f"P{n}": known[paper] for n, paper in enumerate(there, 1)}


def shown_passages(rows: Sequence[PassageRow], known: Mapping[str, Paper]) -> list[Fields]:
    """Passages of papers as prompts show them, each under the label of its paper; those of the
    draft under that of the section."""
    of = {
        paper.id: {"id": label, "title": paper.title, "year": paper.year}
        for label, paper in labels_of((row.paper for row in rows), known).items()
    }
    return [
        {"where": row.where, "text": row.text, "title": ""}
        | of.get(row.paper, {"id": f"S{row.section}"})
        for row in rows
    ]


def names_of(papers: Mapping[str, Paper]) -> dict[str, str]:
    """``Wei et al., 2022`` for each of some papers; its title where authors or year are not known,
    or another would be named alike."""
    short = {key: _by_authors(paper) for key, paper in papers.items()}
    return {
        key: name
        if name and [*short.values()].count(name) == 1
        else f"“{papers[key].title}”, {papers[key].year or 'n.d.'}"
        for key, name in short.items()
    }


def _by_authors(paper: Paper) -> str:
    who = paper.authors[0].split()[-1:] if paper.authors else []
    others = " et al." if len(paper.authors) > 1 else ""
    return f"{who[0]}{others}, {paper.year}" if who and paper.year is not None else ""


def with_names(text: str, papers: Mapping[str, Paper]) -> tuple[str, dict[str, str]]:
    """A text with names in the place of labels, and the papers that it cites by their names."""
    names, cited = names_of(papers), dict[str, str]()

    def name(found: re.Match[str]) -> str:
        labels = re.findall(r"P\d+", found[1])
        cited.update({names[label]: papers[label].id for label in labels if label in names})
        return f" ({'; '.join(dict.fromkeys(names.get(label, MISSING) for label in labels))})"

    return _LABELS.sub(name, text).strip(), cited


def section_marks(section: SectionContent) -> tuple[tuple[str, str], ...]:
    """Where a section names papers: the words that stand for a citation, each with the paper's
    id."""
    return tuple(
        (words, paper)
        for name, paper in section.cited.items()
        for words in (f"({name})", name)
        if words in section.text
    )
