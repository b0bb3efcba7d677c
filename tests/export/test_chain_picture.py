"""The chain as a picture: nothing in it meets anything else, whatever years and titles there are, in
text at two widths and in the web page."""

import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from coi_tui.present.chain_picture import (
    MARKS,
    STROKES,
    Node,
    chain_nodes,
    drawn,
)
from coi_tui.present.formats.html import ROW, WIDTH, chain_svg
from coi_tui.screens.chain_view import in_lines

from .building import COT, SCRATCH, TREE, Builder, chain_of_three, paper

WIDTHS = [115, 75]
"""What a list has at 120 and at 80 columns."""
PAPERS, LINKS = sorted(MARKS.keys() - {"idea"}), [*STROKES, "by topic and year"]
words = st.text(st.sampled_from("ab 文ö-–"), min_size=1, max_size=150).map(
    lambda text: " ".join(text.split()) or "none"
)


@st.composite
def chains(draw: st.DrawFn) -> list[Node]:
    """Chains of up to twelve papers, in any order of years, with an idea or without."""
    years = draw(st.lists(st.integers(1950, 2030), min_size=1, max_size=12))
    nodes = [
        Node(
            f"1/{n}",
            draw(st.sampled_from(PAPERS)),
            year,
            draw(words),
            draw(st.sampled_from(LINKS)) if n else "",
            draw(words) if n else "",
        )
        for n, year in enumerate(years)
    ]
    idea = Node("1/idea", "idea", years[-1] + 1, draw(words), "rests", draw(words))
    return [*nodes, *([idea] if draw(st.booleans()) else [])]


@pytest.mark.parametrize("width", [*WIDTHS, WIDTH])
@given(chains())
def test_no_two_texts_meet_and_all_are_in_the_picture(width: int, nodes: list[Node]) -> None:
    texts, strokes = drawn(nodes, width)
    for _, at, text, _ in texts:
        assert at >= 0
        assert at + cell_len(text) <= width
    by_row = sorted((row, at, cell_len(text)) for row, at, text, _ in texts)
    for (row, at, size), (below, after, _) in pairwise(by_row):
        assert row < below or at + size < after, "a blank at least is between two"
    for row, start, end, _ in strokes:
        ((at, size),) = ((at, size) for line, at, size in by_row if line == row)
        low, high = sorted((start, end))
        assert at + size < low or at > high or low < at < at + size < high


@pytest.mark.parametrize("width", WIDTHS)
@given(chains())
def test_the_years_of_the_papers_are_written_the_first_at_least(
    width: int, nodes: list[Node]
) -> None:
    written = [text for row, _, text, _ in drawn(nodes, width)[0] if row == 0]
    papers = [node.year for node in nodes if node.mark != "idea"]
    assert str(min(papers)) in written or min(papers) > nodes[-1].year
    assert set(written) <= set(map(str, papers))
    if max(papers) - min(papers) > 10:
        assert len(written) > 1


@pytest.mark.parametrize("width", WIDTHS)
@given(chains())
def test_the_lines_in_text_hold_every_mark_and_every_link(width: int, nodes: list[Node]) -> None:
    lines = in_lines(nodes, width)
    assert len(lines) == 2 * len(nodes)
    assert all(cell_len(line) <= width for line in lines)
    texts, strokes = drawn(nodes, width)
    for row, _, text, _ in texts:
        assert text.rstrip() in lines[row]
    for row, start, end, _ in strokes:
        assert sum(map(lines[row].count, "╰╯╭╮")) == (2 if start != end else 0)


def boxes(svg: str) -> list[tuple[int, int, int]]:
    """The texts of a picture: left, right and the line that they stand on. Their length is set."""
    found = re.findall(r'<text class="[\w ]+" x="(-?\d+)" y="(\d+)" textLength="(\d+)">', svg)
    return [(int(x), int(x) + int(size), int(y)) for x, y, size in found]


@given(chains())
def test_no_two_texts_of_the_web_page_meet(nodes: list[Node]) -> None:
    svg = chain_svg(nodes, "a chain")
    found = boxes(svg)
    assert len(found) == svg.count("<text")
    box = re.findall(r'viewBox="-(\d+) -\1 (\d+) (\d+)"', svg)
    edge, width, height = map(int, box[0])
    for (left, stop, line), (other, end, beside) in combinations(found, 2):
        assert abs(line - beside) >= ROW or stop <= other or end <= left
    assert all(
        -edge <= left < stop <= width - edge and ROW // 2 - edge <= line < height - edge
        for left, stop, line in found
    )


def test_years_are_to_scale() -> None:
    nodes = [Node("", "paper", year, "a", "cites", "b") for year in (2000, 2005, 2010)]
    assert [at for _, at, text, _ in drawn(nodes, 101)[0] if text == "●"] == [0, 50, 100]


def test_words_stand_in_a_long_line_and_beside_a_short_one() -> None:
    nodes = [Node("", "paper", year, "a", "cites", "cites it") for year in (2000, 2001, 2010)]
    assert in_lines(nodes, 41)[1:] == [
        "● a",
        "╰───╮ cites it",
        "    ● a",
        "    ╰──────────── cites it ─────────────╮",
        "                                      a ●",
    ]


def test_the_nodes_say_what_links_them_and_what_the_idea_was_made_from() -> None:
    b = chain_of_three()
    nodes = [*chain_nodes(b.subject().state, 1)]
    assert [node.mark for node in nodes] == ["open paper", "anchor", "open paper", "idea"]
    assert [node.year for node in nodes] == [SCRATCH.year, COT.year, TREE.year, 2024]
    assert [node.link for node in nodes] == ["", "cites, unconfirmed", "cites", "rests"]
    assert nodes[2].says == "cites (starter library)"
    assert nodes[3].says == "rests on what was read of them: abstract"


def test_a_chain_without_an_idea_ends_with_its_last_paper() -> None:
    b = Builder()
    b.place("1/0", COT)
    (node,) = chain_nodes(b.subject().state, 1)
    assert node.label == "1/0 Wei et al. 2022: Chain-of-Thought Prompting Elicits Reasoning"


def test_a_paper_without_a_year_stands_where_the_one_before_it_does() -> None:
    undated = paper("1", "Undated", None, "Ada Ott")
    b = Builder({one.id: one for one in (COT, undated)})
    b.place("1/0", COT)
    b.place("1/+1", undated)
    assert [node.year for node in chain_nodes(b.subject().state, 1)] == [2022, 2022]
