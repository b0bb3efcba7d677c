"""Limits of every call to a service: how many at once, how far apart, how long, and how large an answer may be."""

from __future__ import annotations

import asyncio
import math
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from coi_tui.network.retry import WORTH_TELLING_S, Backoff, standing_now

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

CONNECT_TIMEOUT_S = 10.0
"""A connection takes at most this long, or the set timeout where that is shorter."""
TOTAL_TIMEOUTS = 4
"""A whole exchange may take this many times the set timeout, which itself bounds each wait for the next bytes."""
SLOW_TIMEOUTS = 20
"""The same for a model on own hardware, counted from its first byte; for that byte it has the four."""

SLOW_S = 10.0
"""An exchange that takes longer is worth a word, and how long it may take."""
PATIENCE_S = 45.0
"""How long after its first attempt a question to a source of papers is tried again, where the service itself names no time."""

TRIP_AFTER = 8
"""Failures of a host in a row, with no answer between them, after which it is left alone for a while."""
MOST_REFUSALS = 6
"""Refusals (429) in a row, each after a longer wait, after which a call is given up."""
SILENCE_S = 30.0
"""The same after so many seconds in which calls to it ended only because their time was up: it is silent, or drips."""
TRIP_S, TRIP_MAX_S = 30.0, 300.0
"""How long it is left alone the first time, and at most; each further failure doubles it."""

S2_HOST, ARXIV_HOST = "api.semanticscholar.org", "export.arxiv.org"
S2_PACE_WITH_KEY_S = 1.1
S2_PACE_WITHOUT_KEY_S = 3.0
ARXIV_PACE_S = 3.0
LEARNED_PACE_S = 1.1
"""The pace a host without a rule of its own gets after its first 429."""

BASE_BYTES = 1_000_000
"""What any answer may have, however little was asked for: some servers send a lot around it."""
BODY_BYTES_PER_TOKEN = 100
STREAM_BYTES_PER_TOKEN = 1_000
"""Each token may come as an event of its own, with names and ids around it."""
MOST_BYTES = 100_000_000
"""No chat completion may have more, whatever ``max_tokens`` is set to."""
VECTOR_BYTES = 200_000
"""One vector written as text: 8,000 numbers of 25 characters."""
LIST_BYTES = 20_000_000
"""A list of models; the longest that are known have about 2 MB."""
MOST_GROUPS, MOST_PARTS = 400_000, 2_200_000
"""Objects and lists, and commas, that one answer in JSON may have: each takes up to a hundred bytes of memory once it is read. The longest
lists of papers have a tenth of that, and 256 vectors of 8,192 numbers just as many."""
PIECE_BYTES = 1_000_000
"""A compressed answer is unpacked in pieces of at most this size."""
ERROR_BYTES = 64_000
"""Of a failed answer no more is read: it only serves to tell failures apart."""


class TooLarge(Exception):
    """An answer is larger than its limit. What came of it is thrown away."""


@dataclass
class AnswerLimits:
    """How long the whole of an exchange may take, and how many bytes its answer may have as one body (or one line) and as a stream.

    ``seconds`` count from the beginning; where ``wait_s`` is given, from when the server begins to answer, for which it has that long, and
    no gap between two pieces may be longer than ``silence_s``. ``broken`` says afterwards which limit the answer broke: its size, or that
    it came compressed, where its size cannot be known.
    """

    seconds: float
    body_bytes: int
    stream_bytes: int
    wait_s: float | None = None
    silence_s: float | None = None
    broken: Literal["", "size", "compressed"] = ""
    deadline: asyncio.Timeout | None = None
    has_begun: bool = False

    def begun(self) -> None:
        """The server begins to answer: the whole is counted from now on."""
        if self.wait_s is not None and self.deadline is not None:
            self.has_begun = True
            self.deadline.reschedule(_now() + self.seconds)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """The answers to requests that are sent in this task from here on are held to these limits."""
        token = _limits_now.set(self)
        try:
            yield
        finally:
            _limits_now.reset(token)


_limits_now: ContextVar[AnswerLimits] = ContextVar("limits_now")


def limits_now() -> AnswerLimits:
    """The limits of the exchange under way in this task; those of a small answer where none were set."""
    return _limits_now.get(None) or AnswerLimits(60.0, BASE_BYTES, BASE_BYTES)


def completion_limits(timeout_s: float, max_tokens: int, *, slow: bool = False) -> AnswerLimits:
    """For a chat completion of up to ``max_tokens``. ``slow``: on own hardware, where reading the prompt takes minutes."""
    body, stream = (
        min(BASE_BYTES + max_tokens * each, MOST_BYTES)
        for each in (BODY_BYTES_PER_TOKEN, STREAM_BYTES_PER_TOKEN)
    )
    if slow:
        return AnswerLimits(
            timeout_s * SLOW_TIMEOUTS, body, stream, wait_s=total_s(timeout_s), silence_s=timeout_s
        )
    return AnswerLimits(total_s(timeout_s), body, stream)


def total_s(timeout_s: float) -> float:
    """Seconds for a whole exchange where each wait for more may take ``timeout_s``."""
    return timeout_s * TOTAL_TIMEOUTS


def exchange_s(timeout_s: float) -> float:
    """The same for a source of papers: no longer than a question to it is tried, and the set timeout at least."""
    return max(timeout_s, min(total_s(timeout_s), PATIENCE_S))


def connect_s(timeout_s: float) -> float:
    """Seconds for making a connection."""
    return min(CONNECT_TIMEOUT_S, timeout_s)


async def read_limited(chunks: AsyncIterable[bytes], most: float) -> bytes:
    """All of a body. Raises TooLarge where it has more than ``most`` bytes, and reads no further then."""
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > most:
            raise TooLarge
    return bytes(body)


def check_parts(body: bytes) -> None:
    """Raises ValueError for JSON of so many parts that reading it would take many times its size: ``[],[],[] ...``."""
    if body.count(b"[") + body.count(b"{") > MOST_GROUPS or body.count(b",") > MOST_PARTS:
        raise ValueError("it has too many parts")


@asynccontextmanager
async def slow_told(tell: Callable[[], None]) -> AsyncIterator[None]:
    """``tell`` is called once where what is done within takes longer than SLOW_S."""
    timer = asyncio.get_running_loop().call_later(SLOW_S, tell)
    try:
        yield
    finally:
        timer.cancel()


class Unpackable(Exception):
    """An answer is compressed in a way that cannot be read."""


async def unpacked(
    chunks: AsyncIterable[bytes], encoding: str, most: float
) -> AsyncIterator[bytes]:
    """The bytes of a compressed body, unpacked a little at a time, so that a small body can never become a huge one in memory.

    Raises Unpackable for anything but one layer of gzip or deflate, and TooLarge beyond ``most`` bytes.
    """
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise Unpackable
    unpacker, total = (
        zlib.decompressobj(zlib.MAX_WBITS | 32),
        0,
    )  # 32: gzip or zlib, as the data say
    async for chunk in chunks:
        while chunk:
            try:
                piece = unpacker.decompress(chunk, PIECE_BYTES)
            except zlib.error:
                raise Unpackable from None
            total += len(piece)
            if total > most:
                raise TooLarge
            yield piece
            chunk = unpacker.unconsumed_tail
    if not unpacker.eof:
        raise Unpackable


def own_pace_s(host: str, *, keyed: bool) -> float:
    """The least seconds between two calls by a host's own rule; 0 where none is known."""
    if host == ARXIV_HOST:
        return ARXIV_PACE_S
    if host != S2_HOST:
        return 0.0
    return S2_PACE_WITH_KEY_S if keyed else S2_PACE_WITHOUT_KEY_S


OnWait = Callable[[float, int, bool], None]
"""Hears of a wait worth a word: its seconds, how many calls wait, and whether the host refused one."""


class HostLimiter:
    """Every call to one host passes here. Belongs to the event loop in which it was made."""

    def __init__(
        self,
        pace_s: float,
        parallel: int,
        backoff: Backoff,
        *,
        learns: bool,
        on_wait: OnWait = lambda _seconds, _calls, _refused: None,
    ) -> None:
        """``learns``: a host without a pace gets one after its first 429."""
        self._slots = asyncio.Semaphore(parallel)
        self._pace_s = pace_s
        self._limiter = _limiter(pace_s)
        self._backoff = backoff
        self._learns = learns
        self._paused_until = 0.0
        self._refusals = 0
        self._on_wait = on_wait
        self._waiting = 0
        self._failures = 0
        self._silent_since = math.inf
        self._tripped_until = 0.0
        self.last_failure = ""
        """What the host failed with last, in words."""

    def allow(self, parallel: int) -> None:
        """So many calls at once, as the server was found to serve. Only before the first one."""
        self._slots = asyncio.Semaphore(parallel)

    @property
    def paced(self) -> bool:
        """Whether calls are kept apart."""
        return self._limiter is not None

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Room for one call: waits for a free place, for the pace, and for a paused host to be called again."""
        with standing_now().wait():
            await self._turn()
        try:
            yield
        finally:
            self._slots.release()

    async def _turn(self) -> None:
        """Wait for a place and keep it."""
        self._waiting += 1
        try:
            if (queue_s := self._waiting * self._pace_s) > WORTH_TELLING_S:
                self._on_wait(queue_s, self._waiting, False)
            await self._slots.acquire()
            try:
                await self._pace()
            except BaseException:
                self._slots.release()
                raise
        finally:
            self._waiting -= 1

    async def _pace(self) -> None:
        while True:
            if (pause_s := self.paused_s) > WORTH_TELLING_S:
                self._on_wait(pause_s, self._waiting, True)
            await asyncio.sleep(pause_s)
            if self._limiter is not None:
                await self._limiter.acquire()
            if (
                self._paused_until <= _now()
            ):  # it may have been paused while this call waited for its turn
                return

    @property
    def tripped_s(self) -> float:
        """Seconds for which nobody calls the host because it failed so often; 0 when it may be called."""
        return max(0.0, self._tripped_until - _now())

    @property
    def failures(self) -> int:
        """How often the host failed in a row."""
        return self._failures

    def failed(self, why: str = "", since: float = math.inf) -> None:
        """The host did not answer, or failed on its side. After many in a row nobody calls it for a while.

        ``since``: when the call began, where it ended because its time was up.
        """
        self._failures += 1
        self._silent_since = min(self._silent_since, since)
        self.last_failure = why or self.last_failure
        if self._failures >= TRIP_AFTER or _now() - self._silent_since >= SILENCE_S:
            self._tripped_until = _now() + min(
                TRIP_MAX_S, TRIP_S * 2.0 ** min(max(0, self._failures - TRIP_AFTER), 10)
            )

    @property
    def paused_s(self) -> float:
        """Seconds until the host may be called again."""
        return max(0.0, self._paused_until - _now())

    @property
    def refuses_for_good(self) -> bool:
        """The host refused so often in a row, with no answer between, that further waits are useless just now."""
        return self._refusals >= MOST_REFUSALS

    def pause(self, stated_s: float | None) -> None:
        """The host said 429: nobody calls it for ``stated_s`` seconds, or for a growing while when it named none."""
        if self._learns and self._limiter is None:
            self._pace_s = LEARNED_PACE_S
            self._limiter = _limiter(LEARNED_PACE_S)
        already = self._paused_until > _now()  # calls that were under way together are one refusal
        if not already:
            self._refusals += 1
        elif stated_s is None:
            return
        wait = stated_s if stated_s is not None else self._backoff.wait(self._refusals - 1)
        self._paused_until = max(self._paused_until, _now() + min(wait, self._backoff.asked_max_s))

    def answered(self) -> None:
        """The host served a call: the next refusal starts with a short wait again."""
        self._refusals = self._failures = 0
        self._silent_since = math.inf
        self._tripped_until = 0.0


def _now() -> float:
    return asyncio.get_running_loop().time()


def _limiter(pace_s: float) -> AsyncLimiter | None:
    if pace_s <= 0:
        return None
    from aiolimiter import AsyncLimiter

    return AsyncLimiter(1, pace_s)  # one in pace_s; (3, 3) would let three through at once
