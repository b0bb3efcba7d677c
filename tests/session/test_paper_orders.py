"""An order of preference among sources: settings and session; who is asked in a run; what the
plan, log and checks say."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, LlmSettings, Settings, SourceSettings
from coi_tui.methods.coi import CoiSettings
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import read_order
from coi_tui.paths import paths
from coi_tui.services.sources.source_registry import checked_order, order_in_words
from coi_tui.session.environment import Environment
from coi_tui.session.lookup import lookup_disclosure
from coi_tui.session.session import Session
from coi_tui.session.settings import load_keys, load_settings, setup_of
from tests.support.standins import Settings as StandInSettings
from tests.support.standins import StandIn, StandIns, make_corpus, make_index
from tests.support.standins.openalex import OpenAlexService
from tests.support.standins.settings import Faults

S2, OA = "semantic_scholar", "openalex"
S2_KEY, OA_KEY = "s2-f4k3-fake-key-0123", "oa-fake-key-4567"
KEYS = Keys(llm="sk-fake-0", semantic_scholar=S2_KEY, openalex=OA_KEY)
TOPIC = make_corpus().topics[0]


def new(
    folder: Path,
    settings: Settings | None = None,
    branches: int = 3,
    name: str = "s",
    day: str = "2026-03-01",
) -> Session:
    return Session.create(
        name,
        TOPIC,
        Environment(
            paths({"COI_HOME": str(folder)}),
            settings or Settings(),
            KEYS,
            clock=lambda: f"{day}T10:00:00Z",
        ),
        bounds=CoiSettings(branches=branches),
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
        assert not any("Crossref" in line for line in plan.sends)
        named = session.planner.to_stage("novelty")
        assert any("Crossref" in line for line in named.sends), "it gets titles that nobody has"


# -- runs at stand-ins


@dataclass
class World:
    """Both services under way."""

    pair: StandIns
    works: OpenAlexService
    settings: Settings


@asynccontextmanager
async def world(order: str, s2_faults: Faults) -> AsyncIterator[World]:
    works = OpenAlexService(make_index())
    async with (
        StandIns(replace(StandInSettings(), s2_faults=s2_faults)) as pair,
        StandIn(works) as server,
    ):
        settings = Settings(
            llm=LlmSettings(base_url=pair.chat_url),
            source=order,
            semantic_scholar=SourceSettings(base_url=pair.s2_url, pace_s=0, retries=0),
            openalex=SourceSettings(base_url=server.url, retries=0),
        )
        yield World(pair, works, settings)


def holding(folder: Path, *secrets: str) -> list[Path]:
    return [
        f
        for f in folder.rglob("*")
        if f.is_file() and any(s.encode() in f.read_bytes() for s in secrets)
    ]


def lists(session: Session) -> list[dict[str, Any]]:
    """The lists of candidates that were searched for."""
    return [
        dict(v.content)
        for a in session.state.cells
        if a.endswith(".cands") and (v := session.state.in_use(a)) and "of" in v.content
    ]


async def test_a_service_that_is_down_is_stood_in_for_by_the_next_and_every_record_says_so(
    tmp_path: Path,
) -> None:
    async with world(f"{S2}, {OA}", Faults(down=True)) as lost:
        with new(tmp_path, lost.settings, branches=1) as session:
            outcome = await session.runs.run(session.planner.to_stage("novelty"))
            assert (outcome.state, outcome.failed) == ("done", {})
            assert {one["source"] for one in lists(session)} == {"OpenAlex"}
            anchor, nov = (session.state.in_use(at) for at in ("1/0.cands", "1/nov"))
            assert anchor is not None
            assert nov is not None
            tried = anchor.content["tries"][0]
            assert tried["source"] == "OpenAlex"
            assert tried["note"].startswith("Semantic Scholar ")
            searches = nov.content["searches"]
            assert {s["source"] for s in searches if s["outcome"] == "ok"} == {"OpenAlex"}
            assert "empty" not in {s["outcome"] for s in searches}, "a source was away"
        assert set(lost.works.keys) == {OA_KEY}
        assert OA_KEY not in str([(e.path, e.params) for e in lost.pair.log.entries])
    assert not holding(tmp_path, S2_KEY, OA_KEY)


WITH_KEY = Keys(semantic_scholar="a-key")
BARE = Settings()
OPENALEX = Settings(source="openalex")
LOCAL = Settings(semantic_scholar=SourceSettings(base_url="http://127.0.0.1:9/graph/v1"))
BOTH = Settings(source="semantic_scholar, openalex")


NOT_HERE = "What is not known here is sent to"
FURTHER = "if nothing is found, arXiv gets arXiv ids and Crossref gets DOIs"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (BARE, f"{NOT_HERE} Semantic Scholar; {FURTHER}."),
        (OPENALEX, f"{NOT_HERE} OpenAlex; {FURTHER}."),
        (
            BOTH,
            f"{NOT_HERE} Semantic Scholar; where it is unreachable or has nothing, OpenAlex too; {FURTHER}.",
        ),
        (LOCAL, f"{NOT_HERE} Semantic Scholar."),
    ],
)
def test_one_sentence_says_who_gets_what(settings: Settings, told: str) -> None:
    assert lookup_disclosure(settings, WITH_KEY, False) == told


def test_offline_and_without_a_source_nothing_leaves() -> None:
    said = lookup_disclosure(BARE, WITH_KEY, True)
    assert said == "Offline: looked up only on this machine; nothing leaves it."
    away = BARE.model_copy(update={"offline": True})
    assert lookup_disclosure(away, WITH_KEY, False) == said
    assert lookup_disclosure(BARE, Keys(), False).startswith("No online source is set up: ")
