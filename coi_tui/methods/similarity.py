"""How similar papers are to a query: by their words, and by vectors of their sentences where a
model for these is at hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from coi_tui.computing import run_in_thread
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Answer, Event
from coi_tui.literature.citation_ranking import best_first, fused, ranks
from coi_tui.literature.ranking import (
    RANKED_LOCALLY,
    near_pairs,
    paper_words,
    rank,
    rank_by_vectors,
)
from coi_tui.methods.recorded_calls import ServedVectors, VectorCache, Vectors, cached_vectors
from coi_tui.model.calls import LOCAL, CallKind
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

    kind: CallKind = "text"

    def __init__(
        self, model: SentenceVectors | None, cache: VectorCache | None, lacking: str = ""
    ) -> None:
        self._model, self._cache, self._lacking = model, cache, lacking

    async def key(self) -> str:
        """What tells this model's vectors from another's. Raises ServiceError."""
        assert self._model is not None
        return await self._model.key()

    async def answer(self, texts: Sequence[str]) -> Answer:
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
        vectors = [found[digest(text)] for text in texts]
        return Answer({"vectors": vectors, "model": self._model.name})

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
    served: ServedVectors | None,
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
    if not compared:
        return found
    texts = [query, *map(paper_words, compared)]

    async def reply(made: Sequence[Sequence[float]]) -> dict[str, Any]:
        by_id = {p.id: vector for p, vector in zip(compared, made[1:], strict=True)}
        scored = await run_in_thread(rank_by_vectors, made[0], by_id)
        pairs = await run_in_thread(near_pairs, by_id, pairs_from) if pairs_from else {}
        return {
            "similar": {paper: max(0.0, round(score, DIGITS)) for score, paper in scored},
            "pairs": [[*pair, round(cosine, DIGITS)] for pair, cosine in pairs.items()],
        }

    async def compare(vectors: Vectors) -> Similarity:
        asked = {"texts": digest(texts), "pairs_from": pairs_from}
        said = await _recorded(ctx, vectors, texts, asked, reply)
        pairs = {(one, other): cosine for one, other, cosine in said["pairs"]}
        how = f"ranked by words and by sentence vectors ({said['model']})"
        return Similarity(found.words, said["similar"], how, pairs)

    failed = f"{RANKED_LOCALLY}: the embedding service did not answer"
    without = replace(found, how=failed) if served is not None else found
    return await _attempt(ctx, served, local, compare) or without


async def vectors_of(
    ctx: Context, texts: Sequence[str], served: ServedVectors | None, local: LocalVectors | None
) -> tuple[list[list[float]], str] | None:
    """A vector for each text and the name of their model, of the model service before that of this
    machine; None where neither has any."""

    async def reply(made: Sequence[Sequence[float]]) -> dict[str, Any]:
        return {"vectors": [[round(x, DIGITS) for x in vector] for vector in made]}

    async def make(vectors: Vectors) -> tuple[list[list[float]], str]:
        said = await _recorded(ctx, vectors, texts, {"each": digest(list(texts))}, reply)
        return said["vectors"], said["model"]

    return await _attempt(ctx, served, local, make) if texts else None


async def _attempt(
    ctx: Context,
    served: ServedVectors | None,
    local: LocalVectors | None,
    compute: Callable[[Vectors], Awaitable[T]],
) -> T | None:
    """What comes of a computation with the vectors of the model service, else of this machine; None
    where there are none."""
    if served is None:
        return await local.attempt(ctx, lambda: compute(local)) if local is not None else None
    try:
        return await compute(served)
    except ServiceError:
        return None


async def _recorded(
    ctx: Context,
    vectors: Vectors,
    texts: Sequence[str],
    asked: Mapping[str, Any],
    reply: Callable[[Sequence[Sequence[float]]], Awaitable[dict[str, Any]]],
) -> Mapping[str, Any]:
    """What follows from the vectors of texts, with their model. It alone is stored with the session,
    which shall say the same where the model is not."""

    async def send() -> Answer:
        answer = await vectors.answer(texts)
        said = await reply(answer.reply["vectors"])
        return replace(answer, reply={"model": answer.reply["model"], **said})

    served = vectors.kind == "embed"
    key, shown = await vectors.key(), {**({} if served else {LOCAL: "sentence vectors"}), **asked}
    model = key if served else ""
    content = {**shown, "model": key}
    return (await ctx.call(vectors.kind, content, send, model=model, shown=shown)).reply


DIGITS = 5
"""The last bits of a vector differ between processors, so cosines are compared after rounding."""
