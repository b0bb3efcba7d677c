"""How things look: theme, ASCII only, motion. Read before the first frame, so this is light to import and never fails."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

THEMES = ("dark", "light", "16", "safe")


@dataclass(frozen=True)
class Display:
    """``theme`` is one of ``THEMES``; ``ascii`` draws frames and signs of ours in ASCII; without ``motion`` nothing moves by itself."""

    theme: str = "dark"
    ascii: bool = False
    motion: bool = True


def read_display(file: Path, environ: Mapping[str, str] | None = None) -> Display:
    """The section ``display`` of the settings file, and what the terminal says of itself.

    What cannot be read here counts as not set: the settings are read whole a moment later, and then every fault is told.
    """
    env = os.environ if environ is None else environ
    section: dict[str, Any] = {}
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")).get("display")
        section = found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        section = {}
    theme, ascii_, motion = section.get("theme"), section.get("ascii"), section.get("motion")
    return Display(
        theme=theme if theme in THEMES else "dark",
        ascii=ascii_ if isinstance(ascii_, bool) else env.get("TERM") == "linux",
        motion=(motion if isinstance(motion, bool) else True) and env.get("TEXTUAL_ANIMATIONS", "").lower() != "none",
    )
