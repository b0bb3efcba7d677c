"""When the garbage collector runs: never while modules are imported or a session is opened, and otherwise over little at a time.

A first frame and an opened session make hundreds of thousands of objects and no garbage; looking at them all takes as long as painting.
"""

from __future__ import annotations

import gc

AT_ONCE, AGAIN, ALL = 10_000, 5, 200
"""New objects at a look, so that a look takes a few milliseconds of the event loop (the usual 700 make it look all the time).

After so many looks those that lived on are looked at once more; after so many of these all are.
"""


def put_off() -> None:
    """Collect nothing until ``resume``."""
    gc.disable()


def resume() -> None:
    """Collect again, and leave what is alive now aside: modules, styles and the open session are not looked at each time."""
    gc.freeze()
    gc.set_threshold(AT_ONCE, AGAIN, ALL)
    gc.enable()


def look_at_all() -> None:
    """Something large was put away: what was left aside is looked at again at the next full look."""
    gc.unfreeze()
