"""Reading a paper, the same way for every source: its open PDF, else its abstract, and the reason where there is neither."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from coi_tui.literature.ids import known_ids
from coi_tui.literature.types import Fetch, Source
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, PaperText

AskAbstract = Callable[[Paper], Awaitable[tuple[str | None, str]]]
"""Asks a service once more for an abstract: the abstract, or None with the reason."""


async def read_paper(fetch: Fetch, paper: Paper, ask_abstract: AskAbstract) -> PaperText:
    """The open PDF's text; else the abstract, asked for once more if need be; else none. The note says what was tried (COI-3)."""
    tried: list[str] = []
    for url in pdf_urls(paper):
        try:
            got = await fetch.pdf_text(url)
        except ServiceError as error:
            tried.append(error.message)
            continue
        if got.kind == "full text":
            return PaperText(paper=paper.id, kind="full text", text=got.text, note="; ".join(filter(None, [f"from {url}", got.note])))
        tried.append(got.note)
    tried = tried or ["no open PDF is known"]
    abstract, why = (paper.abstract, "") if paper.abstract else await ask_abstract(paper)
    if abstract:
        kind = "summary" if paper.abstract_kind == "summary" and paper.abstract else "abstract"
        return PaperText(paper=paper.id, kind=kind, text=abstract, note=f"{kind} only: {'; '.join(tried)}")
    return PaperText(paper=paper.id, kind="none", note="; ".join([*tried, why]))


def pdf_urls(paper: Paper) -> list[str]:
    """Where its PDF may be had: the open one, then arXiv's, each once."""
    arxiv = known_ids(paper).get("arXiv")
    urls = [f"https://arxiv.org/pdf/{arxiv}"] if arxiv else []
    if paper.open_pdf and not (arxiv and "arxiv.org/" in paper.open_pdf):
        urls.insert(0, paper.open_pdf)
    return urls


def list_note(looked_at: int, total: int | None, complete: bool, unresolved: int) -> str:
    """How much of a list was seen, in words."""
    if complete:
        note = f"looked at all {looked_at}" if looked_at else "the list is empty"
    else:
        note = f"looked at {looked_at} of about {total}" if total else f"looked at the first {looked_at}; there are more"
    return f"{note}; {unresolved} without an id" if unresolved else note


KINDS = ("none", "summary", "abstract", "full text")
"""What can be read of a paper, the least first."""


async def best_text(paper: Paper, sources: Iterable[Source], failed: Callable[[Source, ServiceError], str]) -> PaperText:
    """The best that any source has, asked in order until one has an abstract or more; the notes of all that were asked.

    ``failed`` says in words why a source gave nothing, or raises.
    """
    best, notes = PaperText(paper=paper.id, kind="none"), []
    for source in sources:
        try:
            got = await source.text(paper)
        except ServiceError as error:
            notes.append(failed(source, error))
            continue
        notes.append(got.note)
        if KINDS.index(got.kind) > KINDS.index(best.kind):
            best = got
        if best.kind in ("abstract", "full text"):
            break
    return best.model_copy(update={"note": "; ".join(note for note in notes if note)})
