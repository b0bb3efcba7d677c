"""For the whole suite: no fake key that a test uses may turn up in a file, in an exception, or in
what a test printed or logged."""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.support import shared

os.environ.pop(
    "PYTHONDONTWRITEBYTECODE", None
)  # for hundreds of tests that start the program anew, to compile it each time takes minutes
sys.dont_write_bytecode = False

gc.set_threshold(
    50_000,
    20,
    50,
    # screens make many objects and little garbage: fewer passes over them save a sixth of the
    # suite's time
)


def pytest_configure(config: pytest.Config) -> None:
    """Workers share a folder for the sessions that many tests begin with."""
    if hasattr(config, "workerinput"):
        shared.use(Path(config.option.basetemp).parent)


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end; to leave it out of the collector's passes
    saves a twelfth of the suite's time."""
    gc.collect()
    gc.freeze()


settings.register_profile(
    "seeded",
    max_examples=40,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("COI_HYPOTHESIS", "seeded"))
"""The same few examples in each run, and no test that fails on a slow machine;
``COI_HYPOTHESIS=random`` looks for a hundred new ones."""

KEY_MARK = "f4k3"
"""Stands in every fake key of the suite (``test_keys.py`` looks that none is without it), so that
one search finds them all."""


def files_with_keys(folder: Path) -> list[str]:
    """Files below a folder that hold a fake key. Unread ones (sockets, gone meanwhile) hold
    none."""
    found = []
    for path in folder.rglob("*"):
        try:
            data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        except OSError:
            continue
        found += [str(path)] if KEY_MARK.encode() in data else []
    return found


@pytest.fixture(scope="session", autouse=True)
def no_key_in_any_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """At the end of the session: sessions, libraries, logs, exports and settings that the tests
    made."""
    yield
    holders = [*files_with_keys(tmp_path_factory.getbasetemp()), *files_with_keys(shared.root())]
    assert not holders, f"a fake key was written to {holders}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Output, log and exceptions of every test. An exception's own text counts, the source lines
    around it do not."""
    report = yield
    error = call.excinfo.exconly() if call.excinfo else ""
    shown = "\n".join([error, *(text for _, text in report.sections)])
    if KEY_MARK in shown and report.outcome == "passed":
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: a fake key was printed, logged or raised"
    return report


TOGETHER = {
    "tests/ui/test_signals.py": "terminal",
    "tests/ui/test_hostile.py": "hostile",
}
"""Tests that share something costly, or measure a real terminal: one worker runs them, one after
the other."""


LONG = (
    "tests/e2e/test_doctor.py",
    "tests/e2e/test_faults.py",
    "tests/e2e/test_library.py",
    "tests/e2e/test_methods.py",
    "tests/e2e/test_money.py",
    "tests/e2e/test_stops.py",
    "tests/session/test_five_methods.py",
    "tests/store/test_crash.py",
    "tests/store/test_private_files.py",
    "tests/ui/test_any_key.py",
    "tests/ui/test_ending.py",
    "tests/ui/test_hostile.py",
    "tests/ui/test_session_files.py",
    "tests/ui/test_settings.py",
    "tests/ui/test_signals.py",
    "tests/ui/test_tables.py",
    "tests/ui/test_toolkit.py",
)
"""Campaigns in small and tests that start many programs: ``pytest -m long`` runs them, ``pytest``
does not."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(LONG):
            item.add_marker("long")


class Together(LoadScopeScheduling):  # type: ignore[misc]
    """Any free worker takes the next test, or the next group of ``TOGETHER``.

    The marks of xdist 3.8 do nothing since pytest 9.2 keeps ids of its own, so that the groups
    stand here.
    """

    def _split_scope(self, nodeid: str) -> str:
        return next(
            (group for start, group in TOGETHER.items() if nodeid.startswith(start)), nodeid
        )


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Together:
    return Together(config, log)
