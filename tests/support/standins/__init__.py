"""Loopback stand-ins for an OpenAI-shaped model server and Semantic Scholar, for benchmarks and
tests.

In process: ``async with StandIns(Settings(latency=BENCH)) as pair: pair.chat_url, pair.s2_url,
pair.log``. In its own: ``with StandInProcess(settings, log_file) as pair``.
"""

from tests.support.standins.corpus import make_corpus, make_index
from tests.support.standins.http_server import StandIn
from tests.support.standins.request_log import Entry, repeated, select
from tests.support.standins.servers import StandInProcess, StandIns
from tests.support.standins.settings import (
    BENCH,
    QUICK,
    SLOW,
    ChatOptions,
    Faults,
    Hold,
    Latency,
    S2Options,
    Settings,
)

__all__ = [
    "BENCH",
    "QUICK",
    "SLOW",
    "ChatOptions",
    "Entry",
    "Faults",
    "Hold",
    "Latency",
    "S2Options",
    "Settings",
    "StandIn",
    "StandInProcess",
    "StandIns",
    "make_corpus",
    "make_index",
    "repeated",
    "select",
]
