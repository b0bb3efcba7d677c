"""What a running step asks scholarly services and the embedding service: every answer is kept in the session file.

An answer that the shared library holds from another session is taken from there, and is not asked and paid for again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from coi_tui.config import LlmSettings, Price
from coi_tui.engine.context import Context
from coi_tui.engine.events import Event
from coi_tui.engine.recorder import Answer
from coi_tui.literature.cached_answers import worth_caching
from coi_tui.literature.types import UNAVAILABLE, Fetch, HttpAnswer, HttpRequest, PdfText
from coi_tui.llm.prices import price_usd
from coi_tui.llm.types import EmbeddingModel
from coi_tui.model.errors import ServiceError
from coi_tui.model.hashing import digest


class TextCache(Protocol):
    """Where texts that were fetched once are found in another session: the shared library."""

    async def cached_text(self, url: str) -> Mapping[str, Any] | None: ...

    async def remember_text(self, url: str, answer: Mapping[str, Any]) -> None: ...


class VectorCache(Protocol):
    """Where vectors are found in another session, by model and by what was embedded: the shared library."""

    async def known_vectors(
        self, model: str, keys: Sequence[str]
    ) -> Mapping[str, Sequence[float]]: ...

    async def keep_vectors(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None: ...


class AnswerCache(Protocol):
    """Where the answers of one source, as they stood up to one day, are found in another session.

    ``anew`` names the job that is to search again: it takes no answers from here, only puts them.
    """

    @property
    def anew(self) -> str: ...

    def old(self, answered: str, *, held: bool = False) -> bool:
        """Whether an answer of that time (ISO) is to be asked for again; never where nothing can be asked. ``held`` by the session."""
        ...

    async def find(self, request: HttpRequest) -> HttpAnswer | None: ...

    async def keep(self, request: HttpRequest, answer: HttpAnswer) -> None: ...


class NoAnswerCache:
    """An AnswerCache that holds nothing and finds no answer too old."""

    anew = ""

    def old(self, answered: str, *, held: bool = False) -> bool:
        return False

    async def find(self, request: HttpRequest) -> HttpAnswer | None:
        return None

    async def keep(self, request: HttpRequest, answer: HttpAnswer) -> None:
        return


class RecordedFetch:
    """A fetch whose answers are kept in the session file, one by one, and found again by what was asked.

    ``first_hand``: nothing is taken from the library, only put there (a check of what exists today).
    """

    def __init__(
        self,
        ctx: Context,
        inner: Fetch,
        stage: int | None = None,
        texts: TextCache | None = None,
        answers: AnswerCache | None = None,
        *,
        first_hand: bool = False,
    ) -> None:
        self._ctx, self._inner, self._stage, self._texts = ctx, inner, stage, texts
        self._answers: AnswerCache = answers or NoAnswerCache()
        self._first_hand = first_hand

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The answer with its time. One that this session holds and that has grown too old is asked for again; the old one stays."""
        content: dict[str, Any] = dict(request.key())
        if self._answers.anew:
            content["anew"] = self._answers.anew
        sent = False

        async def send() -> Answer:
            nonlocal sent
            sent = True
            return Answer(
                (await self._answer(request)).model_dump(mode="json", exclude_defaults=True)
            )

        while True:
            call = await self._ctx.call(
                "http", content, send, shown=request.key(), stage=self._stage
            )
            answer = HttpAnswer.model_validate(call.reply)
            answered = answer.answered or call.started
            asked_now = (
                sent or call.job == self._ctx.recorder.job
            )  # asked by this job: it was the best there was, and asked once
            if asked_now or not self._answers.old(answered, held=True):
                return answer.model_copy(update={"answered": answered})
            self._ctx.used.pop()  # the result does not rest on it
            content["after"] = call.key

    async def _answer(self, request: HttpRequest) -> HttpAnswer:
        """From the library while that is young enough, else from the service; an old answer only where the service is unavailable."""
        search_again = self._answers.anew or self._first_hand or self._ctx.again
        cached = None if search_again else await self._answers.find(request)
        if cached is not None and not self._answers.old(cached.answered):
            return cached
        try:
            answer = await self._inner.json(request)
        except ServiceError as error:
            if cached is None or error.kind not in UNAVAILABLE:
                raise
            note = f"{error.service} is unavailable; its answer of {cached.answered[:10]} from the library is used instead"
            self._ctx.recorder.listen(Event("note", self._ctx.address, self._ctx.step, note))
            return cached
        if worth_caching(answer):
            await self._answers.keep(request, answer)
        return answer

    async def local(
        self,
        asked: Mapping[str, Any],
        state: str,
        answer: Callable[[], Awaitable[Mapping[str, Any]]],
    ) -> Mapping[str, Any]:
        """An answer of this machine, kept like those of services; one of the same ``state`` of what is asked is not looked up again."""

        async def send() -> Answer:
            return Answer(await answer())

        return (
            await self._ctx.call(
                "text", {**asked, "state": state}, send, shown=asked, stage=self._stage
            )
        ).reply

    async def pdf_text(self, url: str) -> PdfText:
        """The text of a PDF, from the library where another session fetched it; kept with this session too, so the library may go."""

        async def send() -> Answer:
            cached = await self._texts.cached_text(url) if self._texts else None
            if cached is not None:
                return Answer(cached)
            answer = (await self._inner.pdf_text(url)).model_dump(mode="json")
            if self._texts and answer["kind"] == "full text":
                await self._texts.remember_text(url, answer)
            return Answer(answer)

        call = await self._ctx.call(
            "text", {"pdf": url}, send, shown={"pdf": url}, stage=self._stage
        )
        return PdfText.model_validate(call.reply)


class RecordedEmbedding:
    """Vectors of texts, kept in the session as one call for all texts asked at once, and in the library text by text."""

    def __init__(
        self,
        ctx: Context,
        model: EmbeddingModel,
        settings: LlmSettings,
        prices: Mapping[str, Price],
        cache: VectorCache | None = None,
    ) -> None:
        self._ctx, self._model, self._settings, self._prices, self._cache = (
            ctx,
            model,
            settings,
            prices,
            cache,
        )

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._settings.embedding.model

    async def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in their order. Raises ServiceError."""

        async def send() -> Answer:
            return await self._answer(texts)

        call = await self._ctx.call(
            "embed", {"texts": list(texts)}, send, model=self.model, shown={"texts": len(texts)}
        )
        found: list[list[float]] = call.reply["vectors"]
        return found

    async def _answer(self, texts: Sequence[str]) -> Answer:
        """The library's vectors and the server's for the rest; all from the server where the two do not fit together."""
        name, base_url = self._settings.embedding.model, self._settings.base_url
        wanted = {digest(text): text for text in texts}
        known = await self._known(name, list(wanted))
        new, tokens, served = dict[str, list[float]](), 0, name
        if missing := {key: text for key, text in wanted.items() if key not in known}:
            new, tokens, served = await self._embed(missing)
            if (
                known and len(set(map(len, (*known.values(), *new.values())))) > 1
            ):  # the server has another model under this name now
                new, more, served = await self._embed(wanted)
                known, tokens = {}, tokens + more
            if self._cache:
                await self._cache.keep_vectors(name, new)
        found = known | new
        cost = price_usd(name, tokens, 0, self._prices, base_url=base_url) if tokens else 0.0
        return Answer(
            {"vectors": [found[digest(text)] for text in texts], "model": served},
            served,
            tokens,
            cost_usd=cost,
        )

    async def _known(self, model: str, keys: Sequence[str]) -> dict[str, list[float]]:
        known = await self._cache.known_vectors(model, keys) if self._cache else {}
        return {key: list(vector) for key, vector in known.items()}

    async def _embed(self, texts: Mapping[str, str]) -> tuple[dict[str, list[float]], int, str]:
        """Vectors under the keys of the texts, the tokens that they took, and the model that made them."""
        reply = await self._model.embed(list(texts.values()))
        return dict(zip(texts, reply.vectors, strict=True)), reply.prompt_tokens, reply.model_served
