"""Builds the services of a session from settings, keys and what is set up; offline unless something is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
    from coi_tui.methods.recorded_calls import AnswerCache, VectorCache
    from coi_tui.methods.services import ServiceSet
    from coi_tui.methods.similarity import LocalVectors
    from coi_tui.prompts.loader import Prompts
    from coi_tui.session.papers.answer_cache import KeptAnswers


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

    def fetch(
        self, settings: SourceSettings | None = None, told: Callable[[str], None] | None = None
    ) -> HttpFetch:
        """A connection to it; Semantic Scholar takes its key as a header, OpenAlex as a parameter and says 404 by a web page."""
        from coi_tui.literature.http import HttpFetch

        if self.key_name == "OPENALEX_API_KEY":
            query = {"api_key": self.key} if self.key else {}
            return HttpFetch(
                settings or self.settings, self.name, query=query, plain_404=True, told=told
            )
        return HttpFetch(
            settings or self.settings,
            self.name,
            {"x-api-key": self.key} if self.key else {},
            told=told,
        )

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
        return (
            await source.answers()
            if isinstance(source, OpenAlex)
            else (await source.search("language model", 1)).note
        )

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
    names = dict.fromkeys(
        [*settings.order, *(name for order in (orders or {}).values() for name in order)]
    )
    return [service_named(name, settings, keys) for name in names]


def service_named(name: str, settings: Settings, keys: Keys) -> Service:
    """A service by its name. Choosing OpenAlex means to search online, since the other one is used where none is chosen."""
    if name == "openalex":
        return Service(
            "OpenAlex",
            settings.openalex,
            keys.openalex,
            "OPENALEX_API_KEY",
            True,
            "a tenth of the daily budget online",
        )
    from coi_tui.config import (
        SEMANTIC_SCHOLAR_URL,
    )  # its models take a while to import; the first frame needs none of them

    own = bool(keys.semantic_scholar) or settings.semantic_scholar.base_url != SEMANTIC_SCHOLAR_URL
    shared = "the shared limit applies online"
    return Service(
        "Semantic Scholar",
        settings.semantic_scholar,
        keys.semantic_scholar,
        "SEMANTIC_SCHOLAR_API_KEY",
        own,
        shared,
    )


OFFLINE = "offline was asked for"
DRAFTER, STARTER = "the built-in drafter (no language model)", "the starter library"


def setup_of(
    settings: Settings,
    keys: Keys,
    offline: bool,
    *,
    kept: bool = False,
    orders: Orders | None = None,
) -> ServiceSetup:
    """Offline where asked for; else a model when a key or base URL is set, and the services in their order when that or one's own is.

    ``kept``: a session that is offline only for now looks at the kept answers of its services first. ``orders``: those of questions that
    have their own; they choose among the services, but do not make a session search online.
    """
    if offline or settings.offline:
        away = online_setup(settings, keys, orders) if kept else None
        source = (
            f"kept answers of {away.source}, then {STARTER}"
            if away is not None and away.online_source
            else STARTER
        )
        return ServiceSetup(DRAFTER, source, False, False, OFFLINE)
    return online_setup(settings, keys, orders)


def online_setup(settings: Settings, keys: Keys, orders: Orders | None = None) -> ServiceSetup:
    """Which services would be used if nothing were offline."""
    if keys.llm or settings.llm.base_url:
        return _searching_online(
            ServiceSetup(_model_names(settings), "", True, True, ""), settings, orders or {}
        )
    nothing_set = ServiceSetup(
        DRAFTER, STARTER, False, False, "no OPENAI_API_KEY and no OPENAI_BASE_URL is set"
    )
    if any(service.chosen for service in services_of(settings, keys)):
        return _searching_online(nothing_set, settings, orders or {})
    return nothing_set


def to_get_others(setup: ServiceSetup) -> str:
    """How a person gets the model or the papers that the setup lacks, in a line; empty where it lacks none."""
    if setup.why == OFFLINE:
        return "`coi config set offline false` allows the network again."
    if setup.online_model:
        return ""
    if setup.online_source:
        return "Set OPENAI_API_KEY for a language model."
    return "Set OPENAI_API_KEY for both online, SEMANTIC_SCHOLAR_API_KEY for papers."


def _model_names(settings: Settings) -> str:
    """The models that write and read, in words."""
    main = settings.llm.main.model
    return f"{main} and, for reading, {settings.llm.reader.model or main}"


def _searching_online(setup: ServiceSetup, settings: Settings, orders: Orders) -> ServiceSetup:
    """The same models with the services online: in the order of the settings, and for some questions in their own."""
    apart = tuple(
        (question, order) for question, order in sorted(orders.items()) if order != settings.order
    )
    others = "; ".join(f"question {question}: {in_words(order)}" for question, order in apart)
    source = f"{in_words(settings.order)} ({others})" if others else in_words(settings.order)
    return replace(setup, source=source, online_source=True, order=settings.order, apart=apart)


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
    model: ChatModel | None = None,
) -> AsyncIterator[ServiceSet]:
    """The services, closed at the end. Heavy packages are imported here, not before. ``known_until``: sources know nothing later. ``told``
    hears a sentence about every wait of some length.
    ``waits`` hears of a host that limits the rate of calls, and for how many seconds nobody asks it.
    ``now`` is the time (ISO) by which kept answers grow old. ``kept``: offline, the kept answers of the service come before the starter
    library. ``anew`` names a job that asks the services again where an answer was kept. ``orders``: of questions that have their own.
    ``model`` answers in place of the language model or the drafter.
    """
    from coi_tui.methods.services import ServiceSet
    from coi_tui.prompts.loader import Prompts
    from coi_tui.session.papers.answer_cache import KeptAnswers
    from coi_tui.session.papers.imported import ImportedPdfTexts
    from coi_tui.session.papers.library import PapersOfSessions, shelf_of

    plan = setup_of(settings, keys, offline)
    from_kept = kept and not plan.online_source and online_setup(settings, keys).online_source
    services = services_of(settings, keys, orders)
    async with contextlib.AsyncExitStack() as stack:
        client = (
            await _client(settings, keys, stack, told)
            if plan.online_model and model is None
            else None
        )
        # The drafter's imports and tables: off the loop, so that keys are heard meanwhile.
        set_up: ChatModel | None = model if model is not None else client
        answering = set_up if set_up is not None else await asyncio.to_thread(drafter)
        connections = await _connections(services, stack, told, waits) if plan.online_source else []
        own = await asyncio.to_thread(own_papers_of, paths, today)
        source_for = await sources_of(
            settings, keys, plan.online_source, from_kept, today, orders or {}, known_until, own
        )
        prompts = Prompts(paths.prompts)
        if connections:  # a run's first search is sent beside its first call of the model, and should not wait for the model's package
            await connections[0][1].warm()
        warming = asyncio.create_task(_warm(client, prompts))
        stack.callback(warming.cancel)
        shelf = await stack.enter_async_context(shelf_of(paths))

        def kept_of(service: Service) -> KeptAnswers:
            return KeptAnswers(
                shelf.library,
                service.name,
                known_until,
                settings.answers_days,
                now or today,
                plan.online_source,
                anew,
            )

        yield ServiceSet(
            model=answering,
            prompts=prompts,
            source_for=source_for,
            fetch=_fetch(connections),
            embedding=client if settings.llm.embedding.model else None,
            prices=settings.llm.prices,
            settings=settings.llm,
            imported_texts=ImportedPdfTexts(paths),
            text_cache=shelf,
            answer_cache=_answer_cache(services, kept_of)
            if plan.online_source or from_kept
            else None,
            vector_cache=shelf,
            local_vectors=_local_vectors(settings, paths, shelf, stack),
            library=PapersOfSessions(shelf.library, known_until),
        )


async def _client(
    settings: Settings,
    keys: Keys,
    stack: contextlib.AsyncExitStack,
    told: Callable[[str], None] | None,
) -> OpenAICompatible:
    """The language model of the settings, closed with the stack."""
    from coi_tui.llm.openai_compatible import OpenAICompatible

    client = OpenAICompatible(settings.llm, keys.llm)
    client.on_wait = told or client.on_wait
    stack.push_async_callback(client.aclose)
    return client


def _local_vectors(
    settings: Settings, paths: Paths, cache: VectorCache, stack: contextlib.AsyncExitStack
) -> LocalVectors | None:
    """Sentence vectors of this machine, given back with the stack; None where nobody wants any.

    Where they were asked for, or the extra for them is installed, what is missing is said once in a run.
    """
    from coi_tui.llm.sentence_vectors import SentenceVectors, folder_of, installed, missing
    from coi_tui.methods.similarity import LocalVectors

    wanted, folder = settings.vectors, folder_of(settings.vectors, paths.data)
    if wanted.use is False or (wanted.use is None and not installed()):
        return None
    if lacking := missing(wanted, folder):
        return LocalVectors(None, cache, lacking)
    model = SentenceVectors(wanted, folder)
    stack.callback(model.close)
    return LocalVectors(model, cache)


async def _connections(
    services: Sequence[Service],
    stack: contextlib.AsyncExitStack,
    told: Callable[[str], None] | None,
    waits: Callable[[str, float], None] | None,
) -> list[tuple[str, HttpFetch]]:
    """A connection to each service beside its base address, closed with the stack."""
    out = []
    for service in services:
        http = await stack.enter_async_context(service.fetch(told=told))
        http.on_wait = waits
        out.append((service.settings.base_url, http))
    return out


def _fetch(connections: Sequence[tuple[str, HttpFetch]]) -> Fetch:
    """One fetch over all connections; without any, one that says that the session is offline."""
    if not connections:
        return NoNetwork()
    if len(connections) == 1:
        return connections[0][1]
    from coi_tui.literature.routing import RoutedFetch

    return RoutedFetch(connections)


def _answer_cache(
    services: Sequence[Service], kept_of: Callable[[Service], KeptAnswers]
) -> AnswerCache:
    """The kept answers of the services, each under its own base address."""
    from coi_tui.session.papers.answer_cache import KeptAnswersOf

    each = [(service.settings.base_url, kept_of(service)) for service in services]
    return each[0][1] if len(each) == 1 else KeptAnswersOf(each)


Seen = Callable[["Source"], "Source"]
PutBefore = Callable[["Source", "Fetch", Seen], "Source"]
"""Puts the researcher's own papers before a source that is reached through a fetch."""


def own_papers_of(paths: Paths, today: Callable[[], str]) -> PutBefore:
    """The papers imported on this machine; where a step asks them, their answers are kept with the session.

    Raises StoreError where they cannot be read.
    """
    from coi_tui.methods.recorded_calls import RecordedFetch
    from coi_tui.session.papers.imported import OwnPapers

    papers = OwnPapers(paths, today)

    def own(source: Source, through: Fetch, seen: Seen) -> Source:
        return papers.before(source, seen, through if isinstance(through, RecordedFetch) else None)

    return own


async def sources_of(
    settings: Settings,
    keys: Keys,
    online: bool,
    from_kept: bool,
    today: Callable[[], str],
    orders: Orders,
    known_until: str,
    own: PutBefore,
) -> Callable[[Fetch, Branch], Source]:
    """Gives the source of a branch: its services in their order, each as it stood on the day of the time cut; offline what there is."""
    from coi_tui.literature.cached_answers import DatedSource
    from coi_tui.literature.source_fallback import SourceFallback
    from coi_tui.literature.time_cut import TimeCut
    from coi_tui.session.papers.answer_cache import KeptFirst

    bundled: Source | None = None
    if not online:
        from coi_tui.literature.starter.source import StarterSource

        bundled = await asyncio.to_thread(StarterSource, today=today)

    def seen(source: Source) -> Source:
        return TimeCut(source, known_until) if known_until else source

    def services(through: Fetch, branch: Branch) -> Source:
        named = [
            service_named(name, settings, keys) for name in orders.get(branch) or settings.order
        ]
        each = [seen(DatedSource(service.source, through, today)) for service in named]
        return each[0] if len(each) == 1 else SourceFallback(each)

    def source_for(through: Fetch, branch: Branch) -> Source:
        if bundled is None:
            source = services(through, branch)
        else:
            source = (
                KeptFirst(services(through, branch), seen(bundled)) if from_kept else seen(bundled)
            )
        return own(source, through, seen)

    return source_for


async def _warm(client: OpenAICompatible | None, prompts: Prompts) -> None:
    """The model's package in a thread, then the prompts."""
    if client is not None:
        await client.warm()
        await asyncio.sleep(0.05)
    for name in prompts.names():
        await beside(prompts.warm, name)


def drafter() -> ChatModel:
    """The built-in drafter with the drafts of every method."""
    from coi_tui.llm.drafter import Drafter
    from coi_tui.methods.drafts import register_drafts

    register_drafts()
    return Drafter()
