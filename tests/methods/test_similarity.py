"""Words and vectors are two signals; where vectors cannot be had, words stand and the reason is
told once."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coi_tui.config import LlmSettings, Price, RoleSettings
from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Event, Recorder
from coi_tui.methods.evidence.reading_list import Found, rankings
from coi_tui.methods.paper_similarity import (
    LocalVectors,
    ServedVectors,
    SessionVectors,
    Similarity,
)
from coi_tui.methods.services import Services, ServiceSet
from coi_tui.model.entries import Call
from coi_tui.model.papers import Paper
from coi_tui.services.llm.chat import EmbeddingReply
from coi_tui.services.llm.sentence_vectors import SentenceVectors
from coi_tui.session.papers.library import Shelf
from coi_tui.store.library_file import LibraryFile
from coi_tui.store.session_file import Spent
from tests.support.folding import empty_state
from tests.support.toy import MemoryFile
from tests.support.vectors import install

PAPERS = [
    Paper(id="a", title="Drawing a graph", abstract="Layout of networks"),
    Paper(id="b", title="A tree of charts", abstract="chart, chart, chart"),
    Paper(id="c", title="Networks in cells", abstract="Biology"),
]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LibraryFile]:
    with LibraryFile(tmp_path / "library.db") as held:
        yield held


def services_with(vectors: SessionVectors | None, ctx: Context) -> Services:
    """The services of a running task, of which only vectors are set up."""
    none: Any = None
    model: Any = SimpleNamespace(kind="drafter")
    return Services(ServiceSet(model, none, none, none, vectors), ctx)


class Task:
    """A running task; ``notes`` is what it told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        journal = Journal(MemoryFile(), [], {}, [], lambda: "2026-01-01T00:00:00Z")
        self.ctx = Context(
            Recorder(journal, Budget(), listen=self._hear), empty_state(), "reading", "reading list"
        )

    def _hear(self, event: Event) -> None:
        if event.kind == "note":
            self.notes.append(event.text)

    def compare(self, query: str, local: SessionVectors | None) -> Similarity:
        return asyncio.run(services_with(local, self.ctx).similarity(query, PAPERS))


def local_at(folder: Path, library: LibraryFile) -> LocalVectors:
    return LocalVectors(SentenceVectors(folder), Shelf(library))


def test_each_text_is_computed_once_whatever_session_asks(
    tmp_path: Path, library: LibraryFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = install(monkeypatch, tmp_path / "model")
    found = Task().compare("graph layout", local_at(tmp_path / "model", library))
    assert found.rankings()["sentence vectors"]["a"] == 1
    assert len(fake.seen) == 4
    again = Task().compare("graph layout", local_at(tmp_path / "model", library))
    assert again == found
    assert (len(fake.seen), len(fake.made)) == (4, 1)  # nor was the model loaded for it


def test_what_is_lacking_is_told_once_and_words_stand(library: LibraryFile) -> None:
    step, local = Task(), SessionVectors(Shelf(library), "", "The files are missing.")
    found = [step.compare("graph", local) for _ in range(2)]
    assert found[0] == found[1] == step.compare("graph", None)
    assert list(found[0].rankings()) == ["similarity"]
    assert step.notes == ["The files are missing. Papers are compared by their words alone."]


def test_a_model_that_breaks_is_given_up_and_told_once(
    tmp_path: Path, library: LibraryFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = install(monkeypatch, tmp_path / "model")
    monkeypatch.setattr(fake, "breaks", "bad protobuf")
    step, local = Task(), local_at(tmp_path / "model", library)
    assert step.compare("graph", local).vectors == {}
    step.compare("graph", local)
    assert len(fake.made) == 1
    assert len(step.notes) == 1
    assert "bad protobuf" in step.notes[0]


def test_vectors_are_a_signal_of_their_own_and_weigh_citations_too() -> None:
    found = Found(tuple(PAPERS[:2]), {p.id: p for p in PAPERS}, {"a": ("c",), "b": ("c",)})
    both = rankings(
        Similarity({"a": 0.5, "b": 0.0, "c": 0.1}, {"a": 0.2, "b": 0.9, "c": 0.1}), found
    )
    assert both["sentence vectors"] == {"b": 1, "a": 2, "c": 3}
    assert both["citations by vectors"] == {"c": 1}
    alone = rankings(Similarity({"a": 0.5, "b": 0.0, "c": 0.1}), found)
    assert not {"sentence vectors", "citations by vectors"} & alone.keys()  # left out, not zero


# -- of the model service


@dataclass
class Server:
    """Answers with vectors of ``size`` numbers; the first is the length of the text."""

    size: int = 3
    asked: list[str] = field(default_factory=list)

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        self.asked += texts
        return EmbeddingReply(
            [[float(len(t)), *[0.5] * (self.size - 1)] for t in texts],
            "vec-1",
            10 * len(texts),
        )


class Session:
    """One of several sessions over one library; ``calls`` are what it kept."""

    def __init__(self, server: Server, library: LibraryFile | None) -> None:
        self.server, self.cache = server, Shelf(library) if library is not None else None
        self.settings = LlmSettings(embedding=RoleSettings(model="vec"))
        self.prices = {"vec": Price(input=2.0, output=0.0)}
        self.file = MemoryFile()
        self.journal = Journal(self.file, [], {}, [], lambda: "2026-01-01T00:00:00Z")

    def ask(self, *texts: str) -> list[list[float]]:
        ctx = Context(Recorder(self.journal, Budget()), empty_state(), "1/0.cands", "anchors")
        served = ServedVectors(self.server, self.settings, self.prices, self.cache)
        made = asyncio.run(services_with(served, ctx).vectors(texts))
        assert made is not None
        return made[0]

    @property
    def calls(self) -> list[Call]:
        return list(self.file.calls)


def test_only_what_was_asked_is_paid(library: LibraryFile) -> None:
    server = Server()
    one, two = Session(server, library), Session(server, library)
    one.ask("a", "bb")
    assert two.ask("bb", "a") == [[2.0, 0.5, 0.5], [1.0, 0.5, 0.5]]
    assert server.asked == ["a", "bb"]
    assert [c.cost_usd for c in one.calls] == [pytest.approx(2.0 * 20 / 1e6)]
    assert [c.cost_usd for c in two.calls] == [0.0]
    assert Spent().plus(one.calls).money.usd == pytest.approx(4e-5)
