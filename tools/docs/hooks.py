"""Hooks of mkdocs: pages made from files at the top of the repository, and links that lead out of docs/.

Links in docs/ are written for GitHub. A link to a page at the top leads to the page made from it here, and a link to
any other file outside docs/ leads to GitHub.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent.parent
GITHUB = "https://github.com/ochibot/ochibot/blob/main/"
PAGES = {"README.md": "about.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
"""Files at the top of the repository, and the pages made from them."""

LINK = re.compile(r"\]\((?!https?:|#)([^)\s]+)\)")


def from_top(text: str) -> str:
    """A file at the top, with its links as a page in docs/ would write them."""
    return LINK.sub(lambda link: f"]({link[1][5:] if link[1].startswith('docs/') else f'../{link[1]}'})", text)


def for_site(text: str) -> str:
    """A page in docs/, with links out of docs/ turned to pages of the site or to GitHub."""

    def turned(link: re.Match[str]) -> str:
        target, mark, anchor = link[1].partition("#")
        if not target.startswith("../"):
            return link[0]
        outside = target.removeprefix("../")
        return f"]({PAGES.get(outside, GITHUB + outside)}{mark}{anchor})"

    return LINK.sub(turned, text)


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages made from files at the top, and the script that lets the search work without a server."""
    for name, page in PAGES.items():
        text = from_top((ROOT / name).read_text(encoding="utf-8"))
        files.append(File.generated(config, page, content=text))
    script = Path(__file__).with_name("iframe-worker.js")
    files.append(File.generated(config, script.name, abs_src_path=str(script)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Turns the links of every page."""
    return for_site(markdown)
