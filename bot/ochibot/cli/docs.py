"""``ochibot docs``: opens the documentation."""

from __future__ import annotations

from typing import Annotated

import typer

from ochibot.cli.options import JsonOption
from ochibot.cli.output import has_desktop, report_stream
from ochibot.data import data_root, is_file, is_folder
from ochibot.report import check_target, write_json

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
