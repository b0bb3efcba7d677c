from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coi_tui.session.queries.texts import Side, blocks, merged, paragraphs, touched, words

TEXTS = st.lists(
    st.sampled_from(["One. ", "Two, other.", "\n\n", "\n", "  ", "Three\nlines", "é𝄞", "\n \n"]),
    max_size=12,
).map("".join)


@given(TEXTS)
def test_paragraphs_give_the_text_back(text: str) -> None:
    assert "".join(paragraphs(text)) == text


@given(TEXTS, TEXTS)
def test_all_mine_is_mine_and_all_theirs_is_theirs_byte_for_byte(mine: str, theirs: str) -> None:
    found = blocks(mine, theirs)
    assert merged(found, {}) == mine
    assert merged(found, dict.fromkeys(range(len(found)), "theirs")) == theirs


@given(TEXTS, TEXTS, st.data())
def test_a_choice_changes_its_own_block_only(mine: str, theirs: str, data: st.DataObject) -> None:
    found = blocks(mine, theirs)
    choices: dict[int, Side] = {
        n: data.draw(st.sampled_from(["mine", "theirs"])) for n in range(len(found))
    }
    assert merged(found, choices) == "".join(
        b.theirs if choices[n] == "theirs" else b.mine for n, b in enumerate(found)
    )


@given(TEXTS, TEXTS)
def test_words_hold_all_of_both_sides_in_order(mine: str, theirs: str) -> None:
    for block in blocks(mine, theirs):
        pieces = words(block)
        assert "".join(text for kind, text in pieces if kind != "theirs") == block.mine
        assert "".join(text for kind, text in pieces if kind != "mine") == block.theirs


def test_what_i_did_not_touch_is_told_from_what_i_changed() -> None:
    base = "First.\n\nSecond.\n\nThird."
    mine = "First.\n\nSecond, my way.\n\nThird."
    theirs = "First, anew.\n\nSecond, theirs.\n\nThird."
    found = blocks(mine, theirs)
    assert [b.same for b in found] == [False, False, True]
    assert touched(base, found) == [False, True, False]
