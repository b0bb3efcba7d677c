"""For the whole suite: no fake key that a test uses may turn up in a file, in an exception, or in what a test printed or logged."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

gc.set_threshold(50_000, 20, 50)  # screens make many objects and little garbage: fewer passes over them save a sixth of the suite's time

FAKE_KEYS = (
    "s3cret-key-of-mine", "oa+fake/key=1", "fault-table-key-7f3a", "sk-from-environment", "sk-secret-key-0123456789",
    "oa-fake-key-0123456789", "sk-e2e-fake-0123456789abcdef", "s2-e2e-fake-key-fedcba9876543210", "s2-fake-key-0123", "s2-fake-key-1",
)  # fmt: skip
"""Every fake key of the suite; ``test_keys.py`` looks that none is missing here."""
FORMS = tuple({form for key in FAKE_KEYS for form in (key, quote(key, safe=""), quote_plus(key))})


def keys_in(text: str) -> list[str]:
    """The fake keys that stand in a text, in any form that an address may give them."""
    return [form for form in FORMS if form in text]


def files_with_keys(folder: Path) -> list[str]:
    """Files below a folder that hold a fake key. Unread ones (sockets, gone meanwhile) hold none."""
    found = []
    wanted = [form.encode() for form in FORMS]
    for path in folder.rglob("*"):
        try:
            data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        except OSError:
            continue
        found += [str(path)] if any(form in data for form in wanted) else []
    return found


@pytest.fixture(scope="session", autouse=True)
def no_key_in_any_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """At the end of the session: sessions, libraries, logs, exports and settings that the tests made."""
    yield
    holders = files_with_keys(tmp_path_factory.getbasetemp())
    assert not holders, f"a fake key was written to {holders}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Output, log and exceptions of every test. An exception's own text counts, the source lines around it do not."""
    report = yield
    error = call.excinfo.exconly() if call.excinfo else ""
    shown = keys_in("\n".join([error, *(text for _, text in report.sections)]))
    if shown and report.outcome == "passed":
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: a fake key was printed, logged or raised"
    return report


TOGETHER = {
    "tests/ui/test_kills.py": "terminal", "tests/ui/test_signals.py": "terminal", "tests/e2e/test_decisions.py": "decisions",
    "tests/e2e/test_offline.py::TestNear": "near",
}  # fmt: skip
"""Tests that share something costly, or measure a real terminal: one worker runs them, one after the other."""


class Together(LoadScopeScheduling):  # type: ignore[misc]
    """Any free worker takes the next test, or the next group of ``TOGETHER``.

    The marks of xdist 3.8 do nothing since pytest 9.2 keeps ids of its own, so that the groups stand here.
    """

    def _split_scope(self, nodeid: str) -> str:
        return next((group for start, group in TOGETHER.items() if nodeid.startswith(start)), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Together:
    return Together(config, log)
