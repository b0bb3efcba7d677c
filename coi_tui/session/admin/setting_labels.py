"""Settings in words: a label in place of a dotted name, and a unit behind a number. Their names
stay what files and commands use."""

from __future__ import annotations

from typing import Any

from coi_tui.methods.registry import METHODS

_SECTIONS = {
    "llm": "",
    "main": "main model",
    "reader": "reading model",
    "embedding": "embedding model",
    "semantic_scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "arxiv": "arXiv",
    "display": "",
}
_WORDS = {
    "base_url": "address of the server",
    "profile": "kind of server",
    "context_tokens": "context of models",
    "model": "name",
    "max_tokens": "longest answer",
    "timeout_s": "longest wait",
    "pace_s": "pause between requests",
    "parallel": "requests at once",
    "retries": "tries after a failure",
    "prices": "prices of models",
    "source": "source of papers",
    "sources": "order of sources",
    "use": "compare by meaning",
    "ascii": "ASCII signs only",
    "offline": "work offline",
    "answers_days": "keep answers of services",
    "budget_usd": "budget of a session",
    "budget_tokens": "budget of a session",
    "known_until": "papers known until",
    "swiss_from": "Swiss rounds from so many ideas",
}
_UNITS = {"_s": "s", "_days": "days", "_usd": "US dollars", "_tokens": "tokens"}


def label_of(key: str) -> str:
    """``Semantic Scholar: pause between requests`` for ``semantic_scholar.pace_s``."""
    *sections, name = key.split(".")
    words = _SECTIONS | {spec.section: spec.name for spec in METHODS.values()}
    before = " ".join(filter(None, (words.get(section, section) for section in sections)))
    said = _WORDS.get(name, name.replace("_", " "))
    whole = f"{before}: {said}" if before else said
    return whole if whole.startswith("arXiv") else whole[:1].upper() + whole[1:]


def with_unit(key: str, value: Any, shown: str) -> str:
    """The value with what it is counted in, where that is not seen from its label."""
    unit = next((unit for ending, unit in _UNITS.items() if key.endswith(ending)), "")
    return (
        f"{shown} {unit}"
        if unit and isinstance(value, int | float) and not isinstance(value, bool)
        else shown
    )
