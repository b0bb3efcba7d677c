"""Text from outside stays text in LaTeX: what is special there is escaped, and what the fonts lack is declared or shown by its code."""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate

from coi_tui.export.escape import claims_quoted
from coi_tui.model.text import clean, clean_line

_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\`{}",
} | {c: f"\\{c}" for c in "%&_#${}"}
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=<)(?=<)|(?<=>)(?=>)|(?<=,)(?=,)|(?<=')(?=')")
"""Between two characters that the fonts join to another: a dash, or quotation marks."""
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_ITEM = re.compile(r"^(?:[-*+•]\s|\d{1,3}[.)]\s)")


def escape_tex(text: object) -> str:
    """A text for LaTeX on one line: its ten special characters and the backtick escaped, and no two characters joined to one."""
    return _LIGATURE.sub("{}", "".join(_TEX.get(c, c) for c in clean_line(text)))


def balanced(text: str) -> str:
    """An escaped text for a field of BibTeX, which counts braces with no regard to the backslash before them."""
    depths = list(accumulate((c == "{") - (c == "}") for c in text))
    if min(depths, default=0) >= 0 and depths[-1:] in ([], [0]):
        return text
    return text.replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")


def tex_line(text: object) -> str:
    """A text on one line, fit for any place in LaTeX, without characters of private use: those are this program's marks."""
    return _PRIVATE.sub("", _line(text))


def _line(text: object) -> str:
    """As in every export nothing is called novel in the program's name."""
    return escape_tex(unicodedata.normalize("NFC", claims_quoted(clean_line(text))))


def tex_fragment(text: str) -> str:
    """A piece of a line that is put together of several: a blank at either end is kept."""
    before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
    said = tex_line(text)
    return f"{before}{said}{after}" if said else before


def tex_paragraphs(text: object) -> str:
    """A text of several paragraphs; the text's own list items keep their lines, and marks of this program stay."""
    blocks = re.split(r"\n[ \t]*\n", clean(text).strip())
    return "\n\n".join(filter(None, map(_block, blocks)))


def _block(block: str) -> str:
    lines = [line for raw in block.split("\n") if (line := clean_line(raw))]
    out = ""
    for line in lines:
        out += (("\\newline{}\n" if _ITEM.match(line) else "\n") if out else "") + _line(line)
    return out


# Characters beyond ASCII

_LATIN = frozenset(map(chr, [*range(0xA1, 0x17F), *range(0x218, 0x21C)])) - frozenset(
    "\xad¤¦¨¯´¸ĦħĿŀŉĸŊŋŦŧ¢¥§©ª¬®°±²³µ¶·¹º¼½¾×÷"
)
"""Letters that LaTeX sets in the encoding T1 (t1enc.dfu); signs of the same range are declared below."""
_QUOTES = frozenset("–—‘’‚“”„‹›«»¡¿£")
_MATHS = """
− - ′ ' • bullet · cdot × times ÷ div ± pm ≤ leq ≥ geq ≠ neq ≈ approx ∼ sim ≡ equiv ∞ infty ∈ in ∉ notin ⊂ subset ⊆ subseteq ∪ cup ∩ cap
∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee → rightarrow ← leftarrow ↑ uparrow ↓ downarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow
⇔ Leftrightarrow ∑ sum ∏ prod ∫ int √ surd ∂ partial ∇ nabla ∝ propto ⊕ oplus ⊗ otimes ⟨ langle ⟩ rangle ℓ ell µ mu
α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma ς varsigma τ tau
υ upsilon φ phi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
"""
"""Signs with their commands in mathematics."""
_TEXT = r"""
… \ldots{} ‑ - ‐ - ‒ -- ― --- ″ '' ° \ensuremath{^\circ} ² \ensuremath{^2} ³ \ensuremath{^3} ¹ \ensuremath{^1} § \S{} ¶ \P{}
© \copyright{} † \dag{} ‡ \ddag{} ο o Α A Β B Ε E Ζ Z Η H Ι I Κ K Μ M Ν N Ο O Ρ P Τ T Χ X
"""
"""Signs with what stands for them in text."""


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _maths(name: str) -> str:
    return rf"\ensuremath{{\{name}}}" if name.isalpha() else rf"\ensuremath{{{name}}}"


_SIGNS = {**{sign: _maths(name) for sign, name in _pairs(_MATHS).items()}, **_pairs(_TEXT)}


def declared(text: str) -> list[str]:
    """A declaration for each character of ``text`` that LaTeX would not know: without one it stops with an error."""
    others = sorted(c for c in set(text) if not c.isascii() and c not in _LATIN | _QUOTES)
    return [rf"\DeclareUnicodeCharacter{{{ord(c):04X}}}{{{_shown(c)}}}" for c in others]


def _shown(char: str) -> str:
    """A sign by its command; a letter by those that it stands for; any other by its code, so that nothing goes without a trace."""
    if char in _SIGNS:
        return _SIGNS[char]
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Mn", "Me"):
        return ""  # a variation or an accent of the character before, a joiner
    if unicodedata.category(char) == "Zs":
        return "~"
    plain = "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
    return escape_tex(plain) if plain.isascii() and plain.strip() else f"[U+{ord(char):04X}]"
