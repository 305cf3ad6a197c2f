"""Fetching: bytes over HTTPS, from public addresses only, within limits of size, time and hops."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Timer
from time import monotonic
from urllib.parse import SplitResult, quote, urljoin, urlsplit

CHUNK = 64 * 1024
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_SAFE = "/%:@!$&'()*+,;=~-._?[]"
_AGENT = "evidence-matrix (verifies citations)"


class FetchError(Exception):
    """Bytes that were not fetched; says why."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """Bytes, the media type that the server gives, and the address they came from in the end."""

    data: bytes
    media: str | None
    url: str


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, whatever other address it wraps."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if ip.sixtofour is not None or ip.teredo is not None or ip.is_site_local:
            return False
        if ip in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, as the system's resolver gives them."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise FetchError(f"{host} has no address") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class _Pinned(http.client.HTTPSConnection):
    """A connection to the address that was checked; its certificate is that of the host."""

    def __init__(
        self, host: str, port: int, address: str, timeout: float, context: ssl.SSLContext
    ) -> None:
        super().__init__(host, port, timeout=timeout, context=context)
        self._address = address
        self._tls = context
        self._wire: socket.socket | None = None

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), self.timeout)
        secret = self._tls.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock = self._wire = secret  # the handshake can be cut too
        secret.do_handshake()

    def cut(self) -> None:
        """Ends the connection from another thread; whoever reads from it gets no more."""
        if self._wire is not None:
            try:
                # Not the TLS socket's own shutdown, which pulls the state from under the reader.
                socket.socket.shutdown(self._wire, socket.SHUT_RDWR)
            except OSError:
                return


@dataclass(frozen=True)
class Fetcher:
    """Fetches over HTTPS.

    Attributes:
        most_bytes: largest body that is read.
        seconds: longest time for one address with all its redirects.
        most_redirects: longest chain of redirects.
        ports: ports that may be asked.
        resolve: gives the addresses of a host.
        is_allowed: whether an address may be connected to; every one of a host must be.
        context: what certificates are trusted.
    """

    most_bytes: int = 256 * 1024 * 1024
    seconds: float = 120.0
    most_redirects: int = 5
    ports: frozenset[int] = frozenset((443,))
    resolve: Callable[[str, int], Sequence[str]] = resolve
    is_allowed: Callable[[str], bool] = is_public
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    def fetch(self, url: str) -> Fetched:
        """The bytes at an address.

        Raises:
            FetchError: the address, or one it redirects to, may not be asked, or gives no bytes.
        """
        deadline = monotonic() + self.seconds
        for _ in range(self.most_redirects + 1):
            target = self._checked(url)
            got = self._ask(target, url, deadline)
            if isinstance(got, Fetched):
                return got
            url = got
        raise FetchError(f"redirects more than {self.most_redirects} times")

    def _checked(self, url: str) -> SplitResult:
        try:
            parts = urlsplit(url)
            port = parts.port or 443
        except ValueError:
            raise FetchError(f"{url} is no address") from None
        if parts.scheme != "https" or not parts.hostname:
            raise FetchError(f"{url} is no https address")
        if "@" in parts.netloc:
            raise FetchError("the address holds a user name")
        if port not in self.ports:
            raise FetchError(f"{url} asks for port {port}")
        return parts

    def _address_of(self, host: str, port: int) -> str:
        addresses = self.resolve(host, port)
        for address in addresses:
            if not self.is_allowed(address):
                raise FetchError(f"{host} leads to {address}, which is not a public address")
        if not addresses:
            raise FetchError(f"{host} has no address")
        return addresses[0]

    def _ask(self, target: SplitResult, url: str, deadline: float) -> Fetched | str:
        """The bytes, or the address that the server redirects to."""
        host, port = target.hostname or "", target.port or 443
        address = self._address_of(host, port)
        left = max(0.001, deadline - monotonic())
        connection = _Pinned(host, port, address, left, self.context)
        late = Event()

        # A server that sends a byte now and then never meets the timeout of a single read.
        def stop() -> None:
            late.set()
            connection.cut()

        timer = Timer(left, stop)
        timer.daemon = True
        timer.start()
        try:
            query = f"?{target.query}" if target.query else ""
            path = quote((target.path or "/") + query, safe=_SAFE)
            headers = {"User-Agent": _AGENT, "Accept-Encoding": "identity", "Accept": "*/*"}
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            got = self._read(answer, url)
        except ssl.SSLError as error:
            raise FetchError(self._why(late, f"{host}: {error.reason or error}")) from None
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            why = f"{host} gave no answer ({type(error).__name__})"
            raise FetchError(self._why(late, why)) from None
        finally:
            timer.cancel()
            connection.close()
        if late.is_set():
            raise FetchError(self._why(late, ""))
        return got

    def _why(self, late: Event, otherwise: str) -> str:
        return f"took longer than {self.seconds:g} s" if late.is_set() else otherwise

    def _read(self, answer: http.client.HTTPResponse, url: str) -> Fetched | str:
        if answer.status in _REDIRECTS:
            location = answer.getheader("Location")
            if not location:
                raise FetchError("redirects to nowhere")
            try:
                return urljoin(url, location)
            except ValueError:
                raise FetchError(f"redirects to {location}, which is no address") from None
        if answer.status != 200:
            raise FetchError(f"answered {answer.status} {answer.reason}".strip())
        if answer.getheader("Content-Encoding", "identity").lower() != "identity":
            raise FetchError("sent its bytes compressed, though asked not to")
        parts = []
        size = 0
        while chunk := answer.read(CHUNK):
            size += len(chunk)
            if size > self.most_bytes:
                raise FetchError(f"sent more than {self.most_bytes:,} bytes")
            parts.append(chunk)
        promised = answer.getheader("Content-Length")
        if promised is not None and promised.isdigit() and int(promised) != size:
            raise FetchError("broke off before all was sent")
        media = answer.headers.get_content_type() if answer.getheader("Content-Type") else None
        return Fetched(b"".join(parts), media, url)
