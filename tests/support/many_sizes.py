"""``python -m benchmarks.sizes``: what one other size of the terminal costs on each state of the
screens, and whether it comes to rest.

Each state of ``tests.support.states`` is taken through sizes drawn by a seed, and through those at
which a screen changes its form. For each size the layouts are counted until none comes any more,
and the processor time is taken. The table gives for each state the most layouts after one size, the
median and the greatest processor time of one size, and the processor time of thirty sizes that come
without a wait, divided by that of one. A state that does not come to rest within ``ENDLESS``
layouts ends it with an error.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual import events
from textual._compositor import Compositor
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.widget import Widget

from coi_tui.screens.base import LEAST, TALL, TWO_PANES, VAST, WIDE
from tests.support.coi_process import table
from tests.support.states import STATES, make_seed, shown

ENDLESS = 60
"""Layouts of one screen after which a size is said not to come to rest."""
WIDTHS = [width + more for width in (LEAST[0], TWO_PANES, WIDE, VAST) for more in (-1, 0)]
HEIGHTS = [height + more for height in (LEAST[1], TALL) for more in (-1, 0)]
BURST = 30
"""Sizes that come without a wait."""
QUIET, PAUSE_S = 5, 0.02
"""Pauses without a layout after which a screen is at rest, and how long each is."""


@dataclass
class Layouts:
    """How often the widgets of screens were given their places, and for which sizes."""

    by_screen: dict[str, int] = field(default_factory=dict)
    sizes: set[Size] = field(default_factory=set)

    @property
    def most(self) -> int:
        return max(self.by_screen.values(), default=0)


@contextmanager
def counted(endless: int = ENDLESS) -> Iterator[Layouts]:
    """Count layouts, each by its screen; not those of scrolling alone. The app ends where they
    would not."""
    made, reflow = Layouts(), Compositor.reflow

    def counting(compositor: Compositor, parent: Widget, size: Size) -> Any:
        name = type(parent).__name__
        made.by_screen[name] = made.by_screen.get(name, 0) + 1
        made.sizes.add(size)
        assert made.most < endless, f"{name} does not come to rest at {size}: {made}"
        return reflow(compositor, parent, size)

    with patch.object(Compositor, "reflow", counting):
        yield made


async def at_rest(pilot: Pilot[None], made: Layouts, size: Size) -> None:
    """Wait until the screen has a size and nothing is laid out any more."""
    quiet, before = 0, made.most
    while quiet < QUIET and pilot.app.is_running:
        await asyncio.sleep(PAUSE_S)
        quiet = quiet + 1 if made.most == before and pilot.app.screen.outer_size == size else 0
        before = made.most


def some_sizes(dice: random.Random, count: int) -> list[Size]:
    """Sizes between 30x12 and 200x60, half of them where a screen changes its form."""
    either = (
        lambda: (dice.choice(WIDTHS), dice.choice(HEIGHTS)),
        lambda: (dice.randint(30, 200), dice.randint(12, 60)),
    )
    return [Size(*either[n % 2]()) for n in range(count)]


@dataclass
class Cost:
    """What sizes cost on one state."""

    name: str
    layouts: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    burst: float = 0.0

    @property
    def row(self) -> tuple[object, ...]:
        median = statistics.median(self.seconds)
        return (
            self.name,
            max(self.layouts),
            f"{1000 * median:.0f}",
            f"{1000 * max(self.seconds):.0f}",
            f"{self.burst / median:.1f}",
        )


HEAD = ("state", "layouts", "median ms", "most ms", "30 cost")


def tell(pump: MessagePump, size: Size) -> None:
    """Tell an app another size, as its driver does; or a screen, as its app does."""
    pump.post_message(events.Resize(size, size))


async def measure(pilot: Pilot[None], name: str, sizes: Sequence[Size]) -> Cost:
    """Take what is shown through sizes, one after the other, then through as many at once as come
    in a burst."""
    cost = Cost(name)
    for size in sizes:
        with counted() as made:
            begun = time.process_time()
            tell(pilot.app, size)
            await at_rest(pilot, made, size)
            cost.seconds.append(time.process_time() - begun)
            cost.layouts.append(made.most)
    with counted(ENDLESS * BURST) as made:
        begun = time.process_time()
        last = Size(100, 50)
        for n in range(BURST):
            tell(pilot.app, last := Size(100 + n, 50 - n))
            await asyncio.sleep(0.002)
        await at_rest(pilot, made, last)
        cost.burst = time.process_time() - begun
    return cost


async def main(names: Sequence[str], count: int, first: int) -> None:
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory() as made:
        seed = await make_seed(Path(made) / "seed")
        for state in STATES:
            if names and state.name not in names:
                continue
            folder = Path(made) / state.name
            folder.mkdir()
            async with shown(state, seed, folder, (120, 36)) as pilot:
                costs.append(
                    await measure(
                        pilot, state.name, some_sizes(random.Random(f"{first} {state.name}"), count)
                    )
                )
            print(table([costs[-1].row], HEAD), flush=True)
    print(table([cost.row for cost in sorted(costs, key=lambda c: -max(c.layouts))], HEAD))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sizes", description=__doc__)
    parser.add_argument("states", nargs="*", help="only these states")
    parser.add_argument("--sizes", type=int, default=20, help="so many for each state")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    asyncio.run(main(args.states, args.sizes, args.seed))
