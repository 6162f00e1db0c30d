"""``ochibot web``: serves the web page until Ctrl-C, or writes it to a folder.

``ochibot docs``: opens the documentation.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from ochibot.cli.livepage import AllowRemoteOption, HostOption, PortOption, pages
from ochibot.cli.options import GameArgument, JsonOption, folder_option
from ochibot.cli.output import has_desktop, report_stream, stopping
from ochibot.data import data_root, is_file, is_folder
from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.report import check_target, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from socket import socket

_USUAL_PORT = 8017


def web(
    game: GameArgument = None,
    live: Annotated[
        bool, typer.Option("--live", help="Let the bot play GAME at the console's speed, and show it on a page.")
    ] = False,
    host: HostOption = None,
    port: PortOption = None,
    allow_remote: AllowRemoteOption = False,
    open_page: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open a browser.", show_default="open on a desktop")
    ] = None,
    export: Annotated[
        Path | None,
        folder_option("Write the page to a folder for any static host, instead of serving it.", default="it is served"),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="With --export: the address where the page will be published, for its preview picture.",
            show_default="none, and no preview",
        ),
    ] = None,
    json: JsonOption = None,
) -> None:
    """Serve the web page, the Pochi & Nyaa calculator, until Ctrl-C; or write it to a folder.

    With it comes puyo.html, the analysis board for Puyo Puyo. With --live, a game is played and shown, too; `play`,
    `battle`, `versus` and `coach` have --web for theirs.
    """
    if live:
        if export is not None or url is not None:
            raise UsageError("--live shows a game that runs here: leave --export and --url out")
        _live(game, host, port, allow_remote, open_page, json)
        return
    if game is not None:
        raise UsageError(f"{quoted(game)} is a game to be shown: give --live, too")
    if export is not None:
        _export(export, url, json)
        return
    if url is not None:
        raise UsageError("--url tells where an exported page will be: give --export DIR as well")
    from ochibot.ui.web import need_web

    need_web()
    from ochibot.ui.web.app import prepare
    from ochibot.ui.web.server import bind

    check_target(json)
    out = report_stream(json)
    host = "127.0.0.1" if host is None else host
    with bind(host, _USUAL_PORT if port is None else port, allow_remote=allow_remote) as listener:
        prepare()
        _serve(host, listener, json, out, open_page)


def _live(
    game: str | None, host: str | None, port: int | None, allow_remote: bool, open_page: bool | None, json: str | None
) -> None:
    """Plays as ``play`` does, game after game, and shows it."""
    from ochibot.cli.play import play

    play(
        game=game,
        web=True,
        host=host,
        port=port,
        allow_remote=allow_remote,
        pace=1.0,
        restart=True,
        json=json,
        open_page=open_page,
    )


def _export(folder: Path, url: str | None, json: str | None) -> None:
    from ochibot.ui.web.export import export

    check_target(json)
    written = export(folder, url, pages())
    write_json(written.as_dict(), json)
    print(
        f"{counted(len(written.files), 'file')}, {written.size / 1000:.0f} kB, in {written.folder}: any static host "
        "can serve them",
        file=report_stream(json),
    )


def _serve(host: str, listener: socket, json: str | None, out: TextIO, open_page: bool | None) -> None:
    from ochibot.ui.web.connections import Refusals
    from ochibot.ui.web.export import BOARD
    from ochibot.ui.web.server import is_local, make_server, url_of

    with stopping(gently=True) as stop:
        url = url_of(listener)
        refusals = Refusals()
        server = make_server(host, listener, refusals=refusals, pages=pages())

        def end(_: str) -> None:
            server.should_exit = True

        stop.calls(end)  # uvicorn has handlers of its own for Ctrl-C and SIGTERM, but none for SIGHUP
        # the report is written before the line is printed, so that a program that waits for the line finds the report
        write_json({"url": url, "host": host, "port": listener.getsockname()[1]}, json)
        both = f"the calculator is at {url}, the analysis board for Puyo Puyo at {url}{BOARD}"
        print(f"{both} (Ctrl-C ends them)", file=out, flush=True)
        if not is_local(listener):
            print("other machines can reach it, and it has no password", file=out, flush=True)
        if has_desktop() if open_page is None else open_page:
            # webbrowser.open may block for a while, so it runs in a thread: the page needs the server, started below
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        if not stop.asked():
            server.run(sockets=[listener])
        refused = str(refusals)
        print(f"the server has ended{f': {refused}' if refused else ''}", file=out)


PAGES = "https://github.com/ochibot/ochibot/tree/main/docs"
"""The pages of an installation without a checkout."""


def docs(
    open_page: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open a browser.", show_default="open on a desktop")
    ] = None,
    json: JsonOption = None,
) -> None:
    """Open the documentation: the built site, or else the pages, which GitHub shows too."""
    check_target(json)
    root = data_root()
    site, folder = root / "site/index.html", root / "docs"
    if is_file(site):
        where, address, hint = str(site), site.as_uri(), ""
    elif is_folder(folder):
        where, address = str(folder), folder.as_uri()
        hint = f"; `make docs` in {root} builds a site of them, which can be searched"
    else:
        where = address = PAGES
        hint = "; a checkout has them too, and `make docs` there builds a site that needs no network"
    opened = has_desktop() if open_page is None else open_page
    if opened:
        import webbrowser

        opened = webbrowser.open(address)
    write_json({"site": is_file(site), "address": address, "opened": opened}, json)
    print(f"the documentation is {'at' if where == PAGES else 'in'} {where}{hint}", file=report_stream(json))
