"""How similar papers are to a query: by their words, and by vectors of their sentences where a
model for these is at hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from coi_tui.computing import run_in_thread
from coi_tui.engine.context import Context
from coi_tui.engine.events import Event
from coi_tui.engine.recorder import Answer
from coi_tui.literature.citation_ranking import best_first, fused, ranks
from coi_tui.literature.ranking import (
    RANKED_LOCALLY,
    near_pairs,
    paper_words,
    rank,
    rank_by_vectors,
)
from coi_tui.methods.recorded_calls import RecordedEmbedding, VectorCache, cached_vectors
from coi_tui.model.calls import LOCAL
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import digest
from coi_tui.services.llm.sentence_vectors import SentenceVectors

T = TypeVar("T")
MOST_COMPARED = 500
"""Papers compared by vectors for one list, unless its step says fewer: the hits of one search and
the papers that they cite most."""

WORDS, VECTORS = "similarity", "sentence vectors"
"""The names of the two signals."""


@dataclass(frozen=True)
class Similarity:
    """Papers by id with their similarity to a query. ``vectors`` has only those that were compared
    by vectors; it may be empty.

    ``pairs``: papers that are alike by their vectors, where that was asked for.
    """

    words: Mapping[str, float]
    vectors: Mapping[str, float] = field(default_factory=dict)
    how: str = RANKED_LOCALLY
    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)

    def rankings(self) -> dict[str, dict[str, int]]:
        """The ranks by each of the two that is known."""
        both = {WORDS: ranks(self.words), VECTORS: ranks(self.vectors)}
        return {signal: found for signal, found in both.items() if found or signal == WORDS}

    def nearest(self, number: int) -> list[str]:
        """The most similar papers, by both together."""
        return best_first(self.words, fused(self.rankings()) if self.vectors else self.words)[
            :number
        ]


class LocalVectors:
    """Vectors computed on this machine, each text once: the shared library keeps them. ``lacking``:
    why there are none, told once."""

    def __init__(
        self, model: SentenceVectors | None, cache: VectorCache | None, lacking: str = ""
    ) -> None:
        self._model, self._cache, self._lacking = model, cache, lacking

    async def key(self) -> str:
        """What tells this model's vectors from another's. Raises ServiceError."""
        assert self._model is not None
        return await self._model.key()

    async def vectors(self, texts: Sequence[str]) -> tuple[list[list[float]], str]:
        """A vector for each text, and the model's name. Raises ServiceError."""
        assert self._model is not None
        key, wanted = await self._model.key(), {digest(text): text for text in texts}
        found = await cached_vectors(self._cache, key, wanted)
        if missing := {k: text for k, text in wanted.items() if k not in found}:
            made = await self._model.embed(list(missing.values()))
            new = dict(zip(missing, made, strict=True))
            found |= new
            if self._cache:
                await self._cache.keep_vectors(key, new)
        return [found[digest(text)] for text in texts], self._model.name

    async def attempt(self, ctx: Context, compute: Callable[[], Awaitable[T]]) -> T | None:
        """What comes of a computation with these vectors; None where there are none, which is said
        once with the reason. After a failure words alone are compared from then on."""
        if self._model is not None:
            try:
                return await compute()
            except ServiceError as error:
                self._model, self._lacking = None, error.message
        if self._lacking:
            said = f"{self._lacking} Papers are compared by their words alone."
            ctx.recorder.listen(Event("note", ctx.address, ctx.step, said))
            self._lacking = ""
        return None


async def similarity(
    ctx: Context,
    query: str,
    papers: Sequence[Paper],
    served: RecordedEmbedding | None,
    local: LocalVectors | None,
    most: int = MOST_COMPARED,
    pairs_from: float = 0.0,
) -> Similarity:
    """By words; and for the ``most`` papers that these put first by vectors, of the model service
    before those of this machine.

    ``pairs_from``: the cosine from which two papers are told to be alike; 0 for no pairs.
    """
    found = Similarity({p.id: score for score, p in await run_in_thread(rank, query, papers)})
    first = set(best_first(found.words, found.words)[:most])
    compared = [p for p in papers if p.id in first]
    texts = [query, *map(paper_words, compared)]
    if served is not None and compared:
        try:
            return await _with(
                found, compared, await served.vectors(texts), served.model, pairs_from
            )
        except ServiceError:
            return Similarity(
                found.words, how=f"{RANKED_LOCALLY}: the embedding service did not answer"
            )
    if local is None or not compared:
        return found
    made = await local.attempt(
        ctx, lambda: _locally(ctx, found, compared, texts, local, pairs_from)
    )
    return made or found


async def vectors_of(
    ctx: Context, texts: Sequence[str], served: RecordedEmbedding | None, local: LocalVectors | None
) -> tuple[list[list[float]], str] | None:
    """A vector for each text and the name of their model, of the model service before that of this
    machine; None where neither has any."""
    if served is not None and texts:
        try:
            return await served.vectors(texts), served.model
        except ServiceError:
            return None
    if local is None or not texts:
        return None
    return await local.attempt(ctx, lambda: _vectors_locally(ctx, texts, local))


async def _vectors_locally(
    ctx: Context, texts: Sequence[str], local: LocalVectors
) -> tuple[list[list[float]], str]:
    """Vectors of this machine, kept with the session as those of a service are."""

    async def send() -> Answer:
        vectors, model = await local.vectors(texts)
        return Answer(
            {"model": model, "vectors": [[round(x, DIGITS) for x in vector] for vector in vectors]}
        )

    content = {LOCAL: "sentence vectors", "each": digest(list(texts))}
    call = await ctx.call("text", {**content, "model": await local.key()}, send, shown=content)
    return call.reply["vectors"], call.reply["model"]


async def _locally(
    ctx: Context,
    found: Similarity,
    papers: Sequence[Paper],
    texts: Sequence[str],
    local: LocalVectors,
    pairs_from: float,
) -> Similarity:
    """By vectors of this machine. How similar they are is kept with the session, which shall say
    the same where the model is not."""

    async def send() -> Answer:
        vectors, model = await local.vectors(texts)
        compared = await _with(found, papers, vectors, model, pairs_from)
        pairs = (
            {"pairs": [[*pair, cosine] for pair, cosine in compared.pairs.items()]}
            if pairs_from
            else {}
        )
        return Answer({"model": model, "similar": dict(compared.vectors), **pairs})

    content: dict[str, Any] = {LOCAL: "sentence vectors", "texts": digest(list(texts))}
    content |= {"pairs_from": pairs_from} if pairs_from else {}
    call = await ctx.call("text", {**content, "model": await local.key()}, send, shown=content)
    pairs = {(one, other): cosine for one, other, cosine in call.reply.get("pairs", ())}
    return Similarity(found.words, call.reply["similar"], by_vectors(call.reply["model"]), pairs)


def by_vectors(model: str) -> str:
    return f"ranked by words and by sentence vectors ({model})"


async def _with(
    found: Similarity,
    papers: Sequence[Paper],
    vectors: Sequence[Sequence[float]],
    model: str,
    pairs_from: float = 0.0,
) -> Similarity:
    by_id = {p.id: vector for p, vector in zip(papers, vectors[1:], strict=True)}
    scored = await run_in_thread(rank_by_vectors, vectors[0], by_id)
    cosines = {paper_id: max(0.0, round(score, DIGITS)) for score, paper_id in scored}
    pairs = await run_in_thread(near_pairs, by_id, pairs_from) if pairs_from else {}
    return Similarity(
        found.words,
        cosines,
        by_vectors(model),
        {pair: round(cosine, DIGITS) for pair, cosine in pairs.items()},
    )


DIGITS = 5
"""The last bits of a vector differ between processors, so cosines are compared after rounding."""
