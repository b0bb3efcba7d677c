"""A session as a LaTeX manuscript: plain ``article``, its references inside the file, and an appendix of what a reader must know.

It compiles alone: ``pdflatex NAME``, ``bibtex NAME``, ``pdflatex NAME`` twice. Everything from outside passes ``export.tex``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from coi_tui.export.bibtex import entry
from coi_tui.export.latex_appendix import appendix, notice
from coi_tui.export.latex_blocks import LatexBlocks, itemised
from coi_tui.export.novelty_evidence import outcome
from coi_tui.export.options import ProposalOptions
from coi_tui.export.references import Reference, reference_of
from coi_tui.export.sections import IDEA, PLAN, point_outcomes, title_of
from coi_tui.export.snapshot import ExportContext, SessionSnapshot
from coi_tui.export.support_section import HERE, marked, marked_passage, marked_section
from coi_tui.export.tex import declared, tex_code, tex_line
from coi_tui.model import reviewing
from coi_tui.model.address import Branch
from coi_tui.model.content import ComparedPaper, Content, ExperimentPlan, IdeaContent, NoveltyReport, Topic
from coi_tui.model.document import Bullets, Diagram, Manuscript, Passage, diagrams
from coi_tui.model.wording import day, sentence

MARK = r" \textbf{[unsupported]}"
NOT_MADE = "Not made yet."
FILE = (
    "% pdflatex NAME, bibtex NAME, pdflatex NAME, pdflatex NAME; nothing but the class article is needed.",
    "% The references are written to NAME.bib unless there is one beside this file (coi export --format bib has the same keys).",
    "% Letters that plain LaTeX cannot set are shown by their code, such as [U+4E2D].",
)
PREAMBLE = (
    r"\documentclass[11pt]{article}",
    r"\usepackage[T1]{fontenc}",
    r"\usepackage[utf8]{inputenc}",
    r"\sloppy",
)


def latex(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """The whole file. A method's manuscript about the chosen idea stands in place of the proposal's parts about idea and method."""
    return _Manuscript(ExportContext(snapshot, options)).written()


class _Manuscript:
    """What the parts are written from, and what grows on the way: the papers that are cited."""

    def __init__(self, context: ExportContext) -> None:
        self.context, self.snapshot, self.state = context, context.snapshot, context.state
        self.write = LatexBlocks(context.bibliography)
        chosen = self.snapshot.branch
        found = [m for m in context.method.manuscripts if chosen is not None and m.branch == chosen]
        self.own: Manuscript | None = found[0] if found else None

    def written(self) -> str:
        """The body first: it says which papers are cited, and which characters must be declared."""
        body = "\n\n".join(filter(None, [*self._body(), r"\appendix", *appendix(self.context, self.write, self.own)]))
        references, commands = self._references()
        text = "\n\n".join([self._head(), body, *commands, r"\end{document}"]).replace(HERE, MARK)
        entries = "\n".join(map(entry, references)).rstrip("\n")
        held = [r"\begin{filecontents*}{\jobname.bib}", entries, r"\end{filecontents*}"] if entries else []
        return "\n".join([*FILE, *held, *PREAMBLE, *declared(text + entries), "", text]) + "\n"

    def _references(self) -> tuple[list[Reference], list[str]]:
        """The papers cited or named, and the commands that list them; nothing where there is no paper."""
        bibliography = self.context.bibliography
        papers = {bibliography.key(paper.id): paper for paper in bibliography.entries()}
        only_named = [key for key in sorted(papers) if key not in self.write.cited]
        commands = [rf"\nocite{{{','.join(only_named)}}}"] if only_named else []
        commands += [r"\bibliographystyle{plain}", r"\bibliography{\jobname}"] if papers else []
        return [reference_of(key, paper) for key, paper in sorted(papers.items())], commands

    def _head(self) -> str:
        title = self.own.title if self.own is not None else self._title()
        dated = tex_line(day(self.snapshot.exported_at))
        return "\n".join([rf"\title{{{tex_line(title)}}}", r"\author{}", rf"\date{{{dated}}}", r"\begin{document}", r"\maketitle"])

    def _title(self) -> str:
        branch = self.snapshot.branch
        if branch is not None and self.state.in_use(f"{branch}/idea") is not None:
            return title_of(self.context, branch)
        return str(self.state.value("topic#text") or self.snapshot.name or "Untitled session")

    # -- the body ---------------------------------------------------------------------------------------------------

    def _body(self) -> Iterator[str]:
        if self.own is not None and self.own.abstract is not None:
            abstract = self.write.passage(marked_passage(self.context, self.own.abstract))
            yield f"\\begin{{abstract}}\n{abstract}\n\\end{{abstract}}"
        yield notice(self.context)
        if self.own is not None:
            yield from (self.write.section(marked_section(self.context, section)) for section in self.own.sections)
            yield from self._figures(self.own.branch, [d for section in self.own.sections for d in diagrams(section)])
        else:
            yield from self._proposal()

    def _proposal(self) -> Iterator[str]:
        topic, chosen = self.state.read("topic", Topic), self.snapshot.branch
        yield self.write.headed(
            "Topic", [self.write.passage(marked_passage(self.context, Passage("topic", topic.text))) if topic else NOT_MADE]
        )
        for branch in self.snapshot.shown:
            if chosen is None:
                yield self.write.headed(tex_line(f"Branch {branch}: {title_of(self.context, branch)}"), [])
            for part in self.context.options.parts:
                if part in _PARTS:
                    yield from _PARTS[part](self, branch, 0 if chosen is not None else 1)

    def idea(self, branch: Branch, level: int) -> Iterator[str]:
        version = self.state.in_use(f"{branch}/idea")
        held = self.state.content(version, IdeaContent) if version is not None else None
        told = self._fields(f"{branch}/idea", held, IDEA, level, ("final",)) if held is not None else [NOT_MADE]
        yield self.write.headed("The idea", told, level)

    def method(self, branch: Branch, level: int) -> Iterator[str]:
        for section in self.context.method_sections(branch):
            yield self.write.section(self.context.told.section(marked_section(self.context, section)), level)
        yield from self._figures(branch)

    def _figures(self, branch: Branch, more: Sequence[Diagram] = ()) -> Iterator[str]:
        """The diagrams about a branch, each once."""
        found = [d for section in self.context.method_sections(branch) for d in diagrams(section)]
        for diagram in dict.fromkeys([*more, *found]):
            if diagram.papers:
                yield self.write.figure(diagram, "The papers in their order; dots stand for a link that was not confirmed.")

    def novelty(self, branch: Branch, level: int) -> Iterator[str]:
        report = self.state.read(f"{branch}/nov", NoveltyReport)
        if report is None:
            yield self.write.headed("Novelty evidence", [f"{NOT_MADE} No search for earlier work has been made for this idea."], level)
            return
        searches = (
            f"{s.query} ({s.source}, {day(s.date)}): {'FAILED' if s.outcome == 'failed' else f'{s.hits} found'}" for s in report.searches
        )
        parts = [
            rf"\textbf{{{tex_line(outcome(report).said)}}} This is the result of a search, not a proof.",
            self.write.passage(Passage(f"{branch}/nov", self.context.told.fresh(report.summary))),
            self.write.block(Bullets(tuple(f"Claim {n}: {claim.text}" for n, claim in enumerate(report.claims, start=1)))),
            self.write.headed("Searches", [self.write.block(Bullets(tuple(searches))) or "No search is on record."], level + 1),
            self.write.headed("Papers compared", [itemised(map(self._compared, report.papers)) or "No paper was found."], level + 1),
        ]
        yield self.write.headed("Novelty evidence", parts, level)

    def _compared(self, row: ComparedPaper) -> str:
        said = [rf"\textbf{{{tex_line(row.verdict)}}}: {self.write.titled(row.paper)}."]
        said += [f"{name}: {sentence(tex_line(text))}" for name, text in (("Overlap", row.overlap), ("Reason", row.reason)) if text]
        return " ".join(said)

    def plan(self, branch: Branch, level: int) -> Iterator[str]:
        held = self.state.read(f"{branch}/exp", ExperimentPlan)
        parts = self._fields(f"{branch}/exp", held, PLAN, level) if held is not None else [NOT_MADE]
        if held is not None and held.pseudocode.strip():
            parts.append(self.write.headed("Pseudocode", [tex_code(held.pseudocode)], level + 1))
        if held is not None and held.references:
            named = [self.context.bibliography.titles.find(title) for title in held.references]
            rows = [
                self.write.titled(paper) if paper else rf"{tex_line(title)} (\textbf{{unverified}}: no paper of the session has this title)"
                for title, paper in zip(held.references, named, strict=True)
            ]
            parts.append(self.write.headed("References of the plan", [itemised(rows)], level + 1))
        yield self.write.headed("Experiment plan", parts, level)

    def review(self, branch: Branch, level: int) -> Iterator[str]:
        rounds = reviewing.rounds(self.state, branch)
        told = []
        for n, one in enumerate(rounds, start=1):
            points = (
                rf"\textbf{{Point {p.point.n}.}} {sentence(tex_line(p.point.point))} \textbf{{{tex_line(p.word)}}}: "
                f"{sentence(tex_line(p.said))}"
                for p in point_outcomes(self.context, branch, one)
            )
            told.append(self.write.headed(f"Round {n}", [itemised(points) or "The review asked for no change."], level + 1))
        yield self.write.headed("Review points and answers", told or [NOT_MADE], level)

    def _fields(
        self, address: str, content: Content, fields: Sequence[tuple[str, str]], level: int, summaries: Sequence[str] = ()
    ) -> list[str]:  # fmt: skip
        """Fields of a text under their headings, without what stands already: a summary gives way to what it sums up."""
        version = self.state.in_use(address)
        names = sorted((name for name, _ in fields), key=lambda name: name in summaries)
        fresh = {name: self._fresh(address, getattr(content, name)) for name in names}
        byline = self.write.byline(version.origin if version is not None else "")
        return [byline, *(self.write.headed(tex_line(heading), [fresh[name]], level + 1) for name, heading in fields if fresh[name])]

    def _fresh(self, address: str, value: str | list[str]) -> str:
        if isinstance(value, list):
            texts = (self.context.told.fresh(marked(self.context, item)) for item in value)
            return itemised([self.write.passage(Passage(address, text)) for text in texts if text], "enumerate")
        return self.write.passage(Passage(address, self.context.told.fresh(marked(self.context, value))))


_PARTS: Mapping[str, Callable[[_Manuscript, Branch, int], Iterator[str]]] = {
    "idea": _Manuscript.idea,
    "chain": _Manuscript.method,
    "novelty": _Manuscript.novelty,
    "experiment": _Manuscript.plan,
    "review": _Manuscript.review,
}
"""The parts about an idea; what tells of the whole session is in the appendix, in Markdown and in JSON."""
