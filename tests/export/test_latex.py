"""LaTeX of any session: nothing from outside is a command, every citation has its entry, and it compiles where there is a pdflatex."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.export.bibtex import bibtex
from coi_tui.export.latex import latex
from coi_tui.export.options import WITH_APPENDIX
from coi_tui.export.snapshot import SessionSnapshot
from coi_tui.export.tex import balanced, declared, escape_tex, tex_line, tex_paragraphs
from coi_tui.model.document import Citation, Manuscript, Paragraph, Passage, Section
from coi_tui.session.exports import compiling, written

from .building import COT, PAPERS, TREE, Builder, anchor_why, chain_of_three, full, idea, paper

HOSTILE = (
    "50% of R&D: #1 in C_n, x^2 ~ {y} costs $5",
    r"\input{/etc/passwd} \end{document} \begin{filecontents*}{a} {",
    "} [sic] ]{ 链 of naïve Ⅻ 🜚 😀 ẞ Ħ ŋ",
    "<<a>> ,,b'' -- --- \"q\" ?` !`",
    "Zażółć gęślą é ϕ λ ≤ ∞ ŉ e\u0301 👩\u200d🔬 עברית \ue000\ue100",
)
OURS = {
    *(
        "begin",
        "end",
        "maketitle",
        "noindent",
        "emph",
        "section",
        "subsection",
        "subsubsection",
        "paragraph",
        "item",
        "textbf",
        "cite",
    ),
    *(
        "nocite",
        "appendix",
        "newline",
        "textbackslash",
        "textasciitilde",
        "textasciicircum",
        "textbraceleft",
        "textbraceright",
        "par",
    ),
    *(
        "bibliography",
        "bibliographystyle",
        "jobname",
        "begingroup",
        "endgroup",
        "ttfamily",
        "raggedright",
        "mbox",
        "hspace",
        "centering",
    ),
    *("fbox", "parbox", "linewidth", "small", "vdots", "downarrow", "caption"),
}
PDFLATEX, BIBTEX = shutil.which("pdflatex"), shutil.which("bibtex")


def evil() -> SessionSnapshot:
    """Every place of a session that holds a text from outside holds a hostile one."""
    papers = [
        paper(
            f"2201.{n:05d}", t, 2022, "Zoë Müller-Łęcki", r"{Evil} \name, Jr.", venue="Pro{c % of_x"
        )
        for n, t in enumerate(HOSTILE)
    ]
    b = Builder({p.id: p for p in papers} | PAPERS)
    b.text("topic", {"text": HOSTILE[4]}, origin="person")
    for n, one in enumerate(papers):
        b.place("1/0" if n == 0 else f"1/+{n}", one.id, **anchor_why())
    listed = "\n- [x] item\n- two"
    b.text(
        "1/idea",
        idea(
            title=HOSTILE[1],
            problem="\n\n".join(HOSTILE) + listed,
            works=list(HOSTILE),
            mechanism=" ".join(HOSTILE),
        ),
    )
    b.text(
        "1/exp",
        {
            "design": HOSTILE[2],
            "claims": [{"name": HOSTILE[1], "description": HOSTILE[3]}],
            "references": [HOSTILE[0], "none [such] {"],
        },
    )
    undone = b.decide("accept", "1/idea", reason=HOSTILE[1])
    b.decide("reject", "1/+1", reason=HOSTILE[0])
    b.undo(undone)
    return b.subject()


def whole() -> SessionSnapshot:
    b, more = full()
    return b.subject(**more)


def body(text: str) -> str:
    return text.partition(r"\begin{document}")[2]


def cited(text: str) -> set[str]:
    return {
        key
        for keys in re.findall(r"\\(?:no)?cite\{([^}]*)\}", body(text))
        for key in keys.split(",")
    }


@pytest.mark.parametrize("make", [evil, whole])
def test_every_citation_has_its_entry_under_the_key_of_the_bib_file(make: object) -> None:
    snapshot = make()  # type: ignore[operator]
    text = latex(snapshot, WITH_APPENDIX)
    held = set(re.findall(r"^@\w+\{(.+),$", text, re.MULTILINE))
    assert cited(text) == held
    assert held
    assert held <= set(re.findall(r"^@\w+\{(.+),$", bibtex(snapshot), re.MULTILINE))


@pytest.mark.parametrize("make", [evil, whole])
def test_nothing_from_outside_is_a_command(make: object) -> None:
    text = latex(make(), WITH_APPENDIX)  # type: ignore[operator]
    assert [
        text.count(one)
        for one in (
            r"\begin{document}",
            r"\end{document}",
            r"\begin{filecontents*}",
            r"\end{filecontents*}",
        )
    ] == [1] * 4
    assert text.rstrip().endswith(r"\end{document}")
    assert r"\input{/" not in text
    assert "\\end{verbatim}" not in text
    assert {command[1:] for command in re.findall(r"\\[A-Za-z]+", body(text))} <= OURS
    for line in body(text).split("\n"):
        assert not re.search(
            r"(?<!\\)(?:\\\\)*[%&#]|\\item (?!\{\})|\\item\[", line.replace(r"\\[2pt]", "")
        ), line


def test_each_character_beyond_latin_is_declared_once() -> None:
    text = latex(evil(), WITH_APPENDIX)
    names = re.findall(r"\\DeclareUnicodeCharacter\{([0-9A-F]+)\}", text)
    assert len(names) == len(set(names))
    assert {"94FE", "1F600", "03BB", "0126"} <= set(names)
    assert r"{1F600}{[U+1F600]}" in text
    assert r"{03BB}{\ensuremath{\lambda}}" in text
    assert "00EF" not in names
    assert body(text).count("[unsupported]") == 0, "a text cannot bring marks of ours"


@given(st.text(max_size=60))
def test_any_text_is_balanced_and_literal(text: str) -> None:
    for said in (tex_line(text), tex_paragraphs(text)):
        bare = re.sub(r"\\[%&_#${}]|\\[A-Za-z]+(?:\{\})?|\\`\{\}", "", said).replace("{}", "")
        assert not set(bare) & set("\\%&_#${}~^`")
    held = balanced(escape_tex(text))
    depth = 0
    for char in held:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    assert all(line.isascii() for line in declared(text))


@pytest.mark.parametrize("count", range(0, 14, 2))
def test_unfinished_sessions_are_written_too(count: int) -> None:
    b, more = full()
    b.entries = b.entries[:count]
    text = latex(b.subject(**{**more, "standings": ()}), WITH_APPENDIX)
    assert r"\subsection{Topic}" in text
    assert r"\subsubsection{Decisions by people}" in text
    assert cited(text) == set(re.findall(r"^@\w+\{(.+),$", text, re.MULTILINE))


def test_without_papers_there_is_no_list() -> None:
    text = latex(Builder({}).subject())
    assert r"\bibliography" not in text
    assert "filecontents" not in text


def test_the_chain_is_a_figure_and_the_decisions_are_in_the_appendix() -> None:
    text = latex(evil(), WITH_APPENDIX)
    figure = re.search(r"\\begin\{figure\}.*?\\end\{figure\}", text, re.DOTALL)
    assert figure is not None
    assert figure[0].count(r"\fbox") == len(HOSTILE)
    log = text.partition(r"\subsubsection{Decisions by people}")[2].partition(r"\subsubsection{")[0]
    assert "(undone)" in log
    assert "reject 1/+1: 50\\% of R\\&D" in log
    assert (
        text.index(r"\appendix")
        < text.index(r"\subsection{Warnings}")
        < text.index(r"\subsubsection{Decisions by people}")
    )


def manuscript(snapshot: SessionSnapshot, **more: object) -> SessionSnapshot:
    """The same session, with a manuscript of its method about the chosen idea."""
    said = Passage(
        "1/idea",
        r"Trees search [1] and chains [12] do not; see [9].",
        "model",
        (("[1]", TREE.id), ("[12]", COT.id), ("[9]", "arXiv:0000.00000")),
    )
    sections = (
        Section(
            "Introduction",
            (said, Section("More", (Paragraph(("As ", Citation(COT.id), " shows.")),))),
        ),
    )
    own = Manuscript(
        "A manuscript & its {title}",
        sections,
        Passage("1/idea", "In short [1].", "person", (("[1]", TREE.id),)),
        1,
    )
    return replace(snapshot, document=replace(snapshot.document, manuscripts=(own,)), branch=1)


def test_a_methods_manuscript_stands_in_place_of_the_proposal() -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    text = latex(manuscript(b.subject()), WITH_APPENDIX)
    assert r"\title{A manuscript \& its \{title\}}" in text
    assert (
        "\\emph{The researcher's own words.}\n\nIn short \\cite{yao2023tree}.\n\\end{abstract}"
        in text
    )
    assert (
        r"Trees search \cite{yao2023tree} and chains \cite{wei2022chain} do not; see [9]." in text
    )
    assert r"\subsection{More}" in text
    assert "As Wei et al. 2022~\\cite{wei2022chain} shows." in text
    assert r"\section{The idea}" not in text
    assert r"\subsubsection{Decisions by people}" in text
    other = replace(b.subject(), document=replace(manuscript(b.subject()).document), branch=None)
    assert r"\subsection{Topic}" in latex(other, WITH_APPENDIX), (
        "it is about one branch, and no idea is chosen"
    )


@pytest.mark.skipif(
    PDFLATEX is None or BIBTEX is None, reason="there is no pdflatex or no bibtex on this machine"
)
def test_it_compiles_without_an_error_and_without_an_undefined_citation(tmp_path: Path) -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    sessions = {
        "evil": evil(),
        "whole": whole(),
        "own": manuscript(b.subject()),
        "empty": Builder({}).subject(),
    }
    for name, snapshot in sessions.items():
        (tmp_path / f"{name}.tex").write_text(latex(snapshot, WITH_APPENDIX), encoding="utf-8")
    (tmp_path / "beside.tex").write_text(latex(sessions["evil"]), encoding="utf-8")
    (tmp_path / "beside.bib").write_text(bibtex(sessions["evil"]), encoding="utf-8")
    for name in (*sessions, "beside"):
        log = compiled(tmp_path, name)
        assert not re.findall(r"^!.*|.*[Uu]ndefined.*|.*Citation.*", log, re.MULTILINE), name
        assert (tmp_path / f"{name}.pdf").stat().st_size > 1_000


def compiled(folder: Path, name: str) -> str:
    """The log of the last run. Raises where a program fails."""
    assert PDFLATEX is not None
    assert BIBTEX is not None
    tex = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name]
    for command in (tex, [BIBTEX, name], tex, tex):
        if command[0] == BIBTEX and r"\citation" not in (folder / f"{name}.aux").read_text(
            encoding="utf-8", errors="replace"
        ):
            continue
        run = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=120,
        )
        assert run.returncode == 0, f"{command}: {run.stdout[-2000:]}"
        assert "Warning--" not in run.stdout
    return (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")


def test_where_there_is_no_pdflatex_the_word_after_writing_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("coi_tui.session.exports.which", lambda name: None)
    assert written(["/a/b.tex"], "y").endswith(
        "pdflatex twice. This machine has no pdflatex and no bibtex."
    )
    assert written(["/a/b.md"], "y").endswith("already saved.")
    monkeypatch.setattr("coi_tui.session.exports.which", lambda name: f"/usr/bin/{name}")
    assert compiling(["a.md", "b.tex"]) == "For a PDF: pdflatex, bibtex, then pdflatex twice."
