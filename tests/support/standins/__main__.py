"""``python -m tests.support.standins``: both servers in a process of their own, until terminated."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal

from tests.support.standins.servers import StandIns
from tests.support.standins.settings import Settings


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(prog="python -m tests.support.standins", description=__doc__)
    p.add_argument("--chat-port", type=int, default=0)
    p.add_argument("--s2-port", type=int, default=0)
    p.add_argument("--log", help="append JSON lines to this file")
    p.add_argument(
        "--settings", default="{}", help="Settings as JSON, parts left out keep their defaults"
    )
    p.add_argument(
        "--with-parent", action="store_true", help="end when the starting process is gone"
    )
    return p


async def serve(args: argparse.Namespace) -> None:
    """Start, say where, wait for the end."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    parent = os.getppid()
    pair = StandIns(
        Settings.from_json(json.loads(args.settings)),
        log_file=args.log,
        chat_port=args.chat_port,
        s2_port=args.s2_port,
    )
    async with pair:
        print(json.dumps({"chat": pair.chat_url, "s2": pair.s2_url}), flush=True)
        while not ended.is_set() and (not args.with_parent or os.getppid() == parent):
            try:
                await asyncio.wait_for(ended.wait(), timeout=1.0)
            except TimeoutError:
                continue


if __name__ == "__main__":
    asyncio.run(serve(parser().parse_args()))
