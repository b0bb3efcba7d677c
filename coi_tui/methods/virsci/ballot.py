"""VIR-8: in which order each vote is shown the ideas, and what the votes come to. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

LABELS = "ABC"


def order_shown(ideas: int, turn: int, seat: int) -> tuple[int, ...]:
    """The numbers of the ideas in the order in which a seat sees them: all orders take turns, so
    that no place has an advantage."""
    orders = list(permutations(range(1, ideas + 1)))
    return orders[(turn + seat - 2) % len(orders)]


@dataclass(frozen=True)
class Count:
    """Votes by idea, abstentions, and the winner (0: tied, or no vote)."""

    votes: tuple[int, ...]
    abstentions: int
    winner: int


def counted(choices: Sequence[int], ideas: int) -> Count:
    """What the votes come to. A vote for none of the ideas is an abstention, never a vote for the
    first."""
    votes = tuple(sum(choice == number for choice in choices) for number in range(1, ideas + 1))
    most = max(votes, default=0)
    first = [number for number, n in enumerate(votes, start=1) if n == most and n]
    return Count(votes, len(choices) - sum(votes), first[0] if len(first) == 1 else 0)


def ranked(votes: Sequence[int], scores: Sequence[float]) -> list[int]:
    """The ideas by votes, then by their own scores, then in their order."""
    return sorted(
        range(1, len(votes) + 1),
        key=lambda number: (-votes[number - 1], -scores[number - 1], number),
    )
