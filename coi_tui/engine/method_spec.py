"""What a method is to the registry: its name, its settings, how it is made, and what it brings along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coi_tui.engine.verb import Verb
from coi_tui.model.state import Component

API_VERSION = 1
"""The version of ``coi_tui.plugin``: it changes when a method made for the one before would fail."""


@dataclass(frozen=True)
class MethodSpec:
    """A line of the registry. ``letter`` begins the names of instances (``S`` for ``S1``); empty
    for the method of numbered branches.

    ``make`` builds an instance from the services of a run (None: to look and plan only) and the
    instance's name. ``settings`` is the pydantic model of its bounds. ``drafts`` registers what the
    built-in drafter writes for its prompts.
    """

    name: str
    short: str
    letter: str
    settings: type[BaseModel]
    """Of these ``branches`` says how many branches a new instance has; one where there is none."""
    make: Callable[[Any, str], Any]
    drafts: Callable[[], None] | None = None
    section: str = ""
    """The section of the settings file that holds the person's own values of ``settings``; empty
    for none."""
    first_stage: str = ""
    """What a new session runs to where that is free; empty for the first stage."""
    prompts: Path | None = None
    """The folder of its prompts, for a method that is not part of this package."""
    about: str = ""
    """What it does in a few words, where a person chooses a method to add."""
    package: str = ""
    """Name and version of the package that it comes from; empty for a built-in method."""
    components: tuple[type[Component], ...] = ()
    """What it keeps of a session's log besides cells."""
    verbs: Callable[[], Sequence[Verb]] = tuple
    """The decisions that a person can make about what is its own; they are loaded when asked for."""
    api: int = 1
    """The version of ``coi_tui.plugin`` that it is made for."""
