"""The named entities of cards, for drafts."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.methods.shared.drafts.prompt_values import Values, line_of, mappings
from coi_tui.methods.shared.drafts.text_tools import clip, without_full_stop, words


@dataclass(frozen=True)
class Entity:
    name: str
    description: str

    @property
    def with_description(self) -> str:
        """``name (description)``."""
        return (
            f"{self.name} ({without_full_stop(self.description)})"
            if words(self.description)
            else self.name
        )


def entities_of(values: Values) -> list[Entity]:
    """The named entities under ``entities``, each once."""
    found: dict[str, Entity] = {}
    for item in mappings(values, "entities"):
        if name := without_full_stop(line_of(item, "name")):
            found.setdefault(
                name.casefold(),
                Entity(clip(name, 12), clip(without_full_stop(line_of(item, "description")), 30)),
            )
    return list(found.values())
