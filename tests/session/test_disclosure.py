"""What a look-up sends is said before it, and nothing else is sent then."""

from __future__ import annotations

import pytest

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.session.runs.disclosure import BEFORE, lookup_disclosure
from tests.session.test_registries import Answers, ask
from tests.session.test_registries import (
    settings as settings,
)  # a fixture: the services on this machine

MAIL = "someone@example.org"
S2 = Keys(semantic_scholar="a-key")
BARE, WITH_MAIL = Settings(), Settings(mail=MAIL)
OPENALEX = Settings(source="openalex")
BOTH = Settings(source="semantic_scholar, openalex")


@pytest.mark.parametrize(
    ("settings", "text", "told"),
    [
        (
            BARE,
            "10.1000/x.1",
            "If unknown here, Semantic Scholar gets the DOI; if unknown there too, Crossref gets it.",
        ),
        (
            WITH_MAIL,
            "https://doi.org/10.1000/x.1",
            "If unknown here, Semantic Scholar gets the DOI; if unknown there too, Crossref gets it"
            " and your e-mail address.",
        ),
        (
            WITH_MAIL,
            "arXiv:2401.00001v2",
            "If unknown here, Semantic Scholar gets the arXiv id; if unknown there too, arXiv gets it.",
        ),
        (
            OPENALEX,
            "10.1000/x.1",
            "If unknown here, OpenAlex gets the DOI; if unknown there too, Crossref gets it.",
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
            "If unknown here, Semantic Scholar gets the DOI; where it is unreachable or has nothing, OpenAlex too;"
            " if unknown there too, Crossref gets it.",
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
        lookup_disclosure(WITH_MAIL, S2, True, text)
        == "Offline: looked up only on this machine; nothing leaves it."
    )
    assert lookup_disclosure(
        WITH_MAIL.model_copy(update={"offline": True}), S2, False, text
    ).startswith("Offline: ")
    assert lookup_disclosure(WITH_MAIL, Keys(), False, text).startswith(
        "No online source is set up: "
    )


def test_with_a_source_on_this_machine_no_other_is_named() -> None:
    local = Settings(
        mail=MAIL, semantic_scholar=SourceSettings(base_url="http://127.0.0.1:9/graph/v1")
    )
    assert (
        lookup_disclosure(local, S2, False, "10.1000/x.1")
        == "If unknown here, Semantic Scholar gets the DOI."
    )


async def test_the_mail_address_goes_where_the_sentence_says(settings: Settings) -> None:
    for mail in (MAIL, ""):
        Answers.seen.clear()
        said = lookup_disclosure(
            settings.model_copy(update={"mail": mail}), S2, False, "10.1000/widgets.1"
        )
        await ask(settings.model_copy(update={"mail": mail}), "DOI", "10.1000/widgets.1")
        assert ("your e-mail" in said) == any("example.org" in path for path in Answers.seen)
    Answers.seen.clear()
    assert "e-mail" not in lookup_disclosure(settings, S2, False, "arXiv:2401.00001")
    await ask(settings, "arXiv", "2401.00001")
    assert not [path for path in Answers.seen if "example.org" in path]
