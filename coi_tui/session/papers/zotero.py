"""Papers from Zotero: a library or collections of it, taken once and then by what changed there.

What is in Zotero stays there. PDFs are read where they are; what a person marked in one goes with
its text.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, TypeAdapter, ValidationError

from coi_tui.engine.journal import utc_now
from coi_tui.literature.other_lists import zotero_entry
from coi_tui.literature.paper_records import fill_gaps
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.papers import Frozen, Paper
from coi_tui.model.text import clean_line, digest, nearest
from coi_tui.paths import Paths, make_folder, write_whole, writing
from coi_tui.process import within
from coi_tui.services.zotero import Zotero
from coi_tui.session.papers.own_papers import (
    READ_S,
    add_named_pdf,
    changing,
    merge_into,
    own_papers,
)

Rows = Iterable[Mapping[str, Any]]
STORED_EVERY = 25
"""PDFs after which it is noted which were read: so many are read again after a kill."""


class Item(Frozen):
    """An item as the paper that it became; ``removed``: the day on which Zotero had it no more."""

    paper: str
    tags: tuple[str, ...] = ()
    removed: str = ""


class File(Frozen):
    """A PDF of an item: where it is, and what it and its marks looked like when it was read."""

    item: str
    path: str = ""
    seen: str = ""


class Shelf(BaseModel):
    """What was taken of a library: all of it, or ``collections`` (name by key). By Zotero's keys: the
    items taken, all PDFs of the library and what is marked in each. ``version``: that of the
    library then; ``read``: when (ISO)."""

    library: str
    name: str
    collections: dict[str, str] = {}
    version: int = 0
    read: str = ""
    items: dict[str, Item] = {}
    files: dict[str, File] = {}
    marks: dict[str, tuple[str, str]] = {}


class Choice(NamedTuple):
    """A library, or a collection in it, that may be taken."""

    library: str
    of: str
    key: str
    name: str
    size: int


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


def _store(paths: Paths, shelf: Shelf) -> None:
    others = [one for one in taken(paths) if one.library != shelf.library]
    with writing("What was taken from Zotero could not be stored"):
        make_folder(paths.zotero.parent)
        write_whole(paths.zotero, _SHELVES.dump_json([*others, shelf]))


def open_zotero() -> Zotero:
    """The client of Zotero on this machine, at the address in ``COI_ZOTERO_URL`` where there is
    one."""
    return Zotero(os.environ.get("COI_ZOTERO_URL") or "http://localhost:23119/api")


async def choices(zotero: Zotero) -> list[Choice]:
    """The libraries of Zotero, each followed by its collections. Raises ServiceError."""
    groups, _ = await zotero.rows("users/0/groups")
    names = {"users/0": "My Library"}
    names |= {f"groups/{row.get('id')}": clean_line(row["data"].get("name")) for row in groups}
    found = []
    for library, name in names.items():
        rows, _ = await zotero.rows(f"{library}/collections")
        inside = [(str(row.get("key")), clean_line(row["data"].get("name"))) for row in rows]
        for key, called in [("", name), *inside]:
            path = f"{library}/collections/{key}" if key else library
            reply = await zotero.get(f"{path}/items/top", limit="1")
            size = int(reply.headers.get("Total-Results", "0"))
            found.append(Choice(library, name, key, called, size))
    return found


def chosen(found: Iterable[Choice], typed: str) -> Choice:
    """The library or collection of a name or key. Raises UsageError for none, and for several of
    one name."""
    by = {choice: (choice.name, choice.key or choice.library) for choice in found}
    fitting = [choice for choice, names in by.items() if typed in names]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        keys = ", ".join(by[choice][1] for choice in fitting)
        raise UsageError(f"Several are called {typed!r}.", f"Give the key of one: {keys}.")
    near = nearest(typed, [choice.name for choice in by])
    hint = f"Did you mean {near!r}?" if near else "`coi papers zotero` lists what there is."
    raise UsageError(f"Zotero has no collection {typed[:80]!r}.", hint)


def shelf_of(paths: Paths, choice: Choice) -> Shelf:
    """What is taken of a library together with a choice; all is read anew where that is more."""
    known = (shelf for shelf in taken(paths) if shelf.library == choice.library)
    shelf = next(known, None) or Shelf(library=choice.library, name=choice.of)
    whole = not choice.key or (shelf.read and not shelf.collections)
    wanted = {} if whole else {**shelf.collections, choice.key: choice.name}
    version = shelf.version if wanted == shelf.collections else 0
    return shelf.model_copy(update={"collections": wanted, "version": version})


async def sync(paths: Paths, zotero: Zotero, shelf: Shelf) -> AsyncIterator[str]:
    """Take what is new or changed in a library, then read its PDFs that are; a line for each thing
    done or left out. Stopped in between, it goes on the next time. Raises ServiceError and
    StoreError."""
    shelf.read, every = utc_now(), f"{shelf.library}/items"
    if (await zotero.get(every, shelf.version, limit="1")).status_code == 304:
        yield f"{shelf.name}: nothing changed"
    else:
        since = {"since": str(shelf.version)} if shelf.version else {}
        rows, version = await zotero.rows(every, **since)
        here = (await zotero.get(every, format="keys")).text.split()
        for line in _take(paths, shelf, rows, set(here)):
            yield line
        shelf.version = version
    _store(paths, shelf)
    async for line in _read_pdfs(paths, zotero, shelf):
        yield line


def _take(paths: Paths, shelf: Shelf, rows: Rows, here: set[str]) -> list[str]:
    """Put items among the own papers, note PDFs and marks, and mark what is not ``here``; what came
    of it. What Zotero says of a paper that it gave goes before what is known of it."""
    found, tags, out = dict[str, Paper](), dict[str, tuple[str, ...]](), list[str]()
    for row in rows:
        data, key = row["data"], str(row.get("key"))
        kind, parent = data.get("itemType"), str(data.get("parentItem"))
        if kind == "annotation":
            shelf.marks[key] = (parent, _mark(data))
        elif kind == "attachment" and data.get("contentType") == "application/pdf":
            shelf.files[key] = File(item=parent)
        elif kind in ("attachment", "note"):
            continue
        elif shelf.collections and shelf.collections.keys().isdisjoint(
            data.get("collections") or ()
        ):
            here.discard(key)
        elif paper := zotero_entry(data).paper():
            found[key] = paper
            named = (clean_line(tag.get("tag")) for tag in data.get("tags") or ())
            tags[key] = tuple(filter(None, named))
        else:
            out.append(f"  left out: item {key} ({clean_line(kind)}): no title")
    with changing(paths) as own:
        before, places = len(own), {paper.id: n for n, paper in enumerate(own)}
        at = {k: places.get(item.paper) for k, item in shelf.items.items()}
        names = dict[str, str]()
        for key, paper in found.items():
            if (n := at.get(key)) is not None:
                names[key] = own[n].id
                own[n] = fill_gaps(paper.model_copy(update={"id": own[n].id}), own[n])
        rest = [key for key in found if key not in names]
        names |= zip(rest, merge_into(own, [found[key] for key in rest]), strict=True)
        new = len(own) - before
    shelf.items |= {key: Item(paper=names[key], tags=tags[key]) for key in found}
    gone = [key for key, item in shelf.items.items() if key not in here and not item.removed]
    for key in gone:
        shelf.items[key] = shelf.items[key].model_copy(update={"removed": shelf.read[:10]})
    shelf.files = {key: file for key, file in shelf.files.items() if key in here}
    shelf.marks = {key: mark for key, mark in shelf.marks.items() if key in here}
    known = f"{len(found) - new} changed or known, {len(gone)} removed there"
    return [f"{shelf.name}: {new} new, {known}, {len(out)} left out", *out]


def _mark(data: Mapping[str, Any]) -> str:
    """``“a passage” (page 3): what a person wrote on it``; empty for a mark without words."""
    text, comment, page = (
        clean_line(data.get(f"annotation{name}") or "") for name in ("Text", "Comment", "PageLabel")
    )
    where = f"(page {page}): " if page else ""
    return f"{f'“{text}” ' if text else ''}{where}{comment}".rstrip(": ") if text or comment else ""


async def _read_pdfs(paths: Paths, zotero: Zotero, shelf: Shelf) -> AsyncIterator[str]:
    """Read the PDFs that are new or look otherwise than when they were read, one after the
    other."""
    papers = {paper.id: paper for paper in await asyncio.to_thread(own_papers, paths)}
    marks = dict[str, list[str]]()
    for of, text in shelf.marks.values():
        marks.setdefault(of, []).extend(filter(None, [text]))
    unstored = 0
    for key, file in shelf.files.items():
        item = shelf.items.get(file.item)
        paper = papers.get(item.paper) if item and not item.removed else None
        if paper is None:
            continue
        path, looks = file.path, await _looks(file.path)
        if not looks and (path := await zotero.file(shelf.library, key)):
            looks = await _looks(path)
        seen = f"{looks} {digest(marks.get(key))}" if path else "no file"
        if seen == file.seen:
            continue
        shelf.files[key] = File(item=file.item, path=path, seen=seen)
        if path:
            yield (await add_named_pdf(paths, paper, Path(path), marks.get(key, ()))).line
        else:
            yield f"left out   a PDF of {paper.title}: Zotero has no file of it here"
        unstored += 1
        if unstored % STORED_EVERY == 0:
            _store(paths, shelf)
    if unstored:
        _store(paths, shelf)


async def _looks(path: str) -> str:
    """The size and time of a file; empty where there is none, or it cannot be asked."""
    try:
        found = await within(READ_S, os.stat, path)
    except OSError:  # TimeoutError too
        return ""
    return f"{found.st_size} {found.st_mtime_ns}"
