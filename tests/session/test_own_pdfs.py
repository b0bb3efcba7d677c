"""PDFs of one's own: which paper each is, what is asked, what cannot be read, and where its text
goes."""

import asyncio
import os
import stat
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.literature.ids import Id
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.session.environment import Environment
from coi_tui.session.lookup import id_lookup
from coi_tui.session.papers.own_papers import (
    AddedPdf,
    FindId,
    OwnPdf,
    add_papers,
    add_pdfs,
    forget_paper,
    own_papers,
    own_text,
    pdfs_in,
    store_text,
    stored_texts,
    typed_path,
)
from tests.support.desk import Desk, chains, copy_of, paths_in
from tests.support.pdfs import drawing_only, encrypted, pdf_of, whole

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


def taken(
    folder: Path,
    files: dict[str, bytes],
    own: tuple[Paper, ...] = (),
    find: FindId | None = None,
) -> dict[str, AddedPdf]:
    """The files added, with own papers that know their ids, or ``find``."""
    pdfs, places = folder / "pdfs", paths_in(folder)
    pdfs.mkdir(exist_ok=True)
    for name, data in files.items():
        (pdfs / name).write_bytes(data)
    if own:
        add_papers(places, own)

    async def add() -> list[AddedPdf]:
        async with id_lookup(
            Environment(places, Settings(), Keys(), clock=str), offline=True
        ) as here:
            return [pdf async for pdf in add_pdfs(places, sorted(pdfs.iterdir()), find or here)]

    return {pdf.name: pdf for pdf in asyncio.run(add())}


STAMP = "arXiv:2101.00002v3 [cs.CL] 5 Jan 2021"
CASES = {
    "its DOI on page one": (
        pdf_of("Gates that weigh evidence", foot="https://doi.org/10.1234/gate."),
        GATES.id,
    ),
    "a stamp": (pdf_of("Shelves of forgotten claims", stamp=STAMP), SHELVES.id),
    "its metadata": (
        pdf_of("Gates that weigh\nevidence", subject="Journal of X, doi:10.1234/gate"),
        GATES.id,
    ),
    "its own before those it cites": (
        pdf_of("Shelves of forgotten claims", stamp=STAMP, foot="See 10.1234/gate."),
        SHELVES.id,
    ),
    "an id of a paper that it cites": (
        pdf_of("Quite unknown matters", foot="It builds on 10.1234/gate."),
        "but its first page does not show that paper's title",
    ),
    "an id that nobody knows": (
        pdf_of("Quite unknown matters", foot="10.5555/a.1"),
        "names DOI 10.5555/a.1, which nobody who was asked knows",
    ),
    "the title alone": (
        pdf_of("Gates that weigh evidence"),
        "names no DOI or arXiv id on its first page or in its metadata",
    ),
    "two papers": (
        pdf_of(
            "Gates that weigh evidence",
            people="Shelves of forgotten claims",
            foot="10.1234/gate arXiv:2101.00002",
        ),
        "several papers",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_pdf_is_taken_by_an_id_whose_title_it_shows(tmp_path: Path, case: str) -> None:
    data, said = CASES[case]
    (done,) = taken(tmp_path, {"x.pdf": data}, own=(GATES, SHELVES)).values()
    if ":" in said:
        assert done.paper is not None, done
        assert done.paper.id == said
    else:
        assert done.paper is None
        assert said in done.why
    assert len(stored_texts(paths_in(tmp_path))) == (done.paper is not None)


def test_good_files_go_on_beside_bad_ones(tmp_path: Path) -> None:
    good = pdf_of("Shelves of forgotten claims", NONCE, stamp=STAMP)
    files = {
        "a good.pdf": good,
        "b same.pdf": good,
        "c other.pdf": pdf_of("Shelves of forgotten claims", "printed", stamp=STAMP),
        "d empty.pdf": b"",
        "f cut.pdf": whole()[:900],
        "g scan.pdf": drawing_only().data,
        "h locked.pdf": encrypted("secret").data,
        "i \x1b[31mred\n.pdf": b"no PDF",
        "j new.pdf": pdf_of("Gates that weigh evidence", foot="10.1234/gate"),
    }

    async def find(pair: Id) -> Paper | None:
        return {("arXiv", "2101.00002"): SHELVES, ("DOI", "10.1234/gate"): GATES}.get(pair)

    done = taken(tmp_path, files, own=(SHELVES,), find=find)
    why = {name: pdf.why for name, pdf in done.items()}
    assert {name for name in why if not why[name]} == {"a good.pdf", "j new.pdf"}
    assert SHELVES.id in why["b same.pdf"]
    assert "a good.pdf" in why["c other.pdf"]
    for name, word in {
        "g scan.pdf": "OCR",
        "h locked.pdf": "password",
        "i red .pdf": "PDF",
    }.items():
        assert word in why[name]
    assert [p.id for p in own_papers(paths_in(tmp_path))] == [SHELVES.id, GATES.id]


def test_a_service_that_fails_is_asked_once_and_told(tmp_path: Path) -> None:
    asked = list[Id]()

    async def find(pair: Id) -> Paper | None:
        asked.append(pair)
        raise ServiceError("S2", "network", "Semantic Scholar did not answer.")

    files = {f"{n}.pdf": pdf_of(f"Gates {n} of all", foot=f"10.1234/{n}") for n in range(3)}
    done = taken(tmp_path, files, find=find)
    assert {pdf.why for pdf in done.values()} == {
        "was not looked up: Semantic Scholar did not answer."
    }
    assert len(asked) == 1


def test_the_text_is_kept_for_this_user_alone_and_goes_for_good(tmp_path: Path) -> None:
    places = paths_in(tmp_path)
    taken(
        tmp_path,
        {"a.pdf": pdf_of("Gates that weigh evidence", NONCE, foot="10.1234/gate")},
        own=(GATES,),
    )
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
    forget_paper(places, GATES.id)
    assert not [
        f for f in places.data.rglob("*") if f.is_file() and NONCE.encode() in f.read_bytes()
    ]


def test_a_folder_is_walked_without_hidden_files_and_a_pipe_is_not_waited_for(
    tmp_path: Path,
) -> None:
    for name in ("b/two.PDF", "one.pdf", ".hidden.pdf", ".git/x.pdf", "note.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"%PDF")
    assert [p.name for p in pdfs_in(tmp_path)] == ["one.pdf", "two.PDF"]
    if hasattr(os, "mkfifo"):
        (tmp_path / "pdfs").mkdir()
        os.mkfifo(tmp_path / "pdfs" / "pipe.pdf")
        (done,) = taken(tmp_path, {}).values()
        assert done.why == "is not a file, so it was not read."


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
    assert typed_path(said) == file


def test_the_plan_tells_of_pdfs_in_my_library_where_papers_are_read(tmp_path: Path) -> None:
    desk = copy_of(tmp_path)
    s = desk.session
    s.keys = Keys(llm="sk-any")
    held = s.state.papers[str(chains(s).slot("1/0").paper)]
    store_text(s.paths, held, OwnPdf("mine.pdf", "hash", NONCE))
    told = "the text of your own PDFs (0 attached here, 1 in your library), each only in the prompt that reads it"
    assert told in s.planner.to_refresh(["1/0.card"], again=True).sends
    assert not any("PDF" in said for said in s.planner.to_refresh(["1/dir"], again=True).sends)
    assert told in s.planner.to_refresh(["1/+1.rel"], again=True).sends
    new = Desk.new(tmp_path / "new").session
    new.keys = Keys(llm="sk-any")
    store_text(new.paths, held, OwnPdf("mine.pdf", "hash", NONCE))
    assert told in new.planner.to_stage("cards").sends
    assert not any("PDF" in said for said in new.planner.to_stage("anchors").sends)
