"""Papers from Zotero: a library or a collection of it, taken once and then by what changed there.

What is in Zotero stays there. PDFs are read where they are; what a person marked in one goes with
its text.
"""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from coi_tui.engine.journal import utc_now
from coi_tui.literature.other_lists import zotero_entry
from coi_tui.literature.paper_records import fill_gaps
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import Values, clean_line, digest, joined
from coi_tui.paths import Paths, write_whole, writing
from coi_tui.services.zotero import Zotero
from coi_tui.session.papers.own_papers import add_named_pdf, changing, merge_into, own_papers


class Shelf(BaseModel):
    """A library of Zotero, or a collection in it, with what was taken of it: the papers by Zotero's
    keys, their tags, and the day on which Zotero had one no more; all PDFs of the library, each with
    its item, its path, and what it and its marks looked like when it was read; what is marked, with
    the PDF. ``version``: that of the library then; ``read``: when (ISO)."""

    library: str
    name: str
    collection: str = ""
    size: int = 0
    version: int = 0
    read: str = ""
    papers: dict[str, str] = {}
    tags: dict[str, list[str]] = {}
    removed: dict[str, str] = {}
    files: dict[str, tuple[str, str, str]] = {}
    marks: dict[str, tuple[str, str]] = {}

    @property
    def key(self) -> str:
        """What tells it from others."""
        return self.collection or self.library


_SHELVES = TypeAdapter(list[Shelf])


def taken(paths: Paths) -> list[Shelf]:
    """What was taken from Zotero. Raises StoreError where the file of it cannot be read."""
    try:
        return _SHELVES.validate_json(paths.zotero.read_bytes())
    except FileNotFoundError:
        return []
    except (OSError, ValidationError):
        why = f"What was taken from Zotero cannot be read from {paths.zotero}."
        raise StoreError(why, "Move the file aside and take the collections again.") from None


def open_zotero() -> Zotero:
    """The client of Zotero on this machine, at the address in ``COI_ZOTERO_URL`` where there is
    one."""
    return Zotero(os.environ.get("COI_ZOTERO_URL") or "http://localhost:23119/api")


async def shelves(zotero: Zotero) -> list[Shelf]:
    """The libraries of Zotero, each followed by its collections. Raises ServiceError."""
    groups, _ = await zotero.rows("users/0/groups")
    found, names = list[Shelf](), {f"groups/{row.get('id')}": row for row in groups}
    for library, group in {"users/0": {"data": {"name": "My Library"}}, **names}.items():
        rows, _ = await zotero.rows(f"{library}/collections")
        for row in (group, *rows):
            key = clean_line(row.get("key") or "")
            path = f"{library}/collections/{key}" if key else library
            reply = await zotero.get(f"{path}/items/top", limit="1")
            size, name = reply.headers.get("Total-Results"), clean_line(row["data"].get("name"))
            found.append(Shelf(library=library, name=name, collection=key, size=size or 0))
    return found


def chosen(found: Iterable[Shelf], typed: str) -> Shelf:
    """The library or collection of a name or key. Raises UsageError for none, and for several of
    one name."""
    fitting = [shelf for shelf in found if typed in (shelf.name, shelf.key)]
    if len(fitting) == 1:
        return fitting[0]
    keys = ", ".join(shelf.key for shelf in fitting)
    hint = f"Give the key of one: {keys}." if keys else "`coi papers zotero` lists what there is."
    number = "Several collections are" if keys else "No collection is"
    raise UsageError(f"{number} called {typed[:80]!r} in Zotero.", hint)


async def offered() -> list[Shelf]:
    """What Zotero on this machine has, as ``shelves``."""
    async with open_zotero() as zotero:
        return await shelves(zotero)


async def take(paths: Paths, wanted: Iterable[Shelf]) -> AsyncIterator[str]:
    """``sync`` of several with Zotero on this machine."""
    async with open_zotero() as zotero:
        for shelf in wanted:
            async for line in sync(paths, zotero, shelf):
                yield line


async def sync(paths: Paths, zotero: Zotero, shelf: Shelf) -> AsyncIterator[str]:
    """Take what is new or changed in a library or collection, then read its PDFs that are; a line
    for each thing done or left out. Stopped in between, it goes on the next time. Raises
    ServiceError and StoreError."""
    shelf = next((one for one in taken(paths) if one.key == shelf.key), shelf)
    shelf.read, every = utc_now(), f"{shelf.library}/items"
    if (await zotero.get(every, shelf.version, limit="1")).status_code == 304:
        yield f"{shelf.name}: nothing changed"
    else:
        since = {"since": str(shelf.version)} if shelf.version else {}
        rows, shelf.version = await zotero.rows(every, **since)
        here = (await zotero.get(every, format="keys")).text.split()
        for line in await asyncio.to_thread(_take, paths, shelf, rows, set(here)):
            yield line
    try:
        async for line in _read_pdfs(paths, zotero, shelf):
            yield line
    finally:
        others = [one for one in taken(paths) if one.key != shelf.key]
        with writing("What was taken from Zotero could not be stored"):
            write_whole(paths.zotero, _SHELVES.dump_json([*others, shelf]))


def _take(paths: Paths, shelf: Shelf, rows: Iterable[Values], here: set[str]) -> list[str]:
    """Put items among the own papers, note PDFs and marks, and what is not ``here`` any more; what
    came of it. What Zotero says of a paper that it gave goes before what is known of it."""
    found, out = _read(shelf, rows, here)
    with changing(paths) as own:
        known = {paper.id: n for n, paper in enumerate(own)}
        places = {key: known[p] for key, p in shelf.papers.items() if p in known and key in found}
        for key, n in places.items():
            own[n] = fill_gaps(found[key].model_copy(update={"id": own[n].id}), own[n])
        rest = {key: paper for key, paper in found.items() if key not in places}
        shelf.papers |= zip(rest, merge_into(own, list(rest.values())), strict=True)
        new = len(own) - len(known)
    day, before = shelf.read[:10], len(shelf.removed)
    gone = [key for key in shelf.papers if key not in here]
    shelf.removed = {key: shelf.removed.get(key, day) for key in gone}
    shelf.files = {key: file for key, file in shelf.files.items() if key in here}
    shelf.marks = {key: mark for key, mark in shelf.marks.items() if key in here}
    counted = f"{len(found) - new} changed or known, {len(gone) - before} removed there"
    return [f"{shelf.name}: {new} new, {counted}, {len(out)} left out", *out]


def _read(
    shelf: Shelf, rows: Iterable[Values], here: set[str]
) -> tuple[dict[str, Paper], list[str]]:
    """The papers among items by their keys, and what was left out; PDFs, marks and tags are noted.
    What is in another collection is not ``here``."""
    found, out = dict[str, Paper](), list[str]()
    for row in rows:
        data, key = row["data"], str(row.get("key"))
        kind, parent = data.get("itemType"), str(data.get("parentItem"))
        if kind == "annotation":
            shelf.marks[key] = (parent, _mark(data))
        elif kind == "attachment" and data.get("contentType") == "application/pdf":
            shelf.files[key] = (parent, "", "")
        elif kind in ("attachment", "note"):
            continue
        elif shelf.collection and shelf.collection not in (data.get("collections") or ()):
            here.discard(key)
        elif paper := zotero_entry(data).paper():
            found[key] = paper
            tags = (tag.get("tag") for tag in data.get("tags") or () if isinstance(tag, dict))
            shelf.tags[key] = [clean_line(tag) for tag in tags if tag]
        else:
            out.append(f"  left out: item {key} ({clean_line(kind)}): no title")
    return found, out


def _mark(data: Values) -> str:
    """``“a passage” (page 3) what a person wrote on it``; empty for a mark without words."""
    names = ("annotationText", "annotationComment", "annotationPageLabel")
    text, comment, page = (clean_line(data.get(name) or "") for name in names)
    if not (text or comment):
        return ""
    return joined(" ", text and f"“{text}”", page and f"(page {page})", comment)


async def _read_pdfs(paths: Paths, zotero: Zotero, shelf: Shelf) -> AsyncIterator[str]:
    """Read the PDFs that are new or look otherwise than when they were read, one after the
    other."""
    own = {paper.id: paper for paper in await asyncio.to_thread(own_papers, paths)}
    marks = defaultdict[str, list[str]](list)
    for pdf, text in shelf.marks.values():
        marks[pdf] += [text] if text else []
    for key, (item, path, seen) in shelf.files.items():
        paper = own.get(shelf.papers.get(item, ""))
        if paper is None or item in shelf.removed:
            continue
        path = path if _looks(path) else await zotero.file(shelf.library, key)
        looks = digest([path, _looks(path), marks[key]])
        if looks == seen:
            continue
        if path:
            line = (await add_named_pdf(paths, paper, Path(path), marks[key])).line
        else:
            line = f"left out   a PDF of {paper.title}: Zotero has no file of it here"
        shelf.files[key] = (item, path, looks)
        yield line


def _looks(path: str) -> list[int]:
    """The size and time of a file; empty where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return []
    return [found.st_size, found.st_mtime_ns]
