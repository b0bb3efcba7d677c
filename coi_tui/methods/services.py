"""What a step may ask for: model calls with read replies, a source of papers, ranking, texts.
Everything through the recorder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from coi_tui.config import LlmSettings, Price
from coi_tui.engine.context import Context
from coi_tui.literature.ranking import RANKED_LOCALLY
from coi_tui.methods.prompt_calls import Asked as Asked
from coi_tui.methods.prompt_calls import Check, PromptCalls, T
from coi_tui.methods.recorded_calls import (
    ImportedTexts,
    RecordedFetch,
    ServedVectors,
    VectorCache,
    attached_text,
    imported_text,
)
from coi_tui.methods.similarity import (
    MOST_COMPARED,
    LocalVectors,
    Similarity,
    similarity,
    vectors_of,
)
from coi_tui.model.calls import LOCAL
from coi_tui.model.entries import Origin
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import digest
from coi_tui.process import run_in_thread
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatModel, Choices, EmbeddingModel
from coi_tui.services.sources.imported_library import ImportedLibrary
from coi_tui.services.sources.types import STARTER_LIBRARY, Fetch, SearchResult, Source

KNOWN_PAPERS = "papers of your sessions"
"""What a search of them is called where searches are listed."""


class PaperShelf(Protocol):
    """The papers of all sessions: the shared library."""

    async def papers(self) -> Sequence[Paper]: ...


def _of_known(papers: Sequence[Paper], queries: Sequence[str], limit: int) -> list[Paper]:
    """Those that hold at least half of the words of a query, the most similar first, query by
    query."""
    held = ImportedLibrary(papers, today=str)
    return list(
        {paper.id: paper for query in queries for paper in held.nearest(query, limit)[0]}.values()
    )


@dataclass(frozen=True)
class ServiceSet:
    """The services that a session has set up.

    ``source_for`` gives the source of papers, which reaches the network only through the fetch it
    is handed. ``anew``: services are asked even where an answer is stored.
    """

    model: ChatModel
    prompts: Prompts
    source_for: Callable[[Fetch], Source]
    fetch: Fetch
    embedding: EmbeddingModel | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    settings: LlmSettings = field(default_factory=LlmSettings)
    imported_texts: ImportedTexts | None = None
    anew: bool = False
    vector_cache: VectorCache | None = None
    local_vectors: LocalVectors | None = None
    library: PaperShelf | None = None


class Services:
    """The services of the session as one running step uses them: what it asks is recorded under its
    own name and place."""

    def __init__(self, services: ServiceSet, ctx: Context) -> None:
        self._set = services
        self.ctx = ctx

    @property
    def origin(self) -> Origin:
        return self._set.model.kind

    def at(self, stage: int) -> None:
        """Calls from here on had to wait for those of the stage before."""
        self.ctx.stage = stage

    async def ask(
        self,
        name: str,
        values: Mapping[str, Any],
        schema: type[T],
        check: Check | None = None,
        choices: Choices | None = None,
    ) -> Asked[T]:
        """Ask the language model a prompt and read its reply; see ``PromptCalls.ask``."""
        calls = PromptCalls(
            self.ctx, self._set.model, self._set.prompts, self._set.settings, self._set.prices
        )
        return await calls.ask(name, values, schema, check, choices)

    def source(self, stage: int | None = None, *, first_hand: bool = False) -> Source:
        """The source of papers, its requests recorded under this step; ``first_hand`` takes no stored
        answers of other sessions."""
        services = self._set
        return services.source_for(
            RecordedFetch(
                self.ctx, services.fetch, stage, anew=services.anew, first_hand=first_hand
            )
        )

    async def known_papers(self, queries: Sequence[str], limit: int) -> SearchResult:
        """What this session and the shared library hold on any of some queries, at most ``limit``
        for each; no request is sent.

        What was found is kept with the session, since the library goes on growing.
        """
        session, library = self.ctx.state.papers, self._set.library
        others = await library.papers() if library is not None else []
        held = {**{paper.id: paper for paper in others}, **session}

        async def answer() -> Mapping[str, Any]:
            found = await run_in_thread(
                _of_known, [held[paper] for paper in sorted(held)], queries, limit
            )
            return {
                "papers": [paper.model_dump(mode="json", exclude_defaults=True) for paper in found]
            }

        asked = {LOCAL: KNOWN_PAPERS, "queries": list(queries), "limit": limit}
        reply = await RecordedFetch(self.ctx, self._set.fetch).local(
            asked, digest(sorted(held)), answer
        )
        papers = tuple(Paper.model_validate(row) for row in reply["papers"])
        return SearchResult(
            query="; ".join(queries),
            source=KNOWN_PAPERS,
            total=len(papers),
            papers=papers,
            note=RANKED_LOCALLY,
        )

    async def lacking(self, topic: str) -> SearchResult | None:
        """A search for the topic where the source is the starter library and holds too little on
        it, with one sentence that says so.

        Only that library is asked, which costs no request: a service finds papers on nearly
        everything.
        """
        source = self.source()
        if source.name != STARTER_LIBRARY:
            return None
        found = await source.search(topic, 1)
        return found if found.lacking else None

    async def similarity(
        self,
        query: str,
        papers: Sequence[Paper],
        most: int = MOST_COMPARED,
        *,
        pairs_from: float = 0.0,
    ) -> Similarity:
        """How similar papers are to the query; by vectors at most the ``most`` that their words put
        first.

        ``pairs_from``: where there are vectors, tell the pairs of papers whose cosine is at least
        this as well.
        """
        return await similarity(
            self.ctx,
            query,
            list(papers),
            self._served(),
            self._set.local_vectors,
            most,
            pairs_from,
        )

    async def vectors(self, texts: Sequence[str]) -> tuple[list[list[float]], str] | None:
        """A vector for each text and the name of the model that made them; None where the session
        has no model for vectors."""
        return await vectors_of(self.ctx, texts, self._served(), self._set.local_vectors)

    def _served(self) -> ServedVectors | None:
        s = self._set
        return (
            ServedVectors(s.embedding, s.settings, s.prices, s.vector_cache)
            if s.embedding is not None
            else None
        )

    async def text(self, paper: Paper) -> PaperText:
        """What can be read of a paper, labelled; the abstract where the full text cannot be had
        (COI-3). Never an imported PDF."""
        return await self.source().text(paper)

    async def text_to_read(self, paper: Paper) -> PaperText:
        """The same for the prompt that reads a paper into its card, and for no other: there the
        researcher's own PDF goes first.

        The one attached in this session goes before the one among the imported papers.
        """
        if (attached := self.ctx.state.attached.get(paper.id)) is not None:
            return await attached_text(self.ctx, paper, attached)
        texts = self._set.imported_texts
        if texts is not None and (pdf := await texts.imported_text(paper)) is not None:
            return await imported_text(self.ctx, paper, pdf)
        return await self.text(paper)
