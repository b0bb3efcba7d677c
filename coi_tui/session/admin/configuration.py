"""What the settings screen says beside the settings: sections, keys, privacy, files, versions."""

from __future__ import annotations

import platform
import re
from importlib import metadata

from coi_tui import __version__
from coi_tui.config import Keys, Settings
from coi_tui.paths import Paths, places_of
from coi_tui.services.sources.source_registry import key_names, source_names
from coi_tui.session.papers.library import library_sizes

SECTIONS = (
    "Providers",
    "Search",
    "Costs",
    "Methods",
    "Display",
    "Privacy",
    "Files",
    "About",
)
_PLACES = {
    "llm.prices": "Costs",
    "budget_usd": "Costs",
    "budget_tokens": "Costs",
    "llm": "Providers",
    "display": "Display",
}


def section_of(key: str) -> str:
    """The section that a setting is shown in."""
    first = key.partition(".")[0]
    ours = first in Settings.model_fields or first in source_names()
    return _PLACES.get(key) or _PLACES.get(first) or ("Search" if ours else "Methods")


def facts(section: str, paths: Paths, keys: Keys) -> str:
    """What a section tells beside its settings. Of keys only their presence."""
    if section in ("Providers", "Search"):
        found = {"OPENAI_API_KEY": keys.llm}
        if section == "Search":
            found = {name: keys.of_source(source) for source, name in key_names().items()}
        lines = [
            f"{name}: {'found, not shown, not stored' if key else 'not set'}"
            for name, key in found.items()
        ]
        return "\n".join(
            [
                "Keys come from the environment or the system keyring only.",
                *lines,
                "`coi doctor` checks the services for free.",
            ]
        )
    if section == "Privacy":
        return (
            "Each plan lists what leaves this machine before anything runs: search words, titles, ids, abstracts, cards, texts.\n"
            "Notes are never sent. The hunch is sent only where the session's box is ticked.\n"
            "The text of a PDF of yours is sent only in the prompt that reads its paper.\n"
            "Nothing is reported to anyone, and no updates are looked for. Offline (Search) keeps everything here."
        )
    if section == "Files":
        return "\n".join(
            f"{name:11} {path}{'' if path.exists() else '  (does not exist yet)'}"
            for name, path in places_of(paths).items()
        )
    return ""


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
