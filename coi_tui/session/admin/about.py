"""What the settings tell of the program itself: version, packages with their licences, and how much the shared library holds."""

from __future__ import annotations

import platform
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from coi_tui.paths import Paths

PACKAGE = "coi-tui"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EXTRA = re.compile(r"\bextra\s*==")
LICENCE_CHARS = 60
"""Longest licence shown; some packages put the whole text where its name belongs."""


def about_program() -> str:
    """Version, Python, and every package that is used, with its version and licence. Reads many small files: for a thread."""
    from coi_tui import __version__

    rows = sorted(packages().items(), key=lambda row: row[0].casefold())
    width = max((len(f"{name} {version}") for name, (version, _) in rows), default=0)
    return "\n".join(
        [
            f"coi-tui {__version__}, {licence_of(_found(PACKAGE))} licence. Steers the making of a research idea after Chain of Ideas"
            " (arXiv 2410.13185), step by step.",
            f"Python {platform.python_version()} on {platform.system()}.",
            "",
            "It is built on:",
            *(f"{f'{name} {version}':{width}}  {licence}" for name, (version, licence) in rows),
        ]
    )


def packages(root: str = PACKAGE) -> dict[str, tuple[str, str]]:
    """Version and licence of each package that ``root`` needs, and of what those need, as far as installed; extras are left out."""
    out: dict[str, tuple[str, str]] = {}
    seen, left = {_plain(root)}, _needs(_found(root))
    while left:
        name = left.pop()
        if _plain(name) in seen:
            continue
        seen.add(_plain(name))
        found = _found(name)
        if found is not None:
            out[found.metadata["Name"] or name] = (found.version, licence_of(found))
            left += _needs(found)
    return out


def licence_of(found: Distribution | None) -> str:
    """The licence as the package states it: its expression, else its field when that is a name, else its classifier."""
    if found is None:
        return "unstated"
    data = found.metadata
    if "License-Expression" in data:
        return data["License-Expression"]
    field = data["License"].strip() if "License" in data else ""
    start = field.partition("\n")[0][:LICENCE_CHARS]
    if field and field == start:
        return field
    kinds = [
        c.rpartition("::")[2].strip()
        for c in data.get_all("Classifier") or ()
        if c.startswith("License ::")
    ]
    return ", ".join(kinds) or start or "unstated"


def about_library(paths: Paths) -> str:
    """How many papers the shared library holds and the room it takes in MB (a million bytes). Opens it: for a thread."""
    from coi_tui.session.papers.library import library_sizes

    sizes = library_sizes(paths)
    if not sizes:
        return "It does not exist yet; the first search creates it."
    papers = sizes.get("papers", 0)
    return (
        f"It holds {papers:,} {'paper' if papers == 1 else 'papers'} in {megabytes(_bytes(paths.library))}."
        " Sessions keep copies of their own: it may be deleted."
    )


def megabytes(count: int) -> str:
    """Bytes as MB, with a digit after the point."""
    return f"{count / 1_000_000:,.1f} MB" if count >= 50_000 else "less than 0.1 MB"


def _bytes(database: Path) -> int:
    """The database with the files that SQLite keeps beside it."""
    files = (database.with_name(database.name + ending) for ending in ("", "-wal", "-shm"))
    return sum(file.stat().st_size for file in files if file.exists())


def _found(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needs(found: Distribution | None) -> list[str]:
    needed = (found.requires or []) if found is not None else []
    return [match[0] for line in needed if not _EXTRA.search(line) and (match := _NAME.match(line))]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()
