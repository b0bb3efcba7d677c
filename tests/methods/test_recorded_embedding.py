"""Vectors of texts: asked for once, whatever session asks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from coi_tui.config import LlmSettings, Price, RoleSettings
from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Recorder
from coi_tui.methods.recorded_calls import ServedVectors
from coi_tui.methods.similarity import vectors_of
from coi_tui.model.calls import Call
from coi_tui.model.state import State
from coi_tui.services.llm.chat import EmbeddingReply
from coi_tui.session.papers.library import Shelf
from coi_tui.store.library_file import LibraryFile
from coi_tui.store.session_file import Spent
from tests.support.toy import MemoryFile


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


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LibraryFile]:
    with LibraryFile(tmp_path / "library.db") as held:
        yield held


class Session:
    """One of several sessions over one library; ``calls`` are what it kept."""

    def __init__(self, server: Server, library: LibraryFile | None) -> None:
        self.server, self.cache = server, Shelf(library) if library is not None else None
        self.settings = LlmSettings(embedding=RoleSettings(model="vec"))
        self.prices = {"vec": Price(input=2.0, output=0.0)}
        self.file = MemoryFile()
        self.journal = Journal(self.file, [], {}, [], lambda: "2026-01-01T00:00:00Z")

    def ask(self, *texts: str) -> list[list[float]]:
        ctx = Context(Recorder(self.journal, Budget()), State(), "1/0.cands", "anchors")
        served = ServedVectors(self.server, self.settings, self.prices, self.cache)
        made = asyncio.run(vectors_of(ctx, texts, served, None))
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


def test_vectors_of_another_model_behind_the_same_name_are_not_mixed(library: LibraryFile) -> None:
    Session(Server(size=3), library).ask("a", "b")
    server = Server(size=4)
    assert {len(v) for v in Session(server, library).ask("b", "c")} == {4}
    assert {len(v) for v in Session(server, library).ask("b", "c")} == {4}
    assert server.asked == ["c", "b", "c"], "asked once more in whole, then kept"
