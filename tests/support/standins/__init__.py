"""Loopback stand-ins for an OpenAI-shaped model server and Semantic Scholar, for benchmarks and
tests.

In process: ``async with StandIns(Settings(latency=BENCH)) as pair: pair.chat_url, pair.s2_url,
pair.log``. In its own: ``with StandInProcess(settings, log_file) as pair`` or ``python -m
tests.support.standins --help``.
"""

from tests.support.standins.chat import ChatService
from tests.support.standins.corpus import Corpus, Paper, SearchIndex, make_corpus, make_index
from tests.support.standins.http_server import Request, Response, Service, StandIn
from tests.support.standins.request_log import (
    Entry,
    RequestLog,
    in_flight,
    read_log,
    repeated,
    select,
)
from tests.support.standins.semantic_scholar import S2Service
from tests.support.standins.servers import StandInProcess, StandIns
from tests.support.standins.settings import (
    BENCH,
    NOVELTY_MARKER,
    SLOW,
    ChatOptions,
    Faults,
    Hold,
    Latency,
    S2Options,
    SearchRule,
    Settings,
    novelty_rule,
)

__all__ = [
    "BENCH",
    "NOVELTY_MARKER",
    "SLOW",
    "ChatOptions",
    "ChatService",
    "Corpus",
    "Entry",
    "Faults",
    "Hold",
    "Latency",
    "Paper",
    "Request",
    "RequestLog",
    "Response",
    "S2Options",
    "S2Service",
    "SearchIndex",
    "SearchRule",
    "Service",
    "Settings",
    "StandIn",
    "StandInProcess",
    "StandIns",
    "in_flight",
    "make_corpus",
    "make_index",
    "novelty_rule",
    "read_log",
    "repeated",
    "select",
]
