"""A stylesheet that keeps what it has parsed."""

from __future__ import annotations

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet

SOURCES = 1024
"""More sources than all screens and widgets together have."""


class KeptStylesheet(Stylesheet):
    """Parses a source once. The toolkit parses every source again whenever a screen with a style of its own comes for the first time."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(SOURCES)

    def copy(self) -> KeptStylesheet:
        kept = KeptStylesheet(variables=self._variables.copy())
        kept.source = self.source.copy()
        return kept

    def reparse(self) -> None:
        """Take in sources that are new. Other variables have emptied what was kept, so that then all are parsed anew."""
        self.parse()
