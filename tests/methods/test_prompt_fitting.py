"""Shortening a prompt that is too long: never what the question is about, and said in words."""

from __future__ import annotations

from coi_tui.methods.prompt_calls import LEAST_TEXT, shortened


def test_the_papers_text_is_cut_at_its_end_and_nothing_else_is() -> None:
    text = "One is ten. " * 1000
    values = {"topic": "t", "title": "x", "text": text, "points": ["p" * 3000]}
    cut = shortened(values, 1000)
    assert cut is not None
    kept = f"{('One is ten. ' * 916).rstrip()} [...]"
    assert cut[0] == {**values, "text": kept}, "no sentence is cut in two"
    assert f"{len(text) - len(kept):,} of {len(text):,} characters" in cut[1]
    assert values["text"] == text, "what was given is not changed"


def test_of_several_texts_the_longest_give_first_and_titles_stay() -> None:
    papers = [
        {"id": f"P{n}", "title": "t" * 4000, "abstract": "x" * size}
        for n, size in enumerate((400, 3000, 2000), start=1)
    ]
    cut = shortened({"idea": {"title": "i" * 9000}, "papers": papers}, 1500)
    assert cut is not None
    assert [len(p["abstract"]) for p in cut[0]["papers"]] == [400, 1750, 1750]
    assert [len(p["title"]) for p in cut[0]["papers"]] == [4000] * 3


def test_where_nothing_may_be_cut_there_is_no_shorter_prompt() -> None:
    assert shortened({"topic": "t" * 9000, "idea": {"method": "m" * 9000}}, 10) is None
    assert shortened({"text": "a" * LEAST_TEXT}, 10) is None
