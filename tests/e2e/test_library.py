"""``coi library`` and ``coi forget`` as a person types them."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from benchmarks.standins import StandInProcess, make_corpus
from tests.e2e.conftest import TOPIC, Run
from tests.support.own_pdfs import pdf_of


def test_own_papers_from_the_command_line(offline: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.ris"
    file.write_text(
        "TY  - JOUR\nTI  - A paper of mine\nPY  - 2020\nER  - \nTY  - JOUR\nER  - \n",
        encoding="utf-8",
    )
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
    assert (
        offline(
            "run", "chain of thought reasoning", "--offline", "--yes", "--until", "anchors"
        ).code
        == 0
    )
    assert "papers" in offline("library", "size").out
    assert "deleted" in offline("library", "prune", "--older-than", "0").out


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


def test_a_folder_of_pdfs_with_a_question_that_is_answered(offline: Run, tmp_path: Path) -> None:
    folder = tmp_path / "my pdfs"
    folder.mkdir()
    (folder / "one.pdf").write_bytes(
        pdf_of("Gates that nobody opened", stamp="arXiv:2203.00009v1 [cs.AI] 1 Mar 2022")
    )
    (folder / "two of it.pdf").write_bytes(pdf_of("A title that nothing knows"))
    (folder / "three.pdf").write_bytes(b"%PDF-1.4 nothing")
    done = offline("library", "add", str(folder))
    assert done.code == 3, done.err
    assert (
        "new        one.pdf: Gates that nobody opened (arXiv:2203.00009), by arXiv 2203.00009"
        in done.out
    )
    assert "which paper is this?   two of it.pdf" in done.out
    assert "not read   three.pdf is damaged or cut off" in done.err
    assert (
        "3 PDFs: 1 imported as new papers, 1 to identify (which paper is this?), 1 could not be read."
        in done.out
    )
    command = next(line for line in done.out.splitlines() if "answer with" in line).partition(
        "coi "
    )[2]
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


def test_a_second_session_takes_kept_answers_unless_told_to_ask_again(
    online: Run, services: StandInProcess
) -> None:
    def searches() -> int:
        assert services.log_file is not None
        lines = Path(services.log_file).read_text(encoding="utf-8").splitlines()
        return sum("/paper/" in line for line in lines)

    for name, more, asks in (
        ("one", (), True),
        ("two", (), False),
        ("three", ("--refresh",), True),
    ):
        before = searches()
        ran = online(
            "run", TOPIC, "--name", name, "--branches", "1", "--until", "anchors", "--yes", *more
        )
        assert ran.code == 0, ran.err
        assert (searches() > before) == asks, name
        assert ("the services are asked again" in ran.err) == bool(more)
    shown = online("show", "two", "1/0.cands")
    assert "answered today, from the library (Semantic Scholar" in shown.out


def folder_of(tmp_path: Path) -> Path:
    """PDFs of three papers that the stand-in knows: by a stamp, by the title, by the title of other people; and a web page."""
    known = [p for p in make_corpus().papers if len(p.title) > 40][:3]
    folder = tmp_path / "pdfs"
    folder.mkdir()
    (folder / "1 stamp.pdf").write_bytes(
        pdf_of(known[0].title, stamp=f"arXiv:{known[0].arxiv}v1 [cs.AI] 1 Mar 2022")
    )
    (folder / "2 title.pdf").write_bytes(pdf_of(known[1].title, people=", ".join(known[1].authors)))
    (folder / "3 others.pdf").write_bytes(pdf_of(known[2].title, people="Cy Baz"))
    (folder / "4 page.pdf").write_bytes(b"<html>")
    return folder


def test_yes_lets_the_source_be_asked_and_names_nothing_by_its_title_alone(
    online: Run, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path)
    alone = online("library", "add", str(folder))
    assert alone.code == 3
    assert (
        "Semantic Scholar gets 1 id and 3 titles found in 3 of these PDFs. No text of a PDF leaves this machine."
        in alone.err
    )
    assert "Nobody was asked; --yes allows it." in alone.err
    online("library", "remove", "arXiv:9901.00001")
    asked = online("library", "add", "--yes", str(folder))
    assert asked.code == 3
    assert "by title   2 title.pdf: " in asked.out
    assert (
        "Told by title and authors alone, so not imported yet: 1. --accept-titles takes them."
        in asked.out
    )
    assert "2 title.pdf" not in online("library", "list").out
    taken = online("library", "add", "--yes", "--accept-titles", str(folder))
    assert taken.code == 3, "one question is open"
    assert "new        2 title.pdf: " in taken.out
    assert "3 others.pdf" in taken.out.split("which paper is this?")[1]
    assert "4 page.pdf is a web page" in taken.err


def test_in_a_terminal_the_sure_ones_are_taken_by_one_key_and_the_rest_one_by_one(
    online: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coi_tui.cli.pdf_table.in_a_terminal", lambda: True)
    folder = folder_of(tmp_path)
    (folder / "5 own.pdf").write_bytes(pdf_of("Notes that nobody has catalogued"))
    (folder / "6 out.pdf").write_bytes(pdf_of("More notes that nobody has catalogued"))
    answers = (
        "yes",
        "yes",
        "9",
        "1",
        "=",
        "",
    )  # ask, take the sure, a wrong number, the suggestion, as it is, leave out
    done = online("library", "add", str(folder), stdin="\n".join(answers) + "\n")
    assert done.code == 1, done.err
    assert "There is no such suggestion." in done.err
    listed = online("library", "list").out
    assert [
        name
        for name in ("1 stamp", "2 title", "3 others", "5 own", "6 out")
        if f"(your PDF {name}.pdf)" in listed
    ] == [
        "1 stamp",
        "2 title",
        "3 others",
        "5 own",
    ]
    assert "left out   6 out.pdf" in done.out
    assert "1 left out, 1 could not be read." in done.out


def test_a_question_left_open_stays_one(
    offline: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coi_tui.cli.pdf_table.in_a_terminal", lambda: True)
    folder = folder_of(tmp_path)
    done = offline("library", "add", str(folder), stdin="n\nq\n")
    assert done.code == 3
    assert done.out.count("answer with: coi library add") == 3
    assert "no papers yet" in offline("library", "list").out
