"""A TLS server on this machine, with certificates made when a test starts it."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import trustme

from evidence_matrix.verification.fetching import Fetcher

HOST = "papers.example.org"
Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Server:
    """A running server: what it answers by path, what it was asked, and how to reach it.

    Attributes:
        answers: by path, the body that is sent, or a function that answers.
        asked: the paths that were asked for, with the host of each.
    """

    port: int
    authority: trustme.CA
    answers: dict[str, bytes | Answer] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def url(self, path: str, host: str = HOST) -> str:
        """The address of a path on this server."""
        return f"https://{host}:{self.port}{path}"

    def fetcher(self, **changes: object) -> Fetcher:
        """A fetcher that finds every host on this server, and trusts its certificates."""
        context = ssl.create_default_context()
        self.authority.configure_trust(context)
        settings: dict[str, object] = {
            "ports": frozenset((self.port,)),
            "resolve": lambda _host, _port: ["127.0.0.1"],
            "is_allowed": lambda address: address == "127.0.0.1",
            "context": context,
            "seconds": 20.0,
        }
        return Fetcher(**{**settings, **changes})  # type: ignore[arg-type]


@contextmanager
def serving(*hosts: str) -> Iterator[Server]:
    """A server with a certificate for the hosts, as long as the block lasts."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*(hosts or (HOST,))).configure_cert(context)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append((self.headers["Host"].partition(":")[0], self.path))
            answer = server.answers.get(self.path)
            if callable(answer):
                answer(self)
            elif answer is None:
                self.send_error(404)
            else:
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that goes away is what some tests want."""

    web = Quiet(("127.0.0.1", 0), Handler)
    web.socket = context.wrap_socket(web.socket, server_side=True, do_handshake_on_connect=False)
    server = Server(web.server_port, authority)
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        web.shutdown()
        web.server_close()
        thread.join()


def redirecting(to: str, status: int = 302) -> Answer:
    """An answer that redirects."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def sending(body: bytes, *headers: tuple[str, str], status: int = 200) -> Answer:
    """An answer with its own headers."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer
