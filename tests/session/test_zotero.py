"""Papers from Zotero, against a stand-in of its local API: what is taken, what changes later, what
cannot be had, and a kill in the middle."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from coi_tui.literature.other_lists import zotero_entry
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.paths import Paths, read_file
from coi_tui.services.zotero import Zotero
from coi_tui.session.papers import own_papers as own
from coi_tui.session.papers import zotero_import as subject
from coi_tui.session.papers.zotero_import import chosen, sync, taken
from tests.support.desk import paths_in
from tests.support.pdfs import pdf_of
from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request, Response, StandIn
from tests.support.standins.zotero import Shelf, ZoteroService, filled, made_item


def take(paths: Paths, service: ZoteroService, *names: str) -> list[str]:
    """Take what is named, or what changed in what was taken before; the lines."""

    async def run() -> list[str]:
        async with StandIn(service) as server, Zotero(f"{server.url}/api") as client:
            found = await subject.shelves(client) if names else []
            shelves = [chosen(found, name) for name in names] or taken(paths)
            return [line for shelf in shelves async for line in sync(paths, client, shelf)]

    return asyncio.run(run())


def with_pdf(shelf: Shelf, folder: Path, number: int, title: str) -> Path:
    """An attachment of an item, with a file."""
    file = folder / f"paper {number}.pdf"
    file.write_bytes(pdf_of(title))
    shelf.attach(f"PDF{number:05}", parent_of(shelf, number), file)
    return file


def parent_of(shelf: Shelf, number: int) -> str:
    return [key for key, data in shelf.items.items() if "parentItem" not in data][number]


def mark(shelf: Shelf, key: str, parent: str, text: str, comment: str = "", page: str = "") -> None:
    shelf.put(
        key,
        itemType="annotation",
        parentItem=parent,
        annotationType="highlight",
        annotationText=text,
        annotationComment=comment,
        annotationPageLabel=page,
    )


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_in(tmp_path)


@pytest.fixture
def service() -> ZoteroService:
    made = ZoteroService()
    made.shelves["users/0"] = filled(230)
    return made


def test_an_item_becomes_a_paper_with_its_key() -> None:
    paper = zotero_entry(
        {
            "itemType": "preprint",
            "title": "Chains &amp; shelves",
            "creators": [
                {"creatorType": "editor", "name": "The Shelf Group"},
                {"creatorType": "author", "firstName": "Ann", "lastName": "Bar"},
            ],
            "date": "May 3, 2024",
            "repository": "arXiv",
            "archiveID": "arXiv:2401.01234",
            "extra": "Citation Key: bar2024chains\nDOI: 10.1234/chain.7",
            "abstractNote": None,
        }
    ).paper()
    assert paper is not None
    assert (paper.title, paper.year, paper.authors) == ("Chains & shelves", 2024, ("Ann Bar",))
    assert paper.ids == {"arXiv": "2401.01234", "DOI": "10.1234/chain.7"}
    assert paper.citation_key == "bar2024chains"


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"citationKey": "bar2024"}, "bar2024"),
        ({"citationKey": "bar2024", "extra": "Citation Key: other"}, "bar2024"),
        ({"extra": "PMID: 7\ncitation key: bar:2024-a"}, "bar:2024-a"),
        ({"extra": "see Citation Key: bar2024"}, ""),
        ({"citationKey": None}, ""),
    ],
)
def test_a_key_is_taken_from_its_field_or_its_line(fields: dict[str, str], key: str) -> None:
    paper = zotero_entry({"title": "Gates", **fields}).paper()
    assert paper is not None
    assert paper.citation_key == key


def test_a_library_is_taken_whole_and_then_by_its_changes(
    paths: Paths, service: ZoteroService
) -> None:
    assert take(paths, service, "My Library")[0] == (
        "My Library: 230 new, 0 changed or known, 0 removed there, 0 left out"
    )
    before = {paper.id: paper for paper in own.own_papers(paths)}
    keys = list(service.shelf.items)
    for number in range(7):
        service.shelf.put(keys[number], title=f"Another title {number}")
    service.shelf.remove(keys[50])
    service.shelf.put(keys[51], deleted=True)
    service.shelf.put("NEWNEWNE", **made_item(900))
    sent = service.rows_sent
    assert take(paths, service) == [
        "My Library: 1 new, 7 changed or known, 2 removed there, 0 left out"
    ]
    assert service.rows_sent - sent <= 10, "only what changed was sent"
    after = own.own_papers(paths)
    assert len(after) == 231, "what is removed there stays here"
    assert sum(paper.title.startswith("Another title") for paper in after) == 7
    assert {paper.id for paper in after} > before.keys()
    (shelf,) = taken(paths)
    assert list(shelf.removed) == [keys[50], keys[51]]
    assert take(paths, service) == ["My Library: nothing changed"]


def test_a_collection_is_taken_and_a_second_one_beside_it(
    paths: Paths, service: ZoteroService
) -> None:
    shelf, keys = service.shelf, list(service.shelf.items)
    shelf.collect("CHAINSAA", "Chains")
    shelf.collect("SHELVESA", "Shelves", "CHAINSAA")
    for key in keys[:5]:
        shelf.put(key, collections=["CHAINSAA"])
    shelf.put(keys[9], collections=["SHELVESA"])
    take(paths, service, "Chains")
    assert len(own.own_papers(paths)) == 5
    take(paths, service, "SHELVESA")
    assert len(own.own_papers(paths)) == 6
    shelf.put(keys[0], collections=[])
    shelf.put(keys[6], collections=["CHAINSAA"])
    assert take(paths, service) == [
        "Chains: 1 new, 0 changed or known, 1 removed there, 0 left out",
        "Shelves: 0 new, 0 changed or known, 0 removed there, 0 left out",
    ]
    assert take(paths, service, "My Library")[0].startswith("My Library: 223 new")


def test_libraries_of_groups_and_their_collections_are_listed(service: ZoteroService) -> None:
    service.shelves["groups/77"] = filled(3, name="Reading group")
    service.shelves["groups/77"].collect("GROUPCOL", "Chains")
    service.shelf.collect("CHAINSAA", "Chains")

    async def run() -> list[subject.Shelf]:
        async with StandIn(service) as server, Zotero(f"{server.url}/api") as client:
            return await subject.shelves(client)

    found = asyncio.run(run())
    assert [(c.name, c.size) for c in found] == [
        ("My Library", 230),
        ("Chains", 0),
        ("Reading group", 3),
        ("Chains", 0),
    ]
    assert chosen(found, "Reading group").library == "groups/77"
    with pytest.raises(UsageError, match="Several") as several:
        chosen(found, "Chains")
    assert "CHAINSAA, GROUPCOL" in several.value.hint
    with pytest.raises(UsageError, match="No collection is called 'Chain'"):
        chosen(found, "Chain")


def test_pdfs_are_read_where_they_are_with_what_is_marked_in_them(
    tmp_path: Path, paths: Paths, service: ZoteroService
) -> None:
    title = service.shelf.items[parent_of(service.shelf, 3)]["title"]
    file = with_pdf(service.shelf, tmp_path, 3, title)
    mark(service.shelf, "MARKAAAA", "PDF00003", "chains grow", "tell Max", "2")
    mark(service.shelf, "MARKBBBB", "PDF00003", "", "")
    lines = take(paths, service, "My Library")
    assert lines[1].startswith("added      paper 3.pdf")
    paper = next(p for p in own.own_papers(paths) if p.title == title)
    text = own.own_text(paths, paper)
    assert text is not None
    assert "- “chains grow” (page 2) tell Max\n\n" in text.text
    assert text.named == "paper 3.pdf; you marked 1 passage"
    assert file.exists()
    assert not any(paths.data.rglob("*.pdf")), "nothing is copied"
    assert take(paths, service) == ["My Library: nothing changed"]
    mark(service.shelf, "MARKCCCC", "PDF00003", "cards wait")
    assert "added" in take(paths, service)[1]
    service.shelf.remove("MARKAAAA")
    take(paths, service)
    text = own.own_text(paths, paper)
    assert text is not None
    assert text.text.startswith("Marked by the reader of this paper:\n- “cards wait”\n\n")
    file.write_bytes(pdf_of(title, foot="A later version"))
    assert "added" in take(paths, service)[1], "a file that changed is read again"


def test_files_that_are_missing_or_hang_are_named_and_the_others_read(
    tmp_path: Path, paths: Paths, service: ZoteroService, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = service.shelf
    titles = [shelf.items[parent_of(shelf, n)]["title"] for n in range(4)]
    with_pdf(shelf, tmp_path, 0, titles[0]).unlink()
    hanging = with_pdf(shelf, tmp_path, 1, titles[1])
    with_pdf(shelf, tmp_path, 2, titles[2])
    del shelf.files["PDF00002"]
    with_pdf(shelf, tmp_path, 3, titles[3])
    read = read_file

    def slow(path: Path, most: int) -> bytes:
        if path == hanging:
            os.read(os.pipe()[0], 1)  # nobody writes there
        return read(path, most)

    monkeypatch.setattr(own, "read_file", slow)
    monkeypatch.setattr(own, "READ_S", 0.2)
    _, *lines = take(paths, service, "My Library")
    assert [line.split()[0] for line in lines] == ["left", "left", "left", "added"]
    assert "No such file" in lines[0]
    assert "could not be read within 0.2 s" in lines[1]
    assert "no file of it" in lines[2]
    assert take(paths, service) == ["My Library: nothing changed"], "nothing is asked again"
    with_pdf(shelf, tmp_path, 0, titles[0])
    assert "added" in take(paths, service)[1]


def off(service: ZoteroService) -> None:
    service.off = True


def too_old(service: ZoteroService) -> None:
    service.speaks = ""


def version_two(service: ZoteroService) -> None:
    service.speaks = "2"


def half(service: ZoteroService) -> None:
    service.broken = ("items",)


@pytest.mark.parametrize(
    ("fault", "sentence", "hint"),
    [
        (off, "lets no other program read", "Allow other applications"),
        (too_old, "no local API of version 3", "Update"),
        (version_two, "no local API of version 3", "Update"),
        (half, "cannot be read", "again"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_nothing_is_lost(
    paths: Paths,
    service: ZoteroService,
    fault: Callable[[ZoteroService], None],
    sentence: str,
    hint: str,
) -> None:
    take(paths, service, "My Library")
    before = paths.own_papers.read_bytes(), paths.zotero.read_bytes()
    service.shelf.put(next(iter(service.shelf.items)), title="Another title")
    fault(service)
    with pytest.raises(ServiceError, match=sentence) as failed:
        take(paths, service)
    assert hint in failed.value.hint
    assert (paths.own_papers.read_bytes(), paths.zotero.read_bytes()) == before


def test_where_zotero_does_not_run_that_is_said(paths: Paths) -> None:
    async def run() -> None:
        async with Zotero("http://127.0.0.1:9/api") as client:
            await subject.shelves(client)

    with pytest.raises(ServiceError, match="does not answer") as failed:
        asyncio.run(run())
    assert failed.value.hint.startswith("Start it.")


def test_where_zotero_hangs_the_wait_ends(
    service: ZoteroService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coi_tui.services.zotero.TIMEOUT_S", 0.1)

    class Hanging(ZoteroService):
        def answer(self, request: Request, fault: Fault) -> Response:
            response = super().answer(request, fault)
            response.pieces, response.pause = (b"[", b"]"), 3600
            return response

    async def run() -> None:
        async with StandIn(Hanging()) as server, Zotero(f"{server.url}/api") as client:
            await subject.shelves(client)

    with pytest.raises(ServiceError, match="did not answer within"):
        asyncio.run(run())


@pytest.mark.parametrize("after", [0, 3])
def test_stopped_in_the_middle_it_goes_on_and_nothing_is_there_twice(
    tmp_path: Path, paths: Paths, service: ZoteroService, after: int
) -> None:
    for number in range(6):
        title = service.shelf.items[parent_of(service.shelf, number)]["title"]
        with_pdf(service.shelf, tmp_path, number, title)

    class Killed(Exception):
        pass

    async def begin() -> None:
        async with StandIn(service) as server, Zotero(f"{server.url}/api") as client:
            shelf = chosen(await subject.shelves(client), "My Library")
            lines = 0
            async for _ in sync(paths, client, shelf):
                lines += 1
                if lines > after:
                    raise Killed

    with pytest.raises(Killed):
        asyncio.run(begin())
    take(paths, service, "My Library")
    papers = own.own_papers(paths)
    assert len(papers) == len({paper.id for paper in papers}) == 230
    assert len(own.stored_texts(paths)) == len(list(paths.imported_texts.glob("*.txt"))) == 6
    (shelf,) = taken(paths)
    assert len(shelf.papers) == 230
    assert take(paths, service) == ["My Library: nothing changed"]


def test_hostile_fields_are_text(paths: Paths) -> None:
    service = ZoteroService()
    service.shelf.put("AAAAAAAA", title="\x1b[2JChains [bold]", creators=[None, "x", {"name": 7}])
    service.shelf.put("BBBBBBBB", title=None, tags={"a": 1}, collections="no")
    service.shelf.put("CCCCCCCC", title={"a": 1}, tags=[None, "x", {"tag": "\x1b[2Jt"}])
    lines = take(paths, service, "My Library")
    assert "1 new" in lines[0]
    assert "\x1b" not in json.dumps([p.model_dump() for p in own.own_papers(paths)])
    assert "\x1b" not in "".join(lines)
