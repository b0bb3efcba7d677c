"""``coi papers zotero`` and ``coi papers sync`` as a person types them, against a stand-in of Zotero's
local API."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Run, in_this_process
from tests.support.coi_process import environment
from tests.support.pdfs import pdf_of
from tests.support.standins.http_server import StandIn
from tests.support.standins.zotero import ZoteroService, filled


@pytest.fixture
def service() -> ZoteroService:
    made = ZoteroService()
    made.shelves["users/0"] = filled(30)
    made.shelf.collect("CHAINSAA", "Chains")
    for n, key in enumerate(list(made.shelf.items)[:4]):
        tags = [{"tag": "Read later"}] if n == 2 else []
        made.shelf.put(key, collections=["CHAINSAA"], tags=tags)
    return made


@pytest.fixture
def run(service: ZoteroService, tmp_path: Path) -> Iterator[Run]:
    """A command line beside a Zotero that answers."""
    ready, done = threading.Event(), asyncio.Event()
    loop, url = asyncio.new_event_loop(), list[str]()

    async def serve() -> None:
        async with StandIn(service) as server:
            url.append(f"{server.url}/api")
            ready.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(30)
    env = environment(tmp_path, extra={"COI_ZOTERO_URL": url[0]})
    yield lambda *arguments, stdin=None: in_this_process(env, *arguments, stdin=stdin)
    loop.call_soon_threadsafe(done.set)
    thread.join()
    loop.close()


def test_collections_are_listed_one_is_taken_and_synced(
    run: Run, service: ZoteroService, tmp_path: Path
) -> None:
    listed = run("papers", "zotero")
    assert listed.code == 0, listed.err
    assert [line.split() for line in listed.out.splitlines()] == [
        ["30", "My", "Library"],
        ["4", "Chains", "[CHAINSAA]"],
    ]
    assert "Nothing was taken from Zotero yet" in run("papers", "sync").out
    taken = run("papers", "zotero", "Chains")
    assert "Chains: 4 new" in taken.out
    own = run("papers", "list")
    assert "Chains: 4 from Zotero, 0 removed there since, read just now" in own.out
    found = run("papers", "list", "READ", "bar", "growth").out.splitlines()
    assert len(found) == 2, "one paper has this tag; the last line is about Zotero"
    assert "number 2" in found[0]
    first = next(iter(service.shelf.items))
    title = service.shelf.items[first]["title"]
    file = tmp_path / "growth.pdf"
    file.write_bytes(pdf_of(title))
    service.shelf.attach("PDFPDFPD", first, file)
    service.shelf.put(list(service.shelf.items)[1], collections=[])
    synced = run("papers", "sync")
    assert "Chains: 0 new, 0 changed or known, 1 removed there, 0 left out" in synced.out
    assert "added      growth.pdf" in synced.out
    assert "4 from Zotero, 1 removed there since" in run("papers", "list").out
    details = run("papers", "list", "--details").out
    assert details.count("From   Zotero: ") == 4
    assert details.count("removed there by") == 1
    assert details.count("Used   in no session") == 4
    assert run("papers", "sync").out == "Chains: nothing changed\n"
