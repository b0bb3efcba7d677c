"""Ratings as bars: every idea that has played, true to the numbers, never wider than the pane."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coi_tui.arena.ratings import START, Standing
from coi_tui.session.queries.comparisons import HALF, bars


def standing(player: int, average: float, games: int) -> Standing:
    return Standing(player, 0.0, games, {}, average, 1.0)


@given(st.lists(st.tuples(st.floats(0, 3000), st.integers(0, 40)), max_size=12))
def test_a_bar_is_as_long_as_its_rating_is_away_from_the_start(
    given_table: list[tuple[float, int]],
) -> None:
    table = [standing(n, average, games) for n, (average, games) in enumerate(given_table, start=1)]
    scale, lines = bars(table)
    played = [s for s in table if s.games]
    assert len(lines) == len(played)
    worth = int(scale.rpartition("# is ")[2].split()[0])
    for s, line in zip(played, lines, strict=True):
        left, right = line.split("|")
        assert line.startswith(f"{s.player}/idea ")
        signs = (left if s.average < START else right).count("#")
        assert (right if s.average < START else left).count("#") == 0
        assert signs <= HALF
        assert abs(signs - abs(s.average - START) / worth) <= 1
        assert signs or s.average == START
        assert len(line) <= 38


def test_the_number_of_matches_stands_beside_each_bar() -> None:
    scale, lines = bars([standing(2, 1016.0, 10), standing(1, 992.4, 5), standing(3, 1000.0, 0)])
    assert scale == "| is 1000, # is 3 points"
    assert lines == ["2/idea  1016       |#####  2 matches", "1/idea   992    ###|       1 match"]


def test_no_matches_make_no_bars() -> None:
    assert bars([standing(1, 1000.0, 0)])[1] == []
