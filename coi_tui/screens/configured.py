"""The part of the app that knows settings and keys, and reads them when they are first needed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from coi_tui.display import read_display
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.screens.displayed import Displayed

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings


class Configured(Displayed):
    """Reads nothing but looks before the first frame."""

    fault: CoiError | None = None
    """Why the settings could not be read; the app leaves, and whoever ran it says so."""

    def __init__(self, places: Paths, settings: Settings | None, keys: Keys | None) -> None:
        super().__init__(places)
        self._settings, self._keys = settings, keys

    @property
    def settings(self) -> Settings:
        """The settings; read when they are first asked for, after the first frame (their models take long to import)."""
        if self._settings is None:
            from coi_tui.config import load_settings

            self._settings = load_settings(self.paths.config_file)
        return self._settings

    @property
    def keys(self) -> Keys:
        """The keys of services; none until ``load_keys``."""
        from coi_tui.config import Keys

        return self._keys or Keys()

    async def load_keys(self) -> None:
        """Settings and keys, once and in a thread: keys may come from the system keyring, which can be slow.

        The app leaves with ``fault`` set where the settings cannot be read.
        """
        try:
            await asyncio.to_thread(self._load_keys)
        except CoiError as error:
            self.fault = error
            self.exit(return_code=1)
            raise

    def _load_keys(self) -> None:
        from coi_tui.config import load_keys

        if self.settings and self._keys is None:
            self._keys = load_keys()

    async def settings_changed(self) -> None:
        """Read the settings file again."""
        from coi_tui.config import load_settings

        self._settings = await asyncio.to_thread(load_settings, self.paths.config_file)
        self._take(read_display(self.paths.config_file))
