from hypothesis import given
from hypothesis import strategies as st

from coi_tui.session.queries.differences import blocks, paragraphs, words

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
    assert "".join(block.mine for block in found) == mine
    assert "".join(block.theirs for block in found) == theirs


@given(TEXTS, TEXTS)
def test_words_hold_all_of_both_sides_in_order(mine: str, theirs: str) -> None:
    for block in blocks(mine, theirs):
        pieces = words(block)
        assert "".join(text for kind, text in pieces if kind != "theirs") == block.mine
        assert "".join(text for kind, text in pieces if kind != "mine") == block.theirs
