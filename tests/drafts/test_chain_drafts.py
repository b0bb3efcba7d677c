"""COI-8, COI-10, COI-11: trends, directions and ideas speak of their own chain."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import cast

import pytest

from coi_tui.methods.shared.drafts.text_tools import sentences
from tests.support.drafts import DRAFTS

Object = dict[str, object]
Values = Callable[..., dict[str, Object]]
TOPIC = "retrieval for long questions"


def direction(chain: list[Object], hunch: str = "") -> Object:
    return dict(DRAFTS["coi_direction"]({"topic": TOPIC, "hunch": hunch, "chain": chain, "trends": [], "entities": []}))


def idea(chain: list[Object], bad: list[Object] | None = None, text: str | None = None) -> Object:
    given = str(direction(chain)["text"]) if text is None else text
    return dict(
        DRAFTS["coi_idea"]({"topic": TOPIC, "chain": chain, "trends": [], "direction": given, "entities": [], "bad_cases": bad or []})
    )


def final(chain: list[Object], bad: list[Object] | None = None) -> Object:
    titles = [{"title": card["title"], "year": card["year"]} for card in chain]
    values = {"topic": TOPIC, "titles": titles, "direction": "", "draft": idea(chain, bad), "bad_cases": bad or []}
    return dict(DRAFTS["coi_final_idea"](values))


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


def test_an_idea_has_three_contributions_and_cites_by_title(cards: list[Object]) -> None:
    draft = idea(cards)
    assert len(cast("list[str]", draft["contributions"])) >= 3
    for card in cards:
        assert str(card["title"]) in str(draft)


def test_an_idea_follows_the_direction_when_a_person_rewrote_it(cards: list[Object]) -> None:
    draft = idea(cards, text='Take up "The encoder was trained on English only" and nothing else.')
    assert "The encoder was trained on English only" in str(draft["motivation"])


def test_other_chains_give_other_ideas(cards: list[Object]) -> None:
    assert idea(cards) != idea(cards[:2]) != idea(cards[1:])
    assert final(cards)["title"] != final(cards[:2])["title"]


def test_bad_cases_change_the_draft_and_are_named(cards: list[Object]) -> None:
    bad: list[Object] = [{"title": "Taken Already", "reason": "It skips rounds in the same way."}]
    before, after = idea(cards), idea(cards, bad)
    assert before["method"] != after["method"]
    assert before["contributions"] != after["contributions"]
    assert "Taken Already" in str(after["novelty"])
    assert "Taken Already" in str(final(cards, bad)["difference"])


def test_each_further_bad_case_moves_on(cards: list[Object]) -> None:
    one: list[Object] = [{"title": "First Case", "reason": ""}]
    two: list[Object] = [*one, {"title": "Second Case", "reason": ""}]
    assert len({str(idea(cards, bad)["method"]) for bad in (None, one, two)}) == 3


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_titles_end_without_a_stop(cards: list[Object], size: int) -> None:
    title = str(final(cards[:size])["title"])
    assert title
    assert title[-1] not in ".:;,"


def test_a_persons_own_draft_is_kept_word_for_word() -> None:
    draft = {
        "motivation": "My motive.",
        "novelty": "My difference.",
        "contributions": ["One", "Two", "Three"],
        "method": "My steps.",
    }
    reply = DRAFTS["coi_final_idea"]({"topic": TOPIC, "titles": [], "direction": "", "draft": draft, "bad_cases": []})
    assert "My motive." in str(reply["final"])
    assert "My steps." in str(reply["final"])
    assert "My difference." in str(reply["difference"])


def test_a_card_that_states_nothing_is_not_quoted(cards: list[Object]) -> None:
    silent = {**cards[2], "limitation": "Not stated in the full text.", "contribution": "Not stated in the full text."}
    assert "Not stated" not in str(direction([cards[0], silent])) + str(idea([cards[0], silent]))


EDITED = "Spectral pruning of quarterly archives. Weigh librarians against auctions!"


def test_an_edited_trend_is_found_in_the_direction_and_in_the_idea(cards: list[Object]) -> None:
    drafted = [str(DRAFTS["coi_trend"]({"topic": TOPIC, "older": a, "newer": b})["text"]) for a, b in pairwise(cards)]
    given = {"topic": TOPIC, "hunch": "", "chain": cards, "trends": [f"{drafted[0]} {EDITED}", drafted[1]], "entities": []}
    text = str(DRAFTS["coi_direction"](given)["text"])
    assert 'From a trend: "Spectral pruning of quarterly archives".' in text
    assert text.count("From a trend") == 2  # the edited sentences, and none of the drafted ones
    made = str(DRAFTS["coi_idea"]({**given, "direction": text, "bad_cases": []})["motivation"])
    assert made.count("Spectral pruning of quarterly archives") == 1
    assert "From the direction" not in made


def test_an_edited_direction_is_found_in_the_idea(cards: list[Object]) -> None:
    assert "From the direction" not in str(idea(cards))
    made = idea(cards, text=f"{direction(cards)['text']}\n\n{EDITED}")
    assert 'From the direction: "Spectral pruning of quarterly archives".' in str(made["motivation"])
    assert "librarians against auctions" in str(made["motivation"])


def test_an_edited_part_of_an_idea_is_found_in_its_plan(cards: list[Object]) -> None:
    whole = {**idea(cards), **final(cards)}
    experiments = [{"title": card["title"], "year": card["year"], "experiment": card["experiment"]} for card in cards]
    for part in ("motivation", "novelty", "contributions", "method", "final"):
        edited = [EDITED] if part == "contributions" else EDITED
        values = {"idea": {**whole, part: edited}, "experiments": experiments, "entities": [], "datasets": [], "baselines": []}
        assert "Spectral pruning of quarterly archives" in str(DRAFTS["coi_experiment"](values)["design"]), part
    unedited = {"idea": whole, "experiments": experiments, "entities": [], "datasets": [], "baselines": []}
    assert "From the idea" not in str(DRAFTS["coi_experiment"](unedited))


def test_no_line_of_a_worksheet_stands_twice(cards: list[Object]) -> None:
    made = {**direction(cards), **idea(cards), **final(cards)}
    lines = [line for value in made.values() for line in "\n".join(value if isinstance(value, list) else [str(value)]).split("\n") if line]
    assert len(lines) == len(set(lines))
    assert "has reached" not in str(made)
