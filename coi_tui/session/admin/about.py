"""What the settings tell of the program itself: its version, the packages that it is built on, and
how much the shared library holds."""

from __future__ import annotations

import platform
import re
from importlib import metadata

from coi_tui import __version__
from coi_tui.paths import Paths
from coi_tui.session.papers.library import library_sizes


def about_program() -> str:
    """Version, Python, and the packages that it is built on. Reads many small files: for a
    thread."""
    built_on = (f"{name} {version}" for name, version in packages().items())
    return (
        f"coi-tui {__version__}, MIT licence. Steers the making of a research idea after Chain of"
        " Ideas (arXiv 2410.13185), step by step.\n"
        f"Python {platform.python_version()} on {platform.system()}.\n\n"
        f"It is built on {', '.join(built_on)}."
    )


def packages() -> dict[str, str]:
    """The version of each package that the program itself needs; extras are left out."""
    needed = (line for line in metadata.requires("coi-tui") or () if "extra ==" not in line)
    names = (re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in needed)
    return {name: metadata.version(name) for name in names}


def about_library(paths: Paths) -> str:
    """How many papers the shared library holds and the room it takes in MB (a million bytes). Opens
    it: for a thread."""
    sizes = library_sizes(paths)
    if not sizes:
        return "It does not exist yet; the first search creates it."
    papers = sizes.get("papers", 0)
    return (
        f"It holds {papers:,} {'paper' if papers == 1 else 'papers'} in"
        f" {paths.library.stat().st_size / 1_000_000:,.1f} MB."
        " Your own papers are in it; of the rest sessions keep copies."
    )
