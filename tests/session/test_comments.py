"""A colleague's comments: which line becomes which note, and which are refused."""

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.session.decisions.comments import as_note

PARAGRAPHS = {"1/idea": ["A gate for each step.", "It closes when a step does not follow from it."]}


def resolve(text: str) -> str:
    if text not in ("1/idea", "1/-1..0", "S1/2/idea"):
        raise UsageError(f"{text!r} is not an address.")
    return text


@pytest.mark.parametrize(
    ("line", "at", "note"),
    [
        ("1/idea ¶1: too broad", "1/idea", "ann ¶1 “A gate for each step.”: too broad"),
        (
            "- 1/idea ¶2: why?",
            "1/idea",
            "ann ¶2 “It closes when a step does [...]”: why?",
        ),
        ("* 1/idea p2: a", "1/idea", "ann ¶2 “It closes when a step does [...]”: a"),
        ("1/idea par. 1:a", "1/idea", "ann ¶1 “A gate for each step.”: a"),
        ("1/idea¶1 : a: b", "1/idea", "ann ¶1 “A gate for each step.”: a: b"),
        ("1/-1..0: no link", "1/-1..0", "ann: no link"),
        ("S1/2/idea: see https://example.org", "S1/2/idea", "ann: see https://example.org"),
    ],
)
def test_a_line_names_a_row_or_a_paragraph_of_it(line: str, at: str, note: str) -> None:
    assert as_note(line, "ann", resolve, PARAGRAPHS) == (at, note)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Dear author", "This is no comment."),
        ("1/idea ¶1", "This is no comment."),
        ("1/idea ¶1:", "This is no comment."),
        ("1/ida: too broad", "'1/ida' is not an address."),
        ("Note: this is good", "'Note' is not an address."),
        ("1/idea ¶3: more", "1/idea has 2 numbered paragraphs."),
        ("1/-1..0 ¶1: more", "1/-1..0 has 0 numbered paragraphs."),
        ("1/idea ¶0: more", "This is no comment."),
    ],
)
def test_a_line_that_names_nothing_is_refused_with_the_reason(line: str, why: str) -> None:
    with pytest.raises(UsageError, match=why[:12]):
        as_note(line, "ann", resolve, PARAGRAPHS)
