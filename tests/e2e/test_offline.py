"""Nothing set up: the starter library and the drafter, topic by topic."""

import json
import re
from pathlib import Path

import pytest

from coi_tui.methods.chain.chains import Chains
from coi_tui.present.snapshot import RECORDED
from coi_tui.session.recorded_session import unpack_session
from tests.support.coi_process import opened

from .conftest import MODELS, TOPIC, Run

FAR = (
    "coral reef calcification",
    "graph neural networks for molecules",
    "selective attention of air traffic controllers",
)


def plain(content: str) -> str:
    """Without the dates of searches, and with numbers as every machine reckons them."""
    text = re.sub(r'"date": "[-\d]+"', "", content)
    return re.sub(r"\d+\.\d{7,}", lambda found: f"{float(found[0]):.6g}", text)


def test_the_demo_makes_the_texts_of_the_session_that_it_opens(
    offline: Run, tmp_path: Path
) -> None:
    """Where this fails, a prompt's form or the library has changed: adapt the replies, then
    ``python scripts/recorded.py``."""
    out = tmp_path / "proposal.md"
    ran = offline("demo", "--headless", "--out", str(out))
    assert ran.code == 0, ran.err
    assert ran.err.splitlines()[0] == RECORDED
    assert "recorded answers of a language model" in out.read_text(encoding="utf-8")
    unpack_session(tmp_path / "shipped.coi.db", "shipped")
    with (
        opened(tmp_path, "demo") as made,
        opened(tmp_path, str(tmp_path / "shipped.coi.db")) as shipped,
    ):
        texts = [
            [
                (v.address, v.origin, plain(json.dumps(v.content)))
                for v in s.state.versions.values()
                if not v.by_person or v.address == "topic"
            ]
            for s in (made, shipped)
        ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("topic", FAR)
def test_a_far_topic_is_refused(topic: str, offline: Run, tmp_path: Path) -> None:
    out = tmp_path / "far.md"
    ran = offline("run", topic, "--name", "far", "--offline", "--yes", "--json", "--out", str(out))
    data = json.loads(ran.out)
    with opened(tmp_path, "far") as session:
        state = session.state
        assert not any(Chains.of(state).chain(branch) for branch in state.branches)
    assert ran.code == 1
    assert data["shortfall"] in ran.err
    assert not out.exists()  # no empty proposal


def test_a_session_begun_offline_goes_online_when_told(online: Run, tmp_path: Path) -> None:
    assert online("new", TOPIC, "--name", "later", "--offline").code == 0
    resumed = online("resume", "later", "--online", "--until", "questions", "--yes")
    assert resumed.code == 0, resumed.err
    with opened(tmp_path, "later") as session:
        assert {call.model_asked for call in session.file.calls()} == {MODELS["COI_MODEL"]}
