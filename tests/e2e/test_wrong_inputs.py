"""What a person typed wrong gets one sentence that says what was wrong and what to do."""

import shutil
from pathlib import Path

import pytest

from .conftest import Run


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("show", "s", "1/drr"), "1/dir"),
        (("show", "s", "1dir"), "1/dir"),
        (("why", "s", "dir"), "1/dir"),
        (("show", "1/dir", "s"), "`coi show s 1/dir`"),
        (("history", "1/dir", "s"), "`coi history s 1/dir`"),
        (("decide", "s", "1/dir", "acept"), "accept"),
        (("decide", "s", "1", "park"), "set-aside"),
        (("decide", "s", "1/dir", "adopt", "v1"), "use"),
        (("decide", "s", "accept", "1/dir"), "`coi decide s 1/dir accept`"),
        (("export", "s", "--format", "pdf"), "html"),
        (("export", "s", "--format", "latex"), "tex"),
        (("papers", "export", "--format", "bibtex"), "bib"),
        (("shwo", "s"), "show"),
        (("delete", "s"), "forget"),
        (("s",), "`coi --session s`"),
        (("--session", "ss", "--at", "1"), "s"),
        (("resume", "s", "--until", "idaes"), "ideas"),
        (("resume", "s", "--method", "Nuva"), "Nova"),
        (("resume", "s", "--budget", "5,50"), "5.50"),
        (("resume", "s", "--budget", "200k"), "200k-tokens"),
        (("config", "set", "display.thme", "dark"), "display.theme"),
        (("config", "set", "theme", "dark"), "display.theme"),
        (("config", "set", "source", "openalx"), "openalex"),
        (("config", "set", "keys.workbench.acept", "z"), "workbench.accept"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_one_suggestion_for_a_wrong_turn(
    small: Run, arguments: tuple[str, ...], meant: str
) -> None:
    ran = small(*arguments)
    assert ran.code in (1, 2)
    assert not ran.out
    assert ran.err.endswith(f"Did you mean {meant}?\n"), ran.err


def test_the_help_of_decide_names_all_decisions(small: Run) -> None:
    told = " ".join(small("decide", "s", "1", "nonsense").err.split())
    assert "It is one of accept, reject, " in told
    listed = told.rpartition("one of ")[2].partition(".")[0]
    assert f"All decisions: {listed}." in " ".join(small("decide", "--help").out.split())


def test_a_key_is_given_once_and_listed(small: Run) -> None:
    refused = small("config", "set", "keys.workbench.tag", "y")
    assert (refused.code, "workbench.copy has that key" in refused.err) == (2, True)
    assert small("config", "set", "keys.workbench.copy", "ctrl+y").code == 0
    assert small("config", "set", "keys.workbench.tag", "y").code == 0
    listed = small("config", "keys").out
    assert [name for name in ("copy", "tag") if f"workbench.{name} " not in listed] == []
    assert listed.count("(yours)") == 2
    assert small("config", "unset", "keys.workbench.tag").code == 0
    assert small("config", "keys").out.count("(yours)") == 1


def test_a_check_of_what_is_no_idea_asks_first(offline: Run) -> None:
    assert offline("demo", "--headless", "--out", "-").code == 0
    ran = offline("ideas", "novelty", "demo", "1/dir")
    assert ran.code == 3
    assert "1/dir is no idea or plan but a future direction" in ran.err
    assert offline("ideas", "novelty", "demo", "1/dir", "--yes").code == 0


def test_the_beginning_of_a_name_will_do_and_a_hyphen_is_the_last(small: Run) -> None:
    for name in ("reading chains", "reading lists"):
        assert small("new", "graph drawing", "--name", name, "--offline").code == 0
    assert small("show", "reading c").code == 0
    ran = small("show", "read")
    assert (ran.code, ran.out) == (2, "")
    assert "begins several names: reading chains and reading lists." in ran.err
    assert small("undo", "reading chains").err
    assert "Next: " in small("show", "-").out
    assert small("edit", "reading c", "topic", "--file", "-", stdin="drawing trees").code == 0
    assert "drawing trees" in small("show", "-", "topic").out
    refused = small("forget", "reading c", "--yes")
    assert (refused.code, refused.out) == (2, "")
    assert "Did you mean reading chains?" in refused.err


def test_a_session_is_renamed_copied_and_archived(small: Run) -> None:
    assert small("rename", "s", "trees").code == 0
    assert small("rename", "trees", "trees").code == 2
    assert small("verify", "trees").code == 0
    assert small("copy", "trees").out == "trees-2\n"
    assert small("copy", "tr", "other").code == 2, "two names begin so"
    assert small("archive", "trees-2").code == 0
    assert small("show", "-").out == small("show", "trees").out
    shown = small("ls")
    assert "trees-2" not in shown.out
    assert "1 session archived" in shown.err
    assert "trees-2" in small("ls", "--all").out
    assert small("archive", "trees-2", "--back").code == 0
    listed = small("ls").out
    assert [name in listed for name in ("trees ", "trees-2")] == [True, True]
    assert "same session" not in listed


@pytest.mark.parametrize(
    "conflict",
    [
        "s.coi.sync-conflict-20261120-101010-ABCDEFG.db",
        "s.coi (Ann's conflicted copy 2026-11-20).db",
        "s.coi-LAPTOP.db",
        "s.coi 2.db",
    ],
)
def test_a_conflict_copy_of_a_synced_folder_is_told_apart(
    small: Run, tmp_path: Path, conflict: str
) -> None:
    (file,) = tmp_path.rglob("s.coi.db")
    shutil.copy(file, file.with_name(conflict))
    assert small("undo", "s").code == 2
    assert small("decide", "s", "1", "note", "look again").code == 0
    name = conflict.replace(".coi", "").removesuffix(".db")
    listed = small("ls").out
    assert f"the same session as {name}: 4 entries here, 3 there" in listed
    assert "the same session as s: 3 entries here, 4 there" in listed
    assert "look again" not in small("show", name, "1").out
    assert "look again" in small("show", "s", "1").out
