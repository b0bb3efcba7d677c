"""What a prompt shows: each text once and whole, what the researcher said before the task, and how
long the text is that is rewritten."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.base.labelled import bearing_on
from coi_tui.methods.one_call import OneCallSettings
from coi_tui.methods.prompt_calls import SOURCES
from coi_tui.model.entries import Call
from coi_tui.model.text import first_sentences
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.services.llm.reply_reading import fields_of
from tests.session.test_five_methods import made as made
from tests.support.desk import ONE, Desk, copy_of, stale
from tests.support.script import HashModel, reply_to

MEANS = "One laptop, six nurses, three months."
LEAST = 60
"""Characters from which on a line is a text and no name."""


# -- once, and whole


def repeated(calls: Iterable[Call]) -> list[tuple[str, str]]:
    """Lines of quoted material that stand in a prompt twice."""
    found = []
    for call in calls:
        before = str(call.request.get("user", "")).partition("\n\nTask: ")[0]
        lines = [line for line in before.splitlines() if len(line) >= LEAST]
        found += [(call.prompt, line) for line in set(lines) if lines.count(line) > 1]
    return found


def test_no_prompt_of_any_method_quotes_a_text_twice(tmp_path: Path, made: Path) -> None:
    every = Desk.copied(made, tmp_path)
    asked = [call for call in every.session.calls.values() if call.kind == "chat"]
    assert len({call.prompt for call in asked}) > 40
    assert repeated(asked) == []
    one = copy_of(tmp_path, "one", "proposal")
    assert repeated(call for call in one.session.calls.values() if call.kind == "chat") == []


TEXT = "One is short. Two has 2.5 parts, e.g. this. " * 40


@pytest.mark.parametrize("most", [20, 100, 999])
def test_a_text_is_cut_after_a_sentence_and_shows_it(most: int) -> None:
    cut = first_sentences(TEXT, most)
    assert len(cut) <= most
    kept = cut.removesuffix(" [...]")
    assert cut != kept
    assert kept[-1] == "."
    assert TEXT.startswith(kept)
    assert first_sentences(TEXT, len(TEXT)) == TEXT


def test_of_a_sentence_that_is_too_long_whole_words_are_left() -> None:
    assert first_sentences("words " * 20, 30) == "words words words words [...]"
    assert len(first_sentences("x" * 99, 30)) == 30


def test_the_sentence_that_bears_on_an_idea_is_whole_though_it_is_long() -> None:
    sentence = " ".join(f"word{n}" for n in range(70)) + "."
    assert bearing_on(f"{sentence} More of it.", ["word3"], 45).startswith(sentence)


# -- what the researcher has, and answered


def last(desk: Desk, prompt: str) -> ChatRequest:
    return desk.model.of(prompt)[-1]


def stands_before_the_task(request: ChatRequest, text: str) -> bool:
    before, task, after = request.user.partition("\n\nTask: ")
    return bool(task) and text in before and text not in after and ">>>" not in after


@pytest.mark.parametrize(
    "cells",
    [
        "S1/brainstorm S1/first S1/improved S1/1/idea",
        "N1/drafts N1/seed1.1 N1/1/initial N1/1/modules N1/1/idea",
        "V1/said1.1 V1/said1.2 V1/draft1.1 V1/draft1.2 V1/abstract1.1 V1/abstract1.2",
        "E1/1/plan E1/1/step2 E1/1/section2 E1/1/idea",
        "O1/1/idea",
    ],
)
def test_means_are_known_to_all_that_writes_ideas_in_every_method(
    made: Path, tmp_path: Path, cells: str
) -> None:
    desk = Desk.copied(made, tmp_path, HashModel())
    fresh = stale(desk)
    desk.edits.save("means", MEANS)
    assert stale(desk) == fresh, "what is there stays as it is"
    for address in cells.split():
        desk.do(desk.planner.to_refresh([address], again=True))
        asked = [one for one in desk.model.requests if one.address == address]
        assert asked, address
        assert all(stands_before_the_task(one, MEANS) for one in asked), address


# -- what a card does not say


def test_a_card_may_be_silent_and_what_it_does_not_say_is_not_shown(tmp_path: Path) -> None:
    def silent(request: ChatRequest) -> dict[str, Any]:
        return {**reply_to(request), "problem": "", "move": "", "limits": ""}

    desk = Desk.new(
        tmp_path,
        ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1}),
        HashModel({"coi_read": silent}),
    )
    assert desk.run("ideas").state == "done", desk.session.failed
    assert {request.prompt for request in desk.model.requests if request.reask} == set()
    for prompt in ("coi_trend", "coi_direction", "work_out"):
        assert "move:" not in last(desk, prompt).user
        assert "evidence:" in last(desk, prompt).user or prompt == "work_out"
    shown = dict(desk.session.detail("1/0.card").parts)
    assert "Evidence" in shown
    assert not {"Problem", "Move", "Limits"} & set(shown)
    desk.edits.save("1/0.card", "## evidence\nTen people.")
    assert not desk.session.freshness("1/dir").needs
    desk.refresh()
    assert not stale(desk)


def test_a_card_that_says_nothing_at_all_is_none(tmp_path: Path) -> None:
    empty = dict.fromkeys(("problem", "move", "evidence", "use", "limits"), "")
    desk = Desk.new(tmp_path, ONE, HashModel({"coi_read": lambda _: empty}))
    assert desk.run("cards").failed


# -- what the schema offers


def test_a_reply_that_is_shown_no_paper_is_asked_for_no_sources(tmp_path: Path) -> None:
    """Neither by the prompt nor by the schema that is sent with it."""
    cited = Desk.new(tmp_path / "one", ONE)
    bare = Desk.new(tmp_path / "two", OneCallSettings(), method="One call")
    offered = []
    for desk in (cited, bare):
        desk.run("proposal")
        for request in desk.model.requests:
            there = SOURCES in request.schema["properties"]
            assert there == (SOURCES in fields_of(request.user)), request.prompt
            assert there == ("square brackets, such as [P1]" in request.user), request.prompt
        offered.append(SOURCES in last(desk, "coi_proposal").schema["properties"])
    assert offered == [True, False]
