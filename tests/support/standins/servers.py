"""Both stand-ins together: in this process (``StandIns``) or in one of their own
(``StandInProcess``)."""

import json
import os
import subprocess
import sys
from contextlib import AsyncExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from tests.support.standins.chat import ChatService
from tests.support.standins.corpus import make_index
from tests.support.standins.http_server import StandIn
from tests.support.standins.request_log import Entry, RequestLog, read_log
from tests.support.standins.semantic_scholar import S2Service
from tests.support.standins.settings import Settings

ROOT = Path(__file__).resolve().parents[3]


class StandIns:
    """``async with StandIns(Settings(...)) as pair: pair.chat_url, pair.s2_url,
    pair.log.entries``."""

    def __init__(
        self,
        settings: Settings | None = None,
        log_file: Path | str | None = None,
        chat_service: type[ChatService] = ChatService,
    ) -> None:
        self.settings = settings = settings or Settings()
        self.log = RequestLog(log_file)
        self.index = make_index(settings.corpus_seed)
        self.corpus = self.index.corpus
        self._s2 = S2Service(self.index, settings.s2)
        alike: dict[str, Any] = {
            "latency": settings.latency,
            "log": self.log,
            "hold": settings.hold,
        }
        chat = chat_service(self.corpus, settings.chat)
        self.chat = StandIn(chat, faults=settings.chat_faults, **alike)
        self.s2 = StandIn(self._s2, faults=settings.s2_faults, **alike)
        self._stack = AsyncExitStack()

    @property
    def chat_url(self) -> str:
        """For OPENAI_BASE_URL."""
        return f"{self.chat.url}/v1"

    @property
    def s2_url(self) -> str:
        """For COI_SEMANTIC_SCHOLAR_URL (the root without /graph/v1 works as well)."""
        return f"{self.s2.url}/graph/v1"

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self.chat)
        await self._stack.enter_async_context(self.s2)
        self._s2.rows.root = self.s2.url
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self._stack.aclose()
        self.log.close()


class StandInProcess:
    """``with StandInProcess(settings, log_file) as pair:`` the same two servers outlive a killed
    client."""

    def __init__(
        self, settings: Settings | None = None, log_file: Path | str | None = None
    ) -> None:
        self.settings, self.log_file = settings or Settings(), log_file
        self.chat_url = self.s2_url = ""
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.support.standins"]
        command.append(json.dumps(asdict(self.settings)))
        if self.log_file is not None:
            command.append(str(Path(self.log_file).resolve()))
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.stop()
            raise RuntimeError("the stand-ins did not start")
        urls = json.loads(line)
        self.chat_url, self.s2_url = urls["chat"], urls["s2"]
        return self

    def __exit__(self, *_raised: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server process and wait for it."""
        if self.process is not None:
            self.process.terminate()
            self.process.communicate(timeout=10)
            self.process = None

    def entries(self) -> list[Entry]:
        """The log so far (needs a log file)."""
        return read_log(self.log_file) if self.log_file is not None else []
