"""``python -m tests.support.standins``: both servers in a process of their own, until terminated."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import signal
from typing import Any

from tests.support.standins.servers import StandIns
from tests.support.standins.settings import BENCH, SLOW, Faults, Latency, Settings, novelty_rule


def parser() -> argparse.ArgumentParser:
    """The command line. ``--settings`` takes everything as JSON; the other flags change parts of
    it."""
    p = argparse.ArgumentParser(prog="python -m tests.support.standins", description=__doc__)
    p.add_argument("--chat-port", type=int, default=0)
    p.add_argument("--s2-port", type=int, default=0)
    p.add_argument("--log", help="append JSON lines to this file")
    p.add_argument(
        "--settings", default="{}", help="Settings as JSON, parts left out keep their defaults"
    )
    p.add_argument(
        "--profile",
        choices=["none", "bench", "slow"],
        default=None,
        help="latencies of the benchmark",
    )
    for kind in ("chat", "search", "embeddings", "pdf", "other"):
        text = "search, embeddings, pdf and all else" if kind == "other" else kind
        p.add_argument(
            f"--latency-{kind}", type=float, help=f"seconds for {text}, unless given apart"
        )
    p.add_argument("--fault-seed", type=int)
    for name in ("p429", "p500", "truncated", "malformed"):
        p.add_argument(f"--{name}", type=float, help="share of requests, at both servers")
    p.add_argument("--nonce")
    p.add_argument("--down", action="store_true", default=None, help="every request gets a 500")
    p.add_argument("--verdict", help='of the novelty check, for example "close match"')
    p.add_argument("--irrelevant", action="store_true", help="no candidate is relevant")
    p.add_argument("--novelty-search", choices=["empty", "fail", "429"])
    p.add_argument("--pdf-share", type=float)
    p.add_argument(
        "--with-parent", action="store_true", help="end when the starting process is gone"
    )
    return p


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings from JSON, then the flags on top."""
    settings = Settings.from_json(json.loads(args.settings))
    faults = {"seed": args.fault_seed, "nonce": args.nonce, "down": args.down}
    faults |= {name: getattr(args, name) for name in ("p429", "p500", "truncated", "malformed")}
    chat: dict[str, Any] = {"verdict": args.verdict, "relevant": False if args.irrelevant else None}
    rules = (novelty_rule(args.novelty_search),) if args.novelty_search else None
    return dataclasses.replace(
        settings,
        chat=_changed(settings.chat, chat),
        s2=_changed(settings.s2, {"pdf_share": args.pdf_share, "rules": rules}),
        chat_faults=_faults(settings.chat_faults, faults),
        s2_faults=_faults(settings.s2_faults, faults),
        latency=_latency(settings.latency, args),
    )


def _latency(latency: Latency, args: argparse.Namespace) -> Latency:
    base = {"none": Latency(), "bench": BENCH, "slow": SLOW}.get(args.profile, latency)
    given = {
        kind: getattr(args, f"latency_{kind}")
        for kind in ("chat", "search", "embeddings", "pdf", "other")
    }
    if given["other"] is not None:
        given = {k: given["other"] if v is None and k != "chat" else v for k, v in given.items()}
    changed: Latency = _changed(base, given)
    return changed


def _faults(faults: Faults, given: dict[str, Any]) -> Faults:
    changed: Faults = _changed(faults, given)
    return changed


def _changed(base: Any, given: dict[str, Any]) -> Any:
    return dataclasses.replace(
        base, **{name: value for name, value in given.items() if value is not None}
    )


async def serve(args: argparse.Namespace) -> None:
    """Start, say where, wait for the end."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    parent = os.getppid()
    pair = StandIns(
        settings_of(args), log_file=args.log, chat_port=args.chat_port, s2_port=args.s2_port
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
