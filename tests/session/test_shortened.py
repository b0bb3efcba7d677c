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
    """A reader whose context of 5,000 tokens holds 2,400 beside an answer of 2,500."""
    size = request.prompt_chars() // 4
    return (
        ContextError("language model", "Too long.", limit=5000)
        if size > 2400
        else reply_to(request)
    )


def long_text(paper: Paper) -> PaperText:
    text = " ".join(f"In case {n} we tested whether the agents answer better." for n in range(800))
    return PaperText(paper=paper.id, kind="full text", text=text)


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
        assert "Read in part" in desk.content("1/0.card")["note"]
    finally:
        desk.session.close()
