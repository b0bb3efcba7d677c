"""Labels to jump by: one or two letters for each place on the screen, so that none begins another. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""Those under the fingers first."""


def labels(number: int) -> list[str]:
    """So many labels: single letters as long as they last, then pairs that begin with the last letters; at most one for each pair."""
    letters = len(LETTERS)
    pairs = min(
        letters, max(0, -(-(number - letters) // (letters - 1)))
    )  # each letter that begins pairs is one fewer by itself
    single, first = LETTERS[: letters - pairs], LETTERS[letters - pairs :]
    return [*single, *(one + two for one in first for two in LETTERS)][:number]


@dataclass(frozen=True)
class Jump:
    """``places``: where each label leads; ``typed``: the first letter of a pair, once it was typed."""

    places: Mapping[str, str]
    typed: str = ""

    @classmethod
    def to(cls, places: Sequence[str]) -> Jump:
        """Labels for these places, from the first on."""
        return cls(dict(zip(labels(len(places)), places, strict=False)))

    @property
    def shown(self) -> dict[str, str]:
        """The label of each place that can still be meant."""
        return {
            place: label for label, place in self.places.items() if label.startswith(self.typed)
        }

    def press(self, key: str) -> Jump | str | None:
        """After a key: the place that is meant, the labels that are left, or None where no label has it."""
        now = self.typed + key
        if now in self.places:
            return self.places[now]
        return (
            replace(self, typed=now)
            if any(label.startswith(now) for label in self.places)
            else None
        )


def in_front(label: str) -> str:
    """A label as it stands in front of its place, in three cells."""
    return f"{label})".ljust(3)
