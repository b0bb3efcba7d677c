"""Nothing set up: the starter library and the drafter, topic by topic (Must show 1 and 3)."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from coi_tui.session.recorded_run import unpack_session
from tests.support.coi_process import Ran, environment, opened

from .conftest import MODELS, TOPIC, Run, in_this_process, starter

NEAR = (
    "chain-of-thought and tree search reasoning in large language models",
    "research idea generation with language models",
    "retrieval-augmented generation for knowledge-intensive questions",
    "parameter-efficient fine-tuning with low-rank adapters",
    "aligning language models with human preferences",
    "diffusion models for image generation",
    "dense passage retrieval",
    "language model agents that use tools",
    "grammars for interactive visualization",
    "narrative visualization and data stories",
)
FAR = (
    "coral reef calcification",
    "medieval tax records of Burgundy",
    "cheese ripening bacteria",
    "volcanic ash aviation routes",
    "Baroque violin varnish",
    "MuJoCo locomotion tasks",
    "graph neural networks for molecules",
    "selective attention of air traffic controllers",
    "a reward programme for public transport users",
)


@dataclass(frozen=True)
class Finished:
    """A run up to its chains, as it lies on disk."""

    ran: Ran
    chains: list[list[tuple[str, str]]]
    """By branch, the papers from the oldest slot on: id and date."""
    anchors: list[str]
    both_ways: int


def run_to_chains(topic: str, home: Path) -> Finished:
    ran = in_this_process(
        environment(home), "run", topic, "--name", "near", "--offline", "--yes", "--until", "chains"
    )
    with opened(home, "near") as session:
        state = session.state
        chains, anchors, both = [], [], 0
        for branch in (
            b for b in state.branches if b not in state.parked
        ):  # a short chain is set aside for another question
            places = state.chain(branch)
            papers = [state.paper_at(branch, pos) for pos in places]
            chains.append([(p.id, p.published or str(p.year)) for p in papers if p is not None])
            anchor = state.paper_at(branch, 0)
            anchors.append(anchor.id if anchor else "")
            both += min(places) < 0 < max(places) if places else False
    return Finished(ran, chains, anchors, both)


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finished]:
    return {topic: run_to_chains(topic, tmp_path_factory.mktemp("near")) for topic in NEAR}


class TestNear:
    def test_each_topic_has_three_branches_with_three_anchors(
        self, near: dict[str, Finished]
    ) -> None:
        for topic, found in near.items():
            assert found.ran.code == 0, topic
            assert len(found.anchors) == 3, topic
            assert len(set(found.anchors) - {""}) == 3, topic

    def test_most_topics_grow_both_ways_in_two_branches(self, near: dict[str, Finished]) -> None:
        fair = [topic for topic, found in near.items() if found.both_ways >= 2]
        assert len(fair) >= 6, {topic: found.both_ways for topic, found in near.items()}

    def test_chains_are_in_year_order(self, near: dict[str, Finished]) -> None:
        for topic, found in near.items():
            for chain in found.chains:
                dates = [date for _, date in chain]
                years = [int(date[:4]) for date in dates]
                assert years == sorted(years), (topic, dates)
                months = [d[:7] for d in dates if len(d) >= 7]
                assert months == sorted(months), (topic, dates)

    def test_no_paper_stands_twice(self, near: dict[str, Finished]) -> None:
        for topic, found in near.items():
            held = [paper for chain in found.chains for paper, _ in chain]
            assert len(held) == len(set(held)), topic

    def test_every_link_is_one_of_the_library(self, near: dict[str, Finished]) -> None:
        known = {(row["citing"].lower(), row["cited"].lower()) for row in starter("links")}
        for topic, found in near.items():
            for chain in found.chains:
                for (older, _), (newer, _) in itertools.pairwise(chain):
                    assert (newer.lower(), older.lower()) in known, (topic, newer, older)


def test_the_demo_makes_the_texts_of_the_session_that_it_opens(
    offline: Run, tmp_path: Path
) -> None:
    """Where this fails, a prompt's form or the library has changed: adapt the replies, then
    ``python scripts/recorded.py``."""
    out = tmp_path / "proposal.md"
    ran = offline("demo", "--headless", "--out", str(out))
    assert ran.code == 0, ran.err
    assert "recorded answers of a language model" in ran.err.splitlines()[0]
    assert "recorded answers of a language model" in out.read_text(encoding="utf-8")
    unpack_session(tmp_path / "shipped.coi.db", "shipped")
    with (
        opened(tmp_path, "demo") as made,
        opened(tmp_path, str(tmp_path / "shipped.coi.db")) as shipped,
    ):
        texts = [
            [
                (
                    v.address,
                    v.origin,
                    re.sub(r'"date": "[-\d]+"', "", json.dumps(v.content)),
                )  # that of the searches
                for v in s.state.versions.values()
                if not v.by_person or v.address == "topic"
            ]
            for s in (made, shipped)
        ]
    assert texts[0] == texts[1]


def test_a_run_without_a_model_writes_a_worksheet(offline: Run) -> None:
    ran = offline("run", NEAR[0], "--offline", "--yes", "--out", "-")  # to stdout
    assert ran.code == 0, ran.err
    assert "worksheet, drafted without a language model" in ran.out.lower()


@pytest.mark.parametrize("topic", FAR)
def test_a_far_topic_is_refused_with_figures(topic: str, offline: Run, tmp_path: Path) -> None:
    out = tmp_path / "far.md"
    ran = offline("run", topic, "--name", "far", "--offline", "--yes", "--json", "--out", str(out))
    data = json.loads(ran.out)
    with opened(tmp_path, "far") as session:
        state = session.state
        assert not any(state.chain(branch) for branch in state.branches)
    assert ran.code == 1
    assert re.search(
        r"library holds (no paper|1 paper|\d+ papers) that could stand in a chain on this topic",
        data["shortfall"],
    )
    assert "at least 4 are needed" in data["shortfall"]
    assert data["shortfall"] in ran.err
    assert not out.exists()  # no empty proposal


def test_a_session_begun_offline_goes_online_when_told(online: Run, tmp_path: Path) -> None:
    assert online("new", TOPIC, "--name", "later", "--offline").code == 0
    resumed = online("resume", "later", "--online", "--until", "questions", "--yes")
    assert resumed.code == 0, resumed.err
    with opened(tmp_path, "later") as session:
        assert {call.model_asked for call in session.core.file.calls()} == {MODELS["COI_MODEL"]}
