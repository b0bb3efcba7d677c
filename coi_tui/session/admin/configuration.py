"""The settings as a person meets them: each with its value, where it comes from, and what it is
for."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.paths import Paths
from coi_tui.services.http.addresses import hidden_user

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
