"""The registry's line of a method that is a folder beside this one: its modules are imported when a
session has it (measured: 50 ms less at every start)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pydantic import BaseModel

from coi_tui.engine.declarations import DeclaredMethod, MethodSpec, Pace


def packaged(
    name: str, short: str, letter: str, settings: type[BaseModel], about: str, *paces: Pace
) -> MethodSpec:
    """The method whose folder has the name of its section of the settings file: that of the
    package of ``settings``."""
    package = settings.__module__.rpartition(".")[0]

    def make(tools: Any, instance: str) -> DeclaredMethod:
        made: DeclaredMethod = import_module(f"{package}.method").METHOD(instance, tools)
        return made

    def drafts() -> None:
        from coi_tui.services.llm.drafter import register_all

        register_all(import_module(f"{package}.drafts").DRAFTS)

    return MethodSpec(
        name,
        short,
        letter,
        settings,
        make,
        lambda given: int(getattr(given, "branches", 1)),
        drafts,
        section=package.rpartition(".")[2],
        about=about,
        paces=paces,
    )
