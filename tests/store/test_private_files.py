"""Sessions, library, copies, exports, log and settings hold private texts: they and their folders
are for this user alone."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.paths import write_whole
from coi_tui.services.sources.types import HttpRequest
from coi_tui.session.settings import load_settings, set_value, settings_now
from coi_tui.store.session_file import SessionFile
from tests.support.coi_process import coi, environment
from tests.support.desk import paths_in

from .making import META, call

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """What most systems have: files are readable by everybody unless a program says otherwise."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Files and folders in a folder that somebody else may read or enter."""
    modes = {path: path.stat().st_mode & 0o777 for path in sorted(folder.rglob("*"))}
    return [f"{path.relative_to(folder)} {mode:o}" for path, mode in modes.items() if mode & 0o077]


def test_everything_that_commands_write_is_private(tmp_path: Path) -> None:
    env = environment(tmp_path / "home")
    (tmp_path / "home").mkdir(mode=0o700)
    proposal = tmp_path / "home" / "export.json"
    for arguments in (
        ("config", "set", "display.theme", "light"),
        ("run", "retrieval", "--name", "one", "--offline", "--yes", "--until", "questions"),
        ("resume", "one", "--yes", "--until", "questions"),
        ("export", "one", "--format", "json", "--out", str(proposal)),
    ):
        ran = coi(env, *arguments)
        assert ran.code == 0, ran.err
    made = {path.name for path in (tmp_path / "home").rglob("*")}
    assert {
        "one.coi.db",
        "library.db",
        "coi.log",
        "config.toml",
        "export.json",
        "backups",
    } <= made
    assert open_to_others(tmp_path / "home") == []


def test_an_open_session_and_what_lies_beside_it_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "sessions"
    with SessionFile.create(
        folder / "one.coi.db", META, backups=tmp_path / "data" / "backups"
    ) as file:
        file.commit(calls=[call("k")])
        file.back_up()
        assert {path.name for path in folder.iterdir()} >= {
            "one.coi.db",
            "one.coi.db-wal",
            "one.coi.db-shm",
            "one.coi.db.lock",
        }
        assert open_to_others(tmp_path) == []


def test_a_password_in_an_address_is_shown_nowhere_and_is_in_no_session(tmp_path: Path) -> None:
    paths = paths_in(tmp_path)
    secret = {
        "OPENAI_BASE_URL": "http://me:s3cret@box:9/v1",
        "COI_SEMANTIC_SCHOLAR_URL": "https://me:s3c%40ret@box/graph",
    }
    told = {s.key: s.shown for s in settings_now(paths.config_file, secret)}
    assert told["llm.base_url"] == "http://***@box:9/v1"
    assert told["semantic_scholar.base_url"] == "https://***@box/graph"
    load_settings(paths.config_file, secret)
    with pytest.raises(UsageError) as refused:
        load_settings(paths.config_file, {"COI_SEMANTIC_SCHOLAR_URL": "https://me:s3c@ret@box/x"})
    assert "s3c" not in str(refused.value)
    assert (
        HttpRequest(url="https://me:s3cret@box/graph/search").key()["url"]
        == "https://box/graph/search"
    )
    with pytest.raises(UsageError, match="not shown"):
        set_value(paths.config_file, "llm.base_url", "http://***@box:9/v1")
    assert not paths.config_file.exists()


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    write_whole(file, "one")
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("one", 0o600)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(file, "two")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.txt", "one")]
