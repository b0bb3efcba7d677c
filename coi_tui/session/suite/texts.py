"""Where the texts of a suite come from: sessions, and files of a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.model.address import Branch
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean
from coi_tui.paths import MOST_TEXT, read_file
from coi_tui.session.session import Session
from coi_tui.session.suite.definition import Contestant, Server

Unit = tuple[str, int]
"""A topic in a repeat: what is compared with each other."""


@dataclass(frozen=True)
class Entry:
    """What a contestant is to make of a topic in a repeat. ``source``: the name of its session, or the
    text of its file. ``bounds``: the settings of the method."""

    contestant: Contestant
    topic: str
    number: int
    repeat: int
    source: str
    bounds: BaseModel | None = None

    @property
    def unit(self) -> Unit:
        return self.topic, self.repeat

    @property
    def name(self) -> str:
        return f"{self.contestant.name}, topic {self.number}, repeat {self.repeat}"


def llm_of(one: Server, llm: LlmSettings) -> LlmSettings:
    """The settings with the model of a judge or contestant in the place of every other, at its
    server; unchanged where it names none."""
    if not one.model:
        return llm
    own: dict[str, Any] = {"main": RoleSettings(model=one.model), "reader": RoleSettings()}
    if one.base_url:
        own |= {"base_url": one.base_url, "profile": "", "embedding": RoleSettings()}
    return llm.model_copy(update=own)


def numbered(folder: Path) -> dict[int, str]:
    """The Markdown and JSON files of a folder by the number that each name begins with. Raises
    UsageError."""
    found = {}
    try:
        for file in sorted(folder.iterdir()):
            if file.suffix in (".md", ".json") and (number := re.match(r"\d+", file.name)):
                text = read_file(file, MOST_TEXT).decode("utf-8-sig")
                parts = json.loads(text) if file.suffix == ".json" else text
                if isinstance(parts, Mapping):
                    parts = "\n\n".join(f"{name}: {_plain(one)}" for name, one in parts.items())
                found[int(number[0])] = clean(_plain(parts)).strip()
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"The texts in {folder} cannot be read: {type(error).__name__}.") from None
    return found


def text_of(session: Session, branch: Branch) -> str:
    """The proposal of a branch, else its idea and its plan."""
    state = session.state
    if text := state.value(f"{branch}/proposal#text"):
        return str(text)
    kind = session.methods.kind(f"{branch}/exp")
    parts = [state.value(f"{branch}/{part}") for part in ("idea#title", "idea#final")]
    fields = kind.fields if kind else ()
    plan = ((field.heading, state.value(f"{branch}/exp#{field.name}")) for field in fields)
    parts += [f"{heading}: {_plain(value)}" for heading, value in plan if value]
    return "\n\n".join(str(part) for part in parts if part)


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(map(_plain, value.values()))
    return "; ".join(map(_plain, value)) if isinstance(value, list) else str(value)
