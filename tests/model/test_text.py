import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.model.text import clean, clean_line, clean_tree

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
nasty = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            "\x1b\x9b\x9d\x90\x07\x9c\\[]0;mAPX^_ \r\n\t\x85\u2028\u2029\x00\x02\x7f\ufeff" + BIDI
        ),
        st.characters(),
    ),
    max_size=40,
)


def forbidden(text: str) -> list[str]:
    return [
        hex(ord(c))
        for c in text
        if (unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t") or c in BIDI
    ]


@settings(max_examples=500)
@given(nasty)
def test_no_control_survives_and_cleaning_twice_changes_nothing(text: str) -> None:
    once = clean(text)
    assert forbidden(once) == []
    assert clean(once) == once


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("\x9b2Jstays", "2Jstays"),
        ("Dust\x9d in towns", "Dust in towns"),
        ("a \x93quoted\x94 word\x92s \x90 end\x9c", "a quoted words  end"),
        ("\x9d0;title\x07text", "0;titletext"),
        ("\x98all\x9e of\x9f it", "all of it"),
        ("one\x1b\x9dtwo", "onetwo"),
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("user\u202egnp.exe", "usergnp.exe"),
        ("\x1bPsecret", ""),
        ("[red]markup[/red]", "[red]markup[/red]"),
        ("x\ud800y", "x\ufffdy"),
        (None, ""),
        (12, "12"),
    ],
)
def test_what_is_taken_out(raw: object, left: str) -> None:
    assert clean(raw) == left


def test_lines_and_trees() -> None:
    assert clean_line("  a\n\tb  \x1b[1mc") == "a b c"
    assert clean_tree({"\x1b[1mk": ["\x00a", {"b": ("\x07c", 3, None, True)}]}) == {
        "k": ["a", {"b": ["c", 3, None, True]}]
    }
