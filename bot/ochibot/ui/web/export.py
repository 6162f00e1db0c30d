"""The page's files: the same for the server and for an export that any static host can serve.

They are built from ``web/`` by ``make web``. They need neither our package nor our server.
"""

from __future__ import annotations

import gzip
import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from ochibot.errors import OutputError, UsageError
from ochibot.leftovers import whole_file
from ochibot.quoting import brief_path, quoted

STATIC: Final = Path(__file__).resolve().parent / "static"
START: Final = "index.html"
BOARD: Final = "puyo.html"
"""The name of the page with the analysis board for Puyo Puyo, which is served and written beside the calculator."""

FIRST_LOAD: Final = (START, "app.css", "theme.js", "app.js", "icon.svg", "manifest.webmanifest")
"""The files that a browser loads before it can show the first value."""


@dataclass(frozen=True, slots=True)
class Export:
    """What was written: the files' names, their size in bytes, and the gzipped size of the files in FIRST_LOAD."""

    folder: Path
    files: tuple[str, ...]
    size: int
    first_load: int

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return {
            "folder": str(self.folder),
            "files": list(self.files),
            "bytes": self.size,
            "first_load_gzip_bytes": self.first_load,
        }


def with_link(page: str, beside: str) -> str:
    """A page that offers a link to another one, which is served or written beside it."""
    return page.replace("</title>", f'</title>\n<meta name="beside" content="{html.escape(beside)}">', 1)


def start_page(pages: Mapping[str, str] | None) -> str:
    """The calculator's page, with a link to the analysis board if that is among the other pages."""
    page = (STATIC / START).read_text("utf-8")
    return with_link(page, BOARD) if BOARD in (pages or {}) else page


def names() -> tuple[str, ...]:
    """The names of the page's files, all in one folder."""
    return tuple(sorted(path.name for path in STATIC.iterdir() if path.is_file()))


def export(folder: Path, url: str | None = None, pages: Mapping[str, str] | None = None) -> Export:
    """Writes the page's files into a folder, which is made if it doesn't exist.

    url: the future address of the page. Other sites need it to find the preview picture; without it, the picture's
    address is relative. pages: the text of other pages to write there, by name. Raises UsageError for an invalid url or
    a folder with other files, and OutputError when the files can't be written.
    """
    base = None if url is None else _base(url)
    target = folder.expanduser()
    try:
        every = tuple(sorted({*names(), *(pages or {})}))
        others = sorted({path.name for path in target.iterdir()} - set(every)) if target.exists() else []
        if others and not (target / "manifest.webmanifest").is_file():
            raise UsageError(
                f"{brief_path(target)} holds other files, such as {brief_path(others[0])}: give an empty folder or a "
                "new one"
            )
        target.mkdir(parents=True, exist_ok=True)
        size = first = 0
        for name in every:
            data = pages[name].encode() if pages and name in pages else _content(name, base, pages)
            with whole_file(target / name) as partial:
                partial.write_bytes(data)
            size += len(data)
            first += len(gzip.compress(data, mtime=0)) if name in FIRST_LOAD else 0
    except OSError as error:
        raise OutputError(f"can't write the page to {target}: {error.strerror or error}; give another folder") from None
    return Export(target, every, size, first)


def _base(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_site = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and not parts.fragment
    except ValueError:
        is_site = False
    if not is_site:
        raise UsageError(f"{quoted(url)} is not the address of a page: give one such as https://example.org/nyaa/")
    return url.rstrip("/") + "/"


def _content(name: str, base: str | None, pages: Mapping[str, str] | None) -> bytes:
    data = start_page(pages).encode() if name == START else (STATIC / name).read_bytes()
    if base is None or not name.endswith(".html"):
        return data
    where = html.escape(base)
    text = data.decode()
    text = text.replace('content="preview.png"', f'content="{where}preview.png"').replace('="./', f'="{where}')
    return text.replace("<title>", f'<meta property="og:url" content="{where}">\n<title>', 1).encode()
