"""What a task may ask for: model calls with read replies, a source of papers, ranking, texts.
Everything goes through the recorder, and every answer is stored in the session file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from coi_tui.config import LlmSettings, Price
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import ServiceAnswer
from coi_tui.literature.ranking import (
    RANKED_LOCALLY,
    LocalPapers,
    best_first,
    cosines_to,
    near_pairs,
    paper_words,
    rank,
)
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.paper_similarity import DIGITS, MOST_COMPARED, SessionVectors, Similarity
from coi_tui.methods.prompt_calls import Asked as Asked
from coi_tui.methods.prompt_calls import PromptCalls
from coi_tui.model.entries import LOCAL, Origin, pdf_key, pdf_request
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import Fields, Values, digest
from coi_tui.process import run_in_thread
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatModel
from coi_tui.services.sources.types import (
    Fetch,
    HttpAnswer,
    HttpRequest,
    PdfText,
    SearchResult,
    Source,
)


@dataclass
class RecordedFetch:
    """A fetch whose answers are stored in the session file, one by one, and found again by what was
    asked, however old they are.

    ``anew``: this job asks for everything once more; ``first_hand``: nothing is taken from other
    sessions (a check of what exists today). ``oldest`` is the date of the oldest answer so far.
    """

    ctx: Context
    inner: Fetch
    stage: int | None = None
    anew: bool = False
    first_hand: bool = False
    oldest: str = field(default="", init=False)

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The answer with its time."""
        content: Fields = dict(request.key())
        if self.anew:
            content["anew"] = f"job {self.ctx.recorder.job}"

        async def send() -> ServiceAnswer:
            fresh = self.anew or self.first_hand or bool(self.ctx.again)
            answer = await self.inner.json(request.model_copy(update={"fresh": fresh}))
            return ServiceAnswer(answer.model_dump(mode="json", exclude_defaults=True))

        call = await self.ctx.call("http", content, send, shown=request.key(), stage=self.stage)
        answer = HttpAnswer.model_validate(call.reply)
        answered = answer.answered or call.started
        self.oldest = min(self.oldest or answered[:10], answered[:10])
        return answer.model_copy(update={"answered": answered})

    async def local(
        self, asked: Values, state: str, answer: Callable[[], Awaitable[Values]]
    ) -> Values:
        """An answer of this machine, stored like those of services; one of the same ``state`` of what
        is asked is not looked up again."""

        async def send() -> ServiceAnswer:
            return ServiceAnswer(await answer())

        return (
            await self.ctx.call(
                "text", {**asked, "state": state}, send, shown=asked, stage=self.stage
            )
        ).reply

    async def pdf_text(self, url: str) -> PdfText:
        """The text of a PDF, stored with this session, so that the library may go."""

        async def send() -> ServiceAnswer:
            return ServiceAnswer((await self.inner.pdf_text(url)).model_dump(mode="json"))

        call = await self.ctx.call("text", {"pdf": url}, send, shown={"pdf": url}, stage=self.stage)
        return PdfText.model_validate(call.reply)


class ImportedTexts(Protocol):
    """The texts of imported PDFs, on this machine only."""

    async def imported_text(self, paper: Paper) -> Values | None:
        """File, pdf (the hash of its bytes), text and note; None where there is none."""


async def attached_text(ctx: Context, paper: Paper, attached: Mapping[str, str]) -> PaperText:
    """The text that was stored in this session when the PDF was attached. Raises UsageError where it
    is not there."""
    file = ctx.recorder.journal.file
    call = await file.run(file.find_call, pdf_key(attached["pdf"], "attached"))
    if call is None:
        raise UsageError(
            f"The text of your PDF {attached['file']} is not in this session.", "Attach it again."
        )
    ctx.used.append(call.id)
    return _as_text(paper, call.reply)


async def imported_text(ctx: Context, paper: Paper, pdf: Values) -> PaperText:
    """The text of an imported PDF; kept with the session as every text is that a card was made
    from."""

    async def send() -> ServiceAnswer:
        return ServiceAnswer(
            {"kind": "full text", "text": pdf["text"], "note": pdf["note"], "file": pdf["file"]}
        )

    content = pdf_request(str(pdf["pdf"]), "library")
    call = await ctx.call("text", content, send, shown={**content, "paper": paper.id})
    return _as_text(paper, call.reply)


def _as_text(paper: Paper, reply: Values) -> PaperText:
    note = "; ".join(
        n for n in (f"from your PDF {reply.get('file', '')}", str(reply.get("note") or "")) if n
    )
    return PaperText(paper=paper.id, kind="full text", text=str(reply["text"]), note=note)


KNOWN_PAPERS = "papers of your sessions"
"""What a search of them is called where searches are listed."""


class PaperShelf(Protocol):
    """The papers of all sessions: the shared library."""

    async def papers(self) -> Sequence[Paper]: ...


def _of_known(papers: Sequence[Paper], queries: Sequence[str], limit: int) -> list[Paper]:
    """Those that hold at least half of the words of a query, the most similar first, query by
    query."""
    library = LocalPapers(papers)
    return list(
        {
            paper.id: paper for query in queries for paper in library.nearest(query, limit)[0]
        }.values()
    )


@dataclass(frozen=True)
class ServiceSet:
    """The services that a session has set up.

    ``source_for`` gives the source of papers, which reaches the network only through the fetch it
    is handed. ``anew``: services are asked even where an answer is stored.
    """

    model: ChatModel
    prompts: Prompts
    source_for: Callable[[Fetch], Source]
    fetch: Fetch
    vectors: SessionVectors | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    settings: LlmSettings = field(default_factory=LlmSettings)
    imported_texts: ImportedTexts | None = None
    anew: bool = False
    library: PaperShelf | None = None


class Services:
    """The services of the session as one running task uses them: what it asks is recorded under its
    own name and place."""

    def __init__(self, services: ServiceSet, ctx: Context) -> None:
        self._set, self.ctx = services, ctx
        calls = PromptCalls(
            ctx, services.model, services.prompts, services.settings, services.prices
        )
        self.ask = calls.ask
        """Asks the language model a prompt and reads its reply."""

    @property
    def origin(self) -> Origin:
        return self._set.model.kind

    def at(self, stage: int | None = None) -> None:
        """Calls from here on had to wait for those of the stage before; that is the next one unless
        another is given."""
        self.ctx.stage = self.ctx.stage + 1 if stage is None else stage

    def source(self, stage: int | None = None, *, first_hand: bool = False) -> Source:
        """The source of papers, its requests recorded under this task; ``first_hand`` takes no stored
        answers of other sessions."""
        services = self._set
        return services.source_for(
            RecordedFetch(
                self.ctx, services.fetch, stage, anew=services.anew, first_hand=first_hand
            )
        )

    async def known_papers(self, queries: Sequence[str], limit: int) -> SearchResult:
        """What this session and the shared library hold on any of some queries, at most ``limit``
        for each; no request is sent.

        What was found is stored with the session, since the library goes on growing.
        """
        session, library = self.ctx.state.papers, self._set.library
        others = await library.papers() if library is not None else []
        every = {**{paper.id: paper for paper in others}, **session}

        async def answer() -> Values:
            papers = [every[paper] for paper in sorted(every)]
            found = await run_in_thread(_of_known, papers, queries, limit)
            return {"papers": [p.model_dump(mode="json", exclude_defaults=True) for p in found]}

        asked = {LOCAL: KNOWN_PAPERS, "queries": list(queries), "limit": limit}
        fetch = RecordedFetch(self.ctx, self._set.fetch)
        reply = await fetch.local(asked, digest(sorted(every)), answer)
        found = tuple(Paper.model_validate(row) for row in reply["papers"])
        return SearchResult(
            query="; ".join(queries),
            source=KNOWN_PAPERS,
            total=len(found),
            papers=found,
            note=RANKED_LOCALLY,
        )

    async def similarity(
        self,
        query: str,
        papers: Collection[Paper],
        most: int = MOST_COMPARED,
        *,
        pairs_from: float = 0.0,
    ) -> Similarity:
        """How similar papers are to the query by their words; and by vectors, where there are some,
        the ``most`` papers that these put first.

        ``pairs_from``: the cosine from which two papers count as alike; 0 for no pairs.
        """
        papers = [*papers]
        found = Similarity({p.id: score for score, p in await run_in_thread(rank, query, papers)})
        first = set(best_first(found.words, found.words)[:most])
        compared = [p for p in papers if p.id in first]
        if self._set.vectors is None or not compared:
            return found
        texts = [query, *map(paper_words, compared)]

        async def reply(made: Sequence[Sequence[float]]) -> Fields:
            by_id = {p.id: vector for p, vector in zip(compared, made[1:], strict=True)}
            scored = await run_in_thread(cosines_to, made[0], by_id)
            pairs = await run_in_thread(near_pairs, by_id, pairs_from) if pairs_from else {}
            return {
                "similar": {p: max(0.0, round(cosine, DIGITS)) for p, cosine in scored.items()},
                "pairs": [[*pair, round(cosine, DIGITS)] for pair, cosine in pairs.items()],
            }

        asked = {"texts": digest(texts), "pairs_from": pairs_from}
        made = await self._set.vectors.recorded(self.ctx, texts, asked, reply)
        if made is None:
            return found
        pairs = {(one, other): cosine for one, other, cosine in made["pairs"]}
        how = f"ranked by words and by sentence vectors ({made['model']})"
        return Similarity(found.words, made["similar"], how, pairs)

    async def vectors(self, texts: Sequence[str]) -> tuple[list[list[float]], str] | None:
        """A vector for each text and the name of the model that made them; None where the session
        has no model for vectors."""

        async def reply(made: Sequence[Sequence[float]]) -> Fields:
            return {"vectors": [[round(x, DIGITS) for x in vector] for vector in made]}

        if self._set.vectors is None or not texts:
            return None
        asked = {"each": digest(list(texts))}
        made = await self._set.vectors.recorded(self.ctx, texts, asked, reply)
        return None if made is None else (made["vectors"], made["model"])

    async def text(self, paper: Paper) -> PaperText:
        """What can be read of a paper, labelled; the abstract where the full text cannot be had
        (COI-3). Never an imported PDF."""
        return await self.source().text(paper)

    async def text_to_read(self, paper: Paper) -> PaperText:
        """The same for the prompt that reads a paper into its card, and for no other: there the
        researcher's own PDF goes first.

        The one attached in this session goes before the one among the imported papers.
        """
        if (attached := Chains.of(self.ctx.state).attached.get(paper.id)) is not None:
            return await attached_text(self.ctx, paper, attached)
        texts = self._set.imported_texts
        if texts is not None and (pdf := await texts.imported_text(paper)) is not None:
            return await imported_text(self.ctx, paper, pdf)
        return await self.text(paper)
