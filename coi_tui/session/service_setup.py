"""Opens the services that a session has set up, and closes them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence

from coi_tui.config import Settings
from coi_tui.methods.paper_similarity import (
    LocalVectors,
    ServedVectors,
    SessionVectors,
    VectorCache,
)
from coi_tui.methods.registry import register_drafts
from coi_tui.methods.services import RecordedFetch, ServiceSet
from coi_tui.model.errors import ServiceError
from coi_tui.paths import Paths
from coi_tui.process import run_in_thread
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatModel
from coi_tui.services.llm.offline import Drafter
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.services.llm.sentence_vectors import SentenceVectors, folder_of, missing
from coi_tui.services.sources.fetch import RoutedFetch
from coi_tui.services.sources.source_fallback import SourcesInOrder
from coi_tui.services.sources.source_registry import (
    Service,
    services_in_order,
    title_services,
)
from coi_tui.services.sources.starter.source import StarterSource
from coi_tui.services.sources.types import Fetch, HttpAnswer, HttpRequest, PdfText, Source
from coi_tui.session.environment import Environment
from coi_tui.session.papers.library import HttpCache, open_shelf
from coi_tui.session.papers.own_links import own_source
from coi_tui.session.papers.own_papers import ImportedPdfTexts
from coi_tui.session.settings import setup_of

ONLINE_HINT = "To go online: “work offline or online” in the list of commands (:), or coi resume NAME --online."


class NoNetwork:
    """The fetch of an offline session: every request fails."""

    async def json(self, request: HttpRequest) -> HttpAnswer:
        raise ServiceError("network", "offline", "This session works offline.", ONLINE_HINT)

    async def pdf_text(self, url: str) -> PdfText:
        raise ServiceError("network", "offline", "This session works offline.", ONLINE_HINT)


@contextlib.asynccontextmanager
async def open_services(
    env: Environment,
    *,
    offline: bool,
    known_until: str = "",
    on_wait: Callable[[str], None] | None = None,
    no_cache: bool = False,
) -> AsyncIterator[ServiceSet]:
    """The services, closed at the end.
    ``known_until``: sources know nothing later. ``on_wait`` gets a sentence about every wait of some
    length. ``no_cache``: no stored answer is used.
    """
    paths, settings, keys, model = env.paths, env.settings, env.keys, env.model
    plan = setup_of(settings, keys, offline)
    services = services_in_order(settings, keys) if plan.online_source else []
    registries = title_services(settings, keys)
    async with contextlib.AsyncExitStack() as stack:
        client: OpenAICompatible | None = None
        if plan.online_model and model is None:
            client = OpenAICompatible(settings.llm, keys.llm)
            client.on_wait = on_wait or client.on_wait
            stack.push_async_callback(client.aclose)
        # The drafts of every method: off the loop, so that keys are heard meanwhile.
        set_up: ChatModel | None = model or client
        answering = set_up if set_up is not None else await asyncio.to_thread(drafter)
        connections = [
            (service.settings.base_url, await stack.enter_async_context(service.connect(on_wait)))
            for service in (*services, *registries)
            if services
        ]
        source_for = await asyncio.to_thread(
            sources_of, paths, services, env.today, known_until, registries
        )
        prompts = Prompts(paths.prompts)
        # a run's first search is sent beside its first call of the model, and should not wait for
        # the model's package
        if connections:
            await connections[0][1].warm()
        warming = asyncio.create_task(_warm(client, prompts))
        stack.callback(warming.cancel)
        shelf = await stack.enter_async_context(open_shelf(paths, known_until))

        cache = HttpCache(
            RoutedFetch(connections) if connections else NoNetwork(),
            shelf.library,
            settings.answers_days,
            env.today,
            on_wait or (lambda _text: None),
        )
        vectors = (
            ServedVectors(client, settings.llm, settings.llm.prices, shelf)
            if client and settings.llm.embedding.model
            else _local_vectors(settings, paths, shelf, stack)
        )
        yield ServiceSet(
            model=answering,
            prompts=prompts,
            source_for=source_for,
            fetch=cache,
            vectors=vectors,
            prices=settings.llm.prices,
            settings=settings.llm,
            imported_texts=ImportedPdfTexts(paths),
            anew=no_cache,
            library=shelf,
        )


def _local_vectors(
    settings: Settings, paths: Paths, cache: VectorCache, stack: contextlib.AsyncExitStack
) -> SessionVectors | None:
    """Sentence vectors of this machine, given back with the stack; None where nobody wants any.

    Where they were asked for, what is missing is noted once in a run.
    """
    wanted, folder = settings.vectors, folder_of(settings.vectors, paths.data)
    if wanted.use is False:
        return None
    if lacking := missing(folder):
        return SessionVectors(cache, "", lacking) if wanted.use else None
    model = SentenceVectors(folder)
    stack.callback(model.close)
    return LocalVectors(model, cache)


def sources_of(
    paths: Paths,
    services: Sequence[Service],
    today: Callable[[], str],
    known_until: str,
    registries: Sequence[Service],
) -> Callable[[Fetch], Source]:
    """Gives the source of papers: the person's own, then the services in their order, each as it
    stood on the day of the time cut; offline the starter library in their place.

    Raises StoreError where the own papers cannot be read. What a task asks of those is stored with
    the session.
    """
    own = own_source(paths, today)
    bundled: list[Source] = []
    if not services:
        bundled = [StarterSource(today=today)]

    def source_for(through: Fetch) -> Source:
        step = through if isinstance(through, RecordedFetch) else None

        def day() -> str:
            """The day of the oldest answer, which dates a list made from several."""
            return (step and step.oldest) or today()

        online = [service.source(through, day) for service in services]
        titles = [service.source(through, day) for service in registries]
        return SourcesInOrder([*online, *bundled], own(step), known_until, titles)

    return source_for


async def _warm(client: OpenAICompatible | None, prompts: Prompts) -> None:
    """The model's package in a thread, then the prompts."""
    if client:
        await client.warm()
        await asyncio.sleep(0.05)
    for name in prompts.names():
        await run_in_thread(prompts.warm, name)


def drafter() -> ChatModel:
    """The built-in drafter with the drafts of every method."""
    register_drafts()
    return Drafter()
