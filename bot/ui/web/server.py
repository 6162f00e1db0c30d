"""Runs the app: the address to bind, and serving until somebody ends it."""

from __future__ import annotations

import errno
import ipaddress
import socket

import uvicorn

from bot.errors import UsageError
from bot.ui.web import WebError
from bot.ui.web.app import FEATURES, create_app
from bot.ui.web.features import Feature
from bot.ui.web.guard import Hosts, is_address


def is_loopback(host: str) -> bool:
    """Whether a name or address reaches this machine only."""
    if host == "localhost":
        return True
    return is_address(host) and ipaddress.ip_address(host).is_loopback


def bind(host: str, port: int, *, allow_remote: bool = False) -> socket.socket:
    """A listening socket. ``port`` 0: a free one.

    Raises UsageError for no host and, unless that is allowed, for one that others could reach; WebError when it can't
    be bound.
    """
    if not host.strip():
        raise UsageError("--host is empty: give an address to listen on, such as 127.0.0.1")
    if not allow_remote and not is_loopback(host):
        raise UsageError(
            f"{host} can be reached from other machines, and the page has no password: "
            "give --allow-remote as well if that is wanted"
        )
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise WebError(f"no address is known for the host {host!r}: give another with --host") from None
    listener = None
    try:
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
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


def make_server(host: str, features: tuple[Feature, ...] = FEATURES) -> uvicorn.Server:
    """The server for a host's socket; ``run(sockets=[listener])`` serves until ``should_exit`` or Ctrl-C."""
    hosts = Hosts()
    if not is_loopback(host):
        names = {socket.gethostname().lower(), host.lower()}
        hosts = Hosts(hosts.names | names, any_address=True)
    config = uvicorn.Config(
        create_app(hosts, features),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        limit_concurrency=100,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        ws="none",
    )
    return uvicorn.Server(config)
