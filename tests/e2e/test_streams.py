"""Terminals in other encodings, no terminal, full disks and readers that go away: a plain sign or one
sentence, and nothing of the interpreter's own."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from coi_tui.cli import main
from coi_tui.cli.output import log_to_file, tell
from tests.support.coi_process import coi, command, environment
from tests.support.terminal import FRAME_END, Terminal

TITLE = "Žár → “dust” in Łódź – naïve × 粉塵 …"
FULL = Path("/dev/full")
on_full_disk = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    file = folder / "mine.bib"
    entries = [f"@misc{{k{n}, title={{{TITLE} {n}}}, year=2020}}" for n in range(400)]
    file.write_text("\n".join(entries), encoding="utf-8")
    assert coi(environment(folder / "home"), "papers", "add", str(file)).code == 0
    return folder / "home"


def ran(home: Path, line: str, **extra: str) -> subprocess.CompletedProcess[bytes]:
    """A shell's command line, in which coi is ours."""
    ours = " ".join(command())
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; coi() {{ {ours} "$@"; }}; {line}'],
        env=environment(home, extra=extra),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("latin-1", 'Zár -> "dust" in ?ódz - naïve × ?? .'),
        ("ascii", 'Zar -> "dust" in ?odz - naive x ?? .'),
        ("cp1250", "Žár"),
        ("koi8-r", "dust"),
        ("utf-8", TITLE),
    ],
)
def test_a_sign_that_the_encoding_lacks_is_a_plain_one(
    home: Path, encoding: str, shown: str
) -> None:
    got = ran(home, "coi papers list", PYTHONIOENCODING=f"{encoding}:strict")
    assert (got.returncode, got.stderr) == (0, b"")
    assert shown.replace(" -> ", " > ") in got.stdout.decode(encoding)


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "POSIX", "LANG": ""}]
)
def test_the_plain_locale_does(home: Path, locale: Mapping[str, str]) -> None:
    got = ran(home, "coi papers list; coi papers remove → ; coi --help", **locale)
    assert got.returncode == 0
    assert b"dust" in got.stdout
    assert b"Error" not in got.stderr


def test_what_is_for_programs_loses_no_letter(tmp_path: Path) -> None:
    home = tmp_path / "home"
    made = ran(home, "coi new 'Łódź → dust'", PYTHONIOENCODING="ascii")
    assert made.returncode == 0, made.stderr
    listed = ran(home, "coi ls --json", PYTHONIOENCODING="ascii")
    assert "Łódź → dust" in json.dumps(json.loads(listed.stdout), ensure_ascii=False)


@pytest.mark.parametrize(
    "line",
    ["coi", "coi demo", "coi --last", "coi <&- >&-", "coi <&- >&- 2>&-", "coi demo >&- 2>&-"],
)
def test_the_app_without_a_terminal_says_so_in_one_sentence(tmp_path: Path, line: str) -> None:
    got = ran(tmp_path, line)
    assert (got.returncode, got.stdout) == (2, b"")
    assert "2>&-" in line or b"terminal" in got.stderr
    assert got.stderr.count(b"\n") <= 1
    assert b"\x1b" not in got.stderr


@pytest.mark.parametrize(
    "line", ["coi papers list | head -1", "coi papers list | true", "coi ls --json | true"]
)
def test_a_reader_that_goes_away_is_no_error(home: Path, line: str) -> None:
    got = ran(home, line)
    assert (got.returncode, got.stderr) == (0, b"")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_stream_that_is_closed_is_no_error(home: Path, closed: str) -> None:
    got = ran(home, f"coi papers list {closed}")
    assert (got.returncode, got.stderr) == (0, b"")


@on_full_disk
def test_a_full_disk_leaves_nothing_for_the_end_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some builds of Python write what is left at their end, fail, and exit with 120."""
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, FULL.open("w", encoding="utf-8"))
    tell("a remark")
    sys.stderr.write("more")
    sys.stderr.flush()
    assert main(["run", "--help"]) == 1
    sys.stdout.write("more")
    sys.stdout.flush()


@on_full_disk
@pytest.mark.parametrize(
    "line", ["coi papers list >/dev/full", "coi ls --json >/dev/full", "coi run --help >/dev/full"]
)
def test_a_full_disk_behind_stdout_is_one_sentence(home: Path, line: str) -> None:
    got = ran(home, line)
    assert got.returncode == 1
    assert b"disk is full" in got.stderr
    assert got.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "gone", [pytest.param("2>/dev/full", marks=on_full_disk), "2>&-", "2> >(true)"]
)
def test_remarks_that_nobody_can_read_stop_nothing(tmp_path: Path, gone: str) -> None:
    file = tmp_path / "mine.bib"
    untitled = "".join(f"@misc{{n{n}, year=2020}}\n" for n in range(2_000))
    file.write_text(f"@misc{{a, title={{A paper}}}}\n{untitled}")
    got = ran(tmp_path / "home", f"coi papers add {file} {gone}")
    assert (got.returncode, got.stderr) == (0, b"")
    assert b"1 new" in got.stdout


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_the_app_paints_plain_signs_where_the_terminal_has_no_others(
    home: Path, encoding: str
) -> None:
    env = environment(home, extra={"PYTHONIOENCODING": encoding, "TERM": "xterm-256color"})
    with Terminal(command(), env) as terminal:
        terminal.until(lambda: len(terminal.output) > 3_000 and FRAME_END in terminal.output)
        assert b"\\u2" not in terminal.output
        assert b"\xe2\x94" not in terminal.output


@pytest.fixture
def own_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The file of a program's log that is not open yet."""
    logger = logging.getLogger("coi_tui")
    before = logger.handlers[:], logger.propagate, logging.raiseExceptions
    logger.handlers.clear()
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    (tmp_path / "cache").mkdir()
    yield tmp_path / "cache" / "coi.log"
    logger.handlers[:], logger.propagate, logging.raiseExceptions = before


@on_full_disk
def test_a_log_on_a_full_disk_says_nothing_on_the_screen(
    own_log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.symlink(FULL, own_log)
    log_to_file()
    for number in range(3):
        logging.getLogger("coi_tui").error("one of many lines %d", number)
    assert capsys.readouterr().err == ""
