"""What is new since the person looked, in the app: the row, its list, and one key for each way that a
paper goes further."""

from pathlib import Path

import pytest

from coi_tui.methods.news import Seen
from coi_tui.model.content import NewPaper, NewsContent, NoveltySearch
from coi_tui.model.entries import Version, meanings_of
from coi_tui.model.papers import Paper
from coi_tui.screens.content_screen import ContentScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from tests.support.desk import bare, chains

from .helpers import demo, seeded

SIZES = pytest.mark.parametrize("size", [(120, 36), (80, 24)])
TITLES = (
    "Faithful chains of thought: when a rationale says what the model did",
    "Shorter rationales for small models: what to leave out of a chain of thought",
    "Asking a model to plan before it reasons",
)


def with_news(folder: Path) -> None:
    """Put a look into the session of a folder: one paper that cites the anchor, one that touches the
    idea, one that a question found."""
    with Session.open("demo", bare(folder)) as session:
        anchor = chains(session).slot("1/0").paper or ""
        papers = [
            Paper(
                id=f"arXiv:2603.0000{n}",
                title=title,
                year=2026,
                published=f"2026-03-0{n}",
                abstract="Chains of thought in large language models are studied.",
            )
            for n, title in enumerate(TITLES, 1)
        ]
        first, second, third = (paper.id for paper in papers)
        said = "cites your anchor 1/0; says of it: “We ask what such a rationale is good for”"
        touched = "touches claim 2 of 1/idea (both say small, models and rationales): “Shorter rationales”"
        look = NewsContent(
            entries=[
                NewPaper(paper=first, says=[said], cites={anchor: "listed"}, place="1/+1"),
                NewPaper(paper=second, says=[touched], idea="1"),
                NewPaper(paper=third, says=["found by your question Q1"]),
            ],
            since="2026-01-01",
            until="2026-03-31",
            more=4,
            off_field=12,
            searches=[NoveltySearch(query="chain of thought", source="OpenAlex", hits=9)],
            found=[paper.id for paper in papers],
        ).model_dump()
        made = Version(
            actor="coi", address="news", content=look, meanings=meanings_of(look), origin="source"
        )
        session.journal.write([made], papers)


@SIZES
async def test_each_way_that_a_new_paper_goes_further_is_one_key(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    await seeded(tmp_path, "novelty")
    with_news(tmp_path)
    async with demo(tmp_path, size) as t:
        session = t.bench.session
        await t.go("news")
        assert "7 new papers since 2026-01-01" in t.text
        screen = await t.to(ContentScreen, "enter")
        await t.until(lambda: "cites your anchor 1/0" in screen.about_pane.text, "what it says")
        for word in ("to reading list", "to 1/nov", "to 1/+1"):
            assert word in t.text
        await t.change(
            "p", lambda: session.reading_list().entries[0].paper.id == screen.here.key, "it"
        )
        await t.change(
            "a", lambda: chains(session).slot("1/+1").paper == screen.here.key, "its place"
        )
        assert "is at 1/+1. u undoes it." in t.text
        await t.press("down")
        await t.until(lambda: "touches claim 2" in screen.about_pane.text, "the second paper")
        await t.change("space", lambda: not session.freshness("1/nov").ok, "the report")
        assert session.state.value("1/compare#papers") == [screen.here.key]
        await t.to(WorkbenchScreen, "q")
        await t.go("1/nov")
        await t.go("news")
        assert "a seen" in t.text
        await t.press("a")
        assert Seen.of(session.state).version
        assert "seen, as of 2026-03-31" in t.text


async def test_a_look_is_a_command_that_runs_without_a_question_offline(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="novelty", show_plans=False) as t:
        await t.command("look")
        await t.ended()
        row = t.row("news")
        assert row.title.startswith("nothing new since")
        await t.go("news")
        assert "Only the starter library" in t.text
