"""The bounds of what follows from an idea, which all methods share, and the line of a method in the
registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from coi_tui.engine.method_spec import MethodSpec
from coi_tui.engine.verb import Verb
from coi_tui.model.state import Component, State
from coi_tui.services.llm.offline import DRAFTS


class IdeaSettings(BaseModel):
    """Bounds of novelty check, experiment plan and refinement."""

    model_config = ConfigDict(extra="forbid", defer_build=True)
    novelty_queries: int = Field(
        4,
        ge=1,
        le=5,
        description="claims of an idea that a novelty check searches for, beside the whole",
    )
    novelty_hits: int = Field(
        4, ge=1, le=50, description="papers that each of these searches asks for"
    )
    against_queries: int = Field(
        6, ge=1, le=12, description="queries of a search against an idea, when one is asked for"
    )
    novelty_floor: int = Field(
        5,
        ge=1,
        description="fewest papers compared with an idea for a novelty verdict that concludes",
    )
    novelty_rounds: int = Field(2, ge=1, description="most novelty checks of an idea")
    work_out: int = Field(
        0,
        ge=0,
        description="sketches that a run works out, the best of all; 0: the best of each branch and of the rest",
    )
    refine_rounds: int = Field(1, ge=0, description="most refinements of an experiment plan")
    one_call: bool = Field(
        True,
        description="a run to ideas makes that of One call as well, where there is a language model",
    )
    ask_first: bool = Field(
        False,
        description="a run asks you up to three questions before a direction or idea, and waits",
    )
    refine_papers: int = Field(2, ge=0, description="papers that a refinement reads")
    known_until: str = Field(
        "", description="a new session ignores papers published after this date (YYYY-MM-DD)"
    )


def bounds_of(state: State) -> IdeaSettings:
    """The bounds of what follows from an idea, as this session has them."""
    return state.bounds(IdeaSettings)


def packaged(
    name: str,
    short: str,
    letter: str,
    settings: type[BaseModel],
    about: str,
    first_stage: str = "",
    components: tuple[type[Component], ...] = (),
    verbs: Callable[[], Sequence[Verb]] = tuple,
) -> MethodSpec:
    """The method whose folder has the name of its section of the settings file: the one in which
    ``settings`` are declared. Its module ``method`` names the class, and the drafts where there is
    no language model."""
    package = settings.__module__.removesuffix(".settings")

    def make(tools: Any, instance: str) -> Any:
        return import_module(f"{package}.method").METHOD(instance, tools)

    def drafts() -> None:
        DRAFTS.update(import_module(f"{package}.method").DRAFTS)

    return MethodSpec(
        name,
        short,
        letter,
        settings,
        make,
        drafts,
        section=package.rpartition(".")[2],
        about=about,
        first_stage=first_stage,
        components=components,
        verbs=verbs,
    )
