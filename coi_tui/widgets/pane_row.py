"""Panes side by side whose borders move, by a key or by the mouse. Their sizes are shares, so that they fit a terminal of any size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any, Self

from textual import events
from textual.containers import Container, Horizontal
from textual.widget import Widget

LEAST_FIRST, LEAST_MAIN, LEAST_THIRD = 24, 30, 20
"""The least cells of the first pane, of what stands beside it, and of a third pane beside that."""
STYLED_THIRD = 28
"""The cells of a third pane beside the second as the style sheet has it."""
LOWEST_MAIN, LOWEST_THIRD = 8, 5
"""The least lines of two panes one below the other, with their frames."""
COLUMNS, LINES = 4, 2
"""How far a key moves a border."""


class Third(Enum):
    """Where the third pane stands: nowhere (or in the place of the second), beside it, or below it."""

    NONE, BESIDE, BELOW = range(3)


@dataclass(frozen=True)
class Shares:
    """What panes have of the width, and the third one of the height where it stands below; 0 where the style sheet says it."""

    first: float = 0.0
    third: float = 0.0
    below: float = 0.0

    @classmethod
    def of(cls, kept: object) -> Self:
        """Shares that were kept; what cannot be one counts as not kept."""
        found: Mapping[str, Any] = kept if isinstance(kept, dict) else {}
        return cls(*(_share(found.get(name)) for name in ("first", "third", "below")))

    def as_data(self) -> dict[str, float]:
        """For keeping."""
        return asdict(self)


def _share(value: object) -> float:
    return value if isinstance(value, float) and 0.0 < value < 1.0 else 0.0


def within(wanted: int, least: int, most: int) -> int:
    """As near to what is wanted as there is room for; the least where there is not even room for that."""
    return max(least, min(wanted, most))


def widths(shares: Shares, total: int, third: Third) -> tuple[int, int]:
    """The cells of the first pane and of a third one beside the second, in a row of ``total`` cells; 0 where the style sheet says it."""
    beside = third is Third.BESIDE
    last = within(round(shares.third * total), LEAST_THIRD, total - LEAST_FIRST - LEAST_MAIN) if beside and shares.third else 0
    taken = LEAST_MAIN + (last or STYLED_THIRD if beside else 0)
    return within(round(shares.first * total), LEAST_FIRST, total - taken) if shares.first else 0, last


def height(shares: Shares, total: int) -> int:
    """The lines of a third pane below the second, in a row of ``total`` lines; 0 where the style sheet says it."""
    return within(round(shares.below * total), LOWEST_THIRD, total - LOWEST_MAIN) if shares.below and total else 0


@dataclass(frozen=True)
class Sizes:
    """The panes as they are: cells of the whole row, of the first and of the third pane; lines of the row and of the third pane."""

    total: int
    first: int
    third: int
    lines: int
    below: int


def moved(shares: Shares, sizes: Sizes, third: Third, pane: str, by: int) -> Shares:
    """The shares after a pane (``first``, ``main``, ``third``) became ``by`` steps larger; the same where it cannot."""
    if pane == "third" and third is Third.BELOW:
        return with_lines(shares, sizes, sizes.below + by * LINES)
    if pane == "third" and third is Third.BESIDE:
        return with_third(shares, sizes, sizes.third + by * COLUMNS)
    return with_first(shares, sizes, third, sizes.first + (by if pane == "first" else -by) * COLUMNS)


def with_first(shares: Shares, sizes: Sizes, third: Third, cells: int) -> Shares:
    """The first pane with as near to so many cells as there is room for."""
    beside = sizes.third if third is Third.BESIDE else 0
    first = within(cells, LEAST_FIRST, sizes.total - beside - LEAST_MAIN)
    return replace(shares, first=first / sizes.total) if first != sizes.first else shares


def with_third(shares: Shares, sizes: Sizes, cells: int) -> Shares:
    """The third pane, beside the second, with as near to so many cells as there is room for; the first one stays as it is."""
    last = within(cells, LEAST_THIRD, sizes.total - sizes.first - LEAST_MAIN)
    return replace(shares, first=sizes.first / sizes.total, third=last / sizes.total) if last != sizes.third else shares


def with_lines(shares: Shares, sizes: Sizes, lines: int) -> Shares:
    """The third pane, below the second, with as near to so many lines as there is room for."""
    below = within(lines, LOWEST_THIRD, sizes.lines - LOWEST_MAIN)
    return replace(shares, below=below / sizes.lines) if below != sizes.below else shares


class PaneRow(Horizontal):
    """A first pane, a main one at its side, and a third one beside or below that. Style sheet sizes hold until a border is moved."""

    def __init__(self, first: Widget, main: Widget, third: Widget, id: str | None = None) -> None:
        self._first, self._main, self._last = first, main, third
        self._side = Container(main, third, id="side")
        super().__init__(first, self._side, id=id)
        self.shares = Shares()
        self._alone, self._third = True, Third.NONE
        self._drag = ""
        """The border that is being dragged: ``first``, ``third`` or ``below``; empty for none."""

    def fit(self, third: Third, *, alone: bool) -> None:
        """Give the panes their sizes. ``alone``: one pane has all the room, so no size of its own holds."""
        self._alone, self._third = alone, third
        shares = Shares() if alone else self.shares
        first, last = widths(shares, self.screen.size.width, third)
        _set(self._first, "width", first or None)
        _set(self._side, "width", "1fr" if first else None)
        _set(self._last, "width", last or None)
        _set(self._last, "height", (height(shares, self.size.height) or None) if third is Third.BELOW else None)

    def on_resize(self, event: events.Resize) -> None:
        """The lines of the row have changed; its cells are those of the terminal, which the screen tells."""
        if self.shares.below:
            self.fit(self._third, alone=self._alone)

    @property
    def sizes(self) -> Sizes:
        """As the panes are; what was just given counts before it is laid out, so that keys may come fast."""
        total, lines, last = self.screen.size.width, self.size.height, self._last.region
        first, third = widths(self.shares, total, self._third)
        below = height(self.shares, lines) if self._third is Third.BELOW else 0
        return Sizes(total, first or self._first.region.width, third or last.width, lines, below or last.height)

    def grow(self, pane: str, by: int) -> bool:
        """Make a pane (``first``, ``main``, ``third``) some steps larger, or smaller; False where there is no room for that."""
        after = moved(self.shares, self.sizes, self._third, pane, by)
        if after == self.shares:
            return False
        self._take(after)
        return True

    def _take(self, shares: Shares) -> None:
        self.shares = shares
        self.fit(self._third, alone=self._alone)

    # -- mouse ----------------------------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A drag begins on the border between two panes."""
        self._drag = "" if self._alone else self._border_at(int(event.screen_x), int(event.screen_y))
        if self._drag:
            self.capture_mouse()
            event.stop()

    def _border_at(self, x: int, y: int) -> str:
        """The border that is there; empty where there is none."""
        first, last = self._first.region, self._last.region
        if self._first.display and x in (first.right - 1, first.right) and first.y <= y < first.bottom:
            return "first"
        if self._third is Third.BELOW and y in (last.y - 1, last.y) and last.x <= x < last.right:
            return "below"
        if self._third is Third.BESIDE and x in (last.x - 1, last.x) and last.y <= y < last.bottom:
            return "third"
        return ""

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if not self._drag:
            return
        sizes, last, x, y = self.sizes, self._last.region, int(event.screen_x), int(event.screen_y)
        if self._drag == "first":
            self._take(with_first(self.shares, sizes, self._third, x - self._first.region.x + 1))
        elif self._drag == "third":
            self._take(with_third(self.shares, sizes, last.right - x))
        else:
            self._take(with_lines(self.shares, sizes, last.bottom - y))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._drag:
            self._drag = ""
            self.release_mouse()


def _set(pane: Widget, rule: str, size: int | str | None) -> None:
    """Give a pane a size of its own, or take it away; what is so already lays nothing out again."""
    held = pane.styles.inline
    if size is not None or held.has_rule(rule):
        setattr(pane.styles, rule, size)
