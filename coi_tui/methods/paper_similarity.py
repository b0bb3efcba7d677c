"""How similar papers are to a query: by their words, and by vectors of their sentences where the
session has a model for these, at the model service or on this machine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar, Protocol

from coi_tui.config import LlmSettings, Price
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Event, ServiceAnswer
from coi_tui.literature.ranking import RANKED_LOCALLY, best_first, fused, ranks
from coi_tui.model.entries import LOCAL, CallKind
from coi_tui.model.errors import ServiceError
from coi_tui.model.text import Fields, Values, digest
from coi_tui.services.llm.chat import EmbeddingModel, price_usd
from coi_tui.services.llm.sentence_vectors import SentenceVectors

MOST_COMPARED = 500
"""Papers compared by vectors for one list, unless its task says fewer: the hits of one search and
the papers that they cite most."""
WORDS, VECTORS = "similarity", "sentence vectors"
"""The names of the two signals."""
DIGITS = 5
"""The last bits of a vector differ between processors, so cosines are compared after rounding."""


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

    def fitting(self, number: int) -> set[str]:
        """The most similar papers, as far as they have anything in common with the query."""
        return {p for p in self.nearest(number) if self.words[p] > 0 or self.vectors.get(p, 0) > 0}

    def nearest(self, number: int) -> list[str]:
        """The most similar papers, by both together."""
        return best_first(self.words, fused(self.rankings()) if self.vectors else self.words)[
            :number
        ]


class VectorCache(Protocol):
    """Where vectors are found in another session, by model and by what was embedded: the shared
    library."""

    async def known_vectors(
        self, model: str, keys: Sequence[str]
    ) -> Mapping[str, Sequence[float]]: ...

    async def keep_vectors(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None: ...


MakeReply = Callable[[Sequence[Sequence[float]]], Awaitable[Fields]]


class SessionVectors:
    """The session's model for vectors; each text is computed once, the shared library has it then.

    ``lacking``: why there is none, which is noted once. After a failure words alone are compared.
    """

    kind: ClassVar[CallKind]
    shown: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __init__(self, cache: VectorCache | None, key: str, lacking: str = "") -> None:
        """``key``: what tells this model's vectors from another's."""
        self._cache, self._lacking, self._usable = cache, lacking, not lacking
        self.key = key

    async def embed(self, texts: Sequence[str]) -> ServiceAnswer:
        """``vectors`` for the texts in their order, and ``model``. Raises ServiceError."""
        raise NotImplementedError

    async def recorded(
        self, ctx: Context, texts: Sequence[str], asked: Values, reply: MakeReply
    ) -> Values | None:
        """What follows from the vectors of texts, with their model; None without a model. It alone
        is stored with the session, which gives the same where the model is not."""
        try:
            if self._usable:

                async def send() -> ServiceAnswer:
                    answer = await self._answer(texts)
                    found = await reply(answer.reply["vectors"])
                    return replace(answer, reply={"model": answer.reply["model"], **found})

                shown = {**self.shown, **asked}
                model = "" if self.shown else self.key
                content = {**shown, "model": self.key}
                return (await ctx.call(self.kind, content, send, model=model, shown=shown)).reply
        except ServiceError as error:
            self._usable, self._lacking = False, error.message
        if self._lacking:
            note = f"{self._lacking} Papers are compared by their words alone."
            ctx.recorder.listen(Event("note", ctx.address, ctx.task, note))
            self._lacking = ""
        return None

    async def _answer(self, texts: Sequence[str]) -> ServiceAnswer:
        key, wanted = self.key, {digest(text): text for text in texts}
        found = dict(await self._cache.known_vectors(key, list(wanted))) if self._cache else {}
        missing = {k: text for k, text in wanted.items() if k not in found}
        answer = await self.embed(list(missing.values()))
        new = dict(zip(missing, answer.reply["vectors"], strict=True))
        if self._cache and new:
            await self._cache.keep_vectors(key, new)
        vectors = [list((found | new)[digest(text)]) for text in texts]
        return replace(answer, reply={**answer.reply, "vectors": vectors})


class LocalVectors(SessionVectors):
    """Vectors computed on this machine."""

    kind = "text"
    shown = MappingProxyType({LOCAL: "sentence vectors"})

    def __init__(self, model: SentenceVectors, cache: VectorCache | None) -> None:
        super().__init__(cache, model.key)
        self._model = model

    async def embed(self, texts: Sequence[str]) -> ServiceAnswer:
        vectors = await self._model.embed(texts)
        return ServiceAnswer({"vectors": vectors, "model": self._model.name})


class ServedVectors(SessionVectors):
    """Vectors of the embedding service."""

    kind = "embed"

    def __init__(
        self,
        service: EmbeddingModel,
        settings: LlmSettings,
        prices: Mapping[str, Price],
        cache: VectorCache | None = None,
    ) -> None:
        super().__init__(cache, settings.embedding.model)
        self._service, self._settings, self._prices = service, settings, prices

    async def embed(self, texts: Sequence[str]) -> ServiceAnswer:
        name, url = self.key, self._settings.base_url
        if not texts:
            return ServiceAnswer({"vectors": [], "model": name}, name, cost_usd=0.0)
        reply = await self._service.embed(texts)
        return ServiceAnswer(
            {"vectors": reply.vectors, "model": reply.model_served},
            reply.model_served,
            reply.prompt_tokens,
            cost_usd=price_usd(name, reply.prompt_tokens, 0, self._prices, base_url=url),
        )
