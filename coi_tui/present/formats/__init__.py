"""The formats of an export. A module ``NAME.py`` here with a ``FORMAT`` is the format NAME: the
command and the export sheet find it by its file."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coi_tui.present.snapshot import ProposalOptions, SessionSnapshot


@dataclass(frozen=True)
class Format:
    """``title`` says what it is; ``options``: whether it writes the proposal, to which the options
    apply. Its name is also how its files end."""

    title: str
    write: Callable[[SessionSnapshot, ProposalOptions | None], str | bytes]
    options: bool = False


def names() -> list[str]:
    """The names of all formats; none of them is loaded."""
    return [module.name for module in pkgutil.iter_modules(__path__)]


def load(name: str) -> Format:
    """A format by its name."""
    found: Format = import_module(f"{__name__}.{name}").FORMAT
    return found
