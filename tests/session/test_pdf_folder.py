"""A folder of PDFs: looked at here, confirmed through sources that get ids and titles only, decided row by row, kept."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks import pdf_files, pdf_folder
from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.literature.ids import Id
from coi_tui.literature.types import TitleMatch
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.session.papers.imported import own_papers, texts_held
from coi_tui.session.papers.pdf_folder import PdfFolder, Wanted, summary
from coi_tui.session.runs.disclosure import pdfs_disclosure
from tests.support.desk import paths_in
from tests.support.own_pdfs import pdf_of
from tests.support.pdfs import drawing_only, encrypted, whole
from tests.support.world import MemorySource, World

NONCE = "zyxwvutsrq"
STAMP = "arXiv:2101.00002v3 [cs.CL] 5 Jan 2021"
SHELVES = Paper(
    id="arXiv:2101.00002",
    ids={"arXiv": "2101.00002"},
    title="Shelves of forgotten claims",
    year=2021,
    authors=("Ann Bar",),
)
GATES = Paper(
    id="DOI:10.1234/gate",
    ids={"DOI": "10.1234/gate"},
    title="Gates that weigh evidence",
    year=2021,
    authors=("Bo Foo",),
)


class Asked(MemorySource):
    """Records ids and titles too; a search finds what ``finds`` says."""

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        await self._ask("match", title)
        return await super().match(title, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        await self._ask("ids", " ".join(ids))
        return await super().papers(ids)


def source(*papers: Paper) -> Asked:
    return Asked(
        World({p.id: p for p in papers}, {}, ()), finds=lambda _query: [p.id for p in papers]
    )


async def nobody(pair: Id) -> Paper | None:
    return None


async def looked_at(folder: Path, files: Mapping[str, bytes]) -> PdfFolder:
    place = folder / "pdfs"
    place.mkdir(exist_ok=True)
    for name, data in files.items():
        (place / name).write_bytes(data)
    pdfs = PdfFolder(paths_in(folder))
    await pdfs.look([place / name for name in sorted(files)])
    return pdfs


def states(pdfs: PdfFolder) -> list[str]:
    return [row.state for row in pdfs.rows]


async def test_sources_confirm_ids_and_titles_and_get_nothing_else(tmp_path: Path) -> None:
    pdfs = await looked_at(
        tmp_path,
        {
            "a.pdf": pdf_of("Shelves of forgotten claims", NONCE, stamp=STAMP),
            "b.pdf": pdf_of("Gates that weigh evidence", NONCE),
            "c.pdf": pdf_of(
                "Quite unknown matters", NONCE, stamp="arXiv:2203.00009v1 [cs.AI] 1 Mar 2022"
            ),
        },
    )
    titles = ("Shelves of forgotten claims", "Gates that weigh evidence", "Quite unknown matters")
    assert pdfs.wanted() == Wanted((("arXiv", "2101.00002"), ("arXiv", "2203.00009")), titles, 3)
    registered = list[Id]()

    async def registry(pair: Id) -> Paper | None:
        registered.append(pair)
        return None

    asked = source(SHELVES, GATES)
    assert await pdfs.confirm(asked, registry) == ""
    assert states(pdfs) == ["sure", "title", "ask"]
    assert pdfs.rows[2].why == "it names arXiv 2203.00009, which no source knows"
    assert registered == [("arXiv", "2203.00009")]
    assert all(what in (*titles, "arXiv:2101.00002 arXiv:2203.00009") for _, what in asked.asked)
    assert not pdfs.wanted(), "nothing is asked twice"
    assert own_papers(paths_in(tmp_path)) == [], "nothing is written before it is accepted"
    pdfs.keep(titles=False)
    assert states(pdfs) == ["new", "title", "ask"]
    pdfs.keep(titles=True)
    assert [p.id for p in own_papers(paths_in(tmp_path))] == [SHELVES.id, GATES.id]
    assert len(texts_held(paths_in(tmp_path))) == 2


async def test_sources_can_be_asked_after_some_rows_were_kept_or_found_twice(
    tmp_path: Path,
) -> None:
    """The program ended where a file of a paper that another file is, or one that was imported already, stood among the questions."""
    pdfs = await looked_at(
        tmp_path,
        {
            "a.pdf": pdf_of("Shelves of forgotten claims", stamp=STAMP),
            "b.pdf": pdf_of("Shelves of forgotten claims", "printed", stamp=STAMP),
            "c.pdf": pdf_of("Gates that weigh evidence"),
            "d.pdf": pdf_of("Gates that weigh evidence", "printed"),
        },
    )
    assert states(pdfs) == ["sure", "twin", "ask", "ask"]
    pdfs.keep(titles=False)
    assert await pdfs.confirm(source(SHELVES, GATES), nobody) == ""
    assert states(pdfs) == ["new", "twin", "title", "twin"]


async def test_a_file_of_a_paper_that_was_kept_before_is_found_twice_when_its_title_is_confirmed(
    tmp_path: Path,
) -> None:
    title = "Gates that weigh evidence"
    pdfs = await looked_at(tmp_path, {"a.pdf": pdf_of(title), "b.pdf": pdf_of(title, "printed")})
    pdfs.name(1, "10.1234/gate")
    pdfs.keep(titles=False)
    assert states(pdfs) == ["ask", "new"]
    assert await pdfs.confirm(source(GATES), nobody) == ""
    assert states(pdfs) == ["twin", "new"]


async def test_a_service_that_fails_is_told_and_leaves_questions(tmp_path: Path) -> None:
    pdfs = await looked_at(
        tmp_path,
        {
            "a.pdf": pdf_of("Shelves of forgotten claims"),
            "b.pdf": pdf_of("Gates that weigh evidence"),
        },
    )
    asked = source(SHELVES, GATES)
    asked.fails = lambda what: what == GATES.title
    assert "did not answer" in await pdfs.confirm(asked, nobody)
    assert states(pdfs) == ["title", "ask"]
    assert [title for title in pdfs.wanted().titles if title == GATES.title] == [GATES.title], (
        "it can be asked again"
    )


async def test_each_file_that_is_no_paper_gets_one_sentence_and_stops_no_other(
    tmp_path: Path,
) -> None:
    good = pdf_of("Shelves of forgotten claims", stamp=STAMP)
    files = {
        "a good.pdf": good,
        "b same.pdf": good,
        "c other.pdf": pdf_of("Shelves of forgotten claims", "printed", stamp=STAMP),
        "d empty.pdf": b"",
        "e page.pdf": b"\xef\xbb\xbf <!DOCTYPE html><html>",
        "f cut.pdf": whole()[:900],
        "g scan.pdf": drawing_only("x").data,
        "h locked.pdf": encrypted("x", "secret").data,
        "i \x1b[31mred\n.pdf": b"no PDF",
        "j supp.pdf": pdf_of(
            "Shelves of forgotten claims", stamp=STAMP, label="Supplementary Material"
        ),
    }
    pdfs = await looked_at(tmp_path, files)
    assert {row.name: row.why for row in pdfs.rows} == {
        "a good.pdf": "",
        "b same.pdf": "b same.pdf is the same file as a good.pdf, so it is left out.",
        "c other.pdf": "c other.pdf is another file of the paper that a good.pdf is, so its text is left out.",
        "d empty.pdf": "d empty.pdf is empty: it has no bytes.",
        "e page.pdf": "e page.pdf is a web page, not a PDF: perhaps one that asks to sign in.",
        "f cut.pdf": "f cut.pdf is damaged or cut off: it cannot be opened.",
        "g scan.pdf": "g scan.pdf holds no text: it seems to be a scan; run text recognition (OCR) on it first.",
        "h locked.pdf": "h locked.pdf is encrypted: it opens only with a password.",
        "i red .pdf": "i red .pdf is not a PDF, whatever its name says.",
        "j supp.pdf": "it says that it is supplementary material, not the paper itself",
    }
    assert states(pdfs) == ["sure", "twin", "twin", *["unread"] * 6, "ask"]
    pdfs.keep(titles=True)
    assert summary(pdfs.rows) == (
        "10 PDFs: 1 imported as new papers, 2 another file of a paper that is there, 1 to identify (which paper is this?), "
        "6 could not be read."
    )


@pytest.mark.skipif(os.name != "posix", reason="names are bytes there only")
async def test_a_name_that_is_no_text_is_shown_and_kept(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.pdf")
    try:
        pdfs = await looked_at(tmp_path, {name: pdf_of("Shelves of forgotten claims", stamp=STAMP)})
    except OSError:
        pytest.skip("this file system takes no such name")
    pdfs.keep(titles=True)
    assert (pdfs.rows[0].state, pdfs.rows[0].name) == ("new", "caf\ufffd.pdf")
    assert next(iter(texts_held(paths_in(tmp_path)).values()))[0] == "caf\ufffd.pdf"


async def test_a_person_decides_on_each_row(tmp_path: Path) -> None:
    near = pdf_of(
        "Gates that weighed evidence"
    )  # two letters more: asked, since one letter can make another paper
    pdfs = await looked_at(
        tmp_path,
        {f"{n}.pdf": near.replace(b"(2026", b"(20%d" % (n + 10)) + b"%%%d" % n for n in range(5)},
    )
    assert await pdfs.confirm(source(GATES), nobody) == ""
    assert states(pdfs) == ["ask"] * 5
    assert [(offer.paper.id, offer.score > 0.8) for offer in pdfs.rows[0].near] == [
        (GATES.id, True)
    ]
    pdfs.take(0)
    pdfs.name(1, "https://doi.org/10.7777/other")
    pdfs.as_it_is(2)
    pdfs.leave_out(3)
    with pytest.raises(UsageError, match="no such suggestion"):
        pdfs.take(4, 3)
    with pytest.raises(UsageError, match="Nothing was typed"):
        pdfs.name(4, "  ")
    with pytest.raises(UsageError, match="not sure"):
        pdfs.take_as_told(4)
    pdfs.keep(titles=False)
    assert states(pdfs) == ["new", "new", "new", "out", "ask"]
    kept = [row.paper for row in pdfs.rows[:3]]
    assert [p.id if p else "" for p in kept][:2] == [GATES.id, "DOI:10.7777/other"]
    assert [p.title if p else "" for p in kept][1:] == ["Gates that weighed evidence"] * 2


async def test_what_was_sure_can_be_decided_alone(tmp_path: Path) -> None:
    pdfs = await looked_at(
        tmp_path, {"a.pdf": pdf_of("Shelves of forgotten claims", stamp=STAMP), "b.pdf": b""}
    )
    pdfs.ask_again(0)
    assert (pdfs.rows[0].state, pdfs.rows[0].paper, pdfs.rows[0].near[0].score) == (
        "ask",
        None,
        1.0,
    )
    with pytest.raises(UsageError, match="empty"):
        pdfs.as_it_is(1)


def test_what_leaves_is_told_first() -> None:
    wanted = Wanted(
        (("arXiv", "2101.00002"), ("DOI", "10.1/x"), ("DOI", "10.1/y")), ("One title",), 3
    )
    keys = Keys(semantic_scholar="s2-f4k3")
    assert pdfs_disclosure(Settings(), keys, True, wanted) == ""
    assert pdfs_disclosure(Settings(), Keys(), False, wanted) == "", "no source is set up"
    assert pdfs_disclosure(Settings(), keys, False, Wanted((), (), 0)) == ""
    assert pdfs_disclosure(Settings(), keys, False, wanted) == (
        "Semantic Scholar gets 3 ids and 1 title found in 3 of these PDFs; ids unknown there go on: "
        "Crossref gets the DOIs and arXiv gets the arXiv ids. "
        "No text of a PDF leaves this machine."
    )
    mailing = pdfs_disclosure(Settings(mail="a@b.org"), keys, False, wanted)
    assert (
        "Crossref and, for an open copy, Unpaywall get the DOIs and your e-mail address" in mailing
    )
    here = Settings(semantic_scholar=SourceSettings(base_url="http://127.0.0.1:1/x"))
    assert "go on" not in pdfs_disclosure(here, keys, False, wanted), (
        "with the source on this machine nobody else is asked"
    )


def test_no_file_is_wrongly_named_where_a_source_answers_with_the_nearest_title() -> None:
    """A small version of ``benchmarks.pdf_folder``."""
    kinds = (
        pdf_files.with_doi,
        pdf_files.with_stamp,
        pdf_files.divided,
        pdf_files.comment,
        pdf_files.nearly,
        pdf_files.generic,
        pdf_files.same_title_of_others,
        pdf_files.apart,
    )
    found = pdf_folder.run(5, [(kind, 1) for kind in kinds])
    assert (found.wrong, found.faults) == ([], [])
    assert (found.by_id, found.by_title, found.asked) == (2, 1, 5)
