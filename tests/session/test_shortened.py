"""A text made from a shortened prompt says so: in its provenance and in ``why``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coi_tui.model.errors import ContextError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk
from tests.support.script import HashModel, reply_to
from tests.support.world import MemorySource, make_world


def narrow(request: ChatRequest) -> Any:
    """A reader whose context holds 3,000 tokens beside an answer of 3,000."""
    size = request.prompt_chars() // 4
    return (
        ContextError("language model", "Too long.", limit=6000)
        if size > 3000
        else reply_to(request)
    )


def long_text(paper: Paper) -> PaperText:
    return PaperText(paper=paper.id, kind="full text", text="word " * 8000)


def test_a_card_from_a_shortened_prompt_says_what_was_left_out(tmp_path: Path) -> None:
    bounds = ONE.model_copy(update={"length": 1, "forward": 0, "backward": 0})
    desk = Desk.new(
        tmp_path,
        bounds,
        HashModel({"coi_read": narrow}),
        MemorySource(make_world(), text_of=long_text),
    )
    try:
        assert desk.run("cards").state == "done"
        version = desk.session.state.in_use("1/0.card")
        assert version is not None
        assert version.recipe["changes"][0].startswith(
            "left out of the prompt, which was too long for the model: the ends of"
        )
        assert any(
            line.startswith("Note: left out of the prompt") for line in desk.session.why("1/0.card")
        )
        assert "cut for length" in desk.content("1/0.card")["note"]
    finally:
        desk.session.close()
