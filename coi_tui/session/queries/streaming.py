"""An answer that is still coming in, as a person can read it. Pure functions."""

from __future__ import annotations

import re

from coi_tui.model.text import clean

_FIELD = re.compile(r'"([A-Za-z_]\w*)"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SIGNS = {"n": "\n", "t": " ", "r": "", "b": "", "f": ""}


def readable(raw: str) -> str:
    """The texts of a JSON answer that need not be whole, each under its name; other answers as they are."""
    found = _FIELD.findall(raw) if raw.lstrip()[:1] in ("{", "[", "`") else []
    if not found:
        return clean(raw)
    return clean("\n\n".join(f"{name.replace('_', ' ').upper()}\n{_plain(text)}" for name, text in found if text))


def _plain(text: str) -> str:
    def sign(match: re.Match[str]) -> str:
        said = match[1]
        if len(said) == 5:
            code = int(said[1:], 16)
            return "" if 0xD800 <= code <= 0xDFFF else chr(code)
        return _SIGNS.get(said, said)

    return _ESCAPE.sub(sign, text)


def sentences(text: str) -> str:
    """The text up to its last whole sentence, for those who want nothing to move."""
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s)|\n", text)]
    return text[: ends[-1]].rstrip() if ends else ""
