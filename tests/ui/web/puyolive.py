"""The browser's engine for Puyo Puyo, in Node and in a real Chromium, for tests and measurements."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.ui.web.live import browsing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BUILT: Final = Path(__file__).parents[3] / "bot" / "ochibot" / "ui" / "web" / "puyo" / "engine.js"
NODE: Final = shutil.which("node")
_SCRIPT: Final = Path(__file__).with_name("puyonode.mjs")
_PAGE: Final = "<!doctype html><meta charset=utf-8><title>engine</title><script src=engine.js></script>"
_ASK: Final = """async (questions) => {
    globalThis.client ??= new ochibotPuyo.EngineClient();
    const asked = questions.map(([method, given]) => client.ask(method, given)
        .then((result) => ({ result }), (error) => ({ error: error.message })));
    return JSON.stringify(await Promise.all(asked));
}"""

Question = tuple[str, dict[str, Any]]
Ask = Callable[[Sequence[Question]], list[Any]]
"""Asks the engine several questions, each a method and what it is given; returns their results."""


class BrowserError(Exception):
    """The engine answered with an error."""


def _results(answers: list[dict[str, Any]]) -> list[Any]:
    for answer in answers:
        if "error" in answer:
            raise BrowserError(answer["error"])
    return [answer["result"] for answer in answers]


@contextlib.contextmanager
def in_node() -> Iterator[Ask]:
    """The engine in Node, in its main thread."""
    assert NODE is not None
    command = [NODE, str(_SCRIPT), str(BUILT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        send, answers = process.stdin, process.stdout

        def ask(questions: Sequence[Question]) -> list[Any]:
            send.write(json.dumps(list(questions)) + "\n")
            send.flush()
            return _results(json.loads(answers.readline()))

        try:
            yield ask
        finally:
            send.close()


@contextlib.contextmanager
def in_chromium(opened: Browser | None = None) -> Iterator[Ask]:
    """The engine in a worker of a page that was opened as a file. ``opened``: a browser that runs; None: a new one."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.nullcontext(opened) if opened is not None else browsing() as browser,
    ):
        shutil.copy(BUILT, folder)
        page_file = Path(folder) / "page.html"
        page_file.write_text(_PAGE, encoding="utf-8")
        page = browser.new_page()
        page.goto(page_file.as_uri())

        def ask(questions: Sequence[Question]) -> list[Any]:
            return _results(json.loads(page.evaluate(_ASK, list(questions))))

        yield ask


PLACES: Final = {"node": in_node, "chromium": in_chromium}
