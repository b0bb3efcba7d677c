"""What services say of their errors. Each has a shape of its own: an object, a list, a text, one
error within another as JSON in a text, a web page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count, islice

from coi_tui.model.text import clean_line
from coi_tui.services.http.retry import as_number

Leaves = list[tuple[str, str]]
"""The texts and numbers of an error, each with the name of its field in lower case."""

AROUND = frozenset(
    [
        "error",
        "errors",
        "message",
        "msg",
        "detail",
        "details",
        "metadata",
        "raw",
        "innererror",
        "loc",
        "reason",
        "title",
        "description",
        "error_message",
        "errormessage",
        "error_description",
        "statusmessage",
    ]
)
"""Fields that hold an error or its words. What else an error holds may repeat what was sent."""
WORDS = AROUND - {"loc", "metadata"}
CODES = frozenset({"code", "type", "status", "statuscode", "error_type", "param", "loc"})
BESIDE = AROUND | CODES | {"object", "success", "requestid", "request_id", "timestamp", "path"}
"""All that an error consists of, where it comes in place of an answer."""
DEPTH, MOST = 8, 60
"""How far in, and how many texts, are read."""
_PAGE = re.compile(r"(?s)<(style|script)\b.*?</\1>|<!--.*?-->|<[^<>]*>")


def leaves(error: object) -> Leaves:
    """The texts and numbers of an error."""
    return [*islice(_walked(error, "error", DEPTH), MOST)]


def _walked(node: object, name: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(node, str) and node.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            node = json.loads(node)
    if isinstance(node, str):
        yield name, node
    elif isinstance(node, int | float) and not isinstance(node, bool):
        yield name, f"{node}"
    elif isinstance(node, dict | list) and depth:
        pairs = node.items() if isinstance(node, dict) else ((name, one) for one in node)
        for key, value in pairs:
            field = str(key).lower()
            if field in AROUND or not isinstance(value, dict | list):
                yield from _walked(value, field, depth - 1)


def words_of(error: Leaves) -> str:
    """The sentences of an error on one line, each once, without the marks of a web page."""
    texts = (clean_line(_PAGE.sub(" ", text)) for name, text in error if name in WORDS)
    return "; ".join(dict.fromkeys(filter(None, texts)))


def codes_of(error: Leaves) -> str:
    """The codes, types and parameters of an error in lower case, with a wait that it asks for ("retry
    36s") and the context of a model ("n_ctx 8192")."""
    found = []
    for name, text in error:
        if name in CODES:
            found.append(text)
        elif name.startswith(("retry", "n_ctx")):
            unit = "s" if as_number(text) is not None else ""
            found.append(f"{name[:5]} {text}{'ms' if name.endswith('ms') else unit}")
    return " ".join(found).lower()


def status_of(error: Leaves) -> int:
    """The status that an error within a sound answer names; else 502."""
    codes = (text for name, text in error if name in CODES)
    return next((int(code) for code in codes if re.fullmatch(r"[45]\d\d", code)), 502)


def is_error(body: object) -> bool:
    """Whether an answer with status 200 is an error and nothing else."""
    if not isinstance(body, dict):
        return False
    fields = {str(name).lower() for name, value in body.items() if value is not None}
    named = "error" in (body.get("object"), body.get("status")) or body.get("status") == "failed"
    return named or (fields <= BESIDE and bool(words_of(leaves(body))))


RUN = 6
"""So many words in a row are no accident: they were taken from what was sent."""
_WORD = re.compile(r"[^\W_]+")
_GAP = re.compile(r"\0(?:\W*\0)*")
_ESCAPED = re.compile(r"\\+[nrt\"']")


def without_echo(text: str, sent: Iterable[str]) -> str:
    """``text`` with ``[...]`` in place of whatever it repeats of the texts that were sent."""
    known = {run for one in sent for run in _runs(_WORD.findall(one.lower()))}
    text = _ESCAPED.sub(" ", text)
    echoed = set[int]()
    for n, run in enumerate(_runs(_WORD.findall(text.lower()))):
        if run in known:
            echoed |= {*range(n, n + RUN)}
    numbers = count()
    text = _WORD.sub(lambda word: "\0" if next(numbers) in echoed else word[0], text)
    return _GAP.sub("[...]", text)


def _runs(words: list[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(RUN)), strict=False)
