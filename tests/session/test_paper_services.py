"""Sources of papers as they are declared: who is asked for an id, what `coi doctor` finds, and a
source that an installed package brings."""

import asyncio
import importlib.metadata
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, Settings, SourceSettings
from coi_tui.methods.coi import CoiSettings
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.paths import paths
from coi_tui.services.sources.arxiv import SOURCE as ARXIV
from coi_tui.services.sources.openalex import SOURCE as OPENALEX
from coi_tui.services.sources.paper_source import ServiceSource
from coi_tui.services.sources.source_registry import (
    GROUP,
    checked_order,
    service_of,
    source_names,
    spec_of,
)
from coi_tui.services.sources.types import SourceSpec
from coi_tui.session import lookup
from coi_tui.session.doctor import Finding, examine, source
from coi_tui.session.environment import Environment
from coi_tui.session.lookup import HERE, id_lookup, lookup_disclosure
from coi_tui.session.session import Session
from coi_tui.session.settings import load_keys, load_settings, set_value
from tests.literature.test_arxiv import entry, feed
from tests.support.desk import copy_of
from tests.support.standins.small_server import serving

Answer = tuple[int, str, bytes]
JSON, ATOM, HTML = "application/json", "application/atom+xml", "text/html"
ARXIV_ID = ARXIV.probe.partition(":")[2]
TOY_PAPERS = b"""[
 {"n": 1, "title": "Gates that weigh evidence", "year": 2020, "about": "Gates weigh evidence."},
 {"n": 2, "title": "Gates that weigh claims", "year": 2022, "about": "Gates weigh claims."}]"""
GOOD: dict[str, Answer] = {
    "/api/query": (200, ATOM, feed(entry().replace("2401.00001", ARXIV_ID))),
    "/oa/works/": (200, JSON, b'{"id": "https://openalex.org/W2741809807"}'),
    "/oa/works?": (200, JSON, b'{"meta": {"count": 0}, "results": []}'),
    "/toy": (200, JSON, TOY_PAPERS),
}


class Place:
    """A server that answers by the beginning of the path."""

    def __init__(self) -> None:
        self.answers, self.headers, self.url = dict(GOOD), dict[str, str](), ""
        self.seen: list[str] = []

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        found = (a for start, a in self.answers.items() if path.startswith(start))
        status, kind, body = next(found, (404, HTML, b"<html>nothing here</html>"))
        return status, {"content-type": kind, **self.headers}, body

    def settings(self, order: str = "openalex") -> Settings:
        def at(path: str) -> SourceSettings:
            return SourceSettings(base_url=self.url + path, pace_s=0, retries=0)

        return Settings(source=order, openalex=at("/oa"), arxiv=at("/api/query"), toy=at("/toy"))


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    with serving(made.answer) as server:
        made.url, made.seen = server.url, server.seen
        yield made


# ids


async def find(settings: Settings, folder: Path, scheme: str, value: str) -> Paper | None:
    home = paths({"COI_HOME": str(folder)})
    async with id_lookup(
        Environment(home, settings, Keys(), clock=lambda: "2026-11-20"), offline=False
    ) as ask:
        return await ask((scheme, value))


async def test_an_id_that_the_order_does_not_know_is_asked_where_such_ids_belong(
    place: Place, tmp_path: Path
) -> None:
    place.answers["/oa/works/"] = (404, HTML, b"<html>no work</html>")
    place.answers["/api/query"] = (200, ATOM, feed(entry()))
    found = await find(place.settings(), tmp_path, "arXiv", "2401.00001")
    assert found is not None
    assert (found.id, found.source) == ("arXiv:2401.00001", ARXIV.title)
    place.seen.clear()
    assert await find(place.settings(), tmp_path, "DOI", "10.1000/none") is None
    assert {path.partition("?")[0] for path in place.seen} == {"/oa/works/doi:10.1000/none"}


async def test_with_a_source_on_this_machine_nothing_elsewhere_is_asked(
    place: Place, tmp_path: Path
) -> None:
    place.answers["/oa/works/"] = (404, HTML, b"<html>no work</html>")
    local = Settings(source="openalex", openalex=place.settings().source_settings("openalex"))
    assert await find(local, tmp_path, "arXiv", "2401.00001") is None


def test_only_its_own_address_goes_by_a_sources_own_pace() -> None:
    def pace(settings: SourceSettings, key: str = "") -> float | None:
        keys = Keys(semantic_scholar=key or None)
        return service_of(
            "semantic_scholar", Settings(semantic_scholar=settings), keys
        ).settings.pace_s

    with_key, without = spec_of("semantic_scholar").pace_s
    assert (pace(SourceSettings()), pace(SourceSettings(), "a-key")) == (without, with_key)
    assert pace(SourceSettings(base_url="http://127.0.0.1:9")) is None
    assert pace(SourceSettings(pace_s=0.5)) == 0.5


# coi doctor


async def check(place: Place, name: str) -> Finding:
    return await source(service_of(name, place.settings(), Keys()))


@pytest.mark.parametrize(
    "answer",
    [
        (503, JSON, b"{}"),
        (200, HTML, b"<html>a page of a hotel's network</html>"),
        (404, HTML, b"<html>nothing here</html>"),
        (200, ATOM, feed("")),
    ],
)
async def test_each_trouble_is_found(place: Place, answer: Answer) -> None:
    place.answers["/api/query"] = answer
    assert (await check(place, "arxiv")).state == "FAILED"


# a source of an installed package


class Toy(ServiceSource):
    name, forms = "Toy papers", (("DOI", "DOI:{}"),)

    async def _every(self) -> list[Paper]:
        answer = await self._get("")
        return [
            Paper(
                id=f"DOI:10.1234/{row['n']}",
                title=row["title"],
                year=row["year"],
                abstract=row["about"],
                source=self.name,
            )
            for row in answer.payload
        ]

    async def _search(self, words: str, most: int) -> tuple[list[Paper], int | None]:
        return await self._every(), 2

    async def _records(self, forms: Sequence[str]) -> dict[str, Paper | None]:
        return {paper.id: paper for paper in await self._every()}


TOY = SourceSpec(
    "toy",
    Toy.name,
    Toy,
    url="https://toy.example.org/papers",
    ids=("DOI",),
    probe="DOI:10.1234/1",
    key_header="x-toy",
    without_key="slower",
    sends="words of your topic",
)
BROKEN, NOT_ONE = "broken", "odd"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Packages that bring a source, one that fails, and one that is none."""
    points = [
        importlib.metadata.EntryPoint(name, value, GROUP)
        for name, value in (
            ("toy", f"{__name__}:TOY"),
            (BROKEN, "no_such_package.papers:SOURCE"),
            (NOT_ONE, f"{__name__}:BROKEN"),
        )
    ]
    monkeypatch.setattr(
        importlib.metadata,
        "entry_points",
        lambda **given: points if given == {"group": GROUP} else [],
    )
    for forget in (source_names.cache_clear, spec_of.cache_clear):
        forget()
    yield
    monkeypatch.undo()
    for forget in (source_names.cache_clear, spec_of.cache_clear):
        forget()


@pytest.mark.usefixtures("installed")
async def test_a_source_of_an_installed_package_searches_counts_and_is_disclosed(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = paths({"COI_HOME": str(tmp_path)})
    home.config_file.parent.mkdir(parents=True, exist_ok=True)
    set_value(home.config_file, "source", "toy")
    set_value(home.config_file, "toy.pace_s", 0)
    environ = {"COI_TOY_URL": f"{place.url}/toy", "TOY_API_KEY": "t-0y"}
    settings, keys = load_settings(home.config_file, environ), load_keys(environ)
    assert keys.of_source("toy") == "t-0y"
    with Session.create(
        "run", "gates that weigh", Environment(home, settings, keys), bounds=CoiSettings(branches=1)
    ) as session:
        plan = session.planner.to_stage("anchors")
        assert plan.source == TOY.title
        assert f"to {TOY.title}: {TOY.sends}" in plan.sends
        assert TOY.title in lookup_disclosure(settings, keys, False)
        assert (await session.runs.run(plan)).state == "done"
        assert {p.source for p in session.state.papers.values()} == {TOY.title}
        searches = [c for c in session.file.calls() if c.kind == "http"]
        assert {c.request["url"] for c in searches} == {f"{place.url}/toy"}
        assert (await session.papers.look_up(TOY.probe)).papers[0].id == TOY.probe
    assert (await source(service_of("toy", settings, keys))).state == "ok"
    with pytest.raises(UsageError):
        set_value(home.config_file, "source", "toyy")


@pytest.mark.usefixtures("installed")
async def test_an_error_of_such_a_package_is_one_line_and_stops_nothing(
    place: Place, tmp_path: Path
) -> None:
    order = f"{BROKEN}, openalex"
    settings = place.settings(order)
    found = await examine(Environment(paths({"COI_HOME": str(tmp_path)}), settings, Keys()))
    states = {c.what: c.state for c in found}
    assert (states[BROKEN], states[NOT_ONE], states[OPENALEX.title]) == ("FAILED", "FAILED", "ok")
    assert checked_order(order) == (BROKEN, "openalex")
    broken = service_of(BROKEN, settings, Keys()).source(None, str)  # type: ignore[arg-type]
    with pytest.raises(ServiceError) as error:
        await broken.search("words", 5)
    assert error.value.kind == "unreachable"
    place.answers["/oa/works/"] = (200, JSON, b'{"id": "https://openalex.org/W1", "title": "One"}')
    one = await find(settings, tmp_path, "OpenAlex", "W1")
    assert one is not None
    assert one.title == "One"


@pytest.mark.parametrize("typed", ["zzz unknown", "10.1234/zzz"])
def test_an_unknown_title_is_not_blamed_on_sources_that_were_asked(
    tmp_path: Path, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = copy_of(tmp_path, "small").session
    with pytest.raises(UsageError) as here:
        asyncio.run(session.papers.look_up(typed))
    assert HERE in str(here.value)
    llm = LlmSettings(base_url="http://127.0.0.1:9/v1")
    monkeypatch.setattr(session, "settings", Settings(llm=llm, source="semantic_scholar"))

    @asynccontextmanager
    async def nothing(*_args: object, **_options: object) -> AsyncIterator[object]:
        yield lambda _pair: asyncio.sleep(0)

    async def none(_self: object, _typed: str) -> list[Paper]:
        return []

    monkeypatch.setattr(lookup, "id_lookup", nothing)
    monkeypatch.setattr(lookup.Papers, "_titles_online", none)
    with pytest.raises(UsageError) as online:
        asyncio.run(session.papers.look_up(typed))
    assert "set up" not in str(online.value)
    assert HERE not in str(online.value)
