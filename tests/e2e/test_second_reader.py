"""Two people with a home each: the file goes out, is decided in, comes back and is joined."""

import shutil
from pathlib import Path

import pytest

from tests.support.coi_process import environment

from .conftest import Run, in_this_process

TOPIC = "chain of thought reasoning in large language models"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with an example session that was run offline."""
    home = tmp_path_factory.mktemp("reviewed")
    arguments = ("run", TOPIC, "--name", "thoughts", "--branches", "2", "--offline", "--yes")
    ran = in_this_process(environment(home), *arguments)
    assert ran.code == 0, ran.err
    return home


def at(home: Path) -> Run:
    env = environment(home)
    return lambda *arguments, stdin=None: in_this_process(env, *arguments, stdin=stdin)


def test_a_journey_of_two_people(example: Path, tmp_path: Path) -> None:
    mine, hers = at(Path(shutil.copytree(example, tmp_path / "mine"))), at(tmp_path / "hers")
    assert mine("decide", "thoughts", "1/0", "accept", "--reason", "it began there").code == 0
    assert mine("ideas", "vote", "thoughts", "1/idea", "2/idea", "1/idea").code == 0
    file = str(tmp_path / "for-ana.coi.db")
    made = mine("review-pack", "thoughts", "--reader", "Ana", "-o", file)
    assert (made.code, made.out) == (0, f"{file}\n")
    assert "coi --session" in made.err
    assert mine("review-pack", "thoughts", "--reader", "Ana", "-o", file).code == 1

    assert "it began there" not in hers("log", file).out
    assert hers("decide", file, "1/0", "reject", "--reason", "not ours", "--yes").code == 0
    assert (
        hers("ideas", "vote", file, "1/idea", "2/idea", "1/idea", "--criterion", "novelty").code
        == 0
    )
    assert hers("verify", file).code == 0

    used = mine("show", "thoughts").out
    joined = mine("merge", file)
    assert joined.code == 0, joined.err
    assert joined.err.startswith("2 new decisions of Ana in thoughts")
    assert joined.out.startswith("Ana decided about 2 things.\nVerdicts: 0 of 1 alike, kappa 0.00.")
    assert "Votes: 1 of 1 alike, kappa not defined." in joined.out
    assert "you: accepted" in joined.out
    assert "it began there" in joined.out
    assert "not ours" in joined.out
    assert mine("show", "thoughts").out == used
    assert "Ana  reject" in mine("log", "thoughts").out
    again = mine("merge", file, "thoughts")
    assert again.err.startswith("0 new decisions")
    assert again.out == joined.out
    assert mine("verify", "thoughts").code == 0


def test_what_cannot_be_joined_is_said(example: Path, tmp_path: Path) -> None:
    coi = at(Path(shutil.copytree(example, tmp_path / "mine")))
    own = str(tmp_path / "mine" / "sessions" / "thoughts.coi.db")
    own = own if Path(own).exists() else coi("where").out.split()[1] + "/thoughts.coi.db"
    for file, code, said in (
        (own, 2, "no second reader's file"),
        (str(tmp_path / "nothing.coi.db"), 1, "There is no session"),
    ):
        ran = coi("merge", file)
        assert (ran.code, ran.out) == (code, ""), ran.err
        assert said in ran.err
    sent = coi("review-pack", "thoughts", "-o", str(tmp_path / "x.coi.db"))
    assert sent.code == 0
    assert coi("new", "another topic", "--name", "other", "--offline").code == 0
    refused = coi("merge", str(tmp_path / "x.coi.db"), "other")
    assert (refused.code, "another topic" in refused.err) == (2, True)
