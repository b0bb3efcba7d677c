"""The timeline: each paper once, years in order, only links that are known; drawn in characters and as a well-formed picture."""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from coi_tui.export.timeline_svg import Curve, Dot, TimelineDrawing, svg
from coi_tui.model.entries import Version
from coi_tui.model.papers import Citations, Link, LinkKind, Paper
from coi_tui.model.state import Cell, Slot, State
from coi_tui.session.queries.timeline import CITES, PLACED, UNCONFIRMED, Timeline, timeline
from coi_tui.widgets.timeline import SIZE, drawn

HOSTILE = "[red]x[/] \x1b]52;c;aGk=\x07 <script>alert(1)</script> & 深度学习 שלום \U0001f600"


def session(
    chains: list[list[tuple[int, int | None]]],
    cites: set[tuple[int, int]],
    kind: LinkKind | None = None,
    who: str = "Ann Author",
    topic: str = "",
) -> Timeline:
    """A state with these chains of (paper number, year), the anchor in the middle, and these links (citing, cited)."""
    state, papers = State(), {}
    for branch, chain in enumerate(chains, start=1):
        for n, (number, year) in enumerate(chain):
            pos = n - len(chain) // 2
            paper = Paper(
                id=f"S2:{number:040x}", title=f"A Paper {number}", year=year, authors=(who,), citations=Citations(count=number * 40)
            )
            papers[paper.id] = paper
            slot = Slot(branch, pos, paper.id, "accepted" if n % 2 else "proposed")
            state.put(slot.address, slot)
    state.papers = papers
    state.settings = {"branches": len(chains)}
    if topic:
        state.versions = {1: Version(actor="you", address="Q1", content={"text": topic}, meanings={}, origin="person", seq=1)}
        state.cells = {"Q1": Cell("Q1", (1,), (1,))}

    def link(citing: str, cited: str) -> Link | None:
        key = (int(citing[3:], 16), int(cited[3:], 16))
        return Link(citing=citing, cited=cited, kind=kind or ("cites" if sum(key) % 3 else "cites, unconfirmed")) if key in cites else None

    return timeline(state, lambda a: a.endswith("+1"), link)


years = st.one_of(st.none(), st.integers(1950, 2026))
chains = st.lists(st.lists(st.tuples(st.integers(0, 30), years), max_size=6, unique_by=lambda p: p[0]), min_size=1, max_size=5)
links = st.sets(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40)


@settings(max_examples=60)
@given(chains, links, st.integers(56, 160))
def test_every_paper_stands_once_in_order_and_every_line_is_a_known_link(
    given_chains: list[list[tuple[int, int | None]]], cites: set[tuple[int, int]], width: int
) -> None:
    picture = session(given_chains, cites)
    assert sorted(n.address for n in picture.nodes) == sorted(
        f"{b}/{n - len(c) // 2:+d}".replace("+0", "0") for b, c in enumerate(given_chains, start=1) for n in range(len(c))
    )
    shown = [c.year for c in picture.columns if c.year is not None]
    assert shown == sorted(set(shown))
    for node in picture.nodes:
        assert picture.columns[node.column].year == node.year
        assert not picture.columns[node.column].skipped
    assert len({(n.branch, n.column, n.nth) for n in picture.nodes}) == len(picture.nodes)
    papers = {n.address: int(n.paper[3:], 16) for n in picture.nodes}
    for edge in picture.edges:
        key = (papers[edge.later], papers[edge.earlier])
        assert (key in cites) == (edge.kind in (CITES, UNCONFIRMED))
        assert edge.kind != PLACED or edge.within
    drawn_pairs = {(e.later, e.earlier) for e in picture.edges}
    assert len(drawn_pairs) == len(picture.edges)
    known = {(a, b) for a in papers for b in papers if papers[a] != papers[b] and (papers[a], papers[b]) in cites}
    assert known <= drawn_pairs, "a known citation is lost"
    drawing = drawn(picture, width, picture.nodes[0].address if picture.nodes else "")
    assert {cell_len(line) for line in drawing.text.split("\n")} == {drawing.width}
    assert drawing.text.isascii() or "…" in drawing.text
    assert drawing.text.count(">") == (1 if picture.nodes else 0)
    assert drawing.spots.keys() == papers.keys()


@settings(max_examples=60)
@given(chains, links, st.integers(56, 160), st.data())
def test_every_link_of_the_paper_under_the_cursor_is_drawn_to_its_end(
    given_chains: list[list[tuple[int, int | None]]], cites: set[tuple[int, int]], width: int, data: st.DataObject
) -> None:
    picture = session(given_chains, cites)
    if not picture.nodes:
        return
    cursor = data.draw(st.sampled_from(picture.nodes)).address
    drawing = drawn(picture, width, cursor, loose=data.draw(st.booleans()))
    lines = drawing.text.split("\n")[1:]
    around: dict[str, list[tuple[bool, str]]] = {}
    for edge in picture.edges:
        if cursor in (edge.later, edge.earlier) and not _side_by_side(picture, edge.later, edge.earlier):
            around.setdefault(edge.earlier if edge.later == cursor else edge.later, []).append((edge.later == cursor, edge.kind))
    for address, (row, x) in drawing.spots.items():
        end = lines[row - 1][x + SIZE - 1 : x + SIZE + 2]
        if address in around:
            said = {("v" if cited else "^", kind) for cited, kind in around[address]}
            marks = {f"({arrow})" if kind == UNCONFIRMED else "." if kind == PLACED else arrow for arrow, kind in said}
            assert (marks.pop() if len(marks) == 1 else "x") in end
        elif address != cursor:
            assert not set("v^x") & set(end), "a link that nobody knows"


def _side_by_side(picture: Timeline, later: str, earlier: str) -> bool:
    """Neighbours of a chain that stand side by side in the picture as well: their link is in the line of the papers."""
    lane = [n.address for n in picture.lane(int(later.partition("/")[0]))]
    at = {n.address: n.pos for n in picture.nodes}
    near = earlier in lane and lane.index(later) == lane.index(earlier) + 1
    return near and at[later] == at[earlier] + 1


def test_text_of_any_width_keeps_to_its_cells() -> None:
    picture = session([[(1, 2019), (2, 2020)], [(3, 2020)]], {(3, 1)}, who="深度学习研究者 שלום e\u0301\u200d", topic=HOSTILE)
    for cursor in ("1/-1", "1/0", "2/0"):
        for width in (56, 71, 120):
            drawing = drawn(picture, width, cursor)
            assert {cell_len(line) for line in drawing.text.split("\n")} == {drawing.width}


def test_ten_branches_of_sixty_papers_over_eight_decades() -> None:
    wide: list[list[tuple[int, int | None]]] = [[(10 * b + n, 1950 + 13 * n + b % 3) for n in range(6)] for b in range(10)]
    picture = session(wide, {(b * 10 + 5, b * 10) for b in range(10)})
    drawing = drawn(picture, 118, "7/+1")
    assert len(picture.nodes) == len(drawing.spots) == 60
    assert sum(c.label == "//" for c in picture.columns) == 5
    assert drawing.spots["7/+1"] == (drawing.row, drawing.x)


def test_a_likeness_of_texts_is_never_a_citation() -> None:
    picture = session([[(1, 2019), (2, 2020)], [(3, 2021)]], {(3, 1), (2, 1)}, kind="similar")
    assert [(e.later, e.earlier, e.kind) for e in picture.edges] == [("1/0", "1/-1", PLACED)]


def test_long_gaps_are_broken_and_short_ones_kept() -> None:
    labels = [c.label for c in session([[(1, 1950), (2, 2019), (3, 2022)]], set()).columns]
    assert labels == ["1950", "//", "2019", "2020", "2021", "2022"]


def test_what_is_told_of_a_paper_names_its_links() -> None:
    picture = session([[(1, 2019), (2, 2020)], [(4, 2021)]], {(2, 1), (4, 2)})
    assert "undecided" in picture.told("1/-1")
    assert picture.heading("1/0") == "1/0 A Paper 2 (2020)"
    assert "Cited by 1/0" in picture.told("1/-1")
    assert "2/0 Author 2021" in picture.told("1/0")
    assert picture.told("9/9") == picture.heading("9/9") == ""


def test_a_paper_that_a_person_placed_is_not_said_to_be_cited() -> None:
    picture = session([[(1, 2019), (2, 2020)], [(1, 2019)]], set())
    said = picture.told("1/0")
    assert said.endswith("the anchor. No citation is known; placed by you beside 1/-1 Author 2019.")
    assert "Cites" not in said
    assert picture.told("1/-1").endswith("The same paper stands at 2/0.")


def test_the_picture_is_well_formed_whatever_a_title_says() -> None:
    dots = (
        Dot("a", 0, 0, 0, HOSTILE, HOSTILE, None, True, False), Dot("b", 0, 1, 0, "B", "B", 12000, False, True),
        Dot("c", 1, 1, 0, "C", "C", 3, True, True, stale=True),
    )  # fmt: skip
    curves = (Curve("b", "a", CITES), Curve("c", "a", UNCONFIRMED), Curve("c", "b", PLACED))
    text = svg(TimelineDrawing(HOSTILE, ("2019", "2020"), ((1, HOSTILE), (4, "q")), dots, curves))
    root = ET.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    assert len([c for c in root.iter(f"{space}circle") if c.find(f"{space}title") is not None]) == 3
    assert len([p for p in root.iter(f"{space}path") if p.find(f"{space}title") is not None]) == 3
    assert not list(root.iter(f"{space}script"))
    assert not [c for c in text if unicodedata.category(c) == "Cc" and c != "\n"]
    words = [t.text or "" for t in root.iter(f"{space}text")]
    assert "4  q" in words, "a branch keeps its number"
    assert "C ~ stale" in words
    assert root.find(f"{space}title") is not None
    assert root.find(f"{space}desc") is not None
    assert "深度学习" in text
    radii = [float(c.get("r", "0")) for c in root.iter(f"{space}circle") if c.find(f"{space}title") is not None]
    assert radii[1] > radii[2]


def test_an_empty_session_is_a_picture_too() -> None:
    picture = session([[]], set())
    assert picture.nodes == ()
    assert "no papers yet" in drawn(picture, 80, "").text
    ET.fromstring(svg(TimelineDrawing("t", (), ((1, "q"),), (), ())))
