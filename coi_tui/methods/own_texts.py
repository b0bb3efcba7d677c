"""Texts of the researcher's own PDFs: attached in a session, or kept among the own papers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Answer
from coi_tui.model.errors import UsageError
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper, PaperText


class OwnTexts(Protocol):
    """The texts of the researcher's own PDFs, on this machine only."""

    async def own_text(self, paper: Paper) -> Mapping[str, Any] | None:
        """File, pdf (the hash of its bytes), text and note; None where there is none."""


def own_request(pdf: str, by: str) -> dict[str, str]:
    """What a kept text of the researcher's own PDF is found by: the hash of its bytes, and ``attached`` or ``library``."""
    return {"own_pdf": pdf, "by": by}


def own_key(pdf: str, by: str) -> str:
    """The content key of that text's call: the same in every session."""
    return digest({"kind": "text", **own_request(pdf, by)})


async def attached_text(ctx: Context, paper: Paper, attached: Mapping[str, str]) -> PaperText:
    """The text that was kept in this session when the PDF was attached. Raises UsageError where it is not there."""
    file = ctx.recorder.journal.file
    call = await file.run(file.find_call, own_key(attached["pdf"], "attached"))
    if call is None:
        raise UsageError(f"The text of your PDF {attached['file']} is not in this session.", "Attach it again.")
    ctx.used.append(call.id)
    return _as_text(paper, call.reply)


async def own_text(ctx: Context, paper: Paper, own: Mapping[str, Any]) -> PaperText:
    """The text of a PDF among the own papers; kept with the session as every text is that a card was made from."""

    async def send() -> Answer:
        return Answer({"kind": "full text", "text": own["text"], "note": own["note"], "file": own["file"]})

    content = own_request(str(own["pdf"]), "library")
    call = await ctx.call("text", content, send, shown={**content, "paper": paper.id})
    return _as_text(paper, call.reply)


def _as_text(paper: Paper, reply: Mapping[str, Any]) -> PaperText:
    note = "; ".join(n for n in (f"from your PDF {reply.get('file', '')}", str(reply.get("note") or "")) if n)
    return PaperText(paper=paper.id, kind="full text", text=str(reply["text"]), note=note)
