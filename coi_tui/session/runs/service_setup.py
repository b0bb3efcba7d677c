"""Builds the services of a session from settings, keys and what is set up; offline unless something is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coi_tui.computing import beside
from coi_tui.model.address import Branch
from coi_tui.model.errors import ServiceError
from coi_tui.model.sources import Order, in_words
from coi_tui.paths import Paths

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings, SourceSettings
    from coi_tui.literature.http import HttpFetch
    from coi_tui.literature.types import Fetch, HttpAnswer, HttpRequest, PdfText, Source
    from coi_tui.llm.openai_compatible import OpenAICompatible
    from coi_tui.llm.types import ChatModel
    from coi_tui.methods.recorded_calls import AnswerCache
    from coi_tui.methods.services import ServiceSet
    from coi_tui.prompts.loader import Prompts


Orders = Mapping[Branch, Order]
"""Questions' own orders of preference, by the question's number."""


@dataclass(frozen=True)
class ServiceSetup:
    """Which services a session will use, and why, in words for the plan and ``coi doctor``."""

    model: str
    source: str
    online_model: bool
    online_source: bool
    why: str
    order: Order = ()
    """The services that are searched online, by name, in their order."""
    apart: tuple[tuple[Branch, Order], ...] = ()
    """Questions with another order than the session's."""


@dataclass(frozen=True)
class Service:
    """A scholarly service that a session searches, when it searches online."""

    name: str
    settings: SourceSettings
    key: str | None
    key_name: str
    chosen: bool
    """Whether something was set that only makes sense with this service online."""
    without_key: str

    def fetch(self, settings: SourceSettings | None = None, told: Callable[[str], None] | None = None) -> HttpFetch:
        """A connection to it; Semantic Scholar takes its key as a header, OpenAlex as a parameter and says 404 by a web page."""
        from coi_tui.literature.http import HttpFetch

        if self.key_name == "OPENALEX_API_KEY":
            query = {"api_key": self.key} if self.key else {}
            return HttpFetch(settings or self.settings, self.name, query=query, plain_404=True, told=told)
        return HttpFetch(settings or self.settings, self.name, {"x-api-key": self.key} if self.key else {}, told=told)

    def source(self, through: Fetch, today: Callable[[], str]) -> Source:
        if self.key_name == "OPENALEX_API_KEY":
            from coi_tui.literature.openalex import OpenAlex

            return OpenAlex(through, self.settings.base_url, today=today)
        from coi_tui.literature.semantic_scholar import SemanticScholar

        return SemanticScholar(through, self.settings.base_url, today=today)

    async def answers(self, through: Fetch) -> str:
        """The cheapest question that shows whether it answers; what was asked, in words. Raises ServiceError."""
        from coi_tui.literature.openalex import OpenAlex

        source = self.source(through, str)
        return await source.answers() if isinstance(source, OpenAlex) else (await source.search("language model", 1)).note

    def knows_ids_of(self, pair: tuple[str, str]) -> bool:
        """Whether it has a form for an id of this kind, and so is asked for it."""
        if self.key_name == "OPENALEX_API_KEY":
            return pair[0] in ("OpenAlex", "arXiv", "DOI", "PMID")
        from coi_tui.literature.ids import s2_form

        return s2_form(f"{pair[0]}:{pair[1]}") is not None


def service_of(settings: Settings, keys: Keys) -> Service:
    """The service that is asked first."""
    return service_named(settings.order[0], settings, keys)


def services_of(settings: Settings, keys: Keys, orders: Orders | None = None) -> list[Service]:
    """The services in their order, then those that only single questions name."""
    names = dict.fromkeys([*settings.order, *(name for order in (orders or {}).values() for name in order)])
    return [service_named(name, settings, keys) for name in names]


def service_named(name: str, settings: Settings, keys: Keys) -> Service:
    """A service by its name. Choosing OpenAlex means to search online, since the other one is used where none is chosen."""
    if name == "openalex":
        return Service("OpenAlex", settings.openalex, keys.openalex, "OPENALEX_API_KEY", True, "a tenth of the daily budget online")
    from coi_tui.config import SEMANTIC_SCHOLAR_URL  # its models take a while to import; the first frame needs none of them

    own = bool(keys.semantic_scholar) or settings.semantic_scholar.base_url != SEMANTIC_SCHOLAR_URL
    shared = "the shared limit applies online"
    return Service("Semantic Scholar", settings.semantic_scholar, keys.semantic_scholar, "SEMANTIC_SCHOLAR_API_KEY", own, shared)


DRAFTER, STARTER = "the built-in drafter (no language model)", "the starter library"


def setup_of(settings: Settings, keys: Keys, offline: bool, *, kept: bool = False, orders: Orders | None = None) -> ServiceSetup:
    """Offline where asked for; else a model when a key or base URL is set, and the services in their order when that or one's own is.

    ``kept``: a session that is offline only for now looks at the kept answers of its services first. ``orders``: those of questions that
    have their own; they choose among the services, but do not make a session search online.
    """
    if offline or settings.offline:
        away = online_setup(settings, keys, orders) if kept else None
        source = f"kept answers of {away.source}, then {STARTER}" if away is not None and away.online_source else STARTER
        return ServiceSetup(DRAFTER, source, False, False, "offline was asked for")
    return online_setup(settings, keys, orders)


def online_setup(settings: Settings, keys: Keys, orders: Orders | None = None) -> ServiceSetup:
    """Which services would be used if nothing were offline."""
    model = bool(keys.llm or settings.llm.base_url)
    names = f"{settings.llm.main.model} and, for reading, {settings.llm.reader.model or settings.llm.main.model}" if model else DRAFTER
    why = "" if model else "no OPENAI_API_KEY and no OPENAI_BASE_URL is set"
    if not model and not any(service.chosen for service in services_of(settings, keys)):
        return ServiceSetup(names, STARTER, False, False, why)
    apart = {question: order for question, order in sorted((orders or {}).items()) if order != settings.order}
    others = "; ".join(f"question {n}: {in_words(order)}" for n, order in apart.items())
    source = f"{in_words(settings.order)}{f' ({others})' if others else ''}"
    return ServiceSetup(names, source, model, True, why, settings.order, tuple(apart.items()))


ONLINE_HINT = "To go online: “work offline or online” in the palette, or coi resume NAME --online."


class NoNetwork:
    """The fetch of an offline session: whoever reaches for the network is told so."""

    async def json(self, request: HttpRequest) -> HttpAnswer:
        raise ServiceError("network", "offline", "This session works offline.", ONLINE_HINT)

    async def pdf_text(self, url: str) -> PdfText:
        raise ServiceError("network", "offline", "This session works offline.", ONLINE_HINT)


@contextlib.asynccontextmanager
async def open_services(
    settings: Settings,
    keys: Keys,
    paths: Paths,
    *,
    offline: bool,
    today: Callable[[], str],
    known_until: str = "",
    told: Callable[[str], None] | None = None,
    waits: Callable[[str, float], None] | None = None,
    now: Callable[[], str] | None = None,
    kept: bool = False,
    anew: str = "",
    orders: Orders | None = None,
) -> AsyncIterator[ServiceSet]:
    """The services, closed at the end. Heavy packages are imported here, not before. ``known_until``: sources know nothing later. ``told``
    hears a sentence about every wait of some length.
    ``waits`` hears of a host that limits the rate of calls, and for how many seconds nobody asks it.
    ``now`` is the time (ISO) by which kept answers grow old. ``kept``: offline, the kept answers of the service come before the starter
    library. ``anew`` names a job that asks the services again where an answer was kept. ``orders``: of questions that have their own.
    """
    from coi_tui.literature.routing import RoutedFetch
    from coi_tui.llm.types import EmbeddingModel
    from coi_tui.methods.services import ServiceSet
    from coi_tui.prompts.loader import Prompts
    from coi_tui.session.papers.answer_cache import KeptAnswers, KeptAnswersOf
    from coi_tui.session.papers.imported import ImportedPdfTexts
    from coi_tui.session.papers.library import shelf_of

    plan = setup_of(settings, keys, offline)
    from_kept = kept and not plan.online_source and online_setup(settings, keys).online_source
    services = services_of(settings, keys, orders)
    async with contextlib.AsyncExitStack() as stack:
        fetch: Fetch = NoNetwork()
        model: ChatModel
        embedding: EmbeddingModel | None = None
        client: OpenAICompatible | None = None
        http: HttpFetch | None = None
        if plan.online_model:
            from coi_tui.llm.openai_compatible import OpenAICompatible

            client = OpenAICompatible(settings.llm, keys.llm)
            stack.push_async_callback(client.aclose)
            model, embedding = client, (client if settings.llm.embedding.model else None)
        else:
            model = await asyncio.to_thread(drafter)  # imports and tables: off the loop, so that keys are heard meanwhile
        if plan.online_source:
            opened = [(service.settings.base_url, await stack.enter_async_context(service.fetch(told=told))) for service in services]
            for _, one in opened:
                one.on_wait = waits
            http = opened[0][1]
            fetch = http if len(opened) == 1 else RoutedFetch(opened)
        source_for = await _sources(settings, keys, paths, plan.online_source, from_kept, today, orders or {}, known_until)
        prompts = Prompts(paths.prompts)
        warming = asyncio.create_task(_warm(client, http, prompts))
        stack.callback(warming.cancel)
        shelf = await stack.enter_async_context(shelf_of(paths))
        answers: AnswerCache | None = None
        if plan.online_source or from_kept:
            days, online = settings.answers_days, plan.online_source
            kept_of = [
                (s.settings.base_url, KeptAnswers(shelf.library, s.name, known_until, days, now or today, online, anew)) for s in services
            ]
            answers = kept_of[0][1] if len(kept_of) == 1 else KeptAnswersOf(kept_of)
        yield ServiceSet(
            model=model, prompts=prompts, source_for=source_for, fetch=fetch, embedding=embedding,
            prices=settings.llm.prices, settings=settings.llm, imported_texts=ImportedPdfTexts(paths), text_cache=shelf,
            answer_cache=answers, vector_cache=shelf,
        )  # fmt: skip


async def _sources(
    settings: Settings, keys: Keys, paths: Paths, online: bool, from_kept: bool, today: Callable[[], str], orders: Orders, known_until: str
) -> Callable[[Fetch, Branch], Source]:
    """Gives the source of a branch: its services in their order, each as it stood on the day of the time cut; offline what there is."""
    from coi_tui.literature.cached_answers import DatedSource
    from coi_tui.literature.source_fallback import SourceFallback
    from coi_tui.literature.time_cut import TimeCut
    from coi_tui.session.papers.answer_cache import KeptFirst
    from coi_tui.session.papers.imported import with_own

    bundled: Source | None = None
    if not online:
        from coi_tui.literature.starter.source import StarterSource

        bundled = await asyncio.to_thread(StarterSource, today=today)

    def seen(source: Source) -> Source:
        return TimeCut(source, known_until) if known_until else source

    def services(through: Fetch, branch: Branch) -> Source:
        named = [service_named(name, settings, keys) for name in orders.get(branch) or settings.order]
        each = [seen(DatedSource(service.source, through, today)) for service in named]
        return each[0] if len(each) == 1 else SourceFallback(each)

    def source_for(through: Fetch, branch: Branch) -> Source:
        if bundled is None:
            return with_own(paths, services(through, branch), today, seen)
        starter = seen(bundled)
        return with_own(paths, KeptFirst(services(through, branch), starter) if from_kept else starter, today, seen)

    return source_for


async def _warm(client: OpenAICompatible | None, http: HttpFetch | None, prompts: Prompts) -> None:
    """The SDK first, since a model is asked first; then, while that answers, what the first search needs."""
    if client is not None:
        await client.warm()
        await asyncio.sleep(0.05)
    if http is not None:
        await http.warm()
    for name in prompts.names():
        await beside(prompts.warm, name)


def drafter() -> ChatModel:
    """The built-in drafter with the drafts of every method."""
    from coi_tui.llm.drafter import Drafter
    from coi_tui.methods.drafts import register_drafts

    register_drafts()
    return Drafter()
