"""The plans that wait for the network, in words."""

from __future__ import annotations

from coi_tui.model.queue import Queue


def count(n: int) -> str:
    """How many plans wait, as a clause."""
    return "No plan waits for the network" if not n else f"{n} plan waits for the network" if n == 1 else f"{n} plans wait for the network"


def phrase(queue: Queue) -> str:
    """``1 plan waits for the network``; empty where none does."""
    return count(len(queue)) if queue else ""


def listed(queue: Queue) -> list[str]:
    """The plans with their places and days, a line each."""
    return [f"{n}. {q.title}, put off {q.time[:10] or 'earlier'}" for n, q in enumerate(queue, start=1)]
