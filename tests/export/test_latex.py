"""LaTeX through pandoc: nothing from outside is a command, and the references are inside."""

from __future__ import annotations

import re
import sys

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.present.formats.tex import latex
from coi_tui.present.snapshot import WITH_APPENDIX, SessionSnapshot

from .building import PAPERS, Builder, anchor_why, full, idea, paper

HOSTILE = (
    "50% of R&D: #1 in C_n, x^2 ~ {y} costs $5 and $6$",
    r"\input{/etc/passwd} \end{document} \write18{rm} {",
    "} [sic] ]{ 链 of naïve [@key] ^[note] <b>bold</b>",
    "```{=latex}\n\\evil\n```",
    "![x](/etc/passwd) [link](http://evil.example) @someone",
)


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
    text = {"title": HOSTILE[1], "final": "\n\n".join(HOSTILE), "mechanism": " ".join(HOSTILE)}
    b.text("1/idea", idea(**text, works=list(HOSTILE)))
    claims = [{"name": HOSTILE[1], "description": HOSTILE[3]}]
    b.text("1/exp", {"design": HOSTILE[2], "claims": claims, "references": [HOSTILE[0], "none {"]})
    b.decide("reject", "1/+1", reason=HOSTILE[0])
    return b.subject()


def test_nothing_from_outside_is_a_command_or_a_link() -> None:
    text = latex(evil(), WITH_APPENDIX)
    body = text.partition(r"\begin{document}")[2]
    for command in ("input", "write", "evil", "includegraphics", "name", "footnote"):
        assert not re.search(rf"(?<!textbackslash)\\{command}\b", body), command
    assert body.count(r"\end{document}") == 1
    assert r"\textbackslash input\{/etc/passwd\}" in body
    assert not re.search(r"\\href\{http://evil", body)


def test_references_are_inside_and_marks_lead_there() -> None:
    b, more = full()
    text = latex(b.subject(**more), WITH_APPENDIX)
    marks = set(re.findall(r"\\hyperref\[(ref-\d+)\]|\\hyperlink\{(ref-\d+)\}", text))
    anchors = set(re.findall(r"\\(?:label|hypertarget)\{(ref-\d+)\}", text))
    assert marks
    assert {name for pair in marks for name in pair if name} <= anchors


def test_without_pandoc_one_sentence_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypandoc", None)
    with pytest.raises(UsageError, match=r"coi-tui\[tex\]"):
        latex(evil())
