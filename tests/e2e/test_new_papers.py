"""``coi new-papers``: one session or all of them, seen or not, and nobody to ask."""

from pathlib import Path

from tests.support.coi_process import environment
from tests.support.standins import StandInProcess

from .conftest import IMPATIENT, Run, in_this_process

NAME = ("--name", "one", "--offline", "--until", "anchors", "--yes")


def test_offline_it_says_where_it_looked_and_that_nothing_is_new(offline: Run) -> None:
    assert offline("run", "chain-of-thought reasoning", *NAME).code in (0, 1)
    looked = offline("new-papers", "one")
    assert looked.code == 0, looked.err
    assert "Nothing new since" in looked.out
    assert "Only the starter library and your imported papers" in looked.out
    assert "news" in offline("show", "one").out
    seen = offline("new-papers", "--seen")
    assert (seen.code, "Seen, as of" in seen.out) == (0, True)
    again = offline("new-papers", "one", "--seen")
    assert (again.code, "you have seen it" in again.err) == (2, True)


def test_without_a_look_nothing_is_seen_and_an_unknown_session_is_named(offline: Run) -> None:
    assert offline("new", "chain-of-thought reasoning", "--name", "bare", "--offline").code == 0
    seen = offline("new-papers", "bare", "--seen")
    assert (seen.code, "only a look for new papers" in seen.err) == (2, True)
    assert "There is no session" in offline("new-papers", "none").err
    assert offline("new-papers").code == 0, "a session of which nothing was made has its topic"


def test_nobody_to_ask_is_not_nothing_new(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(IMPATIENT, encoding="utf-8")
    with StandInProcess() as pair:
        env = environment(tmp_path, pair)
        assert in_this_process(env, "new", "any topic", "--name", "one").code == 0
        looked = in_this_process(env, "new-papers", "one", "--yes")
        assert looked.code == 0, looked.err
    away = in_this_process(env, "new-papers", "one", "--yes")
    assert away.code == 1
    assert "Could not look in one." in away.err
    assert "Nothing new" not in away.out
