"""Shortening a prompt that is too long: by rule, in a fixed order, never what the question is about, and said in words."""

from __future__ import annotations

from coi_tui.methods.prompt_fitting import LEAST_TEXT, note, shortened

ENTITIES = [{"name": f"thing {n}", "description": "d" * 40} for n in range(10)]


def test_the_papers_text_is_cut_at_its_end_and_nothing_else_is() -> None:
    values = {"topic": "t", "title": "x", "text": "a" * 9000 + "b" * 1000, "points": ["p" * 3000]}
    cut = shortened(values, 1000)
    assert cut is not None
    assert cut.values == {**values, "text": "a" * 9000}
    assert cut.left_out == ("the last 1,000 of 10,000 characters of the paper's text",)
    assert len(str(values["text"])) == 10_000, "what was given is not changed"


def test_of_several_texts_the_longest_give_first() -> None:
    papers = [
        {"id": f"P{n}", "title": "t", "abstract": "x" * size}
        for n, size in enumerate((400, 3000, 2000), start=1)
    ]
    cut = shortened({"idea": {"title": "i"}, "papers": papers}, 1500)
    assert cut is not None
    assert [len(p["abstract"]) for p in cut.values["papers"]] == [400, 1750, 1750]
    assert [p["id"] for p in cut.values["papers"]] == ["P1", "P2", "P3"], (
        "every paper must still get its verdict"
    )


def test_then_the_lowest_ranked_terms_go() -> None:
    cut = shortened({"topic": "t", "chain": [], "entities": ENTITIES}, 100)
    assert cut is not None
    assert cut.values["entities"] == ENTITIES[:7]
    assert cut.left_out == ("the last 3 of 10 terms",)


def test_cards_are_shortened_last_and_keep_their_titles() -> None:
    chain = [{"title": "T" * 500, "year": 2020, "novelty": "n" * 900, "limitation": "l" * 300}]
    cut = shortened({"topic": "t", "chain": chain, "entities": ENTITIES[:1]}, 700)
    assert cut is not None
    assert cut.values["entities"] == []
    assert cut.values["chain"][0]["title"] == "T" * 500
    assert len(cut.values["chain"][0]["novelty"]) < 900


def test_where_nothing_may_be_cut_there_is_no_shorter_prompt() -> None:
    assert (
        shortened(
            {"topic": "t" * 9000, "idea": {"method": "m" * 9000}, "first": {"method": "x" * 9000}},
            10,
        )
        is None
    )
    assert shortened({"text": "a" * LEAST_TEXT}, 10) is None


def test_the_note_says_what_is_missing() -> None:
    assert "Left out: the last 3 of 10 terms." in note(("the last 3 of 10 terms",))
