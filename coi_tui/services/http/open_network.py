"""Connections to the open network alone: to an address that was checked, and never to the name, which
may mean another one by then. Host, certificate and the pool of connections keep to the name."""

from __future__ import annotations

from contextlib import suppress
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
        self, host: str, port: int, *how: Any, **more: Any
    ) -> httpcore.AsyncNetworkStream:
        """A connection to one of the addresses of ``host``. Raises AddressRefused and what httpcore
        raises."""
        found = [host]
        if not any(same_service(self._home, (s, host, port)) for s in ("http", "https")):
            try:
                found = await open_addresses(host, port)
            except OSError as error:
                raise httpcore.ConnectError(str(error)) from error
        for address in found[:-1]:
            with suppress(httpcore.ConnectError):
                return await super().connect_tcp(address, port, *how, **more)
        return await super().connect_tcp(found[-1], port, *how, **more)


def open_client(home: Origin | None, **options: Any) -> httpx.AsyncClient:
    """A client whose own connections are such; those through a proxy are the proxy's.

    httpx has no public way to keep to the proxies of the environment and to name the network.
    """
    client = httpx.AsyncClient(**options)
    direct = client._transport
    assert isinstance(direct, httpx.AsyncHTTPTransport)
    direct._pool._network_backend = OpenNetwork(home)
    return client
