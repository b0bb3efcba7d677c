"""How things look: theme, ASCII only, motion.

The first frame needs these three, and only these: checking the settings whole (``coi_tui.config``,
which needs pydantic) takes another 80 ms of processor time, on top of the 450 to the first frame.
So the section is taken as it stands in the file, and never fails.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from coi_tui.config_file import read
from coi_tui.model.errors import CoiError

Theme = Literal["dark", "light", "16"]
THEMES: dict[str, str] = {
    "dark": "light on dark",
    "light": "dark on light",
    "16": "the terminal's own 16 colours",
}


@dataclass(frozen=True)
class Display:
    """``theme`` is one of ``THEMES``; ``ascii`` draws frames and signs of ours in ASCII; without
    ``motion`` nothing moves by itself."""

    theme: str = "dark"
    ascii: bool = False
    motion: bool = True


def read_display(file: Path, environ: Mapping[str, str] | None = None) -> Display:
    """The section ``display`` of the settings file, and what the terminal says of itself.

    What cannot be read here counts as not set: the settings are checked whole a moment later, and
    then every fault is reported.
    """
    env = os.environ if environ is None else environ
    try:
        found = read(file)[1].get("display")
    except CoiError:
        found = None
    section = found if isinstance(found, dict) else {}
    theme, ascii_, motion = section.get("theme"), section.get("ascii"), section.get("motion")
    return Display(
        theme=theme if theme in THEMES else "dark",
        ascii=ascii_ if isinstance(ascii_, bool) else env.get("TERM") == "linux",
        motion=(motion if isinstance(motion, bool) else True)
        and env.get("TEXTUAL_ANIMATIONS", "").lower() != "none",
    )
