"""What sessions and services go by: folders, settings, keys, the clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from coi_tui.engine.journal import Clock, utc_now

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.paths import Paths
    from coi_tui.services.llm.chat import ChatModel


@dataclass(frozen=True)
class Environment:
    """``model`` answers in place of the language model or the drafter; None where they do."""

    paths: Paths
    settings: Settings
    keys: Keys
    clock: Clock = utc_now
    model: ChatModel | None = None

    def today(self) -> str:
        """The ISO date by its clock."""
        return self.clock()[:10]
