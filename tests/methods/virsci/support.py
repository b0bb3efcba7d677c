"""A session that begins with VirSci, over a made-up world in which papers have several authors."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coi_tui.methods.virsci import VirSciSettings
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import Desk
from tests.support.script import HashModel, Say
from tests.support.world import MemorySource, World, make_world

TOPIC = "sleep of glass frogs"
SETTINGS = {"team": 3, "turns": 2}


def crowded() -> World:
    """A world whose papers have three authors each, drawn among twelve."""
    world = make_world()
    papers = {
        key: paper.model_copy(
            update={
                "authors": tuple(f"Author {'ABCDEFGHIJKL'[(n * k + k) % 12]}" for k in (1, 2, 5))
            }
        )
        for n, (key, paper) in enumerate(world.papers.items())
    }
    return World(papers, world.cites, world.middle)


def desk_of(
    folder: Path,
    say: Mapping[str, Say] | None = None,
    source: MemorySource | None = None,
    **settings: Any,
) -> Desk:
    """A team of three and two turns, unless said otherwise."""
    small = {**SETTINGS, "novelty_queries": 1, "novelty_hits": 2}
    bounds = VirSciSettings(**{**small, **settings})
    return Desk.new(
        folder,
        bounds,
        HashModel(say or {}),
        source or MemorySource(crowded(), lists=True),
        topic=TOPIC,
        method="VirSci",
    )


def enough_after(turn: int) -> Say:
    """A leader who stops each discussion after so many turns."""

    def say(request: ChatRequest) -> Any:
        shown: Any = request.values["summaries"]
        return {"text": f"summary {len(shown) + 1}", "why": "why", "enough": len(shown) + 1 >= turn}

    return say
