"""The network as sources of papers see it: data and the texts of PDFs, with every failure as one sentence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn, Self

from coi_tui.config import SourceSettings
from coi_tui.literature.quota import budget_spent, limit_headers
from coi_tui.literature.types import HttpAnswer, HttpRequest, PdfText
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.text import clean_tree
from coi_tui.network.addresses import is_loopback, origin_of, same_service
from coi_tui.network.client import Reply, Request, ServiceClient
from coi_tui.network.limits import PATIENCE_S, check_parts
from coi_tui.network.retry import AttemptFailed, Backoff, retry_library, with_retries
from coi_tui.network.tls import ssl_context

if TYPE_CHECKING:
    import httpx
    from pydantic import JsonValue

    from coi_tui.network.open_network import Resolve

WAIT_BASE_S, WAIT_MAX_S = 2.0, 60.0
PDF_READERS = 2
PDF_RETRIES = 2
"""A PDF that does not come is not worth a long wait: there is the abstract."""
_PASSING = (429, 500, 502, 503, 504)
"""Statuses that may be gone at the next attempt."""


def parse_json(body: bytes) -> JsonValue:
    """JSON that is an object or a list, texts cleaned. Raises ValueError for anything else, NaN and bottomless nesting included."""

    def no_constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is not JSON")

    check_parts(body)
    try:
        payload = json.loads(body, parse_constant=no_constant)
        if not isinstance(payload, dict | list):
            raise ValueError("neither an object nor a list")
        return clean_tree(payload)  # type: ignore[return-value]
    except RecursionError:
        raise ValueError("nested too deeply") from None


class _NoPdf(Exception):
    """A definite answer that there is no PDF to read; its text is the reason."""


class HttpFetch:
    """A ``Fetch`` over the network for one scholarly service. Use it in one event loop, and close it.

    ``headers`` (a key among them) go to the host of ``settings.base_url`` only, never to a PDF's host; so do the parameters of ``query``,
    for a service that takes its key there. ``plain_404``: the service says "no such paper" without JSON.
    ``parse`` turns a body into data, where the service sends something else than JSON.
    ``told`` hears a sentence about every wait of some length.
    Sizes are in megabytes (10**6 bytes).
    """

    def __init__(
        self,
        settings: SourceSettings,
        service: str,
        headers: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        plain_404: bool = False,
        parse: Callable[[bytes], JsonValue] = parse_json,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolve | None = None,
        backoff: Backoff | None = None,
        max_json_mb: float = 12,
        max_pdf_mb: float = 40,
        pdf_timeout_s: float = 20,
        told: Callable[[str], None] | None = None,
    ) -> None:
        self.quota: dict[str, str] = {}
        """What the service last said about limits and budget, by lower-case header name."""
        self.on_wait: Callable[[str, float], None] | None = None
        """Hears of a host that said 429, and for how many seconds it is left alone."""
        self._backoff = backoff or Backoff(WAIT_BASE_S, WAIT_MAX_S)
        self._client = ServiceClient(
            settings,
            service,
            headers or {},
            query or {},
            backoff=self._backoff,
            transport=transport,
            resolve=resolve,
            told=told,
        )
        self._service = service
        self._retries = settings.retries
        self._plain_404 = plain_404
        self._parse = parse
        self._max_json_mb = max_json_mb
        self._max_pdf_mb = max_pdf_mb
        self._pdf_timeout_s = pdf_timeout_s
        self._readers: asyncio.Semaphore | None = None
        self._lost: dict[
            str, ServiceError
        ] = {}  # hosts of PDFs that could not be reached, asked no more
        home = self._client.home
        self._local = home is not None and is_loopback(home[1])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections. The object must not be used afterwards."""
        await self._client.aclose()

    async def warm(self) -> None:
        """Import what the first call needs, in a thread."""
        await asyncio.to_thread(_imports)
        self._client.open()

    # -- data -------------------------------------------------------------------------------------------------------

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The answer to ``request``, its texts cleaned so that it can be stored. Raises ServiceError for all but 200 and 404.

        A redirect to another server is refused, as nothing that is asked of this service is meant for another.
        """
        accept = "application/json" if self._parse is parse_json else "*/*"
        sent = Request(
            request.url, request.method, tuple(request.params), request.body, {"Accept": accept}
        )

        async def attempt() -> HttpAnswer:
            return self._read_json(await self._client.send(sent, self._max_json_mb))

        return await with_retries(
            attempt,
            self._retries,
            self._backoff,
            patience_s=PATIENCE_S,
            on_retry=self._client.retry_told,
        )

    def _read_json(self, reply: Reply) -> HttpAnswer:
        if self._client.at_home(reply.host):
            self.quota = limit_headers(reply.headers) or self.quota
        if reply.status == 200:
            answer = HttpAnswer(status=200, payload=self._payload(reply))
            self._client.limiter(reply.host).answered()
            return answer
        if reply.status == 404:
            self._client.limiter(reply.host).answered()
            try:
                payload = self._parse(reply.body)
            except ValueError:  # not the service's own "no such paper": a wrong base address must not look like an empty answer
                if self._plain_404:
                    return HttpAnswer(status=404)
                hint = "Check the address of the service in the settings."
                raise AttemptFailed(
                    self._client.error(
                        "not_found", f"{reply.host} has nothing at this address.", hint
                    )
                ) from None
            return HttpAnswer(status=404, payload=payload)
        return self._refuse(reply)

    def _payload(self, reply: Reply) -> JsonValue:
        kind = reply.headers.get("content-type", "").lower()
        try:
            if "html" in kind:
                raise ValueError("a web page")
            return self._parse(reply.body)
        except ValueError:
            what = (
                "a web page"
                if "html" in kind or reply.body.lstrip()[:1] == b"<"
                else "an answer that cannot be read"
            )
            self._client.limiter(reply.host).failed(f"{what} in place of data")
            error = self._client.error(
                "broken", f"{reply.host} sent {what} in place of data.", "Try again later."
            )
            raise AttemptFailed(error, None) from None

    # -- PDFs -------------------------------------------------------------------------------------------------------

    async def pdf_text(self, url: str) -> PdfText:
        """The text of the PDF at ``url``. No PDF there is an answer; a host that cannot be reached raises ServiceError."""
        from coi_tui.literature.full_text import pdf_to_text
        from coi_tui.network.open_network import AddressRefused

        origin = origin_of(url)
        host = origin[1] if origin else ""
        if host in self._lost:
            raise self._lost[host]

        async def attempt() -> bytes:
            if refused := self._pdf_refused(url):
                raise _NoPdf(f"the address of the PDF {refused}")
            request = Request(url, headers={"Accept": "application/pdf"})
            try:
                return self._read_pdf(
                    await self._client.send(
                        request, self._max_pdf_mb, check_redirect=self._check_pdf_redirect
                    )
                )
            except AddressRefused as refused:  # known only now, as its name was resolved
                raise _NoPdf(f"the address of the PDF {refused}") from None

        try:
            data = await with_retries(
                attempt,
                min(PDF_RETRIES, self._retries),
                self._backoff,
                patience_s=PATIENCE_S,
                on_retry=self._client.retry_told,
            )
        except _NoPdf as reason:
            return PdfText(kind="none", note=str(reason))
        except ServiceError as error:
            if error.kind == "unreachable" and not self._client.at_home(host):
                self._lost[host] = error
            raise
        self._readers = self._readers or asyncio.Semaphore(PDF_READERS)
        async with self._readers:
            return await pdf_to_text(data, self._pdf_timeout_s, self._max_pdf_mb)

    def _read_pdf(self, reply: Reply) -> bytes:
        if reply.status == 200:
            self._client.limiter(reply.host).answered()
            if not reply.body.startswith(b"%PDF"):
                raise _NoPdf(f"{reply.host} sent something that is not a PDF")
            return reply.body
        if reply.status in _PASSING:
            self._refuse(reply)
        raise _NoPdf(f"{reply.host} did not hand out the PDF (status {reply.status})")

    def _check_pdf_redirect(self, url: str) -> None:
        if refused := self._pdf_refused(url):
            raise _NoPdf(f"the PDF's address leads to one that {refused}")

    def _pdf_refused(self, url: str) -> str:
        """Why no PDF is fetched from there; empty where one may be. With a service on this machine nothing else is reached."""
        from coi_tui.network.open_network import AddressRefused, check_url

        origin = origin_of(url)
        if same_service(self._client.home, origin):
            return ""
        try:
            check_url(url)
        except AddressRefused as refused:
            return str(refused)
        return f"is elsewhere, while {self._service} is on this machine" if self._local else ""

    # -- refusals ---------------------------------------------------------------------------------------------------

    def _refuse(self, reply: Reply) -> NoReturn:
        """Turn any other status into the failure it is."""
        host, status, client = reply.host, reply.status, self._client
        limiter, said = client.limiter(host), self._said(reply.body)
        if status == 429:
            self._too_many(reply)
        if status in _PASSING:
            limiter.failed(f"status {status}")
            error = client.error(
                "server", f"{host} failed on its side ({status}){said}.", "Try again later."
            )
            raise AttemptFailed(error, None, wait_s=self._backoff.asked(reply.headers))
        if status == 403:  # sometimes a passing fault of the service, so it gets one more attempt
            hint = "Check the key." if client.keyed else "It may need a key."
            raise AttemptFailed(
                client.error("refused", f"{host} refused the call (403){said}.", hint), 1
            )
        if status == 401:
            hint = "Check the key." if client.keyed else "It may need a key."
            raise AttemptFailed(
                client.error("refused", f"{host} rejected the credentials (401){said}.", hint)
            )
        if status >= 500:
            raise AttemptFailed(
                client.error(
                    "server", f"{host} failed on its side ({status}){said}.", "Try again later."
                )
            )
        raise client.bad_request(f"{host} answered {status}{said}")

    def _too_many(self, reply: Reply) -> NoReturn:
        """A 429 is either the end of the day's budget, or a reason to leave the host alone for a while."""
        host, client = reply.host, self._client
        if spent := budget_spent(reply.headers):
            hint = "" if client.keyed else "A key of your own has a larger one."
            raise AttemptFailed(
                QuotaSpent(
                    self._service, "refused", f"{self._service}: {host}: {spent} (429).", hint
                )
            )
        limiter = client.limiter(host)
        if limiter.refuses_for_good:
            limiter.failed("too many requests (429)")
            raise AttemptFailed(
                client.error(
                    "limited",
                    f"{host} refuses every call, too many requests (429).",
                    "Try again in some minutes.",
                )
            )
        limiter.pause(self._backoff.asked(reply.headers))
        if self.on_wait is not None:
            self.on_wait(host, limiter.paused_s)
        hint = (
            "Wait a minute and try again."
            if client.keyed
            else "Wait a minute; a key of your own gets a steadier share."
        )
        error = client.error(
            "limited", f"{host} is getting too many requests just now (429).", hint
        )
        raise AttemptFailed(error, None, wait_s=0.0)  # the limiter keeps the next attempt waiting

    def _said(self, body: bytes) -> str:
        """What the service said about its error, from ``error`` or ``message``; HTML says nothing."""
        try:
            payload = self._parse(body)
        except ValueError:
            return ""
        text = (payload.get("error") or payload.get("message")) if isinstance(payload, dict) else ""
        return f": {self._client.hide(text)}" if isinstance(text, str) and text else ""


def _imports() -> None:
    """What the first call would else load on the event loop."""
    import_module("httpx")
    retry_library()
    ssl_context()
