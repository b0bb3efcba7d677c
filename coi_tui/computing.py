"""Where long computations run: beside the event loop, one at a time.

Python lets one thread compute at once. With several that compute, the loop waits its turn behind
each of them before it may answer a key; and together they are done no sooner.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_ONE = ThreadPoolExecutor(max_workers=1, thread_name_prefix="computing")


async def run_in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``work`` gives or raises. Work that has begun is done even if nobody waits for it any
    more."""
    return await asyncio.get_running_loop().run_in_executor(_ONE, partial(work, *args, **kwargs))
