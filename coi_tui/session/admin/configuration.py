"""The settings as a person meets them: each with its value, where it comes from, and what it is
for."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from coi_tui import __version__
from coi_tui.config import Keys
from coi_tui.model.text import count
from coi_tui.paths import Paths
from coi_tui.services.http.addresses import hidden_user
from coi_tui.session.papers.library import library_size

FROM_ENVIRONMENT = {
    "llm.base_url": "OPENAI_BASE_URL",
    "llm.main.model": "COI_MODEL",
    "llm.reader.model": "COI_READER_MODEL",
    "llm.embedding.model": "COI_EMBEDDING_MODEL",
    "source": "COI_SOURCE",
}

HELP = {
    "llm.base_url": "address of any OpenAI-compatible server; empty is OpenAI's own",
    "llm.profile": "kind of server; empty is recognised by the address",
    "llm.context_tokens": "tokens that prompt and answer may have together; unset uses what the server says",
    "llm.main.model": "the model that writes trends, directions, ideas and plans",
    "llm.reader.model": "the model that reads papers into cards; empty is the main one",
    "llm.embedding.model": "empty: papers are compared by their words, and by the vectors of this machine",
    "vectors.use": "sentence vectors computed here; unset uses them where the extra and the model files are there",
    "vectors.model": "a model that fastembed knows",
    "vectors.folder": "folder of its files; empty is one of its name in the data folder",
    "llm.timeout_s": "seconds to wait for an answer",
    "llm.parallel": "calls at a time",
    "llm.retries": "retries after a temporary failure",
    "llm.prices": "dollars per million tokens by model; overrides the bundled prices",
    "source": "where papers are searched: names of sources in order, separated by commas; the next is asked only where the one before is unreachable or has nothing",
    "budget_usd": "no session spends more; checked before every call",
    "budget_tokens": "no session uses more, in prompts and replies; for models without a price",
    "offline": "nothing leaves this machine",
    "show_plans": "every plan is shown in full before it runs, also where nothing is charged and no text leaves",
    "answers_days": "days for which a list of papers in the shared library stands for a new search; 0 asks each time",
    "display.theme": "dark, light or 16 (the terminal's own colours)",
    "display.ascii": "draw frames and signs with plain characters; unset follows the terminal",
    "display.motion": "false: nothing moves or blinks by itself",
    "display.go_on": "after a decision the cursor goes to the next that waits for one",
}
LAST_PARTS = {
    "base_url": "address of the service; empty is its own",
    "pace_s": "seconds between calls; unset follows the service's own rule",
    "timeout_s": "seconds to wait",
    "retries": "retries after a temporary failure",
    "temperature": "how freely the model chooses words; unset is its default",
    "max_tokens": "longest answer",
    "model": "name of the model",
}


@dataclass(frozen=True)
class Setting:
    """One setting. ``origin``: default, file, or the environment variable it comes from; ``said``:
    what a method says that it is for;
    ``takes``: the values that it may have, in words.
    """

    key: str
    value: Any
    origin: str
    said: str = ""
    takes: str = ""

    @property
    def shown(self) -> str:
        """The value as it would be written."""
        if self.value is None:
            return "(not set)"
        if self.value == "":
            return "(empty)"
        return (
            hidden_user(self.value)
            if isinstance(self.value, str)
            else json.dumps(self.value, default=lambda v: v.model_dump())
        )

    @property
    def told(self) -> Any:
        """The value for other programs; a password in an address is not told."""
        return hidden_user(self.value) if isinstance(self.value, str) else self.value

    @property
    def help(self) -> str:
        """What it is for, in a few words."""
        last = self.key.rpartition(".")[2]
        return self.said or HELP.get(self.key) or LAST_PARTS.get(last) or last.replace("_", " ")


def settings_now(paths: Paths, environ: Mapping[str, str] | None = None) -> list[Setting]:
    """Every setting as it holds now. Raises UsageError for a settings file that cannot be read."""
    from coi_tui.config_file import read
    from coi_tui.session.settings import all_settings, load_settings, method_help, value_types

    env = os.environ if environ is None else environ
    _, data = read(paths.config_file)
    of_methods, types = method_help(), value_types()
    out = []
    for key, value in all_settings(load_settings(paths.config_file, env)).items():
        name = FROM_ENVIRONMENT.get(key, "")
        if not name and key.endswith(".base_url"):
            name = f"COI_{key.removesuffix('.base_url').upper()}_URL"
        origin = (
            f"environment {name}"
            if name and env.get(name, "").strip()
            else "file"
            if _named(data, key.split("."))
            else "default"
        )
        out.append(Setting(key, value, origin, of_methods.get(key, ""), types.get(key, "")))
    return out


def _named(data: Any, parts: list[str]) -> bool:
    for part in parts:
        if not isinstance(data, dict) or part not in data:
            return False
        data = data[part]
    return True


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


def section_of(setting: Setting) -> str:
    """The section that a setting is shown in."""
    key = setting.key
    return (
        _PLACES.get(key)
        or _PLACES.get(key.partition(".")[0])
        or ("Methods" if setting.said else "Search")
    )


def facts(section: str, paths: Paths, keys: Keys) -> str:
    """What a section tells beside its settings. Of keys only their presence."""
    if section in ("Providers", "Search"):
        from coi_tui.services.sources.source_registry import key_names

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
        places = {
            "sessions": paths.sessions,
            "copies": paths.backups,
            "library": paths.library,
            "my papers": paths.own_papers,
            "PDF texts": paths.imported_texts,
            "settings": paths.config_file,
            "prompts": paths.prompts,
            "log": paths.log,
        }
        return "\n".join(
            f"{name:11} {path}{'' if path.exists() else '  (does not exist yet)'}"
            for name, path in places.items()
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
    papers = library_size(paths)
    if papers is None:
        return "It does not exist yet; the first search creates it."
    return (
        f"It holds {count(papers, 'paper')} in"
        f" {paths.library.stat().st_size / 1_000_000:,.1f} MB; sessions keep copies of theirs."
    )
