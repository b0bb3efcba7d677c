"""The chain as a picture: nothing in it meets anything else, whatever years and titles there are, in
text at two widths and in the web page."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from coi_tui.present.chain_picture import (
    LINES,
    MARKS,
    Node,
    along,
    chain_nodes,
    laid_out,
    legend,
    on_axis,
    ticks,
)
from coi_tui.present.formats.html import CELL, ROW, WIDTH, chain_svg, drawn_svg
from coi_tui.present.proposal import ChainPicture
from coi_tui.screens.chain_view import axis, drawn

from .building import COT, SCRATCH, TREE, Builder, chain_of_three, full

WIDTHS = [115, 75]
"""What a list has at 120 and at 80 columns."""
PAPERS, LINKS = sorted(MARKS.keys() - {"idea"}), sorted(LINES.keys() - {"leads"})
words = st.text(st.sampled_from("ab 文ö-–"), max_size=150).map(lambda text: " ".join(text.split()))


@st.composite
def chains(draw: st.DrawFn) -> list[Node]:
    """Chains of up to twelve papers, in any order of years, with an idea or without."""
    years = draw(st.lists(st.none() | st.integers(1950, 2030), min_size=1, max_size=12))
    nodes = [
        Node(
            f"1/{n}",
            draw(st.sampled_from(PAPERS)),
            year,
            f"1/{n} {draw(words)}".strip(),
            draw(st.sampled_from(LINKS)) if n else "",
            draw(words) if n else "",
        )
        for n, year in enumerate(years)
    ]
    last = max((year for year in years if year), default=0) + 1
    idea = Node("1/idea", "idea", last, draw(words), "leads", draw(words))
    return [*nodes, *([idea] if draw(st.booleans()) else [])]


@pytest.mark.parametrize("width", [*WIDTHS, WIDTH])
@given(chains())
def test_every_place_is_in_the_picture_and_no_text_on_a_mark(width: int, nodes: list[Node]) -> None:
    places = laid_out(nodes, width, cell_len)
    for place in places:
        assert 0 <= place.x < width
        for at, room in (place.label, place.says):
            assert at >= 0
            assert room >= 0
            assert at + room <= width
        label = place.label
        assert label.at > place.x or sum(label) < place.x, "the label is beside its mark"
    for before, place in pairwise(places):
        low, high = sorted((before.x, place.x))
        at, room = place.says
        assert at > high or at + room < low or low < at <= at + room < high


@pytest.mark.parametrize("width", [*WIDTHS, WIDTH])
@given(chains())
def test_years_on_the_axis_do_not_meet(width: int, nodes: list[Node]) -> None:
    written = sorted((at, year) for at, year in ticks(nodes, width).values() if year)
    assert all(after - before > 4 for (before, _), (after, _) in pairwise(written))
    assert all(0 <= at <= width - 4 for at, _ in written)
    papers = [node.year for node in nodes if node.year and node.mark != "idea"]
    if papers:
        assert str(min(papers)) in [year for _, year in written]
        assert {int(year) for _, year in written} <= set(papers)


@pytest.mark.parametrize("width", WIDTHS)
@given(chains())
def test_the_lines_of_the_text_fit_and_hold_every_mark(width: int, nodes: list[Node]) -> None:
    assert cell_len(axis(nodes, width)) <= width
    places = laid_out(nodes, width, cell_len)
    for n, lines in enumerate(drawn(nodes, width)):
        assert len(lines) == (1 if n == len(nodes) - 1 else 2)
        assert all(cell_len(line) <= width for line in lines)
        sign = MARKS[nodes[n].mark][0]
        assert lines[0].count(sign) == 1
        assert cell_len(lines[0].partition(sign)[0]) == places[n].x
        if len(lines) > 1 and places[n].x != places[n + 1].x:
            assert sum(map(lines[1].count, "╰╯╭╮")) == 2


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """The boxes of the texts of a picture, by the cells of a letter: left, right, top, bottom."""
    found = []
    for x, y, anchor, text in re.findall(
        r'<text class="\w+" x="(\d+)" y="(\d+)" text-anchor="(\w+)">(.*?)</text>', svg
    ):
        size = CELL * len(text)
        left = int(x) - size if anchor == "end" else int(x)
        found.append((left, left + size, int(y) - ROW * 0.7, int(y) + ROW * 0.2))
    return found


@given(chains())
def test_no_two_texts_of_the_web_page_meet(nodes: list[Node]) -> None:
    svg = drawn_svg(nodes, "a chain")
    found = boxes(svg)
    assert len(found) >= len(nodes)
    right, bottom = (int(n) for n in re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)[0])
    for a, b in combinations(found, 2):
        apart = a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]
        assert apart, (a, b)
    assert all(a[0] >= 0 and a[1] <= right and a[2] >= 0 and a[3] <= bottom for a in found)


def test_years_are_to_scale_and_an_unknown_one_stands_with_the_one_before() -> None:
    assert on_axis([2000, None, 2005, 2010], 101) == [0, 0, 50, 100]
    assert on_axis([2001], 80) == [0]
    assert on_axis([None, None], 80) == [0, 0]


def test_words_stand_in_a_long_line_and_beside_a_short_one() -> None:
    assert along(10, 40, 10, 80) == (20, 10)
    assert along(10, 16, 10, 80) == (18, 10)
    assert along(60, 70, 20, 80) == (39, 20), "on the left where there is more room"
    assert along(2, 4, 500, 80) == (6, 74)


def test_the_nodes_say_what_links_them_and_what_the_idea_was_made_from() -> None:
    b = chain_of_three()
    b.entries.pop()
    cards = [f"1/{place}.card#move" for place in ("-1", "0", "+1")]
    before = b.subject().state
    inputs = {ref: before.meaning(ref) for ref in ("topic#text", "1/dir#text", *cards)}
    b.text("1/idea", {"title": "Evidence-gated chains"}, inputs=inputs)
    nodes = chain_nodes(b.subject().state, 1)
    assert [node.mark for node in nodes] == ["paper open", "paper anchor", "paper open", "idea"]
    assert [node.year for node in nodes] == [SCRATCH.year, COT.year, TREE.year, 2024]
    assert [node.link for node in nodes] == ["", "unconfirmed", "cites", "leads"]
    assert nodes[2].says == "cites it (starter library)"
    assert nodes[3].says == "made from 1/dir and 3 cards (read from: abstract 3)"
    assert legend(nodes).keys() == {n.mark for n in nodes} | {n.link for n in nodes if n.link}


def test_a_chain_without_an_idea_ends_with_its_last_paper() -> None:
    b = Builder()
    b.place("1/0", COT)
    (node,) = chain_nodes(b.subject().state, 1)
    assert node.label == "1/0 Wei et al. 2022: Chain-of-Thought Prompting Elicits Reasoning"


def test_the_picture_of_the_web_page_explains_each_of_its_signs() -> None:
    svg = chain_svg(ChainPicture(full().subject().state, 1))
    for words in ("the anchor", "a paper not decided yet", "the idea", "cites", "rests on"):
        assert words in svg
    assert "no citation known" not in svg
