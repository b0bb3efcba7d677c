"""A small server on the loopback address, in a thread: for tests that need a connection and no
literature or model behind it."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, Mapping[str, str], bytes]
JSON = {"content-type": "application/json"}


class SmallServer(ThreadingHTTPServer):
    """Answers each request by its path. ``seen``: the paths asked for, of which ``asked`` tells
    that there is one; ``hold`` keeps all answers back."""

    daemon_threads = True

    def __init__(self, answer: Callable[[str], Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.seen = answer, list[str]()
        self.asked, self.free = threading.Event(), threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: SmallServer

    def do_GET(self) -> None:  # its base class asks for this name
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.seen.append(self.path)
        self.server.asked.set()
        self.server.free.wait()
        status, headers, body = self.server.answer(self.path)
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def serving(answer: Callable[[str], Answer], *, silent: bool = False) -> Iterator[SmallServer]:
    """Serve until the end of the block; ``silent``: no request gets an answer before it."""
    with SmallServer(answer) as server:
        if not silent:
            server.free.set()
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.free.set()
        server.shutdown()
