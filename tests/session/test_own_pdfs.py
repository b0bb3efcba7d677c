"""PDFs of one's own: which paper each is, what is asked, what cannot be read, and where its text goes."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from coi_tui.config import Keys
from coi_tui.export.options import WITH_APPENDIX
from coi_tui.literature.full_text import extract_pdf
from coi_tui.literature.known_papers import KnownPapers
from coi_tui.literature.pdf_identification import identify_pdf
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.paths import Paths
from coi_tui.session.papers.imported import (
    ImportedPdfTexts,
    OwnPdf,
    forget_paper,
    keep_text,
    own_papers,
    own_text,
    save_papers,
    texts_held,
)
from coi_tui.session.papers.imported_pdfs import meant_path, pdfs_in
from coi_tui.session.papers.pdf_folder import PdfFolder, PdfRow, summary
from tests.support.desk import Desk, copy_of, paths_in
from tests.support.own_pdfs import pdf_of
from tests.support.pdfs import drawing_only, encrypted, whole

NONCE = "zyxwvutsrq"
GATES = Paper(
    id="DOI:10.1234/gate",
    ids={"DOI": "10.1234/gate"},
    title="Gates that weigh evidence",
    year=2021,
    authors=("Ann Bar",),
)
SHELVES = Paper(
    id="arXiv:2101.00002",
    ids={"arXiv": "2101.00002"},
    title="Shelves of forgotten claims",
    year=2021,
)


def imported(paths: Paths, files: list[Path], said: str = "") -> list[PdfRow]:
    """The files taken in without a source, those told by their titles too."""
    folder = PdfFolder(paths)
    asyncio.run(folder.look(files, again=bool(said)))
    if said:
        folder.name(0, said)
    folder.keep(titles=True)
    return folder.rows


def taken(
    folder: Path, files: dict[str, bytes], said: str = "", own: tuple[Paper, ...] = ()
) -> dict[str, PdfRow]:
    pdfs = folder / "pdfs"
    pdfs.mkdir(exist_ok=True)
    for name, data in files.items():
        (pdfs / name).write_bytes(data)
    if own:
        save_papers(paths_in(folder), own)
    done = imported(paths_in(folder), [pdfs / name for name in sorted(files)], said)
    return {t.path.name: t for t in done}


@pytest.mark.parametrize(
    ("data", "paper", "how"),
    [
        (
            pdf_of("Gates that weigh evidence", foot="https://doi.org/10.1234/gate."),
            GATES.id,
            "by DOI 10.1234/gate",
        ),
        (
            pdf_of("Shelves of forgotten claims", stamp="arXiv:2101.00002v3 [cs.CL] 5 Jan 2021"),
            SHELVES.id,
            "by arXiv 2101.00002",
        ),
        (pdf_of("Gates that weigh\nevidence"), GATES.id, "by its title (1.00)"),
        (pdf_of("Shelves of\nForgotten Claims", caps=True), SHELVES.id, "by its title (1.00)"),
        (pdf_of("SHELVES OF FORGOTTEN CLAIMS", meta="untitled"), SHELVES.id, "by its title (1.00)"),
        (
            pdf_of("Quite unknown matters", stamp="arXiv:2203.00009v1 [cs.AI] 1 Mar 2022"),
            "arXiv:2203.00009",
            "the title is the PDF's own",
        ),
        (
            pdf_of("Quite unknown matters", subject="Journal of X, doi:10.5555/q.1"),
            "DOI:10.5555/q.1",
            "the title is the PDF's own",
        ),
        (
            pdf_of("Gates that weigh evidence", stamp="arXiv:2105.00077v1 [cs.CL] 1 May 2021"),
            GATES.id,
            "and its title",
        ),
    ],
)
def test_a_paper_is_told_by_its_ids_or_its_title(data: bytes, paper: str, how: str) -> None:
    found = identify_pdf(asyncio.run(extract_pdf(data)), KnownPapers([GATES, SHELVES]))
    assert found.paper is not None, found
    assert found.paper.id == paper
    assert how in found.how


@pytest.mark.parametrize(
    ("data", "why", "near"),
    [
        (pdf_of("Gates that weighed the evidences"), "no known paper has its title", GATES.id),
        (
            pdf_of("A letter in another voice", meta="Gates that weigh evidence"),
            "does not bear it",
            GATES.id,
        ),
        (
            pdf_of("Quite unknown matters", foot="It builds on 10.1234/gate."),
            "may be of papers it cites",
            "",
        ),
        (
            pdf_of("Quite unknown matters", foot="See 10.5555/a.1 and 10.5555/b.2."),
            "may be of papers it cites",
            "",
        ),
        (
            pdf_of("Quite unknown matters", second="References\n10.5555/a.1"),
            "no known paper has its title",
            "",
        ),
        (
            pdf_of("Quite unknown matters", subject="doi:10.1234/gate"),
            "does not show that paper's title",
            "",
        ),
    ],
)
def test_what_is_not_sure_is_asked(data: bytes, why: str, near: str) -> None:
    found = identify_pdf(asyncio.run(extract_pdf(data)), KnownPapers([GATES, SHELVES]))
    assert found.paper is None, found
    assert why in found.why
    assert (found.candidates[0].paper.id if found.candidates else "") == near
    assert all(offer.score >= 0.80 for offer in found.candidates)


def test_good_files_go_on_beside_bad_ones(tmp_path: Path) -> None:
    files = {
        "a good.pdf": pdf_of("Gates that weigh evidence", NONCE),
        "b locked.pdf": encrypted("locked", "secret").data,
        "c cut.pdf": whole()[: len(whole()) // 2],
        "d scan.pdf": drawing_only("scan").data,
        "e page.pdf": b"<!doctype html><html></html>",
        "f unsure.pdf": pdf_of("Gates that weighed the evidences"),
        "g new.pdf": pdf_of("Quite unknown matters", stamp="arXiv:2203.00009v1 [cs.AI] 1 Mar 2022"),
    }
    done = taken(tmp_path, files, own=(GATES,))
    assert [t.state for t in done.values()] == [
        "known",
        "unread",
        "unread",
        "unread",
        "unread",
        "ask",
        "new",
    ]
    assert [done[n].why for n in sorted(files)[1:5]] == [
        "b locked.pdf is encrypted: it opens only with a password.",
        "c cut.pdf is damaged or cut off: it cannot be opened.",
        "d scan.pdf holds no text: it seems to be a scan; run text recognition (OCR) on it first.",
        "e page.pdf is a web page, not a PDF: perhaps one that asks to sign in.",
    ]
    said = summary(list(done.values()))
    assert said == (
        "7 PDFs: 1 imported as new papers, 1 added to papers you had, 1 to identify (which paper is this?), "
        "4 could not be read."
    )
    again = taken(tmp_path, {"a good.pdf": files["a good.pdf"]})
    assert again["a good.pdf"].state == "before"


def test_the_text_is_kept_apart_from_the_cache_for_this_user_alone_and_goes_for_good(
    tmp_path: Path,
) -> None:
    places = paths_in(tmp_path)
    taken(tmp_path, {"a.pdf": pdf_of("Gates that weigh evidence", NONCE)}, own=(GATES,))
    kept = own_text(
        places, GATES.model_copy(update={"id": "S2:" + "a" * 40})
    )  # by any id that it is known under
    assert kept is not None
    assert NONCE in kept.text
    assert own_papers(places)[0].abstract is None, "an abstract would go into many prompts"
    (file,) = places.imported_texts.iterdir()
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(places.imported_texts.stat().st_mode) == 0o700
    assert not places.library.exists() or NONCE.encode() not in places.library.read_bytes()
    forget_paper(places, GATES.id)
    assert not [
        f for f in places.data.rglob("*") if f.is_file() and NONCE.encode() in f.read_bytes()
    ]


def test_an_answer_names_the_paper_and_puts_a_wrong_one_right(tmp_path: Path) -> None:
    data = {"x.pdf": pdf_of("Gates that weigh evidence", NONCE)}
    taken(tmp_path, data, own=(GATES,))
    right = taken(tmp_path, data, said="https://doi.org/10.7777/other")["x.pdf"]
    assert right.paper is not None
    assert (right.state, right.paper.id, right.paper.title) == (
        "new",
        "DOI:10.7777/other",
        "Gates that weigh evidence",
    )
    assert list(texts_held(paths_in(tmp_path))) == ["DOI:10.7777/other"]
    titled = taken(tmp_path, {"y.pdf": pdf_of("Scrawl of Signs")}, said="A paper by its own title")[
        "y.pdf"
    ]
    assert titled.paper is not None
    assert titled.paper.title == "A paper by its own title"


def test_a_folder_of_pdfs_reads_the_imported_papers_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for each PDF, a thousand of them would read a million papers."""
    read = list[Paths]()

    def counted(paths: Paths) -> list[Paper]:
        read.append(paths)
        return own_papers(paths)

    monkeypatch.setattr("coi_tui.session.papers.pdf_folder.own_papers", counted)
    files = {
        "a.pdf": pdf_of("Gates that weigh evidence", NONCE),
        "b.pdf": pdf_of("Shelves of forgotten claims", "b"),
    }
    files["c.pdf"] = files["a.pdf"]
    done = taken(tmp_path, files, own=(GATES, SHELVES))
    assert (done["c.pdf"].state, done["c.pdf"].why) == (
        "twin",
        "c.pdf is the same file as a.pdf, so it is left out.",
    )
    assert len(read) == 1


def test_a_folder_is_walked_without_hidden_files_and_a_pipe_is_not_waited_for(
    tmp_path: Path,
) -> None:
    for name in ("b/two.PDF", "one.pdf", ".hidden.pdf", ".git/x.pdf", "note.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"%PDF")
    assert [p.name for p in pdfs_in(tmp_path)] == ["one.pdf", "two.PDF"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.pdf")
        (done,) = imported(paths_in(tmp_path), [tmp_path / "pipe.pdf"])
        assert done.why == "pipe.pdf is not a file, so it was not read."


@pytest.mark.parametrize(
    "form", ["{}", " {} ", "'{}'", '"{}"', "\u201c{}\u201d", "{esc}", "file://{url}"]
)
def test_a_path_is_understood_as_terminals_paste_it(tmp_path: Path, form: str) -> None:
    file = tmp_path / "my folder" / "it's a (paper).pdf"
    file.parent.mkdir()
    file.write_bytes(b"%PDF")
    plain = str(file)
    escaped = "".join(f"\\{c}" if c in " '()" else c for c in plain)
    said = form.format(plain, esc=escaped, url=plain.replace(" ", "%20"))
    assert meant_path(said) == file


def test_a_wrong_path_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "x.pdf").write_bytes(b"%PDF")
    assert meant_path("~/x.pdf") == tmp_path / "x.pdf"
    (tmp_path / "x.txt").write_text("a")
    for said, why in (
        ("", "No path was given"),
        ("~", "is a folder"),
        ("~/y.pdf", "There is no file"),
        ("~/x.txt", "not named .pdf"),
        ("a" * 5000, "There is no file|cannot"),
    ):
        with pytest.raises(UsageError, match=why):
            meant_path(said)


def test_its_text_is_sent_only_in_the_prompt_that_reads_the_paper(tmp_path: Path) -> None:
    """The one request of the language model that holds a word of the PDF is that of the reading prompt for its paper."""
    desk = Desk.new(tmp_path)
    desk.run("anchors")
    held = desk.session.state.papers[str(desk.session.state.slot("1/0").paper)]
    taken(
        tmp_path,
        {"mine.pdf": pdf_of(held.title, NONCE, people=" and ".join(held.authors))},
        own=(held,),
    )
    desk.own = ImportedPdfTexts(desk.session.core.paths)
    desk.run("review")
    with_text = [r for r in desk.model.requests if NONCE in r.user or NONCE in r.system]
    assert {r.prompt for r in with_text} == {"coi_read"}
    assert {r.values["title"] for r in with_text} == {held.title}
    card = desk.content("1/0.card")
    assert card["source"] == "full text"
    assert card["note"].startswith("from your PDF mine.pdf")
    assert len(with_text) == 1
    exports = desk.session.exports
    assert NONCE not in exports.text("md", WITH_APPENDIX) + exports.text("json") + exports.text(
        "bib"
    )
    assert NONCE.encode() not in desk.session.core.paths.library.read_bytes()


def test_no_other_prompt_gets_it_though_every_paper_has_a_pdf(tmp_path: Path) -> None:
    """Refining a plan takes facts from papers it finds: from what is public of them, not from the researcher's files."""
    desk = Desk.new(tmp_path)
    for paper in desk.world.papers.values():
        keep_text(
            desk.session.core.paths,
            paper,
            OwnPdf("x.pdf", "hash of it", f"{NONCE} of {paper.title}"),
        )
    desk.own = ImportedPdfTexts(desk.session.core.paths)
    assert desk.run("review").state == "done"
    asked = {r.prompt for r in desk.model.requests}
    assert {"coi_facts", "coi_relevances", "coi_refine"} <= asked
    assert {r.prompt for r in desk.model.requests if NONCE in r.user + r.system} == {"coi_read"}
    cards = [a for a in desk.session.state.cells if a.endswith(".card")]
    assert {desk.content(a)["source"] for a in cards} == {"full text"}


def test_the_plan_tells_of_pdfs_in_my_library_where_papers_are_read(tmp_path: Path) -> None:
    desk = copy_of(tmp_path)
    s = desk.session
    s.core.keys = Keys(llm="sk-any")
    held = s.state.papers[str(s.state.slot("1/0").paper)]
    keep_text(s.core.paths, held, OwnPdf("mine.pdf", "hash", NONCE))
    told = "the text of your PDF mine.pdf, only in the prompt that reads it"
    assert told in s.planner.to_refresh(["1/0.card"], again=True).sends
    assert not any("PDF" in said for said in s.planner.to_refresh(["1/dir"], again=True).sends)
    assert any(
        "(1 in your library)" in said
        for said in s.planner.to_refresh(["1/+1.rel"], again=True).sends
    )
    new = Desk.new(tmp_path / "new").session
    new.core.keys = Keys(llm="sk-any")
    keep_text(new.core.paths, held, OwnPdf("mine.pdf", "hash", NONCE))
    assert any("(1 in your library)" in said for said in new.planner.to_stage("cards").sends)
    assert not any("PDF" in said for said in new.planner.to_stage("anchors").sends)
