"""NOVA-8 to NOVA-11 in a session: how different the seeds are, which of them become proposals, and
how these are checked and compared."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.nova.seeds import seed_of
from coi_tui.services.llm.chat import ChatRequest
from tests.methods.nova.test_method import desk_of
from tests.support.desk import Desk, made_once, ran
from tests.support.script import HashModel, Say, reply_to
from tests.support.world import MemorySource, make_world

TOPICS = (
    "Slower tadpole growth under street lamps",
    "Acoustic cues for predator snakes",
    "Humid leaf nests and clutch mortality",
    "Liver pigments while resting",
    "Parental guarding by fathers",
    "Translucent skin and heat loss",
)
"""Titles that share no word, so that no seed repeats another unless a test says so."""


def given(request: ChatRequest, name: str) -> Any:
    return request.values[name]


def about(request: ChatRequest, names: Sequence[str]) -> dict[str, Any]:
    """The scripted ideas, each about one of these names."""
    reply = reply_to(request)
    ideas = zip(reply["ideas"], names, strict=False)
    return {
        **reply,
        "ideas": [
            {**idea, "title": name, "text": f"We measure it: {name}."} for idea, name in ideas
        ],
    }


def distinct_seeds(request: ChatRequest) -> Any:
    """New seeds that differ from each other and from the seed above; one of them repeats the first
    seed of all."""
    second = given(request, "seed")["title"] == TOPICS[1]
    return about(request, [TOPICS[4], TOPICS[0]] if second else [TOPICS[2], TOPICS[3]])


SEEDS: Mapping[str, Say] = {
    "nova_theory_ideas": lambda r: about(r, TOPICS),
    "nova_trend_ideas": lambda r: about(r, TOPICS[1:]),
    "nova_new_seeds": distinct_seeds,
}


@pytest.fixture(scope="module")
def made() -> Path:
    """A session with two seeds, two new ones for each, and two proposals; copy it, do not touch
    it."""
    return made_once("nova", lambda folder: ran(desk_of(folder, SEEDS, branches=2)))


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(SEEDS), MemorySource(make_world(), lists=True))


# -- NOVA-8


def test_nova_8_repeated_seeds_are_marked_and_the_new_ones_counted_by_round(desk: Desk) -> None:
    held = desk.content("N1/diversity")
    assert {row["seed"]: row.get("repeats", "") for row in held["seeds"]} == {
        "1": "",
        "2": "",
        "1.1": "",
        "1.2": "",
        "2.1": "",
        "2.2": "1",
    }
    assert held["model"] == ""
    titles = {row.address: row.title for row in desk.session.rows()}
    assert titles["N1/diversity"].endswith("new by round: 2, 3")


# -- NOVA-9


def test_nova_9_a_starred_seed_is_worked_out_before_others_and_a_proposal_keeps_its_seed(
    desk: Desk,
) -> None:
    state = desk.state
    before = [seed_of(state, "N1/1"), seed_of(state, "N1/2")]
    assert before == desk.content("N1/diversity")["picks"]
    other = next(item for item in ("1.1", "1.2", "2.1") if item not in before)
    desk.session.decide("reject", f"N1/seed{before[0]}")
    desk.session.decide("accept", f"N1/seed{other}")
    assert seed_of(desk.state, "N1/1") == other  # what a person accepted goes before the others
    assert seed_of(desk.state, "N1/2") == before[1]  # and a proposal keeps its seed


# -- NOVA-10
