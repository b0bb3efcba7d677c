"""What a look-up sends is said before it, and nothing else is sent then."""

from __future__ import annotations

import pytest

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.session.runs.disclosure import lookup_disclosure
from tests.session.test_registries import Answers, ask
from tests.session.test_registries import (
    settings as settings,
)  # a fixture: the services on this machine

MAIL = "someone@example.org"
S2 = Keys(semantic_scholar="a-key")
BARE, WITH_MAIL = Settings(), Settings(mail=MAIL)
OPENALEX = Settings(source="openalex")
LOCAL = Settings(mail=MAIL, semantic_scholar=SourceSettings(base_url="http://127.0.0.1:9/graph/v1"))
BOTH = Settings(source="semantic_scholar, openalex")


NOT_HERE = "What is not known here is sent to"
FURTHER = "if nothing is found, arXiv gets arXiv ids and Crossref gets DOIs"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (BARE, f"{NOT_HERE} Semantic Scholar; {FURTHER}."),
        (WITH_MAIL, f"{NOT_HERE} Semantic Scholar; {FURTHER} with your e-mail address."),
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
    said = lookup_disclosure(WITH_MAIL, S2, True)
    assert said == "Offline: looked up only on this machine; nothing leaves it."
    away = WITH_MAIL.model_copy(update={"offline": True})
    assert lookup_disclosure(away, S2, False) == said
    assert lookup_disclosure(WITH_MAIL, Keys(), False).startswith("No online source is set up: ")


async def test_the_mail_address_goes_where_the_sentence_says(settings: Settings) -> None:
    for mail in (MAIL, ""):
        Answers.seen.clear()
        said = lookup_disclosure(settings.model_copy(update={"mail": mail}), S2, False)
        await ask(settings.model_copy(update={"mail": mail}), "DOI", "10.1000/widgets.1")
        assert ("your e-mail" in said) == any("example.org" in path for path in Answers.seen)
    Answers.seen.clear()
    await ask(settings, "arXiv", "2401.00001")
    assert not [path for path in Answers.seen if "example.org" in path]
