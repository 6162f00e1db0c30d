"""``ochibot web``: the web page, served to this machine."""

from __future__ import annotations

import os
import sys
import threading
from socket import socket
from typing import Annotated, TextIO

import typer

from ochibot.cli.options import JsonOption
from ochibot.cli.output import report_stream, stopping
from ochibot.report import check_target, write_json


def web(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="The port to listen on (0: any free one).")
    ] = 8017,
    allow_remote: Annotated[bool, typer.Option("--allow-remote", help="Let other machines in.")] = False,
    open_page: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open a browser.", show_default="open on a desktop")
    ] = None,
    json: JsonOption = None,
) -> None:
    """Serve the web page: the Pochi & Nyaa calculator. Ctrl-C ends it."""
    from ochibot.ui.web import need_web

    need_web()
    from ochibot.ui.web.app import prepare
    from ochibot.ui.web.server import bind

    check_target(json)
    out = report_stream(json)
    with bind(host, port, allow_remote=allow_remote) as listener:
        prepare()
        _serve(host, listener, json, out, open_page)


def _serve(host: str, listener: socket, json: str | None, out: TextIO, open_page: bool | None) -> None:
    from ochibot.ui.web.server import is_local, make_server, url_of

    with stopping(gently=True) as stop:
        url = url_of(listener)
        server = make_server(host, listener)
        # before the line, so that whoever waits for the line finds the file
        write_json({"url": url, "host": host, "port": listener.getsockname()[1]}, json)
        print(f"Ochibot's page is at {url} (Ctrl-C ends it)", file=out, flush=True)
        if not is_local(listener):
            print("other machines can reach it, and it has no password", file=out, flush=True)
        if _desktop() if open_page is None else open_page:
            # a browser may take its time to come back, and the page needs the server
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        if not stop.asked():
            server.run(sockets=[listener])
        print("the server has ended", file=out)


def _desktop() -> bool:
    """Whether there is somebody to look at a browser window."""
    if not sys.stdout.isatty():
        return False
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
