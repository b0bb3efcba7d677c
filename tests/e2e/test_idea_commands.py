"""A session from the command line alone: made, read, compared, voted on, reviewed and refined;
names, addresses and settings completed."""

import json
import re
import shutil
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.methods.ideas.sketches import turned_down
from coi_tui.paths import paths
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.coi_process import Ran, environment
from tests.support.desk import copy_of
from tests.support.standins import StandInProcess

from .conftest import Run, in_this_process

TOPIC = "chain of thought reasoning in large language models"
NAMES = ("walrus", "narwhal")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with an example session that was run offline."""
    home = tmp_path_factory.mktemp("example")
    ran = in_this_process(
        environment(home), "run", TOPIC, "--name", "thoughts", "--offline", "--yes"
    )
    assert ran.code == 0, ran.err
    return home


@pytest.fixture
def coi(example: Path, tmp_path: Path) -> Run:
    home = tmp_path / "home"
    shutil.copytree(example, home)
    env = environment(home)
    return lambda *arguments, stdin=None: in_this_process(env, *arguments, stdin=stdin)


def session_in(folder: Path) -> Session:
    home = paths({"COI_HOME": str(folder / "home")})
    return Session.open("thoughts", Environment(home, Settings(), Keys()))


def test_versions_are_listed_and_compared_word_by_word(coi: Run, tmp_path: Path) -> None:
    assert coi("diff", "thoughts", "1/dir").code == 2, "one version only"
    mine = tmp_path / "mine.txt"
    mine.write_text("One sentence of my own.\n")
    assert coi("edit", "thoughts", "1/dir", "--file", str(mine)).code == 0
    newest, oldest = coi("history", "thoughts", "1/dir").out.splitlines()
    assert newest.startswith("v2")
    assert "IN USE" in newest
    assert oldest.startswith("v1")
    told = coi("diff", "thoughts", "1/dir").out
    assert "{+" in told
    assert "[-" in told
    backwards = coi("diff", "thoughts", "1/dir", "v2", "v1").out
    assert "[-One sentence of my own." in backwards, "the other way round, mine is left out"


def test_a_vote_shows_the_judgement_and_one_undo_takes_it_back(coi: Run) -> None:
    def shown() -> tuple[bool, bool]:
        match, arena = (coi("show", "thoughts", at).out for at in ("A/1-2", "A"))
        return "hidden until you have voted" in match, "By your votes" in arena

    assert shown() == (True, False)
    vote = ("ideas", "vote", "thoughts", "2/idea", "1/idea")
    assert coi(*vote, "3/idea").code == 2
    assert coi("ideas", "vote", "thoughts", "1/idea", "1/dir", "tie").code == 2
    voted = coi(*vote, "1/idea", "--reason", "clearer")
    assert (voted.code, "1/idea" in voted.out, "A/1-2" in voted.out) == (0, True, True)
    assert shown() == (False, True)
    assert coi("undo", "thoughts").code == 0
    assert shown() == (True, False)


def test_sketches_are_compared_and_what_was_rejected_is_shown_to_a_later_session(
    coi: Run, tmp_path: Path
) -> None:
    assert (
        coi("resume", "thoughts", "--method", "Sketches", "--until", "sketches", "--yes").code == 0
    )
    assert coi("decide", "thoughts", "1/sketch1", "better", "2/sketch1").code == 0
    rows = json.loads(coi("ideas", "sketches", "thoughts", "--json").out)["sketches"]
    points = {row["address"]: row["votes"] for row in rows if row["votes"]}
    assert points["1/sketch1"] > 1000 > points["2/sketch1"]
    assert f"your votes: {points['2/sketch1']} points" in coi("ideas", "sketches", "thoughts").out
    why = ("--reason", "nobody would use it")
    assert coi("decide", "thoughts", "1/sketch1", "reject", *why).code == 0
    ran = coi("new", "graph drawing", "--like", "thougts")
    assert (ran.code, "Did you mean thoughts?" in ran.err) == (2, True)
    assert coi("ls").out.count("graph") == 0, "no session is left"
    assert coi("new", "graph drawing", "--name", "later", "--like", "thoughts").code == 0
    home = paths({"COI_HOME": str(tmp_path / "home")})
    with Session.open("later", Environment(home, Settings(), Keys())) as later:
        (told,) = turned_down(later.state)
        assert told["reason"] == "nobody would use it"
        later.undo()
        assert turned_down(later.state) == []


def test_a_text_is_rewritten_as_it_was_asked_for(online: Run, offline: Run, tmp_path: Path) -> None:
    file = str(copy_of(tmp_path, "one").closed())
    wish = ("ask", file, "1/dir", "make it\x1b[31m more about accessibility")
    assert offline(*wish, "--yes").code == 2, "no language model can rewrite it"
    assert online("ask", file, "1/0", "shorter").code == 2, "no step makes a text there"
    nobody = online(*wish)
    assert (nobody.code, "Plan: " in nobody.err) == (3, True)
    done = online(*wish, "--yes")
    assert (done.code, "done     1/dir " in done.err) == (0, True), done.err
    assert "{+" in online("diff", file, "1/dir").out
    for look in (("why", file, "1/dir"), ("log", file)):
        assert "make it more about accessibility" in online(*look).out
    assert online("undo", file).code == 0
    back = online(*wish)
    assert (back.code, "Plan: " in back.err) == (0, False), "what was made for it is in use again"


def test_rows_are_found_by_words_in_one_part(coi: Run) -> None:
    def found(words: str) -> set[str]:
        return {
            row["address"]
            for row in json.loads(coi("show", "thoughts", "--find", words, "--json").out)["rows"]
        }

    edited = coi(
        "edit",
        "thoughts",
        "1/idea",
        "--file",
        "-",
        stdin="## Title\nA\n\n## Mechanism\nA walrus.\n\n## Final\nAll.",
    )
    assert edited.code == 0, edited.err
    assert found("mechanism: walrus") == found("walrus") == {"1/idea"}
    assert found("problem: walrus") == set()
    assert "1/idea" in coi("show", "thoughts", "--find", "walrus").out


def test_drafts_by_several_models_from_the_command_line(
    coi: Run, tmp_path: Path, services: StandInProcess
) -> None:
    with session_in(tmp_path) as session:
        session.decide("network", "session", False)
    env = environment(tmp_path / "home", services, {"COI_MODEL": "standin-main"})

    def online(*arguments: str) -> Ran:
        return in_this_process(env, *arguments)

    drafts = ("ideas", "drafts", "thoughts", "1/idea")
    assert online(*drafts, "--yes").code == 2, "no model is named"
    assert online("config", "set", "llm.draft_models", "walrus, narwhal").code == 0
    assert online("config", "set", "llm.prices.walrus", "100 100").code == 0
    ran = online(*drafts, "--yes")
    assert ran.code == 0, ran.err
    shown = {name: line for line in ran.err.splitlines() for name in NAMES if f"by {name}" in line}
    assert "$" in shown["walrus"]
    assert "cost unknown" in shown["narwhal"]
    before = online("history", "thoughts", "1/idea").out
    assert "draft 2" in before
    assert not any(name in before for name in NAMES)


def test_a_colleagues_comments_become_notes_on_the_rows(coi: Run, tmp_path: Path) -> None:
    page = coi("export", "thoughts", "--format", "html").out
    numbered = re.findall(r">([\w/.+-]+) ¶(\d+)</a>", page)
    ideas = [(at, int(n)) for at, n in numbered if at.endswith("/idea")]
    at, last = ideas[-1]
    coi("decide", "thoughts", at, "note", "mine")
    file = tmp_path / "ann.md"
    lines = ["# Comments", "", f"{at} ¶{last}: too broad", f"- {at}: good", f"{at} ¶{last + 1}: x"]
    file.write_text("\n".join([*lines, "Kind regards"]), encoding="utf-8")
    taken = coi("import-comments", "thoughts", str(file))
    assert taken.code == 1
    assert taken.out.count("\n") == 2
    refused = taken.err.splitlines()
    assert refused[0].startswith(f"Line 5 is refused: {at} has {last} numbered paragraphs.")
    assert refused[1].startswith("Line 6 is refused: This is no comment.")
    with session_in(tmp_path) as session:
        note = session.state.notes[at].splitlines()
        assert note[0] == "mine", "a note that is there stays"
        assert note[1].startswith(f"ann ¶{last} “")
        assert note[1].endswith("”: too broad")
        assert note[2] == "ann: good"
    again = coi("import-comments", "thoughts", str(file))
    assert again.out == "", "what was taken in is not taken in twice"
    with session_in(tmp_path) as session:
        assert session.state.notes[at].splitlines() == note
    missing = coi("import-comments", "thoughts", str(tmp_path / "none.md"))
    assert missing.code != 0
    assert "Traceback" not in missing.err
