"""SUITE.toml: topics, contestants, judges and bounds, checked as a whole before anything is asked."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from coi_tui.config import Address
from coi_tui.config_file import check_no_secret
from coi_tui.literature.paper_records import latest_day
from coi_tui.model.errors import UsageError, problem
from coi_tui.model.text import Fields, clean_line
from coi_tui.paths import MOST_SETTINGS, parse_toml, read_file


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Server(_Part):
    """A model at an OpenAI-compatible server: where none is named, the one of the settings.
    ``key_env`` names the environment variable that holds its key."""

    name: str = Field(min_length=1)
    model: str = ""
    base_url: Address = ""
    key_env: str = ""

    @model_validator(mode="after")
    def _of_a_model(self) -> Self:
        if (self.base_url or self.key_env) and not self.model:
            raise ValueError(f"{self.name!r} names a server or a key, but no model")
        return self


class Contestant(Server):
    """A method with its settings, and the model of all its calls where that is another than the main
    one; or a folder of texts, a file a topic by its number (Markdown or JSON)."""

    method: str = ""
    settings: Fields = {}
    texts: str = ""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if bool(self.method) == bool(self.texts):
            raise ValueError(f"{self.name!r} needs either a method or a folder of texts")
        if self.texts and (self.settings or self.model):
            raise ValueError(f"{self.name!r} has texts, which take no settings and no model")
        return self


class Judge(Server):
    """A model, or people."""

    people: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if bool(self.model) == self.people:
            raise ValueError(f"{self.name!r} needs either a model or people = true")
        return self


class Suite(_Part):
    """``repeats``: sessions a topic and method; ``stage``: how far each goes; ``judged``: by the
    criteria of ideas, or their experiments by those of experiments; ``best``: models judge only the
    pairs that decide who the best so many are (0: every pair); ``words``: the length in which every
    text is retold; ``at_once``: sessions that run side by side."""

    topics: tuple[str, ...] = Field(min_length=1)
    repeats: int = Field(default=1, ge=1)
    stage: str = "ideas"
    judged: Literal["ideas", "experiments"] = "ideas"
    best: int = Field(default=0, ge=0)
    words: int = Field(default=400, ge=20)
    known_until: str = ""
    budget_usd: float | None = Field(default=None, ge=0)
    at_once: int = Field(default=60, ge=1)
    contestant: tuple[Contestant, ...] = Field(min_length=2)
    judge: tuple[Judge, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _all_different(self) -> Self:
        topics = [clean_line(topic) for topic in self.topics]
        if not all(topics):
            raise ValueError("a topic is empty")
        _differ("topics", topics)
        _differ("contestants or judges", [one.name for one in (*self.contestant, *self.judge)])
        if self.best >= len(self.contestant):
            raise ValueError("best is not less than the number of contestants")
        if self.known_until and latest_day(self.known_until) is None:
            raise ValueError("known_until is not a date such as 2024, 2024-06 or 2024-06-30")
        return self


def _differ(what: str, names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        raise ValueError(f"two {what} are the same")


def load_suite(file: Path) -> Suite:
    """The suite of a file. Raises UsageError for a file that cannot be read, for the first thing in it
    that is not allowed, and for a key of a service in it."""
    try:
        data = parse_toml(read_file(file, MOST_SETTINGS).decode("utf-8-sig"))
        suite = Suite.model_validate(data)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} is not valid TOML: {error}.", "Correct it.") from None
    except ValidationError as error:
        raise UsageError(f"In {file}, {problem(error, 'the suite')}.", "Correct it.") from None
    for one in (*suite.judge, *suite.contestant):
        check_no_secret(one.model_dump())
    return suite
