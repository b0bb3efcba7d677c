"""Zotero's local API (Web API, version 3, read only) on this machine, asked one request at a
time: several side by side slow Zotero down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit
from urllib.request import url2pathname

from coi_tui.model.errors import ServiceError
from coi_tui.model.text import Fields

if TYPE_CHECKING:
    import httpx

VERSION = "3"
PAGE, MOST = 100, 500_000
"""Rows a request, and rows of a list."""
TIMEOUT_S = 60.0
ALLOW = "In Zotero's settings, under Advanced, tick “Allow other applications on this computer to communicate with Zotero”."


class Zotero:
    """The client. Its methods raise ServiceError, one sentence and what to do, where Zotero gives
    no answer that can be used."""

    def __init__(self, address: str) -> None:
        import httpx

        self.address = address
        headers = {"Zotero-API-Version": VERSION}
        self._client = httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False, headers=headers)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def rows(self, path: str, **params: str) -> tuple[list[Fields], int]:
        """All rows of a list, page by page, and the version of its library: 0 where that has none,
        or changed meanwhile."""
        found, versions = list[Fields](), set[int]()
        params |= {"sort": "dateAdded", "direction": "asc", "limit": str(PAGE)}
        for start in range(0, MOST, PAGE):
            reply = await self.get(path, **params, start=str(start))
            try:
                rows = [{"data": {}, **row} for row in reply.json()]
                versions.add(int(reply.headers.get("Last-Modified-Version", "0")))
            except (ValueError, TypeError):
                raise _failed("sent an answer that cannot be read.", "Try again.") from None
            found += rows
            if len(rows) < PAGE:
                break
        version, *others = versions
        return found, 0 if others else version

    async def file(self, library: str, key: str) -> str:
        """Where the file of an attachment is on this machine; empty where it is not, as at an
        address of another one: asking for that would tell who asks."""
        reply = await self.get(f"{library}/items/{key}/file")
        parts = urlsplit(reply.headers.get("Location", ""))
        here = (parts.scheme, parts.netloc) in (("file", ""), ("file", "localhost"))
        return url2pathname(parts.path) if here else ""

    async def get(self, path: str, known: int = 0, /, **params: str) -> httpx.Response:
        """An answer of status 200; 304 where nothing changed since the ``known`` version, 302 or 404
        for a file."""
        import httpx

        headers = {"If-Modified-Since-Version": str(known)} if known else {}
        url = f"{self.address}/{path}"
        try:
            reply = await self._client.get(url, params=params, headers=headers)
        except httpx.TimeoutException:
            why = f"did not answer within {TIMEOUT_S:g} s."
            raise _failed(why, "Try again when it is less busy.") from None
        except (httpx.TransportError, httpx.InvalidURL):
            raise _failed(f"does not answer at {self.address}.", f"Start it. {ALLOW}") from None
        status = reply.status_code
        if status == 403:
            raise _failed("lets no other program read.", ALLOW)
        if reply.headers.get("Zotero-API-Version") != VERSION:
            raise _failed(f"has no local API of version {VERSION}.", "Update Zotero (7 or later).")
        if status in (200, 302, 304) or path.endswith("/file"):
            return reply
        why = f"answered {path} with status {status}."
        raise _failed(why, "`coi papers zotero` lists what there is.")


def _failed(why: str, hint: str) -> ServiceError:
    return ServiceError("Zotero", "unreachable", f"Zotero {why}", hint)
