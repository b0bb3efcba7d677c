"""Creating a session: nothing is sent before a plan is confirmed, and nothing typed is lost."""

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.session.new_session import (
    FILE,
    NewSessionDraft,
    drop_draft,
    offline_topics,
    read_draft,
    save_draft,
)

from .helpers import TOPIC, Trip, places, trip


async def begun(t: Trip, topic: str = TOPIC, hunch: str = "") -> TopicSheet:
    sheet = await t.to(TopicSheet, "n")
    await t.write(topic)
    await t.press("tab")
    await t.write(hunch)
    return sheet


async def test_a_session_is_created_with_its_bounds_and_nothing_runs_before_a_yes(
    tmp_path: Path,
) -> None:
    async with trip(tmp_path) as t:
        sheet = await begun(t, hunch="evidence first")
        for name, text in (("branches", "4"), ("length", "3"), ("cap", "5")):
            sheet.query_one(f"#{name}", Input).value = text
        await t.to(PlanSheet, "enter")
        session = t.bench.session
        assert session.file.calls() == []
        assert session.state.value("topic#hunch") is None, "the hunch is not read unless ticked"
        names = ("branches", "length", "forward", "backward", "cap_usd")
        assert [session.state.settings.get(name) for name in names] == [4, 3, 1, 1, 5]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("branches", "6", "Branches"),
        ("length", "many", "Papers per chain"),
        ("cap", "a lot", "0.50"),
        ("topic", " ", "topic"),
    ],
)
async def test_what_cannot_be_used_creates_no_session(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    async with trip(tmp_path) as t:
        sheet = await begun(t)
        sheet.query_one(f"#{name}", Input).value = text
        assert told in sheet.why_off("send")
        await t.press("enter")
        assert t.app.screen is sheet


async def test_what_is_typed_is_kept_until_a_session_is_made_of_it(tmp_path: Path) -> None:
    file = places(tmp_path).data / FILE
    async with trip(tmp_path) as t:
        await t.to(TopicSheet, "n")
        await t.press(*"graphs of", "tab", *"they lie")
        await t.until(
            lambda: (w := read_draft(places(tmp_path))) and w.hunch == "they lie",
            "the draft without any further key",
        )
        assert file.stat().st_mode & 0o077 == 0, "a hunch is private"
    # as after a kill: another process, nothing was closed on purpose
    async with trip(tmp_path, (60, 16)) as t:
        sheet = await t.to(TopicSheet, "n")
        assert sheet.draft == NewSessionDraft("graphs of", "they lie")
        assert "restored from last time" in t.text
        await t.to(HomeScreen, *" thought", "escape")
        sheet = await t.to(TopicSheet, "n")
        assert sheet.draft == NewSessionDraft("graphs of thought", "they lie"), (
            "Esc keeps the last key as well"
        )
        await t.to(PlanSheet, "enter")
        assert t.bench.session.state.value("topic#text") == "graphs of thought"
        assert not file.exists()
        await t.to(HomeScreen, "escape", "q")
        await t.press("n")
        assert (await t.on(TopicSheet)).draft.empty


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{", b"\xff\xfe", b'{"topic": 3}', b'{"topic": " "}', b"[" * 100_000]
)
def test_an_unreadable_draft_is_no_draft(tmp_path: Path, raw: bytes) -> None:
    places(tmp_path).data.mkdir(parents=True)
    (places(tmp_path).data / FILE).write_bytes(raw)
    assert read_draft(places(tmp_path)) is None


def test_a_draft_is_cleaned_and_dropped(tmp_path: Path) -> None:
    here = places(tmp_path)
    save_draft(here, NewSessionDraft("a\x1b[31m topic\ud800", "h\u202e", offline=True))
    assert read_draft(here) == NewSessionDraft("a topic\ufffd", "h", offline=True)
    drop_draft(here)
    assert read_draft(here) is None
    drop_draft(here)


async def test_offline_the_topics_of_the_starter_library_are_offered_and_nothing_typed_is_replaced(
    tmp_path: Path,
) -> None:
    async with trip(tmp_path) as t:
        await t.press("n")
        field = (await t.on(TopicSheet)).query_one("#topic", Input)
        await t.until(lambda: "Down offers 15 topics" in t.text, "the offer")
        await t.press("down", "down")
        assert field.value == offline_topics()[1]
        await t.write("!")
        await t.press("down")
        assert field.value == f"{offline_topics()[1]}!"


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_form_says_that_the_papers_known_here_do_not_cover_a_topic(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    far = "few-shot reasoning over molecular graphs"
    async with trip(tmp_path, size) as t:
        sheet = await begun(t, far)
        await t.until(lambda: sheet.lacking, "what is lacking")
        await t.until(lambda: ".bib" in t.text and "(p)" in t.text, "the ways out")
        assert "create" in t.text
        sheet.query_one("#topic", Input).value = TOPIC
        await t.until(lambda: not sheet.lacking, "a topic that is covered")
        sheet.query_one("#topic", Input).value = far
        await t.until(lambda: sheet.lacking, "what is lacking")
        await t.to(PlanSheet, "enter")
        assert t.bench.session.state.branches == [1]
