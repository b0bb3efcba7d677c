"""Texts of the researcher's own PDFs: attached in a session, or imported into the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Answer
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import digest


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
