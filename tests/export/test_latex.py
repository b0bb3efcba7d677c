"""LaTeX through pandoc: nothing from outside is a command, and the references are inside."""

import re

from coi_tui.present.formats.tex import latex
from coi_tui.present.snapshot import WITH_APPENDIX

from .building import full, hostile

HOSTILE = (
    "50% of R&D: #1 in C_n, x^2 ~ {y} costs $5 and $6$",
    r"\input{/etc/passwd} \end{document} \write18{rm} {",
    "} [sic] ]{ 链 of naïve [@key] ^[note] <b>bold</b>",
    "```{=latex}\n\\evil\n```",
    "![x](/etc/passwd) [link](http://evil.example) @someone",
)


def test_nothing_from_outside_is_a_command_or_a_link() -> None:
    text = latex(hostile("\n\n".join(HOSTILE)), WITH_APPENDIX)
    body = text.partition(r"\begin{document}")[2]
    for command in ("input", "write", "evil", "includegraphics", "name", "footnote"):
        assert not re.search(rf"(?<!textbackslash)\\{command}\b", body), command
    assert body.count(r"\end{document}") == 1
    assert r"\textbackslash input\{/etc/passwd\}" in body
    assert not re.search(r"\\href\{http://evil", body)


def test_references_are_inside_and_marks_lead_there() -> None:
    text = latex(full().subject(), WITH_APPENDIX)
    marks = set(re.findall(r"\\hyperref\[(ref-\d+)\]|\\hyperlink\{(ref-\d+)\}", text))
    anchors = set(re.findall(r"\\(?:label|hypertarget)\{(ref-\d+)\}", text))
    assert marks
    assert {name for pair in marks for name in pair if name} <= anchors
