"""What a look-up sends is said before it, and nothing else is sent then."""

from __future__ import annotations

import pytest

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.session.runs.disclosure import BEFORE, lookup_disclosure

S2 = Keys(semantic_scholar="a-key")
BARE = Settings()
OPENALEX = Settings(source="openalex")
BOTH = Settings(sources=("semantic_scholar", "openalex"))


@pytest.mark.parametrize(
    ("settings", "text", "told"),
    [
        (
            BARE,
            "10.1000/x.1",
            "If unknown here, Semantic Scholar gets the DOI.",
        ),
        (
            BARE,
            "arXiv:2401.00001v2",
            "If unknown here, Semantic Scholar gets the arXiv id; if unknown there too, arXiv gets it.",
        ),
        (
            OPENALEX,
            "10.1000/x.1",
            "If unknown here, OpenAlex gets the DOI.",
        ),
        (BARE, "0" * 40, "If unknown here, Semantic Scholar gets the Semantic Scholar id."),
        (
            OPENALEX,
            "0" * 40,
            "OpenAlex has no place for a Semantic Scholar id: looked up only on this machine; nothing leaves it.",
        ),
        (BARE, "Chain of ideas", "If the title is not known here, it is sent to Semantic Scholar."),
        (
            BARE,
            "https://example.org/a-paper",
            "This address names no paper by its id, so it is taken as a title."
            " If the title is not known here, it is sent to Semantic Scholar.",
        ),
        (
            BOTH,
            "10.1000/x.1",
            "If unknown here, Semantic Scholar gets the DOI; where it is unreachable or has nothing, OpenAlex too.",
        ),
        (BOTH, "0" * 40, "If unknown here, Semantic Scholar gets the Semantic Scholar id."),
        (
            BOTH,
            "Chain of ideas",
            "If the title is not known here, it is sent to Semantic Scholar; where it is unreachable or has nothing, OpenAlex too.",
        ),
        (BARE, "  ", BEFORE),
    ],
)
def test_one_sentence_says_who_gets_what(settings: Settings, text: str, told: str) -> None:
    assert lookup_disclosure(settings, S2, False, text) == told


@pytest.mark.parametrize(
    "text", ["", "10.1000/x.1", "2401.00001", "Chain of ideas", "https://example.org"]
)
def test_offline_and_without_a_source_nothing_leaves(text: str) -> None:
    assert (
        lookup_disclosure(BARE, S2, True, text)
        == "Offline: looked up only on this machine; nothing leaves it."
    )
    assert lookup_disclosure(BARE.model_copy(update={"offline": True}), S2, False, text).startswith(
        "Offline: "
    )
    assert lookup_disclosure(BARE, Keys(), False, text).startswith("No online source is set up: ")


def test_with_a_source_on_this_machine_no_other_is_named() -> None:
    local = Settings(semantic_scholar=SourceSettings(base_url="http://127.0.0.1:9/graph/v1"))
    assert (
        lookup_disclosure(local, S2, False, "10.1000/x.1")
        == "If unknown here, Semantic Scholar gets the DOI."
    )
