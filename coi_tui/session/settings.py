"""The settings of a person: a TOML file, then the environment, with a section for each method and
source of papers, and which services they set up. Screens and commands read and change them here."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError, create_model
from pydantic.fields import FieldInfo

from coi_tui import config
from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.config_file import (
    TABLES,
    check_no_secret,
    edited,
    parts_of,
    read,
    value_of,
    write_text,
)
from coi_tui.literature.paper_records import checked_cut
from coi_tui.model.errors import UsageError, first_problem
from coi_tui.model.papers import Order
from coi_tui.model.suggest import did_you_mean, nearest
from coi_tui.model.text import Values
from coi_tui.paths import parse_toml
from coi_tui.services.http.addresses import HIDDEN, hidden_user
from coi_tui.services.sources.source_registry import (
    checked_order,
    order_in_words,
    services_in_order,
    source_names,
)

Environ = Mapping[str, str] | None
"""The variables of an environment; None for those of this program."""


def load_keys(environ: Environ = None) -> Keys:
    """The keys of the language model and of all sources of papers."""
    return config.load_keys(source_names(), environ)


def variables() -> dict[str, str]:
    """The environment variable that overrides a setting, by the setting's dotted name."""
    return {
        "llm.base_url": "OPENAI_BASE_URL",
        "llm.main.model": "COI_MODEL",
        "llm.reader.model": "COI_READER_MODEL",
        "llm.embedding.model": "COI_EMBEDDING_MODEL",
        "source": "COI_SOURCE",
        **{f"{name}.base_url": f"COI_{name.upper()}_URL" for name in source_names()},
    }


def overrides(environ: Environ = None) -> dict[str, str]:
    """The variables that are set in the environment, by the settings that they override."""
    env = os.environ if environ is None else environ
    return {key: name for key, name in variables().items() if env.get(name, "").strip()}


def _model(names: Set[str]) -> type[Settings]:
    """The settings with the sections of sources and, where one of the names is none of ours, of
    methods: those take long to import."""
    base, sections = Settings, dict.fromkeys(source_names(), (SourceSettings, SourceSettings()))
    if not names <= {*Settings.model_fields, *sections}:
        from coi_tui.methods.registry import settings_model

        base = settings_model()
    given: dict[str, Any] = {**sections}
    return create_model("Settings", __base__=base, __cls_kwargs__={"extra": "forbid"}, **given)


ALL = frozenset(("",))
"""Sections that are none of ours, so that those of methods are loaded as well."""


def load_settings(file: Path, environ: Environ = None, names: Set[str] = frozenset()) -> Settings:
    """Settings from ``file`` (may be missing) and the environment, with sections of these names.
    Raises UsageError naming file, key and cause."""
    env = os.environ if environ is None else environ
    data, there = read(file)[1], overrides(environ)
    for key, name in there.items():
        *above, last = key.split(".")
        section: Any = data
        for part in above:
            section = section.setdefault(part, {}) if isinstance(section, dict) else None
        if isinstance(section, dict):
            section[last] = env[name].strip().rstrip("/")
    try:
        return _checked(data, names)
    except ValidationError as error:
        where, what = first_problem(error)
        if where in there:
            raise UsageError(f"{there[where]}: {where} {what}.", "Correct the variable.") from None
        raise UsageError(
            f"In the settings file {file}, {where} {what}.", "Correct that line."
        ) from None


def _checked(data: Values, names: Set[str] = frozenset()) -> Settings:
    """The settings of a file's content; the section of a method that is not installed is left
    out. Raises ValidationError, and UsageError for a time cut that is no date."""
    model = _model({*data, *names})
    unused = _unused(data, model)
    found = model.model_validate({name: data[name] for name in data if name not in unused})
    for name, section in found:  # not in their model, by which sessions made before are read too
        if until := getattr(section, "known_until", ""):
            checked_cut(until, f"{name}.known_until")
    return found


def _unused(data: Values, model: type[Settings]) -> list[str]:
    """Not what is nearly the name of a section, which is a typing error."""
    known = model.model_fields
    return [
        name
        for name, value in data.items()
        if name not in known and isinstance(value, dict) and not nearest(name, known)
    ]


def unused_sections(file: Path) -> list[str]:
    """The sections of the settings file that neither the program nor an installed method has."""
    return _unused(read(file)[1], _model(ALL))


# -- changing one


def set_value(file: Path, key: str, value: Any) -> None:
    """Set one setting. Raises UsageError for an unknown key, a value that is not allowed, or one
    that looks like a secret; StoreError where the file cannot be written. Nothing is written
    then."""
    if isinstance(value, str) and f"://{HIDDEN}@" in value:
        raise UsageError(
            f"{HIDDEN} stands for a user and password that are not shown.",
            "Write the whole address; nothing was changed.",
        )
    if key == "source":
        named = value if isinstance(value, list) else str(value)
        value = ", ".join(checked_order(named)) or value
    check_no_secret(value)
    _change(file, key, value)


def set_typed(file: Path, key: str, text: str) -> None:
    """Set one setting to what a person typed: a TOML value where the setting takes it, else the
    text itself (the theme ``16`` is a name). Raises as ``set_value`` does."""
    value = value_of(text)
    try:
        set_value(file, key, value)
    except UsageError:
        if not isinstance(value, str | list | dict):
            with suppress(UsageError):  # the first refusal says more
                set_value(file, key, text)
                return
        raise


def unset_value(file: Path, key: str) -> bool:
    """Go back to the default of a setting; False where the file does not name it. Raises as
    ``set_value`` does."""
    return _change(file, key, None)


def _change(file: Path, key: str, value: Any) -> bool:
    """Set a value, or with None remove it; False where there was none to remove."""
    parts = parts_of(key)
    known = {key for key, *_ in _fields(_model({parts[0]}))}
    if key not in known and not (".".join(parts[:-1]) in TABLES and parts[-1]):
        raise _unknown(key, known | {key for key, *_ in _fields(_model(ALL))})
    text, data = read(file)
    if value is None and not _named(data, parts):
        return False
    new = edited(text, parts, value)
    try:
        _checked(parse_toml(new))
    except ValidationError as error:
        where, what = first_problem(error)
        if where == key or where.startswith(f"{key}."):
            raise UsageError(f"{where} {what}.", "Nothing was changed.") from None
        raise UsageError(
            f"The settings file already has a problem: {where} {what}.",
            "Correct it in an editor; `coi where` says where it is. Nothing was changed.",
        ) from None
    write_text(file, new)
    return True


def _unknown(key: str, known: Set[str]) -> UsageError:
    hint = did_you_mean(key, known, "`coi config list` names all of them.")
    return UsageError(f"There is no such setting: {key[:60]!r}.", hint)


def _named(data: Any, parts: list[str]) -> bool:
    for part in parts:
        if not isinstance(data, dict) or part not in data:
            return False
        data = data[part]
    return True


# -- listing them


@dataclass(frozen=True)
class Setting:
    """One setting. ``origin``: default, file, or the environment variable it comes from; ``help``:
    what it is for; ``takes``: the values that it may have, in words."""

    key: str
    value: Any
    origin: str
    help: str
    takes: str

    @property
    def shown(self) -> str:
        """The value as it would be written."""
        if self.value is None:
            return "(not set)"
        if isinstance(self.value, str):
            return hidden_user(self.value) or "(empty)"
        return json.dumps(self.value, default=lambda value: value.model_dump())


def settings_now(file: Path, environ: Environ = None) -> list[Setting]:
    """Every setting with its value. Raises UsageError for a settings file that cannot be read."""
    settings, data, there = load_settings(file, environ, ALL), read(file)[1], overrides(environ)
    out = []
    for key, field, about in _fields(type(settings)):
        value: Any = settings
        for part in key.split("."):
            value = getattr(value, part)
        origin = "file" if _named(data, key.split(".")) else "default"
        origin = f"environment {there[key]}" if key in there else origin
        help_ = f"{field.description} ({about})" if about else field.description or ""
        out.append(Setting(key, value, origin, help_, _takes(field)))
    return out


def setting_now(file: Path, key: str) -> Setting:
    """One setting, as ``settings_now`` has it. Raises UsageError for one that is not there."""
    found = {setting.key: setting for setting in settings_now(file)}
    if key not in found:
        raise _unknown(key, found.keys())
    return found[key]


def _fields(
    model: type[BaseModel], above: str = "", about: str = ""
) -> Iterator[tuple[str, FieldInfo, str]]:
    """Every setting by its dotted name, with what the section says that it is in."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _fields(kind, f"{above}{name}.", field.description or "")
        else:
            yield f"{above}{name}", field, about


_KINDS = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
    type(None): "unset",
}
_BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}


def _takes(field: FieldInfo) -> str:
    """Which values a setting takes: ``whole number, at least 1``."""
    bounds = [
        f"{word} {bound}"
        for limit in field.metadata
        for name, word in _BOUNDS.items()
        if (bound := getattr(limit, name, None)) is not None
    ]
    return ", ".join([_in_words(field.annotation), *bounds])


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        *others, last = (str(value) or "empty" for value in get_args(kind))
        return f"{', '.join(others)} or {last}" if others else last
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(_in_words(part) for part in get_args(kind))
    return _KINDS.get(kind) or ("list" if get_origin(kind) in (tuple, list) else "table")


# -- which services they set up


@dataclass(frozen=True)
class ServiceSetup:
    """Which services a session will use, and why, in words for the plan and ``coi doctor``."""

    model: str
    source: str
    online_model: bool
    online_source: bool
    why: str
    order: Order = ()
    """The services that are searched online, by name, in their order."""


OFFLINE = "offline was asked for"
NO_KEY = "no OPENAI_API_KEY and no OPENAI_BASE_URL is set"
USUAL_ORDER: Order = ("semantic_scholar",)
"""The order where nobody chose one: it says nothing about whether to search online."""
DRAFTER, STARTER = "the built-in drafter (no language model)", "the starter library"


def setup_of(settings: Settings, keys: Keys, offline: bool) -> ServiceSetup:
    """Offline where asked for; else a model when a key or base URL is set, and the services in
    their order when that or one's own is."""
    if offline or settings.offline:
        return ServiceSetup(DRAFTER, STARTER, False, False, OFFLINE)
    model = bool(keys.llm or settings.llm.base_url)
    chosen = settings.order != USUAL_ORDER or any(
        service.is_set_up for service in services_in_order(settings, keys)
    )
    if not model and not chosen:
        return ServiceSetup(DRAFTER, STARTER, False, False, NO_KEY)
    main = settings.llm.main.model
    names = f"{main} and, for reading, {settings.llm.reader.model or main}" if model else DRAFTER
    return ServiceSetup(names, order_in_words(settings.order), model, True, "", settings.order)


def to_get_others(setup: ServiceSetup) -> str:
    """How a person gets the model or the papers that the setup lacks, in a line; empty where it
    lacks none."""
    if setup.why == OFFLINE:
        return "`coi config set offline false` allows the network again."
    if setup.online_model:
        return ""
    if setup.online_source:
        return "Set OPENAI_API_KEY for a language model."
    return "Set OPENAI_API_KEY for both online, SEMANTIC_SCHOLAR_API_KEY for papers."
