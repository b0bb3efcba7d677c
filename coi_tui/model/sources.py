"""Sources of papers by name, and orders of preference among them as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coi_tui.model.address import Branch
from coi_tui.model.errors import UsageError
from coi_tui.model.wording import nearest

SOURCES = {"semantic_scholar": "Semantic Scholar", "openalex": "OpenAlex"}
"""The name that is written, and the one that is shown."""
Order = tuple[str, ...]


def read_order(given: str | Iterable[Any]) -> Order:
    """An order from names in a list or between commas; shown names are taken too. Raises UsageError for what is no order of sources."""
    parts = given.split(",") if isinstance(given, str) else [str(name) for name in given]
    order = tuple(_name(part) for part in parts if part.strip())
    if twice := next((name for n, name in enumerate(order) if name in order[:n]), ""):
        raise UsageError(
            f"{SOURCES[twice]} is named twice in the order of sources.", "Name each source once."
        )
    return order


def _name(text: str) -> str:
    said = "_".join(text.strip().lower().replace("-", " ").replace("_", " ").split())
    if said in SOURCES:
        return said
    hint = (
        f"Did you mean {near}?"
        if (near := nearest(said, SOURCES))
        else f"Known: {', '.join(SOURCES)}."
    )
    raise UsageError(f"{text.strip()[:40]!r} is not a source of papers.", hint)


def in_words(order: Sequence[str]) -> str:
    """``Semantic Scholar, then OpenAlex``."""
    return ", then ".join(SOURCES.get(name, name) for name in order)


def chosen_order(settings: Mapping[str, Any]) -> Order:
    """The order that a session's settings choose; empty where they choose none.

    The choice is written as ``sources`` with its first name as ``source``, which is all that older versions of the program wrote and
    read. A ``source`` that is another than the first was chosen by one of those later, and holds.
    """
    single, order = settings.get("source"), _known(settings.get("sources"))
    if order and order[0] == single:
        return order
    return (single,) if single in SOURCES else ()


def order_value(order: Order) -> dict[str, Any]:
    """What a decision about a session's order holds; an empty order goes by the settings again."""
    return {"source": order[0] if order else "", "sources": list(order)}


def question_key(question: Branch) -> str:
    """Under which name a question's own order stands among a session's settings; each has its own, so that one undo takes back one."""
    return f"sources_Q{question}"


def question_order(
    settings: Mapping[str, Any], question: Branch, forks: Mapping[Branch, tuple[Branch, int]]
) -> Order:
    """A question's own order; that of the branch it was forked off where it has none; empty where the session's holds."""
    seen: set[Branch] = set()
    while question not in seen:
        seen.add(question)
        if (own := settings.get(question_key(question))) is not None:
            return _known(own)
        question = forks.get(question, (question, 0))[0]
    return ()


def _known(names: Any) -> Order:
    """The names of a log that this program knows: a log may come from a newer one."""
    return (
        tuple(dict.fromkeys(n for n in names if n in SOURCES))
        if isinstance(names, list | tuple)
        else ()
    )
