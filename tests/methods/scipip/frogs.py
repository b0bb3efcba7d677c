"""A session of SciPIP with a scripted model and twelve invented papers in memory."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coi_tui.methods.scipip import ScipipSettings
from coi_tui.model.papers import Paper
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import Desk
from tests.support.script import HashModel, Say
from tests.support.world import MemorySource, World

TOPIC = "sleep of glass frogs"
WORDS = (
    "amber",
    "basalt",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "gneiss",
    "heath",
    "islet",
    "jetty",
    "karst",
    "loess",
)


def frogs() -> World:
    """Twelve papers on sleeping glass frogs, each with a word of its own, the first two the same
    text; six on slow river ice, and links."""
    papers: dict[str, Paper] = {}
    for n, word in enumerate(WORDS):
        own = WORDS[1] if n == 0 else word
        text = f"Glass frogs sleep near {own} stones. We watch {own} nests of glass frogs. The {own} frogs wake late."
        if n > 5:
            text = f"River ice grows on {own} banks. We measure slow river ice with {own} probes. It melts in spring near sleep."
        papers[f"arXiv:20.{n:02d}"] = Paper(
            id=f"arXiv:20.{n:02d}", title=f"On {own} studies", year=2015 + n % 5, abstract=text
        )
    ids = list(papers)
    cites = {ids[n]: tuple(ids[(n + k) % 12] for k in (1, 2, 3)) for n in range(12)}
    return World(papers, cites, tuple(ids))


BACKGROUND = "Glass frogs sleep near stones, and nobody knows why they wake late."
ENTITIES = {"T1": "glass frogs", "T2": "slow river ice", "P1": "wake late"}


def entities(request: ChatRequest) -> dict[str, Any]:
    texts: Any = request.values["texts"]
    return {
        "entities": [
            {"text": t["id"], "name": ENTITIES.get(t["id"], "glass frog"), "also": []}
            for t in texts
        ]
    }


SAYS: Mapping[str, Say] = {
    "scipip_background": lambda _: {"text": BACKGROUND, "queries": ["glass frogs asleep"]},
    "scipip_entities": entities,
}


def found_of(query: str) -> list[str]:
    """What a search finds: the papers on river ice where it asks for ice, else those on frogs."""
    return [paper for paper in frogs().papers if ("ice" in query) == (paper >= "arXiv:20.06")]


def desk_of(
    folder: Path,
    say: Mapping[str, Say] | None = None,
    source: MemorySource | None = None,
    **settings: Any,
) -> Desk:
    """A session that begins with SciPIP."""
    bounds = ScipipSettings(
        **{
            "picked": 4,
            "novelty_queries": 1,
            "novelty_hits": 2,
            **settings,
        }
    )
    found = source or MemorySource(frogs(), lists=True)
    if source is None:
        found.finds = found_of
    return Desk.new(
        folder, bounds, HashModel({**SAYS, **(say or {})}), found, topic=TOPIC, method="SciPIP"
    )


def used(desk: Desk) -> list[str]:
    """The papers that ideas are made from, best first."""
    found = desk.content("S1/retrieved")
    return [row["paper"] for row in found["papers"] if row["paper"] not in found["off"]]


def prompts_shown(desk: Desk, prompt: str) -> Mapping[str, Any]:
    (request,) = desk.model.of(prompt)
    return request.values
