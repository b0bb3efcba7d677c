"""Connections to the open network alone: to an address that was checked, and never to the name, which
may mean another one by then. Host, certificate and the pool of connections keep to the name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import httpcore
import httpx

from coi_tui.services.http.addresses import Origin, open_addresses, same_service


class OpenNetwork(httpcore.AnyIOBackend):
    """Where httpcore opens connections; those to ``home``, a service that a person has set, may go
    anywhere."""

    def __init__(self, home: Origin | None) -> None:
        self._home = home

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to one of the addresses of ``host``. Raises AddressRefused and what httpcore
        raises."""
        found, failure = [host], httpcore.ConnectError("the name has no address")
        if not any(same_service(self._home, (s, host, port)) for s in ("http", "https")):
            try:
                found = await open_addresses(host, port)
            except OSError as error:
                raise httpcore.ConnectError(str(error)) from error
        for address in found:
            try:
                return await super().connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except httpcore.ConnectError as error:
                failure = error
        raise failure


def open_client(home: Origin | None, **options: Any) -> httpx.AsyncClient:
    """A client whose own connections are such; those through a proxy are the proxy's.

    httpx has no public way to keep to the proxies of the environment and name the network: so the
    pool of its transport is replaced.
    """
    client = httpx.AsyncClient(**options)
    direct = httpx.AsyncHTTPTransport(verify=options["verify"])
    direct._pool = httpcore.AsyncConnectionPool(
        ssl_context=httpx.create_ssl_context(options["verify"]), network_backend=OpenNetwork(home)
    )
    client._transport = direct
    return client
