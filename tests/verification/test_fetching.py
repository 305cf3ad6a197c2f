from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from evidence_matrix.verification.fetching import Fetched, FetchError, is_public, resolve
from tests.tls_server import HOST, Server, redirecting, sending, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(HOST, "other.example.org") as running:
        yield running


def test_bytes_come_with_their_media_type_and_address(server: Server) -> None:
    server.answers["/a.html"] = sending(b"<p>text", ("Content-Type", "text/html; charset=utf-8"))
    url = server.url("/a.html")
    assert server.fetcher().fetch(url) == Fetched(b"<p>text", "text/html", url)


def test_the_path_and_query_are_asked_as_they_are_written(server: Server) -> None:
    server.answers["/a%20b/%C3%A9.pdf?x=1&y=%2F"] = b"here"
    assert server.fetcher().fetch(server.url("/a b/é.pdf?x=1&y=%2F")).data == b"here"


def test_a_chunked_body_is_read_whole(server: Server) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")

    server.answers["/chunks"] = answer
    assert server.fetcher().fetch(server.url("/chunks")).data == b"abcde"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_and_the_last_address_told(server: Server, status: int) -> None:
    there = server.url("/there", "other.example.org")
    server.answers["/here"] = redirecting(there, status)
    server.answers["/there"] = b"found"
    assert server.fetcher().fetch(server.url("/here")) == Fetched(b"found", None, there)
    assert server.asked == [(HOST, "/here"), ("other.example.org", "/there")]


def test_a_relative_redirect_stays_on_its_host(server: Server) -> None:
    server.answers["/a/here"] = redirecting("../there")
    server.answers["/there"] = b"found"
    assert server.fetcher().fetch(server.url("/a/here")).data == b"found"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://papers.example.org/a", "is no https address"),
        ("file:///etc/passwd", "is no https address"),
        ("https://user:word@papers.example.org/a", "holds a user name"),
        ("https://papers.example.org:22/a", "asks for port 22"),
        ("https://papers.example.org:99999/a", "is no address"),
        ("https://[::1/a", "is no address"),
    ],
)
def test_only_plain_https_addresses_are_asked(server: Server, url: str, said: str) -> None:
    fetcher = server.fetcher()
    with pytest.raises(FetchError, match="is no https address"):
        fetcher.fetch("https:///a")
    server.answers["/a"] = redirecting(url)
    for address in (url, server.url("/a")):
        with pytest.raises(FetchError, match=said):
            fetcher.fetch(address)


def test_an_address_of_this_network_is_refused_before_anything_is_sent(server: Server) -> None:
    with pytest.raises(FetchError, match=r"leads to 127\.0\.0\.1, which is not a public address"):
        server.fetcher(is_allowed=is_public).fetch(server.url("/a"))
    assert server.asked == []


def test_a_redirect_into_this_network_is_refused(server: Server) -> None:
    def resolve(host: str, _: int) -> list[str]:
        return ["169.254.169.254" if host == "other.example.org" else "127.0.0.1"]

    server.answers["/here"] = redirecting(server.url("/secret", "other.example.org"))
    with pytest.raises(FetchError, match=r"other\.example\.org leads to 169\.254\.169\.254"):
        server.fetcher(resolve=resolve).fetch(server.url("/here"))
    assert server.asked == [(HOST, "/here")]


def test_a_host_with_one_private_address_among_others_is_refused(server: Server) -> None:
    fetcher = server.fetcher(resolve=lambda *_: ["127.0.0.1", "10.0.0.1"])
    with pytest.raises(FetchError, match=r"leads to 10\.0\.0\.1"):
        fetcher.fetch(server.url("/a"))


def test_the_address_that_was_checked_is_the_one_connected_to(server: Server) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    server.answers["/a"] = b"found"
    fetcher = server.fetcher(resolve=lambda *_: next(answers))
    assert fetcher.fetch(server.url("/a")).data == b"found"
    assert next(answers) == ["10.0.0.1"], "the host was resolved once"


def test_a_host_without_address_is_told(server: Server) -> None:
    with pytest.raises(FetchError, match="has no address"):
        server.fetcher(resolve=lambda *_: []).fetch(server.url("/a"))


def test_a_certificate_of_another_host_is_refused(server: Server) -> None:
    server.answers["/a"] = b"found"
    with pytest.raises(FetchError, match=r"evil\.example\.org: CERTIFICATE_VERIFY_FAILED"):
        server.fetcher().fetch(server.url("/a", "evil.example.org"))
    assert server.asked == []


def test_a_certificate_that_nobody_trusts_is_refused(server: Server) -> None:
    with serving(HOST) as stranger:
        fetcher = server.fetcher(ports=frozenset((stranger.port,)))
        with pytest.raises(FetchError, match="CERTIFICATE_VERIFY_FAILED"):
            fetcher.fetch(stranger.url("/a"))
        assert stranger.asked == []


def test_redirects_without_end_are_stopped(server: Server) -> None:
    server.answers["/round"] = redirecting("/round")
    with pytest.raises(FetchError, match="redirects more than 3 times"):
        server.fetcher(most_redirects=3).fetch(server.url("/round"))
    assert len(server.asked) == 4


def test_a_body_that_is_too_large_is_not_read_to_its_end(server: Server) -> None:
    server.answers["/large"] = b"x" * 300_000
    with pytest.raises(FetchError, match="sent more than 100,000 bytes"):
        server.fetcher(most_bytes=100_000).fetch(server.url("/large"))


@pytest.mark.parametrize("drips", ["head", "body"])
def test_a_server_that_drips_is_stopped_in_time(server: Server, drips: str) -> None:
    stop = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if drips == "body":
            handler.send_response(200)
            handler.end_headers()
        else:
            handler.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
        while not stop.wait(0.05):
            handler.wfile.write(b"x")

    server.answers["/drip"] = answer
    try:
        with pytest.raises(FetchError, match=r"took longer than 0\.6 s"):
            server.fetcher(seconds=0.6).fetch(server.url("/drip"))
    finally:
        stop.set()


def test_a_server_that_never_shakes_hands_is_stopped_in_time(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        fetcher = server.fetcher(ports=frozenset((port,)), seconds=0.3)
        with pytest.raises(FetchError, match=r"took longer than 0\.3 s|gave no answer"):
            fetcher.fetch(f"https://{HOST}:{port}/a")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (sending(b"", status=500), "answered 500"),
        (sending(b"", status=204), "answered 204"),
        (sending(b"", status=302), "redirects to nowhere"),
        (sending(b"abc", ("Content-Encoding", "gzip")), "sent its bytes compressed"),
        (sending(b"abc", ("Content-Length", "9")), "gave no answer|broke off"),
        (lambda handler: handler.wfile.write(b"nonsense"), "gave no answer"),
        (lambda handler: handler.wfile.write(b""), "gave no answer"),
    ],
)
def test_an_answer_without_the_bytes_says_why(server: Server, answer: object, said: str) -> None:
    server.answers["/a"] = answer  # type: ignore[assignment]
    with pytest.raises(FetchError, match=said):
        server.fetcher().fetch(server.url("/a"))
    with pytest.raises(FetchError, match="answered 404 Not Found"):
        server.fetcher().fetch(server.url("/gone"))


def test_a_server_that_is_not_there_is_told(server: Server) -> None:
    with serving() as gone:
        port = gone.port
    fetcher = server.fetcher(ports=frozenset((port,)))
    with pytest.raises(FetchError, match="gave no answer"):
        fetcher.fetch(f"https://{HOST}:{port}/a")


def test_the_resolver_of_the_system_gives_addresses_or_says_that_there_are_none() -> None:
    assert {"127.0.0.1", "::1"} & set(resolve("localhost", 443))
    with pytest.raises(FetchError, match="has no address"):
        resolve("a" * 70 + ".example.org", 443)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_of_the_public_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "papers.example.org",
        "",
    ],
)
def test_no_other_address_is_public(address: str) -> None:
    assert not is_public(address)
