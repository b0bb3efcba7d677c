"""A session as a LaTeX manuscript: plain ``article``, its references inside the file, and an appendix where it is asked for.

It compiles alone: ``pdflatex NAME``, ``bibtex NAME``, ``pdflatex NAME`` twice. Everything from outside passes ``export.tex``.
"""

from __future__ import annotations

from coi_tui.export.bibtex import entry
from coi_tui.export.latex_blocks import LatexBlocks
from coi_tui.export.main_part import IN_SHORT, main_part, opening, places_of, title_of_proposal
from coi_tui.export.options import ProposalOptions
from coi_tui.export.references import Reference, reference_of
from coi_tui.export.sections import appendix_parts
from coi_tui.export.snapshot import ExportContext, SessionSnapshot
from coi_tui.export.tex import declared, tex_line
from coi_tui.export.titles import cite_named
from coi_tui.model.document import Section
from coi_tui.model.wording import day

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
    """The whole file: main part, references and, where it is asked for, the appendix."""
    context = ExportContext(snapshot, options)
    write = LatexBlocks(context.bibliography)
    parts = [
        part for part in appendix_parts(context) if part.key != "diagram"
    ]  # drawn where its papers are told
    places = places_of(context, parts)
    main = [
        _abstract(write, section) if section.title == IN_SHORT else write.section(section)
        for section in main_part(context)
    ]
    line = rf"\noindent\emph{{{tex_line(opening(context, places))}}}"
    rest: list[str] = []
    if context.options.appendix:
        rest = [
            r"\appendix",
            r"\section{Appendix}",
            *(write.section(part.section(context), 1) for part in parts),
        ]
        cite_named(context)
    body = [line, *main, *filter(None, rest)]
    references, commands = _references(write)
    body[1 + len(main) : 1 + len(main)] = commands
    text = "\n\n".join([_head(context), *body, r"\end{document}"])
    entries = "\n".join(map(entry, references)).rstrip("\n")
    held = (
        [r"\begin{filecontents*}{\jobname.bib}", entries, r"\end{filecontents*}"] if entries else []
    )
    return "\n".join([*FILE, *held, *PREAMBLE, *declared(text + entries), "", text]) + "\n"


def _abstract(write: LatexBlocks, section: Section) -> str:
    return "\n".join([r"\begin{abstract}", *write.blocks(section), r"\end{abstract}"])


def _references(write: LatexBlocks) -> tuple[list[Reference], list[str]]:
    """The papers cited or named, and the commands that list them; nothing where there is no paper."""
    bibliography = write.bibliography
    papers = {bibliography.key(paper.id): paper for paper in bibliography.entries()}
    only_named = [key for key in sorted(papers) if key not in write.cited]
    commands = [rf"\nocite{{{','.join(only_named)}}}"] if only_named else []
    commands += [r"\bibliographystyle{plain}", r"\bibliography{\jobname}"] if papers else []
    return [reference_of(key, paper) for key, paper in sorted(papers.items())], commands


def _head(context: ExportContext) -> str:
    title, dated = tex_line(title_of_proposal(context)), tex_line(day(context.snapshot.exported_at))
    return "\n".join(
        [
            rf"\title{{{title}}}",
            r"\author{}",
            rf"\date{{{dated}}}",
            r"\begin{document}",
            r"\maketitle",
        ]
    )
