"""An order of preference among sources: settings and session; who is asked in a run; what the
plan, log and checks say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, Settings, SourceSettings
from coi_tui.methods.coi import CoiSettings
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import read_order
from coi_tui.paths import Paths, paths
from coi_tui.services.sources.source_registry import checked_order, order_in_words
from coi_tui.session.runs.service_setup import setup_of
from coi_tui.session.session import Session
from coi_tui.session.settings import load_keys, load_settings
from tests.support.standins import Settings as StandInSettings
from tests.support.standins import StandIn, StandIns, make_corpus, make_index
from tests.support.standins.openalex import OpenAlexService
from tests.support.standins.settings import Faults

S2, OA = "semantic_scholar", "openalex"
S2_KEY, OA_KEY = "s2-f4k3-fake-key-0123", "oa-fake-key-4567"
KEYS = Keys(llm="sk-fake-0", semantic_scholar=S2_KEY, openalex=OA_KEY)
TOPIC = make_corpus().topics[0]


def home_of(folder: Path) -> Paths:
    return paths({"COI_HOME": str(folder)})


def new(
    folder: Path,
    settings: Settings | None = None,
    branches: int = 3,
    name: str = "s",
    keys: Keys = KEYS,
) -> Session:
    bounds = CoiSettings(branches=branches)
    return Session.create(
        name,
        TOPIC,
        paths=home_of(folder),
        settings=settings or Settings(),
        keys=keys,
        bounds=bounds,
    )


# -- names and settings


def test_an_order_is_read_from_lists_and_from_words() -> None:
    assert (
        read_order("semantic_scholar, openalex")
        == read_order(["openalex", "semantic_scholar"])[::-1]
        == (S2, OA)
    )
    assert read_order(" Semantic Scholar ,OpenAlex,") == (S2, OA)
    assert read_order("") == ()
    assert order_in_words((S2, OA)) == "Semantic Scholar, then OpenAlex"
    with pytest.raises(UsageError, match="Did you mean openalex"):
        checked_order("open_alex_")
    with pytest.raises(UsageError, match="named twice"):
        read_order([OA, OA])


def test_the_settings_file_and_the_environment_give_an_order(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    assert load_settings(file, {}).order == (S2,)
    file.write_text('source = "openalex"\n', encoding="utf-8")
    assert load_settings(file, {}).order == (OA,)
    file.write_text('source = "openalex, semantic_scholar"\n', encoding="utf-8")
    settings = load_settings(file, {})
    assert settings.order == (OA, S2)
    assert Settings.model_validate(settings.model_dump()).order == (OA, S2)
    assert load_settings(file, {"COI_SOURCE": S2}).order == (S2,)
    assert load_settings(file, {"COI_SOURCE": f"{S2},{OA}"}).order == (S2, OA)


def test_choosing_openalex_means_searching_online_and_its_key_stays_hidden() -> None:
    keys = load_keys({"OPENALEX_API_KEY": f" {OA_KEY} "})
    assert keys.of_source("openalex") == OA_KEY
    assert OA_KEY not in repr(keys)
    assert setup_of(Settings(source="openalex"), Keys(), False).order == (OA,)
    assert setup_of(Settings(source="openalex"), keys, True).order == ()
    assert setup_of(Settings(), keys, False).order == ()


# -- what is said


def test_the_plan_names_each_source_and_when_it_is_asked(tmp_path: Path) -> None:
    with new(tmp_path, Settings(source=f"{S2}, {OA}")) as session:
        plan = session.planner.to_stage("anchors")
        assert plan.source == "Semantic Scholar, then OpenAlex"
        assert plan.sends[-2:] == (
            "to Semantic Scholar: search words, titles and paper ids",
            "to OpenAlex: the same, only where Semantic Scholar is unreachable or has nothing",
        )


# -- runs at stand-ins


@dataclass
class World:
    """Both services under way."""

    pair: StandIns
    works: OpenAlexService
    settings: Settings

    @property
    def s2(self) -> int:
        return sum(e.service == "s2" for e in self.pair.log.entries)

    @property
    def oa(self) -> int:
        return len(self.works.keys)


async def started(s2_faults: Faults | None, order: tuple[str, ...]) -> AsyncIterator[World]:
    works = OpenAlexService(make_index())
    faults = s2_faults or Faults()
    async with (
        StandIns(replace(StandInSettings(), s2_faults=faults)) as pair,
        StandIn(works) as server,
    ):
        settings = Settings(
            llm=LlmSettings(base_url=pair.chat_url),
            source=", ".join(order),
            semantic_scholar=SourceSettings(base_url=pair.s2_url, pace_s=0, retries=0),
            openalex=SourceSettings(base_url=server.url, retries=0),
        )
        yield World(pair, works, settings)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async for made in started(None, (S2, OA)):
        yield made


@pytest.fixture
async def lost() -> AsyncIterator[World]:
    async for made in started(Faults(down=True), (S2, OA)):
        yield made


def holding(folder: Path, *secrets: str) -> list[Path]:
    return [
        f
        for f in folder.rglob("*")
        if f.is_file() and any(s.encode() in f.read_bytes() for s in secrets)
    ]


def lists(session: Session) -> dict[str, str]:
    return {
        a: str(v.content["source"])
        for a in session.state.cells
        if a.endswith(".cands") and (v := session.state.in_use(a)) and "of" in v.content
    }


async def test_the_second_gets_no_request_while_the_first_is_content(
    world: World, tmp_path: Path
) -> None:
    with new(tmp_path, world.settings, branches=1) as session:
        assert (await session.runs.run(session.planner.to_stage("cards"))).state == "done"
        assert set(lists(session).values()) == {"Semantic Scholar"}
    assert (world.s2 > 5, world.oa) == (True, 0)


async def test_a_service_that_is_down_is_stood_in_for_by_the_next_and_every_record_says_so(
    lost: World, tmp_path: Path
) -> None:
    with new(tmp_path, lost.settings, branches=1) as session:
        outcome = await session.runs.run(session.planner.to_stage("novelty"))
        assert (outcome.state, outcome.failed) == ("done", {})
        assert set(lists(session).values()) == {"OpenAlex"}
        anchor = session.state.in_use("1/0.cands")
        assert anchor is not None
        assert anchor.content["tries"][0]["source"] == "OpenAlex"
        assert "; from OpenAlex: " in anchor.content["tries"][0]["note"]
        assert anchor.content["tries"][0]["note"].startswith("Semantic Scholar ")
        nov = session.state.in_use("1/nov")
        assert nov is not None
        searches = nov.content["searches"]
        assert {s["source"] for s in searches if s["outcome"] == "ok"} == {"OpenAlex"}
        assert all(
            s["outcome"] in ("ok", "failed") for s in searches
        )  # never "empty" while a source was away
    assert set(lost.works.keys) == {OA_KEY}
    assert OA_KEY not in str([(e.path, e.params) for e in lost.pair.log.entries])
    assert not holding(tmp_path, S2_KEY, OA_KEY)


async def test_a_wrong_key_is_told_and_not_hidden_behind_the_next(
    world: World, tmp_path: Path
) -> None:
    faulty = world.settings.model_copy(
        update={
            "semantic_scholar": SourceSettings(
                base_url=f"{world.pair.s2.url}/nothing", pace_s=0, retries=0
            )
        }
    )
    with new(tmp_path, faulty, branches=1) as session:
        outcome = await session.runs.run(session.planner.to_stage("anchors"))
        assert outcome.failed
    assert world.oa == 0
