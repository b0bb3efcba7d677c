"""``coi papers`` and ``coi forget`` as a person types them."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import Run
from tests.support.pdfs import pdf_of
from tests.support.standins import StandInProcess, make_corpus


def test_own_papers_from_the_command_line(offline: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.bib"
    file.write_text(
        "@misc{a, title={A paper of mine}, year=2020}\n@misc{b, year=2020}\n",
        encoding="utf-8",
    )
    added = offline("papers", "add", str(file))
    assert added.code == 0
    assert "1 new, 0 already known, 1 left out" in added.out
    listed = offline("papers", "list")
    assert "A paper of mine" in listed.out
    name = listed.out.split()[0]
    assert offline("papers", "remove", name).code == 0
    assert "no papers yet" in offline("papers", "list").out
    refused = offline("papers", "add", str(tmp_path / "none.bib"))
    assert refused.code == 2
    assert "cannot be read" in refused.err


def test_forgetting_a_session_asks_for_its_name_and_leaves_nothing(
    offline: Run, tmp_path: Path
) -> None:
    assert (
        offline(
            "run",
            "chain of thought reasoning",
            "--name",
            "gone",
            "--offline",
            "--yes",
            "--until",
            "anchors",
        ).code
        == 0
    )
    assert offline("forget", "gone", stdin="no\n").code == 3
    assert offline("show", "gone").code == 0
    done = offline("forget", "gone", stdin="gone\n")
    assert done.code == 0, done.err
    assert not [f for f in tmp_path.rglob("*gone*") if f.is_file()]
    assert offline("show", "gone").code == 2
    assert offline("forget", "gone", "--yes").code == 2


def test_pdfs_are_added_by_their_ids_and_the_others_are_listed(
    online: Run, services: StandInProcess, tmp_path: Path
) -> None:
    known = [p for p in make_corpus().papers if len(p.title) > 40][:2]
    folder = tmp_path / "pdfs"
    folder.mkdir()
    (folder / "1 stamp.pdf").write_bytes(
        pdf_of(known[0].title, stamp=f"arXiv:{known[0].arxiv}v1 [cs.AI] 1 Mar 2022")
    )
    (folder / "2 title.pdf").write_bytes(pdf_of(known[1].title))
    (folder / "3 page.pdf").write_bytes(b"<html>")
    alone = online("papers", "add", "--offline", str(folder))
    assert alone.code == 1
    assert "nothing leaves it" in alone.err
    assert "0 of 3 PDFs added." in alone.out
    done = online("papers", "add", str(folder))
    assert done.code == 1
    assert "What is not known here is sent to Semantic Scholar." in done.err
    assert f"added      1 stamp.pdf: {known[0].title} (" in done.out
    assert "left out   2 title.pdf names no DOI or arXiv id" in done.out
    assert "left out   3 page.pdf" in done.out
    named = f"arXiv:{known[1].arxiv}"
    attached = online("papers", "attach", str(folder / "2 title.pdf"), named)
    assert attached.code == 0, attached.err
    listed = online("papers", "list").out
    assert "(your PDF 1 stamp.pdf)" in listed
    assert "(your PDF 2 title.pdf)" in listed
