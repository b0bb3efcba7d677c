"""LaTeX in the fields of a BibTeX file as plain text: pylatexenc reads it, but for what only looks
like LaTeX, such as sums of money."""

from __future__ import annotations

import functools
import logging
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.macrospec import LatexContextDb

_MATH = re.compile(r"(?<!\\)\$(?:\$|(?=\S)(?:\\.|[^$\\])*(?<=\S)\$(?!\d))", re.DOTALL)
"""Formulas between dollar signs as pandoc knows them: none where blanks or digits show that money
is meant."""
_DOLLAR = re.compile(r"(?<!\\)\$")
_BARE = re.compile(r"(?<!\\)[%&]")
_ACCENT_ALONE = re.compile(r"\\([`^~])\{\}")
_ALONE = {"`": r"\textasciigrave{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
_SIGN = re.compile(r"[{}~]|--|``|''")
_COMMAND = re.compile(r"\\[A-Za-z]+\s*|[{}$\\]")
_TYPED = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " "), ("{", ""), ("}", ""))
_SAID = {
    "mbox": "%s",
    "hbox": "%s",
    "url": "%s",
    "title": "%s",
    "author": "%s",
    "date": "%s",
    "footnote": "",
    "today": "",
    "input": "",
    "include": "",
    "textasciigrave": "`",
    "textasciicircum": "^",
    "textbraceleft": "{",
    "textbraceright": "}",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
    "BibTeX": "BibTeX",
    "S": "§",
    "copyright": "©",
}
"""What the commands stand for that pylatexenc drops, or would answer with more than the text:
dates, files, marks around addresses."""


def plain_text(value: str) -> str:
    """A value of a BibTeX field on one line: accents, letters and signs as characters, formulas as
    they read, no braces or commands."""
    if "\\" in value or "$" in value:
        value = _decoded(value)
    elif _SIGN.search(value):
        for typed, meant in _TYPED:
            if typed in value:
                value = value.replace(typed, meant)
    return " ".join(value.split())


def _decoded(value: str) -> str:
    value = _BARE.sub(r"\\\g<0>", _ACCENT_ALONE.sub(lambda found: _ALONE[found[1]], value))
    try:
        decoder, commands = _decoder()
        text: str = decoder.latex_to_text(_with_money(value), latex_context=commands)
    except (
        RecursionError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
    ):  # nested without end, or half of a command
        text = _COMMAND.sub("", value)
    return text


def _with_money(value: str) -> str:
    """The text with each dollar sign that opens no formula written as a sign."""
    parts, end = list[str](), 0
    for found in _MATH.finditer(value):
        parts += [_DOLLAR.sub(r"\\$", value[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*parts, _DOLLAR.sub(r"\\$", value[end:])])


@functools.cache
def _decoder() -> tuple[LatexNodes2Text, LatexContextDb]:
    """What reads LaTeX, and the commands that it knows, which it would gather anew for each
    text."""
    from pylatexenc import latexwalker
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    logging.getLogger("pylatexenc").setLevel(
        logging.CRITICAL
    )  # it warns of each odd command, on the screen
    known = get_default_latex_context_db()
    known.add_context_category(
        "coi",
        prepend=True,
        macros=[MacroTextSpec(name, simplify_repl=said) for name, said in _SAID.items()],
    )
    return LatexNodes2Text(
        latex_context=known, math_mode="text"
    ), latexwalker.get_default_latex_context_db()
