"""arXiv's Atom answers as plain data, so that they pass the same ``Fetch`` as JSON (reference: arxiv.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.model.text import clean, clean_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from pydantic import JsonValue

_ATOM = "{http://www.w3.org/2005/Atom}"
_OPEN = "{http://a9.com/-/spec/opensearch/1.1/}"
_ARXIV = "{http://arxiv.org/schemas/atom}"


def parse_atom(body: bytes) -> JsonValue:
    """``{"total", "start", "entries": [...]}``, texts cleaned; ``error`` holds what the service said in an error entry.

    ``body`` is size-capped by who fetched it. Raises ValueError for anything but a feed; a document type is refused, since entities
    could grow without end.
    """
    from xml.etree import ElementTree

    head = body[:4096].lower()
    if b"<!doctype" in head or b"<!entity" in body:
        raise ValueError("no plain feed")
    try:
        feed = ElementTree.fromstring(body)
    except (ElementTree.ParseError, RecursionError, LookupError):
        raise ValueError("not XML") from None
    if feed.tag != f"{_ATOM}feed":
        raise ValueError("not a feed")
    entries = [_entry(node) for node in feed.iter(f"{_ATOM}entry")]
    found: dict[str, JsonValue] = {
        "total": _text(feed, f"{_OPEN}totalResults"),
        "start": _text(feed, f"{_OPEN}startIndex"),
        "entries": [entry for entry in entries if not _is_error(entry)],
    }
    if said := [str(entry["summary"] or "no reason given") for entry in entries if _is_error(entry)]:
        found["error"] = said[0]
    return found


def _entry(node: Element) -> dict[str, JsonValue]:
    links = [link for link in node.findall(f"{_ATOM}link") if link.get("title") == "pdf" or link.get("type") == "application/pdf"]
    names = [clean_line(author.findtext(f"{_ATOM}name")) for author in node.findall(f"{_ATOM}author")]
    primary = node.find(f"{_ARXIV}primary_category")
    terms = [clean_line(part.get("term")) for part in node.findall(f"{_ATOM}category")]
    return {
        "id": _text(node, f"{_ATOM}id"),
        "title": _text(node, f"{_ATOM}title"),
        "summary": " ".join(clean(node.findtext(f"{_ATOM}summary")).split()),
        "published": _text(node, f"{_ATOM}published"),
        "updated": _text(node, f"{_ATOM}updated"),
        "authors": [name for name in names if name],
        "doi": _text(node, f"{_ARXIV}doi"),
        "comment": _text(node, f"{_ARXIV}comment"),
        "journal_ref": _text(node, f"{_ARXIV}journal_ref"),
        "primary_category": clean_line(primary.get("term")) if primary is not None else "",
        "categories": [term for term in terms if term],
        "pdf": clean_line(links[0].get("href")) if links else "",
    }


def _is_error(entry: dict[str, JsonValue]) -> bool:
    """An error may come as an entry, with status 400 or 200: the entry is what tells."""
    return "/api/errors" in str(entry["id"]) or (entry["title"] == "Error" and "/abs/" not in str(entry["id"]))


def _text(node: Element, name: str) -> str:
    return clean_line(node.findtext(name))
