"""The timeline: each paper once, years in order, only links that are known; drawn as a well-formed
picture."""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.model.papers import Citations, Link, LinkKind, Paper
from coi_tui.model.state import Slot, State
from coi_tui.present.timeline_svg import Curve, Dot, TimelineDrawing, svg
from coi_tui.session.queries.timeline import CITES, PLACED, UNCONFIRMED, timeline

HOSTILE = "[red]x[/] \x1b]52;c;aGk=\x07 <script>alert(1)</script> & 深度学习 שלום \U0001f600"


def session(
    chains: list[list[tuple[int, int | None]]],
    cites: set[tuple[int, int]],
    kind: LinkKind | None = None,
) -> TimelineDrawing:
    """A state with these chains of (paper number, year), the anchor in the middle, and these links
    (citing, cited)."""
    state, papers = State(), {}
    for branch, chain in enumerate(chains, start=1):
        for n, (number, year) in enumerate(chain):
            pos = n - len(chain) // 2
            paper = Paper(
                id=f"S2:{number:040x}",
                title=f"A Paper {number}",
                year=year,
                authors=("Ann A.",),
                citations=Citations(count=number * 40),
            )
            papers[paper.id] = paper
            slot = Slot(branch, pos, paper.id, "accepted" if n % 2 else "proposed")
            state.put(slot.address, slot)
    state.papers = papers
    state.settings = {"branches": len(chains)}

    def link(citing: str, cited: str) -> Link | None:
        key = (int(citing[3:], 16), int(cited[3:], 16))
        return (
            Link(
                citing=citing,
                cited=cited,
                kind=kind or ("cites" if sum(key) % 3 else "cites, unconfirmed"),
            )
            if key in cites
            else None
        )

    return timeline(state, lambda a: a.endswith("+1"), link)


years = st.one_of(st.none(), st.integers(1950, 2026))
chains = st.lists(
    st.lists(st.tuples(st.integers(0, 30), years), max_size=6, unique_by=lambda p: p[0]),
    min_size=1,
    max_size=5,
)
links = st.sets(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40)


@settings(max_examples=60)
@given(chains, links)
def test_every_paper_stands_once_in_order_and_every_line_is_a_known_link(
    given_chains: list[list[tuple[int, int | None]]], cites: set[tuple[int, int]]
) -> None:
    picture = session(given_chains, cites)
    places = {
        f"{b}/{n - len(c) // 2:+d}".replace("+0", "0"): paper
        for b, c in enumerate(given_chains, start=1)
        for n, paper in enumerate(c)
    }
    assert [dot.key for dot in picture.dots] == list(places)
    years = {number: year for chain in given_chains for number, year in chain}
    shown = [int(label) for label in picture.columns if label.isdigit()]
    assert shown == sorted(set(shown))
    for dot in picture.dots:
        year = years[places[dot.key][0]]
        assert picture.columns[dot.column] == ("no year" if year is None else str(year))
    assert len({(d.lane, d.column, d.nth) for d in picture.dots}) == len(picture.dots)
    papers = {at: paper for at, (paper, _) in places.items()}
    for edge in picture.curves:
        key = (papers[edge.later], papers[edge.earlier])
        assert (key in cites) == (edge.kind in (CITES, UNCONFIRMED))
    drawn_pairs = {(e.later, e.earlier) for e in picture.curves}
    assert len(drawn_pairs) == len(picture.curves)
    known = {
        (a, b)
        for a in papers
        for b in papers
        if papers[a] != papers[b] and (papers[a], papers[b]) in cites
    }
    assert known <= drawn_pairs, "a known citation is lost"


def test_a_likeness_of_texts_is_never_a_citation() -> None:
    picture = session([[(1, 2019), (2, 2020)], [(3, 2021)]], {(3, 1), (2, 1)}, kind="similar")
    assert [(e.later, e.earlier, e.kind) for e in picture.curves] == [("1/0", "1/-1", PLACED)]


def test_long_gaps_are_broken_and_short_ones_kept() -> None:
    labels = session([[(1, 1950), (2, 2019), (3, 2022)]], set()).columns
    assert list(labels) == ["1950", "//", "2019", "2020", "2021", "2022"]


def test_the_picture_is_well_formed_whatever_a_title_says() -> None:
    dots = (
        Dot("a", 0, 0, 0, HOSTILE, HOSTILE, None, True, False),
        Dot("b", 0, 1, 0, "B", "B", 12000, False, True),
        Dot("c", 1, 1, 0, "C", "C", 3, True, True, stale=True),
    )
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
    assert "深度学习" in text
    radii = [
        float(c.get("r", "0"))
        for c in root.iter(f"{space}circle")
        if c.find(f"{space}title") is not None
    ]
    assert radii[1] > radii[2]


def test_an_empty_session_is_a_picture_too() -> None:
    assert session([[]], set()).dots == ()
    ET.fromstring(svg(TimelineDrawing("t", (), ((1, "q"),), (), ())))
