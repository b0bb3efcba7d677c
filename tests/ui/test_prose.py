"""Texts as they are read: Markdown in styles, and nothing in a text that acts or that is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from textual.content import Content

from coi_tui.widgets.panes import READ, headed, rendered

from .helpers import demo

pytestmark = pytest.mark.painted

HOSTILE = (
    "[red]r[/red] [@click=app.quit]x[/] [link=file:///etc/passwd]here[/link] [b](file:///etc/passwd) [js](javascript:quit()) "
    "<a href='file:///etc/passwd'>a</a> <script>x</script> ![p](file:///etc/passwd) <file:///etc/passwd> &lt;b&gt; \\alpha \\[x\\]"
)


def styled(content: Content) -> dict[str, str]:
    """What is shown in a style, by its text."""
    return {content.plain[span.start : span.end]: str(span.style) for span in content.spans}


def test_headings_emphasis_code_lists_and_links_are_styles_and_not_signs() -> None:
    text = "## Aim\n\nA **bold** claim, *said* in `code`.\n\n- one\n- two\n\n3. three\n\nSee [the paper](https://example.org/p)."
    shown = rendered(text, 60)
    assert (
        shown.plain
        == "Aim\n\nA bold claim, said in code.\n\n• one\n• two\n\n3. three\n\nSee the paper (https://example.org/p)."
    )
    found = styled(shown)
    assert (found["bold"], found["said"], found["the paper"]) == ("bold", "italic", "underline")
    assert found["Aim"].startswith("bold ")
    assert "code" in found


def test_a_list_item_hangs_below_its_first_word() -> None:
    lines = rendered(
        "- an item that is longer than the pane is wide\n  - and one below it that is long as well",
        24,
    ).plain.split("\n")
    assert lines == [
        "• an item that is longer",
        "  than the pane is wide",
        "  • and one below it",
        "    that is long as well",
    ]


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "2*n*k and a_b_c, 3 * 4 * 5",
        "\\alpha_{x} and \\_ and \\*",
        "C# #1 -x 5-10",
        "  indented\n    and more\n\n\ntwo blank lines",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "Title\n=====\nTitle\n-----x",
        "1986 was a year",
        "> quoted",
        "```\nx = *1*\n```",
        "* " * 3,
        "",
        "**",
    ],
)
def test_what_is_no_markdown_stays_as_it_was_written(text: str) -> None:
    assert rendered(text, READ).plain == text


def test_nothing_in_a_text_can_be_clicked_or_obeyed() -> None:
    text = f"**b** {HOSTILE} [ok](https://example.org)\n\n- {HOSTILE}"
    shown = headed(HOSTILE, [(HOSTILE, text)], READ, marked=True)
    assert {str(span.style) for span in shown.spans} <= {
        "bold",
        "underline",
        "dim",
        "bold $text-primary",
    }
    assert not [
        span
        for span in shown.spans
        if getattr(span.style, "meta", None) or getattr(span.style, "link", None)
    ]
    assert "[@click=app.quit]x[/]" in shown.plain
    assert "(file:///etc/passwd)" in shown.plain


def test_random_signs_lose_no_letter_and_raise_nothing() -> None:
    chance, signs = random.Random(4), "ab *_`#-1.)[](){}<>!&\\|\n \t~+é漢"
    for _ in range(400):
        text = "".join(chance.choices(signs, k=chance.randrange(120)))
        shown = rendered(text, 30).plain
        assert [c for c in text if c in "abé漢"] == [c for c in shown if c in "abé漢"], text


async def test_the_text_of_a_row_is_rendered_and_copied_as_it_was_written(tmp_path: Path) -> None:
    """Before, the pane showed the signs of Markdown themselves, under headings in capitals."""
    async with demo(tmp_path, (200, 50), stage="ideas") as t:
        t.bench.session.edits.save("1/dir", f"A **bold** way.\n\n- first\n- second\n\n{HOSTILE}")
        t.bench.refresh_rows()
        await t.go("1/dir")
        await t.until(lambda: "• second" in t.text, "the list")
        assert "A bold way." in t.text
        assert "[@click=app.quit]x[/]" in t.text
        assert "A **bold** way." in t.bench.detail.text, "what is copied"
