"""The researcher's decisions through the command line: what they change is said, and asked for
where it is more than the row."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coi_tui.session.lookup import HERE, NOT_SHOWN
from tests.support.coi_process import environment
from tests.support.desk import copy_of
from tests.support.pdfs import pdf_of
from tests.support.standins import StandInProcess

from .conftest import TOPIC, Run, in_this_process

Say = Callable[..., Any]
MINE = "What I think:\r\n\tréification – not a trend.  \n\nSecond paragraph.\n"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, services: StandInProcess) -> Path:
    home = tmp_path_factory.mktemp("finished")
    ran = in_this_process(
        environment(home, services), "run", TOPIC, "--name", "s", "--no-one-call", "--yes"
    )
    assert ran.code == 0, ran.err
    return home


@pytest.fixture
def say(finished: Path, tmp_path: Path, services: StandInProcess) -> Say:
    """``say("undo", "s")``: a command on a copy of the finished session; its JSON where it is
    ``show`` or ``refresh``, else its output."""
    home = tmp_path / "home"
    shutil.copytree(finished, home)
    env = environment(home, services)

    def run(*arguments: str, stdin: str | None = None) -> Any:
        as_json = arguments[0] in ("show", "refresh")
        ran = in_this_process(env, *arguments, *(["--json"] if as_json else []), stdin=stdin)
        assert ran.code == 0, (arguments, ran.err)
        return json.loads(ran.out) if as_json else ran.out

    return run


def marks(say: Say) -> dict[str, str]:
    return {
        row["address"]: f"{row['verdict']}, {row['state']}, {row['origin']}"
        for row in say("show", "s")["rows"]
    }


def test_an_edited_trend_makes_its_readers_stale_and_a_refresh_runs_only_those(say: Say) -> None:
    before = marks(say)
    b = next(int(a.partition("/")[0]) for a in before if a.endswith("/exp"))  # the one with a plan
    matches = {a for a in before if str(b) in a.removeprefix("A/").split("-") and a[:2] == "A/"}
    assert len(matches) == 3, "with two branches and an idea of the wall"
    readers = {
        *matches,
        *(f"{b}/{part}" for part in ("dir", "idea", "rivals", "nov", "exp", "proposal")),
    }
    say("edit", "s", f"{b}/-1..0", "--file", "-", stdin=MINE)
    stale = {a for a, words in marks(say).items() if ", stale" in words}
    assert stale == readers
    mine = say("show", "s", f"{b}/-1..0")["content"]["text"]
    assert mine == MINE.replace("\r\n", "\n"), "line ends are those of every text, nothing else"
    say("undo", "s")
    assert marks(say) == before
    say("redo", "s")
    refreshed = say("refresh", "s", "--yes")
    assert refreshed["state"] == "done"
    assert set(refreshed["made"]) - readers == {
        *(f"{b}/sketch{n}" for n in range(1, 5)),
        "W1/named",
        "W1/ranking",
    }, "on the wall, in its one row"
    assert readers <= set(refreshed["made"])
    assert say("show", "s", f"{b}/-1..0")["content"]["text"] == mine
    say("refresh", "s", "--yes")  # where the judge's new order chose another sketch
    assert not any("stale" in words for words in say("show", "s")["waiting"])


def test_an_idea_is_not_merged_with_itself(offline: Run, tmp_path: Path) -> None:
    session = copy_of(tmp_path, "one").session
    file = str(session.file.path)
    session.close()
    ran = offline(
        "edit", file, "1/idea", "--file", "-", "--merged-with", "1/idea", stdin="## final\nOf one."
    )
    assert (ran.code, "1/idea" in ran.err) == (2, True)


def test_a_decision_that_changes_other_rows_says_which_and_asks(
    offline: Run, tmp_path: Path
) -> None:
    """Rejecting an anchor emptied its branch without a word."""
    session = copy_of(tmp_path, "small").session
    file, anchor = str(session.file.path), str(session.state.slot("1/0").paper)
    session.close()
    refused = offline("decide", file, "1/0", "reject")
    assert refused.code == 3
    assert refused.err.startswith("Empties 1/0; detaches 1/-1 and 1/+1 (X lists them); sets aside ")
    assert "nothing to undo" in offline("undo", file).err, "nothing was changed"
    done = offline("decide", file, "1/0", "reject", "--yes")
    assert (done.code, done.err) == (0, refused.err.splitlines(keepends=True)[0])
    back = offline("decide", file, "1/0", "choose", anchor, "--yes")
    assert back.err.startswith("Fills 1/0; brings back 1/-1, 1/+1")
    assert offline("decide", file, "1/+1", "accept").code == 0, (
        "nothing else changes, so nothing is asked"
    )


def test_all_texts_of_a_branch_are_accepted_by_one_command_that_says_how_many_of_what(
    say: Say, finished: Path, services: StandInProcess
) -> None:
    env = environment(finished, services)
    asked = in_this_process(env, "decide", "s", "1", "accept-all", "texts")
    assert asked.code == 3, "nobody could be asked"
    assert asked.err.startswith("Accepts ")
    before = marks(say)
    say("decide", "s", "1", "accept-all", "texts", "--yes")
    left = [a for a, words in marks(say).items() if words.startswith("undecided") and a[:2] == "1/"]
    assert [a for a in left if "." in a or not a[2:].lstrip("+-").isdigit()] == []
    say("undo", "s")
    assert marks(say) == before


def test_a_pin_says_who_gets_the_id_before_it_is_looked_up(
    offline: Run, online: Run, tmp_path: Path
) -> None:
    session = copy_of(tmp_path, "small").session
    file = str(session.file.path)
    session.close()
    away = offline("decide", file, "1/0", "pin", "2201.11903", "--yes")
    assert (away.code, away.err.splitlines()[0].endswith(HERE)) == (0, True), away.err
    ran = online("decide", file, "2/0", "pin", "2401.99999")
    assert ran.code == 2
    assert ran.err.index("is sent to Semantic Scholar") < ran.err.index("No paper was found")
    assert "arXiv gets" not in ran.err, "a source on this machine: nobody else is asked"


def test_a_pdf_of_another_title_is_refused_until_anyway(offline: Run, tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    file, pdf = str(session.file.path), tmp_path / "my copy.pdf"
    session.close()
    pdf.write_bytes(pdf_of("Quite another matter"))
    refused = offline("attach", file, "1/0", str(pdf))
    assert (refused.code, refused.out) == (2, "")
    assert "--anyway" in refused.err
    done = offline("attach", file, "1/0.card", str(pdf), "--anyway", "--yes")
    assert (done.code, NOT_SHOWN in done.out) == (0, True), done.err
    said = done.out.splitlines()[1]
    assert said.startswith("Makes stale 1/0.card, "), "what it changes is said before it is done"
    assert said in done.err
    again = offline("attach", file, "1/0", str(pdf), "--anyway", "--yes")
    assert (again.code, "already attached to 1/0" in again.err) == (2, True)


@pytest.mark.parametrize("command", ["resume", "refresh"])
def test_a_plan_without_anything_to_run_says_so(offline: Run, tmp_path: Path, command: str) -> None:
    session = copy_of(tmp_path, "small").session
    file, made = str(session.file.path), len(session.journal.entries)
    until = ["--until", "questions"] if command == "resume" else []
    session.close()
    ran = offline(command, file, *until)
    assert (ran.code, "nothing to do" in ran.err) == (0, True), ran.err
    assert not {"Total:", "Done:", "Leaves"} & set(ran.err.split())
    with copy_of(tmp_path / "again", "small").session as again:
        assert len(again.journal.entries) == made
    told = json.loads(offline(command, file, *until, "--json").out)
    assert (told["state"], told["made"]) == ("done", [])


def test_a_difference_goes_from_the_earlier_version_to_the_later_whichever_is_in_use(
    offline: Run, tmp_path: Path
) -> None:
    session = copy_of(tmp_path, "small").session
    file, before = str(session.file.path), session.edits.text_of("1/dir")
    session.close()
    own = tmp_path / "own.txt"
    own.write_text(f"{before} Later.", encoding="utf-8")
    offline("edit", file, "1/dir", "--file", str(own))
    assert "{+" in offline("diff", file, "1/dir").out
    offline("decide", file, "1/dir", "adopt", "v1", "--yes")
    assert "{+" in offline("diff", file, "1/dir").out
    assert "{+" not in offline("diff", file, "1/dir", "v2").out, "as it was asked for"
