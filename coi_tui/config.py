"""Settings: a TOML file in the config folder, then the environment. Keys come from the environment
or the keyring only.

``coi_tui.config_file`` reads and edits the file as text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from coi_tui.config_file import (
    check_no_secret,
    edited,
    parts_of,
    read,
    write_text,
)
from coi_tui.display import Theme
from coi_tui.model import sources as paper_sources
from coi_tui.model.errors import UsageError
from coi_tui.model.text import nearest
from coi_tui.model.validation import first_problem, problem
from coi_tui.outside_files import parse_toml

URL_NAME = re.compile(r"COI_(\w+)_URL", re.ASCII)
"""The environment variable with the address of a source of papers."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)


class RoleSettings(_Section):
    """One role of the language model: main, reader or embedding. An empty model name falls back to
    ``main``'s."""

    model: str = ""
    temperature: float | None = None
    max_tokens: int | None = Field(default=None, gt=0)


PRICE_EXAMPLE = 'coi config set llm.prices.MODEL "2.50 10.00"'


class Price(_Section):
    """US dollars per million tokens, as a table or as the text ``"INPUT OUTPUT"``; wins over the
    bundled price data.

    ``cached`` is for tokens of a prompt that the server had kept from an earlier one; None: as
    ``input``.
    """

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _both(cls, given: Any) -> Any:
        if isinstance(given, str) and len(numbers := given.split()) == 2:
            return dict(zip(("input", "output"), numbers, strict=True))
        if not isinstance(given, dict) or not {"input", "output"} <= given.keys():
            raise ValueError(f"give both prices, in dollars per million tokens: {PRICE_EXAMPLE}")
        return given


WRITER, READER = "gpt-6-sol", "gpt-6-luna"
"""The general and the small model of the newest generation of which the price table (genai-prices
0.2.3) has both; 6.1 has no small one."""


class LlmSettings(_Section):
    """The language models. ``profile`` empty: the kind of server is recognised by its address.

    ``context_tokens`` is what prompt and reply may have together; None goes by what the server
    says.
    """

    base_url: str = ""
    profile: Literal[
        "", "openai", "azure", "openrouter", "ollama", "lmstudio", "llamacpp", "vllm", "compatible"
    ] = ""
    context_tokens: int | None = Field(default=None, ge=512)
    main: RoleSettings = RoleSettings(model=WRITER)
    reader: RoleSettings = RoleSettings(model=READER)
    embedding: RoleSettings = RoleSettings()
    timeout_s: float = Field(default=180.0, gt=0)
    parallel: int = Field(default=24, gt=0)
    retries: int = Field(default=5, ge=0)
    prices: dict[str, Price] = Field(default_factory=dict)


class VectorSettings(_Section):
    """Sentence vectors by a small model on this machine. ``use`` None: where the extra ``vectors``
    is installed and the files are there.

    ``model`` is one of those that fastembed knows; ``folder`` has its files (empty: a folder of its
    name in the data folder).
    """

    use: bool | None = None
    model: str = "sentence-transformers/all-MiniLM-L6-v2"
    folder: str = ""


class SourceSettings(_Section):
    """One source of papers. ``base_url`` empty: its own address. ``pace_s`` is the least time
    between calls; None takes the source's own rule."""

    base_url: str = ""
    pace_s: float | None = Field(default=None, ge=0)
    timeout_s: float = Field(default=30.0, gt=0)
    retries: int = Field(default=5, ge=0)


class DisplaySettings(_Section):
    """How things look. ``ascii`` None goes by the terminal; also read before the first frame by
    ``coi_tui.display``."""

    theme: Theme = "dark"
    ascii: bool | None = None
    motion: bool = True
    go_on: bool = True


class Settings(_Section):
    """Everything a person may set, but for the methods: the registry of methods adds a section for
    each. Further sections are those of sources of papers. ``coi where`` names the file."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, SourceSettings]

    llm: LlmSettings = LlmSettings()
    source: str = "semantic_scholar"
    """Where papers are searched; several in order of preference, separated by commas."""
    vectors: VectorSettings = VectorSettings()
    display: DisplaySettings = DisplaySettings()
    offline: bool = False
    answers_days: int = Field(default=30, ge=0)
    """A service's answer in the shared library stands for a new one for so many days; 0 asks each
    time."""
    budget_usd: float | None = Field(default=None, ge=0)
    budget_tokens: int | None = Field(default=None, ge=0)
    show_plans: bool = False
    """Every plan is shown in full before it runs, also where nothing is charged and no text
    leaves."""

    def section(self, name: str) -> BaseModel | None:
        """The section of a method; None where these settings have none of that name."""
        found = getattr(self, name, None) if name else None
        return found if isinstance(found, BaseModel) else None

    def source_settings(self, name: str) -> SourceSettings:
        """The section of a source of papers; the defaults where there is none."""
        found = self.section(name)
        return found if isinstance(found, SourceSettings) else SourceSettings()

    @property
    def order(self) -> paper_sources.Order:
        """The sources of papers in the order in which they are asked; one at least."""
        return paper_sources.read_order(self.source)

    @field_validator("source")
    @classmethod
    def _an_order(cls, given: str) -> str:
        try:
            order = paper_sources.read_order(given)
        except UsageError as error:
            raise ValueError(str(error).rstrip(".")) from None
        if not order:
            raise ValueError("name a source")
        return ", ".join(order)


class Keys(BaseModel):
    """Secrets, apart from the settings so that no dump of those can show them: the language
    model's, and those of sources of papers by the source's name."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, str | None]
    llm: str | None = None

    def __repr_args__(self) -> tuple[()]:
        return ()

    def of_source(self, name: str) -> str | None:
        """The key for a source of papers; None where there is none."""
        return (self.model_extra or {}).get(name)


Whole = Callable[[], type[Settings]]
"""Gives the settings with the sections of all methods. The methods stand above this module, so
whoever knows them hands it in."""


def _without_methods() -> type[Settings]:
    return Settings


def _checked(data: Mapping[str, Any], whole: Whole) -> Settings:
    """The settings that a file's content gives; the methods are asked only where it has a section
    that is not one of these. The section of a method that is not installed is left as it is.
    Raises ValidationError."""
    model = Settings if data.keys() <= Settings.model_fields.keys() else whole()
    unused = unused_sections(data, model)
    return model.model_validate({name: data[name] for name in data if name not in unused})


def unused_sections(data: Mapping[str, Any], model: type[Settings]) -> list[str]:
    """The sections of a settings file that neither the program nor an installed method has; not
    what is nearly the name of one, which is a typing error."""
    known = model.model_fields
    return [
        name
        for name, value in data.items()
        if name not in known and isinstance(value, dict) and not nearest(name, known)
    ]


def load_settings(
    file: Path, environ: Mapping[str, str] | None = None, whole: Whole = _without_methods
) -> Settings:
    """Settings from ``file`` (may be missing) and the environment.

    Environment: OPENAI_BASE_URL, COI_MODEL, COI_READER_MODEL, COI_EMBEDDING_MODEL, COI_SOURCE,
    and for the address of each source of papers COI_NAME_URL.
    Raises UsageError naming file, key and cause.
    """
    env = os.environ if environ is None else environ
    _, data = read(file)
    try:
        settings = _checked(data, whole)
    except ValidationError as error:
        raise UsageError(
            f"In the settings file {file}, {problem(error)}.", "Correct that line."
        ) from None
    return _with_environment(settings, env)


def _with_environment(settings: Settings, env: Mapping[str, str]) -> Settings:
    def value(name: str) -> str:
        return env.get(name, "").strip()

    llm: dict[str, object] = (
        {"base_url": value("OPENAI_BASE_URL")} if value("OPENAI_BASE_URL") else {}
    )
    for role, name in (
        ("main", "COI_MODEL"),
        ("reader", "COI_READER_MODEL"),
        ("embedding", "COI_EMBEDDING_MODEL"),
    ):
        if model := value(name):
            llm[role] = getattr(settings.llm, role).model_copy(update={"model": model})
    update: dict[str, object] = {"llm": settings.llm.model_copy(update=llm)}
    for name in env:
        if (found := URL_NAME.fullmatch(name)) and (url := value(name).rstrip("/")):
            source_name = found[1].lower()
            update[source_name] = settings.source_settings(source_name).model_copy(
                update={"base_url": url}
            )
    if source := value("COI_SOURCE"):
        try:
            update["source"] = ", ".join(paper_sources.read_order(source))
        except UsageError as error:
            said = f"COI_SOURCE is {source[:60]!r}: {error.message}"
            raise UsageError(said, error.hint) from None
    return settings.model_copy(update=update)


def flat(section: BaseModel, prefix: str = "") -> dict[str, Any]:
    """Every setting by its dotted name, with its value."""
    out: dict[str, Any] = {}
    for name in type(section).model_fields:
        value = getattr(section, name)
        out |= (
            flat(value, f"{prefix}{name}.")
            if isinstance(value, BaseModel)
            else {f"{prefix}{name}": value}
        )
    return out


def value_types(model: type[BaseModel], prefix: str = "") -> dict[str, str]:
    """Which values each setting of a model takes, in words, by its dotted name."""
    out: dict[str, str] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            out |= value_types(kind, f"{prefix}{name}.")
        else:
            limits = [
                f"{sign} {value}" for limit in field.metadata for sign, value in _limits(limit)
            ]
            out[f"{prefix}{name}"] = ", ".join([_in_words(kind), *limits])
    return out


_WORDS = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
    type(None): "unset",
}


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        *others, last = (str(value) or "empty" for value in get_args(kind))
        return f"{', '.join(others)} or {last}" if others else last
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(_in_words(part) for part in get_args(kind))
    return _WORDS.get(kind) or ("list" if get_origin(kind) in (tuple, list) else "table")


def _limits(limit: Any) -> Iterator[tuple[str, Any]]:
    """The bounds of a number: ``at least 1``."""
    said = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    return (
        (word, getattr(limit, name))
        for name, word in said.items()
        if getattr(limit, name, None) is not None
    )


def sections(settings: type[Settings]) -> dict[str, type[BaseModel]]:
    """The sections of methods."""
    added = {
        name: field.annotation
        for name, field in settings.model_fields.items()
        if name not in Settings.model_fields
    }
    return {
        name: model
        for name, model in added.items()
        if isinstance(model, type) and issubclass(model, BaseModel)
    }


def check_key(key: str, whole: Whole = _without_methods) -> None:
    """Raises UsageError for an unknown setting, naming the nearest one."""
    if key in flat(Settings()) or (key.startswith("llm.prices.") and parts_of(key)[2]):
        return
    known = flat(whole()())
    if key in known:
        return
    hint = (
        f"Did you mean {near}?"
        if (near := nearest(key, known))
        else "`coi config list` names all of them."
    )
    raise UsageError(f"There is no such setting: {key[:60]!r}.", hint)


def set_value(file: Path, key: str, value: Any, whole: Whole = _without_methods) -> None:
    """Set one setting. Raises UsageError for an unknown key, a value that is not allowed, or one
    that looks like a secret; StoreError where the file cannot be written. Nothing is written
    then."""
    check_key(key, whole)
    check_no_secret(value)
    text, _ = read(file)
    new = edited(text, parts_of(key), value)
    _check(new, key, whole)
    write_text(file, new)


def unset_value(file: Path, key: str, whole: Whole = _without_methods) -> bool:
    """Go back to the default of a setting; False where the file does not name it. Raises as
    ``set_value`` does."""
    check_key(key, whole)
    text, section = read(file)
    parts = parts_of(key)
    for part in parts[:-1]:
        section = section.get(part, {})
    if parts[-1] not in section:
        return False
    new = edited(text, parts, None)
    _check(new, key, whole)
    write_text(file, new)
    return True


def _check(text: str, key: str, whole: Whole) -> None:
    data = parse_toml(text)
    try:
        _checked(data, whole)
    except ValidationError as error:
        where, what = first_problem(error)
        if where == key or where.startswith(f"{key}."):
            raise UsageError(f"{where} {what}.", "Nothing was changed.") from None
        said = f"The settings file already has a problem: {where} {what}."
        raise UsageError(
            said,
            "Correct it in an editor; `coi config path` says where it is. Nothing was changed.",
        ) from None


def key_name(source: str) -> str:
    """The environment variable with the key for a source of papers."""
    return f"{source.upper()}_API_KEY"


def load_keys(sources: Iterable[str], environ: Mapping[str, str] | None = None) -> Keys:
    """Keys for the language model and for these sources of papers, from the environment, else from
    the system keyring where the extra ``keyring`` is installed."""
    env = os.environ if environ is None else environ

    def key(name: str) -> str | None:
        return env.get(name, "").strip() or _from_keyring(name, environ)

    return Keys(llm=key("OPENAI_API_KEY"), **{name: key(key_name(name)) for name in sources})


def _from_keyring(name: str, environ: Mapping[str, str] | None) -> str | None:
    if environ is not None:  # a caller that hands over its own environment wants only that
        return None
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:  # the extra is optional
        return None
    try:
        return keyring.get_password("coi-tui", name) or None
    except KeyringError:  # no desktop, no keyring daemon: the environment is the other way
        return None
