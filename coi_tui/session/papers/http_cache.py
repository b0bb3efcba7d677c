"""What services answered any session: the one HTTP cache, in the shared library."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from coi_tui.model.errors import ServiceError
from coi_tui.model.text import digest
from coi_tui.services.sources.types import UNAVAILABLE, Fetch, HttpAnswer, HttpRequest, PdfText

if TYPE_CHECKING:
    from coi_tui.store.library_file import LibraryFile


class HttpCache:
    """A ``Fetch`` that takes an answer from the library where one was given within ``days`` (0: never),
    and asks ``inner`` for the others and for those wanted ``fresh``.

    ``now`` is the time (ISO). Where the service is unavailable an older answer serves, and ``told``
    hears of it.
    """

    def __init__(
        self,
        inner: Fetch,
        library: LibraryFile,
        days: int,
        now: Callable[[], str],
        told: Callable[[str], None],
    ) -> None:
        self._inner, self._library, self._days, self._now = inner, library, days, now
        self._told = told

    async def json(self, request: HttpRequest) -> HttpAnswer:
        key = f"answer {digest(request.key())}"
        found = None if request.fresh else await self._library.run(self._library.cached, key)
        stored = HttpAnswer.model_validate({**found[0], "answered": found[1]}) if found else None
        if stored is not None and self._is_young(stored.answered):
            return stored
        try:
            answer = await self._inner.json(request)
        except ServiceError as error:
            if stored is None or error.kind not in UNAVAILABLE:
                raise
            day = stored.answered[:10]
            self._told(
                f"{error.service} is unavailable; its stored answer of {day} is used instead"
            )
            return stored
        if _holds_something(answer):
            bare = answer.model_dump(mode="json", include={"status", "payload"})
            await self._library.run(self._library.remember_reply, key, bare, self._now())
        return answer

    def _is_young(self, answered: str) -> bool:
        """Also false for an answer of the future: a clock was wrong."""
        age = datetime.fromisoformat(self._now()) - datetime.fromisoformat(answered)
        return 0 <= age.days < self._days

    async def pdf_text(self, url: str) -> PdfText:
        """The text of a PDF, which does not grow old."""
        key = f"pdf {url}"
        if (found := await self._library.run(self._library.cached, key)) is not None:
            return PdfText.model_validate(found[0])
        text = await self._inner.pdf_text(url)
        if text.kind == "full text":
            await self._library.run(self._library.remember_reply, key, text.model_dump(mode="json"))
        return text


def _holds_something(answer: HttpAnswer) -> bool:
    """What a service does not know today it may know tomorrow, so that is asked each time."""
    payload = answer.payload
    if answer.status != 200 or not isinstance(payload, dict):
        return answer.status == 200 and any(row is not None for row in payload or ())
    rows = [payload[name] for name in ("data", "results", "entries") if name in payload]
    return any(rows) if rows else bool(payload)
