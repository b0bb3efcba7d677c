"""The starter library writes the layout that the drafter reads: a label lost on the way would put
lists into sentences."""

from coi_tui.methods.evidence.card_draft import draft_read
from coi_tui.services.sources.starter.loader import load
from coi_tui.services.sources.starter.source import summary_text


def test_lists_of_the_starter_library_arrive_as_lists() -> None:
    for paper in list(load().papers.values())[::7]:
        values = {
            "topic": "language models",
            "title": paper.title,
            "year": paper.year,
            "kind": "summary",
            "text": summary_text(paper),
        }
        card = draft_read(values)
        if paper.limitations:
            assert paper.limitations[0].rstrip(".") in str(card["limits"])
        assert "ENTITIES" not in str(card)
        assert "BASELINES" not in str(card)
