"""Zotero's local API as its documentation describes it: libraries, collections, items in pages,
versions, files and annotations. Everything in it is invented."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request, Response, Service, answer_json

PAGE, MOST = 25, 100
"""Items of a page where no limit is asked for, and the largest limit."""


@dataclass
class Shelf:
    """One library: what is in it by key, each with the version of its last change."""

    name: str = "My Library"
    version: int = 0
    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    collections: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    """Where the file of an attachment is, or would be."""

    def put(self, key: str, **data: Any) -> None:
        """Add or change an item: a new version of the library."""
        self.version += 1
        self.items[key] = {"itemType": "journalArticle", **self.items.get(key, {}), **data}
        self.versions[key] = self.version

    def attach(self, key: str, parent: str, file: Path, **data: Any) -> None:
        """An attachment of an item."""
        self.files[key] = file
        kind = {"itemType": "attachment", "linkMode": "imported_file", "filename": file.name}
        self.put(key, parentItem=parent, contentType="application/pdf", **{**kind, **data})

    def remove(self, key: str) -> None:
        """Delete an item with its children."""
        self.version += 1
        for one in [key, *(k for k, d in self.items.items() if d.get("parentItem") == key)]:
            del self.items[one], self.versions[one]

    def collect(self, key: str, name: str, parent: str | bool = False) -> None:
        """A collection."""
        self.version += 1
        self.collections[key] = {"key": key, "name": name, "parentCollection": parent}


def key_of(number: int) -> str:
    """A key as Zotero makes them: eight letters and digits."""
    signs = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
    text = ""
    for _ in range(8):
        number, at = divmod(number, len(signs))
        text = signs[at] + text
    return text


class ZoteroService(Service):
    """The answers. ``off``: other programs may not ask; ``speaks``: the version of the API, empty
    for a Zotero that has none; ``synced``: whether there are versions at all; ``broken``: paths that
    are answered with half of the JSON."""

    name = "zotero"

    def __init__(self) -> None:
        self.shelves = {"users/0": Shelf()}
        self.off, self.speaks, self.synced = False, "3", True
        self.broken: tuple[str, ...] = ()
        self.rows_sent = 0
        """Rows of lists that went out."""

    @property
    def shelf(self) -> Shelf:
        """The person's own library."""
        return self.shelves["users/0"]

    def answer(self, request: Request, fault: Fault) -> Response:
        if not self.speaks:
            return Response(404, b"No endpoint found", content_type="text/plain")
        headers = {"Zotero-API-Version": self.speaks, "Zotero-Schema-Version": "33"}
        if self.off:
            return Response(403, b"Local API is not enabled", "text/plain", headers=headers)
        if request.method != "GET":
            return Response(501, b"Method not implemented", "text/plain", headers=headers)
        path = request.path.removeprefix("/api/").strip("/")
        found = re.match(r"(users/\d+|groups/\d+)/(.+)", path)
        if found is None or found[1] not in self.shelves:
            wrong = path.startswith("users/")
            return Response(400 if wrong else 404, b"Not found", "text/plain", headers=headers)
        shelf = self.shelves[found[1]]
        version = shelf.version if self.synced else 0
        headers["Last-Modified-Version"] = str(version)
        known = request.headers.get("if-modified-since-version")
        if known is not None and version and version <= int(known):
            return Response(304, headers=headers)
        response = self._ask(shelf, found[1], found[2], request.params)
        if found[2] in self.broken:
            response.body = response.body[: len(response.body) // 2]
        response.headers |= headers
        return response

    def _ask(self, shelf: Shelf, library: str, path: str, params: dict[str, str]) -> Response:
        parts = path.split("/")
        if path == "groups":
            names = [(k.split("/")[1], s) for k, s in self.shelves.items() if k[0] == "g"]
            return answer_json(
                [{"id": int(n), "version": s.version, "data": {"name": s.name}} for n, s in names]
            )
        if path == "collections":
            return self._page(
                [
                    {"key": k, "version": 1, "data": d, "meta": {}}
                    for k, d in shelf.collections.items()
                ],
                path,
                params,
            )
        items = {k: d for k, d in shelf.items.items() if not d.get("deleted")}
        if parts[0] == "collections":
            if parts[1] not in shelf.collections:
                return Response(404, b"Collection not found", content_type="text/plain")
            inside = {k for k, d in items.items() if parts[1] in (d.get("collections") or ())}
            items = {k: d for k, d in items.items() if k in inside or d.get("parentItem") in inside}
            parts = parts[2:]
        if parts == ["items", "top"]:
            items = {k: d for k, d in items.items() if "parentItem" not in d}
        elif len(parts) == 3 and parts[1] not in items:
            return Response(404, b"Item does not exist", content_type="text/plain")
        elif parts[2:] == ["children"]:
            items = {k: d for k, d in items.items() if d.get("parentItem") == parts[1]}
        elif parts[2:] == ["file"]:
            if parts[1] not in shelf.files:
                return Response(404, b"Not found", content_type="text/plain")
            return Response(302, headers={"Location": shelf.files[parts[1]].as_uri()})
        if kind := params.get("itemType"):
            items = {k: d for k, d in items.items() if d["itemType"] == kind}
        versions = {k: shelf.versions[k] if self.synced else 0 for k in items}
        if "since" in params:
            items = {k: d for k, d in items.items() if versions[k] > int(params["since"])}
        if params.get("format") == "keys":
            keys = "".join(f"{key}\n" for key in items)
            total = {"Total-Results": str(len(items))}
            return Response(200, keys.encode(), "text/plain", headers=total)
        children = [d.get("parentItem") for d in shelf.items.values()]
        return self._page(
            [
                {
                    "key": key,
                    "version": versions[key],
                    "library": {"type": "user", "id": 0, "name": shelf.name, "links": {}},
                    "links": {},
                    "meta": {"numChildren": children.count(key)} if len(items) < MOST else {},
                    "data": {"key": key, "version": versions[key], **data},
                }
                for key, data in items.items()
            ],
            path,
            params,
        )

    def _page(self, rows: list[dict[str, Any]], path: str, params: dict[str, str]) -> Response:
        start, size = int(params.get("start", "0")), min(int(params.get("limit", str(PAGE))), MOST)
        response = answer_json(rows[start : start + size])
        self.rows_sent += len(rows[start : start + size])
        response.headers["Total-Results"] = str(len(rows))
        if start + size < len(rows):
            more = urlencode({**params, "start": start + size})
            response.headers["Link"] = f'<http://localhost:23119/api/{path}?{more}>; rel="next"'
        return response


def made_item(number: int, **more: Any) -> dict[str, Any]:
    """An invented entry as Zotero would have it; nulls and missing fields are usual."""
    return {
        "itemType": ("journalArticle", "conferencePaper", "preprint")[number % 3],
        "title": f"Growth of invented chains, number {number}",
        "creators": [
            {"creatorType": "author", "firstName": f"Ann{number % 7}", "lastName": "Bar"},
            {"creatorType": "editor", "name": "The Shelf Group"},
        ],
        "date": f"May {1 + number % 28}, {1990 + number % 30}",
        "DOI": f"10.1234/chain.{number}" if number % 4 else None,
        "abstractNote": None if number % 5 else f"What grows in chain {number}.",
        "publicationTitle": "Journal of Chains" if number % 3 == 0 else None,
        "extra": f"Citation Key: bar{number}" if number % 2 else None,
        "tags": [{"tag": "chains"}, {"tag": None}] if number % 2 else [],
        "collections": [],
        "relations": {},
        **more,
    }


def filled(count: int, **shelf: Any) -> Shelf:
    """A library of invented entries."""
    made = Shelf(**shelf)
    for number in range(count):
        made.put(key_of(number), **made_item(number))
    return made
