"""``coi library`` and ``coi forget`` as a person types them."""

from __future__ import annotations

import shlex
from pathlib import Path

from benchmarks.standins import StandInProcess
from tests.e2e.conftest import TOPIC, Run
from tests.support.own_pdfs import pdf_of


def test_own_papers_from_the_command_line(offline: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.ris"
    file.write_text("TY  - JOUR\nTI  - A paper of mine\nPY  - 2020\nER  - \nTY  - JOUR\nER  - \n", encoding="utf-8")
    added = offline("library", "add", str(file))
    assert added.code == 0
    assert "1 new, 0 already known, 1 left out" in added.out
    listed = offline("library", "list")
    assert "A paper of mine" in listed.out
    name = listed.out.split()[0]
    assert offline("library", "remove", name).code == 0
    assert "no papers yet" in offline("library", "list").out
    refused = offline("library", "add", str(tmp_path / "none.bib"))
    assert refused.code == 2
    assert "cannot be read" in refused.err


def test_size_and_prune(offline: Run) -> None:
    assert "empty" in offline("library", "size").out
    assert offline("demo", "--headless", "--out", "-").code == 0
    assert "papers" in offline("library", "size").out
    assert "deleted" in offline("library", "prune", "--older-than", "0").out


def test_forgetting_a_session_asks_for_its_name_and_leaves_nothing(offline: Run, tmp_path: Path) -> None:
    assert offline("run", "chain of thought reasoning", "--name", "gone", "--offline", "--yes", "--until", "anchors").code == 0
    assert offline("forget", "gone", stdin="no\n").code == 3
    assert offline("show", "gone").code == 0
    done = offline("forget", "gone", stdin="gone\n")
    assert done.code == 0, done.err
    assert not [f for f in tmp_path.rglob("*gone*") if f.is_file()]
    assert offline("show", "gone").code == 2
    assert offline("forget", "gone", "--yes").code == 2


def test_a_folder_of_pdfs_with_a_question_that_is_answered(offline: Run, tmp_path: Path) -> None:
    folder = tmp_path / "my pdfs"
    folder.mkdir()
    (folder / "one.pdf").write_bytes(pdf_of("Gates that nobody opened", stamp="arXiv:2203.00009v1 [cs.AI] 1 Mar 2022"))
    (folder / "two of it.pdf").write_bytes(pdf_of("A title that nothing knows"))
    (folder / "three.pdf").write_bytes(b"%PDF-1.4 nothing")
    done = offline("library", "add", str(folder))
    assert done.code == 3, done.err
    assert "new        one.pdf: Gates that nobody opened (arXiv:2203.00009), by arXiv 2203.00009" in done.out
    assert "which paper is this?   two of it.pdf" in done.out
    assert "not read   three.pdf is damaged or cut off" in done.err
    assert "3 PDFs: 1 imported as new papers, 1 to identify (which paper is this?), 1 could not be read." in done.out
    command = next(line for line in done.out.splitlines() if "answer with" in line).partition("coi ")[2]
    answer = shlex.split(command.replace("--as DOI", "--as 10.5555/two"))
    assert answer[:2] == ["library", "add"]
    answered = offline(*answer)
    assert answered.code == 0, answered.err
    assert "DOI:10.5555/two" in answered.out
    listed = offline("library", "list").out
    assert "(your PDF one.pdf)" in listed
    assert "(your PDF two of it.pdf)" in listed
    assert offline("library", "add", str(folder / "one.pdf")).out.startswith("unchanged ")
    assert offline("library", "add", "--as", "10.1/x", str(folder)).code == 2


def test_a_second_session_takes_kept_answers_unless_told_to_ask_again(online: Run, services: StandInProcess) -> None:
    def searches() -> int:
        assert services.log_file is not None
        lines = Path(services.log_file).read_text(encoding="utf-8").splitlines()
        return sum("/paper/" in line for line in lines)

    for name, more, asks in (("one", (), True), ("two", (), False), ("three", ("--refresh",), True)):
        before = searches()
        ran = online("run", TOPIC, "--name", name, "--branches", "1", "--until", "anchors", "--yes", *more)
        assert ran.code == 0, ran.err
        assert (searches() > before) == asks, name
        assert ("the services are asked again" in ran.err) == bool(more)
    shown = online("show", "two", "1/0.cands")
    assert "answered today, from the library (Semantic Scholar" in shown.out
