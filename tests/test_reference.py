"""The reference describes every public name, and the site of the documentation is built without a warning."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ochibot
import pytest

from tests.ui.web.live import CHROMIUM, browsing

REPOSITORY = Path(__file__).resolve().parent.parent
LISTED = re.findall(r"^::: (\S+)$", (REPOSITORY / "docs/reference.md").read_text(encoding="utf-8"), re.MULTILINE)


def found(name: str) -> Any:
    """The object with a dotted name."""
    module, _, rest = name.rpartition(".")
    return getattr(importlib.import_module(module), rest)


def members(thing: Any) -> Iterator[tuple[str, Any]]:
    """The public functions and properties of a class that Ochibot's code defines, with those of its bases."""
    for base in inspect.getmro(thing):
        if base.__module__.startswith("ochibot"):
            for name, value in vars(base).items():
                inner = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
                if not name.startswith("_") and inspect.isfunction(inner):
                    yield name, inner


def documented() -> Iterator[tuple[str, Any, str]]:
    """Each listed name, and each member of the listed classes: its object, and all that is said of it."""
    for name in LISTED:
        thing = found(name)
        if inspect.isclass(thing):
            # what a class says of its fields need not be said again by a method
            of_class = "".join(inspect.getdoc(one) or "" for one in (thing, thing.__init__))
            yield name, thing, of_class
            for member, function in members(thing):
                yield f"{name}.{member}", function, f"{inspect.getdoc(function) or ''}"
        else:
            yield name, thing, inspect.getdoc(thing) or ""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as ``make docs`` builds it: with ``--strict``, so that any warning is an error."""
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("mkdocs is not installed (make docs installs it)")
    folder = tmp_path_factory.mktemp("docs") / "site"
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=REPOSITORY, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.long
def test_the_site_is_whole_and_asks_the_network_for_nothing(site: Path) -> None:
    pages = {path.stem for path in (REPOSITORY / "docs").glob("*.md")} - {"README"} | {"index", "about", "contributing"}
    assert pages <= {path.stem for path in site.glob("*.html")}
    for page in site.glob("*.html"):
        loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=\"?([^\" >]+)", page.read_text("utf-8"))
        assert loaded
        assert not [address for address in loaded if ":" in address], page.name
    for name in LISTED:
        assert f'id="{name}"' in (site / "reference.html").read_text("utf-8") or name == "ochibot.open", name


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is missing (Debian: package chromium)")
def test_the_site_opens_and_searches_as_files(site: Path) -> None:
    with browsing() as browser:
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.click("input[name=query]")
        page.keyboard.type("romChecksum")
        page.wait_for_selector(".md-search-result__link[href*='movies.html']", timeout=60_000)
        page.click(".md-search-result__link[href*='movies.html'] >> nth=0")
        page.wait_for_url("**/movies.html**")
        assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


def test_the_reference_lists_every_public_name() -> None:
    assert {f"ochibot.{name}" for name in ochibot.__all__ if name != "__version__"} <= set(LISTED)
    assert len(LISTED) == len(set(LISTED))


def test_every_name_of_the_reference_is_documented() -> None:
    bare = [name for name, _, text in documented() if len(text.split()) < 3]
    assert not bare


def test_arrays_have_their_shape_and_parameters_their_meaning() -> None:
    """A parameter is named in the docstring, or its values are given (1..5), unless it is the only one, or its type is
    a class that the reference describes.
    """
    described = {name.rpartition(".")[2] for name in LISTED}
    lacking = []
    for name, thing, text in documented():
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            if "NDArray" in str(signature.return_annotation) and not re.search("shape|height|words", text):
                lacking.append(f"{name}: the shape")
            wanted = [one for one in signature.parameters.values() if one.name not in ("self", "cls")]
            for one in wanted:
                kinds = {word.strip() for word in str(one.annotation).split("|")} - {"None"}
                if (
                    len(wanted) > 1
                    and not kinds <= described
                    and not re.search(rf"\b{one.name.rstrip('s')}|\d\.\.\d", text, re.I)
                ):
                    lacking.append(f"{name}: {one.name}")
    assert not lacking
