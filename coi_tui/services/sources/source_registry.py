"""The sources of papers: those of this package, and those of installed packages.

To add one: a module next to this one whose ``SOURCE`` declares it, and its name in ``BUILT_IN``. An
installed package names its declaration as an entry point of the group ``coi_tui.sources``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module, metadata
from typing import Any, NoReturn, cast

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.model.papers import Order, read_order
from coi_tui.model.suggest import did_you_mean
from coi_tui.model.text import clean_line
from coi_tui.services.http.addresses import on_this_machine
from coi_tui.services.sources.fetch import HttpFetch
from coi_tui.services.sources.types import Fetch, Source, SourceSpec, Today

BUILT_IN = ("semantic_scholar", "openalex", "arxiv", "crossref")
GROUP = "coi_tui.sources"


@cache
def source_names() -> tuple[str, ...]:
    """The names of all sources, those of installed packages last. Loads none of them."""
    return tuple(dict.fromkeys([*BUILT_IN, *sorted(_entry_points())]))


@cache
def spec_of(name: str) -> SourceSpec:
    """The declaration of a source; where it cannot be loaded, one with ``problem`` set, of which
    every question fails."""
    try:
        if name in BUILT_IN:
            found = import_module(f"{__package__}.{name}").SOURCE
        else:
            found = _entry_points()[name].load()
        if isinstance(found, SourceSpec):
            return replace(found, name=name)
        why = f"{type(found).__name__} is no SourceSpec"
    except KeyError:
        why = "no installed package has a source of this name"
    except Exception as error:  # noqa: BLE001  whatever the code of another package raises
        why = f"{type(error).__name__}: {clean_line(error)[:200]}"
    return SourceSpec(
        name, name, make=lambda *_, **__: cast(Source, _Unavailable(name, why)), problem=why
    )


def _entry_points() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


@dataclass(frozen=True)
class _Unavailable:
    """In place of a source that cannot be loaded: whatever is asked of it raises ServiceError."""

    name: str
    why: str

    def __getattr__(self, _: str) -> Any:
        async def ask(*_: object) -> NoReturn:
            hint = "`coi doctor` checks all sources of papers."
            raise ServiceError(self.name, "unreachable", f"{self.name}: {self.why}.", hint)

        return ask


# orders of sources


def checked_order(given: str | Iterable[str]) -> Order:
    """An order of sources that find papers by words. Raises UsageError for what is none."""
    order = read_order(given)
    known = [name for name in source_names() if spec_of(name).searches]
    if unknown := next((name for name in order if name not in known), ""):
        hint = did_you_mean(unknown, known, f"Known: {', '.join(known)}.")
        raise UsageError(f"{unknown[:40]!r} is not a source of papers.", hint)
    return order


def order_in_words(order: Order) -> str:
    """``Semantic Scholar, then OpenAlex``."""
    return ", then ".join(spec_of(name).title for name in order)


# a source as it is set up


@dataclass(frozen=True)
class Service:
    """A source with what is set for it; ``settings`` have its address and pace filled in."""

    spec: SourceSpec
    settings: SourceSettings
    key: str | None

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return on_this_machine(self.settings.base_url)

    @property
    def is_set_up(self) -> bool:
        """Whether it has a key, or another address than its own."""
        return bool(self.key) or self.settings.base_url != self.spec.url

    def connect(
        self, on_wait: Callable[[str], None] | None = None, **settings: object
    ) -> HttpFetch:
        """A connection to it. ``settings`` go before its own; ``on_wait`` gets a sentence about each wait."""
        given = self.settings.model_copy(update=settings)
        return HttpFetch(self.spec, given, self.key or "", on_wait=on_wait)

    def source(self, through: Fetch, today: Today) -> Source:
        """The source itself, which reaches the network through a fetch."""
        return self.spec.make(through, self.settings.base_url, today=today)


def service_of(name: str, settings: Settings, keys: Keys) -> Service:
    """A source by its name, as it is set up."""
    spec, given, key = spec_of(name), settings.source_settings(name), keys.of_source(name)
    filled: dict[str, object] = {"base_url": given.base_url or spec.url}
    if given.pace_s is None and filled["base_url"] == spec.url:
        filled["pace_s"] = spec.pace_s[0 if key else 1]
    return Service(spec, given.model_copy(update=filled), key)


def services_in_order(settings: Settings, keys: Keys) -> list[Service]:
    """The sources that are searched, the first asked first."""
    return [service_of(name, settings, keys) for name in settings.order]


def id_services(scheme: str, settings: Settings, keys: Keys) -> list[Service]:
    """The sources that are asked for an identifier of a scheme where those in the order do not
    know it. With the first of the order on this machine nothing elsewhere is asked."""
    first = service_of(settings.order[0], settings, keys)
    others = [name for name in source_names() if not spec_of(name).searches]
    services = [service_of(name, settings, keys) for name in others]
    return [
        service
        for service in services
        if scheme in service.spec.ids and (service.is_local or not first.is_local)
    ]


def title_services(settings: Settings, keys: Keys) -> list[Service]:
    """The registries that are asked for a title where no source in the order has it: by the rule
    for ids, as they are those of DOIs."""
    return id_services("DOI", settings, keys)
