"""The fetch of a running step: every answer is kept in the session, and where it can be found in the library it is not asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from coi_tui.engine.context import Context
from coi_tui.engine.events import Event
from coi_tui.engine.recorder import Answer
from coi_tui.literature.cached_answers import worth_caching
from coi_tui.literature.types import UNAVAILABLE, Fetch, HttpAnswer, HttpRequest, PdfText
from coi_tui.model.errors import ServiceError


class TextShelf(Protocol):
    """Where texts that were fetched once are found again in another session: the shared library."""

    async def cached_text(self, url: str) -> Mapping[str, Any] | None: ...

    async def remember_text(self, url: str, answer: Mapping[str, Any]) -> None: ...


class AnswerShelf(Protocol):
    """Where the answers of one source, seen up to one day, are found again. ``anew`` names the job that asks the services again."""

    @property
    def anew(self) -> str: ...

    def old(self, answered: str, *, held: bool = False) -> bool:
        """Whether an answer of that time (ISO) is to be asked for again; never where nothing can be asked. ``held`` by the session."""
        ...

    async def find(self, request: HttpRequest) -> HttpAnswer | None: ...

    async def keep(self, request: HttpRequest, answer: HttpAnswer) -> None: ...


class RecordedFetch:
    """A fetch whose answers are kept in the session file, one by one, and found again by what was asked.

    ``first_hand``: nothing is taken from the library, only put there (a check of what exists today).
    """

    def __init__(
        self, ctx: Context, inner: Fetch, stage: int | None = None, shelf: TextShelf | None = None, answers: AnswerShelf | None = None, *,
        first_hand: bool = False,
    ) -> None:  # fmt: skip
        self._ctx, self._inner, self._stage, self._shelf, self._answers = ctx, inner, stage, shelf, answers
        self._first_hand = first_hand

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The answer with its time. One that this session holds and that has grown old is asked for again, beside the old one."""
        content: dict[str, Any] = dict(request.key())
        if self._answers is not None and self._answers.anew:
            content["anew"] = self._answers.anew
        sent = False

        async def send() -> Answer:
            nonlocal sent
            sent = True
            return Answer((await self._ask(request)).model_dump(mode="json", exclude_defaults=True))

        while True:
            call = await self._ctx.call("http", content, send, shown=request.key(), stage=self._stage)
            answer = HttpAnswer.model_validate(call.reply)
            given = answer.answered or call.started
            mine = sent or call.job == self._ctx.recorder.job  # asked by this job: it was the best there was, and asked once
            if mine or self._answers is None or not self._answers.old(given, held=True):
                return answer.model_copy(update={"answered": given})
            self._ctx.used.pop()  # the result does not rest on it
            content["after"] = call.key

    async def _ask(self, request: HttpRequest) -> HttpAnswer:
        """From the library while that is young enough, else from the service; an old answer only where that is away."""
        answers = self._answers
        looks = answers is not None and not (answers.anew or self._first_hand or self._ctx.again)
        found = await answers.find(request) if answers is not None and looks else None
        if answers is not None and found is not None and not answers.old(found.answered):
            return found
        try:
            answer = await self._inner.json(request)
        except ServiceError as error:
            if found is None or error.kind not in UNAVAILABLE:
                raise
            told = f"{error.service} is away; its answer of {found.answered[:10]} in the library stands in"
            self._ctx.recorder.listen(Event("note", self._ctx.address, self._ctx.step, told))
            return found
        if answers is not None and worth_caching(answer):
            await answers.keep(request, answer)
        return answer

    async def pdf_text(self, url: str) -> PdfText:
        async def send() -> Answer:
            kept = await self._shelf.cached_text(url) if self._shelf else None
            if kept is not None:  # fetched for another session; kept with this one too, so the library may go at any time
                return Answer(kept)
            answer = (await self._inner.pdf_text(url)).model_dump(mode="json")
            if self._shelf and answer["kind"] == "full text":
                await self._shelf.remember_text(url, answer)
            return Answer(answer)

        call = await self._ctx.call("text", {"pdf": url}, send, shown={"pdf": url}, stage=self._stage)
        return PdfText.model_validate(call.reply)
