"""``ochibot docs`` finds the built site, else the pages, else their address."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ochibot.cli import web

from tests.cli.test_record import Run


@pytest.mark.parametrize(
    ("there", "address", "said"),
    [
        ("site/index.html", "/site/index.html", "the documentation is in"),
        ("docs/README.md", "/docs", "`make docs`"),
        ("ram_maps/x", "https://github.com/ochibot/ochibot/tree/main/docs", "`make docs`"),
    ],
)
def test_the_best_that_is_there_is_opened(
    there: str,
    address: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / there).parent.mkdir()
    (tmp_path / there).touch()
    asked: list[str] = []
    monkeypatch.setattr(web, "data_root", lambda: tmp_path)

    def opened(url: str) -> bool:
        asked.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", opened)
    done = Run(capsys, monkeypatch, "docs", "--open", "--json", "-")
    report = json.loads(done.out)
    assert report == {"site": there.startswith("site"), "address": asked[0], "opened": True}
    assert asked[0].endswith(address)
    assert said in done.err
    asked.clear()
    assert said in Run(capsys, monkeypatch, "docs", "--no-open").out
    assert not asked
