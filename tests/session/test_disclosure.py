"""What a look-up sends is said before it, and nothing else is sent then."""

from __future__ import annotations

import pytest

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.session.lookup import lookup_disclosure

S2 = Keys(semantic_scholar="a-key")
BARE = Settings()
OPENALEX = Settings(source="openalex")
LOCAL = Settings(semantic_scholar=SourceSettings(base_url="http://127.0.0.1:9/graph/v1"))
BOTH = Settings(source="semantic_scholar, openalex")


NOT_HERE = "What is not known here is sent to"
FURTHER = "if nothing is found, arXiv gets arXiv ids and Crossref gets DOIs"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (BARE, f"{NOT_HERE} Semantic Scholar; {FURTHER}."),
        (OPENALEX, f"{NOT_HERE} OpenAlex; {FURTHER}."),
        (
            BOTH,
            f"{NOT_HERE} Semantic Scholar; where it is unreachable or has nothing, OpenAlex too; {FURTHER}.",
        ),
        (LOCAL, f"{NOT_HERE} Semantic Scholar."),
    ],
)
def test_one_sentence_says_who_gets_what(settings: Settings, told: str) -> None:
    assert lookup_disclosure(settings, S2, False) == told


def test_offline_and_without_a_source_nothing_leaves() -> None:
    said = lookup_disclosure(BARE, S2, True)
    assert said == "Offline: looked up only on this machine; nothing leaves it."
    away = BARE.model_copy(update={"offline": True})
    assert lookup_disclosure(away, S2, False) == said
    assert lookup_disclosure(BARE, Keys(), False).startswith("No online source is set up: ")
