"""A suite made from a folder of real papers."""

import asyncio
from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, Settings
from coi_tui.model.errors import UsageError
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.session.environment import Environment
from coi_tui.session.suite.contest import Contest
from coi_tui.session.suite.definition import load_suite
from coi_tui.session.suite.from_papers import SHOWN, make_suite, papers_in
from tests.support.desk import bare, paths_in
from tests.support.pdfs import pdf_of
from tests.support.script import HashModel

SETTINGS = Settings(llm=LlmSettings(retries=0, main={"model": "main-1"}))


def told(request: ChatRequest) -> dict[str, str]:
    text = str(request.values["text"])
    topic = f"Field of “{text.split()[0]}”\n\x1b[2J"
    return {"topic": topic, "idea": f"Idea of {text[:9]}", "experiment": "1. Try it."}


class Papers:
    """A folder with papers, and a model that tells them."""

    def __init__(self, home: Path) -> None:
        self.home, self.folder, self.out = home, home / "real", home / "suite.toml"
        self.folder.mkdir()
        self.paths = paths_in(home)
        self.model = HashModel({"arena_paper": told})

    def add(self, name: str, data: bytes) -> None:
        (self.folder / name).write_bytes(data)

    def make(self) -> dict[str, str]:
        files = papers_in(self.folder, self.out)
        making = make_suite(
            files, self.out, Environment(self.paths, SETTINGS, Keys(), model=self.model)
        )
        return asyncio.run(making)


@pytest.fixture
def papers(tmp_path: Path) -> Papers:
    return Papers(tmp_path)


def test_a_folder_of_papers_becomes_topics_and_a_contestant(papers: Papers) -> None:
    papers.add("b.md", b"Birds sing. " * SHOWN)
    papers.add("a.txt", "Ants “walk” home.".encode())
    papers.add("notes.docx", b"no paper")
    assert not papers.make()
    assert all(len(str(r.values["text"])) <= SHOWN for r in papers.model.requests)
    suite = load_suite(papers.out)
    assert suite.topics == ("Field of “Ants”", "Field of “Birds”")
    contest = Contest(papers.out, Environment(papers.paths, SETTINGS, Keys(), model=papers.model))
    own = {e.number: e.source for e in contest.entries if e.contestant.texts}
    assert own == {1: "Idea of Ants “wal\n\n1. Try it.", 2: "Idea of Birds sin\n\n1. Try it."}


def test_what_fails_is_named_and_the_next_call_asks_for_nothing_else(papers: Papers) -> None:
    papers.add("a.md", b"Ants walk.")
    papers.add("b.md", b"\xff\xfe")
    papers.add("c.pdf", b"%PDF-1.7 broken")
    assert papers.make().keys() == {"b.md", "c.pdf"}
    assert not papers.out.exists()
    papers.add("b.md", b"Bees fly.")
    papers.add("c.pdf", pdf_of("Cats sleep all day and all night."))
    assert not papers.make()
    assert len(papers.model.requests) == 3
    with pytest.raises(UsageError):
        papers.make()


def test_without_a_model_or_a_paper_one_sentence_says_so(papers: Papers, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        papers_in(papers.folder, papers.out)
    with pytest.raises(UsageError):
        papers_in(tmp_path / "nowhere", papers.out)
    papers.add("a.md", b"Ants walk.")
    made = make_suite(
        papers_in(papers.folder, papers.out),
        papers.out,
        bare(papers.home),
    )
    with pytest.raises(UsageError):
        asyncio.run(made)
