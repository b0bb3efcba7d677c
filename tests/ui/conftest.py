"""Settings of the tests of screens."""

import os
from collections import defaultdict
from collections.abc import Iterator
from zlib import crc32

import pytest

from coi_tui.services.llm.offline import DRAFTS
from tests.support.frames import look_often, unpainted

from .helpers import REVIEWER

look_often()


@pytest.fixture(autouse=True)
def no_frames(request: pytest.FixtureRequest) -> Iterator[None]:
    """No frame is painted for a terminal that nobody sees, which is half of the work of these
    tests: what a test reads off the screen is painted when it reads it. Tests that are about
    painting are marked with ``painted``."""
    if request.node.get_closest_marker("painted") is None:
        with unpainted():
            yield
    else:
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the sizes of the terminal in which a test is done one is taken, another from test to test;
    ``COI_SIZES=all`` takes all of them.

    Each screen's look at three sizes is held by ``test_snapshots`` and ``test_layout``.
    """
    sizes: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and "size" in getattr(
            getattr(item, "callspec", None), "params", {}
        ):
            sizes[item.nodeid.partition("[")[0]].append(item)
    if os.environ.get("COI_SIZES") == "all":
        return
    left = {
        item
        for name, tests in sizes.items()
        if "test_layout" not in name
        for n, item in enumerate(tests)
        if n != crc32(name.encode()) % len(tests)
    }
    config.hook.pytest_deselected(items=sorted(left, key=lambda item: item.nodeid))
    items[:] = [item for item in items if item not in left]


@pytest.fixture
def reviewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews have points without a model, and refinements answer them."""
    for prompt, draft in REVIEWER.items():
        monkeypatch.setitem(DRAFTS, prompt, draft)
