"""What there is to see of the own papers: sources, links, PDF, marks, and the sessions that use them."""

import asyncio
from pathlib import Path

import pytest

from coi_tui.model.papers import Paper
from coi_tui.paths import Paths
from coi_tui.session.papers.overview import OwnPaper, overview
from coi_tui.session.papers.own_links import NEITHER
from coi_tui.session.papers.own_papers import (
    OwnPdf,
    add_named_pdf,
    add_papers,
    import_papers,
    own_papers,
    own_text,
    store_text,
)
from coi_tui.session.papers.zotero_import import taken
from coi_tui.session.queries.rows import in_chains
from coi_tui.store.summary import list_sessions
from tests.support.desk import ONE, Desk, paths_in
from tests.support.pdfs import pdf_of

LIST = """
@article{bar2021gates, title={Gates that weigh evidence}, author={Bar, Ann}, year=2021, doi={10.1234/gates}}
@misc{foo, title={Notes on shelves}, author={Foo, Bo}}
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    made = paths_in(tmp_path)
    take_list(made, "group.bib", LIST)
    return made


def take_list(paths: Paths, name: str, text: str) -> None:
    file = paths.data.parent / name
    file.write_text(text, encoding="utf-8")
    import_papers(paths, file)


def facts(one: OwnPaper) -> dict[str, str]:
    return dict(one.facts())


def test_each_list_that_named_a_paper_is_its_source(paths: Paths) -> None:
    take_list(paths, "mine.ris", "TY  - JOUR\nTI  - Gates that weigh evidence\nPY  - 2021\nDO  - 10.1234/gates\nER  - \n")  # fmt: skip
    take_list(paths, "group.bib", LIST)
    gates, shelves = overview(paths, taken(paths))
    assert list(gates.sources) == ["group.bib", "mine.ris"]
    assert list(shelves.sources) == ["group.bib"]
    assert facts(shelves)["From"] == "group.bib"
    paths.own_lists.write_text("[1, 2", encoding="utf-8")
    assert [list(one.sources) for one in overview(paths, taken(paths))] == [[], []], (
        "no more than a remark is lost"
    )


def test_a_pdf_tells_its_place_and_marks_and_opens_before_the_page(paths: Paths) -> None:
    gates = own_papers(paths)[0]
    file = paths.data.parent / "gates of Ann.pdf"
    file.write_bytes(pdf_of("Gates that weigh evidence"))
    asyncio.run(add_named_pdf(paths, gates, file, ["“weighs” (page 3)"]))
    one, other = overview(paths, taken(paths))
    assert facts(one)["PDF"] == f"you marked 1 passage; {file}"
    assert facts(other)["PDF"] == "none"
    assert (one.address, other.address) == (file.as_uri(), "")
    file.unlink()
    assert overview(paths, taken(paths))[0].address == "https://doi.org/10.1234/gates"
    text = own_text(paths, gates)
    assert text is not None
    assert str(file.parent) not in str(text), "where a PDF lies goes into no session"


def test_links_are_counted_on_both_sides(paths: Paths) -> None:
    gates = own_papers(paths)[0]
    assert {facts(one)["Links"] for one in overview(paths, taken(paths))} == {NEITHER}
    text = "Gates\nWe weigh.\nReferences\n[1] B. Foo. Notes on shelves. Shelf Press, 2019.\n"
    store_text(paths, gates, OwnPdf("gates.pdf", "hash", text))
    one, other = overview(paths, taken(paths))
    assert [(p.cites, p.cited, p.unasked) for p in (one, other)] == [(1, 0, True), (0, 1, False)]
    assert facts(one)["Links"] == "cites 1 known paper"
    assert facts(other)["Links"] == "cited by 1 known paper"


def test_a_paper_with_a_pdf_is_not_told_to_attach_one(paths: Paths) -> None:
    gates = own_papers(paths)[0]
    store_text(paths, gates, OwnPdf("gates.pdf", "hash", "Gates\nWe weigh.\n"))
    one, other = overview(paths, taken(paths))
    assert facts(one)["Links"] == "no links known: connect (`coi papers links`)"
    assert facts(other)["Links"].endswith(", or attach the PDF")
    assert facts(one)["PDF"] == "gates.pdf", "where nobody noted its place"


def test_the_sessions_that_have_a_paper_in_a_chain_or_found_it_are_named(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, ONE)
    desk.do(desk.planner.to_stage("anchors"))
    session, paths = desk.session, desk.session.paths
    used = session.state.papers[in_chains(session.state)[0]]
    other = next(p for p in session.state.papers.values() if p.id not in in_chains(session.state))
    scheme, _, value = used.id.partition(":")
    ids = {scheme: value, "DOI": "10.1234/alias"}
    alias = Paper(id="DOI:10.1234/alias", ids=ids, title=used.title)
    add_papers(paths, [alias, other, Paper(id="title:alone", title="Alone")])
    path, name = session.file.path, session.name
    here = {path: in_chains(session.state)}
    one, met, alone = overview(paths, taken(paths), here)
    assert (one.chains, one.met) == ((name,), ())
    assert (met.chains, met.met) == ((), (name,))
    assert facts(alone)["Used"] == "in no session"
    session.close()
    assert [(p.chains, p.met) for p in overview(paths, taken(paths))] == [
        (p.chains, p.met) for p in (one, met, alone)
    ]
    (header,) = list_sessions(paths.sessions)
    assert header.summary.used == here[path]
    path.write_bytes(b"junk" * 500)
    assert [facts(p)["Used"] for p in overview(paths, taken(paths))] == ["in no session"] * 3
