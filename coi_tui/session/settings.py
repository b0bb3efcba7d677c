"""The settings file, with a section for each method that declares one. Screens and commands read
and change it here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import create_model

from coi_tui import config, config_file
from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.model.errors import UsageError
from coi_tui.services.http.addresses import HIDDEN
from coi_tui.services.sources.source_registry import checked_order, source_names


def _whole() -> type[Settings]:
    from coi_tui.methods.registry import (
        settings_model,
    )  # all methods take long to import, and few settings files have a section of one

    sections: dict[str, Any] = dict.fromkeys(source_names(), (SourceSettings, SourceSettings()))
    return create_model(
        "Settings", __base__=settings_model(), __cls_kwargs__={"extra": "forbid"}, **sections
    )


def load_keys(environ: Mapping[str, str] | None = None) -> Keys:
    """The keys of the language model and of all sources of papers."""
    return config.load_keys(source_names(), environ)


def load_settings(file: Path, environ: Mapping[str, str] | None = None) -> Settings:
    """Settings from ``file`` (may be missing) and the environment. Raises UsageError naming file,
    key and cause."""
    return config.load_settings(file, environ, _whole)


def unused_sections(file: Path) -> list[str]:
    """The sections of the settings file that neither the program nor an installed method has."""
    return config.unused_sections(config_file.read(file)[1], _whole())


def all_settings(settings: Settings) -> dict[str, Any]:
    """Every setting by its dotted name, those of methods too, with its value."""
    whole = _whole()
    known = {name: v for name, v in settings.model_dump().items() if name in whole.model_fields}
    return config.flat(whole.model_validate(known))


def method_help() -> dict[str, str]:
    """What the settings of methods are for, by their dotted names."""
    found = config.sections(_whole()).items()
    return {
        f"{name}.{key}": field.description or ""
        for name, model in found
        if model is not SourceSettings
        for key, field in model.model_fields.items()
    }


def value_types() -> dict[str, str]:
    """Which values each setting takes, in words, by its dotted name."""
    return config.value_types(_whole())


def check_key(key: str) -> None:
    """Raises UsageError for an unknown setting, naming the nearest one."""
    config.check_key(key, _whole)


def set_value(file: Path, key: str, value: Any) -> None:
    """Set one setting. Raises UsageError or StoreError; nothing is written then."""
    if isinstance(value, str) and f"://{HIDDEN}@" in value:
        raise UsageError(
            f"{HIDDEN} stands for a user and password that are not shown.",
            "Write the whole address; nothing was changed.",
        )
    if key == "source":
        value = ", ".join(checked_order(value)) or value
    config.set_value(file, key, value, _whole)


def set_typed(file: Path, key: str, text: str) -> None:
    """Set one setting to what a person typed: a TOML value where the setting takes it, else the
    text itself (the theme ``16`` is a name).

    Raises UsageError or StoreError; nothing is written then.
    """
    value = config_file.value_of(text)
    try:
        set_value(file, key, value)
    except UsageError:
        if not isinstance(value, str):
            with suppress(UsageError):  # the first refusal says more
                set_value(file, key, text)
                return
        raise


def unset_value(file: Path, key: str) -> bool:
    """Go back to the default of a setting; False where the file does not name it. Raises as
    ``set_value`` does."""
    return config.unset_value(file, key, _whole)
