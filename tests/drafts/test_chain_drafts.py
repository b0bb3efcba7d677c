"""COI-8, COI-10, COI-11: trends, directions and ideas speak of their own chain."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from coi_tui.methods.shared.drafts.text_tools import sentences
from tests.support.drafts import DRAFTS

Object = dict[str, object]
Values = Callable[..., dict[str, Object]]
TOPIC = "retrieval for long questions"


def direction(chain: list[Object], hunch: str = "") -> Object:
    return dict(DRAFTS["coi_direction"]({"topic": TOPIC, "hunch": hunch, "chain": chain, "trends": [], "entities": []}))


def test_a_trend_names_both_titles_and_the_answered_limitation(cards: list[Object]) -> None:
    text = str(DRAFTS["coi_trend"]({"topic": TOPIC, "older": cards[0], "newer": cards[1]})["text"])
    assert str(cards[0]["title"]) in text
    assert str(cards[1]["title"]) in text
    assert '"Synonyms in long questions are missed", shares words with the newer card' in text
    assert 3 <= len(sentences(text)) <= 8


def test_a_trend_says_when_a_limitation_is_not_answered(cards: list[Object]) -> None:
    text = str(DRAFTS["coi_trend"]({"topic": TOPIC, "older": cards[1], "newer": cards[2]})["text"])
    assert "may still be open" in text


def test_a_direction_lists_open_limitations_only(cards: list[Object]) -> None:
    text = str(direction(cards)["text"])
    assert "Every round costs a further model call" in text
    assert "Synonyms in long questions are missed" not in text
    assert "By reflection" in str(direction(cards)["note"])


def test_a_direction_keeps_the_hunch_in_view(cards: list[Object]) -> None:
    assert '"skip rounds that bring nothing"' in str(direction(cards, "skip rounds that bring nothing")["text"])


def test_a_card_that_states_nothing_is_not_quoted(cards: list[Object]) -> None:
    silent = {**cards[2], "limitation": "Not stated in the full text.", "contribution": "Not stated in the full text."}
    assert "Not stated" not in str(direction([cards[0], silent]))


EDITED = "Spectral pruning of quarterly archives. Weigh librarians against auctions!"


def test_an_edited_trend_is_found_in_the_direction(cards: list[Object]) -> None:
    drafted = [str(DRAFTS["coi_trend"]({"topic": TOPIC, "older": a, "newer": b})["text"]) for a, b in pairwise(cards)]
    given = {"topic": TOPIC, "hunch": "", "chain": cards, "trends": [f"{drafted[0]} {EDITED}", drafted[1]], "entities": []}
    text = str(DRAFTS["coi_direction"](given)["text"])
    assert 'From a trend: "Spectral pruning of quarterly archives".' in text
    assert text.count("From a trend") == 2  # the edited sentences, and none of the drafted ones


def test_no_line_of_a_worksheet_stands_twice(cards: list[Object]) -> None:
    made = direction(cards)
    lines = [line for value in made.values() for line in "\n".join(value if isinstance(value, list) else [str(value)]).split("\n") if line]
    assert len(lines) == len(set(lines))
    assert "has reached" not in str(made)
