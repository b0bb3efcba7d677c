"""Sessions that many tests begin with, made once for all processes of a test run: whoever needs one
first makes it, the others wait."""

import atexit
import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

_given: list[Path] = []


def use(root: Path) -> None:
    """Keep what is made in this folder, which the processes of the run share; without it each has
    its own."""
    _given[:] = [root]


@lru_cache(maxsize=1)
def root() -> Path:
    """The folder in which everything is kept."""
    if _given:
        folder = _given[0] / "shared"
        folder.mkdir(exist_ok=True)
        return folder
    own = Path(tempfile.mkdtemp(prefix="coi-tests-"))
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return own


def kept(name: str) -> Path:
    """The folder of that name; copy it, do not touch it."""
    return root() / name


@contextmanager
def to_make(name: str) -> Iterator[Path | None]:
    """A folder to be filled and then kept under that name; None where it is there already."""
    with (root() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if kept(name).exists():
            yield None
            return
        making = root() / f"{name}.making"
        shutil.rmtree(making, ignore_errors=True)  # of a process that failed
        making.mkdir()
        yield making
        making.rename(kept(name))
