"""Runs the app: binds the address and serves until somebody ends it."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Mapping

import uvicorn

from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.ui.web import WebError
from ochibot.ui.web.app import FEATURES, create_app
from ochibot.ui.web.connections import Refusals, protocol
from ochibot.ui.web.features import Feature
from ochibot.ui.web.guard import Hosts

_SEND_BUFFER = 64 * 1024
"""How many bytes the system keeps for a connection that doesn't read. (Linux doubles this.)"""


def is_loopback(address: str) -> bool:
    """Whether an IP address belongs to loopback, which only this machine can reach."""
    found = ipaddress.ip_address(address)
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


def is_local(listener: socket.socket) -> bool:
    """Whether only this machine can reach a listening socket."""
    return is_loopback(listener.getsockname()[0])


def bind(host: str, port: int, *, allow_remote: bool = False) -> socket.socket:
    """Opens a listening socket. ``port`` 0: any free port.

    Raises UsageError for an empty host, and, without ``allow_remote``, for a host with an address that other machines
    could reach. Raises WebError when the address can't be bound.
    """
    if not host.strip():
        raise UsageError("--host is empty: give an address to listen on, such as 127.0.0.1")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise WebError(f"no address is known for the host {quoted(host)}: give another with --host") from None
    if not allow_remote and not all(is_loopback(str(address[0])) for *_, address in found):
        raise UsageError(f"{host} can be reached from other machines: give --allow-remote as well if that is wanted")
    family, kind, protocol, _, address = found[0]
    listener = None
    try:
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # connections inherit this: so the server soon notices a client that doesn't read, instead of answering a
        # hundred of its requests into the system's memory
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        listener.bind(address)
        listener.listen(512)
    except OSError as error:
        if listener is not None:
            listener.close()
        if error.errno == errno.EADDRINUSE:
            raise WebError(f"port {port} of {host} is taken: give another with --port (0: any free one)") from None
        reason = error.strerror or str(error)
        raise WebError(f"can't listen on {host}, port {port}: {reason}; give others with --host, --port") from None
    return listener


def url_of(listener: socket.socket) -> str:
    """The address of the page, for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1" if listener.family == socket.AF_INET else "::1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def make_server(
    host: str,
    listener: socket.socket,
    features: tuple[Feature, ...] = FEATURES,
    refusals: Refusals | None = None,
    pages: Mapping[str, str] | None = None,
) -> uvicorn.Server:
    """Makes the server for a listening socket. ``run(sockets=[listener])`` serves until ``should_exit`` or Ctrl-C.

    refusals: counts what the server refuses. pages: other pages to serve (see ``create_app``).
    """
    refusals = refusals or Refusals()
    names = {host.lower(), listener.getsockname()[0]}
    if not is_local(listener):
        names.add(socket.gethostname().lower())
    hosts = Hosts(Hosts().names | names, any_address=not is_local(listener))
    config = uvicorn.Config(
        create_app(hosts, features, refusals, pages),
        http=protocol(refusals),
        # warnings tell of each damaged request, and anybody could fill the log with them
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        ws="none",
    )
    return uvicorn.Server(config)
