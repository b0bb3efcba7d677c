"""``python -m tests.support.standins SETTINGS [LOG]``: both servers in a process of their own, until
terminated or the starting process is gone; the settings are JSON."""

import asyncio
import json
import os
import signal
import sys

from pydantic import TypeAdapter

from tests.support.standins.servers import StandIns
from tests.support.standins.settings import Settings


async def serve(settings: str, log_file: str | None = None) -> None:
    """Start, say where, wait for the end."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    parent = os.getppid()
    async with StandIns(TypeAdapter(Settings).validate_json(settings), log_file) as pair:
        print(json.dumps({"chat": pair.chat_url, "s2": pair.s2_url}), flush=True)
        while not ended.is_set() and os.getppid() == parent:
            try:
                await asyncio.wait_for(ended.wait(), timeout=1.0)
            except TimeoutError:
                continue


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:]))
