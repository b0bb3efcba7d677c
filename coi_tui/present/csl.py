"""The references as CSL-JSON, which Zotero, pandoc and most citation processors read."""

from __future__ import annotations

import json
from typing import Any

from coi_tui.present.references import Name, Reference, references
from coi_tui.present.snapshot import SessionSnapshot

_TYPES = {"article": "article-journal", "inproceedings": "paper-conference"}


def csl_json(snapshot: SessionSnapshot) -> str:
    """A list of items, in order of date; ``id`` is the key of the BibTeX file."""
    return (
        json.dumps([_item(ref) for ref in references(snapshot)], ensure_ascii=False, indent=2)
        + "\n"
    )


def _item(ref: Reference) -> dict[str, Any]:
    item = {
        "id": ref.key,
        "type": _TYPES.get(ref.kind, "article" if ref.arxiv else "document"),
        "title": ref.title,
        "author": [_name(name) for name in ref.authors],
        "issued": {"date-parts": [list(ref.date)]} if ref.date else {},
        "container-title" if ref.kind in _TYPES else "publisher": ref.venue,
        "archive": "arXiv" if ref.arxiv else "",
        "archive_location": ref.arxiv,
        "DOI": ref.doi,
        "URL": ref.url,
    }
    return {field: value for field, value in item.items() if value}


def _name(name: Name) -> dict[str, str]:
    if not name.given:
        return {"literal": name.family}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {part: value for part, value in parts.items() if value}
