"""Prompt files: Markdown with TOML front matter, rendered by a sandboxed Jinja.

A file holds ``+++`` / TOML / ``+++`` and then two parts, ``# System`` and ``# User``. A user's own
copy in the override folder replaces the built-in prompt of the same name. It may use fewer inputs,
never others, and must ask for the same reply.

All built-in prompts have one and the same system part, and begin their user part with what they
share with others, so that a service that keeps the beginnings of prompts need not read them again;
the task and the form of the answer come last.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from coi_tui.model.errors import CoiError, UsageError, problem
from coi_tui.model.text import clean
from coi_tui.paths import MOST_SETTINGS, parse_toml, read_file

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from jinja2 import Template
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_FILE = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n\s*# System\n(.*?)\n# User\n(.*)\Z", re.DOTALL)
_FENCE = re.compile(r"<{3,}|>{3,}")

REASONING = "reasoning"
"""What every template may use without listing it: whether the field ``reasoning`` is asked for."""


class _Front(BaseModel):
    """The front matter of a prompt file. Unknown keys are refused, so that a typing error is
    noticed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    version: str
    role: Literal["main", "reader"]
    temperature: float = Field(ge=0, le=2)
    max_tokens: int = Field(gt=0)
    inputs: tuple[str, ...] = Field(strict=False)
    optional: tuple[str, ...] = Field(default=(), strict=False)
    reply: str


@dataclass(frozen=True)
class Prompt:
    """One prompt file. ``inputs`` are the values its text uses, ``optional`` those of them that may
    be empty.

    ``accepts`` are the values that callers pass: the inputs of the built-in prompt, of which a
    user's copy may use a part.
    ``hash`` is the SHA-256 of the file's text (first 32 hexadecimal digits), recorded with every
    call.
    """

    name: str
    version: str
    role: Literal["main", "reader"]
    temperature: float
    max_tokens: int
    inputs: tuple[str, ...]
    optional: tuple[str, ...]
    reply: str
    hash: str
    source: str
    overridden: bool
    accepts: tuple[str, ...]
    system: str
    user: str

    @property
    def text(self) -> str:
        """Both parts as they stand in the file."""
        return f"{self.system}\n\n{self.user}"

    def render(self, values: Mapping[str, object], *, reasoning: bool = True) -> tuple[str, str]:
        """The system and the user part for these values; equal values give equal texts.

        The values of ``accepts`` must be given (optional ones as empty text or list).
        ``reasoning``: whether the model is asked to write down what it thought, which one that
        reasons by itself is not. Raises CoiError naming the prompt and what is wrong with its
        template.
        """
        filled = {**{name: values[name] for name in self.inputs}, REASONING: reasoning}
        return self._part(self.system, filled), self._part(self.user, filled)

    def prepare(self) -> None:
        """Compile both parts, so that filling them in is quick; may run in a thread. A bad template
        is told of when it is filled in."""
        from jinja2 import TemplateError

        with contextlib.suppress(TemplateError):
            _compiled(self.system)
            _compiled(self.user)

    def _part(self, template: str, values: Mapping[str, object]) -> str:
        from jinja2 import TemplateError

        try:
            return _compiled(template).render(values).strip()
        except (TemplateError, TypeError, ValueError, OverflowError) as error:
            message = f"The prompt {self.name} ({self.source}) could not be filled in: {_one_line(error)}."
            bug = "This is a bug in coi-tui; please report it."
            hint = "Correct that file or remove it." if self.overridden else bug
            raise CoiError(message, hint) from error


def quoted(value: object) -> str:
    """A value as text that cannot open or close a fence: runs of three or more ``<`` or ``>``
    become two. None is empty."""
    return _FENCE.sub(lambda match: match.group()[:2], clean(value))


@lru_cache(maxsize=128)
def _compiled(template: str) -> Template:
    """The template, compiled once."""
    return _environment().from_string(template)


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    """The sandbox. ``finalize`` quotes every printed value as well, for copies in which the user
    forgot the filter."""
    from jinja2 import StrictUndefined, Undefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def finalize(value: object) -> object:
        return value if isinstance(value, Undefined) else quoted(value)

    env = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalize,
    )
    env.filters["quoted"] = quoted
    for name in ("random", "shuffle"):  # rendering must give the same text every time
        env.filters.pop(name, None)
    env.globals.pop("lipsum", None)
    return env


def undeclared(prompt: Prompt) -> set[str]:
    """The names that the text of a prompt uses. Raises jinja2.TemplateSyntaxError where it is not a
    valid template."""
    from jinja2 import meta

    env = _environment()
    return {
        name
        for part in (prompt.system, prompt.user)
        for name in meta.find_undeclared_variables(env.parse(part))
    } - {REASONING}


def parse(text: str, source: str, overridden: bool = False) -> Prompt:
    """A prompt from the text of its file. Raises UsageError naming the file and what is wrong with
    it."""
    normal = text.removeprefix("\ufeff").replace("\r\n", "\n")
    found = _FILE.match(normal)
    if found is None:
        what = "needs TOML between two +++ lines, then the parts '# System' and '# User'"
        raise UsageError(f"The prompt file {source} {what}.", _CORRECT)
    try:
        front = _Front.model_validate(parse_toml(found.group(1)))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            f"The front matter of the prompt file {source} is not TOML: {_one_line(error)}.",
            _CORRECT,
        ) from None
    except ValidationError as error:
        raise UsageError(
            f"In the front matter of the prompt file {source}, {problem(error)}.", _CORRECT
        ) from None
    if extra := sorted(set(front.optional) - set(front.inputs)):
        raise UsageError(
            f"The prompt file {source} marks {extra[0]} as optional, but does not list it among its inputs.",
            _CORRECT,
        )
    return Prompt(
        **dict(front),
        hash=hashlib.sha256(text.encode("utf-8")).hexdigest()[:32],
        source=source,
        overridden=overridden,
        accepts=front.inputs,
        system=found.group(2).strip(),
        user=found.group(3).strip(),
    )


_CORRECT = "Correct that file, or remove it to use the built-in prompt."


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()).rstrip(".")


ADDED: list[Path] = []
"""Folders with the prompts of methods from outside this package."""


def add_folder(folder: Path) -> None:
    """Add the prompts of a method. Adding a folder twice has no further effect."""
    if folder not in ADDED:
        ADDED.append(folder)


def _files() -> dict[str, Traversable]:
    """Every built-in prompt file by its name: a folder a method, and one for what all methods
    share."""
    inside = [folder for folder in resources.files("coi_tui.prompts").iterdir() if folder.is_dir()]
    files = [file for folder in (*inside, *ADDED) for file in folder.iterdir()]
    return {file.name.removesuffix(".md"): file for file in files if file.name.endswith(".md")}


class Prompts:
    """The built-in prompts, with a user's own copies from ``override_dir`` in their place."""

    def __init__(self, override_dir: Path | None = None) -> None:
        self._overrides = override_dir
        self._known: dict[str, Prompt] = {}

    def names(self) -> tuple[str, ...]:
        """The names of the built-in prompts, in alphabetical order."""
        return tuple(sorted(_files()))

    def get(self, name: str) -> Prompt:
        """The prompt of that name, read once. Raises UsageError for an unknown name or an unusable
        copy."""
        if name not in self._known:
            self._known[name] = self._override(self._builtin(name))
        return self._known[name]

    def warm(self, name: str) -> None:
        """Compile a built-in prompt, so that no first call has to; may run in a thread. A person's
        copy is read when it is asked for."""
        self._builtin(name).prepare()

    def _builtin(self, name: str) -> Prompt:
        file = _files().get(name)
        if file is None:
            raise UsageError(
                f"There is no prompt called {name}.", f"The prompts are: {', '.join(self.names())}."
            )
        return parse(file.read_text(encoding="utf-8"), f"built-in prompt {name}")

    def _override(self, builtin: Prompt) -> Prompt:
        file = self._overrides / f"{builtin.name}.md" if self._overrides is not None else None
        if file is None or not file.exists():
            return builtin
        try:
            text = read_file(file, MOST_SETTINGS).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"The prompt file {file} cannot be read: {_one_line(error)}.", _CORRECT
            ) from None
        copy = parse(text, str(file), overridden=True)
        _check_copy(copy, builtin)
        return replace(copy, accepts=builtin.accepts)


def _check_copy(copy: Prompt, builtin: Prompt) -> None:
    """UsageError unless ``copy`` can replace ``builtin``: same name, same reply, no other inputs, a
    template that parses."""
    from jinja2 import TemplateError

    if copy.name != builtin.name:
        raise UsageError(
            f"The prompt file {copy.source} says its name is {copy.name}, not {builtin.name}.",
            _CORRECT,
        )
    if copy.reply != builtin.reply:
        raise UsageError(
            f"The prompt file {copy.source} asks for the reply {copy.reply}, not {builtin.reply}.",
            _CORRECT,
        )
    known = f"The inputs of {builtin.name} are: {', '.join(builtin.accepts)}."
    if extra := sorted(set(copy.inputs) - set(builtin.accepts)):
        raise UsageError(
            f"The prompt file {copy.source} names the unknown input {extra[0]}.", known
        )
    try:
        used = undeclared(copy)
    except (TemplateError, RecursionError) as error:
        raise UsageError(
            f"The text of the prompt file {copy.source} is not a valid template: {_one_line(error)}.",
            _CORRECT,
        ) from None
    if extra := sorted(used - set(copy.inputs)):
        raise UsageError(
            f"The prompt file {copy.source} uses {extra[0]}, which its inputs do not list.", known
        )
