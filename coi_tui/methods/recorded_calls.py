"""What a running step asks scholarly services, and the texts of the researcher's own PDFs: every
answer is stored in the session file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Answer
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import digest
from coi_tui.services.sources.types import Fetch, HttpAnswer, HttpRequest, PdfText


class RecordedFetch:
    """A fetch whose answers are kept in the session file, one by one, and found again by what was
    asked, however old they are.

    ``anew``: this job asks for everything once more; ``first_hand``: nothing is taken from other
    sessions (a check of what exists today). ``oldest`` is the date of the oldest answer so far.
    """

    def __init__(
        self,
        ctx: Context,
        inner: Fetch,
        stage: int | None = None,
        *,
        anew: bool = False,
        first_hand: bool = False,
    ) -> None:
        self._ctx, self._inner, self._stage, self._anew = ctx, inner, stage, anew
        self._fresh = anew or first_hand or bool(ctx.again)
        self.oldest = ""

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The answer with its time."""
        content: dict[str, Any] = dict(request.key())
        if self._anew:
            content["anew"] = f"job {self._ctx.recorder.job}"

        async def send() -> Answer:
            answer = await self._inner.json(request.model_copy(update={"fresh": self._fresh}))
            return Answer(answer.model_dump(mode="json", exclude_defaults=True))

        call = await self._ctx.call("http", content, send, shown=request.key(), stage=self._stage)
        answer = HttpAnswer.model_validate(call.reply)
        answered = answer.answered or call.started
        self.oldest = min(self.oldest or answered[:10], answered[:10])
        return answer.model_copy(update={"answered": answered})

    async def local(
        self,
        asked: Mapping[str, Any],
        state: str,
        answer: Callable[[], Awaitable[Mapping[str, Any]]],
    ) -> Mapping[str, Any]:
        """An answer of this machine, kept like those of services; one of the same ``state`` of what
        is asked is not looked up again."""

        async def send() -> Answer:
            return Answer(await answer())

        return (
            await self._ctx.call(
                "text", {**asked, "state": state}, send, shown=asked, stage=self._stage
            )
        ).reply

    async def pdf_text(self, url: str) -> PdfText:
        """The text of a PDF, kept with this session, so that the library may go."""

        async def send() -> Answer:
            return Answer((await self._inner.pdf_text(url)).model_dump(mode="json"))

        call = await self._ctx.call(
            "text", {"pdf": url}, send, shown={"pdf": url}, stage=self._stage
        )
        return PdfText.model_validate(call.reply)


class ImportedTexts(Protocol):
    """The texts of imported PDFs, on this machine only."""

    async def imported_text(self, paper: Paper) -> Mapping[str, Any] | None:
        """File, pdf (the hash of its bytes), text and note; None where there is none."""


def pdf_request(pdf: str, by: str) -> dict[str, str]:
    """What the text of the researcher's own PDF is found by: the hash of its bytes, and
    ``attached`` or ``library``."""
    return {"own_pdf": pdf, "by": by}


def pdf_key(pdf: str, by: str) -> str:
    """The content key of that text's call: the same in every session."""
    return digest({"kind": "text", **pdf_request(pdf, by)})


async def attached_text(ctx: Context, paper: Paper, attached: Mapping[str, str]) -> PaperText:
    """The text that was kept in this session when the PDF was attached. Raises UsageError where it
    is not there."""
    file = ctx.recorder.journal.file
    call = await file.run(file.find_call, pdf_key(attached["pdf"], "attached"))
    if call is None:
        raise UsageError(
            f"The text of your PDF {attached['file']} is not in this session.", "Attach it again."
        )
    ctx.used.append(call.id)
    return _as_text(paper, call.reply)


async def imported_text(ctx: Context, paper: Paper, pdf: Mapping[str, Any]) -> PaperText:
    """The text of an imported PDF; kept with the session as every text is that a card was made
    from."""

    async def send() -> Answer:
        return Answer(
            {"kind": "full text", "text": pdf["text"], "note": pdf["note"], "file": pdf["file"]}
        )

    content = pdf_request(str(pdf["pdf"]), "library")
    call = await ctx.call("text", content, send, shown={**content, "paper": paper.id})
    return _as_text(paper, call.reply)


def _as_text(paper: Paper, reply: Mapping[str, Any]) -> PaperText:
    note = "; ".join(
        n for n in (f"from your PDF {reply.get('file', '')}", str(reply.get("note") or "")) if n
    )
    return PaperText(paper=paper.id, kind="full text", text=str(reply["text"]), note=note)
